"""One kernel manager, as the server has it, for all tests of warm starts; a loop in a thread."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import tempfile
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import psutil
import pytest
from traitlets.config import Config

from reviewkit.desk.server.kernels import OneKernelSpec, OwnedKernels
from reviewkit.desk.server.warm.client import PromptClient
from reviewkit.study.links import PERSON_VARIABLE, Person

T = TypeVar("T")


def environment(rater: str, **more: str) -> dict[str, str]:
    """Return the environment that Voila asks for a kernel of this rater with."""
    person = Person(study="demo", pass_="first", rater=rater)
    return {**os.environ, PERSON_VARIABLE: person.to_text(), **more}


class House:
    """A kernel manager on an event loop of its own, and what it has logged."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.kernels: OwnedKernels = self.run(self._open(settings))

    async def _open(self, settings: dict[str, Any]) -> OwnedKernels:
        log = logging.Logger("kernels")
        log.addHandler(_Listener(self.said))
        config = Config(
            {
                "KernelManager": {"transport": "ipc"},
                "AsyncKernelManager": {"client_factory": PromptClient},
                "OwnedKernels": settings,
            }
        )
        return OwnedKernels(
            config=config,
            log=log,
            kernel_spec_manager=OneKernelSpec(),
            connection_dir=tempfile.mkdtemp(dir=self.folder),
            root_dir=str(self.folder),
        )

    def run(self, work: Coroutine[Any, Any, T], seconds: float = 60) -> T:
        """Do the work on the loop of the manager."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)

    def start(self, rater: str = "amal", **more: str) -> str:
        """Start a kernel for a rater and return its id."""
        return self.run(self.kernels.start_kernel(env=environment(rater, **more)))

    def process(self, kernel_id: str) -> psutil.Process:
        """Return the process of a kernel."""
        return psutil.Process(self.kernels.get_kernel(kernel_id).provisioner.pid)

    def tell(self, kernel_id: str, code: str) -> str:
        """Run code in a kernel and return what it prints."""
        return self.run(self._tell(kernel_id, code))

    async def _tell(self, kernel_id: str, code: str) -> str:
        client = self.kernels.get_kernel(kernel_id).client()
        client.start_channels()
        printed: list[str] = []
        try:
            await client.wait_for_ready(timeout=40)
            await client.execute_interactive(
                code,
                timeout=40,
                output_hook=lambda said: printed.append(str(said["content"].get("text", ""))),
            )
        finally:
            client.stop_channels()
        return "".join(printed).strip()

    def end(self, kernel_id: str) -> None:
        """End a kernel politely."""
        self.run(self.kernels.shutdown_kernel(kernel_id))

    def close(self) -> None:
        """End everything."""
        self.run(self.kernels.shutdown_all())
        self.loop.call_soon_threadsafe(self.loop.stop)


class _Listener(logging.Handler):
    def __init__(self, said: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._said = said

    def emit(self, record: logging.LogRecord) -> None:
        self._said.append(record.getMessage())


@pytest.fixture(scope="package")
def short_folder() -> Iterator[Path]:
    """Return a folder whose sockets have paths that are short enough."""
    folder = Path(tempfile.mkdtemp(prefix="rk-", dir="/tmp"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="package")
def house(short_folder: Path) -> Iterator[House]:
    """Return the manager that all tests share."""
    one = House(short_folder)
    yield one
    one.close()
