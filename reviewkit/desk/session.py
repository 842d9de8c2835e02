"""One person at the desk: takes the page's messages, acts, and answers with what to show.

Holds the truth in plain attributes and knows no Jupyter; the widget only carries messages to and
fro. Nothing is answered as recorded before the ledger has it on disk.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from reviewkit.decisions import CardChanged, NotReady, PassLocked
from reviewkit.desk import messages as said
from reviewkit.desk.view import FILTERS, CardView, View, render_filters, render_outcome
from reviewkit.desk.wording import LANGUAGES, Wording
from reviewkit.problems import ReviewkitError
from reviewkit.questions import Outcome, derive_outcome, say
from reviewkit.rulings import Pin, RulingEntry, RulingsLog, visible_rulings
from reviewkit.study import NoSuchCard, Walk, WriterMark

log = logging.getLogger("reviewkit.desk")
Reply = dict[str, Any]


class Session:
    """A rater's place at the desk: which card is shown, to which tab, under which token."""

    def __init__(
        self,
        walk: Walk,
        rulings: RulingsLog,
        *,
        file_url: Callable[[str], str | None] = lambda _file: None,
    ) -> None:
        self._walk = walk
        self._rulings = rulings
        self._file_url = file_url
        self._mark = WriterMark(walk.writer_path)
        self._wording = Wording("en")
        self._filter = "all"
        self._tab = ""
        self._card_id = ""
        self._token = ""
        self._shown_digest = ""

    def receive(self, content: Any) -> Reply:
        """Answer one message of the page; a message that does not fit is refused, never raised."""
        number = content.get("id") if isinstance(content, dict) else None
        number = number if isinstance(number, int) else 0
        try:
            message = said.read_message(content)
        except said.MessageRefused as error:
            return {"kind": "refused", "re": number, "problems": [], "text": str(error)}
        try:
            reply = self._answer(message)
        except (ReviewkitError, ValidationError) as error:
            reply = self._refusal(error)
        except Exception:
            # the page must hear of a bug as well: silence would look like a lost connection
            log.exception("reviewkit: a message could not be answered")
            reply = {"kind": "refused", "problems": [], "text": self._wording.say("bug")}
        reply["re"] = message.id
        click_id = getattr(message, "click_id", None)
        if click_id is not None:
            reply["click_id"] = click_id
        return reply

    # answers, by message

    def _answer(self, message: said.Message) -> Reply:
        match message:
            case said.Hello():
                return self._hello(message)
            case said.TakeOver():
                self._mark.claim(message.tab, take_over=True)
                self._tab = message.tab
                return self._page(self._resume())
            case said.Language():
                self._wording = Wording(message.to)
                if not self._writes(message.tab):
                    return self._page_elsewhere()
                return self._page(self._card_id)
            case _ if not self._writes(message.tab):
                return {"kind": "elsewhere", "text": self._wording.say("elsewhere")}
            case said.Ping():
                return self._ping()
            case said.Go():
                return self._go(message.to)
            case said.Filter():
                return self._choose_filter(message.to)
            case said.LockMessage():
                record = self._walk.lock(click_id=message.click_id)
                return {"kind": "recorded", "saved_at": record.time, "view": self._view("")}
            case said.DraftMessage() | said.Submit() | said.Skip() | said.FileRuling():
                return self._on_card(message)

    def _hello(self, message: said.Hello) -> Reply:
        if message.language:
            self._wording = Wording(message.language)
        if not self._mark.claim(message.tab):
            return self._page_elsewhere()
        self._tab = message.tab
        if not self._walk.locked:
            self._walk.start(len(self._rulings.all()))
            if message.pending is not None:
                self._keep_pending(message.pending)
        return self._page(self._resume())

    def _keep_pending(self, pending: said.Pending) -> None:
        """Take in what the tab could not save, if it was typed on the card as it still is."""
        try:
            same = self._walk.card(pending.card_id).digest == pending.card_digest
        except NoSuchCard:
            return
        if same:
            self._walk.save_draft(
                pending.card_id, pending.card_digest, pending.answers, pending.note,
                pending.escalated,
            )  # fmt: skip
            self._mark.stay_at(pending.card_id)

    def _ping(self) -> Reply:
        self._mark.touch()
        if self._card_id and self._walk.look_again(self._card_id):
            return self._page(self._card_id)
        return {"kind": "pong"}

    def _go(self, to: str) -> Reply:
        if to == "next":
            return self._page(self._step(1))
        if to == "back":
            return self._page(self._step(-1))
        self._walk.card(to)
        return self._page(to)

    def _choose_filter(self, code: str) -> Reply:
        if code not in FILTERS:
            raise NoSuchCard(f"there is no filter {code!r}; choose one from the list")
        self._filter = code
        statuses = self._walk.statuses()
        if self._card_id and code in ("all", statuses.get(self._card_id)):
            return self._page(self._card_id)
        return self._page(next((c for c, s in statuses.items() if code in ("all", s)), ""))

    def _on_card(
        self, message: said.DraftMessage | said.Submit | said.Skip | said.FileRuling
    ) -> Reply:
        if message.token != self._token:
            repeated = self._repeated(message)
            if repeated is not None:
                return repeated
            return {
                "kind": "refused", "problems": [], "text": self._wording.say("stale"),
                "view": self._view(self._card_id),
            }  # fmt: skip
        if self._walk.locked and not isinstance(message, said.FileRuling):
            raise PassLocked(self._wording.say("locked_refusal"))
        match message:
            case said.DraftMessage():
                return self._draft(message)
            case said.Submit():
                return self._submit(message)
            case said.Skip():
                return self._skip(message)
            case said.FileRuling():
                return self._file_ruling(message)

    def _repeated(self, message: said.Message) -> Reply | None:
        """Answer a click whose acknowledgement got lost: it is on disk, say so again."""
        click_id = getattr(message, "click_id", None)
        if click_id is None:
            return None
        for record in self._walk.ledger.records():
            if record.click_id == click_id:
                return {
                    "kind": "recorded", "saved_at": record.time,
                    "view": self._view(self._card_id),
                }  # fmt: skip
        return None

    def _draft(self, message: said.DraftMessage) -> Reply:
        card, form = self._walk.card(self._card_id), self._walk.form(self._card_id)
        draft = self._walk.save_draft(
            self._card_id, card.digest, message.answers, message.note, message.escalated
        )
        outcome = derive_outcome(
            form, card.facts, message.answers, note=message.note, escalated=message.escalated
        )
        return {
            "kind": "outcome",
            "token": self._token,
            "saved_at": draft.saved_at,
            "outcome": render_outcome(form, outcome, message.escalated, self._wording),
        }

    def _submit(self, message: said.Submit) -> Reply:
        shown_digest = self._shown_digest
        record = self._walk.submit(
            self._card_id,
            shown_digest,
            message.answers,
            message.note,
            escalated=message.escalated,
            seconds=message.seconds,
            click_id=message.click_id,
        )
        return {"kind": "recorded", "saved_at": record.time, "view": self._view(self._next_open())}

    def _skip(self, message: said.Skip) -> Reply:
        if self._walk.decision(self._card_id) is not None:
            return self._page(self._step(1))
        record = self._walk.skip(self._card_id, click_id=message.click_id, reason=message.reason)
        return {"kind": "recorded", "saved_at": record.time, "view": self._view(self._next_open())}

    def _file_ruling(self, message: said.FileRuling) -> Reply:
        form = self._walk.form(self._card_id)
        known = {check.id for check in form.checks}
        ruling = self._rulings.file(
            RulingEntry(
                click_id=message.click_id,
                type=message.type,
                text=message.text.strip(),
                checks=tuple(f"{form.form}/{each}" for each in message.checks if each in known),
                item_ids=self._walk.card(self._card_id).item_ids,
                supersedes=message.supersedes,
                author=self._walk.rater,
                study=self._walk.study.study,
                pass_=self._walk.pass_.pass_,
            )
        )
        return {
            "kind": "recorded", "saved_at": ruling.time, "ruling": ruling.number,
            "view": self._view(self._card_id),
        }  # fmt: skip

    # where to go

    def _writes(self, tab: str) -> bool:
        return tab == self._tab and self._mark.holds()

    def _resume(self) -> str:
        """Return the card that was on the screen, else the one with a draft, else an open one."""
        here = self._mark.here
        if here in self._walk.card_ids:
            return here
        drafted = self._walk.drafts.latest()
        if drafted is not None and drafted.card_id in self._walk.card_ids:
            return drafted.card_id
        return self._next_open()

    def _next_open(self) -> str:
        """Return the next card after the shown one that still wants work under the filter."""
        wanted = ("open", "changed") if self._filter in ("all", "open") else (self._filter,)
        return self._search(1, wanted)

    def _step(self, direction: int) -> str:
        return self._search(direction, None if self._filter == "all" else (self._filter,))

    def _search(self, direction: int, wanted: tuple[str, ...] | None) -> str:
        statuses = self._walk.statuses()
        order = list(self._walk.card_ids)
        if direction < 0:
            order.reverse()
        if self._card_id in order:
            at = order.index(self._card_id) + 1
            order = order[at:] + order[: at - 1]
        return next((each for each in order if wanted is None or statuses[each] in wanted), "")

    # what to show

    def _page(self, card_id: str) -> Reply:
        return {"kind": "page", "view": self._view(card_id)}

    def _page_elsewhere(self) -> Reply:
        view = self._frame()
        view |= {"state": "elsewhere", "message": self._wording.say("elsewhere")}
        return {"kind": "page", "view": view}

    def _view(self, card_id: str) -> View:
        walk, wording = self._walk, self._wording
        if card_id:
            walk.look_again(card_id)
        self._card_id = card_id
        self._token = secrets.token_hex(12)
        self._mark.stay_at(card_id)
        statuses = walk.statuses()
        view = self._frame()
        locked = walk.locked
        done = sum(1 for each in statuses.values() if each not in ("open", "skipped", "changed"))
        skipped = sum(1 for each in statuses.values() if each == "skipped")
        place = walk.card_ids.index(card_id) + 1 if card_id else len(statuses)
        view |= {
            "state": "locked" if locked else "writing",
            "message": wording.say("locked") if locked else self._torn_notice(),
            "progress": {
                "done": done,
                "skipped": skipped,
                "total": len(statuses),
                "label": wording.say("place", n=place, total=len(statuses)),
            },
            "filter": self._filter,
            "filters": render_filters(statuses, self._filter, wording),
            "cards": [
                {
                    "card_id": each,
                    "status": status,
                    "status_label": wording.say(f"status_{status}"),
                    "current": each == card_id,
                }
                for each, status in statuses.items()
            ],
        }
        if card_id:
            card = walk.card(card_id)
            self._shown_digest = card.digest
            rulings = visible_rulings(self._rulings.all(), self._pin(), walk.rater)
            file_url = self._file_url(card.source)
            view["instruction"] = say(walk.form(card_id).instruction, wording.language)
            view["card"] = CardView(walk, wording, rulings).render(card_id, self._token, file_url)
        else:
            view["done"] = self._done(done, skipped, len(statuses), locked=locked)
        return view

    def _pin(self) -> Pin | None:
        walk = self._walk
        lines = walk.rulings_pin
        if lines is None:
            return None
        others = frozenset(each.pass_ for each in walk.round.passes) - {walk.pass_.pass_}
        return Pin(lines, walk.study.study, others)

    def _frame(self) -> View:
        walk, wording = self._walk, self._wording
        return {
            "language": wording.language,
            "direction": wording.direction,
            "languages": [list(each) for each in LANGUAGES],
            "strings": wording.page_strings(),
            "who": {
                "rater": walk.rater,
                "study": walk.study.study,
                "pass": walk.pass_.pass_,
                "round": walk.round.round,
            },
            "state": "writing",
            "message": "",
            "instruction": "",
            "progress": {"done": 0, "skipped": 0, "total": 0, "label": ""},
            "filter": self._filter,
            "filters": [],
            "cards": [],
            "done": None,
            "card": None,
        }

    def _done(self, done: int, skipped: int, total: int, *, locked: bool) -> View:
        wording = self._wording
        if done + skipped < total:
            return {
                "title": wording.say("nothing_here"),
                "text": wording.say("nothing_here_text", n=total - done - skipped),
                "can_lock": False,
                "locked": locked,
            }
        code = "locked" if locked else ("done_skipped" if skipped else "done_text")
        return {
            "title": wording.say("done_title"),
            "text": wording.say(code, n=done, skipped=skipped),
            "can_lock": not locked,
            "locked": locked,
        }

    def _torn_notice(self) -> str:
        torn = self._walk.ledger.torn
        if not torn:
            return ""
        return self._wording.say("torn", line=torn[-1].line, file=torn[-1].kept_in)

    # refusals

    def _refusal(self, error: Exception) -> Reply:
        wording = self._wording
        if isinstance(error, NotReady):
            form = self._walk.form(self._card_id)
            return self._not_ready(error.outcome, render_outcome(form, error.outcome, False, wording))
        if isinstance(error, CardChanged):
            return {
                "kind": "refused", "problems": [], "text": wording.say("card_changed"),
                "view": self._view(self._card_id),
            }  # fmt: skip
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False, include_input=False)[0]
            text = wording.say("not_taken", why=str(first["msg"]))
            return {"kind": "refused", "problems": [], "text": text}
        return {"kind": "refused", "problems": [], "text": str(error)}

    def _not_ready(self, outcome: Outcome, shown: View) -> Reply:
        problems = shown["problems"]
        text = problems[0]["text"] if problems else ""
        return {
            "kind": "refused", "problems": problems, "text": text,
            "missing": list(outcome.unanswered),
        }  # fmt: skip
