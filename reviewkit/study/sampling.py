"""Drawing a sample: table, seed and rules give card ids, with every count and what fell short.

Nothing is left to a random generator's state. Every card of a draw has a place in one order, by the
SHA-256 of ``seed|draw|id``; from each stratum the first ones are taken, and ``quotas`` says how
many. So the study file and the table give the sample again, a larger size takes more of the same
order, and a row added to the table moves no other row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from reviewkit.digests import digest_of
from reviewkit.study import quotas
from reviewkit.study.sample import Drawn, Sample, StratumCount
from reviewkit.study.sample_spec import Draw, SampleSpec, Where

Units = Mapping[str, Mapping[str, str]]
"""Card id -> its columns, in the order of the table."""


def place(*parts: object) -> str:
    """Return the hash that decides where something stands in a seeded order."""
    text = "|".join(str(part) for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def draw_sample(
    spec: SampleSpec,
    units: Units,
    *,
    excluded: Mapping[str, Collection[str]] | None = None,
    recorded: Mapping[str, Sequence[str]] | None = None,
    added: Collection[str] = (),
) -> Sample:
    """Draw every draw of a sample; of two draws the later one passes over what the earlier has.

    Args:
        spec: the ``sample`` section of the study file.
        units: the table.
        excluded: for every name in ``exclude``, the cards of that earlier sample.
        recorded: per draw, the cards on record, in the order drawn. They stay, whatever the table
            says now; only the last draw on record is widened.
        added: cards that are in the study by hand, and nothing to draw.
    """
    excluded, recorded = excluded or {}, recorded or {}
    on_record = [draw.name for draw in spec.draws if recorded.get(draw.name)]
    taken = {card for cards in recorded.values() for card in cards} | set(added)
    drawn: list[Drawn] = []
    for draw in spec.draws:
        kept = tuple(recorded.get(draw.name, ()))
        result = _Drawing(spec, draw, units, excluded, kept, taken - set(kept)).result(
            closed=draw.name in on_record[:-1]
        )
        taken.update(result.new)
        drawn.append(result)
    return Sample(tuple(drawn))


def table_digest(draw: Draw, units: Units) -> str:
    """Return the digest of what a draw sees of a table: its ids and the columns that it names."""
    return digest_of(
        {card: [columns.get(name, "") for name in draw.columns] for card, columns in units.items()}
    )


def matches(where: Where, columns: Mapping[str, str]) -> bool:
    """Return whether a card has one of the values in every column of ``where``."""
    return all(columns.get(column, "") in values for column, values in where.items())


@dataclass(slots=True)
class _Cell:
    """Cards (or wholes) that a rule does not tell apart, in the order in which they are taken."""

    label: str
    order: list[str]
    kept: int = 0
    wanted: int = 0
    drawn: int = 0

    def take(self, kept: Collection[str]) -> list[str]:
        """Return the cards that bring the cell from ``kept`` to ``drawn``."""
        free = (unit for unit in self.order if unit not in kept)
        return [unit for unit, _ in zip(free, range(self.drawn - self.kept), strict=False)]

    def count(self) -> StratumCount:
        return StratumCount(
            stratum=self.label, available=len(self.order), wanted=self.wanted, drawn=self.drawn
        )


@dataclass(slots=True)
class _Drawing:
    """One draw being made."""

    spec: SampleSpec
    draw: Draw
    units: Units
    excluded: Mapping[str, Collection[str]]
    recorded: tuple[str, ...]
    taken: set[str]
    said: list[str] = field(default_factory=list[str])
    members: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """What is drawn -> its cards: a card stands for itself, a whole for all its cards."""
    kept: set[str] = field(default_factory=set[str])
    """What is drawn already, of what still fits."""
    outside: int = 0
    """Cards on record that the table no longer has, or that no longer fit."""

    def result(self, *, closed: bool) -> Drawn:
        barred = self._pool()
        if not self.members:
            self.said.append("no card fits")
        self._say_values()
        cells = self._enriched() if self.draw.enrich else self._stratified()
        chosen = self._chosen(cells)
        if closed and chosen:
            self.said.append(
                f"draw {self.draw.name} would now have {_cards(len(chosen))} more; only the last "
                "draw on record is widened, so name a new draw for them"
            )
            chosen = []
            for cell in cells:
                cell.drawn = cell.kept
        on_record = set(self.recorded)
        new = [card for unit in chosen for card in self.members[unit] if card not in on_record]
        if self.draw.whole and not closed:
            # a whole on record that has grown since is still drawn whole
            grown = [card for unit in sorted(self.kept) for card in self.members[unit]]
            new = [*(card for card in grown if card not in on_record), *new]
        if self.draw.method != "round_robin":
            row = {card: number for number, card in enumerate(self.units)}
            new.sort(key=row.__getitem__)
        return Drawn(
            self.draw.name,
            (*self.recorded, *new),
            tuple(new),
            tuple(cell.count() for cell in self._listed(cells)),
            tuple(self.said),
            table_digest(self.draw, self.units),
            digest_of(sorted(barred)),
        )

    def _listed(self, cells: list[_Cell]) -> list[_Cell]:
        # the seeded order of strata is for drawing; a reader looks for names
        return cells if self.draw.enrich else sorted(cells, key=lambda cell: cell.label)

    def _pool(self) -> set[str]:
        """Find what can be drawn; return the cards that earlier samples bar."""
        on_record = set(self.recorded)
        barred: set[str] = set()
        for name in self.draw.exclude:
            cards = set(self.excluded[name])
            barred |= cards
            left_out = sum(
                1
                for card in cards - on_record
                if card in self.units and matches(self.draw.where, self.units[card])
            )
            if left_out:
                self.said.append(f"{_cards(left_out)} left out: already in {name}")
        inside = 0
        for card, columns in self.units.items():
            if not matches(self.draw.where, columns):
                continue
            if card not in on_record and (card in barred or card in self.taken):
                continue
            unit = (columns.get(self.draw.whole) or card) if self.draw.whole else card
            self.members.setdefault(unit, []).append(card)
            if card in on_record:
                inside += 1
                self.kept.add(unit)
        gone = len(self.recorded) - inside
        if gone:
            self.said.append(
                f"{_cards(gone)} on record no longer in the table, or no longer fitting: "
                "they stay in the sample"
            )
        self.outside = 0 if self.draw.whole else gone
        return barred

    def _say_values(self) -> None:
        """Say of a value asked for that no card has it: more often than not a slip of the pen."""
        asked = [self.draw.where, *(part.where for part in self.draw.enrich)]
        asked += [{column: tuple(of)} for column, of in (self.draw.shares or {}).items()]
        for where in asked:
            for column, values in where.items():
                there = {columns.get(column, "") for columns in self.units.values()}
                self.said.extend(
                    f"no card has {column}={value}" for value in values if value not in there
                )

    def _columns(self, unit: str) -> Mapping[str, str]:
        return self.units[self.members[unit][0]]

    def _order(self, units: Iterable[str]) -> list[str]:
        """Return units in the order of the draw; ``in_turn`` takes one of each kind in turn."""
        ordered = sorted(units, key=lambda unit: (self._place(unit), unit))
        if not self.draw.in_turn:
            return ordered
        seen: dict[tuple[str, ...], int] = {}
        turns: list[tuple[int, str, str]] = []
        for unit in ordered:
            kind = self._values(self.draw.in_turn, unit)
            seen[kind] = seen.get(kind, 0) + 1
            turns.append((seen[kind], self._place("turn", *kind), unit))
        return [unit for _, _, unit in sorted(turns)]

    def _place(self, *what: str) -> str:
        return place(self.spec.seed, self.draw.name, *what)

    def _values(self, columns: Sequence[str], unit: str) -> tuple[str, ...]:
        values = self._columns(unit)
        return tuple(values.get(name, "") for name in columns)

    def _stratified(self) -> list[_Cell]:
        draw = self.draw
        cells: list[_Cell] = []
        if draw.shares is None:
            everything = self._cells(self.members, draw.strata)
            self._allot(everything, None)
            cells += everything
        for column, classes in (draw.shares or {}).items():
            for value, share in classes.items():
                of_class = [u for u in self.members if self._columns(u).get(column, "") == value]
                strata = (column, *(name for name in draw.strata if name != column))
                inside = self._cells(of_class, strata)
                self._allot(inside, Fraction(share))
                cells += inside
        return cells

    def _cells(self, units: Iterable[str], strata: Sequence[str]) -> list[_Cell]:
        """Return the strata in a seeded order: no name is favoured where a place is left over."""
        grouped: dict[tuple[str, ...], list[str]] = {}
        for unit in units:
            grouped.setdefault(self._values(strata, unit), []).append(unit)
        seeded = sorted(grouped, key=lambda values: (self._place("stratum", *values), values))
        return [
            _Cell(
                _label(strata, values),
                self._order(grouped[values]),
                sum(unit in self.kept for unit in grouped[values]),
            )
            for values in seeded
        ]

    def _allot(self, cells: list[_Cell], share: Fraction | None) -> None:
        """Say of every stratum how many are wanted and how many are drawn."""
        draw = self.draw
        available = [len(cell.order) for cell in cells]
        kept = [cell.kept for cell in cells]
        if draw.at_least is not None and draw.share is not None:
            least, most = Fraction(draw.at_least), Fraction(draw.share)
            if draw.bounds == "all":
                wanted = drawn = quotas.covering(available, least, most, kept)
                self._say_above(sum(drawn), sum(available), most)
            else:
                wanted = drawn = quotas.within(available, least, most)
                self._say_outside(cells, drawn, least, most)
        elif draw.each is not None:
            wanted = [draw.each] * len(cells)
            drawn = [min(draw.each, has) for has in available]
        else:
            share = share or (Fraction(draw.share) if draw.share is not None else None)
            total = draw.size or 0
            if share is not None:
                total = quotas.rounded(share, sum(available))
            inside = max(total - self.outside, 0) if share is None else total
            if draw.method == "proportional":
                drawn = quotas.proportional(available, inside, kept) if cells else []
                wanted = list(drawn)
            else:
                drawn = quotas.equal(available, inside, kept)
                # what an equal split would be if every stratum had enough
                wanted = quotas.equal([inside] * len(cells), inside)
            self._say_total(total, sum(available) + (self.outside if share is None else 0))
        for cell, want, take in zip(cells, wanted, drawn, strict=True):
            cell.wanted, cell.drawn = want, max(take, cell.kept)
        if draw.strata and sum(drawn) < sum(available):
            self._say_short(cells)

    def _enriched(self) -> list[_Cell]:
        """Fill every class in turn, then the rest from anywhere; nothing counts twice."""
        size = self.draw.size or 0
        order = self._order(self.members)
        counted: set[str] = set()
        cells: list[_Cell] = []
        for part in self.draw.enrich:
            fits = [u for u in order if u not in counted and matches(part.where, self._columns(u))]
            label = ", ".join(f"{name}={'/'.join(of)}" for name, of in part.where.items())
            kept = [unit for unit in fits if unit in self.kept][: part.size]
            cell = _Cell(label, fits, len(kept), part.size, min(part.size, len(fits)))
            counted.update(kept, cell.take(self.kept))
            cell.drawn = sum(unit in counted for unit in fits)
            cells.append(cell)
        left = [unit for unit in order if unit not in counted]
        rest = _Cell("the rest", left, sum(unit in self.kept for unit in left))
        rest.wanted = size - sum(part.size for part in self.draw.enrich)
        rest.drawn = max(min(size - self.outside - len(counted), len(left)), rest.kept)
        cells.append(rest)
        self._say_total(size, len(order) + self.outside)
        self._say_short(cells[:-1], "from anywhere")
        return cells

    def _chosen(self, cells: list[_Cell]) -> list[str]:
        """Return what is newly drawn, one of each cell in turn."""
        chosen: list[tuple[int, int, str]] = []
        seen = set(self.kept)
        for number, cell in enumerate(cells):
            taken = cell.take(seen)
            seen.update(taken)
            chosen += [(cell.kept + turn, number, unit) for turn, unit in enumerate(taken)]
        return [unit for _, _, unit in sorted(chosen)]

    def _say_total(self, wanted: int, there: int) -> None:
        on_record = len(self.kept) + self.outside
        if wanted > there:
            self.said.append(f"{wanted} wanted, {there} there: {wanted - there} cannot be drawn")
        elif wanted < on_record and self.draw.shares is None:
            self.said.append(f"{wanted} wanted, {on_record} on record: nothing is taken back")

    def _say_short(self, cells: list[_Cell], filled: str = "from other strata") -> None:
        for cell in cells:
            if cell.drawn < cell.wanted:
                more = "nothing in their place" if self.draw.each else f"the others come {filled}"
                self.said.append(f"{cell.label}: {cell.wanted} wanted, {cell.drawn} there; {more}")

    def _say_above(self, drawn: int, there: int, most: Fraction) -> None:
        if drawn > most * there:
            self.said.append(
                f"{drawn} of {there} drawn, more than {float(most) * 100:g}%: every stratum gives"
                " at least one"
            )

    def _say_outside(
        self, cells: list[_Cell], drawn: list[int], least: Fraction, most: Fraction
    ) -> None:
        for cell, take in zip(cells, drawn, strict=True):
            if take > most * len(cell.order):
                self.said.append(
                    f"{cell.label}: no whole number is between {float(least) * 100:g}% and "
                    f"{float(most) * 100:g}% of {len(cell.order)}; {take} drawn"
                )


def _label(columns: Sequence[str], values: Sequence[str]) -> str:
    named = zip(columns, values, strict=True)
    return ", ".join(f"{column}={value or '(empty)'}" for column, value in named) or "all"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
