"""One demo folder, one Voila and one JupyterLab for all tests in the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from reviewkit.workspace import Workspace
from tests.browser.places import Lab, jupyterlab, lay_demo, link_of, voila
from tests.browser.reader import Reader
from tests.serving.served import Server

VOILA_RATERS = tuple(f"v{n:02}" for n in range(1, 31))
Sit = Callable[..., Reader]


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return the folder that both servers open."""
    return lay_demo(tmp_path_factory.mktemp("demo") / "project", (*VOILA_RATERS, "author"))


@pytest.fixture(scope="session")
def served(place: Workspace) -> Iterator[Server]:
    """Return a Voila that serves the demo study."""
    with voila(place) as server:
        yield server


@pytest.fixture(scope="session")
def running_lab(place: Workspace) -> Iterator[Lab]:
    """Return a JupyterLab started for the author."""
    with jupyterlab(place, "author") as lab:
        yield lab


@pytest.fixture
def lab(running_lab: Lab) -> Lab:
    """Return the JupyterLab with no kernel and a fresh notebook."""
    running_lab.tidy()
    return running_lab


@pytest.fixture(scope="session")
def raters() -> Iterator[str]:
    """Yield raters who have not judged yet."""
    return iter(VOILA_RATERS)


@pytest.fixture
def rater(raters: Iterator[str]) -> str:
    """Return somebody who has not judged yet."""
    return next(raters)


@pytest.fixture
def sit(browser: Any) -> Iterator[Callable[..., Reader]]:
    """Return a function that seats a reader in a fresh profile; pages may not throw."""
    seated: list[Reader] = []

    def seat(**options: Any) -> Reader:
        reader = Reader(browser, **options)
        seated.append(reader)
        return reader

    yield seat
    errors = [error for reader in seated for error in reader.errors]
    for reader in seated:
        reader.close()
    assert errors == []


@pytest.fixture
def reader(sit: Callable[..., Reader], served: Server, rater: str) -> Reader:
    """Return a fresh rater in front of the first card."""
    one = sit().open(link_of(served, rater))
    one.shows("DEMO-T1-001")
    return one
