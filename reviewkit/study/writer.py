"""One writing tab per pass: a small mark beside the ledger says which tab may write.

The mark keeps a person from working in two tabs without noticing; it is not what keeps records
safe (the ledger's lock does). A mark is free when its process is gone, when it is the same tab
again (a reload), or when it has not been heard of for ``SILENT_AFTER`` seconds. A process of
another machine cannot be looked for, so there only silence counts, by the store's clock.
"""

from __future__ import annotations

import json
import os
import platform
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import time

from reviewkit.decisions.disk import CannotRead, CannotWrite
from reviewkit.decisions.stores.protocols import Kept

SILENT_AFTER = 90.0
"""Seconds; browsers slow the timers of hidden tabs down to one a minute."""
TOUCH_EVERY = 15.0
"""Seconds between two signs of life; in a database each is a transaction."""


@dataclass(frozen=True, slots=True)
class _Mark:
    tab: str
    token: str
    process: str
    here: str
    machine: str
    """Where the process runs; what an earlier reviewkit wrote has none and is taken for here."""


def _process_name(pid: int) -> str | None:
    """Return the pid with its start time, so that a reused pid is not taken for the old process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return None
        except OSError:
            pass
        return str(pid)
    after_name = stat.rpartition(")")[2].split()
    if after_name[0] == "Z":
        return None
    return f"{pid}.{after_name[19]}"


def _machine() -> str:
    """Return what tells whether a pid means anything here: the boot, and the space of its pids."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        pids = Path("/proc/self/ns/pid").readlink().name
    except OSError:
        boot, pids = "", ""
    return f"{platform.node()} {boot} {pids}".strip()


class WriterMark:
    """The right of one tab to write in one pass.

    Args:
        name: where the mark is kept, ``<rater>.writer.json`` beside the ledger.
        kept: the values of the project folder, or of the database that servers share.
        machine: tells processes of this machine from those of others.
        clock: gives the seconds by which the next sign of life is due.
    """

    def __init__(
        self, name: str, kept: Kept, *, machine: str = "", clock: Callable[[], float] = time
    ) -> None:
        self._name = name
        self._kept = kept
        self._machine = machine or _machine()
        self._token = ""
        self._clock = clock
        self._heard = float("-inf")

    def claim(self, tab: str, *, take_over: bool = False) -> bool:
        """Take the mark for ``tab`` and return True, or return False when another tab has it.

        Raises CannotWrite when the disk, the folder or the database does not take it.
        """
        mark = self._read()
        if mark is not None and not take_over and mark.tab != tab and self._is_live(mark):
            return False
        process = _process_name(os.getpid()) or str(os.getpid())
        here = mark.here if mark is not None else ""
        self._token = secrets.token_hex(8)
        self._write(_Mark(tab, self._token, process, here, self._machine))
        return True

    def stay_at(self, card_id: str) -> None:
        """Remember the card on the screen, so that a reload or a restart comes back to it."""
        # where one was is a convenience; a full disk must not keep a card from being shown
        with suppress(CannotRead, CannotWrite):
            mark = self._read()
            if mark is not None and mark.token == self._token and mark.here != card_id:
                self._write(replace(mark, here=card_id))

    @property
    def here(self) -> str:
        """The card that was last on the screen, or an empty string."""
        mark = self._read()
        return mark.here if mark is not None else ""

    def holds(self) -> bool:
        """Return whether this process's claim still stands.

        Raises CannotWrite when a database does not say: who asks is about to write.
        """
        try:
            mark = self._read()
        except CannotRead as error:
            why = error.why.removeprefix("cannot be read: ")
            raise CannotWrite(error.file, why, error.remedy) from error
        return mark is not None and bool(self._token) and mark.token == self._token

    def touch(self) -> None:
        """Say that the tab is still there, unless that was said a moment ago."""
        # by the clock on the wall, which goes on while a laptop sleeps and may be set back
        if abs(self._clock() - self._heard) >= TOUCH_EVERY and self.holds():
            self._kept.touch(self._name)
            self._heard = self._clock()

    def _write(self, mark: _Mark) -> None:
        self._kept.write(self._name, json.dumps(asdict(mark)).encode("utf-8"))
        self._heard = self._clock()

    def _read(self) -> _Mark | None:
        try:
            fields = json.loads(self._kept.read(self._name) or b"")
            return _Mark(
                tab=str(fields["tab"]),
                token=str(fields["token"]),
                process=str(fields["process"]),
                here=str(fields["here"]),
                machine=str(fields.get("machine", self._machine)),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def _is_live(self, mark: _Mark) -> bool:
        if mark.machine == self._machine:
            pid = mark.process.partition(".")[0]
            if not pid.isdigit() or _process_name(int(pid)) != mark.process:
                return False
        heard = self._kept.changed(self._name)
        return heard is not None and self._kept.now() - heard < SILENT_AFTER
