"""What a society keeps, rebuilds and decides: told from its files, and from people's answers."""

from reviewkit.release.instantiation.listing import Line, Listing, NoInstantiation, instantiation

__all__ = ["Line", "Listing", "NoInstantiation", "instantiation"]
