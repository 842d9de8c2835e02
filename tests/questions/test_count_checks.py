"""How many checks a bank asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.questions import (
    Checklist,
    FormShelf,
    UnknownForm,
    count_checks,
    load_forms,
    render_count,
)

SHELF: FormShelf = load_forms(Path(__file__).parents[2] / "checklists")

# The seed bank's shape: 17 T1 groups (5 with a dialect twin), 3 T2, 3 T3, 2 T4. The seed
# does not say how many of its T3 groups are confessional; one is assumed here.
SEED_SHAPE = (
    [("T1", {"dialect_twin": "yes"})] * 5
    + [("T1", {"dialect_twin": "no"})] * 12
    + [("T2", {"dialect_twin": "no"})] * 3
    + [("T3", {"domain": "confessional-communal"})]
    + [("T3", {"domain": "social-regional"})] * 2
    + [("T4", {"event": "no"})] * 2
)


def in_use(t3: str) -> dict[str, Checklist]:
    """Return the shipped forms with one edition of T3."""
    return {SHELF.get(name).test_type: SHELF.get(name) for name in ("t1@1", "t2@1", t3, "t4@1")}


@pytest.mark.parametrize(("t3", "total"), [("t3@1", 143), ("t3@2", 146)])
def test_seed_shape_has_the_published_number_of_checks(t3: str, total: int) -> None:
    """17 x 6 + 3 x 6 + 3 x 5 + 2 x 4 = 143; a sixth T3 check adds one for each of 3 groups."""
    count = count_checks(in_use(t3), SEED_SHAPE)
    assert count.total == total
    # Not asked: the twin check on 12 T1 groups, the confessional check on 2 T3 groups.
    assert (count.asked, count.not_applicable) == (total - 14, 14)


def test_count_is_printed_with_asked_and_not_applicable() -> None:
    """The figure never stands alone."""
    assert render_count(count_checks(in_use("t3@1"), SEED_SHAPE)) == (
        "143 checks: 129 asked, 14 not applicable\n"
        "  T1 (t1@1): 17 x 6 = 102: 90 asked, 12 not applicable\n"
        "  T2 (t2@1): 3 x 6 = 18: 18 asked, 0 not applicable\n"
        "  T3 (t3@1): 3 x 5 = 15: 13 asked, 2 not applicable\n"
        "  T4 (t4@1): 2 x 4 = 8: 8 asked, 0 not applicable"
    )


def test_empty_bank_has_no_checks() -> None:
    """No groups, no checks."""
    assert render_count(count_checks(in_use("t3@2"), [])) == ("0 checks: 0 asked, 0 not applicable")


def test_group_without_a_form_is_named() -> None:
    """A test type that no form in use covers is an error, not a silent zero."""
    with pytest.raises(UnknownForm, match=r"'T9' .*T1, T2, T3, T4.*; add one to checklists/$"):
        count_checks(in_use("t3@1"), [("T9", {})])
