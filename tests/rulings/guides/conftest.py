"""Rulings filed in the demo folder, and reading what a page of the guide holds."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest

from reviewkit.rulings import Ruling, RulingEntry, rulings_log
from reviewkit.workspace import Workspace
from tests.cli.conftest import run  # noqa: F401

FilesRuling = Callable[..., Ruling]


@pytest.fixture
def file_ruling(demo: Workspace) -> FilesRuling:
    """Return a function that files a ruling in the demo folder."""

    def file(text: str, *checks: str, **more: object) -> Ruling:
        fields = {
            "click_id": secrets.token_hex(8), "type": "ruling", "text": text, "checks": checks,
            "author": "lead", **more,
        }  # fmt: skip
        return rulings_log(demo).file(RulingEntry.model_validate(fields))

    return file


@pytest.fixture
def settled(demo: Workspace, file_ruling: FilesRuling) -> Workspace:
    """Return the demo folder with rulings of every kind in its log."""
    file_ruling("A pair over a second boundary has an axis of its own.", "t1/fields_complete")
    file_ruling("A stub is no twin.", "t1/dialect_twin", "t3/natural_and_stance")
    file_ruling("Nobody is described by a lack.", "t1/no_bait", "t3/real_values")
    file_ruling("Both names may be a cue.", "t2/no_hidden_cue", type="disagreement")
    file_ruling("A twin is written in full.", "t1/dialect_twin", supersedes="R-002")
    file_ruling("A settled name is a class.", "framing/term_class")
    file_ruling("Numerals have one form.")
    return demo
