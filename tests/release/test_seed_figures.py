"""The figures that the field test of the protocol prints, computed by the audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.bank import Group, load_bank, load_taxonomy
from reviewkit.bank.item_sets.bbq import read_bbq
from reviewkit.bank.plan import Plan, load_plan
from reviewkit.release import audit
from reviewkit.release.audit import figures
from reviewkit.release.freeze import certificate_page, freeze
from reviewkit.release.layers import seal
from reviewkit.release.layout import as_text
from reviewkit.release.positions import uniformity
from reviewkit.release.sizes import pairs_in
from reviewkit.workspace import Workspace
from tests.release.freeze import clean_bank
from tests.release.small_bank import audited, material, spoken, t1, t2, t3, t4

ROOT = Path(__file__).parents[2]
SHARED = Path(__file__).parents[3] / "shared" / "data" / "items"
TOWNS = ("Northham", "Southham", "Eastham", "Westham")
STUBS = ("[to be written: Northham]", "[to be written: Southham]")
BANDS = ("innocuous", "creative", "civic")


def after_review() -> tuple[Group, ...]:
    """Return a bank like the seed after the review: 24 groups, no dialect twin written."""
    pairs = [t1(f"T1-{n}", dialect=STUBS if n < 5 else None) for n in range(16)]
    choices = [t2(f"T2-{n}", at=n + 1, direction="with") for n in range(3)]
    refusals = [t3(f"T3-{n}", theme="disputes") for n in range(3)]
    return (*pairs, *choices, *refusals, t4("T4-0"), t4("T4-1"))


def after_authoring() -> tuple[Group, ...]:
    """Return a bank like the one after the batches: 201 items on 73 groups.

    One of 32 counterfactual templates carries four communities; it and 29 others have twins.
    """
    pairs = [
        t1(f"T1-{n}", values, dialect=spoken(f"T1-{n}", values) if n < 30 else None)
        for n, values in enumerate([TOWNS, *([TOWNS[:2]] * 31)])
    ]
    choices = [
        t2(f"T2-{n}", at=(2, 3, 1)[n % 3] if n < 15 else 2, direction=("with", "against")[n % 2])
        for n in range(16)
    ]
    refusals = [t3(f"T3-{n}", band=BANDS[(1, 2, 0)[n % 3]]) for n in range(16)]
    return (*pairs, *choices, *refusals, *(t4(f"T4-{n}") for n in range(9)))


def test_five_six_five_is_balanced() -> None:
    """Positions 5, 6 and 5 give a chi-square of .125 on two degrees, p .939."""
    found = uniformity([5, 6, 5])
    assert found is not None
    assert (found.chi_square, found.freedom) == (0.125, 2)
    assert found.p == pytest.approx(0.939413, abs=1e-6)
    assert not found.is_rough


@pytest.mark.parametrize(
    "counts",
    [[1, 2, 3, 4], [10, 0], [7, 7, 7], [40, 41, 60], [9, 1, 4, 4, 2, 8], list(range(1, 10))],
)
def test_chi_square_is_that_of_scipy(counts: list[int]) -> None:
    """The figure and its chance are those of the library's own test."""
    from scipy.stats import chisquare

    found, expected = uniformity(counts), chisquare(counts)
    assert found is not None
    assert found.chi_square == pytest.approx(expected.statistic, abs=1e-12)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-12)


def test_nothing_is_spread_over_no_position() -> None:
    """Without a count, or with one position, there is no figure."""
    assert uniformity([0, 0, 0]) is None
    assert uniformity([4]) is None


def test_the_seed_has_58_items_on_25_groups() -> None:
    """The demo bank: 44, 6, 6 and 2 items, 17, 3, 3 and 2 groups, 36, 12 and 10 by domain."""
    found = audit(Workspace(ROOT))
    parts = found.figures.parts
    assert (found.figures.items, found.groups) == (58, 25)
    for test_type, groups, items in (("T1", 17, 44), ("T2", 3, 6), ("T3", 3, 6), ("T4", 2, 2)):
        mine = [part for part in parts if part.test_type == test_type]
        assert (sum(p.groups for p in mine), sum(p.items for p in mine)) == (groups, items)
    domains = ("social-regional", "confessional-communal", "historical-political")
    sums = [sum(part.items for part in parts if part.domain == name) for name in domains]
    assert sums == [36, 12, 10]


