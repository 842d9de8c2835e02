"""What the ledger costs beside the disk: ``python benchmarks/ledger.py [records] [database]``.

Prints the time of an append beside that of a bare open + write + fsync of the same bytes, the time
to open a ledger of 10,000 records, and beside the file what the same costs in SQLite and in the
database whose address is given (an empty one: it keeps what is written).
"""

from __future__ import annotations

import os
import secrets
import statistics
import sys
import tempfile
import time
from pathlib import Path

from reviewkit.decisions import ChainedLedger, Entry, FileLedger, Record
from reviewkit.decisions.lines import FIRST
from reviewkit.decisions.stores.store_file import checked_url
from reviewkit.decisions.stores.store_of import sql_store
from reviewkit.digests import canonical_json
from reviewkit.workspace import Workspace


def entry(number: int) -> Entry:
    """Return a decision as a reviewer makes it, with a note of some length."""
    return Entry.model_validate(
        {
            "kind": "decision",
            "click_id": f"click-{number:08d}",
            "study": "demo",
            "round": "1",
            "pass": "first",
            "rater": "amal",
            "origin": "voila",
            "card_id": f"DEMO-T1-{number % 25:03d}",
            "card_digest": "a" * 64,
            "form": "t1",
            "form_version": "1",
            "form_digest": "b" * 64,
            "asked": [f"check_{each}" for each in range(6)],
            "answers": {f"check_{each}": "no" if each == 2 else "yes" for each in range(6)},
            "note": "الفرق بين النصين أكثر من المتغير المعلن " * 3,
            "verdict": "needs_fix",
            "rule_version": "1",
            "seconds": 41.5,
        }
    )


def bare(path: Path, raw: bytes) -> None:
    """Open, write and fsync: the least that any durable append costs."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    os.write(descriptor, raw)
    os.fsync(descriptor)
    os.close(descriptor)


def large(path: Path, count: int) -> None:
    """Write a sound ledger of ``count`` records at once."""
    previous = FIRST
    with path.open("wb") as file:
        for number in range(1, count + 1):
            fields = entry(number).model_dump(mode="json", by_alias=True)
            fields |= {"schema_version": 1, "seq": number, "previous": previous}
            fields["time"] = "2026-01-01T00:00:00.000Z"
            fields["digest"] = previous = Record.digest_of_fields(fields)
            file.write(canonical_json(fields) + b"\n")
        file.flush()
        os.fsync(file.fileno())


def in_databases(folder: Path, count: int, address: str | None) -> None:
    """Append to a file and to databases in alternation; then look for a click with nothing new."""
    ws = Workspace(folder)
    urls = {"SQLite": f"sqlite:///{folder / 'lines.db'}"}
    if address:
        urls["PostgreSQL"] = checked_url(ws, address)
    place = folder / "rulings" / "demo" / "first" / f"{secrets.token_hex(6)}.jsonl"
    ledgers: dict[str, ChainedLedger] = {"file": FileLedger(folder / "beside.jsonl")}
    ledgers |= {name: ChainedLedger(sql_store(ws, url).lines(place)) for name, url in urls.items()}
    appends: dict[str, list[float]] = {name: [] for name in ledgers}
    finds: dict[str, list[float]] = {name: [] for name in ledgers}
    for number in range(count + 1):
        given = entry(number)
        for name, ledger in ledgers.items():
            began = time.perf_counter()
            ledger.append(given)
            between = time.perf_counter()
            ledger.find(given.click_id)
            appends[name].append(between - began)
            finds[name].append(time.perf_counter() - between)
    for what, taken in (("append", appends), ("find", finds)):
        # the first one connects
        times = {name: statistics.median(each[1:]) for name, each in taken.items()}
        for name, median in times.items():
            ratio = median / times["file"]
            print(f"{what:6} {name:12} {median * 1000:7.3f} ms   {ratio:6.2f} times the file's")


def main(count: int, address: str | None) -> None:
    """Measure in alternation, so that a busy disk slows both alike."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        folder = Path(name)
        ledger = FileLedger(folder / "ledger.jsonl")
        ledger.append(entry(0))
        raw = ledger.path.read_bytes()
        ours: list[float] = []
        theirs: list[float] = []
        for number in range(1, count + 1):
            given = entry(number)
            began = time.perf_counter()
            ledger.append(given)
            between = time.perf_counter()
            bare(folder / "bare", raw)
            ours.append(between - began)
            theirs.append(time.perf_counter() - between)
        our, their = statistics.median(ours), statistics.median(theirs)
        print(f"append        {our * 1000:7.3f} ms (median of {count}, {len(raw)} bytes)")
        print(f"bare + fsync  {their * 1000:7.3f} ms")
        print(f"ratio         {our / their:7.2f}   beside the disk {(our - their) * 1000:.3f} ms")
        large(folder / "large.jsonl", 10_000)
        big = FileLedger(folder / "large.jsonl")
        began = time.perf_counter()
        big.records()
        print(f"open 10,000   {time.perf_counter() - began:7.3f} s")
        began = time.perf_counter()
        big.append(entry(20_000))
        print(f"next append   {(time.perf_counter() - began) * 1000:7.3f} ms")
        in_databases(folder, count, address)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500, sys.argv[2] if len(sys.argv) > 2 else None)
