"""Times one call of another library: ``python peers.py LIBRARY ratings.npz [every]``.

Runs in our environment or in the oracles'. Prints the processor's seconds for the call alone, after
loading the library and laying out the ratings as it wants them; ``every`` takes one unit in so
many.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


def krippendorff(codes: Any) -> Callable[[], object]:
    """Return the call of nominal alpha."""
    import krippendorff

    data = np.where(codes < 0, np.nan, codes).T
    return lambda: krippendorff.alpha(data, level_of_measurement="nominal")


def irrcac(codes: Any) -> Callable[[], object]:
    """Return the call of AC1 with its error."""
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(np.where(codes < 0, np.nan, codes))
    categories = [float(each) for each in range(codes.max() + 1)]
    return lambda: CAC(frame, categories=categories).gwet()


def statsmodels(codes: Any) -> Callable[[], object]:
    """Return the call of kappa with its error for two raters, of Fleiss' kappa for more."""
    from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa, to_table

    if codes.shape[1] == 2:
        return lambda: cohens_kappa(to_table(codes)[0])
    return lambda: fleiss_kappa(aggregate_raters(codes)[0])


def sklearn(codes: Any) -> Callable[[], object]:
    """Return the call of kappa of the first two raters."""
    from sklearn.metrics import cohen_kappa_score

    return lambda: cohen_kappa_score(codes[:, 0], codes[:, 1])


def nltk(codes: Any) -> Callable[[], object]:
    """Return the call of alpha."""
    from nltk.metrics.agreement import AnnotationTask

    rated = np.argwhere(codes >= 0).tolist()
    triples = [(rater, unit, int(codes[unit, rater])) for unit, rater in rated]
    return lambda: AnnotationTask(triples).alpha()


def main() -> None:
    """Print the seconds of one call."""
    warnings.simplefilter("ignore")
    library, path = sys.argv[1:3]
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    codes = np.load(path)["codes"][::every]
    call = {
        "krippendorff": krippendorff,
        "irrCAC": irrcac,
        "statsmodels": statsmodels,
        "scikit-learn": sklearn,
        "NLTK": nltk,
    }[library](codes)
    began = time.process_time()
    call()
    print(time.process_time() - began)


if __name__ == "__main__":
    main()
