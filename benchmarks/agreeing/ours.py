"""Times our own work on ratings, or on reading a file, in a process whose memory is measured.

``python ours.py measure ratings.npz [every]`` and ``python ours.py read long.csv`` print a JSON
object; everything is done a few times and the shortest counts. Seconds are those of the processor,
all threads together: others may be busy.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.agreeing.ratings import CATEGORIES, CLUSTERS

TIMES = 3


def shortest(work: Callable[[], object]) -> float:
    """Return the seconds of the shortest of a few runs."""
    seconds: list[float] = []
    for _ in range(TIMES):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return min(seconds)


def measured(path: str, every: int) -> dict[str, float]:
    """Return the seconds of all coefficients: alone, with errors, with resampled clusters."""
    from reviewkit.agreement.measures.estimates import Settings
    from reviewkit.agreement.measures.measure import measure
    from reviewkit.agreement.measures.ratings import Clusters, Ratings

    held = np.load(path)
    codes, cluster = held["codes"][::every], held["cluster"][::every]
    raters = tuple(f"rater {at}" for at in range(codes.shape[1]))
    ratings = Ratings(
        CATEGORIES, raters, codes, clusters=Clusters("template", cluster, CLUSTERS), declared=True
    )
    loose = replace(ratings, clusters=None)
    whole = Settings(weights="quadratic", level="ordinal")
    # the first call loads what is loaded once
    measure(ratings.only(np.arange(ratings.rows) < 50), whole)
    return {
        "points": shortest(lambda: measure(loose, Settings(draws=0, details=False))),
        "clusters": shortest(lambda: measure(ratings, Settings())),
        "all": shortest(lambda: measure(ratings, whole)),
    }


def reading(path: str) -> dict[str, float]:
    """Return the seconds of reading the cells, and of reading all the way to ratings."""
    from reviewkit.agreement.label_files.reading import read
    from reviewkit.agreement.label_files.tables.delimited import read_delimited

    return {
        "cells": shortest(lambda: read_delimited(Path(path), path)),
        "ratings": shortest(lambda: read(path, cluster="template")),
    }


def main() -> None:
    """Print what was asked for, and the most memory it took."""
    what, path = sys.argv[1:3]
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    found = measured(path, every) if what == "measure" else reading(path)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(json.dumps({**found, "GB": most}))


if __name__ == "__main__":
    main()
