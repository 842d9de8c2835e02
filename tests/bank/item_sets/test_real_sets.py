"""The real extracts, where the shared folder is present: every row is kept or named."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from reviewkit.bank import Bank, Group
from reviewkit.bank.item_sets.reading import read_items
from reviewkit.bank.item_sets.settled import Asked
from reviewkit.bank.item_sets.taken import Taken
from reviewkit.bank.taxonomy import Taxonomy
from reviewkit.cards import card_from_group

from .conftest import ASKED

SHARED = Path(__file__).parents[4] / "shared" / "data" / "items"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not here")


def read(name: str, taxonomy: Taxonomy, asked: Asked = ASKED) -> Taken:
    """Read one extract; no row may get lost."""
    taken = read_items([(SHARED / name, name)], taxonomy, asked)
    assert taken.kept + len(taken.left_out) == taken.rows
    Bank(taken.groups, taxonomy)  # ids differ
    return taken


@pytest.mark.parametrize(
    ("name", "known_as", "rows", "left_out", "groups", "items"),
    [
        ("bbq_Age_first200.jsonl", "bbq", 200, 0, 50, 200),
        ("bbq_Disability_edge_rows.jsonl", "bbq", 92, 0, 23, 92),
        ("crows_pairs_300.csv", "crows-pairs", 300, 0, 300, 600),
        ("kobbq_test_300.tsv", "kobbq", 300, 8, 73, 292),
        ("winogender_templates.tsv", "winogender", 120, 0, 240, 720),
        ("xstest_prompts_300.csv", "xstest", 300, 50, 125, 250),
    ],
)
def test_an_extract_is_recognised_and_counted(
    name: str, known_as: str, rows: int, left_out: int, groups: int, items: int,
    taxonomy: Taxonomy,
) -> None:  # fmt: skip
    """The content says which set it is, and the counts are those of the file."""
    taken = read(name, taxonomy)
    assert (taken.name, taken.rows, len(taken.left_out)) == (known_as, rows, left_out)
    assert len(taken.groups) == groups
    assert sum(len(group.items) for group in taken.groups) == items


def test_what_is_left_out_is_said(taxonomy: Taxonomy) -> None:
    """A backspace in Korean contexts and prompts without a contrast are the reasons."""
    reasons = Counter(each.reason for each in read("kobbq_test_300.tsv", taxonomy).left_out)
    assert all("U+0008" in reason for reason in reasons)
    reasons = Counter(each.reason for each in read("xstest_prompts_300.csv", taxonomy).left_out)
    assert sorted(reasons.values()) == [25, 25]


def test_masks_of_every_kind_with_values(taxonomy: Taxonomy) -> None:
    """Only kinds with declared values become groups."""
    asked = Asked(category="value-laden", fills={"Beverage": ("القهوة", "الشاي")})
    taken = read("camel_co_masked_300.xlsx", taxonomy, asked)
    assert (taken.name, taken.rows, len(taken.groups)) == ("camel", 250, 22)
    assert all("no two values for" in each.reason for each in taken.left_out)


def test_edge_spaces_stay(taxonomy: Taxonomy) -> None:
    """Options of BBQ keep the spaces at their edges."""
    groups = read("bbq_Disability_edge_rows.jsonl", taxonomy).groups
    options = {option for group in groups for item in group.items for option in item.options}
    assert "The friend " in options
    assert {group.disambig_direction for group in groups} == {"not_given"}


def test_defective_pairs_are_for_the_card_to_mark(taxonomy: Taxonomy) -> None:
    """Pairs with several spans show undeclared differences, minimal pairs show none."""
    groups = read("crows_pairs_300.csv", taxonomy).groups
    several = [group for group in groups if "changed spans" in str(group.notes)]
    marked = {group.template_id for group in groups if _differs(group, taxonomy)}
    assert len(several) == 109
    assert {group.template_id for group in several} <= marked
    assert len(marked) == 119  # ten more differ in white space or signs beside their one span


def _differs(group: Group, taxonomy: Taxonomy) -> bool:
    return "undeclared_differences" in card_from_group(group, taxonomy, "").findings
