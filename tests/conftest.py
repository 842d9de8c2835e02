"""Fixtures of the whole suite: workspaces from the demo bank, a browser, no silent skips."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from reviewkit.workspace import Workspace

# a few examples in the fast loop, many where nobody waits
settings.register_profile("quick", max_examples=15, deadline=None)
settings.register_profile("thorough", max_examples=75, deadline=None)
settings.load_profile("thorough" if os.environ.get("CI") else "quick")

pytest_plugins = ["tests.postgres"]

ROOT = Path(__file__).parent.parent
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(autouse=True)
def _own_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a reviewer's own environment out of the tests."""
    for name in ("WORKSPACE", "STUDY", "RATER", "PASS", "PEOPLE"):
        monkeypatch.delenv(f"REVIEWKIT_{name}", raising=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """In CI a skipped test is a failed one: a missing browser must not look like a pass.

    Other people's data, which are never in the repository, may be missing anywhere.
    """
    report = yield
    allowed = "the shared data are not here" in str(report.longrepr)
    if report.skipped and os.environ.get("CI") and not allowed:
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the YAML files that are really parsed, as they come; none is kept yet."""
    from reviewkit.sources import yaml_files
    from reviewkit.sources.kept import KeptContents

    names: list[str] = []
    read = yaml_files.read_yaml

    def noted(text: str, shown: str) -> object:
        names.append(shown)
        return read(text, shown)

    monkeypatch.setattr(yaml_files, "read_yaml", noted)
    monkeypatch.setattr(yaml_files, "YAML_FILES", KeptContents())
    return names


@pytest.fixture
def demo(tmp_path: Path) -> Workspace:
    """Return a fresh project folder with the demo bank and its study."""
    root = tmp_path / "project"
    for name in ("bank", "checklists", "notebooks", "voila_apps"):
        shutil.copytree(ROOT / name, root / name)
    (root / "rulings" / "demo").mkdir(parents=True)
    shutil.copy(ROOT / "rulings" / "demo" / "study.yaml", root / "rulings" / "demo")
    return Workspace(root)


def chromium_path() -> str | None:
    """Return the browser the tests drive, if there is one."""
    named = os.environ.get("REVIEWKIT_CHROMIUM")
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return named or next((path for path in found if path), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Return a headless Chromium; skip, loudly, where there is none."""
    path = chromium_path()
    if path is None:
        pytest.skip("NO CHROMIUM: install it (apt-get install chromium) to run browser tests")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield running
        running.close()
