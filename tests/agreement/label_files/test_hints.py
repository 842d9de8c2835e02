"""What looks like a slip in a file of labels: ids, names, tables on their side, copies."""

from __future__ import annotations

import numpy as np
import pytest

from reviewkit.agreement.label_files.copied import copied_hints, identical_hints
from reviewkit.agreement.label_files.hints import cluster_hints, id_hints, transposed_hint
from reviewkit.agreement.measures.ratings import Ratings
from tests.agreement.label_files.by_hand import votes


def of_two(ann: list[str], bob: list[str]) -> tuple[str, ...]:
    """Return the hints on the ids of two raters."""
    rows = [(unit, "ann", "x") for unit in ann] + [(unit, "bob", "x") for unit in bob]
    return id_hints(votes(rows))


@pytest.mark.parametrize(
    ("good", "bad", "told"),
    [
        (["007", "123"], ["7", "123"], "leading zeros were lost: '7' (bob) beside '007' (ann)"),
        (["7", "8"], ["7.0", "8.0"], "decimal numbers of them: '7.0' (bob) beside '7' (ann)"),
        (["3-1", "x"], ["2026-03-01", "x"], "made dates of them: '2026-03-01' (bob) beside '3-1'"),
        (["1-2"], ["02-Jan"], "made dates of them: '02-Jan' (bob) beside '1-2' (ann)"),
        (["3-26"], ["2026-03-01 00:00:00"], "made dates of them"),
        (["100000"], ["1E+05"], "powers of ten: '1E+05' (bob) beside '100000' (ann)"),
        (["123456789012"], ["1.23457E+11"], "powers of ten: '1.23457E+11' (bob)"),
        (["A1"], ["a1 "], "only in case, spaces or hidden characters: 'A1' (ann) and 'a1 ' (bob)"),
        (["x1"], ["x1\u200b"], "only in case, spaces or hidden characters"),
    ],
)  # fmt: skip
def test_ids_that_a_program_spoilt_are_named_with_both_sides(
    good: list[str], bad: list[str], told: str
) -> None:
    """The hint says what happened, shows one id of each side, and whose it is."""
    [hint] = of_two(good, bad)
    assert told in hint


@pytest.mark.parametrize("ids", [["007", "7"], ["7.0", "7"], ["A1", "a1"]])
def test_ids_that_one_rater_has_both_of_are_two_units(ids: list[str]) -> None:
    """007 and 7 in the same hands are two units, and nobody is warned."""
    assert of_two(ids, ids) == ()


def test_sound_ids_draw_no_hint() -> None:
    """Plain numbers, names with zeros, dates on both sides and hexadecimal words are left alone."""
    ids = ["1", "2", "10", "v2-001", "2026-03-01", "1e4f", "12e", "مثال ١"]
    assert of_two(ids, ids) == ()
    assert of_two(ids[:4], ids[4:]) == ()


def test_many_pairs_are_counted() -> None:
    """One pair stands for the rest."""
    [hint] = of_two([f"{at:03}" for at in range(1, 30)], [str(at) for at in range(1, 30)])
    assert "and 28 more like them" in hint


def test_ids_that_both_sides_spoilt_alike_are_named() -> None:
    """A date among ids such as 1-13, or a power of ten, gives it away without a counterpart."""
    [hint] = of_two(["1-13", "2026-01-02"], ["1-13", "2026-01-02"])
    assert "made dates of them: '2026-01-02';" in hint
    [hint] = of_two(["1E+05", "7"], ["1E+05", "7"])
    assert "powers of ten: '1E+05';" in hint


def test_raters_called_alike_are_named() -> None:
    """Ann and 'ann ' may be one person."""
    hints = id_hints(votes([("u1", "Ann", "x"), ("u2", "ann ", "x")]))
    assert any("'Ann' and 'ann '" in hint for hint in hints)


