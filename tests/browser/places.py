"""A demo folder with many raters, and the two real servers that open its desk."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewkit.workspace import Workspace
from tests.serving.served import Server, free_port, until

ROOT = Path(__file__).parents[2]
LAB_TOKEN = "browser-tests"

AUDIT = """
import os, sys
folder = os.environ["AUDIT_FOLDER"]
def begin():
    global log
    name = os.path.join(folder, f"{os.getpid()}.log")
    log = os.open(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
begin()
os.register_at_fork(after_in_child=begin)
KINDS = ("open", "os.listdir", "os.scandir", "os.rename", "os.link", "shutil.copyfile")
def note(event, args):
    if event in KINDS:
        names = " ".join(os.fsdecode(a) for a in args if isinstance(a, (str, bytes, os.PathLike)))
        os.write(log, f"{event} {names}\\n".encode("utf-8", "replace"))
sys.addaudithook(note)
"""
"""As ``sitecustomize``: every process of the server notes what it opens, from its first line on."""


def lay_demo(root: Path, raters: tuple[str, ...]) -> Workspace:
    """Lay the demo bank with one pass per rater in its study, and a second study beside it."""
    for name in ("bank", "checklists", "notebooks", "voila_apps"):
        shutil.copytree(ROOT / name, root / name)
    text = (ROOT / "rulings" / "demo" / "study.yaml").read_text(encoding="utf-8")
    head = text[: text.index("    passes:")]
    passes = "".join(f"      - {{pass: p-{rater}, rater: {rater}}}\n" for rater in raters)
    for study in ("demo", "other"):
        folder = root / "rulings" / study
        folder.mkdir(parents=True)
        (folder / "study.yaml").write_text(
            head.replace("study: demo", f"study: {study}") + "    passes:\n" + passes,
            encoding="utf-8",
        )
    return Workspace(root)


def records(ws: Workspace, rater: str, kind: str = "") -> list[dict[str, Any]]:
    """Return what the rater's ledger holds, as it lies on disk."""
    path = ws.ledger("demo", f"p-{rater}", rater)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = [json.loads(line) for line in lines]
    return [each for each in found if not kind or each["kind"] == kind]


def _command(ws: Workspace, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    with (ws.root / f"{arguments[0]}.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "reviewkit.cli.app", *arguments],
            cwd=ws.root,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
        )


def _wait_for(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    def answers() -> bool:
        if process.poll() is not None:
            raise AssertionError(log.read_text(encoding="utf-8"))
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            return False
        return True

    assert until(answers, 120), log.read_text(encoding="utf-8")


@contextmanager
def voila(ws: Workspace, port: int = 0, **environment: str) -> Generator[Server]:
    """Run ``reviewkit serve demo`` for the length of a block; a given port is a restart there."""
    links = () if port else ("--new-links",)  # new links end the earlier ones
    port = port or free_port()
    process = _command(
        ws, "serve", "demo", *links, "--port", str(port), REVIEWKIT_WORKSPACE=str(ws.root),
        **environment,
    )  # fmt: skip
    server = Server(ws.root, process, port, "/", ws.root / "serve.log")
    try:
        _wait_for(process, port, server.log_path)
        yield server
    finally:
        server.stop()


def link_of(server: Server, rater: str) -> str:
    """Return the personal link that the server has printed for the rater."""
    start = f"  {rater} (p-{rater}): "
    return [line for line in server.log.splitlines() if line.startswith(start)][-1].split()[-1]


@dataclass
class Lab:
    """A running JupyterLab and the folder it opens."""

    ws: Workspace
    rater: str
    process: subprocess.Popen[bytes]
    port: int

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def notebook(self) -> Path:
        """The one notebook."""
        return self.ws.notebooks / "01_review.ipynb"

    def ask(self, path: str, method: str = "GET") -> Any:
        """Ask the server's REST interface."""
        request = urllib.request.Request(
            f"{self.url}/api/{path}", method=method, headers={"Authorization": f"token {LAB_TOKEN}"}
        )
        with urllib.request.urlopen(request, timeout=20) as reply:
            text = reply.read()
        return json.loads(text) if text else None

    def tidy(self) -> None:
        """End every kernel, forget open tabs and lay the notebook afresh."""
        for session in self.ask("sessions"):
            self.ask(f"sessions/{session['id']}", "DELETE")
        shutil.copy(ROOT / "notebooks" / "01_review.ipynb", self.notebook)


@contextmanager
def jupyterlab(ws: Workspace, rater: str, **environment: str) -> Generator[Lab]:
    """Run ``reviewkit review demo`` for the length of a block."""
    port = free_port()
    process = _command(
        ws, "review", "demo", "--as", rater, "--no-browser", "--port", str(port),
        JUPYTER_TOKEN=LAB_TOKEN, JUPYTERLAB_WORKSPACES_DIR=str(ws.root / ".lab"),
        JUPYTERLAB_SETTINGS_DIR=str(ws.root / ".lab"), **environment,
    )  # fmt: skip
    try:
        _wait_for(process, port, ws.root / "review.log")
        yield Lab(ws, rater, process, port)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(5)
