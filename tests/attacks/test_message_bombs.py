"""Messages of a page that nest, multiply or are no numbers: refused at once, whoever reads them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from reviewkit.desk.board_messages import read_board_message as read_board
from reviewkit.desk.gate import MessageRefused
from reviewkit.desk.messages import read_message
from tests.attacks.bounded import told_by


def _nested(depth: int, kind: Callable[[Any], Any]) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = kind(value)
    return value


HELLO: dict[str, Any] = {"kind": "hello", "id": 1, "tab": "t"}
DRAFT: dict[str, Any] = {
    "kind": "draft", "id": 1, "tab": "t", "token": "k", "answers": {}, "note": "",
}  # fmt: skip
BOMBS: dict[str, Callable[[], Any]] = {
    "deep lists": lambda: {**DRAFT, "answers": _nested(100_000, lambda each: [each])},
    "deep objects": lambda: {**DRAFT, "answers": _nested(100_000, lambda each: {"a": each})},
    "very many keys": lambda: {**DRAFT, "answers": {str(n): "yes" for n in range(300_000)}},
    "very many empty keys of keys": lambda: {**HELLO, "x": [{"": ""}] * 300_000},
    "very many nothings": lambda: {**HELLO, "x": [None] * 300_000},
    "very many empty objects": lambda: {**HELLO, "x": [dict[str, Any]()] * 300_000},
    "a long text": lambda: {**DRAFT, "note": "x" * 10_000_000},
    "a long key": lambda: {**DRAFT, "x" * 10_000_000: ""},
    "a huge number": lambda: {**HELLO, "id": 10**4_000},
    "a huge text of a number": lambda: {**HELLO, "id": "9" * 300_000},
    "no number": lambda: {**DRAFT, "seconds": float("nan")},
    "infinity": lambda: {**DRAFT, "seconds": float("inf")},
    "a kind that is a list": lambda: {**HELLO, "kind": ["hello"]},
    "no object": lambda: [HELLO] * 1_000,
    "nothing": lambda: None,
}
READERS = {"a desk": read_message, "the board": read_board}


def _refused(reader: Callable[[Any], object], content: Any) -> None:
    """Read a message; whatever is not a refusal in a short sentence is raised."""
    with pytest.raises(MessageRefused) as refused:
        reader(content)
    assert 5 < len(str(refused.value)) < 500


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("bomb", BOMBS)
def test_message_bomb(reader: str, bomb: str) -> None:
    """Each is refused with a short sentence, in little time and room."""
    content = BOMBS[bomb]()
    assert told_by(lambda: _refused(READERS[reader], content), seconds=5) == "read"


def test_message_of_halves_of_letters() -> None:
    """What no encoding can write comes out as text that every ledger can."""
    found = read_message(json.loads('{"kind": "go", "id": 1, "tab": "\\ud800", "to": "\\udfff"}'))
    assert str(found).encode("utf-8")
