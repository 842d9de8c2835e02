"""Drafts: what a rater has answered but not submitted, per card, safe from refresh and crash.

One small value per rater, replaced whole on every change. One that cannot be read is set aside and
reported: a draft never stops a rater.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reviewkit.decisions.disk import LOCK_SECONDS, CannotWrite
from reviewkit.decisions.lines import LINE_LIMIT, Digest, RecordRefused, faults_of, utc_now
from reviewkit.decisions.stores.protocols import Kept
from reviewkit.problems import Problem
from reviewkit.questions.answers import AnswerValue

DRAFTS_VERSION = 1


class Draft(BaseModel):
    """The answers so far on one card, and the content and form they were given on."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    card_id: str
    card_digest: Digest
    form_digest: Digest
    answers: dict[str, AnswerValue] = {}
    note: str = ""
    escalated: bool = False
    unsure: bool = False
    defects: dict[str, str] = {}
    """The families that were chosen; of a check without one the suggested family is shown."""
    seq: Annotated[int, Field(ge=0)] = 0
    """The caller's count of changes; kept as given, the last one saved wins."""
    saved_at: str


class Drafts:
    """The drafts of one rater in one pass: several cards, the last one saved comes last.

    Args:
        name: where they are kept, ``<rater>.draft.json`` beside the ledger.
        kept: the values of the project folder, or of the database that servers share.
        lock_seconds: how long to wait for another tab.
        clock: gives the time of a draft.
    """

    def __init__(
        self,
        name: str,
        kept: Kept,
        *,
        lock_seconds: float = LOCK_SECONDS,
        clock: Callable[[], str] = utc_now,
    ) -> None:
        self.name = name
        self.kept = kept
        self._lock_seconds = lock_seconds
        self._clock = clock
        self._threads = threading.RLock()
        self._set_aside: list[Problem] = []

    @property
    def set_aside(self) -> tuple[Problem, ...]:
        """What this object could not read and put out of the way."""
        return tuple(self._set_aside)

    def save(
        self,
        card_id: str,
        *,
        card_digest: str,
        form_digest: str,
        answers: Mapping[str, AnswerValue],
        note: str,
        escalated: bool,
        unsure: bool = False,
        defects: Mapping[str, str] | None = None,
        seq: int = 0,
    ) -> Draft:
        """Keep the draft of a card and return it with its time; the file is whole at any moment.

        Raises CannotWrite when it is not kept, RecordRefused when it is not a draft.
        """
        try:
            draft = Draft(
                card_id=_mended(card_id),
                card_digest=card_digest,
                form_digest=form_digest,
                answers={_mended(key): _mended_answer(each) for key, each in answers.items()},
                note=_mended(note),
                escalated=escalated,
                unsure=unsure,
                defects={_mended(key): _mended(each) for key, each in (defects or {}).items()},
                seq=seq,
                saved_at=self._clock(),
            )
        except ValidationError as error:
            raise RecordRefused(f"the draft: {faults_of(error)}", "reload the page") from error
        if len(draft.model_dump_json()) > LINE_LIMIT:
            raise RecordRefused("the draft is longer than a record may be", "shorten it")
        with self._threads, self.kept.exclusive(self.name, self._lock_seconds):
            drafts = self._read_or_set_aside()
            drafts.pop(draft.card_id, None)
            self._replace({**drafts, draft.card_id: draft})
        return draft

    def load(self, card_id: str) -> Draft | None:
        """Return the draft of a card, or None."""
        return self._all().get(card_id)

    def latest(self) -> Draft | None:
        """Return the draft that was saved last: the card to come back to."""
        return next(reversed(self._all().values()), None)

    def all(self) -> tuple[Draft, ...]:
        """Return every draft, the one saved last at the end."""
        return tuple(self._all().values())

    def clear(self, card_id: str) -> None:
        """Drop the draft of a card, once its decision is recorded."""
        if card_id not in self._all():
            return
        with self._threads, self.kept.exclusive(self.name, self._lock_seconds):
            drafts = self._read_or_set_aside()
            if drafts.pop(card_id, None) is not None:
                self._replace(drafts)

    def _all(self) -> dict[str, Draft]:
        with self._threads:
            drafts, fault = self._read()
            if fault:
                # In a folder that lets nobody write, the rater still gets the drafts that are good.
                with suppress(CannotWrite), self.kept.exclusive(self.name, self._lock_seconds):
                    return self._read_or_set_aside()
            return drafts

    def _read(self) -> tuple[dict[str, Draft], str]:
        """Return the drafts that can be read, and what is wrong with the others."""
        try:
            raw = self.kept.read(self.name)
        except OSError as error:
            return {}, (error.strerror or str(error)).lower()
        if raw is None:
            return {}, ""
        try:
            value: object = json.loads(raw.decode("utf-8"))
        except (ValueError, RecursionError):
            return {}, "it is not JSON"
        entries: object = value.get("drafts") if isinstance(value, dict) else None
        version: object = value.get("version") if isinstance(value, dict) else None
        if version != DRAFTS_VERSION or not isinstance(entries, list):
            return {}, f"it is not a file of drafts of version {DRAFTS_VERSION}"
        drafts: dict[str, Draft] = {}
        fault = ""
        for entry in entries:
            try:
                draft = Draft.model_validate(entry)
            except ValidationError as error:
                fault = faults_of(error)
            else:
                drafts[draft.card_id] = draft
        return drafts, fault

    def _read_or_set_aside(self) -> dict[str, Draft]:
        drafts, fault = self._read()
        if fault:
            aside = self.kept.set_aside(self.name)
            self._set_aside.append(
                Problem(
                    self.name,
                    f"the drafts could not be read ({fault}) and are kept in {aside}",
                    "see whether the last answers must be given again",
                )
            )
            self._replace(drafts)
        return drafts

    def _replace(self, drafts: Mapping[str, Draft]) -> None:
        if not drafts:
            # as good as a file without any, and cheaper, which every saved judgement waits for
            self.kept.remove(self.name)
            return
        value = {
            "version": DRAFTS_VERSION,
            "drafts": [each.model_dump() for each in drafts.values()],
        }
        self.kept.write(self.name, json.dumps(value, ensure_ascii=False).encode("utf-8"))


def _mended_answer(value: AnswerValue) -> AnswerValue:
    return _mended(value) if isinstance(value, str) else value


def _mended(text: str) -> str:
    """Return ``text`` with halves of characters replaced: typing must never fail to be kept."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
