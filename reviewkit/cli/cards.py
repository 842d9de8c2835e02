"""Commands on the cards of a study: import, sample, add, reassign, withdraw, questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reviewkit.agreement.reporting.blocks import shown
from reviewkit.bank.import_responses import import_responses
from reviewkit.cli.printing import print_json, print_sentences, print_table, short_time
from reviewkit.cli.study import AsJson, PassName, RoundName, StudyName, chosen_study
from reviewkit.questions import load_forms
from reviewkit.rulings import RulingsLog
from reviewkit.study import Walk, all_questions, answer_question, find_round
from reviewkit.study import withdraw as record_withdrawal
from reviewkit.study.drawing import add_cards, draw_cards, plan_cards, reassign_cards
from reviewkit.study.import_codings import import_codings
from reviewkit.study.new_study import write_study
from reviewkit.workspace import find_workspace

InStudy = Annotated[str | None, typer.Option("--study", help="The study.")]
Why = Annotated[str, typer.Option("--reason", help="Why; it is recorded.")]


def read_responses(
    file: Annotated[Path, typer.Argument(help="CSV, TSV, JSONL, JSON, XLSX or Parquet.")],
    mapping: Annotated[Path, typer.Argument(help="Which column is what: docs/responses.md.")],
) -> None:
    """Read a table of model responses into bank/responses/; every cell stays text."""
    ws = find_workspace()
    imported = import_responses(ws, file, mapping)
    print_sentences(imported.said)
    typer.echo(f"read {imported.rows} responses into bank/responses/{imported.name}.jsonl")


def read_codings(
    file: Annotated[Path, typer.Argument(help="A table: card, a column a field, note, unsure.")],
    rater: Annotated[str, typer.Option("--as", help="Whose codings these are.")],
    study: InStudy = None,
    pass_name: PassName = None,
    encoding: Annotated[str | None, typer.Option(help="Of a text file that is not UTF-8.")] = None,
    sheet: Annotated[str | None, typer.Option(help="Of a workbook with several.")] = None,
) -> None:
    """Record codings that a rater made elsewhere, by the rules of the desk; all rows or none."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    walk = Walk(ws, chosen.study, rater, pass_name=pass_name, origin="import")
    log = RulingsLog.of(ws, ws.rulings_page)
    read = import_codings(
        walk, file, encoding=encoding, sheet=sheet, rulings_in_force=len(log.all())
    )
    typer.echo(
        f"recorded {read.recorded} codings of {rater} in pass {walk.pass_.pass_};"
        f" {read.repeated} were there already"
    )


def study(
    name: Annotated[str, typer.Argument(help="Name of the new study.")],
    codebook: Annotated[str, typer.Option(help="The codebook: rationale@1.")],
    responses: Annotated[str, typer.Option(help="The imported table.")],
    rater: Annotated[list[str], typer.Option("--rater", help="A rater; once for each.")],
    adjudicator: Annotated[str | None, typer.Option(help="Who settles differences.")] = None,
    watchlist: Annotated[str | None, typer.Option(help="The watchlist: marsh@1.")] = None,
    size: Annotated[int | None, typer.Option(min=1, help="Draw so many cards.")] = None,
    raters_per_card: Annotated[
        int | None, typer.Option(min=1, help="So many raters for each card; all when not given.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample and of the orders.")] = 1,
) -> None:
    """Write a study of responses: who codes which table with which codebook."""
    ws = find_workspace()
    written = write_study(
        ws, load_forms(ws.checklists), name=name, codebook=codebook, responses=responses,
        raters=rater, adjudicator=adjudicator, watchlist=watchlist, size=size,
        raters_per_card=raters_per_card, seed=seed,
    )  # fmt: skip
    typer.echo(
        f"wrote {ws.shown(ws.study_file(written.study))}; then `reviewkit sample {name}` and"
        f" `reviewkit serve {name} --new-links`"
    )


