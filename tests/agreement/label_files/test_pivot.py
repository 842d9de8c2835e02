"""Votes into a matrix: nothing lost, nothing counted twice, the same as a plain dictionary."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.agreement.label_files import pivot as pivot_module
from reviewkit.problems import ProblemsFound
from tests.agreement.label_files.by_hand import Vote, side_by_side, sort_out, votes

FIVE = [
    ("u1", "ann", "yes"), ("u1", "bob", "no"), ("u2", "ann", "yes"), ("u2", "bob", None),
    ("u3", "bob", "no"),
]  # fmt: skip


def labels_of(rows: list[Vote], **asked: object) -> dict[tuple[str, str], str]:
    """Return (unit, rater) -> label, as the matrix holds it."""
    [question] = sort_out(votes(rows), **asked).questions
    ratings = question.ratings
    assert ratings.codes is not None
    return {
        (unit, rater): ratings.categories[code]
        for unit, row in zip(ratings.units, ratings.codes.tolist(), strict=True)
        for rater, code in zip(ratings.raters, row, strict=True)
        if code >= 0
    }


def test_a_blank_cell_is_no_rating() -> None:
    """The unit and the rater of a blank cell are known, and it counts as blank."""
    found = sort_out(votes(FIVE))
    ratings = found.questions[0].ratings
    assert ratings.units == ("u1", "u2", "u3")
    assert ratings.raters == ("ann", "bob")
    assert ratings.codes is not None
    assert ratings.codes.tolist() == [[1, 0], [1, -1], [-1, 0]]
    assert found.pivots[0].blank == 1


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["u1", "u2", "u3", "007", "7"]),
            st.sampled_from(["ann", "bob", "carl"]),
            st.sampled_from(["yes", "no", "NA", "None", "nan", None]),
        ),
        max_size=25,
        unique_by=lambda vote: vote[:2],
    ).filter(lambda rows: any(label not in (None, "NA") for _, _, label in rows))
)
def test_the_matrix_is_what_a_dictionary_would_hold(rows: list[Vote]) -> None:
    """Any votes come out as they went in; only blank cells and declared codes do not."""
    expected = {
        (unit, rater): label for unit, rater, label in rows if label is not None and label != "NA"
    }
    assert labels_of(rows, missing="NA") == expected


def test_the_same_label_twice_counts_once() -> None:
    """A double click stores two equal answers; one stays, and the other is counted."""
    rows = [*FIVE, ("u1", "ann", "yes"), ("u1", "ann", "yes")]
    assert sort_out(votes(rows)).pivots[0].doubled == 2
    assert labels_of(rows) == labels_of(FIVE)


def test_labels_that_only_differ_in_spelling_are_no_conflict_once_folded() -> None:
    """Yes and 'yes ' by one rater on one unit are the same label under --fold."""
    rows = [("u1", "ann", "Yes"), ("u1", "ann", "yes "), ("u1", "bob", "Yes")]
    with pytest.raises(ProblemsFound):
        sort_out(votes(rows))
    assert labels_of(rows, fold=True) == {("u1", "ann"): "Yes", ("u1", "bob"): "Yes"}


def test_two_labels_of_one_rater_stop_with_the_list() -> None:
    """Every such unit is named with both labels and both places."""
    rows = [*FIVE, ("u1", "ann", "no"), ("u3", "bob", "yes")]
    with pytest.raises(ProblemsFound) as found:
        sort_out(votes(rows))
    choose = "keep one of them, or choose --repeats last or --repeats first"
    assert [str(each) for each in found.value.problems] == [
        f"labels.csv:2: 'ann' gave 'u1' 'yes' and 'no' (also labels.csv:7); {choose}",
        f"labels.csv:6: 'bob' gave 'u3' 'no' and 'yes' (also labels.csv:8); {choose}",
    ]


def test_a_long_list_of_conflicts_is_cut_and_counted() -> None:
    """Of fifty conflicts twenty stand there, and the last says how many more there are."""
    rows = [(f"u{at}", "ann", label) for at in range(50) for label in ("yes", "no")]
    with pytest.raises(ProblemsFound) as found:
        sort_out(votes(rows))
    assert len(found.value.problems) == 20
    assert "(30 more like it)" in found.value.problems[-1].wrong


def test_a_column_that_tells_two_ratings_apart_is_named() -> None:
    """Two rounds in one file are no repetition, and the message says which column knows."""
    rows = [("u1", "ann", "yes"), ("u1", "ann", "no"), ("u1", "bob", "no")]
    with pytest.raises(ProblemsFound, match="--compare round"):
        sort_out(votes(rows, columns={"note": ["x", "x", "y"], "round": ["1", "2", "1"]}))


@pytest.mark.parametrize(("repeats", "kept"), [("last", "no"), ("first", "yes")])
def test_last_or_first_one_wins_only_when_asked(repeats: str, kept: str) -> None:
    """The order of the file decides, and the ratings that gave way are counted."""
    rows = [*FIVE, ("u1", "ann", "yes"), ("u1", "ann", "no")]
    assert labels_of(rows, repeats=repeats)["u1", "ann"] == kept
    pivoted = sort_out(votes(rows), repeats=repeats).pivots[0]
    assert (pivoted.decided, pivoted.doubled) == (2, 0)


def test_a_crowd_is_counted_and_never_compared_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many raters for a column each: counts per unit, each rater still once a unit."""
    rows = [*FIVE, ("u1", "ann", "yes"), ("u1", "carl", "yes")]
    monkeypatch.setattr(pivot_module, "MOST_RATERS", 2)
    found = sort_out(votes(rows))
    ratings = found.questions[0].ratings
    assert ratings.raters == ()
    assert ratings.counts is not None
    assert ratings.categories == ("no", "yes")
    assert ratings.counts.tolist() == [[1, 2], [0, 1], [1, 0]]
    assert (found.pivots[0].crowd, found.pivots[0].doubled) == (3, 1)
    with pytest.raises(ProblemsFound, match="'ann' gave 'u1'"):
        sort_out(votes([*rows, ("u1", "ann", "no")]))


