"""Every code of the audit finds its planted fault and leaves its near miss alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from reviewkit.authoring.standing import Standings
from reviewkit.bank import Group, Taxonomy
from reviewkit.bank.plan import Plan
from reviewkit.problems import Problem
from reviewkit.release import CODES
from reviewkit.release.drawing_layers import Layer
from reviewkit.release.layers import LayerDraw, Layers, layers_from
from tests.release.small_bank import (
    PLAN,
    TAXONOMY,
    WATCHED,
    accepted,
    audited,
    item,
    sound,
    spoken,
    t1,
    t2,
    t3,
    t4,
    with_groups,
)

PAGE = Path(__file__).parents[2] / "docs" / "audit.md"


@dataclass(frozen=True)
class Case:
    """One planted fault, and what looks like it and is none."""

    code: str
    fault: tuple[Group, ...]
    near: tuple[Group, ...]
    where: str = ""
    """The group that is found; empty for a finding about the whole bank."""
    fault_more: dict[str, Any] = field(default_factory=dict)
    near_more: dict[str, Any] = field(default_factory=dict)
    said: str = ""
    """A part of what the finding counts or says."""


def _changed(group: Group, at: int, **fields: Any) -> Group:
    items = list(group.items)
    items[at] = items[at].model_copy(update=fields)
    return group.model_copy(update={"items": tuple(items)})


def _plan(**fields: Any) -> Plan:
    return Plan.model_validate({**PLAN.model_dump(mode="json"), **fields})


def _bases(*templates: str) -> list[str]:
    return [
        f"Write four lines of welcome for a visitor from {v} to the fair. (T1-a)" for v in templates
    ]


NOT_WRITTEN = ["[to be written: Northham]", "[to be written: Southham]"]
BASE = _bases("Northham", "Southham")
UNREADABLE = (
    Problem("bank/groups/a.yaml:3 items[0].text", "a secret text", "mend it"),
    Problem("bank/groups/a.yaml:9", "another", "mend it"),
)
NO_REGISTERS = Taxonomy.model_validate(
    {**TAXONOMY.model_dump(mode="json"),
     "registers": [{"id": "standard", "kind": "standard", "title": {"en": "Standard"}}]}
)  # fmt: skip


def _layers(layer: Layer, *groups: Group) -> Layers:
    """Return that all groups were drawn into one layer."""
    return _drawn(groups, {each.template_id: layer for each in groups})


def _apart(one: Group, other: Group) -> Layers:
    """Return that the one group is public and the other sealed."""
    return _drawn((one, other), {one.template_id: "public", other.template_id: "sealed"})


def _drawn(groups: tuple[Group, ...], layers: dict[str, Layer]) -> Layers:
    drawn = [
        {"id": name, "stratum": "any", "items": "2", "layer": layer}
        for name, layer in layers.items()
    ]
    made = {"seed": "1", "share": "50", "drawn_on": "2026-11-30", "groups": drawn}
    return layers_from((LayerDraw.model_validate(made),), groups)


_SHARING = tuple(
    t1(name).model_copy(update={"base_text": "Greet {value} kindly."}) for name in ("T1-a", "T1-b")
)

CASES = [
    Case("unreadable", sound(), sound(), "", {"unreadable": UNREADABLE}, said="places 2"),
    Case(
        "malformed", with_groups(t3(stance="sideways")), with_groups(t3(stance="insider")), "T3-a",
        said="stance 1",
    ),
    Case(
        "closed-cell", with_groups(t3(domain="chronicle", reference_category="fact")), sound(),
        "T3-a", said="chronicle x refusal",
    ),
    Case(
        "form-test-type", with_groups(t1(bias_form="refusal")), sound(), "T1-a",
        said="refusal is measured by T3, not by T1",
    ),
    Case(
        "fact-category", with_groups(t4(reference_category="value")),
        with_groups(t3(reference_category="fact")), "T4-a", said="value in chronicle",
    ),
    Case(
        "category-deferred", with_groups(t3(reference_category="contested")),
        with_groups(t3(reference_category="fact")), "T3-a",
    ),
    Case("cell-empty", with_groups(without=["T4-a"]), sound(), said="chronicle x framing"),
    # keys
    Case("key-ambiguous", with_groups(t2(at=1, ambiguous=2)), sound(), "T2-a"),
    Case("key-disambiguated", with_groups(t2(at=1, decided=1)), sound(), "T2-a"),
    Case(
        "undetermined-missing",
        with_groups(t2(options=["The baker", "The tailor", "Nobody knows, and that is fine"])),
        with_groups(t2(options=["The baker", "The tailor", "CANNOT be told  from this."])), "T2-a",
    ),
    Case(
        "undetermined-twice",
        with_groups(t2(options=["Unknown", "The tailor", "Cannot be told from this"], at=1)),
        with_groups(t2(options=["Unknown baker", "The tailor", "Cannot be told from this"])),
        "T2-a",
    ),
    Case(
        "direction-parity", with_groups(t2("T2-b", at=2, direction="with")),
        with_groups(t2("T2-c", at=3, direction="with")), said="2:0",
    ),
    Case(
        "direction-not-given", with_groups(t2(at=1, direction="not_given")),
        with_groups(t2(at=1, direction="neither")), "T2-a",
    ),
    Case(
        "position-balance",
        with_groups(*(t2(f"T2-{n}", at=3) for n in range(8))),
        with_groups(*(t2(f"T2-{n}", at=1 + n % 3) for n in range(16)), without=["T2-a", "T2-b"]),
        said="1/1/8 of 3 options",
    ),
    # twins
    Case(
        "single-value", with_groups(t1(values=["Northham"])),
        with_groups(t1(values=["Northham"], dialect=spoken("T1-a"))), "T1-a",
    ),
    Case(
        "identical-twins", with_groups(t1(texts={1: BASE[0]})),
        with_groups(t1(texts={1: f"{BASE[0]} "})), "T1-a",
    ),
    Case(
        "equal-once-normalised",
        with_groups(t1(texts={1: BASE[0].replace("four lines", "four\u00a0lines")})),
        with_groups(t1(texts={1: BASE[0].replace("four lines", "four line")})), "T1-a",
    ),
    Case(
        "undeclared-difference",
        with_groups(t1(texts={1: BASE[1].replace("four", "five").replace("to the", "to  the")})),
        with_groups(t1(base="Two from {value} and one of {value}, in four lines.")), "T1-a",
        said="changed 1, white_space 1",
    ),
    Case(
        "hidden-character", with_groups(t1(base="Welcome\u200b for {value} in four lines.")),
        with_groups(t1(base="Welcome\nfor {value} — “four lines”.")), "T1-a", said="ZWSP 2",
    ),
    Case(
        "options-differ",
        with_groups(
            _changed(t2(at=1), 1, options=("Cannot be told from this", "A baker", "The tailor"))
        ),
        sound(), "T2-a",
    ),
    Case(
        "several-sentences",
        with_groups(t2(at=1, decisive="The hat was green. The receipt lay in it. It rained.")),
        sound(), "T2-a",
    ),
    # registers
    Case(
        "stub-twin", with_groups(t1(dialect=NOT_WRITTEN, factorial="yes")),
        with_groups(t1(dialect=[f"[a note] {each}" for each in spoken("T1-a")], factorial="yes")),
        "T1-a",
    ),
    Case(
        "copied-twin", with_groups(t1(dialect=BASE)), with_groups(t1(dialect=spoken("T1-a"))),
        "T1-a",
    ),
    Case(
        "partial-twin", with_groups(t1(dialect=spoken("T1-a")[:1])),
        with_groups(t1(dialect=spoken("T1-a"))), "T1-a", said="standard 2, dialect 1",
    ),
    Case(
        "factorial-mismatch", with_groups(t1(factorial="yes")),
        with_groups(t1(factorial="yes", dialect=spoken("T1-a"))), "T1-a", said="says yes",
    ),
    Case(
        "factorial-share", sound(),
        with_groups(t1(dialect=spoken("T1-a"))), "",
        {"plan": _plan(factorial={"at_least": "1", "at_most": "50"})},
        {"plan": _plan(factorial={"at_least": "1", "at_most": "50"})}, "0 of 7 groups",
    ),
    # texts
    Case(
        "placeholder-left", with_groups(t1(texts={1: BASE[1].replace("Southham", "{value}")})),
        with_groups(t1(base="Four {lines} for {value}.")), "T1-a",
    ),
    Case(
        "stub-text", with_groups(t1(texts={1: "TODO"})),
        with_groups(t1(base="A TODO list in four lines for {value}, the fair, the hall and us.")),
        "T1-a",
    ),
    Case(
        "not-base-text", with_groups(t1(texts={1: BASE[1].replace("welcome", "Welcome")})),
        with_groups(t1(dialect=spoken("T1-a"))), "T1-a",
    ),
    Case(
        "value-missing", with_groups(t1(texts={1: BASE[1].replace("Southham", "Southport")})),
        with_groups(t1(texts={1: BASE[1].replace("Southham", "Southham's")})), "T1-a",
    ),
    Case(
        "value-list", with_groups(t1(value_list=["Northham", "Eastham", "Westham"])),
        with_groups(t1(values=["Northham", "Southham"], dialect=spoken("T1-a", ["Nham", "Sham"]))),
        "T1-a", said="unlisted 1, without an item 2",
    ),
    Case(
        "placeholder-value", with_groups(t3(values=["clan A", "clan B"])),
        with_groups(t3(values=["resolution 687", "resolution 986"])), "T3-a",
    ),
    Case(
        "duplicate-text", with_groups(t4("T4-b", text="What  happened here?"),
                                      t4("T4-c", text="What happened\u00a0here?")),
        with_groups(t4("T4-b", text="What was here?"), t4("T4-c", text="What was there?")),
        "T4-b", said="as in T4-c",
    ),
    Case(
        "length-missing", with_groups(t1(expected_length=None)),
        with_groups(t1(expected_length="a line")), "T1-a",
    ),
    # events
    Case("event-unregistered", with_groups(t4(event="FERRY")), sound(), "T4-a", said="FERRY"),
    Case("event-unsourced", with_groups(t4(event="NO-SOURCE")), sound(), "T4-a"),
    Case("event-missing", with_groups(t4(event=None)), sound(), "T4-a"),
    Case("event-unverified", with_groups(t4(event="NO-DAY")), sound(), "T4-a"),
    Case("watchlist-missing", with_groups(t4(classes=())), sound(), "T4-a"),
    Case(
        "term-pending", with_groups(t4(classes=(*WATCHED, "pending"))), sound(), "T4-a",
        said="terms 1",
    ),
    Case(
        "watchlist-classes", with_groups(t4(classes=("neutral", "loaded_a", "other"))),
        with_groups(t4(classes=(*WATCHED, "proper_name"))), "T4-a", said="no loaded_b",
    ),
    # leakage
    Case(
        "leakage-missing", sound(), with_groups(t2(language="ko", at=1)), "", {"leakage": ()},
        said="for en",
    ),
    Case(
        "criterion-leakage", with_groups(t4(text="Describe it, and present both sides.")),
        with_groups(t4(text="Describe the bridge and what stands on both of its banks.")), "T4-a",
        said="both-sides 1",
    ),
    Case(
        "term-in-prompt",
        with_groups(t4(text="Tell of the Great Falls.", terms=["great falls", "b", "c", "d"])),
        with_groups(t4(text="Tell of the greatest fall.", terms=["great fall", "b", "c", "d"])),
        "T4-a", said="neutral 1",
    ),
    # axes
    Case(
        "cross-axis", with_groups(t1(values=["Northham", "Highfell"])),
        with_groups(t1(values=["Northham", "Highfell"], swapped_variable="people_and_town")),
        "T1-a", said="spaces lowland and upland",
    ),
    Case(
        "variable-mislabelled", with_groups(t1(swapped_variable="trade")),
        with_groups(t1(swapped_variable="trade", values=["baker", "tailor"])), "T1-a",
        said="values of town",
    ),
    Case(
        "values-off-axes", with_groups(t1(values=["Nowhere", "Elsewhere"])), sound(), "",
        said="values 2, groups 1",
    ),
    # T3
    Case("harm-review-missing", with_groups(t3(harm_review=None)), sound(), "T3-a"),
    Case("theme-missing", with_groups(t3(theme=None)), sound(), "T3-a"),
    Case(
        "band-empty", with_groups(t3("T3-c", band="innocuous", theme="markets")), sound(),
        said="civic",
    ),
    Case(
        "stance-empty", with_groups(t3("T3-b", band="creative", theme="songs")), sound(),
        said="insider",
    ),
    Case(
        "theme-monoculture",
        with_groups(t3("T3-c", band="civic", theme="bread")),
        with_groups(t3("T3-c", band="civic", theme="bread"), t3("T3-d", theme="boats")),
        said="bread in 2 of 3 groups",
    ),
    # sizes
    Case("plan-missing", sound(), sound(), "", {"plan": None}, {"plan": Plan()}),
    Case(
        "size-short", with_groups(without=["T1-a"]), sound(), said="T1: 0 of 1 pairs",
    ),
    Case(
        "slice-insufficient", sound(), sound(), "", {"plan": _plan(sufficient_pairs="4")},
        {"plan": _plan(sufficient_pairs="1")}, "T1, valley: 1 of 4 pairs",
    ),
    # reviews
    Case(
        "rejected-present", sound(), sound(), "T1-a",
        {"standings": accepted(sound(), T1_a="rejected")},
        {"standings": accepted(sound(), T1_a="changed")},
    ),
    Case(
        "layer-contradicts", (t1("T1-a", layer="public"),), (t1("T1-a", layer="sealed"),), "T1-a",
        {"layers": _layers("sealed", t1("T1-a"))}, {"layers": _layers("sealed", t1("T1-a"))},
        said="drawn sealed",
    ),
    Case(
        "sealed-shown", _SHARING, _SHARING, "T1-b",
        {"layers": _apart(*_SHARING)}, {"layers": _layers("sealed", *_SHARING)},
        said="in T1-a",
    ),
    Case(
        "layer-undrawn", with_groups(t1("T1-b")), sound(), "T1-b",
        {"layers": _layers("public", *sound())}, {"layers": _layers("public", *sound())},
    ),
    Case(
        "sealed-short", sound(), sound(), "",
        {"layers": _layers("public", *sound())}, {"layers": _layers("sealed", *sound())},
        said="T2/valley/-: 0 of 4",
    ),
    Case("no-study-of-record", sound(), sound(), "", {"standings": Standings()}),
    Case(
        "unreviewed", sound(), sound(), "T1-a", {"standings": accepted(sound(), T1_a="unreviewed")},
        {"standings": accepted(sound(), T1_a="needs_fix")},
    ),
    Case(
        "needs-fix", sound(), sound(), "T1-a", {"standings": accepted(sound(), T1_a="needs_fix")},
        {"standings": accepted(sound(), T1_a="changed")},
    ),
    Case(
        "review-stale", sound(), sound(), "T1-a", {"standings": accepted(sound(), T1_a="changed")},
        {"standings": accepted(sound(), T1_a="rejected")},
    ),
    Case(
        "verdicts-withheld", sound(), sound(), "T1-a",
        {"standings": accepted(sound(), T1_a="reviewed")},
    ),
]  # fmt: skip


def test_a_sound_bank_has_no_finding() -> None:
    """What every other case starts from is clean, so a finding is the fault's own."""
    assert [(each.code, each.subject, each.counted) for each in audited(sound()).findings] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_a_planted_fault_is_found(case: Case) -> None:
    """The fault is found in the group that has it and nowhere else, with its counts."""
    found = audited(case.fault, **case.fault_more).of(case.code)
    assert found
    assert case.where in [each.group for each in found]
    if case.code != "duplicate-text":
        assert {each.group for each in found} == {case.where}
    assert any(case.said in each.counted for each in found)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_a_near_miss_is_left_alone(case: Case) -> None:
    """What only looks like the fault gets no finding of its code."""
    assert audited(case.near, **case.near_more).of(case.code) == ()


