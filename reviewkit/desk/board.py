"""The lead's board: a page of studies, passes and acts, refreshed by a cheap question of its own.

In JupyterLab the owner of the project folder opens it; on a served page only a link whose pass is
``lead``. Nothing of a rater's labels is sent before ``study.opening`` has opened them.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from reviewkit.decisions import Origin
from reviewkit.desk import board_messages as said
from reviewkit.desk.board_acts import LeadActs, NoSuchPass
from reviewkit.desk.board_study import StudyBoard
from reviewkit.desk.board_wording import BoardWording
from reviewkit.desk.gate import MessageRefused
from reviewkit.desk.lead import NotTheLead, the_lead
from reviewkit.desk.page_links import links_between
from reviewkit.desk.script import STATIC, style_sheet
from reviewkit.desk.widget import Carrier
from reviewkit.desk.wording import LANGUAGES
from reviewkit.problems import ReviewkitError
from reviewkit.study import list_studies
from reviewkit.workspace import Workspace, find_workspace

log = logging.getLogger("reviewkit.desk")
Reply = dict[str, Any]
KEPT_REPLIES = 20
"""Acts whose reply is kept, for a page whose acknowledgement got lost."""
SOURCES = ("dom.js", "connection.js", "page_links.js", "board_acts.js", "board.js")
"""In the order of joining; anywidget loads a module from a Blob, so none may import another."""


@lru_cache(maxsize=1)
def board_script() -> str:
    """Return the board's whole script; only its last file exports."""
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in SOURCES)


@lru_cache(maxsize=1)
def board_style_sheet() -> str:
    """Return the card's style sheet and what the board and the lead's other pages add to it."""
    added = ((STATIC / name).read_text(encoding="utf-8") for name in ("board.css", "pages.css"))
    return "\n".join((style_sheet(), *added))


class BoardSession:
    """The lead in front of the board: takes the page's messages, acts, says what to show."""

    def __init__(
        self, ws: Workspace, *, only: str | None = None, first: str | None = None,
        served: bool = False,
    ) -> None:  # fmt: skip
        """Open the board of a project folder, or of the one study named in ``only``.

        ``first`` names the study that is shown above the others.
        """
        self._ws = ws
        self._only = only
        self._first = first
        self._served = served
        self._origin: Origin = "voila" if served else "lab"
        self._wording = BoardWording("en")
        self._studies: dict[str, StudyBoard] = {}
        self._replies: dict[str, Reply] = {}

    def receive(self, content: Any) -> Reply:
        """Answer one message of the page; a message that does not fit is refused, never raised."""
        number = content.get("id") if isinstance(content, dict) else None
        number = number if isinstance(number, int) else 0
        try:
            message = said.read_board_message(content)
        except MessageRefused as error:
            return {"kind": "refused", "text": str(error), "re": number}
        try:
            reply = self._answer(message)
        except ReviewkitError as error:
            reply = self._refused(str(error))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            reply = self._refused(str(first["msg"]))
        except Exception:
            # the page must hear of a bug as well: silence would look like a lost connection
            log.exception("reviewkit: a message of the board could not be answered")
            reply = self._refused(self._wording.word("bug"))
        return reply | {"re": message.id}

    def _refused(self, text: str) -> Reply:
        return {"kind": "refused", "text": text}

    def _answer(self, message: said.Message) -> Reply:
        match message:
            case said.Hello():
                if message.language:
                    self._wording = BoardWording(message.language)
                return self._page()
            case said.ChangeLanguage():
                self._wording = BoardWording(message.to)
                return self._page()
            case said.Ping():
                return {"kind": "pong"} if message.seen == self._mark() else self._page()
            case said.OpenCard():
                card = self._study(message.study).card(message, self._wording)
                return {"kind": "card", "study": message.study, "card": card}
            case _:
                return self._act_once(message)

    def _act_once(self, message: said.Act) -> Reply:
        """Act, or give the reply that the same click had before."""
        key = f"{message.kind}/{message.click_id}"
        if key not in self._replies:
            done = self._act(message)
            self._replies[key] = done
            while len(self._replies) > KEPT_REPLIES:
                del self._replies[next(iter(self._replies))]
        return self._replies[key] | {"view": self._view()}

    def _act(self, message: said.Act) -> Reply:
        self._study(message.study)
        acts = LeadActs(self._ws, message.study, self._origin)
        link = ""
        match message:
            case said.Lock():
                acts.lock(message)
            case said.Reopen():
                acts.reopen(message)
            case said.Unblind():
                acts.unblind(message)
            case said.Withdraw():
                acts.withdraw(message)
            case said.Answer():
                acts.answer(message)
            case said.Renew():
                link = acts.renew(message)
        parts = {"pass": getattr(message, "pass_name", ""), "rater": getattr(message, "rater", "")}
        text = self._wording.word(f"did_{message.kind}", **parts)
        return {
            "kind": "done", "act": message.kind, "click_id": message.click_id, "text": text,
            "link": f"go/{link}" if link else "",
            "start": "" if self._served else os.environ.get("REVIEWKIT_LINKS_START", USUAL_START),
        }  # fmt: skip

    # what to show

    def _links(self) -> list[dict[str, object]]:
        try:
            return links_between(self._ws, self._wording, "board", served=self._served)
        except ReviewkitError:
            return []  # a fault in apps.yaml is the server's to tell; the board is still of use

    def _names(self) -> list[str]:
        known = list_studies(self._ws)
        if self._only is not None:
            return [self._only]
        return sorted(known, key=lambda name: (name != self._first, name))

    def _study(self, name: str) -> StudyBoard:
        if name not in self._names():
            raise NoSuchPass(f"this board has no study {name!r}")
        if name not in self._studies:
            self._studies[name] = StudyBoard(self._ws, name, self._origin)
        return self._studies[name]

    def _mark(self) -> str:
        names = self._names()
        text = "\n".join([*names, *(self._study(name).mark() for name in names)])
        return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def _page(self) -> Reply:
        return {"kind": "page", "view": self._view()}

    def _view(self) -> dict[str, Any]:
        mark = self._mark()  # before the reading, so that a change meanwhile is seen next time
        return _frame(self._wording) | {
            "state": "open",
            "pages": self._links(),
            "mark": mark,
            "read_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "studies": [self._study(name).section(self._wording) for name in self._names()],
        }


