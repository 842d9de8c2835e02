"""A page in words: sends what the browser would send and keeps the last view."""

from __future__ import annotations

from itertools import count
from typing import Any

from reviewkit.desk.session import Session
from reviewkit.rulings import RulingsLog
from reviewkit.study import Walk
from reviewkit.workspace import Workspace


class Page:
    """One browser tab in front of a session."""

    def __init__(self, session: Session, tab: str = "tab-one") -> None:
        self.session = session
        self.tab = tab
        self.view: dict[str, Any] = {}
        self.heard: list[dict[str, Any]] = []
        self._ids = count(1)
        self._clicks = count(1)

    def say(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send one message and return the reply."""
        message = {"kind": kind, "id": next(self._ids), "tab": self.tab, **fields}
        reply = self.session.receive(message)
        self.heard.append(reply)
        if "view" in reply:
            self.view = reply["view"]
        return reply

    @property
    def card(self) -> dict[str, Any]:
        """The card on the screen."""
        return self.view["card"]

    def click(self) -> str:
        """Return a fresh click id."""
        return f"click-{self.tab}-{next(self._clicks):04d}"

    def answers(self, *failing: str) -> dict[str, str]:
        """Answer every asked check with yes, the named ones with no."""
        return {
            each["id"]: "no" if each["id"] in failing else "yes" for each in self.card["questions"]
        }

    def submit(self, *failing: str, note: str = "", **fields: Any) -> dict[str, Any]:
        """Answer everything and save."""
        return self.say(
            "submit",
            **{
                "token": self.card["token"],
                "click_id": self.click(),
                "answers": self.answers(*failing),
                "note": note,
                "escalated": False,
                "seconds": 3.0,
                **fields,
            },
        )

    def draft(self, answers: dict[str, str], note: str = "", **fields: Any) -> dict[str, Any]:
        """Send what is on the screen."""
        return self.say(
            "draft",
            **{
                "token": self.card["token"], "answers": answers, "note": note,
                "escalated": False, **fields,
            },
        )  # fmt: skip


def sit_down(
    ws: Workspace, rater: str, tab: str = "tab-one", study: str = "demo", **fields: Any
) -> Page:
    """Open the desk of a rater, of the demo study if no other is named, as a fresh kernel would."""
    walk = Walk(ws, study, rater, origin="lab")
    log = RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log), ws.rulings_page)
    page = Page(Session(walk, log), tab)
    page.say("hello", language="en", **fields)
    return page
