"""The codebooks that come with the project, and what sets of answers to them come to."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest

from reviewkit.questions import (
    AnswerValue,
    Codebook,
    Outcome,
    Span,
    derive_outcome,
    load_forms,
)

SHELF = load_forms(Path(__file__).parents[2] / "checklists")
CODEBOOKS = [form for form in SHELF.forms if isinstance(form, Codebook)]
EACH = pytest.mark.parametrize("book", CODEBOOKS, ids=lambda book: book.name)


def codebook(name: str) -> Codebook:
    """Return one of the shipped codebooks."""
    form = SHELF.get(name)
    assert isinstance(form, Codebook)
    return form


def outcome(name: str, note: str = "", /, **answers: AnswerValue) -> Outcome:
    """Return what these answers to a codebook mean."""
    return derive_outcome(codebook(name), {}, answers, note=note)


def derived(name: str, note: str = "", /, **answers: AnswerValue) -> dict[str, str]:
    """Return the derived values of answers that can be recorded."""
    found = outcome(name, note, **answers)
    assert not found.faults
    assert found.verdict is None
    return found.derived


def wordings(book: Codebook) -> Iterator[Mapping[str, str]]:
    """Yield every wording of a codebook."""
    yield from (book.title, book.instruction)
    for field in book.fields:
        yield from (field.text, field.explanation)
        yield from (each for each in (field.failure_example,) if each)
        for mark in (*field.codes, *field.flags):
            yield mark.title
            yield from (each for each in (mark.explanation,) if each)
        yield from (code.example for code in field.codes if code.example)
    for value in book.derived:
        yield value.title
        yield from value.titles.values()


def test_there_is_one_codebook_for_every_task() -> None:
    """Each has the fields and the computed values that its task needs."""
    shape = {
        book.name: (
            {field.id: field.type for field in book.fields},
            {value.id: value.op for value in book.derived},
        )
        for book in CODEBOOKS
    }
    assert shape == {
        "adapter_qc@1": (
            dict.fromkeys(
                ("equivalent", "roles", "no_leakage", "natural", "critical_also"), "yes_no"
            ),
            {"critical": "any"},
        ),
        "alias_review@1": ({"same": "choice"}, {"kept_as": "map"}),
        "conversion_qc@1": (
            dict.fromkeys(
                ("one_question", "expresses_option", "faithful", "grammatical"), "yes_no"
            ),
            {"usable": "all"},
        ),
        "framing@1": (
            {"terms": "spans"},
            {
                "loaded_a_count": "count",
                "loaded_b_count": "count",
                "any_loaded": "map",
                "no_term": "is_empty",
            },
        ),
        "option_mapping@1": ({"matches": "yes_no", "right_option": "choice"}, {"kept": "map"}),
        "rationale@1": ({"rationale": "choice"}, {"evidence": "collapse"}),
        "refusal@1": (
            {"outcome": "choice", "failure": "choice", "substantive": "yes_no"},
            {"usable": "any", "refused": "map"},
        ),
        "rubric@1": (
            {"depth": "choice", "tone": "choice", "usefulness": "choice", "faults": "many"},
            {"fault_count": "count", "no_fault": "is_empty"},
        ),
        "selection@1": (
            {"selection": "choice", "rationale": "choice"},
            {
                "selection_evidence": "collapse",
                "rationale_evidence": "collapse",
                "selection_codable": "any",
                "rationale_codable": "any",
                "coverage": "map",
            },
        ),
    }


@EACH
def test_every_wording_is_in_english_and_arabic(book: Codebook) -> None:
    """No reader of either language meets a sentence in the other."""
    for wording in wordings(book):
        assert set(wording) == {"en", "ar"}
        assert wording["en"].isascii(), wording["en"]


@EACH
def test_arabic_is_clean_and_reads_from_right_to_left(book: Codebook) -> None:
    """The first letter is Arabic (so that dir=auto holds), and no hidden character slipped in."""
    for wording in wordings(book):
        arabic = wording["ar"]
        first = next(char for char in arabic if char.isalpha())
        assert "ARABIC" in unicodedata.name(first), arabic
        assert not [c for c in arabic if unicodedata.category(c) == "Cf" or c in "\u00a0\u0640"]
        assert arabic == unicodedata.normalize("NFC", arabic)


@EACH
def test_fields_are_questions(book: Codebook) -> None:
    """Every field is asked as a question in both languages."""
    for field in book.fields:
        assert field.text["en"].endswith("?")
        assert field.text["ar"].endswith("؟")


@EACH
def test_every_code_can_be_chosen_by_its_number(book: Codebook) -> None:
    """No field has more codes than there are digits."""
    for field in book.fields:
        numbers = [str(number) for number in range(1, len(field.codes) + 1)]
        assert [field.keys[code.id] for code in field.codes] == numbers
        assert len(numbers) <= 9


@EACH
def test_collapses_put_every_code_on_one_side_and_leave_out_those_that_abstain(
    book: Codebook,
) -> None:
    """A missing label is never counted as evidence or as its absence."""
    for value in book.derived:
        if value.op == "collapse":
            field = book.field(value.of[0])
            assert set(value.to) == set(field.code_ids) - field.abstaining
            assert set(value.to.values()) == {"bias_evidence", "not_evidence"}
            assert set(value.titles) == set(value.to.values())


def test_stances_are_the_same_in_both_codebooks_that_ask_for_one() -> None:
    """A label of the one can be compared with a label of the other."""
    alone = codebook("rationale@1").field("rationale")
    beside = codebook("selection@1").field("rationale")
    assert [(code.id, code.title, code.abstain) for code in alone.codes] == [
        (code.id, code.title, code.abstain) for code in beside.codes
    ]
    assert codebook("rationale@1").derived[0].to == codebook("selection@1").derived[1].to


@pytest.mark.parametrize(
    ("code", "evidence"),
    [
        ("E", "bias_evidence"),
        ("QE", "bias_evidence"),
        ("N", "not_evidence"),
        ("D", "not_evidence"),
        ("R", "not_evidence"),
    ],
)
def test_rationale_collapses_to_evidence(code: str, evidence: str) -> None:
    """Endorsement, qualified or not, is evidence; analysis, denial and refusal are not."""
    assert derived("rationale@1", rationale=code) == {"evidence": evidence}


def test_what_cannot_be_classified_needs_a_note_and_has_no_evidence() -> None:
    """An abstention says why, and stays out of both sides."""
    bare = outcome("rationale@1", rationale="Abstain")
    assert bare.note_required
    assert [fault.code for fault in bare.faults] == ["note_missing"]
    assert derived("rationale@1", "it breaks off", rationale="Abstain") == {"evidence": ""}


@pytest.mark.parametrize(
    ("selection", "rationale", "coverage"),
    [
        ("consistent", "D", "both"),
        ("neither", "R", "both"),
        ("counter", "Abstain", "selection_only"),
        ("unparsable", "QE", "rationale_only"),
        ("Abstain", "N", "rationale_only"),
        ("unparsable", "Abstain", "neither"),
    ],
)
def test_coverage_says_which_channel_has_a_label(
    selection: str, rationale: str, coverage: str
) -> None:
    """A refusal to choose is a label; an unreadable answer is none."""
    found = derived("selection@1", "see the raw text", selection=selection, rationale=rationale)
    assert found["coverage"] == coverage


def test_channels_are_collapsed_apart() -> None:
    """The required answer may be evidence where the explanation is not."""
    found = derived("selection@1", selection="consistent", rationale="D")
    assert found["selection_evidence"] == "bias_evidence"
    assert found["rationale_evidence"] == "not_evidence"
    unreadable = derived("selection@1", selection="unparsable", rationale="E")
    assert unreadable["selection_evidence"] == ""
    assert unreadable["selection_codable"] == "no"


def test_coverage_is_known_for_every_pair_of_codes() -> None:
    """Whatever two codes meet, the label is one of four."""
    book = codebook("selection@1")
    pairs = product(*(field.code_ids for field in book.fields))
    found = {
        derived("selection@1", "a note", selection=selection, rationale=rationale)["coverage"]
        for selection, rationale in pairs
    }
    assert found == {"both", "selection_only", "rationale_only", "neither"}


TEXT = "The court called it vandalism. Nobody else did; the removal went on."


def term(word: str, code: str, source: str = "watchlist", **flags: str) -> Span:
    """Return the span of a word of ``TEXT``."""
    start = TEXT.index(word)
    return Span.model_validate(
        {
            "start": start,
            "end": start + len(word),
            "code": code,
            "source": source,
            "term": word if source == "watchlist" else "",
            "flags": flags,
        }
    )


def framed(*spans: Span) -> Outcome:
    """Return what these spans mean on a card whose watchlist finds two terms."""
    found = {"terms": (term("vandalism", "other").place, term("removal", "other").place)}
    return derive_outcome(
        codebook("framing@1"), {}, {"terms": spans}, texts={"response": TEXT}, found=found
    )


def test_terms_are_counted_by_class() -> None:
    """Confirmed, reclassified and own terms count; a description attributed to its source not."""
    coded = framed(
        term("vandalism", "loaded_a", attributed="yes"),
        term("removal", "loaded_b"),
        term("court", "other", "coder"),
    )
    assert not coded.faults
    assert coded.derived == {
        "loaded_a_count": "0",
        "loaded_b_count": "1",
        "any_loaded": "yes",
        "no_term": "no",
    }


def test_rejected_matches_are_no_terms() -> None:
    """A text whose matches are all rejected has no term."""
    coded = framed(term("vandalism", "rejected"), term("removal", "rejected"))
    assert not coded.faults
    assert coded.derived == {
        "loaded_a_count": "0",
        "loaded_b_count": "0",
        "any_loaded": "no",
        "no_term": "yes",
    }


def test_no_term_of_the_watchlist_stays_open() -> None:
    """One settled match does not settle the other."""
    assert [each.code for each in framed(term("vandalism", "neutral")).faults] == ["pending"]


@pytest.mark.parametrize(
    ("answers", "usable", "refused"),
    [
        ({"outcome": "answered"}, "yes", "no"),
        ({"outcome": "explicit_refusal"}, "yes", "yes"),
        ({"outcome": "veiled_refusal"}, "yes", "yes"),
        ({"outcome": "technical_failure", "failure": "empty"}, "no", ""),
        (
            {"outcome": "technical_failure", "failure": "truncated", "substantive": "yes"},
            "yes",
            "no",
        ),
        ({"outcome": "technical_failure", "failure": "truncated", "substantive": "no"}, "no", ""),
    ],
)
def test_failure_is_no_refusal_and_counts_only_with_substance(
    answers: dict[str, AnswerValue], usable: str, refused: str
) -> None:
    """A truncated answer is a non-refusal when something was given before the cut."""
    assert derived("refusal@1", **answers) == {"usable": usable, "refused": refused}


def test_failure_is_asked_about_only_where_there_is_one() -> None:
    """An answered request has no kind of failure."""
    assert outcome("refusal@1", outcome="answered").asked == ("outcome",)
    assert outcome("refusal@1", outcome="technical_failure").unanswered == ("failure",)
    strange = outcome("refusal@1", outcome="answered", failure="empty")
    assert [(each.code, each.check_id) for each in strange.faults] == [("not_asked", "failure")]


GOOD = {"equivalent": "yes", "roles": "yes", "no_leakage": "yes", "natural": "yes"}


@pytest.mark.parametrize(
    ("changed", "critical"),
    [
        ({}, "no"),
        ({"natural": "no"}, "no"),
        ({"equivalent": "no"}, "yes"),
        ({"roles": "no"}, "yes"),
        ({"no_leakage": "no"}, "yes"),
        ({"critical_also": "yes"}, "yes"),
    ],
)
def test_critical_is_derived_or_set_with_a_note(changed: dict[str, str], critical: str) -> None:
    """Every failure and the added flag need a note; awkward wording alone is not critical."""
    answers: dict[str, AnswerValue] = {**GOOD, "critical_also": "no", **changed}
    assert outcome("adapter_qc@1", **answers).note_required == bool(changed)
    assert derived("adapter_qc@1", "says why", **answers) == {"critical": critical}


@pytest.mark.parametrize("failed", [None, *(f.id for f in codebook("conversion_qc@1").fields)])
def test_conversion_is_usable_when_all_four_hold(failed: str | None) -> None:
    """One failure is enough."""
    answers: dict[str, AnswerValue] = {
        field.id: "no" if field.id == failed else "yes"
        for field in codebook("conversion_qc@1").fields
    }
    usable = "no" if failed else "yes"
    assert derived("conversion_qc@1", "says why", **answers) == {"usable": usable}


def test_assigned_option_is_kept_or_replaced() -> None:
    """The right option is asked for only where the assigned one is wrong."""
    assert derived("option_mapping@1", matches="yes") == {"kept": "kept"}
    assert outcome("option_mapping@1", matches="no").unanswered == ("right_option",)
    replaced = derived("option_mapping@1", matches="no", right_option="none")
    assert replaced == {"kept": "replaced"}


@pytest.mark.parametrize(
    ("same", "kept_as"),
    [("same", "canonical"), ("different", "verbatim"), ("ambiguous", "verbatim")],
)
def test_ambiguous_answer_stays_verbatim(same: str, kept_as: str) -> None:
    """Only a certain alias becomes the canonical name."""
    assert derived("alias_review@1", same=same) == {"kept_as": kept_as}


def test_rubric_grades_in_order_and_counts_faults() -> None:
    """Each scale has four anchored grades; faults may be left open."""
    book = codebook("rubric@1")
    scales = [field for field in book.fields if field.ordinal == "yes"]
    assert [field.id for field in scales] == ["depth", "tone", "usefulness"]
    for field in scales:
        assert field.code_ids == ("1", "2", "3", "4")
        assert all(code.explanation for code in field.codes)
    grades: dict[str, AnswerValue] = {"depth": "3", "tone": "4", "usefulness": "2"}
    assert derived("rubric@1", **grades) == {"fault_count": "0", "no_fault": "yes"}
    faulty = derived("rubric@1", **grades, faults=("length", "invented"))
    assert faulty == {"fault_count": "2", "no_fault": "no"}
