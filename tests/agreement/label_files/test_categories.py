"""From labels to categories: order, schemes, aliases, booleans, missing codes, sets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from reviewkit.agreement.label_files.categories import LabelReading, read_labels
from reviewkit.agreement.label_files.scheme import QuestionScheme
from reviewkit.problems import ProblemsFound


def read(
    counts: Mapping[str, int], scheme: QuestionScheme | None = None, **how: Any
) -> LabelReading:
    """Return how these labels are read."""
    return read_labels(
        tuple(counts), np.array(list(counts.values()), dtype=np.int64), scheme or QuestionScheme(),
        **how,
    )  # fmt: skip


def as_read(counts: Mapping[str, int], reading: LabelReading) -> dict[str, str | None]:
    """Return label as written -> its category."""
    return {
        label: reading.categories[at] if at >= 0 else None
        for label, at in zip(counts, reading.to.tolist(), strict=True)
    }


def refused(counts: Mapping[str, int], scheme: QuestionScheme, **how: Any) -> list[str]:
    """Return the problems that these labels make."""
    with pytest.raises(ProblemsFound) as found:
        read(counts, scheme, **how)
    return [str(each) for each in found.value.problems]


def test_categories_stand_in_an_order_that_no_row_decides() -> None:
    """Numbers by value, words by letter: the order of the file changes nothing."""
    assert read({"10": 1, "9": 1, "1.5": 1}).categories == ("1.5", "9", "10")
    assert read({"b": 1, "A": 1, "c": 1}).categories == ("A", "b", "c")
    assert read({"b": 1, "A": 0, "c": 1}).categories == ("b", "c")


@pytest.mark.parametrize("word", ["N", "NA", "None", "null", "nan", "N/A", "[]", "TRUE", "007"])
def test_every_word_is_a_label_unless_declared(word: str) -> None:
    """No text is missing by its looks; declared, it is."""
    assert word in read({word: 3, "x": 2}).categories
    reading = read({word: 3, "x": 2}, missing=[word])
    assert reading.categories == ("x",)
    assert reading.to.tolist() == [-1, 0]


def test_what_may_mean_missing_is_named() -> None:
    """NA and nan get a hint; N and a declared category get none."""
    assert read({"NA": 3, "nan": 1, "N": 2, "x": 2}).perhaps_missing == ("NA", "nan")
    scheme = QuestionScheme(categories=("None", "some"))
    assert read({"None": 3, "some": 1}, scheme).perhaps_missing == ()


def test_a_skip_is_not_a_missing_label() -> None:
    """A declared skip has a code of its own."""
    assert read({"skip": 1, "x": 2, "NA": 1}, skipped=["skip"], missing=["NA"]).to.tolist() == [
        -2, 0, -1,
    ]  # fmt: skip


def test_a_category_that_nobody_used_is_there() -> None:
    """A declared scheme of five has five categories, whatever the labels."""
    reading = read({"a": 2, "b": 1}, QuestionScheme(categories=tuple("abcde")))
    assert reading.categories == tuple("abcde")
    assert reading.declared


def test_spellings_are_listed_and_folded_only_when_asked() -> None:
    """Without a scheme Yes and 'yes ' are two categories, named as alike; --fold makes them one."""
    counts = {"Yes": 3, "yes ": 1, "no": 2}
    apart = read(counts)
    assert len(apart.categories) == 3
    assert apart.alike == (("Yes", "yes "),)
    one = read(counts, fold=True)
    assert as_read(counts, one) == {"Yes": "Yes", "yes ": "Yes", "no": "no"}
    assert [(each.raw, each.to, each.why) for each in one.folded] == [
        ("yes ", "Yes", "case and spaces")
    ]
    assert one.alike == ()


def test_a_scheme_folds_and_says_so() -> None:
    """Against declared categories spelling does not count, and what was folded is listed."""
    counts = {"Yes": 1, "No ": 1, "yes": 1, "no": 1}
    reading = read(counts, QuestionScheme(categories=("yes", "no")))
    assert reading.categories == ("yes", "no")
    assert {each.raw: each.to for each in reading.folded} == {"Yes": "yes", "No ": "no"}


def test_a_label_outside_the_scheme_stops() -> None:
    """Every strange label is named with its number and place, and what could be done."""
    problems = refused(
        {"yes": 5, "maybe": 2, "yess": 1}, QuestionScheme(categories=("yes", "no")),
        first={"maybe": "labels.csv:7"},
    )  # fmt: skip
    assert len(problems) == 2
    assert problems[0].startswith("labels.csv:7: 'maybe' stands 2 times")
    assert "alias" in problems[0]
    assert "'yess' stands once" in problems[1]


def test_many_strange_labels_are_summed_up() -> None:
    """Of a hundred strange labels a dozen stand there, and the last says how many more."""
    problems = refused({f"x{at}": 1 for at in range(100)}, QuestionScheme(categories=("yes", "no")))
    assert len(problems) == 12
    assert "88 more labels like it" in problems[-1]


def test_an_alias_is_a_written_mapping() -> None:
    """'?' becomes another label only where the scheme says so; spelling does not matter there."""
    counts = {"?": 1, "Ja ": 2, "yes": 3}
    scheme = QuestionScheme(categories=("yes", "no"), aliases={"?": "no", "ja": "yes"})
    reading = read(counts, scheme)
    assert as_read(counts, reading) == {"?": "no", "Ja ": "yes", "yes": "yes"}
    assert {each.why for each in reading.folded} == {"alias"}


def test_booleans_become_yes_and_no_with_the_mapping_shown() -> None:
    """True of a CSV, TRUE of a workbook and 1 are one category of a scheme of two."""
    counts = {"True": 4, "TRUE": 3, "1": 2, "0": 1, "FALSE": 2}
    reading = read(counts, QuestionScheme(categories=("yes", "no")))
    assert as_read(counts, reading) == {
        "True": "yes", "TRUE": "yes", "1": "yes", "0": "no", "FALSE": "no",
    }  # fmt: skip
    assert {each.raw for each in reading.folded} == set(counts)


def test_a_scheme_says_which_category_is_true() -> None:
    """Of accepted and rejected nobody knows which TRUE is, until the scheme says."""
    counts = {"TRUE": 4, "FALSE": 3}
    two = ("rejected", "accepted")
    assert "positive" in refused(counts, QuestionScheme(categories=two))[0]
    reading = read(counts, QuestionScheme(categories=two, positive="accepted"))
    assert as_read(counts, reading) == {"TRUE": "accepted", "FALSE": "rejected"}


def test_text_that_contains_a_boolean_stays_text() -> None:
    """A false alarm is no FALSE."""
    problems = refused({"TRUE": 1, "false alarm": 1}, QuestionScheme(categories=("yes", "no")))
    assert any("'false alarm'" in each for each in problems)


@pytest.mark.parametrize("level", ["interval", "ratio"])
def test_a_level_of_numbers_needs_numbers(level: Any) -> None:
    """The interval and ratio levels refuse labels that are no numbers, and sort the others."""
    problem = refused({"1": 1, "high": 1}, QuestionScheme(level=level))[0]
    assert f"the level is {level}" in problem
    assert read({"10": 1, "2": 1}, QuestionScheme(level=level)).values == (2.0, 10.0)


def test_an_order_must_be_declared() -> None:
    """The ordinal level takes the order of the scheme, or of numbers, and never of letters."""
    assert "--categories" in refused({"low": 1, "high": 1}, QuestionScheme(level="ordinal"))[0]
    ordered = QuestionScheme(level="ordinal", categories=("low", "high"))
    assert read({"high": 1, "low": 1}, ordered).categories == ("low", "high")
    assert read({"3": 1, "1": 1}, QuestionScheme(level="ordinal")).categories == ("1", "3")


def test_the_ratio_level_has_no_negative_numbers() -> None:
    """A ratio needs a natural zero."""
    assert "negative" in refused({"-1": 1, "2": 1}, QuestionScheme(level="ratio"))[0]


def test_a_level_of_sets_is_for_sets() -> None:
    """Jaccard on plain labels, or an ordinal level on sets, would be a figure of nothing."""
    assert "are no sets" in refused({"a": 1}, QuestionScheme(level="jaccard"))[0]
    ordinal = QuestionScheme(level="ordinal", categories=("a", "b"))
    assert "are sets" in refused({'["a", "b"]': 1}, ordinal, sets=True)[0]
    assert read({'["a", "b"]': 1}, QuestionScheme(level="masi"), sets=True).sets


def test_sets_are_compared_member_by_member() -> None:
    """A set is named by its labels in order, the empty set is a label, and members fold."""
    counts = {json.dumps(each): 1 for each in (["b", "a"], ["a", "b"], [], ["A"])}
    reading = read(counts, QuestionScheme(categories=("a", "b")), sets=True)
    assert reading.categories == ("(no label)", "a", "a + b")
    assert reading.sets == (frozenset(), frozenset("a"), frozenset("ab"))
    assert reading.to.tolist() == [2, 2, 0, 1]


def test_a_label_with_a_plus_is_not_taken_for_two() -> None:
    """The set of 'a + b' and the set of a and b stay apart."""
    reading = read({'["a + b"]': 1, '["a", "b"]': 1}, sets=True)
    assert len(set(reading.categories)) == 2
    assert set(reading.sets or ()) == {frozenset({"a + b"}), frozenset({"a", "b"})}


def test_a_strange_member_of_a_set_is_refused() -> None:
    """The scheme holds for the labels in a set."""
    scheme = QuestionScheme(categories=("a", "b"))
    assert "'c' stands once" in refused({'["a", "c"]': 1}, scheme, sets=True)[0]
