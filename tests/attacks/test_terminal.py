"""Escape sequences in what people wrote: the lead's terminal shows them and obeys none."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from reviewkit.cli.terminal import spelled_out
from reviewkit.workspace import Workspace

HOSTILE = {
    "a window title": "\x1b]0;owned\x07", "a link": "\x1b]8;;http://x\x07y\x1b]8;;\x07",
    "the clipboard": "\x1b]52;c;cm0gLXJm\x07", "a cleared screen": "\x1b[2J\x1b[H",
    "a line written over": "good\rbad", "a rubbed out letter": "a\x08b", "eight bits": "\x9b2J",
    "an override": "\u202egnol", "a bell": "\x07", "a NUL": "\0", "a form feed": "\x0c",
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_escape_sequence_in_a_text(text: str) -> None:
    """What would act is spelled out; nothing is lost."""
    shown = spelled_out(text)
    assert not {"\x1b", "\x9b", "\x07", "\x08", "\0", "\x0c", "\u202e"} & set(shown)
    assert "\r" not in shown
    assert "\\" in shown


def test_plain_text_is_left_alone() -> None:
    """Letters of any script, tabs, line ends, isolates and colours pass."""
    text = "a\tb\r\nc\n\u2068مصباح\u2069 \x1b[31mred\x1b[0m é 灯"
    assert spelled_out(text) == text


def test_escape_sequence_on_the_terminal_of_a_command(demo: Workspace) -> None:
    """A command that fails on a name with escapes names it without sending one to the terminal."""
    path = demo.study_file("demo")
    raw = path.read_text(encoding="utf-8").replace("groups: all", 'groups: ["\\e]0;owned\\a"]')
    path.write_text(raw, encoding="utf-8")
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "reviewkit.cli.app", "check"], cwd=demo.root,
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
    ) as process:  # fmt: skip
        os.close(theirs)
        told = b""
        while part := _read(ours):
            told += part
    os.close(ours)
    assert process.returncode == 1
    assert b"owned" in told
    assert b"\x1b" not in told
    assert b"\x07" not in told


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4_096)
    except OSError:
        # what a terminal says when nobody holds its other side any more
        return b""
