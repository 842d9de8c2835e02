"""The page of a report: one file, the sentence first, and every word text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from reviewkit.agreement.reporting.blocks import Grid, Heading, Plot, Points, Sentence
from reviewkit.agreement.reporting.markup import Body, words
from reviewkit.agreement.reporting.model import AgreementReport, Disagreement, Part
from reviewkit.agreement.reporting.page import html_fragment, html_page
from reviewkit.agreement.reporting.plots import drawings_of
from reviewkit.agreement.reporting.render import render
from tests.agreement.reporting.page_reports import (
    arabic_report,
    measured,
    rows_of,
    study_report,
)


class Seen(HTMLParser):
    """What a browser would make of markup: elements, attributes, words."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.classes: list[str] = []
        self.words: list[str] = []
        self.handlers: list[str] = []
        self._inside: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: D102
        self.tags[tag] += 1
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in {"href", "src", "xlink:href"}:
                self.links.append(value or "")
            elif name == "class":
                self.classes += (value or "").split()
            elif name.startswith("on"):
                self.handlers.append(name)
        if tag in {"style", "title", "text"}:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:  # noqa: D102
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:  # noqa: D102
        if "style" not in self._inside and data.strip():
            self.words.append(data.strip())


@pytest.fixture(scope="module")
def study_page() -> str:
    """Return the page of the study."""
    return html_page(study_report())


def tiles_of(page: str) -> str:
    """Return the markup of the companions."""
    found = re.search(r'<dl class="rka-tiles">.*?</dl>', page, re.DOTALL)
    assert found
    return found[0]


def test_the_sentence_comes_first(study_page: str) -> None:
    """Title, notices, the sentence, the companions, what was read, then the sections."""
    places = [
        study_page.index(mark)
        for mark in (
            "<h1>", 'class="rka-notices"', 'class="rka-lead"', 'class="rka-tiles"',
            "What was read", 'class="rka-contents"', "Coefficients</h2>", 'class="rka-table"',
            'class="rka-figure"',
        )
    ]  # fmt: skip
    assert places == sorted(places)
    assert "Two reviewers agreed on 260 of 271 cards, 95.9\u00a0%" in study_page


def test_the_companions_stand_together(study_page: str) -> None:
    """Observed agreement, kappa, Brennan-Prediger, PABAK, AC1 and alpha, each with its interval."""
    tiles = tiles_of(study_page)
    assert re.findall(r"<dt>([^<]*)</dt>", tiles) == [
        "observed", "kappa", "BP(3)", "PABAK", "AC1", "alpha",
    ]  # fmt: skip
    assert tiles.count(" to ") == tiles.count("rka-bar") == 6


def test_an_undefined_companion_is_a_word_and_its_reason() -> None:
    """It has no bar, and no number stands for it."""
    whole = measured([["a", "a"]] * 30, ("a", "b"), ("x", "y"))
    report = AgreementReport("Agreement", ("x", "y"), (), (Part("whole", "all", "whole", whole),))
    page = html_page(report)
    tiles = tiles_of(page)
    assert tiles.count("undefined") == 2
    assert tiles.count("every rating is the same label") == 2
    assert tiles.count("rka-bar") == 4
    assert not re.search(r"\bnan\b", page, re.IGNORECASE)


def test_questions_without_a_whole_have_no_companions_on_top() -> None:
    """The figures of the first of several questions would pass for those of all."""
    one = measured(rows_of(30, ("a", "b"), 2, 0.8, 1), ("a", "b"), ("x", "y"))
    parts = tuple(Part(f"question:{each}", each, "question", one) for each in ("tone", "topic"))
    page = html_page(AgreementReport("Agreement", ("x", "y"), (), parts))
    assert '<dl class="rka-tiles">' not in page
    assert page.count('class="rka-lead"') == 2


def test_every_plot_is_drawn_once_with_its_caption(study_page: str) -> None:
    """Each plot of the report stands on the page, after words that say what it rests on."""
    for each in drawings_of(study_report()):
        assert study_page.count(f"<figcaption>{words(each.caption)}</figcaption>") == 1, each.id
    seen = Seen(study_page)
    assert seen.classes.count("rka-figure") == seen.tags["svg"] == 8


def test_a_page_needs_nothing_else(study_page: str) -> None:
    """No script, no picture, no address but those within the page."""
    seen = Seen(study_page)
    assert not {"script", "img", "link", "iframe", "object", "form", "input"} & set(seen.tags)
    assert seen.links
    assert all(each.startswith("#") for each in seen.links)
    assert "url(http" not in study_page
    assert "@import" not in study_page
    assert set(re.findall(r"https?://[^\s\"'<]+", study_page)) == {"http://www.w3.org/2000/svg"}


def test_every_id_is_there_once_and_every_link_leads_somewhere(study_page: str) -> None:
    """Plots, tables and sections share no id."""
    seen = Seen(study_page)
    assert len(seen.ids) == len({*seen.ids})
    named = set(re.findall(r'aria-labelledby="([^"]+)"', study_page))
    asked = {each.removeprefix("#") for each in seen.links} | named
    asked |= set(re.findall(r"url\(#([^)]+)\)", study_page))
    assert asked <= {*seen.ids}


