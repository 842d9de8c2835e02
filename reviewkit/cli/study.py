"""Commands of the lead: status, lock, reopen, unblind, agree, verify."""

from __future__ import annotations

import secrets
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

import typer

from reviewkit.bank import Bank, read_bank
from reviewkit.cards import card_from_group
from reviewkit.cli.printing import print_json, print_table, short_time
from reviewkit.decisions import PassLocked, lock_in_force
from reviewkit.decisions.retirements import retired_groups
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.questions import CheckCount, Codebook, FormShelf, count_checks, load_forms
from reviewkit.study import (
    PassProgress,
    Study,
    Walk,
    check_study,
    find_round,
    forms_by_type,
    list_studies,
    load_study,
    study_progress,
)
from reviewkit.study import reopen as record_reopening
from reviewkit.study import unblind as record_unblinding
from reviewkit.study.dealing import cards_of_pass, coding_material
from reviewkit.study.hearing import AdjudicationProgress, adjudication_progress
from reviewkit.workspace import Workspace, find_workspace

StudyName = Annotated[
    str | None, typer.Argument(help="The study; not needed when the folder has one.")
]
RaterName = Annotated[str, typer.Argument(help="The rater, as the study file names him.")]
RoundName = Annotated[
    str | None, typer.Option("--round", help="The round; the last one when not given.")
]
PassName = Annotated[
    str | None, typer.Option("--pass", help="The pass, for a rater who has several.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it is recorded and shown.")]


class NoStudyNamed(ReviewkitError):
    """The folder has several studies, or none, and none was named."""


def chosen_study(ws: Workspace, name: str | None) -> Study:
    """Return the named study, or the only one of the folder."""
    if name is None:
        known = list_studies(ws)
        if len(known) != 1:
            raise NoStudyNamed(
                "the folder has several studies; say which, by its name or after `--study`:"
                f" {', '.join(known)}" if known
                else "the folder has no study; write rulings/NAME/study.yaml"
            )  # fmt: skip
        name = known[0]
    return load_study(ws, name)


@dataclass(frozen=True)
class AtHand:
    """The cards of a study that can be read, and the forms."""

    cards: tuple[str, ...]
    passes: dict[str, tuple[str, ...]]
    """The cards of each pass."""
    shelf: FormShelf
    bank: Bank | None = None
    codebook: Codebook | None = None
    digests: Mapping[str, str] = field(default_factory=dict[str, str])
    """Of a study of responses, the digest of every response as it is."""


def cards_at_hand(ws: Workspace, study: Study) -> AtHand:
    """Return the study's cards that can be read, and the forms.

    A draft in the bank must not hide everybody's counts, so problems of group files are counted
    on stderr and left to ``check``. Raises ProblemsFound when the study itself is at fault.
    """
    shelf = load_forms(ws.checklists)
    if study.is_coding:
        table, codebook, _watchlist = coding_material(ws, study, shelf)
        cards = cards_of_pass(ws, study, "", table.ids)
        by_pass = _by_pass(ws, study, table.ids)
        return AtHand(cards, by_pass, shelf, codebook=codebook, digests=table.digests)
    bank, problems = read_bank(ws)
    shown = ws.shown(ws.study_file(study.study))
    gone = retired_groups(ws)
    at_fault = check_study(study, bank, shelf, shown, groups_known=not problems, retired=gone)
    if at_fault:
        raise ProblemsFound(at_fault)
    if problems:
        left_out = "problem in the bank leaves its group" if len(problems) == 1 else (
            "problems in the bank leave their groups"
        )  # fmt: skip
        typer.echo(f"{len(problems)} {left_out} out: see `reviewkit check`", err=True)
    known = {group.template_id for group in bank.groups}
    every = tuple(each for each in study.group_ids(bank) if each in known)
    cards = cards_of_pass(ws, study, "", every)
    return AtHand(cards, _by_pass(ws, study, every), shelf, bank=bank)


