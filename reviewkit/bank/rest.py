"""Lets Python's collector of cycles rest while a bank is built."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def collector_at_rest() -> Generator[None]:
    """Switch the collector off in the block, if it was on.

    The hundreds of thousands of objects of a large bank form no cycles and are all kept; looking
    through them again and again takes a third of the time of loading and auditing it.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            # straight to the oldest generation: the first pass over all that is new would cost as
            # much as it saves
            gc.freeze()
            gc.unfreeze()
            gc.enable()
