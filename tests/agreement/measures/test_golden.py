"""Published and reconstructed values: every coefficient meets them."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reviewkit.agreement.coefficients import Table, cohen_kappa, two_decimals
from reviewkit.agreement.measures.estimates import Measured, Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.ratings import Ratings

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))
POINTS = Settings(draws=0)
NAMES = {
    "po": "observed",
    "pa": "observed",
    "cohen": "kappa",
    "scott": "scott",
    "alpha": "alpha",
    "krippendorff": "alpha",
    "ac1": "ac1",
    "bp": "brennan_prediger",
    "pabak": "pabak",
    "fleiss": "fleiss",
    "conger": "conger",
    "kappa": "kappa",
}
WEIGHTED = {
    "pa": "weighted_observed",
    "ac1": "ac2",
    "bp": "weighted_brennan_prediger",
    "fleiss": "weighted_fleiss",
    "conger": "weighted_conger",
    "krippendorff": "weighted_alpha",
}


def _entries(*functions: str) -> list[Any]:
    return [pytest.param(each, id=each["id"]) for each in GOLDEN if each["function"] in functions]


def _of_rows(rows: list[list[Any]], categories: tuple[str, ...] = ()) -> Ratings:
    """Return ratings of labels as written; categories: those declared, else those seen, sorted."""
    labels = [[None if each is None else str(each) for each in row] for row in rows]
    seen = sorted({each for row in labels for each in row if each is not None})
    raters = [f"rater {at}" for at in range(len(rows[0]))]
    return Ratings.from_labels(labels, categories or seen, raters)


def _of_table(table: list[list[int]], q: int = 0) -> Ratings:
    return Ratings.from_table(table, [f"c{at}" for at in range(max(q, len(table)))])


def _value(measured: Measured, name: str, weights: str | None = None) -> float | None:
    return next(
        each.value
        for each in measured.estimates
        if each.name == name and weights in (None, each.weights)
    )


@pytest.mark.parametrize("entry", _entries("two_rater_table", "two_rater_kappa"))
def test_two_raters_meet_the_published_table(entry: dict[str, Any]) -> None:
    """Every coefficient of two raters is the published one; an undefined one stays undefined."""
    inputs = entry["inputs"]
    measured = measure(_of_table(inputs["table"], inputs.get("categories", 0)), POINTS)
    for key, expected in entry["expected"].items():
        found = _value(measured, NAMES[key])
        if expected is None:
            assert found is None
        else:
            assert found == pytest.approx(expected, abs=entry["tolerance"])


@pytest.mark.parametrize("entry", _entries("multi_rater_coefficients"))
def test_several_raters_with_blanks_meet_irrcac(entry: dict[str, Any]) -> None:
    """Generalised coefficients with missing ratings and with weights are those of irrCAC."""
    weights = entry["inputs"].get("weights", "")
    rows = entry["inputs"]["ratings"]
    if len(rows[0]) == 2:
        # for two raters the report has Cohen on complete pairs; Conger needs a third column
        rows = [[*row, None] for row in rows]
        entry["expected"].pop("conger")
    measured = measure(_of_rows(rows), Settings(weights=weights, draws=0))
    for key, expected in entry["expected"].items():
        name = WEIGHTED[key] if weights else NAMES[key]
        assert _value(measured, name) == pytest.approx(expected, abs=entry["tolerance"]), key


@pytest.mark.parametrize("entry", _entries("krippendorff_alpha"))
def test_alpha_meets_the_published_values(entry: dict[str, Any]) -> None:
    """Alpha at each level, with blanks, with a label that reads nan, and where it is undefined."""
    level = entry["inputs"]["level"]
    rows = list(zip(*entry["inputs"]["raters"], strict=True))
    measured = measure(_of_rows([list(row) for row in rows]), Settings(level=level, draws=0))
    found = next(e for e in measured.estimates if e.name == "alpha" and e.weights == level)
    if entry["expected"]["alpha"] is None:
        assert found.value is None
        assert found.why
    else:
        assert found.value == pytest.approx(entry["expected"]["alpha"], abs=entry["tolerance"])


def test_the_four_levels_of_alpha_on_one_matrix() -> None:
    """The matrix of Krippendorff 2011, example C, at the four levels, to nine places for two."""
    entry = next(each for each in GOLDEN if each["id"] == "pub.kripp2011.c.nominal")
    rows = [list(row) for row in zip(*entry["inputs"]["raters"], strict=True)]
    found = {
        level: _value(measure(_of_rows(rows), Settings(level=level, draws=0)), "alpha", level)
        for level in ("nominal", "ordinal", "interval", "ratio")
    }
    assert found["nominal"] == pytest.approx(904 / 1216, abs=1e-9)
    assert found["ordinal"] == pytest.approx(0.815, abs=5e-4)
    assert found["interval"] == pytest.approx(0.849, abs=5e-4)
    assert found["ratio"] == pytest.approx(0.797, abs=5e-4)


@pytest.mark.parametrize("entry", _entries("fleiss_kappa", "conger_light"))
def test_fleiss_1971(entry: dict[str, Any]) -> None:
    """Fleiss' patients: his kappa, Conger's, and Light's mean of the pairwise kappas."""
    measured = measure(_of_rows(entry["inputs"]["ratings"]), POINTS)
    expected = entry["expected"]
    tolerance = entry["tolerance"]
    if "kappa" in expected:
        assert _value(measured, "fleiss") == pytest.approx(expected["kappa"], abs=tolerance)
    else:
        assert _value(measured, "conger") == pytest.approx(expected["conger"], abs=tolerance)
        assert measured.light == pytest.approx(expected["light"], abs=tolerance)


