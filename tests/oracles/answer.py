"""Answers questions with other people's libraries: one JSON object a line in, one a line out.

Runs in the environment that `make oracles` builds, never in ours. A question has an ``ask`` and
the ratings as rows of labels, null where there is none; see ``ANSWERS``. What a library refuses is
answered with ``{"error": ...}``; a value that is no finite number is null.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Callable
from typing import Any

Question = dict[str, Any]


def finite(value: Any) -> float | None:
    """Return a number, or None for what is none."""
    number = float(value)
    return number if math.isfinite(number) else None


def irrcac_raw(question: Question) -> dict[str, Any]:
    """Return value and standard error of each coefficient from rows of ratings."""
    import pandas as pd
    from irrCAC.raw import CAC

    categories = question["categories"]
    found = CAC(
        pd.DataFrame(question["rows"]),
        weights=question.get("weights") or "identity",
        categories=categories,
        digits=12,
    )
    return _coefficients(found, ("gwet", "fleiss", "krippendorff", "conger", "bp"))


def irrcac_table(question: Question) -> dict[str, Any]:
    """Return value and standard error of each coefficient from a confusion matrix."""
    import pandas as pd
    from irrCAC.table import CAC

    found = CAC(pd.DataFrame(question["table"]), digits=12)
    return _coefficients(found, ("gwet", "scott", "cohen", "krippendorff", "bp"))


def _coefficients(source: Any, names: tuple[str, ...]) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    for name in names:
        try:
            found = getattr(source, name)()["est"]
        except (ZeroDivisionError, ValueError, IndexError):
            answer[name] = None
            continue
        answer[name] = {
            "value": finite(found["coefficient_value"]),
            "se": finite(found["se"]),
            "observed": finite(found["pa"]),
        }
    return answer


def sklearn_kappa(question: Question) -> dict[str, Any]:
    """Return Cohen's kappa, linear or quadratic weights, from two columns without blanks."""
    from sklearn.metrics import cohen_kappa_score

    first, second = zip(*question["rows"], strict=True)
    labels, weights = question["categories"], question.get("weights") or None
    return {"kappa": finite(cohen_kappa_score(first, second, labels=labels, weights=weights))}


def nltk_task(question: Question) -> dict[str, Any]:
    """Return NLTK's alpha, and pi and multi-kappa where every rater rated every unit.

    ``distance`` is ``binary``, ``jaccard`` or ``masi``; for the latter two a label is a list.
    """
    from nltk.metrics import agreement
    from nltk.metrics.distance import binary_distance, jaccard_distance, masi_distance

    distances = {"binary": binary_distance, "jaccard": jaccard_distance, "masi": masi_distance}
    triples = [
        (f"r{rater}", f"u{unit}", frozenset(label) if isinstance(label, list) else label)
        for unit, row in enumerate(question["rows"])
        for rater, label in enumerate(row)
        if label is not None
    ]
    task = agreement.AnnotationTask(triples, distance=distances[question["distance"]])
    answer = {"alpha": finite(task.alpha())}
    if all(label is not None for row in question["rows"] for label in row):
        answer |= {"multi_kappa": finite(task.multi_kappa()), "observed": finite(task.avg_Ao())}
        if len(question["rows"][0]) == 2:
            answer |= {"pi": finite(task.pi()), "kappa": finite(task.kappa())}
    return answer


ANSWERS: dict[str, Callable[[Question], dict[str, Any]]] = {
    "irrcac": irrcac_raw,
    "irrcac table": irrcac_table,
    "sklearn": sklearn_kappa,
    "nltk": nltk_task,
}


def main() -> None:
    """Answer each line of standard input until it ends."""
    warnings.simplefilter("ignore")
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = ANSWERS[question["ask"]](question)
        except Exception as error:  # noqa: BLE001 - whatever a library does is its answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
