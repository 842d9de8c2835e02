"""The server's side of the warm parent: starts it, orders kernels, replaces it when it fails."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

START_SECONDS = 15.0
"""How long a warm parent may take until it is ready; imports take about 1 s."""
FORK_SECONDS = 3.0
"""How long one that is ready may take to fork; one that takes longer hangs and is replaced."""
BOUND_SECONDS = 20.0
"""How long to wait until a forked kernel listens; the client waits on after that."""
TELL_SECONDS = 2.0
"""How long the warm parent may take to tell how a kernel ended."""
TRIES = 3
"""Warm parents that fail one after the other before no more is started."""


class ForkRefused(Exception):
    """No kernel was forked; an ordinary one has to do."""


def why_not_fork() -> str:
    """Return why kernels cannot be forked here, or nothing."""
    if not sys.platform.startswith("linux"):
        return f"forking from a warm parent needs Linux, this is {sys.platform}"
    if not Path("/proc/self/task").is_dir():
        return "/proc is not mounted"
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        return f"pidfd_open: {error.strerror}"
    return ""


class ForkedProcess:
    """A forked kernel with the face of ``subprocess.Popen`` that jupyter_client looks at.

    The pidfd tells of this very process also when its number is long another's.
    """

    stdin = stdout = stderr = None

    def __init__(self, pid: int, pidfd: int, lifeline: socket.socket) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._pidfd = pidfd
        self._lifeline = lifeline
        self._open = True
        self._gone_since = 0.0
        lifeline.setblocking(False)

    async def bound(self) -> None:
        """Wait until it listens; raises ForkRefused when it ended before."""
        waiting = asyncio.get_running_loop().sock_recv(self._lifeline, 4096)
        try:
            said = json.loads(await asyncio.wait_for(waiting, BOUND_SECONDS) or b"{}")
        except TimeoutError:
            return
        if "bound" not in said:
            self.returncode = said.get("code", 1)
            self._let_go()
            raise ForkRefused(f"the forked kernel ended at once with code {self.returncode}")

    def poll(self) -> int | None:
        """Return how it ended, None while it runs; 1 when nobody is left to tell."""
        if self.returncode is None and self._is_gone(0):
            self.returncode = self._last_word()
            if self.returncode is not None:
                self._let_go()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; raises subprocess.TimeoutExpired after ``timeout`` seconds."""
        end = time.monotonic() + (float("inf") if timeout is None else timeout)
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("kernel", timeout or 0)
            time.sleep(0.02)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._pidfd, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def _is_gone(self, milliseconds: float) -> bool:
        # poll, as select cannot name descriptors above 1,023
        look = select.poll()
        look.register(self._pidfd, select.POLLIN)
        return bool(look.poll(milliseconds))

    def _last_word(self) -> int | None:
        """Return the code that the warm parent tells, None while it may still do so."""
        try:
            while said := self._lifeline.recv(4096):
                if "code" in (told := json.loads(said)):
                    return int(told["code"])
        except BlockingIOError:
            self._gone_since = self._gone_since or time.monotonic()
            return None if time.monotonic() - self._gone_since < TELL_SECONDS else 1
        except (OSError, ValueError):
            pass
        return 1

    def _let_go(self) -> None:
        """Close the lifeline: only now may the warm parent free the process number."""
        if self._open:
            self._open = False
            self._lifeline.close()
            os.close(self._pidfd)

    def __del__(self) -> None:
        self._let_go()


class WarmParent:
    """The one process that kernels are forked from."""

    def __init__(self, say: Callable[[str, str], None], env: Mapping[str, str]) -> None:
        self._say = say
        self._env = dict(env)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control = socket.socket(socket.AF_UNIX)
        self._ready = False
        self._started = 0.0
        self._failures = 0
        self._closed = ""
        self._told: set[str] = set()

    @property
    def pid(self) -> int | None:
        """The number of its process."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it and wait for nothing: the server goes on while it imports."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and file
                [sys.executable, "-P", str(Path(__file__).with_name("zygote.py"))],
                stdin=theirs.fileno(), env=self._env, start_new_session=True,
            )  # fmt: skip
        self._control, self._ready, self._started = ours, False, time.monotonic()

    def stop(self) -> None:
        """End it and whatever still hangs on it; no other is started."""
        with self._lock:
            self._closed = "the server is stopping"
            self._end(patience=2.0)

    def tell_once(self, why: str) -> None:
        """Say in the log why a kernel is an ordinary one, each reason once."""
        if why not in self._told:
            self._told.add(why)
            self._say("kernel_not_forked", why)

    async def fork(self, argv: list[str], env: Mapping[str, str], cwd: str | None) -> ForkedProcess:
        """Return a kernel that listens; raises ForkRefused."""
        order = json.dumps({"argv": argv, "env": dict(env), "cwd": cwd}).encode()
        process = await asyncio.to_thread(self._order, order)
        await process.bound()
        return process

    def _order(self, order: bytes) -> ForkedProcess:
        with self._lock:
            if self._closed:
                raise ForkRefused(self._closed)
            self._wait_ready()
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            try:
                with theirs:
                    socket.send_fds(self._control, [order], [theirs.fileno()])
                ours.settimeout(FORK_SECONDS)
                said, descriptors, _, _ = socket.recv_fds(ours, 4096, 1)
                told = json.loads(said or b"{}")
            except TimeoutError:
                ours.close()
                self._replace(f"the warm parent did not answer within {FORK_SECONDS:.0f} s")
            except OSError as error:
                ours.close()
                if error.errno == errno.EMSGSIZE:
                    raise ForkRefused("the environment is too large to be sent") from None
                self._replace(f"the warm parent has ended ({error.strerror})")
            if not said:
                ours.close()
                self._replace("the warm parent ended while it forked")
            if not descriptors:
                ours.close()
                raise ForkRefused(str(told.get("refused", "the warm parent made no kernel")))
            os.set_inheritable(descriptors[0], False)
            return ForkedProcess(told["pid"], descriptors[0], ours)

    def _wait_ready(self) -> None:
        """Wait until it has imported everything; one that starts is worth waiting for."""
        if self._ready:
            return
        self._control.settimeout(max(0.1, self._started + START_SECONDS - time.monotonic()))
        try:
            told: dict[str, Any] = json.loads(self._control.recv(4096) or b"{}")
        except OSError:
            self._failures += 1
            self._replace(f"the warm parent was not ready within {START_SECONDS:.0f} s")
        if "ready" not in told:
            self._failures += 1
            if "refused" in told:  # it would say the same again
                self._failures = TRIES
            self._replace(f"the warm parent did not start: {told.get('refused', 'see above')}")
        self._control.settimeout(FORK_SECONDS)
        self._ready, self._failures = True, 0

    def _replace(self, why: str) -> NoReturn:
        """End it, start another for those who come later, and raise ForkRefused."""
        self._end(patience=0.0)
        if self._failures >= TRIES:
            self._closed = why
        else:
            self.start()
        raise ForkRefused(why)

    def _end(self, patience: float) -> None:
        self._control.close()
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
                return
            self._process.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
