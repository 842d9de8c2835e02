"""The interface in the reader's language: strings of the page and sentences that Python makes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from reviewkit.problems import ReviewkitError
from reviewkit.sources import load_yaml

HERE = Path(__file__).parent
LANGUAGES: tuple[tuple[str, str], ...] = (("en", "English"), ("ar", "العربية"))
RIGHT_TO_LEFT = frozenset({"ar"})


class WordingBroken(ReviewkitError):
    """A file of interface strings is damaged."""


@cache
def load_strings(name: str) -> dict[str, dict[str, str]]:
    """Return ``{code: {language: string}}`` of one of the packaged string files."""
    value = load_yaml(HERE / name, name).value
    if not isinstance(value, dict):
        raise WordingBroken(f"{name} holds no strings; reinstall reviewkit")
    return {str(code): dict(wordings) for code, wordings in value.items()}


class Wording:
    """All that the interface says, in one language."""

    def __init__(self, language: str) -> None:
        known = [code for code, _name in LANGUAGES]
        self.language = language if language in known else "en"

    @property
    def direction(self) -> str:
        """``rtl`` or ``ltr``."""
        return "rtl" if self.language in RIGHT_TO_LEFT else "ltr"

    def page_strings(self) -> dict[str, str]:
        """Return the strings that the page itself puts on controls."""
        return {code: self._pick(each) for code, each in load_strings("strings.yaml").items()}

    def say(self, code: str, **parts: object) -> str:
        """Return the sentence ``code`` with its ``{parts}`` filled in; KeyError for a new code."""
        sentence = self._pick(load_strings("sentences.yaml")[code])
        for name, part in parts.items():
            sentence = sentence.replace("{" + name + "}", str(part))
        return sentence

    def name(self, kind: str, code: str) -> str:
        """Return the name of a coded value (``register.standard``), or the code, readable."""
        found = load_strings("sentences.yaml").get(f"{kind}.{code}")
        return self._pick(found) if found else code.replace("_", " ")

    def listed(self, parts: list[str]) -> str:
        """Return ``a, b and c`` as the language writes it."""
        if len(parts) < 2:
            return "".join(parts)
        comma, last = ("، ", " و") if self.language == "ar" else (", ", " and ")
        return comma.join(parts[:-1]) + last + parts[-1]

    def _pick(self, wordings: dict[str, str]) -> str:
        return wordings.get(self.language) or wordings["en"]
