"""One edition of the guide, published or as it would be, and its pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reviewkit.problems import Problem, ReviewkitError
from reviewkit.rulings.guides.content import GuideContent
from reviewkit.rulings.guides.html import html_of
from reviewkit.rulings.guides.markdown import markdown_of
from reviewkit.rulings.guides.outline import AUTHOR, Page, page_of, parts_of
from reviewkit.rulings.guides.words import Words


class NoSuchPart(ReviewkitError):
    """The guide has no part of this name."""


@dataclass(frozen=True, slots=True)
class Guide:
    """What an edition says, and how it is read."""

    content: GuideContent
    is_draft: bool = False
    """Whether it is the next edition and not a published one."""
    is_changed: bool = True
    """Whether it says anything that the edition before does not."""
    waiting: tuple[str, ...] = ()
    """In a draft: rulings that wait until their blind round is open."""
    problems: tuple[Problem, ...] = ()
    """In a draft: what must be mended before it can be published."""

    @property
    def number(self) -> int:
        """The number of the edition."""
        return self.content.number

    @property
    def digest(self) -> str:
        """SHA-256 of ``guide.json``, which every page is rendered from."""
        return self.content.digest

    @property
    def parts(self) -> tuple[str, ...]:
        """``author``, and the name of each checklist: ``t1``."""
        return parts_of(self.content)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the edition is written in."""
        return self.content.languages

    def as_html(self, language: str = "en", part: str = AUTHOR) -> str:
        """Return a part as one self-contained HTML document; NoSuchPart for an unknown one.

        A language that the pages do not speak gives English pages, with the rules and checks that
        are worded in that language in it.
        """
        words = Words(language)
        return html_of(self._page(part, words), words)

    def as_markdown(self, language: str = "en", part: str = AUTHOR) -> str:
        """Return a part as Markdown; NoSuchPart for an unknown one."""
        words = Words(language)
        return markdown_of(self._page(part, words), words)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield (name, bytes) of every file of the edition."""
        yield CONTENT_FILE, self.content.as_bytes()
        for part in self.parts:
            name = "author-guide" if part == AUTHOR else f"reviewer-checklist-{part}"
            for language in self.languages:
                yield f"{name}.{language}.md", self.as_markdown(language, part).encode()
                yield f"{name}.{language}.html", self.as_html(language, part).encode()

    def _page(self, part: str, words: Words) -> Page:
        if part not in self.parts:
            known = ", ".join(self.parts)
            raise NoSuchPart(f"the guide has no part {part!r}; use one of {known}")
        return page_of(self.content, part, words, self.waiting if self.is_draft else None)


CONTENT_FILE = "guide.json"
