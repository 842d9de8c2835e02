"""``reviewkit agree``: how far the passes of a round agree."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from reviewkit.agreement import Report, compare_passes, render_markdown, render_text
from reviewkit.agreement.coding_report import CodingReport
from reviewkit.agreement.codings import compare_codings
from reviewkit.agreement.codings_layout import render_codings_markdown, render_codings_text
from reviewkit.cli.study import (
    AsJson,
    AtHand,
    RoundName,
    StudyName,
    cards_at_hand,
    chosen_study,
    status,
)
from reviewkit.study import LabelsClosed, OpenPass, OpenRound, find_round, open_round
from reviewkit.study.opening import of_present_texts
from reviewkit.workspace import find_workspace


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
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    round_ = find_round(chosen, round_name)
    found = cards_at_hand(ws, chosen.as_in(round_))
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
    if len(opened.passes) < 2:
        raise LabelsClosed(
            f"round {round_.round} has fewer than two passes to compare:"
            f" {' '.join(opened.notices)} Add a pass in the place of whoever left"
        )
    if found.codebook is not None:
        opened = of_present_texts(opened, found.digests)
    heading = f"Study {chosen.study}, round {round_.round}, {datetime.now(UTC).date().isoformat()}"
    pairs = [
        (one, other) for at, one in enumerate(opened.passes) for other in opened.passes[at + 1 :]
    ]
    reports = [_compare(found, opened, one, other) for one, other in pairs]
    if as_json:
        named = {"study": chosen.study, "round": round_.round}
        data: Any = [{**named, **report.as_json()} for report in reports]
        text = json.dumps(data[0] if len(data) == 1 else data, ensure_ascii=False, indent=2) + "\n"
    else:
        text = "\n\n".join([heading, *(_render(report, markdown) for report in reports)])
    if out is None:
        typer.echo(text, nl=not text.endswith("\n"))
    else:
        out.write_text(text, encoding="utf-8", newline="\n")
        typer.echo(f"wrote {out}")


def _compare(
    found: AtHand, opened: OpenRound, one: OpenPass, other: OpenPass
) -> Report | CodingReport:
    names = (one.pass_, other.pass_)
    if found.codebook is not None:
        # with a part of the cards double-coded, the others are nobody's disagreement
        both = set(found.passes[one.pass_]) & set(found.passes[other.pass_])
        return compare_codings(
            one.decisions, other.decisions, found.codebook, names=names, cards=sorted(both),
            notices=opened.notices,
        )  # fmt: skip
    return compare_passes(
        one.decisions, other.decisions, found.shelf.checklist, names=names, cards=found.cards,
        notices=opened.notices,
    )  # fmt: skip


def _render(report: Report | CodingReport, markdown: bool) -> str:
    if isinstance(report, Report):
        return render_markdown(report) if markdown else render_text(report)
    return render_codings_markdown(report) if markdown else render_codings_text(report)
