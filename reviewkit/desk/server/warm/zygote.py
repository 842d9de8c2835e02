"""The warm parent: everything a rater's kernel imports is imported here once, then forked.

A process of its own, run by path. Its standard input is a socket to the server; there is no name
that anybody else could find. One order is one JSON object, ``{"argv": [...], "env": {...}, "cwd":
"..."}``, and beside it one end of a fresh socket pair, the kernel's *lifeline*. Along the lifeline
come back ``{"pid": ...}`` with a pidfd, ``{"bound": true}`` once the kernel listens, and
``{"code": ...}`` when it has ended, or ``{"refused": "why"}``. A kernel whose server has let go of
its lifeline is killed, with all that it started; so are all kernels when the server is gone.

Forking is safe only while nothing runs beside: one thread, no event loop, no ZMQ context. So this
is one blocking loop around ``poll``, without signal handlers, and it refuses to serve when a module
has started a thread.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ORDER_BYTES = 1 << 20
"""An order is smaller; the kernel of the system refuses to send more than about 200 kB."""

SHARED = (
    # the kernel itself, and what it would import while it starts
    "ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.iostream", "ipykernel.displayhook",
    "ipykernel.zmqshell", "IPython.core.debugger", "IPython.extensions.storemagic", "pdb",
    "sqlite3", "psutil", "pexpect", "tornado.platform.asyncio", "zmq.eventloop.zmqstream",
    "zmq.asyncio", "faulthandler", "fcntl", "colorsys", "IPython.core.completerlib",
    # what a first card of any study needs
    "reviewkit.desk.server.rater_kernel",
    "reviewkit.desk.review", "reviewkit.desk.codes_view", "reviewkit.desk.hearing_view",
    "reviewkit.desk.server.warm.ahead",
)  # fmt: skip
"""Imported before the first fork. Nothing here may open a file for good or start a thread."""


@dataclass
class Order:
    """What a kernel is started with."""

    argv: list[str]
    env: dict[str, str]
    cwd: str | None
    lifeline: socket.socket


@dataclass
class Child:
    """A kernel that was forked; its entry in the process table is kept until it is let go."""

    pid: int
    pidfd: int
    lifeline: socket.socket
    dead: bool = False
    released: bool = False

    def kill(self) -> None:
        """Kill it and its process group; it cannot be another's number, as nobody reaped it."""
        for kill in (
            lambda: os.killpg(self.pid, signal.SIGKILL),
            lambda: signal.pidfd_send_signal(self.pidfd, signal.SIGKILL),
        ):
            with suppress(OSError):
                kill()

    def close(self) -> None:
        """Close what belongs to it."""
        os.close(self.pidfd)
        self.lifeline.close()


def main() -> None:
    """Import, freeze, serve; in a forked process, become the kernel that was ordered."""
    control = socket.socket(fileno=os.dup(0))
    _close_input()
    _name("rk-warm-parent")
    gc.disable()
    # as in lean_kernel.py: ipykernel takes the debugger for not installed
    sys.modules["debugpy"] = None  # type: ignore[assignment]
    for name in SHARED:
        importlib.import_module(name)
    _build_models()
    sys.modules["reviewkit.desk.server.warm.ahead"].read_ahead()
    # What is frozen, no collection touches again: that keeps the pages shared with the kernels.
    gc.collect()
    gc.freeze()
    beside = len(list(Path("/proc/self/task").iterdir())) - 1
    if beside:
        control.send(json.dumps({"refused": f"threads besides the first: {beside}"}).encode())
        return
    os.close(os.pidfd_open(os.getpid()))
    control.send(b'{"ready": true}')
    order = _serve(control)
    if order is not None:
        _become_kernel(order)


