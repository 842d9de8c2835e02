"""Reads what a report on a study is made of: the opened rounds, the bank or the table."""

from __future__ import annotations

from reviewkit.agreement.of_study.material import Cards, Material, OnePass, OneRound
from reviewkit.bank import Bank, load_group, read_bank
from reviewkit.bank.items import Group
from reviewkit.bank.responses import ResponseTable, columns_of
from reviewkit.decisions import lock_in_force
from reviewkit.decisions.retirements import retired, retired_groups
from reviewkit.digests import digest_of
from reviewkit.problems import ProblemsFound
from reviewkit.questions import Codebook, FormShelf, load_forms
from reviewkit.study import (
    LabelsClosed,
    Round,
    Study,
    check_study,
    find_round,
)
from reviewkit.study.board import pass_records
from reviewkit.study.dealing import cards_of_pass, coding_material
from reviewkit.study.opening import keeps_labels_closed, lead_records, of_present_texts, opened
from reviewkit.workspace import Workspace

_OF_GROUPS = (
    "domain", "test_type", "bias_form", "reference_category", "swapped_variable",
    "sensitivity_level", "stance", "theme", "disambig_direction", "factorial",
)  # fmt: skip
"""The fields of a group that a report may be split by, beside the registers of its items."""


def read_material(ws: Workspace, study: Study, round_name: str | None = None) -> Material:
    """Return the material of a round; when none is named, of the last one with several passes.

    Raises LabelsClosed while labels are closed or when fewer than two passes take part,
    ProblemsFound when study, bank, table or forms are at fault, or what the card book raises.
    """
    round_ = find_round(study, round_name)
    if round_name is None:
        # a round of one pass, where mended groups are judged again, has nothing to compare
        several = [each for each in study.rounds if len(each.passes) > 1]
        round_ = several[-1] if several else round_
    shelf = load_forms(ws.checklists)
    found = _Found(ws, study, round_, shelf)
    if len(round_.passes) < 2:
        raise LabelsClosed(
            f"round {round_.round} has one pass, so there is nothing to compare;"
            " add a second pass to study.yaml"
        )
    mine = found.round(round_)
    if len(mine.passes) < 2:
        raise LabelsClosed(
            f"round {round_.round} has fewer than two passes to compare:"
            f" {' '.join(mine.notices)} Add a pass in the place of whoever left"
        )
    others: list[OneRound] = []
    closed: list[str] = []
    for each in study.rounds:
        if each.round != round_.round:
            try:
                open_ = not keeps_labels_closed(study, each)
                others.append(found.round(each, unlocked=open_))
            except LabelsClosed:
                closed.append(each.round)
    return Material(
        study=study.study,
        round=mine,
        cards=found.cards(),
        forms=shelf.checklist,
        others=tuple(others),
        closed=tuple(closed),
        title=study.title,
        said=found.said,
    )


