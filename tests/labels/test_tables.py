"""Labels as tables: what each row says, and that every column is explained."""

from __future__ import annotations

from collections.abc import Callable

from reviewkit.decisions.records import Record
from reviewkit.labels import (
    FinalLabel,
    LabelTable,
    describe_fields,
    final_labels,
    final_table,
    long_table,
    spans_table,
    wide_table,
)
from reviewkit.questions.codebooks import Codebook

Make = Callable[..., Record]

CODEBOOK = Codebook.model_validate(
    {
        "form": "rationale",
        "version": "1",
        "kind": "codebook",
        "title": {"en": "Rationale", "ar": "التعليل"},
        "instruction": {"en": "Code it.", "ar": "رمّزه."},
        "fields": [
            {
                "id": "rationale",
                "type": "choice",
                "text": {"en": "What stance does it take?", "ar": "ما موقفه؟"},
                "explanation": {"en": "why", "ar": "لماذا"},
                "codes": [
                    {"id": "E", "title": {"en": "endorsement", "ar": "تأييد"}},
                    {"id": "D", "title": {"en": "denial", "ar": "نفي"}},
                ],
            }
        ],
        "derived": [
            {
                "id": "evidence",
                "title": {"en": "Evidence", "ar": "الدليل"},
                "op": "collapse",
                "of": "rationale",
                "to": {"E": "bias_evidence", "D": "none"},
                "titles": {"none": {"en": "not", "ar": "لا"}},
            }
        ],
    }
)


def _labels(coded: Make) -> tuple[FinalLabel, ...]:
    codings = {
        "first": {
            "c1": coded("c1", "amal", rationale="E", changes={"unsure": True, "note": "ask Zaid"}),
            "c2": coded("c2", "amal", rationale="D"),
        },
        "second": {"c1": coded("c1", "badr", rationale="D")},
    }
    acts = [
        coded("c1", "hala", "first_label", rationale="D"),
        coded("c1", "hala", "adjudication", rationale="E", changes={"reason": "R-004"}),
    ]
    return final_labels(
        codings,
        acts,
        ["rationale", "evidence"],
        raters={"amal": "rater-2", "badr": "rater-1"},
        groups={"c1": "s1", "c2": "s2"},
    )


def _is_whole(table: LabelTable) -> None:
    """Every row has exactly the columns, and every column is explained in one line."""
    for row in table.rows:
        assert tuple(row) == table.header
        assert all(isinstance(cell, str) for cell in row.values())
    explained = {row["column"]: row["meaning"] for row in table.dictionary().rows}
    assert all(explained[name] for name in table.header)


def test_the_final_table_has_both_codes_the_first_label_the_final_and_the_route(
    coded: Make,
) -> None:
    """One row a card and field holds everything that led to the label."""
    table = final_table(_labels(coded), describe_fields(CODEBOOK))
    _is_whole(table)
    row = table.rows[0]
    assert (row["card"], row["group"], row["field"]) == ("c1", "s1", "rationale")
    assert (row["code_1"], row["code_2"], row["first_label"], row["final"]) == ("E", "D", "D", "E")
    assert (row["route"], row["after_reveal"], row["reason"]) == ("adjudicated", "changed", "R-004")
    assert (row["coder_1"], row["coder_2"]) == ("rater-2", "rater-1")
    assert row["form"] == "rationale@1"
    assert len(row["record"]) == 64
    lone = next(row for row in table.rows if row["card"] == "c2")
    assert (lone["route"], lone["code_2"], lone["coder_2"]) == ("single", "", "")


def test_the_long_table_has_a_row_for_every_coding_with_its_provenance(coded: Make) -> None:
    """Codings, the first label and the ruling are rows; each names its record, form and time."""
    table = long_table(_labels(coded))
    _is_whole(table)
    mine = [row for row in table.rows if (row["card"], row["field"]) == ("c1", "rationale")]
    assert [(row["act"], row["rater"], row["value"]) for row in mine] == [
        ("coding", "rater-2", "E"),
        ("coding", "rater-1", "D"),
        ("first_label", "adjudicator", "D"),
        ("ruling", "adjudicator", "E"),
    ]
    assert mine[0]["unsure"] == "yes"
    assert all(row["record"] and row["time"] and row["rule_version"] for row in mine)


def test_no_name_and_no_note_is_in_a_table_unless_asked_for(coded: Make) -> None:
    """Raters are pseudonyms everywhere, and a free text is left at home."""
    labels = _labels(coded)
    for table in (final_table(labels), long_table(labels), wide_table(labels), spans_table(labels)):
        said = " ".join(" ".join(row.values()) for row in table.rows)
        for name in ("amal", "badr", "hala", "Zaid"):
            assert name not in said
    noted = long_table(labels, notes=True)
    _is_whole(noted)
    assert noted.rows[0]["note"] == "ask Zaid"


def test_the_wide_table_has_a_row_a_card_with_the_columns_of_the_responses(coded: Make) -> None:
    """Automatic labels stand beside the final ones, under names that meet none of ours."""
    extra = {"c1": {"group": "s1", "judge": "E"}, "c2": {"group": "s2", "judge": "D"}}
    table = wide_table(_labels(coded), describe_fields(CODEBOOK), extra=extra)
    _is_whole(table)
    assert [row["card"] for row in table.rows] == ["c1", "c2"]
    first = table.rows[0]
    assert (first["rationale.coder_1"], first["rationale.coder_2"]) == ("E", "D")
    assert (first["rationale.final"], first["evidence.final"]) == ("E", "bias_evidence")
    assert (first["unsure_1"], first["unsure_2"]) == ("yes", "no")
    assert first["response.judge"] == "E"


def test_the_dictionary_explains_fields_codes_and_derived_values(coded: Make) -> None:
    """The codes stand in the dictionary with their titles, in the language asked for."""
    rows = {
        row["column"]: row
        for row in final_table(_labels(coded), describe_fields(CODEBOOK)).dictionary().rows
    }
    assert rows["value of rationale"]["values"] == "E: endorsement; D: denial"
    assert "bias_evidence; none: not" in rows["value of evidence"]["values"]
    assert "adjudicated: the adjudicator decided" in rows["route"]["values"]
    assert describe_fields(CODEBOOK, "ar")[0].meaning == "ما موقفه؟"


def test_spans_are_a_row_each(coded: Make) -> None:
    """Every marked or rejected place has its offsets, code, flags and term."""
    span = {"start": 3, "end": 8, "code": "loaded_a", "flags": {"attributed": "yes"}, "term": "جيش"}
    codings = {"first": {"c": coded("c", terms=[span])}}
    table = spans_table(final_labels(codings, [], ["terms"]))
    _is_whole(table)
    assert [row["act"] for row in table.rows] == ["coding", "final"]
    row = table.rows[0]
    assert (row["start"], row["end"], row["code"]) == ("3", "8", "loaded_a")
    assert (row["flags"], row["term"], row["source"]) == ("attributed", "جيش", "coder")


def test_no_label_at_all_is_an_empty_table() -> None:
    """A study in which nothing was coded has tables with columns and no row."""
    for table in (final_table(()), long_table(()), wide_table(()), spans_table(())):
        assert table.header
        assert table.rows == ()
