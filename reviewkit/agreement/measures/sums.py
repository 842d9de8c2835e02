"""Every coefficient as a function of a few sums over units.

``features`` holds what one unit of each pattern adds to each sum. The sums of the sample, of a
resample, of a sample without one unit or one cluster are all ``weights @ features``; ``evaluate``
turns any number of such rows into coefficients at once.

With r_k the ratings of category k on a unit, r their number, w the weights of agreement and q the
number of categories (Gwet 2014; Krippendorff 2011; Uebersax 1982 for single categories):

observed agreement  mean over units with r >= 2 of sum_k r_k((w r)_k - 1) / (r(r - 1))
pi_k                mean over units with r >= 1 of r_k / r
chance              AC: sum(w) sum_k pi_k(1 - pi_k) / (q(q - 1)); Brennan-Prediger: sum(w) / q^2;
                    Fleiss, Scott: sum w_kl pi_k pi_l; Cohen: sum w_kl p_k p'_l over units both
                    rated; Conger: sum w_kl (mean_k mean_l - s_kl / R), s the covariance of the
                    raters' shares
alpha               1 - (n - 1) sum_u D_u / sum_kl n_k n_l d_kl, D_u = sum_kl r_k r_l d_kl / (r - 1)
category k          sum r_k(r_k - 1) / sum r_k(r - 1)

The ordinal d depends on the sums itself, as the squared distance of two places on a scale: there
D_u is kept apart for each pair of categories that some unit has together.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.measures.estimates import Name, Settings
from reviewkit.agreement.measures.patterns import Patterns
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.measures.weights import (
    Matrix,
    Metric,
    agreement_weights,
    distances,
    ordinal_places,
)
from reviewkit.problems import Problem, ProblemsFound

Array = NDArray[np.float64]
Chance = Literal["ac", "brennan_prediger", "fleiss", "cohen", "conger"]
MANY_RATERS = 60
"""With more raters than this, pairs of raters are no matter that a person can read, and few pairs
have units in common: Conger's kappa, which is over pairs, is left out with them."""
Key = tuple[Name, str]
"""A coefficient and its weights, level or distance: ``("alpha", "ordinal")``."""


