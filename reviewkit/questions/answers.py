"""What a person may answer: a code, several codes, or spans of a text."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

REJECTED = "rejected"
"""The code of a watchlist match that is no occurrence of its term."""

CodeId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_]*$", max_length=64)]


class Span(BaseModel):
    """A run of a text under one code; offsets count Unicode code points, the end is exclusive."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=1)]
    code: CodeId
    flags: dict[CodeId, Literal["yes", "no"]] = {}
    term: Annotated[str, StringConstraints(max_length=200)] = ""
    """The watchlist's term that was found there; empty for a span of the coder's own."""
    source: Literal["watchlist", "coder"] = "coder"

    @model_validator(mode="after")
    def _has_a_length(self) -> Span:
        if self.end <= self.start:
            raise ValueError(f"a span from {self.start} to {self.end} has no text")
        return self

    @property
    def place(self) -> tuple[int, int]:
        """Start and end."""
        return self.start, self.end


SPAN_LIMIT = 500
"""The most spans that one answer may hold."""

AnswerValue = (
    Annotated[str, StringConstraints(max_length=64)]
    | Annotated[tuple[Span, ...], Field(max_length=SPAN_LIMIT)]
    | Annotated[tuple[CodeId, ...], Field(max_length=SPAN_LIMIT)]
)
"""The answer to one field: a code (``yes``, ``QE``), several codes, or spans."""


def codes_in(value: AnswerValue | None) -> tuple[str, ...]:
    """Return the codes an answer holds, those of rejected matches left out."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    codes = (each.code if isinstance(each, Span) else each for each in value)
    return tuple(code for code in codes if code != REJECTED)
