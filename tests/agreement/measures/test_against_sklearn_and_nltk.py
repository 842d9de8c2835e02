"""Kappa against scikit-learn; alpha, pi and distances of sets against NLTK."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reviewkit.agreement.measures.estimates import Measured, Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.ratings import Ratings
from tests.agreement.measures.random_ratings import Rows, ratings_of, rows_of_labels
from tests.oracles.asking import Oracles

pytestmark = pytest.mark.oracle
asking = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
POINTS = Settings(draws=0, details=False)


def value(measured: Measured, name: str, weights: str) -> float | None:
    """Return a value under these weights or this distance."""
    found = [e for e in measured.estimates if (e.name, e.weights) == (name, weights)]
    return found[0].value


@pytest.mark.parametrize("weights", ["", "linear", "quadratic"])
@asking
@given(drawn=rows_of_labels(raters=(2,), blanks=False))
@example(drawn=([["a", "a"]] * 4, "ab"))
def test_kappa_on_a_declared_scale(oracles: Oracles, drawn: tuple[Rows, str], weights: Any) -> None:
    """Kappa, weighted or not, over declared categories is scikit-learn's."""
    rows, categories = drawn
    question = {"rows": rows, "categories": [*categories], "weights": weights, "ask": "sklearn"}
    expected = oracles.ask(question)["kappa"]
    measured = measure(ratings_of(rows, categories), Settings(weights=weights, draws=0))
    ours = measured.estimate("weighted_kappa" if weights else "kappa").value
    assert ours == pytest.approx(expected, abs=1e-9)


@asking
@given(drawn=rows_of_labels(raters=(2, 3, 4)))
def test_alpha_with_blanks(oracles: Oracles, drawn: tuple[Rows, str]) -> None:
    """Nominal alpha with blanks is NLTK's; with one label NLTK says 1 and we say undefined."""
    rows = [row for row in drawn[0] if sum(each is not None for each in row) > 1]
    if not rows:
        return
    answer = oracles.ask({"ask": "nltk", "rows": rows, "distance": "binary"})
    ours = value(measure(ratings_of(*drawn), POINTS), "alpha", "nominal")
    if ours is None:
        assert len({each for row in rows for each in row if each is not None}) == 1
        assert answer.get("alpha") in (1.0, None)
    else:
        assert ours == pytest.approx(answer["alpha"], abs=1e-9)


@asking
@given(drawn=rows_of_labels(raters=(2, 3), blanks=False))
def test_pi_and_the_kappa_of_many(oracles: Oracles, drawn: tuple[Rows, str]) -> None:
    """Of complete ratings, Scott's pi, Cohen's and Conger's kappa and agreement are NLTK's."""
    rows, _ = drawn
    answer = oracles.ask({"ask": "nltk", "rows": rows, "distance": "binary"})
    if len({each for row in rows for each in row}) == 1:
        return  # NLTK divides by zero
    measured = measure(ratings_of(*drawn), POINTS)
    assert measured.estimate("observed").value == pytest.approx(answer["observed"], abs=1e-9)
    if len(rows[0]) > 2:
        # NLTK's multi-kappa is that of Davies and Fleiss: Conger's
        assert measured.estimate("conger").value == pytest.approx(answer["multi_kappa"], abs=1e-9)
        return
    assert measured.estimate("scott").value == pytest.approx(answer["pi"], abs=1e-9)
    assert measured.estimate("kappa").value == pytest.approx(answer["kappa"], abs=1e-9)


SETS = st.frozensets(st.sampled_from("xyz"), min_size=1)


@pytest.mark.parametrize("distance", ["jaccard", "masi"])
@asking
@given(rows=st.lists(st.lists(st.one_of(SETS, SETS, st.none()), min_size=3, max_size=3),
                     min_size=2, max_size=15))  # fmt: skip
def test_alpha_of_sets_of_labels(
    oracles: Oracles, rows: list[list[frozenset[str] | None]], distance: Any
) -> None:
    """Alpha of sets by Jaccard and by MASI distance, with blanks, is NLTK's."""
    several = [row for row in rows if sum(each is not None for each in row) > 1]
    kinds = sorted({each for row in rows for each in row if each is not None}, key=sorted)
    if not several:
        return
    codes = np.array([[-1 if e is None else kinds.index(e) for e in row] for row in rows], np.int32)
    ratings = Ratings(
        tuple("+".join(sorted(each)) for each in kinds), ("r0", "r1", "r2"), codes,
        sets=tuple(kinds),
    )  # fmt: skip
    ours = value(measure(ratings, Settings(level=distance, draws=0)), "alpha", distance)
    asked = [[None if each is None else sorted(each) for each in row] for row in several]
    answer = oracles.ask({"ask": "nltk", "rows": asked, "distance": distance})
    if ours is None:
        assert len({each for row in several for each in row if each is not None}) == 1
    else:
        assert ours == pytest.approx(answer["alpha"], abs=1e-9)
