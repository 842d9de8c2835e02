"""What is said of a freeze afterwards is public, dated, computed, and moves no frozen file."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.problems import ProblemsFound
from reviewkit.release.freeze import (
    FreezeLine,
    UnknownFreeze,
    amend,
    find_freeze,
    freeze,
    record_deviation,
    retract,
    verify_freeze,
    write_pages,
)
from reviewkit.workspace import Workspace
from tests.release import small_bank
from tests.release.freeze import clean_bank


def figures(line: FreezeLine) -> dict[str, tuple[str, str]]:
    """Return what changed, before and after."""
    return {each.of: (each.before, each.after) for each in line.changes}


@pytest.fixture
def factorial(tmp_path: Path) -> Workspace:
    """Return a freeze of a bank with a factorial group of three values."""
    towns = ("Northham", "Southham", "Eastham")
    texts = small_bank.spoken("T1-a", towns)
    groups = small_bank.with_groups(small_bank.t1("T1-a", towns, dialect=texts))
    ws = clean_bank.lay(tmp_path / "project", groups)
    for rater in ("amal", "badr"):
        clean_bank.review(ws, rater)
    freeze(ws, "one", name="amal")
    return ws


def test_a_group(factorial: Workspace) -> None:
    """Counts of its cell, pairs, the factorial share; the file stays and is still verified."""
    line = retract(factorial, ["T1-a"], reason="a slur", name="amal", effect="One cell is empty.")
    assert figures(line) == {
        "groups": ("7", "6"),
        "items": ("17", "11"),
        "pairs": ("6", "3"),
        "valley x asymmetry: groups": ("1", "0"),
        "valley x asymmetry: items": ("6", "0"),
        "valley x asymmetry: pairs": ("3", "0"),
        "T1: groups": ("1", "0"),
        "T1: items": ("6", "0"),
        "T1: pairs": ("3", "0"),
        "valley: groups": ("6", "5"),
        "valley: items": ("16", "10"),
        "valley: pairs": ("6", "3"),
        "factorial share": (
            "1/7 (14.3 %), within 0 to 100 %", "0/6 (0.0 %), within 0 to 100 %"
        ),
        "directions with:against": ("1:1, half and half", "1:1, half and half"),
    }  # fmt: skip
    assert (factorial.groups / "T1-a.yaml").is_file()
    assert verify_freeze(factorial).sound
    assert verify_freeze(factorial).retracted == ("T1-a",)


def test_items_one_after_the_other(factorial: Workspace) -> None:
    """A value less leaves one pair of three; the last dialect text less is no factorial group."""
    line = retract(factorial, ["T1-a-2", "T1-a-d2"], reason="a slur", name="amal")
    found = figures(line)
    assert (found["items"], found["pairs"]) == (("17", "15"), ("6", "4"))
    assert found["factorial share"][1] == "1/7 (14.3 %), within 0 to 100 %"
    assert "groups" not in found
    # the bank moves on; what was withdrawn before still counts
    (factorial.groups / "T1-a.yaml").unlink()
    found = figures(retract(factorial, ["T3-b"], reason="a slur", name="amal"))
    assert (found["items"], found["pairs"]) == (("15", "13"), ("4", "3"))


def test_a_dialect_text_takes_the_factorial_group_away(factorial: Workspace) -> None:
    """One standard text without its twin, and the group is written in both registers no more."""
    found = figures(retract(factorial, ["T1-a-d1"], reason="a slur", name="amal"))
    assert found["factorial share"] == (
        "1/7 (14.3 %), within 0 to 100 %", "0/7 (0.0 %), within 0 to 100 %"
    )  # fmt: skip


def test_all_items_of_a_group(factorial: Workspace) -> None:
    """Taken one by one, they take the group away."""
    retract(factorial, ["T3-b-0"], reason="a slur", name="amal")
    found = figures(retract(factorial, ["T3-b-1"], reason="a slur", name="amal"))
    assert found["groups"] == ("7", "6")
    assert found["creative: groups"] == ("1", "0")


def test_the_balance_of_directions(factorial: Workspace) -> None:
    """One twin less that resolves with the stereotype, and it is half and half within one."""
    found = figures(retract(factorial, ["T2-a"], reason="wrong key", name="amal"))
    assert found["directions with:against"] == ("1:1, half and half", "0:1, half and half")


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (["T9"], "T9: is no group and no item of the freeze"),
        ([], "ID: nothing is named"),
        (["T1-a", "T1-a"], "T1-a: is withdrawn already"),
        (["T1-a", "T1-a-0"], "T1-a-0: its group T1-a is withdrawn as a whole"),
    ],
)
def test_what_cannot_be_withdrawn(frozen: Workspace, ids: list[str], said: str) -> None:
    """Every fault is told, and nothing is recorded."""
    with pytest.raises(ProblemsFound, match=said):
        retract(frozen, ids, reason="r", name="n")
    assert find_freeze(frozen).afterwards == ()


def test_twice_and_of_a_group_that_changed(frozen: Workspace) -> None:
    """A withdrawn group is withdrawn; an item is looked at in its frozen group alone."""
    retract(frozen, ["T1-a"], reason="r", name="n")
    with pytest.raises(ProblemsFound, match="T1-a: is withdrawn already"):
        retract(frozen, ["T1-a"], reason="r", name="n")
    with pytest.raises(ProblemsFound, match="its group T1-a is withdrawn as a whole"):
        retract(frozen, ["T1-a-0"], reason="r", name="n")
    path = frozen.groups / "T3-a.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("baked", "bought"), "utf-8")
    with pytest.raises(ProblemsFound, match="not as it was frozen"):
        retract(frozen, ["T3-a-0"], reason="r", name="n")


def test_a_group_though_the_bank_cannot_be_read(frozen: Workspace) -> None:
    """A withdrawal may not wait for somebody to mend a file."""
    frozen.taxonomy.write_text("domains: [\n", encoding="utf-8")
    assert figures(retract(frozen, ["T1-a"], reason="r", name="n"))["groups"] == ("7", "6")


def test_reason_effect_and_name_are_said(frozen: Workspace) -> None:
    """Each blank one is told at once."""
    with pytest.raises(ProblemsFound) as found:
        amend(frozen, " ", reason="", effect="\u200c", name="")
    assert [each.where for each in found.value.problems] == [
        "TEXT", "--reason", "--effect", "--name"
    ]  # fmt: skip
    ledger = "rulings/review/first/amal.jsonl"
    with pytest.raises(ProblemsFound, match="only grows"):
        amend(frozen, "t", reason="r", effect="e", name="n", files=[ledger])
    with pytest.raises(ProblemsFound, match="no file that a freeze covers"):
        amend(frozen, "t", reason="r", effect="e", name="n", files=["../outside"])
    with pytest.raises(UnknownFreeze):
        record_deviation(frozen, "t", reason="r", effect="e", name="n", freeze_name="two")


def test_the_public_page(frozen: Workspace) -> None:
    """Everything in order, as text and never as markup, Arabic isolated."""
    retract(frozen, ["T1-a"], reason="<b>كلمة</b> | `x`", name="أمل")
    amend(frozen, "The rubric is registered.", reason="it was not written", effect="T1 is scored",
          name="amal")  # fmt: skip
    record_deviation(
        frozen, "Two systems fell out.\n# Not a title", reason="no access", effect="ten systems",
        name="amal",
    )  # fmt: skip
    page = (frozen.freezes / "one" / "AFTERWARDS.md").read_text(encoding="utf-8")
    heads = [line for line in page.splitlines() if line.startswith("#")]
    assert [head.split(",")[0] for head in heads] == [
        "# Since freeze one", "## 1. Retraction", "## 2. Amendment", "## 3. Deviation"
    ]  # fmt: skip
    assert "\\<b\\>\u2068كلمة\u2069\\</b\\> \\| \\`x\\`" in page
    assert "By \u2068أمل\u2069." in page
    assert "| pairs | 4 | 3 |" in page
    assert "Withdrawn: T1-a." in page


def test_a_page_that_was_lost_is_written_again(frozen: Workspace) -> None:
    """It is rendered from the log; until then the verification says so."""
    retract(frozen, ["T1-a"], reason="r", name="n")
    path = frozen.freezes / "one" / "AFTERWARDS.md"
    page = path.read_bytes()
    path.unlink()
    assert not verify_freeze(frozen).sound
    assert write_pages(frozen) == ("rulings/freezes/one/AFTERWARDS.md",)
    assert path.read_bytes() == page
    assert write_pages(frozen) == ()
    assert verify_freeze(frozen).sound
