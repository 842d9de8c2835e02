"""A project in which everybody wrote hostile words, and every command and page that shows them."""

from __future__ import annotations

import contextlib
import csv
import json
import re
import secrets
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from reviewkit.authoring import retire, worklist
from reviewkit.authoring.one_group import one_group
from reviewkit.bank import load_bank
from reviewkit.cli.app import main
from reviewkit.cli.terminal import spelled_out
from reviewkit.release import add_waiver
from reviewkit.release import audit as run_audit
from reviewkit.release.page import html_page as audit_page
from reviewkit.rulings import RulingEntry, rulings_log
from reviewkit.rulings.guides import next_edition
from reviewkit.study import Walk, load_study
from reviewkit.study.lead_questions import all_questions, answer_question
from reviewkit.study.opening import unblind
from reviewkit.study.second_reading import read_second
from reviewkit.workspace import Workspace
from tests.attacks.hostile_words import (
    FORBIDDEN,
    PLAIN,
    WORDS,
    html_faults,
    markdown_faults,
)
from tests.authoring.one_reviewer import REVIEWER, judge

ROOT = Path(__file__).parents[2]
SAID = "\n".join(text for name, text in WORDS.items() if name not in ("a NUL", "no space"))
"""What can stand in a note; a NUL and a note without end are refused at the door."""
ITEM = re.sub("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", "", SAID)
"""What can stand in a file of the bank; the separators can too, and are marked one by one."""
CARD, GONE = "DEMO-T1-003", "DEMO-T1-013"
COMMANDS = {
    "worklist": ("worklist",), "worklist.md": ("worklist", "--markdown"),
    "group": ("worklist", CARD), "group.md": ("worklist", CARD, "--markdown"),
    "gone.md": ("worklist", GONE, "--markdown"),
    "audit.md": ("audit", "--markdown"), "rulings": ("ruling",), "questions": ("questions",),
    "objections": ("second", "list"), "status": ("status",),
    "agree.md": ("agree", "demo", "--form", "md"),
    "guide.md": ("guide", "--part", "t1", "--markdown"),
}  # fmt: skip
OBJECTS = {
    "worklist": ("worklist", "--json"), "group": ("worklist", CARD, "--json"),
    "audit": ("audit", "--json"), "rulings": ("ruling", "--json"),
    "questions": ("questions", "--json"), "objections": ("second", "list", "--json"),
}  # fmt: skip


def lay(root: Path, said: str, item: str) -> Workspace:
    """Lay the demo in which reviewers, authors and the lead say the same words everywhere."""
    for name in ("bank", "checklists"):
        shutil.copytree(ROOT / name, root / name)
    (root / "rulings" / "demo").mkdir(parents=True)
    shutil.copy(ROOT / "rulings" / "demo" / "study.yaml", root / "rulings" / "demo")
    ws, quoted = Workspace(root), json.dumps(item)
    edit(ws.study_file("demo"), "The demo bank, reviewed by two", quoted)
    edit(ws.checklists / "t1.yaml", "Does each version stand naturally on its own?", quoted)
    edit(ws.checklists / "defects" / "families.yaml", "en: Undeclared difference", f"en: {quoted}")
    for at, rater in enumerate((REVIEWER, "second-reviewer")):
        walk = Walk(ws, "demo", rater, origin="cli")
        walk.start(0)
        judge(walk, CARD, "natural", note=said)
        judge(walk, GONE, *("natural",) * at, note=said)
        walk.ask_lead(CARD, said, click_id=secrets.token_hex(8))
    study = load_study(ws, "demo")
    answer_question(ws, study, all_questions(ws, study)[0].digest, said)
    unblind(ws, study, study.rounds[0], said)
    read_second(ws, study, "cleo", CARD, "object", said, click_id=secrets.token_hex(8))
    rulings_log(ws).file(
        RulingEntry(
            click_id=secrets.token_hex(8), type="ruling", text=said, author="lead",
            checks=("t1/natural",), item_ids=(f"{CARD}-a",),
        )
    )  # fmt: skip
    edit(ws.groups / f"{CARD}.yaml", '"4 lines"', quoted)
    bank = load_bank(ws)
    add_waiver(
        ws, bank, "cell-empty", ["bank"], reason=f"{item}\u2028.", name=item, on="2026-11-30"
    )
    retire(ws, GONE, reason=said, name=said[:190])
    return ws


