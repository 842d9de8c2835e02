"""Who gets which card, and in which order: pure, seeded, and never moving a card by itself.

Loads of the passes of a round differ by at most one card; among choices that keep them so, the
raters who have met on fewest cards meet next, so with three raters or more all pairs share about
equally many. Cards that come later are added after those a rater has.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

from reviewkit.problems import ReviewkitError
from reviewkit.study import quotas
from reviewkit.study.sample import Sample
from reviewkit.study.sample_spec import AssignmentSpec, SampleSpec
from reviewkit.study.sampling import Units, draw_sample, place

CHOICES = 30
"""Up to so many sets of raters are compared for one card; beyond, raters are chosen one by one."""


class CannotReassign(ReviewkitError):
    """These cards cannot go from the one pass to the other."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The cards of each pass of a round, in the order in which its rater walks them."""

    cards: dict[str, tuple[str, ...]]
    new: dict[str, tuple[str, ...]]
    """Those that each pass did not have before; they stand at the end of ``cards``."""
    said: tuple[str, ...] = ()


def assign(
    spec: AssignmentSpec | None,
    ids: Sequence[str],
    passes: Mapping[str, str],
    held: Mapping[str, Sequence[str]] | None = None,
) -> Assignment:
    """Assign cards to the passes of a round.

    Args:
        spec: the ``assignment`` section; without one every pass has every card, in table order.
        ids: all cards of the round, in table order, new ones and those held already.
        passes: the passes that take cards, and the rater of each. A locked pass, or one whose
            rater has left, is not among them.
        held: what every pass of the round has already, also those that take no more cards. A card
            with fewer raters than it should have gets more; one with enough is left alone.
    """
    held = held or {}
    has = {name: tuple(held.get(name, ())) for name in passes}
    said: list[str] = []
    raters = _raters_wanted(spec, ids, passes, held, said)
    shares = _Shares(spec, passes, held)
    # those with most raters first: they are the hardest to spread evenly
    for card in sorted(raters, key=lambda card: (-raters[card], _dealing(spec, card), card)):
        shares.deal(card, raters[card])
    new: dict[str, tuple[str, ...]] = {}
    for name, rater in passes.items():
        fresh = [card for card in ids if card in shares.dealt[name]]
        new[name] = _in_order(spec, rater, fresh, has[name], [has[p] + new[p] for p in new])
    return Assignment({name: has[name] + new[name] for name in passes}, new, tuple(said))


def reassign(
    spec: AssignmentSpec | None,
    held: Mapping[str, Sequence[str]],
    open_ids: Collection[str],
    from_pass: str,
    to_pass: str,
    rater: str,
) -> tuple[str, ...]:
    """Return the open cards of one pass in the order in which another pass takes them over.

    A card that the other pass has already is left where it is: nobody codes a card twice.

    Args:
        spec: the ``assignment`` section.
        held: what every pass has.
        open_ids: the cards that are not decided; no other card moves.
        from_pass: the pass that gives them up.
        to_pass: the pass that takes them.
        rater: the rater of ``to_pass``.

    Raises CannotReassign when the two are one pass or nothing is left to move.
    """
    if from_pass == to_pass:
        raise CannotReassign(f"pass {to_pass} has these cards already; name another pass")
    has = set(held.get(to_pass, ()))
    moving = [card for card in held.get(from_pass, ()) if card in open_ids and card not in has]
    if not moving:
        raise CannotReassign(
            f"pass {from_pass} has no open card that pass {to_pass} does not have; there is "
            "nothing to move: look at `reviewkit status`"
        )
    return _in_order(spec, rater, moving, tuple(held.get(to_pass, ())), [])


def _raters_wanted(
    spec: AssignmentSpec | None,
    ids: Sequence[str],
    passes: Mapping[str, str],
    held: Mapping[str, Sequence[str]],
    said: list[str],
) -> dict[str, int]:
    """Return per card how many raters it still needs."""
    got: dict[str, int] = {}
    for cards in held.values():
        for card in cards:
            got[card] = got.get(card, 0) + 1
    most = len(passes)
    if spec is None or (spec.raters_per_card is None and spec.double_share is None):
        wanted = dict.fromkeys(ids, most)
    elif spec.double_share is None:
        each = spec.raters_per_card or 1
        if each > most:
            said.append(f"{each} raters a card wanted, {most} take cards: each card gets {most}")
        wanted = dict.fromkeys(ids, min(each, most))
    else:
        wanted = dict.fromkeys(ids, 1)
        doubles = quotas.rounded(Fraction(spec.double_share), len(wanted))
        if most < 2 and doubles:
            said.append(f"{doubles} cards wanted by two raters, {most} take cards: none gets two")
            doubles = 0
        twice = {card for card in wanted if got.get(card, 0) > 1}
        # a card that one rater has stays his alone: its coding may be done
        free = [card for card in wanted if not got.get(card)]
        free.sort(key=lambda card: (place(spec.seed, "double", card), card))
        wanted.update(dict.fromkeys(free[: max(doubles - len(twice), 0)], 2))
        short = doubles - len(twice) - len(free)
        if short > 0:
            said.append(
                f"{doubles} cards wanted by two raters, {doubles - short} have two: "
                "the other cards were given to one before"
            )
    lacking = {card: need - got.get(card, 0) for card, need in wanted.items()}
    return {card: count for card, count in lacking.items() if count > 0}


