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

from reviewkit.decisions import CannotWrite, CardChanged, NotReady, Record
from reviewkit.desk import messages as said
from reviewkit.desk.gate import MessageRefused
from reviewkit.desk.refusals import in_words, not_ready, refused
from reviewkit.desk.route import Route
from reviewkit.desk.screen import Screen
from reviewkit.desk.view import View
from reviewkit.desk.wording import Wording
from reviewkit.problems import ReviewkitError
from reviewkit.rulings import Ruling, RulingEntry, RulingsLog
from reviewkit.study import Hearing, NoSuchCard, Sitting, Walk, WriterMark

log = logging.getLogger("reviewkit.desk")
Reply = dict[str, Any]
_STRINGS_FOR = (said.Hello, said.TakeOver, said.Language)
OnCard = (
    said.DraftMessage | said.Submit | said.Exclude | said.Question | said.Skip | said.FileRuling
)


class Session:
    """A rater's place at the desk: which card is shown, to which tab, under which token."""

    def __init__(
        self,
        walk: Walk | Hearing,
        rulings: RulingsLog,
        *,
        file_url: Callable[[str], str | None] = lambda _file: None,
    ) -> None:
        self._walk = walk
        self._rulings = rulings
        self._screen = Screen(walk, rulings, file_url)
        self._mark = WriterMark(walk.writer_name, walk.kept)
        self._route = Route(walk, self._mark)
        self._sitting = Sitting()
        self._tab = ""
        self._token = ""
        self._shown_digest = ""
        self._moved = False
        walk.drops_later = True

    @property
    def _card_id(self) -> str:
        return self._route.here

    @property
    def _wording(self) -> Wording:
        return self._screen.wording

    def receive(self, content: Any) -> Reply:
        """Answer one message and see to what comes afterwards."""
        reply = self.answer(content)
        self.afterwards()
        return reply

    def afterwards(self) -> None:
        """Drop the draft of what is recorded and remember where the person is: nobody waits."""
        self._walk.drop_decided()
        if self._moved:
            self._moved = False
            self._mark.stay_at(self._card_id)

    def answer(self, content: Any) -> Reply:
        """Answer one message of the page; a message that does not fit is refused, never raised.

        ``afterwards`` is to be called once the answer is on its way.
        """
        number = content.get("id") if isinstance(content, dict) else None
        number = number if isinstance(number, int) else 0
        try:
            message = said.read_message(content)
        except MessageRefused as error:
            return {**refused(str(error)), "re": number}
        try:
            reply: Reply = self._answer(message)
        except (ReviewkitError, ValidationError) as error:
            reply = self._refusal(error)
        except Exception:
            # the page must hear of a bug as well: silence would look like a lost connection
            log.exception("reviewkit: a message could not be answered")
            reply = refused(self._wording.say("bug"))
        if reply["kind"] == "refused" and isinstance(message, said.Hello | said.TakeOver):
            # a page that could not open has no card to say it on
            reply = {"kind": "page", "view": self._screen.failed(self._route.filter, reply["text"])}
        if "view" in reply and not isinstance(message, _STRINGS_FOR):
            # the page has them since it opened, or since it changed its language
            del reply["view"]["strings"]
            reply["view"].pop("families", None)
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
                reply = self._page(self._route.resume())
            case said.Language():
                self._screen.wording = Wording(message.to)
                writes = self._writes(message.tab)
                reply = self._page(self._card_id) if writes else self._page_elsewhere()
            case _ if not self._writes(message.tab):
                reply = {"kind": "elsewhere", "text": self._wording.say("elsewhere")}
            case (
                said.Ping() | said.Go() | said.Filter() | said.Cards() | said.LockMessage()
                | said.Consent()
            ):  # fmt: skip
                reply = self._on_walk(message)
            case (
                said.DraftMessage() | said.Submit() | said.Exclude() | said.Question()
                | said.Skip() | said.FileRuling()
            ):  # fmt: skip
                reply = self._on_card(message)
        return reply

    def _on_walk(
        self,
        message: said.Ping | said.Go | said.Filter | said.Cards | said.LockMessage | said.Consent,
    ) -> Reply:
        match message:
            case said.Ping():
                return self._ping()
            case said.Cards():
                return {"kind": "cards", "cards": self._screen.cards(self._card_id)}
            case said.Go():
                return self._page(self._route.go(message.to))
            case said.Filter():
                return self._choose_filter(message.to)
            case said.LockMessage():
                record = self._walk.lock(click_id=message.click_id)
                return self._recorded(record, lambda: "")
            case said.Consent():
                record = self._walk.consent(click_id=message.click_id)
                return self._recorded(record, self._route.resume)

    def _hello(self, message: said.Hello) -> Reply:
        if message.language:
            self._screen.wording = Wording(message.language)
        if not self._mark.claim(message.tab):
            return self._page_elsewhere()
        # on a slow line a page says hello again before it has heard the answer
        again = message.tab == self._tab
        self._tab = message.tab
        if not self._walk.locked:
            self._walk.ledger.recover()
            self._walk.start(len(self._rulings.all()))
            if message.pending is not None:
                self._keep_pending(message.pending)
        return {"kind": "page", "view": self._view(self._route.resume(), again=again)}

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
                pending.escalated, pending.unsure, defects=pending.defects,
            )  # fmt: skip
            self._mark.stay_at(pending.card_id)

    def _ping(self) -> Reply:
        self._mark.touch()
        if self._card_id and self._walk.look_again(self._card_id):
            return self._page(self._card_id)
        return {"kind": "pong"}

    def _choose_filter(self, code: str) -> Reply:
        if code not in self._screen.filters:
            raise NoSuchCard(f"there is no filter {code!r}; choose one from the list")
        self._route.filter = code
        under = self._screen.under(code)
        if self._card_id in under:
            return self._page(self._card_id)
        return self._page(next(iter(under), ""))

    def _on_card(self, message: OnCard) -> Reply:
        if message.token != self._token:
            return self._repeated(message) or {
                **refused(self._wording.say("stale")),
                "view": self._view(self._card_id, again=True),
            }  # fmt: skip
        if self._walk.locked and not isinstance(message, said.FileRuling):
            code = "withdrawn_refusal" if self._walk.withdrawn else "locked_refusal"
            return refused(self._wording.say(code))
        match message:
            case said.DraftMessage():
                return self._draft(message)
            case said.Submit():
                return self._submit(message)
            case said.Skip():
                return self._skip(message)
            case said.Exclude():
                return self._exclude(message)
            case said.Question():
                return self._ask_lead(message)
            case said.FileRuling():
                return self._file_ruling(message)

    def _repeated(self, message: OnCard) -> Reply | None:
        """Answer a click whose acknowledgement got lost: it is on disk, say so again."""
        if isinstance(message, said.DraftMessage):
            return None
        filed = isinstance(message, said.FileRuling)
        record = (self._rulings if filed else self._walk.ledger).find(message.click_id)
        if record is None:
            return None
        return self._recorded(record, lambda: self._card_id, again=True)

    def _recorded(
        self, record: Record | Ruling, where_to: Callable[[], str], *, again: bool = False
    ) -> Reply:
        """Acknowledge what is on disk, whatever keeps the next card from being shown."""
        try:
            view = self._view(where_to(), again=again)
        except Exception as error:
            if isinstance(error, ReviewkitError):
                text = str(error)
            else:
                log.exception("reviewkit: a card could not be shown")
                text = ""
            text = f"{self._wording.say('recorded_not_shown')} {text}".rstrip()
            view = self._screen.failed(self._route.filter, text)
        return {"kind": "recorded", "saved_at": record.time, "view": view}

    def _draft(self, message: said.DraftMessage) -> Reply:
        card = self._walk.card(self._card_id)
        outcome = self._walk.outcome(
            self._card_id, message.answers, message.note, escalated=message.escalated
        )
        told = {
            "token": self._token,
            "outcome": self._screen.outcome(self._card_id, outcome, escalated=message.escalated),
        }
        try:
            draft = self._walk.save_draft(
                self._card_id, card.digest, message.answers, message.note, message.escalated,
                message.unsure, defects=message.defects,
            )  # fmt: skip
        except CannotWrite as error:
            # The page saves by what the answers come to, and there may be room again by then.
            return {**refused(str(error)), **told}
        if not outcome.faults and (upcoming := self._route.next_open()):
            self._walk.card(upcoming)  # its texts are compared now, so that saving does not wait
        return {"kind": "outcome", "saved_at": draft.saved_at, **told}

    def _submit(self, message: said.Submit) -> Reply:
        walk = self._walk
        if isinstance(walk, Hearing):
            return self._settle(walk, message)
        if self._route.in_practice:
            record = walk.try_out(
                self._card_id, message.answers, message.note, click_id=message.click_id
            )
            return self._recorded(record, lambda: self._card_id)
        outcome = walk.outcome(
            self._card_id, message.answers, message.note, escalated=message.escalated
        )
        record = walk.submit(
            self._card_id,
            self._shown_digest,
            message.answers,
            message.note,
            escalated=message.escalated,
            unsure=message.unsure,
            seconds=message.seconds,
            click_id=message.click_id,
            # the page shows what a failed check suggests; what it shows is what is recorded
            defects=walk.defects(self._card_id, outcome, message.defects),
        )
        return self._recorded(record, self._route.next_open)

    def _skip(self, message: said.Skip) -> Reply:
        if self._route.in_practice:
            return refused(self._wording.say("practice_not_skipped"))
        changed = self._walk.statuses().get(self._card_id) == "changed"
        if self._walk.decision(self._card_id) is not None and not changed:
            return self._page(self._route.step(1))
        record = self._walk.skip(self._card_id, click_id=message.click_id, reason=message.reason)
        return self._recorded(record, self._route.next_open)

    def _settle(self, hearing: Hearing, message: said.Submit) -> Reply:
        """Record an adjudicator's first label, which reveals the codings, or the final one."""
        shown = self._card_id
        record = hearing.submit(
            shown,
            self._shown_digest,
            message.answers,
            message.note,
            escalated=False,
            unsure=message.unsure,
            seconds=message.seconds,
            click_id=message.click_id,
            reason=message.reason,
        )
        first = record.kind == "first_label"
        return self._recorded(record, (lambda: shown) if first else self._route.next_open)

    def _exclude(self, message: said.Exclude) -> Reply:
        if not isinstance(self._walk, Hearing):
            return refused(self._wording.say("only_adjudicator"))
        record = self._walk.exclude(
            self._card_id, message.code, message.reason,
            click_id=message.click_id, seconds=message.seconds,
        )  # fmt: skip
        return self._recorded(record, self._route.next_open)

    def _ask_lead(self, message: said.Question) -> Reply:
        if isinstance(self._walk, Hearing):
            return refused(self._wording.say("only_raters_ask"))
        record = self._walk.ask_lead(self._card_id, message.text, click_id=message.click_id)
        return self._recorded(record, lambda: self._card_id, again=True)

    def _file_ruling(self, message: said.FileRuling) -> Reply:
        form = self._walk.form(self._card_id)
        known = form.parts
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
        # the card stays as it is: a draft that is under way meanwhile still counts
        recorded = self._recorded(ruling, lambda: self._card_id, again=True)
        return {**recorded, "ruling": ruling.number}

    def _writes(self, tab: str) -> bool:
        return tab == self._tab and self._mark.holds()

    # what to show

    def _page(self, card_id: str) -> Reply:
        return {"kind": "page", "view": self._view(card_id)}

    def _page_elsewhere(self) -> Reply:
        view = self._screen.frame(self._route.filter)
        view |= {"state": "elsewhere", "message": self._wording.say("elsewhere")}
        return {"kind": "page", "view": view}

    def _view(self, card_id: str, *, again: bool = False) -> View:
        """Put a card on the screen, under a fresh token; an empty id shows that all is done.

        When the page is only told ``again`` what it shows, what it says meanwhile still counts.
        """
        shown = self._card_id, self._shown_digest
        pause = self._route.pause(card_id)
        if pause:
            card_id = ""
        if card_id:
            self._walk.look_again(card_id)
            self._shown_digest = self._walk.card(card_id).digest
        self._route.here = card_id
        if not (again and card_id and shown == (card_id, self._shown_digest)):
            self._token = secrets.token_hex(12)
        self._moved = True
        minutes = self._sitting.act(monotonic())
        return self._screen.render(card_id, self._token, self._route.filter, pause, minutes)

    def _refusal(self, error: ReviewkitError | ValidationError) -> Reply:
        if isinstance(error, NotReady):
            shown = self._screen.outcome(self._card_id, error.outcome)
            return not_ready(error.outcome, shown["problems"])
        reply = refused(in_words(error, self._walk, self._card_id, self._wording))
        if isinstance(error, CardChanged):
            reply["view"] = self._view(self._card_id)
        return reply