def test_stub_twins_make_the_coverage_zero_and_not_twenty_percent() -> None:
    """Five of 25 groups claim a dialect twin, which would be 20 %; written are none."""
    groups = (*after_review(), t1("T1-16"))
    found = figures(material(groups)).factorial
    assert (found.claimed, found.groups) == (5, 25)
    assert found.written == 0
    assert len(audited(groups).of("stub-twin")) == 5


def test_the_worklist_after_the_review() -> None:
    """No hard violation; 0 of 24 factorial, 3:0 with the stereotype, one of three bands."""
    found = audited(after_review(), plan=Plan())
    assert found.passed
    assert found.of("factorial-share")[0].said == "0 of 24 groups, band 40 to 50 %"
    assert found.of("direction-parity")[0].said == "3:0"
    assert found.figures.gradient.bands_used == 1
    assert [each.said for each in found.of("band-empty")] == ["creative", "civic"]
    assert found.of("theme-monoculture")[0].said == "disputes in 3 of 3 groups"


def test_the_bank_after_the_batches() -> None:
    """201 items on 73 groups; 30 with twins are 41 %, inside the band; 37 pairs; 8:8; 5, 6, 5."""
    found = audited(after_authoring(), plan=Plan())
    counted = found.figures
    assert (counted.items, found.groups) == (201, 73)
    assert (counted.factorial.written, counted.factorial.groups) == (30, 73)
    assert round(100 * 30 / 73) == 41
    assert counted.factorial.is_within
    templates = {part.test_type: part.groups for part in counted.parts}
    assert templates == {"T1": 32, "T2": 16, "T3": 16, "T4": 9}
    assert sum(part.pairs for part in counted.parts if part.test_type == "T1") == 37
    assert sum(part.pairs for part in counted.parts if part.test_type == "T3") == 16
    assert (counted.directions.with_, counted.directions.against) == (8, 8)
    assert tuple(counted.gradient.bands.values()) == (5, 6, 5)
    assert counted.positions[0].blocks.counts == (5, 6, 5)
    assert counted.positions[0].blocks.chi_square == 0.125
    assert [each.code for each in found.hard] == []
    for code in ("factorial-share", "direction-parity", "position-balance", "band-empty"):
        assert found.of(code) == ()


def test_a_certificate_of_the_bank_after_the_batches(tmp_path: Path) -> None:
    """Frozen, it certifies 201 items on 73 groups, 41 %, 8:8, 37 and 16 pairs, bands 5, 6, 5."""
    ws = clean_bank.lay(tmp_path / "project", after_authoring())
    ws.plan.write_text("factorial: {at_least: 40, at_most: 50}\n", encoding="utf-8")
    for rater in ("amal", "badr"):
        clean_bank.review(ws, rater)
    layers = seal(ws, load_bank(ws), seed="harvest")
    made = freeze(ws, "one", name="amal").certificate
    counts = made.counts
    assert (counts.items, counts.groups) == (201, 73)
    assert [(each.part, each.groups, each.pairs) for each in counts.test_types] == [
        ("T1", 32, 37), ("T2", 16, 0), ("T3", 16, 16), ("T4", 9, 0)
    ]  # fmt: skip
    assert {each.part: each.groups for each in counts.bands} == {
        "innocuous": 5, "creative": 6, "civic": 5
    }  # fmt: skip
    assert (counts.directions.with_, counts.directions.against) == (8, 8)
    assert (counts.factorial.written, counts.factorial.groups, counts.factorial.within) == (
        30, 73, True
    )  # fmt: skip
    assert made.layers is not None
    assert made.layers.items == 201
    assert made.layers.sealed_items == layers.sealed_items >= 101
    page = certificate_page(made)
    for said in (
        "201 items on 73 groups, frozen on ",
        "with and against the stereotype: 8:8, half and half; 0 neither way, 0 not given.",
        "Factorial groups: 30/73 (41.1 %), within 40 to 50 %.",
        "| creative | 6 | 12 | 6 |",
        "Every group is accepted, by first 73.",
    ):
        assert said in page


