"""The shape of a label file is told by names and cells, and asked for when neither tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tables.delimited import TextTable, read_delimited
from reviewkit.agreement.label_files.tables.shapes import Shape, guess_shape, guess_shapes
from reviewkit.problems import ProblemsFound


def table(folder: Path, content: str, name: str = "t.csv") -> TextTable:
    """Return the table in a file of this content."""
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return read_delimited(path, name)


def shape(folder: Path, content: str, **asked: Any) -> Shape:
    """Return the shape of a file of this content."""
    return guess_shape(table(folder, content), Asked.of(**asked))


def refused(folder: Path, content: str, **asked: Any) -> str:
    """Return the one problem of a file that must be refused."""
    with pytest.raises(ProblemsFound) as raised:
        shape(folder, content, **asked)
    (problem,) = raised.value.problems
    return str(problem)


def rows(*lines: str) -> str:
    """Return lines as a file."""
    return "".join(f"{line}\n" for line in lines)


PEOPLE = rows("id,ann,bob", "1,yes,no", "2,yes,yes", "3,no,no")
LONG = rows("item,annotator,label", "1,ann,yes", "1,bob,no", "2,ann,yes", "2,bob,yes")
TASKS = rows("id,ann_toxic,ann_rude,bob_toxic,bob_rude", "1,y,n,y,n", "2,n,n,n,y")


# wide ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "raters"),
    [
        ("id,ann,bob", ("ann", "bob")),
        ("Units,Rater1,Rater2", ("Rater1", "Rater2")),
        ("id,annotation_1,annotation_2", ("annotation_1", "annotation_2")),
        ("id,coder_ann,coder_bob", ("coder_ann", "coder_bob")),
        ("id,R1,R2", ("R1", "R2")),
        ("id,Label A,Label B", ("Label A", "Label B")),
        (",ann,bob", ("ann", "bob")),
        ("المعرف,المقيم 1,المقيم 2", ("المقيم 1", "المقيم 2")),
    ],
)
def test_a_column_a_rater(tmp_path: Path, header: str, raters: tuple[str, ...]) -> None:
    """Raters are columns with a rater's name and number, or plain columns that share labels."""
    found = shape(tmp_path, rows(header, "1,yes,no", "2,yes,yes", "3,no,no"))
    assert (found.name, found.columns, found.unit) == ("wide", raters, (header.partition(",")[0],))
    assert raters[0] in found.text


@pytest.mark.parametrize(
    ("labels", "other"),
    [
        (("Yes", "no"), ("yes ", "NO")),
        (("TRUE", "FALSE"), ("1", "0")),
        (("1", "3"), ("1.0", "3.0")),
    ],
)
def test_labels_spelt_otherwise_are_shared(
    tmp_path: Path, labels: tuple[str, str], other: tuple[str, str]
) -> None:
    """Case, spaces, the booleans of another program and 1.0 for 1 do not hide a rater."""
    content = rows(
        "id,ann,bob,topic", *(f"{at},{labels[at % 2]},{other[at % 2]},t{at}" for at in range(6))
    )
    assert shape(tmp_path, content).columns == ("ann", "bob")


def test_columns_beside_the_raters_are_none(tmp_path: Path) -> None:
    """Notes, times, texts and attributes of the unit are not counted as raters."""
    content = rows(
        "id,text,topic,ann,ann note,bob,bob note,date",
        "1,a b,work,yes,sure,no,,2026-01-02", "2,c d,home,no,,no,sure,2026-01-02",
        "3,e f,work,yes,,yes,,2026-01-02",
    )  # fmt: skip
    found = shape(tmp_path, content)
    assert (found.columns, found.unit) == (("ann", "bob"), ("id",))


@pytest.mark.parametrize(
    "name",
    [
        "final_label", "finalLabel", "Gold", "gold-standard", "majority vote", "adjudicated",
        "Curator", "consensus", "agreement", "ground_truth", "goldlabel",
        "الحكم النهائي", "最終ラベル", "Mehrheit", "итоговая оценка",
    ],
)  # fmt: skip
def test_what_was_settled_is_no_rater(tmp_path: Path, name: str) -> None:
    """Final, gold, majority and curated columns are set aside in any language, with the reason."""
    content = rows(f"id,ann,bob,{name}", "1,yes,no,yes", "2,yes,yes,yes", "3,no,no,no")
    found = shape(tmp_path, content)
    assert found.columns == ("ann", "bob")
    assert (found.set_aside or {})[name].startswith("its name says ")


