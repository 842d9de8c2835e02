"""Kinds of faults that people meet in label files, each from the file to what the lead reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from reviewkit.agreement import read
from reviewkit.agreement.label_files.reading import Reading
from reviewkit.agreement.measures.estimates import Measured, Settings
from reviewkit.problems import ProblemsFound

QUICK = Settings(draws=0)


def file(folder: Path, name: str, *lines: str) -> Path:
    """Write a file of these lines and return its path."""
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def measured(reading: Reading) -> Measured:
    """Return the figures of the whole."""
    return reading.report(QUICK).parts[0].measured


def told(reading: Reading) -> str:
    """Return all sentences of what was understood."""
    return "\n".join(reading.understood)


def annotation(number: int, rater: int, label: str, **more: Any) -> dict[str, Any]:
    """Return a finished annotation of Label Studio."""
    result = [{"from_name": "tone", "type": "choices", "value": {"choices": [label]}}]
    return {"id": number, "completed_by": rater, "result": result, "was_cancelled": False, **more}


def task(number: int, *annotations: dict[str, Any]) -> dict[str, Any]:
    """Return a task of Label Studio."""
    return {"id": number, "data": {"text": f"card {number}"}, "annotations": list(annotations)}


# figures -----------------------------------------------------------------------------------------


def test_raw_ratings_are_no_counts_and_counts_are_no_ratings(tmp_path: Path) -> None:
    """Three ones in a row are three equal ratings; a row that adds up to its raters is counted."""
    ratings = read(file(tmp_path, "raw.csv", "item,r1,r2,r3", "u1,1,1,1", "u2,1,1,1"))
    assert "a column a rater (r1, r2, r3)" in told(ratings)
    figures = measured(ratings)
    assert (figures.agree, figures.paired) == (2, 2)
    # read as counts of three categories these would be -0.5
    assert figures.estimate("fleiss").value is None
    counts = file(
        tmp_path, "counts.csv", "item,good,bad,unclear", "u1,3,0,0", "u2,1,2,0", "u3,0,1,2",
        "u4,0,0,3",
    )  # fmt: skip
    assert "a row a unit, a column a category" in told(read(counts))
    either = file(tmp_path, "either.csv", "item,good,bad", "u1,2,0", "u2,1,2", "u3,0,1")
    with pytest.raises(ProblemsFound, match=r"can be read in 2 ways: .*counts.*wide"):
        read(either)
    ones = file(tmp_path, "ones.csv", "a,b,c", "1,1,1", "1,1,1")
    with pytest.raises(ProblemsFound, match=r"can be read in 2 ways: .*counts.*wide"):
        read(ones)


def test_a_table_on_its_side_is_read_by_its_names_and_never_by_its_longer_side(
    tmp_path: Path,
) -> None:
    """Two raters and eight items give one alpha however the table lies; sideways gives another."""
    given = {"ann": "12332141", "bob": "12332241"}
    items = [f"i{at}" for at in range(1, 9)]
    upright = file(
        tmp_path, "upright.csv", "item,ann,bob",
        *(",".join((item, *pair)) for item, *pair in zip(items, *given.values(), strict=True)),
    )  # fmt: skip
    lines = [",".join((who, *labels)) for who, labels in given.items()]
    sideways = file(tmp_path, "sideways.csv", ",".join(("rater", *items)), *lines)
    nameless = file(tmp_path, "nameless.csv", ",".join(("", *items)), *lines)
    alpha = measured(read(upright)).estimate("alpha").value
    assert alpha is not None
    for reading in (read(sideways), read(nameless, shape="rater-rows")):
        assert reading.understood[0] == "8 units, all have two ratings."
        assert reading.raters == ("ann", "bob")
        assert measured(reading).estimate("alpha").value == pytest.approx(alpha)
        assert reading.warnings == ()
    wrong = read(nameless, shape="wide")
    assert wrong.understood[0] == "2 units, both have eight ratings."
    assert measured(wrong).estimate("alpha").value != pytest.approx(alpha, abs=0.3)
    [warning] = wrong.warnings
    assert "the table lies on its side, and --shape rater-rows reads it" in warning
    turned = read(upright, shape="rater-rows")
    assert "8 raters" in turned.warnings[0]
    assert "--shape wide reads it" in turned.warnings[0]
    with pytest.raises(ProblemsFound, match="--shape rater-rows or"):
        read(nameless)


def test_perfect_agreement_on_half_the_units_says_half(tmp_path: Path) -> None:
    """What one rater alone answered is no agreement, and the share compared comes first."""
    both = [f"u{at},yes,yes" for at in range(5)]
    one = [f"u{at},no," for at in range(5, 10)]
    reading = read(file(tmp_path, "x.csv", "id,rater_ann,rater_bob", *both, *one))
    assert reading.understood[0] == "5 of 10 units have two or more ratings; 5 were rated once."
    assert (measured(reading).agree, measured(reading).paired) == (5, 5)
    [left] = reading.excluded[""]
    assert (left.reason, left.count) == ("rated once", 5)


def test_places_that_one_rater_alone_marked_are_in_the_coverage(tmp_path: Path) -> None:
    """Equal places agree, and those without a counterpart stand beside them as not compared."""

    def marks(rater: str, *starts: int) -> list[dict[str, Any]]:
        return [{"annotator": rater, "start": at, "end": at + 3, "label": "slur"} for at in starts]

    record = {
        "id": "t1", "text": "a text of some length" * 3,
        "annotations": [*marks("amal", 0, 5, 10), *marks("badr", 0, 20)],
    }  # fmt: skip
    reading = read(file(tmp_path, "spans.jsonl", json.dumps(record)))
    assert reading.understood[0] == (
        "Only 1 of 4 units has two or more ratings; 3 were rated once."
    )


def test_an_adjudicated_column_would_raise_kappa_and_is_no_rater(tmp_path: Path) -> None:
    """The column that settles agrees with the majority by its making, and does not count."""
    pairs = [("yes", "yes")] * 6 + [("no", "no")] * 6 + [("yes", "no")] * 3 + [("no", "yes")] * 3
    rows = [f"u{at},{one},{other},{one}" for at, (one, other) in enumerate(pairs)]
    path = file(tmp_path, "x.csv", "id,coder_1,coder_2,final_label", *rows)
    reading = read(path)
    assert reading.raters == ("coder_1", "coder_2")
    assert "'final_label' is no rater: its name says 'final'." in reading.understood
    honest = measured(reading).estimate("alpha").value
    with_final = read(path, raters=("coder_1", "coder_2", "final_label"))
    raised = measured(with_final).estimate("alpha").value
    assert honest is not None
    assert raised is not None
    assert raised > honest + 0.1


def test_a_file_of_settled_labels_alone_names_who_was_set_aside(tmp_path: Path) -> None:
    """Nothing is left to compare, and the refusal says whose labels were there and why not."""
    path = file(tmp_path, "x.csv", "item,rater,label", "1,gold,a", "1,majority,b", "2,gold,a")
    with pytest.raises(ProblemsFound) as raised:
        read(path)
    text = str(raised.value)
    assert "'gold' is no rater: its name says 'gold'" in text
    assert "'majority' is no rater: its name says 'majority'" in text
    assert "name a rater that was set aside in --raters if it is one" in text


def test_a_slip_in_the_name_of_a_gold_column_is_told(tmp_path: Path) -> None:
    """The column that was meant would otherwise stay a rater in silence."""
    rows = [f"u{at},a,a,{'ab'[at % 2]}" for at in range(4)]
    path = file(tmp_path, "x.csv", "id,ann,bob,key", *rows)
    assert read(path, gold="key").raters == ("ann", "bob")
    reading = read(path, gold="kye")
    assert "'kye' is declared gold" in reading.warnings[0]


# labels ------------------------------------------------------------------------------------------


def test_spaces_and_signs_that_do_not_show_are_listed_and_folded_on_request(
    tmp_path: Path,
) -> None:
    """A no-break space, a zero-width space and a heading with either look like nothing at all."""
    rows = [
        "u1,not sure,not\u00a0sure", "u2,ok,ok\u200b", "u3,ok,ok", "u4,not sure,not\u202fsure",
    ]  # fmt: skip
    path = file(tmp_path, "x.csv", "\u200bid,rater\u00a0ann,rater\u00a0bob", *rows)
    plain = read(path)
    assert plain.raters == ("rater ann", "rater bob")
    assert measured(plain).agree == 1
    assert "differ only in spelling" in told(plain)
    folded = read(path, fold=True)
    assert measured(folded).agree == 4
    assert "they differ only in hidden characters" in told(folded)
    assert "they differ only in spaces" in told(folded)


def test_booleans_of_three_programs_are_one_label_by_one_shown_mapping(tmp_path: Path) -> None:
    """True of a CSV, TRUE of a workbook and 1 are the scheme's yes; false alarm is no FALSE."""
    paths = [
        file(tmp_path, "ann.csv", "item,label", *(f"u{at},{at % 2 == 0}" for at in range(6))),
        tmp_path / "bob.xlsx",
        file(tmp_path, "cas.csv", "item,label", *(f"u{at},{(at + 1) % 2}" for at in range(6))),
    ]
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append(["item", "label"])
    for at in range(6):
        sheet.append([f"u{at}", at % 2 == 0])
    book.save(paths[1])
    reading = read(*paths, categories=("yes", "no"))
    assert reading.raters == ("ann", "bob", "cas")
    assert measured(reading).agree == 6
    assert "'True' (3) as 'yes'" in told(reading)
    assert "'1' (3) as 'yes'" in told(reading)
    text = file(tmp_path, "dan.csv", "item,label", "u0,false alarm", "u1,no")
    with pytest.raises(ProblemsFound, match="'false alarm' stands once"):
        read(paths[0], text, categories=("yes", "no"))


