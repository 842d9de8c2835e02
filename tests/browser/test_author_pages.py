"""Worklist, guide and audit as the author sees them in JupyterLab and the lead in Voila."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from reviewkit.authoring import worklist
from reviewkit.authoring.one_group import one_group
from reviewkit.release import audit
from reviewkit.release.page import html_page
from reviewkit.workspace import Workspace
from tests.browser.places import LAB_TOKEN, Lab, jupyterlab, voila
from tests.browser.reader import OPENED, Reader
from tests.browser.reviewed import AUTHOR, IS, RULING, WAS, lay_reviewed
from tests.serving.served import Server

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

NOTEBOOKS = {"worklist": "07_worklist", "guide": "08_guide", "audit": "06_audit"}
PARTS = ".rk-page-choices .rk-filter"
NARROW = {"width": 390, "height": 844}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {}, "dark": {"color_scheme": "dark"}, "narrow": {"viewport": NARROW},
}  # fmt: skip
PUSHED_ASIDE = """[...document.querySelectorAll('td')]
  .filter(e => e.innerText.length > 24 && e.getBoundingClientRect().right > innerWidth)
  .map(e => e.innerText)"""


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return the folder that both servers open."""
    return lay_reviewed(tmp_path_factory.mktemp("reviewed") / "project")


@pytest.fixture(scope="module")
def desk(reviewed: Workspace) -> Iterator[Server]:
    """Return a Voila that serves the folder."""
    with voila(reviewed) as server:
        yield server


@pytest.fixture(scope="module")
def own_lab(reviewed: Workspace) -> Iterator[Lab]:
    """Return a JupyterLab of its own, so that what is open here comes up in no other test."""
    with jupyterlab(reviewed, AUTHOR) as lab:
        yield lab


def _lead(sit: Callable[..., Reader], desk: Server, address: str = "", **options: Any) -> Reader:
    """Open the lead's link; with an address, take its cookie alone and open a page at once."""
    reader, link = sit(**options), f"{desk.url}go/{desk.book.renew('demo', 'lead', 'lead')}"
    if not address:
        reader.open(link).page.wait_for_selector(".rk-page-links")
        return reader
    reader.context.request.get(link, max_redirects=0)
    reader.page = reader.context.new_page()
    reader.page.goto(f"{desk.url}{address}", timeout=OPENED)
    reader.page.wait_for_selector(".rk-page-document, .rk-page-problems", timeout=OPENED)
    return reader


def _notebook(reader: Reader, lab: Lab, page: str) -> None:
    """Open a notebook in a workspace of its own and run its cell as a person does."""
    opened = f"{lab.url}/lab/workspaces/pages-{page}/tree/notebooks/{NOTEBOOKS[page]}.ipynb"
    reader.page.goto(f"{opened}?token={LAB_TOKEN}", timeout=OPENED)
    reader.run_cell()
    reader.page.wait_for_selector(".rk-page-document", timeout=OPENED)


def _document(reader: Reader, at: int = 0) -> Any:
    """Return what a frame shows, once it is there."""
    frame = reader.page.frame_locator(".rk-page-frame").nth(at)
    frame.locator("h1").first.wait_for(timeout=OPENED)
    return frame


