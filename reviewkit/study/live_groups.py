"""The groups of a walk as their files are now: a saved edit shows without a restart."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from reviewkit.bank import Group, Taxonomy, load_group
from reviewkit.cards import Card, card_from_group
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.workspace import Workspace


class CardUnreadable(ReviewkitError):
    """The file of a card cannot be read just now."""


class NoSuchCard(ReviewkitError):
    """The study has no card of this id."""


@dataclass(frozen=True, slots=True)
class _FileStamp:
    modified_ns: int
    size: int


class LiveGroups:
    """The groups of one walk, re-read one by one when their files change."""

    def __init__(
        self, ws: Workspace, taxonomy: Taxonomy, groups: Sequence[Group],
        test_types: Container[str],
    ) -> None:  # fmt: skip
        self._test_types = test_types
        self._ws = ws
        self._taxonomy = taxonomy
        self._groups = {group.template_id: group for group in groups}
        self._stamps = {group.template_id: self._stamp(group) for group in groups}
        self._cards: dict[str, Card] = {}
        self._faults: dict[str, str] = {}

    def group(self, card_id: str) -> Group:
        """Return the group as it was last read; raises NoSuchCard."""
        try:
            return self._groups[card_id]
        except KeyError:
            raise NoSuchCard(
                f"the study has no card {card_id!r}; choose one from the list"
            ) from None

    def card(self, card_id: str) -> Card:
        """Return the card of the group as it was last read; raises NoSuchCard."""
        group = self.group(card_id)
        card = self._cards.get(card_id)
        if card is None or card.digest != group.digest:
            card = card_from_group(group, self._taxonomy, group.source)
            self._cards[card_id] = card
        return card

    def digests(self) -> dict[str, str]:
        """Return the digest of every card, in walking order."""
        return {card_id: group.digest for card_id, group in self._groups.items()}

    def fault(self, card_id: str) -> str:
        """Return why the card's file cannot be read just now, or an empty string."""
        return self._faults.get(card_id, "")

    def look_again(self, card_id: str) -> bool:
        """Re-read the card's file when it was saved since; return whether anything changed."""
        group = self.group(card_id)
        stamp = self._stamp(group)
        if stamp == self._stamps[card_id]:
            return False
        before = (group.digest, self.fault(card_id))
        self._stamps[card_id] = stamp
        try:
            read = load_group(self._ws.root / group.source, group.source, self._taxonomy)
        except (ProblemsFound, OSError) as error:
            self._faults[card_id] = str(error)
        else:
            self._take(card_id, next((g for g in read if g.template_id == card_id), None))
        return before != (self._groups[card_id].digest, self.fault(card_id))

    def _take(self, card_id: str, group: Group | None) -> None:
        source = self._groups[card_id].source
        if group is None:
            self._faults[card_id] = f"{source} no longer holds {card_id}"
            return
        if group.test_type not in self._test_types:
            self._faults[card_id] = (
                f"{source}: the study names no form for {group.test_type}; add one to study.yaml"
            )
            return
        taken = {item.id for item in group.items} & {
            item.id
            for other_id, other in self._groups.items()
            if other_id != card_id
            for item in other.items
        }
        if taken:
            self._faults[card_id] = f"{source}: item id {min(taken)} stands in another group"
            return
        self._faults.pop(card_id, None)
        self._groups[card_id] = group

    def _stamp(self, group: Group) -> _FileStamp | None:
        try:
            stat = (self._ws.root / group.source).stat()
        except OSError:
            return None
        return _FileStamp(stat.st_mtime_ns, stat.st_size)