@pytest.mark.parametrize("entry", _entries("fleiss_from_counts"))
def test_fleiss_from_a_table_of_counts(entry: dict[str, Any]) -> None:
    """Ratings of nobody in particular give Fleiss' kappa and no kappa of raters."""
    counts = np.array(entry["inputs"]["counts"], dtype=np.int64)
    categories = tuple(str(at) for at in range(counts.shape[1]))
    measured = measure(Ratings(categories, counts=counts, declared=True), POINTS)
    expected = entry["expected"]["kappa"]
    assert _value(measured, "fleiss") == pytest.approx(expected, abs=entry["tolerance"])
    assert measured.find("kappa", "conger") is None
    assert measured.pairs == ()


@pytest.mark.parametrize("entry", _entries("weighted_kappa_custom"))
def test_weights_of_ones_own(entry: dict[str, Any]) -> None:
    """Cohen's example of 1968, with disagreement weights that no formula makes."""
    disagreement = np.array(entry["inputs"]["disagreement"])
    own = tuple(map(tuple, (1 - disagreement / disagreement.max()).tolist()))
    ratings = _of_table(entry["inputs"]["table"])
    measured = measure(ratings, Settings(weights="own", matrix=own, draws=0))
    assert _value(measured, "kappa") == pytest.approx(entry["expected"]["kappa"], abs=6e-4)
    weighted = _value(measured, "weighted_kappa")
    assert weighted == pytest.approx(entry["expected"]["weighted"], abs=6e-4)


@pytest.mark.parametrize("entry", _entries("weighted_kappa"))
def test_weighted_kappa_by_places(entry: dict[str, Any]) -> None:
    """Linear and quadratic weights over the levels that were seen, as R irr prints them."""
    inputs = entry["inputs"]
    rows = [list(pair) for pair in zip(inputs["rater_a"], inputs["rater_b"], strict=True)]
    expected = entry["expected"]
    found = {
        weights: _value(measure(_of_rows(rows), Settings(weights=weights, draws=0)), name)
        for weights, name in (("linear", "weighted_kappa"), ("quadratic", "weighted_kappa"))
    }
    unweighted = _value(measure(_of_rows(rows), POINTS), "kappa")
    assert unweighted == pytest.approx(expected["unweighted"], abs=1e-6)
    assert found["linear"] == pytest.approx(expected["linear"], abs=1e-6)
    assert found["quadratic"] == pytest.approx(expected["quadratic"], abs=1e-6)


@pytest.mark.parametrize("entry", _entries("weighted_kappa_values"))
def test_a_declared_level_that_nobody_used_keeps_its_place(entry: dict[str, Any]) -> None:
    """Weights come from the declared scale and not from the levels that were seen."""
    inputs = entry["inputs"]
    rows = [list(pair) for pair in zip(inputs["rater_a"], inputs["rater_b"], strict=True)]
    scale = tuple(map(str, inputs["scale"]))
    measured = measure(_of_rows(rows, scale), Settings(weights="quadratic", draws=0))
    found = _value(measured, "weighted_kappa")
    assert found == pytest.approx(entry["expected"]["kappa"], abs=1e-9)


@pytest.mark.parametrize("entry", _entries("slice_rule"))
def test_fewer_than_25_pairs_are_insufficient(entry: dict[str, Any]) -> None:
    """24 pairs claim nothing, 25 may be described."""
    for pairs, status in zip(entry["inputs"]["pairs"], entry["expected"]["status"], strict=True):
        measured = measure(_of_table([[pairs - 9, 3], [2, 4]]), POINTS)
        assert measured.paired == pairs
        assert measured.estimate("kappa").insufficient is (status == "insufficient_sample")
        assert ("few" in {each.code for each in measured.remarks}) is (pairs < 25)


