"""What a round of codings was asked: fields, derived values, marked places and their flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reviewkit.agreement.of_study.material import Material, OneRound
from reviewkit.agreement.of_study.question import Question, mapping_of
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
from reviewkit.agreement.passes.units import Unit
from reviewkit.questions import Codebook
from reviewkit.questions.answers import REJECTED
from reviewkit.questions.codebooks import CodeField, Derived

NOTHING = "(nothing)"
"""How an answer without any code or place is called."""
MOST_TERMS = 40
"""With more terms than this, no row is given to each."""


@dataclass(frozen=True, slots=True)
class CodedRound:
    """A round of codings, card by card."""

    cards: tuple[Coded, ...]
    questions: tuple[Question, ...]
    """Each field followed by its collapses and places."""


def coded(material: Material, round_: OneRound, codebook: Codebook) -> CodedRound:
    """Return what the passes of a round said, side by side."""
    records = [each.records for each in round_.passes]
    held = [each.cards for each in round_.passes]
    cards = tuple(coded_cards(records, round_.names, material.cards.ids, held))
    questions: list[Question] = []
    told: set[str] = set()
    for field in codebook.fields:
        questions += _of_field(field, cards, round_.names)
        for derived in codebook.derived:
            if derived.op == "collapse" and derived.of[0] == field.id:
                questions.append(_of_derived(derived, codebook, cards, round_.names))
                told.add(derived.id)
    questions += [
        _of_derived(derived, codebook, cards, round_.names)
        for derived in codebook.derived
        if derived.id not in told
    ]
    return CodedRound(cards, tuple(questions))


def _of_field(field: CodeField, cards: Sequence[Coded], names: Sequence[str]) -> list[Question]:
    if field.type in ("choice", "yes_no"):
        units = value_units(cards, names, field.id, read_code(field))
        whole = Question(
            f"field:{field.id}", field.id, "field", "card", tuple(units), field.code_ids,
            nature=field.nature, ordinal=field.ordinal == "yes", clustered="group",
            check=field.id,
        )  # fmt: skip
        return [whole]
    units = value_units(cards, names, field.id, read_set(field))
    if field.type == "many":
        return [_of_sets(field, units)]
    return [*_of_places(field, cards, names), _of_wholes(field, units)]


def _of_sets(field: CodeField, units: Sequence[Unit]) -> Question:
    """Return the question whole: an answer is a set, and sets may agree in part."""
    named = tuple(
        replace(
            unit,
            labels=tuple(None if each is None else each or NOTHING for each in unit.labels),
        )
        for unit in units
    )
    categories = seen(unit for unit in named if unit.compared)
    if categories == ("0",):
        categories = (NOTHING,)
    sets = {
        each: frozenset() if each == NOTHING else frozenset(each.split("; ")) for each in categories
    }
    return Question(
        f"field:{field.id}", field.id, "field", "card", named, categories, nature=field.nature,
        sets=sets, clustered="group",
    )  # fmt: skip


def _of_wholes(field: CodeField, units: Sequence[Unit]) -> Question:
    """Return the question whether all places, classes and flags of a card are the same.

    The places of one card say nothing about those of another, so there is no list of categories and
    no agreement by chance.
    """
    categories = seen(unit for unit in units if unit.compared)
    return Question(
        f"field:{field.id}", field.id, "field", "card", tuple(units),
        categories, of=f"places:{field.id}", nature=field.nature, alike_only=True,
        clustered="group",
    )  # fmt: skip


def _of_places(field: CodeField, cards: Sequence[Coded], names: Sequence[str]) -> list[Question]:
    places = place_units(field, cards, names)
    categories = (*field.code_ids, *((REJECTED,) if field.watchlist == "yes" else ()))
    whole = Question(
        f"places:{field.id}", f"{field.id}: class of each place", "places", "place",
        places.classes, categories, nature=field.nature, clustered="card",
        check=field.id,
    )  # fmt: skip
    found = [whole]
    terms = sorted({term for term in places.terms.values() if term})
    for term in terms if 1 < len(terms) <= MOST_TERMS else ():
        chosen = tuple(unit for unit in places.classes if places.terms[unit.name] == term)
        part = f"term:{field.id}/{term}"
        found.append(
            replace(whole, id=part, title=term, kind="group", units=chosen, of=whole.id, check="")
        )
    for flag, units in places.flags.items():
        made = Question(
            f"flag:{field.id}/{flag}", f"{field.id}: {flag}", "flag", "place", units,
            ("yes", "no"), of=whole.id, clustered="card",
        )  # fmt: skip
        found.append(made)
    return found


def _of_derived(
    derived: Derived, codebook: Codebook, cards: Sequence[Coded], names: Sequence[str]
) -> Question:
    source = codebook.field(derived.of[0]) if derived.op == "collapse" else None
    read = read_derived(derived, codebook)
    units = tuple(value_units(cards, names, source.id if source else "", read))
    categories = derived_categories(derived) or seen(units)
    if source is None:
        return Question(
            f"derived:{derived.id}", derived.id, "derived", "card", units, categories,
            ordinal=derived.op == "count", clustered="group",
        )  # fmt: skip
    return Question(
        f"collapse:{derived.id}", derived.id, "collapse", "card", units, categories,
        of=f"field:{source.id}", mapping=mapping_of(derived.to), clustered="group",
    )  # fmt: skip
