"""How the server talks to its kernels."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from reviewkit.desk.server.transport import clear_abandoned, hold, transport
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


HOLDER = (
    "import sys, time; from pathlib import Path; from reviewkit.desk.server.transport import hold; "
    "hold(Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"
)


def test_the_folder_of_a_killed_server_is_cleared_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a server that lives, of another Voila, behind a link or elsewhere: each stays."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("voila_killed", "voila_alive", "voila_strange", "elsewhere"):
        (tmp_path / name).mkdir(mode=0o700)
        (tmp_path / name / "kernel-1-ipc-1").touch()
    (tmp_path / "voila_link").symlink_to(tmp_path / "elsewhere")
    os.close(hold(tmp_path / "elsewhere"))
    held = hold(tmp_path / "voila_alive")
    killed = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "voila_killed")], stdout=subprocess.PIPE
    )
    try:
        assert killed.stdout is not None
        assert killed.stdout.readline() == b"held\n"
        clear_abandoned()
        assert (tmp_path / "voila_killed").is_dir(), "its process still lives"
    finally:
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
    clear_abandoned()
    left = {each.name for each in tmp_path.iterdir()}
    assert left == {"voila_alive", "voila_strange", "voila_link", "elsewhere"}
    assert (tmp_path / "elsewhere" / "kernel-1-ipc-1").exists()
    os.close(held)
    clear_abandoned()
    assert not (tmp_path / "voila_alive").exists()
