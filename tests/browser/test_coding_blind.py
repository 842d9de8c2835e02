"""Blind while coding: nothing hidden and nothing of another coder reaches page or kernel."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.browser.coder import Coder, reached, seats
from tests.browser.places import AUDIT
from tests.browser.studies import lay_mixed, lay_studies, link_for, serving
from tests.browser.test_blind import _memory_holds
from tests.browser.test_coding import KEY, STUDY, TEXTS
from tests.serving.served import kernel_of

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

HIDDEN = ("zincmodel", "zincarm", "zincjudge")
NOTE, DRAFT, ASKED, REASON = "quartzbadger", "cobaltheron", "velvetlantern", "pewterotter"
PRACTICE = f"""
cards:
  - id: "1"
    texts: {{request: Tell., response: Nothing of the kind.}}
    answers: {{stance: D, terms: [], faults: []}}
    reason: {{en: {REASON}}}
"""


def test_nothing_hidden_and_nothing_of_another_reaches_a_rater(
    browser: Any, tmp_path: Path
) -> None:
    """All that comes to Basim's browser is searched, and what his kernel opens and holds.

    Amal codes first. Model, condition, automatic label and their names, her codes, note, draft and
    question, and the right answers of the practice round before the try: nothing of it is there.
    """
    place = lay_studies(tmp_path / "project")
    rows = [
        {"id": name, "request": "Tell.", "response": TEXTS[name]}
        | {column: f"{column}-value-{name}" for column in HIDDEN}
        for name in ("plain", "second", "none")
    ]
    automatic = f"automatic: {{stance: {HIDDEN[2]}}}"
    lay_mixed(place, STUDY, ("amal", "basim"), rows, automatic, hidden=HIDDEN)
    practice = place.root / "rulings" / STUDY / "practice.yaml"
    practice.write_text(PRACTICE, encoding="utf-8")
    (place.root / "hook").mkdir()
    (place.root / "audit").mkdir()
    (place.root / "hook" / "sitecustomize.py").write_text(AUDIT, encoding="utf-8")
    surroundings = {
        "PYTHONPATH": os.pathsep.join(
            filter(None, (str(place.root / "hook"), os.environ.get("PYTHONPATH")))
        ),
        "AUDIT_FOLDER": str(place.root / "audit"),
    }
    with serving(place, STUDY, **surroundings) as server, seats(browser) as seat:
        amal = seat().open(link_for(server, "amal"))
        _try_out(amal)
        amal.code(KEY)
        amal.press("u")
        amal.write_note(NOTE)
        amal.record()
        amal.shows("second")
        amal.press("3")
        amal.press("w")
        amal.sees("dialog[open]")
        amal.page.keyboard.type(ASKED)
        amal.page.keyboard.press("Control+Enter")
        amal.sees(".rk-lead")
        amal.write_note(DRAFT)
        amal.wait_saved()

        basim = seat().keep_bodies().open(link_for(server, "basim"))
        basim.shows("practice.1")
        before = reached(basim)
        assert REASON not in before
        assert '"right"' not in before
        _try_out(basim)
        assert REASON in reached(basim)
        assert '"right"' in reached(basim)
        basim.shows("plain")
        assert basim.answered() == {}
        assert {each["state"] for each in basim.spans()} == {"pending"}
        assert not basim.has(".rk-unsure[aria-pressed=true], .rk-lead")
        basim.code(KEY)
        basim.record()
        basim.shows("second")
        basim.press("l")
        basim.sees(".rk-root[dir=rtl]")
        basim.press("/")
        basim.sees("dialog[open]")
        basim.page.keyboard.press("Escape")

        came = reached(basim)
        assert len(basim.received) > 10
        assert TEXTS["second"][:20] in came
        mine, other = kernel_of(server, "basim").pid, kernel_of(server, "amal").pid
        for words in (NOTE, DRAFT, ASKED, "amal", "zinc"):
            assert words not in came
        # the search finds what is there: the same words in the kernel that they belong to
        assert _memory_holds(other, NOTE)
        for words in (NOTE, DRAFT, ASKED, f"{HIDDEN[0]}-value", f"{HIDDEN[2]}-value"):
            assert not _memory_holds(mine, words)
        opened = {
            pid: (place.root / "audit" / f"{pid}.log").read_text(encoding="utf-8")
            for pid in (mine, other)
        }
        assert "p-basim/basim.jsonl" in opened[mine]
        assert "p-amal/amal.jsonl" in opened[other]
        assert f"{STUDY}.jsonl" in opened[mine]
        assert "amal" not in opened[mine]
        assert "basim" not in opened[other]
        assert ".hidden.jsonl" not in opened[mine] + opened[other]
        written = "".join((place.responses / f"{STUDY}.hidden.jsonl").read_text("utf-8"))
        assert f"{HIDDEN[0]}-value-plain" in written


def _try_out(coder: Coder) -> None:
    """Try the practice card and go on."""
    coder.shows("practice.1")
    coder.press("2")
    coder.record()
    coder.sees(".rk-practice")
    coder.pause()
    coder.press(["Enter"])
    coder.leaves("practice.1")
