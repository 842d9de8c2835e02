"""The ledger of one person: everything he did in one place, appended and never rewritten."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from reviewkit.decisions import disk
from reviewkit.decisions.chain import Chain, Rules
from reviewkit.decisions.hearings import ADJUDICATION, HearingRules
from reviewkit.decisions.lines import RecordRefused, utc_now
from reviewkit.decisions.passes import Owner, PassRules
from reviewkit.decisions.records import UPGRADERS, Entry, Record
from reviewkit.decisions.second_readings import SECOND_READING, SecondReadingRules
from reviewkit.decisions.stores import Lines, Torn
from reviewkit.decisions.stores.file_lines import FileLines


class Ledger(Protocol):
    """What every store of records offers, be it a file or a database."""

    @property
    def torn(self) -> tuple[Torn, ...]:
        """The torn tails that were set aside, to be shown to the rater."""
        ...

    def records(self) -> tuple[Record, ...]:
        """Return every record, in order, those of other writers included."""
        ...

    def find(self, click_id: str) -> Record | None:
        """Return the record that this click made, if there is one."""
        ...

    def append(self, entry: Entry) -> Record:
        """Record ``entry`` and return its record once that is safe; refuse what may not stand."""
        ...


class LedgerRules:
    """The rules of one ledger: of a pass, of an adjudication or of a second reader.

    Which ones is told by the name of its pass, so that they hold through every door that opens the
    file, a verification without any knowledge of its place included.

    Args:
        owner: study, pass and rater whose ledger it is; without it, its first record says.
    """

    def __init__(self, owner: Owner | None = None) -> None:
        self._rules: Rules[Record] | None = _rules_of(owner[1], owner) if owner else None

    def check(self, line: Record) -> None:
        """Raise RecordRefused when ``line`` may not come next."""
        (self._rules or _rules_of(line.pass_, None)).check(line)

    def take(self, line: Record) -> None:
        """Go on with ``line`` in place."""
        if self._rules is None:
            self._rules = _rules_of(line.pass_, None)
        self._rules.take(line)


def _rules_of(pass_: str, owner: Owner | None) -> Rules[Record]:
    if pass_ == ADJUDICATION:
        return HearingRules(owner)
    return SecondReadingRules(owner) if pass_ == SECOND_READING else PassRules(owner)


class ChainedLedger:
    """A ledger in a store, safe under several tabs, processes, threads and machines at once.

    Args:
        lines: where it stands.
        owner: study, pass and rater whose ledger it is: another's, copied there, is not read.
        clock: gives the time of a record.
    """

    def __init__(
        self,
        lines: Lines,
        *,
        owner: Owner | None = None,
        clock: Callable[[], str] = utc_now,
    ) -> None:
        self.shown = lines.shown
        self.chain = Chain(
            lines,
            self.shown,
            Record,
            upgraders=UPGRADERS,
            rules=lambda: LedgerRules(owner),
            clock=clock,
        )

    @property
    def path(self) -> Path:
        """The file; only a ledger that stands in one has a path."""
        return self.chain.path

    @property
    def torn(self) -> tuple[Torn, ...]:
        """The torn tails that this object has set aside."""
        return self.chain.torn

    def records(self) -> tuple[Record, ...]:
        """Return every record, in order; LedgerBroken, NewerRecord or CannotRead when it cannot."""
        return self.chain.lines()

    def find(self, click_id: str) -> Record | None:
        """Return the record that this click made, if there is one."""
        return self.chain.find(click_id)

    def recover(self) -> tuple[Torn, ...]:
        """Set a torn tail aside now, as the next append would; return all set aside so far."""
        return self.chain.recover()

    def append(self, entry: Entry) -> Record:
        """Record ``entry``, return its record once it is safe.

        Whatever ``entry`` claims to be, its fields are checked anew. Raises RecordRefused (also as
        PassLocked or ClickReused), CannotWrite, LedgerBroken or NewerRecord; nothing is then
        recorded. A click that is already recorded gives its first record again.
        """
        try:
            content = entry.model_dump(
                mode="json", by_alias=True, include=set(Entry.model_fields), warnings=False
            )
        except (ValueError, TypeError, RecursionError) as error:
            raise RecordRefused(
                f"it holds a value that JSON has no form for ({error})", "correct it and save again"
            ) from error
        return self.chain.append(content)


class FileLedger(ChainedLedger):
    """A ledger in one JSONL file, whatever store the project folder has.

    Args:
        path: the file; the first append makes it and its folder. ``<path>.lock`` stays beside it.
        shown: the file's name in messages; the path when empty.
        owner: study, pass and rater whose ledger it is: another's, copied there, is not read.
        lock_seconds: how long to wait for another writer.
        clock: gives the time of a record.
    """

    def __init__(
        self,
        path: Path,
        shown: str = "",
        *,
        owner: Owner | None = None,
        lock_seconds: float = disk.LOCK_SECONDS,
        clock: Callable[[], str] = utc_now,
    ) -> None:
        lines = FileLines(path, shown or str(path), lock_seconds)
        super().__init__(lines, owner=owner, clock=clock)
