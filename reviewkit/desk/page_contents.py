"""What the lead's pages show: the parts of the worklist, of the guide and of the audit.

The documents are made whole by the layers that own them; here is only which there are, and which of
them stand together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from reviewkit.authoring import worklist
from reviewkit.authoring.one_group import one_group
from reviewkit.desk.board_wording import isolated
from reviewkit.desk.wording import Wording, load_strings
from reviewkit.release import audit
from reviewkit.release.page import html_page as audit_html
from reviewkit.rulings.guides import next_edition
from reviewkit.rulings.guides.outline import AUTHOR
from reviewkit.workspace import Workspace

STRINGS = "page_strings.yaml"
SHOWN_AT_ONCE = 12
"""So many changed groups stand below the list; each further one is a click away."""
LISTED = 1000
"""So many groups a field offers by name; any other can be typed."""


class PageWording(Wording):
    """All that the lead's pages say, in one language."""

    def page_strings(self) -> dict[str, str]:
        """Return the strings that the page itself puts on controls."""
        return {
            code.removeprefix("page."): self._pick(each)
            for code, each in load_strings(STRINGS).items()
            if code.startswith("page.")
        }

    def word(self, code: str, **parts: object) -> str:
        """Return the sentence ``code`` with its ``{parts}`` filled in; KeyError for a new code."""
        sentence = self._pick(load_strings(STRINGS)[code])
        for name, part in parts.items():
            sentence = sentence.replace("{" + name + "}", str(part))
        return sentence


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a page: HTML that needs nothing else and runs no script."""

    title: str
    html: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """Something that can be shown instead."""

    code: str
    label: str


class Contents(Protocol):
    """What a page has to show; read once, when it is opened or refreshed."""

    def marked(self, wording: PageWording) -> list[Part]:
        """Return the parts that stand as buttons, the first shown at first."""
        ...

    def named(self) -> list[Part]:
        """Return the parts that are chosen by their name; nothing where none is."""
        ...

    def documents(self, part: str, wording: PageWording) -> list[Document]:
        """Return what a part shows; a ReviewkitError says that there is no such part."""
        ...


class WorklistContents:
    """The worklist, every group that changed since its review, and any group by name."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._work = worklist(ws)
        self._changed = [
            each.template_id for each in self._work.lines if each.state == "changed"
        ]  # fmt: skip

    def marked(self, wording: PageWording) -> list[Part]:
        """Return the list, and the groups that changed since their review."""
        changed = [
            Part(each, wording.word("changed_since", group=isolated(each)))
            for each in self._changed[:SHOWN_AT_ONCE]
        ]
        return [Part("", wording.word("all_groups")), *changed]

    def named(self) -> list[Part]:
        """Return the groups by name, with where they stand."""
        return [Part(each.template_id, each.state) for each in self._work.lines[:LISTED]]

    def documents(self, part: str, wording: PageWording) -> list[Document]:
        """Return the list with the changed groups below it, or one group; raises UnknownGroup."""
        if part:
            return [Document(part, self._group(part))]
        changed = [
            Document(each, self._group(each), wording.word("changed_since", group=isolated(each)))
            for each in self._changed[:SHOWN_AT_ONCE]
        ]
        return [Document(wording.word("title.worklist"), self._work.as_html()), *changed]

    def _group(self, template_id: str) -> str:
        return one_group(template_id, self._ws, self._work).as_html()


class GuideContents:
    """The next edition of the guide, as it would be published now."""

    def __init__(self, ws: Workspace) -> None:
        self._guide = next_edition(ws)

    def marked(self, wording: PageWording) -> list[Part]:
        """Return the author guide and a checklist for each form."""
        return [
            Part(each, wording.word("author_guide") if each == AUTHOR
                 else wording.word("checklist_of", form=isolated(each)))
            for each in self._guide.parts
        ]  # fmt: skip

    def named(self) -> list[Part]:
        """Return nothing: every part is a button."""
        return []

    def documents(self, part: str, wording: PageWording) -> list[Document]:
        """Return one part in the reader's language; raises NoSuchPart."""
        part = part or AUTHOR
        return [Document(part, self._guide.as_html(wording.language, part))]


class AuditContents:
    """The audit of the bank."""

    def __init__(self, ws: Workspace) -> None:
        self._audit = audit(ws)

    def marked(self, wording: PageWording) -> list[Part]:
        """Return nothing: an audit has one part."""
        del wording
        return []

    def named(self) -> list[Part]:
        """Return nothing."""
        return []

    def documents(self, part: str, wording: PageWording) -> list[Document]:
        """Return the audit, whatever part is asked for."""
        del part
        return [Document(wording.word("title.audit"), audit_html(self._audit))]
