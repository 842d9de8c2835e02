"""Hostile words on every surface that shows words: the same shape as with a plain word.

Each surface is what the package itself writes, given a word; a new one is added to ``SURFACES``.
"""

from __future__ import annotations

import csv
import functools
import io
import json
import logging
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, cast

import pytest
from jinja2 import Environment, StrictUndefined

from reviewkit.agreement.reporting.blocks import (
    Block,
    Grid,
    Heading,
    Plot,
    Points,
    Sentence,
    blocks_as_markdown,
    blocks_as_text,
    prose,
    shown,
)
from reviewkit.agreement.reporting.latex import latex
from reviewkit.agreement.reporting.markup import Body
from reviewkit.agreement.reporting.model import AgreementReport, Disagreement, Part
from reviewkit.agreement.reporting.render import Form, render
from reviewkit.authoring.pictures import Bar, draw_bars
from reviewkit.authoring.pictures import Part as BarPart
from reviewkit.cli.printing import print_table
from reviewkit.desk.server.logs import ServerLog
from reviewkit.labels.tables import Column, LabelTable
from reviewkit.labels.writing import csv_for_excel_bytes, jsonl_bytes
from reviewkit.problems import Problem
from reviewkit.release.freeze.log import FreezeLine
from reviewkit.release.freeze.page import afterwards_page
from reviewkit.release.publish.card import Facts, croissant, data_card, front_page
from reviewkit.release.publish.statements import DataCardHead, Statement
from reviewkit.rulings import Ruling
from reviewkit.rulings.guides.html import html_of
from reviewkit.rulings.guides.markdown import markdown_of
from reviewkit.rulings.guides.outline import Detail, Entry, Note, Page, Section
from reviewkit.rulings.guides.words import Said, Words
from reviewkit.rulings.log import render_page
from reviewkit.sources.formulas import FORMULA_STARTS, GUARD
from tests.agreement.reporting.page_reports import measured, rows_of
from tests.attacks.hostile_words import (
    FORBIDDEN,
    PLAIN,
    WORDS,
    html_faults,
    markdown_faults,
    terminal_faults,
)

ROOT = Path(__file__).parents[2]


def blocks(word: str) -> list[Block]:
    """Return every kind of block, with the word in every place, laid out by nobody before."""
    return [
        Heading(word, 1), Heading(word), Sentence(word), Sentence(f"By {shown(word)}."),
        Points((word, prose(word))), Plot("one", word, word, word),
        Grid((word, "n"), ((word, "1"), (shown(word), word)), frozenset({0}), caption=word),
    ]  # fmt: skip


def guide(word: str) -> Page:
    """Return a page of the guide whose every text is the word."""
    note = Note("R-001", Said(word), (Detail(word, names=("t1/natural",)), Detail("", Said(word))))
    entry = Entry("t1/natural", ("fix", word), Said(word, "en"), (Detail(word, Said(word)),),
                  (note,), boxes=True)  # fmt: skip
    section = Section("s", Said(word), (Detail(word, Said(word)),), (entry,), (note,))
    return Page(word, word, "d" * 64, (Detail(word, Said(word)),), (Said(word),), (section,))


def rulings(word: str) -> str:
    """Return ``RULINGS.md`` with one ruling."""
    ruling = Ruling.model_construct(
        number="R-001", text=word, type="ruling", author=word, checks=("t1/natural", word),
        item_ids=(word,), supersedes="", time="2026-11-30T12:00:00Z",
    )  # fmt: skip
    return render_page([ruling])


def facts(word: str) -> Facts:
    """Return what a publication knows of itself."""
    stratum = SimpleNamespace(stratum=word, groups=2, sealed_groups=1, items=4, sealed_items=2)
    layers = SimpleNamespace(sealed=("g",), sealed_items=2, share_of_items=0.5, items=4, seed=word,
                             share=50, strata=(stratum,))  # fmt: skip
    item = SimpleNamespace(language=word, register_=word)
    tier = SimpleNamespace(groups=(SimpleNamespace(items=(item,)),), layers=layers, digest="d",
                           retracted=(word,))  # fmt: skip
    return Facts(
        cast("Any", tier),
        (without_addresses(word),),
        (word,),
        "one",
        "c",
        1,
        None,
        "b",
        "2026-11-30",
        True,
    )


