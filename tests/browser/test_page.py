"""The page for everybody: assistive technology, small screens, dark rooms, and links that ended."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from reviewkit.study import LinkBook
from reviewkit.workspace import Workspace
from tests.browser.places import link_of
from tests.browser.reader import Reader
from tests.serving.served import Server

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

NARROW = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "arabic": {},
    "narrow": NARROW,
}

OVER_THE_EDGE = """[...document.querySelectorAll('.rk-root *')]
  .filter(e => e.offsetParent && getComputedStyle(e).position !== 'absolute')
  .filter(e => e.getBoundingClientRect().right > 391 || e.getBoundingClientRect().left < -1)
  .map(e => e.className).concat(document.scrollingElement.scrollWidth > 390 ? ['the page'] : [])"""


def serious(page: Any, inside: str = "html") -> list[str]:
    """Return the findings of axe that keep a person from working."""
    found = Axe().run(page, context=inside).response
    assert found["passes"]
    return [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_serious(
    sit: Callable[..., Reader], served: Server, rater: str, look: str
) -> None:
    """Cards of every type, a failed check, every dialog and the panels, in every look."""
    reader = sit(**LOOKS[look]).open(link_of(served, rater))
    reader.shows("DEMO-T1-001")
    if "arabic" in look:
        reader.press("l")
        reader.sees(".rk-root[dir=rtl]")
    whole = look == "light"  # the other looks differ in colour and place alone
    for card_id in ("DEMO-T1-011", "DEMO-T2-001", *(("DEMO-T1-002", "DEMO-T4-001") * whole)):
        reader.go_to(card_id)
        assert serious(reader.page) == []
    reader.answer(reader.checks()[0])
    reader.sees(".rk-note-box[data-missing]")
    assert serious(reader.page) == []
    for key in "?/sr" if whole else "/r":
        reader.press(key)
        reader.sees("dialog[open]")
        assert serious(reader.page) == []
        reader.page.keyboard.press("Escape")
        reader.page.wait_for_selector("dialog[open]", state="detached")
    reader.press("/")
    reader.page.locator(".rk-filter").last.click()
    reader.page.keyboard.press("Escape")
    reader.sees(".rk-panel")
    assert serious(reader.page) == []
    second = reader.context.new_page()
    second.goto(reader.page.url, timeout=60_000)
    second.wait_for_selector(".rk-panel-elsewhere", timeout=60_000)
    assert serious(second) == []
    # the search finds what is there
    second.evaluate("document.querySelector('.rk-panel').append(document.createElement('button'))")
    assert [each.split(":")[0] for each in serious(second)] == ["button-name"]


def test_a_narrow_screen_stacks_the_twins_and_scrolls_one_way(
    sit: Callable[..., Reader], served: Server, rater: str
) -> None:
    """At 390 pixels nothing hangs over the edge, twins lie below each other, all is reachable."""
    reader = sit(**NARROW).open(link_of(served, rater))
    reader.go_to("DEMO-T1-011")
    boxes = [each.bounding_box() for each in reader.page.locator(".rk-text").all()]
    assert len(boxes) == 4
    for upper, lower in pairwise(boxes):
        assert upper["y"] + upper["height"] <= lower["y"]
    for check in reader.checks():
        reader.page.locator(f"[data-check={check}] .rk-choice-yes").tap()
    reader.sees(".rk-saved time")
    assert reader.page.evaluate(OVER_THE_EDGE) == []
    reader.press("l")
    reader.sees(".rk-root[dir=rtl] .rk-saved time")
    assert reader.page.evaluate(OVER_THE_EDGE) == []
    reader.page.locator(".rk-save[aria-disabled=false]").tap()
    reader.shows("DEMO-T1-012")


def test_a_dark_room_stays_dark(sit: Callable[..., Reader], served: Server, rater: str) -> None:
    """Page and card follow the reader's system, light as well as dark."""
    shade = "getComputedStyle(document.querySelector('.rk-frame')).backgroundColor"
    reader = sit(color_scheme="dark").open(link_of(served, rater))
    assert max(map(int, reader.page.evaluate(shade).strip("rgb()").split(","))) < 60
    reader.page.emulate_media(color_scheme="light")
    assert reader.page.evaluate(shade) == "rgb(255, 255, 255)"


def test_ended_and_foreign_links_say_what_to_do(
    sit: Callable[..., Reader], served: Server, place: Workspace, rater: str
) -> None:
    """A revoked link, one of another study and a garbled one get a plain page, and no card."""
    book = LinkBook(place.links)
    foreign = book.make("other", f"p-{rater}", rater)
    reader = sit().open(link_of(served, rater))
    book.revoke("demo", rater)
    said = {}
    reader.page.reload()
    said["open page"] = reader.page.inner_text("body")
    for name, address in {
        "revoked": link_of(served, rater),
        "foreign": f"{served.url}go/{foreign}",
        "garbled": f"{served.url}go/nothing-like-it",
    }.items():
        reader.page.goto(address)
        said[name] = reader.page.inner_text("body")
        assert reader.page.locator(".rk-frame").count() == 0
        assert "DEMO-" not in reader.page.content()
        assert serious(reader.page) == []
    assert "This link no longer works." in said["open page"]
    assert "This link no longer works." in said["revoked"]
    assert "another study" in said["foreign"]
    assert len(set(said.values())) == 3


def test_a_page_is_light(sit: Callable[..., Reader], served: Server, rater: str) -> None:
    """A first visit, link included, in fewer than ten requests and 100 kB on the wire."""
    reader = sit()
    page = reader.context.new_page()
    wire = reader.context.new_cdp_session(page)
    arrived: list[float] = []
    wire.on("Network.loadingFinished", lambda event: arrived.append(event["encodedDataLength"]))
    wire.on(
        "Network.webSocketFrameReceived",
        lambda event: arrived.append(len(event["response"]["payloadData"].encode())),
    )
    wire.send("Network.enable")
    page.goto(link_of(served, rater), timeout=60_000)
    page.wait_for_selector(".rk-check", timeout=60_000)
    assert 3 <= len(reader.asked) < 10
    assert 20_000 < sum(arrived) < 100_000


def test_no_request_leaves_the_machine(
    sit: Callable[..., Reader], served: Server, rater: str
) -> None:
    """From the link to the second card the browser asks this one server and nobody else."""
    reader = sit().open(link_of(served, rater))
    reader.shows("DEMO-T1-001")
    reader.answer()
    reader.save()
    reader.shows("DEMO-T1-002")
    assert len(reader.asked) >= 2
    assert reader.hosts() == {f"127.0.0.1:{served.port}"}
