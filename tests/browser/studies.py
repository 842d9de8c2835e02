"""Copies of the demo studies and tables made for a test, and the server that opens one of them."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from reviewkit.bank.import_responses import import_responses
from reviewkit.desk.session import Session
from reviewkit.rulings import RulingsLog
from reviewkit.study import Walk, load_study
from reviewkit.workspace import Workspace
from tests.browser.places import ROOT, _command, _wait_for
from tests.desk.talk import Page
from tests.serving.served import Server, free_port

Row = Mapping[str, str]


def lay_studies(root: Path, *studies: str) -> Workspace:
    """Copy the project folder with these of its studies."""
    for name in ("bank", "checklists", "notebooks", "voila_apps"):
        shutil.copytree(ROOT / name, root / name)
    for study in studies:
        shutil.copytree(ROOT / "rulings" / study, root / "rulings" / study)
    return Workspace(root)


def lay_table(ws: Workspace, name: str, rows: list[Row], hidden: tuple[str, ...] = ()) -> None:
    """Import a table of responses: ``id``, ``request``, ``response`` and hidden columns."""
    table, mapping = ws.root / f"{name}.csv", ws.root / f"{name}.yaml"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    listed = ", ".join(f"{each}: {each}" for each in hidden)
    mapping.write_text(
        f"responses: {name}\nid: id\ntexts: {{request: request, response: response}}\n"
        f"language_is: en\nhidden: {{{listed}}}\n",
        encoding="utf-8",
    )
    import_responses(ws, table, mapping)


def lay_study(
    ws: Workspace, name: str, codebook: str, raters: Iterable[str], *more: str, each_card: int = 0
) -> None:
    """Write a study on the table of its own name, with one pass per rater."""
    raters = tuple(raters)
    passes = "".join(f"      - {{pass: p-{rater}, rater: {rater}}}\n" for rater in raters)
    given = f"assignment: {{seed: 7, raters_per_card: {each_card}}}\n" if each_card else ""
    folder = ws.root / "rulings" / name
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(
        f"study: {name}\ntitle: Made for a test\ncodebook: {codebook}\nresponses: {name}\n{given}"
        + "".join(f"{line}\n" for line in more)
        + f'rounds:\n  - round: "1"\n    passes:\n{passes}',
        encoding="utf-8",
    )


@contextmanager
def serving(ws: Workspace, study: str, port: int = 0, **environment: str) -> Generator[Server]:
    """Run ``reviewkit serve`` for the length of a block; a given port is a restart there."""
    links = () if port else ("--new-links",)  # new links end the earlier ones
    port = port or free_port()
    process = _command(
        ws, "serve", study, *links, "--port", str(port), REVIEWKIT_WORKSPACE=str(ws.root),
        **environment,
    )  # fmt: skip
    server = Server(ws.root, process, port, "/", ws.root / "serve.log")
    try:
        _wait_for(process, port, server.log_path)
        yield server
    finally:
        server.stop()


def link_for(server: Server, person: str) -> str:
    """Return the personal link that the server has printed for a person, whatever his pass."""
    start = f"  {person} ("
    return [line for line in server.log.splitlines() if line.startswith(start)][-1].split()[-1]


def run_command(ws: Workspace, *arguments: str) -> str:
    """Run the lead's command line in the folder and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "reviewkit.cli.app", *arguments],
        cwd=ws.root, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def read_csv(path: Path) -> list[dict[str, str]]:
    """Return the rows of an exported table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def sit_at(ws: Workspace, study: str, rater: str) -> Page:
    """Open a rater's desk as a fresh kernel would, without a browser."""
    walk = Walk(ws, study, rater, origin="voila")
    log = RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log), ws.rulings_page)
    page = Page(Session(walk, log), f"tab-of-{rater}")
    page.say("hello", language="en")
    return page


def ledger_path(ws: Workspace, study: str, rater: str) -> Path:
    """Return the ledger of a rater or of the adjudicator."""
    chosen = load_study(ws, study)
    pass_name, rater = chosen.find_person(rater)
    return ws.ledger(study, pass_name, rater)


def lines_of(ws: Workspace, study: str, rater: str, *kinds: str) -> list[dict[str, Any]]:
    """Return a person's records as they lie on disk, all or those of some kinds."""
    path = ledger_path(ws, study, rater)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = [json.loads(line) for line in lines]
    return [each for each in found if not kinds or each["kind"] in kinds]


def chained(records: list[dict[str, Any]]) -> bool:
    """Return whether each record names the digest of the one before it."""
    return all(later["previous"] == earlier["digest"] for earlier, later in pairwise(records))


MIXED = """
form: mixed
version: "1"
kind: codebook
title: {en: Stance and terms, ar: الموقف والألفاظ}
instruction: {en: Code what the text says., ar: رمّز ما يقوله النص.}
fields:
  - id: stance
    type: choice
    note_when: [Abstain]
    text: {en: What stance does the text take?, ar: ما موقف النص؟}
    explanation: {en: The main statement decides., ar: الجملة الأساسية هي الحاسمة.}
    codes:
      - {id: E, title: {en: Endorsement, ar: تأييد}}
      - {id: D, title: {en: Denial, ar: إنكار}}
      - {id: Abstain, title: {en: Cannot be classified, ar: لا يمكن تصنيفه}, abstain: "yes"}
  - id: quoted
    type: yes_no
    applies_when: {stance: [E]}
    text: {en: Is the stance somebody else's?, ar: أهو موقف غيره؟}
    explanation: {en: A quotation counts., ar: الاقتباس يُحسب.}
  - id: terms
    type: spans
    of: response
    watchlist: "yes"
    optional: "yes"
    text: {en: Which words name the event?, ar: ما الألفاظ التي تسمّي الحدث؟}
    explanation: {en: Settle every marked term., ar: احسم كل لفظ معلَّم.}
    codes:
      - {id: neutral, title: {en: Neutral, ar: محايد}}
      - {id: loaded_a, title: {en: Loaded one way, ar: محمَّل باتجاه أول}}
      - {id: loaded_b, title: {en: Loaded the other way, ar: محمَّل بالاتجاه الآخر}}
      - {id: proper_name, title: {en: Proper name, ar: اسم علَم}}
      - {id: other, title: {en: Other, ar: غير ذلك}}
    flags:
      - {id: attributed, hotkey: a, title: {en: Attributed, ar: منسوب}}
  - id: faults
    type: many
    optional: "yes"
    text: {en: What is wrong with the text?, ar: ما عيوب النص؟}
    explanation: {en: All that holds., ar: كل ما يصحّ.}
    codes:
      - {id: length, title: {en: Too long, ar: طويل}}
      - {id: language, title: {en: Faulty language, ar: لغة ركيكة}}
derived:
  - id: loaded
    op: count
    of: terms
    codes: [loaded_a, loaded_b]
    title: {en: Loaded terms, ar: ألفاظ محمَّلة}
"""
"""Every kind of question on one card."""


def lay_mixed(
    ws: Workspace, name: str, raters: Iterable[str], rows: list[Row], *more: str,
    hidden: tuple[str, ...] = (),
) -> None:  # fmt: skip
    """Lay a study of the codebook above, where every rater has every card in the table's order."""
    (ws.checklists / "mixed.yaml").write_text(MIXED, encoding="utf-8")
    lay_table(ws, name, rows, hidden)
    lay_study(ws, name, "mixed@1", raters, "watchlist: lantern@1", *more)
