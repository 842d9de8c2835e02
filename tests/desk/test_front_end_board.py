"""The lead's board in a real browser before a real session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewkit.decisions import FileLedger
from reviewkit.desk.board import BoardSession, board_script, board_style_sheet
from reviewkit.study import LinkBook, Walk, load_study
from reviewkit.study.opening import unblind
from reviewkit.workspace import Workspace
from tests.attacks.hostile_words import WORDS
from tests.study.coding_people import CARDS, STUDY, click, code, coding_study, say

ORIGIN = "http://board.test"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Board</title><link rel="icon" href="data:,"><link rel="stylesheet" href="board.css">
<style>body { margin: 0; }</style></head>
<body><main id="board"></main><script type="module">
import board from "./board.js";
const listeners = [];
window.log = [];
window.silent = false;
const model = {
  get: () => undefined,
  on: (name, listener) => { if (name === "msg:custom") listeners.push(listener); },
  off: (name, listener) => {
    if (name === "msg:custom") listeners.splice(listeners.indexOf(listener), 1);
  },
  async send(message) {
    if (window.silent) return;
    window.log.push(structuredClone(message));
    const reply = await window.toPython(message);
    for (const listener of [...listeners]) listener(reply, []);
  },
};
window.leave = board.render({ model, el: document.getElementById("board") });
</script></body></html>"""
ADA = "E E N D R E"
BO = "E QE N R - Abstain?"
HOSTILE = '<img src=x onerror="window.hit=1"> and <b>bold</b>'

OpenBoard = Callable[..., Any]


def _serve(route: Any) -> None:
    name = route.request.url.partition("?")[0].removeprefix(f"{ORIGIN}/")
    kind, text = {
        "board.js": ("text/javascript", board_script),
        "board.css": ("text/css", board_style_sheet),
    }.get(name, ("text/html", lambda: PAGE))
    route.fulfill(body=text(), content_type=f"{kind}; charset=utf-8")


