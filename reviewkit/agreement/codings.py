"""Two passes of codings side by side: each field, each derived value, each marked place.

A figure counts only cards that both passes coded with the same content and the same edition of the
codebook. A code that abstains is a category of its own field; in a collapse it belongs to no side,
so the card leaves that denominator, and the report says how many did and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reviewkit.agreement.coding_report import (
    CodingComparison,
    CodingReport,
    Kind,
    Names,
    TermAgreement,
)
from reviewkit.agreement.coefficients import (
    Figure,
    Table,
    cohen_kappa,
    gwet_ac1,
    observed_agreement,
)
from reviewkit.agreement.report import LeftOut
from reviewkit.questions.answers import REJECTED, AnswerValue, Span

if TYPE_CHECKING:
    # For the checker only: pydantic's models take longer to load than all of this package.
    from reviewkit.decisions.records import Record
    from reviewkit.questions.codebooks import Codebook, CodeField, Derived

SET_KAPPA = "an answer of several codes or places has no fixed list of categories"
OWN_TERM = "(a place of the coders' own)"


@dataclass(frozen=True, slots=True)
class _Pair:
    """What the two passes hold on one card."""

    card_id: str
    first: Record | None
    second: Record | None
    reason: str
    """Why nothing on the card is compared; empty when something may be."""

    @property
    def sides(self) -> tuple[Record | None, Record | None]:
        return self.first, self.second


def compare_codings(
    first: Mapping[str, Record],
    second: Mapping[str, Record],
    codebook: Codebook,
    *,
    names: Names = ("first", "second"),
    cards: Iterable[str] | None = None,
    notices: Iterable[str] = (),
) -> CodingReport:
    """Return how far two passes agree, from the effective record of each on every card.

    Args:
        first: card id -> effective record (a coding, or a skip).
        second: the same for the other pass.
        codebook: the codebook they coded with.
        names: what the passes are called in the report.
        cards: the cards that both passes were to code; every card of either when not given.
        notices: sentences to stand above the figures.
    """
    ids = {*first, *second} if cards is None else set(cards)
    pairs = [_pair(each, first.get(each), second.get(each), names) for each in sorted(ids)]
    comparisons: list[CodingComparison] = []
    for each in codebook.fields:
        comparisons += _compare_field(each, pairs, names)
    for derived in codebook.derived:
        comparisons.append(_compare_derived(derived, codebook, pairs, names))
    return CodingReport(names, codebook.name, tuple(comparisons), tuple(notices))


def _pair(card_id: str, first: Record | None, second: Record | None, names: Names) -> _Pair:
    states = [_state(record) for record in (first, second)]
    reason = _said(states, names)
    if not reason and first is not None and second is not None:
        if first.card_digest != second.card_digest:
            reason = "the card's content changed between the passes (card digests differ)"
        elif first.form_digest != second.form_digest:
            reason = "coded with different editions of the codebook (form digests differ)"
    return _Pair(card_id, first, second, reason)


def _state(record: Record | None) -> str:
    if record is None:
        return "not coded"
    return "skipped" if record.kind == "skip" else ""


def _said(states: Iterable[str], names: Names) -> str:
    """Return what keeps a unit from being compared: ``skipped in first``, ``... in both``."""
    one, two = states
    if one and one == two:
        return f"{one} in both"
    said = zip(names, (one, two), strict=True)
    return ", ".join(f"{state} in {name}" for name, state in said if state)


def _concerns(pair: _Pair, field_id: str) -> bool:
    """Return whether the field may have been asked on the card at all; no field, no question."""
    asked = [record.asked for record in pair.sides if record is not None and record.asked]
    return not field_id or not asked or any(field_id in each for each in asked)


@dataclass(slots=True)
class _Units:
    """What is compared, and what is left out, gathered card by card."""

    values: list[tuple[str, str, str]] = field(default_factory=list)
    """Unit, first, second."""
    differ: dict[str, None] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)

    def leave_out(self, unit: str, reason: str) -> None:
        self.left_out.setdefault(reason, []).append(unit)

    def take(self, unit: str, card_id: str, first: str, second: str) -> None:
        self.values.append((unit, first, second))
        if first != second:
            self.differ[card_id] = None

    def grouped(self) -> tuple[LeftOut, ...]:
        ordered = sorted(self.left_out.items(), key=lambda entry: (-len(entry[1]), entry[0]))
        return tuple(LeftOut(reason, tuple(units)) for reason, units in ordered)

    def comparison(
        self, name: str, kind: Kind, of: str, categories: tuple[str, ...],
        terms: tuple[TermAgreement, ...] = (),
    ) -> CodingComparison:  # fmt: skip
        labels = [(one, two) for _unit, one, two in self.values]
        # a value that can only be seen, such as a count, declares itself
        table = Table.from_pairs(labels, categories or _seen(labels))
        figures = (observed_agreement(table), cohen_kappa(table), gwet_ac1(table))
        return CodingComparison(
            name, kind, of, table.agree, table.n, figures, table, self.grouped(),
            tuple(self.differ), terms,
        )  # fmt: skip

    def of_sets(self, each: CodeField) -> CodingComparison:
        n = len(self.values)
        agree = sum(one == two for _unit, one, two in self.values)
        nothing = "" if n else "nothing was judged in both passes"
        observed = Figure("observed", agree / n if n else None, nothing, 0, n)
        why = nothing or SET_KAPPA
        figures = (observed, Figure("kappa", None, why, 0, n), Figure("ac1", None, why, 0, n))
        kind: Kind = "spans" if each.type == "spans" else "many"
        return CodingComparison(
            each.id, kind, each.id, agree, n, figures, None, self.grouped(), tuple(self.differ)
        )


def _seen(labels: list[tuple[str, str]]) -> tuple[str, ...]:
    found = {label for pair in labels for label in pair}
    return tuple(sorted(found, key=lambda each: (len(each), each))) or ("0",)


def _units(
    pairs: Iterable[_Pair], names: Names, field_id: str,
    read: Callable[[Record], tuple[str, str]],
) -> _Units:  # fmt: skip
    """Gather one value a card; ``read`` gives a record's value and why it has none."""
    units = _Units()
    for pair in pairs:
        if not _concerns(pair, field_id):
            continue
        if pair.reason or pair.first is None or pair.second is None:
            units.leave_out(pair.card_id, pair.reason)
            continue
        (one, one_lacks), (two, two_lacks) = read(pair.first), read(pair.second)
        if lacks := _said((one_lacks, two_lacks), names):
            units.leave_out(pair.card_id, lacks)
        else:
            units.take(pair.card_id, pair.card_id, one, two)
    return units


