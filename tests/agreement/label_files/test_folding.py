"""Labels that are the same to a person: what folds, and what stays apart."""

from __future__ import annotations

import pytest

from reviewkit.agreement.label_files.folding import (
    Folded,
    booleans,
    onto_each_other,
    onto_scheme,
    plain,
    same_but_for_spelling,
    what_differs,
)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (" not  sure ", "not sure"),
        ("not\u00a0sure", "not sure"),
        ("not\u202fsure", "not sure"),
        ("not\u2007sure", "not sure"),
        ("ok\u200b", "ok"),
        ("\ufeffok", "ok"),
        ("\u200fنعم\u200e", "نعم"),
        ("cafe\u0301", "café"),
        ("\u201cyes\u201d", "yes"),
        ("'yes'", "yes"),
        ("can\u2019t say", "can't say"),
        ('"', '"'),
        ("''", "''"),
    ],
)
def test_a_label_is_made_plain(raw: str, expected: str) -> None:
    """Stray spaces, hidden characters, other forms of quotes and letters fall away."""
    assert plain(raw) == expected


@pytest.mark.parametrize("kept", ["Yes", "1_full", "n/a", "لا", "a b", "-"])
def test_a_plain_label_stays_as_it_is(kept: str) -> None:
    """Nothing that can be seen is touched, capitals included."""
    assert plain(kept) == kept


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Yes", "yes", "case"),
        ("No ", "No", "spaces"),
        ("No ", "no", "case and spaces"),
        ("not\u00a0sure", "not sure", "spaces"),
        ("ok\u200b", "ok", "hidden characters"),
        ("\u2018a", "'a", "quotes"),
        ("cafe\u0301", "café", "normalisation"),
        ("1.0", "1", "the form of the number"),
    ],
)
def test_what_tells_two_labels_apart_has_a_name(one: str, other: str, why: str) -> None:
    """A lead reads why two labels that look alike were two."""
    assert what_differs(one, other) == why
    assert what_differs(other, one) == why


def test_the_most_frequent_spelling_wins() -> None:
    """Labels fold onto the spelling that most ratings have, and labels on their own stay."""
    counts = {"yes": 5, "Yes": 9, "YES ": 1, "no": 3}
    assert same_but_for_spelling(counts) == (("Yes", "yes", "YES "),)
    assert [(each.raw, each.to) for each in onto_each_other(counts)] == [
        ("yes", "Yes"),
        ("YES ", "Yes"),
    ]


def test_numbers_fold_by_value() -> None:
    """``1.0`` and ``1`` are one number in two forms; ``1`` and ``01`` and ``10`` are told apart."""
    assert same_but_for_spelling({"1": 4, "1.0": 3, "10": 1, "2": 2}) == (("1", "1.0"),)
    assert onto_scheme(["1.0", "2"], ["1", "2"])[0] == (
        Folded("1.0", "1", "the form of the number"),
    )


def test_a_scheme_takes_what_differs_in_spelling() -> None:
    """The small published-style case: Yes, 'No ', yes, no against yes, No, yes, No."""
    folded, strange = onto_scheme(["Yes", "No ", "yes", "no", "No"], ["yes", "no"])
    assert {each.raw: each.to for each in folded} == {"Yes": "yes", "No ": "no", "No": "no"}
    assert strange == set()


def test_a_looser_match_never_overrides_a_stricter_one() -> None:
    """With N and n declared, each keeps its own, and what could be either is neither."""
    folded, strange = onto_scheme(["N", "n ", "N\u200b"], ["N", "n"])
    assert {each.raw: each.to for each in folded} == {"n ": "n", "N\u200b": "N"}
    assert strange == set()
    assert onto_scheme(["YES"], ["Yes", "yes"])[1] == {"YES"}


def test_nothing_folds_onto_a_label_outside_the_scheme() -> None:
    """A label that no category explains comes back as strange, however near it looks."""
    folded, strange = onto_scheme(["yess", "maybe", "?"], ["yes", "no"])
    assert folded == ()
    assert strange == {"yess", "maybe", "?"}


def test_booleans_are_whole_labels() -> None:
    """TRUE, True and 1 are one boolean; text that merely contains true or false is none."""
    mapped = booleans(["True", "TRUE", "1", "0", "f"], "yes", "no")
    assert mapped is not None
    assert [each.to for each in mapped] == ["yes", "yes", "yes", "no", "no"]
    assert booleans(["TRUE", "false alarm"], "yes", "no") is None