def test_a_name_that_only_holds_such_a_word_is_a_person(tmp_path: Path) -> None:
    """Goldberg and Marigold rate like anybody."""
    content = rows("id,Goldberg,Marigold", "1,yes,no", "2,yes,yes", "3,no,no")
    assert shape(tmp_path, content).columns == ("Goldberg", "Marigold")


def test_naming_a_column_makes_it_a_rater(tmp_path: Path) -> None:
    """--raters overrules a name, and --gold takes a person out."""
    content = rows("id,ann,bob,final", "1,yes,no,yes", "2,yes,yes,yes", "3,no,no,no")
    assert shape(tmp_path, content, raters=("ann", "final")).columns == ("ann", "final")
    found = shape(tmp_path, content.replace("final", "cas"), gold="cas")
    assert found.columns == ("ann", "bob")
    assert (found.set_aside or {})["cas"] == "it is declared gold"


def test_a_column_named_otherwise_than_the_raters_is_said(tmp_path: Path) -> None:
    """Somebody beside Rater1 and Rater2 is set aside and not lost."""
    found = shape(tmp_path, rows("id,Rater1,Rater2,Carol", "1,y,n,y", "2,y,y,n"))
    assert found.columns == ("Rater1", "Rater2")
    assert "name it in --raters" in (found.set_aside or {})["Carol"]


def test_a_column_that_tells_whether_others_are_equal_is_no_rater(tmp_path: Path) -> None:
    """TRUE for equal and FALSE for different is a formula, whatever its name."""
    pairs = [("TRUE", "TRUE"), ("FALSE", "TRUE"), ("FALSE", "FALSE"), ("TRUE", "FALSE")] * 3
    lines = [f"{at},{a},{b},{str(a == b).upper()}" for at, (a, b) in enumerate(pairs)]
    found = shape(tmp_path, rows("id,ann,bob,same", *lines))
    assert found.columns == ("ann", "bob")
    assert (found.set_aside or {})["same"] == "it only says whether the other columns are equal"


def test_a_third_rater_is_not_taken_for_a_formula(tmp_path: Path) -> None:
    """One row that breaks the rule makes the column a rater again."""
    pairs = [("TRUE", "TRUE"), ("FALSE", "TRUE"), ("FALSE", "FALSE"), ("TRUE", "FALSE")] * 3
    lines = [f"{at},{a},{b},{str(a == b).upper()}" for at, (a, b) in enumerate(pairs)]
    found = shape(tmp_path, rows("id,ann,bob,cas", *lines, "12,TRUE,TRUE,FALSE"))
    assert found.columns == ("ann", "bob", "cas")


def test_rows_are_units_when_no_column_names_them(tmp_path: Path) -> None:
    """A table of bare labels is read, and it is said."""
    found = shape(tmp_path, rows("ann,bob", "yes,no", "yes,yes", "no,no"))
    assert found.unit == ()
    assert found.said == ("no column of t.csv names the units, so each row is one",)


def test_a_row_a_rater_is_told_by_the_column_of_raters(tmp_path: Path) -> None:
    """Rows and columns are never swapped by their number: a column named rater decides."""
    content = rows("rater,item1,item2,item3", "ann,y,n,y", "bob,y,y,y")
    found = shape(tmp_path, content)
    assert (found.name, found.rater, found.columns) == (
        "rater-rows", "rater", ("item1", "item2", "item3"),
    )  # fmt: skip
    turned = rows("item,ann,bob", "item1,y,y", "item2,y,n")
    assert shape(tmp_path, turned).name == "wide"


# long ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("item,annotator,label", "item"),
        ("task_id,worker,answer", "task_id"),
        ("id,completed_by,choice", "id"),
        ("text,user,verdict", "text"),
        ("doc,who,code", "doc"),
        ("المعرف,المقيم,الحكم", "المعرف"),
        ("項目,評価者,ラベル", "項目"),
    ],
)
def test_a_row_a_vote(tmp_path: Path, header: str, unit: str) -> None:
    """Unit, rater and label are known by their names in several languages."""
    found = shape(tmp_path, rows(header, *LONG.splitlines()[1:]))
    _, rater, label = header.split(",")
    assert (found.name, found.unit, found.rater, found.columns) == (
        "long", (unit,), rater, (label,),
    )  # fmt: skip