def statements(word: str) -> list[Statement]:
    """Return the data card's statement; authors may give an address in its head."""
    word = without_addresses(word)
    head = DataCardHead.model_construct(title=word, version=word, licence=word, cite_as=word)
    return [Statement("data-card", head, "What it is.", "x")]


def without_addresses(word: str) -> str:
    """Return the word without what may act there."""
    return re.sub(r"(?i)(https?|mailto):|www\.|[@$]", "", word)


def afterwards(word: str) -> str:
    """Return ``AFTERWARDS.md`` with one line of each kind of words."""
    line = FreezeLine.model_construct(
        kind="amendment", freeze="one", time="2026-11-30T12:00:00Z", name=word, text=word,
        reason=word, effect=word, ids={word: "d"}, files={word: "d"},
        changes=(SimpleNamespace(of=word, before=word, after=word),),
    )  # fmt: skip
    return afterwards_page(word, [line])


def refused(word: str) -> str:
    """Return the page for somebody who may choose, or whose name is none."""
    source = (ROOT / "voila_apps/templates/reviewkit/refused.html.j2").read_text(encoding="utf-8")
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(source)
    return template.render(why="choose", name=word, choices=(("l1", word),), base_url="#/")


def bars(word: str) -> str:
    """Return the bars of the worklist."""
    parts = (BarPart("good", word, 2), BarPart("bad", "b", 1))
    return draw_bars(word, word, (Bar(word, parts),))


def body(word: str) -> str:
    """Return blocks as the pages lay them out."""
    return Body("p", lambda _: "").flow(blocks(word))


