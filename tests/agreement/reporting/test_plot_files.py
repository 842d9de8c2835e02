"""Plots as text and as files: labels of any script, the same bytes each time, a part of a page."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from reviewkit.agreement.reporting.canvas import (
    LONGEST,
    lines_of,
    short,
    style,
    svg_of,
    width_of,
)
from reviewkit.agreement.reporting.inline_svg import inline
from reviewkit.agreement.reporting.model import Part
from reviewkit.agreement.reporting.plots import drawings_of, plot_files
from tests.agreement.reporting.drawn_plots import drawn, texts
from tests.agreement.reporting.page_reports import (
    ARABIC,
    arabic_report,
    measured,
    one_part,
    rows_of,
    study_report,
)  # fmt: skip

NASTY = ('$x_1$ <b>&"', "\x00tab\there\ud800", "a]]>b", "{{7*7}}")


def test_labels_are_text_never_markup_or_mathematics() -> None:
    """Dollar signs, angle brackets, control and broken characters leave the file well formed."""
    rows = [[one, other] for one in NASTY for other in NASTY] * 3
    figure = drawn(one_part(rows, NASTY, ("<i>x</i>", "y$y$")), "confusion:whole")
    told = texts(figure)
    assert '$x_1$ <b>&"' in told
    assert "tab here" in told
    assert "rows: <i>x</i>" in told
    assert "columns: y$y$" in told


def test_arabic_labels_stay_in_logical_order() -> None:
    """In SVG a label is its own letters in the order they are read, for the browser to shape."""
    told = texts(drawn(arabic_report(), "shares:whole"))
    assert {ARABIC[0], ARABIC[1], ARABIC[3]} <= set(told)


def test_matplotlib_joins_arabic_letters_in_pictures() -> None:
    """A word is narrower than its letters apart: PNG and PDF show joined letters, from 3.11 on."""

    def width(text: str) -> float:
        canvas = FigureCanvasAgg(Figure(dpi=72))
        written = canvas.figure.text(0, 0, text, fontsize=40)
        return written.get_window_extent(canvas.get_renderer()).width

    with style():
        assert width("سيس") < 0.8 * sum(map(width, "سيس"))


def test_long_labels_are_cut_at_words() -> None:
    """An ellipsis says that something is missing; a word alone is cut where it must be."""
    assert short("one\ntwo", 200) == "one two"
    assert short("one two three four", 90) == "one two…"
    assert short("abcdefghijkl", 60) == "abcdef…"
    assert lines_of("one two three four five", 70, 2) == ["one two", "three…"]
    assert lines_of("", 70, 2) == [""]
    marked = short("كَتَبَكَتَبَكَتَبَ", 40).removesuffix("…")
    assert len(marked) > 1
    assert not unicodedata.combining(marked[-1])
    for text in ("W" * 40, "i" * 200, "其他" * 20, "two words", "وصف طويل جدًا لفئة من فئات الدليل"):
        assert all(width_of(each, 12.5) <= 100 for each in lines_of(text, 100, 3))


@pytest.mark.parametrize("text", ["x" * 50_000, "a" + "\u0301" * 200, "\u200b" * 50_000])
def test_a_label_without_end_is_cut_at_once(text: str) -> None:
    """A label of fifty thousand letters is not measured letter by letter, which took hours."""
    before = width_of.cache_info().misses
    (line,) = lines_of(text, 100, 1)
    assert len(line) <= LONGEST + 1
    assert width_of.cache_info().misses - before < 30


def test_the_same_report_gives_the_same_files(tmp_path: Path) -> None:
    """SVG, PDF and PNG hold no date and no name, so a second run changes no byte."""
    report = arabic_report()
    for kind in ("svg", "pdf", "png"):
        first = plot_files(report, tmp_path / "one", kind)
        second = plot_files(report, tmp_path / "two", kind)
        assert list(first) == list(second) == [each.id for each in drawings_of(report)]
        for plot_id, path in first.items():
            assert path.suffix == f".{kind}"
            assert path.read_bytes() == second[plot_id].read_bytes(), path


def test_the_readers_own_settings_change_nothing() -> None:
    """A dark style or another font in a notebook is the notebook's business."""
    before = svg_of(drawn(arabic_report(), "coefficients:whole"))
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "black", "svg.fonttype": "path"}):
        assert svg_of(drawn(arabic_report(), "coefficients:whole")) == before
        assert mpl.rcParams["font.size"] == 30


def test_ids_of_parts_name_no_place_on_the_disk(tmp_path: Path) -> None:
    """A part called ../../x lands in the folder, and parts in other scripts do not collide."""
    whole = study_report()
    rows = rows_of(30, ("a", "b"), 2, 0.8, 4)
    parts = tuple(
        Part(f"question:{name}", name, "question", measured(rows, ("a", "b"), ("ann", "bob")))
        for name in ("../../x", "س", "ص", "a/b")
    )
    files = plot_files(replace(whole, parts=(whole.parts[0], *parts)), tmp_path / "plots")
    assert len({*files.values()}) == len(files) > 8
    assert {path.parent for path in files.values()} == {tmp_path / "plots"}
    assert [*tmp_path.iterdir()] == [tmp_path / "plots"]


def test_an_inline_plot_disturbs_no_page() -> None:
    """No style of its own, no unused id, every reference kept, and colours that follow the page."""
    svg = svg_of(drawn(study_report(), "time:whole"))
    element = inline(svg, "p1", 'a "b" <c>')
    root = ET.fromstring(element)
    assert root.attrib["aria-label"] == 'a "b" <c>'
    names = {each.tag.rpartition("}")[2] for each in root.iter()}
    assert names.isdisjoint({"style", "metadata", "script", "image"})
    ids = [each.attrib["id"] for each in root.iter() if "id" in each.attrib]
    asked = {each.attrib["href"] for each in root.iter() if "href" in each.attrib}
    assert asked
    assert asked <= {f"#{each}" for each in ids}
    assert len(ids) == len({*ids})
    assert all(each.startswith("p1-") for each in ids)
    assert "var(--rka-blue,#0072b2)" in element
    assert "font-family" not in element