def test_the_id_of_a_vote_is_no_unit(tmp_path: Path) -> None:
    """A number that is different in every row names votes; the unit is what comes twice."""
    lines = LONG.splitlines()
    numbered = rows(f"id,{lines[0]}", *(f"{at},{line}" for at, line in enumerate(lines[1:])))
    assert shape(tmp_path, numbered).unit == ("item",)
    assert shape(tmp_path, numbered.replace("id,", ",", 1)).unit == ("item",)


def test_two_ids_name_a_unit_together_when_one_does_not(tmp_path: Path) -> None:
    """Sentence 1 of two documents is two units."""
    content = rows(
        "doc,sent,rater,label", "1,1,a,y", "1,1,b,y", "1,2,a,n", "1,2,b,y", "2,1,a,y", "2,1,b,y"
    )
    assert shape(tmp_path, content).unit == ("doc", "sent")


def test_a_question_is_one_when_votes_need_it(tmp_path: Path) -> None:
    """A column named question is what was rated only where a rater has several votes on a unit."""
    content = rows(
        "item,annotator,question,label", "1,ann,tone,yes", "1,bob,tone,no", "1,ann,fact,yes",
        "1,bob,fact,yes",
    )  # fmt: skip
    assert shape(tmp_path, content).question == "question"
    once = rows(
        "item,annotator,question,label", "1,ann,why?,yes", "1,bob,why?,no", "2,ann,who?,yes",
        "2,bob,who?,yes",
    )  # fmt: skip
    assert shape(tmp_path, once).question is None


def test_an_attribute_of_the_unit_is_no_label(tmp_path: Path) -> None:
    """What never differs within a unit describes it, when another column does differ."""
    content = rows("item,class,annotator,grade", "1,w,ann,3", "1,w,bob,4", "2,z,ann,1", "2,z,bob,1")
    assert shape(tmp_path, content).columns == ("grade",)


def test_several_label_columns_are_asked_about(tmp_path: Path) -> None:
    """Each is offered, and all of them as questions."""
    content = rows(
        "item,annotator,toxic,rude", "1,ann,yes,no", "1,bob,no,no", "2,ann,yes,yes", "2,bob,yes,no"
    )
    said = refused(tmp_path, content)
    assert "can be read in 3 ways" in said
    assert "(1) --unit item --rater annotator --label toxic" in said
    assert "(3) --unit item --rater annotator --label toxic,rude" in said
    assert shape(tmp_path, content, label="rude").columns == ("rude",)
    assert shape(tmp_path, content, label="toxic,rude").columns == ("toxic", "rude")


def test_declared_columns_need_no_names(tmp_path: Path) -> None:
    """--unit, --rater and --label read columns of any name."""
    content = rows("x,y,z", "1,ann,yes", "1,bob,no", "2,ann,yes", "2,bob,yes")
    found = shape(tmp_path, content, unit="x", rater="y", label="z")
    assert (found.name, found.unit, found.rater, found.columns) == ("long", ("x",), "y", ("z",))


def test_authors_are_no_raters(tmp_path: Path) -> None:
    """A user of his own in every row wrote the text, and the labels are one rater's."""
    content = rows("user,text,label", "mo,hi all,y", "li,oh no,n", "zu,what,y", "ab,is it,n")
    found = shape(tmp_path, content)
    assert (found.name, found.unit, found.columns) == ("file-a-rater", ("text",), ("label",))


# a file a rater ------------------------------------------------------------------------------


def test_a_file_a_rater(tmp_path: Path) -> None:
    """Unit and label alone are the labels of the rater the file is named for."""
    found = shape(tmp_path, rows("id,category,label", "1,a,yes", "2,b,no", "3,b,yes"))
    assert (found.name, found.unit, found.columns) == ("file-a-rater", ("id",), ("label",))
    assert "the labels of one rater, t " in found.text


