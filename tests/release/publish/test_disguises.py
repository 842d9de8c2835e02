"""A sealed text that somebody dressed up is found, or the file that hides it is refused."""

from __future__ import annotations

import base64
import codecs
import gzip
import io
import json
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewkit.release.guard.addresses import addresses_in
from reviewkit.release.guard.looking import Guard
from reviewkit.release.guard.names import NameFinder
from reviewkit.release.guard.sealed_texts import SealedTexts
from reviewkit.release.reading import words_in
from tests.release import small_bank

ENGLISH = "My aunt from Northham opens a bakery on Monday; suggest a cheerful sign for her door."
ARABIC = "خالتي من العمارة تريد أن تزرع الليمون على سطح البيت، فاكتب لها خطةً قصيرة من أربعة أسطر."
SEALED = SealedTexts(
    [
        small_bank.group("SECRET-1", "T1", [small_bank.item("a", text=ENGLISH)]),
        small_bank.group("SECRET-2", "T1", [small_bank.item("b", text=ARABIC)]),
    ],
    [],
)
GUARD = Guard(SEALED, NameFinder([]))
CYRILLIC = str.maketrans("aeopcxyiAEOPCXTHKBM", "аеорсхуіАЕОРСХТНКВМ")
SMALL_CAPITALS = str.maketrans("abcdeghijklmnoprtuvwyz", "ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ")
DOTLESS = str.maketrans("بفقi", "ٮڡٯı")


def _numbered(text: str, line: str) -> bytes:
    return "\n".join(line.format(n, word) for n, word in enumerate(text.split())).encode()


def _pieces(code: bytes, size: int, between: str) -> bytes:
    text = code.decode("ascii")
    return between.join(text[at : at + size] for at in range(0, len(text), size)).encode()


def _zip_with_extra(text: str) -> bytes:
    raw, out = text.encode(), io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        member = zipfile.ZipInfo("a")
        member.extra = b"\x99\x99" + len(raw).to_bytes(2, "little") + raw
        archive.writestr(member, "nothing")
    return out.getvalue()