def test_a_code_for_no_rating_beside_sets_is_no_empty_set(tmp_path: Path) -> None:
    """NA among lists, and a set of NA alone, are no ratings; the empty list is one."""
    rows = ['u1,"[""a""]","[""a"",""b""]"', "u2,NA,[]", 'u3,"[""NA""]","[""a""]"']
    reading = read(file(tmp_path, "x.csv", "id,rater_1,rater_2", *rows), missing="NA")
    (ratings,) = reading.questions
    assert ratings.sets is not None
    assert {*ratings.sets} == {frozenset("a"), frozenset("ab"), frozenset[str]()}
    assert measured(reading).paired == 1


# exports -----------------------------------------------------------------------------------------


def test_a_double_click_counts_once_and_a_change_of_mind_stops(tmp_path: Path) -> None:
    """Two equal annotations of one rater are one with a note; two different ones are a conflict."""
    twice = [annotation(1, 1, "warm"), annotation(2, 1, "warm"), annotation(3, 2, "warm")]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([task(1, *twice)]))
    reading = read(path)
    assert (measured(reading).agree, measured(reading).paired) == (1, 1)
    assert "1 rating repeats what the same rater said of the same unit" in told(reading)
    path.write_text(json.dumps([task(1, annotation(1, 1, "cold"), *twice[1:])]))
    with pytest.raises(ProblemsFound, match="choose --repeats last or --repeats first"):
        read(path)
    assert measured(read(path, repeats="last")).agree == 1


