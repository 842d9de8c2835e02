"""The port, servers that run or are gone, how kernels will be started, and the database."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter, time

import psutil

from reviewkit.decisions.stores import load_store_url, shown_url, store_of
from reviewkit.desk.doctor.finding import Finding, fault, ok, some_of, warning
from reviewkit.desk.server.listening import Listening, running_servers, stale_entries
from reviewkit.desk.server.warm.parent import why_not_fork
from reviewkit.problems import Problem, ReviewkitError
from reviewkit.workspace import Workspace

HOST = "127.0.0.1"
CLOCKS_APART_SECONDS = 30.0
"""A database's clock and ours may differ so far before anybody should look."""
SLOW_SECONDS = 0.15


@dataclass(frozen=True, slots=True)
class Port:
    """Whether a port can be listened on; if not, why, who has it and which next one is free."""

    number: int
    error: int | None = None
    holder: str = ""
    """Name and number of a process; empty where the system does not tell."""
    ours: Listening | None = None
    next_free: int | None = None


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of this folder."""

    running: tuple[Listening, ...]
    stale: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Database:
    """How the database of a folder answered."""

    shown: str
    fault: str = ""
    seconds: float = 0.0
    ahead: float = 0.0
    """How far its clock is ahead of ours, in seconds."""
    dangers: tuple[Problem, ...] = ()
    """Settings that may lose what was said to be safe."""


def look_port(ws: Workspace | None, number: int) -> Port:
    """Try to listen there for a moment."""
    error = _listening_error(number)
    if error is None:
        return Port(number)
    running = running_servers(ws) if ws is not None else ()
    following = range(max(number + 1, 1024), min(number + 50, 65536))
    return Port(
        number,
        error,
        _holder(number) if error == errno.EADDRINUSE else "",
        next((each for each in running if each.port == number), None),
        next((each for each in following if _listening_error(each) is None), None),
    )


def _listening_error(port: int) -> int | None:
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((HOST, port))
        except OSError as error:
            return error.errno
    return None


def _holder(port: int) -> str:
    """Return name and number of the process that listens there, if the system tells."""
    try:
        for each in psutil.net_connections("tcp"):
            if each.status != psutil.CONN_LISTEN or not each.pid or not each.laddr:
                continue
            if each.laddr.port == port:
                return f"{psutil.Process(each.pid).name()} (process {each.pid})"
    except (psutil.Error, OSError):
        pass
    return ""


def check_port(port: Port) -> Finding:
    """Say whether a server could listen there, or does already."""
    name = f"port {port.number}"
    if port.error is None:
        return ok(name, "free")
    another = "another" if port.next_free is None else f"--port {port.next_free}, which is free"
    if port.ours is not None:
        return ok(
            name,
            f"study {port.ours.study} is served there (process {port.ours.pid}); "
            f"a second server needs {another}",
        )
    if port.error == errno.EADDRINUSE:
        holder = port.holder or "a process of another account"
        return fault(name, f"held by {holder}", f"end that process, or choose {another}")
    return fault(
        name, f"cannot be listened on: {os.strerror(port.error).lower()}", f"use {another}"
    )


def look_servers(ws: Workspace) -> Servers:
    """Read which servers say that they listen, and whether they still run."""
    return Servers(running_servers(ws), tuple(map(ws.shown, stale_entries(ws))))


def check_servers(servers: Servers) -> Iterator[Finding]:
    """Name the servers that run, and the entries of those that were killed."""
    if servers.stale:
        yield warning(
            "servers", f"killed or crashed, as their entries are still there: "
            f"{some_of(servers.stale)}",
            "nothing: the next `reviewkit serve` clears them away; if nobody killed them, look in"
            " the log of the machine (out of memory?)",
        )  # fmt: skip
    told = [f"{each.study} at {each.links_start} since {each.since}" for each in servers.running]
    if told or not servers.stale:
        yield ok("servers", f"running: {'; '.join(told)}" if told else "none is running here")


def look_forking() -> str:
    """Return why kernels cannot be forked here, or nothing."""
    why_not = why_not_fork()
    if why_not:
        return why_not
    try:
        from reviewkit.desk.server.warm.provisioner import is_registered  # noqa: PLC0415
    except ImportError as error:  # which `packages` names
        return f"{error.name} is missing"
    return "" if is_registered() else "the installed package names no kernel provisioner"


def check_kernels(why_not: str) -> Finding:
    """Say which kind of kernels a server would have."""
    if not why_not:
        return ok("kernels", "forked from one that is warm")
    lacking = "provisioner" in why_not or "missing" in why_not
    return warning(
        "kernels",
        f"started anew, which takes a second each and a half more memory: {why_not}",
        "install reviewkit again: `pip install` writes what is missing"
        if lacking
        else "nothing; `reviewkit serve --pool N` keeps N kernels ready (2 by default here)",
    )


def look_database(ws: Workspace) -> Database | None:
    """Ask the database for its clock; None where the folder has none. Waits for its timeouts."""
    shown = ws.shown(ws.store_file)
    try:
        url = load_store_url(ws)
        if url is None:
            return None
        shown = shown_url(url)
        store = store_of(ws)
        kept = store.kept
        kept.now()  # connects
        began = perf_counter()
        theirs = kept.now()
        seconds, ahead = perf_counter() - began, theirs - time()
        return Database(shown, seconds=seconds, ahead=ahead, dangers=tuple(store.dangers()))
    except ReviewkitError as error:
        return Database(shown, fault=str(error))


def check_database(database: Database) -> Iterator[Finding]:
    """Say whether the database answers, how fast, and whether the clocks agree."""
    if database.fault:
        yield fault(
            "database", database.fault,
            "see that it runs and may be reached from here (docs/many-machines.md)",
        )  # fmt: skip
        return
    told = f"{database.shown} answers in {1000 * database.seconds:.0f} ms"
    if database.seconds > SLOW_SECONDS:
        yield warning("database", f"{told}: every Save waits longer", "put the server near to it")
    else:
        yield ok("database", told)
    for danger in database.dangers:
        yield fault("database settings", danger.wrong, danger.remedy)
    if abs(database.ahead) > CLOCKS_APART_SECONDS:
        side = "ahead of" if database.ahead > 0 else "behind"
        yield warning(
            "database clock", f"{abs(database.ahead):,.0f} s {side} the clock of this machine",
            "let both keep time by the network: links end and records are dated by these clocks",
        )  # fmt: skip
