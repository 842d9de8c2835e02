"""One person at the desk: takes the page's messages, acts, and answers with what to show.

Holds the truth in plain attributes and knows no Jupyter; the widget only carries messages to and
fro. Nothing is answered as recorded before the ledger has it on disk.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from time import monotonic
from typing import Any

from pydantic import ValidationError

from reviewkit.decisions import CardChanged, NotReady, Record
from reviewkit.desk import messages as said
from reviewkit.desk.screen import FILTERS, Pause, Screen
from reviewkit.desk.view import View, render_outcome
from reviewkit.desk.wording import Wording
from reviewkit.problems import ReviewkitError
from reviewkit.questions import Outcome, derive_outcome
from reviewkit.rulings import Ruling, RulingEntry, RulingsLog
from reviewkit.study import NoSuchCard, Sitting, Walk, WriterMark

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
        self._screen = Screen(walk, rulings, file_url)
        self._mark = WriterMark(walk.writer_path, walk.ws.shown(walk.writer_path))
        self._sitting = Sitting()
        self._filter = "all"
        self._tab = ""
        self._card_id = ""
        self._token = ""
        self._shown_digest = ""

    @property
    def _wording(self) -> Wording:
        return self._screen.wording

    def receive(self, content: Any) -> Reply:
        """Answer one message of the page; a message that does not fit is refused, never raised."""
        number = content.get("id") if isinstance(content, dict) else None
        number = number if isinstance(number, int) else 0
        try:
            message = said.read_message(content)
        except said.MessageRefused as error:
            return {**self._refused(str(error)), "re": number}
        try:
            reply: Reply = self._answer(message)
        except (ReviewkitError, ValidationError) as error:
            reply = self._refusal(error)
        except Exception:
            # the page must hear of a bug as well: silence would look like a lost connection
            log.exception("reviewkit: a message could not be answered")
            reply = self._refused(self._wording.say("bug"))
        if reply["kind"] == "refused" and isinstance(message, said.Hello | said.TakeOver):
            # a page that could not open has no card to say it on
            view = self._screen.frame(self._filter) | {"state": "nobody", "message": reply["text"]}
            reply = {"kind": "page", "view": view}
        reply["re"] = message.id
        click_id = getattr(message, "click_id", None)
        if click_id is not None:
            reply["click_id"] = click_id
        return reply

    # answers, by message

    def _answer(self, message: said.Message) -> Reply:
        match message:
            case said.Hello():
                reply = self._hello(message)
            case said.TakeOver():
                self._mark.claim(message.tab, take_over=True)
                self._tab = message.tab
                reply = self._page(self._resume())
            case said.Language():
                self._screen.wording = Wording(message.to)
                writes = self._writes(message.tab)
                reply = self._page(self._card_id) if writes else self._page_elsewhere()
            case _ if not self._writes(message.tab):
                reply = {"kind": "elsewhere", "text": self._wording.say("elsewhere")}
            case said.Ping() | said.Go() | said.Filter() | said.LockMessage() | said.Consent():
                reply = self._on_walk(message)
            case said.DraftMessage() | said.Submit() | said.Skip() | said.FileRuling():
                reply = self._on_card(message)
        return reply

    def _on_walk(
        self, message: said.Ping | said.Go | said.Filter | said.LockMessage | said.Consent
    ) -> Reply:
        match message:
            case said.Ping():
                return self._ping()
            case said.Go():
                return self._go(message.to)
            case said.Filter():
                return self._choose_filter(message.to)
            case said.LockMessage():
                record = self._walk.lock(click_id=message.click_id)
                return self._recorded(record, lambda: "")
            case said.Consent():
                record = self._walk.consent(click_id=message.click_id)
                return self._recorded(record, self._resume)

    def _hello(self, message: said.Hello) -> Reply:
        if message.language:
            self._screen.wording = Wording(message.language)
        if not self._mark.claim(message.tab):
            return self._page_elsewhere()
        self._tab = message.tab
        if not self._walk.locked:
            self._walk.ledger.recover()
            self._walk.start(len(self._rulings.all()))
            if message.pending is not None:
                self._keep_pending(message.pending)
        return self._page(self._resume())

    def _keep_pending(self, pending: said.Pending) -> None:
        """Take in what this rater's tab could not save, if the card is still as it was."""
        walk = self._walk
        if pending.whose != f"{walk.study.study}/{walk.pass_.pass_}/{walk.rater}":
            return
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
            return self._repeated(message) or {
                **self._refused(self._wording.say("stale")), "view": self._view(self._card_id),
            }  # fmt: skip
        if self._walk.locked and not isinstance(message, said.FileRuling):
            return self._refused(self._wording.say("locked_refusal"))
        match message:
            case said.DraftMessage():
                return self._draft(message)
            case said.Submit():
                return self._submit(message)
            case said.Skip():
                return self._skip(message)
            case said.FileRuling():
                return self._file_ruling(message)

    def _repeated(
        self, message: said.DraftMessage | said.Submit | said.Skip | said.FileRuling
    ) -> Reply | None:
        """Answer a click whose acknowledgement got lost: it is on disk, say so again."""
        if isinstance(message, said.DraftMessage):
            return None
        filed = isinstance(message, said.FileRuling)
        record = (self._rulings if filed else self._walk.ledger).find(message.click_id)
        if record is None:
            return None
        return self._recorded(record, lambda: self._card_id)

    def _recorded(self, record: Record | Ruling, where_to: Callable[[], str]) -> Reply:
        """Acknowledge what is on disk, whatever keeps the next card from being shown."""
        try:
            view = self._view(where_to())
        except Exception as error:
            if isinstance(error, ReviewkitError):
                text = str(error)
            else:
                log.exception("reviewkit: a card could not be shown")
                text = ""
            view = self._screen.frame(self._filter) | {
                "state": "nobody",
                "message": f"{self._wording.say('recorded_not_shown')} {text}".rstrip(),
            }
        return {"kind": "recorded", "saved_at": record.time, "view": view}

    def _draft(self, message: said.DraftMessage) -> Reply:
        card, form = self._walk.card(self._card_id), self._walk.form(self._card_id)
        draft = self._walk.save_draft(
            self._card_id, card.digest, message.answers, message.note, message.escalated
        )
        outcome = derive_outcome(
            form, card.facts, message.answers, note=message.note, escalated=message.escalated
        )
        if not outcome.faults and (upcoming := self._next_open()):
            self._walk.card(upcoming)  # its texts are compared now, so that saving does not wait
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
        return self._recorded(record, self._next_open)

    def _skip(self, message: said.Skip) -> Reply:
        if self._walk.decision(self._card_id) is not None:
            return self._page(self._step(1))
        record = self._walk.skip(self._card_id, click_id=message.click_id, reason=message.reason)
        return self._recorded(record, self._next_open)

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
        return {**self._recorded(ruling, lambda: self._card_id), "ruling": ruling.number}

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
        view = self._screen.frame(self._filter)
        view |= {"state": "elsewhere", "message": self._wording.say("elsewhere")}
        return {"kind": "page", "view": view}

    def _view(self, card_id: str) -> View:
        """Put a card on the screen, under a fresh token; an empty id shows that all is done."""
        pause = self._pause(card_id)
        if pause:
            card_id = ""
        if card_id:
            self._walk.look_again(card_id)
            self._shown_digest = self._walk.card(card_id).digest
        self._card_id = card_id
        self._token = secrets.token_hex(12)
        self._mark.stay_at(card_id)
        minutes = self._sitting.act(monotonic())
        return self._screen.render(card_id, self._token, self._filter, pause, minutes)

    def _pause(self, card_id: str) -> Pause | None:
        """Return why no card is shown now: the warning is unread, or it is enough for today."""
        walk = self._walk
        if walk.warning_due:
            return "warning"
        waiting = ("open", "changed", "skipped")
        if card_id and not walk.locked and walk.statuses()[card_id] in waiting:
            return "enough" if walk.limit_reached() else None
        return None

    # refusals

    def _refusal(self, error: Exception) -> Reply:
        wording = self._wording
        if isinstance(error, NotReady):
            form = self._walk.form(self._card_id)
            return self._not_ready(
                error.outcome, render_outcome(form, error.outcome, False, wording)
            )
        if isinstance(error, CardChanged):
            return {
                **self._refused(wording.say("card_changed")), "view": self._view(self._card_id),
            }  # fmt: skip
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False, include_input=False)[0]
            return self._refused(wording.say("not_taken", why=str(first["msg"])))
        return self._refused(str(error))

    def _refused(self, text: str) -> Reply:
        return {"kind": "refused", "problems": [], "text": text}

    def _not_ready(self, outcome: Outcome, shown: View) -> Reply:
        problems = shown["problems"]
        text = problems[0]["text"] if problems else ""
        return {
            "kind": "refused", "problems": problems, "text": text,
            "missing": list(outcome.unanswered),
        }  # fmt: skip
