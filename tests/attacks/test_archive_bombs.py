"""Archives of a few kilobytes that would fill the memory or the disk: refused in a sentence."""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reviewkit.archives import restore
from reviewkit.archives.manifest import MANIFEST
from tests.attacks.bounded import told_by

BLOCK = 1 << 20
LARGE = 100_000_000
END = bytes(2 * tarfile.BLOCKSIZE)


def head(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    """Return the head of a member that says to have so many bytes."""
    member = tarfile.TarInfo(name)
    member.size, member.type = size, kind
    return member.tobuf(tarfile.GNU_FORMAT)


def whole(raw: bytes) -> bytes:
    """Return the content of a member, filled up to whole blocks."""
    return raw + bytes(-len(raw) % tarfile.BLOCKSIZE)


def long_name(kind: bytes) -> Iterator[bytes]:
    """Yield a name that fills the memory."""
    yield head("x", LARGE, kind)
    for _ in range(LARGE // BLOCK):
        yield b"a" * BLOCK
    yield END


def heads_without_end(kind: bytes, content: bytes) -> Iterator[bytes]:
    """Yield heads that say something about the next head."""
    for _ in range(20_000):
        yield head("x", len(content), kind) + whole(content)
    yield END


def holes() -> Iterator[bytes]:
    """Yield a file of 512 bytes that is to be laid as one of 100 MB, as old GNU tars write it."""
    raw = bytearray(head("rulings/demo/x", 512, tarfile.GNUTYPE_SPARSE))
    raw[386:434] = b"%011o\0%011o\0%011o\0%011o\0" % (0, 512, 100_000_000, 0)
    raw[483:495] = b"%011o\0" % 100_000_000
    raw[148:156] = b" " * 8
    raw[148:156] = b"%06o\0 " % sum(raw)
    yield bytes(raw) + bytes(512) + END


def zeros() -> Iterator[bytes]:
    """Yield a file that packs a thousand times smaller."""
    yield head("rulings/demo/x", 3 * LARGE)
    yield bytes(BLOCK)
    yield END


def manifest() -> Iterator[bytes]:
    """Yield a manifest with millions of faults."""
    raw = b'{"files":[' + b"{}," * 3_000_000 + b"{}]}"
    yield head(MANIFEST, len(raw)) + whole(raw) + END


def terminal() -> Iterator[bytes]:
    """Yield a manifest that writes lines of its own where the restore tells its time."""
    raw = (
        b'{"reviewkit":"0","made":"now\\n\\u001b[2Jall is well","secrets":false,"database":false,'
        b'"files":[]}'
    )
    yield head(MANIFEST, len(raw)) + whole(raw) + END


BOMBS: dict[str, tuple[Callable[[], Iterator[bytes]], str]] = {
    "a long name": (lambda: long_name(tarfile.GNUTYPE_LONGNAME), "more than a backup ever does"),
    "a long extension": (lambda: long_name(tarfile.XHDTYPE), "more than a backup ever does"),
    "extensions without end": (
        lambda: heads_without_end(tarfile.XHDTYPE, b"12 comment=a\n"),
        "more than a backup ever does",
    ),
    "names without end": (
        lambda: heads_without_end(tarfile.GNUTYPE_LONGNAME, b"a" * 500),
        "more than a backup ever does",
    ),
    "holes": (holes, "larger than all of the archive can be"),
    "zeros": (zeros, "larger than all of the archive can be"),
    "faults": (manifest, "is missing or is none"),
    "a time that is none": (terminal, "is missing or is none"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_archive_bomb(tmp_path: Path, name: str) -> None:
    """An archive that multiplies is refused with its name, and nothing of it stays."""
    make, reason = BOMBS[name]
    archive = tmp_path / "bomb.tar.gz"
    with archive.open("wb") as file, gzip.GzipFile("", "wb", 6, file, 0) as packed:
        for piece in make():
            packed.write(piece)
    room = 450 if make is manifest else 60
    said = told_by(lambda: restore(archive, tmp_path / "new"), megabytes=room)
    assert "bomb.tar.gz" in said
    assert reason in said
    assert [path.name for path in tmp_path.iterdir()] == ["bomb.tar.gz"]
