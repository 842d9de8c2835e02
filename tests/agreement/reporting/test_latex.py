"""The report as LaTeX: escaped, balanced, and compiled where a TeX is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.agreement.reporting.blocks import Grid, Heading, Plot, Points, Sentence, shown
from reviewkit.agreement.reporting.latex import escaped, latex
from reviewkit.agreement.reporting.model import AgreementReport
from reviewkit.agreement.reporting.render import render
from reviewkit.agreement.reporting.sections import blocks_of

NASTY = "50 % of_the \\items {cost} $5 & #3 ~ ^ <b> | \"q\" 'a' `x` [0] * -- \\input{/etc/passwd}"


def without_commands(text: str) -> str:
    """Return what TeX prints of an escaped text, our own commands undone."""
    undone = {
        r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~",
        r"\textless{}": "<", r"\textgreater{}": ">", r"\textbar{}": "|",
        r"\textquotedbl{}": '"', r"\textquotesingle{}": "'", r"\textasciigrave{}": "`",
        "$-$": "-", "{-}": "-", "{[}": "[", "{]}": "]", "{*}": "*",
        r"\{": "{", r"\}": "}", r"\$": "$", r"\&": "&", r"\#": "#", r"\%": "%", r"\_": "_",
    }  # fmt: skip
    pattern = re.compile("|".join(map(re.escape, sorted(undone, key=len, reverse=True))))
    return pattern.sub(lambda found: undone[found[0]], text)


def test_no_text_is_a_command() -> None:
    """Every sign that TeX would act on is printed instead."""
    told = escaped(NASTY)
    assert without_commands(told).replace("~%", " %") == NASTY
    assert not re.search(r"(?<!\\)[$&#%_^](?!\w*\{)", told.replace("~", ""))
    assert r"\input" not in told.replace(r"\textbackslash{}input", "")


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60))
def test_any_ascii_text_comes_back(text: str) -> None:
    """Escaping loses nothing and adds only our own commands."""
    told = escaped(text)
    # a tie stands only where a space stood before a percent sign
    assert without_commands(re.sub(r"(?<=\d)~(?=\\%)", " ", told)) == text


@given(st.lists(st.text(max_size=30).map(shown), min_size=2, max_size=6))
def test_braces_and_columns_are_balanced(cells: list[str]) -> None:
    """Whatever stands in a cell, groups close and each row has as many cells as the head."""
    told = latex([Grid(tuple(cells), (tuple(cells),), caption=cells[0])], {})
    bare = re.sub(r"\\[\\{}&]", "", told)
    assert bare.count("{") == bare.count("}")
    rows = [line for line in told.splitlines() if line.endswith(r" \\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {len(cells) - 1}


def test_tables_are_booktabs_that_break_over_pages() -> None:
    """Figures are set to the right, words to the left, long words in a box that wraps."""
    note = "a note that is longer than a column of words may be in one line of a page"
    grid = Grid(("card", "note", "n"), (("T1", note, "5"),), frozenset({0, 1}), "What it holds.")
    told = latex([grid], {})
    assert re.search(
        r"\\begin\{longtable\}\{@\{\}l>\{\\raggedright\\arraybackslash\}p\{0\.\d\d\\linewidth\}r@",
        told,
    )
    assert told.count(r"\toprule") == 2  # the first head, and that of later pages
    assert r"\caption{What it holds.}" in told
    assert r"\bottomrule" in told
    assert r"T1 & a note" in told


def test_headings_lists_and_plots() -> None:
    """Levels become sections without numbers, and a plot is shown where it has a file."""
    blocks = [
        Heading("Report", 1), Heading("Part"), Heading("Detail", 3), Sentence("a & b"),
        Points(("one",)), Plot("time:whole", "Over time; n = 5.", "alt"), Plot("x:y", "", ""),
    ]  # fmt: skip
    told = latex(blocks, {"time:whole": "plots/time_whole.pdf"})
    assert r"\section*{Report}" in told
    assert r"\subsection*{Part}" in told
    assert r"\subsubsection*{Detail}" in told
    assert r"a \& b" in told
    assert r"\item one" in told
    assert re.search(r"\\includegraphics\[.*\]\{\\detokenize\{plots/time_whole\}\}", told)
    assert r"\caption{Over time; n = 5.}" in told
    assert told.count(r"\begin{figure}") == 1
    assert "graphicx" in told
    assert "graphicx" not in latex(blocks[:5], {})


def test_arabic_is_set_as_arabic_and_latin_in_it_as_latin() -> None:
    """Each run is in its own language, and the file says which TeX it needs."""
    assert escaped(shown("used only نعم here")) == r"used only \textarabic{نعم} here"
    assert escaped(shown("رد 7 من csv")) == (
        r"\textarabic{رد \textenglish{7} من \textenglish{csv}}"
    )
    assert escaped(shown("שלום")) == r"\texthebrew{שלום}"
    told = latex([Sentence(shown("نعم"))], {})
    assert "XeLaTeX or LuaLaTeX" in told
    assert r"\babelprovide[import]{arabic}" in told
    assert "hebrew" not in told
    assert "any LaTeX" in latex([Sentence("yes")], {})


@pytest.mark.parametrize("name", ["study", "paradox", "five", "nothing"])
def test_reports_leave_no_mark_of_direction(name: str, request: pytest.FixtureRequest) -> None:
    """TeX would print an isolate as a box, so none is left."""
    told = render(request.getfixturevalue(name), "latex")
    assert not re.search("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", told)


def usable(engine: str) -> bool:
    """Return whether a TeX with the packages that a report needs is at hand."""
    find = shutil.which("kpsewhich")
    if shutil.which(engine) is None or find is None:
        return False
    needed = ["booktabs.sty", "longtable.sty", "babel.sty", "fontspec.sty"]
    done = subprocess.run([find, *needed], capture_output=True, text=True, check=False)
    return len(done.stdout.splitlines()) == len(needed)


def compiled(engine: str, folder: Path, name: str) -> str:
    """Compile twice, as a table over pages needs, and return what TeX said the second time."""
    told = ""
    for _ in range(2):
        done = subprocess.run(
            [engine, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name],
            cwd=folder, capture_output=True, text=True, errors="replace", timeout=300, check=False,
        )  # fmt: skip
        told = done.stdout
        assert done.returncode == 0, told[-2000:]
    return told


# A TeX is half a gigabyte and no part of CI. Where there is none, what it would find most often is
# held by the tests of escaping and balance above.
if usable("xelatex"):

    @pytest.mark.process
    def test_it_compiles_as_it_is(study: AgreementReport, tmp_path: Path) -> None:
        """A report with Arabic notes compiles, and no letter is missing from its fonts."""
        (tmp_path / "report.tex").write_text(render(study, "latex"), encoding="utf-8")
        assert "Missing character" not in compiled("xelatex", tmp_path, "report.tex")
        assert (tmp_path / "report.pdf").exists()

    @pytest.mark.process
    def test_a_paper_can_input_it(broader: AgreementReport, tmp_path: Path) -> None:
        """Read by a paper it brings no preamble, and the paper goes on after it."""
        report = replace(broader, title=f"Agreement {NASTY}")
        (tmp_path / "report.tex").write_text(latex(blocks_of(report), {}), encoding="utf-8")
        paper = (
            "\\documentclass{article}\\usepackage{booktabs,longtable,array,textcomp,fontspec}"
            "\\begin{document}\\input{report}\\typeout{THE PAPER GOES ON}\\end{document}"
        )
        (tmp_path / "paper.tex").write_text(paper, encoding="utf-8")
        assert "THE PAPER GOES ON" in compiled("xelatex", tmp_path, "paper.tex")


def test_a_row_of_any_length_has_a_size() -> None:
    """A cell of more than a million characters is set in the smallest type, and is no fault."""
    grid = Grid(("unit", "n"), (("x" * 1_000_001, "1"),))
    assert r"\scriptsize" in latex([grid], {})
