"""Kernels that belong to people: started for one, opened and ended by no other."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_core.utils import ensure_async
from jupyter_server.auth.authorizer import Authorizer
from jupyter_server.auth.identity import User
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.ioloop import IOLoop
from tornado.web import HTTPError
from traitlets import Bool, Int
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler

from reviewkit.desk.server.identity import Visitor
from reviewkit.desk.server.warm.parent import WarmParent, why_not_fork
from reviewkit.desk.server.warm.pool import Pool
from reviewkit.desk.server.warm.provisioner import NAME, is_registered
from reviewkit.study.links import PERSON_VARIABLE, Person, known_person

GRACE_SECONDS = 45.0
"""How long a kernel waits for its page to come back after the last connection closed."""

STATUS_TOPIC = b"kernel."
"""What the names of a kernel's broadcasts about itself begin with; those of widgets do not."""

UNCLAIMED_SECONDS = 10.0
"""After which the client of a kernel from the pool is stopped, unless a page has taken it."""

_SECRET_NAME = re.compile(r"TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE|API_?KEY", re.IGNORECASE)


_ASKED_FOR = {"QUERY_STRING", "VOILA_REQUEST_URL", "PATH_INFO", "REQUEST_URI"}
"""Voila's words for the address of a page; somebody may have pasted his secret into it."""


class OneKernelSpec(KernelSpecManager):
    """Offers one kernel, the lean one of this very Python, whatever else is installed."""

    name: ClassVar[str] = "python3"
    for_our_page = Bool(
        False, config=True, help="The page is ours, and reads no statuses of its kernel."
    )

    def find_kernel_specs(self) -> dict[str, str]:
        """Return the one name."""
        return {self.name: str(Path(__file__).parent)}

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:  # noqa: ARG002
        """Return the one kernel under any name."""
        launcher = Path(__file__).with_name("lean_kernel.py")
        quiet = ["--RaterKernel.tell_comms=False"] if self.for_our_page else []
        return KernelSpec(
            argv=[sys.executable, "-P", str(launcher), "-f", "{connection_file}", *quiet],
            display_name="Python 3",
            language="python",
            resource_dir=str(launcher.parent),
            # without the entry point of an installed package, jupyter_client starts it by itself
            metadata={"kernel_provisioner": {"provisioner_name": NAME}} if is_registered() else {},
        )


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without whatever may be a secret of the server's."""
    return {name: value for name, value in environment.items() if not _SECRET_NAME.search(name)}


def _of_nobody() -> dict[str, str]:
    """Return the server's environment without its secrets and without any person."""
    return {k: v for k, v in without_secrets(os.environ).items() if k != PERSON_VARIABLE}


