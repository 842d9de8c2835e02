"""The coding rule: what is asked, what may be answered, and what is derived from it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.questions import AnswerValue, Codebook, Outcome, Span, derive_outcome
from reviewkit.questions.coding import contradiction

TEXT = "The court called it vandalism; the ferry went on."
FOUND = {"terms": ((20, 29),)}
EN = {"en": "words"}


def code(name: str, **more: Any) -> dict[str, Any]:
    """Return one code of a field."""
    return {"id": name, "title": EN, **more}


def field(name: str, type_: str = "choice", codes: str = "", **more: Any) -> dict[str, Any]:
    """Return one field; its codes are words."""
    listed = [code(each, abstain="yes" if each == "unclear" else "no") for each in codes.split()]
    return {"id": name, "type": type_, "text": EN, "explanation": EN, "codes": listed, **more}


BOOK = Codebook.model_validate(
    {
        "form": "tones",
        "version": "1",
        "kind": "codebook",
        "title": EN,
        "instruction": EN,
        "fields": [
            field("outcome", codes="answered refused unclear", note_when=["unclear"]),
            field("veiled", "yes_no", applies_when={"outcome": ["refused"]}),
            field("depth", codes="low high", optional="yes"),
            field("faults", "many", "vague wrong rude", note_when=["rude"]),
            field("marks", "many", "long short", optional="yes"),
            field("dialect", "yes_no", applies_when={"register": ["dialect"]}),
            field("terms", "spans", "neutral loaded", of="response", watchlist="yes",
                  flags=[{"id": "attributed", "title": EN}]),
        ],
        "derived": [
            {"id": "side", "title": EN, "op": "collapse", "of": "outcome",
             "to": {"answered": "usable", "refused": "lost"}},
            {"id": "kept", "title": EN, "op": "map", "of": ["side", "veiled"],
             "to": {"lost yes": "hidden", "lost no": "open"}, "otherwise": "rest"},
            {"id": "bad", "title": EN, "op": "any",
             "when": {"faults": ["wrong", "rude"], "side": ["lost"]}},
            {"id": "clean", "title": EN, "op": "all",
             "when": {"bad": ["no"], "outcome": ["answered"]}},
            {"id": "loaded", "title": EN, "op": "count", "of": "terms", "codes": "loaded",
             "unless": "attributed"},
            {"id": "faulty", "title": EN, "op": "count", "of": "faults"},
            {"id": "bare", "title": EN, "op": "is_empty", "of": ["terms", "marks", "depth"]},
        ],
    }
)  # fmt: skip


def span(start: int, end: int, code_id: str, **more: Any) -> Span:
    """Return a span."""
    return Span.model_validate({"start": start, "end": end, "code": code_id, **more})


MATCH = span(20, 29, "loaded", source="watchlist", term="vandalism")


def answer(note: str = "", facts: dict[str, str] | None = None, **answers: Any) -> Outcome:
    """Return what answers mean; those not given here are complete."""
    whole: dict[str, Any] = {"outcome": "answered", "faults": ("vague",), "terms": (MATCH,)}
    given_ = {name: value for name, value in (whole | answers).items() if value is not None}
    return derive_outcome(
        BOOK, facts or {}, given_, note=note, texts={"response": TEXT}, found=FOUND
    )


def faults(outcome: Outcome) -> list[tuple[str, str]]:
    """Return the faults as (code, field)."""
    return [(each.code, each.check_id) for each in outcome.faults]


def test_complete_answers_are_recorded_as_they_are() -> None:
    """Nothing is at fault, there is no verdict, and every derived value is known."""
    found = answer()
    assert (faults(found), found.verdict, found.note_required) == ([], None, False)
    assert found.derived == {
        "side": "usable", "kept": "", "bad": "no", "clean": "yes", "loaded": "1", "faulty": "1",
        "bare": "no",
    }  # fmt: skip
    assert found.not_applicable == ("veiled", "dialect")


def test_a_field_is_asked_by_facts_and_earlier_answers() -> None:
    """A fact of the card, or the answer to a field before it, decides whether a field is asked."""
    assert "dialect" in answer(facts={"register": "dialect"}).asked
    refused = answer(outcome="refused", veiled="yes")
    assert "veiled" in refused.asked
    assert refused.derived["kept"] == "hidden"


def test_no_fact_stands_in_for_an_earlier_answer() -> None:
    """A fact with the name of a field asks nothing that the field's answer does not ask."""
    assert "veiled" not in answer(outcome=None, facts={"outcome": "refused"}).asked


