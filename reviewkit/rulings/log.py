"""What we learned: the numbered rulings, append-only, keyed to item ids and never to texts.

``R-001`` and up are rules that settle a case for good; ``D-001`` and up are design disagreements,
recorded and carried on rather than settled by one reviewer. A ruling may supersede an earlier one.
During a blind pass a rater sees the rulings that stood when the pass started and his own, and none
that another pass of the same round filed, so a ruling cannot carry one rater's view to the other.
A second reviewer sees, of these, none that names a group or an item that he may come to judge.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from reviewkit.decisions import (
    Chain,
    ChainLine,
    Lines,
    Report,
    Torn,
    Word,
    store_of,
    verify_chain,
)
from reviewkit.problems import ReviewkitError
from reviewkit.questions import is_blank
from reviewkit.rulings.literal import code, literal
from reviewkit.study.second_review import OpenRulings
from reviewkit.workspace import Workspace

RulingType = Literal["ruling", "disagreement"]
_PREFIX: dict[str, str] = {"ruling": "R", "disagreement": "D"}
TEXT_LIMIT = 4_000


class RulingRefused(ReviewkitError):
    """The ruling cannot be filed as it stands."""


class RulingEntry(BaseModel):
    """What a door hands to the log."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, populate_by_name=True)

    click_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{8,64}$")]
    type: RulingType
    text: Annotated[str, StringConstraints(max_length=TEXT_LIMIT)]
    """The rule, in words that hold for other items too."""
    checks: tuple[str, ...] = ()
    """The checks it governs, as ``form/check``: ``t1/one_variable``."""
    item_ids: tuple[str, ...] = ()
    """The items it was taken on."""
    supersedes: Annotated[str, StringConstraints(pattern=r"^([RD]-\d{3,})?$")] = ""
    author: Word
    study: str = ""
    pass_: Annotated[str, Field(alias="pass")] = ""


class Ruling(RulingEntry, ChainLine):
    """One line of the log: an entry with its number and its place in the chain."""

    number: Annotated[str, StringConstraints(pattern=r"^[RD]-\d{3,}$")]
    """``R-001`` or ``D-001`` and up, never used twice."""


@dataclass(frozen=True, slots=True)
class Pin:
    """How much of the log a blind pass may see."""

    lines: int
    """The number of rulings when the pass started."""
    study: str = ""
    others: frozenset[str] = frozenset()
    """The other passes of the same round: what they file stays closed even if it came first."""
    opened: OpenRulings | None = None
    """In a second review: those that are about none of its groups; the rest stays closed."""

    def admits(self, ruling: Ruling) -> bool:
        """Return whether a ruling of somebody else may be seen."""
        from_the_round = ruling.study == self.study and ruling.pass_ in self.others
        if self.opened is not None and not self.opened.admits(ruling.item_ids, ruling.text):
            return False
        return ruling.seq <= self.lines and not from_the_round


class RulingsLog:
    """``rulings/rulings.jsonl`` and the page rendered from it.

    Args:
        place: the lines of a store, or a file.
        shown: its name in messages.
        page: the page that every new ruling renders again.
        folded_in: gives the edition of the guide that each ruling was folded into.
    """

    def __init__(
        self,
        place: Path | Lines,
        shown: str,
        page: Path | None = None,
        folded_in: Callable[[], Mapping[str, int]] = dict,
    ) -> None:
        self._chain = Chain(place, shown, Ruling)
        self._page = page
        self._folded_in = folded_in

    @classmethod
    def of(
        cls,
        ws: Workspace,
        page: Path | None = None,
        folded_in: Callable[[], Mapping[str, int]] = dict,
    ) -> RulingsLog:
        """Return the log of a project folder; without a page it is as a rule only read."""
        lines = store_of(ws).lines(ws.rulings_log)
        return cls(lines, lines.shown, page, folded_in)

    def all(self) -> tuple[Ruling, ...]:
        """Return every ruling in order; raises LedgerBroken when the file is damaged."""
        return self._chain.lines()

    def find(self, click_id: str) -> Ruling | None:
        """Return the ruling that this click filed, if there is one."""
        return self._chain.find(click_id)

    @property
    def torn(self) -> tuple[Torn, ...]:
        """Torn tails that were set aside."""
        return self._chain.torn

    def file(self, entry: RulingEntry) -> Ruling:
        """Append a ruling with the next number of its kind and return it.

        The same click twice is one ruling. Raises RulingRefused for an empty text or an unknown
        ruling to supersede, CannotWrite when the disk does not take it.
        """
        if is_blank(entry.text):
            raise RulingRefused("the ruling has no text; say the rule in a sentence")

        def number(earlier: Sequence[Ruling]) -> dict[str, str]:
            if entry.supersedes and entry.supersedes not in {each.number for each in earlier}:
                raise RulingRefused(
                    f"there is no {entry.supersedes} to supersede; name a ruling that exists"
                )
            letter = _PREFIX[entry.type]
            count = sum(1 for each in earlier if each.number.startswith(letter))
            return {"number": f"{letter}-{count + 1:03d}"}

        ruling = self._chain.append(entry.model_dump(mode="json", by_alias=True), number)
        # the ruling stands on disk; the page is rendered again with the next one
        with suppress(OSError, ReviewkitError):
            self.render()
        return ruling

    def render(self) -> None:
        """Write the page anew; raises OSError when the disk does not take it."""
        if self._page is not None:
            write_page(self._page, self.all(), self._folded_in())