class OwnedKernels(AsyncMappingKernelManager):
    """Remembers for whom each kernel was started, and ends it soon after that page is gone."""

    forked = Bool(
        True, config=True, help="Fork kernels from one warm parent where that is possible."
    )
    for_our_page = Bool(
        False, config=True, help="The sockets of our pages tell what passes through them."
    )
    pool_size = Int(0, config=True, help="Kernels that are started before anybody comes.")

    def __init__(self, **kwargs: Any) -> None:
        # Voila also lets a browser send shutdown_request, upon which the server starts an empty
        # kernel under a page that looks alive.
        allowed = kwargs.get("allowed_message_types", [])
        kwargs["allowed_message_types"] = [kind for kind in allowed if kind != "shutdown_request"]
        super().__init__(**kwargs)
        self._owners: dict[str, Person] = {}
        self._left: dict[str, float] = {}
        self.warm: WarmParent | None = None
        if self.forked:
            self._warm_up()
        self.pool = Pool(
            self.pool_size, self._start_for_nobody, self.get_kernel, self._end_now, self.say
        )
        if self.pool_size:
            IOLoop.current().add_callback(self.pool.fill)

    def say(self, event: str, why: str) -> None:
        """Log that a kernel came up otherwise than it should; the reason names nobody."""
        self.log.warning("%s: %s", event, why)

    def _warm_up(self) -> None:
        """Start the warm parent with the server, so that the first visitor finds it ready."""
        warm = WarmParent(self.say, _of_nobody())
        why_not = why_not_fork() or (
            ""
            if is_registered()
            else f"the installed package names no kernel provisioner {NAME}; install it again"
        )
        if why_not:
            warm.tell_once(why_not)
            return
        self.warm = warm
        warm.start()

    async def shutdown_all(self, now: bool = False) -> None:
        """End all kernels, then what they were forked from."""
        await self.pool.close()
        await super().shutdown_all(now=now)
        if self.warm is not None:
            self.warm.stop()

    def owner(self, kernel_id: str) -> Person | None:
        """Return for whom the kernel runs."""
        return self._owners.get(kernel_id)

    def sockets(self, kernel_id: str) -> int:
        """Return how many sockets are open to the kernel."""
        return self._kernel_connections.get(kernel_id, 0)

    async def start_kernel(self, **kwargs: Any) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Start a kernel for the person that the environment names; for nobody, refuse.

        It may be one of the pool, which learns here, and from the server alone, whose it is.
        """
        environment: dict[str, str] = kwargs.get("env") or {}
        person = known_person(environment)
        if person is None:
            raise HTTPError(403, "no known person")
        allowed = without_secrets(environment)
        kwargs["env"] = {name: said for name, said in allowed.items() if name not in _ASKED_FOR}
        kernel_id = None
        if self.pool_size:
            path = kwargs.get("path")
            folder = None if path is None else self.cwd_for_path(path)
            kernel_id = await self.pool.take(kwargs["env"], folder)
        if kernel_id is None:
            kernel_id = await super().start_kernel(**kwargs)
        else:  # Voila's own page makes a client for itself and leaves this one
            IOLoop.current().call_later(UNCLAIMED_SECONDS, self.pool.let_go, kernel_id)
        self._owners[kernel_id] = person
        return kernel_id

    async def _start_for_nobody(self) -> str:
        kernel_id = await super().start_kernel(env=_of_nobody())
        self.add_restart_callback(kernel_id, partial(self.pool.drop, kernel_id))
        return kernel_id

    def ready_client(self, kernel_id: str) -> Any:
        """Return a client that a kernel of the pool already answers, to be stopped by the taker."""
        return self.pool.client(kernel_id)

    async def _end_now(self, kernel_id: str) -> None:
        await ensure_async(self.shutdown_kernel(kernel_id, now=True))

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End a kernel that nobody used for long; one of the pool is meant to wait."""
        if kernel_id not in self.pool:
            await super().cull_kernel_if_idle(kernel_id)

    def start_watching_activity(self, kernel_id: str) -> None:
        """Hear the kernel's statuses; the rest is read once, by the socket it is meant for."""
        super().start_watching_activity(kernel_id)
        if self.for_our_page:
            kernel: Any = self.get_kernel(kernel_id)
            heard = kernel._activity_stream.socket  # noqa: SLF001
            heard.subscribe(STATUS_TOPIC)
            heard.unsubscribe(b"")

    def note_activity(self, kernel_id: str) -> None:
        """Note that somebody uses the kernel: it is not idle."""
        kernel: Any = self._kernels.get(kernel_id)
        if kernel is not None:
            self.last_kernel_activity = kernel.last_activity = datetime.now(UTC)

    def remove_kernel(self, kernel_id: str) -> Any:
        """Forget a kernel that has ended."""
        self.pool.drop(kernel_id)
        self.pool.let_go(kernel_id)
        self._owners.pop(kernel_id, None)
        self._left.pop(kernel_id, None)
        return super().remove_kernel(kernel_id)

    def notify_disconnect(self, kernel_id: str) -> None:
        """Give the page a moment to come back, then end the kernel.

        The unload beacon of a closed tab usually came first; this is for tabs that crashed and
        for beacons that were lost. Idle culling cannot do it: it counts from the last click, and
        would end the kernel of a thinking person at the first hiccup of the network.
        """
        super().notify_disconnect(kernel_id)
        if kernel_id in self and not self._kernel_connections.get(kernel_id):
            self._left[kernel_id] = monotonic()
            IOLoop.current().call_later(GRACE_SECONDS, self._end_if_left, kernel_id)

    async def _end_if_left(self, kernel_id: str) -> None:
        left = self._left.get(kernel_id)
        if left is None or kernel_id not in self or self._kernel_connections.get(kernel_id):
            return
        if monotonic() - left >= GRACE_SECONDS - 0.5:
            await ensure_async(self.shutdown_kernel(kernel_id))


def _owns(handler: JupyterHandler, user: User | None, kernel_id: str | None) -> bool:
    kernels = handler.kernel_manager
    if not isinstance(user, Visitor) or not isinstance(kernels, OwnedKernels) or not kernel_id:
        return False
    owner = kernels.owner(kernel_id)
    return owner is not None and owner == user.person


class OwnKernelsOnly(Authorizer):
    """Lets a person reach the kernels that run for him and nothing else."""

    def is_authorized(
        self,
        handler: JupyterHandler,
        user: User,
        action: str,  # noqa: ARG002
        resource: str,
    ) -> bool:
        """Say the same no to a kernel of somebody else and to one that does not exist."""
        return resource == "kernels" and _owns(handler, user, handler.path_kwargs.get("kernel_id"))


class ShutdownOwnKernel(VoilaShutdownKernelHandler):
    """Where the closing page says goodbye; Voila's own ends any kernel for anybody."""

    async def post(self, kernel_id: str) -> None:
        """End the kernel if it runs for the one who asks."""
        if not _owns(self, self.current_user, kernel_id):
            raise HTTPError(403)
        goodbye: Any = super().post(kernel_id)  # tornado's decorator hides that it is awaited
        await goodbye
