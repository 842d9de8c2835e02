"""The lead's board in the reader's language: its strings, its sentences, its times and shares."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from reviewkit.desk.wording import Wording, load_strings
from reviewkit.study.forecast import hours_and_minutes

STRINGS = "board_strings.yaml"
ON_THE_PAGE = "page."
"""What the names of strings begin with that the page itself puts on controls."""

_WHYS = {
    "nothing was judged in both passes": "why.nothing",
    "both passes used only the category": "why.one_category",
    "only one category is declared": "why.one_declared",
    "an answer of several codes or places": "why.sets",
}
"""How the sentences of the coefficients begin, and what they are here."""


class BoardWording(Wording):
    """All that the board says, in one language."""

    def page_strings(self) -> dict[str, str]:
        """Return the strings that the page itself puts on controls."""
        return {
            code.removeprefix(ON_THE_PAGE): self._pick(each)
            for code, each in load_strings(STRINGS).items()
            if code.startswith(ON_THE_PAGE)
        }

    def word(self, code: str, **parts: object) -> str:
        """Return the sentence ``code`` with its ``{parts}`` filled in; KeyError for a new code."""
        sentence = self._pick(load_strings(STRINGS)[code])
        for name, part in parts.items():
            sentence = sentence.replace("{" + name + "}", str(part))
        return sentence

    def name(self, kind: str, code: str) -> str:
        """Return the name of a coded value (``answer.yes``), or the code, readable."""
        found = load_strings(STRINGS).get(f"{kind}.{code}")
        return self._pick(found) if found else code.replace("_", " ")

    def reason(self, said: str) -> str:
        """Return why units were left out, ``skipped in first``, in the reader's language."""
        return self.listed([self._reason(part) for part in said.split(", ")])

    def _reason(self, said: str) -> str:
        state, _, passes = said.rpartition(" in ")
        code = f"reason.{state.replace(' ', '_')}"
        if code not in load_strings(STRINGS):
            return said
        where = (
            self.word("in_both")
            if passes == "both"
            else self.word("in_pass", name=isolated(passes))
        )
        return f"{self.word(code)} {where}"

    def why(self, said: str) -> str:
        """Return why a figure is not defined, in the reader's language where it is known."""
        start = next((each for each in _WHYS if said.startswith(each)), "")
        if not start:
            return said
        return self.word(_WHYS[start], rest=said.removeprefix(start).strip())

    def left(self, seconds: float) -> str:
        """Return a forecast: ``about 1 h 2 min left at this pace``."""
        hours, minutes = hours_and_minutes(seconds)
        code = "left_hours" if hours and minutes else "left_full_hours" if hours else "left_minutes"
        return self.word(code, h=hours, m=minutes)

    def seconds(self, seconds: float | None) -> str:
        """Return a time on a card: ``38 s``, ``2 min 5 s``; nothing when there is none."""
        if seconds is None:
            return ""
        whole = round(seconds)
        if whole < 100:
            return self.word("seconds", s=whole)
        return self.word("minutes_seconds", m=whole // 60, s=whole % 60)


def isolated(name: str) -> str:
    """Return a name of either direction that leaves the order of the sentence around it alone."""
    return f"\u2068{name}\u2069"


def percent(part: int, whole: int) -> str:
    """Return a share as people print it: ``92.5 %``; nothing of nothing."""
    if not whole:
        return ""
    share = (Decimal(100 * part) / whole).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return f"{share} %"
