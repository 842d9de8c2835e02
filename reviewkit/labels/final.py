"""The final label of every field of every card, and the route by which it came. Pure.

A card that was adjudicated has the adjudicator's values in all its fields, derived ones included,
so that no card mixes two people's codings. A field on which both coders and the adjudicator say the
same is ``agreed`` all the same: nothing was decided there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from reviewkit.decisions.hearings import comparable
from reviewkit.decisions.records import Record
from reviewkit.digests import canonical_json
from reviewkit.labels.pseudonyms import ADJUDICATOR, pseudonyms
from reviewkit.questions.answers import AnswerValue, Span

Route = Literal["agreed", "adjudicated", "excluded", "single", "open", "missing", "not_asked"]
State = Literal["coded", "not_asked", "skipped", "missing", "excluded"]
AfterReveal = Literal["", "confirmed", "changed"]

ROUTES: dict[Route, str] = {
    "agreed": "two coders or more gave the card a code, and all of them the same",
    "adjudicated": "the adjudicator decided",
    "excluded": "the adjudicator took the card or the field out, with a reason",
    "single": "one coder had the card, and this is that code",
    "open": "the codes differ and nobody has adjudicated; there is no final label",
    "missing": "nobody gave the card a code, or one alone of its coders; there is no final label",
    "not_asked": "the field does not apply to the card",
}
STATES: dict[State, str] = {
    "coded": "the coder answered the card",
    "not_asked": "the coder answered the card, and the field did not apply",
    "skipped": "the coder skipped the card; no reason is asked",
    "missing": "the coder has the card and has not answered it",
    "excluded": "the adjudicator took it out",
}
VERDICT = "verdict"
"""The field name under which a checklist's verdict is read."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where one label comes from."""

    record: str = ""
    """The digest of the record in its ledger."""
    form: str = ""
    """The form it was given with: ``rationale@1``."""
    time: str = ""
    rule_version: str = ""


@dataclass(frozen=True, slots=True)
class Coding:
    """One person's code for one field of one card."""

    pass_: str
    rater: str
    """A pseudonym; empty when nobody has coded the card in this pass."""
    state: State
    value: str = ""
    """The answer as text, see ``as_text``; empty unless ``coded``."""
    unsure: bool = False
    note: str = ""
    source: Provenance = Provenance()


@dataclass(frozen=True, slots=True)
class FinalLabel:
    """What stands for one field of one card, and how it came to stand."""

    card_id: str
    group: str
    field: str
    value: str
    """The final code; empty when there is none, see ``route``."""
    route: Route
    codings: tuple[Coding, ...]
    """One for each pass that has the card, in the order of the passes."""
    first: Coding | None = None
    """What the adjudicator said before seeing the codings."""
    ruling: Coding | None = None
    """What the adjudicator said in the end."""
    reason: str = ""
    """Why it was excluded, or why the adjudicator changed the first label."""

    @property
    def first_label(self) -> str:
        """The adjudicator's code before the reveal; empty when there is none."""
        return self.first.value if self.first else ""

    @property
    def after_reveal(self) -> AfterReveal:
        """What the adjudicator did with the first label once the codings were seen."""
        if self.first is None or self.ruling is None or self.ruling.state == "excluded":
            return ""
        same = (self.first.state, self.first.value) == (self.ruling.state, self.ruling.value)
        return "confirmed" if same else "changed"


def as_text(value: AnswerValue | None) -> str:
    """Return an answer as one text: a code; codes joined by a space; spans as a JSON list."""
    if not value:
        return ""
    if isinstance(value, str):
        return value
    spans = [each for each in value if isinstance(each, Span)]
    if not spans:
        return " ".join(cast("tuple[str, ...]", value))
    return canonical_json([span.model_dump(mode="json") for span in spans]).decode("utf-8")


def value_of(record: Record, field: str) -> AnswerValue | None:
    """Return what a record says on a field, a derived value or the verdict; None when nothing."""
    if field in record.answers:
        return record.answers[field]
    if field in record.derived:
        return record.derived[field]
    return record.verdict if field == VERDICT else None


def final_labels(
    codings: Mapping[str, Mapping[str, Record]],
    adjudication: Iterable[Record],
    fields: Sequence[str],
    *,
    raters: Mapping[str, str] | None = None,
    groups: Mapping[str, str] | None = None,
    cards: Iterable[str] = (),
    assigned: Mapping[str, Collection[str]] | None = None,
) -> tuple[FinalLabel, ...]:
    """Return one label for every card and field: cards in order, fields in order.

    ``codings`` holds each pass's effective decision or skip by card, without raters who withdrew;
    ``adjudication`` the adjudicator's records in the order of the chain, only those still in force.
    ``fields`` may name fields, derived values, checks and ``verdict``. ``raters`` maps names to
    pseudonyms; ``assigned`` says which cards each pass has, so that a code that is not there yet is
    seen as missing. Cards that only ``cards`` names have no label at all: their route is missing.
    """
    acts = _acts_by_card(adjudication)
    names = raters or pseudonyms(
        {record.rater for by_card in codings.values() for record in by_card.values()}, study=""
    )
    has = assigned or {}
    passes = tuple(dict.fromkeys((*codings, *has)))
    known = dict.fromkeys(cards)
    for pass_ in passes:
        known |= dict.fromkeys((*has.get(pass_, ()), *codings.get(pass_, {})))
    known |= dict.fromkeys(acts)
    found: list[FinalLabel] = []
    for card_id in known:
        coded = [
            (pass_, codings.get(pass_, {}).get(card_id))
            for pass_ in passes
            if card_id in codings.get(pass_, {}) or card_id in has.get(pass_, ())
        ]
        group = (groups or {}).get(card_id, "")
        found += [
            _label(card_id, group, field, coded, acts.get(card_id), names) for field in fields
        ]
    return tuple(found)


