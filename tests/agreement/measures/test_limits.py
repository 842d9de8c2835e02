"""What is refused, and what is said, at the limits: numbers that are none, crowds, huge scales."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reviewkit.agreement.measures import sums
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.ratings import Clusters, Ratings, clusters_of
from reviewkit.problems import ProblemsFound

CODES = np.array([[0, 0], [1, 1], [0, 1], [2, 2], [1, 1], [2, 0]] * 6, dtype=np.int32)


def of(categories: str = "abc", **more: Any) -> Ratings:
    """Return ratings of two raters over these categories, parted by blanks."""
    names = tuple(categories.split() if " " in categories else categories)
    return Ratings(names, ("one", "other"), CODES, **more)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"confidence": 95}, "95 is not between 0 and 1"),
        ({"confidence": 0}, "0 is not between 0 and 1"),
        ({"draws": -1}, "draws: -1 is below 0"),
        ({"seed": -3}, "seed: -3 is below 0"),
    ],
)
def test_settings_that_are_none(asked: dict[str, Any], message: str) -> None:
    """A confidence in percent and a number below 0 are refused before anything is computed."""
    with pytest.raises(ProblemsFound, match=message):
        Settings(**asked)


def test_a_seed_of_any_size() -> None:
    """Zero and a seed longer than 64 bits draw, and are recorded."""
    for seed in (0, 10**30):
        estimate = measure(of(), Settings(seed=seed, draws=100)).estimate("kappa")
        assert {each.seed for each in estimate.intervals[1:]} == {seed}


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (((1, 0), (0, 1)), "rows of 2, 2 weights for 3 categories"),
        (((1, 0), (0, 1, 0), (0, 0, 1)), "rows of 2, 3, 3 weights"),
        ((), "rows of none weights"),
        (((1, 0, 0), (0, 0.9, 0), (0, 0, 1)), "does not agree fully with itself"),
        (((1, 2, 0), (2, 1, 0), (0, 0, 1)), "not between 0 and 1"),
        (((1, float("nan"), 0), (0, 1, 0), (0, 0, 1)), "not between 0 and 1"),
        (((1, 0.5, 0), (0, 1, 0), (0, 0, 1)), "in one order and the other"),
    ],
)
def test_weights_that_are_none(matrix: Any, message: str) -> None:
    """Weights of one's own are a symmetric table from 0 to 1 with full weight for equal ones."""
    with pytest.raises(ProblemsFound, match=message):
        measure(of(), Settings(weights="own", matrix=matrix, draws=0))


@pytest.mark.parametrize(
    ("ratings", "how", "message"),
    [
        (of("1 nan 3"), {"level": "interval"}, "'nan' is no number"),
        (of("1 inf 3"), {"level": "ratio"}, "'inf' is no number"),
        (of("1 -1 3"), {"level": "ratio"}, "-1 is below 0"),
        (of(values=(1.0, -2.0, 3.0)), {"level": "ratio"}, "-2 is below 0"),
        (of(values=(1.0, float("nan"), 3.0)), {"level": "interval"}, "nan is no number"),
        (of(values=(2.0, 2.0, 2.0)), {"level": "interval"}, "every category stands for 2"),
        (of(values=(2.0, 2.0, 2.0)), {"weights": "linear"}, "every category stands for 2"),
    ],
)
def test_numbers_that_have_no_distance(ratings: Ratings, how: Any, message: str) -> None:
    """What has no distance, or lies below 0 on a ratio scale, is refused and gives no NaN."""
    with pytest.raises(ProblemsFound, match=message):
        measure(ratings, Settings(draws=0, **how))


