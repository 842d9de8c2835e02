"""A second reading agrees or objects with a reason, and never changes what it is about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewkit.decisions import FileLedger, RecordRefused
from reviewkit.problems import ProblemsFound
from reviewkit.study import find_round, load_study, open_round
from reviewkit.study.second_reading import (
    BadReaderName,
    ImportedReadings,
    NothingToRead,
    ReaderIsRater,
    import_readings,
    list_objections,
    read_second,
    standing_records,
)
from reviewkit.workspace import Workspace
from tests.study.coding_people import CARDS, STUDY, click, code, coding_study, hearing

from tests.study.coding_people import import_texts, say  # isort: skip


@pytest.fixture
def coded(tmp_path: Path) -> Workspace:
    """Return a study that two have coded and locked."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E N D R -")
    code(ws, "bo", "E QE N D - -")
    return ws


def file_of(ws: Workspace, *lines: dict[str, Any] | str) -> Path:
    """Write a file of readings."""
    path = ws.root / "readings.jsonl"
    text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
    path.write_text(text, encoding="utf-8")
    return path


def agree(card: str, **more: str) -> dict[str, Any]:
    """Return a line that agrees."""
    return {"card_id": card, "opinion": "agree", **more}


def test_a_person_reads_a_label(coded: Workspace) -> None:
    """The record names the reader, the content and the record that was read."""
    study = load_study(coded, STUDY)
    of = standing_records(coded, study)["r1"]
    assert of.pass_ == "first"
    one = click()
    record = read_second(coded, study, "dina", "r1", "object", "too strict", click_id=one)
    assert record.details == {"by": "person", "name": "dina", "opinion": "object", "of": of.digest}
    assert record.card_digest == of.card_digest
    again = read_second(coded, study, "dina", "r1", "object", "too strict", click_id=one)
    assert again == record
    with pytest.raises(RecordRefused, match="an objection needs a reason"):
        read_second(coded, study, "dina", "r2", "object", click_id=click())
    with pytest.raises(NothingToRead, match="has no verdict or label yet"):
        read_second(coded, study, "dina", "r6", "agree", click_id=click())
    with pytest.raises(NothingToRead, match="is no card of the study"):
        read_second(coded, study, "dina", "r99", "agree", click_id=click())
    with pytest.raises(NothingToRead, match="was judged by ada; let somebody else read it"):
        read_second(coded, study, "ADA", "r1", "agree", click_id=click())
    with pytest.raises(BadReaderName):
        read_second(coded, study, "../ada", "r1", "agree", click_id=click())


def test_it_never_changes_what_it_is_about(coded: Workspace) -> None:
    """After any number of objections every label, status and final code is what it was."""
    study = load_study(coded, STUDY)
    sitting = hearing(coded)
    say(sitting, "r2", "E")
    say(sitting, "r2", "E")
    round_ = find_round(study, None)
    before = (open_round(coded, study, round_), sitting.statuses(), standing_records(coded, study))
    files = {path: path.read_bytes() for path in coded.rulings.rglob("*.jsonl")}
    for card in ("r1", "r2", "r3"):
        read_second(coded, study, "dina", card, "object", "no", click_id=click())
    again = hearing(coded)
    after = (open_round(coded, study, round_), again.statuses(), standing_records(coded, study))
    assert after == before
    assert {path: path.read_bytes() for path in files} == files


def test_an_assistant_is_disclosed(coded: Workspace) -> None:
    """Its file is imported whole, named by digest, and a second import records nothing."""
    study = load_study(coded, STUDY)
    digest = standing_records(coded, study)["r1"].card_digest or ""
    objects = {"card_id": "r2", "opinion": "object", "reason": "the last sentence denies it"}
    path = file_of(coded, agree("r1", card_digest=digest), "", objects)
    assert import_readings(coded, study, path, "helper-3") == ImportedReadings(1, 1, 0)
    ledger = FileLedger(coded.ledger(STUDY, "second-reading", "helper-3"))
    assert [record.details["by"] for record in ledger.records()] == ["assistant", "assistant"]
    assert len({record.details["file"] for record in ledger.records()}) == 1
    assert {record.origin for record in ledger.records()} == {"import"}
    assert import_readings(coded, study, path, "helper-3") == ImportedReadings(0, 0, 2)
    assert len(ledger.records()) == 2
    (objection,) = list_objections(coded, study)
    assert (objection.card_id, objection.reader, objection.by) == ("r2", "helper-3", "assistant")
    assert (objection.reason, objection.stands) == ("the last sentence denies it", True)


