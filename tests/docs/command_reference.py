"""Writes docs/cli.md from the command itself: ``python tests/docs/command_reference.py``."""

from __future__ import annotations

from pathlib import Path

import typer
from typer.cli import get_docs_for_click

from reviewkit.cli.app import app

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def render_reference() -> str:
    """Return the reference of every command, as its own help says it."""
    command = typer.main.get_command(app)
    context = typer.Context(command)
    text = get_docs_for_click(obj=command, ctx=context, name="reviewkit")
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


if __name__ == "__main__":
    PAGE.write_text(render_reference(), encoding="utf-8", newline="\n")
