"""Fixtures of the bank tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.workspace import Workspace
from tests.bank.example_bank import lay_out


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return a project folder with one well-formed group of every test type."""
    return lay_out(tmp_path)