USUAL_START = "http://127.0.0.1:8866"
"""Where the desk is usually served; the lead puts his own address in its place."""


class Board(Carrier):
    """The board as a widget."""

    _esm = board_script()
    _css = board_style_sheet()


def board(study: str | None = None) -> Board:
    """Return the lead's board; whatever is at fault is said on the page itself.

    In JupyterLab it shows every study of the folder, the named one first. A served page shows the
    study of the link, and opens for a link of the lead alone.
    """
    environ = dict(os.environ)
    if study is not None:
        environ["REVIEWKIT_STUDY"] = study
    try:
        session = open_board(environ)
    except NotTheLead as error:
        return Board(_say_only(lambda wording: wording.word("not_the_lead")), closed=str(error))
    except ReviewkitError as error:
        sentence = str(error)
        return Board(_say_only(lambda _wording: sentence), closed=sentence)
    return Board(session.receive)


def open_board(environ: Mapping[str, str]) -> BoardSession:
    """Open the board for whom the environment names; raises NotTheLead for anybody else."""
    lead = the_lead(environ)
    if lead is None:
        return BoardSession(find_workspace(), first=environ.get("REVIEWKIT_STUDY"))
    return BoardSession(find_workspace(), only=lead.study, served=True)


def _frame(wording: BoardWording) -> dict[str, Any]:
    return {
        "language": wording.language,
        "direction": wording.direction,
        "languages": [list(each) for each in LANGUAGES],
        "strings": wording.page_strings(),
    }


def _say_only(sentence: Callable[[BoardWording], str]) -> Callable[[Any], Reply]:
    """Return a ``receive`` that answers every message with one sentence on an empty page."""

    def receive(content: Any) -> Reply:
        fields = content if isinstance(content, dict) else {}
        language = fields.get("language") or fields.get("to")
        wording = BoardWording(language if isinstance(language, str) else "en")
        number = fields.get("id")
        view = _frame(wording) | {"state": "closed", "message": sentence(wording), "studies": []}
        return {"kind": "page", "re": number if isinstance(number, int) else 0, "view": view}

    return receive
