"""The card's script, style sheet and strings as files, without a browser."""

from __future__ import annotations

import re

from reviewkit.desk.board import board_style_sheet
from reviewkit.desk.script import SOURCES, STATIC, joined_script
from reviewkit.desk.wording import load_strings


def test_the_joined_script_is_one_self_contained_module() -> None:
    """The files join into a module with one export and no import, each under 400 lines."""
    script = joined_script()
    assert len(re.findall(r"^export ", script, re.MULTILINE)) == 1
    assert re.search(r"^\s*import\b|\bimport\(", script, re.MULTILINE) is None
    assert "http://" not in script.replace("https?://", "")
    # the lead's board and his other pages are widgets of their own
    leads = {"board.js", "board_acts.js", "page_links.js", "pages.js"}
    assert {path.name for path in STATIC.glob("*.js")} - leads == set(SOURCES)
    for name in SOURCES:
        assert len((STATIC / name).read_text(encoding="utf-8").splitlines()) <= 400, name


def test_nothing_in_the_script_reads_text_as_markup() -> None:
    """No sink that parses markup or code is used anywhere in the script."""
    sinks = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment"
        r"|DOMParser|\beval\b|new Function|srcdoc"
    )
    assert re.findall(sinks, joined_script()) == []


def test_every_interface_string_is_there_in_both_languages_and_used() -> None:
    """Each code the script names exists in English and Arabic, and no string lies unused."""
    strings = load_strings("strings.yaml")
    named = set(re.findall(r"strings\.(\w+)", joined_script())) | {"yes", "no"}
    assert named == set(strings)
    for code, wordings in strings.items():
        assert set(wordings) == {"en", "ar"}, code
        assert re.search(r"[\u0600-\u06ff]", wordings["ar"]), code
        assert re.findall(r"\{\w+\}", wordings["en"]) == re.findall(r"\{\w+\}", wordings["ar"]), (
            code
        )


def test_every_class_of_the_style_sheet_is_ours() -> None:
    """Every class it names starts with rk-, so no rule reaches outside the card."""
    css = re.sub(
        r"/\*.*?\*/|\"[^\"]*\"|\([^()]*(?:px|%)\)",
        "",
        board_style_sheet(),
        flags=re.DOTALL,
    )
    classes = set(re.findall(r"\.([a-zA-Z][\w-]*)", css))
    assert {name for name in classes if not name.startswith("rk-")} == {"jp-NotebookPanel"}
