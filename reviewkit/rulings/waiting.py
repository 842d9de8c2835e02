"""Rulings that nobody is told yet, since they were filed in a pass that is closed.

A ruling tells what its author made of a card. One that a pass of a blind round filed waits until
the round is open; one of a second reviewer waits until a lock has sealed what he judged.
"""

from __future__ import annotations

from collections.abc import Iterable

from reviewkit.rulings.log import Ruling
from reviewkit.study import LabelsClosed, Round, Study, list_studies, load_study, open_round
from reviewkit.study.board import pass_records
from reviewkit.workspace import Workspace

Closed = dict[tuple[str, str], str]
"""(Study, pass) -> the time after which what it files is closed; empty: always."""


def told_rulings(ws: Workspace, rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """Return the rulings that do not wait, in order.

    Raises ProblemsFound when a study is at fault, LedgerBroken when a ledger is.
    """
    every = tuple(rulings)
    closed = _closed(ws, {each.study for each in every if each.study})
    return tuple(each for each in every if _is_told(each, closed))


def _is_told(ruling: Ruling, closed: Closed) -> bool:
    since = closed.get((ruling.study, ruling.pass_))
    return since is None or ruling.time < since


def _closed(ws: Workspace, filed_in: set[str]) -> Closed:
    found: Closed = {}
    for name in list_studies(ws):
        if name not in filed_in:
            continue
        study = load_study(ws, name)
        for round_ in study.rounds:
            again = study.second_review is not None
            if not again and not round_.is_blind:
                continue
            try:
                open_round(ws, study, round_)
            except LabelsClosed:
                since = _latest_lock(ws, study, round_) if again else ""
                found |= {(study.study, each.pass_): since for each in round_.passes}
    return found


def _latest_lock(ws: Workspace, study: Study, round_: Round) -> str:
    """Return when the pass was locked last: a lock that is lifted takes back nothing."""
    (seat,) = round_.passes
    locks = [each.time for each in pass_records(ws, study, seat) if each.kind == "lock"]
    return locks[-1] if locks else ""