class _Kernels:
    """Every kernel that was forked and is not yet let go, by its pidfd and by its lifeline."""

    def __init__(self) -> None:
        self.poll = select.poll()
        self._by_descriptor: dict[int, Child] = {}

    def add(self, pid: int, lifeline: socket.socket) -> None:
        """Tell the server of a new one and watch over it."""
        child = Child(pid, os.pidfd_open(pid), lifeline)
        with suppress(OSError):
            socket.send_fds(lifeline, [b'{"pid": %d}' % pid], [child.pidfd])
        for descriptor, events in ((child.pidfd, select.POLLIN), (lifeline.fileno(), 0)):
            self._by_descriptor[descriptor] = child
            self.poll.register(descriptor, events)

    def notice(self, descriptor: int) -> None:
        """Act on the end of a kernel, or on a lifeline that the server has let go."""
        child = self._by_descriptor.pop(descriptor, None)
        if child is None:
            return
        self.poll.unregister(descriptor)
        if descriptor == child.pidfd:
            child.dead = True
            with suppress(OSError):
                child.lifeline.send(json.dumps({"code": _code(child.pidfd)}).encode())
        else:
            child.released = True
            if not child.dead:
                child.kill()
        if child.dead and child.released:
            os.waitpid(child.pid, 0)
            child.close()

    def all(self) -> list[Child]:
        """Return each of them once."""
        return list({child.pid: child for child in self._by_descriptor.values()}.values())


def _build_models() -> None:
    """Build what our records are checked with; they leave that to their first use."""
    from pydantic import BaseModel  # noqa: PLC0415 - imported with the rest

    waiting: list[type[BaseModel]] = [BaseModel]
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        if model.__module__.startswith("reviewkit."):
            model.model_rebuild(raise_errors=False)


def _serve(control: socket.socket) -> Order | None:
    """Fork for each order; return the order in the forked process, None when the server is gone."""
    kernels = _Kernels()
    kernels.poll.register(control, select.POLLIN)
    while True:
        for descriptor, _ in kernels.poll.poll():
            if descriptor != control.fileno():
                kernels.notice(descriptor)
                continue
            order = _next_order(control)
            if order is None:
                for child in kernels.all():
                    child.kill()
                return None
            try:
                pid = os.fork()
            except OSError as error:
                refusal = json.dumps({"refused": f"fork: {error.strerror}"})
                with suppress(OSError):
                    order.lifeline.send(refusal.encode())
                order.lifeline.close()
                continue
            if pid == 0:
                control.close()
                for child in kernels.all():
                    child.close()
                return order
            kernels.add(pid, order.lifeline)


def _next_order(control: socket.socket) -> Order | None:
    try:
        said, descriptors, _, _ = socket.recv_fds(control, ORDER_BYTES, 1)
    except OSError:
        return None
    if not said or not descriptors:
        return None
    os.set_inheritable(descriptors[0], False)
    return Order(**json.loads(said), lifeline=socket.socket(fileno=descriptors[0]))


def _code(pidfd: int) -> int:
    """Return how a child ended, as Popen would say it, and leave it unreaped."""
    ended: Any = os.waitid(os.P_PIDFD, pidfd, os.WEXITED | os.WNOWAIT)
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def _become_kernel(order: Order) -> None:
    """Turn this forked process into the kernel: its own session, environment, folder."""
    os.setsid()
    _name("rk-kernel")
    os.environ.clear()
    os.environ.update(order.env)
    time.tzset()
    if order.cwd:
        os.chdir(order.cwd)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.enable()
    threading.Thread(target=_end_with_server, args=(order.lifeline,), daemon=True).start()

    from traitlets.config import Config  # noqa: PLC0415

    # after debugpy is hidden
    from reviewkit.desk.server.rater_kernel import RaterKernelApp  # noqa: PLC0415

    class ForkedKernel(RaterKernelApp):
        def parse_command_line(self, argv: Any = None) -> None:
            # a parser for every trait of every class costs 10 ms and 3 MB, for one file name
            del argv
            self.update_config(
                Config(
                    {
                        # The server is not its parent: the lifeline does what ipykernel's own
                        # poller would do.
                        "IPKernelApp": {"connection_file": order.argv[1], "parent_handle": 1},
                        # History stays on, in memory: with it off, ipykernel 7 sometimes hangs
                        # when it ends.
                        "HistoryManager": {"hist_file": ":memory:"},
                    }
                )
            )

        def init_heartbeat(self) -> None:
            super().init_heartbeat()
            # all sockets are bound: whoever connects now need not try twice
            with suppress(OSError):
                order.lifeline.send(b'{"bound": true}')

    ForkedKernel.launch_instance()


def _end_with_server(lifeline: socket.socket) -> None:
    with suppress(OSError):
        while lifeline.recv(64):
            pass
    os.killpg(0, signal.SIGKILL)


def _name(title: str) -> None:
    """Set what process lists show: never a person's name."""
    with suppress(OSError):
        Path("/proc/self/comm").write_text(title, encoding="ascii")


def _close_input() -> None:
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)


if __name__ == "__main__":
    main()
