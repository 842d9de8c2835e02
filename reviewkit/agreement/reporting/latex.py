r"""The report as LaTeX: a file that compiles as it is, and that a paper can \input.

Tables need booktabs and longtable, plots graphicx. Text in a right-to-left script stands in
``\textarabic`` or ``\texthebrew``, which babel or polyglossia define, and needs XeLaTeX or
LuaLaTeX; without any, pdfLaTeX does as well.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from reviewkit.agreement.reporting.blocks import Block, Grid, Heading, Plot, Points, Sentence

_ISOLATE, _END = "\u2068", "\u2069"
_ISOLATED = re.compile(f"{_ISOLATE}([^{_ISOLATE}{_END}]*){_END}")
_NEGATIVE = re.compile(r"(?<![^\s(\[])-(?=\d)")
"""The sign of a number; a hyphen within an id or a date follows a letter or a digit."""
_BEFORE_PERCENT = re.compile(r"(?<=\d) (?=\\%)")
_MINUS = "\u2212"
_UNSET = frozenset({"Cc", "Cs", "Cn", "Co", "Zl", "Zp"})
"""Categories of characters that TeX has no sign for."""
_DIRECTION_MARKS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}", "`": r"\textasciigrave{}", "-": "{-}", "[": "{[}", "]": "{]}",
    "*": "{*}", "\u00a0": "~", "\u2212": "$-$",
}  # fmt: skip
_LATIN = re.compile(r"[A-Za-z0-9](?:[ \-.,:;/_+%&#@'=*]*[A-Za-z0-9%])*")
_HEBREW = re.compile("[\u0590-\u05ff\ufb1d-\ufb4f]")
_LEVELS = {1: "section", 2: "subsection"}
SIZES = ((72, r"\small"), (96, r"\footnotesize"))
"""Up to so many characters in a row, a table is set in this size; above, in the smallest."""
FIGURE_SIZE = r"width=0.7\linewidth,height=0.6\textheight,keepaspectratio"
LONG_CELL = 34
"""A column of words with a longer cell wraps; how wide it is follows from its words."""

HEADER = r"""% Agreement report, written by reviewkit.
% Compile it as it is ({engine}), or \input it in a paper that loads:
{packages}
"""
_PREAMBLE = r"""\expandafter\ifx\csname @nodocument\endcsname\relax
  % read by \input: the paper has its own preamble
  \let\reviewkitend\endinput
