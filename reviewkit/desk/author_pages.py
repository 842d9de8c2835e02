"""The lead's pages beside the board: worklist, guide and audit, in JupyterLab and served.

In JupyterLab the owner of the project folder opens them; on a served page only the lead's link. The
page shows and changes nothing: what is done about a finding is done in the files.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from reviewkit.desk.board import board_style_sheet
from reviewkit.desk.gate import MessageRefused, checked
from reviewkit.desk.lead import NotTheLead, is_served, the_lead
from reviewkit.desk.messages import CardId, Token
from reviewkit.desk.page_contents import (
    AuditContents,
    Contents,
    GuideContents,
    PageWording,
    WorklistContents,
)
from reviewkit.desk.page_links import PageName, links_between
from reviewkit.desk.script import STATIC
from reviewkit.desk.widget import Carrier
from reviewkit.desk.wording import LANGUAGES
from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.workspace import Workspace, find_workspace

log = logging.getLogger("reviewkit.desk")
Reply = dict[str, Any]
Read = Callable[[Workspace], Contents]
SOURCES = ("dom.js", "connection.js", "page_links.js", "pages.js")
"""In the order of joining; anywidget loads a module from a Blob, so none may import another."""

_READERS: dict[PageName, Read] = {
    "worklist": WorklistContents, "guide": GuideContents, "audit": AuditContents,
}  # fmt: skip


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    id: Annotated[int, Field(ge=0, le=2**53)]
    tab: Token


class Hello(_Message):
    """A page opened or came back."""

    kind: Literal["hello"]
    language: Annotated[str, StringConstraints(max_length=8)] | None = None


class ChangeLanguage(_Message):
    """Word the page in another language."""

    kind: Literal["language"]
    to: Annotated[str, StringConstraints(max_length=8)]


class OpenPart(_Message):
    """Show another part, or a group by its name."""

    kind: Literal["open"]
    part: CardId


class Refresh(_Message):
    """Read the folder again, and show this part of it."""

    kind: Literal["refresh"]
    part: CardId


class Ping(_Message):
    """Are you there?"""

    kind: Literal["ping"]


Message = Annotated[Hello | ChangeLanguage | OpenPart | Refresh | Ping, Field(discriminator="kind")]
_adapter: TypeAdapter[Message] = TypeAdapter(Message)


@lru_cache(maxsize=1)
def pages_script() -> str:
    """Return the whole script of the pages; only its last file exports."""
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in SOURCES)


@lru_cache(maxsize=1)
def pages_style_sheet() -> str:
    """Return the board's style sheet, which has that of the pages in it."""
    return board_style_sheet()


