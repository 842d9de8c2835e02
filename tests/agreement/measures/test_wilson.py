"""Wilson's score interval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.agreement.measures.wilson import wilson

GOLDEN = json.loads((Path(__file__).parent / "golden_intervals.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "entry", [pytest.param(each, id=each["id"]) for each in GOLDEN if each["function"] == "wilson"]
)
def test_published_and_recomputed_values(entry: dict[str, Any]) -> None:
    """The interval of each published count is the published one; without a unit there is none."""
    given, expected = entry["inputs"], entry["expected"]
    found = wilson(given["count"], given["n"], given["level"])
    if expected["low"] is None:
        assert found is None
    else:
        assert found is not None
        ends = (found.low, found.high)
        assert ends == pytest.approx((expected["low"], expected["high"]), abs=entry["tolerance"])


def test_the_issues_own_sentence() -> None:
    """272 of 282 give 93.6 to 98.1 percent."""
    found = wilson(272, 282)
    assert found is not None
    assert (round(100 * found.low, 1), round(100 * found.high, 1)) == (93.6, 98.1)


@given(st.integers(1, 3000), st.data(), st.sampled_from((0.8, 0.9, 0.95, 0.99)))
def test_each_end_solves_the_score_equation(n: int, data: st.DataObject, level: float) -> None:
    """At each end the share lies exactly z score-errors away, and ends at 0 and 1 are exact."""
    from scipy.special import ndtri

    agree = data.draw(st.integers(0, n))
    found = wilson(agree, n, level)
    assert found is not None
    assert 0 <= found.low <= agree / n <= found.high <= 1
    assert found.low < found.high
    assert (found.low == 0, found.high == 1) == (agree == 0, agree == n)
    z = ndtri((1 + level) / 2)
    for end in (found.low, found.high):
        if 0 < end < 1:
            apart = abs(agree / n - end)
            assert apart == pytest.approx(z * (end * (1 - end) / n) ** 0.5, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(("agree", "n", "level"), [(3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0)])
def test_no_counts_no_interval(agree: int, n: int, level: float) -> None:
    """Counts that are none, or a confidence of all or nothing, are refused."""
    with pytest.raises(ValueError, match=r"is no count|is not between"):
        wilson(agree, n, level)
