"""The study file, the pins of a round, the writing tab, and when labels open."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reviewkit.decisions.stores.file_kept import FileKept
from reviewkit.problems import ProblemsFound
from reviewkit.study import (
    LabelsClosed,
    OpenAlready,
    UnknownRater,
    UnknownStudy,
    WriterMark,
    find_round,
    load_study,
    open_round,
    pin_round,
    study_progress,
    unblind,
)
from reviewkit.study.writer import SILENT_AFTER
from reviewkit.workspace import Workspace
from tests.desk.talk import sit_down

FIRST, SECOND = "first-reviewer", "second-reviewer"


def rewrite(ws: Workspace, before: str, after: str) -> None:
    """Change the demo's study file."""
    path = ws.study_file("demo")
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_two_raters_with_one_name_are_refused(demo: Workspace) -> None:
    """Names that differ in letter case alone would share a file on some disks: refused."""
    rewrite(demo, "rater: second-reviewer", "rater: First-Reviewer")
    with pytest.raises(ProblemsFound, match="two raters with one name") as found:
        load_study(demo, "demo")
    assert "study.yaml:" in str(found.value)


def test_a_name_that_is_no_file_name_is_refused(demo: Workspace) -> None:
    """A rater's name becomes a file name, so it cannot climb out of the folder."""
    rewrite(demo, "rater: second-reviewer", "rater: ../../elsewhere")
    with pytest.raises(ProblemsFound, match="rater"):
        load_study(demo, "demo")


def test_unknown_study_and_rater_name_what_there_is(demo: Workspace) -> None:
    """A wrong name is answered with the right ones."""
    with pytest.raises(UnknownStudy, match="demo"):
        load_study(demo, "emod")
    with pytest.raises(UnknownRater, match="first-reviewer, second-reviewer"):
        load_study(demo, "demo").find_pass("nobody")


def test_the_first_to_open_a_round_pins_it(tmp_path: Path) -> None:
    """Whoever comes second keeps the pins of the first."""
    name, kept = "round-1.pins.json", FileKept(tmp_path)
    pin_round(name, kept, {"a": "1"}, {"t1@1": "f"})
    assert pin_round(name, kept, {"a": "2"}, {"t1@1": "f"}).cards == {"a": "1"}


def test_labels_open_when_every_pass_is_locked(demo: Workspace) -> None:
    """Counts are there from the start; labels only after both locks."""
    study = load_study(demo, "demo")
    round_ = find_round(study, None)
    for rater in (FIRST, SECOND):
        with pytest.raises(LabelsClosed):
            open_round(demo, study, round_)
        page = sit_down(demo, rater)
        while page.view["card"]:
            page.submit()
        page.say("lock", click_id=page.click())
    opened = open_round(demo, study, round_)
    assert [len(each.decisions) for each in opened.passes] == [25, 25]
    assert opened.notices == ()


def test_progress_has_counts_and_no_label(demo: Workspace) -> None:
    """The lead's board says how many and how fast, and not one verdict."""
    page = sit_down(demo, FIRST)
    page.submit(page.card["questions"][0]["id"], note="a secret note")
    progress = study_progress(demo, load_study(demo, "demo"), ("DEMO-T1-001", "DEMO-T1-002"))
    assert [each.decided for each in progress] == [1, 0]
    said = json.dumps([each.as_json() for each in progress])
    assert "needs_fix" not in said
    assert "secret" not in said


def test_opening_early_is_recorded_and_said(demo: Workspace) -> None:
    """An unblinding opens the labels and leaves a notice for every later figure."""
    study = load_study(demo, "demo")
    round_ = find_round(study, None)
    sit_down(demo, FIRST).submit()
    unblind(demo, study, round_, "the second reviewer left")
    opened = open_round(demo, study, round_)
    assert any("the second reviewer left" in each for each in opened.notices)
    assert demo.lead_ledger("demo").exists()


def test_what_the_locks_opened_is_not_opened_early(demo: Workspace) -> None:
    """After the locks an unblinding would be an untrue notice for ever, so there is none."""
    text = demo.study_file("demo").read_text(encoding="utf-8")
    text = text.replace("groups: all", "groups: [DEMO-T1-001]")
    demo.study_file("demo").write_text(text, encoding="utf-8")
    for rater in (FIRST, SECOND):
        page = sit_down(demo, rater)
        page.submit()
        page.say("lock", click_id=page.click())
    study = load_study(demo, "demo")
    round_ = find_round(study, None)
    with pytest.raises(OpenAlready, match="every pass is locked; nothing was recorded"):
        unblind(demo, study, round_, "a slip")
    assert open_round(demo, study, round_).notices == ()
    assert not demo.lead_ledger("demo").exists()


def test_a_live_tab_keeps_the_mark(tmp_path: Path) -> None:
    """Another tab gets the mark by a take-over or when the first is silent, not before."""
    path = tmp_path / "amal.writer.json"
    one, two = (WriterMark(path.name, FileKept(tmp_path)) for _ in range(2))
    assert one.claim("tab-one")
    assert not two.claim("tab-two")
    assert two.claim("tab-two", take_over=True)
    assert not one.holds()
    long_ago = path.stat().st_mtime - SILENT_AFTER - 1
    os.utime(path, (long_ago, long_ago))
    assert one.claim("tab-one")


@pytest.mark.process
def test_a_dead_process_frees_the_mark(tmp_path: Path) -> None:
    """A killed kernel does not lock its owner out."""
    path = tmp_path / "amal.writer.json"
    code = (
        "import os, signal, sys; from pathlib import Path;"
        "from reviewkit.study.writer import WriterMark;"
        "from reviewkit.decisions.stores.file_kept import FileKept;"
        "WriterMark('amal.writer.json', FileKept(Path(sys.argv[1]))).claim('tab-one');"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert path.exists()
    assert WriterMark(path.name, FileKept(tmp_path)).claim("tab-two")