def test_one_name_in_two_spellings_is_one_reader(coded: Workspace) -> None:
    """A person and an assistant are not told apart by capitals."""
    study = load_study(coded, STUDY)
    import_readings(coded, study, file_of(coded, agree("r1")), "gpt")
    with pytest.raises(BadReaderName, match="'GPT' and 'gpt' are one name"):
        read_second(coded, study, "GPT", "r1", "agree", click_id=click())
    assert len(list_objections(coded, study)) == 0


def test_every_fault_of_a_file_is_told_and_nothing_recorded(coded: Workspace) -> None:
    """Each with its line: unknown card, other content, no label, no reason, twice, no opinion."""
    study = load_study(coded, STUDY)
    path = file_of(
        coded,
        agree("r1"),
        agree("r9"),
        agree("r2", card_digest="f" * 64),
        agree("r6"),
        {"card_id": "r3", "opinion": "object", "reason": " "},
        agree("r1"),
        {"card_id": "r4", "opinion": "maybe"},
        agree("r4", verdict="E"),
    )
    with pytest.raises(ProblemsFound) as found:
        import_readings(coded, study, path, "helper-3")
    said = {
        int(problem.where.split(":")[1].split()[0]): problem.wrong
        for problem in found.value.problems
    }
    assert set(said) == {2, 3, 4, 5, 6, 7, 8}
    assert said[2] == "the study has no card 'r9'"
    assert "its digest is another one" in said[3]
    assert said[4] == "has no verdict or label yet"
    assert said[5] == "an objection without a reason"
    assert "stands in line 1 already" in said[6]
    assert "'verdict'" in said[8]
    assert not coded.ledger(STUDY, "second-reading", "helper-3").exists()


def test_a_label_of_other_content_is_not_read(coded: Workspace) -> None:
    """A card that was changed after its label has nothing to agree with."""
    study = load_study(coded, STUDY)
    texts = {card: f"The pilots of line {card} are late." for card in CARDS}
    import_texts(coded, texts | {"r1": "Another text."})
    with pytest.raises(ProblemsFound, match=r"readings.jsonl:2 .*changed after its verdict"):
        import_readings(coded, study, file_of(coded, agree("r2"), agree("r1")), "helper-3")


def test_an_adjudicated_card_is_read_as_adjudicated(coded: Workspace) -> None:
    """An objection to a label that a final one replaced is listed as overtaken."""
    study = load_study(coded, STUDY)
    read_second(coded, study, "dina", "r2", "object", "rather N", click_id=click())
    assert [each.stands for each in list_objections(coded, study)] == [True]
    sitting = hearing(coded)
    say(sitting, "r2", "N")
    final = say(sitting, "r2", "N")
    assert [each.stands for each in list_objections(coded, study)] == [False]
    record = read_second(coded, study, "dina", "r2", "agree", click_id=click())
    assert record.details["of"] == final.digest
    assert list_objections(coded, study) == ()


def test_a_blind_round_is_kept_blind(tmp_path: Path) -> None:
    """Before the locks its raters read no verdict of it, and the lead no words of an objection."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E N D R E")
    code(ws, "bo", "E . . . . .", lock=False)
    study = load_study(ws, STUDY)
    with pytest.raises(ReaderIsRater, match="bo is a rater of round 1"):
        read_second(ws, study, "bo", "r2", "agree", click_id=click())
    read_second(ws, study, "dina", "r2", "object", "no endorsement at all", click_id=click())
    (objection,) = list_objections(ws, study)
    assert (objection.reason, objection.closed) == ("", True)
    code(ws, "bo", ". E N D R E")
    assert list_objections(ws, study)[0].reason == "no endorsement at all"
    read_second(ws, study, "bo", "r2", "agree", click_id=click())


def test_the_primary_pass_stands(coded: Workspace) -> None:
    """Where the study file names one; a card that it skipped stands as the other pass has it."""
    path = coded.study_file(STUDY)
    path.write_text(f"primary: second\n{path.read_text()}", encoding="utf-8")
    standing = standing_records(coded, load_study(coded, STUDY))
    assert standing["r2"].answers == {"rationale": "QE"}
    assert standing["r5"].pass_ == "first"
