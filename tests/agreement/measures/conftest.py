"""The libraries that agreement is compared with, and random ratings to compare on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.oracles.asking import Oracles


@pytest.fixture(scope="session")
def oracles() -> Iterator[Oracles]:
    """Return the libraries of the oracles' environment; skip where it was not built."""
    asked = Oracles()
    yield asked
    asked.close()
