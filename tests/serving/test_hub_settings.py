"""A server that is told to ask a JupyterHub, and what it says when it cannot."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from reviewkit.desk.server.people import PeopleUnusable, people_named

PREFIX = "/services/reviewkit/"
FROM_THE_HUB = {
    "JUPYTERHUB_API_TOKEN": "a-token",
    "JUPYTERHUB_API_URL": "http://127.0.0.1:1/hub/api",
    "JUPYTERHUB_CLIENT_ID": "service-reviewkit",
    "JUPYTERHUB_SERVICE_PREFIX": PREFIX,
    "JUPYTERHUB_OAUTH_ACCESS_SCOPES": '["access:services!service=reviewkit"]',
}


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    monkeypatch.setitem(sys.modules, "jupyterhub.services.auth", None)
    with pytest.raises(PeopleUnusable, match=r"pip install -e '\.\[hub\]'"):
        people_named("jupyterhub", (), PREFIX)


@pytest.mark.process
@pytest.mark.parametrize("missing", sorted(FROM_THE_HUB))
def test_what_the_hub_did_not_say_is_named(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """Started by hand, or by a Hub that knows it as no service of its own."""
    if importlib.util.find_spec("jupyterhub") is None:
        pytest.skip("NO JUPYTERHUB: pip install -e '.[hub]' to run this test")
    for name, value in FROM_THE_HUB.items():
        monkeypatch.setenv(name, "" if name == missing else value)
    with pytest.raises(PeopleUnusable, match=f"has no {missing};.*behind-a-proxy"):
        people_named("jupyterhub", (), PREFIX)


@pytest.mark.process
def test_the_sub_path_is_the_hubs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one would answer where nobody is sent."""
    if importlib.util.find_spec("jupyterhub") is None:
        pytest.skip("NO JUPYTERHUB: pip install -e '.[hub]' to run this test")
    for name, value in FROM_THE_HUB.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(PeopleUnusable, match=f"use --base-url {PREFIX}"):
        people_named("jupyterhub", (), "/")
    assert people_named("jupyterhub", (), PREFIX) is not None
