"""How the desk says that it did not take something: the answer, and the sentence in it."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from reviewkit.decisions import CardChanged
from reviewkit.desk.view import View
from reviewkit.desk.wording import Wording
from reviewkit.problems import ReviewkitError
from reviewkit.questions import Outcome
from reviewkit.study import CardUnreadable, Hearing, ReasonMissing, Walk


def refused(text: str) -> dict[str, Any]:
    """Return the answer to a message that was not taken, with one sentence for the person."""
    return {"kind": "refused", "problems": [], "text": text}


def not_ready(outcome: Outcome, problems: list[View]) -> dict[str, Any]:
    """Return the answer to a submission that lacks something: every problem, as it is drawn."""
    text = problems[0]["text"] if problems else ""
    return {**refused(text), "problems": problems, "missing": list(outcome.unanswered)}


def in_words(
    error: ReviewkitError | ValidationError, walk: Walk | Hearing, card_id: str, wording: Wording
) -> str:
    """Return the sentence that a person reads when the card on the screen was not taken."""
    if isinstance(error, ReasonMissing):
        return wording.say("reason_missing")
    if isinstance(error, CardUnreadable) and (on := walk.left_on(card_id)):
        return wording.say("left_bank", on=on)
    if isinstance(error, CardChanged):
        return wording.say("card_changed")
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return wording.say("not_taken", why=str(first["msg"]))
    return str(error)
