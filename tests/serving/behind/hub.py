"""A JupyterHub with its proxy, started with the example's configuration, and browsers before it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
import requests

from reviewkit.study.links import LinkBook
from tests.serving.behind.nginx import filled
from tests.serving.served import REPOSITORY, TINY_WIDGET, free_port, is_kernel, lay_notebook

EXAMPLE = REPOSITORY / "deploy" / "jupyterhub" / "jupyterhub_config.py"
PROXY = REPOSITORY / ".hub" / "node_modules" / ".bin" / "configurable-http-proxy"
SERVICE = "/services/reviewkit/"
OTHERS_TOKEN = "another-service-and-its-token"
# what tests need besides the example: other ports and folders, and a login without passwords
BESIDES = """
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.hub_port = {hub_port}
c.JupyterHub.db_url = "sqlite:///hub.sqlite"
c.JupyterHub.cookie_secret_file = "{folder}/cookie"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api_port}"
c.ConfigurableHTTPProxy.command = ["{proxy}"]
c.ConfigurableHTTPProxy.pid_file = "{folder}/proxy.pid"
c.ConfigurableHTTPProxy.auth_token = "a-token-between-the-two"
c.JupyterHub.services.append({{"name": "other", "api_token": "{token}"}})
c.JupyterHub.load_roles.append(
    {{"name": "other", "services": ["other"], "scopes": ["tokens", "access:services"]}}
)
"""


@dataclass(frozen=True)
class Hub:
    """A running Hub, and the project folder of its service."""

    root: Path
    port: int
    process: subprocess.Popen[bytes]
    log_path: Path

    @property
    def url(self) -> str:
        """Where the Hub's proxy listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def study(self) -> str:
        """The address of the service."""
        return self.url + SERVICE

    @property
    def book(self) -> LinkBook:
        """The links of the study."""
        return LinkBook(self.root / ".reviewkit" / "links.jsonl")

    @property
    def log(self) -> str:
        """All that Hub, proxy and service have printed."""
        return self.log_path.read_text(encoding="utf-8")

    def log_in(self, name: str) -> tuple[requests.Session, requests.Response]:
        """Open the study in a fresh browser, log in at the Hub, and return what is shown then."""
        browser = requests.Session()
        form = browser.get(self.study, timeout=30)
        assert "/hub/login" in form.url, form.url
        fields = dict(re.findall(r'name="(_xsrf)"\s+value="([^"]+)"', form.text))
        fields |= {"username": name, "password": "any"}
        return browser, browser.post(form.url, data=fields, timeout=60)

    def token_of(self, name: str, *scopes: str) -> str:
        """Return a token of somebody's that the Hub makes for another purpose."""
        reply = requests.post(
            f"{self.url}/hub/api/users/{name}/tokens",
            headers={"Authorization": f"token {OTHERS_TOKEN}"},
            json={"scopes": list(scopes)},
            timeout=30,
        )
        assert reply.status_code == 201, reply.text
        return str(reply.json()["token"])

    def kernels(self) -> int:
        """Return how many kernels run."""
        below = psutil.Process(self.process.pid).children(recursive=True)
        return sum(is_kernel(each) for each in below)


def lay_study(root: Path) -> Path:
    """Lay the demo study, with a widget that says for whom it runs in place of the cards."""
    for name in ("bank", "checklists", "notebooks", "voila_apps"):
        shutil.copytree(REPOSITORY / name, root / name)
    (root / "rulings" / "demo").mkdir(parents=True)
    shutil.copy(REPOSITORY / "rulings" / "demo" / "study.yaml", root / "rulings" / "demo")
    lay_notebook(root, TINY_WIDGET)
    return root


@contextmanager
def hub(folder: Path) -> Generator[Hub]:
    """Run a Hub with the example's configuration and the demo study."""
    if importlib.util.find_spec("jupyterhub") is None:
        pytest.skip("NO JUPYTERHUB: pip install -e '.[hub]' to run these tests")
    if not PROXY.exists():
        pytest.skip("NO HUB PROXY: `make hub` fetches it from npm to run these tests")
    root = lay_study(folder / "project")
    port = free_port()
    reviewkit = Path(sys.executable).parent / "reviewkit"
    example = filled(
        EXAMPLE.read_text("utf-8"),
        {
            'FOLDER = "/srv/review"': f"FOLDER = {str(root)!r}",
            'STUDY = "review"': 'STUDY = "demo"',
            '"/srv/review/.venv/bin/reviewkit"': repr(str(reviewkit)),
            "PORT = 8866": f"PORT = {free_port()}",
            "http://127.0.0.1:8000": f"http://127.0.0.1:{port}",
        },
    )
    besides = BESIDES.format(
        folder=folder, proxy=PROXY, token=OTHERS_TOKEN, hub_port=free_port(), api_port=free_port()
    )
    settings = folder / "jupyterhub_config.py"
    settings.write_text(example + besides, encoding="utf-8")
    log_path = folder / "hub.log"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("JUPYTERHUB_")}
    with log_path.open("wb") as printed:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterhub", "-f", str(settings)],
            cwd=folder, stdout=printed, stderr=subprocess.STDOUT, env=environment,
        )  # fmt: skip
    started = Hub(root, port, process, log_path)
    try:
        _wait_for(started)
        yield started
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the Hub first, which would start its service anew, then the service in good order."""
    below = psutil.Process(process.pid).children(recursive=True) if _runs(process) else []
    process.kill()
    process.wait(10)
    for each in below:
        with suppress(psutil.NoSuchProcess):
            each.terminate()
    for each in psutil.wait_procs(below, timeout=15)[1]:
        with suppress(psutil.NoSuchProcess):
            each.kill()


def _runs(process: subprocess.Popen[bytes]) -> bool:
    return process.poll() is None


def _wait_for(started: Hub) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        assert _runs(started.process), started.log
        with suppress(requests.RequestException):
            if requests.get(f"{started.study}healthz", timeout=5).status_code == 200:
                return
        time.sleep(0.2)
    raise AssertionError(started.log)
