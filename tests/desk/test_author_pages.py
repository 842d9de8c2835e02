"""The lead's pages before a real folder: what they show, to whom, and what they refuse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from reviewkit.desk import author_pages
from reviewkit.desk.author_pages import (
    PageSession,
    audit_page,
    guide_page,
    open_page,
    pages_script,
    worklist_page,
)
from reviewkit.desk.lead import NotTheLead
from reviewkit.desk.page_contents import STRINGS
from reviewkit.desk.wording import load_strings
from reviewkit.study.links import PERSON_VARIABLE, Person
from reviewkit.workspace import Workspace
from tests.desk.talk import sit_down

GROUP = "DEMO-T1-001"
PAGES = {"worklist": worklist_page, "guide": guide_page, "audit": audit_page}


def _hello(session: PageSession, **fields: Any) -> dict[str, Any]:
    return session.receive({"kind": "hello", "id": 1, "tab": "t", **fields})["view"]


def _say(session: PageSession, kind: str, **fields: Any) -> dict[str, Any]:
    return session.receive({"kind": kind, "id": 2, "tab": "t", **fields})


@pytest.fixture
def edited(demo: Workspace) -> Workspace:
    """Return a folder whose first group was accepted by one reviewer and edited since."""
    path = demo.study_file("demo")
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("      - {pass: second, rater: second-reviewer}\n", ""), encoding="utf-8"
    )
    page = sit_down(demo, "first-reviewer")
    assert page.card["card_id"] == GROUP
    page.submit()
    group = demo.root / "bank" / "groups" / f"{GROUP}.yaml"
    group.write_text(
        group.read_text(encoding="utf-8").replace("أول وظيفة", "أوّل عمل"), encoding="utf-8"
    )
    return demo


def test_the_worklist_shows_each_changed_group_with_its_difference(edited: Workspace) -> None:
    """Below the list stands a document for the group, and a button leads to it alone."""
    session = PageSession(edited, "worklist")
    view = _hello(session)
    assert [each["title"] for each in view["documents"]] == ["Worklist", GROUP]
    assert [each["code"] for each in view["marked"]] == ["", GROUP]
    assert GROUP in view["documents"][1]["heading"]
    changed = re.sub(r"<[^>]*>", "", view["documents"][1]["html"])
    assert "أول وظيفة" in changed
    assert "أوّل عمل" in changed
    assert view["documents"][1]["html"].count("<mark") >= 2
    alone = _say(session, "open", part=GROUP)["view"]
    assert [each["title"] for each in alone["documents"]] == [GROUP]
    assert alone["part"] == GROUP


def test_an_unknown_group_leaves_the_page_as_it_is(demo: Workspace) -> None:
    """The refusal names it; a later refresh shows what was shown before."""
    session = PageSession(demo, "worklist")
    _hello(session)
    _say(session, "open", part="DEMO-T1-002")
    reply = _say(session, "open", part="<img src=x>")
    assert reply["kind"] == "refused"
    assert "<img src=x>" in reply["text"]
    assert _say(session, "refresh", part="DEMO-T1-002")["view"]["part"] == "DEMO-T1-002"


def test_the_guide_comes_in_the_language_of_the_reader(demo: Workspace) -> None:
    """Every checklist is a part; English and Arabic are one page, not two."""
    session = PageSession(demo, "guide")
    view = _hello(session)
    assert [each["code"] for each in view["marked"]] == ["author", "t1", "t2", "t3", "t4"]
    assert view["part"] == "author"
    assert 'dir="ltr"' in view["documents"][0]["html"][:80]
    arabic = _say(session, "language", to="ar")["view"]
    assert (arabic["direction"], arabic["language"]) == ("rtl", "ar")
    assert 'lang="ar" dir="rtl"' in arabic["documents"][0]["html"][:80]
    assert _say(session, "open", part="t9")["kind"] == "refused"


def test_the_audit_prints_no_word_of_an_item(demo: Workspace) -> None:
    """Identifiers, codes and counts alone, on the page as everywhere."""
    html = _hello(PageSession(demo, "audit"))["documents"][0]["html"]
    assert "58 items on 25 groups" in html
    assert "stub-twin" in html
    assert re.findall(r"[\u0600-\u06ff]", html) == []


def test_what_was_edited_is_shown_after_refresh_and_not_before(demo: Workspace) -> None:
    """A page says when it was read, and is read again when it is asked to."""
    session = PageSession(demo, "audit")
    before = _hello(session)["documents"][0]["html"]
    (demo.root / "bank" / "groups" / f"{GROUP}.yaml").unlink()
    assert _hello(session)["documents"][0]["html"] == before
    assert "24 groups" in _say(session, "refresh", part="")["view"]["documents"][0]["html"]


@pytest.mark.parametrize("page", list(PAGES))
def test_a_fault_of_the_folder_is_said_with_file_and_line(demo: Workspace, page: str) -> None:
    """Every problem is listed in the page's place; mended, a refresh brings the page."""
    form = demo.checklists / "t1.yaml"
    text = form.read_text(encoding="utf-8")
    form.write_text(text.replace("kind: checklist", "kind: chequelist"), encoding="utf-8")
    session = PageSession(demo, page)  # pyright: ignore[reportArgumentType]
    view = _hello(session)
    assert view["state"] == "fault"
    assert any("checklists/t1.yaml:" in each for each in view["problems"])
    form.write_text(text, encoding="utf-8")
    assert _say(session, "refresh", part="")["view"]["state"] == "open"


