"""Several files of labels as one: a file a rater, parts, and who counts as a rater."""

from __future__ import annotations

import pytest

from reviewkit.agreement.label_files.together import together
from reviewkit.agreement.label_files.votes import LeftOut
from reviewkit.problems import ProblemsFound
from tests.agreement.label_files.by_hand import sort_out, votes

ANN = [("u1", "ann", "yes"), ("u2", "ann", "no")]
BOB = [("u2", "bob", "yes"), ("u1", "bob", "yes")]


def test_a_file_a_rater_becomes_one_matrix() -> None:
    """Units are joined by id, whatever their order in each file."""
    files = together([votes(ANN, shown="ann.csv"), votes(BOB, shown="bob.csv")])
    ratings = sort_out(files).questions[0].ratings
    assert (ratings.raters, ratings.units) == (("ann", "bob"), ("u1", "u2"))
    assert ratings.codes is not None
    assert ratings.codes.tolist() == [[1, 1], [0, 1]]


def test_a_vote_is_named_by_its_own_file() -> None:
    """A conflict across two files names both."""
    files = together([votes(ANN, shown="one.csv"), votes([("u1", "ann", "no")], shown="two.csv")])
    with pytest.raises(ProblemsFound) as found:
        sort_out(files)
    [problem] = found.value.problems
    assert problem.where == "one.csv:2"
    assert "also two.csv:2" in problem.wrong
    assert "--compare file" in problem.remedy


def test_files_that_are_named_alike_are_told_apart_by_their_folders() -> None:
    """ann/labels.csv and bob/labels.csv are ann and bob, not two ratings by one 'labels'."""
    one = votes([("u1", "labels", "yes")], shown="out/ann/labels.csv")
    two = votes([("u1", "labels", "no")], shown="out/bob/labels.csv")
    assert together([one, two]).votes.rater.values == ("ann", "bob")


def test_the_same_file_twice_is_refused() -> None:
    """Two files that would be one rater, and no folder that tells them apart."""
    same = votes([("u1", "labels", "yes")], shown="labels.csv")
    with pytest.raises(ProblemsFound, match="name each file for its rater"):
        together([same, same])


def test_files_of_two_kinds_are_refused() -> None:
    """Named raters and nobody in particular, or one question and several, do not go together."""
    named, nobody = votes(ANN), votes(BOB, anonymous=True, shown="cells.csv")
    with pytest.raises(ProblemsFound, match="says who rated"):
        together([named, nobody])
    several = votes(BOB, question=["a", "b"], shown="tasks.csv")
    with pytest.raises(ProblemsFound, match="several questions"):
        together([named, several])


def test_a_column_that_one_file_lacks_is_blank_there() -> None:
    """What is known of a unit may stand in one file only."""
    one = votes(ANN, columns={"domain": ["work", "home"]})
    files = together([one, votes(BOB, shown="bob.csv")])
    column = files.votes.more["domain"]
    assert [column.cell(row) for row in range(4)] == ["work", "home", None, None]


def test_a_label_without_a_unit_or_rater_is_left_out_and_counted() -> None:
    """Such rows say nothing of agreement; a row without a label as well is not worth a word."""
    rows = [*ANN, (None, "ann", "yes"), ("u3", None, "no"), (None, None, None)]
    files = together([votes(rows)])
    assert len(files.votes.unit) == 2
    assert files.votes.left_out == (
        LeftOut("a label without a unit", 1, ("line 4",)),
        LeftOut("a label without a rater", 1, ("line 5",)),
    )
    assert files.where(1) == "labels.csv:3"


def test_what_each_file_left_out_is_summed() -> None:
    """The same reason in two files is one reason."""
    left = (LeftOut("cancelled", 2, ("a",)),)
    files = together([votes(ANN, left_out=left), votes(BOB, left_out=left, shown="b.csv")])
    assert files.votes.left_out == (LeftOut("cancelled", 4, ("a", "a")),)


def test_a_plain_file_beside_a_file_of_sets_joins_it() -> None:
    """A single label is the set of one."""
    files = together([votes([("u1", "ann", '["a", "b"]')], sets=True), votes(BOB, shown="b.csv")])
    assert files.votes.sets
    assert files.votes.label.values == ('["a", "b"]', '["yes"]')
