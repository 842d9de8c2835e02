"""Commands of the lead: status, lock, reopen, unblind, agree, verify."""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from reviewkit.bank import Bank, read_bank
from reviewkit.cards import card_from_group
from reviewkit.cli.printing import print_json, print_table, problem_as_json, short_time
from reviewkit.decisions import verify_ledger
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.questions import FormShelf, count_checks, load_forms
from reviewkit.rulings import verify_rulings
from reviewkit.study import (
    LabelsClosed,
    Study,
    Walk,
    check_study,
    find_round,
    forms_by_type,
    list_studies,
    load_study,
    open_round,
    study_progress,
)
from reviewkit.study import reopen as record_reopening
from reviewkit.study import unblind as record_unblinding
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
                f"name the study: {', '.join(known)}" if known
                else "the folder has no study; write rulings/NAME/study.yaml"
            )  # fmt: skip
        name = known[0]
    return load_study(ws, name)


def _cards_at_hand(ws: Workspace, study: Study) -> tuple[Bank, tuple[str, ...], FormShelf]:
    """Return the bank, the study's cards that can be read, and the forms.

    A draft in the bank must not hide everybody's counts, so problems of group files are counted
    on stderr and left to ``check``. Raises ProblemsFound when the study itself is at fault.
    """
    shelf = load_forms(ws.checklists)
    bank, problems = read_bank(ws)
    shown = ws.shown(ws.study_file(study.study))
    at_fault = check_study(study, bank, shelf, shown, groups_known=not problems)
    if at_fault:
        raise ProblemsFound(at_fault)
    if problems:
        left_out = "problem in the bank leaves its group" if len(problems) == 1 else (
            "problems in the bank leave their groups"
        )  # fmt: skip
        typer.echo(f"{len(problems)} {left_out} out: see `reviewkit check`", err=True)
    known = {group.template_id for group in bank.groups}
    return bank, tuple(each for each in study.group_ids(bank) if each in known), shelf


def status(study: StudyName = None, as_json: AsJson = False) -> None:
    """Show how far every pass is: counts and timing, never a label."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    bank, card_ids, shelf = _cards_at_hand(ws, chosen)
    progress = study_progress(ws, chosen, card_ids)
    cards = [
        card_from_group(bank.group(card_id), bank.taxonomy, bank.group(card_id).source)
        for card_id in card_ids
    ]
    counts = count_checks(
        forms_by_type(chosen, shelf), [(card.test_type, card.facts) for card in cards]
    )
    if as_json:
        print_json(
            {
                "study": chosen.study,
                "cards": len(card_ids),
                "checks": {
                    "total": counts.total,
                    "asked": counts.asked,
                    "not_applicable": counts.not_applicable,
                },
                "passes": [each.as_json() for each in progress],
            }
        )
        return
    typer.echo(f"study {chosen.study}: {len(card_ids)} cards")
    typer.echo(
        f"checks: {counts.total} by group and type; {counts.asked} asked,"
        f" {counts.not_applicable} not applicable"
    )
    print_table(
        ("round", "pass", "rater", "decided", "skipped", "median", "last", "state"),
        [
            (
                each.round,
                each.pass_,
                each.rater,
                f"{each.decided} of {each.total}",
                str(each.skipped),
                "" if each.seconds_per_card is None else f"{each.seconds_per_card:.0f} s",
                short_time(each.last),
                f"locked {each.lock_digest[:12]}" if each.locked else
                "in progress" if each.last else "not started",
            )
            for each in progress
        ],
    )  # fmt: skip


def lock(
    rater: RaterName,
    study: Annotated[str | None, typer.Option("--study", help="The study.")] = None,
    pass_name: PassName = None,
) -> None:
    """Seal a pass with a digest of all its decisions; nothing can be changed after that."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    walk = Walk(ws, chosen.study, rater, pass_name=pass_name, origin="cli")
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


