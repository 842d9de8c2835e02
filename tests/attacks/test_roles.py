"""One server, three roles: each link leads to its own notebook and to no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving.served import REPOSITORY, Server, lay_project, refused, running, until

pytestmark = pytest.mark.kernel

NOTEBOOKS = ("01_review", "02_code", "03_adjudicate", "04_board")
SOURCE = """
import json, os
from pathlib import Path
person = json.loads(os.environ["HTTP_X_REVIEWKIT_PERSON"])
Path({folder!r}, "{name} " + person["rater"]).touch()
"""
ROLES = {
    ("first", "amal"): "01_review",
    ("adjudication", "cleo"): "03_adjudicate",
    ("lead", "lead"): "04_board",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve a folder whose notebooks leave a file that says who had them run."""
    root = lay_project(tmp_path_factory.mktemp("project"))
    (root / "shown").mkdir()
    for name in NOTEBOOKS:
        notebook = json.loads((REPOSITORY / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        code[0]["source"] = SOURCE.format(folder=str(root / "shown"), name=name)
        path = root / "notebooks" / f"{name}.ipynb"
        path.write_text(json.dumps({**notebook, "cells": code[:1]}), encoding="utf-8")
    with running(root) as one:
        yield one


def shown(root: Path) -> set[str]:
    """Return which notebooks ran for whom."""
    return {path.name for path in (root / "shown").iterdir()}


def test_each_role_gets_its_notebook_and_no_other(server: Server) -> None:
    """Rater, adjudicator and lead on one server; no address leads to another's notebook."""
    for (pass_name, name), notebook in ROLES.items():
        cookie = server.let_in(server.book.make("demo", pass_name, name))
        server.open_page(cookie)
        assert until(lambda: f"{notebook} {name}" in shown(server.root)), shown(server.root)  # noqa: B023
        for other in NOTEBOOKS:
            for path in (f"/notebooks/{other}.ipynb", f"/voila/render/notebooks/{other}.ipynb",
                         f"/{other}", f"/voila/files/notebooks/{other}.ipynb"):  # fmt: skip
                reply = server.ask(path, cookie=cookie)
                assert reply.status == 404, path
                assert "kernelId" not in reply.text
        for query in ("?notebook=04_board", "?voila-template=lab", "?pass=lead"):
            server.open_page(cookie, f"{server.base_url}{query}")
    assert shown(server.root) == {f"{notebook} {who}" for (_, who), notebook in ROLES.items()}


def test_nobody_reaches_the_kernel_of_another_role(server: Server) -> None:
    """A rater's cookie opens neither the channels of the lead nor those of the adjudicator."""
    cookies = {
        name: server.let_in(server.book.make("demo", pass_name, name))
        for pass_name, name in (("second", "badr"), ("adjudication", "dana"))
    }
    lead = server.let_in(server.book.renew("demo", "lead", "lead"))
    _html, kernel = server.open_page(lead)
    assert refused(server, kernel, lead) == 101
    for cookie in cookies.values():
        assert refused(server, kernel, cookie) in (403, 404)
        assert server.ask(f"/api/kernels/{kernel}", cookie=cookie).status in (403, 404)
        assert server.ask(f"/voila/api/shutdown/{kernel}", cookie=cookie, method="POST").status in (
            403, 404,
        )  # fmt: skip
    assert refused(server, kernel, lead) == 101


@pytest.mark.parametrize("header", ["X-Reviewkit-Person", "x-reviewkit-person"])
def test_nobody_names_himself_the_lead(server: Server, header: str) -> None:
    """What a browser says of its role is replaced by what its link says."""
    cookie = server.let_in(server.book.make("demo", "third", f"cai-{header[0]}"))
    person = '{"pass": "lead", "rater": "lead", "study": "demo"}'
    before = {each for each in shown(server.root) if each.startswith("04_board")}
    reply = server.ask("/", cookie=cookie, **{header.replace("-", "_"): person})
    assert reply.status == 200
    assert until(lambda: f"01_review cai-{header[0]}" in shown(server.root))
    assert {each for each in shown(server.root) if each.startswith("04_board")} == before
