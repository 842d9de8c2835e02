"""The command when the ground gives way: full disks, odd folders, names and numbers."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from reviewkit.study import LinkBook
from reviewkit.workspace import Workspace
from tests.desk.talk import sit_down

FIRST, SECOND = "first-reviewer", "second-reviewer"


@pytest.mark.parametrize(
    "words",
    [
        ("init", "n" * 300),
        ("init", "bank/taxonomy.yaml/below"),
        ("init", "loop"),
        ("new", "T1", "N" * 300),
        ("ruling", "x" * 5_000),
        ("ruling", "a rule", "--as", "two words"),
        ("ruling", "not a letter \udcff"),
    ],
)
def test_what_cannot_be_done_is_one_line(run, words: tuple[str, ...]) -> None:
    """A name too long, a file in the way, a text no file takes: one sentence, no traceback."""
    Path("loop").symlink_to("loop")
    status, _out, err = run(*words)
    assert status == 1
    assert err.startswith("reviewkit: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("serve", "--port", "99999"),
        ("review", "--as", FIRST, "--port", "0"),
        ("link", "new", FIRST, "--days", "99999999999"),
        ("link", "new", FIRST, "--days", "0"),
    ],
)
def test_a_number_out_of_range_is_wrong_usage(run, words: tuple[str, ...]) -> None:
    """No port beyond 65535, no link that has ended before it was sent."""
    assert run(*words)[0] == 2


@pytest.mark.parametrize("where", ["no-folder/report.md", "bank"])
def test_a_report_that_cannot_be_written_is_named(run, demo: Workspace, where: str) -> None:
    """``agree --out`` names the file that it cannot write."""
    study = demo.study_file("demo")
    few = study.read_text(encoding="utf-8").replace("groups: all", "groups: [DEMO-T1-001]")
    study.write_text(few, encoding="utf-8")
    for rater in (FIRST, SECOND):
        page = sit_down(demo, rater)
        while page.view["card"]:
            page.submit()
        assert run("lock", rater)[0] == 0
    status, _out, err = run("agree", "--out", where)
    assert status == 1
    assert where in err


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_the_output_is_one_line(demo: Workspace) -> None:
    """The text that cannot be written is said on the error stream, without a traceback."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "reviewkit.cli.app", "status"],
            cwd=demo.root, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("reviewkit: the output: no space left")
    assert done.stderr.count("\n") == 1


def test_init_leaves_a_folder_that_was_there(run) -> None:
    """Names that make no study are refused before anything is laid or removed."""
    Path("mine").mkdir()
    status, _out, err = run("init", "mine", "--first", "two words")
    assert status == 1
    assert "two words" in err
    assert Path("mine").is_dir()
    assert run("init", "fresh", "--first", "SECOND", "--second", "basim")[0] == 0


@pytest.mark.process
def test_a_server_that_cannot_start_ends_no_link(run, demo: Workspace) -> None:
    """What stands in its way is said before the links that people work with are replaced."""
    book = LinkBook(demo.links)
    token = book.make("demo", "first", FIRST)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        status, out, err = run("serve", "--new-links", "--port", port)
        assert (status, out) == (1, "")
        assert "choose another with --port" in err
    for options, wrong in (
        (["--host", "192.0.2.1"], "choose another with --host"),
        (["--log", "no-such-folder/demo.log"], "make the folder"),
        (["--template", "evil"], "use reviewkit or lab"),
        (["--proxy", "nginx"], "give the address of your proxy"),
    ):
        status, out, err = run("serve", "--new-links", "--port", port, *options)
        assert (status, out) == (1, ""), options
        assert wrong in err
    assert book.who(token) is not None


def test_the_remedy_for_closed_labels_is_a_command_that_works(run) -> None:
    """What ``agree`` tells the lead to run is understood by ``lock``."""
    _status, _out, err = run("agree")
    command = err.split("`")[1]
    assert command == "reviewkit lock RATER --study demo"
    status, _out, err = run(*command.replace("RATER", FIRST).split()[1:])
    assert status == 1
    assert "not locked" in err


def test_a_ledger_under_another_name_is_found(run, demo: Workspace) -> None:
    """``verify`` and ``status`` refuse a rater's ledger copied over that of another."""
    sit_down(demo, SECOND).submit()
    mine = demo.ledger("demo", "first", FIRST)
    mine.parent.mkdir()
    shutil.copy(demo.ledger("demo", "second", SECOND), mine)
    for command in ("verify", "status"):
        status, _out, err = run(command)
        assert status == 1
        assert f"first/{FIRST}.jsonl:1" in err
        assert f"of demo/second/{SECOND}" in err


def test_a_stripped_newline_is_told_from_a_torn_line(run, demo: Workspace) -> None:
    """A whole last record without its newline is no lost answer, and a lock takes it in."""
    page = sit_down(demo, FIRST)
    while page.view["card"]:
        page.submit()
    path = demo.ledger("demo", "first", FIRST)
    path.write_bytes(path.read_bytes()[:-1])
    _status, out, _err = run("verify")
    assert "has lost its newline" in out
    assert "never acknowledged" not in out
    assert run("lock", FIRST)[0] == 0


def test_a_group_named_twice_is_found(run, demo: Workspace) -> None:
    """A study that lists a card twice would never be complete."""
    path = demo.study_file("demo")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("groups: all", "groups: [DEMO-T1-001, DEMO-T1-001]"), "utf-8")
    status, _out, err = run("check")
    assert status == 1
    assert "'DEMO-T1-001' twice" in err


def test_a_study_file_that_leads_nowhere_is_a_fault(run, demo: Workspace) -> None:
    """A broken link in place of the study file is named and not passed over."""
    path = demo.study_file("demo")
    path.unlink()
    path.symlink_to("nowhere.yaml")
    status, _out, err = run("check")
    assert status == 1
    assert "rulings/demo/study.yaml" in err


def test_status_names_the_study_file_at_fault(run, demo: Workspace) -> None:
    """A group or form that the study names in vain is told with its file and the remedy."""
    path = demo.study_file("demo")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("groups: all", "groups: [NOPE]"), encoding="utf-8")
    status, _out, err = run("status")
    assert status == 1
    assert "study.yaml groups: no group 'NOPE' in the bank; mend the id" in err