def test_questions_side_by_side_are_asked_about(tmp_path: Path) -> None:
    """q1 and q2 are raters by their place and questions by their name."""
    said = refused(tmp_path, rows("id,q1,q2", "1,yes,no", "2,yes,yes", "3,no,no"))
    assert "(1) --raters q1,q2 or (2) --shape file-a-rater --label q1,q2" in said


QUESTIONS = rows("id,toxic,rude", "1,yes,no", "2,yes,yes", "3,no,no")


@pytest.mark.parametrize(
    ("names", "content"),
    [
        (("rater1.csv", "rater2.csv"), QUESTIONS),
        (("r1.csv", "r2.csv"), QUESTIONS),
        (("ann.csv", "bob.csv"), QUESTIONS.replace("toxic,rude", "q1,q2")),
        (("ann.csv", "bob.csv"), QUESTIONS.replace("toxic,rude", "label_toxic,label_rude")),
    ],
)
def test_several_files_of_the_same_units_are_a_rater_each(
    tmp_path: Path, names: tuple[str, str], content: str
) -> None:
    """Files named for raters, or columns named for questions, are one rater's answers each."""
    tables = [table(tmp_path, content, name) for name in names]
    found = guess_shapes(tables, Asked())
    assert [each.name for each in found] == ["file-a-rater", "file-a-rater"]
    assert found[0].columns == tuple(content.partition("\n")[0].split(",")[1:])
    assert f"one rater, {names[1].removesuffix('.csv')} (questions " in found[1].text


def test_columns_of_several_files_may_be_raters_or_questions(tmp_path: Path) -> None:
    """Two rounds by ann and bob look like two people's answers to two questions: a person says."""
    tables = [table(tmp_path, PEOPLE, name) for name in ("round1.csv", "round2.csv")]
    with pytest.raises(ProblemsFound) as raised:
        guess_shapes(tables, Asked())
    [problem] = raised.value.problems
    assert problem.where == "round1.csv, round2.csv"
    assert "(1) wide: the raters ann, bob in each file" in problem.wrong
    assert "(2) file-a-rater: one rater a file (round1, round2), with the questions ann, bob" in (
        problem.wrong
    )
    for option in ("--compare file", "--raters ann,bob", "--label ann,bob"):
        assert option in problem.remedy
    raters = guess_shapes(tables, Asked.of(raters=("ann", "bob")))
    assert [each.name for each in raters] == ["wide", "wide"]
    people = guess_shapes(tables, Asked.of(label="ann,bob"))
    assert [each.name for each in people] == ["file-a-rater", "file-a-rater"]


def test_parts_of_a_table_keep_their_raters(tmp_path: Path) -> None:
    """Files with the same columns and other units are parts, and each column is a rater."""
    one = table(tmp_path, PEOPLE, "part1.csv")
    other = table(tmp_path, rows("id,ann,bob", "4,yes,no", "5,yes,yes", "6,no,no"), "part2.csv")
    assert [each.name for each in guess_shapes([one, other], Asked())] == ["wide", "wide"]


def test_every_refused_file_is_named(tmp_path: Path) -> None:
    """Two files without a shape give two problems."""
    tables = [table(tmp_path, rows("x", "1", "2"), name) for name in ("a.csv", "b.csv")]
    with pytest.raises(ProblemsFound) as raised:
        guess_shapes(tables, Asked())
    assert [each.where for each in raised.value.problems] == ["a.csv:1", "b.csv:1"]


# tasks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "r1_q1,r1_q2,r2_q1,r2_q2", "q1_r1,q2_r1,q1_r2,q2_r2", "r1.q1,r1.q2,r2.q1,r2.q2",
        "r1q1,r1q2,r2q1,r2q2", "q1 - r1,q2 - r1,q1 - r2,q2 - r2",
    ],
)  # fmt: skip
def test_a_column_for_each_rater_and_question(tmp_path: Path, header: str) -> None:
    """Either half of a name may be the rater, with any mark between them or none."""
    found = shape(tmp_path, rows(f"id,{header}", "1,y,a,y,b", "2,n,a,n,a"))
    assert found.name == "tasks"
    names = header.split(",")
    assert found.blocks == dict(
        zip(names, [("r1", "q1"), ("r1", "q2"), ("r2", "q1"), ("r2", "q2")], strict=True)
    )


