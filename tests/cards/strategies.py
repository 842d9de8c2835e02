"""Texts that try the comparison: words of few kinds, hidden characters, marks, signs."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

PIECES = [
    "البصرة", "بغداد", "والبصرة", "مدرسة", "مدرسه", "إلى", "الى", "يكتب", "یکتب", "مرحبـا", "مرحبا",
    "caf\u00e9", "cafe\u0301", "CAFE", "cat", "Cat", "c\u0430t", "can't", "3.5", "٣", "۳", "iPhone",
    " ", "  ", "\u00a0", "\u202f", "\n", "\u200c", "\u200d", "\u200b", "\u200f", "\u202b", "\u202c",
    "\ufeff", "\u00ad", "ـ", "\u064e", "\u0301", ".", ",", "،", "؟", "-", "(", ")", "'",
    "\U0001f469\u200d\U0001f3eb", "🇮🇶", "字", "\x00", "\ud800",
]  # fmt: skip

texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
values = st.one_of(st.none(), st.sampled_from(["البصرة", "بغداد", "cat", "cafe\u0301", " ", "٣"]))

quickly = settings(deadline=None)
"""Few examples on every run, and no failure because the machine is busy."""
