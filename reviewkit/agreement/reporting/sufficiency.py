"""Whether figures carry a claim: how many units they rest on, and how many clusters were drawn.

A figure that carries none is printed with its interval and the word insufficient.
"""

from __future__ import annotations

from reviewkit.agreement.measures.estimates import FEW_PAIRS, Differs, Measured
from reviewkit.agreement.reporting.printed import plural

MARK = " *"
"""Stands after a number of units that carries no claim; a sentence below says so."""
FEW_CLUSTERS = 5
"""Resamples of fewer clusters hardly differ from each other, and their intervals are far too short:
two clusters have three resamples."""


def too_few(measured: Measured) -> str:
    """Return why figures on these ratings carry no claim; empty when they may."""
    if measured.paired < FEW_PAIRS:
        return f"fewer than {FEW_PAIRS} {plural(measured.unit)} with two ratings"
    if measured.clusters is not None and measured.clusters[1] < FEW_CLUSTERS:
        return _clusters(measured.clusters[0])
    return ""


def too_few_to_differ(differs: Differs, *sides: Measured) -> str:
    """Return why a difference carries no claim; empty when it may.

    ``sides`` is what is known of the two parts, so far as they are parts of the report.
    """
    if min(differs.one_estimate.n, differs.other_estimate.n) < FEW_PAIRS:
        return f"fewer than {FEW_PAIRS} units with two ratings on a side"
    over = differs.interval.over if differs.interval is not None else ""
    if differs.paired and over.startswith("clusters") and differs.shared < FEW_CLUSTERS:
        return _clusters(over.removeprefix("clusters of "))
    return next((why for each in sides if (why := too_few(each))), "")


def _clusters(name: str) -> str:
    return f"fewer than {FEW_CLUSTERS} clusters ({name})"
