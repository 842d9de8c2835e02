"""The report in every form it is given out in."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

from reviewkit.agreement.reporting.blocks import blocks_as_markdown, blocks_as_text
from reviewkit.agreement.reporting.model import AgreementReport
from reviewkit.agreement.reporting.sections import blocks_of

Form = Literal["text", "md", "latex", "csv", "json", "html"]
FORMS: tuple[Form, ...] = get_args(Form)
LISTED_IN_TEXT = 20
"""A terminal lists fewer disagreements than a page."""
NO_PLOTS: Mapping[str, str] = MappingProxyType({})


def render(
    report: AgreementReport, form: Form = "text", plots: Mapping[str, str] = NO_PLOTS
) -> str:
    """Return the report as text in the form that was asked for; it ends with a line end.

    ``plots`` gives the file of each plot by its id, as ``plot_files`` returns them, relative to
    where the text will stand; Markdown and LaTeX show those. A page holds its plots itself.
    """
    match form:
        case "text":
            return blocks_as_text(blocks_of(report, LISTED_IN_TEXT, brief=True))
        case "md":
            return blocks_as_markdown(blocks_of(report), plots)
        case "latex":
            from reviewkit.agreement.reporting.latex import latex  # noqa: PLC0415 - one form each

            return latex(blocks_of(report), plots)
        case "csv":
            from reviewkit.agreement.reporting.csv_rows import csv_text  # noqa: PLC0415

            return csv_text(report)
        case "json":
            from reviewkit.agreement.reporting.json_data import json_text  # noqa: PLC0415

            return json_text(report)
        case "html":
            from reviewkit.agreement.reporting.page import html_page  # noqa: PLC0415

            return html_page(report)
