"""Commands that open the desk: review, serve, link."""

from __future__ import annotations

import math
import os
import re
import sys
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from reviewkit.cli.printing import print_json, print_table, short_time
from reviewkit.cli.study import AsJson, PassName, StudyName, chosen_study
from reviewkit.desk.server.listening import running_servers
from reviewkit.problems import ReviewkitError
from reviewkit.study import Hearing, Study, Walk, link_book
from reviewkit.study.drawing import draw_cards, is_drawn
from reviewkit.study.links import LINK_DAYS, Link
from reviewkit.study.roles import role_of
from reviewkit.workspace import Workspace, find_workspace, make_folder

LAB_SETTINGS = Path(__file__).parent.parent / "desk" / "lab"
SECONDS_A_DAY = 86400
USUAL_ADDRESS = "http://127.0.0.1:8866"


class WhoAreYou(ReviewkitError):
    """The study has several raters and none was named."""


class LogForm(StrEnum):
    """How a line of the log is written."""

    JSON = "json"
    TEXT = "text"


class LinkAct(StrEnum):
    """What may be done with personal links."""

    NEW = "new"
    RENEW = "renew"
    REVOKE = "revoke"
    LIST = "list"


def review(
    study: StudyName = None,
    rater: Annotated[
        str | None, typer.Option("--as", help="Your name, as the study file has it.")
    ] = None,
    pass_name: PassName = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of JupyterLab.")] = 8888,
    browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
) -> None:
    """Open your notebook of the study in JupyterLab: review, coding, adjudication or the board."""
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    if rater is None:
        names = sorted({each.rater for round_ in chosen.rounds for each in round_.passes})
        if len(names) > 1:
            raise WhoAreYou(f"say who you are: --as {' or --as '.join(names)}")
        rater = names[0]
    pass_name, rater = chosen.find_person(rater, pass_name)
    # whatever is at fault is said here and not on an empty page
    notebook = _notebook_for(ws, chosen, pass_name, rater)
    environment = {
        # or the tabs that another project left open come up here, and are missing
        "JUPYTERLAB_WORKSPACES_DIR": str(ws.private / "lab"),
        **os.environ,
        "REVIEWKIT_WORKSPACE": str(ws.root),
        "REVIEWKIT_STUDY": chosen.study,
        "REVIEWKIT_RATER": rater,
        "REVIEWKIT_PASS": pass_name,
        # JupyterLab would ask, on top of the card, whether to fetch news from the network
        "JUPYTER_CONFIG_PATH": os.pathsep.join(
            filter(None, (str(LAB_SETTINGS), os.environ.get("JUPYTER_CONFIG_PATH")))
        ),
    }
    command = [
        sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={ws.root}",
        f"--LabApp.default_url=/lab/tree/{notebook}", "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}", "--LabApp.news_url=None",
        "--FileContentsManager.pre_save_hook=reviewkit.desk.clean_notebook.strip_outputs",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        *(() if browser else ("--no-browser",)),
        *(("--allow-root",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()),
    ]  # fmt: skip
    typer.echo(f"{chosen.study} as {rater}: run the cell of {notebook} (Shift+Enter)")
    sys.stdout.flush()
    # JupyterLab keeps its tabs there, and would make the folder for everybody to enter
    make_folder(ws.private)
    os.execve(sys.executable, command, environment)  # noqa: S606 - our own interpreter


def _notebook_for(ws: Workspace, study: Study, pass_name: str, rater: str) -> str:
    """Return the notebook of this person, once it is sure that it would open."""
    role = role_of(pass_name)
    if role == "rater":
        Walk(ws, study.study, rater, pass_name=pass_name, origin="lab")
    elif role == "adjudicator":
        Hearing(ws, study.study, rater, origin="lab")
    names = {"adjudicator": "03_adjudicate", "lead": "04_board"}
    name = names.get(role, "02_code" if study.is_coding else "01_review")
    return ws.shown(ws.notebooks / f"{name}.ipynb")


def serve(
    study: StudyName = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8866,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    base_url: Annotated[str, typer.Option(help="Sub-path behind a proxy: /review/.")] = "/",
    template: Annotated[
        str, typer.Option(help="Page template: reviewkit, or lab as the fallback.")
    ] = "reviewkit",
    new_links: Annotated[
        bool, typer.Option("--new-links", help="Make and print a link for everybody of the study.")
    ] = False,
    people: Annotated[
        str,
        typer.Option(
            help="Who says who comes: links, header:NAME that your proxy writes, or jupyterhub."
        ),
    ] = "links",
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="Address or network of your proxy, whose headers are believed; by default this "
            "machine."
        ),
    ] = None,
    public_url: Annotated[
        str | None, typer.Option(help="Address that links start with, behind a proxy.")
    ] = None,
    log: Annotated[
        str | None,
        typer.Option(
            help="File for the log, or - for standard output. By default what is refused or fails"
            " goes to standard error."
        ),
    ] = None,
    log_format: Annotated[
        LogForm | None,
        typer.Option(help="One JSON object or one text a line; text on a terminal by default."),
    ] = None,
    pool: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=50,
            help="Kernels that are kept ready for those who come. By default none where kernels"
            " can be forked (Linux), and 2 elsewhere.",
        ),
    ] = None,
) -> None:
    """Serve the study with Voila; people come in by personal links, each to his own app."""
    # Voila loads when it is served, not with every command
    from reviewkit.desk.server.running import serve as serve_app  # noqa: PLC0415

    if new_links and people != "links":
        raise typer.BadParameter(
            f"with --people {people} nobody needs an address of his own; let people in with "
            "`reviewkit link new NAME --no-secret`",
            param_hint="--new-links",
        )
    public_url = _address(public_url, "--public-url")
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    for round_ in chosen.rounds:
        if not is_drawn(ws, chosen, round_):
            drawn = draw_cards(ws, chosen, round_)
            given = ", ".join(f"{name} {len(ids)}" for name, ids in drawn.assignment.cards.items())
            drew = f"drew {len(drawn.sample.new)} cards; " if drawn.sample else ""
            typer.echo(f"round {round_.round}: {drew}gave out cards as study.yaml says: {given}")
    for each in (each for round_ in chosen.rounds for each in round_.passes):
        # a fault in bank, forms, study or ledger is said now and not to the first reviewer
        Walk(ws, chosen.study, each.rater, pass_name=each.pass_, origin="voila")

    prefix = f"/{base_url.strip('/')}" if base_url.strip("/") else ""
    start = public_url or f"http://{host}:{port}{prefix}"

    def announce(sentence: str) -> None:
        """Say each sentence of the server at once, also where the output is a file."""
        typer.echo(sentence, err=log == "-")
        (sys.stderr if log == "-" else sys.stdout).flush()

    def invite() -> None:
        """Make and print the links, which ends the ones that people work with."""
        links = [
            f"  {rater} ({pass_name}): {start}/go/{_new_token(ws, chosen.study, pass_name, rater)}"
            for pass_name, rater in chosen.people
            if new_links
        ]
        if links:
            announce("Personal links, shown this once:\n" + "\n".join(links))

    serve_app(
        ws, chosen.study, port=port, base_url=base_url, host=host, template=template,
        app="code" if chosen.is_coding else "review",
        links_start=start, log=log, log_form=None if log_format is None else log_format.value,
        people=people, proxies=tuple(proxy or ()), pool=pool, say=announce,
        invite=invite,
    )  # fmt: skip


