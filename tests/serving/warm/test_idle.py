"""Kernels that nobody came for end by themselves; those under a page never do."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.desk.server.settings import settings_for
from tests.serving.served import until
from tests.serving.warm.conftest import House

pytestmark = pytest.mark.kernel


def test_only_a_kernel_without_a_page_is_ended_for_being_idle(short_folder: Path) -> None:
    """As the server is set, but for the time: a second in place of ten minutes."""
    given = settings_for(1, "127.0.0.1", "/", "reviewkit", "a title").MappingKernelManager
    assert given.cull_idle_timeout > 0
    house = House(short_folder, **{**given, "cull_idle_timeout": 1, "cull_interval": 1})
    try:
        thinking, left = house.start("amal"), house.start("badr")
        house.kernels.notify_connect(thinking)
        assert until(lambda: left not in house.kernels, 20)
        assert not until(lambda: thinking not in house.kernels, 2.5)
        assert house.tell(thinking, "print(6 * 7)") == "42"
    finally:
        house.close()
