"""A small project folder and a real server on it, ended by its process id."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import psutil
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from reviewkit.study.links import LinkBook

REPOSITORY = Path(__file__).parents[2]
T = TypeVar("T")
NOBODYS_KERNEL = "00000000-0000-4000-8000-000000000000"
SOURCE_SECRET = "source-that-nobody-may-see"
ENVIRONMENT_SECRET = "environment-that-no-kernel-may-see"

TINY_WIDGET = f'''
# {SOURCE_SECRET}
import os, anywidget, traitlets
class Tiny(anywidget.AnyWidget):
    _esm = """
    export default {{ render({{model, el}}) {{
      const who = document.createElement("p"); who.id = "who"; who.textContent = model.get("who");
      const ask = document.createElement("button"); ask.id = "ask"; ask.textContent = "ask";
      const told = document.createElement("p"); told.id = "told";
      ask.onclick = () => model.send({{kind: "ping"}});
      model.on("msg:custom", m => {{ told.textContent = m.answer; }});
      el.append(who, ask, told);
    }} }};
    """
    who = traitlets.Unicode().tag(sync=True)
    def __init__(self):
        super().__init__(who=os.environ.get("HTTP_X_REVIEWKIT_PERSON", "nobody"))
        self.on_msg(lambda *_: self.send({{"answer": f"kernel {{os.getpid()}}"}}))
Tiny()
'''


def until(look: Callable[[], object], seconds: float = 20.0) -> object:
    """Return what ``look`` finds as soon as it is true, or its last answer when time is up."""
    end = time.monotonic() + seconds
    while not (found := look()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


@dataclass
class Reply:
    """One HTTP answer."""

    status: int
    headers: http.client.HTTPMessage
    text: str


@dataclass
class Server:
    """A running ``serve`` and the folder it serves."""

    root: Path
    process: subprocess.Popen[bytes]
    port: int
    base_url: str
    log_path: Path

    @property
    def url(self) -> str:
        """The address a reviewer would see."""
        return f"http://127.0.0.1:{self.port}{self.base_url}"

    @property
    def book(self) -> LinkBook:
        """The links of the folder, as the lead's command line would open them."""
        return LinkBook(self.root / ".reviewkit" / "links.jsonl")

    @property
    def log(self) -> str:
        """All that the server has printed."""
        return self.log_path.read_text(encoding="utf-8")

    def ask(self, path: str, *, cookie: str = "", method: str = "GET", **headers: str) -> Reply:
        """Send the path as it is: no client that tidies dots away."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if cookie:
            sent["Cookie"] = f"{cookie}; {sent['Cookie']}" if "Cookie" in sent else cookie
        connection.request(method, path, headers=sent)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        connection.close()
        return Reply(answer.status, answer.headers, text)

    def let_in(self, token: str) -> str:
        """Open a link and return the cookie it gives."""
        reply = self.ask(f"{self.base_url}go/{token}")
        assert reply.status == 302, reply.text
        return reply.headers["Set-Cookie"].split(";")[0]

    def open_page(self, cookie: str, path: str | None = None) -> tuple[str, str]:
        """Load the page and return its HTML and the id of its kernel."""
        reply = self.ask(path or self.base_url, cookie=cookie)
        assert reply.status == 200, reply.text
        found = re.search(r'"kernelId": "([0-9a-f-]{36})"', reply.text)
        assert found, reply.text
        return reply.text, found.group(1)

    def kernels(self) -> list[psutil.Process]:
        """Return the kernel processes of this server."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        return [child for child in children if is_kernel(child)]

    def stop(self) -> None:
        """Ask the server to end, and make sure of it."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(5)


def is_kernel(process: psutil.Process) -> bool:
    """Return whether it is a kernel that runs, forked from the warm parent or started anew."""
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return process.name() == "rk-kernel" or "-f" in process.cmdline()
    except psutil.Error:
        return False


def memory_of(pid: int) -> Iterator[bytes]:
    """Yield the private memory of a process, part by part, as it runs."""
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            found = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw-p", line)
            if found is None:
                continue
            start, end = (int(part, 16) for part in found.groups())
            try:
                memory.seek(start)
                yield memory.read(end - start)
            except (OSError, ValueError):
                continue


def person_of(kernel: psutil.Process) -> str:
    """Return the person that a kernel's environment names.

    It is read from the memory: what ``/proc`` shows is the environment of the warm parent.
    """
    for part in memory_of(kernel.pid):
        if found := re.search(rb'HTTP_X_REVIEWKIT_PERSON=(\{"pass"[^\0}]*\})\0', part):
            return found.group(1).decode()
    return ""


def free_port() -> int:
    """Return a port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def lay_notebook(root: Path, source: str) -> None:
    """Let the notebook of raters run this source."""
    notebook = json.loads((REPOSITORY / "notebooks" / "01_review.ipynb").read_text("utf-8"))
    notebook["cells"][0]["source"] = source
    (root / "notebooks" / "01_review.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def lay_project(root: Path, source: str = TINY_WIDGET) -> Path:
    """Lay just enough of a project folder to be served."""
    for folder in ("bank", "checklists", "notebooks"):
        (root / folder).mkdir(parents=True)
    (root / "bank" / "taxonomy.yaml").write_text("domains: []\n", encoding="utf-8")
    shutil.copytree(REPOSITORY / "voila_apps", root / "voila_apps")
    lay_notebook(root, source)
    return root


def launch(
    root: Path,
    *,
    base_url: str = "/",
    template: str = "reviewkit",
    study: str = "demo",
    port: int = 0,
    log: Path | None = None,
    people: str = "links",
    pool: int | None = None,
    environment: Mapping[str, str] | None = None,
) -> Server:
    """Start a server in a process of its own."""
    port = port or free_port()
    log_path = root / f"server-{time.monotonic_ns()}.log"
    # a shell starts what it puts into the background with interrupts ignored, the tests among it
    script = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from pathlib import Path; from reviewkit.desk.server.running import serve; "
        "from reviewkit.workspace import Workspace; "
        "serve(Workspace(Path(sys.argv[1])), sys.argv[2], port=int(sys.argv[3]), "
        "base_url=sys.argv[4], template=sys.argv[5], log=sys.argv[6] or None, "
        "people=sys.argv[7], pool=int(sys.argv[8]) if sys.argv[8] else None, "
        "say=lambda line: print(line, flush=True))"
    )
    given = [
        str(root), study, str(port), base_url, template, str(log or ""), people,
        "" if pool is None else str(pool),
    ]  # fmt: skip
    with log_path.open("wb") as printed:
        process = subprocess.Popen(
            [sys.executable, "-c", script, *given],
            stdout=printed,
            stderr=subprocess.STDOUT,
            cwd=root / "notebooks",
            env={**os.environ, "SOME_API_TOKEN": ENVIRONMENT_SECRET, **(environment or {})},
        )
    return Server(root, process, port, base_url, log_path)