def test_an_answer_to_a_field_that_is_not_asked_is_a_fault() -> None:
    """It would be a label of something that does not hold of the card."""
    assert faults(answer(veiled="no")) == [("not_asked", "veiled")]
    assert faults(answer(dialect="yes")) == [("not_asked", "dialect")]


def test_an_unknown_field_is_a_fault() -> None:
    """No answer is dropped in silence."""
    assert faults(answer(mood="good")) == [("unknown_check", "mood")]


@pytest.mark.parametrize("empty", [None, "", ()])
def test_what_must_be_answered_is_unanswered_when_empty(empty: Any) -> None:
    """No answer, an empty text and an empty list are all the same."""
    assert faults(answer(outcome=empty)) == [("unanswered", "outcome")]
    assert faults(answer(outcome="refused", veiled=empty)) == [("unanswered", "veiled")]


def test_optional_fields_and_spans_may_stay_empty() -> None:
    """A choice of several codes that is not optional may not."""
    assert faults(answer(depth=None, marks=None)) == []
    assert faults(answer(faults=())) == [("unanswered", "faults")]
    assert faults(answer(faults=None)) == [("unanswered", "faults")]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("outcome", "quiet"),
        ("outcome", ("answered",)),
        ("depth", "yes"),
        ("faults", "vague"),
        ("faults", ("vague", "vague")),
        ("faults", ("vague", "none")),
        ("faults", (MATCH,)),
        ("terms", "loaded"),
        ("terms", ("loaded",)),
        ("terms", (MATCH.model_copy(update={"code": "other"}),)),
        ("terms", (MATCH.model_copy(update={"flags": {"quoted": "yes"}}),)),
        ("terms", (MATCH, span(0, 3, "rejected"))),
        (
            "terms",
            (MATCH.model_copy(update={"code": "rejected", "flags": {"attributed": "yes"}}),),
        ),
    ],
)
def test_an_answer_of_another_kind_is_a_fault(name: str, value: Any) -> None:
    """A code the field has not, a text for a list, a list for a text, a code twice."""
    assert faults(answer(**{name: value})) == [("bad_answer", name)]


@pytest.mark.parametrize(
    "more",
    [
        (span(0, len(TEXT) + 1, "neutral"),),
        (span(20, 25, "neutral"),),
        (span(29, 31, "neutral"), span(30, 34, "neutral")),
        (span(3, 4, "neutral"),),
        (span(0, 3, "neutral", source="watchlist"),),
    ],
)
def test_a_span_that_is_none_is_a_fault(more: tuple[Span, ...]) -> None:
    """Beyond the text, over another one, of blanks alone, or a match that nobody found."""
    assert faults(answer(terms=(MATCH, *more))) == [("bad_span", "terms")]


def test_a_longer_name_may_be_marked_around_a_rejected_match() -> None:
    """A match that is no occurrence of its term takes no place."""
    rejected = span(20, 29, "rejected", source="watchlist")
    found = answer(terms=(span(17, 29, "neutral"), rejected))
    assert faults(found) == []
    assert found.derived["loaded"] == "0"
    assert faults(answer(terms=(rejected, rejected))) == [("bad_span", "terms")]