def test_a_ratio_scale_may_hold_0() -> None:
    """Twice 0 does not differ, and 0 differs from any other number by 1."""
    ratio = measure(of(values=(0.0, 1.0, 3.0)), Settings(level="ratio", draws=0))
    assert ratio.estimates[4].weights == "ratio"
    # by hand: 36 units, 12 of them 0 with another number; 24 zeros, 30 ones, 18 threes
    expected = 24 * 48 + 30 * 18 * 0.25
    assert ratio.estimates[4].value == pytest.approx(1 - 71 * 12 / expected)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"codes": CODES + 1}, "codes from 1 to 3 for 3 categories"),
        ({"codes": CODES - 2}, "codes from -2 to 0"),
        ({"times": np.full(36, -1)}, "-1 is no number of times"),
        ({"times": np.ones(3, dtype=np.int64)}, "times: 3 for 36"),
        ({"units": ("a",)}, "units: 1 for 36"),
        ({"values": (1.0,)}, "values: 1 for 3"),
        ({"clusters": Clusters("page", np.zeros(2, dtype=np.int32), 1)}, "clusters: 2 for 36"),
    ],
)
def test_ratings_that_are_none(more: dict[str, Any], message: str) -> None:
    """Codes outside the categories and lists of another length are refused, not misread."""
    held = {"codes": CODES, **more}
    with pytest.raises(ProblemsFound, match=message):
        Ratings(("a", "b", "c"), ("one", "other"), **held)


def test_weights_under_which_no_labels_differ() -> None:
    """Where all confusions have full weight, the reason does not blame one category."""
    measured = measure(of(), Settings(weights="own", matrix=((1,) * 3,) * 3, draws=0))
    kappa = measured.estimate("weighted_kappa")
    assert (kappa.value, kappa.why) == (None, "no two of the labels given count as different here")


def test_many_raters_are_measured_and_what_is_left_out_is_said() -> None:
    """Seventy raters have Fleiss, alpha and AC1; pairs and Conger's kappa are left out aloud."""
    rng = np.random.default_rng(1)
    codes = rng.integers(-1, 3, size=(40, 70)).astype(np.int32)
    names = tuple(f"r{at}" for at in range(70))
    measured = measure(Ratings(("a", "b", "c"), names, codes), Settings(draws=100))
    assert (measured.pairs, measured.shares, measured.without) == ((), (), ())
    assert measured.find("conger") is None
    assert measured.estimate("fleiss").interval is not None
    (remark,) = (each for each in measured.remarks if each.code == "many_raters")
    assert "70 raters" in remark.text
    assert "Conger's kappa" in remark.text
    few = measure(Ratings(("a", "b", "c"), names[:60], codes[:, :60]), Settings(draws=0))
    assert "many_raters" not in {each.code for each in few.remarks}
    assert few.find("conger") is not None


def test_a_scale_of_300_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of ordered categories have alpha with an interval, up to what memory is for."""
    rng = np.random.default_rng(2)
    first = rng.integers(0, 300, size=400)
    codes = np.stack([first, np.clip(first + rng.integers(-9, 10, 400), 0, 299)], axis=1)
    ratings = Ratings(tuple(map(str, range(300))), ("a", "b"), codes.astype(np.int32))
    how = Settings(level="ordinal", draws=100)
    alpha = next(e for e in measure(ratings, how).estimates if e.weights == "ordinal")
    assert alpha.value is not None
    assert alpha.value > 0.99
    assert alpha.interval is not None
    monkeypatch.setattr(sums, "_CELLS", 10_000)
    with pytest.raises(ProblemsFound, match="300 ordered categories on"):
        measure(ratings, how)


def test_clusters_without_a_rating_are_not_counted() -> None:
    """Of twelve templates two were never rated: ten are drawn, and ten are told."""
    codes = np.array([[0, 0], [1, 0]] * 10 + [[-1, -1]] * 4, dtype=np.int32)
    names = [str(at // 2) for at in range(24)]
    ratings = Ratings(("a", "b"), ("x", "y"), codes, clusters=clusters_of(names, "template"))
    assert measure(ratings, Settings(draws=0)).clusters == ("template", 10)
    rare = measure(ratings.only(np.arange(24) < 2), Settings(draws=0))
    assert "1 cluster (template)" in next(e.text for e in rare.remarks if e.code == "few_clusters")


def test_a_few_resamples_make_no_interval() -> None:
    """One resample, or a confidence beyond the number of resamples, gives no ends."""
    alpha = measure(of(), Settings(level="ordinal", draws=1)).estimates[4]
    assert (alpha.weights, alpha.interval) == ("ordinal", None)
    assert alpha.no_interval == "an interval at 0.95 takes 40 resamples or more"
    enough = measure(of(), Settings(level="ordinal", draws=2000, confidence=0.999)).estimates[4]
    assert enough.interval is not None
