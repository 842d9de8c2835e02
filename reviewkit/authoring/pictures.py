"""Bars of counts for the page of the worklist: words beside small drawings.

The words stay words, in the size of the page, on a telephone too; only the bars are drawn. Parts
of a bar are told apart by their pattern as well as by colour. Every figure stands in a table too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reviewkit.agreement.reporting.markup import words
from reviewkit.authoring.batch_history import OUTCOMES
from reviewkit.authoring.layout import OUTCOME_WORDS, STATE_WORDS, family_title
from reviewkit.authoring.worklist import Worklist

_TONES: Mapping[str, str] = {
    "accepted": "good", "needs_fix": "bad", "rejected": "worst", "excluded": "off",
    "reviewed": "shut", "changed": "stale", "skipped": "stale", "unreviewed": "none",
    "retired": "off", "merged": "off",
    "outright": "good", "after_fix": "mended", "returned": "bad", "open": "none",
    "withheld": "shut",
}  # fmt: skip
_ROUND = 2


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a bar."""

    tone: str
    """What it looks like: ``good``, ``mended``, ``bad``, ``worst``, ``stale``, ``shut``, ..."""
    said: str
    number: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One row: its name, its parts, and what is said of it."""

    name: str
    parts: tuple[Part, ...]

    @property
    def total(self) -> int:
        """How long it is."""
        return sum(part.number for part in self.parts)


def bars_of(work: Worklist, which: str) -> tuple[Bar, ...]:
    """Return the rows of a picture of the worklist: ``states``, ``families`` or ``batches``."""
    if which == "states":
        return tuple(
            Bar(STATE_WORDS[state], (Part(_TONES[state], STATE_WORDS[state], number),))
            for state, number in work.counts().items()
            if number
        )
    if which == "families":
        return tuple(
            Bar(
                family_title(each),
                (
                    Part("bad", "open", each.open_checks),
                    Part("mended", "closed", each.closed_checks),
                ),
            )
            for each in sorted(work.families, key=lambda each: -each.checks)
        )
    return tuple(
        Bar(
            each.batch.id,
            tuple(
                Part(_TONES[outcome], OUTCOME_WORDS[outcome], each.counts()[outcome])
                for outcome in OUTCOMES
            ),
        )
        for each in work.batches
    )


def draw_bars(title: str, caption: str, bars: Sequence[Bar]) -> str:
    """Return the rows as markup, the longest bar as wide as there is room; nothing for no rows."""
    longest = max((bar.total for bar in bars), default=0)
    if not longest:
        return ""
    rows = "".join(_row(bar, longest) for bar in bars)
    legend = _legend(bars)
    return (
        f'<figure class="rka-figure rkw-bars"><h3>{words(title)}</h3>'
        f"<ul>{rows}</ul>{legend}<figcaption>{words(caption)}</figcaption></figure>"
    )


def _row(bar: Bar, longest: int) -> str:
    drawn: list[str] = []
    at = 0.0
    for part in bar.parts:
        width = 100 * part.number / longest
        if part.number:
            drawn.append(
                f'<rect class="rkw-{part.tone}" x="{at:.3f}%" width="{width:.3f}%" height="100%"'
                f' rx="{_ROUND}"/>'
            )
        at += width
    said = [f"{part.said} {part.number}" for part in bar.parts if part.number]
    told = f'<span class="rkw-said">{words(", ".join(said))}</span>' if len(said) > 1 else ""
    return (
        f'<li><span class="rkw-name">{words(bar.name)}</span>'
        f'<svg class="rkw-bar" aria-hidden="true" focusable="false">{"".join(drawn)}</svg>'
        f'<span class="rkw-number">{bar.total}</span>{told}</li>'
    )


def _legend(bars: Iterable[Bar]) -> str:
    """Return what the parts mean, where a bar can have several: in their order, those drawn."""
    every = [bar.parts for bar in bars]
    if all(len(parts) < 2 for parts in every):
        return ""
    drawn = {part.said for parts in every for part in parts if part.number}
    seen = [(part.tone, part.said) for part in every[0] if part.said in drawn]
    swatches = "".join(
        f'<li><svg class="rkw-swatch" aria-hidden="true" focusable="false">'
        f'<rect class="rkw-{tone}" width="100%" height="100%" rx="{_ROUND}"/></svg>'
        f"{words(said)}</li>"
        for tone, said in seen
    )
    return f'<ul class="rkw-legend">{swatches}</ul>'
