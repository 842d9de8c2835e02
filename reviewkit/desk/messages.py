"""What a browser may say: named messages, each field checked, sizes bounded.

Everything that comes from the browser is hostile until it has passed here; nothing is read from
synced traits. A message that does not fit is refused with a sentence and changes nothing.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from reviewkit.decisions import NOTE_LIMIT
from reviewkit.desk.gate import checked
from reviewkit.questions import AnswerValue

Token = Annotated[str, StringConstraints(max_length=64)]
ClickId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{8,64}$")]
CheckId = Annotated[str, StringConstraints(max_length=64)]
CardId = Annotated[str, StringConstraints(max_length=200)]
# one more than a ledger takes, so that the refusal is the rule's sentence and not the parser's
Note = Annotated[str, StringConstraints(max_length=NOTE_LIMIT * 4)]
Answers = Annotated[dict[CheckId, AnswerValue], Field(max_length=200)]
Defects = Annotated[
    dict[CheckId, Annotated[str, StringConstraints(max_length=64)]], Field(max_length=200)
]
"""Check -> the family of defects that was chosen for it."""
Words = Annotated[str, StringConstraints(max_length=8_000)]
Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    id: Annotated[int, Field(ge=0, le=2**53)]
    tab: Token
    """Which tab speaks: two browser windows may share one kernel and hear each other's replies."""


class Pending(BaseModel):
    """A draft that the tab kept because no acknowledgement came."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    whose: Annotated[str, StringConstraints(max_length=200)] = ""
    """Study, pass and rater: one tab may have had the link of another person before."""
    card_id: CardId
    card_digest: Annotated[str, StringConstraints(max_length=64)]
    answers: Answers
    note: Note
    escalated: bool = False
    unsure: bool = False
    defects: Defects = {}
    typed_at: Annotated[float, Field(ge=0)] = 0.0


class Hello(_Message):
    """A page opened or came back."""

    kind: Literal["hello"]
    language: Annotated[str, StringConstraints(max_length=8)] | None = None
    narrow: bool = False
    pending: Pending | None = None


class TakeOver(_Message):
    """This tab wants to be the one that writes."""

    kind: Literal["take_over"]


class _OnCard(_Message):
    token: Token


class DraftMessage(_OnCard):
    """The screen changed."""

    kind: Literal["draft"]
    answers: Answers
    note: Note
    escalated: bool = False
    unsure: bool = False
    defects: Defects = {}
    seconds: Seconds = 0.0


class Submit(_OnCard):
    """Record this decision."""

    kind: Literal["submit"]
    click_id: ClickId
    answers: Answers
    note: Note
    escalated: bool = False
    unsure: bool = False
    defects: Defects = {}
    seconds: Seconds = 0.0
    reason: Words = ""
    """Why an adjudicator changes what he had labelled first."""


class Exclude(_OnCard):
    """Leave this card without a final label."""

    kind: Literal["exclude"]
    click_id: ClickId
    code: CheckId
    reason: Words = ""
    seconds: Seconds = 0.0


class Question(_OnCard):
    """Ask the lead something about this card."""

    kind: Literal["question"]
    click_id: ClickId
    text: Words


class Cards(_Message):
    """Which cards are there, and how does each stand?"""

    kind: Literal["cards"]


class Skip(_OnCard):
    """Pass over this card."""

    kind: Literal["skip"]
    click_id: ClickId
    reason: Annotated[str, StringConstraints(max_length=2_000)] = ""


class Go(_Message):
    """Show another card."""

    kind: Literal["go"]
    to: CardId


class Filter(_Message):
    """Walk only the cards of one status."""

    kind: Literal["filter"]
    to: Annotated[str, StringConstraints(max_length=32)]


class FileRuling(_OnCard):
    """File a ruling taken on this card."""

    kind: Literal["ruling"]
    click_id: ClickId
    text: Words
    checks: Annotated[list[CheckId], Field(max_length=50)] = []
    type: Literal["ruling", "disagreement"] = "ruling"
    supersedes: Annotated[str, StringConstraints(max_length=16)] = ""


class LockMessage(_Message):
    """Seal my pass."""

    kind: Literal["lock"]
    click_id: ClickId


class Consent(_Message):
    """I have read the content warning and go on."""

    kind: Literal["consent"]
    click_id: ClickId


class Language(_Message):
    """Word the interface in another language."""

    kind: Literal["language"]
    to: Annotated[str, StringConstraints(max_length=8)]


class Ping(_Message):
    """Are you there, and is the card still as it was?"""

    kind: Literal["ping"]


Message = Annotated[
    Hello | TakeOver | DraftMessage | Submit | Exclude | Question | Skip | Go | Filter | Cards
    | FileRuling | LockMessage | Consent | Language | Ping,
    Field(discriminator="kind"),
]  # fmt: skip
_adapter: TypeAdapter[Message] = TypeAdapter(Message)


def read_message(content: Any) -> Message:
    """Return the checked message; raises MessageRefused naming the first field at fault."""
    return checked(content, _adapter)
