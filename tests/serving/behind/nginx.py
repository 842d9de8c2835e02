"""An nginx of the tests' own with the example's configuration, ended by its process id."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.serving.served import REPOSITORY, Server, free_port, until

EXAMPLE = REPOSITORY / "deploy" / "nginx" / "reviewkit.conf"
# one process without a master: it needs no root, and there is one id to end it by
AROUND = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/start.log;
events {{ worker_connections 64; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/reviewkit.conf;
}}
"""


@dataclass(frozen=True)
class Nginx:
    """A running nginx and what it writes down."""

    server: Server
    """The reviewkit server, as it is reached through nginx."""
    folder: Path

    @property
    def log(self) -> str:
        """All that nginx has written, of requests and of errors."""
        files = ("access.log", "error.log", "start.log")
        return "".join((self.folder / name).read_text("utf-8") for name in files)


def program() -> str:
    """Return nginx; skip, loudly, where there is none."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip("NO NGINX: install it (apt-get install nginx-light) to run these tests")
    return found


def filled(example: str, changes: dict[str, str]) -> str:
    """Return the example with each piece replaced; one that it does not have is a failure."""
    for old, new in changes.items():
        assert old in example, f"the example has no {old!r} any more"
        example = example.replace(old, new)
    return example


@contextmanager
def nginx(folder: Path, server: Server, changes: dict[str, str] | None = None) -> Generator[Nginx]:
    """Run nginx before a server, with the example's configuration and these changes to it."""
    nginx_program = program()
    folder.mkdir()
    port = free_port()
    usual = {
        "server 127.0.0.1:8866;": f"server 127.0.0.1:{server.port};",
        "listen 80;": f"listen 127.0.0.1:{port};",
        "/var/log/nginx/reviewkit.log": str(folder / "access.log"),
        "/var/log/nginx/reviewkit-error.log": str(folder / "error.log"),
        "/review/": server.base_url,
    }
    example = filled(EXAMPLE.read_text("utf-8"), usual | (changes or {}))
    (folder / "reviewkit.conf").write_text(example, encoding="utf-8")
    settings = folder / "nginx.conf"
    settings.write_text(AROUND.format(folder=folder), encoding="utf-8")
    running = subprocess.Popen(
        [nginx_program, "-e", str(folder / "start.log"), "-p", str(folder), "-c", str(settings)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def answers() -> bool:
        assert running.poll() is None, (folder / "start.log").read_text("utf-8")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            return False
        return True

    try:
        assert until(answers, 20), "nginx does not answer"
        yield Nginx(replace(server, port=port), folder)
    finally:
        running.terminate()
        running.wait(10)
