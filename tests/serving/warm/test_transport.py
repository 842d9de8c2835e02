"""How the server talks to its kernels."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from reviewkit.desk.server.transport import transport
from tests.serving.served import until
from tests.serving.warm.conftest import House

pytestmark = pytest.mark.kernel


def test_a_long_temporary_path_means_tcp(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets lie below the temporary folder while their path is short enough to be one."""
    for length, expected in ((4, "ipc"), (38, "ipc"), (39, "tcp")):
        monkeypatch.setattr(tempfile, "tempdir", "/" + "t" * (length - 1))
        assert transport() == expected


def test_sockets_are_private_and_go_with_their_kernel(house: House) -> None:
    """Nobody else may open the folder; each kernel has a connection file of its own."""
    kernels = [house.start("amal"), house.start("basim")]
    files = [Path(house.kernels.get_kernel(each).connection_file) for each in kernels]
    folder = files[0].parent
    assert stat.S_IMODE(folder.stat().st_mode) & 0o777 == 0o700
    assert len({*files}) == 2
    assert len(list(folder.glob(f"{files[0].stem}-ipc-*"))) == 5
    assert max(len(os.fsencode(each)) for each in folder.iterdir()) < 104
    for each in kernels:
        house.end(each)
    assert until(lambda: not list(folder.glob(f"{files[0].stem}*")), 5)
