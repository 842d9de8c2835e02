"""What a kernel is told of the request that it is started for."""

from __future__ import annotations

from typing import Any

import pytest
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError

from reviewkit.desk.server.kernels import OwnedKernels
from reviewkit.study.links import PERSON_VARIABLE, Person
from tests.serving.served import run_apart

pytestmark = pytest.mark.process


def test_no_kernel_learns_the_address_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Voila puts address and query into the environment, and with them whatever was pasted."""
    given: dict[str, Any] = {}

    async def start(_self: object, **kwargs: Any) -> str:
        given.update(kwargs)
        return "a-kernel"

    monkeypatch.setattr(AsyncMappingKernelManager, "start_kernel", start)
    person = Person("demo", "first", "amal").to_text()
    said = "link=a-secret-that-was-pasted"
    environment = {
        "PATH": "/bin",
        PERSON_VARIABLE: person,
        "QUERY_STRING": said,
        "VOILA_REQUEST_URL": f"http://x.example/?{said}",
        "PATH_INFO": f"/{said}",
        "JUPYTERHUB_API_TOKEN": "the-service's",
    }

    async def ask() -> None:
        await OwnedKernels(forked=False).start_kernel(env=environment)

    run_apart(ask())
    assert given["env"] == {"PATH": "/bin", PERSON_VARIABLE: person}


def test_no_kernel_runs_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a person in the server's own word none is started, nor taken from a pool."""

    async def start(_self: object, **_kwargs: Any) -> str:
        raise AssertionError("started")

    monkeypatch.setattr(AsyncMappingKernelManager, "start_kernel", start)

    async def ask(environment: dict[str, str]) -> None:
        with pytest.raises(HTTPError, match="403"):
            await OwnedKernels(forked=False).start_kernel(env=environment)

    for said in ("", "{}", '{"study": "demo", "pass": "first", "rater": "../x"}'):
        run_apart(ask({"PATH": "/bin", PERSON_VARIABLE: said}))
    run_apart(ask({"PATH": "/bin"}))
