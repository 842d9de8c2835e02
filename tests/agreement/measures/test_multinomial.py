"""Counts of resamples have exactly the multinomial distribution."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from reviewkit.agreement.measures.multinomial import Multinomial

KINDS = [
    pytest.param([1, 1, 1, 1, 1], id="five single things: blocks of 4 and 1"),
    pytest.param([3, 2, 1], id="few of each"),
    pytest.param([40, 3, 1, 1, 1], id="one kind that is many"),
    pytest.param([60, 30, 21], id="many only"),
    pytest.param([1], id="one thing"),
]


def draw(times: list[int], number: int, seed: int = 3) -> np.ndarray:
    """Return this many resamples, drawn in as many goes as it takes."""
    drawn = Multinomial(np.array(times), binomials_to=0)
    rng = np.random.default_rng(seed)
    found: list[np.ndarray] = []
    while number:
        rows = min(drawn.rows, number)
        found.append(drawn.counts(rng, rows).copy())
        number -= rows
    return np.concatenate(found)


@pytest.mark.parametrize("times", KINDS)
def test_means_and_covariances_are_multinomial(times: list[int]) -> None:
    """Each row sums to n, and means, variances and covariances are those of the distribution."""
    number = 40_000
    found = draw(times, number)
    n = sum(times)
    share = np.array(times) / n
    assert (found.sum(axis=1) == n).all()
    assert (found == np.round(found)).all()
    covariance = n * (np.diag(share) - np.outer(share, share))
    error = np.sqrt(np.diag(covariance) / number)
    assert (np.abs(found.mean(axis=0) - n * share) <= 5 * error + 1e-12).all()
    variance = np.diag(covariance)
    near = 5 * np.sqrt((np.outer(variance, variance) + covariance**2) * 1.5 / number) + 1e-12
    assert (np.abs(np.atleast_2d(np.cov(found.T)) - covariance) <= near).all()


@pytest.mark.parametrize("times", [[1, 1, 1], [2, 1, 1], [2, 2]])
def test_every_outcome_is_as_likely_as_by_enumeration(times: list[int]) -> None:
    """Each count vector comes as often as among all n^n ways to draw n things out of n."""
    n = sum(times)
    kind = np.repeat(np.arange(len(times)), times)
    exact: dict[tuple[int, ...], float] = {}
    for places in product(range(n), repeat=n):
        counts = tuple(np.bincount(kind[list(places)], minlength=len(times)).tolist())
        exact[counts] = exact.get(counts, 0) + n**-n
    number = 60_000
    outcomes, often = np.unique(draw(times, number).astype(int), axis=0, return_counts=True)
    seen = {tuple(row.tolist()): int(each) for row, each in zip(outcomes, often, strict=True)}
    assert seen.keys() <= exact.keys()
    for counts, share in exact.items():
        near = 5 * math.sqrt(share * (1 - share) / number)
        assert seen.get(counts, 0) / number == pytest.approx(share, abs=near), counts


def test_more_things_than_sixteen_bits_name() -> None:
    """Past 65,536 things every place is still drawn, and equally often."""
    number = 70_000
    found = draw([1] * number, 40)
    assert (found.sum(axis=1) == number).all()
    thirds = found.sum(axis=0).reshape(7, -1).sum(axis=1)
    assert thirds == pytest.approx(np.full(7, 40 * number / 7), abs=5 * math.sqrt(40 * number / 7))
    assert (found > 0).any(axis=0).mean() == pytest.approx(1.0, abs=1e-6)


def test_the_same_seed_gives_the_same_resamples() -> None:
    """Resamples are a function of the seed."""
    times = [40, 2, 1, 1]
    assert np.array_equal(draw(times, 50), draw(times, 50))
    assert not np.array_equal(draw(times, 50), draw(times, 50, seed=4))


def test_few_kinds_are_drawn_as_binomials_and_alike() -> None:
    """With few kinds the library's own multinomial serves, and each row sums to n."""
    found = Multinomial(np.array([3, 2, 1])).counts(np.random.default_rng(1), 20_000)
    assert (found.sum(axis=1) == 6).all()
    assert found.mean(axis=0) == pytest.approx([3, 2, 1], abs=0.05)