MARKDOWN: dict[str, Callable[[str], str]] = {
    "blocks": lambda word: blocks_as_markdown(blocks(word), {"one": "one.svg"}),
    "a guide": lambda word: markdown_of(guide(word), Words("en")),
    "the rulings": rulings,
    "the data card": lambda word: data_card(statements(word), facts(word)),
    "the front page": lambda word: front_page(statements(word), facts(word), {}),
    "what came after a freeze": afterwards,
}
KEEP_LINES = {"a guide", "the rulings"}
PAGES: dict[str, Callable[[str], str]] = {
    "blocks": body,
    "a guide": lambda word: html_of(guide(word), Words("en")),
    "bars": bars,
    "the page for somebody refused": refused,
}
TERMINAL: dict[str, Callable[[str], str]] = {
    "blocks": lambda word: blocks_as_text(blocks(word)),
    "a problem": lambda word: str(Problem(word, f"got {word!r}", f"not {word}")),
}


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS.keys())
@pytest.mark.parametrize("surface", MARKDOWN)
def test_hostile_words_in_markdown(surface: str, word: str) -> None:
    """No mark, block, row, link, picture or mention comes out of a word."""
    made = MARKDOWN[surface]
    assert markdown_faults(made(PLAIN), made(word), surface in KEEP_LINES) == []


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS.keys())
@pytest.mark.parametrize("surface", PAGES)
def test_hostile_words_on_a_page(surface: str, word: str) -> None:
    """No element, attribute or address comes out of a word, and the word is read."""
    assert html_faults(PAGES[surface](PLAIN), PAGES[surface](word), word) == []


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS.keys())
@pytest.mark.parametrize("surface", TERMINAL)
def test_hostile_words_on_a_terminal(surface: str, word: str) -> None:
    """Nothing acts, nothing is hidden, and no word begins a line of its own."""
    assert terminal_faults(TERMINAL[surface], word) == []


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS.keys())
def test_hostile_words_in_tables(word: str) -> None:
    """In a CSV for Excel nothing computes, a JSON line stays one, and the word comes back."""
    table = LabelTable(word, (Column("note", word),), ({"note": word},))
    made = io.StringIO(csv_for_excel_bytes(table).decode("utf-8-sig"), newline="")
    _, (cell,) = csv.reader(made)
    assert cell.removeprefix(GUARD) == word
    assert not cell.startswith(tuple(FORMULA_STARTS))
    assert jsonl_bytes(table).count(b"\n") == 1
    assert json.loads(jsonl_bytes(table)) == {"note": word}
    card = json.loads(croissant(statements(word), facts(word), {"a.md": b""}))
    assert card["inLanguage"] == [word]


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS.keys())
def test_hostile_words_in_the_log(tmp_path: Path, form: Literal["json", "text"], word: str) -> None:
    """An event is one line whatever stands in a field, and has no field that nobody gave it."""
    log = ServerLog(str(tmp_path / "log"), form)
    log.tell("library", logging.WARNING, says=word, through=[word])
    raw = (tmp_path / "log").read_bytes().decode()
    assert (raw.count("\n"), len(raw.splitlines())) == (1, 1)
    assert not FORBIDDEN.search(raw.rstrip("\n"))
    if form == "json":
        assert list(json.loads(raw)) == ["time", "level", "event", "says", "through"]


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS.keys())
def test_hostile_words_in_latex(word: str) -> None:
    """No command, group or line comes out of a word, and no sign that turns the order."""
    # how a table is set follows from its longest cell
    plain, hostile = (latex(blocks(each), {"one": "one.pdf"}) for each in (len(word) * "x", word))
    told = re.compile(r"\\text[a-z]+(?:\{\}|(?=\{))")
    kinds = [set(re.findall(r"\\[A-Za-z]+", told.sub("", each))) for each in (plain, hostile)]
    assert kinds[1] - kinds[0] == set()
    assert hostile.count("\n") == plain.count("\n")
    assert not FORBIDDEN.search(hostile.replace("\n", ""))
    bare = re.sub(r"\\[{}]", "", hostile)
    assert bare.count("{") == bare.count("}")


DRAWN = ("a script", "an end of attributes", "an end of everything", "a cell of Markdown", "a NUL",
         "line ends", "a stack of marks", "no space", "commands of TeX")  # fmt: skip
"""So many as a plot of categories shows."""


@pytest.mark.parametrize("form", ["html", "md", "text"])
def test_hostile_words_in_a_report(form: Form) -> None:
    """Words as categories, raters and notes, drawn too: elements, rows and lines as ever."""
    made = functools.partial(report, form=form)
    words = [WORDS[name] for name in DRAWN]
    plain = made([f"{PLAIN} {n}" for n in range(len(words))])
    if form == "html":
        assert html_faults(plain, made(words), words[2]) == []
    elif form == "md":
        assert markdown_faults(plain, made(words)) == []
    else:
        assert not FORBIDDEN.search(made(words).replace("\n", ""))


def report(words: Sequence[str], form: Form) -> str:
    """Return a report on these labels, the first two of them raters as well."""
    whole = measured(rows_of(60, words, 2, 0.7, 8), words, words[:2], words[2])
    notes = (Disagreement("u", tuple(words[:2]), (), tuple(words)),)
    told = AgreementReport(
        words[3], (words[0], words[1]), tuple(words), (Part("whole", words[4], "whole", whole),),
        notices=tuple(words), disagreements=notes, facts={"files": list(words)},
    )  # fmt: skip
    return render(told, form)


def test_hostile_words_in_a_printed_table(capsys: pytest.CaptureFixture[str]) -> None:
    """A cell with line ends makes no row of its own."""
    print_table(("name", "n"), [(word, "1") for word in WORDS.values()])
    told = capsys.readouterr().out
    assert len(told.splitlines()) == len(WORDS) + 1
