"""The files of labels that docs and notebook read are ours and read as they are described."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.agreement import read
from reviewkit.agreement.measures.estimates import Settings

ROOT = Path(__file__).parents[2]
QUICK = Settings(draws=0)


@pytest.mark.parametrize(
    ("name", "raters", "units", "agree"),
    [
        ("docs/labels/two-raters.csv", ("ann", "bob"), 60, 50),
        ("docs/labels/arabic.csv", ("ليلى", "سامر"), 40, 37),
        ("docs/labels/confusion.csv", ("row", "column"), 96, 81),
    ],
)
def test_two_raters(name: str, raters: tuple[str, ...], units: int, agree: int) -> None:
    """Wide files and a confusion matrix: raters, units and the units on which both agree."""
    whole = read(ROOT / name).report(QUICK).parts[0].measured
    assert (len(whole.raters), whole.rows, whole.agree) == (2, units, agree)
    if name != "docs/labels/confusion.csv":
        assert whole.raters == raters


def test_the_notebooks_file_has_clusters_and_parts() -> None:
    """A row a vote, three coders, two answers a template, four domains."""
    path = ROOT / "notebooks" / "labels" / "votes.csv"
    report = read(path, cluster="template", by="domain").report(QUICK)
    whole = report.parts[0].measured
    assert (len(whole.raters), whole.rows, whole.ratings) == (3, 80, 225)
    assert whole.clusters == ("template", 40)
    assert len(report.of_kind("group")) == 4
