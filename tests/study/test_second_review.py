"""What a second review writes, which rulings stay closed, and that nothing drawn is undrawn."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.bank import Bank
from reviewkit.decisions import RecordRefused
from reviewkit.problems import ProblemsFound
from reviewkit.rulings import RulingEntry, RulingsLog, visible_rulings
from reviewkit.rulings.log import Pin
from reviewkit.sources import build, load_yaml
from reviewkit.study import Study
from reviewkit.study.sample_spec import SampleSpec
from reviewkit.study.sampling import draw_sample
from reviewkit.study.second_review import (
    STRATA,
    SecondReviewAct,
    SecondReviewLog,
    open_rulings,
    render_second_review,
    verify_second_review,
    with_share,
)
from tests.release.small_bank import REGISTRY, TAXONOMY, t1, t3

START: dict[str, Any] = {
    "of": "review", "rater": "basim", "seed": 7, "bound": "0.25", "share": "0.25",
    "at_least": "0.2", "steps": ["0.5", "1"], "forms": {"T1": "t1@1"}, "population": ["A", "B"],
    "new": ["A"],
}  # fmt: skip


def log(folder: Path) -> SecondReviewLog:
    """Return a record in a folder."""
    return SecondReviewLog(folder / "second-review.jsonl", "second-review.jsonl", "again")


def spec(seed: int, share: Decimal) -> SampleSpec:
    """Return the sample that a second review draws, the least share in proportion."""
    draw = {
        "name": "second", "method": "proportional", "strata": STRATA, "share": str(share),
        "at_least": str(share * Decimal("0.8")),
    }  # fmt: skip
    return SampleSpec.model_validate({"seed": seed, "draws": [draw]})


@given(
    st.lists(st.tuples(*(st.sampled_from("abc") for _ in STRATA)), min_size=1, max_size=60),
    st.lists(st.integers(1, 100), min_size=1, max_size=5, unique=True),
    st.integers(0, 10_000),
)
def test_widening_keeps_what_was_drawn(
    tags: list[tuple[str, ...]], shares: list[int], seed: int
) -> None:
    """At every step all that was drawn stays, each stratum has one, and whole is all of it.

    The sample at the end is the one that the last share would have given at once.
    """
    units = {f"G{n}": dict(zip(STRATA, each, strict=True)) for n, each in enumerate(tags)}
    kept: tuple[str, ...] = ()
    steps = [Decimal(each) / 100 for each in sorted(shares)]
    for share in steps:
        drawn = draw_sample(spec(seed, share), units, recorded={"second": kept}).draws[0].ids
        assert drawn[: len(kept)] == kept
        assert {tags[int(each[1:])] for each in drawn} == set(tags)
        assert len(set(drawn)) == len(drawn)
        kept = drawn
    at_once = draw_sample(spec(seed, steps[-1]), units).draws[0].ids
    assert set(kept) == set(at_once)
    if steps[-1] == 1:
        assert set(kept) == units.keys()


@pytest.mark.parametrize(
    "odd",
    ["no: 1", 'a "b" \\ c', "# x", "مجموعة", "emoji 😀", "line\u2028end", "nel\x85nel", "null"],
)
def test_the_study_file_holds_any_text(tmp_path: Path, odd: str) -> None:
    """Ids and warnings come back from the laid file as they were, whatever YAML makes of them."""
    act = SecondReviewAct.model_validate(
        {
            "schema_version": 1, "seq": 1, "previous": "0" * 64, "digest": "0" * 64,
            "time": "2026-11-30T00:00:00.000Z", "click_id": "click-0001", "act": "started",
            "study": "again", "author": "lead", **START, "population": [odd, "B"], "new": [odd],
            "welfare": {"content_warning": {"en": odd}, "daily_limit": 5},
        }
    )  # fmt: skip
    path = tmp_path / "study.yaml"
    path.write_text(render_second_review(act), encoding="utf-8")
    study = build(load_yaml(path, "study.yaml"), Study)
    assert study.groups == (odd, "B")
    assert study.welfare.content_warning is not None
    assert study.welfare.content_warning["en"] == odd
    assert study.welfare.daily_limit == 5
    assert study.second_review is not None
    assert study.second_review.bound == Decimal("0.25")


def test_the_share_is_changed_where_it_stands_and_nothing_else() -> None:
    """Comments and the person's own lines stay; a share that stands twice is left to the person."""
    text = "# share: 1%\ndraws: [{name: x, share: 25%, at_least: 20%}] # was share: 3%\nmine: 1\n"
    assert with_share(text, Decimal("0.5"), Decimal("0.4")) == (
        "# share: 1%\ndraws: [{name: x, share: 50%, at_least: 40%}] # was share: 3%\nmine: 1\n"
    )
    assert with_share(text + "again: {share: 2%}\n", Decimal("0.5"), Decimal("0.4")) is None
    assert with_share("draws: []\n", Decimal("0.5"), Decimal("0.4")) is None


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("of_record: 'yes'", "of_record"),
        ("assignment: {seed: 1}", "assignment"),
        ("groups: all", "list of groups"),
        ("sample: {seed: 1, draws: [{name: x, size: 3}]}", "one draw with a share"),
        ("second_review: {of: review, bound: 100%}", "below 1"),
        ("second_review: {of: review, steps: [50%, 40%]}", "go up"),
        ("rounds: [{round: '1', passes: [{pass: a, rater: x}, {pass: b, rater: y}]}]", "several"),
    ],
)
def test_a_study_file_that_is_no_second_review(tmp_path: Path, line: str, fault: str) -> None:
    """What contradicts the one draw and the one pass of a second review is refused by name."""
    sound = {
        "study": "again", "second_review": "{of: review}", "forms": "{T1: t1@1}", "groups": "[A]",
        "sample": "{seed: 1, draws: [{name: x, share: 25%}]}",
        "rounds": "[{round: '1', passes: [{pass: a, rater: x}]}]",
    }  # fmt: skip
    name, _, value = line.partition(": ")
    path = tmp_path / "study.yaml"
    written = "\n".join(f"{key}: {text}" for key, text in (sound | {name: value}).items())
    path.write_text(written, encoding="utf-8")
    with pytest.raises(ProblemsFound, match=fault):
        build(load_yaml(path, "study.yaml"), Study)