def test_ratings_of_nobody_in_particular_are_counted() -> None:
    """Places in a cell are no raters, so only counts per unit remain."""
    rows = [("u1", "1", "a"), ("u1", "2", "a"), ("u1", "3", "b"), ("u2", "1", "b")]
    ratings = sort_out(votes(rows, anonymous=True)).questions[0].ratings
    assert ratings.raters == ()
    assert ratings.counts is not None
    assert ratings.counts.tolist() == [[2, 1], [0, 1]]


def test_skips_and_missing_codes_are_counted_apart() -> None:
    """A skip is the rater's, a missing code the file's, and neither is a rating."""
    rows = [*FIVE, ("u4", "ann", "skip"), ("u5", "ann", "NA"), ("u4", "bob", "yes")]
    pivoted = sort_out(votes(rows), skipped="skip", missing="NA").pivots[0]
    assert pivoted.skipped == {"ann": 1}
    assert pivoted.missing == {"NA": 1}
    assert pivoted.ratings.categories == ("no", "yes")
    assert len(pivoted.ratings.units) == 5


def test_ids_are_text() -> None:
    """007 and 7, 1E+05 and 100000 are four units."""
    rows = [(unit, "ann", "x") for unit in ("007", "7", "1E+05", "100000")]
    assert labels_of(rows) == {(unit, "ann"): "x" for unit, _, _ in rows}


def test_questions_stand_apart_with_their_own_categories() -> None:
    """Each question has its labels, its raters and its units."""
    rows = [("u1", "ann", "yes"), ("u1", "ann", "5"), ("u1", "bob", "no"), ("u2", "carl", "4")]
    found = sort_out(votes(rows, question=["ok", "score", "ok", "score"]))
    first, second = (each.ratings for each in found.questions)
    assert (first.question, first.categories, first.raters) == ("ok", ("no", "yes"), ("ann", "bob"))
    assert (second.question, second.categories) == ("score", ("4", "5"))
    assert (second.units, second.raters) == (("u1", "u2"), ("ann", "carl"))


def test_a_question_without_any_label_is_left_out_and_told() -> None:
    """A column that nobody filled is no question."""
    rows = [("u1", "ann", "yes"), ("u1", "ann", None)]
    found = sort_out(votes(rows, question=["ok", "note"]))
    assert [each.ratings.question for each in found.questions] == ["ok"]
    assert found.dropped == ("'note' has no label and is left out.",)


def test_no_vote_takes_a_step_of_python() -> None:
    """Votes become a matrix without a call for each of them, so a million take no time."""
    units, raters = 2_000, 5
    codes = np.random.default_rng(1).integers(0, 4, (units, raters))
    wide = side_by_side(
        {f"u{at}": tuple(f"c{code}" for code in row) for at, row in enumerate(codes.tolist())},
        tuple("abcde"),
    )
    calls = 0

    def counted(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(counted)
    try:
        ratings = sort_out(wide).questions[0].ratings
    finally:
        sys.setprofile(None)
    assert ratings.codes is not None
    assert ratings.codes.tolist() == codes.tolist()
    assert calls < units
