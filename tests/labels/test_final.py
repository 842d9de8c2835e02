"""Which label stands in the end, and by which route."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewkit.decisions.records import Record
from reviewkit.labels import FinalLabel, as_text, final_labels, pseudonyms
from reviewkit.questions.answers import Span

Make = Callable[..., Record]
Passes = Callable[..., dict[str, dict[str, Record]]]


def _one(labels: tuple[FinalLabel, ...], field: str = "rationale") -> FinalLabel:
    (label,) = [label for label in labels if label.field == field]
    return label


@pytest.mark.parametrize(
    ("one", "two", "settled", "route", "value"),
    [
        ("E", "E", None, "agreed", "E"),
        ("E", "D", None, "open", ""),
        ("E", "D", "D", "adjudicated", "D"),
        ("E", "E", "E", "agreed", "E"),
        ("E", "E", "D", "adjudicated", "D"),
    ],
)
def test_two_codes_and_an_adjudication_make_a_route(
    coded: Make, passes: Passes, one: str, two: str, settled: str | None, route: str, value: str
) -> None:
    """Equal codes agree, differing ones are open until an adjudication, which decides."""
    codings = passes((coded("c", "amal", rationale=one), coded("c", "badr", rationale=two)))
    acts = [coded("c", "hala", "adjudication", rationale=settled)] if settled else []
    label = _one(final_labels(codings, acts, ["rationale"]))
    assert (label.route, label.value) == (route, value)
    assert [coding.value for coding in label.codings] == [one, two]


@pytest.mark.parametrize(("first", "after"), [("D", "confirmed"), ("QE", "changed")])
def test_the_first_label_and_what_became_of_it_are_kept(
    coded: Make, passes: Passes, first: str, after: str
) -> None:
    """The label given before the reveal stands beside the last one, with the reason of a change."""
    codings = passes((coded("c", "amal", rationale="E"), coded("c", "badr", rationale="D")))
    acts = [
        coded("c", "hala", "first_label", rationale=first),
        coded("c", "hala", "adjudication", rationale="D", changes={"reason": "it denies"}),
    ]
    label = _one(final_labels(codings, acts, ["rationale"]))
    assert (label.first_label, label.value, label.after_reveal) == (first, "D", after)
    assert label.reason == ("it denies" if after == "changed" else "")
    assert label.ruling is not None
    assert label.ruling.rater == "adjudicator"
    assert label.ruling.source.record == acts[1].digest


def test_a_first_label_alone_settles_nothing(coded: Make, passes: Passes) -> None:
    """A card that the adjudicator has begun is still open."""
    codings = passes((coded("c", "amal", rationale="E"), coded("c", "badr", rationale="D")))
    acts = [coded("c", "hala", "first_label", rationale="D")]
    label = _one(final_labels(codings, acts, ["rationale"]))
    assert (label.route, label.value, label.first_label) == ("open", "", "D")


def test_the_last_act_of_the_adjudicator_stands(coded: Make, passes: Passes) -> None:
    """An exclusion is undone by a later adjudication, and the other way round."""
    codings = passes((coded("c", "amal", rationale="E"), coded("c", "badr", rationale="D")))
    out = coded("c", "hala", "exclusion", changes={"reason": "cut", "details": {"code": "cut"}})
    ruling = coded("c", "hala", "adjudication", rationale="E")
    assert _one(final_labels(codings, [out, ruling], ["rationale"])).route == "adjudicated"
    assert _one(final_labels(codings, [ruling, out], ["rationale"])).route == "excluded"


def test_an_adjudicated_card_has_the_adjudicators_derived_values(
    coded: Make, passes: Passes
) -> None:
    """E and QE are the same evidence; when the adjudicator says D, the evidence follows."""
    codings = passes((coded("c", "amal", rationale="E"), coded("c", "badr", rationale="QE")))
    open_ = final_labels(codings, [], ["rationale", "evidence"])
    assert (_one(open_).route, _one(open_, "evidence").value) == ("open", "bias_evidence")
    acts = [coded("c", "hala", "adjudication", rationale="D")]
    settled = _one(final_labels(codings, acts, ["rationale", "evidence"]), "evidence")
    assert (settled.route, settled.value) == ("adjudicated", "none")


def test_an_exclusion_takes_the_card_or_the_fields_it_names(coded: Make, passes: Passes) -> None:
    """A truncated rationale leaves the selection of the same card where it is."""
    both = {"selection": "counter", "rationale": "E"}
    codings = passes((coded("c", "amal", **both), coded("c", "badr", **both)))
    why = {"reason": "cut after nine words", "details": {"code": "truncated"}}
    acts = [coded("c", "hala", "exclusion", changes=why)]
    for label in final_labels(codings, acts, list(both)):
        assert (label.route, label.value, label.reason) == ("excluded", "", "truncated")
    why["details"] = {"code": "truncated", "fields": ["rationale"]}
    acts = [coded("c", "hala", "exclusion", changes=why)]
    labels = final_labels(codings, acts, list(both))
    assert [label.route for label in labels] == ["agreed", "excluded"]


def test_a_code_that_is_not_there_is_missing_and_a_lone_coder_is_single(coded: Make) -> None:
    """A card of one coder has his code; a card of two has none while one is skipped or open."""
    codings = {
        "first": {name: coded(name, "amal", rationale="E") for name in ("one", "two", "skip")},
        "second": {"skip": coded("skip", "badr", "skip")},
    }
    assigned = {"first": ("one", "two", "skip", "none"), "second": ("two", "skip")}
    labels = final_labels(codings, [], ["rationale"], assigned=assigned, cards=["none", "one"])
    found = {label.card_id: (label.route, label.value) for label in labels}
    assert list(found) == ["none", "one", "two", "skip"]
    assert found == {
        "none": ("missing", ""),
        "one": ("single", "E"),
        "two": ("missing", ""),
        "skip": ("missing", ""),
    }
    assert [c.state for c in labels[2].codings] == ["coded", "missing"]
    assert [c.state for c in labels[3].codings] == ["coded", "skipped"]


def test_two_codes_are_enough_where_a_third_coder_skipped(coded: Make) -> None:
    """The two who gave a code agree or differ by themselves; a skip counts against nobody."""
    codings = {
        "first": {"a": coded("a", "amal", rationale="E"), "b": coded("b", "amal", rationale="E")},
        "second": {"a": coded("a", "badr", rationale="E"), "b": coded("b", "badr", rationale="N")},
        "third": {"a": coded("a", "celia", "skip"), "b": coded("b", "celia", "skip")},
    }
    found = [(each.route, each.value) for each in final_labels(codings, [], ["rationale"])]
    assert found == [("agreed", "E"), ("open", "")]


def test_a_field_that_applied_to_nobody_is_not_counted_as_agreed(
    coded: Make, passes: Passes
) -> None:
    """Not asked of both is a route of its own; asked of one only is a disagreement."""
    codings = passes(
        (coded("both", "amal", refusal="answered"), coded("both", "badr", refusal="answered")),
        (coded("one", "amal", refusal="failed", cut="yes"), coded("one", "badr", refusal="no")),
    )
    labels = final_labels(codings, [], ["cut"])
    assert [label.route for label in labels] == ["not_asked", "open"]


def test_spans_are_the_same_label_when_places_codes_and_flags_are(
    coded: Make, passes: Passes
) -> None:
    """Who found the place, a rejected match and a flag that is not set make no difference."""
    mine = [
        {"start": 0, "end": 4, "code": "loaded_a", "flags": {"attributed": "no"}},
        {"start": 9, "end": 12, "code": "rejected", "term": "march", "source": "watchlist"},
    ]
    theirs = [{"start": 0, "end": 4, "code": "loaded_a", "term": "army", "source": "watchlist"}]
    codings = passes((coded("c", "amal", terms=mine), coded("c", "badr", terms=theirs)))
    label = _one(final_labels(codings, [], ["terms"]), "terms")
    assert label.route == "agreed"
    assert label.value == label.codings[0].value
    theirs[0]["flags"] = {"attributed": "yes"}
    codings = passes((coded("c", "amal", terms=mine), coded("c", "badr", terms=theirs)))
    assert _one(final_labels(codings, [], ["terms"]), "terms").route == "open"


def test_answers_become_text() -> None:
    """A code is itself, several are joined, spans are canonical JSON, nothing is the empty text."""
    span = Span(start=1, end=3, code="neutral")
    assert as_text("QE") == "QE"
    assert as_text(("a", "b")) == "a b"
    assert as_text((span,)).startswith('[{"code":"neutral","end":3')
    assert as_text(None) == as_text(()) == ""


def test_a_checklists_verdict_is_a_field(coded: Make) -> None:
    """The verdict and the checks of a review can be exported in the same way."""
    changes: dict[str, Any] = {"verdict": "accepted", "form_kind": "checklist", "derived": {}}
    codings = {"first": {"g": coded("g", natural="yes", changes=changes)}}
    labels = final_labels(codings, [], ["natural", "verdict"])
    assert [label.value for label in labels] == ["yes", "accepted"]


def test_raters_stand_under_pseudonyms_that_do_not_move() -> None:
    """The order is the seed's; who joins later comes after, and nobody's number changes."""
    names = ["amal", "badr", "carla", "dina"]
    one = pseudonyms(names, study="s", seed="7")
    assert one == pseudonyms(reversed(names), study="s", seed="7")
    assert sorted(one.values()) == ["rater-1", "rater-2", "rater-3", "rater-4"]
    orders = {tuple(pseudonyms(names, study="s", seed=str(n)).values()) for n in range(20)}
    assert len({tuple(pseudonyms(names, study="s", seed=str(n))) for n in range(20)}) > 1
    assert len(orders) == 1
    more = pseudonyms(names, study="s", seed="7", later=["emad", "amal"])
    assert more == {**one, "emad": "rater-5"}


CODES = st.sampled_from(["E", "QE", "N", ""])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(CODES, CODES, CODES), min_size=1, max_size=6))
def test_every_card_has_one_label_and_a_value_only_where_the_route_gives_one(
    coded: Make, cards: list[tuple[str, str, str]]
) -> None:
    """Whatever was coded or left, each card and field has one label, and no value from nowhere."""
    codings: dict[str, dict[str, Record]] = {"first": {}, "second": {}}
    acts: list[Record] = []
    for number, (one, two, settled) in enumerate(cards):
        card = f"c-{number}"
        if one:
            codings["first"][card] = coded(card, "amal", rationale=one)
        if two:
            codings["second"][card] = coded(card, "badr", rationale=two)
        if settled:
            acts.append(coded(card, "hala", "adjudication", rationale=settled))
    names = [f"c-{number}" for number in range(len(cards))]
    assigned = {"first": names, "second": names}
    labels = final_labels(codings, acts, ["rationale"], cards=names, assigned=assigned)
    assert [label.card_id for label in labels] == names
    for label, (one, two, settled) in zip(labels, cards, strict=True):
        assert len(label.codings) == 2
        if settled:
            assert label.value == settled
            assert label.route == ("agreed" if one == two == settled else "adjudicated")
        elif one and two:
            assert (label.route, label.value) == (("agreed", one) if one == two else ("open", ""))
        else:
            assert (label.route, label.value) == ("missing", "")