class Sums:
    """What each pattern adds to the sums, and the coefficients that the sums make."""

    def __init__(self, ratings: Ratings, patterns: Patterns, settings: Settings) -> None:
        """Take the ratings and what to compute of them.

        Raises:
            ProblemsFound: When the categories cannot carry the level or the weights.
        """
        self._columns: list[Array] = []
        self._at: dict[str, slice] = {}
        self._width = 0
        self.q = patterns.q
        self.raters = 0 if patterns.codes is None else patterns.codes.shape[1]
        self.weights: Matrix = agreement_weights(ratings, settings.weights, settings.matrix)
        metrics = _metrics(ratings, settings)
        self._apart: dict[str, Matrix | None] = {
            metric: distances(ratings, metric) for metric in metrics
        }
        if settings.weights:
            self._apart[f"weights {settings.weights}"] = 1 - self.weights
        self.keys = tuple(_keys(ratings, self.raters, patterns, settings, metrics))
        """The coefficients, in the order they are shown."""
        self.categories = 0 if ratings.sets is not None else self.q
        """How many categories have specific agreement; sets of labels have none."""
        nothing = np.empty(0, dtype=np.intp)
        self._pairs = _pairs_met(patterns) if "ordinal" in metrics else (nothing, nothing)
        self._add_counts(patterns)
        self._add_raters(patterns)
        self.features: Array = np.concatenate(self._columns, axis=1)
        """Shape (patterns, sums)."""
        self._columns.clear()

    def _add(self, name: str, columns: Array) -> None:
        block = columns.reshape(len(columns), math.prod(columns.shape[1:]))
        self._columns.append(block)
        self._at[name] = slice(self._width, self._width + block.shape[1])
        self._width += block.shape[1]

    def _add_counts(self, patterns: Patterns) -> None:
        counts = patterns.counts.astype(np.float64)
        rated = counts.sum(axis=1)
        paired = (rated >= 2).astype(np.float64)
        # units with fewer ratings have no pairs; their denominators only must not be 0
        others = np.maximum(rated - 1, 1)
        pairs = np.maximum(rated, 1) * others
        confirmed = counts * (counts - 1)
        self._add("rated", (rated >= 1).astype(np.float64))
        self._add("paired", paired)
        self._add("observed", paired * confirmed.sum(axis=1) / pairs)
        most = patterns.counts.max(axis=1)
        self._add("all_agree", np.where(most == patterns.rated, paired, 0.0))
        self._add("shares", counts / np.maximum(rated, 1)[:, None])
        weighted = (counts * (counts @ self.weights - 1)).sum(axis=1)
        self._add("weighted", paired * weighted / pairs)
        together = counts * paired[:, None]
        self._add("together", together)
        if self.categories:
            self._add("confirmed", confirmed * paired[:, None])
            self._add("confirmable", together * (rated - 1)[:, None])
        for metric, apart in self._apart.items():
            if apart is None:
                one, other = self._pairs
                self._add(f"differ {metric}", together[:, one] * counts[:, other] / others[:, None])
            else:
                differ = (together * (counts @ apart)).sum(axis=1) / others
                self._add(f"differ {metric}", differ)

    def _add_raters(self, patterns: Patterns) -> None:
        chances = {_CHANCE.get(name) for name, _ in self.keys}
        codes = patterns.codes
        if codes is None or chances.isdisjoint(("cohen", "conger")):
            return
        given = (codes[:, :, None] == np.arange(self.q)).astype(np.float64)
        if "conger" in chances:
            self._add("given", given)
        else:
            both = np.where(codes.min(axis=1) >= 0, 1.0, 0.0)
            self._add("margins", given * both[:, None, None])

    def _sum(self, totals: Array, name: str) -> Array:
        part = totals[..., self._at[name]]
        return part[..., 0] if part.shape[-1] == 1 and name not in _VECTORS else part

    def evaluate(self, totals: Array) -> Array:
        """Return the coefficients of rows of sums.

        Args:
            totals: Shape (..., sums): ``weights @ features``.

        Returns:
            Shape (..., coefficients), in the order of ``keys``; NaN where one is not defined.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.stack([self._value(totals, key) for key in self.keys], axis=-1)

    def by_category(self, totals: Array) -> Array:
        """Return specific agreement on each category, shape (..., categories).

        NaN where it is undefined; nothing for sets of labels.
        """
        if not self.categories:
            return np.empty((*totals.shape[:-1], 0))
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._sum(totals, "confirmed") / self._sum(totals, "confirmable")

    def _value(self, totals: Array, key: Key) -> Array:
        name, kind = key
        paired = self._sum(totals, "paired")
        if name in ("observed", "weighted_observed"):
            return self._sum(totals, name.removesuffix("_observed")) / paired
        if name == "all_agree":
            return self._sum(totals, "all_agree") / paired
        if name == "pabak":
            return np.where(self.q > 1, 2 * self._sum(totals, "observed") / paired - 1, np.nan)
        if name in ("alpha", "weighted_alpha"):
            return self._alpha(totals, f"weights {kind}" if name == "weighted_alpha" else kind)
        weighted = name == "ac2" or name.startswith("weighted_")
        observed = self._sum(totals, "weighted" if weighted else "observed") / paired
        weights = self.weights if weighted else np.eye(self.q)
        chance = self._chance(totals, _CHANCE[name], weights)
        # a sum less one unit misses the whole number by a rounding error
        by_chance_alone = 1 - chance < _NOTHING
        return np.where(by_chance_alone, np.nan, (observed - chance) / (1 - chance))

    def _chance(self, totals: Array, chance: Chance, weights: Matrix) -> Array:
        q = self.q
        if chance == "brennan_prediger":
            return np.full(totals.shape[:-1], weights.sum() / q**2)
        if chance == "cohen":
            margins = self._sum(totals, "margins").reshape(*totals.shape[:-1], 2, q)
            shares = margins / margins.sum(axis=-1, keepdims=True)
            return ((shares[..., 0, :] @ weights) * shares[..., 1, :]).sum(axis=-1)
        if chance == "conger":
            given = self._sum(totals, "given").reshape(*totals.shape[:-1], self.raters, q)
            ratings = given.sum(axis=-1, keepdims=True)
            # a rater without any rating, here or in a resample, is no rater
            present = ratings > 0
            raters = present.sum(axis=(-1, -2))
            shares = given / np.maximum(ratings, 1)
            mean = shares.sum(axis=-2) / raters[..., None]
            apart = np.where(present, shares - mean[..., None, :], 0)
            spread = ((apart @ weights) * apart).sum(axis=(-1, -2)) / (raters - 1)
            return ((mean @ weights) * mean).sum(axis=-1) - spread / raters
        pi = self._sum(totals, "shares") / self._sum(totals, "rated")[..., None]
        if chance == "fleiss":
            return ((pi @ weights) * pi).sum(axis=-1)
        if q < 2:
            return np.full(totals.shape[:-1], np.nan)
        return weights.sum() * (pi * (1 - pi)).sum(axis=-1) / (q * (q - 1))

    def _alpha(self, totals: Array, metric: str) -> Array:
        given = self._sum(totals, "together")
        number = given.sum(axis=-1)
        differ = self._sum(totals, f"differ {metric}")
        apart = self._apart[metric]
        if apart is None:
            one, other = self._pairs
            places = ordinal_places(given)
            differ = (differ * (places[..., one] - places[..., other]) ** 2).sum(axis=-1)
            # the mean place is half of all ratings, so the sum over pairs is one over categories
            middle = number[..., None] / 2
            expected = number * (given * (places - middle) ** 2).sum(axis=-1)
        else:
            expected = ((given @ apart) * given).sum(axis=-1)
        return np.where(expected > 0, 1 - (number - 1) * differ / expected, np.nan)


def _pairs_met(patterns: Patterns) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the different categories, lower and higher, that some unit has together.

    Raises:
        ProblemsFound: When there are more of them than memory is for.
    """
    given = (patterns.counts > 0).astype(np.float64)
    one, other = np.nonzero(np.triu(given.T @ given, 1))
    if len(one) * len(given) > _CELLS:
        wrong = f"{patterns.q} ordered categories on {len(given):,} units that differ are too many"
        remedy = "collapse the categories, or use the interval level if they are numbers"
        raise ProblemsFound([Problem("categories", wrong, remedy)])
    return one, other


