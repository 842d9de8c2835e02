"""The rule: what a set of answers means. One pure function, used by every door.

Version 1 of the rule:

* A check whose ``applies_when`` does not hold for the card is not asked and leaves the
  denominators; an answer to it is a fault.
* Anything unanswered: no verdict, nothing to record. The same holds when no check applies at all.
* Every asked check ``yes``: ``accepted``.
* Any ``no``: ``needs_fix``, or ``rejected`` when a failed check says so. A reviewer may escalate
  ``needs_fix`` to ``rejected``; nothing softens a verdict.
* Any ``no`` needs a note with at least one visible character.

A codebook has no verdict: its answers are checked and its derived values computed by ``coding``;
the answers that it names in ``note_when`` need a note.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from reviewkit.questions.answers import AnswerValue
from reviewkit.questions.codebooks import Codebook
from reviewkit.questions.coding import code_answers, derive_values
from reviewkit.questions.forms import Checklist, FactName, Form

RULE_VERSION = "1"

_DRAWN_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Hangul fillers and the empty braille cell: a letter or sign by class, a blank to the eye."""

Verdict = Literal["accepted", "needs_fix", "rejected"]
FaultCode = Literal[
    "unknown_check", "not_asked", "bad_answer", "unanswered", "note_missing", "nothing_to_escalate",
    "nothing_asked", "bad_span", "pending",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why the answers cannot be recorded; ``check_id`` is empty for the whole card.

    ``check_id`` is the field's id where the form is a codebook.
    """

    code: FaultCode
    check_id: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a set of answers means under the rule."""

    asked: tuple[str, ...]
    not_applicable: tuple[str, ...]
    unanswered: tuple[str, ...]
    failed: tuple[str, ...]
    """The checks answered ``no``; of a codebook the fields whose answer needs a note."""
    verdict: Verdict | None
    """None while anything is unanswered or an answer is at fault."""
    note_required: bool
    faults: tuple[Fault, ...]
    """Every reason against recording; empty exactly when the answers may be recorded."""
    answers: dict[str, AnswerValue] = field(default_factory=dict[str, AnswerValue])
    """The answers as they are recorded; those at fault are left out."""
    derived: dict[str, str] = field(default_factory=dict[str, str])
    """The derived values of a codebook, as far as they are known."""


def applies(applies_when: Mapping[FactName, tuple[str, ...]], facts: Mapping[str, str]) -> bool:
    """Return whether every condition holds: the fact is known and has one of the named values."""
    return all(facts.get(name) in values for name, values in applies_when.items())


def is_blank(note: str) -> bool:
    """Return whether a note has no visible character.

    White space, control and format characters are invisible, and so are marks without a letter
    and the letters that Unicode draws as blanks.
    """
    return all(unicodedata.category(char)[0] in "ZCM" or char in _DRAWN_BLANK for char in note)


def derive_outcome(
    form: Form,
    facts: Mapping[str, str],
    answers: Mapping[str, AnswerValue],
    *,
    note: str = "",
    escalated: bool = False,
    texts: Mapping[str, str] | None = None,
    found: Mapping[str, tuple[tuple[int, int], ...]] | None = None,
) -> Outcome:
    """Return what ``answers`` mean for a card with ``facts``.

    Args:
        form: A checklist or a codebook.
        facts: What ``applies_when`` may ask about.
        answers: Check or field id -> answer.
        note: The note.
        escalated: Whether the reviewer makes ``needs_fix`` a rejection; never for a codebook.
        texts: Role -> text of the card, for spans.
        found: Field id -> places of watchlist matches that must be settled.
    """
    if isinstance(form, Codebook):
        return _coded(form, facts, answers, note, escalated, texts or {}, found or {})
    if not isinstance(form, Checklist):
        raise TypeError(f"there is no rule for {type(form).__name__}")
    asked = tuple(check.id for check in form.checks if applies(check.applies_when, facts))
    not_applicable = tuple(check.id for check in form.checks if check.id not in asked)
    unanswered = tuple(check_id for check_id in asked if check_id not in answers)
    failed = tuple(check_id for check_id in asked if answers.get(check_id) == "no")

    faults = _answer_faults(answers, asked, not_applicable)
    if not asked:
        faults.append(Fault("nothing_asked"))
    faults += [Fault("unanswered", check_id) for check_id in unanswered]
    if escalated and not failed:
        faults.append(Fault("nothing_to_escalate"))
    verdict = None if faults else _verdict(form, failed, escalated)
    # A missing note withholds the recording, not the verdict that the reviewer sees coming.
    if failed and is_blank(note):
        faults.append(Fault("note_missing"))
    return Outcome(
        asked=asked,
        not_applicable=not_applicable,
        unanswered=unanswered,
        failed=failed,
        verdict=verdict,
        note_required=bool(failed),
        faults=tuple(faults),
        answers={name: answers[name] for name in asked if answers.get(name) in ("yes", "no")},
    )


def _coded(
    codebook: Codebook,
    facts: Mapping[str, str],
    answers: Mapping[str, AnswerValue],
    note: str,
    escalated: bool,
    texts: Mapping[str, str],
    found: Mapping[str, tuple[tuple[int, int], ...]],
) -> Outcome:
    coding = code_answers(codebook, facts, answers, texts, found)
    faults = [Fault(cast("FaultCode", code), name) for code, name in coding.faults]
    if not coding.asked:
        faults.append(Fault("nothing_asked"))
    faults += [Fault("unanswered", name) for name in coding.unanswered]
    if escalated:
        faults.append(Fault("nothing_to_escalate"))
    if coding.note_for and is_blank(note):
        faults.append(Fault("note_missing"))
    return Outcome(
        asked=coding.asked,
        not_applicable=tuple(f.id for f in codebook.fields if f.id not in coding.asked),
        unanswered=coding.unanswered,
        failed=coding.note_for,
        verdict=None,
        note_required=bool(coding.note_for),
        faults=tuple(faults),
        answers=coding.answers,
        derived=derive_values(codebook, coding.answers),
    )


def _answer_faults(
    answers: Mapping[str, AnswerValue], asked: tuple[str, ...], not_applicable: tuple[str, ...]
) -> list[Fault]:
    faults: list[Fault] = []
    for check_id, answer in answers.items():
        if check_id in not_applicable:
            faults.append(Fault("not_asked", check_id))
        elif check_id not in asked:
            faults.append(Fault("unknown_check", check_id))
        elif answer not in ("yes", "no"):
            faults.append(Fault("bad_answer", check_id))
    return faults


def _verdict(form: Checklist, failed: tuple[str, ...], escalated: bool) -> Verdict:
    if not failed:
        return "accepted"
    if escalated or any(form.check(check_id).on_fail == "reject" for check_id in failed):
        return "rejected"
    return "needs_fix"