def _compare_field(
    each: CodeField, pairs: list[_Pair], names: Names
) -> tuple[CodingComparison, ...]:
    def code(record: Record) -> tuple[str, str]:
        value = record.answers.get(each.id)
        if each.id not in record.asked:
            return "", "not asked"
        if not isinstance(value, str):
            return "", "left unanswered"
        return (value, "") if value in each.code_ids else ("", "a code of another edition")

    def whole(record: Record) -> tuple[str, str]:
        if each.id not in record.asked:
            return "", "not asked"
        return _as_set(record.answers.get(each.id)), ""

    if each.type in ("choice", "yes_no"):
        kind: Kind = "choice" if each.type == "choice" else "yes_no"
        found = _units(pairs, names, each.id, code)
        return (found.comparison(each.id, kind, each.id, each.code_ids),)
    sets = _units(pairs, names, each.id, whole).of_sets(each)
    return (sets, *_compare_places(each, pairs, names)) if each.type == "spans" else (sets,)


def _as_set(value: AnswerValue | None) -> str:
    """Return what two answers must share to be the same; a rejected match is no span."""
    if value is None or isinstance(value, str):
        return value or ""
    said = [
        f"{each.start}-{each.end} {each.code} {' '.join(sorted(_yes_flags(each)))}".strip()
        if isinstance(each, Span)
        else each
        for each in value
        if not (isinstance(each, Span) and each.code == REJECTED)
    ]
    return "; ".join(sorted(said))


def _yes_flags(span: Span) -> set[str]:
    return {name for name, said in span.flags.items() if said == "yes"}


def _compare_places(
    each: CodeField, pairs: list[_Pair], names: Names
) -> tuple[CodingComparison, ...]:
    """Return the class of the places that both marked, and each flag on those neither rejected."""
    classes, flags = _Units(), {flag.id: _Units() for flag in each.flags}
    terms: dict[str, list[bool]] = {}
    for pair in pairs:
        if pair.reason or pair.first is None or pair.second is None:
            continue
        one, two = (_places(record.answers.get(each.id)) for record in (pair.first, pair.second))
        for place in sorted({*one, *two}):
            unit = f"{pair.card_id} {place[0]}-{place[1]}"
            if place not in one or place not in two:
                classes.leave_out(unit, f"marked only in {names[place not in one]}")
                continue
            first, second = one[place], two[place]
            classes.take(unit, pair.card_id, first.code, second.code)
            term = first.term or second.term or OWN_TERM
            terms.setdefault(term, []).append(first.code == second.code)
            for name, units in flags.items() if REJECTED not in (first.code, second.code) else ():
                units.take(unit, pair.card_id, *(
                    "yes" if name in _yes_flags(span) else "no" for span in (first, second)
                ))  # fmt: skip
    by_term = tuple(
        TermAgreement(term, sum(said), len(said)) for term, said in sorted(terms.items())
    )
    categories = (*each.code_ids, *((REJECTED,) if each.watchlist == "yes" else ()))
    known = _Units(
        [value for value in classes.values if {*value[1:]} <= {*categories}],
        classes.differ,
        classes.left_out,
    )
    return (
        known.comparison(f"{each.id} class", "span_class", each.id, categories, by_term),
        *(
            units.comparison(f"{each.id} {name}", "span_flag", each.id, ("yes", "no"))
            for name, units in flags.items()
        ),
    )


def _places(value: AnswerValue | None) -> dict[tuple[int, int], Span]:
    if value is None or isinstance(value, str):
        return {}
    return {each.place: each for each in value if isinstance(each, Span)}


def _compare_derived(
    derived: Derived, codebook: Codebook, pairs: list[_Pair], names: Names
) -> CodingComparison:
    collapsed = derived.op == "collapse"
    source = codebook.field(derived.of[0]) if collapsed else None

    def read(record: Record) -> tuple[str, str]:
        value = record.derived.get(derived.id, "")
        if value:
            return value, ""
        if source is None:
            return "", "no value"
        if source.id not in record.asked:
            return "", "not asked"
        answer = record.answers.get(source.id)
        abstained = isinstance(answer, str) and answer in source.abstaining
        return "", "cannot be classified" if abstained else "left unanswered"

    def fits(record: Record) -> tuple[str, str]:
        value, lacks = read(record)
        strange = bool(value and categories) and value not in categories
        return ("", "a value of another edition") if strange else (value, lacks)

    categories = _categories(derived)
    of = source.id if source else derived.id
    units = _units(pairs, names, of if source else "", fits)
    return units.comparison(derived.id, "collapse" if collapsed else "derived", of, categories)


def _categories(derived: Derived) -> tuple[str, ...]:
    if derived.op in ("any", "all", "is_empty"):
        return ("yes", "no")
    if derived.op == "count":
        return ()
    values = dict.fromkeys((*derived.to.values(), derived.otherwise))
    return tuple(value for value in values if value)
