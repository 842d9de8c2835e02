"""A file, a folder or a ZIP archive as named pieces, all read in the same way."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.encodings import SIZE_LIMIT, read_bytes

_READ = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".zip", ".xmi", ".ser")
"""What pieces of an export are looked at; pictures and sound are not unpacked."""
_ZIP = b"PK"
_EXCEL = "[Content_Types].xml"


@dataclass(frozen=True, slots=True)
class Piece:
    """One file, wherever it lies."""

    name: str
    """Its path inside the folder or archive, with ``/``; of a single file its name."""
    shown: str
    """As messages name it: ``export.zip/annotation/letter.txt/amal.tsv``."""
    path: Path | None = None
    data: bytes = b""

    def read(self) -> bytes:
        """Return what it holds; ProblemsFound when it cannot be read."""
        return self.data if self.path is None else read_bytes(self.path, self.shown)

    def start(self, size: int) -> bytes:
        """Return its first bytes; none when it cannot be read."""
        if self.path is None:
            return self.data[:size]
        try:
            with self.path.open("rb") as stream:
                return stream.read(size)
        except OSError:
            return b""

    @property
    def stem(self) -> str:
        """Its file name without the ending."""
        return PurePosixPath(self.name).stem

    @property
    def ending(self) -> str:
        """The ending of its name in small letters: ``.jsonl``."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def folder(self) -> str:
        """The name of the folder it lies in, without those above."""
        inside = PurePosixPath(self.name).parent.name
        return inside if inside or self.path is None else self.path.resolve().parent.name


def pieces_of(path: Path, shown: str) -> tuple[Piece, ...]:
    """Return the file itself, or the files in a folder or ZIP archive, by name.

    A workbook is a file, although its bytes are those of an archive.

    Raises:
        ProblemsFound: When there is nothing, or an archive cannot be unpacked.
    """
    if path.is_dir():
        found = tuple(
            Piece(name, f"{shown}/{name}", each)
            for each in sorted(path.rglob("*"))
            if each.is_file() and _wanted(name := each.relative_to(path).as_posix())
        )
        if not found:
            raise ProblemsFound([_nothing(shown, "folder")])
        return found
    whole = Piece(path.name, shown, path)
    if whole.start(len(_ZIP)) != _ZIP:
        if not path.exists():
            raise ProblemsFound([Problem(shown, "does not exist", "correct the name")])
        return (whole,)
    found = unpacked(whole.read(), shown)
    return (whole,) if found is None else found


def unpacked(data: bytes, shown: str, limit: int | None = None) -> tuple[Piece, ...] | None:
    """Return the files in a ZIP archive by name; None when it is a workbook.

    ``limit`` is the most bytes that they may have together: what is left of the limit of a file
    that it lies in, where it lies in one.

    Raises:
        ProblemsFound: When it is broken, locked, larger than what is read, or empty.
    """
    most = SIZE_LIMIT if limit is None else limit
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [each for each in archive.infolist() if not each.is_dir()]
            if any(each.filename == _EXCEL for each in entries):
                return None
            wanted = [each for each in entries if _wanted(each.filename)]
            if sum(each.file_size for each in wanted) > most:
                # the sizes are what the archive says; the library reads no more than it says
                wrong = f"holds more than {SIZE_LIMIT // 1_000_000} MB"
                raise ProblemsFound([Problem(shown, wrong, "unpack it and name the folders")])
            found = tuple(
                Piece(name, f"{shown}/{name}", data=archive.read(each))
                for name, each in sorted((_clean(each.filename), each) for each in wanted)
            )
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        wrong = f"is a broken archive ({error})"
        raise ProblemsFound([Problem(shown, wrong, "export it again")]) from error
    except RuntimeError as error:
        # the library has no better class for a password
        wrong = "is an archive with a password"
        raise ProblemsFound([Problem(shown, wrong, "unpack it and name the folder")]) from error
    if not found:
        raise ProblemsFound([_nothing(shown, "archive")])
    return found


def _clean(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")


def _wanted(name: str) -> bool:
    parts = _clean(name).split("/")
    # a path that leads upwards is a strange name and no danger: nothing is written
    hidden = any(
        part == "__MACOSX" or (part.startswith(".") and part not in (".", "..")) for part in parts
    )
    return not hidden and PurePosixPath(parts[-1]).suffix.lower() in _READ


def _nothing(shown: str, kind: str) -> Problem:
    wrong = f"is {'an' if kind == 'archive' else 'a'} {kind} with no file of labels in it"
    remedy = (
        "export again without a filter: an export of approved or finished documents alone is "
        "empty when nobody approved or finished one"
    )
    return Problem(shown, wrong, remedy)