def test_labels_tell_raters_from_questions(tmp_path: Path) -> None:
    """Columns of one question share labels, columns of one rater do not."""
    content = rows("id,ann_tone,ann_size,bob_tone,bob_size", "1,y,long,y,short", "2,n,short,n,long")
    found = shape(tmp_path, content)
    assert (found.blocks or {})["bob_size"] == ("bob", "size")
    turned = content.replace(
        "ann_tone,ann_size,bob_tone,bob_size", "tone_ann,size_ann,tone_bob,size_bob"
    )
    assert (shape(tmp_path, turned).blocks or {})["size_bob"] == ("bob", "size")


def test_halves_that_nothing_tells_apart_are_asked_about(tmp_path: Path) -> None:
    """Two names and two words with the same labels: --raters decides."""
    said = refused(tmp_path, TASKS)
    assert "--shape tasks --raters ann,bob or" in said
    assert "--shape tasks --raters toxic,rude or" in said
    found = shape(tmp_path, TASKS, raters=("ann", "bob"))
    assert (found.blocks or {})["bob_toxic"] == ("bob", "toxic")


def test_gold_among_the_blocks_is_no_rater(tmp_path: Path) -> None:
    """gold_q1 stands in the grid and does not count."""
    content = rows("id,gold_q1,gold_q2,r1_q1,r1_q2,r2_q1,r2_q2", "1,y,a,y,b,y,a", "2,n,a,n,a,y,b")
    found = shape(tmp_path, content)
    assert {rater for rater, _ in (found.blocks or {}).values()} == {"r1", "r2"}
    assert (found.set_aside or {})["gold"] == "its name says 'gold'"


def test_confidence_beside_each_label_is_no_question(tmp_path: Path) -> None:
    """A label and a confidence for each rater is a table of one question."""
    content = rows(
        "id,rater1_label,rater1_confidence,rater2_label,rater2_confidence", "1,y,3,y,4", "2,n,2,n,2"
    )
    assert shape(tmp_path, content).columns == ("rater1_label", "rater2_label")


# cells ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cells",
    [
        ("2,2,2", "1,0,0"), ("a|a|b", "b|b|b"), ("yes;yes;no", "no;no;no"), ("1 1 2", "2 2 2"),
        ('["a","a"]', '["b","a"]'), ("['a', 'a']", "['b', None]"), ("['a' 'a']", "['b' 'a']"),
        ('{"ann":"a","bob":"b"}', '{"ann":"a"}'), ("{'ann': 1, 'bob': 0}", "{'bob': 1}"),
        ("ann:yes; bob:no", "ann:no; bob:no"),
    ],
)  # fmt: skip
def test_all_ratings_of_a_unit_in_a_cell(tmp_path: Path, cells: tuple[str, str]) -> None:
    """Lists and dictionaries of JSON and Python, and labels with marks between them."""
    quoted = [cell.replace('"', '""') for cell in cells]
    content = rows("id,labels", *(f'{at},"{cell}"' for at, cell in enumerate(quoted)))
    found = shape(tmp_path, content)
    assert (found.name, found.columns, found.unit) == ("cell", ("labels",), ("id",))


def test_raters_in_the_cell_beside(tmp_path: Path) -> None:
    """Two columns whose cells have as many parts are raters and their labels."""
    content = rows(
        "id,annotators,labels", "1,ann;bob,yes;no", "2,bob;cas,no;no", "3,ann;cas,yes;yes"
    )
    assert shape(tmp_path, content).rater == "annotators"


def test_a_list_without_repeats_is_asked_about(tmp_path: Path) -> None:
    """It may be the labels of several raters or the set of one."""
    content = rows("id,labels", '1,"[""a"",""b""]"', '2,"[""b""]"', "3,[]")
    said = refused(tmp_path, content)
    assert "--shape cell --label labels or (2) --shape file-a-rater --label labels" in said
    assert shape(tmp_path, content, sets=True).name == "file-a-rater"
    assert shape(tmp_path, content, shape="cell").name == "cell"


