"""What stands in the way of a freeze: each kind of it, all at once, and never a word of an item."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path

import pytest

from reviewkit.authoring.retirement import retire
from reviewkit.authoring.second_review_acts import close_second_review
from reviewkit.authoring.second_review_start import start_second_review
from reviewkit.bank import load_bank
from reviewkit.release import add_waiver
from reviewkit.release.freeze import FreezeRefused, freeze, freezes, obstacles, retract
from reviewkit.workspace import Workspace
from tests.release import small_bank
from tests.release.freeze import clean_bank


def told(ws: Workspace) -> list[tuple[str, str]]:
    """Return code and subject of every obstacle."""
    return [(each.code, each.subject) for each in obstacles(ws)]


def edit(path: Path, before: str, after: str) -> None:
    """Edit a file."""
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_nothing_stands_in_the_way_of_a_clean_bank(ws: Workspace) -> None:
    """Reviewed, accepted, locked, audited: no obstacle."""
    assert obstacles(ws) == ()


def test_a_hard_check_and_a_stale_verdict(ws: Workspace) -> None:
    """A key that an edit made wrong fails the audit, and the verdict is of an earlier text."""
    edit(ws.groups / "T2-a.yaml", "correct_position: 1", "correct_position: 2")
    assert told(ws) == [("hard-check", "T2-a"), ("stale-verdict", "T2-a")]
    assert "key-ambiguous" in obstacles(ws)[0].said


def test_a_changed_checklist_makes_verdicts_stale(ws: Workspace) -> None:
    """The words of a check are part of the form that the verdict was given with."""
    text = (ws.checklists / "t4.yaml").read_text(encoding="utf-8")
    at = text.index("checks:")
    (ws.checklists / "t4.yaml").write_text(
        text[:at] + text[at:].replace("on_fail: fix", "on_fail: reject", 1), encoding="utf-8"
    )
    assert told(ws) == [("stale-verdict", "T4-a")]


def test_groups_that_are_not_accepted(tmp_path: Path) -> None:
    """In need of a fix, rejected, skipped and never seen: each is named once."""
    ws = clean_bank.lay(tmp_path / "project")
    walk = clean_bank.review(ws, "amal", "T1-a", only=["T1-a", "T2-a", "T2-b", "T3-a"], lock=False)
    walk.skip("T3-b", click_id=clean_bank.click())
    asked = walk.outcome("T4-a", {}, "").asked
    answers = {check: "no" if check == asked[0] else "yes" for check in asked}
    walk.submit(
        "T4-a", walk.digest("T4-a"), answers, "no", escalated=True, seconds=1.0,
        click_id=clean_bank.click(),
    )  # fmt: skip
    ws.study_file("review").write_text(
        clean_bank.STUDY.replace("      - {pass: second, rater: badr}\n", ""), encoding="utf-8"
    )
    found = {each.subject: each.said.split(";")[0] for each in obstacles(ws)}
    assert found == {
        "T1-a": "its verdict is that it needs a fix",
        "T3-b": "its reviewer skipped it",
        "T3-c": "nobody has reviewed it",
        "T4-a": "its verdict is rejected",
    }
    assert {each.code for each in obstacles(ws)} == {"not-accepted"}


def test_verdicts_that_are_closed(tmp_path: Path) -> None:
    """While one pass of a blind round is unlocked, no group counts as accepted."""
    ws = clean_bank.lay(tmp_path / "project")
    clean_bank.review(ws, "amal")
    clean_bank.review(ws, "badr", lock=False)
    assert {code for code, _ in told(ws)} == {"verdict-withheld"}
    assert len(told(ws)) == 7


def test_no_study_of_record(ws: Workspace) -> None:
    """Without one nobody can say what is accepted."""
    edit(ws.study_file("review"), 'of_record: "yes"', 'of_record: "no"')
    assert told(ws) == [("no-study-of-record", "bank")]


def test_a_pending_term_stands_in_the_way_though_it_is_waived(tmp_path: Path) -> None:
    """A waiver keeps the warning off the list; the term has no class all the same."""
    pending = small_bank.t4("T4-a", classes=(*small_bank.WATCHED, "pending"))
    ws = clean_bank.lay(tmp_path / "project", small_bank.with_groups(pending))
    for rater in ("amal", "badr"):
        clean_bank.review(ws, rater)
    day = "2026-11-30"
    add_waiver(ws, load_bank(ws), "term-pending", ["T4-a"], reason="soon", name="amal", on=day)
    assert told(ws) == [("pending-term", "T4-a")]


def test_an_open_second_review(ws: Workspace) -> None:
    """Until it is locked and closed; a group that fails in it is not accepted."""
    start_second_review(ws, "again", "cara", 7)
    assert told(ws) == [("second-review-open", "again")]
    clean_bank.review(ws, "cara", study="again")
    assert told(ws) == [("second-review-open", "again")]
    close_second_review(ws, "again")
    assert told(ws) == []


def test_a_group_that_failed_in_the_second_review(ws: Workspace) -> None:
    """Closing the second review does not close what it found."""
    review = start_second_review(ws, "again", "cara", 7, bound=Decimal("0.9")).review
    failing = review.sampled[0]
    clean_bank.review(ws, "cara", failing, study="again")
    assert ("not-accepted", failing) in told(ws)


def test_a_damaged_ledger(ws: Workspace) -> None:
    """A line that was edited, and a last line that was cut off."""
    path = ws.ledger("review", "second", "badr")
    raw = path.read_bytes()
    path.write_bytes(raw[:-40])
    assert ("ledger-torn", "rulings/review/second/badr.jsonl") in told(ws)
    path.write_bytes(raw.replace(b'"yes"', b'"no"', 1))
    broken = [subject for code, subject in told(ws) if code == "ledger-broken"]
    assert broken[0].startswith("rulings/review/second/badr.jsonl:")


def test_files_that_no_sum_can_vouch_for(ws: Workspace, tmp_path: Path) -> None:
    """A link, a name that is not UTF-8, and lines that git would end otherwise."""
    outside = tmp_path / "outside.yaml"
    outside.write_text("leakage: x\n", encoding="utf-8")
    (ws.bank / "linked").symlink_to(outside)
    (ws.bank / "folder").symlink_to(tmp_path)
    Path(os.fsdecode(os.fsencode(ws.bank) + b"/caf\xe9.txt")).write_text("x", encoding="utf-8")
    (ws.bank / "notes.md").write_bytes(b"one\r\ntwo\r\n")
    assert told(ws) == [
        ("irregular-file", "bank/folder"),
        ("irregular-file", "bank/linked"),
        ("file-name", "bank/caf\\xe9.txt"),
        ("line-ends", "bank/notes.md"),
    ]


def test_what_lies_among_the_retired_unasked(ws: Workspace) -> None:
    """A file that was moved by hand is no retirement."""
    ws.retired.mkdir()
    (ws.groups / "T3-c.yaml").rename(ws.retired / "T3-c.yaml")
    assert ("retirement", "bank/retired/T3-c.yaml") in told(ws)


def test_a_retired_group_is_frozen_with_the_rest(ws: Workspace) -> None:
    """Its file is covered, and its being gone is no obstacle."""
    retire(ws, "T3-c", reason="the theme stands elsewhere", name="amal")
    assert obstacles(ws) == ()
    made = freeze(ws, "one", name="amal")
    assert "bank/retired/T3-c.yaml" in (made.folder / "SHA256SUMS").read_text(encoding="utf-8")
    assert made.certificate.counts.groups == 6


def test_faults_of_other_files_are_told_as_they_are(ws: Workspace) -> None:
    """A plan that cannot be read leaves nothing to measure against."""
    edit(ws.plan, "planned: 1\n", "planned: one\n")
    (found,) = obstacles(ws)
    assert (found.code, found.subject.split(":")[0]) == ("fault", "bank/plan.yaml")


def test_an_empty_bank(tmp_path: Path) -> None:
    """There is nothing to freeze."""
    ws = clean_bank.lay(tmp_path / "project")
    for path in ws.groups.iterdir():
        path.unlink()
    assert told(ws) == [("empty-bank", "bank")]


def test_what_was_withdrawn_may_not_be_frozen_again(frozen: Workspace) -> None:
    """A retracted item that stands in the bank as it was keeps the next freeze from being made."""
    retract(frozen, ["T2-a", "T3-b-0"], reason="a slur", name="amal")
    assert told(frozen) == [("retracted", "T2-a"), ("retracted", "T3-b-0")]


def test_a_refused_freeze_leaves_nothing(ws: Workspace) -> None:
    """All obstacles come with the refusal; no folder and no line is written."""
    edit(ws.groups / "T2-a.yaml", "correct_position: 1", "correct_position: 2")
    with pytest.raises(FreezeRefused, match="2 things stand in the way") as refused:
        freeze(ws, "one", name="amal")
    assert refused.value.obstacles == obstacles(ws)
    assert freezes(ws) == ()
    assert not (ws.freezes / "one").exists()


@pytest.mark.parametrize("name", ["", "..", "a/b", "-x", "log.jsonl", "freeze.lock", "a b", "é"])
def test_names_that_are_none(ws: Workspace, name: str) -> None:
    """A freeze is a folder, and not the log."""
    with pytest.raises(FreezeRefused):
        freeze(ws, name, name="amal")
    assert not ws.freezes.exists()


def test_somebody_answers_for_it(ws: Workspace) -> None:
    """A blank name is no name."""
    with pytest.raises(FreezeRefused, match="nobody answers"):
        freeze(ws, "one", name=" \u200c")


def test_no_obstacle_quotes_an_item(ws: Workspace) -> None:
    """Identifiers, codes and counts alone."""
    for path in ws.groups.iterdir():
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("domain: valley", "domain: chronicle"), encoding="utf-8")
    said = "\n".join(map(str, obstacles(ws)))
    assert "hard-check" in said
    for word in ("baker", "taxi", "bread", "bridge", "welcome"):
        assert word not in said