def test_what_was_imported_can_be_compared_with_what_the_tool_counts(tmp_path: Path) -> None:
    """Ratings and skips by rater, units rated twice, and what was left out with its reason."""
    tasks = [
        task(1, annotation(1, 1, "warm"), annotation(2, 2, "warm")),
        task(2, annotation(3, 1, "cold"), annotation(4, 2, "cold", was_cancelled=True)),
        task(3, annotation(5, 1, "cold"), annotation(6, 3, "cold", ground_truth=True)),
        task(1, annotation(1, 1, "warm"), annotation(2, 2, "warm")),
        task(4),
    ]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks))
    reading = read(path)
    assert reading.understood[0] == (
        "tone: only 1 of 3 units has two or more ratings; 2 were rated once."
    )
    sentences = told(reading)
    assert "2 raters, with their units: 1 (3), 2 (1)." in sentences
    assert "1 skipped by 2 (2): no label, and not missing by accident." in sentences
    assert "Left out, 2: the same annotation exported once more" in sentences
    assert "Left out, 1: marked as ground truth, which is no vote" in sentences
    assert "Tasks without an annotation: 1." in sentences
    reasons = {each.reason: each.count for each in reading.excluded["tone"]}
    assert reasons == {"rated once": 2, "skipped by 2": 1}


