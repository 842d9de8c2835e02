"""What a report reads from the folder of a study: rounds, codebooks, groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.of_study.reading import read_material
from reviewkit.agreement.of_study.report import StudyAsked, study_report
from reviewkit.bank.import_responses import import_responses
from reviewkit.study import LabelsClosed, find_round, load_study
from reviewkit.study.opening import unblind
from reviewkit.workspace import Workspace
from tests.release.freeze import clean_bank
from tests.study.coding_people import CARDS, STUDY, code, coding_study

TABLE = '{{"id": "{card}", "text": "Line {card} is late.", "item": "{item}"}}\n'


def grouped(root: Path) -> Workspace:
    """Lay the study, its responses in three groups of two."""
    ws = coding_study(root)
    source, mapping = ws.root / "ferry.jsonl", ws.root / "ferry.yaml"
    rows = (TABLE.format(card=card, item=f"i{at // 2}") for at, card in enumerate(CARDS))
    source.write_text("".join(rows), encoding="utf-8")
    mapping.write_text(
        "responses: ferry\nid: id\ntexts: {response: text}\ngroup: item\nlanguage_is: en\n",
        encoding="utf-8",
    )
    import_responses(ws, source, mapping)
    return ws


def test_groups_of_a_table_can_be_named_as_a_column(tmp_path: Path) -> None:
    """What the report clusters over by itself is a name that --cluster and --by take."""
    ws = grouped(tmp_path)
    code(ws, "ada", "E E N N D D")
    code(ws, "bo", "E N N N D D")
    asked = StudyAsked(by=("group",), cluster="group")
    report = study_report(ws, load_study(ws, STUDY), None, Settings(draws=50), asked)
    assert report.part("field:rationale").measured.clusters == ("group", 3)
    parts = {each.title: each.measured.agree for each in report.of_kind("group")}
    assert parts["i0: evidence"] == 1
    assert parts["i1: evidence"] == 2


def test_each_round_is_read_with_its_own_codebook(tmp_path: Path) -> None:
    """A later round with another codebook does not lend it to an earlier one."""
    ws = coding_study(tmp_path)
    path = ws.study_file(STUDY)
    later = '  - round: "2"\n    codebook: alias_review@1\n    passes:\n'
    later += "      - {pass: third, rater: dee}\n      - {pass: fourth, rater: eli}\n"
    path.write_text(path.read_text(encoding="utf-8") + later, encoding="utf-8")
    study = load_study(ws, STUDY)
    for rater in ("ada", "bo"):
        code(ws, rater, "E E N N D D")
    unblind(ws, study, find_round(study, "2"), "a look at the new codebook")
    found = read_material(ws, study, "2")
    assert found.round.codebook is not None
    assert found.round.codebook.name == "alias_review@1"
    (other,) = found.others
    assert other.codebook is not None
    assert other.codebook.name == "rationale@1"


def test_a_round_of_one_pass_is_not_the_one_that_is_compared(tmp_path: Path) -> None:
    """Mended groups are judged again in it; asked for no round, agreement stays with the first."""
    ws = clean_bank.reviewed(tmp_path / "project")
    path = ws.study_file("review")
    again = '  - round: "2"\n    passes:\n      - {pass: again, rater: amal}\n'
    path.write_text(path.read_text(encoding="utf-8") + again, encoding="utf-8")
    clean_bank.review(ws, "amal", pass_name="again", only=["T1-a"], lock=False)
    found = read_material(ws, load_study(ws, "review"))
    assert found.round.name == "1"
    assert [each.name for each in found.others] == ["2"]
    with pytest.raises(LabelsClosed, match="round 2 has one pass"):
        read_material(ws, load_study(ws, "review"), "2")
