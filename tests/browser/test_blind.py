"""Blind to each other: nothing of one rater reaches page, messages or kernel of another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reviewkit.workspace import Workspace
from tests.browser.places import AUDIT, lay_demo, link_of, records, voila
from tests.browser.reader import Reader
from tests.serving.served import kernel_of, memory_of

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

NOTE = "quartzbadger"
DRAFT = "cobaltheron"
RULING = "velvetlantern"


def _memory_holds(pid: int, words: str) -> bool:
    """Search the private memory of a process as it runs."""
    wanted = [words.encode(), words.encode("utf-32-le"), words.encode("utf-16-le")]
    return any(each in content for content in memory_of(pid) for each in wanted)


def test_nothing_of_one_rater_reaches_another(sit: Callable[..., Reader], tmp_path: Path) -> None:
    """Basim judges first; then all that reaches Amal's page and her kernel is searched."""
    place: Workspace = lay_demo(tmp_path / "project", ("amal", "basim"))
    (place.root / "hook").mkdir()
    (place.root / "audit").mkdir()
    (place.root / "hook" / "sitecustomize.py").write_text(AUDIT, encoding="utf-8")
    surroundings = {
        "PYTHONPATH": str(place.root / "hook"), "AUDIT_FOLDER": str(place.root / "audit"),
    }  # fmt: skip
    with voila(place, **surroundings) as server:
        basim = sit().open(link_of(server, "basim"))
        basim.shows("DEMO-T1-001")
        basim.answer(*basim.checks()[:2], note=NOTE)
        basim.save()
        basim.shows("DEMO-T1-002")
        basim.press("r")
        basim.sees("dialog[open]")
        basim.page.keyboard.type(RULING)
        basim.page.keyboard.press("Control+Enter")
        basim.sees(".rk-ruling")
        basim.press("nm")
        basim.page.keyboard.type(DRAFT)
        basim.wait_saved()

        amal = sit().keep_bodies().open(link_of(server, "amal"))
        amal.shows("DEMO-T1-001")
        assert amal.answered() == {}
        amal.answer()
        amal.save()
        amal.shows("DEMO-T1-002")
        amal.go_to("DEMO-T1-001")
        amal.press("l")
        amal.sees(".rk-root[dir=rtl]")
        amal.press("j")
        amal.shows("DEMO-T1-002")
        assert len(records(place, "amal", "decision")) == 1

        reached = "\n".join((*amal.received, amal.page.content()))
        assert len(amal.received) > 10
        assert "DEMO-T1-002" in reached
        mine, other = kernel_of(server, "amal").pid, kernel_of(server, "basim").pid
        for words in (NOTE, DRAFT, RULING, "basim"):
            assert words not in reached
        # the search finds what is there: the same words in the kernel that they belong to
        assert _memory_holds(other, NOTE)
        assert _memory_holds(other, DRAFT)
        assert not _memory_holds(mine, NOTE)
        assert not _memory_holds(mine, DRAFT)

        opened = {
            pid: (place.root / "audit" / f"{pid}.log").read_text(encoding="utf-8")
            for pid in (mine, other)
        }
        assert "p-basim/basim.jsonl" in opened[other]
        assert "p-amal/amal.jsonl" in opened[mine]
        assert "basim" not in opened[mine]
        assert "amal" not in opened[other]
        amal.close()
        basim.close()
