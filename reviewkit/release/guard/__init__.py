"""The guard of the door: names, sealed texts and addresses, sought in what is to be public."""

from reviewkit.release.guard.looking import Guard, Piece
from reviewkit.release.guard.names import NameFinder, passes_outside, people_named
from reviewkit.release.guard.outside import Outside, guard_of

__all__ = ["Guard", "NameFinder", "Outside", "Piece", "guard_of", "passes_outside", "people_named"]
