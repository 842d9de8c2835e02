"""What the tables of each shape say, vote by vote and count by count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.people import of_people
from reviewkit.agreement.label_files.tables.delimited import read_delimited
from reviewkit.agreement.label_files.tables.shapes import guess_shape, votes_of
from reviewkit.agreement.label_files.together import together
from reviewkit.agreement.label_files.votes import Column, Counted, Votes
from reviewkit.problems import ProblemsFound


def said(folder: Path, content: str, name: str = "t.csv", **asked: Any) -> Votes | Counted:
    """Return what a file of this content says."""
    path = folder / name
    path.write_text(content, encoding="utf-8")
    declared = Asked.of(**asked)
    table = read_delimited(path, name)
    return votes_of(table, guess_shape(table, declared), declared)


def votes(folder: Path, content: str, name: str = "t.csv", **asked: Any) -> Votes:
    """Return the votes in a file of this content."""
    found = said(folder, content, name, **asked)
    assert isinstance(found, Votes)
    return of_people(together([found]), Asked.of(**asked)).votes


def counted(folder: Path, content: str, **asked: Any) -> Counted:
    """Return the counts in a file of this content."""
    found = said(folder, content, **asked)
    assert isinstance(found, Counted)
    return found


def listed(column: Column | None) -> list[str | None]:
    """Return the cells of a column."""
    assert column is not None
    return [column.cell(row) for row in range(len(column))]


def triples(found: Votes) -> list[tuple[str | None, ...]]:
    """Return (unit, rater, label) of each vote, with the question when there are several."""
    columns = [found.unit, found.rater, found.label]
    if found.question is not None:
        columns.append(found.question)
    return list(zip(*(listed(column) for column in columns), strict=True))


def rows(*lines: str) -> str:
    """Return lines as a file."""
    return "".join(f"{line}\n" for line in lines)


def test_wide(tmp_path: Path) -> None:
    """Each cell is a vote, a blank one without label; other columns go with the unit."""
    found = votes(
        tmp_path, rows("id,topic,ann,bob", "007,work,yes,", "7,home,N,NA", "8,home,yes,N")
    )
    assert triples(found) == [
        ("007", "ann", "yes"), ("7", "ann", "N"), ("8", "ann", "yes"),
        ("007", "bob", None), ("7", "bob", "NA"), ("8", "bob", "N"),
    ]  # fmt: skip
    assert found.where is not None
    assert found.where.tolist() == [2, 3, 4, 2, 3, 4]
    assert listed(found.more["topic"]) == ["work", "home", "home"] * 2
    assert found.question is None
    assert not found.anonymous


def test_what_is_set_aside_stays_beside_the_unit(tmp_path: Path) -> None:
    """A final label is no rater, its reason is kept, and its column can still split the units."""
    found = votes(tmp_path, rows("id,ann,bob,final_label", "1,yes,no,yes", "2,no,no,no"))
    assert {*listed(found.rater)} == {"ann", "bob"}
    assert found.raters_set_aside == {"final_label": "its name says 'final'"}
    assert listed(found.more["final_label"]) == ["yes", "no", "yes", "no"]


def test_rows_without_a_unit_are_left_out_with_their_lines(tmp_path: Path) -> None:
    """The rest is kept."""
    found = votes(tmp_path, rows("id,ann,bob", "1,yes,no", ",yes,yes", "3,no,no"))
    assert {*listed(found.unit)} == {"1", "3"}
    (out,) = found.left_out
    assert (out.reason, out.count, out.examples) == ("no unit is named", 1, ("t.csv:3",))


def test_units_without_a_name_are_rows(tmp_path: Path) -> None:
    """They are numbered from the first below the header."""
    found = votes(tmp_path, rows("ann,bob", "yes,no", "no,no"))
    assert listed(found.unit)[:2] == ["row 1", "row 2"]


def test_long(tmp_path: Path) -> None:
    """Each row is a vote; one without rater is left out."""
    content = rows("item,annotator,label", "1,ann,yes", "1,bob,", "2,,yes", "2,bob,no", "1,ann,yes")
    found = votes(tmp_path, content)
    assert triples(found) == [
        ("1", "ann", "yes"), ("1", "bob", None), ("2", "bob", "no"), ("1", "ann", "yes"),
    ]  # fmt: skip
    (out,) = found.left_out
    assert (out.reason, out.examples) == ("no rater is named", ("t.csv:4",))


def test_gold_among_the_raters_of_a_long_table(tmp_path: Path) -> None:
    """The votes of gold and curator are dropped and named; declared raters are kept as told."""
    content = rows(
        "item,annotator,label", "1,ann,yes", "1,gold,no", "1,CURATION_USER,no", "2,ann,no",
        "2,gold,no", "2,bob,yes",
    )  # fmt: skip
    found = votes(tmp_path, content)
    assert found.rater.values == ("ann", "bob")
    assert found.raters_set_aside == {
        "gold": "its name says 'gold'", "CURATION_USER": "its name says 'curation'",
    }  # fmt: skip
    assert found.label.values == ("yes", "no")
    assert listed(found.unit) == ["1", "2", "2"]
    chosen = votes(tmp_path, content, raters=("ann", "gold"))
    assert chosen.rater.values == ("ann", "gold")
    assert chosen.raters_set_aside["bob"] == "it is not among --raters"
    declared = votes(tmp_path, content, gold="bob")
    assert declared.raters_set_aside["bob"] == "it is declared gold"


def test_several_label_columns_are_questions(tmp_path: Path) -> None:
    """The votes on one question stand below those on the other."""
    content = rows("item,annotator,toxic,rude", "1,ann,yes,no", "1,bob,no,no")
    assert triples(votes(tmp_path, content, label="toxic,rude")) == [
        ("1", "ann", "yes", "toxic"), ("1", "bob", "no", "toxic"),
        ("1", "ann", "no", "rude"), ("1", "bob", "no", "rude"),
    ]  # fmt: skip


def test_a_question_column(tmp_path: Path) -> None:
    """What was rated stands beside each vote."""
    content = rows(
        "item,annotator,question,label", "1,ann,tone,yes", "1,ann,fact,no", "1,bob,tone,no"
    )
    assert triples(votes(tmp_path, content)) == [
        ("1", "ann", "yes", "tone"), ("1", "ann", "no", "fact"), ("1", "bob", "no", "tone"),
    ]  # fmt: skip


def test_two_columns_name_a_unit_together(tmp_path: Path) -> None:
    """Their texts are joined, and the same pair is the same unit."""
    content = rows("doc,sent,rater,label", "a,1,x,y", "a,1,z,y", "a,2,x,n", "b,1,x,y")
    found = votes(tmp_path, content, unit="doc,sent")
    assert listed(found.unit) == ["a / 1", "a / 1", "a / 2", "b / 1"]


def test_a_file_a_rater(tmp_path: Path) -> None:
    """The rater has the name of the file; a file named for gold has no rater."""
    content = rows("id,label", "1,yes", "2,no", "3,yes")
    assert triples(votes(tmp_path, content, "ann.csv")) == [
        ("1", "ann", "yes"), ("2", "ann", "no"), ("3", "ann", "yes"),
    ]  # fmt: skip
    gold = votes(tmp_path, content, "gold_labels.csv")
    assert len(gold.unit) == 0
    assert gold.raters_set_aside == {"gold_labels": "its name says 'gold'"}


def test_tasks(tmp_path: Path) -> None:
    """Each column of the grid gives the votes of its rater on its question."""
    content = rows("id,r1_q1,r1_q2,r2_q1,r2_q2,gold_q1,gold_q2", "1,y,a,y,b,y,a", "2,n,a,,a,n,a")
    found = votes(tmp_path, content)
    assert triples(found) == [
        ("1", "r1", "y", "q1"), ("2", "r1", "n", "q1"), ("1", "r1", "a", "q2"),
        ("2", "r1", "a", "q2"), ("1", "r2", "y", "q1"), ("2", "r2", None, "q1"),
        ("1", "r2", "b", "q2"), ("2", "r2", "a", "q2"),
    ]  # fmt: skip
    assert found.raters_set_aside == {"gold": "its name says 'gold'"}


def test_a_row_a_rater(tmp_path: Path) -> None:
    """Units are columns, and each row is a person."""
    found = votes(tmp_path, rows("rater,item1,item2", "ann,y,n", "bob,n,", "gold,y,n"))
    assert triples(found) == [
        ("item1", "ann", "y"), ("item1", "bob", "n"), ("item2", "ann", "n"), ("item2", "bob", None),
    ]  # fmt: skip
    assert "gold" in found.raters_set_aside


def test_a_list_in_a_cell_has_no_raters(tmp_path: Path) -> None:
    """The places in a list are nobody in particular."""
    content = rows("id,labels", '1,"[""a"", ""a"", null]"', '2,"[""b"", 1.0]"')
    found = votes(tmp_path, content)
    assert found.anonymous
    assert triples(found) == [
        ("1", "rating 1", "a"), ("1", "rating 2", "a"), ("1", "rating 3", None),
        ("2", "rating 1", "b"), ("2", "rating 2", "1.0"),
    ]  # fmt: skip
    assert found.where is not None
    assert found.where.tolist() == [2, 2, 2, 3, 3]


@pytest.mark.parametrize(
    "cells",
    [
        ('{"ann": "yes", "bob": null, "gold": "yes"}', '{"ann": "no", "bob": "no"}'),
        ("{'ann': 'yes', 'bob': None, 'gold': 'yes'}", "{'ann': 'no', 'bob': 'no'}"),
        (
            '[{"annotator": "ann", "label": "yes"}, {"annotator": "bob", "label": null}]',
            '[{"worker": "ann", "rating": "no"}, {"worker": "bob", "rating": "no"}]',
        ),
        ("ann:yes; bob:", "ann:no; bob:no"),
    ],
)
def test_a_dictionary_in_a_cell_names_its_raters(tmp_path: Path, cells: tuple[str, str]) -> None:
    """JSON, Python, objects with rater and label, and pairs of words."""
    quoted = [cell.replace('"', '""') for cell in cells]
    found = votes(tmp_path, rows("id,labels", f'1,"{quoted[0]}"', f'2,"{quoted[1]}"'))
    assert not found.anonymous
    assert triples(found) == [
        ("1", "ann", "yes"), ("1", "bob", None), ("2", "ann", "no"), ("2", "bob", "no"),
    ]  # fmt: skip


def test_raters_in_the_cell_beside(tmp_path: Path) -> None:
    """The first rater gave the first label."""
    content = rows(
        "id,annotators,labels", "1,ann;bob,yes;no", "2,bob;cas,no;no", "3,ann;cas,yes;yes"
    )
    assert triples(votes(tmp_path, content))[:4] == [
        ("1", "ann", "yes"), ("1", "bob", "no"), ("2", "bob", "no"), ("2", "cas", "no"),
    ]  # fmt: skip


def test_a_cell_written_otherwise_is_left_out(tmp_path: Path) -> None:
    """One broken list among many is rejected with its line, also one that names a rater twice."""
    good = [f'{at},"[""a"",""b"",""a""]"' for at in range(1, 21)]
    found = votes(
        tmp_path, rows("id,labels", *good, '21,"[""a"",""b"""', '22,"{""x"":""a"",""x"":""b""}"')
    )
    (out,) = found.left_out
    assert out.reason == "not written as the other cells"
    assert (out.count, out.examples) == (2, ("t.csv:22 labels", "t.csv:23 labels"))
    assert len(found.unit) == 60