def _new_token(ws: Workspace, study: str, pass_name: str, rater: str) -> str:
    book = link_book(ws)
    known = any(
        (each.person.study, each.person.pass_, each.person.rater) == (study, pass_name, rater)
        for each in book.list()
    )
    make = book.renew if known else book.make
    return make(study, pass_name, rater)


def link(
    act: Annotated[LinkAct, typer.Argument(help="new, renew, revoke or list.")],
    rater: Annotated[str | None, typer.Argument(help="The rater the link is for.")] = None,
    study: Annotated[str | None, typer.Option("--study", help="The study.")] = None,
    pass_name: PassName = None,
    days: Annotated[
        int, typer.Option(min=1, max=3650, help="The link ends after so many days.")
    ] = LINK_DAYS,
    no_secret: Annotated[
        bool,
        typer.Option(
            "--no-secret",
            help="Print no address: a proxy or a JupyterHub says who comes (serve --people).",
        ),
    ] = False,
    url: Annotated[
        str | None,
        typer.Option(
            help="Address that the link starts with; by default that of the running server."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make, renew, revoke or list the personal links of a study; only their hashes are kept."""
    url = _address(url, "--url")
    ws = find_workspace()
    chosen = chosen_study(ws, study)
    book = link_book(ws)
    if act is LinkAct.LIST:
        links = [each for each in book.list() if each.person.study == chosen.study]
        if as_json:
            print_json([_row(each) for each in links])
        else:
            titles = ("rater", "pass", "made", "expires", "days left", "state")
            print_table(
                titles, [tuple(str(cell) for cell in _row(each).values()) for each in links]
            )
        return
    if rater is None:
        raise typer.BadParameter("name the rater", param_hint="RATER")
    pass_name, rater = chosen.find_person(rater, pass_name)
    if act is LinkAct.REVOKE:
        ended = book.revoke(chosen.study, rater)
        typer.echo(f"revoked {len(ended)} link{'s' if len(ended) > 1 else ''} of {rater}")
        return
    expires = datetime.now(UTC) + timedelta(days=days)
    make = book.make if act is LinkAct.NEW else book.renew
    token = make(chosen.study, pass_name, rater, expires=expires)
    if no_secret:
        del token  # its hash stays, and nobody ever knew what it is a hash of
        said = {"rater": rater, "pass": pass_name, "expires": short_time(expires.isoformat())}
        if as_json:
            print_json(said)
        else:
            typer.echo(f"{rater} may come in to pass {pass_name} until {said['expires']}.")
        return
    start, remark = (url, "") if url else _start_of_links(ws, chosen.study)
    address = f"{start}/go/{token}"
    if as_json:
        print_json({"rater": rater, "pass": pass_name, "url": address})
        return
    typer.echo(f"{address}\nSend it to {rater} alone; it is shown this once.")
    if remark:
        typer.echo(remark)


def _address(url: str | None, option: str) -> str | None:
    """Return the address without its last slash, or say that links cannot begin with it."""
    if url is not None and not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", url):
        raise typer.BadParameter(
            f"{url}: links begin with the address that people open, as "
            "https://review.example.org/review",
            param_hint=option,
        )
    return None if url is None else url.rstrip("/")


def _start_of_links(ws: Workspace, study: str) -> tuple[str, str]:
    """Return what links of the study begin with now, and what else there is to say about it."""
    running = running_servers(ws, study)
    if not running:
        return USUAL_ADDRESS, (
            f"No server of {study} is running here: the link begins with the usual address. If the "
            "server will listen elsewhere, put its address in the place of "
            f"{USUAL_ADDRESS}."
        )
    starts = list(dict.fromkeys(each.links_start for each in running))
    others = " and ".join(starts[1:])
    return starts[0], f"It works at {others} as well: that server runs too." if others else ""


def _row(each: Link) -> dict[str, str | int]:
    left = each.seconds_left()
    ended = "expired" if each.revoked is None else "ended"
    return {
        "rater": each.person.rater,
        "pass": each.person.pass_,
        "made": short_time(each.made.isoformat()),
        "expires": short_time(each.expires.isoformat()) if each.expires else "never",
        "days_left": "" if left is None or not each.works() else math.ceil(left / SECONDS_A_DAY),
        "state": "works" if each.works() else ended,
    }
