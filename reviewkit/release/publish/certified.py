"""The certificate of a freeze as it goes out: byte for byte the file whose digest scores carry.

It names nobody, so nothing in it is changed. What was said after the freeze goes along, people
under pseudonyms: retractions, amendments and deviations are public.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from reviewkit.problems import Problem, ProblemsFound
from reviewkit.release.freeze import (
    Certificate,
    Freeze,
    FreezeLine,
    UnknownFreeze,
    afterwards_page,
    find_freeze,
    told_in,
    verify_freeze,
)
from reviewkit.release.guard import Piece
from reviewkit.release.publish.people import People
from reviewkit.workspace import Workspace

COPIED = ("certificate.json", "CERTIFICATE.md")
_MEND = "mend it where it was written, then freeze again and publish that freeze"


def chosen_freeze(ws: Workspace, name: str | None) -> tuple[Freeze | None, tuple[Problem, ...]]:
    """Return the freeze to publish, or what is wrong with asking for it."""
    try:
        return find_freeze(ws, name), ()
    except UnknownFreeze as error:
        wrong, _, remedy = str(error).rpartition("; ")
        return None, (Problem(ws.shown(ws.freezes), wrong, remedy),)


def freeze_problems(ws: Workspace, freeze: Freeze, bank_digest: str) -> Iterator[Problem]:
    """Yield why the project as it stands is not what the freeze certifies.

    Statements may be mended after the freeze: the harm review has to be when a group is withdrawn.
    """
    if freeze.bank_digest != bank_digest:
        wrong = (
            f"the bank is not what {freeze.name} froze ({freeze.bank_digest[:12]}, now"
            f" {bank_digest[:12]})"
        )
        remedy = "publish from the state that was frozen, or freeze anew"
        yield Problem(ws.shown(ws.freezes), wrong, remedy)
    try:
        found = verify_freeze(ws, freeze.name).problems
    except ProblemsFound as damaged:
        found = damaged.problems
    statements = f"{ws.shown(ws.statements)}/"
    yield from (each for each in found if not each.where.startswith(statements))


def certificate_files(
    freeze: Freeze, ws: Workspace, people: People
) -> tuple[dict[str, bytes], list[Piece]]:
    """Return the files of the certificate, and the texts in it and in what was said since.

    Raises ProblemsFound when the certificate is not what was recorded.
    """
    files = {f"certificate/{name}": _as_frozen(freeze, name, ws) for name in COPIED}
    pieces = list(pieces_of_certificate(freeze.certificate, ws.shown(freeze.folder)))
    if freeze.afterwards:
        # to the day: the minute of an act, beside a rota, would say whose it is
        veiled = tuple(
            line.model_copy(update={"name": people.veiled(line.name), "time": line.time[:10]})
            for line in freeze.afterwards
        )
        files["certificate/afterwards.json"] = _afterwards(veiled)
        files["certificate/AFTERWARDS.md"] = afterwards_page(freeze.name, veiled).encode("utf-8")
        for line in freeze.afterwards:
            where = f"{ws.shown(ws.freeze_log)}:{line.seq}"
            said = (line.text, line.reason, line.effect)
            pieces += [Piece(where, text) for text in said if text]
    return files, pieces


def _as_frozen(freeze: Freeze, name: str, ws: Workspace) -> bytes:
    """Return a file of the freeze, byte for byte what its record names."""
    path = freeze.folder / name
    remedy = "put the file back as it was, from git or a backup"
    try:
        raw = path.read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise ProblemsFound([Problem(ws.shown(path), why, remedy)]) from error
    if hashlib.sha256(raw).hexdigest() != freeze.line.files[name]:
        raise ProblemsFound([Problem(ws.shown(path), "is not what was frozen", remedy)])
    return raw


def pieces_of_certificate(certificate: Certificate, shown: str) -> Iterator[Piece]:
    """Yield every text of a certificate, keys included."""
    for place, text in told_in(certificate):
        yield Piece(f"{shown}/certificate.json {place}", text, remedy=_MEND)


def _afterwards(lines: tuple[FreezeLine, ...]) -> bytes:
    told = [
        {
            "kind": line.kind, "freeze": line.freeze, "day": line.time,
            "name": line.name, "ids": line.ids, "text": line.text,
            "reason": line.reason, "effect": line.effect,
            "changes": [change.model_dump(mode="json") for change in line.changes],
        }
        for line in lines
    ]  # fmt: skip
    return (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
