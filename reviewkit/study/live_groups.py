"""The groups of a walk as their files are now: a saved edit shows without a restart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reviewkit.bank import Bank, Group, load_group
from reviewkit.cards import Card, card_from_group
from reviewkit.decisions.retirements import retired
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.questions import Checklist
from reviewkit.study.decks import NoSuchCard, Place
from reviewkit.workspace import Workspace


@dataclass(frozen=True, slots=True)
class _FileStamp:
    modified_ns: int
    size: int


class GroupDeck:
    """The groups of one walk, re-read one by one when their files change."""

    def __init__(
        self, ws: Workspace, bank: Bank, left_out: Sequence[Problem], card_ids: Sequence[str],
        forms: Mapping[str, Checklist], study_ids: Sequence[str] = (),
    ) -> None:  # fmt: skip
        found = {group.template_id: group for group in bank.groups}
        groups = [found[each] for each in card_ids if each in found]
        self._others = {each: found[each].digest for each in study_ids if each in found}
        self.bank = bank
        self.left_out = tuple(left_out)
        self.forms = dict(forms)
        self.edition = 0
        self._ws = ws
        self._taxonomy = bank.taxonomy
        self._groups = {group.template_id: group for group in groups}
        # many groups may stand in one file: each file is looked at once
        files = {group.source: group for group in groups}
        stamps = {source: self._stamp(group) for source, group in files.items()}
        self._stamps = {group.template_id: stamps[group.source] for group in groups}
        # asked for at every step of a walk, whatever the number of cards
        self._card_ids = tuple(self._groups)
        self._digests = {card_id: group.digest for card_id, group in self._groups.items()}
        self._cards: dict[str, Card] = {}
        self._faults: dict[str, str] = {}
        self._left: dict[str, str] = {}

    @property
    def card_ids(self) -> tuple[str, ...]:
        """The cards in walking order."""
        return self._card_ids

    def pinned(self) -> dict[str, str]:
        """Return name -> digest of the forms."""
        return {form.name: form.digest for form in self.forms.values()}

    def round_digests(self) -> Mapping[str, str]:
        """Return the digest of every card of the study, those of other passes included."""
        return {**self._others, **self.digests()}

    def form(self, card_id: str) -> Checklist:
        """Return the form the card is judged with."""
        return self.forms[self.group(card_id).test_type]

    def content(self, card_id: str) -> Mapping[str, Any]:
        """Return the content that the card's digest is taken of."""
        return self.group(card_id).content

    def texts(self, card_id: str) -> Mapping[str, str]:
        """Return nothing: a checklist has no spans."""
        del card_id
        return {}

    def found(self, card_id: str) -> Mapping[str, tuple[Place, ...]]:
        """Return nothing: a checklist has no spans."""
        del card_id
        return {}

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
        """Return the digest of every card, in walking order; kept up to date, not to be changed."""
        return self._digests

    def fault(self, card_id: str) -> str:
        """Return why the card's file cannot be read just now, or an empty string."""
        return self._faults.get(card_id, "")

    def left_on(self, card_id: str) -> str:
        """Return the day the group left the bank while it was on the desk; empty while it is in."""
        return self._left.get(card_id, "")

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
        if self.fault(card_id):
            self._look_whether_it_left(card_id)
        changed = before != (self._groups[card_id].digest, self.fault(card_id))
        self.edition += changed
        return changed

    def _look_whether_it_left(self, card_id: str) -> None:
        """Say that a group left the bank, where its file is gone for that reason."""
        gone = next((each for each in retired(self._ws) if each.template_id == card_id), None)
        if gone is not None:
            self._left[card_id] = gone.on
            self._faults[card_id] = (
                f"{card_id} left the bank on {gone.on}, and nothing is asked of it any more; open"
                " the walk again to go on without it"
            )

    def _take(self, card_id: str, group: Group | None) -> None:
        source = self._groups[card_id].source
        if group is None:
            self._faults[card_id] = f"{source} no longer holds {card_id}"
            return
        if group.test_type not in self.forms:
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
        self._digests[card_id] = group.digest

    def _stamp(self, group: Group) -> _FileStamp | None:
        try:
            stat = (self._ws.root / group.source).stat()
        except OSError:
            return None
        return _FileStamp(stat.st_mtime_ns, stat.st_size)