def test_sets_side_by_side_are_raters(tmp_path: Path) -> None:
    """Lists in two columns share their members, and each column is a rater."""
    content = rows("id,ann,bob", '1,"[""b"",""a""]","[""a"",""b""]"', '2,"[""b""]",[]')
    assert shape(tmp_path, content).columns == ("ann", "bob")


def test_a_text_with_commas_is_no_list(tmp_path: Path) -> None:
    """Sentences are not taken for ratings."""
    texts = [f"well {at}, then {at + 50}, or {at + 100}" for at in range(8)]
    content = rows(
        "id,response,ann,bob", *(f'{at},"{text}",yes,no' for at, text in enumerate(texts)),
        "9,x,no,yes",
    )  # fmt: skip
    assert shape(tmp_path, content).columns == ("ann", "bob")


# counts --------------------------------------------------------------------------------------


def test_a_confusion_matrix(tmp_path: Path) -> None:
    """Rows and columns with the same names and whole numbers between them."""
    found = shape(tmp_path, rows(",y,n", "y,3,1", "n,2,5"))
    assert (found.name, found.columns) == ("confusion", ("y", "n"))
    found = shape(
        tmp_path, rows("ann \\ bob,yes,no,Total", "yes,3,1,4", "no,2,5,7", "Total,5,6,11")
    )
    assert (found.name, found.columns) == ("confusion", ("yes", "no"))


def test_equal_sums_speak_for_counts(tmp_path: Path) -> None:
    """Three ratings in every row that differ in no other way are counts of categories."""
    assert shape(tmp_path, rows("unit,yes,no", "1,2,1", "2,3,0", "3,0,3")).name == "counts"


def test_a_column_of_sums_speaks_for_counts(tmp_path: Path) -> None:
    """Unequal numbers of ratings are counts when a column adds them up."""
    found = shape(tmp_path, rows("id,yes,no,total", "1,2,1,3", "2,3,0,3", "3,0,2,2"))
    assert (found.name, found.columns) == ("counts", ("yes", "no"))


def test_declared_categories_speak_for_counts(tmp_path: Path) -> None:
    """Columns that are the categories of the scheme hold counts."""
    content = rows("unit,yes,no", "1,2,1", "2,3,0", "3,1,1")
    assert shape(tmp_path, content, categories=("yes", "no")).name == "counts"


def test_numbers_that_may_be_either_are_asked_about(tmp_path: Path) -> None:
    """Small numbers with zeros and unequal sums are counts or the labels of raters."""
    content = rows("unit,yes,no", "1,2,1", "2,3,0", "3,1,1")
    assert refused(tmp_path, content) == (
        "t.csv:1: can be read in 2 ways: "
        "(1) counts: a row a unit, a column a category (yes, no); "
        "(2) wide: a column a rater (yes, no); "
        "say which: (1) --shape counts or (2) --raters yes,no"
    )
    assert shape(tmp_path, content, shape="counts").name == "counts"
    assert shape(tmp_path, content, raters=("yes", "no")).name == "wide"


@pytest.mark.parametrize(
    "content",
    [
        rows("unit,Rater1,Rater2", "1,2,1", "2,3,0", "3,1,2"),
        rows("unit,r1,r2", "1,2,1", "2,3,0", "3,0,3"),
        rows("unit,ann,bob", "1,1,0", "2,1,1", "3,0,0"),
        rows("unit,ann,bob", "1,3,2", "2,4,4", "3,1,1", "4,5,5"),
        rows("unit,ann,bob,cas", "1,1,1,0", "2,1,0,1", "3,0,1,1"),
        rows("unit,a,b,c", "x,1,1,1", "y,1,1,1"),
    ],
)
def test_numbers_of_raters_are_labels(tmp_path: Path, content: str) -> None:
    """Names of raters, a row of zeros, no zero at all, or nothing above one: no counts."""
    assert shape(tmp_path, content).name == "wide"


# refusals ------------------------------------------------------------------------------------


def test_a_missing_column_is_named_with_the_nearest(tmp_path: Path) -> None:
    """Every declared column that is not there comes at once."""
    with pytest.raises(ProblemsFound) as raised:
        shape(tmp_path, LONG, unit="itm", rater="who", label="label")
    assert [str(each) for each in raised.value.problems] == [
        "t.csv:1: has no column 'itm' (--unit); did you mean 'item'?",
        "t.csv:1: has no column 'who' (--rater); it has item, annotator, label",
    ]