_NOTHING = 1e-12
"""Less than this is a rounding error and no share of any number of units."""
_CELLS = 1 << 25
"""How many numbers the pairs of an ordinal scale may add up to: 256 MB."""
_VECTORS = {"shares", "together", "confirmed", "confirmable", "given", "margins", "differ ordinal"}
_CHANCE: dict[Name, Chance] = {
    "kappa": "cohen",
    "weighted_kappa": "cohen",
    "conger": "conger",
    "weighted_conger": "conger",
    "fleiss": "fleiss",
    "weighted_fleiss": "fleiss",
    "scott": "fleiss",
    "weighted_scott": "fleiss",
    "ac1": "ac",
    "ac2": "ac",
    "brennan_prediger": "brennan_prediger",
    "weighted_brennan_prediger": "brennan_prediger",
}


def _metrics(ratings: Ratings, settings: Settings) -> list[Metric]:
    """Return the levels and distances that alpha is computed for."""
    if ratings.sets is not None:
        return ["jaccard", "masi"]
    return list(dict.fromkeys(("nominal", settings.level)))


def _keys(
    ratings: Ratings, raters: int, patterns: Patterns, settings: Settings, metrics: list[Metric]
) -> list[Key]:
    keys: list[Key] = [("observed", "")]
    if int(patterns.rated.max(initial=0)) > 2:
        keys.append(("all_agree", ""))
    alphas: list[Key] = [("alpha", metric) for metric in metrics]
    if ratings.sets is not None:
        # sets of labels have no fixed list of categories that chance could draw from
        return keys + alphas
    names: tuple[Name, ...] = ("kappa", "scott") if raters == 2 else ("fleiss",)
    weighted: list[Name] = ["weighted_observed"]
    if 2 < raters <= MANY_RATERS:
        names = ("conger", "fleiss")
    for name in names:
        keys.append((name, ""))
        weighted.append(_WEIGHTED[name])
    keys += alphas
    plain: tuple[Name, ...] = ("ac1", "brennan_prediger", "pabak")
    keys.extend((name, "") for name in plain)
    weighted.extend(("weighted_alpha", "ac2", "weighted_brennan_prediger"))
    if settings.weights:
        keys.extend((name, settings.weights) for name in weighted)
    return keys


_WEIGHTED: dict[Name, Name] = {
    "kappa": "weighted_kappa",
    "scott": "weighted_scott",
    "fleiss": "weighted_fleiss",
    "conger": "weighted_conger",
}
