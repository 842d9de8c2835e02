"""Backups made while people work: whole, verified, and hostile archives lay nothing."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import multiprocessing
import os
import shutil
import signal
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewkit.archives import ArchiveBroken, BackupFault, check_archive, restore, write_backup
from reviewkit.archives.manifest import MANIFEST, Manifest
from reviewkit.archives.unpacking import CannotRestore
from reviewkit.decisions import FileLedger
from reviewkit.workspace import Workspace
from tests.desk.talk import sit_down

FIRST, SECOND = "first-reviewer", "second-reviewer"
LEDGER = f"rulings/demo/first/{FIRST}.jsonl"


@pytest.fixture
def worked(demo: Workspace) -> Workspace:
    """The demo with a record and a draft of one person, and a server's secrets."""
    sit_down(demo, FIRST).submit()
    demo.private.mkdir(exist_ok=True)
    for path in (demo.links, demo.secret, demo.pseudonym_key):
        path.write_text("secret-of-this-folder\n", encoding="utf-8")
    return demo


def _count(ws: Workspace) -> int:
    return len(FileLedger(ws.root / LEDGER).records())


def _only_rulings(ws: Workspace) -> None:
    for large in ("bank", "checklists", "notebooks", "voila_apps"):
        shutil.rmtree(ws.root / large)


def _files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.name.endswith((".lock", ".writer.json"))
    }


def test_what_comes_back_is_what_was_there(worked: Workspace, tmp_path: Path) -> None:
    """Every file that matters, byte for byte; no secret, and only its owner may read it."""
    made = write_backup(worked, tmp_path / "b.tar.gz")
    assert made.path.stat().st_mode & 0o777 == 0o600
    held = restore(made.path, tmp_path / "new")
    assert (held.studies, held.ledgers, held.records) == (("demo",), 1, _count(worked))
    assert held.last.startswith("20")
    before = {n: b for n, b in _files(worked.root).items() if b != b"secret-of-this-folder\n"}
    assert _files(tmp_path / "new") == before
    assert [path.name for path in tmp_path.iterdir() if ".part" in path.name] == []
    ledger = FileLedger(tmp_path / "new" / LEDGER)
    assert len(ledger.records()) == held.records


def test_secrets_only_when_asked_for(worked: Workspace, tmp_path: Path) -> None:
    """With them the archive holds link hashes, cookie secret and pseudonym key, for the owner."""
    bare = gzip.decompress(write_backup(worked, tmp_path / "bare.tar.gz").path.read_bytes())
    assert b"secret-of-this-folder" not in bare
    made = write_backup(worked, tmp_path / "all.tar.gz", with_secrets=True)
    assert restore(made.path, tmp_path / "new").manifest.secrets
    assert (tmp_path / "new" / ".reviewkit" / "secret").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "new" / ".reviewkit").stat().st_mode & 0o777 == 0o700


def test_a_torn_tail_is_left_behind(worked: Workspace, tmp_path: Path) -> None:
    """A line that is being written is not in the archive, which is sound without it."""
    with (worked.root / LEDGER).open("ab") as file:
        file.write(b'{"half": ')
    held = restore(write_backup(worked, tmp_path / "b.tar.gz").path, tmp_path / "new")
    assert held.records == _count(worked)
    assert (tmp_path / "new" / LEDGER).read_bytes().endswith(b"}\n")