@pytest.fixture
def open_board(browser: Any) -> Iterator[OpenBoard]:
    """Return a function that opens the board in a fresh browser context; pages may not throw."""
    contexts: list[Any] = []
    errors: list[str] = []

    def open_(ws: Workspace, *, clock: bool = False, **options: Any) -> Any:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.expose_function("toPython", BoardSession(ws, served=True, only=STUDY).receive)
        page.route(f"{ORIGIN}/**", _serve)
        if clock:
            page.clock.install()
        page.goto(f"{ORIGIN}/")
        page.wait_for_selector(".rk-study")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return a study of six responses: ada is done, bo has coded three."""
    ws = coding_study(tmp_path)
    code(ws, "ada", ADA, lock=False)
    code(ws, "bo", "E QE - . . .", lock=False)
    return ws


def messages(page: Any, kind: str) -> list[dict[str, Any]]:
    """Return the messages of one kind that the page has sent."""
    return [each for each in page.evaluate("log") if each["kind"] == kind]


@pytest.mark.browser
def test_a_pass_is_locked_after_a_confirmation(open_board: OpenBoard, ws: Workspace) -> None:
    """The dialog says what is done and open; one click too many seals nothing."""
    page = open_board(ws)
    page.get_by_role("button", name="Lock…").first.click()
    said = page.inner_text(".rk-dialog-body")
    assert "Pass first of ada: 6 of 6 cards decided, 0 skipped, 0 open." in said
    assert page.evaluate("document.activeElement.textContent") == "Cancel"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.get_by_role("button", name="Lock…").first.click()
    page.get_by_role("button", name="Lock the pass").click()
    page.wait_for_selector(".rk-state-locked")
    assert page.inner_text(".rk-bar-message") == "Pass first is locked."
    assert FileLedger(ws.ledger(STUDY, "first", "ada")).records()[-1].kind == "lock"
    assert len(messages(page, "lock")) == 1


@pytest.mark.browser
def test_a_pass_with_open_cards_offers_no_lock(open_board: OpenBoard, ws: Workspace) -> None:
    """Three cards are open: the dialog says so and has nothing to press but Cancel."""
    page = open_board(ws)
    page.get_by_role("button", name="Lock…").nth(1).click()
    assert "2 of 6 cards decided, 1 skipped, 3 open" in page.inner_text(".rk-dialog-body")
    assert page.locator(".rk-dialog-foot button").all_inner_texts() == ["Cancel"]


@pytest.mark.browser
def test_opening_early_needs_a_reason_and_says_what_is_open(
    open_board: OpenBoard, ws: Workspace
) -> None:
    """Without a reason nothing is sent; with one, agreement stands below its notice."""
    page = open_board(ws)
    assert page.locator(".rk-tile").count() == 0
    page.get_by_role("button", name="Open the labels early…").click()
    assert "Pass second is not locked; open cards: 3." in page.inner_text(".rk-dialog-body")
    page.get_by_role("button", name="Open the labels", exact=True).click()
    assert page.inner_text(".rk-dialog-problem") == "Say why in a sentence."
    assert messages(page, "unblind") == []
    page.locator("dialog textarea").fill("bo is ill")
    page.get_by_role("button", name="Open the labels", exact=True).click()
    page.wait_for_selector(".rk-tile")
    assert "bo is ill" in page.inner_text(".rk-notices")


@pytest.mark.browser
def test_an_answer_that_is_being_typed_outlives_a_change(
    open_board: OpenBoard, ws: Workspace
) -> None:
    """Rows that change do not redraw the board under a person who types."""
    Walk(ws, STUDY, "ada", origin="voila").ask_lead("r1", HOSTILE, click_id=click())
    page = open_board(ws, clock=True)
    assert page.inner_text(".rk-said") == HOSTILE
    assert page.evaluate("window.hit") is None
    page.locator(".rk-question textarea").fill("Read the whole")
    page.locator(".rk-question textarea").focus()
    say(Walk(ws, STUDY, "bo", origin="voila"), CARDS[3], "N")
    for _ in range(13):
        page.clock.run_for(1_000)
    page.wait_for_function("log.some(each => each.kind === 'ping')")
    page.keyboard.press("End")
    page.keyboard.type(" reply.")
    assert page.inner_text("td.rk-cell-cards >> nth=1") == "2 / 6"
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".rk-question textarea", state="detached")
    assert page.inner_text("td.rk-cell-cards >> nth=1") == "3 / 6"
    assert [each["text"] for each in messages(page, "answer")] == ["Read the whole reply."]
    assert Walk(ws, STUDY, "ada", origin="voila").questions("r1")[0].answer


@pytest.mark.browser
def test_a_renewed_link_is_shown_once(open_board: OpenBoard, ws: Workspace) -> None:
    """The address starts where the page stands; closing the dialog is the end of it."""
    page = open_board(ws)
    page.locator(".rk-links li", has_text="ada").get_by_role("button").click()
    page.get_by_role("button", name="Make the new link").click()
    page.wait_for_selector(".rk-address")
    address = page.input_value(".rk-address")
    assert address.startswith(f"{ORIGIN}/go/")
    assert LinkBook(ws.links).who(address.rpartition("/")[2]) is not None
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert address not in page.content()


@pytest.mark.browser
def test_both_labels_of_a_disagreement_are_opened(open_board: OpenBoard, ws: Workspace) -> None:
    """A click on a card shows the text and what one coder and the other said."""
    walk = Walk(ws, STUDY, "bo", origin="voila")
    for card, given in zip(CARDS[3:], ("R", "R", "Abstain?"), strict=True):
        say(walk, card, given)
    walk.lock(click_id=click())
    Walk(ws, STUDY, "ada", origin="voila").lock(click_id=click())
    page = open_board(ws)
    assert page.locator(".rk-tile b").all_inner_texts()[0].endswith("%")
    page.locator(".rk-differ", has_text="r4").click()
    said = page.inner_text("dialog")
    assert "D · Denial" in said
    assert "R · Refusal" in said
    assert "The pilots of line r4 are late." in said
    assert "ada" not in said
    page.get_by_role("button", name="Close").last.click()
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("document.activeElement.className") == "rk-differ"


@pytest.mark.browser
@pytest.mark.parametrize("width", [1240, 390])
def test_hostile_words_are_only_text(open_board: OpenBoard, ws: Workspace, width: int) -> None:
    """Notes, questions and reasons are shown as written and make the board no wider."""
    said = " ".join(text for name, text in WORDS.items() if name != "a NUL")[:19_000]
    for rater, given in (("ada", "N"), ("bo", "R")):
        walk = Walk(ws, STUDY, rater, origin="voila")
        walk.ask_lead("r4", said, click_id=click())
        walk.submit(
            "r4", walk.digest("r4"), {"rationale": given}, said, escalated=False, seconds=3.0,
            click_id=click(),
        )  # fmt: skip
    study = load_study(ws, STUDY)
    unblind(ws, study, study.rounds[0], said)
    page = open_board(ws, viewport={"width": width, "height": 844})
    acting = ".rk-root :is(img, script, iframe, textarea + b, [onerror], [onmouseover], [onload])"
    assert "<script>top.acted=1" in page.locator(".rk-said").first.inner_text()
    assert "<script>top.acted=1" in page.inner_text(".rk-notices")
    page.locator(".rk-differ", has_text="r4").click()
    assert "<script>top.acted=1" in page.inner_text("dialog")
    assert page.locator(acting).count() == 0
    assert page.evaluate("window.acted ?? null") is None
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.browser
def test_silence_of_the_server_is_shown_and_its_return_too(
    open_board: OpenBoard, ws: Workspace
) -> None:
    """A board without a server says that it may be old."""
    page = open_board(ws, clock=True)
    page.evaluate("window.silent = true")
    for _ in range(20):
        page.clock.run_for(1_000)
    page.wait_for_selector(".rk-bar-lost:visible")
    page.evaluate("window.silent = false")
    for _ in range(12):
        page.clock.run_for(1_000)
    page.wait_for_selector(".rk-bar-lost", state="hidden")


@pytest.mark.browser
@pytest.mark.parametrize("width", [580, 1240])
def test_a_board_on_paper_shows_what_stands_and_no_button(
    open_board: OpenBoard, ws: Workspace, width: int
) -> None:
    """Passes and links are printed; what can only be pressed is not."""
    page = open_board(ws, viewport={"width": width, "height": 800})
    pressed = page.locator(".rk-board button:visible")
    assert pressed.count() > 0
    page.emulate_media(media="print")
    assert pressed.count() == 0
    assert page.locator(".rk-passes tbody tr").first.is_visible()
    assert page.locator(".rk-links li").first.is_visible()


@pytest.mark.browser
@pytest.mark.parametrize(("language", "width"), [("en", 390), ("ar", 390), ("ar", 1240)])
def test_no_page_is_wider_than_its_window(
    open_board: OpenBoard, ws: Workspace, language: str, width: int
) -> None:
    """On a phone and in Arabic the board stands in its width, from its own side."""
    page = open_board(ws, viewport={"width": width, "height": 844})
    page.evaluate('document.documentElement.dataset.titles = \'{"en": "Board"}\'')
    if language == "ar":
        page.get_by_role("button", name="العربية").click()
        page.wait_for_selector(".rk-root[dir=rtl]")
        assert page.evaluate("document.documentElement.lang") == "ar"
        assert page.inner_text(".rk-title") == "لوحة المنسق"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    overflowing = page.evaluate(
        "[...document.querySelectorAll('.rk-part, .rk-study > summary')]"
        ".filter(each => each.scrollWidth > each.clientWidth + 1).length"
    )
    assert overflowing == 0


@pytest.mark.browser
def test_no_key_escapes_the_board(open_board: OpenBoard, ws: Workspace) -> None:
    """JupyterLab hears nothing that is typed on the board."""
    page = open_board(ws)
    page.evaluate("window.heard = []; document.addEventListener('keydown', e => heard.push(e.key))")
    page.locator("summary").first.focus()
    for key in ("a", "d", "d", "Enter"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    assert page.evaluate("heard") == []
    page.evaluate("leave()")
    assert page.locator(".rk-root").count() == 0
