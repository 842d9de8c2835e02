"""Names that look like another's, or that would be another's file: no study can have them."""

from __future__ import annotations

import json
import re

import pytest

from reviewkit.problems import ProblemsFound, ReviewkitError
from reviewkit.study import Walk, known_person, load_study
from reviewkit.study.links import PERSON_VARIABLE, LinkBook
from reviewkit.workspace import Workspace

NOT_WORDS = {
    "a Cyrillic letter": "\u0430mal", "a fullwidth letter": "\uff41mal",
    "a combining mark": "ama\u0301l", "a composed letter": "am\u00e1l",
    "a Turkish i": "am\u0131l", "a long s": "\u017fara", "a Kelvin sign": "\u212aim",
    "an override": "amal\u202e", "a zero width space": "am\u200bal", "a soft hyphen": "am\u00adal",
    "a trailing space": "amal ", "a no-break space": "amal\u00a0", "a newline": "amal\n",
    "a NUL": "amal\0", "a path": "../amal", "a backslash": "..\\amal", "nothing": "",
    "a leading dot": ".amal", "a very long name": "a" * 65, "an escape": "amal\x1b[2J",
}  # fmt: skip
NO_FILES = ("amal.", "CON", "nul.txt", "com1", "lead", "LEAD")


def rename(ws: Workspace, old: str, new: str) -> None:
    """Replace a word of the demo's study file, quoted so that YAML keeps it as it is."""
    path = ws.study_file("demo")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("name", [*NOT_WORDS.values(), *NO_FILES], ids=repr)
def test_lookalike_rater_in_the_study_file(demo: Workspace, name: str) -> None:
    """A name that is no plain word, or no file on every disk, is refused with its study file."""
    rename(demo, "rater: second-reviewer", f"rater: {json.dumps(name)}")
    with pytest.raises(ProblemsFound, match=r"study\.yaml"):
        load_study(demo, "demo")


def test_lookalike_rater_in_a_link_and_in_a_kernel(demo: Workspace) -> None:
    """Neither a link nor the word of a server makes a person of such a name."""
    for name in NOT_WORDS.values():
        with pytest.raises(ProblemsFound, match="cannot be a name"):
            LinkBook(demo.links).make("demo", "first", name)
        told = json.dumps({"study": "demo", "pass": "first", "rater": name})
        assert known_person({PERSON_VARIABLE: told}) is None
        with pytest.raises(ReviewkitError, match="has no"):
            Walk(demo, "demo", name, origin="lab")
    assert not [path for path in demo.rulings.rglob("*") if "amal" in path.name]


@pytest.mark.parametrize("name", ["study.yaml", "Cards.jsonl", "lead.jsonl", "aux", "first."])
def test_pass_named_like_a_file(demo: Workspace, name: str) -> None:
    """A pass whose folder would stand where a file of the study belongs is refused."""
    rename(demo, "pass: second", f"pass: {name}")
    with pytest.raises(ProblemsFound, match=re.escape(repr(name))):
        load_study(demo, "demo")


def test_one_person_in_two_spellings(demo: Workspace) -> None:
    """Names that fold to one are refused across rounds too, and so is the adjudicator's."""
    with demo.study_file("demo").open("a", encoding="utf-8") as file:
        file.write("  - round: later\n    passes:\n      - {pass: third, rater: Second-Reviewer}\n")
    with pytest.raises(ProblemsFound, match="one name on many disks"):
        load_study(demo, "demo")


def test_collision_of_the_files_of_two_raters(demo: Workspace) -> None:
    """No file of a rater is a file of another, whatever endings a name borrows."""
    names = ("amal", "amal.draft", "amal.jsonl", "amal.writer", "amal.draft.json",
             "amal.jsonl.torn-1")  # fmt: skip
    kept: dict[str, str] = {}
    text = demo.study_file("demo").read_text(encoding="utf-8")
    for name in names:
        demo.study_file("demo").write_text(
            text.replace("rater: second-reviewer", f"rater: {name}"), encoding="utf-8"
        )
        walk = Walk(demo, "demo", name, origin="lab")
        for path in (demo.shown(walk.ledger.path), walk.drafts.name, walk.writer_name):
            for ending in ("", ".lock", ".part"):
                assert kept.setdefault(f"{path}{ending}".casefold(), name) == name
