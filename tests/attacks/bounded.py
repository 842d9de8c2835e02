"""Running one call in a process of its own that may use so much time and memory and no more."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

from reviewkit.problems import ProblemsFound, ReviewkitError

SECONDS = 20
"""Of processor time, so that a busy machine fails nothing."""
MEGABYTES = 700


def told_by(call: Callable[[], object], seconds: int = SECONDS, megabytes: int = MEGABYTES) -> str:
    """Return what the call says when it refuses: its sentences, cut to 20 lines.

    ``read`` when it does not refuse; ``out of memory``, ``killed`` or the name of the error when
    it is not ended by a refusal.
    """
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        said = _limited(call, seconds, megabytes)
        with suppress(OSError):
            os.write(writes, said[:8_000].encode("utf-8", "replace"))
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        said = pipe.read().decode("utf-8", "replace")
    os.waitpid(child, 0)
    return said or "killed"


def _limited(call: Callable[[], object], seconds: int, megabytes: int) -> str:
    sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - it ends in a moment
    held = psutil.Process().memory_info().vms
    room, time = held + megabytes * 1_000_000, int(sum(os.times()[:2])) + seconds
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CPU, (time, time))
    try:
        call()
    except ProblemsFound as found:
        lines = [str(problem) for problem in found.problems]
        if len(lines) > 2_000:
            return f"{len(lines)} sentences"
        return "\n".join(lines[:20])
    except ReviewkitError as error:
        return str(error)
    except MemoryError:
        return "out of memory"
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is no refusal
        return f"{type(error).__name__}: {error}"
    return "read"