@dataclass(slots=True)
class _Acts:
    """What the adjudicator did with one card, in the order of the chain."""

    records: list[tuple[Record, str]]
    """Each with the adjudicator's pseudonym."""

    def on(self, field: str) -> tuple[tuple[Record, str] | None, tuple[Record, str] | None]:
        """Return the last act on this field and the first label that went before it."""
        seen = first = last = None
        for act in self.records:
            record = act[0]
            if record.kind == "first_label":
                seen = act
            elif record.kind == "adjudication" or field in record.details.get("fields", (field,)):
                first, last = seen, act
        return (first, last) if last else (seen, None)


def _acts_by_card(adjudication: Iterable[Record]) -> dict[str, _Acts]:
    acts: dict[str, _Acts] = {}
    people: dict[str, str] = {}
    for record in adjudication:
        if record.card_id is None or record.kind not in (
            "first_label", "adjudication", "exclusion"
        ):  # fmt: skip
            continue
        number = len(people) + 1
        name = people.setdefault(
            record.rater, ADJUDICATOR if number == 1 else f"{ADJUDICATOR}-{number}"
        )
        acts.setdefault(record.card_id, _Acts([])).records.append((record, name))
    return acts


def _label(
    card_id: str,
    group: str,
    field: str,
    coded: Sequence[tuple[str, Record | None]],
    acts: _Acts | None,
    names: Mapping[str, str],
) -> FinalLabel:
    codings = tuple(
        _coding(record, pass_, names.get(record.rater, ""), field)
        if record is not None
        else Coding(pass_, "", "missing")
        for pass_, record in coded
    )
    first_act, last_act = acts.on(field) if acts else (None, None)
    first = first_act and _coding(first_act[0], first_act[0].pass_, first_act[1], field)
    ruling = last_act and _coding(last_act[0], last_act[0].pass_, last_act[1], field)
    # the text comes from the first coder who gave the label
    said = {
        (coding.state, _same(value_of(record, field))): coding.value
        for coding, (_, record) in reversed(list(zip(codings, coded, strict=True)))
        if record is not None and coding.state in ("coded", "not_asked")
    }
    votes = sum(coding.state in ("coded", "not_asked") for coding in codings)
    if last_act is not None and ruling is not None:
        decided = (ruling.state, _same(value_of(last_act[0], field)))
        route: Route = "agreed" if votes > 1 and list(said) == [decided] else "adjudicated"
        if ruling.state == "excluded":
            route = "excluded"
        value = ruling.value
    else:
        route = _without_ruling(votes, len(said), len(codings))
        value = next(iter(said.values())) if route in ("agreed", "single") else ""
    if route in ("agreed", "single") and all(state == "not_asked" for state, _ in said):
        route = "not_asked"
    label = FinalLabel(card_id, group, field, value, route, codings, first, ruling)
    if last_act is not None and (route == "excluded" or label.after_reveal == "changed"):
        return replace(label, reason=_reason(last_act[0]))
    return label


def _without_ruling(votes: int, different: int, coders: int) -> Route:
    if votes > 1:
        return "agreed" if different == 1 else "open"
    return "single" if votes == 1 and coders == 1 else "missing"


def _reason(record: Record) -> str:
    """Return an exclusion's code where it has one, else the words that were written."""
    code = record.details.get("code")
    return code if isinstance(code, str) and code else record.reason


def _coding(record: Record, pass_: str, rater: str, field: str) -> Coding:
    source = Provenance(
        record.digest,
        f"{record.form}@{record.form_version}" if record.form else "",
        record.time,
        record.rule_version or "",
    )
    if record.kind == "skip":
        return Coding(pass_, rater, "skipped", source=source)
    if record.kind == "exclusion":
        return Coding(pass_, rater, "excluded", note=record.reason, source=source)
    value = value_of(record, field)
    asked = value is not None or field in record.asked
    return Coding(
        pass_,
        rater,
        "coded" if asked else "not_asked",
        as_text(value),
        record.unsure,
        record.note,
        source,
    )


def _same(value: AnswerValue | None) -> bytes:
    """Return what equal labels share, in a form that a dictionary can hold."""
    return canonical_json(comparable(value))
