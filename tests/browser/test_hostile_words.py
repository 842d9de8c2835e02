"""Words that would be markup, on the lead's pages as they are served: they stay words."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator

import pytest

from reviewkit.authoring import retire
from reviewkit.rulings import RulingEntry, rulings_log
from reviewkit.workspace import Workspace
from tests.browser.places import voila
from tests.browser.reader import OPENED, Reader
from tests.browser.reviewed import AUTHOR, lay_reviewed
from tests.browser.studies import sit_at
from tests.serving.served import Server

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

NASTY = (
    "</style></title></iframe><script>top.acted = 1; fetch('http://127.0.0.1:9/x')</script>"
    "<img src=http://127.0.0.1:9/i onerror='top.acted = 1'><svg onload='top.acted = 1'>"
    "<iframe srcdoc='<script>top.acted = 1</script>'></iframe>\"' onmouseover='top.acted = 1'"
    " \u202egnol \u0645\u064f\u062c\u062a\u0645\u0639"
)
COUNTED = "script, img, iframe, object, embed, form, base, [onload], [onerror], [onmouseover]"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve a review whose notes, rulings and reasons are full of markup."""
    ws: Workspace = lay_reviewed(tmp_path_factory.mktemp("hostile") / "project")
    page = sit_at(ws, "demo", AUTHOR)
    page.say("go", to="DEMO-T1-003")
    page.submit("natural", note=NASTY)
    rulings_log(ws).file(
        RulingEntry(
            click_id=secrets.token_hex(8), type="ruling", text=NASTY, author="lead",
            checks=("t1/natural",), item_ids=("DEMO-T1-003-a",),
        )
    )  # fmt: skip
    retire(ws, "DEMO-T1-013", reason=NASTY, name=NASTY[:190])
    with voila(ws) as server:
        yield server


@pytest.mark.parametrize(
    ("address", "part"),
    [("worklist", ""), ("worklist", "DEMO-T1-003"), ("worklist", "DEMO-T1-013"),
     ("guide", ""), ("guide", "t1")],
)  # fmt: skip
def test_what_people_wrote_acts_on_no_page_of_the_lead(
    sit: Callable[..., Reader], desk: Server, address: str, part: str
) -> None:
    """Notes, rulings, reasons and names are read as they were written; nothing runs or is asked."""
    reader = sit().open(f"{desk.url}go/{desk.book.renew('demo', 'lead', 'lead')}")
    reader.page.goto(f"{desk.url}{address}", timeout=OPENED)
    reader.page.wait_for_selector(".rk-page-document", timeout=OPENED)
    if address == "guide" and part:
        reader.page.click(f"[data-focus=part-{part}]")
        reader.page.wait_for_selector(f"[data-focus=part-{part}][aria-pressed=true]")
    elif part:
        reader.page.fill("[data-focus=find]", part)
        reader.page.keyboard.press("Enter")
        reader.page.wait_for_selector(f".rk-page-frame[title={part}]")
    frame = reader.page.frame_locator(".rk-page-frame").first
    frame.locator("main", has_text="top.acted").wait_for(timeout=OPENED)
    assert "<img src=http://127.0.0.1:9/i" in frame.locator("main").inner_text()
    assert frame.locator(COUNTED).count() == 0
    assert reader.page.evaluate("window.acted ?? null") is None
    assert len(reader.hosts()) == 1
