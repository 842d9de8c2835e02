"""Which cards come before the adjudicator, as a pure function of what the coders said."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.decisions import FIRST, Record
from reviewkit.digests import digest_of
from reviewkit.questions import load_forms
from reviewkit.study.queue import (
    cards_in_queue,
    check_adjudication,
    comes_before,
    compared_names,
    differing,
    in_blind_order,
    shuffled,
)
from reviewkit.study.study import Adjudication
from reviewkit.workspace import shipped

SHELF = load_forms(shipped("checklists"))
_numbers = count(1)


def coding(derived: dict[str, str] | None = None, unsure: bool = False, **answers: Any) -> Record:
    """Return the record of a coding, or of a skip when nothing is answered."""
    fields: dict[str, Any] = {
        "kind": "skip", "click_id": f"click-{next(_numbers):08d}", "study": "s", "round": "1",
        "pass": "first", "rater": "ada", "origin": "cli", "card_id": "c", "card_digest": "a" * 64,
        "schema_version": 2, "seq": 1, "previous": FIRST, "time": "2026-01-01T00:00:00.000Z",
        "digest": digest_of([next(_numbers), str(answers)]),
    }  # fmt: skip
    if answers:
        fields |= {
            "kind": "decision", "form": "f", "form_kind": "codebook", "form_version": "1",
            "form_digest": "c" * 64, "asked": tuple(answers), "answers": answers,
            "derived": derived or {}, "rule_version": "1", "unsure": unsure,
        }  # fmt: skip
    return Record.model_validate(fields)


def span(start: int, end: int, code: str, attributed: str = "no", **more: str) -> dict[str, Any]:
    """Return a span as an answer holds it."""
    return {"start": start, "end": end, "code": code, "flags": {"attributed": attributed}, **more}


SKIP = coding()


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("E", "E", False),
        ("E", "QE", True),
        ("E", "Abstain", True),
        ("Abstain", "Abstain", False),
        (("x", "y"), ("y", "x"), False),
        (("x",), ("x", "y"), True),
        ((), ("x",), True),
        ([span(0, 4, "neutral")], [span(0, 4, "neutral")], False),
        ([span(0, 4, "neutral")], [span(0, 5, "neutral")], True),
        ([span(0, 4, "neutral")], [span(0, 4, "loaded_a")], True),
        ([span(0, 4, "neutral")], [span(0, 4, "neutral", "yes")], True),
        ([span(0, 4, "rejected", source="watchlist")], [], False),
        ([span(0, 4, "neutral", source="watchlist", term="ford")], [span(0, 4, "neutral")], False),
        ([span(0, 4, "neutral"), span(6, 9, "other")], [span(0, 4, "neutral")], True),
    ],
)  # fmt: skip
def test_codings_are_compared_by_what_they_say(one: Any, other: Any, differ: bool) -> None:
    """Codes by value, several as a set, spans as a set of place, code and flags."""
    pair = (coding(field=one), coding(field=other))
    assert bool(differing(pair, ["field"])) is differ
    assert comes_before(pair, ["field"], "fields") is differ


def test_doubt_and_fields_that_are_not_compared_do_not_count() -> None:
    """A mark of doubt is no difference, and neither is a field that ``compare`` leaves out."""
    pair = (coding(a="E", b="x"), coding(a="E", b="y", unsure=True))
    assert differing(pair, ["a"]) == ()
    assert differing(pair, ["a", "b"]) == ("b",)


def test_a_collapsed_queue_looks_at_derived_values_alone() -> None:
    """E beside QE is the same evidence, E beside N is not."""
    same = (coding({"evidence": "yes"}, r="E"), coding({"evidence": "yes"}, r="QE"))
    other = (coding({"evidence": "yes"}, r="E"), coding({"evidence": "no"}, r="N"))
    assert not comes_before(same, ["evidence"], "collapsed")
    assert comes_before(other, ["evidence"], "collapsed")
    assert differing((*same, other[1]), ["evidence"]) == ("evidence",)


def test_a_skip_is_a_missing_label() -> None:
    """It comes before the adjudicator unless only collapsed values are asked for."""
    pair = (coding(r="E"), SKIP)
    assert [comes_before(pair, ["r"], queue) for queue in ("fields", "collapsed", "all")] == [
        True, False, True,
    ]  # fmt: skip


def test_all_takes_every_card_that_has_a_coding() -> None:
    """Double-coded or single, alike or not; a card without any judgement is left out."""
    codings = {"two": (coding(r="E"), coding(r="E")), "one": (coding(r="E"),), "none": ()}
    assert cards_in_queue(codings, lambda _card: ["r"], "all") == ("two", "one")
    assert cards_in_queue(codings, lambda _card: ["r"], "fields") == ()


def _settings(**fields: Any) -> Adjudication:
    return Adjudication.model_validate({"adjudicator": "cleo", **fields})


def test_what_is_compared_when_nothing_is_named() -> None:
    """Every field; for a collapsed queue the collapses; of a checklist the checks and verdict."""
    rationale, t1 = SHELF.get("rationale@1"), SHELF.get("t1@1")
    assert compared_names(rationale, _settings()) == ("rationale",)
    assert compared_names(rationale, _settings(queue="collapsed")) == ("evidence",)
    assert compared_names(rationale, _settings(compare=("evidence",))) == ("evidence",)
    assert compared_names(t1, _settings())[-1] == "verdict"
    assert compared_names(t1, _settings(queue="collapsed")) == ("verdict",)


def test_settings_that_fit_no_form_are_told() -> None:
    """A field that is not there, and a collapsed queue with nothing to compare."""
    rationale = SHELF.get("rationale@1")
    wrong = _settings(compare=("rational", "stance"))
    assert [p.wrong for p in check_adjudication(wrong, [rationale], "s.yaml")] == [
        "no field or derived value 'rational'", "no field or derived value 'stance'",
    ]  # fmt: skip
    nothing = _settings(queue="collapsed", compare=("rationale",))
    (problem,) = check_adjudication(nothing, [rationale], "s.yaml")
    assert "none of rationale@1" in problem.wrong
    assert check_adjudication(_settings(queue="collapsed"), [rationale], "s.yaml") == ()


@given(st.sets(st.text(min_size=1, max_size=5), max_size=8))
def test_the_order_of_the_queue_is_always_the_same(cards: set[str]) -> None:
    """It depends on study, round and cards alone, and holds every card once."""
    order = shuffled(cards, "s", "1")
    assert shuffled(sorted(cards), "s", "1") == order
    assert set(order) == cards
    assert len(order) == len(cards)


def test_no_place_stands_for_a_person() -> None:
    """Over many cards each of two coders comes first about as often as the other."""
    first = 0
    for number in range(200):
        ada, bo = coding(r="E"), coding(r="N")
        first += in_blind_order(f"card-{number}", (ada, bo))[0] is ada
    assert 60 < first < 140
    pair = (coding(r="E"), coding(r="N"))
    assert in_blind_order("c", pair) == in_blind_order("c", pair[::-1])
