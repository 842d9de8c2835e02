"""The adjudication budget: every figure that section 5.4 of the protocol prints."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from reviewkit.problems import ProblemsFound
from reviewkit.protocol import (
    AdjudicationPlan,
    NoPaceYet,
    cost_of,
    load_adjudication_plan,
    measured_pace,
    steps_of,
)
from reviewkit.study.board import PassProgress
from reviewkit.study.forecast import Act, Pace, pace_of

ROOT = Path(__file__).parents[2]


def plan(**changed: Any) -> AdjudicationPlan:
    """Return the plan that the demo bank ships, which is the protocol's."""
    shipped = load_adjudication_plan(ROOT / "bank" / "adjudication.yaml", "adjudication.yaml")
    return shipped.model_copy(update=changed)


def test_the_plan() -> None:
    """270 + 150 + 180 = 600 a system, 7,200 over twelve, 14,400 judged twice, 576 hours."""
    cost = cost_of(plan())
    assert dict(cost.classes) == {"T4": 270, "T3": 150, "T1": 180}
    assert (cost.per_system, cost.responses, cost.judgements) == (600, 7_200, 14_400)
    assert cost.hours == 576


@pytest.mark.parametrize(
    ("step", "per_system", "hours", "said"),
    [(1, 510, Fraction(4896, 10), 490), (2, 450, Fraction(432), 432), (3, 450, Fraction(360), 360)],
)
def test_the_three_levers_in_their_order(
    step: int, per_system: int, hours: Fraction, said: int
) -> None:
    """Each keeps what the ones before it took off."""
    cost = steps_of(plan()).costs[step]
    assert (cost.per_system, cost.hours, round(cost.hours)) == (per_system, hours, said)


def test_ten_systems_alone() -> None:
    """The ceiling of twelve is no law: ten without any other lever are 480 hours."""
    assert cost_of(plan(systems=10)).hours == 480


def test_a_lever_never_adds() -> None:
    """Eight systems stay eight, and one repetition stays one, whatever the levers ask for."""
    costs = steps_of(plan(systems=8, repetitions=1)).costs
    assert [cost.responses for cost in costs] == [1_600, 1_600, 1_440, 1_440]
    levers = plan().levers
    shares = plan(levers=(levers[1].model_copy(update={"share": 90}),))
    assert [cost.per_system for cost in steps_of(shares).costs] == [600, 600]


def test_the_superseded_estimate() -> None:
    """540 a system was the figure for 30 pairs of T3: 15 of 60 items."""
    t4, t3, t1 = plan().classes
    earlier = plan(classes=(t4, t3.model_copy(update={"items": 60}), t1))
    cost = cost_of(earlier)
    assert (cost.per_system, cost.responses, cost.judgements) == (540, 6_480, 12_960)
    assert float(cost.hours) == 518.4


def test_a_part_of_an_item_is_an_item() -> None:
    """Ten percent of 45 items are five, never four and a half."""
    t4, t3, t1 = plan().classes
    smaller = plan(classes=(t4.model_copy(update={"share": 10}), t3, t1))
    assert dict(cost_of(smaller).classes)["T4"] == 5 * 3 * 2


# the pace


def progress(name: str, pace: Pace | None, withdrawn: str = "") -> PassProgress:
    """Return a pass of which only the pace matters."""
    return PassProgress(
        "1", name, name, 0, 0, 0, None, "", False, "", withdrawn=withdrawn, pace=pace
    )


def test_the_measured_pace_takes_the_place_of_the_assumed_one() -> None:
    """All cards over all time: 30 cards an hour turn 14,400 judgements into 480 hours."""
    passes = [
        progress("one", Pace(20, 1_800.0, 1)),
        progress("two", Pace(10, 1_800.0, 2)),
        progress("gone", Pace(99, 60.0, 1), withdrawn="2030-01-01T00:00:00Z"),
        progress("new", None),
    ]
    pace = measured_pace("s", passes)
    assert (pace.passes, pace.cards, pace.per_hour) == (2, 30, 30)
    assert steps_of(plan(), pace.per_hour).costs[0].hours == 480


def test_the_pace_of_real_times() -> None:
    """Six cards of two minutes each, without a rest, are thirty an hour."""
    start = datetime(2030, 1, 1, tzinfo=UTC)
    acts = [Act(f"c{n}", start + timedelta(minutes=2 * n), 120.0) for n in range(1, 7)]
    pace = measured_pace("s", [progress("one", pace_of(acts))])
    assert pace.per_hour == 30


def test_no_pace_is_a_sentence() -> None:
    """Nobody is told a rate of nothing."""
    with pytest.raises(NoPaceYet, match="three cards"):
        measured_pace("s", [progress("one", None)])


# plans at fault


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "systems: 0\nclasses: [{name: a, items: 1}]\n",
            "p.yaml:1 systems: got '0'; use 1 or more",
        ),
        (
            "systems: 2\nclasses:\n  - {name: a, items: 1}\n  - {name: a, items: 2}\n",
            "p.yaml:4 classes[1].name: the class 'a' stands twice; keep one",
        ),
        (
            "systems: 2\nclasses: [{name: a, items: 1}]\nlevers:\n  - {title: x, class: b, share: 5}\n",  # noqa: E501
            "p.yaml:4 levers[0].class: there is no class 'b'; use a",
        ),
        (
            "systems: 2\nclasses: [{name: a, items: 1}]\nlevers: [{title: x}]\n",
            "changes nothing; write systems, or a class with share or repetitions",
        ),
        (
            "systems: 2\nclasses: [{name: a, items: 1}]\nlevers: [{title: x, share: 5}]\n",
            "share and repetitions are those of a class; name the class",
        ),
        (
            "systems: 2\nclasses: [{name: a, items: 1}]\nlevers: [{title: x, class: a}]\n",
            "changes nothing of its class; write share or repetitions",
        ),
    ],
)
def test_a_plan_at_fault_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    """Numbers below one, doubled classes, levers that change nothing."""
    path = tmp_path / "p.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsFound) as raised:
        load_adjudication_plan(path, "p.yaml")
    assert told in str(raised.value)
