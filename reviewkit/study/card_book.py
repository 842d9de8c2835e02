"""The record of who has which card: ``rulings/<study>/cards.jsonl``, a chained file of four acts.

``drawn`` puts the cards of a draw into the study and ``added`` puts in cards by hand; ``assigned``
gives cards to passes, and ``moved`` gives cards of one pass to another. A study file that changes
afterwards moves no card: what stands here is what the raters have.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from reviewkit.decisions import (
    Chain,
    ChainLine,
    Lines,
    RecordRefused,
    Report,
    Torn,
    Word,
    verify_chain,
)
from reviewkit.digests import canonical_json
from reviewkit.problems import ReviewkitError
from reviewkit.questions import is_blank
from reviewkit.study.sample import Drawn, Sample, StratumCount
from reviewkit.study.sample_record import RecordedDraw
from reviewkit.study.sample_spec import SampleSpec

LEAD = "lead"
IDS_BYTES = 800_000
"""The most bytes that the ids of one line take; a longer list goes on in the next line."""


class NoReason(ReviewkitError):
    """An act of the lead that must say why does not."""


class CardAct(ChainLine):
    """One line of the card book."""

    act: Literal["drawn", "assigned", "moved", "added"]
    study: Word
    author: Word
    ids: tuple[str, ...] = ()
    """The cards that are drawn, added or moved, in order."""
    draw: str = ""
    settings: dict[str, Any] = Field(default_factory=dict[str, Any])
    """What the study file said of the draw, with the seed."""
    spec_digest: str = ""
    table_digest: str = ""
    excluded_digest: str = ""
    counts: tuple[StratumCount, ...] = ()
    round: str = ""
    passes: dict[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])
    """Pass -> the cards that it gets, in the order in which its rater walks them."""
    from_: Annotated[str, Field(alias="from")] = ""
    to: str = ""
    reason: str = ""

    @model_validator(mode="after")
    def _is_an_act(self) -> CardAct:
        lists = list(self.passes.values()) if self.act == "assigned" else [self.ids]
        if not any(lists):
            raise ValueError(f"{self.act} names no card")
        if any(len(set(cards)) < len(cards) for cards in lists):
            raise ValueError(f"{self.act} names a card twice")
        needed = {
            "drawn": (self.draw, self.spec_digest, self.table_digest),
            "assigned": (self.round,),
            "moved": (self.round, self.from_, self.to, self.reason.strip()),
            "added": (self.reason.strip(),),
        }
        if not all(needed[self.act]):
            raise ValueError(f"{self.act} is not complete")
        return self


class Holdings:
    """What the acts add up to; also the rule of what may follow what."""

    def __init__(self) -> None:
        self.draws: dict[str, RecordedDraw] = {}
        self.added: dict[str, None] = {}
        self.passes: dict[str, dict[str, None]] = {}
        self.rounds: dict[str, str] = {}
        """Pass -> its round."""
        self.gave_up: set[str] = set()
        self._study: dict[str, str] = {}

    def check(self, line: CardAct) -> None:
        """Raise RecordRefused when the act contradicts those before it."""
        if line.act in ("drawn", "added"):
            there = [card for card in line.ids if card in self._study]
            if there:
                raise RecordRefused(
                    f"card {there[0]} is in the study already ({self._study[there[0]]})"
                    + _and_more(there),
                    "somebody else may have drawn meanwhile: look at the sample and run it again",
                )
        if line.act == "drawn" and line.draw in self.draws and line.draw != [*self.draws][-1]:
            raise RecordRefused(
                f"draw {line.draw} is not the last one",
                "only the last draw is widened: name a new draw for more cards",
            )
        for pass_name, cards in line.passes.items():
            self._check_taker(line.round, pass_name, cards)
        if line.act == "moved":
            lacks = [card for card in line.ids if card not in self.passes.get(line.from_, {})]
            if lacks:
                raise RecordRefused(
                    f"pass {line.from_} does not have card {lacks[0]}" + _and_more(lacks),
                    "look at who has it and move it from there",
                )
            self._check_taker(line.round, line.from_, ())
            self._check_taker(line.round, line.to, line.ids)

    def _check_taker(self, round_name: str, pass_name: str, cards: Sequence[str]) -> None:
        known = self.rounds.get(pass_name, round_name)
        if known != round_name:
            raise RecordRefused(
                f"pass {pass_name} is of round {known}, not {round_name}",
                "pass names are unique in a study: name the right one",
            )
        has = self.passes.get(pass_name, {})
        there = [card for card in cards if card in has]
        if there:
            raise RecordRefused(
                f"pass {pass_name} has card {there[0]} already" + _and_more(there),
                "somebody else may have assigned meanwhile: look at the passes and run it again",
            )

    def take(self, line: CardAct) -> None:
        """Go on with the act in place."""
        if line.act == "drawn":
            earlier = self.draws.get(line.draw)
            self.draws[line.draw] = RecordedDraw(
                line.draw,
                (*(earlier.ids if earlier else ()), *line.ids),
                line.settings,
                line.spec_digest,
                line.table_digest,
                line.excluded_digest,
                line.counts,
            )
            self._study.update(dict.fromkeys(line.ids, f"draw {line.draw}"))
        elif line.act == "added":
            self.added.update(dict.fromkeys(line.ids))
            self._study.update(dict.fromkeys(line.ids, "added"))
        elif line.act == "assigned":
            for pass_name, cards in line.passes.items():
                self._give(line.round, pass_name, cards)
        else:
            for card in line.ids:
                del self.passes[line.from_][card]
            self.gave_up.add(line.from_)
            self._give(line.round, line.to, line.ids)

    def _give(self, round_name: str, pass_name: str, cards: Sequence[str]) -> None:
        self.rounds[pass_name] = round_name
        self.passes.setdefault(pass_name, {}).update(dict.fromkeys(cards))

    @property
    def study_ids(self) -> tuple[str, ...]:
        """Every card that was drawn or added, in that order of time."""
        return tuple(self._study)


class CardBook:
    """The card book of one study, read and grown by its acts.

    Args:
        place: the lines of a store, or a file; the first act makes it.
        shown: the name in messages.
        study: whose cards these are.
    """

    def __init__(self, place: Path | Lines, shown: str, study: str) -> None:
        self.study = study
        self._chain = _chain(place, shown)
        self._seen: tuple[tuple[CardAct, ...], Holdings] | None = None

    def acts(self) -> tuple[CardAct, ...]:
        """Return every act in order; raises LedgerBroken when the file is damaged."""
        return self._chain.lines()

    def holdings(self) -> Holdings:
        """Return what the acts add up to at this moment; to be read, not changed."""
        lines = self._chain.lines()
        seen = self._seen
        # the chain gives the same tuple as long as the file has not grown
        if seen is None or seen[0] is not lines:
            holdings = Holdings()
            for line in lines:
                holdings.take(line)
            seen = self._seen = (lines, holdings)
        return seen[1]

    @property
    def torn(self) -> tuple[Torn, ...]:
        """Torn tails that were set aside."""
        return self._chain.torn

    def draws(self) -> dict[str, RecordedDraw]:
        """Return the draws on record, in order."""
        return dict(self.holdings().draws)

    def drawn_ids(self, draw: str | None = None) -> tuple[str, ...]:
        """Return the cards of one draw, or of all."""
        draws = self.holdings().draws
        chosen = draws.values() if draw is None else [draws[draw]] if draw in draws else []
        return tuple(card for each in chosen for card in each.ids)

    def added_ids(self) -> tuple[str, ...]:
        """Return the cards that were added by hand."""
        return tuple(self.holdings().added)

    def study_ids(self) -> tuple[str, ...]:
        """Return every card that was drawn or added."""
        return self.holdings().study_ids

    def cards_of(self, pass_name: str) -> tuple[str, ...] | None:
        """Return the cards of a pass in its rater's order; None when it was never assigned any."""
        held = self.holdings().passes.get(pass_name)
        return None if held is None else tuple(held)

    def held(self, round_name: str) -> dict[str, tuple[str, ...]]:
        """Return what each pass of a round has."""
        holdings = self.holdings()
        return {
            name: tuple(cards)
            for name, cards in holdings.passes.items()
            if holdings.rounds[name] == round_name
        }

    def gave_up(self) -> frozenset[str]:
        """Return the passes from which cards were moved away: as a rule their raters have left."""
        return frozenset(self.holdings().gave_up)

    def record_sample(
        self, spec: SampleSpec, sample: Sample, author: str = LEAD
    ) -> tuple[CardAct, ...]:
        """Record what the draws of a sample give beyond the record; no new card is no act.

        Raises RecordRefused when a card was drawn or added meanwhile.
        """
        settings = {draw.name: draw for draw in spec.draws}
        acts: list[CardAct] = []
        for drawn in sample.draws:
            draw = settings[drawn.name]
            for ids in _in_lines(drawn.new):
                acts.append(  # noqa: PERF401 - each is on the disk before the next is made
                    self._append(
                        "drawn",
                        author,
                        ids=ids,
                        settings=spec.settings(draw),
                        spec_digest=spec.digest(draw),
                        **_facts(drawn),
                    )
                )
        return tuple(acts)

    def record_assignment(
        self, round_name: str, new: Mapping[str, Sequence[str]], author: str = LEAD
    ) -> tuple[CardAct, ...]:
        """Record the cards that passes of a round get, after those they have.

        A list too long for one line is recorded in several. When the writing stops between them,
        assigning again records the rest.
        """
        return tuple(
            self._append("assigned", author, round=round_name, passes=passes)
            for passes in _passes_in_lines(new)
        )

    def add(self, ids: Sequence[str], reason: str, author: str = LEAD) -> tuple[CardAct, ...]:
        """Record that the lead put cards into the study by hand; raises NoReason without one."""
        _must_say(reason, "adding cards")
        return tuple(
            self._append("added", author, ids=part, reason=reason) for part in _in_lines(ids)
        )

    def move(
        self,
        round_name: str,
        from_pass: str,
        to_pass: str,
        ids: Sequence[str],
        reason: str,
        author: str = LEAD,
    ) -> tuple[CardAct, ...]:
        """Record that cards go from one pass to another, there at the end and in this order."""
        _must_say(reason, "moving cards")
        return tuple(
            self._append(
                "moved",
                author,
                ids=part,
                reason=reason,
                round=round_name,
                **{"from": from_pass, "to": to_pass},
            )
            for part in _in_lines(ids)
        )

    def _append(self, act: str, author: str, **fields: Any) -> CardAct:
        return self._chain.append(
            {
                "click_id": secrets.token_hex(8),
                "act": act,
                "study": self.study,
                "author": author,
                **fields,
            }
        )


