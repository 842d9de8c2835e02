"""What a browser with a good link may try on the socket of its own card, each by its name.

The card of these tests believes everything that reaches it. After each attack it is as it was.
"""

from __future__ import annotations

import asyncio
import json
import struct
from typing import Any

import pytest

from tests.attacks.victims import (
    Card,
    asked,
    custom,
    envelope,
    socket_to,
    to_widget,
    unharmed,
)
from tests.serving.served import run_apart

pytestmark = pytest.mark.kernel

CHANNELS = ("shell", "control", "stdin", "iopub", "no-such-channel", None, 7, ["shell"])
UNCHANGED = {
    "item": "DEMO-T1-001",
    "files": ["export default { render() {} };", "p { color: red }"],
    "colour": None,
    "widgets": 2,
    "name": "as it was",
}


def attack(card: Card, *frames: str | bytes | dict[str, Any]) -> None:
    """Send the frames, and find the card answering and unchanged, over both old and new sockets."""

    async def attempt() -> None:
        before = await unharmed(card)
        async with socket_to(card) as connection:
            for frame in frames:
                sent = json.dumps(frame) if isinstance(frame, dict) else frame
                await connection.write_message(sent, binary=isinstance(sent, bytes))
            answer = await asked(connection, card)
            kinds = {name: answer.get(name) for name in UNCHANGED}
            assert kinds == UNCHANGED
            assert answer["heard"] == before["heard"] + 1, "nothing else reached the kernel"
        assert (await unharmed(card))["pid"] == before["pid"]

    run_apart(attempt())


@pytest.mark.parametrize("kind", ["execute_request"])
def test_execute_request_on_every_channel(card: Card, kind: str) -> None:
    """Code does not run, whatever the channel is called."""
    code = {"code": "name = 'changed'", "silent": False, "store_history": False}
    attack(card, *(envelope(kind, code, channel) for channel in CHANNELS))


@pytest.mark.parametrize(
    "kind",
    [
        "inspect_request", "complete_request", "history_request", "is_complete_request",
        "interrupt_request", "debug_request", "kernel_info_request", "comm_info_request",
        "connect_request", "input_reply", "create_subshell_request", "execute_reply", "",
    ],
)  # fmt: skip
def test_requests_that_look_into_a_kernel(card: Card, kind: str) -> None:
    """Nothing but what a page says is passed on."""
    content = {"code": "import os", "cursor_pos": 9, "command": "evaluate", "value": "1"}
    attack(card, *(envelope(kind, content, channel) for channel in CHANNELS))


@pytest.mark.parametrize("channel", ["shell", "control"])
def test_shutdown_request(card: Card, channel: str) -> None:
    """A page can neither end nor restart its kernel by a message."""
    attack(card, envelope("shutdown_request", {"restart": True}, channel))


@pytest.mark.parametrize(
    ("module", "model"),
    [
        ("@jupyter-widgets/controls", "IntSliderModel"),
        ("@jupyter-widgets/output", "OutputModel"),
        ("@jupyter-widgets/base", "LayoutModel"),
        ("anywidget", "AnyModel"),
    ],
)
def test_client_made_widgets(card: Card, module: str, model: str) -> None:
    """No comm can be opened: an attacker makes no object in a kernel, of any class."""
    state = {"_model_module": module, "_model_name": model, "_model_module_version": "2.0.0"}
    content = {
        "comm_id": "a" * 32, "target_name": "jupyter.widget",
        "data": {"state": state, "buffer_paths": []},
    }  # fmt: skip
    opening = {"metadata": {"version": "2.1.0"}}
    control = {"comm_id": "c" * 32, "target_name": "jupyter.widget.control", "data": {}}
    attack(card, envelope("comm_open", content, **opening), envelope("comm_open", control))


