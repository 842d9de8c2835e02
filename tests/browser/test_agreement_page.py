"""The report on agreement in a browser: assistive technology, small screens, dark rooms, paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from reviewkit.agreement.reporting.page import html_fragment, html_page
from tests.agreement.reporting.page_reports import arabic_report, crowded_report, study_report

pytestmark = pytest.mark.browser

REPORTS = {"study": study_report, "arabic": arabic_report, "crowded": crowded_report}
NARROW = {"viewport": {"width": 390, "height": 844}}
LOOKS: dict[str, dict[str, Any]] = {"light": {}, "dark": {"color_scheme": "dark"}, "narrow": NARROW}

OVER_THE_EDGE = """[...document.querySelectorAll('.rka-report *')]
  .filter(e => !e.closest('svg') && !e.closest('.rka-scroll') && !e.closest('.rka-contents'))
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
  .map(e => e.className)
  .concat(document.scrollingElement.scrollWidth > innerWidth ? ['the page'] : [])"""
"""What a table holds may be wider than the screen: it scrolls in its own box."""

CUT_TEXTS = """[...document.querySelectorAll('.rka-figure svg')].flatMap(svg => {
  const box = svg.getBoundingClientRect()
  return [...svg.querySelectorAll('text')]
    .filter(t => { const b = t.getBoundingClientRect()
      return b.left < box.left - 1 || b.right > box.right + 1 })
    .map(t => t.textContent) })"""

OVERLAPS = """[...document.querySelectorAll('.rka-figure svg')].flatMap(svg => {
  const all = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()])
  return all.flatMap(([one, a], i) => all.slice(i + 1)
    .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1
                       && a.top < b.bottom - 4 && b.top < a.bottom - 4)
    .map(([other]) => `${one} / ${other}`)) })"""


ASK = """() => new Promise(done => {
  document.addEventListener('securitypolicyviolation', e => done(e.effectiveDirective))
  document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/none.png'})) })"""

ENDS = """t => [0, t.getNumberOfChars() - 1].map(at => t.getStartPositionOfChar(at).x)"""


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Return a function that opens markup from a file; the page may not throw or complain."""
    contexts: list[Any] = []
    pages: list[Any] = []

    def opened(markup: str, **options: Any) -> Any:
        path = tmp_path / f"report-{len(contexts)}.html"
        path.write_text(markup, encoding="utf-8")
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.asked, page.complaints = [], []
        pages.append(page)
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield opened
    for each in contexts:
        each.close()
    assert [page.complaints for page in pages] == [[]] * len(pages)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", ["study", "arabic"])
def test_axe_finds_nothing(show: Callable[..., Any], name: str, look: str) -> None:
    """Not one finding of any weight, in any look; a picture without words is found."""
    page = show(html_page(REPORTS[name]()), bypass_csp=True, **LOOKS[look])
    found = Axe().run(page).response
    assert found["passes"]
    assert [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in found["violations"]
        for node in each["nodes"]
    ] == []
    if (name, look) == ("study", "light"):
        page.evaluate("document.querySelector('svg').removeAttribute('aria-label')")
        found = Axe().run(page).response
        assert [each["id"] for each in found["violations"]] == ["svg-img-alt"]


@pytest.mark.parametrize("name", ["study", "arabic"])
def test_the_page_asks_for_nothing(show: Callable[..., Any], name: str) -> None:
    """The browser reads the one file, and its policy would refuse whatever else it asked for."""
    page = show(html_page(REPORTS[name]()))
    assert page.asked == [page.url]
    refused = page.evaluate(ASK)
    assert refused == "img-src"
    page.complaints.clear()  # the browser said so


@pytest.mark.parametrize("name", REPORTS)
def test_a_telephone_scrolls_one_way(show: Callable[..., Any], name: str) -> None:
    """At 390 pixels only tables move sideways, each in its box, and no plot's text is cut."""
    page = show(html_page(REPORTS[name]()), **NARROW)
    assert page.evaluate(OVER_THE_EDGE) == []
    assert page.evaluate(CUT_TEXTS) == []
    sizes = page.eval_on_selector_all(
        ".rka-figure svg text", "all => all.map(t => t.getBoundingClientRect().height)"
    )
    assert min(sizes) > 8


@pytest.mark.parametrize("look", ["light", "narrow"])
@pytest.mark.parametrize("name", REPORTS)
def test_no_two_texts_of_a_plot_overlap(show: Callable[..., Any], name: str, look: str) -> None:
    """Labels, figures and ticks stand clear of each other in the reader's own font."""
    page = show(html_page(REPORTS[name]()), **LOOKS[look])
    assert page.evaluate(OVERLAPS) == []


def test_arabic_labels_stay_whole_words(show: Callable[..., Any]) -> None:
    """In plots Arabic is text in one run, so the browser joins it; in tables it is isolated."""
    page = show(html_page(arabic_report()))
    texts = page.locator(".rka-figure svg text").all_text_contents()
    assert "تحليل محايد" in texts
    assert "السكن والجوار (2)" in texts
    assert "تحليل محايد" in page.locator("th bdi").all_text_contents()
    lead = page.locator("p.rka-lead").first
    assert lead.evaluate("e => getComputedStyle(e).direction") == "ltr"
    first, last = page.locator("svg text", has_text="تحليل محايد").first.evaluate(ENDS)
    assert first > last


def test_dark_rooms_and_paper(show: Callable[..., Any]) -> None:
    """The page is dark where the reader's system is, plots too; on paper it is ink on white."""
    ground = "getComputedStyle(document.querySelector('.rka-report')).backgroundColor"
    letters = "getComputedStyle(document.querySelector('.rka-figure svg text')).fill"
    page = show(html_page(study_report()), color_scheme="dark")

    def lightest(script: str) -> int:
        return max(map(int, page.evaluate(script).strip("rgb()").split(",")))

    assert lightest(ground) < 60
    assert lightest(letters) > 150
    page.emulate_media(media="print")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    assert lightest(letters) < 120
    assert page.locator(".rka-contents").is_hidden()
    overflow = page.locator(".rka-scroll").first.evaluate("e => getComputedStyle(e).overflowX")
    assert overflow == "visible"


def test_a_notebook_shows_the_report_in_its_own_theme(show: Callable[..., Any]) -> None:
    """The fragment follows JupyterLab's theme, not the system's, and leaves the rest alone."""
    shell = (
        '<!doctype html><title>notebook</title><body data-jp-theme-light="{light}">'
        '<h1 id="other">A heading of the notebook</h1>{report}'
    )
    ground = "getComputedStyle(document.querySelector('.rka-report')).backgroundColor"
    other = "getComputedStyle(document.querySelector('#other')).fontSize"
    fragment = html_fragment(study_report())
    bare = show(shell.format(light="true", report=""), color_scheme="dark").evaluate(other)
    page = show(shell.format(light="true", report=fragment), color_scheme="dark")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    assert page.evaluate(other) == bare
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert page.evaluate(ground) != "rgb(255, 255, 255)"
    assert page.locator(".rka-contents").count() == 0
