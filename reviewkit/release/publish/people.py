"""The people of a project under pseudonyms.

Pseudonyms are numbered in an order that a secret of the project decides, so that somebody who knows
the team cannot work out who is who. The secret lies in ``.reviewkit/``, beside the hashes of the
links, and is in no publication; without it the next publication numbers people anew.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from reviewkit.bank import Bank
from reviewkit.decisions import disk
from reviewkit.labels import pseudonyms
from reviewkit.release.guard.names import is_role, people_named
from reviewkit.study import Study, list_studies, load_study
from reviewkit.study.study import NOT_A_PASS
from reviewkit.workspace import Workspace


@dataclass(frozen=True)
class People:
    """Everybody whose name stands in the files of a project, and what each is called outside."""

    raters: Mapping[str, Mapping[str, str]]
    """Study -> rater -> pseudonym within this study."""
    others: Mapping[str, str]
    """Anybody -> pseudonym across the project: who filed a ruling, waived, verified, froze."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of a person; the lead and the adjudicator as such are none."""
        return tuple(sorted(self.others.keys() - set(NOT_A_PASS)))

    @property
    def not_sought(self) -> tuple[str, ...]:
        """The names that are no more than a role, and so are not looked for."""
        return tuple(name for name in self.names if is_role(name))

    def veiled(self, name: str) -> str:
        """Return the project-wide pseudonym of somebody; nobody stays nobody."""
        return self.others[name] if name else ""


def people_of(ws: Workspace, bank: Bank) -> People:
    """Return everybody, and make the secret of the project if it has none.

    Raises ProblemsFound when a study or the waivers cannot be read, LedgerBroken when a log is
    damaged.
    """
    secret = _secret(ws)
    raters: dict[str, Mapping[str, str]] = {}
    for name in list_studies(ws):
        study = load_study(ws, name)
        first = [each.rater for each in study.rounds[0].passes]
        later = [each for each in _raters(study) if each not in first]
        raters[name] = pseudonyms(first, study=name, seed=secret, later=later)
    numbered = pseudonyms(people_named(ws, bank), study="", seed=secret)
    others = {name: said.replace("rater", "person") for name, said in numbered.items()}
    return People(raters, others | {each: each for each in NOT_A_PASS})


def _raters(study: Study) -> list[str]:
    return [each.rater for round_ in study.rounds for each in round_.passes]


def _secret(ws: Workspace) -> str:
    """Return the secret of the project; the first call makes it."""
    path = ws.pseudonym_key
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        pass
    disk.make_folder(path.parent)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32) + "\n")
        file.flush()
        os.fsync(file.fileno())
    # whole or not at all, and never over one that somebody made meanwhile
    with suppress(FileExistsError):
        path.hardlink_to(part)
    part.unlink()
    disk.sync_folder(path.parent)
    return path.read_text(encoding="ascii").strip()
