"""The whole screen of one rater: the frame around the card, how far the walk is, what is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Literal

from reviewkit.desk.codes_view import CodesView, render_coding
from reviewkit.desk.hearing_view import HearingView
from reviewkit.desk.view import CardView, View, render_families, render_outcome
from reviewkit.desk.wording import LANGUAGES, Wording
from reviewkit.questions import Checklist, Codebook, Outcome, say
from reviewkit.rulings import Pin, RulingsLog, visible_rulings
from reviewkit.study import GroupDeck, Hearing, HearingStatus, ResponseDeck, Status, Walk
from reviewkit.study.second_review import OpenRulings, open_rulings

Pause = Literal["warning", "enough"]
"""Why a page shows no card although there is one: the warning is unread; enough for today."""

FILTERS = ("all", "open", "needs_fix", "changed", "skipped")
CODING_FILTERS = ("all", "open", "unsure", "changed", "skipped")

WAITING = ("open", "changed", "labelled")
"""What stands on a card that still wants work."""

LISTED = 200
"""A longer list of cards goes to the page when it asks, not with every card."""


class Screen:
    """Draws a walk as plain data, in one language at a time."""

    def __init__(
        self, walk: Walk | Hearing, rulings: RulingsLog, file_url: Callable[[str], str | None]
    ) -> None:
        self.wording = Wording("en")
        self._walk = walk
        self._rulings = rulings
        self._file_url = file_url

    @property
    def app(self) -> str:
        """Which of the apps this is: the page shows some controls in one of them alone."""
        if isinstance(self._walk, Hearing):
            return "adjudication"
        return "coding" if self._walk.study.is_coding else "review"

    def frame(self, chosen_filter: str) -> View:
        """Return a screen without a card and without anything of the walk."""
        walk, wording = self._walk, self.wording
        return {
            "app": self.app,
            "language": wording.language,
            "direction": wording.direction,
            "languages": [list(each) for each in LANGUAGES],
            "strings": wording.page_strings(),
            "families": self._families(),
            "who": {
                "rater": walk.rater,
                "study": walk.study.study,
                "pass": walk.pass_.pass_,
                "round": walk.round.round,
            },
            "state": "writing",
            "message": "",
            "instruction": "",
            "blur": walk.study.welfare.blur == "yes",
            "progress": {"done": 0, "skipped": 0, "total": 0, "label": ""},
            "filter": chosen_filter,
            "filters": [],
            "cards": [],
            "done": None,
            "card": None,
        }

    def _families(self) -> list[View]:
        families = self._walk.families if isinstance(self._walk, Walk) else None
        return render_families(families, self.wording) if families else []

    def failed(self, chosen_filter: str, message: str) -> View:
        """Return a screen that says why there is no card."""
        return self.frame(chosen_filter) | {"state": "nobody", "why": "failed", "message": message}

    def outcome(self, card_id: str, outcome: Outcome, *, escalated: bool = False) -> View:
        """Return what the answers to a card come to."""
        form = self._walk.form(card_id)
        if isinstance(form, Codebook):
            return render_coding(form, outcome, self.wording)
        if isinstance(form, Checklist):
            return render_outcome(form, outcome, escalated, self.wording)
        raise TypeError(f"there is no screen for {type(form).__name__}")

    def render(
        self,
        card_id: str,
        token: str,
        chosen_filter: str,
        pause: Pause | None = None,
        minutes: float = 0.0,
    ) -> View:
        """Return the screen with a card or, for an empty id, with how far the walk is.

        ``minutes`` is how long the person has been judging without a rest.
        """
        walk, wording = self._walk, self.wording
        statuses = walk.statuses()
        total = len(statuses)
        counts = walk.status_counts()
        skipped = counts["skipped"]
        waiting = sum(counts[each] for each in WAITING)
        done = total - skipped - waiting
        locked = walk.locked
        view = self.frame(chosen_filter)
        view |= {
            "state": "locked" if locked else "writing",
            "message": wording.say("withdrawn" if walk.withdrawn else "locked")
            if locked
            else self._notice(minutes),
            "progress": {
                "done": done,
                "skipped": skipped,
                "total": total,
                "label": self._place(card_id, done, total),
            },
            "filters": self._filters(counts, chosen_filter),
            "cards": self.cards(card_id) if total <= LISTED else [],
        }
        if card_id:
            view["instruction"] = say(walk.form(card_id).instruction, wording.language)
            view["card"] = self._card(card_id, token)
            if total and not waiting and not locked and not isinstance(walk, Hearing):
                # whoever looks at a card again must still find the lock
                view["done"] = self._done(done, skipped, waiting, locked=locked)
        elif pause is not None:
            view["done"] = self._paused(pause)
        else:
            view["done"] = self._done(done, skipped, waiting, locked=locked)
        return view

    def _card(self, card_id: str, token: str) -> View:
        walk, wording = self._walk, self.wording
        rulings = visible_rulings(self._rulings.all(), self._pin(), walk.rater)
        if isinstance(walk, Hearing):
            return HearingView(walk, wording, tuple(rulings)).render(card_id, token)
        if isinstance(walk.deck, GroupDeck):
            file_url = self._file_url(walk.card(card_id).source)
            return CardView(walk, walk.deck, wording, rulings).render(card_id, token, file_url)
        return CodesView(walk, wording, rulings).render(card_id, token)

    def _place(self, card_id: str, done: int, total: int) -> str:
        order = self._walk.positions()
        return self.wording.say("place", n=order.get(card_id, done - 1) + 1, total=total)

    @property
    def filters(self) -> tuple[str, ...]:
        """The codes of what the walk may be narrowed to."""
        return CODING_FILTERS if self._walk.study.is_coding else FILTERS

    def under(self, code: str) -> Mapping[str, Status | HearingStatus]:
        """Return the cards under a filter, in walking order."""
        statuses = self._walk.statuses()
        if code == "all":
            return statuses
        if code == "unsure":
            positions, unsure = self._walk.positions(), self._walk.unsure()
            here = sorted(unsure & positions.keys(), key=positions.__getitem__)
            return {card_id: statuses[card_id] for card_id in here}
        return {card_id: status for card_id, status in statuses.items() if status == code}

    def _filters(self, by_status: Counter[str], chosen: str) -> list[View]:
        counts = by_status | Counter(all=by_status.total())
        if "unsure" in self.filters:
            counts["unsure"] = len(self.under("unsure"))
        return [
            {
                "code": code,
                "label": self.wording.say(f"filter_{code}"),
                "count": counts[code],
                "chosen": code == chosen,
            }
            for code in self.filters
        ]

    def cards(self, shown: str) -> list[View]:
        """Return every card of the walk with what stands on it."""
        unsure = self._walk.unsure() if self._walk.study.is_coding else frozenset[str]()
        answered = self._walk.answered() if isinstance(self._walk, Walk) else frozenset[str]()
        return [
            {
                "card_id": card_id,
                "status": status,
                "status_label": self.wording.say(f"status_{status}")
                + (f" · {self.wording.say('unsure')}" if card_id in unsure else "")
                + (f" · {self.wording.say('lead_answered')}" if card_id in answered else ""),
                "current": card_id == shown,
                "unsure": card_id in unsure,
            }
            for card_id, status in self._walk.statuses().items()
        ]

    def _done(self, done: int, skipped: int, waiting: int, *, locked: bool) -> View:
        wording = self.wording
        if waiting:
            return {
                "title": wording.say("nothing_here"),
                "text": wording.say("nothing_here_text", n=waiting),
                "can_lock": False,
                "locked": locked,
            }
        if isinstance(self._walk, Hearing):
            return {
                "title": wording.say("settled_title" if done else "no_queue_title"),
                "text": wording.say("settled_text" if done else "no_queue_text", n=done),
                "can_lock": False,
                "locked": True,
            }
        code = "locked" if locked else ("done_skipped" if skipped else "done_text")
        return {
            "title": wording.say("done_title"),
            "text": wording.say(code, n=done, skipped=skipped),
            "can_lock": not locked,
            "locked": locked,
        }

    def _paused(self, pause: Pause) -> View:
        wording, welfare = self.wording, self._walk.study.welfare
        panel = {"can_lock": False, "locked": False, "pause": pause}
        if pause == "warning" and welfare.content_warning is not None:
            return panel | {
                "title": wording.say("warning_title"),
                "text": say(welfare.content_warning, wording.language),
                "consent": wording.say("warning_go_on"),
                "contact": say(welfare.contact, wording.language) if welfare.contact else "",
            }
        return panel | {
            "title": wording.say("enough_title"),
            "text": wording.say("enough_text", n=welfare.daily_limit),
        }

    def _pin(self) -> Pin | None:
        walk = self._walk
        lines = walk.rulings_pin
        if lines is None:
            return None
        others = frozenset(each.pass_ for each in walk.round.passes) - {walk.pass_.pass_}
        return Pin(lines, walk.study.study, others, self._open_rulings)

    @cached_property
    def _open_rulings(self) -> OpenRulings | None:
        """Return, in a second review, which rulings are about none of its groups."""
        walk = self._walk
        if walk.study.second_review is None or not isinstance(walk.deck, GroupDeck):
            return None
        return open_rulings(walk.study.groups, walk.deck.bank)

    def _notice(self, minutes: float) -> str:
        walk, said = self._walk, list[str]()
        rest_after = walk.study.welfare.break_after_minutes
        if rest_after is not None and minutes >= rest_after:
            said.append(self.wording.say("rest", n=int(minutes)))
        torn = walk.ledger.torn
        if torn:
            said.append(self.wording.say("torn", line=torn[-1].line, file=torn[-1].kept_in))
        gone = walk.deck.gone if isinstance(walk.deck, ResponseDeck) else ()
        if gone:
            said.append(self.wording.say("cards_gone", n=len(gone)))
        if walk.deck.left_out:
            said.append(self.wording.say("left_out", problem=walk.deck.left_out[0]))
        return " ".join(said)