def test_the_row_wise_chi_square_is_twice_as_large_and_named_misleading() -> None:
    """Each ambiguous text and its twin share one draw: 10, 12, 10 rows give .250, not .125."""
    each = figures(material(after_authoring())).positions[0]
    assert each.rows.counts == (10, 12, 10)
    assert each.rows.chi_square == 2 * each.blocks.chi_square
    text = " ".join(as_text(audited(after_authoring())).split())
    assert "5, 6, 5 (chi-square 0.125 on 2 degrees of freedom, p 0.939) over 16 blocks" in text
    assert "Misleading: row by row it would be 10, 12, 10 (chi-square 0.250" in text


def test_four_rows_of_a_block_are_one_draw() -> None:
    """Twelve draws 2, 3, 7 are no finding; as 48 rows they would look far from chance."""
    groups = [t2(f"T2-{n}", at=at, rows=4) for n, at in enumerate([1] * 2 + [2] * 3 + [3] * 7)]
    found = audited(groups)
    each = found.figures.positions[0]
    assert (each.blocks.counts, each.rows.counts) == ((2, 3, 7), (8, 12, 28))
    assert each.blocks.p > 0.05 > each.rows.p
    assert found.of("position-balance") == ()


def test_options_in_two_orders_are_two_draws() -> None:
    """The other polarity with its options in another order was drawn for itself."""
    one = t2("T2-0", at=1, rows=4)
    order = (*one.items[0].options[1:], one.items[0].options[0])
    items = [
        item if at < 2 else item.model_copy(update={"options": order, "correct_position": 3})
        for at, item in enumerate(one.items)
    ]
    found = figures(material([one.model_copy(update={"items": tuple(items)})])).positions[0]
    assert found.blocks.counts == (1, 0, 1)


def test_a_dialect_twin_is_no_draw_of_its_own() -> None:
    """The dialect version of a choice repeats the order of its standard version."""
    one = t2("T2-0", at=1)
    spoken_items = tuple(
        item.model_copy(update={"id": f"{item.id}-d", "register_": "spoken"}) for item in one.items
    )
    both = one.model_copy(update={"items": (*one.items, *spoken_items)})
    found = figures(material([both])).positions[0]
    assert (found.blocks.total, found.rows.total) == (1, 2)


def test_four_communities_are_six_pairs_and_a_twin_adds_none() -> None:
    """Pairs are counted over values, not over registers; stubs give none."""
    whole = t1("T1-0", TOWNS, dialect=spoken("T1-0", TOWNS))
    halves = t1("T1-1", dialect=STUBS)
    found = material([whole, halves])
    assert [pairs_in(found, group) for group in (whole, halves)] == [6, 1]


def test_the_planned_sizes_are_those_of_the_protocol() -> None:
    """200 T1 items, 60 ambiguous texts, 50 refusal pairs, 45 T4 items; 40 to 50 %; 25 pairs."""
    ws = Workspace(ROOT)
    plan = load_plan(ws, load_taxonomy(ws.taxonomy, ws.shown(ws.taxonomy)))
    assert plan is not None
    whole = {(s.test_type, s.unit): s.planned for s in plan.sizes if s.domain is None}
    assert whole == {
        ("T1", "items"): 200, ("T2", "ambiguous"): 60, ("T3", "pairs"): 50, ("T4", "items"): 45,
    }  # fmt: skip
    assert (plan.factorial.at_least, plan.factorial.at_most, plan.sufficient_pairs) == (40, 50, 25)
    slices = [s.planned for s in plan.sizes if s.test_type == "T1" and s.domain]
    assert sum(slices) == 100
    assert all(30 <= planned <= 40 for planned in slices)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not here")
def test_real_bbq_blocks_are_balanced_though_rows_are_more() -> None:
    """50 and 23 BBQ blocks: keys hold, 23, 27 and 23 draws, no direction is given."""
    taxonomy = ROOT / "reviewkit" / "starter" / "taxonomy.yaml"
    groups = [
        group
        for name in ("bbq_Age_first200.jsonl", "bbq_Disability_edge_rows.jsonl")
        for group in read_bbq(SHARED / name, name, domain="general")
    ]
    found = audited(groups, taxonomy=load_taxonomy(taxonomy, "taxonomy.yaml"))
    assert found.passed
    (each,) = found.figures.positions
    assert (each.blocks.counts, each.rows.counts) == ((23, 27, 23), (92, 108, 92))
    assert len(found.of("direction-not-given")) == 73
