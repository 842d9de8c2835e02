"""What people decided, under pseudonyms: decisions and labels of open rounds, rulings, guides.

What was said about a sealed group stays in: of its verdicts there are counts and nothing else, and
of its notes nothing. Rounds whose labels are closed are not published at all.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reviewkit.decisions import Record
from reviewkit.digests import canonical_json
from reviewkit.labels import Coding, FinalLabel, LabelTable, final_labels, final_table, pseudonyms
from reviewkit.labels.final import VERDICT
from reviewkit.labels.of_study import adjudicated, study_labels
from reviewkit.labels.tables import Column, long_table, wide_table
from reviewkit.release.guard import Outside, Piece
from reviewkit.release.publish.people import People
from reviewkit.release.publish.tier import PublicTier
from reviewkit.rulings import Ruling, RulingsLog
from reviewkit.rulings.guides import editions
from reviewkit.rulings.log import render_page
from reviewkit.study import LabelsClosed, Round, Study, list_studies, load_study
from reviewkit.study.opening import told_round
from reviewkit.workspace import Workspace


@dataclass(slots=True)
class Judgements:
    """Files to write, texts to look at, and what must be said."""

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    pieces: list[Piece] = field(default_factory=list[Piece])
    notices: list[str] = field(default_factory=list[str])
    studies: list[str] = field(default_factory=list[str])
    """The rounds that are published: who judged under which form, without a name."""


def judgements(
    ws: Workspace, tier: PublicTier, people: People, outside: Outside, *, notes: bool
) -> Judgements:
    """Return everything that was decided and may be told.

    Args:
        ws: The project folder.
        tier: The public part of the bank.
        people: Everybody, with pseudonyms.
        outside: How passes are called and notices told there.
        notes: Whether notes on public groups and on responses go along.

    Raises:
        ProblemsFound: When a study, a form or a table is at fault.
        LedgerBroken: When a ledger is damaged.
    """
    found = Judgements()
    for name in list_studies(ws):
        study = load_study(ws, name)
        for round_ in study.rounds:
            try:
                if study.is_coding:
                    _add_codings(ws, study, round_, tier, people, outside, found, notes=notes)
                else:
                    _add_verdicts(ws, study, round_, tier, people, outside, found, notes=notes)
            except LabelsClosed:
                found.notices.append(
                    f"Round {round_.round} of study {name} is not here: its labels are closed."
                )
    _add_rulings(ws, people, outside, found)
    _add_editions(ws, people, found)
    return found


# Verdicts on groups ------------------------------------------------------------------------------


def _add_verdicts(
    ws: Workspace, study: Study, round_: Round, tier: PublicTier, people: People,
    outside: Outside, found: Judgements, *, notes: bool,
) -> None:  # fmt: skip
    opened = told_round(ws, study, round_)
    codings = {each.pass_: each.decisions for each in opened.passes}
    if not any(codings.values()):
        return
    names, passes = people.raters[study.study], outside.passes(study)
    lines: list[bytes] = []
    withheld: dict[str, dict[str, int]] = {}
    for pass_, records in codings.items():
        closed: Counter[str] = Counter()
        for card_id, record in records.items():
            if card_id not in tier.ids:
                closed[record.verdict or record.kind] += card_id in tier.layers.sealed
                continue
            told = _told(record, names[record.rater], notes=notes)
            lines.append(canonical_json({**told, "pass": passes[pass_]}))
            found.pieces += _notes_of(study.study, record, notes=notes)
        withheld[passes[pass_]] = {
            name: number for name, number in sorted(closed.items()) if number
        }
    labels = final_labels(
        codings, adjudicated(ws, study, round_), [VERDICT], raters=names,
        cards=sorted(tier.ids & set(study.group_ids(tier.bank))),
    )  # fmt: skip
    shown = tuple(
        _outside(label, passes, {}, notes=notes) for label in labels if label.card_id in tier.ids
    )
    outcome = Counter(
        label.value or label.route for label in labels if label.card_id in tier.layers.sealed
    )
    place = f"decisions/{study.study}.{round_.round}"
    found.files[f"{place}.jsonl"] = b"".join(line + b"\n" for line in lines)
    found.files[f"{place}.sealed.json"] = _json(
        {
            "about": "verdicts on the groups that are held back, as counts",
            "passes": withheld,
            "final": dict(sorted(outcome.items())),
        }
    )
    columns = (Column(VERDICT, "what the group's verdict is", "accepted; needs_fix; rejected"),)
    _add_tables(f"labels/{study.study}.{round_.round}", [final_table(shown, columns)], found)
    found.pieces += _reasons_of(study.study, shown)
    _say(study, round_, opened.notices, outside, found)


def _told(record: Record, rater: str, *, notes: bool) -> dict[str, Any]:
    """Return what is published of a record on a public group."""
    kept = record.model_dump(
        mode="json", by_alias=True, exclude_defaults=True,
        include={
            "kind", "study", "round", "pass_", "card_id", "card_digest", "form", "form_version",
            "form_digest", "asked", "answers", "defects", "escalated", "verdict", "rule_version",
        },
    )  # fmt: skip
    # the minute of an act, beside a rota, would say whose it is
    told = {**kept, "rater": rater, "day": record.time[:10]}
    return {**told, "note": record.note} if notes and record.note else told


def _notes_of(study: str, record: Record, *, notes: bool) -> Iterator[Piece]:
    if notes and record.note:
        yield Piece(f"rulings/{study}/{record.pass_} {record.card_id} note", record.note)


# Codings of responses ----------------------------------------------------------------------------


def _add_codings(
    ws: Workspace, study: Study, round_: Round, tier: PublicTier, people: People,
    outside: Outside, found: Judgements, *, notes: bool,
) -> None:  # fmt: skip
    read = study_labels(ws, study, round_)
    renamed = _renamed(study, people)
    shut = {*tier.layers.sealed, *tier.layers.gone} - tier.ids
    shut |= {item.id for group in tier.sealed for item in group.items}
    withheld = {
        card for card, columns in read.columns.items() if not shut.isdisjoint(columns.values())
    } | ({label.card_id for label in read.labels if label.group in shut})
    labels = tuple(
        _outside(label, outside.passes(study), renamed, notes=notes)
        for label in read.labels
        if label.card_id not in withheld
    )
    if not any(coding.state != "missing" for label in labels for coding in label.codings):
        return
    tables = [
        final_table(labels, read.fields),
        long_table(labels, read.fields, notes=notes),
        wide_table(labels, read.fields),
    ]
    _add_tables(f"labels/{study.study}.{round_.round}", tables, found)
    found.pieces += _reasons_of(study.study, labels)
    if withheld:
        number = len(withheld)
        found.notices.append(
            f"Study {study.study}: {number} responses to sealed groups are not in its labels."
        )
    _say(study, round_, read.notices, outside, found)


def _renamed(study: Study, people: People) -> dict[str, str]:
    """Return the pseudonym in the tables of a study -> the one outside."""
    first = [each.rater for each in study.rounds[0].passes]
    every = [each.rater for round_ in study.rounds for each in round_.passes]
    later = [each for each in every if each not in first]
    inside = pseudonyms(first, study=study.study, later=later)
    return {said: people.raters[study.study][rater] for rater, said in inside.items()}


def _outside(
    label: FinalLabel, passes: Mapping[str, str], renamed: Mapping[str, str], *, notes: bool
) -> FinalLabel:
    """Return a label under pseudonyms, to the day, without digests, and notes as they may go."""

    def told(coding: Coding) -> Coding:
        # the digest of a record would let a guessed name be tried
        source = replace(coding.source, time=coding.source.time[:10], record="")
        note = coding.note if notes else ""
        rater = renamed.get(coding.rater, coding.rater)
        pass_ = passes.get(coding.pass_, coding.pass_)
        return replace(coding, pass_=pass_, rater=rater, note=note, source=source)

    return replace(
        label,
        codings=tuple(told(each) for each in label.codings),
        first=label.first and told(label.first),
        ruling=label.ruling and told(label.ruling),
        reason=label.reason if notes else "",
    )


def _reasons_of(study: str, labels: tuple[FinalLabel, ...]) -> Iterator[Piece]:
    for label in labels:
        for coding in (*label.codings, label.first, label.ruling):
            if coding is not None and coding.note:
                yield Piece(f"rulings/{study}/{coding.pass_} {label.card_id} note", coding.note)
        if label.reason:
            yield Piece(f"rulings/{study} {label.card_id} reason", label.reason)


def _add_tables(place: str, tables: list[LabelTable], found: Judgements) -> None:
    for table in tables:
        for each in (table, table.dictionary()):
            found.files[f"{place}/{each.name}.csv"] = _csv(each)


def _csv(table: LabelTable) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, table.header, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table.rows)
    return text.getvalue().encode("utf-8")


def _say(
    study: Study, round_: Round, notices: tuple[str, ...], outside: Outside, found: Judgements
) -> None:
    found.studies.append(_judged(study, round_, outside))
    for notice in notices:
        told = outside.notice(study, notice)
        found.notices.append(f"Study {study.study}, round {round_.round}: {told}")


def _judged(study: Study, round_: Round, outside: Outside) -> str:
    """Return how many judged in a round, in which passes and under which forms."""
    called = outside.passes(study)
    passes = ", ".join(called[each.pass_] for each in round_.passes)
    number = len({each.rater for each in round_.passes})
    asked = study.as_in(round_)
    forms = ", ".join(f"{test_type} under {form}" for test_type, form in study.forms.items())
    return (
        f"{study.study}, round {round_.round}: {number} {'rater' if number == 1 else 'raters'}"
        f" ({passes}){', blind to each other' if round_.is_blind else ''};"
        f" {forms or f'responses under {asked.codebook}'}"
        f"{'; differences were adjudicated' if study.adjudication is not None else ''}."
    )


# Rulings and guides ------------------------------------------------------------------------------


def _add_rulings(ws: Workspace, people: People, outside: Outside, found: Judgements) -> None:
    log = RulingsLog.of(ws)
    where, replaced = ws.shown(ws.rulings_log), {each.supersedes: each.number for each in log.all()}
    rulings: list[Ruling] = []
    for each in log.all():
        number, by = each.number, replaced.get(each.number)
        said = Piece(
            f"{where}:{each.seq} {number} text", each.text,
            remedy=f"say anew what was decided and not by whom, with `--supersedes {number}`",
        )  # fmt: skip
        text = each.text
        if by is None:
            found.pieces.append(said)
        elif next(outside.guard.faults_of([said]), None) is not None:
            # no line of the log can be reworded, and the rule stands in the later one
            text = "The words of this ruling are kept back."
            found.notices.append(f"The words of {number}, which {by} replaces, are kept back.")
        rulings.append(each.model_copy(update={"author": people.veiled(each.author), "text": text}))
    found.files["rulings/RULINGS.md"] = render_page(rulings).encode("utf-8")
    found.files["rulings/rulings.json"] = _json(
        [
            {
                "number": each.number, "type": each.type, "text": each.text,
                "checks": list(each.checks), "item_ids": list(each.item_ids),
                "supersedes": each.supersedes, "author": each.author, "day": each.time[:10],
            }
            for each in rulings
        ]
    )  # fmt: skip


def _add_editions(ws: Workspace, people: People, found: Judgements) -> None:
    published = editions(ws)
    if not published:
        found.notices.append("No edition of the guide was published.")
        return
    found.files["rulings/guides/editions.json"] = _json(
        [
            {
                "number": each.number, "digest": each.digest, "day": each.time[:10],
                "name": people.veiled(each.name), "rulings": list(each.rulings),
                "forms": dict(each.forms),
            }
            for each in published
        ]
    )  # fmt: skip


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
