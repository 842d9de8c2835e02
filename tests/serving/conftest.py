"""One server for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serving.served import Server, lay_project, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give one server at the root of its host to all tests of a file."""
    with running(lay_project(tmp_path_factory.mktemp("project"))) as one:
        yield one
