"""What it adds up to: how far two passes agree. Pure; nothing here reads a file or a clock."""

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
from reviewkit.agreement.layout import render_markdown, render_text
from reviewkit.agreement.pairs import compare_passes
from reviewkit.agreement.report import (
    CheckName,
    Comparison,
    Disagreement,
    LeftOut,
    Report,
    from_counts,
)

__all__ = [
    "CheckName",
    "Comparison",
    "Disagreement",
    "Figure",
    "LeftOut",
    "Note",
    "Report",
    "Table",
    "all_figures",
    "brennan_prediger",
    "cohen_kappa",
    "compare_passes",
    "from_counts",
    "gwet_ac1",
    "observed_agreement",
    "pabak",
    "render_markdown",
    "render_text",
    "two_decimals",
]
