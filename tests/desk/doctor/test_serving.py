"""What the doctor says of port, servers, kernels and database, from facts alone."""

from __future__ import annotations

import errno

from reviewkit.desk.doctor.finding import State
from reviewkit.desk.doctor.serving import (
    Database,
    Port,
    Servers,
    check_database,
    check_kernels,
    check_port,
    check_servers,
)
from reviewkit.desk.server.listening import Listening
from reviewkit.problems import Problem

OURS = Listening(7, 1.0, "demo", "127.0.0.1", 8866, "/", "http://127.0.0.1:8866", "2027-03-01")


def test_a_port() -> None:
    """Free, held by a stranger or by nobody known, not allowed, and held by our own server."""
    assert check_port(Port(8866)).state is State.OK
    held = check_port(Port(8866, errno.EADDRINUSE, "nginx (process 12)", next_free=8867))
    assert held.state is State.FAULT
    assert "nginx (process 12)" in held.found
    assert "--port 8867" in held.remedy
    unknown = check_port(Port(8866, errno.EADDRINUSE))
    assert "another account" in unknown.found
    low = check_port(Port(80, errno.EACCES, next_free=1024))
    assert low.state is State.FAULT
    assert "permission denied" in low.found
    ours = check_port(Port(8866, errno.EADDRINUSE, "python3", OURS, 8867))
    assert ours.state is State.OK
    assert "study demo is served there (process 7)" in ours.found


def test_servers() -> None:
    """What runs is named; what was killed is a warning beside it."""
    assert [each.state for each in check_servers(Servers((), ()))] == [State.OK]
    (runs,) = check_servers(Servers((OURS,), ()))
    assert "demo at http://127.0.0.1:8866" in runs.found
    (killed,) = check_servers(Servers((), (".reviewkit/servers/1-1.json",)))
    assert killed.state is State.WARNING
    both = list(check_servers(Servers((OURS,), (".reviewkit/servers/1-1.json",))))
    assert [each.state for each in both] == [State.WARNING, State.OK]


def test_kernels() -> None:
    """A missing entry point is mended by installing; another system cannot be mended."""
    assert check_kernels("").state is State.OK
    lacking = check_kernels("the installed package names no kernel provisioner")
    assert lacking.state is State.WARNING
    assert "install reviewkit again" in lacking.remedy
    elsewhere = check_kernels("forking from a warm parent needs Linux, this is darwin")
    assert elsewhere.state is State.WARNING
    assert "--pool" in elsewhere.remedy


def test_a_database() -> None:
    """Away, slow, with a clock of its own, and well."""
    shown = "postgresql://db/reviewkit"
    assert [each.state for each in check_database(Database(shown))] == [State.OK]
    (away,) = check_database(Database(shown, fault="cannot be reached"))
    assert away.state is State.FAULT
    assert away.found == "cannot be reached"
    (slow,) = check_database(Database(shown, seconds=0.4))
    assert slow.state is State.WARNING
    apart = list(check_database(Database(shown, ahead=-90)))
    assert [each.state for each in apart] == [State.OK, State.WARNING]
    assert "90 s behind" in apart[1].found
    unsafe = Database(shown, dangers=(Problem(shown, "fsync is off", "set `fsync = on`"),))
    _, told = check_database(unsafe)
    assert (told.state, told.found) == (State.FAULT, "fsync is off")
