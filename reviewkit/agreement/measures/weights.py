"""How far two categories agree (weights), or differ (Krippendorff's metrics, distances of sets)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.problems import Problem, ProblemsFound

Weighting = Literal["", "linear", "quadratic", "ordinal", "own"]
Metric = Literal["nominal", "ordinal", "interval", "ratio", "jaccard", "masi"]
Matrix = NDArray[np.float64]


def agreement_weights(
    ratings: Ratings, weighting: Weighting, own: Sequence[Sequence[float]] = ()
) -> Matrix:
    """Return the weights of agreement, shape (q, q), 1 on the diagonal.

    ``linear`` and ``quadratic`` (Cohen 1968; Fleiss and Cohen 1973) fall with the distance on the
    declared scale: of the numbers the categories stand for, else of their places. ``ordinal`` are
    Gwet's (2014): 1 - C(d + 1, 2) / C(q, 2) for categories d places apart.

    Raises:
        ProblemsFound: When ``own`` weights have another shape, or no 1 on the diagonal.
    """
    q = ratings.q
    if weighting == "own":
        matrix = np.array(own, dtype=np.float64)
        if matrix.shape != (q, q) or (np.diag(matrix) != 1).any():
            wrong = f"{matrix.shape} weights for {q} categories, or equal ones that do not weigh 1"
            remedy = "give one row and one column a category, 1 on the diagonal"
            raise ProblemsFound([Problem("weights", wrong, remedy)])
        return matrix
    if not weighting or q < 2:
        return np.eye(q)
    places = np.arange(q, dtype=np.float64)
    if weighting == "ordinal":
        apart = np.abs(places[:, None] - places)
        return 1 - apart * (apart + 1) / (q * (q - 1))
    scale = places if ratings.values is None else np.array(ratings.values)
    apart = np.abs(scale[:, None] - scale) / (scale.max() - scale.min())
    return 1 - (apart if weighting == "linear" else apart**2)


def distances(ratings: Ratings, metric: Metric) -> Matrix | None:
    """Return the squared differences of the categories, shape (q, q); None for ``ordinal``.

    The ordinal metric depends on how often each category was given, see ``ordinal_distances``.
    Nominal, interval, ratio: Krippendorff 2011. Jaccard: 1 - |A and B| / |A or B|. MASI
    (Passonneau 2006): 1 - Jaccard x 1, 2/3, 1/3 or 0 for equal, nested, overlapping, disjoint sets;
    two empty sets do not differ.

    Raises:
        ProblemsFound: When the categories are no numbers, or no sets.
    """
    q = ratings.q
    if metric == "nominal":
        return 1 - np.eye(q)
    if metric == "ordinal":
        return None
    if metric in ("jaccard", "masi"):
        return _set_distances(_sets(ratings), masi=metric == "masi")
    numbers = np.array(_numbers(ratings, metric))
    apart = numbers[:, None] - numbers
    if metric == "interval":
        return apart**2
    total = numbers[:, None] + numbers
    return np.divide(apart, total, out=np.zeros_like(apart), where=total != 0) ** 2


def ordinal_distances(given: Matrix) -> Matrix:
    """Return Krippendorff's ordinal metric (2011) for these frequencies.

    Args:
        given: How often each category was given in units with two or more ratings, shape (..., q).

    Returns:
        Shape (..., q, q): the square of all ratings between two categories, both ends by half.
    """
    middle = np.cumsum(given, axis=-1) - given / 2
    return (middle[..., :, None] - middle[..., None, :]) ** 2


def _numbers(ratings: Ratings, metric: str) -> tuple[float, ...]:
    if ratings.values is not None:
        return ratings.values
    try:
        numbers = tuple(float(each) for each in ratings.categories)
    except ValueError:
        strange = next(each for each in ratings.categories if not _is_number(each))
        wrong = f"{strange!r} is no number, and the {metric} level needs numbers"
        remedy = "use nominal or ordinal, or declare the number of each category"
        raise ProblemsFound([Problem("categories", wrong, remedy)]) from None
    if metric == "ratio" and min(numbers) < 0:
        wrong = f"{min(numbers):g} is below 0, and the ratio level counts from 0"
        raise ProblemsFound([Problem("categories", wrong, "use the interval level")])
    return numbers


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _sets(ratings: Ratings) -> Sequence[frozenset[str]]:
    if ratings.sets is None:
        wrong = "the labels are no sets of labels"
        raise ProblemsFound([Problem("labels", wrong, "use nominal, or give lists in the cells")])
    return ratings.sets


def _set_distances(sets: Sequence[frozenset[str]], *, masi: bool) -> Matrix:
    apart = np.zeros((len(sets), len(sets)))
    for i, one in enumerate(sets):
        for j in range(i):
            other = sets[j]
            shared = len(one & other)
            alike = shared / len(one | other) if one or other else 1.0
            if masi:
                nested = one <= other or other <= one
                alike *= 1 if one == other else 2 / 3 if nested and shared else 1 / 3
            apart[i, j] = apart[j, i] = 1 - alike
    return apart