def _tables(n: int, agree: int) -> Any:
    """Yield every two-by-two table with these totals, its agreements ordered."""
    for first in range(agree + 1):
        for crossed in range(n - agree + 1):
            yield [[first, crossed], [n - agree - crossed, agree - first]]


def _canonical(table: list[list[int]]) -> tuple[int, int, int, int]:
    (a, b), (c, d) = table
    return min((a, b, c, d), (a, c, b, d), (d, b, c, a), (d, c, b, a))


@pytest.mark.parametrize("entry", _entries("enumerate_2x2"))
def test_the_tables_that_printed_figures_allow(entry: dict[str, Any]) -> None:
    """Searched with our coefficients, printed agreements leave exactly the known tables."""
    inputs, expected = entry["inputs"], entry["expected"]
    name = NAMES[inputs["statistic"]]
    half = 0.5 * 10 ** -inputs["decimals"] + 1e-12
    fitting: list[list[list[int]]] = []
    for table in _tables(inputs["n"], inputs["agree"]):
        if "row1_yes" in inputs and sum(table[0]) != inputs["row1_yes"]:
            continue
        value = _by_hand(table, name)
        if value is not None and abs(value - inputs["value"]) <= half:
            fitting.append(table)
    for table in fitting[:20]:
        found = _value(measure(_of_table(table), POINTS), name)
        assert found == pytest.approx(_by_hand(table, name), abs=1e-12)
    canonical = sorted({_canonical(table) for table in fitting})
    if "tables" in expected:
        assert sorted(fitting) == sorted(expected["tables"])
    elif "canonical_tables" in expected:
        assert [list(each) for each in canonical] == expected["canonical_tables"]
    else:
        assert len(canonical) == expected["number_of_canonical_tables"]


def _by_hand(table: list[list[int]], name: str) -> float | None:
    """Return kappa or AC1 of a two-by-two table, written out once more for the search."""
    (a, b), (c, d) = table
    n = a + b + c + d
    observed = (a + d) / n
    if name == "ac1":
        yes = (2 * a + b + c) / (2 * n)
        chance = 2 * yes * (1 - yes)
    else:
        chance = ((a + b) * (a + c) + (c + d) * (b + d)) / n**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


@pytest.mark.parametrize("entry", _entries("enumerate_tables"))
def test_one_table_alone_has_the_printed_margins(entry: dict[str, Any]) -> None:
    """The seed's margins and agreement leave one table, and it prints the seed's figures."""
    inputs = entry["inputs"]
    rows, columns = inputs["row_margins"], inputs["col_margins"]
    found: list[list[list[int]]] = []
    for a, b, d, e in product(*(range(max(rows) + 1),) * 4):
        table = [[a, b, rows[0] - a - b], [d, e, rows[1] - d - e]]
        table.append([columns[at] - table[0][at] - table[1][at] for at in range(3)])
        if min(min(row) for row in table) < 0 or sum(table[2]) != rows[2]:
            continue
        if sum(table[at][at] for at in range(3)) == inputs["agree"]:
            found.append(table)
    assert found == entry["expected"]["tables"]
    measured = measure(_of_table(found[0]), POINTS)
    printed = {name: two_decimals(_value(measured, name) or 0) for name in ("kappa", "ac1")}
    assert printed == {"kappa": "-0.06", "ac1": "0.73"}


@pytest.mark.parametrize("entry", _entries("implied_chance_agreement"))
def test_a_printed_kappa_implies_its_chance_agreement(entry: dict[str, Any]) -> None:
    """Of tables with the seed's agreement those within the chance agreement give its kappa."""
    n, agree, q = entry["inputs"]["n"], entry["inputs"]["agree"], 5
    low, high = entry["expected"]["pe_low"], entry["expected"]["pe_high"]
    rng = np.random.default_rng(1)
    inside = outside = 0
    off = ~np.eye(q, dtype=bool)
    for _ in range(4000):
        table = np.zeros((q, q), dtype=np.int64)
        spread = np.full(q, rng.uniform(0.5, 6))
        table[np.diag_indices(q)] = rng.multinomial(agree, rng.dirichlet(spread))
        table[off] = rng.multinomial(n - agree, rng.dirichlet(np.ones(q * (q - 1))))
        chance = float(table.sum(axis=1) @ table.sum(axis=0)) / n**2
        kappa = cohen_kappa(Table.from_counts(table.tolist(), tuple("abcde"))).value
        assert kappa is not None
        if min(abs(chance - low), abs(chance - high)) > entry["tolerance"]:
            printed = abs(kappa - entry["inputs"]["kappa"]) <= 0.0005
            assert printed == (low < chance < high)
            inside, outside = inside + printed, outside + (not printed)
    assert inside > 1
    assert outside > 5
