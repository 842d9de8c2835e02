"""Codings made elsewhere come in by the rules of the desk: all rows or none, and never twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import openpyxl
import pytest

from reviewkit.decisions import NOTE_LIMIT
from reviewkit.decisions.passes import PassLocked
from reviewkit.problems import ProblemsFound
from reviewkit.study import Walk, load_study
from reviewkit.study.drawing import draw_cards
from reviewkit.study.import_codings import import_codings
from reviewkit.workspace import Workspace

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """A copy of the project with the demo study of aliases and nobody's codings."""
    for name in ("bank", "checklists"):
        shutil.copytree(ROOT / name, tmp_path / name)
    folder = tmp_path / "rulings" / "alias-demo"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "rulings" / "alias-demo" / "study.yaml", folder)
    ws = Workspace(tmp_path)
    study = load_study(ws, "alias-demo")
    draw_cards(ws, study, study.rounds[0])
    return ws


def walk_of(ws: Workspace) -> Walk:
    """Open ada's pass as the command does."""
    return Walk(ws, "alias-demo", "ada", origin="import")


def table(ws: Workspace, *rows: str, head: str = "card,same,note") -> Path:
    """Write a table of codings."""
    path = ws.root / "codings.csv"
    path.write_text("\n".join((head, *rows)) + "\n", encoding="utf-8")
    return path


def test_rows_become_decisions_with_their_derived_values(ws: Workspace) -> None:
    """A row is a decision of origin import; reading the file again records nothing."""
    file = table(ws, "ALI-001,same,", "ALI-002,different,another harbour")
    assert import_codings(walk_of(ws), file).recorded == 2
    again = import_codings(walk_of(ws), file)
    assert (again.recorded, again.repeated) == (0, 2)
    records = [each for each in walk_of(ws).ledger.records() if each.kind == "decision"]
    assert [each.origin for each in records] == ["import", "import"]
    assert records[0].derived == {"kept_as": "canonical"}
    assert records[1].note == "another harbour"


def test_a_pass_that_begins_with_a_file_is_pinned(ws: Workspace) -> None:
    """The round holds its cards and forms fast from the first imported coding on."""
    pins = ws.pins("alias-demo", "1")
    with pytest.raises(ProblemsFound):
        import_codings(walk_of(ws), table(ws, "ALI-001,maybe,"))
    assert not pins.exists()
    for _ in range(2):
        import_codings(walk_of(ws), table(ws, "ALI-001,same,"), rulings_in_force=3)
    assert pins.exists()
    start, decision = walk_of(ws).ledger.records()
    assert (start.kind, start.details, decision.kind) == ("start", {"rulings": 3}, "decision")


def test_a_note_that_is_too_long_keeps_the_other_rows_out(ws: Workspace) -> None:
    """All rows or none: what the ledger would refuse is found before the first row is recorded."""
    file = table(ws, "ALI-001,same,", f"ALI-002,same,{'x' * (NOTE_LIMIT + 1)}")
    with pytest.raises(ProblemsFound, match=r"codings\.csv:3 note: the note has 20,001 characters"):
        import_codings(walk_of(ws), file)
    assert walk_of(ws).judgements() == {}


def test_a_label_outside_the_codebook_is_refused_with_its_line(ws: Workspace) -> None:
    """Every fault is told at once with line and codes, and nothing is recorded."""
    file = table(
        ws, "ALI-001,maybe,", "ALI-099,same,", "ALI-002,,", "ALI-003,same,", "ALI-003,same,"
    )
    with pytest.raises(ProblemsFound) as found:
        import_codings(walk_of(ws), file)
    assert [str(each) for each in found.value.problems] == [
        "codings.csv:2 same: 'maybe' is no code of same; use same, different, ambiguous",
        "codings.csv:3 card: the pass has no card 'ALI-099'; name a card of this pass",
        "codings.csv:4 same: is empty; use same, different, ambiguous",
        "codings.csv:6 card: ALI-003 stands in codings.csv:5 too; keep one of the two",
    ]
    assert walk_of(ws).ledger.records() == ()


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("id,same,note", "has no column 'card'"),
        ("card,same,verdict", "the column 'verdict' is no field"),
    ],
)
def test_columns_are_those_of_the_codebook(ws: Workspace, head: str, said: str) -> None:
    """A table without cards, or with a column that is no field, is refused."""
    with pytest.raises(ProblemsFound, match=said):
        import_codings(walk_of(ws), table(ws, "ALI-001,same,x", head=head))


def test_what_a_file_does_not_say_is_an_option(ws: Workspace) -> None:
    """Encoding and sheet are named as the command takes them, and no mapping is spoken of."""
    file = table(ws)
    file.write_bytes(b"")
    with pytest.raises(ProblemsFound, match="write a header and a row for each card") as empty:
        import_codings(walk_of(ws), file)
    file.write_bytes("card,same,note\nALI-001,same,ميناء\n".encode("windows-1256"))
    with pytest.raises(ProblemsFound, match=r"give --encoding .*windows-1256") as foreign:
        import_codings(walk_of(ws), file)
    with pytest.raises(ProblemsFound, match="--encoding names an unknown encoding") as unknown:
        import_codings(walk_of(ws), file, encoding="klingon")
    for raised in (empty, foreign, unknown):
        assert "mapping" not in str(raised.value)
    assert import_codings(walk_of(ws), file, encoding="windows-1256").recorded == 1


def test_a_sheet_of_a_workbook_is_named(ws: Workspace) -> None:
    """Of two filled sheets neither is guessed."""
    file = ws.root / "codings.xlsx"
    book = openpyxl.Workbook()
    for name, code in (("first", "same"), ("second", "different")):
        sheet = book.create_sheet(name)
        sheet.append(["card", "same"])
        sheet.append(["ALI-001", code])
    book.save(file)
    with pytest.raises(ProblemsFound, match=r"e\.g\. --sheet first"):
        import_codings(walk_of(ws), file)
    assert import_codings(walk_of(ws), file, sheet="second").recorded == 1


def test_a_locked_pass_takes_no_import(ws: Workspace) -> None:
    """The lock closes this door like every other."""
    walk = walk_of(ws)
    rows = [f"{card_id},same," for card_id in walk.card_ids]
    import_codings(walk, table(ws, *rows))
    walk.lock(click_id="lock-00000001")
    with pytest.raises(PassLocked):
        import_codings(walk_of(ws), table(ws, "ALI-001,different,n"))