class _Shares:
    """How much each pass has, and how often two of them met, while cards are dealt."""

    def __init__(
        self,
        spec: AssignmentSpec | None,
        passes: Mapping[str, str],
        held: Mapping[str, Sequence[str]],
    ) -> None:
        self.spec = spec
        self.dealt: dict[str, set[str]] = {name: set() for name in passes}
        self._holders: dict[str, list[str]] = {}
        for name, cards in held.items():
            for card in cards:
                self._holders.setdefault(card, []).append(name)
        self._load = {name: len(held.get(name, ())) for name in passes}
        self._met: dict[tuple[str, str], int] = {}
        for holders in self._holders.values():
            self._meet(holders)

    def deal(self, card: str, count: int) -> None:
        """Give a card to ``count`` more passes."""
        holders = self._holders.get(card, [])
        free = [name for name in self._load if name not in holders]
        chosen: list[str] = []
        # whoever has fewest comes first; only among equals is there a choice
        for load in sorted({self._load[name] for name in free}):
            level = [name for name in free if self._load[name] == load]
            missing = count - len(chosen)
            if len(level) > missing:
                chosen += self._choose(card, level, missing, [*holders, *chosen])
                break
            chosen += level
        for name in chosen:
            self.dealt[name].add(card)
            self._load[name] += 1
        self._meet(holders, -1)
        self._meet([*holders, *chosen])

    def _choose(self, card: str, level: list[str], count: int, others: list[str]) -> list[str]:
        if count == 0:
            return []
        if count == 1 or comb(len(level), count) > CHOICES:
            chosen: list[str] = []
            for _ in range(count):
                left = [name for name in level if name not in chosen]
                costs = {name: self._often([name], [*others, *chosen]) for name in left}
                least = min(costs.values())
                chosen += self._first(card, [[name] for name in left if costs[name] == least])
            return chosen
        sets = [list(each) for each in combinations(level, count)]
        price = [self._cost(each, level, others) for each in sets]
        least = min(price)
        ties = [each for each, cost in zip(sets, price, strict=True) if cost == least]
        return self._first(card, ties)

    def _cost(self, chosen: list[str], level: list[str], others: list[str]) -> int:
        """Return how much a set repeats pairs, and how much those left over will have to."""
        left = [name for name in level if name not in chosen]
        now = self._often(chosen, others) + self._inside(chosen)
        later = 0 if others else self._inside(left)
        return now * max(len(left) - 1, 1) + later

    def _inside(self, names: Sequence[str]) -> int:
        return sum(self._met.get(_pair(*two), 0) for two in combinations(names, 2))

    def _often(self, names: Sequence[str], others: Sequence[str]) -> int:
        return sum(self._met.get(_pair(one, other), 0) for one in names for other in others)

    def _first(self, card: str, ties: list[list[str]]) -> list[str]:
        if len(ties) == 1:
            return ties[0]
        return min(ties, key=lambda names: (_dealing(self.spec, card, *names), names))

    def _meet(self, names: Sequence[str], times: int = 1) -> None:
        for two in combinations(names, 2):
            self._met[_pair(*two)] = self._met.get(_pair(*two), 0) + times


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _dealing(spec: AssignmentSpec | None, card: str, *names: str) -> str:
    return place(spec.seed if spec else 0, "deal", card, *names)


def _in_order(
    spec: AssignmentSpec | None,
    rater: str,
    cards: Sequence[str],
    before: tuple[str, ...],
    others: Sequence[tuple[str, ...]],
) -> tuple[str, ...]:
    """Return a rater's new cards in an order of his own, one that no other pass has."""
    if spec is None or spec.shuffle == "no":
        return tuple(cards)
    ordered: tuple[str, ...] = tuple(cards)
    # few cards can come out alike by chance; then the same hash with one more word decides
    for attempt in range(20):
        more = (attempt,) if attempt else ()
        ordered = tuple(
            sorted(cards, key=lambda card: (place(spec.seed, rater, card, *more), card))
        )
        if before + ordered not in others:
            break
    return ordered


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study file would draw and assign, before anything is recorded."""

    sample: Sample | None
    assignment: Assignment

    @property
    def rows(self) -> tuple[tuple[str, str, int, int, int], ...]:
        """Draw, stratum, available, wanted, drawn: the table to print."""
        draws = self.sample.draws if self.sample else ()
        return tuple(
            (draw.name, count.stratum, count.available, count.wanted, count.drawn)
            for draw in draws
            for count in draw.counts
        )

    @property
    def said(self) -> tuple[str, ...]:
        """Everything that could not be met or was left out."""
        draws = self.sample.draws if self.sample else ()
        return (*(line for draw in draws for line in draw.said), *self.assignment.said)


def plan(
    sample: SampleSpec | None,
    assignment: AssignmentSpec | None,
    units: Units,
    passes: Mapping[str, str],
    *,
    excluded: Mapping[str, Collection[str]] | None = None,
    recorded: Mapping[str, Sequence[str]] | None = None,
    added: Sequence[str] = (),
    held: Mapping[str, Sequence[str]] | None = None,
) -> Plan:
    """Draw and assign without recording: what ``reviewkit sample --dry-run`` prints.

    Args:
        sample: the ``sample`` section; without one every card of the table is in the study.
        assignment: the ``assignment`` section.
        units: the table.
        passes: the passes of one round, and the rater of each.
        excluded: for every name in ``exclude``, the cards of that earlier sample.
        recorded: per draw, the cards on record.
        added: cards that the lead added by hand.
        held: what every pass has already.
    """
    if sample is None:
        return Plan(None, assign(assignment, tuple(units), passes, held))
    drawn = draw_sample(sample, units, excluded=excluded, recorded=recorded, added=added)
    wanted = {*drawn.ids, *added}
    table = [card for card in units if card in wanted]
    gone = [card for card in (*drawn.ids, *added) if card not in units]
    return Plan(drawn, assign(assignment, (*table, *gone), passes, held))
