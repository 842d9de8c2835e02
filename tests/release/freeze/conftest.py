"""A reviewed bank, made once and copied for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reviewkit.release.freeze import freeze
from reviewkit.workspace import Workspace
from tests.release.freeze import clean_bank


@pytest.fixture(scope="session")
def _reviewed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clean_bank.reviewed(tmp_path_factory.mktemp("reviewed") / "project").root


@pytest.fixture
def ws(_reviewed_once: Path, tmp_path: Path) -> Workspace:
    """Return a project folder in whose way to a freeze nothing stands."""
    return Workspace(shutil.copytree(_reviewed_once, tmp_path / "project"))


@pytest.fixture
def frozen(ws: Workspace) -> Workspace:
    """Return a project folder with one freeze, ``one``."""
    freeze(ws, "one", name="amal")
    return ws
