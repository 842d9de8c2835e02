"""A card of a second country in the browser: German from left to right, its letters told apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from reviewkit.cli.laying import lay_project
from reviewkit.workspace import Workspace
from tests.browser.places import link_of, voila
from tests.browser.reader import Reader
from tests.serving.served import Server

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

REVIEWERS = ("anna", "ben")  # a second tab may not write: each opens one
DIRECTIONS = """[...document.querySelectorAll('.rk-text-body')]
  .map(each => each.dir + ' ' + getComputedStyle(each).direction)"""
NARROW = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture(scope="module")
def austria(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Voila that serves the German example, with a reviewer for every test."""
    folder = tmp_path_factory.mktemp("austria") / "project"
    lay_project(folder, first="anna", second="ben", demo=False, checklist=False, example="german")
    ws = Workspace(folder)
    text = ws.study_file("review").read_text(encoding="utf-8")
    head = text[: text.index("    passes:")].replace("study: review", "study: demo")
    passes = "".join(f"      - {{pass: p-{each}, rater: {each}}}\n" for each in REVIEWERS)
    # the name of the study that the browser tests' servers ask for
    ws.study_folder("review").rename(ws.study_folder("demo"))
    ws.study_file("demo").write_text(f"{head}    passes:\n{passes}", encoding="utf-8")
    with voila(ws) as server:
        yield server


@pytest.fixture(scope="module")
def reader(austria: Server, browser: Any) -> Iterator[Reader]:
    """A reviewer in front of the cards, who goes from one to another and answers nothing."""
    one = Reader(browser).open(link_of(austria, REVIEWERS[0]))
    yield one
    one.close()
    assert one.errors == []


def test_german_runs_left_to_right_and_is_named_as_german(reader: Reader) -> None:
    """Every text says that it is German and runs left to right, on an Arabic page as well."""
    reader.go_to("AT-T1-001")
    assert set(reader.page.evaluate(DIRECTIONS)) == {"ltr ltr"}
    languages = "[...document.querySelectorAll('.rk-text .rk-original')].map(e => e.lang)"
    assert set(reader.page.evaluate(languages)) == {"de"}
    reader.press("l")
    reader.sees(".rk-root[dir=rtl]")
    assert set(reader.page.evaluate(DIRECTIONS)) == {"ltr ltr"}
    reader.press("l")
    reader.sees(".rk-root[dir=ltr]")


def test_sharp_s_is_marked_as_a_letter(reader: Reader) -> None:
    """Strasse beside Straße is marked as spelled with another letter form."""
    reader.go_to("AT-T1-001")
    marked = reader.sees(".rk-mark.rk-spelling")
    assert marked.inner_text() == "Strasse"
    assert "letter form" in marked.get_attribute("data-say")
    slots = reader.page.locator(".rk-text .rk-slot").all_inner_texts()
    assert slots == ["Kärnten", "Tirol"]


def test_decomposed_umlaut_is_marked_and_dialect_stands_beside(reader: Reader) -> None:
    """für in two code points is named a normalisation; standard and dialect share a row."""
    reader.go_to("AT-T3-001")
    marks = reader.page.locator(".rk-mark.rk-spelling")
    texts = marks.all_inner_texts()
    assert unicodedata.normalize("NFD", "für") in texts
    assert any("normalisation" in (each.get_attribute("data-say") or "") for each in marks.all())
    headings = reader.page.locator(".rk-text-heading").all_inner_texts()
    assert sum("Austrian dialect" in each for each in headings) == 2
    rows = reader.page.locator(".rk-row.rk-beside").count()
    assert rows == 2


def test_a_promise_in_german_is_shown_as_no_text(reader: Reader) -> None:
    """A dialect twin that is only announced bears the badge of a stub."""
    reader.go_to("AT-T3-003")
    assert reader.page.locator(".rk-tone-stub").count() == 2


def test_nothing_leaves_a_narrow_screen(sit: Callable[..., Reader], austria: Server) -> None:
    """German compounds are long; on a phone they break and push nothing over the edge."""
    one = sit(**NARROW).open(link_of(austria, REVIEWERS[1]))
    one.shows("AT-T1-001")
    one.go_to("AT-T2-002")
    assert one.page.evaluate("document.scrollingElement.scrollWidth") <= 390
