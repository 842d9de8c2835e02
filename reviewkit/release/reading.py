"""How a text is read when somebody may have dressed it up: the words that the eye still sees.

On top of the one folding table of the bank, marks on letters do not count, letters of another
script that look like a Latin one are read as that, and characters that Unicode calls ignorable are
left out. Both sides of a comparison are read so, hence nothing is lost for a text in Cyrillic,
Greek or any other script.
"""

from __future__ import annotations

import re
import unicodedata

from reviewkit.bank.folding import fold
from reviewkit.cards.hidden import AS_LATIN

_WORD = re.compile(r"[^\W_]+")
_IGNORED = "\u115f\u1160\u3164\uffa0\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800"
"""Ignorable or blank by Unicode, and still filed under letters, marks and signs."""
_SMALL = "\u1d00a \u0299b \u1d04c \u1d05d \u1d07e \ua730f \u0262g \u029ch \u026ai \u1d0aj \u1d0bk"
_SMALLER = "\u029fl \u1d0dm \u0274n \u1d0fo \u1d18p \u0280r \ua731s \u1d1bt \u1d1cu \u1d20v"
_OTHERS = "\u1d21w \u028fy \u1d22z \u0131i \u0237j \u0251a \u0261g \u066e\u0628 \u06a1\u0641"
_READ_AS = {
    # a capital is read as its small letter is, so that case does not matter here either
    **{alike.casefold(): latin.casefold() for alike, latin in AS_LATIN.items()},
    **{alike: latin for alike, latin in AS_LATIN.items() if alike.islower()},
    **{pair[0]: pair[1] for pair in f"{_SMALL} {_SMALLER} {_OTHERS} \u066f\u0642".split()},
}


class _Seen(dict[int, str]):
    """Code point to what the eye takes it for, filled as characters are met."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        is_mark = unicodedata.category(char)[0] == "M"
        self[point] = "" if is_mark or char in _IGNORED else _READ_AS.get(char, char)
        return self[point]


_SEEN = _Seen()


def words_in(text: str) -> list[str]:
    """Return the words of a text as the eye reads them, without signs."""
    if text.isascii():
        return _WORD.findall(text.lower())
    return _WORD.findall(unicodedata.normalize("NFD", fold(text)).translate(_SEEN))