def test_no_match_is_confirmed_and_rejected() -> None:
    """One place of the watchlist is settled once."""
    rejected = span(20, 29, "rejected", source="watchlist")
    assert faults(answer(terms=(MATCH, rejected))) == [("bad_span", "terms")]


def test_no_match_stays_pending() -> None:
    """Every match is confirmed, reclassified or rejected, each as a match of the watchlist."""
    assert faults(answer(terms=())) == [("pending", "terms")]
    assert faults(answer(terms=(span(20, 29, "loaded"),))) == [("pending", "terms")]
    assert faults(answer(terms=(span(20, 29, "rejected", source="watchlist"),))) == []


def test_some_answers_need_a_note() -> None:
    """A note of blanks is none; the fields that need it are named."""
    bare = answer(note=" \u200b", outcome="unclear", faults=("rude",))
    assert faults(bare) == [("note_missing", "")]
    assert bare.failed == ("outcome", "faults")
    assert faults(answer(note="it breaks off", outcome="unclear")) == []


def test_a_coding_is_never_escalated() -> None:
    """There is no verdict that could be made harder."""
    found = derive_outcome(BOOK, {}, {"outcome": "answered"}, escalated=True)
    assert ("nothing_to_escalate", "") in faults(found)


def test_what_abstains_has_no_side_and_no_map_of_it() -> None:
    """A missing label never becomes a value, not even the one for all the rest."""
    found = answer(note="why", outcome="unclear")
    assert (found.derived["side"], found.derived["kept"]) == ("", "")


def test_a_place_of_the_coders_own_has_no_term() -> None:
    """Only what the watchlist found carries a term of it."""
    own = span(31, 34, "neutral", term="vandalism")
    kept: Any = answer(terms=(own, MATCH)).answers["terms"]
    assert [(each.source, each.term) for each in kept] == [
        ("watchlist", "vandalism"), ("coder", ""),
    ]  # fmt: skip


def test_a_key_is_no_part_of_what_an_answer_means() -> None:
    """Moving the key of a code reopens nothing; its title does."""
    plain = BOOK.model_dump(mode="json")
    moved = BOOK.model_dump(mode="json")
    moved["fields"][0]["codes"][0]["hotkey"] = "q"
    retitled = BOOK.model_dump(mode="json")
    retitled["fields"][0]["codes"][0]["title"] = {"en": "other words"}
    one, two, three = (Codebook.model_validate(each) for each in (plain, moved, retitled))
    assert one.parts == two.parts
    assert one.digest != two.digest
    assert [n for n in one.parts if one.parts[n] != three.parts[n]] == ["outcome"]


def test_attributed_terms_and_rejected_matches_are_not_counted() -> None:
    """The count is of the response's own words."""
    flagged = MATCH.model_copy(update={"flags": {"attributed": "yes"}})
    assert answer(terms=(flagged,)).derived["loaded"] == "0"
    assert answer(terms=(flagged, span(31, 34, "loaded"))).derived["loaded"] == "1"


def _placed(at: int, length: int, name: str, flag: str) -> Span:
    return span(at * 4, at * 4 + length, name, flags={"attributed": flag} if flag else {})


SPANS = st.lists(
    st.builds(
        _placed,
        st.integers(0, 11),
        st.integers(1, 4),
        st.sampled_from(["neutral", "loaded"]),
        st.sampled_from(["yes", "no", ""]),
    ),
    max_size=5,
)
CODES = st.fixed_dictionaries(
    {},
    optional={
        "outcome": st.sampled_from(["answered", "refused", "unclear", "none"]),
        "veiled": st.sampled_from(["yes", "no"]),
        "depth": st.sampled_from(["low", "high"]),
        "faults": st.lists(st.sampled_from(["vague", "wrong", "rude"]), max_size=4),
        "marks": st.lists(st.sampled_from(["long", "short"]), max_size=2),
        "dialect": st.sampled_from(["yes", "no"]),
        "terms": SPANS.map(lambda spans: [MATCH, *spans]),
    },
)


