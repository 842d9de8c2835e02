"""What a report on a study is made of: opened passes, and what is known of the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reviewkit.agreement.passes.verdict_units import Forms
from reviewkit.decisions import Record
from reviewkit.questions import Codebook


@dataclass(frozen=True, slots=True)
class OnePass:
    """A pass whose labels may be read."""

    name: str
    rater: str
    """Never printed; it tells which passes are one person's."""
    records: Mapping[str, Record]
    """Card id -> effective decision or skip."""
    cards: frozenset[str]
    """The cards it was given."""
    locked: bool = True


@dataclass(frozen=True, slots=True)
class OneRound:
    """A round whose labels may be read."""

    name: str
    passes: tuple[OnePass, ...]
    """Without those whose raters withdrew consent."""
    codebook: Codebook | None = None
    """None: groups are reviewed with checklists."""
    notices: tuple[str, ...] = ()
    """What must stand beside every figure of the round."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the passes, in order."""
        return tuple(each.name for each in self.passes)


@dataclass(frozen=True, slots=True)
class Cards:
    """What is known of the cards, beside what people said of them."""

    ids: tuple[str, ...]
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """Card id -> column -> value: what one can split by, or cluster by."""
    groups: Mapping[str, str] = field(default_factory=dict[str, str])
    """Card id -> the template or source that it shares with other cards; empty: none."""
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    """Card id -> digest of what is read, ids left aside: equal for a card that stands twice."""

    digests: Mapping[str, str] = field(default_factory=dict[str, str])
    """Card id -> digest of its content as it is, to which judgements are bound."""

    @property
    def column_names(self) -> tuple[str, ...]:
        """Every column that any card has, in the order they first occur."""
        return tuple(dict.fromkeys(name for each in self.columns.values() for name in each))

    def column(self, card_id: str, name: str) -> str:
        """Return what a card has in a column; empty where it has nothing."""
        return self.columns.get(card_id, {}).get(name, "")


@dataclass(frozen=True, slots=True)
class Material:
    """One round to report on, the other open rounds of its study, and the cards."""

    study: str
    round: OneRound
    cards: Cards
    forms: Forms
    """Finds a checklist by its digest."""
    others: tuple[OneRound, ...] = ()
    """Other rounds of the study whose labels are open, in the order of the study file."""
    closed: tuple[str, ...] = ()
    """Other rounds whose labels are closed."""
    title: str = ""
    said: tuple[str, ...] = ()
    """What must be said of the files it was read from."""
