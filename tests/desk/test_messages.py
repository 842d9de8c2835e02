"""Every named message of a page, each of its fields checked; and a widget that takes no state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest

from reviewkit.desk import board_messages, messages
from reviewkit.desk.board import Board
from reviewkit.desk.gate import MESSAGE_LIMIT, MessageRefused
from reviewkit.desk.widget import Carrier, Desk

Read = Callable[[Any], Any]
Fields = dict[str, Any]

CLICK = {"click_id": "click-0001"}
JUDGED = {"answers": {"natural": "yes"}, "note": "n", "escalated": False, "unsure": True,
          "defects": {"natural": "other"}, "seconds": 1.5}  # fmt: skip
PENDING = {"whose": "demo/first/amal", "card_id": "C-1", "card_digest": "a" * 64,
           "answers": {"natural": "no"}, "note": "n", "escalated": True, "unsure": False,
           "defects": {}, "typed_at": 1.0}  # fmt: skip
ON_A_CARD = {"token": "t" * 32}
DESK: dict[str, Fields] = {
    "hello": {"language": "ar", "narrow": True, "pending": PENDING},
    "take_over": {},
    "draft": {**ON_A_CARD, **JUDGED},
    "submit": {**ON_A_CARD, **CLICK, **JUDGED, "reason": "r"},
    "exclude": {**ON_A_CARD, **CLICK, "code": "truncated", "reason": "r", "seconds": 2.0},
    "question": {**ON_A_CARD, **CLICK, "text": "q"},
    "cards": {},
    "skip": {**ON_A_CARD, **CLICK, "reason": "r"},
    "go": {"to": "next"},
    "filter": {"to": "open"},
    "ruling": {**ON_A_CARD, **CLICK, "text": "r", "checks": ["natural"], "type": "ruling",
               "supersedes": "R-1"},
    "lock": CLICK,
    "consent": CLICK,
    "language": {"to": "en"},
    "ping": {},
}  # fmt: skip
ACT = {**CLICK, "study": "demo"}
BOARD: dict[str, Fields] = {
    "hello": {"language": "en"},
    "ping": {"seen": "s"},
    "language": {"to": "ar"},
    "open": {"study": "demo", "round": "1", "card_id": "C-1"},
    "lock": {**ACT, "pass_name": "first"},
    "reopen": {**ACT, "pass_name": "first", "reason": "r"},
    "unblind": {**ACT, "round": "1", "reason": "r"},
    "renew": {**ACT, "pass_name": "first", "rater": "amal"},
    "withdraw": {**ACT, "pass_name": "first", "reason": "r"},
    "answer": {**ACT, "question": "a" * 64, "text": "t"},
}
ALL = [
    *((messages.read_message, kind, fields) for kind, fields in DESK.items()),
    *((board_messages.read_board_message, kind, fields) for kind, fields in BOARD.items()),
]
NO_VALUE_OF_ANY_FIELD: tuple[Any, ...] = ("x" * (MESSAGE_LIMIT - 5_000), {"a": {"b": "c"}}, [[1]],
                                          -1e300, float("nan"))  # fmt: skip


def test_the_list_of_messages_is_whole() -> None:
    """A message that is added is added here as well, with all that it may say."""
    for module, known in ((messages, DESK), (board_messages, BOARD)):
        kinds = {
            get_args(each.model_fields["kind"].annotation)[0]: {*each.model_fields}
            for each in get_args(get_args(module.Message)[0])
        }
        assert kinds == {kind: {"kind", "id", "tab", *fields} for kind, fields in known.items()}


@pytest.mark.parametrize(("read", "kind", "fields"), ALL, ids=lambda each: str(each)[:12])
def test_each_field_of_each_message_is_checked(read: Read, kind: str, fields: Fields) -> None:
    """Whole it passes; with a field of no page, or any field too long or of another kind, never."""
    whole = {"kind": kind, "id": 1, "tab": "t", **fields}
    assert read(whole).kind == kind
    for more in ("owner", "item", "verdict", "__class__"):
        with pytest.raises(MessageRefused, match=more):
            read({**whole, more: "x"})
    for name in whole:
        for value in NO_VALUE_OF_ANY_FIELD:
            with pytest.raises(MessageRefused):
                read({**whole, name: value})


def test_each_field_of_a_draft_that_a_tab_has_kept_is_checked() -> None:
    """What comes with the first message is no truth either."""
    hello = {"kind": "hello", "id": 1, "tab": "t"}
    with pytest.raises(MessageRefused, match="verdict"):
        messages.read_message({**hello, "pending": {**PENDING, "verdict": "accepted"}})
    for name in PENDING:
        for value in NO_VALUE_OF_ANY_FIELD:
            with pytest.raises(MessageRefused):
                messages.read_message({**hello, "pending": {**PENDING, name: value}})


@pytest.mark.parametrize("kind", [Desk, Board])
def test_a_widget_takes_no_state(kind: type[Carrier]) -> None:
    """No trait of it can be set from outside, whether or not its socket lets such a message by."""
    widget = kind(lambda _content: {})
    before = {name: widget.get_state(name)[name] for name in widget.keys}
    for name, value in before.items():
        widget.set_state({name: f"{value}x" if isinstance(value, str) else "x"})
    widget.set_state({"_receive": None, "_closed": "x", "_afterwards": None})
    assert {name: widget.get_state(name)[name] for name in widget.keys} == before
    assert widget._closed == ""
