"""A freeze is checked from the files alone: one byte anywhere is found, honest growth is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from reviewkit.authoring.retirement import retire
from reviewkit.decisions import LedgerBroken
from reviewkit.digests import canonical_json
from reviewkit.problems import ProblemsFound
from reviewkit.release.freeze import (
    FreezeLine,
    UnknownFreeze,
    amend,
    freeze,
    freezes,
    retract,
    verify_freeze,
)
from reviewkit.release.freeze.chains import ledger_reports
from reviewkit.release.freeze.files import sum_of
from reviewkit.rulings import RulingEntry, RulingsLog
from reviewkit.rulings.guides import publish
from reviewkit.study import Walk
from reviewkit.workspace import Workspace
from tests.release.freeze import clean_bank


def rule(ws: Workspace, text: str = "One place has one name.") -> None:
    """File a ruling."""
    RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log), ws.rulings_page).file(
        RulingEntry(click_id=clean_bank.click(), type="ruling", text=text, author="amal")
    )


@pytest.fixture(scope="module")
def _rich_once(_reviewed_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    ws = Workspace(shutil.copytree(_reviewed_once, tmp_path_factory.mktemp("rich") / "project"))
    retire(ws, "T3-c", reason="the theme stands elsewhere", name="amal")
    rule(ws)
    publish(ws, name="amal")
    (ws.bank / "statements").mkdir()
    (ws.bank / "statements" / "بيان.md").write_text("نص\n", encoding="utf-8")
    freeze(ws, "one", name="amal")
    retract(ws, ["T2-a"], reason="a slur", name="amal")
    return ws.root


@pytest.fixture
def rich(_rich_once: Path, tmp_path: Path) -> Workspace:
    """Return a freeze with every kind of file in it."""
    return Workspace(shutil.copytree(_rich_once, tmp_path / "rich"))


FROZEN = (
    "bank/groups/T1-a.yaml", "bank/taxonomy.yaml", "bank/registry.yaml", "bank/plan.yaml",
    "bank/axes.yaml", "bank/retired/T3-c.yaml", "bank/statements/بيان.md", "checklists/t1.yaml",
    "checklists/defects/families.yaml", "rulings/rulings.jsonl", "rulings/retirements.jsonl",
    "rulings/guides/editions.jsonl", "rulings/guides/edition-01/guide.json",
    "rulings/review/study.yaml", "rulings/review/first/amal.jsonl",
    "rulings/review/second/badr.jsonl", "rulings/review/round-1.pins.json",
)  # fmt: skip
OWN = (
    "rulings/freezes/one/SHA256SUMS", "rulings/freezes/one/certificate.json",
    "rulings/freezes/one/groups.jsonl", "rulings/freezes/one/ledgers.json",
    "rulings/freezes/one/CERTIFICATE.md", "rulings/freezes/one/AFTERWARDS.md",
)  # fmt: skip


def test_untouched(rich: Workspace) -> None:
    """All of it is as it was, and the freeze is named with its digests and what was withdrawn."""
    found = verify_freeze(rich)
    made = freezes(rich)[0]
    assert found.sound
    assert (found.freeze, found.bank_digest, found.certificate) == (
        "one", made.bank_digest, made.certificate_digest
    )  # fmt: skip
    assert found.retracted == ("T2-a",)
    assert (found.changed, found.missing, found.added, found.new, found.grown) == ((),) * 5


@pytest.mark.parametrize("path", FROZEN)
def test_one_byte_of_a_frozen_file(rich: Workspace, path: str) -> None:
    """Named as changed, whatever kind of file it is."""
    _turn_a_byte(rich.root / path, "middle")
    found = verify_freeze(rich)
    assert found.changed == (path,)
    assert path in {problem.where for problem in found.problems}


@pytest.mark.parametrize("at", [0, -2, -1])
@pytest.mark.parametrize("path", ["bank/groups/T1-a.yaml", "rulings/review/first/amal.jsonl"])
def test_one_byte_at_either_end(rich: Workspace, path: str, at: int) -> None:
    """The first byte, the last letter and the last line end count like any other."""
    _turn_a_byte(rich.root / path, at)
    assert verify_freeze(rich).changed == (path,)


@pytest.mark.parametrize("path", OWN)
def test_one_byte_of_the_freeze_itself(rich: Workspace, path: str) -> None:
    """The log knows every file of the folder, and the page of what was said since."""
    _turn_a_byte(rich.root / path, "middle")
    assert path in {problem.where for problem in verify_freeze(rich).problems}


@pytest.mark.parametrize("at", [0, -2, "middle"])
def test_one_byte_of_the_log(rich: Workspace, at: int | str) -> None:
    """Then nobody can say what was frozen, and it is said."""
    _turn_a_byte(rich.freeze_log, at)
    with pytest.raises(ProblemsFound, match=r"rulings/freezes/log\.jsonl:"):
        verify_freeze(rich)
    with pytest.raises(LedgerBroken):
        freezes(rich)


def _turn_a_byte(path: Path, at: int | str) -> None:
    raw = bytearray(path.read_bytes())
    place = len(raw) // 2 if isinstance(at, str) else at
    raw[place] ^= 1
    path.write_bytes(raw)


@pytest.mark.parametrize("path", [*FROZEN, *OWN])
def test_a_file_that_is_gone(rich: Workspace, path: str) -> None:
    """A missing file is named, one of the freeze's own as well."""
    (rich.root / path).unlink()
    assert path in {problem.where for problem in verify_freeze(rich).problems}


