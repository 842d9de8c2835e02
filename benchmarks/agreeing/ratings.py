"""Ratings of a size that a large study has: raters who mostly agree, in clusters of twins.

Written as plain arrays, so that a process without our package can read them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

CLUSTERS = 20_000
CATEGORIES = ("accepted", "needs_fix", "rejected", "unclear", "other")


def lay_ratings(path: Path, units: int, raters: int, blank: float) -> None:
    """Write codes, shape (units, raters), -1 where there is none, and the cluster of each unit."""
    rng = np.random.default_rng(units + raters)
    q = len(CATEGORIES)
    cluster = rng.integers(0, CLUSTERS, units).astype(np.int32)
    # twins tend to have one answer, and some clusters are harder than others
    usual = rng.choice(q, CLUSTERS, p=(0.5, 0.2, 0.15, 0.1, 0.05))
    truth = np.where(rng.random(units) < 0.6, usual[cluster], rng.integers(0, q, units))
    hard = 0.1 + 0.3 * rng.random(CLUSTERS)[cluster]
    codes = np.empty((units, raters), dtype=np.int32)
    for rater in range(raters):
        slip = rng.random(units) < hard
        codes[:, rater] = np.where(slip, rng.integers(0, q, units), truth)
        codes[rng.random(units) < blank, rater] = -1
    np.savez(path, codes=codes, cluster=cluster)


def lay_long_file(path: Path, rows: int) -> None:
    """Write a long CSV: unit, rater, label, cluster and a note in each row."""
    rng = np.random.default_rng(rows)
    labels = rng.integers(0, len(CATEGORIES), rows)
    with path.open("w", encoding="utf-8") as file:
        file.write("unit,rater,label,template,note\n")
        for row in range(rows):
            unit = row // 2
            file.write(
                f"{unit:07d},{'amal' if row % 2 else 'badr'},{CATEGORIES[labels[row]]},"
                f"T{unit % CLUSTERS:05d},\n"
            )


def lay_wide_file(path: Path, units: int) -> None:
    """Write a small CSV of two raters."""
    rng = np.random.default_rng(units)
    rows = ["item,amal,badr"]
    for unit in range(units):
        first = CATEGORIES[rng.integers(0, 3)]
        second = first if rng.random() < 0.8 else CATEGORIES[rng.integers(0, 3)]
        rows.append(f"DEMO-{unit:03d},{first},{second}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
