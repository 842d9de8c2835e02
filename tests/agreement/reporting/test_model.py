"""The report itself, as a Python object."""

from __future__ import annotations

from dataclasses import replace

from reviewkit.agreement.reporting.model import AgreementReport


def test_a_notebook_stores_one_readable_line(
    study: AgreementReport, broader: AgreementReport
) -> None:
    """The plain form of a report is fixed and short, whatever its title holds."""
    assert repr(study) == "<AgreementReport: Study demo, round 2, 10 parts>"
    assert repr(replace(broader, title="two\nlines")) == "<AgreementReport: two lines, 1 part>"
