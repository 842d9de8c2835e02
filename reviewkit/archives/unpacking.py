"""Reads an archive back: nothing leaves the folder, nothing is missing, every chain is sound.

An archive is judged as if a stranger had made it. Only plain files under the known folders are
taken, the manifest must name exactly what is there, and each ledger is verified before the folder
gets its name.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import json
import os
import secrets
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from reviewkit.archives.manifest import GZIP_HEADER, MANIFEST, TOPS, Manifest
from reviewkit.decisions.disk import sync_folder
from reviewkit.problems import ReviewkitError
from reviewkit.release.freeze.chains import ledger_reports
from reviewkit.workspace import Workspace

MANIFEST_LIMIT = 10_000_000
"""Bytes: room for fifty thousand files; a larger one is an attack."""
BETWEEN_FILES = 100_000
"""Bytes that may stand between two files: the longest name takes some 5,000."""
SMALL = 200_000_000
RATIO = 250
"""A backup unpacks to at most so many bytes, or so many times its own; texts reach 20 times."""
BLOCK = 1 << 20
_STORE = "rulings/store.yaml"
_NO_PLACE = {errno.ENAMETOOLONG, errno.EEXIST, errno.EISDIR, errno.ENOTDIR}
_DAMAGED = (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, UnicodeError, ValueError)


class ArchiveBroken(ReviewkitError):
    """The archive is not what was written, or holds what no backup holds; nothing was laid."""

    def __init__(self, archive: Path, why: str) -> None:
        self.why = why
        super().__init__(f"{archive}: {why}; nothing was restored: take another archive")


class CannotRestore(ReviewkitError):
    """There is no place to restore to."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What an archive holds."""

    manifest: Manifest
    studies: tuple[str, ...]
    ledgers: int
    records: int
    last: str
    """The time of the last record, UTC; empty when there is none."""
    left_out: tuple[str, ...]
    """What is in the archive and is not laid."""


def check_archive(archive: Path) -> Restored:
    """Read the archive through and verify all of it, leaving nothing behind.

    Raises ArchiveBroken, or OSError when the disk has no room to look.
    """
    with tempfile.TemporaryDirectory(prefix="reviewkit-check-") as place:
        return _unpack(archive, Path(place) / "project")


