"""What looks like the address of a person: mail, telephone, street, network, a page of their own.

A machine cannot know whose address it is, so it refuses all of them, and errs on the careful side:
the remedy is to leave it out. Digits of every script are read alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from ipaddress import ip_address

_MAIL = re.compile(
    r"[^\s@<>()\[\]\"',;:]{1,64}\s?(?:@|\(at\)|\[at\]|\{at\}|<at>)\s?"
    r"[^\s@<>()\[\]\"',;:.]+(?:\s?(?:\.|\(dot\)|\[dot\])\s?[^\s@<>()\[\]\"',;:.]+)*"
    r"\s?(?:\.|\(dot\)|\[dot\])\s?[^\W\d_]{2,}",
    re.IGNORECASE,
)
_SPOKEN_MAIL = re.compile(
    r"(?<!\w)[\w.+-]{2,64} at [\w-]+(?: dot [\w-]+){1,4}(?!\w)", re.IGNORECASE
)
_PERSONAL_NUMBER = re.compile(r"(?<![\w-])(?:\d{4}-){3}\d{3}[\dX](?![\w-])")
_TELEPHONE = re.compile(
    r"(?<![\w.,/:+-])(?:\+\s?\d|00\d|0\d{2})[\d ()/.-]{5,18}\d(?![\w-])"
    r"|(?:tel\.?|telephone|phone|mobile|cell|whatsapp|telefon|handy|هاتف|تلفون|موبايل|جوال|واتساب)"
    r"\s*+(?:(?:no\.?|number|nr\.?|رقم)\s*+)?(?:[:.]\s*+)?\+?\d[\d ()/.-]{3,18}\d",
    re.IGNORECASE,
)
_NETWORK = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)")
_NETWORK_6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]{4,39}(?![\w:])")
_STREET_WORD = (
    r"(?:Street|St\.|Str\.|Road|Rd\.?|Avenue|Ave\.?|Lane|Drive|Boulevard|Blvd\.?|Square|Close|Court"
    r"|Terrace|Crescent|Alley)"
)
_NAME = r"[A-Z][\w'’-]{0,60}"
"""A word of the name of a street. With a hyphen in it a word begins again: it has to end somewhere,
or a long one is read from each of its beginnings."""
_STREET = re.compile(
    rf"\b\d{{1,5}}[A-Za-z]?,?\s+(?:{_NAME}\s+){{1,3}}{_STREET_WORD}(?!\w)"
    rf"|\b(?:{_NAME}\s+){{1,3}}{_STREET_WORD},?\s+(?:[Nn]o\.?\s*)?\d{{1,5}}\b"
    r"|\bP\.?\s?O\.?\s?Box\s+\d+"
    r"|\b[A-ZÄÖÜ][\w-]{0,60}(?:straße|strasse|str\.|gasse|weg|platz|allee)\s+\d{1,4}\s?[a-z]?\b"
    r"|\b(?:Apartment|Apt\.?|Flat)\s+\d+\w?\b"
)
_ARABIC_STREET = re.compile(
    r"(?<!\w)(?:ال)?(?:محلة|زقاق|دار|شقة|عمارة|بناية|منزل|صندوق\s+بريد|ص\s?\.\s?ب\.?)"
    r"\s*+(?:رقم\s*+)?(?:[:(]\s*+)?\d{1,5}(?!\w)"
    r"|(?<!\w)م\s?\d{1,4}\W{1,3}ز\s?\d{1,4}\W{1,3}د\s?\d{1,5}(?!\w)|(?<!\w)بيت\s+رقم\s*\d{1,5}(?!\w)"
    r"|(?<!\w)(?:ال)?شارع\s[^.\n\d]{0,40}?(?:رقم|بيت|دار|بناية)\s*+(?:[:(]\s*+)?\d{1,5}"
)
_PERSONAL_PAGE = re.compile(
    r"(?:mailto|tel|sms|skype):\S+"
    r"|(?<!\w)(?:facebook|fb|twitter|instagram|linkedin|tiktok|telegram|youtube"
    r"|github|gitlab|mastodon|threads|snapchat|researchgate|academia|orcid|linktr)\.(?:com|net|org"
    r"|me|social|edu|ee)/[\w.@~/-]+"
    r"|(?<![\w.])(?:t\.me|wa\.me|x\.com|fb\.me)/[\w.@+-]+"
    r"|https?://(?:(?!https?://)\S)*/~\w+",
    re.IGNORECASE,
)
_HANDLE = re.compile(r"(?<![\w@/.{\"'])@[A-Za-z_][\w.]{2,}")
_AT = re.compile(r"[(\[{<]at[)\]}>]", re.IGNORECASE)
_DIGIT = re.compile("[0-9]")
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_MARKS = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u00ad\u0640\u064b-\u0652]")


def addresses_in(
    text: str, *, handles: bool = True, streets: bool = True, numbers: bool = True
) -> Iterator[str]:
    """Yield what in a text looks like an address, by kind, each kind once.

    Args:
        text: Any text.
        handles: Whether ``@name`` alone counts; in files of data it is also a key.
        streets: Whether streets count; an invented person may live in an invented one.
        numbers: Whether numbers count at all; where cells have grown together they mean nothing.
    """
    plain = _plain(text)
    kinds: list[str] = []
    if (("@" in plain or _AT.search(plain)) and _MAIL.search(plain)) or (
        _SPOKEN_MAIL.search(plain)
    ):
        kinds.append("a mail address")
    if _PERSONAL_PAGE.search(plain):
        kinds.append("a personal link")
    if numbers and _DIGIT.search(plain):
        kinds += _numbered(plain, streets=streets)
    if handles and _HANDLE.search(plain):
        kinds.append("the name of an account")
    yield from kinds


def _numbered(text: str, *, streets: bool) -> Iterator[str]:
    if any(_is_telephone(found.group()) for found in _TELEPHONE.finditer(text)):
        yield "a telephone number"
    if _PERSONAL_NUMBER.search(text):
        yield "the number of a person or a card"
    if streets and (_STREET.search(text) or _ARABIC_STREET.search(text)):
        yield "a street address"
    if any(_is_network(found) for found in _NETWORK.findall(text)) or any(
        ("::" in found or found.count(":") == 7) and _is_network(found)
        for found in _NETWORK_6.findall(text)
    ):
        yield "a network address"


def _plain(text: str) -> str:
    if text.isascii():
        return text
    text = _MARKS.sub("", unicodedata.normalize("NFKC", text))
    return _FOREIGN_DIGIT.sub(lambda found: str(unicodedata.decimal(found.group())), text)


def _is_telephone(found: str) -> bool:
    digits = sum(char.isdigit() for char in found)
    named = found[0].isalpha()
    return 5 <= digits <= 15 if named else 8 <= digits <= 15 and not _DAY.match(found)


_DAY = re.compile(r"0\d[-/.]\d\d[-/.]\d{4}|0\d{3}-\d\d-\d\d")


def _is_network(found: str) -> bool:
    try:
        address = ip_address(found)
    except ValueError:
        return False
    return not (address.is_unspecified or address.is_loopback)