def _complaints(page: Any) -> list[str]:
    """Return every finding of axe, of any weight."""
    found = Axe().run(page).response
    assert found["passes"]
    return [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def _says_the_worklist(reader: Reader) -> None:
    text = _document(reader).locator("main").inner_text()
    assert "25 live groups" in text
    assert "t1/one_variable" in text
    assert "Hidden character" in text
    # one group changed since its review: its difference stands below the list, marked
    assert reader.page.locator(".rk-page-document").count() == 2
    assert "DEMO-T1-001" in reader.page.inner_text(".rk-page-heading")
    changed = _document(reader, 1)
    before, after = (changed.locator(".rkw-side").nth(at) for at in (0, 1))
    assert WAS in before.inner_text()
    assert IS in after.inner_text()
    assert changed.locator("mark").count() >= 2
    assert before.locator("[dir=auto]").first.evaluate(
        "node => getComputedStyle(node).direction"
    ) == "rtl"  # fmt: skip


def _says_the_guide(reader: Reader) -> None:
    text = _document(reader).locator("main").inner_text()
    assert "1" in text
    labels = reader.page.locator(PARTS).all_inner_texts()
    assert labels == ["Author guide", *(f"Checklist \u2068t{n}\u2069" for n in (1, 2, 3, 4))]
    reader.page.locator(PARTS, has_text="t1").click()
    reader.page.wait_for_selector("[data-focus=part-t1][aria-pressed=true]")
    guide = _document(reader).locator("main").inner_text()
    assert RULING in guide
    assert "R-001" in guide


def _fits(reader: Reader) -> None:
    """Each frame is as high as what it shows: the page scrolls as one, and in one direction."""
    reader.page.wait_for_function(
        "() => [...document.querySelectorAll('.rk-page-frame')].every(f => {"
        " const inside = f.contentDocument.documentElement;"
        " return Math.abs(f.clientHeight - inside.getBoundingClientRect().height) < 3"
        "   && inside.scrollWidth <= inside.clientWidth + 1 })"
    )


def _says_the_audit(reader: Reader) -> None:
    assert "58 items on 25 groups" in _document(reader).locator("main").inner_text()


SAYS = {"worklist": _says_the_worklist, "guide": _says_the_guide, "audit": _says_the_audit}


def test_an_author_opens_the_pages_in_jupyterlab(sit: Callable[..., Reader], own_lab: Lab) -> None:
    """Status, differences since the review, the guide and the audit come out of their notebooks."""
    # one profile: JupyterLab itself is fetched once
    reader = sit(viewport={"width": 1700, "height": 950})
    reader.page = reader.context.new_page()
    for page, says in SAYS.items():
        _notebook(reader, own_lab, page)
        says(reader)
        _fits(reader)
    # JupyterLab's theme is not the system's: the document stands in the light of the page
    reader.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    reader.page.locator("[data-focus=refresh]").click()
    reader.page.wait_for_function(
        "[...document.querySelectorAll('.rk-page-frame')].every(frame => {"
        " const inside = frame.contentDocument.querySelector('main');"
        " return inside && getComputedStyle(inside).colorScheme === 'dark' })"
    )
    # the notebooks lead to each other in tabs of JupyterLab
    reader.page.locator(".rk-page-link", has_text="Board").click()
    reader.page.locator(".lm-TabBar-tab", has_text="04_board").wait_for(timeout=OPENED)


def test_the_leads_link_opens_every_page_from_the_board(
    sit: Callable[..., Reader], desk: Server
) -> None:
    """Links on the board lead to worklist, guide and audit, and back; no request leaves."""
    reader = _lead(sit, desk)
    assert reader.page.locator(".rk-page-link").all_inner_texts() == [
        "Board", "Worklist", "Guide", "Audit",
    ]  # fmt: skip
    assert reader.page.title() == "The lead's board"
    for page, says in SAYS.items():
        reader.page.locator(".rk-page-link", has_text=page.title()).click()
        reader.page.wait_for_selector(".rk-page-document", timeout=OPENED)
        assert reader.page.title() == page.title()
        says(reader)
        _fits(reader)
        assert _complaints(reader.page) == []
    reader.page.locator(".rk-page-link", has_text="Board").click()
    reader.page.wait_for_selector(".rk-study", timeout=OPENED)
    assert {each for each in reader.asked if not each.startswith((desk.url, "blob:", "data:"))} == (
        set()
    )


def test_one_group_is_opened_by_its_name(sit: Callable[..., Reader], desk: Server) -> None:
    """From its row or by its name: history, failed check, ruling; a name that is none says so."""
    reader = _lead(sit, desk, "worklist")
    _document(reader).get_by_role("link", name="DEMO-T1-002").click()
    reader.page.wait_for_function("document.querySelectorAll('.rk-page-document').length === 1")
    text = _document(reader).locator("main").inner_text()
    assert "DEMO-T1-002" in text
    assert "t1/one_variable (hidden-character)" in text
    assert "R-001" in text
    find = reader.page.locator("input.rk-page-find")
    find.fill("NO-SUCH-GROUP")
    find.press("Enter")
    assert "NO-SUCH-GROUP" in reader.sees(".rk-bar-notice:visible").inner_text()
    assert "DEMO-T1-002" in _document(reader).locator("main").inner_text()
    reader.page.locator(PARTS, has_text="All groups").click()
    reader.page.wait_for_function("document.querySelectorAll('.rk-page-document').length === 2")


def test_the_guide_is_read_in_arabic_on_a_telephone(
    sit: Callable[..., Reader], desk: Server
) -> None:
    """Page and document turn round, nothing is cut off at 390 pixels, and the choice is kept."""
    reader = _lead(sit, desk, "guide", viewport=NARROW)
    reader.page.locator(".rk-language").click()
    reader.page.wait_for_selector(".rk-root[dir=rtl]")
    frame = _document(reader)
    assert frame.locator("html").get_attribute("dir") == "rtl"
    _fits(reader)
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 390
    reader.page.reload(timeout=OPENED)
    reader.page.wait_for_selector(".rk-root[dir=rtl] .rk-page-document", timeout=OPENED)


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_in_a_document(
    look: str, reviewed: Workspace, browser: Any, tmp_path: Path
) -> None:
    """The list, a group with what changed and the audit: no finding, nothing over the edge."""
    work = worklist(reviewed)
    group = one_group("DEMO-T1-001", reviewed, work).as_html()
    context = browser.new_context(bypass_csp=True, **LOOKS[look])
    page = context.new_page()
    for markup in (work.as_html(), group, html_page(audit(reviewed))):
        path = tmp_path / "document.html"
        path.write_text(markup, encoding="utf-8")
        page.goto(path.as_uri())
        assert _complaints(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if look == "narrow":
            # what is there to read is read without pushing a table aside
            assert page.evaluate(PUSHED_ASIDE) == []
    context.close()


def test_a_rater_has_neither_the_links_nor_the_pages(
    sit: Callable[..., Reader], desk: Server
) -> None:
    """His desk shows no way there, and the addresses answer that there is nothing."""
    token = desk.book.renew("demo", "first", AUTHOR)
    reader = sit().open(f"{desk.url}go/{token}")
    assert reader.page.locator(".rk-page-links").count() == 0
    for address in NOTEBOOKS:
        answer = reader.page.goto(f"{desk.url}{address}")
        assert answer is not None
        assert answer.status == 404
        assert "kernelId" not in reader.page.content()


def test_what_was_mended_is_shown_after_refresh(
    sit: Callable[..., Reader], desk: Server, reviewed: Workspace
) -> None:
    """A fault of the folder stands in the page's place with file and line, until it is mended."""
    text = reviewed.taxonomy.read_text(encoding="utf-8")
    reviewed.taxonomy.write_text(text.replace("domains:", "domain_list:"), encoding="utf-8")
    try:
        reader = _lead(sit, desk, "audit")
        assert "domain_list" in reader.sees(".rk-page-problems").inner_text()
    finally:
        reviewed.taxonomy.write_text(text, encoding="utf-8")
    reader.page.locator("[data-focus=refresh]").click()
    assert "58 items" in _document(reader).locator("main").inner_text()
