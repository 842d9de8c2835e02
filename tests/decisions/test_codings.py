"""Codings in the ledger: the one door, its invariants, older records, hostile answers."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from reviewkit.decisions import (
    Drafts,
    Entry,
    FileLedger,
    NotReady,
    RecordRefused,
    effective_decisions,
    is_locked,
    lock_pass,
    reopen_pass,
    submit_decision,
    verify_ledger,
)
from reviewkit.decisions.stores.file_kept import FileKept
from reviewkit.problems import ReviewkitError
from reviewkit.questions import Codebook, Span
from reviewkit.questions.forms import Checklist
from tests.decisions.conftest import CARD, EN, WHO
from tests.decisions.sql_places import ledger_at

OLD = Path(__file__).parent / "ledger_of_version_1.jsonl"
"""Written by the reviewkit of before codings: a start, two verdicts, a skip and a lock."""

BOOK = Codebook.model_validate(
    {
        "form": "tones",
        "version": "1",
        "kind": "codebook",
        "title": EN,
        "instruction": EN,
        "fields": [
            {"id": "tone", "type": "choice", "text": EN, "explanation": EN, "note_when": "unclear",
             "codes": [{"id": each, "title": EN} for each in ("calm", "loud", "unclear")]},
            {"id": "terms", "type": "spans", "text": EN, "explanation": EN, "of": "response",
             "codes": [{"id": "neutral", "title": EN}]},
        ],
        "derived": [
            {"id": "quiet", "title": EN, "op": "any", "when": {"tone": ["calm"]}},
            {"id": "terms_count", "title": EN, "op": "count", "of": "terms"},
        ],
    }
)  # fmt: skip
SPAN = Span(start=0, end=4, code="neutral")


@pytest.fixture
def coding() -> Callable[..., dict[str, Any]]:
    """Return a maker of the arguments of a coding that is recorded unless told otherwise."""
    clicks = itertools.count(1)

    def make(**over: Any) -> dict[str, Any]:
        return {
            "form": BOOK,
            "card_id": "r1",
            "card_digest": CARD,
            "current_digest": CARD,
            "facts": {},
            "answers": {"tone": "calm", "terms": (SPAN,)},
            "texts": {"response": "Word after word."},
            "note": "",
            "escalated": False,
            "seconds": 3.0,
            "click_id": f"coding-{next(clicks):08d}",
            **WHO,
            **over,
        }

    return make


@pytest.fixture
def coded_line(ledger: FileLedger, coding: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """Return the fields of the entry of a good coding."""
    record = submit_decision(ledger, **coding())
    return {name: getattr(record, name) for name in Entry.model_fields}


def test_a_coding_is_recorded_with_what_is_derived(ledger, coding) -> None:
    """It names its codebook, has no verdict, and derived values stand beside the answers."""
    record = submit_decision(ledger, **coding(unsure=True))
    assert (record.kind, record.form_kind, record.verdict) == ("decision", "codebook", None)
    assert record.answers == {"tone": "calm", "terms": (SPAN,)}
    assert record.derived == {"quiet": "yes", "terms_count": "1"}
    assert record.unsure
    assert record.schema_version == 3
    (again,) = ledger_at(ledger.path).records()
    assert again == record


def test_the_same_click_is_one_coding(ledger, coding) -> None:
    """The order in which a page names answers and spans makes no second record."""
    later = Span(start=5, end=10, code="neutral")
    one = coding(answers={"tone": "calm", "terms": (SPAN, later)})
    first = submit_decision(ledger, **one)
    same = {**one, "answers": {"terms": (later, SPAN), "tone": "calm"}, "seconds": 9.0}
    assert submit_decision(ledger, **same) == first
    with pytest.raises(RecordRefused):
        submit_decision(ledger, **{**one, "answers": {"tone": "loud", "terms": ()}})
    assert len(ledger.records()) == 1


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ({"answers": {"terms": ()}}, "tone is unanswered"),
        ({"answers": {"tone": "unclear", "terms": ()}}, "needs a note"),
        ({"answers": {"tone": "calm", "terms": (Span(start=0, end=99, code="neutral"),)}}, "span"),
        ({"found": {"terms": ((5, 10),)}}, "not settled"),
        ({"answers": {"tone": "calm", "mood": "x"}}, "no field mood"),
        ({"escalated": True}, "nothing to escalate"),
    ],
)
def test_what_the_rule_refuses_is_not_recorded(ledger, coding, over, said) -> None:
    """The sentence names the field and what to do, and the ledger stays as it was."""
    with pytest.raises(NotReady, match=said) as refused:
        submit_decision(ledger, **coding(**over))
    assert "check" not in str(refused.value)
    assert ledger.records() == ()


DEEP: Any = "calm"
for _ in range(500):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "answers",
    [
        "calm",
        ["calm"],
        {1: "calm"},
        {"tone": {"code": "calm"}},
        {"tone": 1},
        {"tone": DEEP},
        {"tone": [{}], "terms": [{"start": 0, "end": 4, "code": "neutral"}]},
        {"tone": "calm", "terms": [[], [[]]]},
        {"tone": "calm", "terms": tuple(Span(start=n, end=n + 1, code="neutral")
                                        for n in range(10_000))},
        {"tone": "calm" * 10_000},
        {"x" * 10_000: "calm"},
    ],
    ids=range(11),
)  # fmt: skip
def test_hostile_answers_are_refused_with_a_sentence(ledger, coding, answers) -> None:
    """No answer of another shape becomes a record or an exception that nobody awaits."""
    with pytest.raises(ReviewkitError, match="not recorded") as refused:
        submit_decision(ledger, **coding(answers=answers, texts={"response": "w" * 20_000}))
    assert len(str(refused.value)) < 2_000
    assert ledger.records() == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["tone", "terms", "mood"]), JSON))
def test_whatever_comes_for_answers(
    tmp_path_factory: pytest.TempPathFactory, answers: dict[str, Any]
) -> None:
    """Any JSON is either a good coding or refused with a sentence."""
    ledger = FileLedger(tmp_path_factory.mktemp("any") / "amal.jsonl")
    try:
        record = submit_decision(
            ledger, form=BOOK, card_id="r1", card_digest=CARD, current_digest=CARD, facts={},
            answers=answers, note="", escalated=False, seconds=1.0, click_id="click-0001", **WHO,
        )  # fmt: skip
    except ReviewkitError:
        assert ledger.records() == ()
    else:
        assert record.answers["tone"] in ("calm", "loud")


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ({"verdict": "accepted"}, "a coding has no verdict"),
        ({"escalated": True}, "a coding has no verdict"),
        ({"answers": {"tone": "calm", "mood": "x"}}, "no field that was not asked"),
        ({"asked": ("tone", "tone")}, "each once"),
        ({"form_digest": None}, "names its card, its form"),
        ({"form_kind": "checklist"}, "every asked check|yes and no alone"),
        ({"derived": {"quiet": 1}}, "derived"),
        ({"answers": {"tone": "calm", "terms": [{"start": 4, "end": 4, "code": "n"}]}}, "no text"),
        ({"answers": {"tone": "calm", "terms": [{"start": -1, "end": 4, "code": "n"}]}}, "start"),
        ({"answers": {"tone": ("calm; x",)}}, "answers"),
    ],
)
def test_a_coding_cannot_contradict_itself(coded_line, over, said) -> None:
    """No verdict, no answer beside what was asked, no span without text, through any door."""
    with pytest.raises(ValidationError, match=said):
        Entry.model_validate({**coded_line, **over})


@pytest.mark.parametrize(
    "over",
    [
        {"derived": {"quiet": "yes"}},
        {"answers": {"one_variable": "calm", "same_length": "yes"}, "note": "x"},
        {"answers": {"one_variable": ("yes",), "same_length": "yes"}, "note": "x"},
        {"answers": {"one_variable": (SPAN,), "same_length": "yes"}, "note": "x"},
    ],
)
def test_a_verdict_carries_no_code_and_no_derived_value(entry, over) -> None:
    """A verdict comes from yes and no alone."""
    with pytest.raises(ValidationError, match="yes and no alone"):
        entry(**over)


@pytest.mark.parametrize("over", [{"derived": {"quiet": "yes"}}, {"unsure": True}])
@pytest.mark.parametrize("kind", ["skip", "practice", "consent"])
def test_other_acts_carry_no_part_of_a_coding(entry, kind, over) -> None:
    """What is no label has no derived value and no mark of doubt."""
    with pytest.raises(ValidationError, match="no derived value"):
        entry(kind, **over)


@pytest.mark.parametrize("kind", ["question", "answer"])
def test_a_question_and_its_answer_have_words(entry, kind) -> None:
    """An empty one asks and answers nothing."""
    with pytest.raises(ValidationError, match="needs a reason"):
        entry(kind, reason=" \u200b")


# records of version 1


@pytest.fixture
def old(tmp_path: Path) -> FileLedger:
    """Return a ledger that the reviewkit of before codings wrote and locked."""
    path = tmp_path / "rulings" / "demo" / "first" / "amal.jsonl"
    path.parent.mkdir(parents=True)
    shutil.copy(OLD, path)
    return FileLedger(path, "first/amal.jsonl", owner=("demo", "first", "amal"))


def test_records_of_version_1_are_read_and_verified(old: FileLedger, form: Checklist) -> None:
    """Every line means what it meant, its lock holds, and its form is known by the same digest."""
    decided = effective_decisions(old.records())
    assert {card: record.verdict for card, record in decided.items()} == {
        "DEMO-T1-001": "accepted", "DEMO-T1-002": "needs_fix",
    }  # fmt: skip
    assert {record.schema_version for record in old.records()} == {1}
    assert {record.form_kind for record in old.records()} == {"checklist"}
    assert is_locked(old.records())
    assert decided["DEMO-T1-001"].form_digest == form.digest
    report = verify_ledger(old.path, old.shown, lambda _digest: form, ("demo", "first", "amal"))
    assert report.sound
    assert report.locked


def test_a_ledger_goes_on_in_the_present_version(
    old: FileLedger, submission: Callable[..., dict[str, Any]]
) -> None:
    """Old lines stay byte for byte; the reopened pass takes new verdicts and is locked anew."""
    before = old.path.read_bytes()
    whose = {**WHO, "click_id": "reopen-00000001"}
    reopen_pass(old, reason="the form was mended", by="lead", **whose)
    submit_decision(old, **submission(card_id="DEMO-T1-002", click_id="again-00000001"))
    cards = {f"DEMO-T1-00{n}": CARD for n in (1, 2, 3)}
    lock_pass(old, cards=cards, **{**WHO, "click_id": "lock-00000002"})
    assert old.path.read_bytes().startswith(before)
    assert [record.schema_version for record in old.records()] == [1] * 5 + [3] * 3
    assert effective_decisions(old.records())["DEMO-T1-002"].verdict == "accepted"
    report = verify_ledger(old.path, old.shown)
    assert report.sound
    assert [lock.in_force for lock in report.locks] == [False, True]


def test_a_repeated_click_of_version_1_is_that_record(
    old: FileLedger, submission: Callable[..., dict[str, Any]]
) -> None:
    """An acknowledgement that got lost before the upgrade is given after it."""
    first = old.records()[1]
    again = submission(card_id="DEMO-T1-001", click_id=first.click_id)
    assert submit_decision(old, **again) == first
    assert len(old.records()) == 5


def test_an_edited_line_of_version_1_is_found(old: FileLedger) -> None:
    """The fields that version 2 added open no way around the digest."""
    text = old.path.read_text(encoding="utf-8")
    fields = json.loads(text.splitlines()[1])
    fields["unsure"] = True
    old.path.write_text(
        text.replace(text.splitlines()[1], json.dumps(fields, separators=(",", ":"))),
        encoding="utf-8",
    )
    assert "its own digest" in str(verify_ledger(old.path, old.shown).problems[0])


# verification of codings


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ({"derived": {"quiet": "no", "terms_count": "1"}}, "derived values are not"),
        ({"derived": {}}, "derived values are not"),
        ({"answers": {"tone": "quiet", "terms": ()}}, "no code quiet"),
        ({"answers": {"tone": ("calm",), "terms": ()}}, "none that a coder can give"),
        ({"answers": {"terms": ()}}, "tone has no answer"),
        ({"asked": ("tone", "mood"), "answers": {"tone": "calm"}}, "no field mood"),
        ({"asked": ("terms", "tone")}, "not in the order"),
        (
            {"answers": {"tone": "unclear", "terms": ()},
             "derived": {"quiet": "no", "terms_count": "0"}},
            "needs a note",
        ),
    ],
)  # fmt: skip
def test_a_coding_that_contradicts_its_codebook_is_found(tmp_path, coded_line, over, said) -> None:
    """A record that came through another door than ours is told with its line."""
    ledger = FileLedger(tmp_path / "other.jsonl", "other.jsonl")
    ledger.append(Entry.model_validate(coded_line))
    assert verify_ledger(ledger.path, "", lambda _digest: BOOK).sound
    forged = {**coded_line, "click_id": "forged-0000001", **over}
    ledger.append(Entry.model_validate(forged))
    report = verify_ledger(ledger.path, "other.jsonl", lambda _digest: BOOK)
    (problem,) = report.problems
    assert problem.where == "other.jsonl:2"
    assert said in problem.wrong
    assert verify_ledger(ledger.path).sound


# drafts


def test_drafts_keep_codes_spans_and_doubt(tmp_path: Path) -> None:
    """What is on the screen comes back as it was, half a character mended."""
    drafts = Drafts("amal.draft.json", FileKept(tmp_path))
    answers: dict[str, Any] = {"tone": "calm\ud83d", "marks": ("long", "short"), "terms": (SPAN,)}
    drafts.save(
        "r1", card_digest=CARD, form_digest=CARD, answers=answers, note="", escalated=False,
        unsure=True,
    )  # fmt: skip
    kept = Drafts("amal.draft.json", FileKept(tmp_path)).load("r1")
    assert kept is not None
    assert kept.unsure
    assert kept.answers == {"tone": "calm\ufffd", "marks": ("long", "short"), "terms": (SPAN,)}


def test_a_draft_of_another_shape_is_refused(tmp_path: Path) -> None:
    """It must not stand in the way of the drafts that are good."""
    drafts = Drafts("amal.draft.json", FileKept(tmp_path))
    for answers in ({"tone": DEEP}, {"tone": {"a": "b"}}, {"terms": (SPAN,) * 501}):
        with pytest.raises(RecordRefused):
            drafts.save(
                "r1", card_digest=CARD, form_digest=CARD, answers=answers, note="",
                escalated=False,
            )  # fmt: skip
    assert drafts.all() == ()
