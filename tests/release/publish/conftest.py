"""A project ready to be published, made once and copied for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reviewkit.workspace import Workspace
from tests.release.publish import ready_project


@pytest.fixture(scope="session")
def _laid_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ready_project.lay(tmp_path_factory.mktemp("laid") / "project").root


@pytest.fixture
def laid(_laid_once: Path, tmp_path: Path) -> Workspace:
    """Return a project that is reviewed and sealed; nothing is stated or frozen."""
    return Workspace(shutil.copytree(_laid_once, tmp_path / "project"))


@pytest.fixture
def ready(laid: Workspace) -> Workspace:
    """Return a project in whose way to a publication nothing stands."""
    ready_project.rule(laid, "A value stands in the same grammatical case in every version.")
    return ready_project.finish(laid)