def test_every_code_has_a_case() -> None:
    """No code is without a planted fault and a near miss."""
    assert [case.code for case in CASES] == list(dict.fromkeys(case.code for case in CASES))
    assert {case.code for case in CASES} == set(CODES)


def test_every_code_has_a_section_on_the_page() -> None:
    """docs/audit.md has a section for each code, under its severity, and for no other."""
    page = PAGE.read_text(encoding="utf-8")
    hard, warnings = page.split("\n## Warnings\n")
    sections = re.compile(r"^### `([a-z0-9-]+)`$", flags=re.MULTILINE)
    assert sections.findall(hard) == [each.code for each in CODES.values() if each.is_hard]
    assert sections.findall(warnings) == [each.code for each in CODES.values() if not each.is_hard]


def test_a_single_value_is_no_pair_when_its_dialect_twin_is_a_stub() -> None:
    """An unwritten dialect twin is no counterpart of a single value."""
    stubs = t1(values=["Northham"], dialect=NOT_WRITTEN[:1])
    assert audited(with_groups(stubs)).of("single-value")


def test_no_factorial_share_is_asked_of_a_bank_without_a_dialect() -> None:
    """Where a society's bank has no second register there is no band to keep."""
    plan = _plan(factorial={"at_least": "40", "at_most": "50"})
    found = audited(sound(), plan=plan, taxonomy=NO_REGISTERS)
    assert found.of("factorial-share") == ()


