"""A freeze is written whole or not at all, once per name, and `sha256sum` finds the same."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reviewkit.release.freeze import FreezeRefused, freeze, freezes, verify_freeze
from reviewkit.release.freeze.files import frozen_files, sums_as_text, sums_from_text
from reviewkit.workspace import Workspace
from tests.release import small_bank
from tests.release.freeze import clean_bank

ROOT = Path(__file__).parents[3]
FIXED = "2026-11-30T12:00:00.000Z"


def sha256sum(ws: Workspace, name: str) -> subprocess.CompletedProcess[str]:
    """Let coreutils check the sums of a freeze."""
    return subprocess.run(
        ["sha256sum", "-c", f"rulings/freezes/{name}/SHA256SUMS"],
        cwd=ws.root, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_sha256sum_finds_the_same(frozen: Workspace) -> None:
    """Every listed file is OK to the tool that reviewkit knows nothing of."""
    found = sha256sum(frozen, "one")
    assert (found.returncode, found.stderr) == (0, "")
    assert len(found.stdout.splitlines()) == len(frozen_files(frozen).files)


STRANGE = (
    "a b.csv", "two  spaces.csv", "back\\slash.csv", "new\nline.csv", "بيان الموقف.csv", "-c.csv",
    "tab\there.csv", "quote'\".csv", "\\n.csv", "e\u0301.csv", "*star.csv",
)  # fmt: skip


def test_strange_names(ws: Workspace) -> None:
    """Spaces, backslashes, line ends, Arabic: coreutils and reviewkit read them back alike."""
    folder = ws.bank / "responses" / "source"
    folder.mkdir(parents=True)
    for name in STRANGE:
        (folder / name).write_text(name, encoding="utf-8")
    freeze(ws, "one", name="amal")
    assert sha256sum(ws, "one").returncode == 0
    found = verify_freeze(ws)
    assert found.sound
    assert found.same == len(frozen_files(ws).files)
    (folder / "new\nline.csv").write_text("other", encoding="utf-8")
    assert sha256sum(ws, "one").returncode == 1
    assert verify_freeze(ws).changed == ("bank/responses/source/new\nline.csv",)


def test_a_list_of_sums_stays_in_the_folder() -> None:
    """A list from elsewhere cannot make anybody read outside, and no path stands twice."""
    digest = "a" * 64
    for path in ("/etc/passwd", "bank/../../x"):
        assert sums_from_text(f"{digest}  {path}\n".encode()) is None
    assert sums_from_text(f"{digest}  a\n{digest}  a\n".encode()) is None
    assert sums_from_text(b"no list\n") is None
    assert sums_from_text(sums_as_text({"a\\n": digest})) == {"a\\n": digest}


def test_what_is_covered(frozen: Workspace) -> None:
    """Bank, checklists and rulings, without drafts, marks, locks, rendered pages and freezes."""
    listed = frozen.root / "rulings/freezes/one/SHA256SUMS"
    paths = set(sums_from_text(listed.read_bytes()) or ())
    assert {
        "bank/taxonomy.yaml", "bank/groups/T1-a.yaml", "checklists/t1.yaml",
        "checklists/defects/families.yaml", "rulings/review/study.yaml",
        "rulings/review/first/amal.jsonl", "rulings/review/round-1.pins.json",
    } <= paths  # fmt: skip
    assert not [path for path in paths if path.endswith((".lock", ".draft.json", ".writer.json"))]
    assert not [path for path in paths if path.startswith((".reviewkit", "rulings/freezes"))]


def test_the_same_name_twice(frozen: Workspace) -> None:
    """Refused, in any case of letters, and nothing is touched."""
    before = {path: path.read_bytes() for path in frozen.freezes.rglob("*") if path.is_file()}
    for name in ("one", "ONE"):
        with pytest.raises(FreezeRefused, match="one was frozen on"):
            freeze(frozen, name, name="badr")
    assert {path: path.read_bytes() for path in before} == before


def test_the_same_folder_gives_the_same_bytes(ws: Workspace, tmp_path: Path) -> None:
    """With one clock, two copies of a folder give one certificate, byte for byte."""
    other = Workspace(shutil.copytree(ws.root, tmp_path / "copy"))
    made = [freeze(each, "one", name="amal", clock=lambda: FIXED) for each in (ws, other)]
    assert made[0].line == made[1].line.model_copy(
        update={"click_id": made[0].line.click_id, "digest": made[0].line.digest}
    )
    texts = [{path.name: path.read_bytes() for path in each.folder.iterdir()} for each in made]
    assert texts[0] == texts[1]


def test_a_second_freeze_names_its_predecessor(frozen: Workspace) -> None:
    """Which groups came, went and changed, and how many other files."""
    path = frozen.groups / "T1-a.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("4 lines", "5 lines"), "utf-8")
    (frozen.groups / "T3-c.yaml").unlink()
    clean_bank.put(frozen, small_bank.t1("T1-b"))
    (frozen.bank / "NOTES.md").write_text("More.\n", encoding="utf-8")
    frozen.study_file("review").write_text(
        clean_bank.STUDY + '  - round: "2"\n    passes:\n      - {pass: again, rater: amal}\n',
        encoding="utf-8",
    )
    clean_bank.review(frozen, "amal", pass_name="again")
    made = freeze(frozen, "two", name="badr")
    before = made.certificate.predecessor
    assert before is not None
    assert (before.freeze, before.added, before.removed, before.changed) == (
        "one", ("T1-b",), ("T3-c",), ("T1-a",)
    )  # fmt: skip
    first = freezes(frozen)[0]
    assert before.certificate_digest == first.certificate_digest
    assert before.files == {"added": 2, "removed": 0, "changed": 1}
    assert verify_freeze(frozen, "two").sound
    old = verify_freeze(frozen, "one")
    assert (old.later, old.missing) == (("two",), ("bank/groups/T3-c.yaml",))
    assert not old.sound


HARNESS = """
import os, shutil, signal, sys
from pathlib import Path
from reviewkit.release.freeze import freeze, freezes, verify_freeze
from reviewkit.workspace import Workspace

