"""Kappas, their errors and Wilson's interval against statsmodels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reviewkit.agreement.measures.errors import kappa_null_error, standard_errors
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.patterns import patterns_of
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.measures.weights import agreement_weights
from reviewkit.agreement.measures.wilson import wilson
from tests.agreement.measures.random_ratings import Rows, ratings_of, rows_of_labels

pytestmark = pytest.mark.oracle
slowly = settings(deadline=None)


@st.composite
def tables(draw: st.DrawFn) -> list[list[int]]:
    """Draw a confusion matrix over 2 to 5 categories, empty rows and columns among them."""
    q = draw(st.integers(2, 5))
    cell = st.one_of(st.just(0), st.integers(0, 40))
    row = st.lists(cell, min_size=q, max_size=q)
    return draw(st.lists(row, min_size=q, max_size=q))


@pytest.mark.parametrize(
    ("weights", "theirs"), [("", None), ("linear", "linear"), ("quadratic", "fc")]
)
@slowly
@given(table=tables())
@example(table=[[7, 0], [0, 0]])
def test_kappa_and_its_errors(table: list[list[int]], weights: Any, theirs: str | None) -> None:
    """Kappa, weighted or not, its error and the error under kappa 0 are statsmodels'."""
    from statsmodels.stats.inter_rater import cohens_kappa

    counts = np.array(table)
    if not counts.sum():
        return
    ratings = Ratings.from_table(table, "abcde"[: len(table)])
    name = "weighted_kappa" if weights else "kappa"
    ours = measure(ratings, Settings(weights=weights, draws=0, details=False)).estimate(name)
    with np.errstate(all="ignore"):
        expected = cohens_kappa(counts, wt=theirs)
    if ours.value is None:
        assert np.isnan(expected.kappa)
        assert ours.why
        return
    assert ours.value == pytest.approx(expected.kappa, abs=1e-9)
    if counts.sum() < 2:
        return
    patterns = patterns_of(ratings)
    matrix = agreement_weights(ratings, weights) if weights else np.eye(ratings.q)
    error = standard_errors(patterns, matrix, [name])[name]
    assert error is not None
    # near 0 the root of a difference of squares has half the digits, or none is left: NaN for 0
    assert error == pytest.approx(np.nan_to_num(expected.std_kappa), rel=1e-6, abs=1e-6)
    if not weights:
        null = kappa_null_error(patterns)
        assert null == pytest.approx(np.nan_to_num(expected.std_kappa0), rel=1e-6, abs=1e-6)


@slowly
@given(rows_of_labels(blanks=False))
def test_fleiss_of_complete_ratings(drawn: tuple[Rows, str]) -> None:
    """Without blanks Fleiss' kappa, and Scott's pi of two raters, is statsmodels' Fleiss."""
    from statsmodels.stats.inter_rater import fleiss_kappa

    ratings = ratings_of(*drawn)
    ours = measure(ratings, Settings(draws=0, details=False)).find("fleiss", "scott")
    assert ours is not None
    counts = [[row.count(each) for each in drawn[1]] for row in drawn[0]]
    with np.errstate(all="ignore"):
        expected = fleiss_kappa(np.array(counts))
    if ours.value is None:
        assert len({each for row in drawn[0] for each in row}) == 1
    else:
        assert ours.value == pytest.approx(expected, abs=1e-9)


@slowly
@given(st.integers(1, 5000), st.data(), st.sampled_from((0.8, 0.95, 0.99)))
def test_wilson(n: int, data: st.DataObject, level: float) -> None:
    """The score interval is statsmodels'."""
    from statsmodels.stats.proportion import proportion_confint

    agree = data.draw(st.integers(0, n))
    found = wilson(agree, n, level)
    expected = proportion_confint(agree, n, 1 - level, method="wilson")
    assert found is not None
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)