def _by_pass(ws: Workspace, study: Study, every: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    passes = [each.pass_ for round_ in study.rounds for each in round_.passes]
    return {name: cards_of_pass(ws, study, name, every) for name in passes}


def status(study: StudyName = None, as_json: AsJson = False) -> None:
    """Show how far every pass is: counts and timing, never a label."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    found = cards_at_hand(ws, chosen)
    progress = study_progress(ws, chosen, found.passes)
    counts = _count_checks(chosen, found)
    settled = adjudication_progress(ws, chosen) if chosen.adjudication is not None else None
    if as_json:
        value: dict[str, Any] = {"study": chosen.study, "cards": len(found.cards)}
        if counts is not None:
            value["checks"] = {
                "total": counts.total,
                "asked": counts.asked,
                "not_applicable": counts.not_applicable,
            }
        value["passes"] = [each.as_json() for each in progress]
        if settled is not None:
            value["adjudication"] = asdict(settled)
        print_json(value)
        return
    typer.echo(f"study {chosen.study}: {len(found.cards)} cards")
    if counts is not None:
        typer.echo(
            f"checks: {counts.total} by group and type; {counts.asked} asked,"
            f" {counts.not_applicable} not applicable"
        )
    print_table(
        ("round", "pass", "rater", "decided", "skipped", "unsure", "median", "left", "last",
         "state"),
        [_progress_row(each) for each in progress],
    )  # fmt: skip
    if settled is not None:
        typer.echo(_adjudication_line(settled))


def _adjudication_line(settled: AdjudicationProgress) -> str:
    if not settled.opened:
        waiting = ", ".join(settled.waiting_for)
        return f"adjudication of round {settled.round}: opens when {waiting} are locked"
    done = settled.settled + settled.excluded
    return (
        f"adjudication of round {settled.round}: {done} of {settled.queue} settled"
        f" ({settled.excluded} excluded), {settled.labelled} labelled once, {settled.changed} came"
        " back"
    )


def _count_checks(study: Study, found: AtHand) -> CheckCount | None:
    if found.bank is None:
        return None
    groups = [found.bank.group(card_id) for card_id in found.cards]
    cards = [card_from_group(each, found.bank.taxonomy, each.source) for each in groups]
    return count_checks(
        forms_by_type(study, found.shelf), [(card.test_type, card.facts) for card in cards]
    )


def _progress_row(each: PassProgress) -> tuple[str, ...]:
    left = each.seconds_left
    return (
        each.round,
        each.pass_,
        each.rater,
        f"{each.decided} of {each.total}",
        str(each.skipped),
        str(each.unsure),
        "" if each.seconds_per_card is None else f"{each.seconds_per_card:.0f} s",
        "" if left is None else f"{left / 60:.0f} min",
        short_time(each.last),
        {
            "locked": f"locked {each.lock_digest[:12]}",
            "in_progress": "in progress",
            "not_started": "not started",
            "withdrawn": "withdrawn",
        }[each.state],
    )


def lock(
    rater: RaterName,
    study: Annotated[str | None, typer.Option("--study", help="The study.")] = None,
    pass_name: PassName = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Seal a pass with a digest of all its decisions; nothing can be changed after that."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    walk = Walk(ws, chosen.study, rater, pass_name=pass_name, origin="cli")
    in_force = lock_in_force(walk.ledger.records())
    if in_force is not None:
        raise PassLocked(in_force)
    counts = Counter(walk.statuses().values())
    waiting = counts["open"] + counts["changed"]
    typer.echo(
        f"pass {walk.pass_.pass_} of {rater}: {counts.total() - waiting - counts['skipped']}"
        f" decided, {counts['skipped']} skipped, {waiting} open"
    )
    if sys.stdin.isatty() and not yes:
        # a script that locks has no one to ask
        typer.confirm("lock it? nothing can be changed after that", abort=True)
    record = walk.lock(click_id=secrets.token_hex(8))
    typer.echo(f"locked pass {walk.pass_.pass_} of {rater}: digest {record.details['digest']}")


def reopen(
    rater: RaterName,
    reason: Reason,
    study: Annotated[str | None, typer.Option("--study", help="The study.")] = None,
    pass_name: PassName = None,
) -> None:
    """Let a rater go on after a lock; recorded, and said beside every later figure."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    round_, each = chosen.find_pass(rater, pass_name)
    record_reopening(ws, chosen, round_, each, reason)
    typer.echo(f"reopened pass {each.pass_} of {rater}")


def unblind(
    reason: Reason,
    study: Annotated[str | None, typer.Option("--study", help="The study.")] = None,
    round_name: RoundName = None,
) -> None:
    """Open the labels of a round before all its passes are locked; recorded with the reason."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    round_ = find_round(chosen, round_name)
    record_unblinding(ws, chosen, round_, reason)
    typer.echo(f"labels of round {round_.round} are open; every figure from now on says so")
