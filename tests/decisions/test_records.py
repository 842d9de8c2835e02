"""What must hold of every record."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from reviewkit.decisions import NOTE_LIMIT

YES = {"one_variable": "yes", "same_length": "yes"}


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ({"verdict": "accepted"}, "contradicts 1 failed checks"),
        ({"answers": YES}, "contradicts 0 failed checks"),
        ({"verdict": None}, "contradicts"),
        ({"note": ""}, "needs a note"),
        ({"note": " \u200c\u00a0\n"}, "needs a note"),
        ({"note": "x" * (NOTE_LIMIT + 1)}, "at most 20000"),
        ({"escalated": True}, "an escalated decision is a rejected one"),
        ({"answers": {"one_variable": "no"}}, "answers every asked check"),
        ({"asked": (), "answers": {}}, "at least one check"),
        ({"asked": ("one_variable", "one_variable"), "answers": {"one_variable": "no"}}, "once"),
        ({"answers": {"one_variable": "maybe", "same_length": "yes"}}, "yes and no alone"),
        ({"form_digest": None}, "names its card, its form"),
        ({"seconds": float("nan")}, "seconds"),
        ({"rater": "../amal"}, "rater"),
        ({"click_id": "short"}, "click_id"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_decision_cannot_contradict_itself(entry, over, said):
    """A decision that contradicts its own answers, or lacks its note, cannot be made."""
    with pytest.raises(ValidationError, match=said):
        entry(**over)


@pytest.mark.parametrize(
    ("kind", "over", "said"),
    [
        ("skip", {"card_id": None}, "names its card"),
        ("skip", {"answers": YES}, "no answers"),
        ("skip", {"verdict": "accepted"}, "no verdict"),
        ("reopen", {"reason": "\u200f "}, "needs a reason"),
        ("unblinding", {}, "needs a reason"),
        ("exclusion", {}, "needs a reason"),
        ("lock", {"details": {"digest": "none"}}, "carries the digest"),
    ],
)
def test_other_kinds_say_only_their_own(entry, kind, over, said):
    """A record of another kind has no verdict, and a reason or a digest where its kind asks."""
    with pytest.raises(ValidationError, match=said):
        entry(kind, **over)
