"""The certificate of a freeze as it goes out: the same figures, people under pseudonyms.

What was said after the freeze goes along: retractions, amendments and deviations are public.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from reviewkit.problems import Problem, ProblemsFound
from reviewkit.release.freeze import (
    Certificate,
    Freeze,
    FreezeLine,
    UnknownFreeze,
    as_json_text,
    find_freeze,
    verify_freeze,
)
from reviewkit.release.freeze.page import with_page
from reviewkit.release.publish.guard import Piece
from reviewkit.release.publish.people import People
from reviewkit.workspace import Workspace


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


def certificate_files(freeze: Freeze, people: People) -> tuple[dict[str, bytes], list[Piece]]:
    """Return the files of the certificate, and the texts in it.

    Raises ProblemsFound when the certificate cannot be read.
    """
    veiled, page = with_page(_veiled(freeze.certificate, people))
    files = {
        "certificate/certificate.json": as_json_text(veiled),
        "certificate/CERTIFICATE.md": page,
    }
    pieces = [
        Piece(f"certificate of {freeze.name}, waiver of {each.code}", each.reason)
        for each in veiled.waivers
    ]
    pieces += [
        Piece(f"certificate of {freeze.name}, agreement of {' and '.join(each.between)}", notice)
        for each in veiled.agreements
        for notice in each.notices
    ]
    if freeze.afterwards:
        files["certificate/afterwards.json"] = _afterwards(freeze.afterwards, people)
        for line in freeze.afterwards:
            for text in (line.text, line.reason, line.effect):
                if text:
                    pieces.append(Piece(f"rulings/freezes/log.jsonl:{line.seq}", text))
    return files, pieces


def _veiled(certificate: Certificate, people: People) -> Certificate:
    fields = certificate.model_dump(mode="json", by_alias=True)
    for part in ("review", "agreements"):
        fields[part] = _each_text(fields[part], people)
    certificate = Certificate.model_validate(fields)
    guide = certificate.guide
    return certificate.model_copy(
        update={
            "name": people.veiled(certificate.name),
            "guide": guide and guide.model_copy(update={"name": people.veiled(guide.name)}),
            "waivers": tuple(
                each.model_copy(update={"name": people.veiled(each.name)})
                for each in certificate.waivers
            ),
        }
    )


def _each_text(value: Any, people: People) -> Any:
    """Return a JSON value with every text in it, and every key, without names of passes."""
    if isinstance(value, str):
        return people.without_passes(value)
    if isinstance(value, list):
        return [_each_text(each, people) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {
            people.without_passes(name): _each_text(each, people) for name, each in fields.items()
        }
    return value


def _afterwards(lines: tuple[FreezeLine, ...], people: People) -> bytes:
    told = [
        {
            "kind": line.kind, "freeze": line.freeze, "day": line.time[:10],
            "name": people.veiled(line.name), "ids": line.ids, "text": line.text,
            "reason": line.reason, "effect": line.effect,
            "changes": [change.model_dump(mode="json") for change in line.changes],
        }
        for line in lines
    ]  # fmt: skip
    return (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
