"""One list of hostile words for every place that shows words, and what no such place may do.

A place is looked at twice, with a plain word and with a hostile one, and must have the same shape
both times: no element, no attribute, no heading, no row, no line more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

from markdown_it import MarkdownIt

from reviewkit.cli.terminal import spelled_out

PLAIN = "word"
WORDS = {
    "a script": "<script>top.acted=1</script>",
    "an end of attributes": "\"' onmouseover='top.acted=1' x=\"><b>",
    "an end of everything": "</style></title></textarea></svg>--><img src=x onerror=top.acted=1>",
    "a link that runs": "javascript:top.acted=1",
    "links of Markdown": "[a](javascript:b) ![c](http://e.example/i.png) <http://e.example> [^1]",
    "addresses": "https://e.example www.e.example mailto:a@e.example @all",
    "signs of Markdown": "*b* _c_ `d` ~~e~~ $x$ :smile: &lt;b&gt; &#60;",
    "blocks of Markdown": "# a\n- b\n1. c\n> d\n```\ne\n```\n|f|g|\n|-|-|\n\n    h\n\n<p>\n\n---",
    "a heading below": "===",
    "a cell of Markdown": "a | b \\| c \\\\| d \\",
    "a formula": '=HYPERLINK("http://e.example","x")',
    "a command": "+cmd|' /C calc'!A0",
    "a number": "-2+3",
    "a function": "@SUM(1)",
    "a tab": "\ta\tb",
    "line ends": "a\r\nb\rc\nd\x0be\x0cf\x85g\u2028h\u2029i",
    "a NUL": "a\0b",
    "escape sequences": "\x1b]0;owned\x07\x1b[2J\x9b2Ja\rb\x08",
    "words that are hidden": "a\x1b[8mb\x1b[30;40mc",
    "an override": "\u202egnol\u202d",
    "isolates": "\u2067a\u2066b\u2068c",
    "no width": "a\u200bb\ufeffc\u00add\u2060",
    "a stack of marks": "a" + "\u0301" * 200,
    "no space": "x" * 50_000,
    "a template": "{{7*7}}{% raw %}${7*7}",
    "commands of TeX": "\\input{/etc/passwd} % $x$ \\end{document}",
    "a JSON string": '","event":"forged"}\n{"event":"forged',
    "a field of a log": "a event=forged\nforged",
}  # fmt: skip
"""Every word can stand on a disk: half a character and a NUL are refused at the doors."""

FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066\u2067]")
"""What acts on a terminal, our own colours apart."""


_TURNS = "[\u202a-\u202e\u2066\u2067]"


class _Elements(HTMLParser):
    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.shape: set[tuple[str, ...]] = set()
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.shape.add((tag, *sorted(name for name, _ in attrs)))
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action")]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def html_faults(plain: str, hostile: str, word: str) -> list[str]:
    """Return what a page does because of a hostile word, or that it does not show it."""
    one, other = _Elements(plain), _Elements(hostile)
    faults = [str(each) for each in other.shape - one.shape if each != ("bdi",)]
    faults += [
        each for each in other.links if each not in one.links and not re.fullmatch(r"#[\w-]+", each)
    ]
    if _letters(word)[:40] not in _letters("".join(other.words)):
        faults.append("the word is not there")
    return faults


def markdown_faults(plain: str, hostile: str, lines: bool = False) -> list[str]:
    """Return what Markdown makes of a hostile word: marks, blocks, rows, addresses, mentions.

    ``lines``: the place keeps a text's own lines, which may be paragraphs.
    """
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    one, other = (_kinds(reader, text) for text in (plain, hostile))
    kept = {"inline", "paragraph_open", "paragraph_close"} if lines else set[str]()
    faults = [each for each in other if other.count(each) > one.count(each) and each not in kept]
    # what GitHub and notebooks make of bare text
    bare = re.sub(r"`[^`\n]*`|\\.", "", hostile)
    faults += re.findall(r"(?i)(?:https?|mailto):\S|www\.|[@$]\w", bare)
    # where lines are kept, a sign that turns the order of letters is closed at the line's end
    return faults + FORBIDDEN.findall(re.sub(_TURNS, "", hostile) if lines else hostile)


def _kinds(reader: MarkdownIt, text: str) -> list[str]:
    kinds: list[str] = []
    for each in reader.parse(text):
        kinds.append(each.type)
        kinds += [
            child.type for child in each.children or ()
            if child.type not in ("text", "softbreak", "text_special")
        ]  # fmt: skip
    return kinds


def terminal_faults(surface: Callable[[str], str], word: str) -> list[str]:
    """Return what a text does on a terminal, and that its line ends make lines of their own."""
    told = spelled_out(surface(word))
    faults = [repr(each) for each in FORBIDDEN.findall(told)]
    flat = surface(" ".join(re.sub("[\0-\x1f\x7f-\x9f]", " ", word).split()))
    if len(told.splitlines()) != len(flat.splitlines()):
        faults.append("lines of its own")
    return faults


def _letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum() or char in "<>=")
