"""Samples: quotas, strata, shares, what a widening keeps, and what is said."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from reviewkit.study.quotas import covering, equal, proportional, rounded, within
from reviewkit.study.sample import Sample, StratumCount
from reviewkit.study.sample_record import RecordedDraw, check_sample, redraw
from reviewkit.study.sample_spec import SampleSpec
from reviewkit.study.sampling import Units, draw_sample

SIZES = st.lists(st.integers(1, 60), min_size=1, max_size=8)
DOMAINS = ("housing", "work", "school", "law")


def spec(*draws: dict[str, Any], seed: str = "7") -> SampleSpec:
    """Return a sample section as a study file gives it: every scalar is text."""
    named = [{"name": f"d{number}", **draw} for number, draw in enumerate(draws, start=1)]
    return SampleSpec.model_validate({"seed": seed, "draws": named})


def table(count: int) -> dict[str, dict[str, str]]:
    """Return responses of four uneven domains, three bands and two test types, four to a group."""
    return {
        f"r{number:04d}": {
            "domain": DOMAINS[min(number % 10 // 3, 3)],
            "band": ("low", "mid", "high")[number % 3],
            "test_type": "T3" if number % 5 < 2 else "T1",
            "judge": "split" if number % 9 == 0 else "one",
            "group": f"g{number // 4}",
        }
        for number in range(count)
    }


def counts_of(sample: Sample, draw: int = 0) -> dict[str, tuple[int, int, int]]:
    """Return available, wanted and drawn per stratum."""
    return {
        each.stratum: (each.available, each.wanted, each.drawn)
        for each in sample.draws[draw].counts
    }


def drawn_per(units: Units, ids: tuple[str, ...], column: str) -> dict[str, int]:
    """Return how many of the ids have each value of a column."""
    found: dict[str, int] = {}
    for card in ids:
        value = units[card][column]
        found[value] = found.get(value, 0) + 1
    return found


def on_record(section: SampleSpec, sample: Sample) -> dict[str, RecordedDraw]:
    """Return the draws of a sample as a card book would have them."""
    named = {draw.name: draw for draw in section.draws}
    return {
        each.name: RecordedDraw(
            each.name,
            each.ids,
            section.settings(named[each.name]),
            section.digest(named[each.name]),
            each.table_digest,
            each.excluded_digest,
            each.counts,
        )
        for each in sample.draws
        if each.ids
    }


METHODS: dict[str, dict[str, Any]] = {
    "simple": {"method": "simple"},
    "proportional": {"method": "proportional", "strata": ["domain", "band"]},
    "balanced": {"method": "balanced", "strata": ["domain"], "in_turn": "band"},
    "round_robin": {"method": "round_robin", "strata": "domain"},
    "enriched": {
        "method": "enriched",
        "enrich": [
            {"where": {"judge": "split"}, "size": "3"},
            {"where": {"domain": ["law", "work"], "band": "low"}, "size": "2"},
        ],
    },
    "whole": {"method": "simple", "whole": "group"},
}


@given(SIZES, st.data())
def test_proportional_stays_within_one_of_the_exact_share(sizes: list[int], data: Any) -> None:
    """No stratum is a whole card off its exact share, and a larger total takes no card back."""
    whole = sum(sizes)
    total = data.draw(st.integers(0, whole))
    places = proportional(sizes, total)

    assert sum(places) == total
    assert all(
        abs(got - Fraction(has * total, whole)) < 1 for has, got in zip(sizes, places, strict=True)
    )
    assert all(got <= has for has, got in zip(sizes, places, strict=True))
    more = proportional(sizes, min(total + 1, whole))
    assert all(then <= now for then, now in zip(places, more, strict=True))
    assert proportional(sizes, min(total + 5, whole), places) == proportional(
        sizes, min(total + 5, whole)
    )


@given(SIZES, st.data())
def test_what_is_kept_is_a_floor(sizes: list[int], data: Any) -> None:
    """Places given under another table stay, and the total is met all the same."""
    kept = [data.draw(st.integers(0, has)) for has in sizes]
    total = data.draw(st.integers(sum(kept), sum(sizes)))
    for rule in (proportional, equal):
        places = rule(sizes, total, kept)
        assert sum(places) == total
        assert all(k <= got <= has for k, got, has in zip(kept, places, sizes, strict=True))


@given(SIZES, st.data())
def test_equal_differs_by_one_unless_a_stratum_is_empty(sizes: list[int], data: Any) -> None:
    """A stratum has less than the largest but one only when it gave all it has."""
    total = data.draw(st.integers(0, sum(sizes)))
    places = equal(sizes, total)

    assert sum(places) == total
    assert all(got >= max(places) - 1 or got == has for got, has in zip(places, sizes, strict=True))


def test_exact_shares_that_are_whole_are_met() -> None:
    """60, 30 and 10 of 100 give 6, 3 and 1 of 10."""
    assert proportional([60, 30, 10], 10) == [6, 3, 1]


def test_half_a_card_counts_as_one() -> None:
    """25 % of 30 is 7.5 and gives 8; a share is exact, 15 % of 20 gives 3."""
    assert rounded(Fraction("0.25"), 30) == 8
    assert rounded(Fraction("0.15"), 20) == 3


def test_a_share_between_two_bounds_is_a_whole_number() -> None:
    """Between 20 and 25 % of 20 lies 5, of 9 lies 2; of 3 lies none, and one is taken."""
    assert within([20, 9, 3], Fraction("0.2"), Fraction("0.25")) == [5, 2, 1]


@given(
    parts=st.lists(st.integers(0, 40), min_size=1, max_size=12),
    shares=st.lists(st.integers(1, 100), min_size=2, max_size=2, unique=True),
    more=st.integers(0, 100),
)
def test_a_whole_sample_lies_between_two_shares_and_covers_every_part(
    parts: list[int], shares: list[int], more: int
) -> None:
    """Above the upper share only for want of places; a larger share takes nothing back."""
    low, high = (Fraction(each, 100) for each in sorted(shares))
    places = covering(parts, low, high)
    there, covered = sum(parts), sum(has > 0 for has in parts)
    assert all(min(has, 1) <= got <= has for has, got in zip(parts, places, strict=True))
    assert sum(places) >= low * there
    assert sum(places) <= max(high * there, low * there + 1, covered)
    higher = min(high + Fraction(more, 100), Fraction(1))
    wider = covering(parts, low * higher / high, higher, places)
    assert all(one <= other for one, other in zip(places, wider, strict=True))
    assert wider == covering(parts, low * higher / high, higher)


@pytest.mark.parametrize("method", METHODS)
@given(size=st.integers(5, 70), more=st.integers(0, 30), rows=st.integers(20, 100))
def test_widening_keeps_every_card(method: str, size: int, more: int, rows: int) -> None:
    """A larger size holds the smaller sample, drawn anew or on top of the record alike."""
    units = table(rows)
    small = draw_sample(spec({**METHODS[method], "size": str(size)}), units)
    section = spec({**METHODS[method], "size": str(size + more)})
    anew = draw_sample(section, units)
    widened = draw_sample(section, units, recorded={"d1": small.ids})

    assert len(set(anew.ids)) == len(anew.ids)
    assert set(small.ids) <= set(anew.ids)
    assert set(widened.ids) == set(anew.ids)
    assert widened.ids[: len(small.ids)] == small.ids
    assert widened.new == widened.ids[len(small.ids) :]
    assert counts_of(widened) == counts_of(anew)
    if method != "whole":
        assert len(anew.ids) == min(size + more, rows)


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_rows_does_not_matter(method: str) -> None:
    """The table turned round gives the same cards; another seed or draw name gives others."""
    units = table(90)
    draw = {**METHODS[method], "size": "12"}
    cards = set(draw_sample(spec(draw), units).ids)

    assert set(draw_sample(spec(draw), dict(reversed(units.items()))).ids) == cards
    assert set(draw_sample(spec(draw, seed="8"), units).ids) != cards
    assert set(draw_sample(spec({**draw, "name": "other"}), units).ids) != cards


@pytest.mark.parametrize("method", METHODS)
@given(rows=st.integers(60, 120), size=st.integers(5, 60))
def test_new_rows_move_no_drawn_card(method: str, rows: int, size: int) -> None:
    """Rows added to the table leave what is on record, and the size is still met."""
    draw = {**METHODS[method], "size": str(size)}
    small = draw_sample(spec(draw), table(60))
    grown = draw_sample(spec(draw), table(rows), recorded={"d1": small.ids})

    assert grown.ids[: len(small.ids)] == small.ids
    assert method == "whole" or grown.new == ()
    wider = draw_sample(spec({**draw, "size": "60"}), table(rows), recorded={"d1": small.ids})
    assert wider.ids[: len(small.ids)] == small.ids
    if method != "whole":
        assert len(wider.ids) == 60


@given(st.lists(st.sampled_from([*METHODS]), min_size=2, max_size=4), st.integers(20, 60))
def test_draws_share_no_card(methods: list[str], rows: int) -> None:
    """What one draw has, the next passes over; a draw that is added changes no earlier one."""
    units = table(rows)
    draws = [{**METHODS[method], "size": "7"} for method in methods]
    sample = draw_sample(spec(*draws), units)

    assert len(set(sample.ids)) == len(sample.ids)
    fewer = draw_sample(spec(*draws[:-1]), units)
    assert [each.ids for each in sample.draws[:-1]] == [each.ids for each in fewer.draws]


def test_balanced_says_which_stratum_fell_short() -> None:
    """A stratum with too few gives all, the others fill up, and a sentence says so."""
    units = table(40)
    sample = draw_sample(spec({**METHODS["balanced"], "size": "24"}), units)

    assert counts_of(sample)["domain=law"] == (4, 6, 4)
    assert sum(drawn for _, _, drawn in counts_of(sample).values()) == 24
    assert sample.draws[0].said == (
        "domain=law: 6 wanted, 4 there; the others come from other strata",
    )


def test_a_number_from_each_stratum() -> None:
    """``each`` takes so many of every stratum and puts nothing in the place of what is missing."""
    sample = draw_sample(spec({"method": "balanced", "strata": "domain", "each": "5"}), table(40))

    assert sorted(counts_of(sample).values()) == [(4, 5, 4), (12, 5, 5), (12, 5, 5), (12, 5, 5)]
    assert sample.draws[0].said == ("domain=law: 5 wanted, 4 there; nothing in their place",)


def test_round_robin_goes_from_category_to_category() -> None:
    """In every run of four cards each of the four domains comes once."""
    units = table(100)
    ids = draw_sample(spec({**METHODS["round_robin"], "size": "20"}), units).ids

    for start in range(0, 20, 4):
        assert {units[card]["domain"] for card in ids[start : start + 4]} == set(DOMAINS)


def test_strata_of_equal_size_with_categories_in_turn() -> None:
    """80 rows in equal strata, inside each one category after another."""
    units = table(400)
    sample = draw_sample(
        spec({"method": "balanced", "strata": "test_type", "in_turn": "domain", "size": "80"}),
        units,
    )

    assert drawn_per(units, sample.ids, "test_type") == {"T1": 40, "T3": 40}
    for kind in ("T1", "T3"):
        inside = tuple(card for card in sample.ids if units[card]["test_type"] == kind)
        per = drawn_per(units, inside, "domain")
        assert max(per.values()) - min(per.values()) <= 1


def test_an_enriched_sample_holds_its_difficult_cases() -> None:
    """The named class is met first; when it is too small that is said, and the size is met."""
    units = table(90)
    draw = {"method": "enriched", "size": "20"}
    met = draw_sample(spec({**draw, "enrich": [{"where": {"judge": "split"}, "size": "8"}]}), units)
    short = draw_sample(
        spec({**draw, "enrich": [{"where": {"judge": "split"}, "size": "12"}]}), units
    )

    assert drawn_per(units, met.ids, "judge")["split"] >= 8
    assert len(short.ids) == 20
    assert counts_of(short) == {"judge=split": (10, 12, 10), "the rest": (80, 8, 10)}
    assert short.draws[0].said == (
        "judge=split: 12 wanted, 10 there; the others come from anywhere",
    )


def test_shares_of_named_classes() -> None:
    """25 % of T3 and 15 % of T1, spread over domains; other types are left out."""
    units = table(200) | {"x": {"domain": "law", "test_type": "T4"}}
    sample = draw_sample(
        spec(
            {
                "method": "proportional",
                "strata": ["domain"],
                "shares": {"test_type": {"T3": "25%", "T1": "0.15"}},
            }
        ),
        units,
    )

    assert drawn_per(units, sample.ids, "test_type") == {"T3": 20, "T1": 18}
    assert all(name.startswith("test_type=T") for name in counts_of(sample))


def test_a_share_of_groups_by_type_domain_and_band() -> None:
    """20 to 25 % of the groups of every stratum; where no whole number lies there, it is said."""
    units = {f"t{number}": {"test_type": "T1", "domain": "a"} for number in range(20)}
    units |= {f"s{number}": {"test_type": "T3", "domain": "a"} for number in range(3)}
    sample = draw_sample(
        spec(
            {
                "method": "proportional",
                "strata": ["test_type", "domain"],
                "share": "0.25",
                "at_least": "0.2",
            }
        ),
        units,
    )

    assert counts_of(sample) == {
        "test_type=T1, domain=a": (20, 5, 5),
        "test_type=T3, domain=a": (3, 1, 1),
    }
    assert sample.draws[0].said == (
        "test_type=T3, domain=a: no whole number is between 20% and 25% of 3; 1 drawn",
    )


def test_wholes_come_with_all_their_cards() -> None:
    """With ``whole`` the size counts groups, and no group is cut."""
    units = table(100)
    ids = draw_sample(spec({**METHODS["whole"], "size": "6"}), units).ids

    groups = {units[card]["group"] for card in ids}
    assert len(groups) == 6
    assert set(ids) == {card for card, columns in units.items() if columns["group"] in groups}


def test_earlier_samples_are_left_out() -> None:
    """A card of an earlier sample is not drawn, and the sentence says how many there were."""
    units = table(20)
    earlier = tuple(units)[:8]
    sample = draw_sample(
        spec({"size": "12", "exclude": ["pilot/main"]}), units, excluded={"pilot/main": earlier}
    )

    assert set(sample.ids) == set(units) - set(earlier)
    assert sample.draws[0].said == ("8 cards left out: already in pilot/main",)


def test_what_cannot_be_met_is_said() -> None:
    """Too large a size, a value nobody has and an empty pool are sentences, not failures."""
    units = table(10)

    assert draw_sample(spec({"size": "12"}), units).draws[0].said == (
        "12 wanted, 10 there: 2 cannot be drawn",
    )
    nothing = draw_sample(spec({"size": "1", "where": {"domain": "huosing"}}), units).draws[0]
    assert nothing.ids == ()
    assert nothing.said == (
        "no card fits",
        "no card has domain=huosing",
        "1 wanted, 0 there: 1 cannot be drawn",
    )


def test_a_card_gone_from_the_table_stays_drawn() -> None:
    """What is on record stays when the row is gone, and counts towards the size."""
    units = table(20)
    small = draw_sample(spec({"size": "10"}), units)
    del units[small.ids[0]]
    wider = draw_sample(spec({"size": "12"}), units, recorded={"d1": small.ids})

    assert wider.ids[:10] == small.ids
    assert len(wider.ids) == 12
    assert wider.draws[0].said == (
        "1 card on record no longer in the table, or no longer fitting: they stay in the sample",
    )


def test_only_the_last_draw_on_record_is_widened() -> None:
    """A share of a table that grew is not followed up by a draw that others came after."""
    section = spec({"share": "0.5"}, {"size": "3"})
    first = draw_sample(section, table(20))
    grown = draw_sample(section, table(40), recorded={each.name: each.ids for each in first.draws})

    assert grown.new == ()
    assert "only the last draw on record is widened" in grown.draws[0].said[-1]


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        ({}, "no size"),
        ({"size": "3", "share": "0.2"}, "size and share"),
        ({"size": "3", "strata": ["domain"]}, "takes no strata"),
        ({"size": "3", "method": "balanced"}, "needs strata"),
        ({"share": "1.2"}, "such as 0.25 or 25%"),
        ({"share": "nan"}, "such as 0.25 or 25%"),
        ({"each": "2"}, "each goes with"),
        ({"size": "3", "method": "enriched"}, "go together"),
        ({"size": "3", "at_least": "0.1"}, "at_least goes with"),
        ({"shares": {"a": {"x": "0.1"}, "b": {"y": "0.1"}}}, "names 2 columns"),
        (
            {"size": "3", "method": "enriched", "enrich": [{"where": {"a": "b"}, "size": "4"}]},
            "at least that many",
        ),
        ({"size": "0"}, "greater than or equal to 1"),
        ({"size": "3", "exclude": ["../x"]}, "pattern"),
        ({"size": "3", "stratum": "x"}, "Extra inputs"),
    ],
)
def test_a_draw_is_one_rule(draw: dict[str, Any], said: str) -> None:
    """Whatever contradicts itself in a draw is refused with a remedy."""
    with pytest.raises(ValidationError, match=said):
        spec(draw)


def test_two_draws_of_one_name_are_refused() -> None:
    """Names are told apart without letter case, since people read them aloud."""
    with pytest.raises(ValidationError, match="two draws are named 'MAIN'"):
        spec({"name": "main", "size": "1"}, {"name": "MAIN", "size": "1"})


def test_an_unknown_column_is_named_with_its_neighbour() -> None:
    """A slip of the pen in a column is a problem that names the column meant."""
    section = spec({"method": "balanced", "strata": ["domian"], "size": "3"})
    (problem,) = check_sample(section, table(5), "study.yaml")

    assert str(problem) == (
        "study.yaml sample.draws[0]: the table has no column 'domian'; did you mean 'domain'?"
    )


def test_what_is_drawn_holds_the_file_to_its_rule() -> None:
    """Size of the last draw and new draws at the end may change; nothing else of what is drawn."""
    units = table(40)
    first, second = {"size": "5"}, {"size": "4", "where": {"band": "low"}}
    section = spec(first, second)
    record = on_record(section, draw_sample(section, units))

    def wrong(*draws: dict[str, Any], seed: str = "7") -> list[str]:
        return [each.wrong for each in check_sample(spec(*draws, seed=seed), units, "s", record)]

    assert wrong(first, second) == []
    assert wrong(first, {**second, "size": "9"}) == []
    assert wrong(first, second, {"size": "2"}) == []
    assert wrong({"size": "6"}, second) == [
        "draw d1 is on record with another size, and others were drawn after it"
    ]
    assert wrong(first, {**second, "where": {"band": "mid"}}) == [
        "draw d2 was drawn with another where"
    ]
    assert wrong(first, second, seed="8") == [
        "draw d1 was drawn with another seed",
        "draw d2 was drawn with another seed",
    ]
    assert wrong(first) == ["draw d2 is on record and not in the file"]
    assert wrong(
        {"name": "new", "size": "1"}, {"name": "d1", **first}, {"name": "d2", **second}
    ) == ["on record the draws come in the order d1, d2"]


def test_a_redraw_is_the_record_or_says_what_differs() -> None:
    """The same file and table give the same sample; a changed one is named."""
    units = table(60)
    section = spec({**METHODS["proportional"], "size": "20"}, {"size": "5"})
    record = on_record(section, draw_sample(section, units))

    assert redraw(section, units, record) == redraw(section, dict(reversed(units.items())), record)
    assert redraw(section, units, record).said == (
        "drawn anew, the sample is the one on record: 25 cards",
    )
    changed = redraw(section, table(70), record)
    assert not changed.same
    assert all(line.endswith("the table has changed since") for line in changed.said)
    other = redraw(spec({**METHODS["proportional"], "size": "21"}, {"size": "5"}), units, record)
    assert "its settings were changed (size)" in other.said[0]
    fresh = redraw(spec({"size": "3"}), units, {})
    assert fresh.said == ("draw d1 is in the study file and not on record: run `reviewkit sample`",)


def test_a_column_that_the_draw_does_not_name_is_no_change() -> None:
    """New automatic labels leave a sample by domain what it was."""
    units = table(30)
    section = spec({"method": "balanced", "strata": ["domain"], "size": "8"})
    record = on_record(section, draw_sample(section, units))
    relabelled = {card: {**columns, "judge": "new"} for card, columns in units.items()}

    assert redraw(section, relabelled, record).same


def test_counts_are_strict() -> None:
    """A line of the table has four fields and no other."""
    with pytest.raises(ValidationError):
        StratumCount.model_validate({"stratum": "a", "available": 1, "wanted": 1})
