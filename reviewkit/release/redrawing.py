"""Drawing the layers of a bank again, from ``bank/layers.yaml`` alone, to see that they were drawn.

The file holds every draw with all that it was made from; what comes out otherwise was edited.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reviewkit.release.drawing_layers import Kept, Layer, Unit, draw
from reviewkit.release.layers import LayerDraw, load_layers
from reviewkit.release.publications import layers_published
from reviewkit.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Redrawn:
    """What drawing again from the file came to."""

    said: tuple[str, ...]
    """A sentence a draw that comes out the same."""
    faults: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether everything comes out as the file says."""
        return not self.faults


def verify_layers(ws: Workspace) -> Redrawn:
    """Draw every draw again from what the file says it was made from, and compare.

    It reads ``bank/layers.yaml`` and the record of publications, nothing else of the bank. Raises
    ProblemsFound when the file cannot be read.
    """
    draws = load_layers(ws)
    said: list[str] = []
    faults: list[str] = []
    for number, each in enumerate(draws, start=1):
        other = _otherwise(each)
        name = f"draw {number}, seed {each.seed}, {each.share} %"
        if other:
            faults.append(f"{name}: {len(other)} groups come out otherwise: {', '.join(other[:5])}")
        else:
            said.append(f"{name}: {len(each.groups)} groups come out the same")
    drawn = {each.id: each for one in draws for each in one.groups}
    out = layers_published(ws)
    faults += [
        f"{name} was published as {published} and is {drawn[name].layer} in the file"
        for name, published in sorted(out.items())
        if name in drawn and drawn[name].layer != published
    ]
    faults += _without_ground(draws, out)
    return Redrawn(tuple(said or ["nothing is sealed: there is no draw yet"]), tuple(faults))


def _without_ground(draws: Sequence[LayerDraw], out: Mapping[str, Layer]) -> Iterator[str]:
    """Yield the groups whose layer is said to be no matter of chance, and nothing made it so."""
    earlier = False
    for one in draws:
        for each in one.groups:
            if each.because == "published" and each.id not in out:
                yield f"{each.id} is {each.layer} since it was published, and no record says so"
            if each.because == "tied" and not (earlier or out):
                yield f"{each.id} is {each.layer} since it is tied to one drawn before: none was"
        earlier = True


def _otherwise(made: LayerDraw) -> list[str]:
    """Return the groups of a draw that come out in another layer when it is made again."""
    units = [
        Unit(group.id, group.stratum, group.items, group.tied_to or group.id,
             group.layer if group.because else None)
        for group in made.groups
    ]  # fmt: skip
    kept = {each.stratum: Kept(each.items, each.sealed) for each in made.kept}
    again = draw(units, kept, seed=made.seed, share=made.share)
    return [group.id for group in made.groups if again[group.id] != group.layer]