@pytest.mark.parametrize(
    "state",
    [
        {"item": "DEMO-T1-099"},
        {"_esm": "alert(1)", "_css": "*{display:none}"},
        {"_model_name": "OutputModel", "_view_name": None},
        {"layout": "IPY_MODEL_" + "a" * 32},
    ],
)
def test_set_any_trait(card: Card, state: dict[str, Any]) -> None:
    """No state reaches a widget, by any method's name."""
    attack(
        card,
        *(
            to_widget(card.widget, {"method": method, "state": state, "buffer_paths": []})
            for method in ("update", "Update", "backbone", "request_states", "echo_update", None)
        ),
    )


def test_the_layout_of_a_card(card: Card) -> None:
    """The second widget that comes with every widget takes no state either."""

    async def layout() -> str:
        async with socket_to(card) as connection:
            await connection.write_message(
                json.dumps(to_widget(card.widget, {"method": "request_state"}))
            )
            text = await asyncio.wait_for(connection.read_message(), 15)
            return json.loads(text or "")["content"]["data"]["state"]["layout"]

    name = run_apart(layout()).removeprefix("IPY_MODEL_")
    state = {"border_top": "9px solid red"}
    attack(card, to_widget(name, {"method": "update", "state": state, "buffer_paths": []}))


def test_comm_close(card: Card) -> None:
    """The card cannot be closed under its page."""
    attack(card, envelope("comm_close", {"comm_id": card.widget, "data": {}}))


def test_binary_frames(card: Card) -> None:
    """Neither old nor new binary messages are read, and none takes the server down."""
    text = json.dumps(envelope("execute_request", {"code": "name = 'changed'"})).encode()
    old = struct.pack("!II", 1, 8) + text
    offsets = [8 * 6, 8 * 6 + 5, 8 * 6 + 5, 8 * 6 + 5, 8 * 6 + 5]
    new = struct.pack("<6Q", 5, *offsets) + b"shell"
    attack(card, old, new, b"", b"\xff" * 1000, struct.pack("!I", 0xFFFFFFFF))


@pytest.mark.parametrize(
    "frame",
    [
        "", "{", "null", "[]", "7", '"text"', "NaN", '{"header": null}', "{}" * 50,
        '{"channel": "shell", "header": {"msg_type": ["comm_msg"]}, "content": {}}',
        '{"channel": "shell", "header": 7, "content": 7}',
        '{"channel": "shell", "header": {"msg_type": "comm_msg"}, "content": {"comm_id": 7}}',
    ],
)  # fmt: skip
def test_malformed_json(card: Card, frame: str) -> None:
    """What cannot be read is dropped."""
    attack(card, frame)


def test_huge_nesting_and_huge_numbers(card: Card) -> None:
    """A message that is deep instead of long, and numbers that no float can hold."""
    deep = "[" * 100_000 + "]" * 100_000
    frames = [deep]
    whole = json.dumps(custom(card.widget, kind="ping", note="HERE"))
    half = '{"a":' * 700 + '"\\ud83d"' + "}" * 700
    frames += [whole.replace('"HERE"', inside) for inside in (deep, half, "9" * 5000, "Infinity")]
    attack(card, *frames)


def test_fields_that_ride_along(card: Card) -> None:
    """Buffers, foreign headers and names of widgets that are not there change nothing."""
    attack(
        card,
        custom("0" * 32, kind="ping", id=1),
        custom("../" + card.widget, kind="ping", id=1),
        custom("x" * 100_000, kind="ping", id=1),
        to_widget(card.widget, {"method": "custom", "content": "text"}),
        to_widget(card.widget, {"method": "custom", "content": {}}, buffers=["AAAA"]),
        to_widget(card.widget, {"method": "custom", "content": {}}, channel="iopub"),
    )


def test_half_a_character_is_no_attack(card: Card) -> None:
    """An emoji that is half typed arrives, mended, and the socket lives."""

    async def attempt() -> dict[str, Any]:
        async with socket_to(card) as connection:
            return await asked(connection, card, note="\ud83d and \ude00")

    assert run_apart(attempt())["length"] == len("? and ?")
