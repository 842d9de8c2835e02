"""Where a person goes from a card: on, back, to what waits under the filter, or nowhere for now."""

from __future__ import annotations

from reviewkit.desk.screen import WAITING, Pause
from reviewkit.study import Hearing, Walk, WriterMark


class Route:
    """The way of one person through a walk; an empty card id means that there is none."""

    def __init__(self, walk: Walk | Hearing, mark: WriterMark) -> None:
        self._walk = walk
        self._mark = mark
        self.filter = "all"
        self.here = ""
        """The card on the screen."""

    @property
    def in_practice(self) -> bool:
        """Whether the card on the screen is one to practise on."""
        practice = self._walk.practice if isinstance(self._walk, Walk) else None
        return practice is not None and self.here in practice.card_ids

    def go(self, to: str) -> str:
        """Return the card after or before this one, or the one that is named, if it is there."""
        if to == "next" and self.in_practice:
            return self._next_practice() or self.next_open()
        if to == "next":
            return self.step(1)
        if to == "back":
            return self.step(-1)
        self._walk.card(to)
        return to

    def resume(self) -> str:
        """Return the card that was on the screen, else the one with a draft, else an open one.

        Whoever has not practised yet does that first.
        """
        if practice := self._next_practice():
            return practice
        here = self._mark.here
        if here in self._walk.card_ids:
            return here
        drafted = self._walk.drafts.latest()
        if drafted is not None and drafted.card_id in self._walk.card_ids:
            return drafted.card_id
        return self.next_open()

    def next_open(self) -> str:
        """Return the next card after the shown one that still wants work under the filter."""
        open_ones = self.filter in ("all", "open")
        wanted = WAITING if open_ones else (self.filter,)
        return self._search(1, wanted)

    def step(self, direction: int) -> str:
        """Return the next card under the filter, or with -1 the one before."""
        return self._search(direction, None if self.filter == "all" else (self.filter,))

    def pause(self, card_id: str) -> Pause | None:
        """Return why no card is shown now: the warning is unread, or it is enough for today."""
        walk = self._walk
        if walk.warning_due:
            return "warning"
        # a card that an adjudicator has labelled once is begun: it is not cut in two
        begins = ("open", "changed", "skipped")
        if card_id and not walk.locked and walk.statuses().get(card_id) in begins:
            return "enough" if walk.limit_reached() else None
        return None

    def _next_practice(self) -> str:
        return self._walk.next_practice() if isinstance(self._walk, Walk) else ""

    def _search(self, direction: int, wanted: tuple[str, ...] | None) -> str:
        """Return the next card under any of the filters, walking round once; None wants any."""
        ids = self._walk.card_ids
        at = self._walk.positions().get(self.here, -1 if direction > 0 else len(ids))
        statuses = self._walk.statuses()
        # looked up card by card: the next one is near, and the table may be long
        unsure = self._walk.unsure() if wanted and "unsure" in wanted else frozenset[str]()
        for step in range(1, len(ids) + 1):
            card_id = ids[(at + direction * step) % len(ids)]
            if card_id == self.here:
                continue
            if wanted is None or statuses[card_id] in wanted or card_id in unsure:
                return card_id
        return ""
