"""The lead's counts: what is done, how fast, how long the rest takes, and never a label."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.decisions import effective_decisions
from reviewkit.study import Walk, load_study, reopen
from reviewkit.study.board import PassLedgers, PassProgress, pass_records, study_progress
from reviewkit.study.forecast import Act, hours_and_minutes, pace_of
from reviewkit.study.opening import withdraw
from reviewkit.workspace import Workspace
from tests.study.coding_people import CARDS, STUDY, click, code, coding_study, say

START = datetime(2026, 11, 30, 9, tzinfo=UTC)


def sitting(count: int, apart: float, at: datetime = START, seconds: float = 0.0) -> list[Act]:
    """Return so many cards, one every ``apart`` seconds."""
    return [
        Act(f"{at:%d%H}-{number}", at + timedelta(seconds=number * apart), seconds or apart)
        for number in range(count)
    ]


# pace and forecast


def test_pace_is_cards_by_working_time() -> None:
    """Sixty cards a minute apart are sixty an hour, the time on the first one included."""
    pace = pace_of(sitting(60, 60))
    assert pace is not None
    assert pace.cards_per_hour == pytest.approx(60)
    assert pace.seconds_for(30) == pytest.approx(1800)


def test_a_night_is_no_working_time() -> None:
    """A rest of five minutes or more ends the sitting; what lies between counts for nothing."""
    acts = sitting(10, 60) + sitting(10, 60, START + timedelta(hours=14))
    pace = pace_of(acts)
    assert pace is not None
    assert (pace.cards, pace.sittings) == (20, 2)
    assert pace.cards_per_hour == pytest.approx(60)


def test_a_long_read_is_no_rest() -> None:
    """Ten minutes in use on one card are work, and the sitting goes on."""
    slow = Act("slow", START + timedelta(seconds=600 + 4 * 60), 600)
    pace = pace_of([*sitting(5, 60), slow])
    assert pace is not None
    assert (pace.sittings, pace.cards) == (1, 6)
    assert pace.seconds == pytest.approx(60 + 240 + 600)


def test_only_the_last_sittings_count() -> None:
    """People get faster: the first slow day says little about the rest."""
    slow = sitting(5, 200, START)
    fast = [act for day in (1, 2, 3) for act in sitting(5, 20, START + timedelta(days=day))]
    pace = pace_of(slow + fast)
    assert pace is not None
    assert pace.cards == 15
    assert pace.cards_per_hour == pytest.approx(180)


@pytest.mark.parametrize("acts", [[], sitting(2, 60), [Act("a", START)] * 9])
def test_too_little_gives_no_pace(acts: list[Act]) -> None:
    """One or two cards, or one card over and over, foretell nothing."""
    assert pace_of(acts) is None


def test_no_card_counts_for_a_day() -> None:
    """A page left open over the weekend does not ruin the forecast."""
    acts = sitting(5, 60)
    acts[0] = Act("left-open", START, 86_400)
    pace = pace_of(acts)
    assert pace is not None
    assert pace.seconds == pytest.approx(3600 + 240)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 10**6), st.floats(0, 86_400))))
def test_a_pace_is_finite_and_needs_no_order(rows: list[tuple[int, int, float]]) -> None:
    """Whatever the times are, the pace is a positive number or not there at all."""
    acts = [Act(str(card), START + timedelta(seconds=at), used) for card, at, used in rows]
    pace = pace_of(acts)
    assert pace == pace_of(sorted(acts, key=lambda act: act.time))
    assert pace is None or (pace.seconds > 0 and pace.cards_per_hour > 0)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, (0, 0)), (5, (0, 1)), (12 * 60, (0, 12)), (3720, (1, 2)), (7300, (2, 0)), (9000, (2, 30)),
     (9100, (2, 30)), (36000, (10, 0))],
)  # fmt: skip
def test_a_forecast_claims_no_more_than_it_knows(seconds: float, said: tuple[int, int]) -> None:
    """To the minute below two hours, to five minutes above; never nothing while work is left."""
    assert hours_and_minutes(seconds) == said


# progress


def progress(ws: Workspace) -> tuple[PassProgress, ...]:
    """Return how far the passes are."""
    return study_progress(ws, load_study(ws, STUDY), CARDS)


def test_a_pass_goes_through_its_states(tmp_path: Path) -> None:
    """Not started, in progress, locked, reopened, withdrawn: with times, and counts throughout."""
    ws = coding_study(tmp_path)
    assert [each.state for each in progress(ws)] == ["not_started", "not_started"]
    code(ws, "ada", "E E? - . . .", lock=False)
    first, second = progress(ws)
    assert (first.state, second.state) == ("in_progress", "not_started")
    assert (first.decided, first.skipped, first.unsure, first.open) == (2, 1, 1, 3)
    walk = Walk(ws, STUDY, "ada", origin="cli")
    for card in CARDS[3:]:
        say(walk, card, "N")
    lock = walk.lock(click_id=click())
    first, _second = progress(ws)
    assert (first.state, first.lock_time, first.open) == ("locked", lock.time, 0)
    assert first.lock_digest == lock.details["digest"]
    study = load_study(ws, STUDY)
    round_, each = study.find_pass("ada")
    reopen(ws, study, round_, each, "a card was wrong")
    first, _second = progress(ws)
    assert (first.state, first.last) == ("in_progress", lock.time)  # the lead's act is not ada's
    withdraw(ws, study, round_, each)
    first, _second = progress(ws)
    assert first.state == "withdrawn"
    assert effective_decisions(pass_records(ws, study, each)) == {}
    assert (first.decided, first.seconds_left) == (5, None)


def test_a_forecast_is_there_while_cards_are_open(tmp_path: Path) -> None:
    """Three cards done give a pace and a forecast; a script reads both."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E N . . .", lock=False)
    first, second = progress(ws)
    assert first.pace is not None
    assert first.seconds_left == pytest.approx(first.pace.seconds)
    assert (second.pace, second.seconds_left) == (None, None)
    data = first.as_json()
    assert data["state"] == "in_progress"
    assert data["cards_per_hour"] > 0
    assert data["seconds_left"] is not None


def test_every_pass_is_counted_over_its_own_cards(tmp_path: Path) -> None:
    """With cards given out, a pass is done when its own are."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E N . . .", lock=False)
    given = {"first": CARDS[:3], "second": CARDS[3:]}
    first, second = study_progress(ws, load_study(ws, STUDY), given)
    assert (first.decided, first.total, first.open) == (3, 3, 0)
    assert (second.decided, second.total, second.open) == (0, 3, 3)


def test_an_unchanged_ledger_is_read_once(tmp_path: Path) -> None:
    """The board looks every few seconds: the same records come back until the file grows."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E N . . .", lock=False)
    study = load_study(ws, STUDY)
    ledgers = PassLedgers(ws, study)
    each = study.rounds[0].passes[0]
    before = ledgers.records(each)
    assert ledgers.records(each) is before
    say(Walk(ws, STUDY, "ada", origin="cli"), CARDS[3], "N")
    assert len(ledgers.records(each)) == len(before) + 1


def test_progress_says_no_label_no_note_and_no_answer(tmp_path: Path) -> None:
    """All that the counts say can be said to anybody."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "Abstain QE R . . .", lock=False)
    said = json.dumps([each.as_json() for each in progress(ws)])
    for word in ("Abstain", "QE", "breaks off", "rationale", "evidence"):
        assert word not in said