@pytest.mark.parametrize("path", [*FROZEN, *OWN[:5]])
def test_line_ends(rich: Workspace, path: str) -> None:
    """CRLF is a change, and it is said that no word was."""
    file = rich.root / path
    raw = file.read_bytes()
    if b"\n" not in raw:
        return
    file.write_bytes(raw.replace(b"\n", b"\r\n"))
    said = {problem.where: problem.wrong for problem in verify_freeze(rich).problems}
    assert said[path].startswith("its line ends were changed")


def test_a_line_of_the_log_that_was_dropped(rich: Workspace) -> None:
    """The chain of what is left is whole, but the page tells of a retraction."""
    lines = rich.freeze_log.read_bytes().splitlines(keepends=True)
    rich.freeze_log.write_bytes(lines[0])
    wrong = {problem.where: problem.wrong for problem in verify_freeze(rich).problems}
    assert wrong == {
        "rulings/freezes/one/AFTERWARDS.md": "does not say what the log of freezes says"
    }
    rich.freeze_log.write_bytes(b"")
    with pytest.raises(UnknownFreeze, match="nothing is frozen"):
        verify_freeze(rich)


def test_a_log_that_was_written_anew(frozen: Workspace) -> None:
    """Whoever forges a file, the sums and the log still contradicts the certificate."""
    group, folder = frozen.groups / "T1-a.yaml", frozen.freezes / "one"
    before = sum_of(group).digest
    group.write_text(group.read_text(encoding="utf-8") + "# later\n", encoding="utf-8")
    sums = folder / "SHA256SUMS"
    text = sums.read_text(encoding="utf-8")
    sums.write_text(text.replace(before, sum_of(group).digest), encoding="utf-8")
    line = json.loads(frozen.freeze_log.read_bytes())
    line["files"]["SHA256SUMS"] = sum_of(sums).digest
    line["digest"] = FreezeLine.digest_of_fields(line)
    frozen.freeze_log.write_bytes(canonical_json(line) + b"\n")
    found = verify_freeze(frozen)
    assert found.changed == ()
    assert [problem.wrong for problem in found.problems] == [
        "was made of another SHA256SUMS than there is"
    ]


def test_a_new_group_is_named_and_a_new_study_only_told(rich: Workspace) -> None:
    """What would change the bank is a fault; forms, studies and answers of models are not."""
    shutil.copy(rich.groups / "T1-a.yaml", rich.bank / "groups" / "copy.yaml.md")
    (rich.bank / "responses").mkdir()
    (rich.bank / "responses" / "run.jsonl").write_text("{}\n", encoding="utf-8")
    (rich.checklists / "README.md").write_text("More.\n", encoding="utf-8")
    found = verify_freeze(rich)
    assert found.added == ("bank/groups/copy.yaml.md",)
    assert found.new == ("bank/responses/run.jsonl", "checklists/README.md")
    assert [problem.where for problem in found.problems] == ["bank/groups/copy.yaml.md"]


def test_a_link_in_the_place_of_a_file(rich: Workspace, tmp_path: Path) -> None:
    """The same text from elsewhere is not the frozen file."""
    path = rich.groups / "T1-a.yaml"
    path.rename(tmp_path / "elsewhere.yaml")
    path.symlink_to(tmp_path / "elsewhere.yaml")
    found = verify_freeze(rich)
    assert [problem.wrong for problem in found.problems if problem.where.endswith("T1-a.yaml")] == [
        "is a link"
    ]


def test_records_that_grew(frozen: Workspace) -> None:
    """An honest append is told; what was frozen of the file is checked, and the rest is a chain."""
    path = frozen.ledger("review", "first", "amal")
    walk = Walk(frozen, "review", "amal", origin="cli")
    walk.ask_lead("T1-a", "Is this the old spelling?", click_id=clean_bank.click())
    rule(frozen)
    found = verify_freeze(frozen)
    assert found.sound
    assert found.grown == ("rulings/review/first/amal.jsonl",)
    assert found.new == ("rulings/rulings.jsonl",)
    assert any("it has grown" in sentence for sentence in found.said)
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"old spelling", b"new spelling"))
    assert not verify_freeze(frozen).sound
    first = raw.index(b'"yes"')
    path.write_bytes(raw[:first] + b'"no" ' + raw[first + 5 :])
    found = verify_freeze(frozen)
    assert found.changed == ("rulings/review/first/amal.jsonl",)
    assert "frozen part was altered" in found.problems[0].wrong