def test_links_are_told_and_not_followed(worked: Workspace, tmp_path: Path) -> None:
    """What lies outside does not get in; a folder that is a link as a whole is a fault."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "private.txt").write_text("private-text-outside", encoding="utf-8")
    (worked.bank / "there").symlink_to(outside)
    (worked.bank / "file").symlink_to(outside / "private.txt")
    made = write_backup(worked, tmp_path / "b.tar.gz")
    assert made.passed_over == ("bank/file", "bank/there")
    assert b"private-text-outside" not in gzip.decompress(made.path.read_bytes())
    worked.notebooks.rename(outside / "notebooks")
    worked.notebooks.symlink_to(outside / "notebooks")
    with pytest.raises(BackupFault, match="all of it would be missing"):
        write_backup(worked, tmp_path / "c.tar.gz")


def test_a_broken_ledger_is_named_and_no_archive_is_made(worked: Workspace, tmp_path: Path) -> None:
    """An archive is verified before it has its name."""
    path = worked.root / LEDGER
    path.write_bytes(path.read_bytes().replace(b'"seq":1', b'"seq":2'))
    with pytest.raises(BackupFault, match=rf"{LEDGER}:1: .*was edited"):
        write_backup(worked, tmp_path / "b.tar.gz")
    assert [path.name for path in tmp_path.iterdir()] == ["project"]


def test_no_archive_is_overwritten_and_none_laid_over_a_project(
    worked: Workspace, tmp_path: Path
) -> None:
    """A name that is taken and a folder that is not empty are refused."""
    made = write_backup(worked, tmp_path / "b.tar.gz")
    with pytest.raises(BackupFault, match="choose another --out"):
        write_backup(worked, made.path)
    with pytest.raises(CannotRestore, match="not an empty folder"):
        restore(made.path, worked.root)
    (tmp_path / "empty").mkdir()
    assert restore(made.path, tmp_path / "empty").records == _count(worked)


def test_a_flipped_byte_anywhere_is_found(worked: Workspace, tmp_path: Path) -> None:
    """Head, middle, checksum and end; a cut and a longer file as well. Nothing is laid."""
    _only_rulings(worked)
    made = write_backup(worked, tmp_path / "b.tar.gz")
    raw = made.path.read_bytes()
    bad = tmp_path / "bad.tar.gz"
    # the last bits before the checksum pad a byte and hold nothing: a flip there changes nothing
    end = len(raw) - 9
    places = [*range(12), *range(12, end, len(raw) // 20), *range(end + 1, len(raw))]
    for place in places:
        bad.write_bytes(raw[:place] + bytes([raw[place] ^ 0x10]) + raw[place + 1 :])
        with pytest.raises(ArchiveBroken, match="nothing was restored"):
            check_archive(bad)
    for cut in (raw[:-1], raw[: len(raw) // 2], raw[:5], b"", raw + b"x", raw + raw):
        bad.write_bytes(cut)
        with pytest.raises(ArchiveBroken):
            restore(bad, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def _archive(path: Path, members: list[tuple[tarfile.TarInfo, bytes]], listed: bool = True) -> Path:
    """Make an archive as a stranger would who knows the format."""
    files = [
        {"name": each.name, "size": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}
        for each, raw in members
        if listed and each.isreg()
    ]
    made = "2026-01-01T00:00:00.000Z"
    told = {"reviewkit": "0", "made": made, "secrets": False, "database": False, "files": files}
    last = tarfile.TarInfo(MANIFEST)
    raw_manifest = Manifest.model_validate(told).model_dump_json().encode()
    with (
        path.open("wb") as file,
        gzip.GzipFile("", "wb", 6, file, 0) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for member, raw in [*members, (last, raw_manifest)]:
            member.size = len(raw)
            tar.addfile(member, io.BytesIO(raw))
    return path


def _member(name: str, kind: bytes = tarfile.REGTYPE, to: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, to
    return member


HOSTILE: list[tuple[str, list[tuple[tarfile.TarInfo, bytes]], bool]] = [
    ("leads out", [(_member("bank/../../evil"), b"x")], True),
    ("leads out", [(_member("/etc/evil"), b"x")], True),
    ("leads out", [(_member("evil.txt"), b"x")], True),
    ("leads out", [(_member("bank\\..\\evil"), b"x")], True),
    ("leads out", [(_member("bank/a\nb"), b"x")], True),
    ("leads out", [(_member("bank"), b"x")], True),
    ("is a link", [(_member("bank/l", tarfile.SYMTYPE, "/etc"), b"")], True),
    ("is a link", [(_member("bank/l", tarfile.LNKTYPE, "/etc/passwd"), b"")], True),
    ("is a link", [(_member("bank/fifo", tarfile.FIFOTYPE), b"")], True),
    ("is a link", [(_member("bank/null", tarfile.CHRTYPE), b"")], True),
    ("finds no place", [(_member("bank/a"), b"x"), (_member("bank/a/b"), b"y")], True),
    ("finds no place", [(_member("bank/a/b"), b"x"), (_member("bank/a"), b"y")], True),
    ("finds no place", [(_member(f"bank/{'a' * 300}"), b"x")], True),
    ("is in it twice", [(_member("bank/a"), b"x"), (_member("bank/a"), b"y")], True),
    ("is not in its manifest", [(_member("bank/a"), b"x")], False),
    ("not JSON", [(_member("rulings/demo/first/a.jsonl"), b"nonsense\n")], True),
]


@pytest.mark.parametrize(("said", "members", "listed"), HOSTILE)
def test_a_hostile_archive_lays_nothing(
    tmp_path: Path, said: str, members: list[tuple[tarfile.TarInfo, bytes]], listed: bool
) -> None:
    """Each way out of the folder, and each file that no backup would hold, is refused."""
    archive = _archive(tmp_path / "a.tar.gz", members, listed)
    with pytest.raises(ArchiveBroken, match=said):
        restore(archive, tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.tar.gz"]


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("was changed", lambda raw: raw.replace(b"Basra", b"Busra")),
        ("is missing", lambda _: None),
    ],
)
def test_an_archive_that_was_packed_anew(
    worked: Workspace, tmp_path: Path, said: str, change: Callable[[bytes], bytes | None]
) -> None:
    """Its own checksum is right then, and those of its files are what its manifest says."""
    archive = write_backup(worked, tmp_path / "a.tar.gz").path
    with tarfile.open(archive) as tar:
        held = {each.name: tar.extractfile(each) for each in tar}
        files = {name: file.read() for name, file in held.items() if file is not None}
    axes = change(files["bank/axes.yaml"])
    assert axes != files.pop("bank/axes.yaml")
    other = tmp_path / "b.tar.gz"
    with (
        other.open("wb") as file,
        gzip.GzipFile("", "wb", 6, file, 0) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for name, raw in [*([("bank/axes.yaml", axes)] if axes else []), *files.items()]:
            member = tarfile.TarInfo(name)
            member.size = len(raw)
            tar.addfile(member, io.BytesIO(raw))
    with pytest.raises(ArchiveBroken, match=rf"bank/axes\.yaml {said}"):
        restore(other, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def _append(path: Path, told: Path, entry: Any) -> None:
    """Append records for as long as it lives, and tell of each once it is acknowledged."""
    ledger = FileLedger(path)
    number = 0
    while True:
        number += 1
        time.sleep(0.02)
        content = {**entry, "click_id": f"click-{path.stem}-{number:05d}"}
        ledger.chain.append(content)
        with told.open("a", encoding="ascii") as file:
            file.write(f"{number}\n")


@pytest.mark.stress
def test_writers_at_work(worked: Workspace, tmp_path: Path) -> None:
    """Each of many backups restores to sound ledgers with all that was acknowledged before it."""
    fields = FileLedger(worked.root / LEDGER).records()[0].model_dump(mode="json", by_alias=True)
    _only_rulings(worked)
    place = {"schema_version", "seq", "previous", "time", "digest", "click_id"}
    entry = {name: each for name, each in fields.items() if name not in place}
    context = multiprocessing.get_context("spawn")
    raters = [f"r{number}" for number in range(3)]
    writers = []
    for rater in raters:
        path = worked.ledger("demo", "first", rater)
        told = tmp_path / f"{rater}.told"
        told.touch()
        given = (path, told, {**entry, "rater": rater})
        writers.append(context.Process(target=_append, args=given, daemon=True))
    for writer in writers:
        writer.start()
    try:
        wait_until(lambda: all((tmp_path / f"{r}.told").stat().st_size for r in raters))
        for number in range(20):
            before = {r: len((tmp_path / f"{r}.told").read_text().splitlines()) for r in raters}
            archive = write_backup(worked, tmp_path / f"{number}.tar.gz").path
            folder = tmp_path / f"restored-{number}"
            restore(archive, folder)
            for rater, count in before.items():
                held = FileLedger(folder / f"rulings/demo/first/{rater}.jsonl").records()
                assert len(held) >= count > 0
    finally:
        for writer in writers:
            writer.kill()
            writer.join()


def wait_until(look: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until ``look`` is true."""
    end = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < end
        time.sleep(0.02)


