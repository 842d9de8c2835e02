"""Over what a server talks to its kernels; decided without loading Voila."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows, where an abandoned folder stays
    fcntl = None

_LONGEST_SOCKET_PATH = 107
"""Bytes of a path that Linux takes for a socket, without the closing zero; macOS takes 103."""
_SOCKET_BELOW_TEMPORARY = len("/voila_12345678/kernel-12345678-1234-1234-1234-123456789012-ipc-5")


def transport() -> str:
    """Return how the server talks to its kernels: sockets in a private folder, or else TCP.

    Voila makes the folder, for itself alone (0700), below the temporary one, and removes it at the
    end. Over TCP, ports were sometimes taken between the choice and the use of them.
    """
    below = len(os.fsencode(tempfile.gettempdir())) + _SOCKET_BELOW_TEMPORARY
    return "ipc" if os.name == "posix" and below <= _LONGEST_SOCKET_PATH - 4 else "tcp"


_MARK = ".reviewkit-server"


def hold(folder: Path) -> int:
    """Mark the folder of this server as in use for as long as the process lives.

    The lock goes with the process, whatever ends it, and with no kernel, as those inherit no
    descriptor; a process number would say nothing to a server in another container. Returns the
    descriptor, or -1 where nothing can be locked.
    """
    if fcntl is None:
        return -1
    # locked before it has its name: who finds the mark never finds it free
    part = folder / f"{_MARK}.part"
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with suppress(OSError):  # a temporary folder that knows no locks: then nobody gets one there
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        part.rename(folder / _MARK)
    return descriptor


def clear_abandoned() -> None:
    """Remove the folders of our servers that were killed, and no other folder of Voila's."""
    if fcntl is None:
        return
    for mark in Path(tempfile.gettempdir()).glob(f"voila_*/{_MARK}"):
        with suppress(OSError):  # held by a server that lives, or gone already
            made = mark.parent.lstat()
            if not stat.S_ISDIR(made.st_mode) or made.st_uid != os.geteuid():
                continue
            descriptor = os.open(mark, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(mark.parent, ignore_errors=True)
            finally:
                os.close(descriptor)