def test_sets_are_sorted_and_hold_a_label_once(tmp_path: Path) -> None:
    """Lists in a rater's cells are sets of labels, an empty one too."""
    found = votes(
        tmp_path, rows("id,ann,bob", '1,"[""b"",""a"",""b""]","[\'a\', \'b\']"', '2,"[""b""]",[]')
    )
    assert found.sets
    assert triples(found) == [
        ("1", "ann", '["a", "b"]'), ("2", "ann", '["b"]'), ("1", "bob", '["a", "b"]'),
        ("2", "bob", "[]"),
    ]  # fmt: skip


def test_lists_stay_text_beside_other_labels(tmp_path: Path) -> None:
    """One cell that is no list, or the declaration that there are no sets, keeps all as written."""
    content = rows("item,rater,label", "1,a,[]", "1,b,yes", "2,a,yes", "2,b,yes")
    found = votes(tmp_path, content)
    assert (found.sets, found.label.values) == (False, ("[]", "yes"))
    lists = content.replace("yes", '"[""x""]"')
    assert votes(tmp_path, lists).sets
    assert votes(tmp_path, lists, sets=False).label.values == ("[]", '["x"]')


def test_declared_sets_have_marks_between_labels(tmp_path: Path) -> None:
    """a;b and b;a are one set when labels are declared to be sets; a missing code is none."""
    content = rows("item,rater,label", "1,x,b;a", "1,y,a; b", "2,x,a", "2,y,NA")
    found = votes(tmp_path, content, sets=True, missing="NA")
    assert found.label.values == ('["a", "b"]', '["a"]', "NA")