def test_records_that_were_cut_off(frozen: Workspace) -> None:
    """A ledger that ends before it did when it was frozen has lost records."""
    path = frozen.ledger("review", "second", "badr")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    assert verify_freeze(frozen).changed == ("rulings/review/second/badr.jsonl",)


def test_an_amended_file_is_told_apart(frozen: Workspace) -> None:
    """A change that an amendment names is no fault; a further one is."""
    plan = frozen.plan
    plan.write_text(plan.read_text(encoding="utf-8") + "position_alpha: 1\n", encoding="utf-8")
    notes = frozen.bank / "NOTES.md"
    notes.write_text("Added later.\n", encoding="utf-8")
    assert not verify_freeze(frozen).sound
    amend(
        frozen, "The chi-square is asked at 1 %.", reason="many blocks", effect="fewer warnings",
        name="amal", files=["bank/plan.yaml", "bank/NOTES.md"],
    )  # fmt: skip
    found = verify_freeze(frozen)
    assert found.sound
    assert found.amended == {"bank/plan.yaml": 1, "bank/NOTES.md": 1}
    assert (found.changed, found.added) == ((), ())
    plan.write_text(plan.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    found = verify_freeze(frozen)
    assert found.changed == ("bank/plan.yaml",)
    assert "amendment 1 named another content" in found.problems[0].wrong


def test_an_amendment_does_not_make_another_bank_the_frozen_one(frozen: Workspace) -> None:
    """A group that an amendment names has another digest, and so has the bank."""
    path = frozen.groups / "T1-a.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("4 lines", "5 lines"), "utf-8")
    amend(frozen, "Longer.", reason="r", effect="e", name="amal", files=["bank/groups/T1-a.yaml"])
    found = verify_freeze(frozen)
    assert found.changed == ()
    assert [problem.where for problem in found.problems] == ["bank", "bank"]
    assert "its digest is" in found.problems[0].wrong


def test_counts_are_counted_again(frozen: Workspace) -> None:
    """A plan with another band counts the factorial share otherwise, and it is said."""
    text = frozen.plan.read_text(encoding="utf-8")
    assert "at_least: 0" in text
    frozen.plan.write_text(text.replace("at_least: 0", "at_least: 40"), encoding="utf-8")
    wrong = [problem.wrong for problem in verify_freeze(frozen).problems]
    assert "the count of factorial is another than certified" in wrong


def test_a_bank_that_cannot_be_read(frozen: Workspace) -> None:
    """The files are compared all the same."""
    frozen.taxonomy.write_text("domains: [\n", encoding="utf-8")
    found = verify_freeze(frozen)
    assert found.changed == ("bank/taxonomy.yaml",)
    assert ("bank", "cannot be read, so nothing was counted again") in {
        (problem.where, problem.wrong) for problem in found.problems
    }


def test_freezes_that_there_are_not(ws: Workspace, tmp_path: Path) -> None:
    """None at all, and none of that name."""
    with pytest.raises(UnknownFreeze, match="nothing is frozen yet"):
        verify_freeze(ws)
    freeze(ws, "one", name="amal")
    with pytest.raises(UnknownFreeze, match="there is no freeze 'two'; name one of one"):
        verify_freeze(ws, "two")
    (ws.freezes / "half").mkdir()
    with pytest.raises(UnknownFreeze, match="was cut short"):
        verify_freeze(ws, "half")


def test_a_moved_project_is_verified_where_it_lies(rich: Workspace, tmp_path: Path) -> None:
    """Paths are relative: a copy elsewhere is checked from its own files."""
    copy = Workspace(shutil.copytree(rich.root, tmp_path / "مشروع with space"))
    assert verify_freeze(copy).sound


def test_every_chain_is_checked_as_what_it_is(rich: Workspace) -> None:
    """Retirements, editions, freezes, rulings and passes; a list of groups is no chain."""
    reports = {report.file: report for report in ledger_reports(rich)}
    assert list(reports) == [
        "rulings/freezes/log.jsonl",
        "rulings/guides/editions.jsonl",
        "rulings/retirements.jsonl",
        "rulings/review/first/amal.jsonl",
        "rulings/review/second/badr.jsonl",
        "rulings/rulings.jsonl",
    ]
    assert all(report.sound for report in reports.values())
    page = next((rich.guides / "edition-01").glob("*.md"))
    _turn_a_byte(page, "middle")
    found = {report.file for report in ledger_reports(rich) if not report.sound}
    assert found == {"rulings/guides/editions.jsonl"}
