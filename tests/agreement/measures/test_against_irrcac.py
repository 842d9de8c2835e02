"""Values and standard errors against irrCAC, with blanks, weights and one category."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reviewkit.agreement.measures.errors import standard_errors
from reviewkit.agreement.measures.estimates import Name, Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.patterns import patterns_of
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.measures.weights import agreement_weights
from tests.agreement.measures.random_ratings import Rows, ratings_of, rows_of_labels
from tests.oracles.asking import Oracles

pytestmark = pytest.mark.oracle
# the process that answers outlives an example, and loads its libraries within the first
asking = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

PLAIN: dict[str, Name] = {
    "gwet": "ac1",
    "fleiss": "fleiss",
    "krippendorff": "alpha",
    "conger": "conger",
    "bp": "brennan_prediger",
}
WEIGHTED: dict[str, Name] = {
    "gwet": "ac2",
    "fleiss": "weighted_fleiss",
    "krippendorff": "weighted_alpha",
    "conger": "weighted_conger",
    "bp": "weighted_brennan_prediger",
}
OF_TWO: dict[Name, Name] = {"fleiss": "scott", "weighted_fleiss": "weighted_scott"}


def a_rater_rated_nothing(rows: Rows) -> bool:
    """Tell whether a column is blank throughout, which irrCAC divides by."""
    return any(all(each is None for each in column) for column in zip(*rows, strict=True))


def one_label(rows: Rows, key: str) -> bool:
    """Tell whether a coefficient rests on one label only; alpha, on units with two ratings."""
    given = [[each for each in row if each is not None] for row in rows]
    if key == "krippendorff":
        given = [row for row in given if len(row) > 1]
    return len({each for row in given for each in row}) == 1


@pytest.mark.parametrize("weights", ["", "linear", "quadratic", "ordinal"])
@asking
@given(drawn=rows_of_labels())
@example(drawn=([["a", "a", "a"]] * 5, "ab"))
@example(drawn=([["a", None], [None, "b"], ["a", "a"], ["b", "a"]], "abc"))
def test_values_and_errors(oracles: Oracles, drawn: tuple[Rows, str], weights: Any) -> None:
    """Every coefficient and its error are irrCAC's, or undefined where irrCAC has no number."""
    rows, categories = drawn
    if sum(sum(each is not None for each in row) > 1 for row in rows) < 2:
        return  # irrCAC has nothing for a single unit, because it has no error
    ratings = ratings_of(rows, categories)
    names = WEIGHTED if weights else PLAIN
    answer = oracles.ask(
        {"ask": "irrcac", "rows": rows, "categories": [*categories], "weights": weights}
    )
    measured = measure(ratings, Settings(weights=weights, draws=0, details=False))
    matrix = agreement_weights(ratings, weights) if weights else np.eye(ratings.q)
    errors = standard_errors(patterns_of(ratings), matrix, names.values(), form="raw")
    two = len(ratings.raters) == 2
    for key, name in names.items():
        if key == "conger" and (two or a_rater_rated_nothing(rows)):
            continue
        ours = measured.find(OF_TWO.get(name, name) if two else name)
        assert ours is not None, name
        theirs = answer[key]
        if theirs is None or theirs["value"] is None or ours.value is None:
            assert ours.value is None, name
            assert ours.why
            # irrCAC has a 1 here when its chance agreement falls just short of 1
            assert theirs is None or theirs["value"] is None or one_label(rows, key), name
            continue
        assert ours.value == pytest.approx(theirs["value"], abs=1e-9), name
        if theirs["se"] is not None:
            # where nothing varies irrCAC puts a tiny number in place of 0
            assert errors[name] == pytest.approx(theirs["se"], abs=1e-9), name


@asking
@given(drawn=rows_of_labels(raters=(2,)))
def test_errors_of_conger_for_two_raters(oracles: Oracles, drawn: tuple[Rows, str]) -> None:
    """With blanks, the error of kappa over all ratings of two raters is irrCAC's."""
    rows, categories = drawn
    several = any(None not in row for row in rows)
    if a_rater_rated_nothing(rows) or not several:
        return
    ratings = ratings_of(rows, categories)
    answer = oracles.ask({"ask": "irrcac", "rows": rows, "categories": [*categories]})["conger"]
    patterns, identity = patterns_of(ratings), np.eye(ratings.q)
    error = standard_errors(patterns, identity, ["conger"], form="raw")["conger"]
    if answer is None or answer["value"] is None or answer["se"] is None or error is None:
        return
    assert error == pytest.approx(answer["se"], abs=1e-9)


@asking
@given(st.integers(2, 4).flatmap(lambda q: st.lists(
    st.lists(st.integers(0, 30), min_size=q, max_size=q), min_size=q, max_size=q,
)))  # fmt: skip
def test_the_table_form(oracles: Oracles, table: list[list[int]]) -> None:
    """From a confusion matrix, values and errors in the table form are irrCAC's."""
    if sum(map(sum, table)) < 2:
        return
    ratings = Ratings.from_table(table, "abcde"[: len(table)])
    answer = oracles.ask({"ask": "irrcac table", "table": table})
    names: dict[str, Name] = {
        "gwet": "ac1",
        "scott": "scott",
        "cohen": "kappa",
        "krippendorff": "alpha",
        "bp": "brennan_prediger",
    }
    measured = measure(ratings, Settings(draws=0, details=False))
    patterns = patterns_of(ratings)
    errors = standard_errors(patterns, np.eye(ratings.q), names.values(), form="table")
    for key, name in names.items():
        theirs = answer[key]
        ours = measured.estimate(name).value
        if theirs is None or theirs["value"] is None:
            assert ours is None or math.isclose(ours, 0, abs_tol=1e-9), name
            continue
        assert ours == pytest.approx(theirs["value"], abs=1e-9), name
        if theirs["se"] is not None:
            assert errors[name] == pytest.approx(theirs["se"], abs=1e-9), name
