"""How often the intervals of agreement hold the true value, as a ratio to what they promise.

    python benchmarks/coverage.py            # 300 samples a design, about a minute
    python benchmarks/coverage.py 1000

Raters see a true label and give it with a fixed chance, else a label at random; in clusters the
chance is shared. The true value is measured on one very large sample. Exits 1 when an interval
holds it clearly less often than it promises.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.ratings import Clusters, Ratings

NAMES = ("observed", "kappa", "fleiss", "alpha", "ac1", "pabak")
PROMISED = 0.95
LEAST = 0.93
"""A ratio below this is no accident of drawing, and the script exits 1."""


@dataclass(frozen=True)
class Design:
    """What is drawn again and again."""

    title: str
    raters: int
    units: int
    shares: tuple[float, ...]
    blank: float = 0.0
    size: int = 1
    """Units a cluster; 1: units are exchangeable."""

    def draw(self, rng: np.random.Generator, units: int) -> Ratings:
        """Return one sample of so many units."""
        q = len(self.shares)
        cluster = np.arange(units) // self.size
        right = rng.beta(6, 2, cluster[-1] + 1)[cluster] if self.size > 1 else np.full(units, 0.75)
        truth = rng.choice(q, units, p=self.shares)
        sees = rng.random((units, self.raters)) < right[:, None]
        codes = np.where(sees, truth[:, None], rng.integers(0, q, (units, self.raters)))
        codes[rng.random(codes.shape) < self.blank] = -1
        return Ratings(
            tuple("abcde"[:q]),
            tuple(f"r{at}" for at in range(self.raters)),
            codes.astype(np.int32),
            declared=True,
            clusters=Clusters("template", cluster.astype(np.int32), int(cluster[-1]) + 1)
            if self.size > 1
            else None,
        )


EVEN, SKEWED = (0.4, 0.35, 0.25), (0.85, 0.15)
DESIGNS = (
    Design("2 raters, 60 units", 2, 60, EVEN),
    Design("2 raters, 60 units, skewed", 2, 60, SKEWED),
    Design("2 raters, 200 units, 15 % blank", 2, 200, EVEN, blank=0.15),
    Design("5 raters, 60 units, 10 % blank", 5, 60, EVEN, blank=0.1),
    Design("2 raters, 40 clusters of 5", 2, 200, EVEN, size=5),
    Design("5 raters, 40 clusters of 5", 5, 200, EVEN, size=5),
)


def main() -> None:
    """Print the share of samples whose printed interval holds the true value, over 0.95."""
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    rng = np.random.default_rng(7)
    error = (PROMISED * (1 - PROMISED) / samples) ** 0.5 / PROMISED
    print(f"{samples} samples a design; each ratio is known to about +- {2 * error:.2f}")
    print(f"{'held / promised':34}" + "".join(f"{name:>10}" for name in NAMES))
    how = Settings(draws=500, details=False)
    short = False
    for design in DESIGNS:
        large = measure(design.draw(rng, 400_000), Settings(draws=0, details=False))
        true = {each.name: each.value for each in reversed(large.estimates)}
        held = dict.fromkeys(NAMES, 0)
        drawn = dict.fromkeys(NAMES, 0)
        for _ in range(samples):
            for each in measure(design.draw(rng, design.units), how).estimates:
                if each.name in held and each.interval and (value := true[each.name]) is not None:
                    drawn[each.name] += 1
                    held[each.name] += each.interval.low <= value <= each.interval.high
        ratios = [held[name] / drawn[name] / PROMISED if drawn[name] else None for name in NAMES]
        told = [f"{'-':>10}" if each is None else f"{each:10.2f}" for each in ratios]
        print(f"{design.title:34}" + "".join(told), flush=True)
        short |= any(each is not None and each < LEAST for each in ratios)
    sys.exit(short)


if __name__ == "__main__":
    main()
