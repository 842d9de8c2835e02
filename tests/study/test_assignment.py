"""Assignment: loads, pairs, overlap, orders, cards that come later, and raters who leave."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from reviewkit.study.assignment import (
    Assignment,
    AssignmentSpec,
    CannotReassign,
    assign,
    plan,
    reassign,
)
from reviewkit.study.sample_spec import SampleSpec

RATERS = ("amal", "basim", "celia", "dunya", "emad", "farah", "ghada", "hadi")


def spec(**fields: Any) -> AssignmentSpec:
    """Return an assignment section as a study file gives it."""
    return AssignmentSpec.model_validate({"seed": "7", **fields})


def passes(count: int) -> dict[str, str]:
    """Return passes p1, p2, ... and their raters."""
    return {f"p{number + 1}": RATERS[number] for number in range(count)}


def cards(count: int) -> tuple[str, ...]:
    """Return the ids of a table."""
    return tuple(f"r{number:04d}" for number in range(count))


def loads(assignment: Assignment) -> list[int]:
    """Return how many cards each pass has."""
    return [len(each) for each in assignment.cards.values()]


def raters_of(held: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """Return the passes of each card."""
    found: dict[str, list[str]] = {}
    for name, ids in held.items():
        for card in ids:
            found.setdefault(card, []).append(name)
    return found


def pairs(held: dict[str, tuple[str, ...]]) -> list[int]:
    """Return on how many cards each two passes meet."""
    return [len(set(held[a]) & set(held[b])) for a, b in combinations(sorted(held), 2)]


def test_without_a_section_every_pass_has_every_card_in_table_order() -> None:
    """Nothing is shuffled and nothing is shared out unless the study file says so."""
    assert assign(None, cards(5), passes(2)).cards == {"p1": cards(5), "p2": cards(5)}
    assert assign(spec(shuffle="no"), cards(5), passes(2)).cards["p2"] == cards(5)


@given(st.integers(1, 8), st.integers(1, 4), st.integers(0, 60))
def test_loads_differ_by_at_most_one(count: int, each: int, size: int) -> None:
    """Every card has its raters, none twice, and nobody has two cards more than another."""
    made = assign(spec(raters_per_card=str(each)), cards(size), passes(count))

    assert max(loads(made)) - min(loads(made)) <= 1
    assert all(len(set(ids)) == len(ids) for ids in made.cards.values())
    assert all(len(by) == min(each, count) for by in raters_of(made.cards).values())
    assert len(raters_of(made.cards)) == size
    assert made.new == made.cards
    assert bool(made.said) == (each > count)


@given(st.integers(3, 8), st.integers(0, 90))
def test_all_pairs_of_raters_meet_about_equally_often(count: int, size: int) -> None:
    """With two raters a card no two pairs are more than two cards apart."""
    made = assign(spec(raters_per_card="2"), cards(size), passes(count))

    assert max(pairs(made.cards)) - min(pairs(made.cards)) <= 2


def test_three_raters_meet_equally() -> None:
    """30 cards, two raters each, three raters: 20 cards a rater and 10 a pair."""
    made = assign(spec(raters_per_card="2"), cards(30), passes(3))

    assert loads(made) == [20, 20, 20]
    assert pairs(made.cards) == [10, 10, 10]


@given(st.integers(2, 6), st.integers(0, 80), st.sampled_from(["0.1", "25%", "0.5", "1"]))
def test_a_share_is_double_coded(count: int, size: int, share: str) -> None:
    """That share of the cards has two raters, the rest one, and loads stay even."""
    section = spec(double_share=share)
    made = assign(section, cards(size), passes(count))
    double = sum(len(by) == 2 for by in raters_of(made.cards).values())

    assert section.double_share is not None
    assert abs(double - float(section.double_share) * size) <= 0.5
    assert max(loads(made)) - min(loads(made)) <= 1


def test_a_double_share_needs_two_raters() -> None:
    """One rater alone codes everything once, and that is said."""
    made = assign(spec(double_share="0.5"), cards(4), passes(1))

    assert loads(made) == [4]
    assert made.said == ("2 cards wanted by two raters, 1 take cards: none gets two",)


@given(st.integers(2, 6), st.integers(4, 30))
def test_two_raters_have_two_orders(count: int, size: int) -> None:
    """No two raters of the same cards walk them in one order."""
    made = assign(spec(), cards(size), passes(count))

    assert all(sorted(ids) == list(cards(size)) for ids in made.cards.values())
    assert len(set(made.cards.values())) == count


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(["2", "1", None]))
def test_later_cards_come_at_the_end(first: int, more: int, each: str | None) -> None:
    """Cards added to a running study move none, stand last, and keep the loads even."""
    section = spec(raters_per_card=each)
    before = assign(section, cards(first), passes(3))
    after = assign(section, cards(first + more), passes(3), before.cards)

    for name, ids in before.cards.items():
        assert after.cards[name] == ids + after.new[name]
    assert max(loads(after)) - min(loads(after)) <= 1
    assert len(raters_of(after.cards)) == first + more
    again = assign(section, cards(first + more), passes(3), after.cards)
    assert again.new == {"p1": (), "p2": (), "p3": ()}


def test_a_double_share_holds_for_later_cards_too() -> None:
    """Of 40 cards and 20 more, 25 % of all are double-coded, and none that was single."""
    section = spec(double_share="0.25")
    before = assign(section, cards(40), passes(4))
    after = assign(section, cards(60), passes(4), before.cards)
    single = {card for card, by in raters_of(before.cards).items() if len(by) == 1}
    double = {card for card, by in raters_of(after.cards).items() if len(by) == 2}

    assert len(double) == 15
    assert not single & double


def test_the_order_of_the_table_changes_nobodys_cards() -> None:
    """Who has which card follows from seed and ids, and another seed deals otherwise."""
    section = spec(raters_per_card="2")
    made = assign(section, cards(30), passes(4))

    assert assign(section, cards(30)[::-1], passes(4)) == made
    other = AssignmentSpec.model_validate({"seed": "8", "raters_per_card": "2"})
    assert assign(other, cards(30), passes(4)) != made


def test_a_pass_that_lost_a_list_to_a_crash_gets_it_again() -> None:
    """Assigning again gives what is missing and nothing else."""
    section = spec(raters_per_card="2")
    made = assign(section, cards(10), passes(2))
    again = assign(section, cards(10), passes(2), {"p1": made.cards["p1"]})

    assert again.new["p1"] == ()
    assert set(again.new["p2"]) == set(cards(10))


def test_a_rater_who_leaves_is_replaced() -> None:
    """Open cards go to the new pass at its end; decided ones stay, and nothing is dealt twice."""
    section = spec(raters_per_card="2")
    held = assign(section, cards(20), passes(2)).cards
    open_ids = set(held["p2"][5:])
    moved = reassign(section, held, open_ids, "p2", "p3", "celia")
    assert set(moved) == open_ids
    assert moved != held["p2"][5:]

    now = {**held, "p2": held["p2"][:5], "p3": moved}
    takers = {"p1": "amal", "p3": "celia"}
    assert assign(section, cards(20), takers, now).new == {"p1": (), "p3": ()}
    grown = assign(section, cards(22), takers, now)
    assert set(grown.new["p1"]) == set(grown.new["p3"]) == {"r0020", "r0021"}


def test_nobody_codes_a_card_twice() -> None:
    """A card that the other pass has is not moved there; when none is left that is an error."""
    held = {"p1": cards(3), "p2": ("r0000",)}
    assert set(reassign(spec(), held, cards(3), "p1", "p2", "basim")) == {"r0001", "r0002"}
    with pytest.raises(CannotReassign, match="nothing to move"):
        reassign(spec(), held, ["r0000"], "p1", "p2", "basim")
    with pytest.raises(CannotReassign, match="name another pass"):
        reassign(spec(), held, cards(3), "p1", "p1", "amal")


def test_a_section_says_one_thing() -> None:
    """Overlap is a number of raters or a share, not both; unknown words are refused."""
    with pytest.raises(ValidationError, match="keep one"):
        spec(raters_per_card="2", double_share="0.5")
    with pytest.raises(ValidationError, match="Extra inputs"):
        spec(raters="2")
    with pytest.raises(ValidationError):
        spec(shuffle="true")


def test_a_plan_shows_counts_before_anything_is_recorded() -> None:
    """Draws and loads are there to print, with all that fell short."""
    units = {card: {"domain": "law"} for card in cards(10)}
    sample = SampleSpec.model_validate({"seed": "7", "draws": [{"name": "main", "size": "12"}]})
    made = plan(sample, spec(raters_per_card="3"), units, passes(2))

    assert made.rows == (("main", "all", 10, 12, 10),)
    assert made.said == (
        "12 wanted, 10 there: 2 cannot be drawn",
        "3 raters a card wanted, 2 take cards: each card gets 2",
    )
    assert loads(made.assignment) == [10, 10]
    assert loads(plan(None, None, units, passes(2)).assignment) == [10, 10]


def test_a_plan_goes_on_from_the_record() -> None:
    """Cards on record and cards added by hand are assigned, and neither is drawn again."""
    units = {card: {} for card in cards(20)}
    sample = SampleSpec.model_validate({"seed": "7", "draws": [{"name": "main", "size": "6"}]})
    first = plan(sample, spec(), units, passes(2))
    assert first.sample is not None
    added = [card for card in units if card not in first.sample.ids][:3]
    wider = SampleSpec.model_validate({"seed": "7", "draws": [{"name": "main", "size": "17"}]})
    then = plan(
        wider,
        spec(),
        units,
        passes(2),
        recorded={"main": first.sample.ids},
        added=added,
        held=first.assignment.cards,
    )

    assert then.sample is not None
    assert not set(then.sample.ids) & set(added)
    assert set(then.assignment.cards["p1"]) == set(units)
    assert then.assignment.cards["p1"][:6] == first.assignment.cards["p1"]
