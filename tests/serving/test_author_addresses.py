"""The lead's further pages: his link opens them below the study's address, nobody else's does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.serving.served import REPOSITORY, Server, lay_project, running

pytestmark = pytest.mark.kernel

ADDRESSES = ("worklist", "guide", "audit")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve a folder with the apps as they are shipped."""
    root = lay_project(tmp_path_factory.mktemp("project"))
    for name in ("06_audit", "07_worklist", "08_guide"):
        shutil.copy(REPOSITORY / "notebooks" / f"{name}.ipynb", root / "notebooks")
    with running(root) as one:
        one.book.make("demo", "lead", "lead")
        yield one


def test_the_lead_alone_opens_them(server: Server) -> None:
    """A rater, an adjudicator and a stranger get a refusal and no kernel; the lead a page."""
    lead = server.let_in(server.book.renew("demo", "lead", "lead"))
    others = {
        "rater": server.let_in(server.book.make("demo", "first", "amal")),
        "adjudicator": server.let_in(server.book.make("demo", "adjudication", "cleo")),
    }
    for address in ADDRESSES:
        for who, cookie in others.items():
            reply = server.ask(f"/{address}", cookie=cookie)
            assert reply.status == 404, (address, who)
            assert "kernelId" not in reply.text
        assert server.ask(f"/{address}").status == 403
        _html, kernel = server.open_page(lead, f"/{address}")
        assert kernel


@pytest.mark.parametrize(
    "path",
    ["/worklist/", "/worklist/x", "/Worklist", "/guide/../audit", "/board", "/06_audit",
     "/notebooks/07_worklist.ipynb", "/voila/render/notebooks/08_guide.ipynb", "/worklist%00"],
)  # fmt: skip
def test_no_other_address_leads_anywhere(server: Server, path: str) -> None:
    """Only the named addresses exist, for the lead as well."""
    lead = server.let_in(server.book.renew("demo", "lead", "lead"))
    reply = server.ask(path, cookie=lead)
    assert reply.status in (400, 403, 404)
    assert "kernelId" not in reply.text


def test_the_shipped_apps_name_them() -> None:
    """What the test serves is what a project gets."""
    text = (REPOSITORY / "voila_apps" / "apps.yaml").read_text(encoding="utf-8")
    for address in ADDRESSES:
        assert f"address: {address}\n" in text
