"""The pages: every word text, every text in its own direction, nothing asked of anybody."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewkit.rulings import Ruling
from reviewkit.rulings.guides import NoSuchPart, next_edition
from reviewkit.rulings.literal import literal
from reviewkit.workspace import Workspace

FilesRuling = Callable[..., Ruling]
HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=y> </style></main>\n# Heading\n- a list\n"
    "1. one\n![x](http://e.example/x.png) https://e.example www.e.example a@e.example `code`\n"
    "$x$ | a |"
)


class Seen(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: D102
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:  # noqa: D102
        self.words.append(data)


def test_a_hostile_ruling_is_text_in_html(demo: Workspace, file_ruling: FilesRuling) -> None:
    """Whatever a ruling holds, the page has the same elements and no address."""
    file_ruling("Plain.\n2\n3\n4\n5\n6", "t1/natural")
    plain = Seen(next_edition(demo).as_html(part="t1"))
    file_ruling(HOSTILE, "t1/natural", supersedes="R-001")
    page = Seen(next_edition(demo).as_html(part="t1"))
    hostile = [tag for tag, _attrs in page.tags]
    assert [each for each in hostile if each in ("script", "img")] == []
    assert hostile.count("style") == 1
    assert set(hostile) - {tag for tag, _attrs in plain.tags} <= {"p"}
    assert "<script>alert(1)</script>" in "".join(page.words)
    for _tag, attrs in page.tags:
        assert not any(name.startswith("on") for name in attrs)
        assert attrs.get("href", "#").startswith("#")
        assert not {"src", "srcset", "action"} & set(attrs)


def test_a_hostile_ruling_is_text_in_markdown(demo: Workspace, file_ruling: FilesRuling) -> None:
    """No heading, list, link, picture, code or address comes out of a ruling."""
    file_ruling(HOSTILE, "t1/natural")
    page = next_edition(demo).as_markdown(part="t1")
    quoted = [line[2:] for line in page.splitlines() if line.startswith(">")]
    assert quoted[1:4] == ["\\# Heading", "\\- a list", "1\\. one"]
    assert "\\<script\\>" in quoted[0]
    assert not re.search(r"(?<!\\)[\[\]<>`$|@!]|https?:|www\.", "".join(quoted))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_literal_text_begins_no_markup(text: str) -> None:
    """No line of any text starts with what Markdown reads as a list, a rule or a heading."""
    for line in literal(text):
        assert not re.match(r"\s*([-+*>#=~]|\d{1,9}[.)])", line)
        opened = sum(line.count(mark) for mark in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
        assert opened <= line.count("\u202c") + line.count("\u2069")


@pytest.mark.parametrize("part", ["author", "t1", "t2", "t3", "t4"])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_page_needs_nothing_else(settled: Workspace, part: str, language: str) -> None:
    """One document with a closed policy, its digest in the margin, ids unique, links that lead."""
    draft = next_edition(settled)
    markup = draft.as_html(language, part)
    page = Seen(markup)
    policy = next(a["content"] for _t, a in page.tags if a.get("http-equiv"))
    assert str(policy).startswith("default-src 'none'")
    assert not re.search(r"url\(|@import|<link|<script", markup)
    assert page.tags[0] == ("html", {"lang": language, "dir": "rtl" if language == "ar" else "ltr"})
    margin = re.search(r"@page \{ @top-.*", markup)
    assert margin
    assert draft.digest[:16] in margin[0]
    assert "counter(page)" in margin[0]
    ids = [attrs["id"] for _tag, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    for tag, attrs in page.tags:
        if tag == "a":
            assert str(attrs["href"])[1:] in ids


def test_an_arabic_page_marks_what_is_not_arabic(settled: Workspace) -> None:
    """A ruling finds its direction by itself; names are isolated; the rest says its language."""
    markup = next_edition(settled).as_html("ar", "t1")
    assert '<p class="said" dir="auto">A twin is written in full.</p>' in markup
    assert '<code dir="ltr">t1/one_variable</code>' in markup
    assert 'lang="ar" dir="rtl">هل تختلف الصيغ' in markup


def test_what_has_no_arabic_is_said_in_english(demo: Workspace) -> None:
    """A check without an Arabic wording stands in English, marked as such."""
    form = demo.checklists / "t4.yaml"
    text = form.read_text(encoding="utf-8")
    text = text.replace("      ar: هل يستعمل الطلب أعمّ صياغة متاحة؟\n", "")
    form.write_text(text, encoding="utf-8")
    markup = next_edition(demo).as_html("ar", "t4")
    assert '<h3 lang="en" dir="ltr">Does the prompt use the most general wording' in markup


def test_a_bank_without_arabic_has_english_pages_alone(demo: Workspace) -> None:
    """The words of a page are English and Arabic; a German bank gets English pages."""
    text = demo.taxonomy.read_text(encoding="utf-8")
    assert "languages: [ar, en]" in text or "languages: [en, ar]" in text
    text = re.sub(r"languages: \[.*\]", "languages: [de, en]", text)
    text = re.sub(r"\n  ar:\n(    - .*\n)+", "\n", text)
    demo.taxonomy.write_text(text, encoding="utf-8")
    draft = next_edition(demo)
    assert draft.languages == ("en",)
    assert draft.as_html("de").startswith('<!doctype html>\n<html lang="en" dir="ltr">')


def test_an_unknown_part_is_a_sentence(demo: Workspace) -> None:
    """A part that is not there names those that are."""
    with pytest.raises(NoSuchPart, match="no part 't9'; use one of author, t1, t2, t3, t4"):
        next_edition(demo).as_html(part="t9")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=80))
def test_any_words_of_a_form_stay_words(demo: Workspace, text: str) -> None:
    """Titles of forms and rules are escaped like all else."""
    draft = next_edition(demo)
    first = draft.content.rules[0].model_copy(update={"title": {"en": text}})
    content = draft.content.model_copy(update={"rules": (first,)})
    page = Seen(type(draft)(content).as_html())
    assert text.strip() in "".join(page.words)


def test_names_in_a_row_have_the_comma_of_the_page(settled: Workspace) -> None:
    """An Arabic page parts names with its own comma, an English one with ours."""
    draft = next_edition(settled)
    assert "`t1/one_variable`، `t2/twins_identical`" in draft.as_markdown("ar")
    assert "`t1/one_variable`, `t2/twins_identical`" in draft.as_markdown("en")
    assert "`, `" not in draft.as_markdown("ar")
