"""The page of the worklist: self-contained, escaped, with bars that say what the tables say."""

from __future__ import annotations

import re

import pytest

from reviewkit.authoring import retire, worklist
from reviewkit.authoring.one_group import one_group
from reviewkit.authoring.pictures import bars_of, draw_bars
from reviewkit.workspace import Workspace
from tests.authoring.one_reviewer import alone, edit, judge, sit

NASTY = "<script>alert(1)</script> & \u0627\u0644\u0645\u062c\u062a\u0645\u0639\u0627\u0646"


@pytest.fixture
def busy(demo: Workspace) -> Workspace:
    """The demo with a group in every state that one reviewer can bring about."""
    alone(demo)
    walk = sit(demo)
    judge(walk, "DEMO-T1-001", "natural", "bounded_request", note=NASTY)
    judge(walk, "DEMO-T1-002", "natural")
    judge(walk, "DEMO-T1-003")
    judge(walk, "DEMO-T3-001", "no_harm")
    judge(walk, "DEMO-T1-013", "bounded_request")
    edit(demo, "DEMO-T1-001", "4 lines", "<b>5</b> lines")
    judge(sit(demo), "DEMO-T1-001", "natural", note=NASTY)
    edit(demo, "DEMO-T1-001", "<b>5</b> lines", "<b>6</b> lines")
    retire(demo, "DEMO-T1-013", reason=NASTY, name="<i>amal</i>", merged_into="DEMO-T1-012")
    return demo


def test_the_page_needs_nothing_and_runs_nothing(busy: Workspace) -> None:
    """No script, no picture or font from elsewhere, and a policy that holds it to that."""
    for page in (worklist(busy).as_html(), one_group("DEMO-T1-001", busy).as_html()):
        assert page.startswith("<!doctype html>")
        assert "default-src 'none'" in page
        assert "<script" not in page
        assert not re.search(r"(src|href)=\"(?!#)", page)
        assert "@import" not in page
        assert "url(" not in page


def test_what_people_wrote_is_text(busy: Workspace) -> None:
    """Reasons, names, notes and item texts are escaped on every page and in Markdown."""
    pages = [worklist(busy).as_html(), worklist(busy)._repr_html_()]
    pages += [one_group(each, busy).as_html() for each in ("DEMO-T1-001", "DEMO-T1-013")]
    for page in pages:
        assert "<script" not in page
        assert "<i>amal" not in page
        assert "<b>6" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in pages[0]
    assert '&lt;b&gt;<mark title="changed">6</mark>&lt;/b&gt; lines' in pages[2]
    markdown = worklist(busy).as_markdown()
    assert markdown.count("<script") == markdown.count("\\<script") == 1


def test_the_bars_say_what_the_list_counts(busy: Workspace) -> None:
    """States, families and batches have a bar for every row, as long as what it counts."""
    found = worklist(busy)
    states = {bar.name: bar.total for bar in bars_of(found, "states")}
    assert states == {
        "needs a fix": 1, "rejected": 1, "changed since its review": 1, "accepted": 1,
        "unreviewed": 20, "merged": 1,
    }  # fmt: skip
    families = {bar.name: [part.number for part in bar.parts] for bar in bars_of(found, "families")}
    assert families == {
        "Broken agreement": [2, 0], "Unbounded length": [0, 2], "Improper request": [1, 0],
    }  # fmt: skip
    (batch,) = bars_of(found, "batches")
    assert (batch.name, batch.total) == ("seed", 25)
    drawn = draw_bars("Batches", "All.", [batch])
    widths = [float(each) for each in re.findall(r'width="([\d.]+)%"', drawn.split("<ul class")[0])]
    assert sum(widths) == pytest.approx(100, abs=0.01)
    assert "returned 2, rejected 1, open 20, retired 1" in drawn
    assert draw_bars("Nothing", "None.", []) == ""


def test_no_two_pictures_of_a_page_share_an_id(busy: Workspace) -> None:
    """Ids are unique, also when two lists stand in one notebook."""
    page = worklist(busy)._repr_html_()
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) > 0
    retire(busy, "DEMO-T1-017", reason="never written", name="amal")
    other = re.findall(r' id="([^"]+)"', worklist(busy)._repr_html_())
    assert not set(ids) & set(other)


def test_arabic_keeps_its_own_direction(busy: Workspace) -> None:
    """A note takes its side from its own first letter, an Arabic reason is isolated or alone."""
    page = one_group("DEMO-T1-001", busy).as_html()
    assert page.count('class="rkw-note" dir="auto"') == 2
    assert page.count('class="rkw-text" dir="auto"') == 2
    assert "<bdi>المجتمعان</bdi>" in worklist(busy).as_html()
    retire(busy, "DEMO-T1-017", reason="لم تُكتب النسخة العراقية", name="أمل")
    assert re.search('<td dir="auto"[^>]*>لم تُكتب النسخة العراقية</td>', worklist(busy).as_html())


def test_a_notebook_stores_one_line(busy: Workspace) -> None:
    """The representation holds no address of an object."""
    assert repr(worklist(busy)) == "<Worklist: 24 groups, 3 open checks>"
    assert repr(one_group("DEMO-T1-001", busy)) == "<OneGroup: DEMO-T1-001, changed>"


def test_a_legend_names_the_parts_in_their_order(busy: Workspace) -> None:
    """What is drawn in any bar is named once, in the order of the bars, and nothing else is."""
    edit(busy, "DEMO-T1-003", "4 lines", "5 lines")
    first, second = bars_of(worklist(busy), "batches")[0], bars_of(worklist(busy), "states")
    drawn = draw_bars("Batches", "All.", [first])
    legend = re.findall("</svg>([a-z ]+)</li>", drawn.split("rkw-legend")[1])
    assert legend == ["returned", "rejected", "open", "retired"]
    assert "rkw-legend" not in draw_bars("States", "All.", second)


def test_the_marks_of_a_difference_are_explained(busy: Workspace) -> None:
    """Those that stand in the texts are told, and no other; without a difference none is."""
    page = one_group("DEMO-T1-001", busy).as_html()
    marks = page.split('aria-label="Marks">')[1].split("</ul>")[0]
    assert "</mark> differs" in marks
    assert "nobody sees" not in marks
    assert "more here" not in marks
    assert 'aria-label="Marks"' not in one_group("DEMO-T1-002", busy).as_html()
    # a no-break space comes, and a word
    edit(busy, "DEMO-T1-001", "<b>6</b> lines", "<b>6</b>\u00a0lines or so")
    page = one_group("DEMO-T1-001", busy).as_html()
    assert "nobody sees" in page
    assert "the other side has more here</li>" in page


def test_long_cells_are_marked_for_a_small_screen(busy: Workspace) -> None:
    """A table with words to read says so, and its cells say of what column they are."""
    page = worklist(busy).as_html()
    assert '<td dir="auto" class="rka-words" data-of="open checks">' in page
    assert 'data-of="state">needs a fix</td>' in page
    states = page.split("Where the groups stand</h2>")[1].split("</table>")[0]
    assert "data-of" not in states