\else
\documentclass{{article}}
\usepackage[margin=22mm]{{geometry}}
{packages}
\begin{{document}}
\setlength{{\LTcapwidth}}{{\linewidth}}
\def\reviewkitend{{\end{{document}}}}
\fi
"""


def latex(blocks: Iterable[Block], plots: Mapping[str, str]) -> str:
    """Return the blocks as LaTeX; ``plots`` gives the file of each plot by its id."""
    held = tuple(blocks)
    body = "\n\n".join(part for block in held for part in _parts(block, plots))
    scripts = _scripts(body)
    packages = _packages(scripts, plots=any(isinstance(b, Plot) and b.id in plots for b in held))
    listed = "\n".join(f"%   {line}" for line in packages)
    engine = "XeLaTeX or LuaLaTeX" if scripts else "any LaTeX"
    return (
        HEADER.format(engine=engine, packages=listed)
        + _PREAMBLE.format(packages="\n".join(packages))
        + f"\n{body}\n\n\\reviewkitend\n"
    )


def escaped(text: str) -> str:
    """Return ``text`` as LaTeX that prints just these characters.

    Runs that were isolated as right to left are set in their language; other marks of direction,
    and characters that TeX does not take, are left out.
    """
    pieces: list[str] = []
    last = 0
    for run in _ISOLATED.finditer(text):
        pieces.append(_plain(text[last : run.start()]))
        language = "hebrew" if _HEBREW.search(run[1]) else "arabic"
        pieces.append(f"\\text{language}{{{_right_to_left(run[1])}}}")
        last = run.end()
    return "".join((*pieces, _plain(text[last:])))


def _right_to_left(text: str) -> str:
    """Return a right-to-left text; what is Latin in it is set as such, in a font that has it."""
    pieces: list[str] = []
    last = 0
    for run in _LATIN.finditer(text):
        pieces += [_plain(text[last : run.start()]), f"\\textenglish{{{_plain(run[0])}}}"]
        last = run.end()
    return "".join((*pieces, _plain(text[last:])))


def _plain(text: str) -> str:
    kept = (each for each in text if unicodedata.category(each) not in _UNSET)
    signed = _NEGATIVE.sub(_MINUS, "".join(kept))
    told = "".join(_SPECIAL.get(each, each) for each in signed if each not in _DIRECTION_MARKS)
    return _BEFORE_PERCENT.sub("~", told)


def _scripts(body: str) -> tuple[str, ...]:
    return tuple(each for each in ("arabic", "hebrew") if f"\\text{each}{{" in body)


def _packages(scripts: Sequence[str], *, plots: bool) -> list[str]:
    """Return the lines of the preamble that the body needs."""
    lines = [r"\usepackage{booktabs,longtable,array,textcomp}"]
    lines += [r"\usepackage{graphicx}"] * plots
    if not scripts:
        # only conditionals that TeX itself knows: those of a package end a branch that is skipped
        old = r"\ifdefined\directlua\usepackage{fontspec}\else\usepackage[T1]{fontenc}\fi"
        return [*lines, rf"\ifdefined\XeTeXversion\usepackage{{fontspec}}\else{old}\fi"]
    lines += [
        r"\usepackage{fontspec}",
        r"\PassOptionsToPackage{bidi=\ifdefined\directlua basic\else default\fi}{babel}",
        r"\usepackage[english]{babel}",
    ]
    for script in scripts:
        lines += [rf"\babelprovide[import]{{{script}}}", _font(script)]
        tongue = rf"\foreignlanguage{{{script}}}{{#1}}"
        lines.append(rf"\providecommand{{\text{script}}}[1]{{{tongue}}}")
    tongue = r"\foreignlanguage{english}{#1}"
    return [*lines, rf"\providecommand{{\textenglish}}[1]{{{tongue}}}"]


def _font(script: str) -> str:
    """Return the line that chooses the first installed font with all signs that stand in a text.

    DejaVu comes with most systems. Noto's Arabic has no brackets, so it is the last to be asked.
    """
    name = script.capitalize()
    told = rf"\babelfont[{script}]{{rm}}{{Noto Sans {name}}}"
    for font in ("DejaVu Sans", *(("Amiri",) if script == "arabic" else ())):
        told = rf"\IfFontExistsTF{{{font}}}{{\babelfont[{script}]{{rm}}{{{font}}}}}{{{told}}}"
    return told


def _parts(block: Block, plots: Mapping[str, str]) -> list[str]:
    match block:
        case Heading(text, level):
            return [rf"\{_LEVELS.get(level, 'subsubsection')}*{{{escaped(text)}}}"]
        case Sentence(text):
            return [escaped(text)]
        case Points(items):
            lines = "\n".join(rf"  \item {escaped(item)}" for item in items)
            return [f"\\begin{{itemize}}\n{lines}\n\\end{{itemize}}"] if items else []
        case Grid():
            return [_table(block)]
        case Plot(plot_id, caption, _, title):
            if plot_id not in plots:
                return []
            return [_figure(plots[plot_id], f"{title}. {caption}" if title else caption)]


def _figure(file: str, caption: str) -> str:
    path = file.removesuffix(".svg").removesuffix(".pdf").removesuffix(".png")
    return "\n".join(
        (
            r"\begin{figure}[htbp]",
            r"  \centering",
            rf"  \includegraphics[{FIGURE_SIZE}]{{\detokenize{{{path}}}}}",
            rf"  \caption{{{escaped(caption)}}}",
            r"\end{figure}",
        )
    )


def _table(grid: Grid) -> str:
    """Return a longtable: it breaks over pages, and stands where its sentence does."""
    lines = (grid.header, *grid.rows)
    longest = [max(len(line[i]) for line in lines) + 2 for i in range(len(grid.header))]
    size = next((name for most, name in SIZES if sum(longest) <= most), r"\scriptsize")
    caption = rf"\caption{{{escaped(grid.caption)}}}\\" if grid.caption else ""
    head = rf"\toprule {_row(grid.header)} \midrule"
    told = [
        f"{{{size}\\setlength{{\\tabcolsep}}{{4pt}}",
        rf"\begin{{longtable}}{{@{{}}{_columns(grid)}@{{}}}}",
        *([caption] * bool(caption)),
        head,
        r"\endfirsthead",
        head,
        r"\endhead",
        r"\bottomrule",
        r"\endlastfoot",
        *map(_row, grid.rows),
        r"\end{longtable}}",
    ]
    return "\n".join(told)


def _columns(grid: Grid) -> str:
    """Return how each column is set: figures to the right, long words in a box that wraps."""
    longest = [
        max(len(line[i]) for line in (grid.header, *grid.rows)) for i in range(len(grid.header))
    ]
    wrapped = {i for i in grid.left if longest[i] > LONG_CELL}
    taken = sum(min(longest[i], LONG_CELL) for i in range(len(longest)) if i not in wrapped)
    room = max(0.2, 0.9 - taken / 110)
    every = sum(longest[i] for i in wrapped)
    told: list[str] = []
    for i, length in enumerate(longest):
        if i in wrapped:
            share = max(0.12, room * length / every)
            told.append(rf">{{\raggedright\arraybackslash}}p{{{share:.2f}\linewidth}}")
        else:
            told.append("l" if i in grid.left else "r")
    return "".join(told)


def _row(cells: Sequence[str]) -> str:
    return rf"{' & '.join(map(escaped, cells))} \\"
