"""The verdict rule: what answers mean, and what no sequence of answers can bring about."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewkit.questions import (
    RULE_VERSION,
    Checklist,
    Fault,
    applies,
    derive_outcome,
    is_blank,
)
from reviewkit.questions.forms import FactName

FACTS = {"dialect_twin": ("yes", "no"), "domain": ("a", "b"), "event": ("yes", "no")}


WORDS = {"en": "Words."}
PATTERN = Checklist.model_validate(
    {
        "form": "f",
        "version": "1",
        "kind": "checklist",
        "test_type": "T1",
        "title": WORDS,
        "instruction": WORDS,
        "checks": [
            {
                "id": "c",
                "text": WORDS,
                "explanation": WORDS,
                "failure_example": WORDS,
                "nature": "judgement",
                "on_fail": "fix",
            }
        ],
    }
)


def form_of(*checks: tuple[str, str, dict[str, tuple[str, ...]]]) -> Checklist:
    """Return a form of (id, on_fail, applies_when) triples, copied for speed."""
    (check,) = PATTERN.checks
    made = (
        check.model_copy(update={"id": name, "on_fail": on_fail, "applies_when": when})
        for name, on_fail, when in checks
    )
    return PATTERN.model_copy(update={"checks": tuple(made)})


THREE = form_of(
    ("one", "fix", {}),
    ("two", "reject", {}),
    ("twin", "fix", {"dialect_twin": ("yes",)}),
)
NO_TWIN, TWIN = {"dialect_twin": "no"}, {"dialect_twin": "yes"}

conditions = st.dictionaries(st.sampled_from(sorted(FACTS)), st.just(("yes", "a")), max_size=2).map(
    lambda chosen: {name: tuple(v for v in FACTS[name] if v in ("yes", "a")) for name in chosen}
)
forms = st.lists(
    st.tuples(st.sampled_from(["fix", "reject"]), conditions), min_size=1, max_size=6
).map(lambda rows: form_of(*((f"c{i}", fail, when) for i, (fail, when) in enumerate(rows))))
facts_of_cards = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in FACTS.items()}
)
answer_maps = st.dictionaries(
    st.sampled_from([*(f"c{i}" for i in range(7)), "stranger", ""]),
    st.one_of(st.sampled_from(["yes", "no"]), st.sampled_from(["true", "Yes", "", "accepted"])),
)
notes = st.sampled_from(["", " ", "\u200b\u200f\n", "see the slot", "؟"])


@settings(deadline=None)
@given(forms, facts_of_cards, answer_maps, notes, st.booleans())
def test_accepted_means_every_asked_check_passed(
    form: Checklist, facts: dict[str, str], answers: dict[str, str], note: str, escalated: bool
) -> None:
    """Accepted never stands beside a failed, missing or inapplicable-but-answered check."""
    outcome = derive_outcome(form, facts, answers, note=note, escalated=escalated)
    if outcome.verdict == "accepted":
        asked = {c.id for c in form.checks if applies(c.applies_when, facts)}
        assert asked
        assert answers == dict.fromkeys(asked, "yes")
        assert not escalated
        assert outcome.faults == ()


@settings(deadline=None)
@given(forms, facts_of_cards, answer_maps, notes, st.booleans())
def test_every_outcome_is_consistent(
    form: Checklist, facts: dict[str, str], answers: dict[str, str], note: str, escalated: bool
) -> None:
    """Recordable outcomes have a verdict that fits the answers; all others name a reason."""
    before = dict(answers)
    outcome = derive_outcome(form, facts, answers, note=note, escalated=escalated)
    assert answers == before
    again = derive_outcome(
        form, facts, dict(reversed(answers.items())), note=note, escalated=escalated
    )
    assert (again.verdict, set(again.faults)) == (outcome.verdict, set(outcome.faults))
    assert set(outcome.asked) | set(outcome.not_applicable) == {c.id for c in form.checks}
    assert not set(outcome.asked) & set(outcome.not_applicable)
    assert outcome.note_required == bool(outcome.failed)
    if outcome.verdict is None:
        assert outcome.faults
    if not outcome.faults:
        assert set(answers) == set(outcome.asked)
        assert set(answers.values()) <= {"yes", "no"}
        assert (outcome.verdict == "accepted") == (not outcome.failed)
        assert not outcome.failed or not is_blank(note)
        hard = any(form.check(check_id).on_fail == "reject" for check_id in outcome.failed)
        assert (outcome.verdict == "rejected") == (hard or escalated)


@settings(deadline=None)
@given(forms, facts_of_cards, st.data())
def test_no_sequence_of_clicks_leads_to_a_false_acceptance(
    form: Checklist, facts: dict[str, str], data: st.DataObject
) -> None:
    """Setting, changing and clearing answers in any order never leaves accepted on a failure."""
    answers: dict[str, str] = {}
    clicks = st.tuples(
        st.sampled_from([c.id for c in form.checks]), st.sampled_from(["yes", "no", "clear"])
    )
    for check_id, click in data.draw(st.lists(clicks, max_size=20)):
        if click == "clear":
            answers.pop(check_id, None)
        else:
            answers[check_id] = click
        outcome = derive_outcome(form, facts, answers)
        asked = [c.id for c in form.checks if applies(c.applies_when, facts)]
        clean = bool(asked) and answers == dict.fromkeys(asked, "yes")
        assert (outcome.verdict == "accepted") == clean


@settings(deadline=None)
@given(forms, facts_of_cards, st.data())
def test_nothing_softens_a_verdict(
    form: Checklist, facts: dict[str, str], data: st.DataObject
) -> None:
    """Failing one more check, or escalating, never moves a verdict towards acceptance."""
    order = ["accepted", "needs_fix", "rejected"]
    asked = [c.id for c in form.checks if applies(c.applies_when, facts)]
    if not asked:
        return
    answers = {check_id: data.draw(st.sampled_from(["yes", "no"])) for check_id in asked}
    base = derive_outcome(form, facts, answers, note="why").verdict
    worse = answers | {data.draw(st.sampled_from(asked)): "no"}
    after = derive_outcome(form, facts, worse, note="why").verdict
    escalated = derive_outcome(form, facts, worse, note="why", escalated=True).verdict
    assert base is not None
    assert after is not None
    assert order.index(base) <= order.index(after)
    assert escalated == "rejected"


def verdict_of(facts: dict[str, str], answers: dict[str, str], **given_: Any) -> Any:
    """Return verdict and faults of answers to the three-check form."""
    outcome = derive_outcome(THREE, facts, answers, **given_)
    return outcome.verdict, outcome.faults


def test_all_yes_is_accepted_without_the_check_that_does_not_apply() -> None:
    """A card without a dialect twin is accepted on the two checks it is asked."""
    outcome = derive_outcome(THREE, NO_TWIN, {"one": "yes", "two": "yes"})
    assert (outcome.verdict, outcome.not_applicable) == ("accepted", ("twin",))


def test_a_failed_check_decides_between_fix_and_reject() -> None:
    """One failed fix-check gives needs_fix, one failed reject-check rejected."""
    assert verdict_of(NO_TWIN, {"one": "no", "two": "yes"}, note="x") == ("needs_fix", ())
    assert verdict_of(NO_TWIN, {"one": "yes", "two": "no"}, note="x") == ("rejected", ())


def test_escalation_makes_needs_fix_rejected_and_touches_nothing_else() -> None:
    """A reviewer may escalate a failure, never an acceptance."""
    assert verdict_of(NO_TWIN, {"one": "no", "two": "yes"}, note="x", escalated=True) == (
        "rejected",
        (),
    )
    assert verdict_of(NO_TWIN, {"one": "yes", "two": "yes"}, escalated=True) == (
        None,
        (Fault("nothing_to_escalate"),),
    )


def test_each_kind_of_fault_is_named() -> None:
    """Every reason against recording has its own code and check."""
    assert verdict_of(TWIN, {"one": "yes", "two": "yes"}) == (None, (Fault("unanswered", "twin"),))
    assert verdict_of(NO_TWIN, {"one": "yes", "two": "yes", "twin": "yes"}) == (
        None,
        (Fault("not_asked", "twin"),),
    )
    assert verdict_of(NO_TWIN, {"one": "yes", "two": "yes", "three": "yes"}) == (
        None,
        (Fault("unknown_check", "three"),),
    )
    assert verdict_of(NO_TWIN, {"one": "yes", "two": "true"}) == (
        None,
        (Fault("bad_answer", "two"),),
    )
    assert verdict_of(NO_TWIN, {"one": "no", "two": "yes"}, note=" \u00a0\u200e") == (
        "needs_fix",
        (Fault("note_missing"),),
    )


def test_card_without_any_applicable_check_cannot_be_accepted() -> None:
    """Where nothing is asked, nothing has passed."""
    form = form_of(("twin", "fix", {"dialect_twin": ("yes",)}))
    outcome = derive_outcome(form, NO_TWIN, {})
    assert (outcome.verdict, outcome.faults) == (None, (Fault("nothing_asked"),))


def test_unknown_fact_asks_no_conditional_check() -> None:
    """A condition on a fact that the card does not have does not hold."""
    assert not applies({"dialect_twin": ("yes",)}, {})
    assert applies({}, {})
    both: dict[FactName, tuple[str, ...]] = {"dialect_twin": ("yes",), "domain": ("a", "b")}
    assert applies(both, {"dialect_twin": "yes", "domain": "b"})
    assert not applies(both, {"dialect_twin": "yes", "domain": "c"})


@pytest.mark.parametrize(
    "note",
    ["", " \t\n", "\u00a0\u202f", "\u200b\u200c\u200d\u200e\u200f\ufeff", "\u0301", "\u3164"],
)
def test_note_that_shows_nothing_is_blank(note: str) -> None:
    """Spaces, direction marks, a lone accent and blank letters are no note."""
    assert is_blank(note)


@pytest.mark.parametrize("note", ["x", " نعم ", "؟", "7", "\u200fملاحظة", "😀"])
def test_note_that_shows_something_is_not_blank(note: str) -> None:
    """One visible character is enough, in any script."""
    assert not is_blank(note)


def test_rule_has_a_version() -> None:
    """Records name the rule that derived them; changing the rule means changing this."""
    assert RULE_VERSION == "1"