source, place = Path(sys.argv[1]), Path(sys.argv[2])
WRITES = ("os.rename", "os.mkdir", "os.remove", "os.truncate")

def child(root, at):
    count = 0
    def hook(event, args):
        nonlocal count
        writes = event in WRITES or (
            event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
        )
        if writes:
            count += 1
            if count == at:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    freeze(Workspace(root), "one", name="amal")
    os._exit(0)

at, none, whole = 0, 0, 0
while True:
    at += 1
    root = Path(shutil.copytree(source, place / str(at)))
    pid = os.fork()
    if pid == 0:
        try:
            child(root, at)
        finally:
            os._exit(3)
    _, status = os.waitpid(pid, 0)
    ws = Workspace(root)
    made = freezes(ws)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        if made:
            whole += 1
            assert verify_freeze(ws).sound, at
        else:
            none += 1
            assert freeze(ws, "one", name="amal").name == "one", at
            assert verify_freeze(ws).sound, at
        shutil.rmtree(root)
        continue
    assert os.WEXITSTATUS(status) == 0, status
    assert len(made) == 1 and verify_freeze(ws).sound
    print(at - 1, none, whole)
    break
"""


@pytest.mark.stress
def test_killed_at_any_moment(ws: Workspace, tmp_path: Path) -> None:
    """SIGKILL before each step that touches the disk: no freeze or a whole one, then it goes on."""
    place = tmp_path / "killed"
    place.mkdir()
    ran = subprocess.run(
        [sys.executable, "-c", HARNESS, str(ws.root), str(place)],
        capture_output=True, text=True, check=False, cwd=ROOT, timeout=300,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    steps, none, whole = map(int, ran.stdout.split())
    assert steps == none + whole
    assert none >= 12


def test_what_was_cut_short_is_set_aside(ws: Workspace) -> None:
    """A folder without a line is no freeze: it is named so, kept, and out of the way."""
    folder = ws.freezes / "one"
    folder.mkdir(parents=True)
    (folder / "SHA256SUMS").write_text("", encoding="utf-8")
    assert freezes(ws) == ()
    freeze(ws, "one", name="amal")
    assert verify_freeze(ws).sound
    (kept,) = (path for path in ws.freezes.iterdir() if "unfinished" in path.name)
    assert [path.name for path in kept.iterdir()] == ["SHA256SUMS"]


RACER = """
import sys
from pathlib import Path
from reviewkit.release.freeze import FreezeRefused, freeze
from reviewkit.workspace import Workspace
try:
    freeze(Workspace(Path(sys.argv[1])), "one", name=sys.argv[2])
    print("made")
except FreezeRefused as refused:
    print(refused)
"""


@pytest.mark.process
def test_two_at_once(ws: Workspace) -> None:
    """One of them makes the freeze, the other is told that it stands."""
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(ws.root), name], cwd=ROOT, text=True,
            stdout=subprocess.PIPE,
        )
        for name in ("amal", "badr")
    ]  # fmt: skip
    said = sorted(racer.communicate(timeout=120)[0].strip() for racer in racers)
    assert said[0] == "made"
    assert "never written over" in said[1]
    assert verify_freeze(ws).sound


def test_a_file_that_changes_meanwhile(ws: Workspace) -> None:
    """What was counted must be what was summed: the freeze is refused and leaves nothing."""

    def clock() -> str:
        # called once everything was read and before anything is written
        (ws.bank / "late.md").write_text("late\n", encoding="utf-8")
        return FIXED

    with pytest.raises(FreezeRefused, match="changed while it was being frozen"):
        freeze(ws, "one", name="amal", clock=clock)
    assert freezes(ws) == ()
    assert [path.name for path in ws.freezes.iterdir() if path.is_dir()] == []


def test_json_has_one_order_of_fields(frozen: Workspace) -> None:
    """Certificates are read by eye and compared by diff: their fields never move."""
    fields = json.loads((frozen.freezes / "one" / "certificate.json").read_text("utf-8"))
    assert list(fields) == [
        "schema_version", "freeze", "time", "bank_digest", "files", "sums_digest",
        "groups_digest", "ledgers_digest", "predecessor", "counts", "forms", "guide", "rulings",
        "review", "agreements", "second_reviews", "waivers", "warnings", "layers", "versions",
        "page_digest",
    ]  # fmt: skip


def test_no_rater_stands_in_the_certificate(ws: Workspace) -> None:
    """Passes and digests alone: the certificate may go anywhere."""
    freeze(ws, "one", name="cara")
    for name in ("certificate.json", "CERTIFICATE.md", "groups.jsonl"):
        text = (ws.freezes / "one" / name).read_text(encoding="utf-8")
        assert "amal" not in text
        assert "badr" not in text