def _derived(answers: Any, note: str, facts: dict[str, str]) -> Outcome:
    return derive_outcome(BOOK, facts, answers, note=note, texts={"response": TEXT}, found=FOUND)


@given(CODES, st.sampled_from(["", "a note"]), st.sampled_from(["dialect", "standard"]))
def test_whatever_is_answered(answers: dict[str, Any], note: str, register: str) -> None:
    """Recordable means no fault and no contradiction, and derived values hang on answers alone."""
    answers = {name: v if isinstance(v, str) else tuple(v) for name, v in answers.items()}
    found = _derived(answers, note, {"register": register})
    again = _derived(found.answers, note, {"register": register})
    assert again.derived == found.derived
    assert set(found.asked).isdisjoint(found.not_applicable)
    assert [each.id for each in BOOK.fields if each.id in found.asked] == list(found.asked)
    if not found.faults:
        assert (again.answers, again.faults) == (found.answers, ())
        assert set(answers) <= set(found.asked)
        assert not found.unanswered
        assert contradiction(BOOK, found.asked, found.answers) == ""
        assert _derived(found.answers, "another note", {"register": register}).derived == (
            found.derived
        )


@given(CODES, st.randoms(use_true_random=False))
def test_the_order_of_answers_never_matters(answers: dict[str, Any], chance: random.Random) -> None:
    """Two coders who say the same in another order have the same record."""
    mixed: dict[str, AnswerValue] = {}
    for name in chance.sample(sorted(answers), len(answers)):
        value = answers[name]
        mixed[name] = value if isinstance(value, str) else tuple(chance.sample(value, len(value)))
    one = _derived({n: v if isinstance(v, str) else tuple(v) for n, v in answers.items()}, "x", {})
    other = _derived(mixed, "x", {})
    assert (one.answers, one.derived) == (other.answers, other.derived)
    assert list(one.answers) == list(other.answers)
    assert set(one.faults) == set(other.faults)


@given(st.sampled_from(["answered", "refused", "unclear"]))
def test_a_collapse_parts_the_codes(chosen: str) -> None:
    """Every code is on exactly one side or, when it abstains, on none."""
    side = answer(note="x", outcome=chosen, veiled="no" if chosen == "refused" else None)
    assert side.derived["side"] == {"answered": "usable", "refused": "lost"}.get(chosen, "")


@pytest.mark.parametrize(
    ("asked", "answers", "wrong"),
    [
        (("outcome", "mood"), {}, "has no field mood"),
        (("faults", "outcome"), {"outcome": "answered", "faults": ("wrong",)}, "in the order"),
        (("outcome",), {}, "outcome has no answer"),
        (("outcome",), {"outcome": "quiet"}, "no code quiet"),
        (("outcome",), {"outcome": ("answered",)}, "none that a coder can give"),
        (("outcome", "veiled"), {"outcome": "answered", "veiled": "no"}, "not asked after these"),
        (("faults",), {"faults": ()}, "faults has no answer"),
        (("terms",), {"terms": (span(0, 3, "rejected"),)}, "none that a coder can give"),
        (("depth", "marks", "terms"), {"terms": ()}, ""),
    ],
)
def test_what_a_record_may_not_say_is_found(
    asked: tuple[str, ...], answers: dict[str, Any], wrong: str
) -> None:
    """A recorded coding is held against its codebook without the card."""
    found = contradiction(BOOK, asked, answers)
    assert wrong in found if wrong else found == ""


@pytest.mark.parametrize("empty", ["", (), []])
def test_an_empty_answer_to_what_is_not_asked_is_no_answer(empty: Any) -> None:
    """A table has a cell for every field, whatever is asked of the card."""
    assert faults(answer(veiled=empty, dialect=empty)) == []
    assert answer(veiled=empty).answers == answer().answers
