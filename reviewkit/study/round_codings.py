"""The codings of an opened round by card, read again whenever a ledger grew.

For the adjudicator's side alone: it reads every pass of a round, and only when the round is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reviewkit.decisions import Record
from reviewkit.study.ledgers import lead_ledger_of, ledger_of
from reviewkit.study.opening import LabelsClosed, OpenRound, opened
from reviewkit.study.study import Round, Study
from reviewkit.workspace import Workspace


@dataclass(frozen=True, eq=False)
class Codings:
    """What stands in the passes of a round at one moment."""

    by_card: dict[str, tuple[Record, ...]]
    """Card id -> the decisions and skips in force, in the order of the passes."""
    notices: tuple[str, ...]
    """What must be said beside every label of the round."""
    outdated: frozenset[str] = field(default_factory=frozenset[str])
    """Cards of which a coding is of other content than the card has now."""


class RoundCodings:
    """The passes of one round, opened together."""

    def __init__(self, ws: Workspace, study: Study, round_: Round) -> None:
        self._study = study
        self._round = round_
        self._ledgers = {
            each.pass_: ledger_of(ws, study.study, each.pass_, each.rater) for each in round_.passes
        }
        self._lead = lead_ledger_of(ws, study.study)
        self._seen: tuple[list[tuple[Record, ...]], OpenRound] | None = None
        self._made: tuple[OpenRound, Mapping[str, str], Codings] | None = None

    def opened(self) -> OpenRound:
        """Return the round; the same object while no ledger has grown.

        Raises LabelsClosed while a pass is unlocked and no unblinding is recorded; it names passes,
        for the names of the raters are not for the adjudicator.
        """
        records = {name: ledger.records() for name, ledger in self._ledgers.items()}
        lead = self._lead.records()
        now = [*records.values(), lead]
        if self._seen is None or any(a is not b for a, b in zip(self._seen[0], now, strict=True)):
            try:
                round_ = opened(self._study, self._round, records, lead)
            except LabelsClosed as closed:
                raise LabelsClosed(
                    f"the adjudication of round {self._round.round} opens when every pass is"
                    f" locked; still open: {', '.join(closed.waiting)}: ask the lead",
                    closed.waiting,
                ) from None
            self._seen = (now, round_)
        return self._seen[1]

    def codings(self, digests: Mapping[str, str]) -> Codings:
        """Return the codings of the cards with these digests.

        A coding of other content than the card has now is left out: it is about another text. Give
        the same mapping again while no card changed; then what comes back is the same, too.
        """
        round_ = self.opened()
        made = self._made
        if made is not None and made[0] is round_ and made[1] is digests:
            return made[2]
        by_card: dict[str, list[Record]] = {}
        outdated: set[str] = set()
        for each in round_.passes:
            for card_id, record in each.decisions.items():
                if card_id not in digests:
                    continue
                if record.kind == "decision" and record.card_digest != digests[card_id]:
                    outdated.add(card_id)
                    continue
                by_card.setdefault(card_id, []).append(record)
        ordered = {card_id: tuple(by_card[card_id]) for card_id in digests if card_id in by_card}
        notices = round_.notices
        if outdated:
            number = len(outdated)
            said = "1 card was" if number == 1 else f"{number} cards were"
            notices += (f"{said} changed after the coding; what was said of the old text is out.",)
        codings = Codings(ordered, notices, frozenset(outdated))
        self._made = (round_, digests, codings)
        return codings
