"""The words of a page in its language, and texts with the language that they turned out in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reviewkit.questions import say
from reviewkit.rulings.guides.content import LANGUAGES
from reviewkit.sources import load_yaml

_FILE = Path(__file__).with_name("words.yaml")
_RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})


@dataclass(frozen=True, slots=True)
class Said:
    """A text and its language; empty where nobody knows it, as with a ruling."""

    text: str
    language: str = ""

    @property
    def direction(self) -> str:
        """``rtl`` or ``ltr`` by the language, ``auto`` where it is not known."""
        if not self.language:
            return "auto"
        return direction_of(self.language)


def direction_of(language: str) -> str:
    """Return ``rtl`` or ``ltr``."""
    return "rtl" if language.partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


class Words:
    """What the pages say of themselves in one language; English where there is no other."""

    def __init__(self, language: str) -> None:
        self.wanted = language
        self.language = language if language in LANGUAGES else "en"

    def say(self, code: str, **parts: object) -> str:
        """Return the sentence ``code`` with its ``{parts}`` filled in; KeyError for a new code."""
        sentence = say(page_words()[code], self.language)
        for name, part in parts.items():
            sentence = sentence.replace("{" + name + "}", str(part))
        return sentence

    def pick(self, wording: Mapping[str, str]) -> Said:
        """Return a wording of rules or forms in the wanted language, else in English."""
        text = say(wording, self.wanted)
        order = (self.wanted, self.wanted.partition("-")[0], "en", *wording)
        return Said(text, next(tag for tag in order if wording.get(tag) == text))


@cache
def page_words() -> dict[str, dict[str, str]]:
    """Return ``{code: {language: sentence}}``."""
    value = load_yaml(_FILE, _FILE.name).value
    return {str(code): dict(wordings) for code, wordings in value.items()}
