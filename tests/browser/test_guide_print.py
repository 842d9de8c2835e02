"""The guide in a browser: assistive technology, small screens, dark rooms, Arabic, paper."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from reviewkit.rulings import RulingEntry, next_edition, publish, rulings_log
from reviewkit.workspace import Workspace

pytestmark = pytest.mark.browser

LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 390, "height": 844}},
}
OVER_THE_EDGE = """[...document.querySelectorAll('.guide *')]
  .filter(e => { const b = e.getBoundingClientRect()
    return b.width && (b.right > innerWidth + 1 || b.left < -1) })
  .map(e => e.className || e.tagName)
  .concat(document.scrollingElement.scrollWidth > innerWidth ? ['the page'] : [])"""
ASK = """() => new Promise(done => {
  document.addEventListener('securitypolicyviolation', e => done(e.effectiveDirective))
  document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/none.png'})) })"""
MARGINS = """Object.fromEntries([...document.styleSheets].flatMap(sheet => [...sheet.cssRules])
  .filter(rule => rule instanceof CSSPageRule)
  .flatMap(rule => [...rule.cssRules])
  .filter(rule => rule.style.content)
  .map(rule => [rule.name, rule.style.content]))"""
"""What the browser made of the boxes in the margin of a page of paper."""


@pytest.fixture
def ruled(demo: Workspace) -> Workspace:
    """Return the demo folder with rulings in both scripts, one of them without a space."""
    for text, check in (
        ("A pair over a second boundary has an axis of its own.", "t1/fields_complete"),
        ("لا يوصف أحد بما ينقصه، بل بما هو عليه.\nNor in a T3 pair.", "t1/no_bait"),
        ("x" * 300, "t1/natural"),
    ):
        fields = {
            "click_id": secrets.token_hex(8), "type": "ruling", "text": text, "checks": (check,),
            "author": "lead", "item_ids": ("DEMO-T1-001-a",),
        }  # fmt: skip
        rulings_log(demo).file(RulingEntry.model_validate(fields))
    return demo


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a page from a file; it may not throw or complain."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def opened(markup: str, **options: Any) -> Any:
        path = tmp_path / f"guide-{len(contexts)}.html"
        path.write_text(markup, encoding="utf-8")
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.asked, page.complaints = [], complaints
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield opened
    for each in contexts:
        each.close()
    assert complaints == []


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("language", "part"), [("en", "author"), ("ar", "t1")])
def test_axe_finds_nothing(
    ruled: Workspace, show: Callable[..., Any], language: str, part: str, look: str
) -> None:
    """Not one finding of any weight, and nothing over the edge, in any look."""
    page = show(next_edition(ruled).as_html(language, part), bypass_csp=True, **LOOKS[look])
    found = Axe().run(page).response
    assert found["passes"]
    assert [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in found["violations"]
        for node in each["nodes"]
    ] == []
    assert page.evaluate(OVER_THE_EDGE) == []


def test_the_page_asks_for_nothing(ruled: Workspace, show: Callable[..., Any]) -> None:
    """The browser reads the one file, and its policy would refuse whatever else it asked for."""
    page = show(next_edition(ruled).as_html())
    assert page.asked == [page.url]
    assert page.evaluate(ASK) == "img-src"
    page.complaints.clear()  # the browser said so


def test_texts_run_their_own_way(ruled: Workspace, show: Callable[..., Any]) -> None:
    """On an Arabic page an English line of a ruling starts left, its Arabic line right."""
    page = show(next_edition(ruled).as_html("ar", "t1"))
    ways = page.eval_on_selector_all(
        ".said", "all => all.map(e => [getComputedStyle(e).direction, e.innerText.slice(0, 4)])"
    )
    assert ["rtl", "لا ي"] in ways
    assert ["ltr", "Nor "] in ways
    assert page.evaluate("getComputedStyle(document.querySelector('code')).direction") == "ltr"


@pytest.mark.parametrize("language", ["en", "ar"])
def test_printed_pages_name_edition_and_digest(
    ruled: Workspace, show: Callable[..., Any], language: str
) -> None:
    """On paper the margins carry title, edition, digest and page, and the browser draws them."""
    edition = publish(ruled, name="lead")
    markup = (edition.folder / f"author-guide.{language}.html").read_text(encoding="utf-8")
    page = show(markup)
    said = page.evaluate(MARGINS)
    shown = " ".join(said.values())
    assert edition.digest[:16] in shown
    assert {"en": "Edition 1", "ar": "الطبعة 1"}[language] in shown
    assert "counter(page)" in shown
    assert {"top-left", "top-right"} < set(said)
    printed = page.pdf(prefer_css_page_size=True)
    sheets = len(re.findall(rb"/Type /Page\b", printed))
    assert sheets > 3
    bare = show(re.sub(r"@page \{ @top-.*", "", markup)).pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b", bare)) == sheets
    # every page has its line of the margin drawn in it
    assert len(printed) - len(bare) > 100 * sheets


def test_paper_is_white_and_complete(ruled: Workspace, show: Callable[..., Any]) -> None:
    """Printed from a dark room the page is ink on white, with all sections and no list of links."""
    page = show(next_edition(ruled).as_html(), color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.querySelector('.guide')).backgroundColor") in (
        "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)",
    )  # fmt: skip
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 32, 40)"
    assert not page.locator("nav").is_visible()
    assert page.locator("section").count() == page.locator("section:visible").count()
