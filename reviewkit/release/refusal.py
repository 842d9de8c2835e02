"""Whether the refusal groups are spread over bands, stances and themes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from reviewkit.bank.plan import Plan
from reviewkit.release.findings import Finding, of_bank, of_group
from reviewkit.release.material import Material


@dataclass(frozen=True, slots=True)
class Gradient:
    """How many T3 groups there are per band, stance and theme."""

    bands: dict[str, int]
    """Every band of the taxonomy, in its order, also those without a group."""
    stances: dict[str, int]
    themes: dict[str, int]
    """The commonest first; groups without a theme are not among them."""

    @property
    def bands_used(self) -> int:
        """How many bands hold a group."""
        return sum(number > 0 for number in self.bands.values())


def gradient(material: Material) -> Gradient:
    """Return the spread of the T3 groups."""
    groups = tuple(material.of_type("T3"))
    bands = Counter(group.sensitivity_level for group in groups)
    stances = Counter(group.stance for group in groups)
    themes = Counter(group.theme for group in groups if group.theme)
    taxonomy = material.taxonomy
    return Gradient(
        {code: bands[code] for code in taxonomy.codes("sensitivity_level")},
        {code: stances[code] for code in taxonomy.codes("stance")},
        dict(sorted(themes.items(), key=lambda each: (-each[1], each[0]))),
    )


def check_refusal(material: Material) -> Iterator[Finding]:
    """Yield empty bands and stances, one theme that carries the axis, and tags not recorded."""
    groups = tuple(material.of_type("T3"))
    if not groups:
        return
    for group in groups:
        if not group.theme:
            yield of_group("theme-missing", group)
        if not (group.harm_review or "").strip():
            yield of_group("harm-review-missing", group)
    found = gradient(material)
    for code, spread in (("band-empty", found.bands), ("stance-empty", found.stances)):
        for name, number in spread.items():
            if not number:
                yield of_bank(code, name)
    at_most = (material.plan or Plan()).theme_at_most
    if len(groups) > 1 and found.themes:
        theme, number = next(iter(found.themes.items()))
        if 100 * number > at_most * len(groups):
            yield of_bank("theme-monoculture", f"{theme} in {number} of {len(groups)} groups")