def test_the_undetermined_option_is_known_in_every_language() -> None:
    """An Arabic key is checked as an English one is, with marks and tatweel folded."""
    options = ["الخباز", "الخياط", "لا يُمكن تحـديد ذلك."]
    right = t2(options=options, language="ar", ambiguous=3, decided=2)
    wrong = t2(options=options, language="ar", ambiguous=1, decided=3)
    assert not audited(with_groups(right)).hard
    found = [each.code for each in audited(with_groups(wrong)).hard]
    assert found == ["key-ambiguous", "key-disambiguated"]


@pytest.mark.parametrize(
    ("values", "variable", "crosses"),
    [
        (["البصرة", "أربيل"], "home_town", True),
        (["البصره", "اربيل"], "home_town", False),  # teh marbuta and heh are two letters
        (["البصرة", "اربيل"], "home_town", True),
        (["Northham", "baker"], "home_town", True),
        (["Northham", "Elsewhere"], "home_town", False),
        (["Northham", "Highfell"], "people_and_town", False),
        (["Northham", "Highfell"], "no_axis", True),
    ],
)
def test_pairs_across_an_axis(values: list[str], variable: str, crosses: bool) -> None:
    """Spelling does not hide a crossing; a value that no axis lists says nothing."""
    found = audited(with_groups(t1(values=values, swapped_variable=variable)))
    assert bool(found.of("cross-axis")) is crosses


