"""From files to ratings and a report, over every kind of slip that a lead's file has."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from reviewkit.agreement import read
from reviewkit.agreement.label_files.reading import Reading
from reviewkit.agreement.label_files.scheme import Scheme
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.problems import ProblemsFound

QUICK = Settings(draws=0)


def file(folder: Path, text: str, name: str = "labels.csv") -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def wide(folder: Path, rows: list[str], header: str = "id,rater_ann,rater_bob") -> Path:
    """Write a wide table."""
    return file(folder, "\n".join([header, *rows]) + "\n")


def value(reading: Reading, name: Any, part: str = "whole") -> float | None:
    """Return a coefficient of a part."""
    return reading.report(QUICK).part(part).measured.estimate(name).value


def told(reading: Reading) -> str:
    """Return all sentences of what was understood."""
    return "\n".join(reading.understood)


def test_a_table_becomes_a_report(tmp_path: Path) -> None:
    """Ten cards, eight joint yes and two crossed: the published case of the kappa paradox."""
    rows = [f"u{at},yes,yes" for at in range(8)] + ["u8,yes,no", "u9,no,yes"]
    reading = read(wide(tmp_path, rows))
    assert reading.understood[0] == "10 units, all have two ratings."
    report = reading.report(QUICK)
    measured = report.parts[0].measured
    assert (measured.agree, measured.paired) == (8, 10)
    assert measured.estimate("kappa").value == pytest.approx(-1 / 9)
    assert measured.estimate("ac1").value == pytest.approx(0.7561, abs=1e-4)
    assert [each.unit for each in report.disagreements] == ["u8", "u9"]
    assert report.disagreements[0].labels == ("yes", "no")


def test_the_share_of_single_ratings_comes_first(tmp_path: Path) -> None:
    """Of 184 documents 13 are double-coded: that stands before every figure."""
    rows = [f"d{at},yes,{'no' if at < 13 else ''}" for at in range(184)]
    reading = read(wide(tmp_path, rows))
    assert reading.understood[0] == (
        "Only 13 of 184 units have two or more ratings; 171 were rated once."
    )
    [excluded] = reading.excluded[""]
    assert (excluded.reason, excluded.count) == ("rated once", 171)


def test_nothing_to_compare_is_said_and_not_refused(tmp_path: Path) -> None:
    """Two raters on different units give a report that says so."""
    reading = read(wide(tmp_path, ["u1,yes,", "u2,,no"]))
    assert reading.understood[0] == "None of 2 units has two ratings: nothing can be compared."
    assert value(reading, "observed") is None


def test_what_was_understood_is_complete(tmp_path: Path) -> None:
    """Shape, raters with their counts, categories, what is blank, missing and no rater."""
    rows = ["u1,yes,NA,yes", "u2,no,,no", "u3,no,no,no"]
    reading = read(wide(tmp_path, rows, "id,rater_ann,rater_bob,final_label"), missing="NA")
    assert "read as wide" in told(reading)
    assert "2 raters, with their units: rater_ann (3), rater_bob (1)." in reading.understood
    assert "2 categories, found in the labels: no (3), yes (1)." in reading.understood
    assert "1 cell is blank: no rating." in reading.understood
    assert "'NA' is declared to mean no rating (1 time)." in reading.understood
    assert "'final_label' is no rater" in told(reading)


def test_a_declared_scheme_decides_the_categories(tmp_path: Path) -> None:
    """A category nobody used changes AC1, and the list says that it was declared."""
    path = wide(tmp_path, ["u1,a,a", "u2,b,a", "u3,a,a"])
    reading = read(path, categories=tuple("abcde"))
    assert reading.questions[0].q == 5
    assert "5 categories, declared: a (5), b (1), c (0), d (0), e (0)." in reading.understood
    assert value(reading, "ac1") != value(read(path), "ac1")


def test_the_cleaned_labels_of_the_field_case(tmp_path: Path) -> None:
    """Yes, 'No ', yes, no against yes, No, yes, No: far apart as written, the same once folded."""
    path = wide(tmp_path, ["1,Yes,yes", '2,"No ",No', "3,yes,yes", "4,no,No"])
    apart = read(path)
    assert value(apart, "observed") == 0.25
    assert "differ only in spelling" in told(apart)
    assert value(read(path, fold=True), "kappa") == 1
    declared = read(path, categories=("yes", "no"))
    assert value(declared, "kappa") == 1
    assert "Read 'Yes' (1) as 'yes' and 'No' (2) as 'no': they differ only in case." in told(
        declared
    )


def test_a_scheme_file_and_a_scheme_in_memory_are_one(tmp_path: Path) -> None:
    """Aliases, collapse and missing codes of the file reach the report."""
    path = wide(tmp_path, ["1,ok,fine", "2,bad,?", "3,bad,bad", "4,NA,bad"])
    text = (
        "categories: [ok, fine, bad]\nmissing: NA\naliases: {'?': bad}\n"
        "collapse: {usable: {yes: [ok, fine], no: bad}}\n"
    )
    reading = read(path, scheme=file(tmp_path, text, "scheme.yaml"))
    part = reading.report(QUICK).part("collapse:usable")
    assert (part.measured.agree, part.measured.paired) == (3, 3)
    assert part.mapping == (("yes", ("ok", "fine")), ("no", ("bad",)))
    assert part.of == "whole"
    same = read(
        path,
        scheme=Scheme(
            categories=("ok", "fine", "bad"), missing=("NA",), aliases={"?": "bad"},
            collapse={"usable": {"yes": ("ok", "fine"), "no": ("bad",)}},
        ),
    )  # fmt: skip
    assert same.understood == reading.understood


def test_a_codebook_is_a_scheme(tmp_path: Path) -> None:
    """The codes of our own codebook are the categories, and its collapse stands beside them."""
    forms = Path(__file__).parents[3] / "checklists"
    path = wide(tmp_path, ["1,E,QE", "2,N,n", "3,R,Abstain"])
    reading = read(path, codebook="rationale@1", forms=forms)
    assert reading.questions[0].categories == ("E", "QE", "N", "D", "R", "Abstain")
    part = reading.report(QUICK).part("collapse:evidence")
    assert (part.measured.agree, part.measured.paired) == (2, 2)


def test_a_collapse_of_a_label_nobody_gave_is_refused(tmp_path: Path) -> None:
    """A slip of the pen in a collapse would otherwise lose ratings in silence."""
    path = wide(tmp_path, ["1,accepted,rejected", "2,accepted,accepted"])
    with pytest.raises(ProblemsFound, match="did you mean 'accepted'"):
        read(path, collapse="good=acepted;bad=rejected")


def test_the_level_reaches_alpha(tmp_path: Path) -> None:
    """An ordinal level needs numbers or a declared order, and alpha takes it."""
    path = wide(tmp_path, ["1,low,high", "2,mid,mid", "3,high,high", "4,low,low"])
    with pytest.raises(ProblemsFound, match="--categories"):
        read(path, level="ordinal")
    reading = read(path, level="ordinal", categories=("low", "mid", "high"))
    titles = [each.title for each in reading.report(QUICK).parts[0].measured.estimates]
    assert any("ordinal" in title for title in titles)


def test_twins_are_clusters(tmp_path: Path) -> None:
    """The column named as the cluster carries the intervals; a unit without one stands alone."""
    rows = [f"u{at},t{at // 4},yes,{'yes' if at % 3 else 'no'}" for at in range(16)]
    rows.append("u16,,no,no")
    path = wide(tmp_path, rows, "id,template,rater_ann,rater_bob")
    reading = read(path, cluster="template")
    clusters = reading.questions[0].clusters
    assert clusters is not None
    assert (clusters.name, clusters.number) == ("template", 5)
    assert "'template' makes 5 clusters" in told(reading)
    assert any("--cluster template" in each for each in read(path).understood)


def test_a_cluster_must_be_one_thing_for_a_unit(tmp_path: Path) -> None:
    """A column that says two things of a unit cannot say which units belong together."""
    path = file(
        tmp_path,
        "unit,rater,label,session\nu1,ann,yes,1\nu1,bob,no,2\nu2,ann,no,1\nu2,bob,no,1\n",
    )
    with pytest.raises(ProblemsFound, match="says different things of one unit"):
        read(path, cluster="session")


@pytest.mark.parametrize("option", ["cluster", "by", "compare"])
def test_a_column_that_is_not_there_names_the_nearest(tmp_path: Path, option: str) -> None:
    """A slip in the name of a column is answered with the name that is meant."""
    path = wide(tmp_path, ["u1,t1,yes,no"], "id,template,rater_ann,rater_bob")
    with pytest.raises(ProblemsFound, match="did you mean 'template'"):
        read(path, **{option: "tempalte"})


def test_the_report_is_split_by_a_column(tmp_path: Path) -> None:
    """Every value of the column is a part with the ratings of its units."""
    rows = ["u1,work,yes,yes", "u2,work,no,yes", "u3,home,no,no"]
    path = wide(tmp_path, rows, "id,domain,rater_ann,rater_bob")
    report = read(path, by="domain").report(QUICK)
    parts = {each.title: each.measured for each in report.of_kind("group")}
    assert {name: (each.agree, each.paired) for name, each in parts.items()} == {
        "domain: home": (1, 1), "domain: work": (1, 2),
    }  # fmt: skip


def test_rounds_of_one_file_are_compared_on_the_same_units(tmp_path: Path) -> None:
    """Two ratings of a unit in two rounds are no repetition, and the difference is paired."""
    rows = [
        f"u{at},{rater},{('no', 'yes')[(at + (rater == 'bob' and at % 3 == 0 and turn == 1)) % 2]}"
        f",{turn}"
        for turn in (1, 2)
        for at in range(30)
        for rater in ("ann", "bob")
    ]  # fmt: skip
    path = file(tmp_path, "\n".join(["unit,rater,label,round", *rows]) + "\n")
    with pytest.raises(ProblemsFound, match="--compare round"):
        read(path)
    reading = read(path, compare="round")
    assert reading.questions[0].rows == 60
    report = reading.report(Settings(draws=200))
    first = next(each for each in report.differences if each.one_estimate.name == "observed")
    assert (first.one, first.other) == ("group:round:1", "group:round:2")
    assert first.paired
    assert first.shared == 30
    assert first.value == pytest.approx(-1 / 3)


def test_two_files_may_be_two_rounds(tmp_path: Path) -> None:
    """With --compare file each file is a part with all its raters."""
    for name, other in (("one.csv", "no"), ("two.csv", "yes")):
        rows = [f"u{at},yes,{other if at < 5 else 'yes'}" for at in range(30)]
        file(tmp_path, "\n".join(["id,ann,bob", *rows]) + "\n", name)
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    report = read(*paths, compare="file").report(QUICK)
    assert [each.measured.agree for each in report.of_kind("group")] == [25, 30]
    assert report.raters == ("ann", "bob")


def test_questions_with_one_scale_are_pooled_over_their_units(tmp_path: Path) -> None:
    """Each question stands alone, and all together with the units as clusters."""
    rows = [f"u{at},yes,{'no' if at == 0 else 'yes'},no,no" for at in range(6)]
    path = wide(tmp_path, rows, "id,ann_clear,bob_clear,ann_fair,bob_fair")
    reading = read(path, shape="tasks", raters=("ann", "bob"))
    report = reading.report(QUICK)
    whole = report.parts[0]
    assert (whole.id, whole.measured.agree, whole.measured.paired) == ("whole", 11, 12)
    assert whole.measured.clusters == ("unit", 6)
    assert [each.title for each in report.of_kind("question")] == ["clear", "fair"]
    assert report.disagreements[0].question == "clear"


def test_two_questions_are_compared_by_the_name_of_their_column(tmp_path: Path) -> None:
    """--compare names the column of questions as the file calls it, or simply question."""
    rows = [
        f"u{at},{rater},{aspect},{'no' if at < 4 and (rater, aspect) == ('bob', 'tone') else 'yes'}"
        for at in range(30)
        for rater in ("ann", "bob")
        for aspect in ("tone", "fact")
    ]
    path = file(tmp_path, "\n".join(["unit,rater,aspect,label", *rows]) + "\n")
    for name in ("aspect", "question"):
        report = read(path, question="aspect", compare=name).report(Settings(draws=100))
        first = report.differences[0]
        assert (first.one, first.other) == ("question:tone", "question:fact")
        assert first.paired
        assert first.value == pytest.approx(-4 / 30)


def test_ids_that_have_nothing_in_common_are_shown(tmp_path: Path) -> None:
    """Where no unit was rated twice, an id of each rater says why."""
    one = file(tmp_path, "id,label\na,yes\nb,no\n", "ann.csv")
    two = file(tmp_path, "id,label\nx-a,yes\nx-b,no\n", "bob.csv")
    [warning] = read(one, two).warnings
    assert "ann rated 'a', bob rated 'x-a'" in warning


def test_questions_with_other_scales_are_not_pooled(tmp_path: Path) -> None:
    """A yes/no question and a score have no figure in common."""
    rows = [f"u{at},yes,yes,{at % 3},{at % 3}" for at in range(6)]
    path = wide(tmp_path, rows, "id,ann_ok,bob_ok,ann_score,bob_score")
    report = read(path, shape="tasks", raters=("ann", "bob")).report(QUICK)
    assert [each.kind for each in report.parts] == ["question", "question"]


def test_sets_of_labels_have_distances_and_a_row_a_label(tmp_path: Path) -> None:
    """Jaccard is the distance when none is named, and each label is compared as given or not."""
    cells = ['["a"]|["a"]', '["a","b"]|["a"]', '[]|["b"]', '["b"]|["b"]']
    rows = []
    for at, cell in enumerate(cells):
        one, two = (each.replace('"', '""') for each in cell.split("|"))
        rows.append(f'u{at},"{one}","{two}"')
    reading = read(wide(tmp_path, rows), raters=("rater_ann", "rater_bob"))
    assert reading.questions[0].sets is not None
    report = reading.report(QUICK)
    assert any("Jaccard" in each.title for each in report.parts[0].measured.estimates)
    flags = {each.title: each.measured for each in report.of_kind("flag")}
    assert {name: (each.agree, each.paired) for name, each in flags.items()} == {
        "a": (4, 4), "b": (2, 4),
    }  # fmt: skip
    assert flags["a"].categories == ("given", "not given")


def test_a_confusion_matrix_keeps_to_a_scheme(tmp_path: Path) -> None:
    """Headings fold onto declared categories, and one that nobody gave is there."""
    path = file(tmp_path, ",Yes,No\nYes,4,1\nNo,2,3\n")
    ratings = read(path, categories=("no", "yes", "unclear")).questions[0]
    assert ratings.categories == ("no", "yes", "unclear")
    assert ratings.codes is not None
    assert ratings.times is not None
    cells = {
        tuple(ratings.categories[code] for code in codes): n
        for codes, n in zip(ratings.codes.tolist(), ratings.times.tolist(), strict=True)
        if n
    }
    assert cells == {("yes", "yes"): 4, ("yes", "no"): 1, ("no", "yes"): 2, ("no", "no"): 3}


def test_counts_name_no_rater(tmp_path: Path) -> None:
    """A table of counts gives Fleiss and AC1, never Cohen, and lists what differs as counts."""
    path = file(tmp_path, "item,good,bad\nu1,3,0\nu2,1,2\n")
    reading = read(path, shape="counts")
    assert "Cohen's kappa cannot be given" in told(reading)
    report = reading.report(QUICK)
    assert report.parts[0].measured.find("kappa") is None
    assert report.disagreements[0].details == (("ratings", ("1 x good, 2 x bad",)),)


def test_counts_are_split_and_clustered_like_anything_else(tmp_path: Path) -> None:
    """Other columns of a table of counts are there for --by and --cluster."""
    path = file(tmp_path, "item,good,bad,topic\nu1,2,0,x\nu2,1,1,x\nu3,0,2,y\n")
    reading = read(path, shape="counts", by="topic", cluster="topic")
    clusters = reading.questions[0].clusters
    assert clusters is not None
    assert clusters.number == 2
    titles = [each.title for each in reading.report(QUICK).of_kind("group")]
    assert titles == ["topic: x", "topic: y"]
    with pytest.raises(ProblemsFound, match="did you mean 'topic'"):
        read(path, shape="counts", by="topik")


def test_counts_are_read_alone(tmp_path: Path) -> None:
    """A matrix and another file cannot be joined."""
    one = file(tmp_path, ",a,b\na,4,1\nb,2,3\n", "one.csv")
    two = file(tmp_path, ",a,b\na,4,1\nb,2,3\n", "two.csv")
    with pytest.raises(ProblemsFound, match="read it alone"):
        read(one, two)


def test_an_empty_import_names_the_likely_cause(tmp_path: Path) -> None:
    """A table with units and raters and no label is no result of 0 units."""
    with pytest.raises(ProblemsFound, match="approved, submitted or finished"):
        read(wide(tmp_path, ["u1,,", "u2,,"]), raters=("rater_ann", "rater_bob"))
    with pytest.raises(ProblemsFound, match="--missing"):
        read(wide(tmp_path, ["u1,x,x", "u2,x,x"]), missing="x")


def test_every_fault_of_every_file_is_told_at_once(tmp_path: Path) -> None:
    """Two broken files are one refusal."""
    broken = file(tmp_path, 'id,label\nu1,"yes\n', "ann.csv")
    with pytest.raises(ProblemsFound) as found:
        read(broken, tmp_path / "nobody.csv")
    assert len(found.value.problems) == 2


def test_every_cell_is_text(tmp_path: Path) -> None:
    """NA, None, null, N/A, nan, N and TRUE are labels, and 007 is not 7."""
    words = ["NA", "None", "null", "N/A", "nan", "N", "TRUE", "[]"]
    rows = [f"00{at},{word},{word}" for at, word in enumerate(words)] + ["7,N,NA"]
    ratings = read(wide(tmp_path, rows)).questions[0]
    assert sorted(ratings.categories) == sorted(words)
    assert ratings.units == (*(f"00{at}" for at in range(8)), "7")


def test_an_unknown_option_names_those_there_are(tmp_path: Path) -> None:
    """A slip in the name of an option is no silent default."""
    with pytest.raises(ProblemsFound, match="use one of"):
        read(wide(tmp_path, ["u1,a,b"]), units="id")
    with pytest.raises(ProblemsFound, match="name a file"):
        read()


def test_an_empty_file_beside_others_is_no_rater(tmp_path: Path) -> None:
    """Whoever rated nothing has an empty file, which is named; alone it is refused."""
    one = file(tmp_path, "id,label\n1,yes\n2,no\n", "ann.csv")
    two = file(tmp_path, "id,label\n1,yes\n2,no\n", "bob.csv")
    empty = file(tmp_path, "", "admin.csv")
    reading = read(one, empty, two)
    assert reading.raters == ("ann", "bob")
    assert any(
        each.endswith("admin.csv is empty and no rater's file.") for each in reading.understood
    )
    with pytest.raises(ProblemsFound, match="is empty"):
        read(empty)


def test_files_named_alike_are_read_as_those_of_their_folders(tmp_path: Path) -> None:
    """What is understood names the raters as they are counted, not the file name they share."""
    paths: list[Path] = []
    for name, last in (("ann", "yes"), ("bob", "no")):
        (tmp_path / name).mkdir()
        paths.append(file(tmp_path / name, f"id,code\nc1,yes\nc2,{last}\n"))
    reading = read(*paths)
    assert reading.raters == ("ann", "bob")
    assert f"{paths[1]} was read as file-a-rater: the labels of one rater, bob (" in told(reading)


def test_one_rater_alone_is_told_which_columns_may_be_more(tmp_path: Path) -> None:
    """More labels than a scale has hide a rater, and then the lead is told where to look."""
    rows = [f"u{at},L{at % 300},L{(at + (at % 3 == 0)) % 300}" for at in range(600)]
    path = wide(tmp_path, rows, "id,ann,bob")
    assert any("One rater alone" in each and "('ann')" in each for each in read(path).warnings)
    assert value(read(path, raters=("ann", "bob")), "observed") == pytest.approx(2 / 3)
    (alone,) = read(file(tmp_path, "id,code\n1,yes\n2,no\n", "ann.csv")).warnings
    assert alone.endswith("name the files of the others beside it.")


def test_a_row_of_sums_below_the_table_is_pointed_at(tmp_path: Path) -> None:
    """It is counted, since a unit may be called so, and the lead is told to take it out."""
    rows = ["c1,y,n", "c2,n,n", "c3,y,y"]
    (warning,) = read(wide(tmp_path, [*rows, "Total,2,1"])).warnings
    assert "The last unit is called 'Total'" in warning
    assert read(wide(tmp_path, [*rows, "n,y,y"])).warnings == ()


def test_booleans_of_two_programs_are_pointed_at(tmp_path: Path) -> None:
    """Without a scheme TRUE and yes stay two labels, and the lead is told what makes them one."""
    path = wide(tmp_path, ["c1,TRUE,yes", "c2,TRUE,yes", "c3,FALSE,no", "c4,FALSE,yes"])
    reading = read(path)
    assert any(
        "'TRUE' and 'yes', 'FALSE' and 'no' may be one answer" in each
        and "--categories yes,no" in each
        for each in reading.warnings
    )
    assert value(reading, "observed") == 0.0
    declared = read(path, categories=("yes", "no"))
    assert declared.warnings == ()
    assert value(declared, "observed") == 0.75
    assert read(wide(tmp_path, ["c1,1,0", "c2,0,0", "c3,1,1"])).warnings == ()
    assert read(wide(tmp_path, ["c1,1,yes", "c2,0,no", "c3,unsure,no"])).warnings == ()


def test_a_text_is_no_label(tmp_path: Path) -> None:
    """A label of a million characters stops the reading at its line, before any report."""
    path = wide(tmp_path, ["u1,yes,yes", f"u2,{'x' * 1_000_000},no", "u3,yes,no"])
    with pytest.raises(ProblemsFound) as raised:
        read(path)
    (problem,) = raised.value.problems
    assert str(problem).startswith(f"{path}:3 label: holds a label of 1,000,000 characters")


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    """What can be looked at only once is refused before it is opened, which would wait for ever."""
    path = tmp_path / "labels.csv"
    os.mkfifo(path)
    with pytest.raises(ProblemsFound, match=r"no regular file.*save it to a file"):
        read(path)


def test_an_archive_of_tables_is_to_be_unpacked(tmp_path: Path) -> None:
    """Only the export of a tool is read from an archive, and the refusal says what to do."""
    path = tmp_path / "tables.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("labels.csv", "id,ann,bob\n1,yes,no\n")
    with pytest.raises(ProblemsFound, match=r"no export of a tool.*unpack it"):
        read(path)
    with pytest.raises(ProblemsFound, match="is called an archive and is none"):
        read(file(tmp_path, "id,ann,bob\n1,yes,no\n", "labels.zip"))


def test_a_rater_named_twice_is_one(tmp_path: Path) -> None:
    """--raters ann,bob,ann are two columns."""
    path = wide(tmp_path, ["u1,yes,yes", "u2,no,yes"], "id,ann,bob")
    assert read(path, raters=("ann", "bob", "ann")).raters == ("ann", "bob")


@pytest.mark.parametrize("option", ["sheet", "delimiter", "encoding"])
def test_an_option_that_a_file_has_no_use_for_is_said(tmp_path: Path, option: str) -> None:
    """A sheet of a CSV, a delimiter and an encoding of a workbook change nothing, which is told."""
    path = wide(tmp_path, ["u1,yes,yes", "u2,no,yes"])
    if option != "sheet":
        book = openpyxl.Workbook()
        for row in (("id", "rater_ann", "rater_bob"), ("u1", "yes", "yes"), ("u2", "no", "yes")):
            book.worksheets[0].append(row)
        path = tmp_path / "labels.xlsx"
        book.save(path)
    given = {"sheet": "S", "delimiter": ";", "encoding": "utf-16"}[option]
    assert f"--{option} says nothing of {path}." in told(read(path, **{option: given}))


def test_a_scheme_and_a_codebook_exclude_each_other(tmp_path: Path) -> None:
    """Only one of the two can be the list of categories."""
    with pytest.raises(ProblemsFound, match="name one of the two"):
        read(wide(tmp_path, ["u1,a,b"]), scheme=Scheme(), codebook="rationale@1")


def test_warnings_stand_above_the_figures(tmp_path: Path) -> None:
    """What looks like a slip is a notice of the report."""
    one = file(tmp_path, "id,label\n001,yes\n002,no\n", "ann.csv")
    two = file(tmp_path, "id,label\n1,yes\n2,no\n", "bob.csv")
    reading = read(one, two)
    assert "leading zeros were lost" in reading.warnings[0]
    assert reading.report(QUICK).notices == reading.warnings


def test_arabic_labels_and_names_come_through(tmp_path: Path) -> None:
    """Arabic stays as written, from the file to the categories and raters."""
    path = file(tmp_path, "المعرف,التصنيف_أحمد,التصنيف_سارة\n١,مقبول,مقبول\n٢,مرفوض,مقبول\n")
    reading = read(path, unit="المعرف", raters=("التصنيف_أحمد", "التصنيف_سارة"))
    assert reading.questions[0].categories == ("مرفوض", "مقبول")
    assert reading.raters == ("التصنيف_أحمد", "التصنيف_سارة")
    assert reading.questions[0].units == ("١", "٢")


def test_a_notebook_shows_the_report(tmp_path: Path) -> None:
    """The last line of a cell is enough."""
    shown = read(wide(tmp_path, ["u1,<b>,<b>", "u2,<b>,no"]))._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<b>," not in shown


@pytest.mark.process
def test_the_package_stays_light() -> None:
    """Importing agreement, as a page of a study does, loads neither numpy nor the readers."""
    code = (
        "import sys, reviewkit.agreement;"
        "print([m for m in sys.modules if m.startswith(('numpy', 'pandas', 'scipy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_subsets_of_a_file_share_their_clusters(tmp_path: Path) -> None:
    """Two rounds of other units of the same templates differ by a paired interval."""
    rows = [
        f"t{at // 4},{at % 2 + 1},u{at},{'yn'[at % 3 % 2]},{'yn'[at % 5 % 2]}" for at in range(80)
    ]
    path = tmp_path / "rounds.csv"
    path.write_text("\n".join(["tpl,round,unit,ann,bob", *rows]) + "\n", encoding="utf-8")
    report = read(path, cluster="tpl", compare=("round",)).report()
    assert report.differences
    assert {(each.paired, each.shared) for each in report.differences} == {(True, 20)}
