"""The label files of other people read as their README says, when they are at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement import read
from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tables.delimited import read_delimited
from reviewkit.agreement.label_files.tables.shapes import guess_shape, votes_of
from reviewkit.agreement.label_files.votes import Counted, Votes
from reviewkit.agreement.measures.estimates import Settings

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "labels"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the files are not at hand")


def said(name: str, **asked: Any) -> Votes | Counted:
    """Return what one of the files says."""
    declared = Asked.of(**asked)
    table = read_delimited(FOLDER / name, name)
    return votes_of(table, guess_shape(table, declared), declared)


def votes(name: str, **asked: Any) -> Votes:
    """Return the votes of one of the files."""
    found = said(name, **asked)
    assert isinstance(found, Votes)
    return found


def test_ratings_in_a_cell() -> None:
    """65 units with five ratings each, raters unknown; label and count beside are no ratings."""
    found = votes("bbq_round6_resps_in_cell.csv")
    assert found.anonymous
    assert (len(found.unit.values), len(found.unit)) == (65, 325)
    assert {*found.label.values} == {"0", "1", "2"}


def test_blank_cells() -> None:
    """Twelve units and four raters with seven blanks."""
    found = votes("gwet_raw_4raters.csv")
    assert found.rater.values == ("Rater1", "Rater2", "Rater3", "Rater4")
    assert len(found.unit.values) == 12
    assert int((found.label.codes == -1).sum()) == 7


def test_missing_written_as_a_word() -> None:
    """NA is a label until it is declared, and the shape is the same."""
    for asked in ({}, {"missing": "NA"}):
        found = votes("gwet_raw_5observers_NA.csv", **asked)
        assert len(found.rater.values) == 5
        assert len(found.unit.values) == 15
        assert "NA" in found.label.values


def test_category_counts() -> None:
    """Six ratings a patient over five diagnoses, and not five raters."""
    found = said("fleiss1971_counts_6raters.csv")
    assert isinstance(found, Counted)
    assert (found.kind, len(found.categories), len(found.units)) == ("counts", 5, 15)
    assert {*found.table.sum(axis=1).tolist()} == {6}


def test_a_confusion_matrix() -> None:
    """223 patients, of whom both raters call 131 the same."""
    found = said("gwet_confusion_4x4_diagnosis.csv")
    assert isinstance(found, Counted)
    assert (found.kind, len(found.categories)) == ("confusion", 4)
    assert (int(found.table.sum()), int(found.table.trace())) == (223, 131)


def test_an_adjudicated_column() -> None:
    """450 units and two raters; agreement and final label are none."""
    found = votes("xstest_labels.csv")
    assert found.rater.values == ("annotation_1", "annotation_2")
    assert {*found.raters_set_aside} == {"agreement", "final_label"}
    codes = found.label.codes.reshape(2, -1)
    assert codes.shape[1] == 450
    assert int((codes[0] == codes[1]).sum()) == 443


STATED: list[tuple[str, dict[str, str], tuple[int, int, int], dict[Any, float]]] = [
    (
        "bbq_round6_resps_in_cell.csv", {}, (65, 65, 0),
        {"observed": 0.903, "alpha": 0.8523, "ac1": 0.8560},
    ),
    (
        "gwet_raw_4raters.csv", {}, (12, 11, 4),
        {"ac1": 0.77544, "fleiss": 0.76117, "alpha": 0.743},
    ),
    (
        "gwet_raw_5observers_NA.csv", {"missing": "NA"}, (15, 15, 5),
        {"ac1": 0.4966, "alpha": 0.4805},
    ),
    ("fleiss1971_counts_6raters.csv", {}, (15, 15, 0), {"fleiss": 0.4139, "ac1": 0.4448}),
    ("gwet_confusion_4x4_diagnosis.csv", {}, (223, 223, 2), {"kappa": 0.4315, "ac1": 0.4562}),
    ("xstest_labels.csv", {}, (450, 450, 2), {"observed": 0.984, "kappa": 0.970, "ac1": 0.979}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "asked", "size", "values"), STATED, ids=[s[0] for s in STATED])
def test_every_stated_figure_comes_out(
    name: str, asked: dict[str, str], size: tuple[int, int, int], values: dict[Any, float]
) -> None:
    """Units, those that can be compared, named raters, and coefficients as they are stated."""
    report = read(FOLDER / name, **asked).report(Settings(draws=0))
    whole = report.parts[0].measured
    assert (whole.rows, whole.paired, len(report.raters)) == size
    for coefficient, stated in values.items():
        value = whole.estimate(coefficient).value
        assert value is not None
        assert round(value, len(str(stated).partition(".")[2])) == stated
    # nobody knows who rated, or only how often
    if name.startswith(("bbq", "fleiss")):
        assert whole.find("kappa") is None
