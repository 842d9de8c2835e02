"""One writing tab per pass: a small mark beside the ledger says which tab may write.

The mark keeps a person from working in two tabs without noticing; it is not what keeps records
safe (the ledger's lock does). A mark is free when its process is gone, when it is the same tab
again (a reload), or when it has not been heard of for ``SILENT_AFTER`` seconds.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from reviewkit.decisions.disk import CannotWrite, cannot_write

SILENT_AFTER = 90.0
"""Seconds; browsers slow the timers of hidden tabs down to one a minute."""


@dataclass(frozen=True, slots=True)
class _Mark:
    tab: str
    token: str
    process: str
    here: str


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


class WriterMark:
    """The right of one tab to write in one pass."""

    def __init__(self, path: Path, shown: str = "") -> None:
        self._path = path
        self._shown = shown or str(path)
        self._token = ""

    def claim(self, tab: str, *, take_over: bool = False) -> bool:
        """Take the mark for ``tab`` and return True, or return False when another tab has it.

        Raises CannotWrite when the disk or the folder does not take it.
        """
        mark = self._read()
        if mark is not None and not take_over and mark.tab != tab and self._is_live(mark):
            return False
        process = _process_name(os.getpid()) or str(os.getpid())
        here = mark.here if mark is not None else ""
        self._token = secrets.token_hex(8)
        self._write(_Mark(tab, self._token, process, here))
        return True

    def stay_at(self, card_id: str) -> None:
        """Remember the card on the screen, so that a reload or a restart comes back to it."""
        mark = self._read()
        if mark is not None and mark.token == self._token and mark.here != card_id:
            # where one was is a convenience; a full disk must not keep a card from being shown
            with suppress(CannotWrite):
                self._write(replace(mark, here=card_id))

    @property
    def here(self) -> str:
        """The card that was last on the screen, or an empty string."""
        mark = self._read()
        return mark.here if mark is not None else ""

    def holds(self) -> bool:
        """Return whether this process's claim still stands."""
        mark = self._read()
        return mark is not None and bool(self._token) and mark.token == self._token

    def touch(self) -> None:
        """Say that the tab is still there."""
        if self.holds():
            with suppress(OSError):
                os.utime(self._path)

    def _write(self, mark: _Mark) -> None:
        temporary = self._path.with_name(f".{self._path.name}.{secrets.token_hex(4)}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(asdict(mark)), encoding="utf-8")
            temporary.replace(self._path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            raise cannot_write(self._shown, error) from error

    def _read(self) -> _Mark | None:
        try:
            fields = json.loads(self._path.read_text(encoding="utf-8"))
            return _Mark(*(str(fields[name]) for name in ("tab", "token", "process", "here")))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _is_live(self, mark: _Mark) -> bool:
        pid = mark.process.partition(".")[0]
        if not pid.isdigit() or _process_name(int(pid)) != mark.process:
            return False
        try:
            silent = time.time() - self._path.stat().st_mtime
        except OSError:
            return False
        return silent < SILENT_AFTER
