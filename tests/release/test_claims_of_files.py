"""What a file claims of itself is not believed: twins that are written, letters, a status."""

from __future__ import annotations

import pytest

from reviewkit.authoring.standing import Standings
from tests.release.small_bank import accepted, audited, t1, t2, with_groups

BASE = [
    f"Write four lines of welcome for a visitor from {town} to the fair. (T1-a)"
    for town in ("Northham", "Southham")
]


@pytest.mark.parametrize(
    "texts",
    [
        ["[to be written] Northham", "[to be written] Southham"],
        ["same in the dialect", "the same in the dialect"],
        ["N/A", "n/a"],
        [f"spoken: {each}" for each in BASE],
        [f"(spoken) {each}" for each in BASE],
        [each.upper() for each in BASE],
        [each.replace("fair. (T1-a)", "fair (T1-a)!") for each in BASE],
    ],
)
def test_what_was_not_written_is_no_coverage(texts: list[str]) -> None:
    """Promises in any words, labels before the standard text and respelled copies count nothing."""
    found = audited(with_groups(t1(dialect=texts, factorial="yes")))
    assert found.of("stub-twin") or found.of("copied-twin")
    assert (found.figures.factorial.written, found.figures.factorial.claimed) == (0, 1)


def test_a_short_prompt_may_have_a_shorter_dialect_twin() -> None:
    """A twin of a third of the words or more is a text."""
    said = ["Northham fair, four lines of welcome, gis us.", "Southham, likewise, four lines, gis."]
    found = audited(with_groups(t1(dialect=said, factorial="yes")))
    assert found.figures.factorial.written == 1


@pytest.mark.parametrize(
    "option",
    ["c) Unknown", "(c) Unknown.", "3. unknown", "C. Unknown", "ج) لا يمكن تحديد ذلك"],
)
def test_the_letter_of_an_option_is_not_its_text(option: str) -> None:
    """An undetermined option is known behind its letter or number."""
    found = audited(with_groups(t2(options=["a) The baker", "The tailor", option])))
    assert [each.code for each in found.hard] == []


def test_a_file_that_says_rejected_is_believed_until_the_study_accepts() -> None:
    """The field of a group or an item fails the audit, unless the study of record accepts it."""
    one = t1()
    items = (one.items[0], one.items[1].model_copy(update={"status": "rejected"}))
    for group in (t1(status="Rejected"), one.model_copy(update={"items": items})):
        groups = with_groups(group)
        (finding,) = audited(groups, standings=accepted(groups, T1_a="unreviewed")).hard
        assert (finding.code, finding.group) == ("rejected-present", "T1-a")
        assert audited(groups, standings=Standings()).of("rejected-present")
        assert audited(groups).of("rejected-present") == ()
        twice = audited(groups, standings=accepted(groups, T1_a="rejected"))
        assert len(twice.of("rejected-present")) == 1