def test_a_table_on_its_side_draws_a_warning() -> None:
    """Two units and eight raters: more likely two raters and eight units."""
    names = tuple(f"item_{at}" for at in range(8))
    ratings = Ratings.from_labels([["a"] * 8, ["b"] * 8], ["a", "b"], names, units=["ann", "bob"])
    [hint] = transposed_hint(ratings, "rater-rows")
    assert "2 units (ann, bob) and 8 raters (item_0" in hint
    assert "--shape rater-rows reads it" in hint
    sound = Ratings.from_labels([["a"] * 4] * 12, ["a", "b"], tuple("abcd"))
    assert transposed_hint(sound, "rater-rows") == ()


def test_a_column_that_may_hold_twins_is_named() -> None:
    """A template column with few values is offered as the cluster; a free text is not."""
    rows = [(f"u{at}", "ann", "x") for at in range(8)]
    templates = [f"t{at // 4}" for at in range(8)]
    [hint] = cluster_hints(votes(rows, columns={"template_id": templates}))
    assert "--cluster template_id" in hint
    assert cluster_hints(votes(rows, columns={"note": templates})) == ()
    assert cluster_hints(votes(rows, columns={"template": [f"t{at}" for at in range(8)]})) == ()


def codes(rows: np.ndarray) -> Ratings:
    """Return ratings with these codes."""
    raters = tuple(f"r{at}" for at in range(rows.shape[1]))
    units = tuple(f"u{at}" for at in range(len(rows)))
    return Ratings(("a", "b", "c", "d"), raters, rows.astype(np.int32), units=units)


def test_raters_who_never_differ_draw_a_warning() -> None:
    """Twenty equal labels over several categories look like a copy, and the pair is named."""
    one = np.arange(20) % 4
    [hint] = identical_hints(codes(np.stack([one, one, one[::-1]], axis=1)))
    assert hint.startswith("r0 and r1 gave the same label to each of the 20 units")


def test_full_agreement_is_no_copy_when_it_may_be_chance() -> None:
    """Nine units, or one category throughout, say nothing about copying."""
    few = np.arange(9) % 4
    assert identical_hints(codes(np.stack([few, few], axis=1))) == ()
    same = np.zeros(40)
    assert identical_hints(codes(np.stack([same, same], axis=1))) == ()


def test_a_block_that_was_pasted_twice_is_found_where_it_stands() -> None:
    """Thirty units whose ratings come back on thirty others are named with their ids."""
    found = np.random.default_rng(5).integers(0, 4, (200, 2))
    found[120:150] = found[10:40]
    [hint] = copied_hints(codes(found))
    assert "30 units in a row, 'u10' to 'u39'" in hint
    assert "'u120' to 'u149'" in hint


def test_a_block_pasted_three_times_is_found() -> None:
    """The first two of three are named."""
    found = np.random.default_rng(6).integers(0, 4, (200, 2))
    found[60:80] = found[120:140] = found[10:30]
    [hint] = copied_hints(codes(found))
    assert "'u10' to 'u29'" in hint


@pytest.mark.parametrize("seed", range(20))
def test_chance_draws_no_warning(seed: int) -> None:
    """Independent ratings, skewed or not, hold no block that is too long for chance."""
    draw = np.random.default_rng(seed)
    even = draw.integers(0, 4, (400, 2))
    skewed = (draw.random((400, 2)) < 0.1).astype(int)
    assert copied_hints(codes(even)) == ()
    assert copied_hints(codes(skewed)) == ()


def test_the_design_of_a_file_is_no_copy() -> None:
    """Labels that alternate by design, or a file sorted by label, come back all the time."""
    cycle = np.tile([0, 1, 2, 3], 50)
    assert copied_hints(codes(np.stack([cycle, cycle], axis=1))) == ()
    ordered = np.sort(np.random.default_rng(1).integers(0, 4, 200))
    assert copied_hints(codes(np.stack([ordered, ordered], axis=1))) == ()
