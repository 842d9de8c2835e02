"""Kernels forked from the warm parent behave as ordinary ones, and nothing outlives the server."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from reviewkit.desk.server.warm.parent import ForkedProcess, WarmParent
from tests.serving.served import alive, memory_of, until
from tests.serving.warm.conftest import House

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kernels are forked on Linux"),
]

SECRET = "of-amal-alone"
HIGH = 1100
"""A descriptor above those that ``select`` knows."""

DESCRIPTORS = """
import os
for name in os.listdir("/proc/self/fd"):
    try: print(os.readlink(f"/proc/self/fd/{name}").split(":")[0].replace(str(os.getpid()), ""))
    except OSError: pass
"""


def _parent(house: House) -> WarmParent:
    assert house.kernels.warm is not None
    return house.kernels.warm


def _ask(house: House, kernel_id: str, expression: str) -> object:
    return json.loads(house.tell(kernel_id, f"import json, os; print(json.dumps({expression}))"))


def test_forking_is_the_path_taken(house: House) -> None:
    """A kernel is a child of the warm parent, has its modules, and nothing was refused."""
    kernel = house.start()
    process = house.process(kernel)
    assert process.ppid() == _parent(house).pid
    assert process.name() == "rk-kernel"
    assert house.said == []
    late = house.tell(
        kernel,
        "import sys; before = set(sys.modules)\n"
        "from reviewkit.desk import review, code, adjudicate\n"
        "from reviewkit.desk.session import Session; from reviewkit.study import Walk\n"
        "print(len(set(sys.modules) - before), 'numpy' in sys.modules, 'debugpy' in sys.modules)",
    )
    assert late == "0 False True", "nothing left to import, nothing heavy; debugpy is shut out"
    house.end(kernel)


def test_each_kernel_is_its_own(house: House) -> None:
    """Environment, folder, session, descriptors and chance are each kernel's own."""
    first = house.start("amal", ONLY_AMAL=SECRET, TZ="Asia/Tokyo")
    second = house.start("basim", ONLY_BASIM="b")
    third = house.start("carim")
    try:
        pids = [house.process(each).pid for each in (first, second, third)]
        for kernel, pid in zip((first, second, third), pids, strict=True):
            assert _ask(house, kernel, "[os.getsid(0), os.getpgid(0), os.getpid()]") == [pid] * 3
            assert _ask(house, kernel, "os.getcwd()") == str(Path.cwd())
        told = _ask(house, first, "[os.environ.get('ONLY_AMAL'), __import__('time').tzname[0]]")
        assert told == [SECRET, "JST"]
        assert _ask(house, second, "os.environ.get('ONLY_AMAL')") is None
        assert not any(SECRET.encode() in part for part in memory_of(pids[1]))
        assert "amal" not in json.dumps(house.process(first).environ())

        chance = (
            "[__import__('random').random(), str(__import__('uuid').uuid4()), os.urandom(8).hex(), "
            "next(__import__('tempfile')._get_candidate_names())]"
        )
        drawn = [_ask(house, each, chance) for each in (first, second, third)]
        for one, other in zip(*drawn[:2], strict=True):
            assert one != other
        kinds = [Counter(house.tell(each, DESCRIPTORS).split()) for each in (first, third)]
        assert kinds[0] == kinds[1], "a later kernel inherits nothing of an earlier one"
    finally:
        for each in (first, second, third):
            house.end(each)


def test_an_interrupt_reaches_one_kernel_alone(house: House) -> None:
    """What it runs stops, its neighbour goes on, and it answers again."""
    kernel, neighbour = house.start("amal"), house.start("basim")

    async def interrupted(code: str) -> float:
        client = house.kernels.get_kernel(kernel).client()
        client.start_channels()
        await client.wait_for_ready(timeout=20)
        asked = client.execute(code)
        await asyncio.sleep(0.5)
        begun = time.monotonic()
        await house.kernels.interrupt_kernel(kernel)
        while (reply := await client.get_shell_msg(timeout=20))["parent_header"]["msg_id"] != asked:
            pass
        client.stop_channels()
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        return time.monotonic() - begun

    for code in ("import time; time.sleep(30)", "while True: pass"):
        assert house.run(interrupted(code)) < 10
    assert house.tell(kernel, "print(6 * 7)") == "42"
    assert house.tell(neighbour, "print(6 * 7)") == "42"
    house.end(kernel)
    house.end(neighbour)


def test_it_can_do_what_an_ordinary_one_can(house: House) -> None:
    """Processes, threads, a shell, and a cell that waits."""
    kernel = house.start()
    told = house.tell(
        kernel,
        "import asyncio, multiprocessing, subprocess, threading\n"
        "said = []\n"
        "one = threading.Thread(target=said.append, args=('thread',)); one.start(); one.join()\n"
        "said.append(await asyncio.sleep(0.01, 'await'))\n"
        "said.append(subprocess.run(['printf', '1'], capture_output=True).stdout)\n"
        "with multiprocessing.get_context('fork').Pool(1) as pool:\n"
        "    said.append(pool.apply(abs, (-7,)))\n"
        "shell = !echo shell\n"
        "print(*said, *shell)",
    )
    assert told.split() == ["thread", "await", "b'1'", "7", "shell"]
    house.end(kernel)