def test_a_misspelt_rater_is_named(tmp_path: Path) -> None:
    """One rater that is a column and one that is not."""
    said = refused(tmp_path, PEOPLE, raters=("ann", "bo"))
    assert said == "t.csv:1: has no column 'bo' (--raters); it has id, ann, bob"


def test_a_file_without_header_is_refused(tmp_path: Path) -> None:
    """A first row that stands below itself is data, and would be lost as names."""
    said = refused(tmp_path, rows("1,ann,yes", "1,bob,no", "2,ann,yes"))
    assert said == (
        "t.csv:1: the first row looks like one of data: '1' and 'ann' and 'yes' stand below "
        "themselves; write a first row that names the columns"
    )


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("confusion", "a first column and a header that name the same labels"),
        ("counts", "two or more columns of whole numbers"),
        ("long", "columns of units, raters and labels"),
        ("tasks", "columns such as r1_q1"),
    ],
)
def test_a_shape_that_does_not_fit_says_what_it_needs(
    tmp_path: Path, name: str, needs: str
) -> None:
    """Who asks for a shape hears why the file does not have it."""
    said = refused(tmp_path, PEOPLE, shape=name)
    assert said.startswith(f"t.csv:1: cannot be read as {name}; it needs {needs}")


def test_another_delimiter_is_suspected_in_one_column(tmp_path: Path) -> None:
    """A file that falls into one column is told about --delimiter."""
    said = refused(tmp_path, rows("id^ann^bob", "1^yes^no", "2^yes^yes"))
    assert "if one character parts its cells, name it in --delimiter" in said


def test_names_with_spaces_are_quoted_in_the_remedy(tmp_path: Path) -> None:
    """What the remedy says can be pasted into a shell."""
    content = rows("unit,fully yes,no", "1,2,1", "2,3,0", "3,1,1")
    assert refused(tmp_path, content).endswith("(2) --raters 'fully yes,no'")


def test_options_are_checked() -> None:
    """An unknown option and an unknown value are named with those that are known."""
    with pytest.raises(ProblemsFound) as raised:
        Asked.of(shape="broad", repeats="all", colour="red", raters="ann", unit=None)
    said = [str(each) for each in raised.value.problems]
    assert said[0].startswith("colour: is no option of reading; use one of by, categories,")
    assert said[1].startswith("--shape: 'broad' is not known; use wide, long,")
    assert said[2] == "--repeats: 'all' is not known; use refuse, last, first"
    assert Asked.of(raters="ann", by=["a", "b"], unit=None) == Asked(raters=("ann",), by=("a", "b"))


# raters in the rows ------------------------------------------------------------------------------

SIDEWAYS = rows("rater,i1,i2,i3,i4,i5,i6,i7,i8", "ann,1,2,3,1,2,3,1,1", "bob,1,2,3,1,2,3,1,2")


def test_two_rows_of_raters_are_no_units(tmp_path: Path) -> None:
    """A column named for raters, one a row, has the units beside it, however few rows there are."""
    found = shape(tmp_path, SIDEWAYS)
    assert (found.name, found.rater, len(found.columns)) == ("rater-rows", "rater", 8)


@pytest.mark.parametrize("first", ["", "name", "Kim"])
def test_a_table_wider_than_long_may_lie_on_its_side(tmp_path: Path, first: str) -> None:
    """Where no name tells raters from units both readings are offered, and the option decides."""
    content = SIDEWAYS.replace("rater", first, 1)
    said = refused(tmp_path, content)
    assert "can be read in 2 ways: (1) rater-rows: a row a rater" in said
    assert "(2) wide: a column a rater (i1, i2" in said
    assert "say which: (1) --shape rater-rows or (2) --shape wide" in said
    assert shape(tmp_path, content, shape="rater-rows").columns == tuple(
        f"i{at}" for at in range(1, 9)
    )
    assert len(shape(tmp_path, content, shape="wide").columns) == 8