def restore(archive: Path, folder: Path) -> Restored:
    """Lay the project of an archive in a new or empty folder, once all of it is verified.

    Raises ArchiveBroken or CannotRestore; the folder is then as it was.
    """
    target = folder.absolute()
    if target.is_symlink() or (
        target.exists() and not (target.is_dir() and not any(target.iterdir()))
    ):
        raise CannotRestore(f"{folder}: not an empty folder; name a new one to restore to")
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        held = _unpack(archive, part)
        part.rename(target)
        sync_folder(target.parent)
    except OSError as error:
        raise CannotRestore(
            f"{folder}: nothing was restored: {(error.strerror or str(error)).lower()}; look at "
            "the room on that disk and the rights of its folder"
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return held


def _unpack(archive: Path, folder: Path) -> Restored:
    folder.mkdir(mode=0o755, parents=True)
    sums: dict[str, tuple[int, str]] = {}
    manifest_raw = b""
    at = "its first file"
    try:
        for member, content in _members(archive):
            at = member.name
            if at == MANIFEST:
                if member.size > MANIFEST_LIMIT:
                    raise ArchiveBroken(archive, f"{MANIFEST} has {member.size:,} bytes")
                manifest_raw = content.read()
                continue
            _must_be_plain(archive, member, set(sums))
            sums[at] = _lay(folder, member, content)
    except _DAMAGED as error:
        raise ArchiveBroken(
            archive, f"damaged at or after {at} ({str(error) or type(error).__name__})"
        ) from error
    except OSError as error:
        if error.errno not in _NO_PLACE:
            raise
        raise ArchiveBroken(
            archive, f"{at[:200]!r} finds no place beside its other files ({error.strerror})"
        ) from error
    if (folder / ".reviewkit").is_dir():
        (folder / ".reviewkit").chmod(0o700)
    manifest = _agreed(archive, manifest_raw, sums)
    held = _verified(archive, folder)
    left = tuple(name for name in (_STORE,) if (folder / name).exists())
    for name in left:
        # it would lead the restored folder to the live database
        (folder / name).unlink()
    return Restored(manifest, *held, left)


def _members(archive: Path) -> Iterator[tuple[tarfile.TarInfo, IO[bytes]]]:
    with archive.open("rb") as raw:
        if raw.read(len(GZIP_HEADER)) != GZIP_HEADER:
            raise ArchiveBroken(archive, "not an archive that reviewkit made, or its head is torn")
        raw.seek(0)
        with gzip.GzipFile(fileobj=raw, mode="rb") as unpacked:
            metered = _Metered(unpacked, max(SMALL, RATIO * archive.stat().st_size))
            with tarfile.open(fileobj=metered, mode="r|", errorlevel=2) as tar:
                while (member := metered.header(tar)) is not None:
                    content = tar.extractfile(member) if member.type == tarfile.REGTYPE else None
                    # a file with holes is a few bytes here and a full disk there
                    if content is None or member.issparse() or member.size > metered.left:
                        raise ArchiveBroken(
                            archive,
                            f"{member.name[:200]!r} is a link, a device, a folder or a file that "
                            "is larger than all of the archive can be",
                        )
                    yield member, content
            # the checksum over everything stands at the very end
            while rest := metered.read(BLOCK):
                if rest.strip(b"\0"):
                    raise ArchiveBroken(archive, "something stands behind its last file")


class _Metered(io.RawIOBase):
    """The unpacked stream, of which so much is read and no more: first of all, then of a header.

    Of what stands between two files tarfile reads all into memory, however long it is.
    """

    def __init__(self, unpacked: gzip.GzipFile, left: int) -> None:
        super().__init__()
        self._unpacked = unpacked
        self.left = left
        self._of_header: int | None = BETWEEN_FILES  # to open it reads the first header

    def header(self, tar: tarfile.TarFile) -> tarfile.TarInfo | None:
        """Return the next member, or None at the end."""
        self._of_header = BETWEEN_FILES
        try:
            return tar.next()
        finally:
            self._of_header = None

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; ReadError when there were too many."""
        raw = self._unpacked.read(size)
        self.left -= len(raw)
        if self._of_header is not None:
            self._of_header -= len(raw)
        if self.left < 0 or (self._of_header is not None and self._of_header < 0):
            raise tarfile.ReadError("it unpacks to more than a backup ever does")
        return raw


def _must_be_plain(archive: Path, member: tarfile.TarInfo, known: set[str]) -> None:
    name = member.name
    parts = name.split("/")
    if (
        parts[0] not in TOPS
        or len(parts) < 2
        or any(part in ("", ".", "..") for part in parts)
        or "\\" in name
        or not name.isprintable()
    ):
        raise ArchiveBroken(archive, f"{name!r} leads out of a project folder")
    if name in known:
        raise ArchiveBroken(archive, f"{name!r} is in it twice")


def _lay(folder: Path, member: tarfile.TarInfo, content: IO[bytes]) -> tuple[int, str]:
    private = member.name.startswith(".reviewkit/")
    path = folder / member.name
    path.parent.mkdir(mode=0o700 if private else 0o755, parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    digest = hashlib.sha256()
    size = 0
    descriptor = os.open(path, flags, 0o600 if private else 0o644)
    with os.fdopen(descriptor, "wb") as file:
        while block := content.read(BLOCK):
            digest.update(block)
            size += len(block)
            file.write(block)
        file.flush()
        os.fsync(descriptor)
    return size, digest.hexdigest()


def _agreed(archive: Path, raw: bytes, sums: dict[str, tuple[int, str]]) -> Manifest:
    try:
        # not by pydantic: of millions of empty objects it would make a gigabyte
        manifest = Manifest.model_validate(json.loads(raw))
    except (ValueError, RecursionError):
        raise ArchiveBroken(archive, f"its {MANIFEST} is missing or is none") from None
    told = {each.name: (each.size, each.sha256) for each in manifest.files}
    wrong = [
        *(f"{name} is missing" for name in told.keys() - sums.keys()),
        *(f"{name} is not in its manifest" for name in sums.keys() - told.keys()),
        *(f"{name} was changed" for name in told.keys() & sums.keys() if told[name] != sums[name]),
    ]
    if wrong:
        raise ArchiveBroken(archive, "; ".join(sorted(wrong)[:10]))
    return manifest


def _verified(archive: Path, folder: Path) -> tuple[tuple[str, ...], int, int, str]:
    store = folder / _STORE
    hidden = store.with_name("store.yaml.aside")
    if store.exists():
        # the chains that are verified are the files here and not what the database holds by now
        store.rename(hidden)
    try:
        ws = Workspace(folder)
        reports = ledger_reports(ws)
    finally:
        if hidden.exists():
            hidden.rename(store)
    wrong = [str(problem) for report in reports for problem in report.problems]
    if wrong:
        raise ArchiveBroken(archive, "; ".join(wrong[:10]))
    last = max((_last_time(folder / report.file) for report in reports), default="")
    studies = tuple(sorted(path.parent.name for path in ws.rulings.glob("*/study.yaml")))
    return studies, len(reports), sum(report.records for report in reports), last


def _last_time(path: Path) -> str:
    lines = path.read_bytes().splitlines()
    return str(json.loads(lines[-1]).get("time", "")) if lines else ""
