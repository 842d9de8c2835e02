"""What people said: one record of the ledger, and what must hold of it wherever it is written.

The invariants are checked when a record is made and again when it is read, so that an ``accepted``
beside a failed check, or a non-acceptance without a note, cannot exist on disk through any door.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from reviewkit.decisions.lines import FIRST, ChainLine, ClickId, Digest, Upgrader, as_it_is
from reviewkit.questions.answers import AnswerValue
from reviewkit.questions.verdict import Verdict, is_blank

__all__ = [
    "CLICK_ID", "FIRST", "JUDGEMENTS", "LABELS", "NOTE_LIMIT", "SCHEMA_VERSION", "UPGRADERS",
    "Digest", "Entry", "Kind", "Origin", "Record", "Word",
]  # fmt: skip

SCHEMA_VERSION = 3
"""The schema version of the records that are written.

2 added codings: ``derived``, ``unsure``, answers that are codes or spans, and four kinds.
3 added ``defects``, the family of each failed check.
"""

UPGRADERS: dict[int, Upgrader] = {1: as_it_is, 2: as_it_is, 3: as_it_is}
"""Every schema version ever written, and how its fields become those of the current one."""

NOTE_LIMIT = 20_000
"""The longest note in characters; a longer one is refused at the door with a plain sentence."""

Kind = Literal[
    "start", "decision", "skip", "consent", "question", "lock", "reopen", "unblinding",
    "second_reading", "first_label", "adjudication", "exclusion", "withdrawal", "late_note",
    "answer", "practice",
]  # fmt: skip
Origin = Literal["lab", "voila", "cli", "import"]
Word = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
"""A study, round, pass or rater name: it becomes a file name, so it has no separator or space."""

FamilyId = Annotated[
    str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=64)
]
"""A family of defects. A family that the project no longer has stays readable."""

JUDGEMENTS = ("decision", "skip")
"""Kinds that a locked pass refuses."""

NEED_A_REASON = ("reopen", "unblinding", "exclusion", "question", "answer")
"""Kinds whose ``reason`` holds what they are about."""

LABELS = ("decision", "first_label", "adjudication")
"""Kinds that carry answers."""

CLICK_ID = re.compile(r"^[A-Za-z0-9-]{8,64}\Z")
"""What a click id looks like, for doors that look before they build an entry."""

_DIGEST = re.compile(r"^[0-9a-f]{64}\Z")


class Entry(BaseModel):
    """What a door hands to the ledger: everything but place in the chain and time."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        ser_json_inf_nan="constants",
        defer_build=True,
    )

    kind: Kind
    click_id: ClickId
    """Made anew for every intent to submit: the same click twice is one record."""
    study: Word
    round: Word
    pass_: Annotated[Word, Field(alias="pass")]
    rater: Word
    origin: Origin
    card_id: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    card_digest: Digest | None = None
    form: str | None = None
    form_kind: Literal["checklist", "codebook"] = "checklist"
    form_version: str | None = None
    form_digest: Digest | None = None
    asked: tuple[str, ...] = ()
    """The checks or fields that applied, in order; a verdict answers exactly these."""
    answers: dict[str, AnswerValue] = {}
    note: Annotated[str, StringConstraints(max_length=NOTE_LIMIT)] = ""
    escalated: bool = False
    verdict: Verdict | None = None
    rule_version: str | None = None
    defects: dict[str, FamilyId] = {}
    """Failed check -> its family of defects; it bears on no verdict and on no agreement."""
    derived: dict[str, str] = {}
    """The derived values of a coding."""
    unsure: bool = False
    """Whether the rater marked the card as one to look at again; it changes no label."""
    seconds: Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)] = 0.0
    """Time the card was in view and in use."""
    reason: Annotated[str, StringConstraints(max_length=NOTE_LIMIT)] = ""
    """Why, for acts that need one: skip (optional), reopen, unblinding, exclusion."""
    details: dict[str, Any] = {}
    """What one kind alone carries, e.g. the digest of a lock or the pins of a start."""

    @model_validator(mode="after")
    def _says_one_thing(self) -> Entry:
        if self.kind in LABELS:
            self._must_name_what_it_is_of()
            if self.form_kind == "codebook":
                self._must_be_a_coding()
            else:
                self._must_be_a_verdict()
            return self
        if self.verdict is not None or self.answers or self.asked or self.escalated:
            raise ValueError(f"a record of kind {self.kind} carries no answers and no verdict")
        if self.derived or self.unsure:
            raise ValueError(f"a record of kind {self.kind} carries no derived value and no doubt")
        if self.defects:
            raise ValueError(f"a record of kind {self.kind} carries no defect")
        if self.kind in NEED_A_REASON and is_blank(self.reason):
            raise ValueError(f"a record of kind {self.kind} needs a reason")
        if self.kind in ("skip", "exclusion", "second_reading") and self.card_id is None:
            raise ValueError(f"a {self.kind.replace('_', ' ')} names its card")
        if self.kind == "lock" and not _DIGEST.match(str(self.details.get("digest"))):
            raise ValueError("a lock carries the digest of the decisions it seals")
        return self

    def _must_name_what_it_is_of(self) -> None:
        named = (self.card_id, self.card_digest, self.form, self.form_version, self.form_digest)
        if None in named or self.rule_version is None:
            raise ValueError("a decision names its card, its form and the rule, with digests")
        if not self.asked or len(set(self.asked)) != len(self.asked):
            raise ValueError("a decision was asked at least one check, and each once")

    def _must_be_a_coding(self) -> None:
        if not set(self.answers) <= set(self.asked):
            raise ValueError("a coding answers no field that was not asked")
        if self.verdict is not None or self.escalated:
            raise ValueError("a coding has no verdict")
        if self.defects:
            raise ValueError("a coding has no defects")

    def _must_be_a_verdict(self) -> None:
        if set(self.answers) != set(self.asked):
            raise ValueError("a decision answers every asked check and no other")
        if not set(map(str, self.answers.values())) <= {"yes", "no"} or self.derived:
            raise ValueError("a verdict is derived from yes and no alone")
        failed = [check_id for check_id in self.asked if self.answers[check_id] == "no"]
        if self.verdict is None or (self.verdict == "accepted") != (not failed):
            raise ValueError(f"verdict {self.verdict} contradicts {len(failed)} failed checks")
        if self.escalated and self.verdict != "rejected":
            raise ValueError("an escalated decision is a rejected one")
        if failed and is_blank(self.note):
            raise ValueError("a decision with a failed check needs a note")
        if not set(self.defects) <= set(failed):
            raise ValueError("a defect is of a check that failed")


class Record(Entry, ChainLine):
    """One line of a ledger: an entry with its place in the chain."""

    MEASURED: ClassVar[frozenset[str]] = frozenset({"seconds"})