def test_named_raters_and_units_need_no_question(tmp_path: Path) -> None:
    """Few units and many raters are wide when either says what it is."""
    wide = (
        SIDEWAYS.replace("i", "rater_").replace("rater,", "item,", 1).replace("rater_tem", "item")
    )
    assert shape(tmp_path, wide).name == "wide"
    item = rows("item,kim,lee,ann,bob,zoe", "1,y,n,y,y,y", "2,n,n,n,n,y", "3,y,n,y,y,n")
    assert shape(tmp_path, item).name == "wide"


def test_questions_below_a_nameless_column_are_asked_about(tmp_path: Path) -> None:
    """Rows may be people who answered, or units of which one person answered five questions."""
    said = refused(tmp_path, SIDEWAYS.replace("i", "q").replace("rater", "person", 1))
    for option in ("--shape rater-rows", "--shape wide", "--shape file-a-rater"):
        assert option in said


# what is beside the raters -------------------------------------------------------------------


def test_in_few_rows_attributes_of_the_unit_are_no_raters(tmp_path: Path) -> None:
    """Topics and levels that come again in four rows share no label with the raters."""
    content = rows(
        "id,domain,difficulty,ann,bob",
        "1,work,easy,y,n", "2,home,hard,n,n", "3,work,hard,y,y", "4,home,easy,y,y",
    )  # fmt: skip
    assert shape(tmp_path, content).columns == ("ann", "bob")


def test_ids_that_repeat_are_no_rater(tmp_path: Path) -> None:
    """The numbers 1 and 0 of an id are not the yes and no of a rater, though they fold alike."""
    found = refused(tmp_path, rows("id,code", "1,yes", "1,no", "0,no", "0,yes"))
    assert "no shape of label file" in found


def test_a_column_named_for_a_rater_that_holds_labels_is_no_list_of_raters(tmp_path: Path) -> None:
    """Where a unit stands once, ``expert`` holds labels: it is shown as left out, and not read."""
    content = rows(
        "id,ann,bob,expert", "1,y,n,y", "2,n,n,n", "3,y,y,y", "4,y,y,n", "5,n,n,y",
    )  # fmt: skip
    found = shape(tmp_path, content)
    assert (found.name, found.columns) == ("wide", ("ann", "bob"))
    assert found.set_aside is not None
    assert "name it in --raters if it is one" in found.set_aside["expert"]
    named = shape(tmp_path, content, raters=("ann", "bob", "expert"))
    assert named.columns == ("ann", "bob", "expert")


def test_sets_side_by_side_are_each_raters_though_one_gives_single_labels(tmp_path: Path) -> None:
    """A rater who never gave two labels at once is no reason to take the other's for ratings."""
    content = rows(
        "id,ann,bob", "1,\"['a', 'b']\",['a']", "2,['a'],['b']", "3,['b'],['b']",
    )  # fmt: skip
    found = shape(tmp_path, content)
    assert (found.name, found.columns) == ("wide", ("ann", "bob"))


def test_lists_side_by_side_of_which_one_repeats_a_label_are_asked_about(tmp_path: Path) -> None:
    """Ratings of a unit in one cell would lose the other column, so both readings are shown."""
    content = rows(
        "id,ann,bob", "1,\"['a', 'b']\",['a']", "2,\"['a', 'a']\",[]", "3,['b'],['b']",
    )  # fmt: skip
    found = refused(tmp_path, content)
    assert "--shape cell --label ann" in found
    assert "--raters ann,bob" in found


def test_a_blank_column_is_named(tmp_path: Path) -> None:
    """A rater whose column was exported empty is not lost without a word."""
    found = shape(tmp_path, rows("id,ann,bob,cid", "1,y,n,", "2,n,n,", "3,y,y,"))
    assert found.columns == ("ann", "bob")
    assert found.said == ("column 'cid' of t.csv is blank from top to bottom",)


@pytest.mark.parametrize("option", ["cluster", "by", "compare"])
def test_a_column_to_split_by_is_no_rater(tmp_path: Path, option: str) -> None:
    """A template numbered 1 to 3 looks like a third rater of a scale, until it is declared."""
    content = rows("id,template,ann,bob", *(f"u{at},{at % 3},{at % 2},{at % 3}" for at in range(9)))
    assert shape(tmp_path, content).columns == ("template", "ann", "bob")
    assert shape(tmp_path, content, **{option: "template"}).columns == ("ann", "bob")