def test_two_reports_in_one_notebook_share_no_id() -> None:
    """A second report must not draw with the shapes of the first."""
    one, other = Seen(html_fragment(study_report())), Seen(html_fragment(arabic_report()))
    assert one.ids
    assert {*one.ids}.isdisjoint(other.ids)


def test_the_same_report_gives_the_same_page(study_page: str) -> None:
    """No date, no counter, no chance: a page under version control changes when its data do."""
    html_page(arabic_report())
    assert html_page(study_report()) == study_page
    assert render(study_report(), "html") == study_page


NASTY = "<script>alert(1)</script><b>\"&'"


def test_words_of_others_are_text() -> None:
    """Labels, names, ids, notes, titles and reasons that look like markup make no element."""
    kind = (NASTY, "</style><img src=x onerror=alert(1)>", "N")
    whole = measured(rows_of(40, kind, 2, 0.7, 8), kind, (NASTY, "</svg><a href=x>"), NASTY)
    domain = Part(f"domain:{NASTY}", NASTY, "domain", whole, of="whole")
    report = AgreementReport(
        NASTY, (NASTY, "</svg><a href=x>"), (NASTY,),
        (Part("whole", NASTY, "whole", whole), domain, replace(domain, id="domain:other")),
        notices=(NASTY,), rater_word="coder", version=NASTY,
        disagreements=(Disagreement(NASTY, kind[:2], ((NASTY, kind[:2]),), (NASTY, "</td>")),),
    )  # fmt: skip
    ours, theirs = Seen(html_page(study_report())), Seen(html_page(report))
    assert set(theirs.tags) <= set(ours.tags) | {"bdi"}
    assert theirs.handlers == []
    assert all(each.startswith("#") for each in theirs.links)
    assert sum(NASTY in each for each in theirs.words) > 10


def test_right_to_left_words_are_isolated_by_elements() -> None:
    """What terminals isolate by characters, a page isolates by elements."""
    page = html_page(arabic_report())
    assert "<bdi>تحليل محايد</bdi>" in page
    assert not {"\u2068", "\u2069"} & set(page)
    assert "<title>Agreement: الردود.csv</title>" in page
    assert words("\u2068سامر\u2069 < 5 %") == "<bdi>سامر</bdi> &lt; 5\u00a0%"


def test_a_table_keeps_words_left_and_figures_right() -> None:
    """Row names are headings of their rows; a corner without words is none."""
    grid = Grid(("", "n", "note"), (("س", "7", "a <note>"), ("b", "undefined", "")),
                frozenset({0, 2}), "What it rests on.")  # fmt: skip
    made = Body("p", lambda _: "").flow([grid])
    assert '<td></td><th scope="col" class="rka-number">n</th><th scope="col">note</th>' in made
    assert '<th scope="row">س</th><td class="rka-number">7</td>' in made
    assert '<td dir="auto">a &lt;note&gt;</td>' in made
    assert '<td class="rka-number rka-faint">undefined</td>' in made
    assert '<figcaption id="p-t1">What it rests on.</figcaption>' in made
    assert 'role="group" tabindex="0" aria-labelledby="p-t1"' in made


def test_a_plot_stands_beside_the_table_that_it_draws() -> None:
    """One plot after a table shares its row; several share one among themselves."""
    grid = Grid(("a",), (("1",),))
    body = Body("p", lambda plot: f"[{plot.id}]")
    one, two = Plot("one", "", ""), Plot("two", "", "")
    assert re.search(
        r'<div class="rka-beside"><figure.*</figure>\[one\]</div>$', body.flow([grid, one])
    )
    assert body.flow([grid, one, two]).endswith('<div class="rka-figures">[one][two]</div>')
    assert body.flow([Sentence("x"), one]) == '<p>x</p><div class="rka-figures">[one]</div>'
    assert Body("p", lambda _: "").flow([one]) == ""


def test_sections_are_listed_in_order() -> None:
    """Every heading of the second level is a section with an id that the contents lead to."""
    body = Body("p", lambda _: "")
    made = body.sections([
        Heading("First"), Sentence("a"), Heading("Deeper", 3), Points(("b",)), Heading("Second"),
    ])  # fmt: skip
    assert body.contents == [("p-s1", "First"), ("p-s2", "Second")]
    assert made.count("<section") == 2
    assert '<h2 id="p-s1">First</h2><p>a</p><h3>Deeper</h3><ul class="rka-points">' in made


def test_a_fragment_is_an_element_and_no_page() -> None:
    """A notebook gets the report with its own style, without contents, head or policy."""
    seen = Seen(html_fragment(study_report()))
    assert not {"html", "head", "body", "meta", "nav", "main", "title"} & set(seen.tags)
    assert seen.tags["style"] == 1
    assert [each for each in seen.classes if each in ("rka-guest", "rka-report")] == [
        "rka-guest", "rka-report",
    ]  # fmt: skip