def test_a_question_with_one_choice_keeps_its_kappa_beside_one_with_several(
    tmp_path: Path,
) -> None:
    """Sets are compared as sets, and the other question is as plain as in a file of its own."""

    def both(number: int, rater: int, tone: str, *topics: str) -> dict[str, Any]:
        found = annotation(number, rater, tone)
        several = {"from_name": "topics", "type": "choices", "value": {"choices": [*topics]}}
        return {**found, "result": [*found["result"], several]}

    tasks = [
        task(at, both(2 * at, 1, tone, "a", "b"), both(2 * at + 1, 2, other, "a"))
        for at, (tone, other) in enumerate(
            [("warm", "warm"), ("cold", "cold"), ("warm", "cold"), ("cold", "cold")], start=1
        )
    ]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks))
    tone, topics = read(path).questions
    assert (tone.question, tone.categories, tone.sets) == ("tone", ("cold", "warm"), None)
    assert topics.sets is not None
    part = read(path).report(QUICK).part("question:tone").measured
    assert part.estimate("kappa").value == pytest.approx(0.5)
    assert part.estimate("ac1").value is not None
    declared = read(path, sets=True).questions
    assert all(each.sets is not None for each in declared)


def test_a_question_mark_used_as_a_label_needs_a_written_mapping(tmp_path: Path) -> None:
    """Nobody guesses what '?' stood for: it is named, and an alias in a scheme says it."""
    path = file(tmp_path, "x.csv", "id,rater_1,rater_2", "1,ok,?", "2,bad,bad", "3,unclear,?")
    assert "'?' counts as a label (2); if it means no rating" in told(read(path))
    with pytest.raises(ProblemsFound, match=r"'\?' stands 2 times"):
        read(path, categories=("ok", "bad", "unclear"))
    scheme = file(
        tmp_path, "scheme.yaml", "categories: [ok, bad, unclear]", 'aliases: {"?": unclear}'
    )
    reading = read(path, scheme=scheme)
    assert measured(reading).agree == 2
    assert "Read '?' (2) as 'unclear': by the aliases of the scheme." in told(reading)
    assert "counts as a label" not in told(reading)


def test_files_that_are_named_alike_are_their_folders_raters(tmp_path: Path) -> None:
    """ann/labels.csv and bob/labels.csv are ann and bob, and can be named so."""
    paths: list[Path] = []
    for who in ("ann", "bob", "cas"):
        (tmp_path / who).mkdir()
        paths.append(file(tmp_path, f"{who}/labels.csv", "id,label", "1,a", "2,b"))
    assert read(*paths).raters == ("ann", "bob", "cas")
    chosen = read(*paths, raters=("ann", "cas"))
    assert chosen.raters == ("ann", "cas")
    assert "'bob' is no rater: it is not among --raters." in told(chosen)


def test_a_code_for_no_rating_stays_one_beside_a_file_of_sets(tmp_path: Path) -> None:
    """Single labels become sets of one, and NA becomes no set."""
    ann = file(tmp_path, "ann.csv", "id,label", '1,"[""a"",""b""]"', '2,"[""a""]"')
    bob = file(tmp_path, "bob.csv", "id,label", "1,a", "2,NA")
    reading = read(ann, bob, missing="NA", shape="file-a-rater", label="label")
    assert measured(reading).paired == 1
    assert "'NA' is declared to mean no rating (1 time)." in told(reading)
