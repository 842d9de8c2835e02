"""Nothing lost, nothing doubled: reload, dead kernel, second tab, restarted server."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewkit.workspace import Workspace
from tests.browser.places import lay_demo, link_of, records, voila
from tests.browser.reader import Reader
from tests.serving.served import Server, kernel_of

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

WORDS = "half a sentence, cut off in the mid"


def begin(reader: Reader) -> dict[str, str]:
    """Answer two checks of the second card and write half a note."""
    reader.go_to("DEMO-T1-002")
    reader.press("ny")
    reader.press("m")
    reader.page.keyboard.type(WORDS)
    return reader.answered()


def same_as_left(reader: Reader, answers: dict[str, str]) -> None:
    """See the same card with the same answers and the same words."""
    reader.shows("DEMO-T1-002")
    assert len(answers) == 2
    assert reader.answered() == answers
    assert reader.note() == WORDS


def finish(reader: Reader, place: Workspace, rater: str) -> None:
    """Complete the card and find it recorded once."""
    reader.page.keyboard.press("Escape")
    for _ in range(len(reader.checks()) - 2):
        reader.press("y")
    reader.save()
    reader.shows("DEMO-T1-003")
    (decision,) = records(place, rater, "decision")
    assert (decision["card_id"], decision["note"]) == ("DEMO-T1-002", WORDS)
    assert len(records(place, rater, "start")) == 1


def test_a_reload_in_mid_note_loses_nothing(reader: Reader, place: Workspace, rater: str) -> None:
    """The very moment after the last key, the page is loaded again: same card, same words."""
    answers = begin(reader)
    reader.reload()
    same_as_left(reader, answers)
    finish(reader, place, rater)


def test_a_kernel_killed_under_the_page_is_said_and_loses_nothing(
    reader: Reader, served: Server, place: Workspace, rater: str
) -> None:
    """The page comes back by itself, and once: same card, same words, and nothing recorded."""
    reader.go_to("DEMO-T1-002")
    reader.press("ny")
    reader.press("m")
    reader.page.keyboard.type(WORDS[:10])
    answers = reader.answered()
    os.kill(kernel_of(served, rater).pid, signal.SIGKILL)
    reader.page.evaluate("window.first = true")
    reader.page.keyboard.type(WORDS[10:])
    reader.page.wait_for_function(
        "!window.first && document.querySelector('.rk-frame')", timeout=60_000
    )
    same_as_left(reader, answers)
    assert records(place, rater, "decision") == []
    finish(reader, place, rater)


def test_of_two_tabs_one_writes(reader: Reader, place: Workspace, rater: str) -> None:
    """A second tab asks first; when it takes over, the first only reads and records nothing."""
    answers = begin(reader)
    reader.wait_saved()
    first = reader.page
    second = reader.context.new_page()
    second.goto(first.url, timeout=60_000)
    second.wait_for_selector(".rk-panel-elsewhere", timeout=60_000)
    assert WORDS not in second.content()
    second.get_by_role("button", name="Take over here").first.click()
    reader.page = second
    same_as_left(reader, answers)

    reader.page = first
    first.bring_to_front()
    first.keyboard.type(" from the first tab")
    reader.sees(".rk-root[data-state=elsewhere]")
    first.keyboard.press("Escape")
    reader.press("yyyyy")
    reader.save()
    first.wait_for_timeout(400)
    assert records(place, rater, "decision") == []

    reader.page = second
    second.bring_to_front()
    reader.press("m")
    finish(reader, place, rater)
    assert reader.answered() == {}


def test_a_restarted_server_brings_the_same_card(
    sit: Callable[..., Reader], tmp_path: Path
) -> None:
    """The server ends and comes back under an open page: same person, card, answers, words.

    While it is away one red bar says so and the buttons are dead.
    """
    place = lay_demo(tmp_path / "project", ("amal", "basim"))
    reader = sit()
    with voila(place) as server:
        port = server.port
        reader.open(link_of(server, "amal"))
        reader.shows("DEMO-T1-001")
        answers = begin(reader)
        reader.wait_saved()
    reader.page.keyboard.type("!")
    bar = reader.sees(".rk-bar-lost")
    assert "No answer from the server" in bar.inner_text()
    assert reader.page.locator(".rk-save:disabled, .rk-choice:disabled").count() > 2
    reader.page.keyboard.press("Backspace")
    reader.page.evaluate("window.first = true")
    with voila(place, port):
        reader.page.wait_for_function(
            "!window.first && document.querySelector('.rk-frame')", timeout=60_000
        )
        same_as_left(reader, answers)
        finish(reader, place, "amal")
        reader.close()
