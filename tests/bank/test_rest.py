"""The collector rests only inside the block, and only where it was on."""

from __future__ import annotations

import gc

import pytest

from reviewkit.bank.rest import collector_at_rest


def test_the_collector_is_on_again_also_after_a_fault() -> None:
    """Nested blocks and an exception leave it as it was."""
    assert gc.isenabled()

    with pytest.raises(ValueError, match="x"), collector_at_rest():
        raise ValueError("x")
    assert gc.isenabled()
    with collector_at_rest():
        with collector_at_rest():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    """Somebody else's choice is not overruled."""
    gc.disable()
    try:
        with collector_at_rest():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