def verify_card_book(place: Path | Lines, shown: str) -> Report:
    """Check every line of a card book; faults are in the report, none is raised."""
    return verify_chain(_chain(place, shown))


def _chain(place: Path | Lines, shown: str) -> Chain[CardAct]:
    return Chain(place, shown, CardAct, rules=Holdings)


def _facts(drawn: Drawn) -> dict[str, Any]:
    return {
        "draw": drawn.name,
        "table_digest": drawn.table_digest,
        "excluded_digest": drawn.excluded_digest,
        "counts": [count.model_dump() for count in drawn.counts],
    }


def _in_lines(ids: Iterable[str]) -> Iterator[list[str]]:
    """Return ids in parts that each fit into one line."""
    part: list[str] = []
    size = 0
    for card in ids:
        more = len(canonical_json(card)) + 1
        if part and size + more > IDS_BYTES:
            yield part
            part, size = [], 0
        part.append(card)
        size += more
    if part:
        yield part


def _passes_in_lines(new: Mapping[str, Sequence[str]]) -> Iterator[dict[str, list[str]]]:
    """Return the cards of passes in parts that each fit into one line: one, as a rule."""
    passes: dict[str, list[str]] = {}
    size = 0
    for name, ids in new.items():
        for card in ids:
            more = len(canonical_json(card)) + 1
            if passes and size + more > IDS_BYTES:
                yield passes
                passes, size = {}, 0
            passes.setdefault(name, []).append(card)
            size += more
    if passes:
        yield passes


def _and_more(cards: Sequence[str]) -> str:
    return f" and {len(cards) - 1} more" if len(cards) > 1 else ""


def _must_say(reason: str, what: str) -> None:
    if is_blank(reason):
        raise NoReason(f"{what} needs a reason; say it in a sentence")
