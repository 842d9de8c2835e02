"""What the lead's board may say: named messages, each field checked, sizes bounded.

Everything from the browser is hostile until it has passed here; nothing is read from synced traits.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from reviewkit.decisions import NOTE_LIMIT, Word
from reviewkit.desk.gate import checked
from reviewkit.desk.messages import CardId, ClickId, Token

Reason = Annotated[str, StringConstraints(max_length=NOTE_LIMIT)]
Language = Annotated[str, StringConstraints(max_length=8)]
QuestionDigest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    id: Annotated[int, Field(ge=0, le=2**53)]
    tab: Token


class Hello(_Message):
    """A page opened or came back."""

    kind: Literal["hello"]
    language: Language | None = None


class Ping(_Message):
    """Has anything changed since the state of this mark?"""

    kind: Literal["ping"]
    seen: Token = ""


class ChangeLanguage(_Message):
    """Word the board in another language."""

    kind: Literal["language"]
    to: Language


class OpenCard(_Message):
    """Show what the coders said on a card on which they differ."""

    kind: Literal["open"]
    study: Word
    round: Word
    card_id: CardId


class _Act(_Message):
    click_id: ClickId
    study: Word


class Lock(_Act):
    """Seal a pass."""

    kind: Literal["lock"]
    pass_name: Word


class Reopen(_Act):
    """Let the rater of a locked pass go on."""

    kind: Literal["reopen"]
    pass_name: Word
    reason: Reason


class Unblind(_Act):
    """Open the labels of a round before its passes are locked."""

    kind: Literal["unblind"]
    round: Word
    reason: Reason


class Renew(_Act):
    """End a person's link and make a new one, or make the first."""

    kind: Literal["renew"]
    pass_name: Word
    rater: Word


class Withdraw(_Act):
    """Record that a rater withdraws consent."""

    kind: Literal["withdraw"]
    pass_name: Word
    reason: Reason = ""


class Answer(_Act):
    """Answer a rater's question."""

    kind: Literal["answer"]
    question: QuestionDigest
    text: Reason


Act = Lock | Reopen | Unblind | Renew | Withdraw | Answer
Message = Annotated[
    Hello | Ping | ChangeLanguage | OpenCard | Act,
    Field(discriminator="kind"),
]
_adapter: TypeAdapter[Message] = TypeAdapter(Message)


def read_board_message(content: Any) -> Message:
    """Return the checked message; raises MessageRefused naming the first field at fault."""
    return checked(content, _adapter)