def agree(
    study: StudyName = None,
    round_name: RoundName = None,
    as_json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--md", help="Print Markdown.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write to this file instead of the screen.")
    ] = None,
) -> None:
    """Say how far the two passes of a round agree; before the locks, counts only."""
    # the analysis layers load when they are called
    from reviewkit.agreement import compare_passes, render_markdown, render_text  # noqa: PLC0415

    ws = find_workspace()
    chosen = chosen_study(ws, study)
    _bank, card_ids, shelf = _cards_at_hand(ws, chosen)
    round_ = find_round(chosen, round_name)
    if len(round_.passes) < 2:
        raise LabelsClosed(
            f"round {round_.round} has one pass, so there is nothing to compare;"
            " add a second pass to study.yaml"
        )
    try:
        opened = open_round(ws, chosen, round_)
    except LabelsClosed:
        status(chosen.study, as_json)
        raise
    reports = [
        compare_passes(
            one.decisions,
            other.decisions,
            shelf.by_digest,
            names=(one.pass_, other.pass_),
            cards=card_ids,
            notices=opened.notices,
        )
        for at, one in enumerate(opened.passes)
        for other in opened.passes[at + 1 :]
    ]
    heading = f"Study {chosen.study}, round {round_.round}, {datetime.now(UTC).date().isoformat()}"
    if as_json:
        named = {"study": chosen.study, "round": round_.round}
        data: Any = [{**named, **report.as_json()} for report in reports]
        text = json.dumps(data[0] if len(data) == 1 else data, ensure_ascii=False, indent=2) + "\n"
    else:
        render = render_markdown if markdown else render_text
        text = "\n\n".join([heading, *(render(report) for report in reports)])
    if out is None:
        typer.echo(text, nl=not text.endswith("\n"))
    else:
        out.write_text(text, encoding="utf-8", newline="\n")
        typer.echo(f"wrote {out}")


class What(StrEnum):
    """What can be verified from the files alone."""

    LEDGER = "ledger"


def verify(
    what: Annotated[What, typer.Argument(help="ledger: every chain of the folder.")] = What.LEDGER,
    as_json: AsJson = False,
) -> None:
    """Check that every ledger, the rulings log and the lead's acts are what was written."""
    del what  # one thing so far, and the argument keeps the command's shape
    ws = find_workspace()
    forms = load_forms(ws.checklists)
    paths = sorted(path for path in ws.rulings.rglob("*.jsonl") if path != ws.rulings_log)
    reports = [
        verify_ledger(path, ws.shown(path), forms.by_digest, _owner_by_place(ws, path))
        for path in paths
    ]
    if ws.rulings_log.exists():
        reports.append(verify_rulings(ws.rulings_log, ws.shown(ws.rulings_log)))
    if as_json:
        print_json(
            [
                {
                    "file": report.file,
                    "records": report.records,
                    "tip": report.tip,
                    "locks": [
                        {"digest": each.digest, "time": each.time, "in_force": each.in_force}
                        for each in report.locks
                    ],
                    "pending": str(report.pending) if report.pending else None,
                    "set_aside": list(report.set_aside),
                    "problems": [problem_as_json(each) for each in report.problems],
                }
                for report in reports
            ]
        )
        raise typer.Exit(0 if all(report.sound for report in reports) else 1)
    for report in reports:
        if not report.sound:
            continue
        state = ", locked" if report.locked else ""
        typer.echo(f"{report.file}: {report.records} records sound{state}, tip {report.tip[:12]}")
        for lock_found in report.locks:
            word = "lock" if lock_found.in_force else "lifted lock"
            typer.echo(f"  {word} {short_time(lock_found.time)}: {lock_found.digest}")
        if report.pending:
            typer.echo(f"  {report.pending}")
        for name in report.set_aside:
            typer.echo(f"  a torn tail is kept in {name}")
    problems = [problem for report in reports for problem in report.problems]
    if problems:
        raise ProblemsFound(problems)
    if not reports:
        typer.echo("no ledger yet")


def _owner_by_place(ws: Workspace, path: Path) -> tuple[str, str, str] | None:
    """Return study, pass and rater of a ledger by where it lies; the lead's acts have none."""
    parts = path.relative_to(ws.rulings).parts
    return (parts[0], parts[1], path.stem) if len(parts) == 3 else None
