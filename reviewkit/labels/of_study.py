"""The labels of a study: its locked passes and its adjudication, brought together.

Raises LabelsClosed while the labels are closed; the labels of a withdrawn pass are nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from reviewkit.bank.responses import columns_of
from reviewkit.decisions import Record
from reviewkit.labels.final import FinalLabel, final_labels
from reviewkit.labels.pseudonyms import pseudonyms
from reviewkit.labels.tables import (
    Column,
    LabelTable,
    describe_fields,
    final_table,
    long_table,
    spans_table,
    wide_table,
)
from reviewkit.problems import ReviewkitError
from reviewkit.questions import Codebook, load_forms
from reviewkit.study import OpenRound, Round, Study, open_round
from reviewkit.study.dealing import cards_of_pass, coding_material
from reviewkit.study.docket import Docket
from reviewkit.study.opening import of_present_texts
from reviewkit.workspace import Workspace


class NoCodings(ReviewkitError):
    """The study reviews template groups; its verdicts are read with ``agree`` and ``status``."""


@dataclass(frozen=True, slots=True)
class StudyLabels:
    """Everything that is exported or reported of one round."""

    study: str
    round: str
    codebook: Codebook
    labels: tuple[FinalLabel, ...]
    columns: dict[str, dict[str, str]]
    """Card id -> group, facts, hidden columns and parse states of its response."""
    notices: tuple[str, ...]
    """What must stand beside every figure."""

    @property
    def fields(self) -> tuple[Column, ...]:
        """What the fields and derived values of the codebook are called."""
        return describe_fields(self.codebook)

    def tables(self, *, notes: bool = False, hidden: bool = True) -> tuple[LabelTable, ...]:
        """Return the tables to write: final, long, wide and, with spans, spans."""
        extra = self.columns if hidden else None
        tables = [
            final_table(self.labels, self.fields),
            long_table(self.labels, self.fields, notes=notes),
            wide_table(self.labels, self.fields, extra=extra),
        ]
        if any(field.type == "spans" for field in self.codebook.fields):
            tables.append(spans_table(self.labels))
        return tuple(tables)


def study_labels(ws: Workspace, study: Study, round_: Round) -> StudyLabels:
    """Return the labels of a round.

    Raises NoCodings, LabelsClosed, or ProblemsFound when study, table or codebook are at fault.
    """
    if study.responses is None:
        raise NoCodings(
            f"study {study.study} reviews template groups and has no labels of responses; read"
            f" `reviewkit agree {study.study}`"
        )
    opened = open_round(ws, study, round_)
    study = study.as_in(round_)
    table, codebook, _watchlist = coding_material(ws, study, load_forms(ws.checklists))
    cards = cards_of_pass(ws, study, "", table.ids)
    columns = columns_of(ws, table.name)
    raters = [each.rater for each in study.rounds[0].passes]
    later = [each.rater for r in study.rounds for each in r.passes if each.rater not in raters]
    opened = of_present_texts(opened, table.digests)
    labels = final_labels(
        {each.pass_: each.decisions for each in opened.passes},
        adjudicated(ws, study, round_),
        [field.id for field in codebook.fields] + [each.id for each in codebook.derived],
        raters=pseudonyms(raters, study=study.study, later=later),
        groups={card: columns[card].get("group", "") for card in cards if card in columns},
        cards=cards,
        assigned={
            each.pass_: cards_of_pass(ws, study, each.pass_, table.ids) for each in opened.passes
        },
    )
    kept = {card: columns[card] for card in cards if card in columns}
    notices = (
        *opened.notices,
        *_of_another_edition(opened, codebook),
    )
    return StudyLabels(study.study, round_.round, codebook, labels, kept, notices)


def _of_another_edition(opened: OpenRound, codebook: Codebook) -> list[str]:
    """Return a notice when the codebook's file is not what cards were coded with."""
    others = {
        card
        for each in opened.passes
        for card, record in each.decisions.items()
        if record.kind == "decision" and record.form_digest != codebook.digest
    }
    if not others:
        return []
    said = (
        f"{len(others)} cards were coded with another edition of {codebook.name} than the one in"
        " checklists/; titles are of the one that is there."
    )
    return [said]


def adjudicated(ws: Workspace, study: Study, round_: Round) -> list[Record]:
    """Return the adjudicator's acts that are still about these codes, in order."""
    if study.adjudication is None:
        return []
    docket = Docket(ws, study.study, study.adjudication.adjudicator, round_name=round_.round)
    acts: list[Record] = []
    for card_id, status in docket.statuses().items():
        if status not in ("coded", "excluded"):
            continue
        first, settled = docket.mine(card_id), docket.cases()[card_id].settled
        acts += [each for each in (first, settled) if each is not None]
    return sorted(acts, key=lambda record: record.seq)