def test_the_record_admits_one_start_larger_shares_and_an_end(tmp_path: Path) -> None:
    """It begins once, goes up only, and after its end takes nothing under the same lock."""
    kept = log(tmp_path)
    wider = {"share": "0.5", "at_least": "0.4", "new": ["B"]}
    with pytest.raises(RecordRefused, match="not begun"):
        kept.record("widened", **wider)
    kept.record("started", **START)
    with pytest.raises(RecordRefused, match="begun already"):
        kept.record("started", **START)
    with pytest.raises(RecordRefused, match="25% already"):
        kept.record("widened", **(wider | {"share": "0.25"}))
    kept.record("widened", **wider)
    with pytest.raises(RecordRefused, match="says why"):
        kept.record("closed", outcome="void")
    kept.record("closed", outcome="within_bound", lock="a" * 64)
    with pytest.raises(RecordRefused, match="was closed"):
        kept.record("closed", outcome="within_bound", lock="a" * 64)
    kept.record("closed", outcome="whole_population", lock="b" * 64)
    assert kept.course().shares == (Decimal("0.25"), Decimal("0.5"))
    assert verify_second_review(kept.path, kept.shown).records == 4


def test_an_edited_record_is_found(tmp_path: Path) -> None:
    """A bound that is softened afterwards is corruption, with file and line."""
    kept = log(tmp_path)
    kept.record("started", **START)
    text = kept.path.read_text(encoding="utf-8")
    kept.path.write_text(text.replace('"bound":"0.25"', '"bound":"0.95"'), encoding="utf-8")
    (problem,) = verify_second_review(kept.path, kept.shown).problems
    assert problem.where == "second-review.jsonl:1"


BANK = Bank((t1("T1-a"), t1("T1-b"), t3("T3-a")), TAXONOMY, REGISTRY)
"""T1-a and T3-a may be drawn in these tests, T1-b never."""


@pytest.mark.parametrize(
    ("items", "text", "seen"),
    [
        ((), "A value may be a village.", True),
        (("T1-b-0", "T1-b-1"), "A value may be a village.", True),
        (("T1-a-0",), "A value may be a village.", False),
        (("T1-b-0", "T3-a-1"), "A value may be a village.", False),
        (("T1-gone-0",), "A value may be a village.", False),
        ((), "Settled on T1-a, which is sound.", False),
        ((), "Settled on (t3-A-1).", False),
        ((), "The form T1-abc is another thing.", True),
    ],
)
def test_which_rulings_a_second_reviewer_may_see(
    tmp_path: Path, items: tuple[str, ...], text: str, seen: bool
) -> None:
    """One that names a group or an item he may come to judge stays closed, rules in general not.

    An item that no group has may have been one of them before it was renamed: it stays closed.
    """
    rulings = RulingsLog(tmp_path / "rulings.jsonl", "rulings.jsonl")
    rulings.file(
        RulingEntry(
            click_id="click-0001", type="ruling", text=text, item_ids=items, author="amal",
            checks=("t1/natural",),
        )
    )  # fmt: skip
    pin = Pin(1, "again", frozenset(), open_rulings(["T1-a", "T3-a"], BANK))
    assert bool(visible_rulings(rulings.all(), pin, "basim")) is seen


def test_a_rule_restated_in_general_is_seen_and_his_own(tmp_path: Path) -> None:
    """A ruling on his groups reaches him when it is filed again without them; his own always."""
    rulings = RulingsLog(tmp_path / "rulings.jsonl", "rulings.jsonl")
    for number, (author, items, supersedes) in enumerate(
        (("amal", ("T1-a-0",), ""), ("amal", (), "R-001"), ("basim", ("T1-a-0",), ""))
    ):
        rulings.file(
            RulingEntry(
                click_id=f"click-000{number}", type="ruling", text="A village is a value.",
                item_ids=items, author=author, supersedes=supersedes,
            )
        )  # fmt: skip
    pin = Pin(2, "again", frozenset(), open_rulings(["T1-a"], BANK))
    seen = visible_rulings(rulings.all(), pin, "basim")
    assert [each.number for each in seen] == ["R-002", "R-003"]
