"""Makes a freeze: reads everything twice, writes a folder whole, and records it in one line.

The order is what makes it safe. The folder is written under a hidden name, forced to the disk and
renamed; only then is its line appended to the log, and the line is the freeze. Whatever is killed
before the line leaves no freeze, and the next attempt sets what it finds aside.
"""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import reviewkit
from reviewkit.decisions import FIRST, Report, disk, utc_now
from reviewkit.decisions.stores import must_be_files
from reviewkit.problems import ReviewkitError
from reviewkit.questions import is_blank
from reviewkit.release.freeze.building import build_certificate, groups_as_lines
from reviewkit.release.freeze.certificate import (
    Certificate,
    LedgerFrozen,
    LedgersFrozen,
    Versions,
    as_json_text,
    told_in,
)
from reviewkit.release.freeze.facts import all_facts
from reviewkit.release.freeze.files import Sum, frozen_files, only_grows, sum_of, sums_as_text
from reviewkit.release.freeze.log import FILES, Freeze, FreezeLine, freeze_chain, freezes_in
from reviewkit.release.freeze.obstacles import Obstacle, Ready, look, unfit
from reviewkit.release.freeze.page import with_page
from reviewkit.workspace import Workspace

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?|.*\.", re.IGNORECASE)
"""What another system takes for a device, or cuts short: a checkout could not hold it."""
_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class FreezeRefused(ReviewkitError):
    """The bank cannot be frozen; ``obstacles`` holds all that stands in the way, if that is why."""

    def __init__(self, said: str, obstacles: tuple[Obstacle, ...] = ()) -> None:
        self.obstacles = obstacles
        super().__init__(said)


def freeze(
    ws: Workspace, freeze_name: str, *, name: str, words: Iterable[str] = (),
    clock: Callable[[], str] = utc_now,
) -> Freeze:  # fmt: skip
    """Freeze a project folder and return the freeze.

    Args:
        ws: the project folder.
        freeze_name: what the freeze is called for ever.
        name: who answers for it; the log says so, and the certificate does not.
        words: names that are words as well, and so are not sought in the certificate.
        clock: gives the time.

    Raises:
        FreezeRefused: The name is taken or is none, nobody answers for it, something stands in the
            way, or a file changed while it was read. Nothing is frozen then.
        MustBeFiles: What people wrote stands in a database.
        CannotWrite: The disk or the folder does not take it.
    """
    must_be_files(ws, "a freeze")
    if not _NAME.fullmatch(freeze_name):
        raise FreezeRefused(
            f"{freeze_name!r} is no name for a freeze; use letters, digits, dots, dashes and"
            " underscores, a letter or digit first"
        )
    if freeze_name.casefold().endswith((".jsonl", ".lock")):
        raise FreezeRefused(f"{freeze_name!r} would be taken for the log; choose another name")
    if _RESERVED.fullmatch(freeze_name):
        raise FreezeRefused(
            f"{freeze_name!r} is no name for a folder on every system; choose another"
        )
    if is_blank(name):
        raise FreezeRefused("nobody answers for the freeze; say who with --name")
    with disk.exclusive(ws.freezes / "freeze", ws.shown(ws.freezes)):
        earlier = freeze_chain(ws).lines()
        _must_be_new(earlier, freeze_name)
        if earlier and clock() < earlier[-1].time:
            raise FreezeRefused(
                f"it is {clock()[:16]} by this clock, before the last record of the freezes,"
                f" {earlier[-1].time[:16]}; set the clock"
            )
        found, ready = look(ws, words=words, told={"the name of the freeze": freeze_name}, by=name)
        if found or ready is None:
            number = "1 thing stands" if len(found) == 1 else f"{len(found)} things stand"
            raise FreezeRefused(
                f"{number} in the way of {freeze_name}; `reviewkit freeze --check` lists all", found
            )
        folder = _written(ws, freeze_name, ready, clock())
        return _recorded(ws, freeze_name, name.strip(), ready, folder, clock)


def _must_be_new(lines: Sequence[FreezeLine], freeze_name: str) -> None:
    for line in lines:
        # two folders whose names differ in case alone are one folder on some disks
        if line.kind == "freeze" and line.freeze.casefold() == freeze_name.casefold():
            raise FreezeRefused(
                f"{line.freeze} was frozen on {line.time[:10]} by {line.name}, and a freeze is"
                " never written over; choose another name"
            )


