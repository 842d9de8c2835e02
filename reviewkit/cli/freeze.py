"""``reviewkit freeze`` and what is said of a freeze afterwards: retract, amend, deviation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from reviewkit.cli.printing import print_json, short_time
from reviewkit.cli.study import AsJson
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.release.freeze import (
    Freeze,
    FreezeLine,
    FreezeRefused,
    Obstacle,
    freezes,
    obstacles,
    record_deviation,
    write_pages,
)
from reviewkit.release.freeze import (
    amend as record_amendment,
)
from reviewkit.release.freeze import (
    freeze as make_freeze,
)
from reviewkit.release.freeze import (
    retract as record_retraction,
)
from reviewkit.release.publish import to_do_before_a_freeze
from reviewkit.workspace import Workspace, find_workspace

Who = Annotated[str, typer.Option("--name", help="Who answers for it.")]
Why = Annotated[str, typer.Option("--reason", help="Why; it is public.")]
Effect = Annotated[str, typer.Option("--effect", help="What follows from it, in words.")]
Words = Annotated[
    list[str] | None,
    typer.Option("--word", help="A name that is a word too, and is not sought: mark."),
]
Of = Annotated[
    str | None, typer.Option("--freeze", help="The freeze it is about; the last one by default.")
]


def freeze(
    freeze_name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="What the freeze is called for ever.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Who answers for it.")] = "",
    check: Annotated[
        bool, typer.Option("--check", help="Only list what stands in the way; exit 1 if anything.")
    ] = False,
    pages: Annotated[
        bool, typer.Option("--pages", help="Write the pages of what was said since once more.")
    ] = False,
    word: Words = None,
    as_json: AsJson = False,
) -> None:
    """Freeze the bank: sums of every file, a certificate, a line in the log; or list the freezes.

    It refuses while anything stands in the way: a hard check, a group that is not accepted as it
    is, an open second review, a term without a class, a damaged ledger, a reason that names
    somebody.
    """
    ws = find_workspace()
    if check:
        _check(ws, word or (), as_json)
    elif pages:
        _pages(ws, as_json)
    elif freeze_name is None:
        _list(ws, as_json)
    else:
        if not name.strip():
            problem = Problem("--name", "is not given", "say who answers for the freeze")
            raise ProblemsFound([problem])
        _freeze(ws, freeze_name, name, word or (), as_json)


def _check(ws: Workspace, words: Sequence[str], as_json: bool) -> None:
    found = obstacles(ws, words=words)
    if as_json:
        before = list(to_do_before_a_freeze(ws))
        print_json({"obstacles": [_obstacle(each) for each in found], "to_publish": before})
    else:
        _print(found)
        if not found:
            typer.echo("nothing stands in the way of a freeze")
        _say_what_a_publication_wants(ws)
    raise typer.Exit(1 if found else 0)


def _say_what_a_publication_wants(ws: Workspace) -> None:
    """Say what is frozen too: once the bank is frozen, writing it means another freeze."""
    for said in to_do_before_a_freeze(ws):
        typer.echo(f"before a freeze that is to be published: {said}")


def _obstacle(each: Obstacle) -> dict[str, str]:
    return {"code": each.code, "subject": each.subject, "said": each.said}


def _print(found: tuple[Obstacle, ...], *, err: bool = False) -> None:
    for each in found:
        typer.echo(str(each), err=err)
    if found:
        count = "1 obstacle" if len(found) == 1 else f"{len(found)} obstacles"
        typer.echo(count, err=err)


def _pages(ws: Workspace, as_json: bool) -> None:
    written = write_pages(ws)
    if as_json:
        print_json({"written": list(written)})
    for each in () if as_json else written:
        typer.echo(f"wrote {each}")
    if not written and not as_json:
        typer.echo("every page says what the log says")


def _list(ws: Workspace, as_json: bool) -> None:
    made = freezes(ws)
    if as_json:
        print_json([_freeze_as_json(ws, each) for each in made])
        return
    for each in made:
        since = f", {len(each.afterwards)} said since" if each.afterwards else ""
        typer.echo(
            f"{each.name}  {short_time(each.time)} UTC  bank digest {each.bank_digest[:12]}{since}"
        )
    if not made:
        typer.echo("nothing is frozen yet: look at `reviewkit freeze --check` first")


def _freeze(
    ws: Workspace, freeze_name: str, name: str, words: Sequence[str], as_json: bool
) -> None:
    try:
        made = make_freeze(ws, freeze_name, name=name, words=words)
    except FreezeRefused as refused:
        _print(refused.obstacles, err=True)
        raise
    if as_json:
        print_json(_freeze_as_json(ws, made))
        return
    counts, where = made.certificate.counts, ws.shown(made.folder)
    typer.echo(f"froze {made.name}: {counts.items} items on {counts.groups} groups")
    typer.echo(f"  bank digest         {made.bank_digest}")
    typer.echo(f"  certificate digest  {made.certificate_digest}")
    before = made.certificate.predecessor
    if before is not None:
        typer.echo(
            f"  since {before.freeze}: {len(before.added)} groups added,"
            f" {len(before.removed)} gone, {len(before.changed)} changed"
        )
    typer.echo(f"  check it: reviewkit verify freeze {made.name}; sha256sum -c {where}/SHA256SUMS")


def _freeze_as_json(ws: Workspace, made: Freeze) -> dict[str, Any]:
    return {
        "freeze": made.name,
        "time": made.time,
        "name": made.line.name,
        "bank_digest": made.bank_digest,
        "certificate_digest": made.certificate_digest,
        "folder": ws.shown(made.folder),
        "since": [_line_as_json(each) for each in made.afterwards],
    }


def _line_as_json(line: FreezeLine) -> dict[str, Any]:
    return {
        "freeze": line.freeze,
        "kind": line.kind,
        "time": line.time,
        "name": line.name,
        "text": line.text,
        "ids": list(line.ids),
        "files": dict(line.files),
        "reason": line.reason,
        "effect": line.effect,
        "changes": [each.model_dump() for each in line.changes],
    }


def _print_line(ws: Workspace, line: FreezeLine, as_json: bool) -> None:
    if as_json:
        print_json(_line_as_json(line))
        return
    typer.echo(f"recorded the {line.kind} of freeze {line.freeze}")
    for each in line.changes:
        typer.echo(f"  {each.of}: {each.before} -> {each.after}")
    typer.echo(f"  public page: {ws.shown(ws.freezes)}/{line.freeze}/AFTERWARDS.md")


def retract(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Groups or items.")],
    reason: Why,
    name: Who,
    effect: Effect = "",
    freeze_name: Of = None,
    word: Words = None,
    as_json: AsJson = False,
) -> None:
    """Withdraw groups or items from a freeze, publicly, with what the bank loses by it.

    The frozen files stay. A rater's consent is another matter: `reviewkit withdraw`.
    """
    ws = find_workspace()
    line = record_retraction(
        ws, ids, reason=reason, name=name, effect=effect, freeze_name=freeze_name,
        words=word or (),
    )  # fmt: skip
    _print_line(ws, line, as_json)


def amend(
    text: Annotated[str, typer.Argument(help="What is amended.")],
    reason: Why,
    effect: Effect,
    name: Who,
    file: Annotated[
        list[str] | None,
        typer.Option("--file", help="A file it changes or adds, as it is now; once for each."),
    ] = None,
    freeze_name: Of = None,
    word: Words = None,
    as_json: AsJson = False,
) -> None:
    """Record an amendment of a freeze, dated, with reason and effect."""
    ws = find_workspace()
    line = record_amendment(
        ws, text, reason=reason, effect=effect, name=name, files=file or (),
        freeze_name=freeze_name, words=word or (),
    )  # fmt: skip
    _print_line(ws, line, as_json)


def deviation(
    text: Annotated[str, typer.Argument(help="What was done otherwise than planned.")],
    reason: Why,
    effect: Effect,
    name: Who,
    freeze_name: Of = None,
    word: Words = None,
    as_json: AsJson = False,
) -> None:
    """Record a departure from what was planned, dated, with reason and effect."""
    ws = find_workspace()
    line = record_deviation(
        ws, text, reason=reason, effect=effect, name=name, freeze_name=freeze_name,
        words=word or (),
    )  # fmt: skip
    _print_line(ws, line, as_json)
