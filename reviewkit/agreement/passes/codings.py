"""Two passes of codings side by side: tables and figures of fields, derived values and places.

What may be compared is ``coding_units``' affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from reviewkit.agreement.coefficients import (
    Figure,
    Table,
    cohen_kappa,
    gwet_ac1,
    observed_agreement,
)
from reviewkit.agreement.passes.coding_report import (
    CodingComparison,
    CodingReport,
    Kind,
    Names,
    TermAgreement,
)
from reviewkit.agreement.passes.coding_units import (
    Coded,
    coded_cards,
    derived_categories,
    place_units,
    read_code,
    read_derived,
    read_set,
    seen,
    value_units,
)
from reviewkit.agreement.passes.units import Unit, label_pairs, units_left_out
from reviewkit.questions.answers import REJECTED

if TYPE_CHECKING:
    # For the checker only: pydantic's models take longer to load than all of this package.
    from reviewkit.decisions.records import Record
    from reviewkit.questions.codebooks import Codebook, CodeField, Derived

SET_KAPPA = "an answer of several codes or places has no fixed list of categories"
OWN_TERM = "(a place of the coders' own)"


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
    coded = coded_cards((first, second), names, cards)
    comparisons: list[CodingComparison] = []
    for each in codebook.fields:
        comparisons += _compare_field(each, coded, names)
    for derived in codebook.derived:
        comparisons.append(_compare_derived(derived, codebook, coded, names))
    return CodingReport(names, codebook.name, tuple(comparisons), tuple(notices))


def _comparison(
    name: str, kind: Kind, of: str, units: Sequence[Unit], categories: tuple[str, ...],
    terms: tuple[TermAgreement, ...] = (),
) -> CodingComparison:  # fmt: skip
    # a value that can only be seen, such as a count, declares itself
    table = Table.from_pairs(label_pairs(units), categories or seen(units))
    figures = (observed_agreement(table), cohen_kappa(table), gwet_ac1(table))
    return CodingComparison(
        name, kind, of, table.agree, table.n, figures, table, units_left_out(units),
        _differ(units), terms,
    )  # fmt: skip


def _differ(units: Iterable[Unit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(unit.card_id for unit in units if unit.differs))


def _of_sets(each: CodeField, units: Sequence[Unit]) -> CodingComparison:
    pairs = label_pairs(units)
    n = len(pairs)
    agree = sum(one == two for one, two in pairs)
    nothing = "" if n else "nothing was judged in both passes"
    observed = Figure("observed", agree / n if n else None, nothing, 0, n)
    why = nothing or SET_KAPPA
    figures = (observed, Figure("kappa", None, why, 0, n), Figure("ac1", None, why, 0, n))
    kind: Kind = "spans" if each.type == "spans" else "many"
    return CodingComparison(
        each.id, kind, each.id, agree, n, figures, None, units_left_out(units), _differ(units)
    )


def _compare_field(
    each: CodeField, cards: list[Coded], names: Names
) -> tuple[CodingComparison, ...]:
    if each.type in ("choice", "yes_no"):
        kind: Kind = "choice" if each.type == "choice" else "yes_no"
        units = value_units(cards, names, each.id, read_code(each))
        return (_comparison(each.id, kind, each.id, units, each.code_ids),)
    sets = _of_sets(each, value_units(cards, names, each.id, read_set(each)))
    return (sets, *_compare_places(each, cards, names)) if each.type == "spans" else (sets,)


def _compare_places(
    each: CodeField, cards: list[Coded], names: Names
) -> tuple[CodingComparison, ...]:
    """Return the class of the places that both marked, and each flag on those neither rejected."""
    places = place_units(each, cards, names)
    terms: dict[str, list[bool]] = {}
    for unit in places.classes:
        if unit.compared:
            terms.setdefault(places.terms[unit.name] or OWN_TERM, []).append(not unit.differs)
    by_term = tuple(
        TermAgreement(term, sum(same), len(same)) for term, same in sorted(terms.items())
    )
    categories = (*each.code_ids, *((REJECTED,) if each.watchlist == "yes" else ()))
    return (
        _comparison(f"{each.id} class", "span_class", each.id, places.classes, categories, by_term),
        *(
            _comparison(f"{each.id} {name}", "span_flag", each.id, units, ("yes", "no"))
            for name, units in places.flags.items()
        ),
    )


def _compare_derived(
    derived: Derived, codebook: Codebook, cards: list[Coded], names: Names
) -> CodingComparison:
    collapsed = derived.op == "collapse"
    source = codebook.field(derived.of[0]) if collapsed else None
    of = source.id if source else derived.id
    read = read_derived(derived, codebook)
    units = value_units(cards, names, of if source else "", read)
    kind: Kind = "collapse" if collapsed else "derived"
    return _comparison(derived.id, kind, of, units, derived_categories(derived))