def test_a_process_is_told_by_any_descriptor() -> None:
    """With fifty kernels a server has more than a thousand, which ``select`` cannot name."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < HIGH + 10:
        resource.setrlimit(resource.RLIMIT_NOFILE, (HIGH + 10, hard))
    waits = "import sys; sys.stdin.read()"
    child = subprocess.Popen([sys.executable, "-c", waits], stdin=subprocess.PIPE)
    low = os.pidfd_open(child.pid)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    popen = ForkedProcess(child.pid, fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, HIGH), ours)
    os.close(low)
    try:
        assert popen.poll() is None
        popen.kill()
        assert child.wait(10) == -signal.SIGKILL
        theirs.send(b'{"code": -9}')
        assert popen.poll() == -signal.SIGKILL
    finally:
        child.kill()
        child.communicate()
        theirs.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_killed_kernel_is_seen_and_its_number_kept_until_then(house: House) -> None:
    """Its end is seen with the signal that ended it; then the warm parent reaps it."""
    kernel = house.start()
    process = house.process(kernel)
    provisioner = house.kernels.get_kernel(kernel).provisioner
    house.kernels.get_kernel(kernel).stop_restarter()
    popen = provisioner.process
    process.kill()
    assert until(lambda: process.status() == psutil.STATUS_ZOMBIE, 5)
    # the warm parent tells how it ended a moment after it did
    assert until(lambda: house.run(provisioner.poll()) is not None, 5)
    assert popen.returncode == -signal.SIGKILL
    assert until(lambda: not process.is_running(), 5)
    house.end(kernel)


def test_a_dead_or_hung_warm_parent_is_replaced(house: House) -> None:
    """Its kernels go on; the next visitor gets an ordinary kernel, the one after a forked one."""
    kept = house.start("amal")
    before = len(house.said)
    for harm in (signal.SIGKILL, signal.SIGSTOP):
        harmed = _parent(house).pid
        assert harmed is not None
        os.kill(harmed, harm)
        ordinary = house.start("basim")
        assert "-f" in house.process(ordinary).cmdline()
        assert house.tell(ordinary, "print(6 * 7)") == "42"
        house.end(ordinary)
        forked = house.start("carim")
        assert house.process(forked).ppid() == _parent(house).pid != harmed
        house.end(forked)
        assert not alive(harmed)
    assert house.tell(kept, "print(6 * 7)") == "42"
    house.end(kept)
    reasons = house.said[before:]
    assert len(reasons) == 2
    assert "ended" in reasons[0]
    assert "did not answer within 3 s" in reasons[1]


def test_what_cannot_be_forked_starts_anew(house: House) -> None:
    """An environment too large to be sent, and a folder that is not there, are no dead end."""
    large = house.start("amal", LARGE="x" * 100_000, LARGER="y" * 125_000)
    assert "-f" in house.process(large).cmdline()
    assert house.said[-1].endswith("the environment is too large to be sent")
    house.end(large)


def test_a_warm_parent_with_a_thread_serves_nobody(short_folder: Path) -> None:
    """A module that starts a thread makes forking unsafe: ordinary kernels, and one sentence."""
    (short_folder / "sitecustomize.py").write_text(
        "import sys, threading, time\n"
        "if sys.argv and sys.argv[0].endswith('zygote.py') or 'zygote.py' in str(sys.orig_argv):\n"
        "    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n",
        encoding="utf-8",
    )
    paths = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(short_folder), paths)))
    try:
        house = House(short_folder)
        kernels = [house.start("amal"), house.start("basim")]
        assert all("-f" in house.process(each).cmdline() for each in kernels)
        (said,) = house.said
        assert said.startswith("kernel_not_forked: ")
        assert said.endswith("the warm parent did not start: threads besides the first: 1")
        house.close()
    finally:
        os.environ["PYTHONPATH"] = paths


def test_a_stop_leaves_nothing(short_folder: Path) -> None:
    """When the manager is closed, its kernels and its warm parent have ended."""
    house = House(short_folder)
    pids = [house.process(house.start(name)).pid for name in ("amal", "basim")]
    warm = _parent(house).pid
    assert warm is not None
    house.close()
    assert until(lambda: not [pid for pid in (*pids, warm) if alive(pid)], 5)


SERVER = """
import sys
sys.path[:0] = [sys.argv[1]]
from pathlib import Path
from tests.serving.warm.conftest import House
house = House(Path(sys.argv[2]))
pids = [house.process(house.start(name)).pid for name in ("amal", "basim")]
busy = house.kernels.list_kernel_ids()[0]
house.kernels.get_kernel(busy).client().execute("while True: pass")
print(*pids, house.kernels.warm.pid, flush=True)
sys.stdin.readline()
"""


def test_nothing_outlives_a_killed_server(short_folder: Path) -> None:
    """After kill -9 of the server neither its kernels nor the warm parent are left."""
    root = str(Path(__file__).parents[3])
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, root, str(short_folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    pids = [int(each) for each in server.stdout.readline().split()]
    assert len(pids) == 3
    assert all(alive(pid) for pid in pids)
    server.kill()
    server.communicate()
    assert until(lambda: not [pid for pid in pids if alive(pid)], 5)
