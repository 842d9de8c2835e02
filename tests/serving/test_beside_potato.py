"""The benchmark beside Potato reads its files back as strictly as our own ledgers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.crowd.meaning import Diary
from benchmarks.crowd.place import card_ids
from benchmarks.crowd.potato import read_back
from benchmarks.crowd.potato_page import five
from benchmarks.crowd.size import Size

SIZE = Size(raters=1, cards=4)


def kept(card: str) -> list[Any]:
    """What Potato's file says of an item that was saved as its rater meant it."""
    right = five(SIZE.seed, "r00", card)
    labels = [[{"schema": name, "name": said}, said] for name, said in right["answers"].items()]
    if right["note"]:
        labels.append([{"schema": "note", "name": "text_box"}, right["note"]])
    return labels


def look(out: Path, state: dict[str, list[Any]], done: bool = True) -> tuple[int, ...]:
    """Read back a rater to whom all cards were acknowledged; the faults by kind."""
    (out / "r00").mkdir()
    (out / "r00" / "user_state.json").write_text(
        json.dumps({"instance_id_to_label_to_value": state}), encoding="utf-8"
    )
    diary = Diary("r00", done=done)
    for card in card_ids(SIZE.cards):
        right = five(SIZE.seed, "r00", card)
        diary.press(card, card, right["answers"], right["note"]).hear("recorded")
    found = read_back(out, SIZE, [diary])
    kinds = (found.lost, found.doubled, found.misfiled, found.unsound, found.unfinished)
    return (found.decisions, *map(len, kinds))


def test_a_file_as_it_should_be_has_no_fault(tmp_path: Path) -> None:
    """Four cards, meant and kept."""
    state = {card: kept(card) for card in card_ids(SIZE.cards)}
    assert look(tmp_path, state) == (4, 0, 0, 0, 0, 0)


def test_each_fault_is_found_as_what_it_is(tmp_path: Path) -> None:
    """One card is not there, one has two answers to a question, one lacks an answer."""
    lost, doubled, other, sound = card_ids(SIZE.cards)
    state = {card: kept(card) for card in (doubled, other, sound)}
    said = state[doubled][0][1]
    opposite = {"yes": "no", "no": "yes"}[said]
    state[doubled].insert(0, [{"schema": "q1", "name": opposite}, opposite])
    state[other] = state[other][1:]
    assert lost not in state
    assert look(tmp_path, state, done=False) == (3, 1, 1, 1, 0, 1)