def test_a_confusion_matrix(tmp_path: Path) -> None:
    """Rows are one rater and columns the other, in one order of labels; sums at the edge go."""
    content = rows("ann \\ bob,no,yes,Total", "yes,1,3,4", "no,5,2,7", "Total,6,5,11")
    found = counted(tmp_path, content)
    assert (found.kind, found.raters, found.categories) == (
        "confusion",
        ("ann", "bob"),
        ("yes", "no"),
    )
    assert found.table.tolist() == [[3, 1], [2, 5]]
    assert found.said == (
        "row t.csv:4 is a sum and left out", "column 'Total' is a sum and left out",
    )  # fmt: skip


def test_a_label_of_one_rater_only(tmp_path: Path) -> None:
    """A matrix that is not square is filled with zeros, and the label is said."""
    found = counted(tmp_path, rows(",yes,no,maybe", "yes,3,1,1", "no,2,5,0"))
    assert found.table.tolist() == [[3, 1, 1], [2, 5, 0], [0, 0, 0]]
    assert found.said == ("given by one rater only: maybe",)


def test_declared_categories_order_a_confusion_matrix(tmp_path: Path) -> None:
    """The scheme's list is the order, with what nobody used."""
    found = counted(tmp_path, rows(",b,a", "b,3,1", "a,2,5"), categories=("a", "b", "c"))
    assert found.categories == ("a", "b", "c")
    assert found.table.tolist() == [[5, 2, 0], [1, 3, 0], [0, 0, 0]]