def _backup_slowly(root: Path, out: Path) -> None:
    from reviewkit.archives import writing

    whole = writing.check_archive

    def slow(path: Path) -> Any:
        (out.parent / "written").touch()
        time.sleep(60)
        return whole(path)

    writing.check_archive = slow  # type: ignore[assignment]
    write_backup(Workspace(root), out)


@pytest.mark.process
def test_killed_in_the_middle_no_half_archive_has_the_name(
    worked: Workspace, tmp_path: Path
) -> None:
    """After kill -9 the name is free, and the next backup takes it."""
    out = tmp_path / "b.tar.gz"
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_backup_slowly, args=(worked.root, out))
    process.start()
    wait_until((tmp_path / "written").exists)
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()
    assert not out.exists()
    assert write_backup(worked, out).held.records == _count(worked)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_full_disk_is_a_sentence(worked: Workspace, tmp_path: Path) -> None:
    """Nothing of the archive stays."""
    import resource

    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, resource.RLIM_INFINITY))
        try:
            write_backup(worked, tmp_path / "b.tar.gz")
        except BackupFault as fault:
            os._exit(0 if "no archive was made: file too large" in str(fault) else 3)
        os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["project"]


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.database)])
def test_from_a_database_into_files(
    worked: Workspace, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    """Lines and values of a database are files of the archive; a restore does not go back to it."""
    from reviewkit.decisions.stores import store_file_text, store_of

    url = f"sqlite:///{tmp_path}/store.db"
    if kind == "postgres":
        url = request.getfixturevalue("database_url")
    worked.store_file.write_text(store_file_text(url), encoding="utf-8")
    (worked.root / LEDGER).unlink()
    sit_down(worked, SECOND).submit()
    store_of(worked).kept.write("rulings/demo/round-9.pins.json", b"{}")
    held = restore(write_backup(worked, tmp_path / "b.tar.gz").path, tmp_path / "new")
    assert held.manifest.database
    assert held.left_out == ("rulings/store.yaml",)
    assert not (tmp_path / "new" / "rulings" / "store.yaml").exists()
    assert (tmp_path / "new" / "rulings/demo/round-9.pins.json").read_bytes() == b"{}"
    ledger = tmp_path / "new" / f"rulings/demo/second/{SECOND}.jsonl"
    assert {json.loads(line)["rater"] for line in ledger.read_text().splitlines()} == {SECOND}