def _written(ws: Workspace, freeze_name: str, ready: Ready, time: str) -> Path:
    """Write the folder under its final name, whole, and return it."""
    sums = _sums(ws, ready.listed.files)
    ledgers = LedgersFrozen(ledgers=_ledgers(sums, ready.reports))
    texts: dict[str, bytes] = {
        "SHA256SUMS": sums_as_text({path: each.digest for path, each in sums.items()}),
        "groups.jsonl": groups_as_lines(all_facts(ready.material)),
        "ledgers.json": as_json_text(ledgers),
    }
    certificate = build_certificate(
        ws, ready, freeze_name=freeze_name, time=time, versions=versions(),
        sums={path: each.digest for path, each in sums.items()},
        digests={each: sha256(raw).hexdigest() for each, raw in texts.items()},
    )  # fmt: skip
    certificate, texts["CERTIFICATE.md"] = with_page(certificate)
    texts["certificate.json"] = as_json_text(certificate)
    _must_be_fit(certificate, ready)
    if frozen_files(ws) != ready.listed or _sums(ws, ready.listed.files) != sums:
        raise FreezeRefused(
            "a file changed while it was being frozen; let everybody finish, then freeze again"
        )
    staged = ws.freezes / f".{freeze_name}.{secrets.token_hex(4)}"
    try:
        disk.make_folder(staged)
        for each in FILES:
            disk.write_new(staged / each, texts[each])
        final = ws.freezes / freeze_name
        _set_aside(final)
        staged.rename(final)
        disk.sync_folder(ws.freezes)
    except BaseException as error:
        shutil.rmtree(staged, ignore_errors=True)
        if isinstance(error, OSError):
            raise disk.cannot_write(ws.shown(ws.freezes / freeze_name), error) from error
        raise
    return final


def _must_be_fit(certificate: Certificate, ready: Ready) -> None:
    """Refuse a certificate that could not be published as it is, wherever its words are from."""
    found = tuple(
        dict.fromkeys(
            obstacle
            for place, text in told_in(certificate)
            for obstacle in unfit(ready.guard, f"the certificate's {place}", text)
        )
    )
    if found:
        raise FreezeRefused("the certificate could not be published; mend what is told", found)


def _set_aside(folder: Path) -> None:
    """Move what an attempt that was cut short left; it is no freeze, and nothing is deleted."""
    if os.path.lexists(folder):
        folder.rename(folder.with_name(f".{folder.name}.unfinished-{secrets.token_hex(4)}"))


def _recorded(
    ws: Workspace, freeze_name: str, name: str, ready: Ready, folder: Path,
    clock: Callable[[], str],
) -> Freeze:  # fmt: skip
    chain = freeze_chain(ws, clock)

    def still_new(earlier: Sequence[FreezeLine]) -> Mapping[str, object]:
        _must_be_new(earlier, freeze_name)
        return {}

    chain.append(
        {
            "click_id": secrets.token_hex(8),
            "kind": "freeze",
            "freeze": freeze_name,
            "name": name,
            "bank_digest": ready.audit.digest,
            "files": {each: sum_of(folder / each).digest for each in FILES},
        },
        still_new,
    )
    return freezes_in(ws, chain.lines())[-1]


def _sums(ws: Workspace, files: tuple[str, ...]) -> dict[str, Sum]:
    try:
        return {path: sum_of(ws.root / path) for path in files}
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise FreezeRefused(
            f"{error.filename}: {why}; let everybody finish, then freeze again"
        ) from error


def _ledgers(sums: Mapping[str, Sum], reports: tuple[Report, ...]) -> tuple[LedgerFrozen, ...]:
    by_file = {report.file: report for report in reports}
    found: list[LedgerFrozen] = []
    for path, each in sums.items():
        if only_grows(path):
            report = by_file.get(path)
            found.append(
                LedgerFrozen(
                    file=path, size=each.size, digest=each.digest,
                    records=report.records if report else 0, tip=report.tip if report else FIRST,
                )
            )  # fmt: skip
    return tuple(found)


def versions() -> Versions:
    """Return what runs here: reviewkit, Python, and every package that reviewkit pins."""
    try:
        pins = metadata.requires("reviewkit") or []
    except metadata.PackageNotFoundError:
        pins = []
    packages: dict[str, str] = {}
    for pin in pins:
        named = _REQUIREMENT.match(pin)
        if named is None or "extra ==" in pin:
            continue
        try:
            packages[named[0]] = metadata.version(named[0])
        except metadata.PackageNotFoundError:
            continue
    return Versions(
        reviewkit=reviewkit.__version__,
        python=platform.python_version(),
        packages=dict(sorted(packages.items(), key=lambda each: each[0].casefold())),
    )
