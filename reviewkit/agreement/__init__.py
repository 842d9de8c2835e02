"""What it adds up to: how far people agree, in the passes of a study or in files of labels.

``read("labels.csv")`` is the door for files. Everything else here is pure; numpy is imported by
``read`` and by the subpackages, so that a page of a study stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reviewkit.agreement.coefficients import (
    Figure,
    Note,
    Table,
    all_figures,
    brennan_prediger,
    cohen_kappa,
    gwet_ac1,
    observed_agreement,
    pabak,
    two_decimals,
)
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.of_study.published import from_counts
from reviewkit.agreement.passes.report import (
    CheckName,
    Comparison,
    Disagreement,
    LeftOut,
    Report,
)
from reviewkit.agreement.passes.verdicts import compare_passes
from reviewkit.agreement.reporting.model import AgreementReport

if TYPE_CHECKING:
    from pathlib import Path

    from reviewkit.agreement.label_files.reading import Reading

__all__ = [
    "AgreementReport",
    "CheckName",
    "Comparison",
    "Disagreement",
    "Figure",
    "LeftOut",
    "Note",
    "Report",
    "Settings",
    "Table",
    "all_figures",
    "brennan_prediger",
    "cohen_kappa",
    "compare_passes",
    "from_counts",
    "gwet_ac1",
    "observed_agreement",
    "pabak",
    "read",
    "two_decimals",
]


def read(*paths: str | Path, **asked: Any) -> Reading:
    """Read labels that several people gave to the same units: ``read("labels.csv").report()``.

    Args:
        paths: One file, a file a rater, the parts of a table, or another tool's export.
        asked: What may be declared, as ``label_files.reading.read`` says: ``scheme``, ``unit``,
            ``raters``, ``missing``, ``cluster`` and more.

    Raises:
        ProblemsFound: With every fault, or the readings among which a person must choose; also
            when a path is the ledger of a study, whose labels open with the locks.
    """
    from reviewkit.agreement.closed_files import refuse_closed  # noqa: PLC0415
    from reviewkit.agreement.label_files.reading import read as read_files  # noqa: PLC0415

    refuse_closed(paths)
    return read_files(*paths, **asked)
