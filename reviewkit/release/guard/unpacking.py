"""Everything that a reader could get out of a file: each text in it, however it is wrapped.

Archives, workbooks and notebooks are opened, escapes of JSON, HTML and URLs are undone, base64, hex
and quoted-printable are decoded, and all of that again on what comes out, some layers deep. What
cannot be looked into, because it is locked or would never end, is refused rather than passed.
"""

from __future__ import annotations

import base64
import binascii
import bz2
import gzip
import html
import io
import lzma
import quopri
import re
import tarfile
import urllib.parse
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from reviewkit.problems import ReviewkitError

DEEPEST = 8
"""So many wrappings are undone, one within the other."""
LARGEST = 2_000_000_000
"""So many bytes may come out of one file in all: a small archive can hold a very large one."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}(?:\r?\n[ \t]*[A-Za-z0-9+/_-]+)*={0,2}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}){16,}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_JSON_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2}|[nrtbf\"'/\\])")
_QUOTED = re.compile(r"=[0-9A-F]{2}=[0-9A-F]{2}|=[0-9A-F]{2}\S")
_TAG = re.compile(r"<[^<>]{0,2000}>")
JOINED = "mark-up within words"
"""A reading in which what stood in neighbouring cells may have grown together."""
_SHORT_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": " ", "f": " "}


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
            yield from _opened(part, (*way, what), allowance, what, must_be_text=False)
        return
    text = _decoded(raw, must_be_text=must_be_text)
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
            return raw.decode(encoding, "replace")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    else:
        if "\x00" not in text:
            return text
    wide = [raw.decode(encoding, "replace") for encoding in ("utf-16-le", "utf-16-be")]
    best = max(wide, key=_readable)
    if _readable(best) > 0.9:
        return best
    loose = raw.decode("utf-8", "replace")
    if must_be_text or loose.count("\ufffd") * 8 < len(loose):
        # the older code page of Arabic texts as well: whichever it is, its words are sought
        return f"{loose}\n{raw.decode('cp1256', 'replace')}"
    return None


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


# Escapes and codes -------------------------------------------------------------------------------


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
        for what, other in _readings(found.text):
            if other != found.text:
                allowance.take(len(other), what)
                waiting.append(Found(other, (*found.way, what)))
        for what, raw in _encoded(found.text):
            yield from _behind_code(raw, (*found.way, what), allowance)


def _behind_code(raw: bytes, way: tuple[str, ...], allowance: _Allowance) -> Iterator[Found]:
    """Yield every text behind decoded bytes; most runs of letters were no code at all."""
    if raw[:2] == b"\x1f\x8b":
        raw, way = _beginning(raw, way[-1], allowance), (*way, "gz")
    if raw:
        yield from _opened(raw, way, allowance, way[-1], must_be_text=False)


def _readings(text: str) -> Iterator[tuple[str, str]]:
    """Yield the text with one kind of escape undone."""
    if "\\" in text:
        yield "escapes", _unescaped(text)
    if "&" in text:
        yield "HTML", html.unescape(text)
    if "%" in text:
        # a plus is a space in a form, and a letter of base64 everywhere else
        yield "URL", urllib.parse.unquote(text)
        yield "URL", urllib.parse.unquote_plus(text)
    if "<" in text and ">" in text:
        # a mark-up tag in the middle of a sentence or of a word
        yield "mark-up", _TAG.sub(" ", text)
        yield JOINED, _TAG.sub("", text)
    if "=" in text and _QUOTED.search(text):
        raw = quopri.decodestring(text.encode("utf-8", "replace"))
        yield "quoted-printable", raw.decode("utf-8", "replace")


def _unescaped(text: str) -> str:
    def char(found: re.Match[str]) -> str:
        code = found.group(1)
        if len(code) > 1:
            point = int(code[1:], 16)
            return chr(point) if point < 0x110000 else ""
        return _SHORT_ESCAPES.get(code, code)

    undone = _JSON_ESCAPE.sub(char, text)
    # letters above the first plane are written as two halves
    return undone.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _encoded(text: str) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes behind runs of letters that look like a code."""
    for found in _BASE64.finditer(text):
        run = found.group()
        if _DIGEST.fullmatch(run):
            continue
        letters = "".join(run.split()).rstrip("=").replace("-", "+").replace("_", "/")
        for start in range(4):
            part = letters[start:]
            part = part[: len(part) - (len(part) % 4 == 1)]
            if len(part) >= 12:
                with_end = part + "=" * (-len(part) % 4)
                try:
                    yield "base64", base64.b64decode(with_end, validate=True)
                except (binascii.Error, ValueError):
                    continue
    for found in _HEX.finditer(text):
        if not _DIGEST.fullmatch(found.group()):
            yield "hex", bytes.fromhex(found.group())
