"""Which set a file is, told by its content, and the groups that it makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from reviewkit.bank.check import check_group
from reviewkit.bank.item_sets import (
    bbq,
    camel,
    crows_pairs,
    kobbq,
    stereoset,
    winogender,
    winogender_sentences,
    xstest,
)
from reviewkit.bank.item_sets.mapped import ItemMapping, take_mapped
from reviewkit.bank.item_sets.settled import Asked, Settled, settle
from reviewkit.bank.item_sets.taken import Gathered, LeftOut, Taken
from reviewkit.bank.item_sets.winobias import is_winobias, lines_of, take_sentences
from reviewkit.bank.items import Group, TestType
from reviewkit.bank.rest import collector_at_rest
from reviewkit.bank.taxonomy import Taxonomy
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import Source, Table, read_table
from reviewkit.sources.encodings import OPTIONS, decoded, read_bytes
from reviewkit.sources.source import show_loc


@dataclass(frozen=True, slots=True)
class ItemSet:
    """One published set: how it is told, and what it becomes."""

    name: str
    title: str
    test_type: TestType
    language: str
    prefix: str
    columns: tuple[str, ...] = ()
    """The columns by which a table of it is told."""
    take: Callable[[Table, Settled], Gathered] | None = None
    """None where the set is no table."""
    holds: Callable[[Table], bool] = field(default=lambda _table: True)
    """What else must be so of a table with those columns."""

    def is_it(self, table: Table) -> bool:
        """Return whether a table is of this set."""
        named = bool(self.columns) and set(self.columns) <= set(table.columns)
        return self.take is not None and named and self.holds(table)


def _some(column: str, sign: str, table: Table) -> bool:
    return any(sign in cell for cell in table.column(column))


def _has_sentences(table: Table) -> bool:
    return set(winogender_sentences.COLUMNS) <= set(table.columns)


def _take_winogender(table: Table, settled: Settled) -> Gathered:
    """Return the groups of the templates, or of the sentences made from them."""
    take = (
        winogender_sentences.take_sentences
        if _has_sentences(table)
        else (winogender.take_templates)
    )
    return take(table, settled)


SETS: dict[str, ItemSet] = {
    each.name: each
    for each in (
        ItemSet("bbq", "BBQ", "T2", "en", "BBQ", bbq.COLUMNS, bbq.take_blocks),
        ItemSet("kobbq", "KoBBQ", "T2", "ko", "KOBBQ", kobbq.COLUMNS, kobbq.take_blocks),
        ItemSet(
            "crows-pairs", "CrowS-Pairs", "T1", "en", "CROWS", crows_pairs.COLUMNS,
            crows_pairs.take_pairs,
        ),
        ItemSet(
            "stereoset", "StereoSet", "T1", "en", "STEREOSET", stereoset.COLUMNS,
            stereoset.take_table, stereoset.is_flattened,
        ),
        ItemSet(
            "winogender", "Winogender", "T1", "en", "WINOGENDER", ("sentence",), _take_winogender,
            lambda table: _has_sentences(table) or winogender.columns_of(table) is not None,
        ),
        ItemSet("winobias", "WinoBias", "T1", "en", "WINOBIAS"),
        ItemSet(
            "xstest", "XSTest", "T3", "en", "XSTEST", xstest.COLUMNS, xstest.take_prompts,
            partial(_some, "type", xstest.CONTRAST),
        ),
        ItemSet(
            "camel", "CAMeL", "T1", "ar", "CAMEL", (camel.PROMPT,), camel.take_masks,
            partial(_some, camel.PROMPT, camel.MASK),
        ),
    )
}  # fmt: skip
"""Every set that is known by its content."""


@collector_at_rest()
def read_items(
    files: Sequence[tuple[Path, str]],
    taxonomy: Taxonomy,
    asked: Asked | None = None,
    *,
    set_name: str | None = None,
    mapping: tuple[ItemMapping, Source] | None = None,
    taxonomy_shown: str = "bank/taxonomy.yaml",
) -> Taken:
    """Read one item set, in one file or several, into groups that fit a taxonomy.

    Args:
        files: Each with its name as messages show it; WinoBias comes in two.
        taxonomy: The closed lists that the groups must fit.
        asked: What the set does not say; see ``Asked``.
        set_name: Which set it is, a name of ``SETS``; without it the content decides.
        mapping: Which column is what, for a table that is none of them.
        taxonomy_shown: The taxonomy as messages show it.

    Raises:
        ProblemsFound: When no file can be read as a set, or a code is missing. A row at fault is
            no problem: it is left out, with the reason.
    """
    asked = asked or Asked()
    opened = _Opened(files, asked, set_name, mapping)
    settled = settle(
        taxonomy, asked, test_type=opened.test_type, language=opened.language,
        prefix=opened.prefix, shown=taxonomy_shown,
    )  # fmt: skip
    gathered = opened.take(settled)
    groups = _sound(gathered, taxonomy)
    order = {where: at for at, where in enumerate(opened.rows)}
    kept = {row for made in gathered.made for row in made.rows}
    left_out: dict[str, LeftOut] = {}
    for each in gathered.left_out:
        if each.where not in kept:
            left_out.setdefault(each.where, each)
    return Taken(
        name=opened.name,
        title=opened.title,
        groups=groups,
        left_out=tuple(sorted(left_out.values(), key=lambda each: order.get(each.where, -1))),
        said=(*opened.said, *gathered.said),
        rows=len(opened.rows),
        kept=len(kept),
    )


def _sound(gathered: Gathered, taxonomy: Taxonomy) -> tuple[Group, ...]:
    """Return the well-formed groups; the rows of others are left out with what is wrong."""
    taken: set[str] = set()
    sound = gathered.made
    gathered.made = []
    for made in sound:
        group = made.group
        ids = [f"group {group.template_id}", *(item.id for item in group.items)]
        fault = next(check_group(group, taxonomy, None, show_loc), None)
        if fault is not None:
            reason = f"{fault.where} {fault.wrong}; {fault.remedy}".strip()
            gathered.leave_out(made.rows, reason)
        elif len(set(ids)) < len(ids) or not taken.isdisjoint(ids):
            gathered.leave_out(
                made.rows, f"another row has the id of {group.template_id} or an item"
            )
        else:
            taken.update(ids)
            gathered.made.append(made)
    return tuple(made.group for made in gathered.made)


class _Opened:
    """The files of an import, recognised."""

    def __init__(
        self, files: Sequence[tuple[Path, str]], asked: Asked, set_name: str | None,
        mapping: tuple[ItemMapping, Source] | None,
    ) -> None:  # fmt: skip
        if set_name is not None and set_name not in SETS:
            known = ", ".join(SETS)
            raise ProblemsFound([Problem("--as", f"no set {set_name!r} is known", f"use {known}")])
        self._asked, self._mapping = asked, mapping
        self.said: list[str] = []
        self.rows: list[str] = []
        self.take: Callable[[Settled], Gathered]
        shown = files[0][1]
        if mapping is not None:
            self._of_mapping(self._table(*files[0]), *mapping)
        elif found := self._document(files, set_name) or self._text(files, set_name):
            self._is(found)
        else:
            self._of_table(self._table(*files[0]), set_name)
        if len(files) > 1 and self.name != "winobias":
            wrong = f"{len(files)} files, and {self.title} is read from one"
            raise ProblemsFound([Problem(shown, wrong, "import them one after the other")])

    def _is(self, found: ItemSet) -> None:
        self.name, self.title = found.name, found.title
        self.test_type, self.language = found.test_type, found.language
        self.prefix = found.prefix

    def _of_mapping(self, table: Table, mapping: ItemMapping, source: Source) -> None:
        self.name = self.title = self.prefix = mapping.items
        self.test_type, self.language = mapping.test_type, mapping.language
        self.take = lambda settled: take_mapped(table, settled, mapping, source)

    def _of_table(self, table: Table, set_name: str | None) -> None:
        fitting = [each for each in SETS.values() if each.is_it(table)]
        if set_name is not None:
            fitting = [each for each in fitting if each.name == set_name]
        if len(fitting) != 1:
            raise ProblemsFound([self._not_recognised(table, set_name)])
        self._is(fitting[0])
        take = fitting[0].take
        if take is None:
            raise AssertionError("only sets that are tables fit one")
        self.take = lambda settled: take(table, settled)

    def _not_recognised(self, table: Table, set_name: str | None) -> Problem:
        seen = ", ".join(name for name in table.columns if name)[:200]
        if set_name is not None:
            needed = ", ".join(SETS[set_name].columns) or "another kind of file"
            wrong = f"is no {SETS[set_name].title}: it has the columns {seen}"
            return Problem(table.shown, wrong, f"that set has {needed}; or describe it with --map")
        wrong = f"is none of the sets known by their content; it has the columns {seen}"
        remedy = "write which column is what in a mapping file and give --map: docs/item-sets.md"
        return Problem(table.shown, wrong, remedy)

    def _table(self, path: Path, shown: str) -> Table:
        declared = self._mapping[0] if self._mapping is not None else None
        table = read_table(
            path, shown, door=OPTIONS, keep_unnamed=True,
            encoding=self._asked.encoding or (declared.encoding if declared else None),
            delimiter=self._asked.delimiter or (declared.delimiter if declared else None),
            sheet=self._asked.sheet or (declared.sheet if declared else None),
        )  # fmt: skip
        self.rows = [table.where(at) for at in range(len(table.rows))]
        self.said += table.said
        return table

    def _document(self, files: Sequence[tuple[Path, str]], set_name: str | None) -> ItemSet | None:
        path, shown = files[0]
        if path.suffix.lower() != ".json" or set_name not in (None, "stereoset"):
            return None
        clusters = stereoset.read_clusters(path, shown)
        if clusters is None:
            return None
        self.rows = [place for _, place, _ in clusters]
        self.take = lambda settled: stereoset.take_clusters(clusters, settled, shown)
        return SETS["stereoset"]

    def _text(self, files: Sequence[tuple[Path, str]], set_name: str | None) -> ItemSet | None:
        kinds = {path.suffix.lower() for path, _ in files}
        if not kinds <= {".txt", ".dev", ".test", ""} or set_name not in (None, "winobias"):
            return None
        read = [
            lines_of(
                decoded(read_bytes(path, shown), shown, self._asked.encoding, self.said, OPTIONS),
                shown,
            )
            for path, shown in files
        ]
        if not all(map(is_winobias, read)):
            return None
        self.rows = [line.where for lines in read for line in lines]
        self.take = lambda settled: take_sentences(read, settled)
        return SETS["winobias"]
