"""File download and template override, through every route that the application has.

The routes are read from the application itself, so that a new one cannot slip in unasked.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving.served import NOBODYS_KERNEL, SOURCE_SECRET, Server, lay_project, running

pytestmark = pytest.mark.kernel

MARK = "FILE-THAT-NOBODY-MAY-READ"
OPEN_TO_ALL = {
    "Admission": "exchanges a link", "HealthPage": "says that it is well",
    "Standing": "tells the asker whether his own link works and his own kernel runs",
    "Choice": "asks whoever a proxy names as whom he comes, when he has several parts",
}  # fmt: skip
"""Handlers that need no link, and what they do."""
SECRET_FILES = (
    ".reviewkit/links.jsonl", ".reviewkit/kept.txt", "bank/responses/t.hidden.jsonl",
    "rulings/demo/second/badr.jsonl", "notebooks/01_review.ipynb", "notebooks/linked.txt",
)  # fmt: skip
CLIMBS = ("", "../", "../../../", "%2e%2e/", "%2e%2e%2f", "%252e%252e%252f", "..%5c", "..\\", "//",
          "%00", "....//", ".%00./")  # fmt: skip
ROUTES = """
import json, sys
from pathlib import Path
from reviewkit.desk.server.app import DeskServer
from reviewkit.desk.server.running import serve
from reviewkit.workspace import Workspace
def tell(server, *_, **__):
    rules = [*server.app.default_router.rules]
    found = []
    while rules:
        rule = rules.pop()
        inner = getattr(rule.target, "rules", None)
        if inner is not None:
            rules += inner
        elif hasattr(rule.matcher, "regex"):
            found.append([rule.matcher.regex.pattern, rule.target.__name__])
    Path(sys.argv[2]).write_text(json.dumps(found))
    raise SystemExit
DeskServer.listen = tell
serve(Workspace(Path(sys.argv[1])), "demo", port=0, template=sys.argv[3])
"""


def routes_of(root: Path, told: Path, template: str = "reviewkit") -> dict[str, str]:
    """Return pattern -> the name of its handler, of the application as ``serve`` builds it."""
    subprocess.run(
        [sys.executable, "-c", ROUTES, str(root), str(told), template],
        check=False, capture_output=True, cwd=root / "notebooks",
    )  # fmt: skip
    return dict(json.loads(told.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay a project whose every private file holds the mark."""
    root = lay_project(tmp_path_factory.mktemp("project"))
    outside = root.parent / "outside.txt"
    outside.write_text(MARK, encoding="utf-8")
    for name in SECRET_FILES[1:4]:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{MARK}\n", encoding="utf-8")
    (root / "notebooks" / "linked.txt").symlink_to(outside)
    return root


@pytest.fixture(scope="module")
def routes(root: Path) -> dict[str, str]:
    """Return pattern -> handler of the server as it is served."""
    return routes_of(root, root.parent / "routes.json")


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Server]:
    """Serve it, with settings of a stranger in every place where Jupyter and Voila look."""
    home = root.parent / "home"
    loose = {"VoilaConfiguration": {"file_allowlist": [".*"], "template": "evil",
                                    "allow_template_override": "YES", "theme": "evil"}}  # fmt: skip
    for folder in (home / ".jupyter", root / "notebooks", home / "config"):
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("voila.json", "jupyter_server_config.json", "jupyter_config.json"):
            (folder / name).write_text(json.dumps(loose), encoding="utf-8")
    for folder in (
        home / "data" / "voila" / "templates",
        home / "data" / "nbconvert" / "templates",
    ):
        (folder / "evil").mkdir(parents=True)
        (folder / "evil" / "index.html.j2").write_text(f"EVIL {MARK}", encoding="utf-8")
    notebook = root / "notebooks" / "01_review.ipynb"
    fields = json.loads(notebook.read_text(encoding="utf-8"))
    fields["metadata"]["voila"] = {"template": "evil", "theme": "evil"}
    notebook.write_text(json.dumps(fields), encoding="utf-8")
    hostile = {"JUPYTER_CONFIG_DIR": str(home / "config"), "JUPYTER_DATA_DIR": str(home / "data"),
               "JUPYTER_CONFIG_PATH": str(home / "config"), "JUPYTER_PATH": str(home / "data"),
               "JUPYTER_TOKEN": "token", "VOILA_TEMPLATE": "evil"}  # fmt: skip
    before = dict(os.environ)
    os.environ.update(hostile)
    try:
        with running(root) as one:
            yield one
    finally:
        os.environ.clear()
        os.environ.update(before)


