"""What each coefficient is called, where its formula stands, and what it does without a rating."""

from __future__ import annotations

from dataclasses import dataclass

from reviewkit.agreement.measures.estimates import Name


@dataclass(frozen=True, slots=True)
class Described:
    """What a reader needs to know of a coefficient."""

    title: str
    short: str
    source: str
    missing: str
    """Its rule for units that some raters did not rate."""
    lowest: float = -1.0
    """What it cannot fall below; intervals are cut there."""


_TWO = "units with fewer than two ratings are left out"
_GWET = (
    "observed agreement from units with two or more ratings, chance agreement from every rated unit"
)
_BOTH = "only units that both raters rated"
_OWN = (
    "observed agreement from units with two or more ratings, chance agreement from all ratings of"
    " each rater"
)
_PAIRABLE = "units with one rating are left out, every other rating counts"

DESCRIBED: dict[Name, Described] = {
    "observed": Described("observed agreement", "observed", "Gwet 2014", _TWO, 0.0),
    "all_agree": Described(
        "units on which all agree", "all agree", "a share of units", _TWO, 0.0
    ),
    "kappa": Described("Cohen's kappa", "kappa", "Cohen 1960", _BOTH),
    "scott": Described("Scott's pi", "pi", "Scott 1955; Gwet 2014", _GWET),
    "conger": Described("Conger's kappa", "Conger", "Conger 1980; Gwet 2014", _OWN),
    "fleiss": Described("Fleiss' kappa", "Fleiss", "Fleiss 1971; Gwet 2014", _GWET),
    "alpha": Described("Krippendorff's alpha", "alpha", "Krippendorff 2011", _PAIRABLE),
    "ac1": Described("Gwet's AC1", "AC1", "Gwet 2008", _GWET),
    "brennan_prediger": Described(
        "Brennan-Prediger", "BP", "Brennan and Prediger 1981", _TWO
    ),
    "pabak": Described("PABAK", "PABAK", "Byrt, Bishop and Carlin 1993", _TWO),
    "weighted_observed": Described(
        "weighted observed agreement", "observed", "Gwet 2014", _TWO, 0.0
    ),
    "weighted_kappa": Described("weighted kappa", "kappa", "Cohen 1968", _BOTH),
    "weighted_scott": Described("weighted pi", "pi", "Gwet 2014", _GWET),
    "weighted_conger": Described("weighted Conger's kappa", "Conger", "Gwet 2014", _OWN),
    "weighted_fleiss": Described("weighted Fleiss' kappa", "Fleiss", "Gwet 2014", _GWET),
    "weighted_alpha": Described("weighted alpha", "alpha", "Gwet 2014", _PAIRABLE),
    "ac2": Described("Gwet's AC2", "AC2", "Gwet 2014", _GWET),
    "weighted_brennan_prediger": Described(
        "weighted Brennan-Prediger", "BP", "Gwet 2014", _TWO
    ),
}  # fmt: skip

_LEVELS = {
    "jaccard": ("Jaccard distance", "Krippendorff 2011; Jaccard 1901"),
    "masi": ("MASI distance", "Krippendorff 2011; Passonneau 2006"),
}


def titles(name: Name, weights: str, q: int) -> tuple[str, str, str]:
    """Return title, short title and source of a coefficient under these weights or this level."""
    known = DESCRIBED[name]
    if name == "brennan_prediger":
        return f"{known.title} (q = {q})", f"BP({q})", known.source
    if name == "weighted_alpha":
        kind = f"Gwet's {weights} weights"
        return f"{known.title} ({kind})", f"alpha ({kind})", known.source
    if not weights or (name == "alpha" and weights == "nominal"):
        return known.title, known.short, known.source
    kind, source = _LEVELS.get(weights, (weights, known.source))
    return f"{known.title} ({kind})", f"{known.short} ({kind})", source