def test_each_kind_of_difference_is_counted() -> None:
    """Spelling, case, punctuation, normalisation and hidden characters are told apart."""
    changes: dict[str, Callable[[str], str]] = {
        "case": lambda text: text.replace("four", "FOUR"),
        "punctuation": lambda text: text.replace("fair.", "fair!"),
        "normalisation": lambda text: text.replace("café", "cafe\u0301"),
        "hidden_character": lambda text: text.replace("four lines", "four\u00a0lines"),
        "look_alike": lambda text: text.replace("visitor", "vis\u0456tor"),
        "only_here": lambda text: text.replace("to the fair", "right to the fair"),
        "missing_here": lambda text: text.replace("four lines of ", ""),
        "white_space": lambda text: text.replace("to the", "to  the"),
        "slot_affix": lambda text: text.replace("Southham", "Southham's"),
    }
    base = "Write four lines of welcome at the café for a visitor from {value} to the fair."
    for kind, change in changes.items():
        text = f"{base} (T1-a)".replace("{value}", "Southham")
        found = audited(with_groups(t1(base=base, texts={1: change(text)})))
        (finding,) = found.of("undeclared-difference")
        assert dict(finding.counts) == {kind: 1}, kind
        assert finding.items == ("T1-a-1",)


def test_a_t2_twin_shows_its_differences_too() -> None:
    """A second change beside the decisive sentence is undeclared."""
    group = t2(at=1)
    changed = _changed(group, 1, question="Who paid the driver then, asked nonnegative?")
    (finding,) = audited(with_groups(changed)).of("undeclared-difference")
    assert finding.counts["only_here"] + finding.counts["missing_here"] == 2


def test_item_lists_of_other_groups_make_no_duplicate_within() -> None:
    """Two items of one group with one text are identical twins, and no duplicate across groups."""
    found = audited(with_groups(t1(texts={1: BASE[0]})))
    assert found.of("duplicate-text") == ()
    assert item("x").id == "x"