def edit(path: Path, before: str, after: str) -> None:
    """Put one text in the place of another that stands once or more in a file."""
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8", newline="\n")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Workspace]:
    """Return the same project thrice: hostile, hostile on one line each, and plain."""
    folder = tmp_path_factory.mktemp("said")
    flat = {name: " ".join(text.split()) for name, text in (("said", SAID), ("item", ITEM))}
    return {
        "hostile": lay(folder / "hostile", SAID, ITEM),
        "flat": lay(folder / "flat", **flat),
        # as many words, since a table of long cells is laid out otherwise
        "plain": lay(folder / "plain", *[f"{PLAIN} " * (len(SAID) // 5)] * 2),
    }


def printed(
    ws: Workspace, words: Sequence[str], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:  # fmt: skip
    """Return what a command prints on either stream."""
    monkeypatch.chdir(ws.root)
    monkeypatch.setattr(sys, "argv", ["reviewkit", *words])
    with contextlib.suppress(SystemExit):
        main()
    told = capsys.readouterr()
    return told.out + told.err


@pytest.mark.parametrize("name", COMMANDS)
def test_hostile_words_in_what_a_command_prints(
    name: str, projects: dict[str, Workspace], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Nothing acts, no line is made up, and Markdown has the marks that it ever has."""
    beside = "plain" if name.endswith(".md") else "flat"
    other, hostile = (
        printed(projects[each], COMMANDS[name], monkeypatch, capsys) for each in (beside, "hostile")
    )
    if beside == "plain":
        assert markdown_faults(other, hostile, "guide" in name) == []
    else:
        assert len(spelled_out(hostile).splitlines()) == len(spelled_out(other).splitlines())
        assert not FORBIDDEN.search(spelled_out(hostile).replace("\n", ""))


@pytest.mark.parametrize("name", OBJECTS)
def test_hostile_words_in_json(
    name: str, projects: dict[str, Workspace], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """A script reads one value, with the words exactly as they were written."""
    value = json.loads(printed(projects["hostile"], OBJECTS[name], monkeypatch, capsys))
    assert any(json.dumps(each)[1:-1] in json.dumps(value) for each in (SAID, ITEM))


def test_hostile_words_in_a_table_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names of columns and cells of somebody's table make no line of what the import says."""
    ws = Workspace(tmp_path)
    ws.bank.mkdir()
    ws.checklists.mkdir()
    shutil.copy(ROOT / "bank" / "taxonomy.yaml", ws.bank)
    with (tmp_path / "t.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", *(f"{ITEM} {n}" for n in range(2))])
        writer.writerow(["r1", f"{ITEM}.", PLAIN, ITEM])
    (tmp_path / "t.yaml").write_text(
        "responses: t\nid: id\ntexts: {response: text}\nlanguage_is: en\n"
        f"hidden: {{judge: {json.dumps(f'{ITEM} 0')}}}\n",
        encoding="utf-8",
    )
    told = printed(ws, ("import", "responses", "t.csv", "t.yaml"), monkeypatch, capsys)
    assert told.splitlines()[-1] == "read 1 responses into bank/responses/t.jsonl"
    assert [line for line in told.splitlines() if re.match("# a|- b|a event|forged", line)] == []


PAGES: dict[str, Callable[[Workspace], str]] = {
    "worklist": lambda ws: worklist(ws).as_html(),
    "worklist in a notebook": lambda ws: worklist(ws)._repr_html_(),
    "group": lambda ws: one_group(CARD, ws).as_html(),
    "group in a notebook": lambda ws: one_group(CARD, ws)._repr_html_(),
    "group that is gone": lambda ws: one_group(GONE, ws).as_html(),
    "audit": lambda ws: audit_page(run_audit(ws)),
    "guide": lambda ws: next_edition(ws).as_html(part="t1"),
}


@pytest.mark.parametrize("name", PAGES)
def test_hostile_words_on_a_page(name: str, projects: dict[str, Workspace]) -> None:
    """The page has the elements that it has with plain words, and asks nobody for anything."""
    plain, hostile = (PAGES[name](projects[each]) for each in ("plain", "hostile"))
    assert html_faults(plain, hostile, WORDS["a script"]) == []


def test_hostile_words_in_the_rulings(projects: dict[str, Workspace]) -> None:
    """``RULINGS.md`` quotes a ruling line by line."""
    plain, hostile = (
        projects[each].rulings_page.read_text(encoding="utf-8") for each in ("plain", "hostile")
    )
    assert markdown_faults(plain, hostile, lines=True) == []