def test_counts(tmp_path: Path) -> None:
    """A row is a unit and a column a category; a blank cell is zero, and said."""
    found = counted(tmp_path, rows("id,topic,yes,no", "1,work,2,1", "2,home,3,", "3,work,0,3"))
    assert (found.kind, found.categories, found.units) == ("counts", ("yes", "no"), ("1", "2", "3"))
    assert found.table.tolist() == [[2, 1], [3, 0], [0, 3]]
    assert found.said == ("1 blank cells are read as a count of 0",)
    assert listed(found.more["topic"]) == ["work", "home", "work"]
    wider = counted(
        tmp_path, rows("id,yes,no", "1,2,1", "2,3,0", "3,0,3"), categories=("no", "maybe", "yes")
    )
    assert wider.table.tolist() == [[1, 0, 2], [0, 0, 3], [3, 0, 0]]


def test_dictionaries_of_counts(tmp_path: Path) -> None:
    """Equal sums of two or more are counts of labels and no raters with numbers for labels."""
    cells = ('{""yes"": 3}', '{""yes"": 1, ""no"": 2}', '{""no"": 3}')
    content = rows("id,labels", *(f'{at},"{cell}"' for at, cell in enumerate(cells)))
    found = counted(tmp_path, content)
    assert found.categories == ("yes", "no")
    assert found.table.tolist() == [[3, 0], [1, 2], [0, 3]]


def test_a_cell_that_is_no_count_is_a_fault(tmp_path: Path) -> None:
    """Every one comes with line and column."""
    path = tmp_path / "t.csv"
    path.write_text(rows("id,yes,no", "1,2,1", "2,three,0", "3,-1,2.5"), encoding="utf-8")
    declared = Asked.of(categories=("yes", "no"))
    table = read_delimited(path, "t.csv")
    from reviewkit.agreement.label_files.tables.looks import Shape

    shape = Shape("counts", "counts", ("yes", "no"), ("id",))
    with pytest.raises(ProblemsFound) as raised:
        votes_of(table, shape, declared)
    assert [str(each) for each in raised.value.problems] == [
        "t.csv:3 yes: 'three' is no count; write a whole number of ratings",
        "t.csv:4 yes: '-1' is no count; write a whole number of ratings",
        "t.csv:4 no: '2.5' is no count; write a whole number of ratings",
    ]
