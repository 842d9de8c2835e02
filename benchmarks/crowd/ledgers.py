"""The reading back: what stands in every ledger, beside what its rater meant and was told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmarks.crowd.meaning import Diary, meant
from reviewkit.decisions import FileLedger, Record
from reviewkit.decisions.verify import verify_ledger
from reviewkit.workspace import Workspace


@dataclass
class Findings:
    """Every fault, as sentences, by what it is."""

    records: int = 0
    decisions: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    misfiled: list[str] = field(default_factory=list)
    unsound: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """All of them."""
        return [
            *self.lost, *self.doubled, *self.misfiled, *self.unsound, *self.unfinished,
        ]  # fmt: skip


def pass_of(rater: str) -> str:
    """Return the name of a rater's pass."""
    return f"p-{rater}"


def read_back(
    ws: Workspace, study: str, seed: int, cards: Iterable[str], diaries: Iterable[Diary]
) -> Findings:
    """Compare every ledger with what its rater meant to say and was told."""
    found = Findings()
    wanted = tuple(cards)
    everywhere = Counter[str]()
    for diary in diaries:
        records = _records(ws, study, diary.rater, found)
        found.records += len(records)
        everywhere.update(each.click_id for each in records)
        _compare(seed, wanted, diary, records, found)
    found.doubled += [
        f"click {click} stands in {times} records" for click, times in everywhere.items()
        if times > 1
    ]  # fmt: skip
    return found


def _records(ws: Workspace, study: str, rater: str, found: Findings) -> tuple[Record, ...]:
    path, owner = ws.ledger(study, pass_of(rater), rater), (study, pass_of(rater), rater)
    if not path.exists():
        found.unsound.append(f"{rater}: there is no ledger")
        return ()
    report = verify_ledger(path, ws.shown(path), owner=owner)
    found.unsound += [f"{rater}: {problem}" for problem in report.problems]
    return FileLedger(path, ws.shown(path), owner=owner).records() if report.sound else ()


def _compare(
    seed: int, cards: tuple[str, ...], diary: Diary, records: tuple[Record, ...], found: Findings
) -> None:
    by_click = {each.click_id: each for each in records}
    _as_told(diary, by_click, found)
    decisions = [each for each in records if each.kind == "decision"]
    found.decisions += len(decisions)
    _as_meant(seed, diary, decisions, found)
    times = Counter(each.card_id or "" for each in decisions)
    who = diary.rater
    found.doubled += [f"{who}, {card}: {n} records" for card, n in times.items() if n > 1]
    found.misfiled += [f"{who}: {card} is none of his cards" for card in times.keys() - {*cards}]
    missing = [card for card in cards if card not in times]
    if diary.done:
        found.lost += [f"{who}, {card}: no record" for card in missing]
    else:
        found.unfinished.append(
            f"{who}: {len(missing)} cards of {len(cards)} missing; last seen: {diary.last}"
        )


def _as_told(diary: Diary, by_click: dict[str, Record], found: Findings) -> None:
    """Note what was acknowledged and is not there, and what was refused and is."""
    for press in diary.presses:
        where, record = f"{diary.rater}, {press.card_id}", by_click.get(press.click_id)
        if press.told != "recorded":
            if press.told and record is not None:
                found.misfiled.append(f"{where}: {press.told}, and it is recorded")
        elif record is None:
            found.lost.append(f"{where}: told that it is recorded, and it is not")
        elif (record.card_id, dict(record.answers), record.note) != (
            press.card_id, press.answers, press.note,
        ):  # fmt: skip
            found.misfiled.append(f"{where}: other words than were sent")
    if diary.locked and diary.locked not in by_click:
        found.lost.append(f"{diary.rater}: told that the pass is locked, and it is not")


def _as_meant(seed: int, diary: Diary, decisions: list[Record], found: Findings) -> None:
    """Note the records that are not this rater's, or not what he meant."""
    who, pressed = diary.rater, {each.click_id for each in diary.presses}
    for record in decisions:
        where, right = f"{who}, {record.card_id}", meant(seed, who, record.card_id or "")
        if (record.rater, record.pass_) != (who, pass_of(who)):
            found.misfiled.append(f"{where}: in the name of {record.rater}")
        if record.click_id not in pressed:
            found.misfiled.append(f"{where}: a record of no press of his")
        if (dict(record.answers), record.note) != (right.answers, right.note):
            found.misfiled.append(f"{where}: not what he meant to say")
