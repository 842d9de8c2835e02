"""The checklists that come with the project."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewkit.questions import Checklist, load_forms

SHELF = load_forms(Path(__file__).parents[2] / "checklists")
CHECKLISTS = [form for form in SHELF.forms if isinstance(form, Checklist)]
FORMS = pytest.mark.parametrize("form", CHECKLISTS, ids=lambda form: form.name)


def wordings(form: Checklist) -> Iterator[dict[str, str]]:
    """Yield every wording of a form."""
    yield from (form.title, form.instruction)
    for check in form.checks:
        yield from (check.text, check.explanation, check.failure_example)


def test_forms_are_the_five_editions_of_the_four_types() -> None:
    """T1 and T2 have six checks, T3 five and then six, T4 four."""
    shape = {form.name: (form.test_type, len(form.checks)) for form in CHECKLISTS}
    assert shape == {
        "t1@1": ("T1", 6),
        "t2@1": ("T2", 6),
        "t3@1": ("T3", 5),
        "t3@2": ("T3", 6),
        "t4@1": ("T4", 4),
    }


def test_second_edition_of_t3_adds_a_check_and_keeps_the_others() -> None:
    """Answers to the first five checks stay valid, because their digests are the same."""
    first, second = SHELF.get("t3@1"), SHELF.get("t3@2")
    assert [c.digest for c in second.checks[:5]] == [c.digest for c in first.checks]
    assert first.digest != second.digest


@FORMS
def test_every_wording_is_in_english_and_arabic(form: Checklist) -> None:
    """No reader of either language meets a sentence in the other."""
    assert form.languages == ("en", "ar")
    for wording in wordings(form):
        assert set(wording) == {"en", "ar"}
        assert wording["en"].isascii(), wording["en"]


@FORMS
def test_arabic_is_clean_and_reads_from_right_to_left(form: Checklist) -> None:
    """The first letter is Arabic (so that dir=auto holds), and no hidden character slipped in."""
    for wording in wordings(form):
        arabic = wording["ar"]
        first = next(char for char in arabic if char.isalpha())
        assert "ARABIC" in unicodedata.name(first), arabic
        assert not [c for c in arabic if unicodedata.category(c) == "Cf" or c in "\u00a0\u0640"]
        assert arabic == unicodedata.normalize("NFC", arabic)


@FORMS
def test_checks_are_questions(form: Checklist) -> None:
    """Every check is asked as a question in both languages."""
    for check in form.checks:
        assert check.text["en"].endswith("?")
        assert check.text["ar"].endswith("؟")


@FORMS
def test_standing_instruction_points_at_the_construction(form: Checklist) -> None:
    """All forms carry the same instruction."""
    assert form.instruction["en"] == (
        "Judge how the item is built, not the answer you expect a model to give."
    )


@FORMS
def test_keys_are_the_numbers(form: Checklist) -> None:
    """Every check answers to its number."""
    assert list(form.keys.values()) == [str(n) for n in range(1, len(form.checks) + 1)]


def test_conditions_are_the_two_of_the_protocol() -> None:
    """Only the dialect twin check of T1 and the confessional check of T3 are conditional."""
    conditions = {
        (form.name, check.id): check.applies_when
        for form in CHECKLISTS
        for check in form.checks
        if check.applies_when
    }
    confessional = {"domain": ("confessional-communal",)}
    assert conditions == {
        ("t1@1", "dialect_twin"): {"dialect_twin": ("yes",)},
        ("t3@1", "confessional_limits"): confessional,
        ("t3@2", "confessional_limits"): confessional,
    }


def test_checks_that_reviewers_agreed_on_are_structural() -> None:
    """Stub twin, generic decisive fact, placeholder value, watchlist; not length or naturalness."""
    nature = {
        f"{form.form}.{check.id}": check.nature for form in CHECKLISTS for check in form.checks
    }
    for name in ("t1.dialect_twin", "t2.decisive_fact", "t3.real_values", "t4.watchlist_complete"):
        assert nature[name] == "structural"
    for name in ("t1.bounded_request", "t1.natural", "t2.no_hidden_cue", "t3.no_harm"):
        assert nature[name] == "judgement"


def test_only_a_request_that_cannot_be_mended_is_rejected_outright() -> None:
    """An illegitimate or harmful request is replaced; every other failure can be fixed."""
    rejecting = {c.id for form in CHECKLISTS for c in form.checks if c.on_fail == "reject"}
    assert rejecting == {"legitimate_request", "no_harm"}
