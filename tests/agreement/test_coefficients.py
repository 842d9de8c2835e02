"""Coefficients against published and hand-derived numbers, and where they do not exist."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.agreement import (
    Figure,
    Table,
    all_figures,
    brennan_prediger,
    cohen_kappa,
    gwet_ac1,
    observed_agreement,
    pabak,
    two_decimals,
)
from reviewkit.agreement.coefficients import notes_on
from reviewkit.problems import ProblemsFound

ABC = ("a", "b", "c")
NAMES = ("first", "second")


def table(*rows: list[int]) -> Table:
    """Return a table over as many letters as there are rows."""
    return Table.from_counts(rows, tuple("abcdefgh"[: len(rows)]))


def values(of: Table) -> dict[str, float | None]:
    """Return figure name -> value."""
    return {figure.name: figure.value for figure in all_figures(of)}


PUBLISHED = [
    # Seed 004 (Qistas), section 7, Result: the one table with its margins and 19 of 25.
    # kappa by hand: (25*19 - (1*4 + 24*20)) / (625 - 484) = -9/141.
    # AC1 by hand: shares 5/50, 44/50, 1/50; chance (5*45 + 44*6 + 1*49) / (2*2500) = .1076;
    # (.76 - .1076) / .8924.
    (
        [[0, 1, 0], [4, 19, 1], [0, 0, 0]],
        {
            "observed": 0.76,
            "kappa": -9 / 141,
            "pabak": 0.52,
            "brennan_prediger": 0.64,
            "ac1": 0.6524 / 0.8924,
        },
    ),
    # The same collapsed to accepted / not accepted; kappa (500 - 508)/(625 - 508).
    (
        [[0, 1], [4, 20]],
        {"observed": 0.8, "kappa": -8 / 117, "pabak": 0.6, "brennan_prediger": 0.6, "ac1": 31 / 41},
    ),
    # Seed 000 (BiAxisBias), E.3: 54/64, kappa .599.
    (
        [[12, 5], [5, 42]],
        {"observed": 0.84375, "kappa": 0.599499, "pabak": 0.6875, "ac1": 0.743795},
    ),
    # Seed 000, E.4: 187/200, kappa .409; by hand from the margins 6, 194 and 17, 183:
    # 6*17 + 194*183 = 35604, so (200*187 - 35604)/(40000 - 35604).
    ([[5, 1], [12, 182]], {"observed": 0.935, "kappa": 1796 / 4396}),
    # Cohen (1968), the example of weighted kappa, unweighted value.
    ([[88, 14, 18], [10, 40, 10], [2, 6, 12]], {"kappa": 0.492}),
    # SAS PROC FREQ output kept with statsmodels (test_inter_rater).
    ([[0, 4, 1], [0, 8, 0], [0, 1, 5]], {"kappa": 0.4842}),
    # Field case B04: 8 joint yes, 2 crossed; kappa (80 - 82)/(100 - 82).
    ([[8, 1], [1, 0]], {"observed": 0.8, "kappa": -1 / 9, "pabak": 0.6, "ac1": 0.756098}),
    # Total disagreement on two balanced categories.
    ([[0, 5], [5, 0]], {"observed": 0.0, "kappa": -1.0, "pabak": -1.0, "ac1": -1.0}),
]


@pytest.mark.parametrize(("rows", "expected"), PUBLISHED)
def test_published_and_hand_derived_values(
    rows: list[list[int]], expected: dict[str, float]
) -> None:
    """Every figure meets the published one, to the digits that were published."""
    found = values(table(*rows))
    tolerance = 5e-4 if set(expected) == {"kappa"} else 1e-6
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=tolerance), name


def test_anxiety_data_of_r_irr() -> None:
    """R irr kappa2(anxiety[,2:3]) gives -0.006289308 unweighted, with level 5 declared too."""
    one = [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4]
    two = [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2]
    pairs = [(str(a), str(b)) for a, b in zip(one, two, strict=True)]
    kappa = cohen_kappa(Table.from_pairs(pairs, list("123456")))
    assert kappa.value == pytest.approx(-0.006289308, abs=1e-9)


def test_unused_category_counts_when_declared() -> None:
    """A declared category that nobody used changes Brennan-Prediger and AC1, and not kappa."""
    two, three = table([4, 1], [2, 3]), table([4, 1, 0], [2, 3, 0], [0, 0, 0])
    assert cohen_kappa(two).value == cohen_kappa(three).value
    assert brennan_prediger(two).value == pytest.approx(0.4)
    assert brennan_prediger(three).value == pytest.approx(0.55)
    # shares 11/20 and 9/20: chance 2 * .2475 / (q - 1)
    assert gwet_ac1(two).value == pytest.approx((0.7 - 0.495) / 0.505)
    assert gwet_ac1(three).value == pytest.approx((0.7 - 0.2475) / 0.7525)


def test_one_value_throughout() -> None:
    """Kappa is undefined with a reason and the others are 1 when all labels are one value."""
    constant = table([5, 0], [0, 0])
    assert values(constant) == {
        "observed": 1.0,
        "kappa": None,
        "pabak": 1.0,
        "brennan_prediger": 1.0,
        "ac1": 1.0,
    }
    assert str(cohen_kappa(constant)) == "not defined: both passes used only the category a"


def test_one_pass_constant_gives_kappa_zero_and_says_so() -> None:
    """Kappa is 0 when one pass used one category, and the note names it and the companions."""
    one_sided = table([9, 1], [0, 0])
    assert cohen_kappa(one_sided).value == 0
    (note,) = notes_on(one_sided, NAMES)
    assert note.text == (
        "Kappa is 0.00 because first used only a: it is 0 then, whatever the agreement (9 of 10). "
        "Read PABAK 0.80, Brennan-Prediger 0.80 and AC1 0.89."
    )
    (swapped,) = notes_on(one_sided.swapped(), NAMES)
    assert "because second used only a" in swapped.text


def test_nothing_compared_is_undefined_everywhere() -> None:
    """Without a single unit no figure has a value and each says why."""
    for figure in all_figures(table([0, 0], [0, 0])):
        assert figure.value is None
        assert figure.why == "nothing was judged in both passes"
        assert (figure.n, figure.q) == (0, 2)


def test_one_declared_category() -> None:
    """With one declared category only observed agreement exists."""
    single = table([7])
    assert observed_agreement(single).value == 1.0
    for undefined in (pabak(single), brennan_prediger(single), gwet_ac1(single)):
        assert "only one category is declared" in undefined.why
    assert cohen_kappa(single).value is None


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([[0, 1, 0], [4, 19, 1], [0, 0, 0]], True),
        ([[8, 1], [1, 0]], True),
        ([[40, 5], [5, 50]], False),  # high agreement, kappa .80
        ([[12, 5], [5, 42]], False),  # skewed, yet kappa .60 is not low
        ([[10, 9], [10, 9]], False),  # low kappa because people differ
        ([[19, 17], [33, 74]], False),  # seed 004, check level: 93 of 143
    ],
)
def test_paradox_is_told_only_where_categories_explain_it(
    rows: list[list[int]], told: bool
) -> None:
    """The paradox sentence stands by a low kappa of high agreement on skewed categories only."""
    assert [note.code for note in notes_on(table(*rows), NAMES)] == ["skewed"] * told


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (-9 / 141, "-0.06"),
        (-0.004, "0.00"),
        (0.125, "0.13"),
        (0.285, "0.29"),
        (-0.125, "-0.13"),
        (1.0, "1.00"),
        (1e-9, "0.00"),
    ],
)
def test_two_decimals(value: float, printed: str) -> None:
    """Figures print as people round, with an ASCII minus and no negative zero."""
    assert two_decimals(value) == printed


def test_label_outside_the_list_is_refused() -> None:
    """A label that is not declared is named, neither dropped nor made a category."""
    with pytest.raises(ProblemsFound) as caught:
        Table.from_pairs([("a", "b"), ("a ", "nan")], ABC)
    assert [problem.where for problem in caught.value.problems] == ["pair 2", "pair 2"]
    assert "'nan'" in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "categories", "sentence"),
    [
        ([[1, 2]], "ab", "counts: 1 rows for 2 categories"),
        ([[1, 2], [3]], "ab", "counts[1]: 1 columns for 2 categories"),
        ([[1, -2], [3, 4]], "ab", "counts[0][1]: got -2; use a whole number"),
        ([[1, 2.0], [3, 4]], "ab", "counts[0][1]: got 2.0"),
        ([[1, True], [3, 4]], "ab", "counts[0][1]: got True"),
        ([[1, 2], [3, 4]], "aa", "categories: 'a' is declared twice"),
        ([], "", "categories: none declared"),
    ],
)
def test_counts_that_make_no_table(rows: Any, categories: str, sentence: str) -> None:
    """A bad count, shape or category list is refused with its place."""
    with pytest.raises(ProblemsFound) as caught:
        Table.from_counts(rows, tuple(categories))
    assert sentence in str(caught.value)


@pytest.mark.oracle
def test_cohen_against_statsmodels() -> None:
    """Kappa equals statsmodels' on random tables."""
    from statsmodels.stats.inter_rater import cohens_kappa

    rng = random.Random(4)
    for q in (2, 3, 5):
        for _ in range(10):
            rows = [[rng.randrange(9) for _ in range(q)] for _ in range(q)]
            expected = cohens_kappa(rows, return_results=False)
            assert cohen_kappa(table(*rows)).value == pytest.approx(expected, abs=1e-12)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw a table of 2 to 4 categories, empty and one-sided ones among them."""
    q = draw(st.integers(2, 4))
    cell = st.one_of(st.just(0), st.integers(0, 30))
    return table(*draw(st.lists(st.lists(cell, min_size=q, max_size=q), min_size=q, max_size=q)))


@given(tables())
def test_swapping_the_passes_changes_nothing(any_table: Table) -> None:
    """Every figure is the same whichever pass stands first."""
    assert values(any_table) == values(any_table.swapped())


@given(tables(), st.randoms())
def test_order_and_names_of_categories_change_nothing(any_table: Table, rng: random.Random) -> None:
    """Every figure is the same under another order and other names of the categories."""
    order = list(range(any_table.q))
    rng.shuffle(order)
    counts = [[any_table.counts[i][j] for j in order] for i in order]
    relabelled = Table.from_counts(counts, [f"label {i}" for i in order])
    assert values(any_table) == values(relabelled)


@given(tables())
def test_figures_stay_in_range_or_say_why_not(any_table: Table) -> None:
    """A figure has a value within its range or a reason, never both and never neither."""
    for figure in all_figures(any_table):
        assert (figure.value is None) == bool(figure.why)
        if figure.value is not None:
            assert _lowest(figure) - 1e-12 <= figure.value <= 1
            assert figure.value < 1 or any_table.agree == any_table.n
    if any_table.n:
        assert all(figure.value is not None for figure in all_figures(any_table)[2:])


def _lowest(figure: Figure) -> float:
    if figure.name == "observed":
        return 0
    return -1 / (figure.q - 1) if figure.name == "brennan_prediger" else -1


@given(st.lists(st.tuples(st.sampled_from(ABC), st.sampled_from(ABC)), max_size=40))
def test_pairs_and_counts_are_one_table(pairs: list[tuple[str, str]]) -> None:
    """Counting the pairs by hand gives the same table, with rows for the first label."""
    counted = [[pairs.count((row, column)) for column in ABC] for row in ABC]
    assert Table.from_pairs(pairs, ABC) == Table.from_counts(counted, ABC)
