"""How far two categories agree (weights), or differ (Krippendorff's metrics, distances of sets)."""

from __future__ import annotations

import math
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

    ``linear`` (Cicchetti and Allison 1971) and ``quadratic`` (Fleiss and Cohen 1973) weights fall
    with the distance on the declared scale: of the numbers the categories stand for, else of their
    places. ``ordinal`` are Gwet's (2014): 1 - C(d + 1, 2) / C(q, 2) for categories d places apart.

    Raises:
        ProblemsFound: When ``own`` weights are no symmetric table of numbers from 0 to 1 with 1 on
            the diagonal, or when all categories stand for one number.
    """
    q = ratings.q
    if weighting == "own":
        return _own_weights(own, q)
    if not weighting or q < 2:
        return np.eye(q)
    places = np.arange(q, dtype=np.float64)
    if weighting == "ordinal":
        apart = np.abs(places[:, None] - places)
        return 1 - apart * (apart + 1) / (q * (q - 1))
    scale = places if ratings.values is None else np.array(_checked(ratings.values))
    apart = np.abs(scale[:, None] - scale) / (scale.max() - scale.min())
    return 1 - (apart if weighting == "linear" else apart**2)


def _own_weights(own: Sequence[Sequence[float]], q: int) -> Matrix:
    problems: list[Problem] = []
    if [len(row) for row in own] != [q] * q:
        lengths = ", ".join(f"{len(row)}" for row in own) or "none"
        wrong = f"rows of {lengths} weights for {q} categories"
        problems.append(Problem("weights", wrong, "give one row and one column a category"))
        raise ProblemsFound(problems)
    matrix = np.array(own, dtype=np.float64).reshape(q, q)
    if (np.diag(matrix) != 1).any():
        wrong = "a category does not agree fully with itself"
        problems.append(Problem("weights", wrong, "put 1 on the diagonal"))
    if not ((matrix >= 0) & (matrix <= 1)).all():
        wrong = "a weight is not between 0 and 1"
        problems.append(Problem("weights", wrong, "give 1 to full agreement and 0 to the worst"))
    elif (matrix != matrix.T).any():
        wrong = "the same two categories weigh differently in one order and the other"
        problems.append(Problem("weights", wrong, "make the table symmetric"))
    if problems:
        raise ProblemsFound(problems)
    return matrix


def distances(ratings: Ratings, metric: Metric) -> Matrix | None:
    """Return how far categories differ, squared, shape (q, q); None for ``ordinal``.

    The ordinal metric depends on how often each category was given, see ``ordinal_places``.
    Nominal, interval, ratio: Krippendorff 2011. Jaccard: 1 - |A and B| / |A or B|. MASI
    (Passonneau 2006): 1 - Jaccard x 1, 2/3, 1/3 or 0 for equal, nested, overlapping, disjoint sets;
    two empty sets do not differ.

    Raises:
        ProblemsFound: When the categories are no numbers, all one number, below 0 at the ratio
            level, or no sets.
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


def ordinal_places(given: Matrix) -> Matrix:
    """Return where each category lies on Krippendorff's ordinal scale for these frequencies.

    His metric (2011), the square of all ratings between two categories with both ends by half, is
    the squared distance of these places.

    Args:
        given: How often each category was given in units with two or more ratings, shape (..., q).

    Returns:
        Shape (..., q): the ratings of lower categories, and half of its own.
    """
    return np.cumsum(given, axis=-1) - given / 2


def _numbers(ratings: Ratings, metric: str) -> tuple[float, ...]:
    numbers = ratings.values
    if numbers is None:
        strange = next((each for each in ratings.categories if not _is_number(each)), None)
        if strange is not None:
            wrong = f"{strange!r} is no number, and the {metric} level needs numbers"
            remedy = "use nominal or ordinal, or declare the number of each category"
            raise ProblemsFound([Problem("categories", wrong, remedy)])
        numbers = tuple(float(each) for each in ratings.categories)
    _checked(numbers)
    if metric == "ratio" and min(numbers) < 0:
        wrong = f"{min(numbers):g} is below 0, and the ratio level counts from 0"
        raise ProblemsFound([Problem("categories", wrong, "use the interval level")])
    return numbers


def _checked(numbers: tuple[float, ...]) -> tuple[float, ...]:
    """Return numbers that have distances, not all of them 0."""
    if not all(map(math.isfinite, numbers)):
        strange = next(each for each in numbers if not math.isfinite(each))
        wrong = f"{strange} is no number that has a distance to others"
        raise ProblemsFound([Problem("categories", wrong, "declare the number of each category")])
    if len(numbers) > 1 and min(numbers) == max(numbers):
        wrong = f"every category stands for {numbers[0]:g}, so none differs from another"
        raise ProblemsFound([Problem("categories", wrong, "declare the number of each category")])
    return numbers


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


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
