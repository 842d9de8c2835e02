"""Over what a server talks to its kernels; decided without loading Voila."""

from __future__ import annotations

import os
import tempfile

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