def test_every_route_is_known(root: Path, tmp_path: Path, routes: dict[str, str]) -> None:
    """A route that is not in this list is not served; whoever adds one decides who may open it."""
    stock = {"GatedMultiStaticFileHandler", "GatedFileFindHandler", "GatedThemesHandler",
             "GatedTemplateStaticFileHandler"}  # fmt: skip
    known = {"GatedKernelHandler", "GatedPageSocket", "GatedShutdownOwnKernel",
             "GatedCardsPage", "GatedShelvedFile"}  # fmt: skip
    ours = set(routes.values())
    assert known <= ours <= known | OPEN_TO_ALL.keys()
    assert set(routes_of(root, tmp_path / "lab", "lab").values()) <= ours | stock


def test_file_download_through_every_route(
    server: Server, root: Path, routes: dict[str, str]
) -> None:
    """No address below any route gives a file of the project, with a link or without one."""
    cookie = server.let_in(server.book.make("demo", "first", "amal"))
    sha = json.loads((root / ".reviewkit" / "links.jsonl").read_text("utf-8").splitlines()[0])
    secrets = (MARK, SOURCE_SECRET, sha["sha256"], "root:")
    starts = {re.split(r"[(\[\\?$]", pattern)[0] for pattern in routes}
    starts |= {"/voila/files/", "/files/", "/static/", "/voila/templates/", "/api/contents/",
               "/voila/static/", "/nbconvert/html/", "/view/", "/edit/", "/tree/"}  # fmt: skip
    asked = [
        f"{start.rstrip('/')}/{climb}{SECRET_FILES[(at + turn) % len(SECRET_FILES)]}"
        for at, start in enumerate(sorted(starts))
        for turn, climb in enumerate(CLIMBS)
    ]
    before = len(server.kernels())
    for at, address in enumerate(asked):
        reply = server.ask(address, cookie="" if at % 5 == 0 else cookie)
        assert not [secret for secret in secrets if secret in reply.text], address
        assert reply.status >= 400, (address, reply.status)
    assert len(server.kernels()) == before


def test_nobody_opens_any_route(server: Server, routes: dict[str, str]) -> None:
    """Without a link every route refuses, for every method, but for those that are open to all."""
    for pattern, handler in routes.items():
        address = re.sub(r"\(.*?\)", NOBODYS_KERNEL, pattern).strip("^$").replace("\\", "")
        address = address.replace("/?", "/").replace("?", "") or "/"
        for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS"):
            status = server.ask(address, method=method).status
            if handler in OPEN_TO_ALL:
                assert status < 500
            else:
                assert status in (403, 404, 405), (method, address, status)


@pytest.mark.parametrize("query", ["voila-template=evil", "voila-theme=evil", "template=evil", ""])
def test_template_and_theme_override(server: Server, query: str) -> None:
    """Address, notebook, settings files and environment name another template: ours is shown."""
    if not [link for link in server.book.list() if link.person.rater == "badr"]:
        server.book.make("demo", "second", "badr")
    cookie = server.let_in(server.book.renew("demo", "second", "badr"))
    reply = server.ask(f"/?{query}", cookie=cookie)
    assert reply.status == 200
    assert MARK not in reply.text
    assert "evil" not in reply.text
    assert "Opening your cards" in reply.text