def sample(
    study: StudyName = None,
    round_name: RoundName = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be drawn; record nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Draw the sample and give out the cards as study.yaml says; print counts per stratum."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    round_ = find_round(chosen, round_name)
    planned = (plan_cards if dry_run else draw_cards)(ws, chosen, round_)
    cards = planned.assignment.cards
    if as_json:
        print_json(
            {
                "study": chosen.study,
                "recorded": not dry_run,
                "strata": [
                    dict(zip(("draw", "stratum", "available", "wanted", "drawn"), row, strict=True))
                    for row in planned.rows
                ],
                "passes": {name: len(ids) for name, ids in cards.items()},
                "not_met": list(planned.said),
            }
        )
        return
    if planned.sample is None:
        typer.echo("study.yaml draws no sample: every card is in the study")
    else:
        print_table(
            ("draw", "stratum", "available", "wanted", "drawn"),
            [tuple(str(cell) for cell in row) for row in planned.rows],
        )
    if cards:
        print_table(("pass", "cards"), [(name, str(len(ids))) for name, ids in cards.items()])
    else:
        typer.echo("no pass takes cards any more: each is locked or gave its cards up")
    print_sentences(planned.said)
    if dry_run:
        typer.echo("nothing was recorded")


def add(
    cards: Annotated[list[str], typer.Argument(help="Ids of the cards.")],
    reason: Why,
    study: InStudy = None,
    round_name: RoundName = None,
) -> None:
    """Add cards to a running study; the passes that are still open take them."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    new = add_cards(ws, chosen, find_round(chosen, round_name), cards, reason)
    typer.echo(f"added {len(new)} of {len(cards)} cards; the others were there already")


def reassign(
    from_pass: Annotated[str, typer.Argument(help="The pass that gives its open cards up.")],
    to_pass: Annotated[str, typer.Argument(help="The pass that takes them.")],
    reason: Why,
    study: InStudy = None,
    round_name: RoundName = None,
) -> None:
    """Give the open cards of a rater who left to another pass; what is coded stays where it is."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    round_ = find_round(chosen, round_name)
    moved = reassign_cards(ws, chosen, round_, from_pass, to_pass, reason)
    typer.echo(f"moved {len(moved.cards)} open cards from {from_pass} to {to_pass}")
    if moved.left:
        typer.echo(
            f"{len(moved.left)} open cards stay with {from_pass}, since {to_pass} has them already;"
            " reassign them to another pass"
        )


def withdraw(
    rater: Annotated[str, typer.Argument(help="The rater who withdraws consent.")],
    study: InStudy = None,
    pass_name: PassName = None,
    reason: Annotated[str, typer.Option("--reason", help="Why, if the rater says.")] = "",
) -> None:
    """Record that a rater withdraws consent: the record stays, the labels leave every table.

    It is for all his passes, unless one is named.
    """
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    chosen.find_pass(rater, pass_name)
    for round_ in chosen.rounds:
        for each in round_.passes:
            if each.rater == rater and pass_name in (None, each.pass_):
                record_withdrawal(ws, chosen, round_, each, reason)
                typer.echo(f"withdrawn: pass {each.pass_} is in no table and no figure from now on")


def questions(study: StudyName = None, as_json: AsJson = False) -> None:
    """List what raters asked the lead, and the answers."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    asked = all_questions(ws, chosen)
    if as_json:
        print_json(
            [
                {
                    "id": each.digest[:12], "pass": each.pass_, "card": each.card_id,
                    "time": each.time, "text": each.text, "answer": each.answer,
                }
                for each in asked
            ]
        )  # fmt: skip
        return
    for each in asked:
        typer.echo(f"{each.digest[:12]}  {short_time(each.time)}  {each.pass_}  {each.card_id}")
        # on one line each, so that no question looks like an answer
        typer.echo(f"  {shown(each.text)}")
        typer.echo(f"  answer: {shown(each.answer) or '(none yet: reviewkit answer ID TEXT)'}")
    if not asked:
        typer.echo("nobody has asked anything")


def answer(
    question: Annotated[str, typer.Argument(help="The id that `reviewkit questions` shows.")],
    text: Annotated[str, typer.Argument(help="The answer; only that rater sees it.")],
    study: InStudy = None,
) -> None:
    """Answer a rater's question; the other raters see neither question nor answer."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    record = answer_question(ws, chosen, question, text)
    typer.echo(f"answered {record.pass_} on {record.card_id}")