class PageSession:
    """The lead in front of one page: takes its messages, says what to show."""

    def __init__(self, ws: Workspace, page: PageName, *, served: bool = False) -> None:
        """Read what the page shows; a fault of the folder is shown in its place."""
        self._ws = ws
        self._page: PageName = page
        self._served = served
        self._wording = PageWording("en")
        self._part = ""
        self._contents: Contents | None = None
        self.fault: ReviewkitError | None = None
        self._read()

    def _read(self) -> None:
        self._read_at = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            self._contents, self.fault = _READERS[self._page](self._ws), None
        except ReviewkitError as error:
            self._contents, self.fault = None, error

    def receive(self, content: Any) -> Reply:
        """Answer one message of the page; a message that does not fit is refused, never raised."""
        number = content.get("id") if isinstance(content, dict) else None
        number = number if isinstance(number, int) else 0
        try:
            message: Message = checked(content, _adapter)
            reply = self._answer(message)
        except (MessageRefused, ReviewkitError) as error:
            reply = {"kind": "refused", "text": str(error)}
        except Exception:
            # the page must hear of a bug as well: silence would look like a lost connection
            log.exception("reviewkit: a page of the lead could not be made")
            reply = {"kind": "refused", "text": self._wording.word("bug")}
        return reply | {"re": number}

    def _answer(self, message: Message) -> Reply:
        match message:
            case Ping():
                return {"kind": "pong"}
            case Hello():
                if message.language:
                    self._wording = PageWording(message.language)
            case ChangeLanguage():
                self._wording = PageWording(message.to)
            case OpenPart():
                return self._show(message.part)
            case Refresh():
                self._read()
                if message.part != self._part:
                    return self._show(message.part)
        return self._show(self._part)

    def _show(self, part: str) -> Reply:
        """Show a part; one that is not there leaves the page as it is, with a sentence."""
        wording, contents = self._wording, self._contents
        view = _frame(wording, self._page, served=self._served) | {
            "pages": links_between(self._ws, wording, self._page, served=self._served),
            "read_at": self._read_at,
        }
        if contents is None:
            problems = self.fault.problems if isinstance(self.fault, ProblemsFound) else ()
            said = wording.word("mend") if problems else str(self.fault)
            view |= {
                "state": "fault",
                "message": said,
                "problems": [str(each) for each in problems],
            }
            return {"kind": "page", "view": view}
        documents = contents.documents(part, wording)
        marked, named = contents.marked(wording), contents.named()
        self._part = part
        view |= {
            "state": "open",
            "part": part or (marked[0].code if marked else ""),
            "marked": [{"code": each.code, "label": each.label} for each in marked],
            "parts": [{"code": each.code, "label": each.label} for each in named or marked],
            "asks_for_name": bool(named),
            "documents": [
                {"title": each.title, "heading": each.heading, "html": each.html}
                for each in documents
            ],
        }
        return {"kind": "page", "view": view}


class AuthorPage(Carrier):
    """A page of the lead as a widget."""

    _esm = pages_script()
    _css = pages_style_sheet()


def worklist_page() -> AuthorPage:
    """Return where every group stands, with what changed since its review."""
    return _open("worklist")


def guide_page() -> AuthorPage:
    """Return the next edition of the author guide and of the reviewers' checklists."""
    return _open("guide")


def audit_page() -> AuthorPage:
    """Return the audit of the bank."""
    return _open("audit")


def _open(page: PageName) -> AuthorPage:
    try:
        session = open_page(page, os.environ)
    except NotTheLead as error:
        return AuthorPage(_say_only(page, lambda wording: wording.word("not_the_lead")),
                          closed=str(error))  # fmt: skip
    except ReviewkitError as error:
        sentence = str(error)
        return AuthorPage(_say_only(page, lambda _wording: sentence), closed=sentence)
    return AuthorPage(session.receive, closed=str(session.fault or ""))


def open_page(page: PageName, environ: Mapping[str, str]) -> PageSession:
    """Open a page for whom the environment names; raises NotTheLead for anybody else."""
    the_lead(environ)
    return PageSession(find_workspace(), page, served=is_served(environ))


def _frame(wording: PageWording, page: PageName, *, served: bool) -> dict[str, Any]:
    return {
        "language": wording.language,
        "direction": wording.direction,
        "languages": [list(each) for each in LANGUAGES],
        "strings": wording.page_strings(),
        "title": wording.word(f"title.{page}"),
        "served": served,
        "pages": [],
        "read_at": "",
        "message": "",
        "problems": [],
        "part": "",
        "marked": [],
        "parts": [],
        "asks_for_name": False,
        "documents": [],
    }


def _say_only(page: PageName, sentence: Callable[[PageWording], str]) -> Callable[[Any], Reply]:
    """Return a ``receive`` that answers every message with one sentence and nothing of the page."""

    def receive(content: Any) -> Reply:
        fields = content if isinstance(content, dict) else {}
        language = fields.get("language") or fields.get("to")
        wording = PageWording(language if isinstance(language, str) else "en")
        number = fields.get("id")
        view = _frame(wording, page, served=True) | {
            "state": "closed",
            "message": sentence(wording),
        }
        return {"kind": "page", "re": number if isinstance(number, int) else 0, "view": view}

    return receive
