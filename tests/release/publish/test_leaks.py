"""What must stay in is found however it is wrapped, and what only looks like it is not."""

from __future__ import annotations

import base64
import bz2
import gzip
import html
import io
import json
import lzma
import tarfile
import unicodedata
import urllib.parse
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reviewkit.release.guard.addresses import addresses_in
from reviewkit.release.guard.looking import Guard, Piece
from reviewkit.release.guard.names import NameFinder, is_role
from reviewkit.release.guard.sealed_texts import SealedTexts
from reviewkit.release.guard.unpacking import CannotLookInside, texts_behind, texts_in
from reviewkit.release.reading import words_in
from tests.release import small_bank

ENGLISH = "My aunt from Northham opens a bakery on Monday; suggest a cheerful sign for her door."
ARABIC = "خالتي من العمارة تريد أن تزرع الليمون على سطح البيت، فاكتب لها خطةً قصيرة من أربعة أسطر."
SECRET_NAME = "Hamdiya Jassim"


def _sealed() -> SealedTexts:
    groups = [
        small_bank.group("SECRET-1", "T1", [small_bank.item("a", text=ENGLISH)]),
        small_bank.group("SECRET-2", "T1", [small_bank.item("b", text=ARABIC)]),
    ]
    return SealedTexts(groups, small_bank.sound())


GUARD = Guard(_sealed(), NameFinder([SECRET_NAME, "first-reviewer", "أمل"]))


def _zip(text: str, name: str = "notes.txt") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return out.getvalue()


