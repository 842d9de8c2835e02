"""Escapes and codes that a text may be hidden in, each undone by itself.

``readings`` gives a text with one kind of escape undone, ``encoded`` the bytes behind runs of
letters that look like a code. Most such runs are none: what comes out is looked at all the same.
"""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
import unicodedata
import urllib.parse
from collections.abc import Iterator
from contextlib import suppress

JOINED = "mark-up within words"
"""A reading in which what stood in neighbouring cells may have grown together."""

_BETWEEN = r"[\s\"',;:>#*\\|+]{1,8}"
"""What may stand between the pieces of one code: line ends, quotes, signs of a comment."""
_BASE64 = re.compile(
    rf"[A-Za-z0-9+/_-]{{16,}}(?:{_BETWEEN}[A-Za-z0-9+/_-]{{12,}})*"
    rf"(?:{_BETWEEN}[A-Za-z0-9+/_-]{{2,}}(?![A-Za-z0-9+/_-]))?={{0,2}}"
)
_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/]")
_DIGEST = re.compile("[0-9a-f]{64}")
_BASE32 = re.compile(r"[A-Za-z0-9]{24,}={0,6}")
_HEX = re.compile(
    r"(?<![0-9A-Fa-f])(?:0x|\\x)?[0-9A-Fa-f]{2}"
    r"(?:[\s\"',;:>#-]{0,4}(?:0x|\\x)?[0-9A-Fa-f]{2}){11,}"
)
_NO_HEX = re.compile(r"0x|\\x|[^0-9A-Fa-f]")
_JSON_ESCAPE = re.compile(
    r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]{1,6}\}"
    r"|N\{[A-Z0-9 -]{1,80}\}|[0-3][0-7]{2}|\r?\n[ \t]*|[nrtbf\"'/\\ ])"
)
_POINTS = re.compile(r"(?:U\+[0-9A-F]{4,6}[\s,;]*){8,}")
_NUMBERS = re.compile(r"(?<![\d.])\d{2,5}(?:[\s,;]+\d{2,5}){11,}(?![\d.])")
_OLD_PERCENT = re.compile("%u([0-9A-Fa-f]{4})")
_BYTES = re.compile("[\x80-\xff]{2,}")
_HIDDEN = re.compile("[\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_LINK = re.compile(r"\]\([^()\s]*\)")
_QUOTED = re.compile(r"=[0-9A-F]{2}=[0-9A-F]{2}|=[0-9A-F]{2}\S")
_TAG = re.compile(r"<[^<>]*>")
_QUOTING_TAG = re.compile(
    r"<[A-Za-z/!?][^<>\"']*(?:\"[^\"]{0,2000}\"[^<>\"']*|'[^']{0,2000}'[^<>\"']*){0,20}>"
)
_SHORT_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": " ", "f": " "}


def readings(text: str) -> Iterator[tuple[str, str]]:
    """Yield the text with one kind of escape undone."""
    if "\\" in text:
        yield "escapes", _unescaped(text)
    if "&" in text:
        yield "HTML", html.unescape(text)
    if "%" in text:
        yield from _of_urls(text)
    yield from _without_markup(text)
    if "=" in text and _QUOTED.search(text):
        raw = quopri.decodestring(text.encode("utf-8", "replace"))
        yield "quoted-printable", raw.decode("utf-8", "replace")
    if "U+" in text:
        yield "code points", _POINTS.sub(_from_points, text)
    if _NUMBERS.search(text):
        yield "code points", _NUMBERS.sub(_from_numbers, text)
    if not text.isascii():
        yield "letters nobody sees", _HIDDEN.sub("", text)
        yield "tags", _TAGS.sub(lambda found: _shifted(found[0]), text)
        yield "another encoding", _BYTES.sub(_as_utf8, text)


def _of_urls(text: str) -> Iterator[tuple[str, str]]:
    undone = urllib.parse.unquote(text)
    yield "URL", undone
    # a plus is a space in a form, and a letter of base64 everywhere else
    yield "URL", urllib.parse.unquote_plus(text)
    if "\ufffd" in undone:
        yield "URL", urllib.parse.unquote(text, encoding="cp1256")
    yield "URL", _OLD_PERCENT.sub(lambda found: chr(int(found[1], 16)), text)


def _without_markup(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text without tags and links in the middle of a sentence or of a word."""
    if "<" in text and ">" in text:
        for tag in (_TAG, _QUOTING_TAG):
            yield "mark-up", tag.sub(" ", text)
            yield JOINED, tag.sub("", text)
    if "](" in text:
        yield "links", _LINK.sub("", text)


def _unescaped(text: str) -> str:
    def char(found: re.Match[str]) -> str:
        code = found.group(1)
        if code.isspace():
            return "" if "\n" in code else " "
        if code[0] == "N":
            try:
                return unicodedata.lookup(code[2:-1])
            except KeyError:
                return found.group()
        if len(code) > 1:
            point = int(code, 8) if code.isdecimal() else int(code[1:].strip("{}"), 16)
            return chr(point) if point < 0x110000 else ""
        return _SHORT_ESCAPES.get(code, code)

    undone = _JSON_ESCAPE.sub(char, text)
    # letters above the first plane are written as two halves
    return undone.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _from_points(found: re.Match[str]) -> str:
    points = [int(each, 16) for each in re.findall("[0-9A-F]{4,6}", found[0])]
    return "".join(chr(each) for each in points if each < 0x110000)


def _from_numbers(found: re.Match[str]) -> str:
    return "".join(chr(int(each)) for each in re.findall(r"\d+", found[0]))


def _shifted(tags: str) -> str:
    return "".join(chr(ord(each) - 0xE0000) for each in tags)


def _as_utf8(found: re.Match[str]) -> str:
    """Return bytes that were taken for letters as what they are, or as they stand."""
    try:
        return found[0].encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


def encoded(text: str) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes behind runs of letters that look like a code."""
    for found in _BASE64.finditer(text):
        run = found.group()
        if _DIGEST.fullmatch(run) is None:
            yield from _from_base64(run)
    for found in _BASE32.finditer(text):
        run = found.group()
        if _DIGEST.fullmatch(run) is None:
            letters = run.rstrip("=").upper()
            padded = letters + "=" * (-len(letters) % 8)
            for decode in (base64.b32decode, base64.b32hexdecode):
                with suppress(binascii.Error, ValueError):
                    yield "base32", decode(padded)
    for found in _HEX.finditer(text):
        digits = _NO_HEX.sub("", found.group())
        yield "hex", bytes.fromhex(digits[: len(digits) // 2 * 2])


def _from_base64(run: str) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes from every place where a code may begin."""
    letters = _NO_BASE64.sub("", run.replace("-", "+").replace("_", "/"))
    for start in range(4):
        part = letters[start:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        if len(part) >= 12:
            with suppress(binascii.Error, ValueError):
                yield "base64", base64.b64decode(part + "=" * (-len(part) % 4), validate=True)
