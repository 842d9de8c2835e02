"""Makes an archive while people work; it has its name only once it has been read back and verified.

A gzipped tar and not a zip: it is written in one pass, its checksum covers names and headers as
well as contents, and every system opens it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import secrets
import tarfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from reviewkit import __version__
from reviewkit.archives.contents import BackupFault, find_contents, read_at_once
from reviewkit.archives.manifest import MANIFEST, ArchivedFile, Manifest
from reviewkit.archives.unpacking import ArchiveBroken, Restored, check_archive
from reviewkit.decisions import utc_now
from reviewkit.decisions.disk import sync_folder
from reviewkit.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Backup:
    """An archive that was made and read back."""

    path: Path
    size: int
    """Bytes."""
    held: Restored
    """What a restore of it gives."""
    passed_over: tuple[str, ...]


def write_backup(ws: Workspace, out: Path | None = None, *, with_secrets: bool = False) -> Backup:
    """Write one archive of the folder, verify it, and only then give it its name.

    Raises BackupFault with a sentence about the file at fault; no archive bears the name then.
    """
    made = utc_now()
    path = (out or Path(f"reviewkit-backup-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.tar.gz")).absolute()
    if os.path.lexists(path):
        raise BackupFault(f"{path}: there is a file of this name already; choose another --out")
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    found = find_contents(ws, with_secrets=with_secrets)
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            with (
                gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed,
                tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
            ):
                entries = [_add(tar, name, read_at_once(ws, name)) for name in found.files]
                entries += [_add(tar, name, raw) for name, raw in found.from_database.items()]
                manifest = Manifest(
                    reviewkit=__version__,
                    made=made,
                    secrets=with_secrets,
                    database=bool(found.from_database),
                    files=entries,
                )
                _add(tar, MANIFEST, manifest.model_dump_json(indent=1).encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        held = check_archive(part)
        if os.path.lexists(path):
            raise BackupFault(f"{path}: another file took this name meanwhile; choose another")
        part.rename(path)
        sync_folder(path.parent)
    except ArchiveBroken as broken:
        raise BackupFault(
            f"no archive was made: {broken.why}; mend what it names in the project folder "
            "(`reviewkit verify ledger` says more), then make the backup again"
        ) from broken
    except OSError as error:
        raise BackupFault(
            f"{path}: no archive was made: {(error.strerror or str(error)).lower()}; look at the "
            "room on that disk and the rights of its folder, or choose another place with --out"
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return Backup(path, path.stat().st_size, held, found.passed_over)


def _add(tar: tarfile.TarFile, name: str, raw: bytes) -> ArchivedFile:
    member = tarfile.TarInfo(name)
    member.size = len(raw)
    member.mode = 0o600 if name.startswith(".reviewkit/") else 0o644
    tar.addfile(member, io.BytesIO(raw))
    return ArchivedFile(name=name, size=len(raw), sha256=hashlib.sha256(raw).hexdigest())
