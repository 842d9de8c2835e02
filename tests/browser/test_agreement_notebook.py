"""The notebook on a file of labels in a real JupyterLab, whose style must not reach the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement import read
from reviewkit.agreement.reporting.page import html_page
from tests.browser.places import LAB_TOKEN, ROOT, Lab
from tests.browser.reader import OPENED, Reader

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

LOOK = """() => [...document.querySelectorAll('.rka-report *')]
  .filter(e => !e.closest('svg, nav, .numbering-entry') && !e.matches('thead, tbody, tr'))
  .map(e => {
    const s = getComputedStyle(e)
    return [e.tagName, e.className, s.float, s.display, s.textAlign, s.fontSize, s.fontWeight,
      s.lineHeight, s.listStyleType, s.verticalAlign, s.margin, s.padding, s.color].join(' ') })"""
"""Of all that is seen but plots, the page's own list of contents and JupyterLab's numbering."""


def _run(page: Any) -> None:
    """Run the one cell as a person does, and wait for its report."""
    cell = page.locator(".jp-CodeCell .cm-content").first
    cell.wait_for(timeout=OPENED)
    page.locator("#jp-main-statusbar", has_text="| Idle").wait_for(timeout=OPENED)
    cell.click()
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".rka-report table", timeout=OPENED)


def test_a_report_looks_in_jupyterlab_as_it_does_on_its_page(
    sit: Callable[..., Reader], browser: Any, lab: Lab, tmp_path: Path
) -> None:
    """No margin, alignment or weight that a notebook gives to lists and tables is in the report."""
    reader = sit(viewport={"width": 1700, "height": 900})
    reader.page = reader.context.new_page()
    # a workspace of its own: what is open here must not come up in other tests of this server
    opened = f"{lab.url}/lab/workspaces/agreement/tree/notebooks/05_agreement.ipynb"
    reader.page.goto(f"{opened}?token={LAB_TOKEN}", timeout=OPENED)
    _run(reader.page)
    votes = ROOT / "notebooks" / "labels" / "votes.csv"
    path = tmp_path / "report.html"
    path.write_text(
        html_page(read(votes, cluster="template", by="domain").report()), encoding="utf-8"
    )
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.goto(path.as_uri())
    alone, inside = page.evaluate(LOOK), reader.page.evaluate(LOOK)
    context.close()
    assert len(alone) > 300
    assert {(a, b) for a, b in zip(alone, inside, strict=True) if a != b} == set()