class _Found:
    """What is judged in a round, groups of the bank or responses of a table, and by whom."""

    def __init__(self, ws: Workspace, whole: Study, round_: Round, shelf: FormShelf) -> None:
        study = whole.as_in(round_)
        self._ws = ws
        self._whole = whole
        self._study = study
        self._shelf = shelf
        self._bank: Bank | None = None
        self._table: ResponseTable | None = None
        self.said: tuple[str, ...] = ()
        if study.is_coding:
            self._table, _, _ = coding_material(ws, study, shelf)
            self.every = self._table.ids
        else:
            self._bank, problems = read_bank(ws)
            shown = ws.shown(ws.study_file(study.study))
            at_fault = check_study(
                study, self._bank, shelf, shown, groups_known=not problems,
                retired=retired_groups(ws),
            )  # fmt: skip
            if at_fault:
                raise ProblemsFound(at_fault)
            if problems:
                what = "problem" if len(problems) == 1 else "problems"
                leaves = "leaves its group" if len(problems) == 1 else "leave their groups"
                self.said = (
                    f"{len(problems)} {what} in the bank {leaves} out: see `reviewkit check`",
                )
            left = _left_since(ws, whole, self._bank)
            if left:
                self._bank = Bank((*self._bank.groups, *left), self._bank.taxonomy)
                named = ", ".join(group.template_id for group in left)
                said = f"Left the bank since the review, and still compared: {named}."
                self.said = (*self.said, said)
            known = {group.template_id for group in self._bank.groups}
            self.every = tuple(each for each in study.group_ids(self._bank) if each in known)

    def round(self, round_: Round, *, unlocked: bool = False) -> OneRound:
        """Return a round whose labels may be read; raises LabelsClosed while they may not.

        Every ledger is read once: its chain is checked line by line, which takes time.
        """
        records = {each.pass_: pass_records(self._ws, self._whole, each) for each in round_.passes}
        lead = lead_records(self._ws, self._whole)
        found = opened(self._whole, round_, records, lead, unlocked=unlocked)
        if self._table is not None:
            found = of_present_texts(found, self._table.digests)
        passes = tuple(
            OnePass(
                each.pass_, each.rater, each.decisions, self._held(each.pass_),
                lock_in_force(records[each.pass_]) is not None,
            )
            for each in found.passes
        )  # fmt: skip
        return OneRound(round_.round, passes, self._codebook(round_), found.notices)

    def _codebook(self, round_: Round) -> Codebook | None:
        name = self._whole.as_in(round_).codebook
        found = self._shelf.get(name) if name else None
        return found if isinstance(found, Codebook) else None

    def _held(self, pass_name: str) -> frozenset[str]:
        return frozenset(cards_of_pass(self._ws, self._study, pass_name, self.every))

    def cards(self) -> Cards:
        """Return what is known of the study's cards."""
        ids = cards_of_pass(self._ws, self._study, "", self.every)
        if self._table is not None:
            return _of_table(self._ws, self._table, ids)
        groups = [] if self._bank is None else [
            group for group in self._bank.groups if group.template_id in set(ids)
        ]  # fmt: skip
        return Cards(
            ids,
            {group.template_id: _columns(group) for group in groups},
            {},
            {group.template_id: _text_of(group) for group in groups},
            {group.template_id: group.digest for group in groups},
        )


def _left_since(ws: Workspace, study: Study, bank: Bank) -> list[Group]:
    """Return the groups that a pass judged and that left the bank since, as they were then.

    What two people said of a group is not taken back when it is retired: a figure that was read
    once must come out again.
    """
    lines = retired(ws)
    if not lines:
        return []
    judged = {
        record.card_id
        for round_ in study.rounds
        for each in round_.passes
        for record in pass_records(ws, study, each)
    }
    there = {group.template_id for group in bank.groups}
    found: list[Group] = []
    for line in lines:
        path = ws.root / line.kept_in
        if line.template_id in judged and line.template_id not in there and path.is_file():
            read = load_group(path, line.kept_in, bank.taxonomy)
            found += [group for group in read if group.template_id == line.template_id]
    return found


def _columns(group: Group) -> dict[str, str]:
    held = {name: getattr(group, name) for name in _OF_GROUPS}
    for name, values in (
        ("register", {item.register_ for item in group.items}),
        ("language", {item.language for item in group.items}),
    ):
        held[name] = " and ".join(sorted(values))
    return {name: str(value) for name, value in held.items() if value}


def _text_of(group: Group) -> str:
    """Return a digest of what a group asks, whatever its ids are."""
    shared = {name: value for name, value in group.content.items() if name != "template_id"}
    items = [
        {name: value for name, value in item.content.items() if name != "id"}
        for item in group.items
    ]
    return digest_of({**shared, "items": sorted(items, key=digest_of)})


def _of_table(ws: Workspace, table: ResponseTable, ids: tuple[str, ...]) -> Cards:
    columns = columns_of(ws, table.name)
    texts: dict[str, str] = {}
    for card_id in ids:
        if card_id in table.digests:
            response = table.get(card_id)
            read = {"language": response.language, "texts": response.texts, "facts": response.facts}
            texts[card_id] = digest_of(read)
    return Cards(
        ids,
        {
            card: {name: value for name, value in columns[card].items() if name != "group" or value}
            for card in ids
            if card in columns
        },
        {card: columns[card].get("group", "") for card in ids if card in columns},
        texts,
        table.digests,
    )
