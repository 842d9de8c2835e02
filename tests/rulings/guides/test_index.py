"""From an item, a group or a check to its rulings, from Python and from the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewkit.authoring.retirement import retire
from reviewkit.rulings import Ruling
from reviewkit.rulings.guides import NothingOfThatName, rulings_of
from reviewkit.workspace import Workspace

FilesRuling = Callable[..., Ruling]
Run = Callable[..., tuple[int, str, str]]


def numbers(ws: Workspace, name: str) -> list[str]:
    """Return the numbers of the rulings on something."""
    return [each.number for each in rulings_of(ws, name)]


def test_a_check_leads_to_its_rulings(settled: Workspace) -> None:
    """Those that are superseded too; the version of the form makes no difference."""
    assert numbers(settled, "t1/dialect_twin") == ["R-002", "R-004"]
    assert numbers(settled, "t3@2/natural_and_stance") == ["R-002"]
    assert numbers(settled, "t1/natural") == []


def test_an_item_and_its_group_lead_to_their_rulings(
    demo: Workspace, file_ruling: FilesRuling
) -> None:
    """A group has the rulings on any of its items; another group has none of them."""
    file_ruling("One.", item_ids=("DEMO-T1-001-a",))
    file_ruling("Two.", item_ids=("DEMO-T1-001-b", "DEMO-T1-002-a"))
    assert numbers(demo, "DEMO-T1-001-a") == ["R-001"]
    assert numbers(demo, "DEMO-T1-001") == ["R-001", "R-002"]
    assert numbers(demo, "DEMO-T1-003") == []


def test_a_group_that_left_is_still_found(demo: Workspace, file_ruling: FilesRuling) -> None:
    """What was decided on a retired group stays findable under its identifiers."""
    file_ruling("One.", item_ids=("DEMO-T1-001-a",))
    retire(demo, "DEMO-T1-001", reason="merged by hand", name="lead", on="2026-11-30")
    assert numbers(demo, "DEMO-T1-001") == ["R-001"]
    assert numbers(demo, "DEMO-T1-001-b") == []


@pytest.mark.parametrize("name", ["DEMO-T9-001", "t1/nothing", ""])
def test_what_never_was_is_a_sentence(demo: Workspace, name: str) -> None:
    """An unknown name is no empty list."""
    with pytest.raises(NothingOfThatName):
        rulings_of(demo, name)


def test_the_command_lists_what_stands_on_a_thing(settled: Workspace, run: Run) -> None:
    """``ruling --of`` says what is superseded and in which edition a ruling is."""
    run("guide", "--publish", "--name", "lead")
    status, out, _err = run("ruling", "--of", "t1/dialect_twin")
    assert status == 0
    assert "A stub is no twin. (superseded by R-004)" in out
    assert "A twin is written in full. (in the guide since edition 1)" in out
    _status, out, _err = run("ruling", "--of", "t1/dialect_twin", "--json")
    told = [(each["number"], each["superseded_by"], each["folded_in"]) for each in json.loads(out)]
    assert told == [("R-002", "R-004", None), ("R-004", None, 1)]
    assert run("ruling", "--of", "t1/natural")[1] == "no ruling on t1/natural\n"
    assert run("ruling", "--of", "nothing")[0] == 1
    assert run("ruling", "A text.", "--of", "t1/natural")[0] == 2


def test_the_command_shows_and_publishes(settled: Workspace, run: Run, tmp_path: Path) -> None:
    """Preview, publication, refusal and list, each with its exit status."""
    status, out, _err = run("guide")
    assert status == 0
    assert "draft of edition 1: rules 39, checks 22 (t1@1, t2@1, t3@2, t4@1), rulings 5," in out
    assert not settled.guides.exists()
    assert run("guide", "--list")[1].startswith("no edition yet")
    assert run("guide", "--publish")[0] == 2
    status, out, _err = run("guide", "--publish", "--name", "lead")
    assert status == 0
    assert (
        "published edition 1 in rulings/guides/edition-01/: 21 files, 5 rulings and 1 design" in out
    )
    status, _out, err = run("guide", "--publish", "--name", "lead")
    assert (status, "nothing has changed since edition 1" in err) == (1, True)
    assert "1 " in run("guide", "--list")[1].splitlines()[1]
    assert json.loads(run("guide", "--list", "--json")[1])[0]["number"] == 1
    assert json.loads(run("guide", "--json")[1])["is_changed"] is False
    assert run("guide", "--md", "--part", "t2")[1].startswith("# Reviewer checklist T2: Draft of")
    assert run("guide", "--html", "--language", "ar")[1].startswith("<!doctype html>")
    assert run("guide", "--out", str(tmp_path / "draft"))[0] == 0
    assert len(list((tmp_path / "draft").iterdir())) == 21
    assert run("guide", "--out", str(tmp_path / "draft"))[0] == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--md", "--html"), ("--html", "--json"), ("--md", "--out", "draft"),
        ("--publish", "--name", "lead", "--md"), ("--list", "--html"), ("--name", "lead"),
        ("--publish", "--list", "--name", "lead"),
    ],
)  # fmt: skip
def test_options_that_say_two_things_are_refused(
    demo: Workspace, run: Run, words: tuple[str, ...]
) -> None:
    """No option is passed over in silence, and nothing is written."""
    assert run("guide", *words)[0] == 2
    assert not demo.guides.exists()
    assert not (demo.root / "draft").exists()


def test_the_preview_says_what_is_in_the_way(
    demo: Workspace, file_ruling: FilesRuling, run: Run
) -> None:
    """A draft that cannot be published ends with status 1 and the reason."""
    text = (demo.groups / "DEMO-T1-001.yaml").read_text(encoding="utf-8")
    quoted = text.partition('text: "')[2].partition('"')[0]
    file_ruling(f"As in {quoted}", "t1/natural")
    status, out, _err = run("guide")
    assert status == 1
    assert "in the way: R-001: repeats the text of DEMO-T1-001, DEMO-T1-001-a" in out
    assert quoted not in out
