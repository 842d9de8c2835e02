"""The coding rule: what a set of answers to a codebook means. Pure, and used by every door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviewkit.questions.answers import REJECTED, AnswerValue, Span, codes_in
from reviewkit.questions.codebooks import Codebook, CodeField, Derived

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Coding:
    """What the answers to a codebook come to, before notes are looked at."""

    asked: tuple[str, ...]
    answers: dict[str, AnswerValue]
    """The answers as they are recorded: codes in the form's order, spans in the text's."""
    unanswered: tuple[str, ...]
    faults: tuple[tuple[str, str], ...]
    """(code, field id): ``unknown_check``, ``not_asked``, ``bad_answer``, ``bad_span`` or
    ``pending``."""
    note_for: tuple[str, ...]
    """The fields whose answers need a note."""


def code_answers(
    codebook: Codebook,
    facts: Mapping[str, str],
    answers: Mapping[str, AnswerValue],
    texts: Mapping[str, str],
    found: Mapping[str, tuple[Place, ...]],
) -> Coding:
    """Return which fields are asked, what is answered, and what is wrong with it.

    A spans field and an optional ``many`` field without an answer count as answered with nothing.
    """
    taken: dict[str, AnswerValue] = {}
    asked: list[str] = []
    unanswered: list[str] = []
    note_for: list[str] = []
    faults = [("unknown_check", name) for name in answers if not _has(codebook, name)]
    for field in codebook.fields:
        value = answers.get(field.id) or None  # an empty answer is none
        if not _applies(codebook, field, facts, taken):
            faults += [("not_asked", field.id)] if value is not None else []
            continue
        asked.append(field.id)
        if value is None and (field.type == "spans" or _may_be_empty(field)):
            value = ()
        if value is None:
            unanswered += [field.id] if field.optional == "no" else []
            continue
        fault = _fault(field, value, texts.get(field.of))
        if fault:
            faults.append((fault, field.id))
            continue
        taken[field.id] = _in_order(field, value)
        faults += _pending(field, taken[field.id], found.get(field.id, ()))
        if set(codes_in(value)) & set(field.note_when):
            note_for.append(field.id)
    return Coding(tuple(asked), taken, tuple(unanswered), tuple(faults), tuple(note_for))


def contradiction(
    codebook: Codebook, asked: Sequence[str], answers: Mapping[str, AnswerValue]
) -> str:
    """Return what of a recorded coding the codebook does not admit, or an empty text.

    The facts and texts of the card are not at hand: what hangs on them is believed.
    """
    strange = [name for name in asked if not _has(codebook, name)]
    if strange:
        return f"the form {codebook.name} has no field {strange[0]}"
    fields = [field for field in codebook.fields if field.id in asked]
    if [field.id for field in fields] != list(asked):
        return "its fields are not in the order of the form"
    for field in fields:
        value = answers.get(field.id)
        unknown = set(codes_in(value)) - set(field.code_ids)
        if unknown:
            return f"the field {field.id} has no code {min(unknown)}"
        hangs_on = {each: v for each, v in field.applies_when.items() if _has(codebook, each)}
        if not all(set(codes_in(answers.get(each))) & set(v) for each, v in hangs_on.items()):
            return f"the field {field.id} is not asked after these answers"
        if value is None or (field.type == "many" and not value):
            if field.optional == "no":
                return f"the field {field.id} has no answer"
        elif _fault(field, value, None):
            return f"the answer to {field.id} is none that a coder can give"
    return ""


def derive_values(codebook: Codebook, answers: Mapping[str, AnswerValue]) -> dict[str, str]:
    """Return every derived value; one whose sources have no answer is the empty text."""
    values: dict[str, str] = {}
    for derived in codebook.derived:
        values[derived.id] = _derive(derived, answers, values)
    return values


def _derive(
    derived: Derived, answers: Mapping[str, AnswerValue], earlier: Mapping[str, str]
) -> str:
    def held(name: str) -> tuple[str, ...]:
        value = earlier[name] if name in earlier else answers.get(name)
        return codes_in(value or None)

    def yes(truth: bool) -> str:
        return "yes" if truth else "no"

    match derived.op:
        case "map" | "collapse":
            parts = [held(name) for name in derived.of]
            if not all(parts):
                return ""
            joined = " ".join(" ".join(part) for part in parts)
            return derived.to.get(joined, derived.otherwise)
        case "any":
            return yes(any(set(held(name)) & set(v) for name, v in derived.when.items()))
        case "all":
            return yes(all(set(held(name)) & set(v) for name, v in derived.when.items()))
        case "count":
            value = answers.get(derived.of[0])
            codes = codes_in(value)
            if derived.unless and not isinstance(value, str | None):
                spans = [each for each in value if isinstance(each, Span)]
                codes = codes_in(tuple(s for s in spans if not _has_flag(s, derived.unless)))
            return str(sum(1 for code in codes if not derived.codes or code in derived.codes))
        case "is_empty":
            return yes(not any(any(held(name)) for name in derived.of))


def _has_flag(span: Span, flags: tuple[str, ...]) -> bool:
    return any(span.flags.get(each) == "yes" for each in flags)


def _has(codebook: Codebook, name: str) -> bool:
    return any(field.id == name for field in codebook.fields)


def _applies(
    codebook: Codebook,
    field: CodeField,
    facts: Mapping[str, str],
    taken: Mapping[str, AnswerValue],
) -> bool:
    def holds(name: str, values: tuple[str, ...]) -> bool:
        # a fact of the same name never stands in for an answer that is still to be given
        held = codes_in(taken.get(name)) if _has(codebook, name) else (facts.get(name, ""),)
        return bool(set(held) & set(values))

    return all(holds(name, values) for name, values in field.applies_when.items())


def _may_be_empty(field: CodeField) -> bool:
    return field.type == "many" and field.optional == "yes"


def _fault(field: CodeField, value: AnswerValue, text: str | None) -> str:
    if field.type in ("choice", "yes_no"):
        return "" if isinstance(value, str) and value in field.code_ids else "bad_answer"
    if isinstance(value, str):
        return "bad_answer"
    if field.type == "many":
        codes = [each for each in value if isinstance(each, str)]
        known = len(codes) == len(value) and set(codes) <= set(field.code_ids)
        return "" if known and len(set(codes)) == len(codes) else "bad_answer"
    spans = [each for each in value if isinstance(each, Span)]
    if len(spans) != len(value):
        return "bad_answer"
    return _spans_fault(field, sorted(spans, key=_span_order), text)


def _span_order(span: Span) -> tuple[int, int, bool]:
    return (*span.place, span.code == REJECTED)


def _spans_fault(field: CodeField, spans: list[Span], text: str | None) -> str:
    flags = {flag.id for flag in field.flags}
    # a rejected match takes no place: a longer name may be marked around it
    ends = {True: 0, False: 0}
    for span in spans:
        rejects = span.code == REJECTED and span.source == "watchlist"
        if span.code not in field.code_ids and not rejects:
            return "bad_answer"
        if not set(span.flags) <= flags or (rejects and "yes" in span.flags.values()):
            return "bad_answer"
        if span.start < ends[rejects] or (text is not None and span.end > len(text)):
            return "bad_span"
        if text is not None and not text[span.start : span.end].strip():
            return "bad_span"
        ends[rejects] = span.end
    settled = [span.place for span in spans if span.source == "watchlist"]
    if len(set(settled)) < len(settled):
        return "bad_span"  # a match is confirmed or rejected, never both
    return ""


def _in_order(field: CodeField, value: AnswerValue) -> AnswerValue:
    if isinstance(value, str):
        return value
    if field.type == "many":
        chosen = {each for each in value if isinstance(each, str)}
        return tuple(code for code in field.code_ids if code in chosen)
    spans = [each for each in value if isinstance(each, Span)]
    filled = {flag.id: "no" for flag in field.flags}
    return tuple(
        span.model_copy(
            update={
                "flags": {} if span.code == REJECTED else filled | span.flags,
                # a place of the coder's own is no find of the watchlist
                "term": span.term if span.source == "watchlist" else "",
            }
        )
        for span in sorted(spans, key=_span_order)
    )


def _pending(
    field: CodeField, value: AnswerValue, found: tuple[Place, ...]
) -> list[tuple[str, str]]:
    """Return a fault for matches that are not settled, or for a settled one that is no match."""
    if field.type != "spans" or isinstance(value, str):
        return []
    settled = {
        each.place for each in value if isinstance(each, Span) and each.source == "watchlist"
    }
    if settled - set(found):
        return [("bad_span", field.id)]
    return [("pending", field.id)] if set(found) - settled else []
