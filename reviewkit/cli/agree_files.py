"""``reviewkit agree FILE...``: from files of labels to the report, with no study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reviewkit.agreement import read
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.cli.agreement_output import Output, give_out


def agree_files(files: Sequence[Path], output: Output, settings: Settings, **asked: Any) -> None:
    """Read files of labels and give out the report on agreement.

    Args:
        files: One file, a file a rater, the parts of a table, or another tool's export.
        output: The form of the report and where it goes.
        settings: How to measure.
        asked: What ``read`` takes, as the options of the command name it.

    Raises:
        ProblemsFound: With every fault, or the readings among which the lead must choose.
    """
    give_out(read(*files, **asked).report(settings), output)
