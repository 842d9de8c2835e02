"""Exports as a test reads them: known by what they hold, and looked at vote by vote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tools.recognised import ToolName, read_tool, recognise
from reviewkit.agreement.label_files.votes import Votes


def votes_in(path: Path, tool: ToolName, **asked: Any) -> Votes:
    """Return the votes of an export that must be known as that of this tool."""
    assert recognise(path) == tool
    return read_tool(path, tool, Asked.of(**asked), path.name)


def rows(votes: Votes) -> list[tuple[str | None, ...]]:
    """Return unit, rater and label of each vote."""
    columns = (votes.unit, votes.rater, votes.label)
    return [tuple(column.cell(at) for column in columns) for at in range(len(votes.unit))]


def left_out(votes: Votes) -> dict[str, int]:
    """Return how often something was left out, by reason."""
    return {each.reason: each.count for each in votes.left_out}
