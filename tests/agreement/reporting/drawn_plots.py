"""Plots of a report, drawn and read again."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from matplotlib.figure import Figure

from reviewkit.agreement.reporting.canvas import svg_of
from reviewkit.agreement.reporting.model import AgreementReport
from reviewkit.agreement.reporting.plots import drawing


def drawn(report: AgreementReport, plot_id: str) -> Figure:
    """Return one plot of the report."""
    found = drawing(report, plot_id)
    assert found is not None, plot_id
    return found.draw()


def texts(figure: Figure) -> list[str]:
    """Return what is written in the figure, in the order of drawing."""
    root = ET.fromstring(svg_of(figure))
    return [each.text or "" for each in root.iter() if each.tag.endswith("}text")]
