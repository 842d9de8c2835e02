"""Which votes are those of people."""

from __future__ import annotations

import pytest

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.people import of_people
from reviewkit.agreement.label_files.together import together
from reviewkit.problems import ProblemsFound
from tests.agreement.label_files.by_hand import votes

PEOPLE = [("u1", "ann", "yes"), ("u1", "bob", "no"), ("u2", "ann", "yes"), ("u2", "bob", "yes")]


def test_only_the_raters_asked_for_count() -> None:
    """The others are set aside by name; one who has no vote is refused, with those who do."""
    files = together([votes([*PEOPLE, ("u1", "carl", "no")])])
    kept = of_people(files, Asked.of(raters=("ann", "bob"))).votes
    assert kept.rater.values == ("ann", "bob")
    assert kept.raters_set_aside == {"carl": "it is not among --raters"}
    with pytest.raises(ProblemsFound, match=r"--raters zoe: .* use ann, bob, carl"):
        of_people(files, Asked.of(raters=("ann", "zoe")))
    with pytest.raises(ProblemsFound, match="did you mean 'carl'"):
        of_people(files, Asked.of(raters=("ann", "karl")))


def test_a_rater_who_settled_is_none() -> None:
    """A name that says gold, or is declared gold, is set aside unless --raters names it."""
    files = together([votes([*PEOPLE, ("u1", "expert", "no"), ("u1", "majority", "no")])])
    kept = of_people(files, Asked.of(gold="expert"))
    assert kept.votes.rater.values == ("ann", "bob")
    assert kept.votes.raters_set_aside == {
        "expert": "it is declared gold", "majority": "its name says 'majority'",
    }  # fmt: skip
    assert kept.where(3) == "labels.csv:5"
    chosen = of_people(files, Asked.of(raters=("ann", "majority")))
    assert chosen.votes.rater.values == ("ann", "majority")


def test_what_nobody_is_left_to_say_leaves_the_columns() -> None:
    """Units and labels of those who are set aside are no units and labels of the file."""
    files = together([votes([*PEOPLE, ("u9", "gold", "perhaps")])])
    kept = of_people(files, Asked()).votes
    assert kept.unit.values == ("u1", "u2")
    assert kept.label.values == ("yes", "no")


def test_nobody_named_is_nobody_to_choose() -> None:
    """Places in a cell have no names, so --raters cannot mean any of them."""
    files = together([votes(PEOPLE, anonymous=True)])
    assert of_people(files, Asked()) is files
    with pytest.raises(ProblemsFound, match="does not say who gave a rating"):
        of_people(files, Asked.of(raters="ann"))