def start_server(root: Path, **settings: Any) -> Server:
    """Start a server and wait until it answers."""
    server = launch(root, **settings)

    def answers() -> bool:
        if server.process.poll() is not None:
            raise AssertionError(server.log)
        try:
            socket.create_connection(("127.0.0.1", server.port), timeout=1).close()
        except OSError:
            return False
        return True

    assert until(answers, 120), server.log
    return server


@contextmanager
def running(root: Path, **settings: Any) -> Generator[Server]:
    """Run a server for the length of a block."""
    server = start_server(root, **settings)
    try:
        yield server
    finally:
        server.stop()


def alive(pid: int) -> bool:
    """Return whether the process still runs."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def kernel_of(server: Server, rater: str) -> psutil.Process:
    """Return the one kernel that runs for this rater."""
    (kernel,) = [each for each in server.kernels() if f'"rater": "{rater}"' in person_of(each)]
    return kernel


async def connect(server: Server, kernel_id: str, cookie: str) -> WebSocketClientConnection:
    """Open the channels of a kernel as a browser would."""
    address = f"ws://127.0.0.1:{server.port}{server.base_url}api/kernels/{kernel_id}/channels"
    headers = {"Cookie": cookie} if cookie else {}
    return await websocket_connect(
        HTTPRequest(f"{address}?session_id=s1", headers=headers, connect_timeout=20)
    )


def run_apart(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread: the browser's fixture keeps a loop of its own in this one."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, coroutine).result()


def refused(server: Server, kernel_id: str, cookie: str) -> int:
    """Return the HTTP status that an attempt to open the channels gets; 101 is success."""

    async def attempt() -> int:
        try:
            (await connect(server, kernel_id, cookie)).close()
        except HTTPClientError as error:
            return error.code
        return 101

    return run_apart(attempt())


def message(kind: str) -> str:
    """Return an empty message of this kind as the channels carry it."""
    header = {"msg_id": kind, "msg_type": kind, "session": "s1", "username": "", "version": "5.3"}
    rest: dict[str, Any] = {"parent_header": {}, "metadata": {}, "content": {}}
    return json.dumps({"channel": "shell", "header": header, **rest})
