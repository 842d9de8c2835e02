"""Everything that a reader could get out of a file: each text in it, however it is wrapped.

Archives, workbooks and notebooks are opened; what ``codes`` knows is decoded, and all of that again
on what comes out, some layers deep. What cannot be looked into, because it is locked, is no text or
would never end, is refused rather than passed.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from reviewkit.problems import ReviewkitError
from reviewkit.release.guard.codes import encoded, readings

DEEPEST = 8
"""So many wrappings are undone, one within the other."""
LARGEST = 2_000_000_000
"""So many bytes may come out of one file in all: a small archive can hold a very large one."""

_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_LEGIBLE = re.compile(r"[\w\s.,;:!?'\"()\u060c\u061b\u061f-]{16,}")
_BEGINNINGS = (b"PK", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x78", b"\xff\xfe", b"\xfe\xff")


class CannotLookInside(ReviewkitError):
    """A file holds something that cannot be opened, so nobody knows what is in it."""


@dataclass(frozen=True, slots=True)
class Found:
    """One text, and through which wrappings it was reached."""

    text: str
    way: tuple[str, ...] = ()
    """From the outside in: ``zip:notes.txt``, ``base64``."""


@dataclass(slots=True)
class _Allowance:
    left: int = LARGEST

    def take(self, size: int, what: str) -> None:
        self.left -= size
        if self.left < 0:
            raise CannotLookInside(f"{what} unfolds to more than anybody can read; take it out")


def texts_in(raw: bytes, name: str = "") -> Iterator[Found]:
    """Yield every text of a file, the plain one first.

    Raises CannotLookInside for a locked or broken archive, and for what unfolds without end.
    """
    yield from _opened(raw, (), _Allowance(), name, must_be_text=True)


def texts_behind(text: str) -> Iterator[Found]:
    """Yield a text and everything that is wrapped in it."""
    yield from _unwrapped(text, (), _Allowance())


def _opened(
    raw: bytes, way: tuple[str, ...], allowance: _Allowance, name: str, *, must_be_text: bool
) -> Iterator[Found]:
    allowance.take(len(raw), name or "a file")
    inner = _inside(raw, name, allowance) if len(way) < DEEPEST else None
    if inner is not None:
        for what, part in inner:
            yield from _unwrapped(what, (*way, "a name"), allowance)
            yield from _opened(part, (*way, what), allowance, what, must_be_text=must_be_text)
        # an archive has places beside its files: before, behind, and in heads that nobody reads
        beside = " ".join(_LEGIBLE.findall(raw.decode("utf-8", "replace")))
        yield from _unwrapped(beside, (*way, "beside"), allowance)
        return
    text = _decoded(raw, must_be_text=must_be_text)
    if text is None and must_be_text:
        shown = name or "a file"
        raise CannotLookInside(f"{shown} is neither text in UTF-8 nor an archive; take it out")
    if text is None:
        return
    yield from _unwrapped(text, way, allowance)


def _decoded(raw: bytes, *, must_be_text: bool) -> str | None:
    """Return bytes as text; None for bytes that are none, such as a picture or a digest."""
    for mark, encoding in (
        (b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"),
        (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
    ):  # fmt: skip
        if raw.startswith(mark):
            text = raw.decode(encoding, "replace")
            return text if _readable(text) > 0.9 else None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    else:
        if "\x00" not in text:
            return text
    wide = [raw.decode(encoding, "replace") for encoding in _WIDE]
    best = max(wide, key=_readable)
    if _readable(best) > 0.9:
        return best
    if _NO_TEXT.search(raw) or not (must_be_text or _is_worded(raw)):
        return None
    # an older code page: whichever it is, its words are sought
    pages = [raw.decode(page, "replace") for page in ("cp1256", "iso8859-6", "cp1252")]
    return "\n".join([raw.decode("utf-8", "replace"), *pages])


def _is_worded(raw: bytes) -> bool:
    """Return whether bytes of an older code page are letters and white space for the most part."""
    text = raw.decode("cp1256", "replace")
    return sum(char.isalpha() or char.isspace() for char in text) > 0.8 * len(text)


def _readable(text: str) -> float:
    if not text:
        return 0.0
    plain = sum(" " <= char < "\u0250" or "\u0600" <= char <= "\u06ff" for char in text)
    return plain / len(text)


# Archives ----------------------------------------------------------------------------------------


def _inside(raw: bytes, name: str, allowance: _Allowance) -> list[tuple[str, bytes]] | None:
    """Return what an archive holds, by name; None when the bytes are none."""
    shown = name or "an archive"
    try:
        if raw[:2] == b"PK" and zipfile.is_zipfile(io.BytesIO(raw)):
            return _of_zip(raw, shown, allowance)
        if raw[:2] == b"\x1f\x8b":
            return [("gz", _limited(gzip.GzipFile(fileobj=io.BytesIO(raw)), shown, allowance))]
        if raw[:3] == b"BZh" and raw[4:10] == b"1AY&SY":
            return [("bz2", _limited(bz2.BZ2File(io.BytesIO(raw)), shown, allowance))]
        if raw[:6] == b"\xfd7zXZ\x00":
            return [("xz", _limited(lzma.LZMAFile(io.BytesIO(raw)), shown, allowance))]
        if raw[257:262] == b"ustar":
            return _of_tar(raw, shown, allowance)
        if raw[:1] == b"\x78" and raw[1:2] in (b"\x01", b"\x5e", b"\x9c", b"\xda"):
            return [("zlib", zlib.decompressobj().decompress(raw, allowance.left + 1))]
    except zlib.error:
        return None  # a text that begins like one
    except (OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile,
            lzma.LZMAError, tarfile.TarError) as error:  # fmt: skip
        raise CannotLookInside(f"{shown} cannot be opened ({error}); take it out") from error
    return None


def _limited(
    file: gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile, shown: str, allowance: _Allowance
) -> bytes:
    out = file.read(allowance.left + 1)
    if len(out) > allowance.left:
        allowance.take(len(out), shown)
    return out


def _may_be_wide(raw: bytes) -> bool:
    """Return whether bytes may be UTF-16 or UTF-32: every second one is that of a script."""
    return 3 * (raw.count(0) + raw.count(6)) >= len(raw)


def _begins(raw: bytes) -> bool:
    """Return whether bytes begin as an archive does, or as text with a byte order mark."""
    return raw.startswith(_BEGINNINGS) or raw[257:262] == b"ustar"


def _beginning(raw: bytes, shown: str, allowance: _Allowance) -> bytes:
    """Return as much of a gzip as can be had: a run of letters in a text may be cut short."""
    unpacking = zlib.decompressobj(31)
    try:
        out = unpacking.decompress(raw, allowance.left + 1)
    except zlib.error:
        return b""
    allowance.take(len(out), shown)
    return out


def _of_zip(raw: bytes, shown: str, allowance: _Allowance) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        if sum(each.file_size for each in archive.infolist()) > allowance.left:
            allowance.take(LARGEST, shown)
        parts = [(f"zip:{each.filename}", archive.read(each)) for each in archive.infolist()]
        notes = [("zip:comment", each.comment) for each in archive.infolist() if each.comment]
        return [*parts, *notes, ("zip:comment", archive.comment)]


def _of_tar(raw: bytes, shown: str, allowance: _Allowance) -> list[tuple[str, bytes]]:
    parts: list[tuple[str, bytes]] = []
    with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
        for member in archive:
            allowance.take(member.size, shown)
            file = archive.extractfile(member) if member.isfile() else None
            parts.append((f"tar:{member.name}", file.read() if file else b""))
    return parts


# Wrappings within each other ---------------------------------------------------------------------


def _unwrapped(text: str, way: tuple[str, ...], allowance: _Allowance) -> Iterator[Found]:
    """Yield a text, then every reading of it that differs, each once."""
    seen: set[int] = set()
    waiting: list[Found] = [Found(text, way)]
    while waiting:
        found = waiting.pop()
        key = hash(found.text)
        if key in seen:
            continue
        seen.add(key)
        yield found
        if len(found.way) >= len(way) + DEEPEST or len(found.way) >= 2 * DEEPEST:
            continue
        for what, other in readings(found.text):
            if other != found.text:
                allowance.take(len(other), what)
                waiting.append(Found(other, (*found.way, what)))
        for what, raw in encoded(found.text):
            yield from _behind_code(raw, (*found.way, what), allowance)


def _behind_code(raw: bytes, way: tuple[str, ...], allowance: _Allowance) -> Iterator[Found]:
    """Yield every text behind decoded bytes; most runs of letters were no code at all."""
    if raw[:2] == b"\x1f\x8b":
        raw, way = _beginning(raw, way[-1], allowance), (*way, "gz")
    if raw and (_NO_TEXT.search(raw) is None or _may_be_wide(raw) or _begins(raw)):
        yield from _opened(raw, way, allowance, way[-1], must_be_text=False)
