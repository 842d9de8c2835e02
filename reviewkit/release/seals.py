"""Whether the layers that groups bear are those of the draw, and no text stands in both."""

from __future__ import annotations

from collections.abc import Iterator

from reviewkit.bank import Group
from reviewkit.release.findings import Finding, of_bank, of_group
from reviewkit.release.material import Material


def check_layers(material: Material) -> Iterator[Finding]:
    """Yield groups whose ``layer`` says other than the draw, or that give a sealed one away."""
    layers = material.layers
    if layers is None or not layers.draws:
        return
    shown_with: dict[str, set[str]] = {}
    for shut, shown in layers.torn_apart:
        shown_with.setdefault(shut, set()).add(shown)
    for group in material.groups:
        drawn = layers.of(group.template_id)
        if drawn is None:
            yield of_group("layer-undrawn", group)
            continue
        others = _saying_other(group, drawn)
        if others is not None:
            yield of_group("layer-contradicts", group, others, said=f"drawn {drawn}")
        if group.template_id in shown_with:
            named = ", ".join(sorted(shown_with[group.template_id]))
            yield of_group("sealed-shown", group, said=f"in {named}")
    for each in layers.short:
        said = f"{each.stratum}: {each.sealed_items} of {each.items}"
        yield of_bank("sealed-short", said)


def _saying_other(group: Group, drawn: str) -> list[str] | None:
    """Return the items whose layer is another; None when neither group nor items say so."""
    items = [item.id for item in group.items if item.layer is not None and item.layer != drawn]
    if items or (group.layer is not None and group.layer != drawn):
        return items
    return None