def rulings_log(ws: Workspace) -> RulingsLog:
    """Return the rulings log of a project, whose page tells where each ruling was folded in."""

    def editions() -> dict[str, int]:
        from reviewkit.rulings.guides import folded_in  # noqa: PLC0415 - heavy, for the page alone

        return folded_in(ws)

    return RulingsLog.of(ws, ws.rulings_page, editions)


def visible_rulings(rulings: Iterable[Ruling], pin: Pin | None, rater: str) -> tuple[Ruling, ...]:
    """Return the rulings in force that a rater may see.

    With a pin (a blind pass) those are the pinned ones and his own; a ruling that he may not see
    supersedes nothing for him.
    """
    seen = [
        ruling for ruling in rulings if pin is None or ruling.author == rater or pin.admits(ruling)
    ]
    superseded = {ruling.supersedes for ruling in seen if ruling.supersedes}
    return tuple(ruling for ruling in seen if ruling.number not in superseded)


def render_page(rulings: Iterable[Ruling], folded_in: Mapping[str, int] | None = None) -> str:
    """Return ``RULINGS.md``: every ruling with its checks, items and what superseded it.

    Args:
        rulings: every ruling in order.
        folded_in: the edition of the guide that each ruling was folded into, where it was.
    """
    editions = folded_in or {}
    listed = list(rulings)
    superseded_by = {each.supersedes: each.number for each in listed if each.supersedes}
    lines = [
        "# Rulings",
        "",
        "Rendered from `rulings.jsonl`; file new ones from the card or with `reviewkit ruling`.",
    ]
    for letter, title in (("R", "Rules"), ("D", "Design disagreements")):
        chosen = [each for each in listed if each.number.startswith(letter)]
        if not chosen:
            continue
        lines += ["", f"## {title}"]
        for each in chosen:
            lines += ["", f"### {each.number}", "", *_quoted(each.text), ""]
            if each.number in superseded_by:
                lines.append(f"- superseded by {superseded_by[each.number]}")
            if each.supersedes:
                lines.append(f"- supersedes {each.supersedes}")
            if each.checks:
                lines.append(f"- governs {', '.join(map(code, each.checks))}")
            if each.item_ids:
                lines.append(f"- taken on {', '.join(map(code, each.item_ids))}")
            if each.number in editions:
                lines.append(f"- folded into edition {editions[each.number]} of the guide")
            lines.append(f"- {each.time[:10]}, by {code(each.author)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> list[str]:
    """Return the text as a literal Markdown quote, so that nothing in it acts as markup."""
    return [f"> {line}".rstrip() for line in literal(text)]


def write_page(
    path: Path, rulings: Iterable[Ruling], folded_in: Mapping[str, int] | None = None
) -> None:
    """Replace the rendered page, so that a reader never meets half of it."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        page = render_page(rulings, folded_in)
        temporary.write_text(page, encoding="utf-8", newline="\n")
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def verify_rulings(place: Path | Lines, shown: str) -> Report:
    """Check every line of a rulings log; faults are in the report, none is raised."""
    return verify_chain(Chain(place, shown, Ruling))
