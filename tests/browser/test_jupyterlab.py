"""The author's desk: the same notebook in a real JupyterLab, beside the files it judges."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from typing import Any

import psutil
import pytest

from tests.browser.places import Lab, records
from tests.browser.reader import Reader
from tests.browser.test_page import serious

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

CELLS = (
    "[...document.querySelectorAll('.jp-Notebook .jp-Cell')].map(c => [c.className.match(/"
    "jp-(Code|Markdown|Raw)Cell/)[1], c.querySelector('.cm-content')?.innerText])"
)
SHORTCUTS = (
    "a", "b", "x", "c", "v", "z", "Shift+m", "h", "0", "0", "d", "d", "i", "i", "f", "o",
    "Shift+l", "Shift+ArrowDown", "Escape", "PageDown", "Control+b",
)  # fmt: skip
"""What JupyterLab would take to cut, change, merge, move or stop something."""


def _files(page: Any) -> list[str]:
    return page.locator(".lm-DockPanel-tabBar .lm-TabBar-tabLabel").all_inner_texts()


def _decide(reader: Reader, *failing: str, note: str = "") -> None:
    """Judge the card on the screen and wait for the next one, or the end."""
    card_id = reader.card
    reader.shows(card_id)
    reader.answer(*failing, note=note)
    reader.save()
    reader.leaves(card_id)


def test_all_cards_are_walked_with_the_keyboard_and_no_shortcut_fires(
    sit: Callable[..., Reader], lab: Lab
) -> None:
    """The cell is run, then hands stay on the keys: 25 verdicts, an untouched notebook."""
    reader = sit().open_lab(lab)
    reader.shows("DEMO-T1-001")
    assert reader.page.evaluate("document.activeElement.matches('.rk-choices')")
    before = reader.page.evaluate(CELLS)
    for key in SHORTCUTS:
        reader.page.keyboard.press(key)
    assert reader.card == "DEMO-T1-001"
    assert reader.answered() == {}
    assert reader.page.evaluate(CELLS) == before
    assert reader.page.locator(".jp-Dialog").count() == 0

    while reader.page.locator(".rk-check").count():
        _decide(reader)
    reader.sees(".rk-panel-done")
    decided = records(lab.ws, "author", "decision")
    assert len(decided) == 25
    assert len({each["card_id"] for each in decided}) == 25
    assert {(each["verdict"], each["origin"]) for each in decided} == {("accepted", "lab")}
    assert reader.page.evaluate(CELLS) == before
    assert reader.hosts() == {f"127.0.0.1:{lab.port}"}


def test_the_file_opens_beside_its_card_and_an_edit_shows_there(
    sit: Callable[..., Reader], lab: Lab
) -> None:
    """The link opens the file in this JupyterLab; saved with Ctrl+S, the card says what changed."""
    path = lab.ws.groups / "DEMO-T1-005.yaml"
    text = path.read_text(encoding="utf-8")
    reader = sit(viewport={"width": 1600, "height": 900}).open_lab(lab)
    reader.go_to("DEMO-T1-005")
    _decide(reader, "one_variable", note="the morning is worded twice")
    reader.go_to("DEMO-T1-005")
    reader.page.locator(".rk-source a").click()
    editor = reader.sees(".jp-FileEditor .cm-content")
    assert _files(reader.page) == ["01_review.ipynb", "DEMO-T1-005.yaml"]
    assert len(reader.context.pages) == 1
    try:
        editor.click()
        reader.page.keyboard.press("Control+a")
        reader.page.keyboard.insert_text(text.replace("المبكر", "الباكر"))
        reader.page.keyboard.press("Control+s")
        changed = reader.sees(".rk-changed")
        before, after = changed.locator(".rk-change-side .rk-original").all_inner_texts()
        assert "المبكر" in before
        assert "الباكر" in after
        assert path.read_text(encoding="utf-8") != text
        # whoever types in the editor keeps typing there
        assert reader.page.evaluate("!!document.activeElement.closest('.jp-FileEditor')")
    finally:
        path.write_text(text, encoding="utf-8")


def test_reload_and_a_dead_kernel_lose_nothing(sit: Callable[..., Reader], lab: Lab) -> None:
    """Mid-note, first the page and then the kernel goes: same card, same words, one record."""
    reader = sit().open_lab(lab)
    reader.page.on("dialog", lambda dialog: dialog.accept())
    reader.go_to("DEMO-T1-008")
    already = len(records(lab.ws, "author", "decision"))
    reader.answer(reader.checks()[0])
    reader.press("m")
    reader.page.keyboard.press("Control+a")
    reader.page.keyboard.type("cut off in the")
    answers = reader.answered()
    unsaved = lab.notebook.stat().st_mtime_ns
    reader.page.click('[data-command="docmanager:save"]')
    deadline = time.monotonic() + 20
    while lab.notebook.stat().st_mtime_ns == unsaved:
        assert time.monotonic() < deadline, "JupyterLab did not save the notebook"
        time.sleep(0.1)
    (cell,) = json.loads(lab.notebook.read_text(encoding="utf-8"))["cells"]
    assert cell["outputs"] == []  # running the cell leaves nothing for git
    reader.page.reload(timeout=60_000)
    reader.run_cell()
    reader.shows("DEMO-T1-008")
    assert (reader.answered(), reader.note()) == (answers, "cut off in the")

    (kernel,) = [
        child
        for child in psutil.Process(lab.process.pid).children(recursive=True)
        if "ipykernel_launcher" in child.cmdline()
    ]
    kernel.kill()
    reader.press("m")
    reader.page.keyboard.press("End")
    # at once: a dialog of JupyterLab may take the keyboard at any moment
    reader.page.keyboard.insert_text(" middle")
    reader.sees(".rk-bar-lost")
    reader.sees(".jp-Dialog .jp-mod-accept").click()  # JupyterLab says it as well
    reader.run_cell()
    reader.page.wait_for_selector(".rk-bar-lost", state="hidden")
    reader.shows("DEMO-T1-008")
    assert (reader.answered(), reader.note()) == (answers, "cut off in the middle")
    reader.save()
    reader.leaves("DEMO-T1-008")
    added = records(lab.ws, "author", "decision")[already:]
    assert [(each["card_id"], each["note"]) for each in added] == [
        ("DEMO-T1-008", "cut off in the middle")
    ]


@pytest.fixture
def theme(request: pytest.FixtureRequest, lab: Lab) -> Generator[str]:
    """JupyterLab in one of its themes; afterwards as it was, as other tests share the server."""
    folder = lab.ws.root / ".lab" / "@jupyterlab" / "apputils-extension"
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "themes.jupyterlab-settings"
    settings.write_text(f'{{"theme": "{request.param}"}}', "utf-8")
    yield request.param
    settings.unlink()


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"], indirect=True)
def test_axe_finds_nothing_serious_on_the_card(
    sit: Callable[..., Reader], lab: Lab, theme: str
) -> None:
    """Inside JupyterLab's own styles, light and dark, the card stays readable."""
    reader = sit().open_lab(lab)
    reader.go_to("DEMO-T1-011")
    dark = reader.page.get_attribute("body", "data-jp-theme-light") == "false"
    assert dark == ("Dark" in theme)
    assert serious(reader.page, ".rk-root") == []
    reader.press("?")
    reader.sees("dialog[open]")
    assert serious(reader.page, ".rk-root") == []