def _tar(text: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        raw = text.encode("utf-8")
        member = tarfile.TarInfo("notes.txt")
        member.size = len(raw)
        archive.addfile(member, io.BytesIO(raw))
    return out.getvalue()


def _xlsx(text: str) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.active["B3"] = text
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _notebook(text: str) -> bytes:
    cell = {"cell_type": "code", "source": [f"# {text}\n"], "outputs": [], "metadata": {}}
    return json.dumps({"cells": [cell], "nbformat": 4}).encode("ascii")


def _base64(text: str, width: int = 0) -> bytes:
    code = base64.b64encode(text.encode("utf-8")).decode("ascii")
    lines = [code[at : at + width] for at in range(0, len(code), width)] if width else [code]
    return ("payload: " + "\r\n  ".join(lines)).encode("ascii")


def _spread(text: str) -> str:
    return "\n> ".join(text.split())


WRAPPINGS: dict[str, Callable[[str], bytes]] = {
    "plain": lambda text: text.encode(),
    "capitals": lambda text: text.upper().encode(),
    "NFC": lambda text: unicodedata.normalize("NFC", text).encode(),
    "NFD": lambda text: unicodedata.normalize("NFD", text).encode(),
    "NFKD": lambda text: unicodedata.normalize("NFKD", text).encode(),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "UTF-32": lambda text: text.encode("utf-32"),
    "tatweel": lambda text: text.replace("ت", "تـــ").encode(),
    "direction marks": lambda text: text.replace(" ", " \u200f\u2066").encode(),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0\u202f").encode(),
    "no spaces": lambda text: text.replace(" ", "").encode(),
    "a space after each letter": lambda text: " ".join(text).encode(),
    "a line each word": lambda text: _spread(text).encode(),
    "soft hyphens": lambda text: "\u00ad".join(text).encode(),
    "JSON": lambda text: json.dumps({"note": text}).encode(),
    "JSON twice": lambda text: json.dumps(json.dumps({"note": text})).encode(),
    "HTML names": lambda text: html.escape(text).encode("ascii", "xmlcharrefreplace"),
    "HTML numbers": lambda text: "".join(f"&#x{ord(char):x};" for char in text).encode(),
    "mark-up": lambda text: "".join(f"<b>{word}</b> " for word in text.split()).encode(),
    "mark-up in words": lambda text: "<i></i>".join(text).encode(),
    "URL": lambda text: urllib.parse.quote(text).encode(),
    "URL form": lambda text: f"https://a.example/?q={urllib.parse.quote_plus(text)}".encode(),
    "base64": _base64,
    "base64 in lines": lambda text: _base64(text, 76),
    "base64 for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).rstrip(b"="),
    "base64 of UTF-16": lambda text: base64.b64encode(text.encode("utf-16-le")),
    "base64 twice": lambda text: base64.b64encode(base64.b64encode(text.encode())),
    "base64 in JSON": lambda text: json.dumps({"a": _base64(text, 40).decode()}).encode(),
    "data URL": lambda text: b"data:text/plain;base64," + base64.b64encode(text.encode()),
    "hex": lambda text: text.encode().hex().encode(),
    "quoted-printable": lambda text: "".join(
        f"={byte:02X}" if byte > 126 or byte == 61 else chr(byte) for byte in text.encode()
    ).encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "bz2": lambda text: bz2.compress(text.encode()),
    "xz": lambda text: lzma.compress(text.encode()),
    "zip": _zip,
    "a name in a zip": lambda text: _zip("nothing", f"{text}.txt"),
    "tar": _tar,
    "zip in gzip": lambda text: gzip.compress(_zip(text)),
    "zip in base64": lambda text: base64.b64encode(_zip(text)),
    "zip in gzip in base64": lambda text: base64.b64encode(gzip.compress(_zip(text))),
    "bz2 in base64": lambda text: base64.b64encode(bz2.compress(text.encode())),
    "base64 in a zip": lambda text: _zip(_base64(text, 76).decode()),
    "zip in base64 in JSON in gzip": lambda text: gzip.compress(
        json.dumps({"file": base64.b64encode(_zip(text)).decode()}).encode()
    ),
    "workbook": _xlsx,
    "workbook in a zip": lambda text: _zip_raw(_xlsx(text)),
    "notebook": _notebook,
    "HTML of URL of JSON": lambda text: html.escape(
        urllib.parse.quote(json.dumps({"t": text}))
    ).encode(),
}  # fmt: skip


def _zip_raw(raw: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("book.xlsx", raw)
    return out.getvalue()


def _found(raw: bytes) -> str:
    return " ".join(fault.wrong for fault in GUARD.faults_of_file("file.bin", raw))


@pytest.mark.parametrize("wrapping", WRAPPINGS, ids=lambda name: name)
@pytest.mark.parametrize(("text", "group"), [(ENGLISH, "SECRET-1"), (ARABIC, "SECRET-2")])
def test_a_sealed_text_is_found_in_every_wrapping(wrapping: str, text: str, group: str) -> None:
    """Whole, in English and in Arabic."""
    assert f"sealed group {group}" in _found(WRAPPINGS[wrapping](text))


INNER: dict[str, Callable[[str], str]] = {
    "JSON": lambda text: json.dumps({"note": text}),
    "HTML": lambda text: html.escape(text).encode("ascii", "xmlcharrefreplace").decode(),
    "URL": urllib.parse.quote,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 in lines": lambda text: _base64(text, 76).decode(),
    "hex": lambda text: text.encode().hex(),
    "gzip": lambda text: base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode(),
    "zip": lambda text: base64.b64encode(_zip(text)).decode(),
    "workbook": lambda text: base64.b64encode(_xlsx(text)).decode(),
    "notebook": lambda text: _notebook(text).decode(),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
}


@given(
    st.lists(st.sampled_from(sorted(INNER)), min_size=1, max_size=4),
    st.sampled_from([(ENGLISH, "SECRET-1"), (ARABIC, "SECRET-2")]),
)
@example(["gzip", "URL", "notebook"], (ARABIC, "SECRET-2"))
def test_wrappings_within_each_other(names: list[str], sealed: tuple[str, str]) -> None:
    """Up to four deep, in any order."""
    text, group = sealed
    for name in names:
        text = INNER[name](text)
    assert f"sealed group {group}" in _found(text.encode())


@pytest.mark.parametrize("wrapping", WRAPPINGS, ids=lambda name: name)
def test_a_public_text_is_found_in_none(wrapping: str) -> None:
    """The same wrappings around a text that may go out say nothing."""
    text = "A gardener in the lower valley waters her roses twice; praise them in four plain lines."
    assert _found(WRAPPINGS[wrapping](text)) == ""


SEPARATES = {"no spaces", "a space after each letter", "mark-up in words", "soft hyphens"}
"""Wrappings in which a name is no whole word any more, or is joined to its neighbours."""


@pytest.mark.parametrize("wrapping", [w for w in WRAPPINGS if w not in SEPARATES])
def test_a_name_is_found_in_every_wrapping(wrapping: str) -> None:
    """As a whole word of a sentence long enough to be wrapped."""
    said = f"It was settled on Monday by {SECRET_NAME} and nobody else in the room."
    assert f"names {SECRET_NAME}" in _found(WRAPPINGS[wrapping](said))


@pytest.mark.parametrize("wrapping", [w for w in WRAPPINGS if w not in SEPARATES])
def test_an_address_is_found_in_every_wrapping(wrapping: str) -> None:
    """A mail address in a sentence."""
    said = "Write to somebody.unknown@mail.example.org before the end of the week, please."
    assert "a mail address" in _found(WRAPPINGS[wrapping](said))


def test_a_part_of_a_sealed_text_is_enough() -> None:
    """Six of its words in a row, in other words' company; five are not."""
    six = "They said: opens a bakery on Monday; suggest it to the others."
    five = "They said: opens a bakery on Monday, and then went home."
    assert "SECRET-1" in _found(six.encode())
    assert _found(five.encode()) == ""


def test_what_public_items_have_too_gives_nothing_away() -> None:
    """A run of words that a public group shares is no leak; the words beyond it are."""
    shared = "Write four lines of welcome for a visitor from"
    sealed = small_bank.group(
        "S", "T1", [small_bank.item("s", text=f"{shared} Eastham to the winter regatta of boats.")]
    )
    known = SealedTexts([sealed], small_bank.sound())
    assert Guard(known, NameFinder([])).faults_of_file("a", shared.encode()) == ()
    assert Guard(known, NameFinder([])).faults_of_file("a", b"to the winter regatta of boats")


def test_a_short_sealed_text_is_sought_whole() -> None:
    """A prompt of four words is found as such; an option of three is no text of its own."""
    sealed = small_bank.group(
        "S", "T2",
        [small_bank.item("s", context="Greet the harbour master.", question="Who?",
                         options=["The old ferryman", "Nobody", "Unknown"])],
    )  # fmt: skip
    guard = Guard(SealedTexts([sealed], []), NameFinder([]))
    assert guard.faults_of_file("a", b"Please greet the Harbour-Master now")
    assert guard.faults_of_file("a", b"the old ferryman was there") == ()


def test_a_locked_or_broken_archive_is_refused() -> None:
    """What cannot be opened cannot be vouched for."""
    raw = bytearray(_zip(ENGLISH))
    raw[6] |= 1  # the sign of a password, in the local and the central record
    at = raw.find(b"PK\x01\x02")
    raw[at + 8] |= 1
    assert "cannot be opened" in _found(bytes(raw))
    assert "cannot be opened" in _found(gzip.compress(b"much text" * 100)[:25])


def test_what_unfolds_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small archive with a very large file in it."""
    monkeypatch.setattr("reviewkit.release.guard.unpacking.LARGEST", 1_000_000)
    from reviewkit.release.guard.unpacking import _Allowance, _opened

    with pytest.raises(CannotLookInside):
        list(_opened(gzip.compress(b"0" * 2_000_000), (), _Allowance(1_000_000), "x",
                     must_be_text=True))  # fmt: skip


def test_the_plain_text_comes_first() -> None:
    """And a text without any wrapping is read once."""
    assert [found.text for found in texts_in(b"plain words")] == ["plain words"]
    assert [found.way for found in texts_behind("a &amp; b")] == [(), ("HTML",)]


# Names -------------------------------------------------------------------------------------------

NAMES = NameFinder(["amal.hussein", "NoorAli", "أمل", "first-reviewer", "history panel"])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("decided by amal.hussein today", "amal.hussein"),
        ("decided by Amal Hussein today", "amal.hussein"),
        ("AMAL_HUSSEIN", "amal.hussein"),
        ("amalhussein", "amal.hussein"),
        ("Hussein said so", "amal.hussein"),
        ("Amal's note", "amal.hussein"),
        ("ask noor", "NoorAli"),
        ("ask noorali", "NoorAli"),
        ("ask Noor Ali", "NoorAli"),
        ("قالت أَمَل ذلك", "أمل"),
        ("قالت امـــل ذلك", "أمل"),
        ("هذا لأمل وحدها", "أمل"),
        ("amalgam and husseinian", None),
        ("the first reviewer said", None),
        ("as the history panel wrote", None),
        ("الأمل كبير", None),
        ("a minor alias", None),
    ],
)
def test_names_are_whole_words_in_any_spelling(text: str, named: str | None) -> None:
    """Case, signs, vowel marks and tatweel do not matter; longer words are others."""
    assert NAMES.name_in(words_in(text)) == named


def test_roles_are_no_names() -> None:
    """A rater called by a role, a number or a letter is nobody's name."""
    assert all(map(is_role, ["rater-1", "first-reviewer", "B", "2", "Prüferin", "مراجعة"]))
    assert not is_role("first-hussein")


def test_a_name_that_is_a_word_can_be_left_out() -> None:
    """Alone it is not sought then; the whole name still is."""
    finder = NameFinder(["mark.twelvetrees"], words=["mark"])
    assert finder.name_in(words_in("mark the answer")) is None
    assert finder.name_in(words_in("Mark Twelvetrees said so")) == "mark.twelvetrees"
    assert NameFinder(["mark"]).name_in(words_in("mark the answer")) == "mark"


def test_consent_excuses_one_text_and_one_person() -> None:
    """Others in the same text are still found."""
    pieces = [Piece("a", f"{SECRET_NAME} and أمل wrote it", may_name=(SECRET_NAME,))]
    assert [fault.wrong for fault in GUARD.faults_of(pieces)] == ["names أمل"]
    assert [f.wrong for f in GUARD.faults_of([Piece("a", "by Jassim")])] == [f"names {SECRET_NAME}"]


# Addresses ---------------------------------------------------------------------------------------

ADDRESSES = [
    ("write to a.b+c@mail.example.org", "a mail address"),
    ("write to a [at] example [dot] org", "a mail address"),
    ("راسلني على \u200fname@example.iq\u200f غدا", "a mail address"),
    ("ring +964 770 123 4567", "a telephone number"),
    ("ring 00964-770-1234567", "a telephone number"),
    ("ring 07701234567 at night", "a telephone number"),
    ("هاتف: ٠٧٧٠١٢٣٤٥٦٧", "a telephone number"),
    ("tel. 55 12 34", "a telephone number"),
    ("lives at 12 Willow Tree Lane", "a street address"),
    ("P.O. Box 1234", "a street address"),
    ("wohnt Lindenstraße 12a", "a street address"),
    ("محلة ٦٠٩ زقاق ١٢ دار ٥", "a street address"),
    ("شارع فلسطين رقم 14", "a street address"),
    ("ص.ب. 3021", "a street address"),
    ("from 192.0.2.17 last night", "a network address"),
    ("from 2001:db8::ff00:42:8329", "a network address"),
    ("see https://www.linkedin.com/in/somebody", "a personal link"),
    ("see t.me/somebody", "a personal link"),
    ("see https://uni.example/~somebody", "a personal link"),
    ("mailto:somebody", "a personal link"),
    ("ask @somebody_there", "the name of an account"),
]
PLAIN = [
    "resolution 687 (1991), S/RES/687, page 12",
    "between 1990-1991 and 2001-2003",
    "at 12:30:05 on 2026-11-29T10:00:00.000Z",
    "kappa 0.8333333333333334 of 1.0",
    "version 0.5.13 and t3@2, t1@1",
    "14 July 1958; 01-02-2026",
    "The street was long. 12 people came.",
    "في شارع الرشيد عشرة بيوت قديمة",
    "دار الكتب 3 طوابق",
    "3 of 4 readers at table 12 agreed",
    "see https://creativecommons.org/licenses/by/4.0/",
    "10,000 items on 2,500 groups",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "ratio 1:2 and std::map",
]


@pytest.mark.parametrize(("text", "kind"), ADDRESSES)
def test_what_looks_like_an_address(text: str, kind: str) -> None:
    """Mail, telephone, street, network and pages, in English, Arabic and German."""
    assert kind in list(addresses_in(text))


@pytest.mark.parametrize("text", PLAIN)
def test_what_does_not(text: str) -> None:
    """Numbers of resolutions, years, times, figures, versions and sums are none."""
    assert list(addresses_in(text)) == []


def test_the_scan_reads_names_of_files(tmp_path: Path) -> None:
    """A ledger is called after its rater, and a path says as much as a line."""
    folder = tmp_path / "out" / "hamdiya-jassim"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("nothing", encoding="utf-8")
    faults = list(GUARD.faults_in(tmp_path / "out", {}))
    assert {fault.wrong for fault in faults} == {f"names {SECRET_NAME}"}
