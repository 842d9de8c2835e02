"""What a first card needs from the disk, read before anybody has come.

What is read is not used: it stays behind as parsed files (``sources/kept.py``), and a file that was
edited meanwhile is read anew. No ledger, no draft and no database is opened here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from reviewkit.bank import Group, read_bank
from reviewkit.cards import card_from_group
from reviewkit.desk.wording import load_strings
from reviewkit.questions import load_forms
from reviewkit.questions.defects import load_families
from reviewkit.study import load_study
from reviewkit.study.dealing import coding_material
from reviewkit.workspace import find_workspace

STUDY_VARIABLE = "REVIEWKIT_READ_AHEAD"
"""The study whose files a kernel may read before it knows its person."""


def read_ahead(environ: Mapping[str, str] = os.environ) -> str:
    """Read the files of the served study; return the kind of fault that ended it, or nothing.

    Whatever fails here fails again, and is told, where a person opens the study.
    """
    try:
        for name in ("strings.yaml", "sentences.yaml"):
            load_strings(name)
        if study := environ.get(STUDY_VARIABLE):
            _read(study)
    except Exception as error:  # noqa: BLE001 - never in the way of the server
        return type(error).__name__
    return ""


def _read(name: str) -> None:
    ws = find_workspace()
    study = load_study(ws, name)
    shelf = load_forms(ws.checklists)
    if study.is_coding:
        coding_material(ws, study, shelf)
        return
    load_families(ws)
    bank, _ = read_bank(ws)
    for group in _one_of_each(bank.groups):
        # what differs between twins is found with patterns that are compiled at their first use
        card_from_group(group, bank.taxonomy, group.source)


def _one_of_each(groups: tuple[Group, ...]) -> Iterator[Group]:
    seen: set[str] = set()
    for group in groups:
        if group.test_type not in seen:
            seen.add(group.test_type)
            yield group
