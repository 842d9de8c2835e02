"""A server with a card that believes everything, for the attacks on a kernel's socket."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.attacks.victims import CARD, Card, open_card
from tests.serving.served import Server, lay_project, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give one server to all attacks of a file; a file that needs another one has its own."""
    with running(lay_project(tmp_path_factory.mktemp("project"), CARD)) as one:
        yield one


@pytest.fixture(scope="module")
def card(server: Server) -> Card:
    """Give the attacker's own card."""
    return open_card(server, "mallory")


@pytest.fixture(scope="module")
def victim(server: Server) -> Card:
    """Give the card of somebody else on the same server."""
    return open_card(server, "amal")