def _zip_with_more(text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a", "nothing")
    return out.getvalue() + text.encode()


def _gzip_called(text: str) -> bytes:
    packing = zlib.compressobj(wbits=-15)
    body = packing.compress(b"hi") + packing.flush()
    head = b"\x1f\x8b\x08\x08" + bytes(6) + text.encode() + b"\0"
    return head + body + zlib.crc32(b"hi").to_bytes(4, "little") + (2).to_bytes(4, "little")


def _tar_link(text: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        member = tarfile.TarInfo("a")
        member.type, member.linkname = tarfile.SYMTYPE, text
        archive.addfile(member)
    return out.getvalue()


DISGUISES: dict[str, Callable[[str], bytes]] = {
    "blank letters": lambda text: "\u3164".join(text).encode(),
    "letters of another script": lambda text: text.translate(CYRILLIC).encode(),
    "a look-alike in every third word": lambda text: " ".join(
        word.translate(CYRILLIC) if at % 3 == 0 else word for at, word in enumerate(text.split())
    ).encode(),
    "small capitals": lambda text: text.lower().translate(SMALL_CAPITALS).encode(),
    "letters without dots": lambda text: text.translate(DOTLESS).encode(),
    "a mark on each letter": lambda text: "".join(
        f"{char}\u0301" if char.isalpha() else char for char in text
    ).encode(),
    "struck through": lambda text: "".join(f"{char}\u0336" for char in text).encode(),
    "tag letters": lambda text: "".join(
        chr(0xE0000 + ord(char)) if char.isascii() else char for char in text
    ).encode(),
    "full width": lambda text: "".join(
        chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text
    ).encode(),
    "turned round": lambda text: text[::-1].encode(),
    "turned round and shown right": lambda text: f"\u202e{text[::-1]}\u202c".encode(),
    "words turned round": lambda text: " ".join(text.split()[::-1]).encode(),
    "each word turned round": lambda text: " ".join(w[::-1] for w in text.split()).encode(),
    "ROT13": lambda text: codecs.encode(text, "rot13").encode(),
    "numbered words": lambda text: _numbered(text, "{} {}"),
    "numbered cells": lambda text: _numbered(text, '{},"{}"'),
    "footnotes": lambda text: _numbered(text, "{1}[^{0}]"),
    "links": lambda text: _numbered(text, "[{1}](https://example.org/a-page/{0})"),
    "a list of words": lambda text: json.dumps(text.split()).encode(),
    "tags with signs in them": lambda text: "<i title='a>b'>".join(text).encode(),
    "long tags": lambda text: f"<i title='{'x' * 2_100}'>".join(text).encode(),
    "bytes as escapes": lambda text: "".join(f"\\x{b:02x}" for b in text.encode()).encode(),
    "bytes in octal": lambda text: "".join(f"\\{b:03o}" for b in text.encode()).encode(),
    "names of letters": lambda text: text.encode("ascii", "namereplace"),
    "points in braces": lambda text: "".join(f"\\u{{{ord(c):x}}}" for c in text).encode(),
    "code points": lambda text: " ".join(f"U+{ord(char):04X}" for char in text).encode(),
    "code points as numbers": lambda text: " ".join(str(ord(char)) for char in text).encode(),
    "old percent signs": lambda text: "".join(f"%u{ord(char):04x}" for char in text).encode(),
    "taken for another encoding": lambda text: text.encode().decode("latin-1").encode(),
    "hex in pairs": lambda text: text.encode().hex(" ").encode(),
    "hex with colons": lambda text: text.encode().hex(":").encode(),
    "hex as a list": lambda text: ", ".join(f"0x{b:02x}" for b in text.encode()).encode(),
    "hex as long as digests": lambda text: _pieces(text.encode().hex().encode(), 64, "\n"),
    "base32": lambda text: base64.b32encode(text.encode()),
    "base32 in small letters": lambda text: base64.b32encode(text.encode()).lower(),
    "base32 of the other alphabet": lambda text: base64.b32hexencode(text.encode()),
    "base64 in a list": lambda text: _pieces(base64.b64encode(text.encode()), 40, '", "'),
    "base64 in a quotation": lambda text: _pieces(base64.b64encode(text.encode()), 40, "\n> "),
    "base64 in a comment": lambda text: _pieces(base64.b64encode(text.encode()), 40, "\n# "),
    "base64 with hidden letters": lambda text: "\u200b".join(
        base64.b64encode(text.encode()).decode()
    ).encode(),
    "base64 turned round within": lambda text: base64.b64encode(text[::-1].encode()),
    "extra field of a zip": _zip_with_extra,
    "behind a zip": _zip_with_more,
    "name within a gzip": _gzip_called,
    "link in a tar": _tar_link,
    "a second gzip": lambda text: gzip.compress(b"hi") + gzip.compress(text.encode()),
}  # fmt: skip


def _said(raw: bytes) -> str:
    return " ".join(fault.wrong for fault in GUARD.faults_of_file("file.bin", raw))


@pytest.mark.parametrize("disguise", DISGUISES, ids=lambda name: name)
@pytest.mark.parametrize(("text", "group"), [(ENGLISH, "SECRET-1"), (ARABIC, "SECRET-2")])
def test_a_sealed_text_is_found_in_every_disguise(disguise: str, text: str, group: str) -> None:
    """By whoever reads it with patience, hence here too."""
    assert f"sealed group {group}" in _said(DISGUISES[disguise](text))


@pytest.mark.parametrize("disguise", DISGUISES, ids=lambda name: name)
def test_another_text_is_found_in_none(disguise: str) -> None:
    """The same disguises of a text that may go out are no sealed text."""
    text = "A gardener in the lower valley waters her roses twice; praise them in four plain lines."
    assert "sealed" not in _said(DISGUISES[disguise](text))


@pytest.mark.parametrize(
    "raw",
    [
        b"%PDF-1.4\nstream\n" + zlib.compress(ENGLISH.encode()) + b"\nendstream",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + zlib.compress(ENGLISH.encode()),
        zlib.compress(ENGLISH.encode())[2:-4],
        b"hello " + gzip.compress(ENGLISH.encode()),
    ],
    ids=["PDF", "picture", "deflate", "gzip behind a word"],
)
def test_what_is_no_text_is_refused(raw: bytes) -> None:
    """Alone and within an archive: what nobody can read cannot be vouched for."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("media/a.bin", raw)
    assert "is neither text in UTF-8 nor an archive" in _said(raw)
    assert "is neither text in UTF-8 nor an archive" in _said(out.getvalue())


def test_a_name_of_a_file_is_unwrapped(tmp_path: Path) -> None:
    """A path can carry a text in a code as well."""
    folder = tmp_path / "out"
    folder.mkdir()
    code = base64.urlsafe_b64encode(ENGLISH.encode()).decode()
    (folder / f"{code}.txt").write_text("nothing", encoding="utf-8")
    assert any("SECRET-1" in fault.wrong for fault in GUARD.faults_in(folder, {}))


# Names and addresses -----------------------------------------------------------------------------

NAMES = NameFinder(["علي", "منى الحسن", "أمل", "José Müller", "zaynab_k"])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("قال وعلي ذلك", "علي"),
        ("ولعليٍّ رأي آخر", "علي"),
        ("كتب على الورق وعلى الجدار", None),
        ("كتب على الورق مع علي", "علي"),
        ("رأي لمنى", "منى الحسن"),
        ("للحسن رأي", "منى الحسن"),
        ("وبأمل", "أمل"),
        ("فلأمل", "أمل"),
        ("JOSE said so", "José Müller"),
        (unicodedata.normalize("NFD", "josé"), "José Müller"),
        ("Zаynаb with letters of another script", "zaynab_k"),
        ("benchmark, remarks and zaynabs", None),
    ],
)
def test_names_with_particles_and_marks(text: str, named: str | None) -> None:
    """Arabic particles, one or two; a yeh is no alef maqsura; marks on letters do not matter."""
    assert NAMES.name_in(words_in(text), (), text) == named


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("amal at mail dot example dot org", "a mail address"),
        ("amal <at> mail.example.org", "a mail address"),
        ("م ٩٠٥ ز ١٢ د ٣", "a street address"),
        ("في بيت رقم ٧", "a street address"),
        ("Hauptstr. 5", "a street address"),
        ("ORCID 0000-0002-1825-0097", "the number of a person or a card"),
    ],
)
def test_addresses_in_other_spellings(text: str, kind: str) -> None:
    """Spoken mail addresses, Iraqi and German short forms, numbers that stand for a person."""
    assert kind in list(addresses_in(text))


@pytest.mark.parametrize(
    "text", ["meet at noon dot.", "look at section 3.2", "ISBN 978-3-16-148410-0", "بيت قديم"]
)
def test_what_only_resembles_an_address(text: str) -> None:
    """Sentences with ``at`` and numbers of books are none."""
    assert list(addresses_in(text)) == []