@pytest.mark.parametrize(
    "message",
    [
        None, [], "hello", {"kind": "publish", "id": 1, "tab": "t"},
        {"kind": "open", "id": 1, "tab": "t", "part": 7},
        {"kind": "open", "id": 1, "tab": "t", "part": "x" * 201},
        {"kind": "hello", "id": -1, "tab": "t"},
        {"kind": "hello", "id": 1, "tab": "t", "folder": "/"},
    ],
)  # fmt: skip
def test_a_message_that_is_none_is_refused(demo: Workspace, message: object) -> None:
    """Whatever a browser says, the answer is a sentence."""
    assert PageSession(demo, "guide").receive(message)["kind"] == "refused"


def served(pass_name: str, rater: str) -> dict[str, str]:
    """Return what the kernel of a served page knows of its visitor."""
    return {
        "SERVER_SOFTWARE": "voila/0",
        PERSON_VARIABLE: Person("demo", pass_name, rater).to_text(),
    }


@pytest.mark.parametrize("page", list(PAGES))
def test_a_served_page_opens_for_the_lead_alone(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """Should a rater's kernel ever run the notebook, it shows one sentence and no document."""
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(demo.root))
    for name, value in served("first", "first-reviewer").items():
        monkeypatch.setenv(name, value)
    closed = PAGES[page]()
    assert "lead's own link" in repr(closed)
    view = closed._receive({"kind": "hello", "id": 1, "tab": "t"})["view"]
    assert (view["state"], view["documents"], view["pages"]) == ("closed", [], [])
    for pass_name, rater in (("adjudication", "cleo"), ("first", "lead")):
        with pytest.raises(NotTheLead):
            open_page("audit", served(pass_name, rater))
    monkeypatch.delenv(PERSON_VARIABLE)
    assert "lead's own link" in repr(PAGES[page]())
    for name, value in served("lead", "lead").items():
        monkeypatch.setenv(name, value)
    assert repr(PAGES[page]()) == "reviewkit desk"


def test_the_links_lead_only_where_something_is(demo: Workspace) -> None:
    """A folder laid before there were such pages has an ``apps.yaml`` without their addresses."""
    apps = demo.root / "voila_apps" / "apps.yaml"
    apps.parent.mkdir(exist_ok=True)
    apps.write_text(
        "apps:\n  board: {notebook: notebooks/04_board.ipynb, roles: [lead], title: {en: x}}\n",
        encoding="utf-8",
    )
    view = _hello(PageSession(demo, "audit", served=True))
    assert [each["page"] for each in view["pages"]] == ["board", "audit"]
    lab = _hello(PageSession(demo, "audit"))
    assert [each["url"] for each in lab["pages"] if each["page"] == "guide"] == [
        "lab/tree/notebooks/08_guide.ipynb"
    ]


def test_every_string_of_the_pages_is_there_in_both_languages_and_used() -> None:
    """Each code exists in English and Arabic and is named by Python or the script."""
    strings = load_strings(STRINGS)
    script = pages_script()
    python = "".join(
        (Path(author_pages.__file__).parent / name).read_text(encoding="utf-8")
        for name in ("author_pages.py", "page_contents.py", "page_links.py")
    )
    for code, wordings in strings.items():
        assert set(wordings) == {"en", "ar"}, code
        assert re.search(r"[\u0600-\u06ff]", wordings["ar"]), code
        if code.startswith("page."):
            assert f"strings.{code.removeprefix('page.')}" in script, code
        elif not code.startswith("title."):
            assert f'"{code}"' in python, code


def test_no_script_runs_in_the_frame_of_a_document() -> None:
    """The frame is sandboxed without scripts, and the page itself parses no markup."""
    script = pages_script()
    (sandbox,) = re.findall(r'sandbox: "([^"]*)"', script)
    assert set(sandbox.split()) == {"allow-same-origin", "allow-modals"}
    assert (
        re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", script) == []
    )
