"""What a report on passes compares, splits, leaves out and says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.of_study.material import OneRound
from reviewkit.agreement.of_study.report import StudyAsked, passes_report
from reviewkit.agreement.reporting.csv_rows import rows_of
from reviewkit.agreement.reporting.model import AgreementReport
from reviewkit.agreement.reporting.render import render
from reviewkit.decisions.records import Record
from reviewkit.problems import ProblemsFound
from tests.agreement.of_study.study_material import (
    Records,
    checklist,
    coded,
    decided,
    material,
    one_round,
    skipped,
)
from tests.agreement.passes.test_codings import EVERY_KIND, SELECTION, span

FORM = checklist("t1", {"one_variable": "structural", "natural": "judgement"})
QUICK = Settings(draws=200)
NONE = Settings(draws=0)


def reviews(noes: Mapping[str, str], **changes: Any) -> dict[str, Record]:
    """Return decisions: card -> the failed checks, by words."""
    return {card: decided(FORM, card, failed.split(), **changes) for card, failed in noes.items()}


def report_of(
    round_: OneRound, settings: Settings = NONE, asked: StudyAsked | None = None, **more: Any
) -> AgreementReport:
    """Return the report on one round of reviews with the one form."""
    return passes_report(material(round_, [FORM], **more), settings, asked)


def left_out(report: AgreementReport, part: str) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return reason -> (how many, the first of them)."""
    return {each.reason: (each.count, each.examples) for each in report.part(part).excluded}


# what is compared


def test_what_is_left_out_is_counted_with_its_reason() -> None:
    """A skip, a missing card, other content and another edition leave the verdicts, by name."""
    newer = checklist(
        "t1", {"one_variable": "structural", "natural": "judgement", "extra": "judgement"},
        version="2",
    )  # fmt: skip
    first = reviews(dict.fromkeys("abcde", ""))
    second = {
        **reviews({"a": "", "c": ""}),
        "b": skipped("b"),
        "d": decided(FORM, "d", card_digest="c" * 64),
        "e": decided(newer, "e"),
    }
    del first["c"]
    report = passes_report(
        material(one_round({"first": first, "second": second}), [FORM, newer]), NONE
    )
    assert left_out(report, "whole") == {
        "judged with different editions of the form (form digests differ)": (1, ("e",)),
        "not decided in first": (1, ("c",)),
        "skipped in second": (1, ("b",)),
        "the card's content changed between the passes (card digests differ)": (1, ("d",)),
    }
    # the checks that both editions ask in the same words are compared on e as well
    assert report.part("pooled").measured.paired == 4
    assert left_out(report, "check:t1/extra") == {"not asked in first": (1, ("e extra",))}
    assert "verdict: 1 of 5 cards compared" in report.understood[1]


def test_three_passes_are_measured_together_and_pair_by_pair() -> None:
    """All three count at once, each pair has its own n, and leaving one out is told."""
    passes = {
        "first": reviews({"a": "", "b": "natural", "c": "", "d": "natural"}),
        "second": reviews({"a": "", "b": "natural", "c": "natural", "d": "natural"}),
        "third": reviews({"a": "", "b": "", "c": "natural"}),
    }
    report = report_of(one_round(passes))
    whole = report.part("whole").measured
    assert (whole.raters, whole.paired, whole.agree) == (("first", "second", "third"), 4, 2)
    assert [(each.one, each.other, each.n, each.agree) for each in whole.pairs] == [
        ("first", "second", 4, 3), ("first", "third", 3, 1), ("second", "third", 3, 2),
    ]  # fmt: skip
    assert len(whole.without) == 3
    assert left_out(report, "whole") == {"not decided in third, the others compared": (1, ("d",))}
    assert whole.find("fleiss") is not None
    assert [(each.unit, each.labels) for each in report.disagreements] == [
        ("b", ("needs_fix", "needs_fix", "accepted")),
        ("c", ("accepted", "needs_fix", "needs_fix")),
    ]  # fmt: skip


def test_of_three_contents_the_one_that_most_share_is_compared() -> None:
    """A third pass on another text is out of the card, and the other two still count."""
    passes = {
        "first": {"a": decided(FORM, "a", card_digest="c" * 64)},
        "second": reviews({"a": ""}),
        "third": reviews({"a": "natural"}),
    }
    report = report_of(one_round(passes))
    whole = report.part("whole").measured
    assert (whole.paired, whole.agree) == (1, 0)
    (reason,) = left_out(report, "whole")
    assert "content changed" in reason
    (differing,) = report.disagreements
    assert differing.labels == ("", "accepted", "needs_fix")


def test_a_card_given_to_one_pass_is_nobodys_disagreement() -> None:
    """Where cards were dealt out, only those that two passes hold are units."""
    passes = {
        "first": reviews({"a": "", "b": ""}),
        "second": reviews({"b": "", "c": ""}),
        "third": reviews({"c": "natural", "a": ""}),
    }
    held = {"first": "ab", "second": "bcd", "third": "ca"}
    report = report_of(one_round(passes, held=held))
    whole = report.part("whole")
    assert (whole.measured.paired, whole.excluded) == (3, ())
    assert "1 card was given to one pass only" in " ".join(report.understood)


def test_a_verdict_that_is_not_compared_stands_in_brackets() -> None:
    """Two editions of the form: the checks differ, the verdicts are shown and not counted."""
    newer = checklist(
        "t1", {"one_variable": "structural", "natural": "judgement", "extra": "judgement"},
        version="2",
    )  # fmt: skip
    passes = {
        "first": {"a": decided(FORM, "a", ["natural"])},
        "second": {"a": decided(newer, "a")},
    }
    report = passes_report(material(one_round(passes), [FORM, newer]), NONE)
    (only,) = report.disagreements
    assert only.labels == ("(needs_fix)", "(accepted)")
    assert only.details == (("natural", ("no", "yes")),)


def test_two_wordings_of_one_check_are_two_rows() -> None:
    """A check that was reworded between cards is two questions, and no id stands twice."""
    content = FORM.model_dump(mode="json")
    content["version"] = "2"
    content["checks"][1]["text"] = {"en": "Does it sound natural?"}
    other = FORM.model_validate(content)
    passes = {
        name: {**reviews({"a": ""}), "b": decided(other, "b")} for name in ("first", "second")
    }
    report = passes_report(material(one_round(passes), [FORM, other]), NONE)
    ids = [each.id for each in report.of_kind("check")]
    assert len(ids) == len(set(ids)) == 3
    assert sum(each.startswith("check:t1/natural:") for each in ids) == 2


def test_the_same_person_in_two_passes_is_said() -> None:
    """Figures of one person against himself carry a notice above them."""
    passes = {name: reviews({"a": ""}, by="amal") for name in ("first", "second")}
    report = report_of(one_round(passes, notices=["Opened early by the lead on 2 May: why."]))
    assert report.notices[0].startswith("Opened early")
    assert "made by the same person" in report.notices[1]


def test_no_rater_is_named() -> None:
    """Passes have names; who sat in them is nowhere in the report."""
    passes = {"blue": reviews({"a": ""}, by="amal"), "green": reviews({"a": "natural"}, by="basim")}
    round_ = one_round(passes, raters={"blue": "amal", "green": "basim"})
    text = render(report_of(round_), "json")
    assert "amal" not in text
    assert "basim" not in text
    assert '"blue"' in text


def test_nothing_judged_is_a_report_of_sentences() -> None:
    """With no pair of labels every figure is undefined with a reason, in every form."""
    round_ = one_round({"first": {}, "second": {}}, held={"first": "a", "second": "a"})
    report = report_of(round_, QUICK)
    assert report.part("whole").measured.paired == 0
    assert all(each.value is None and each.why for each in report.part("whole").measured.estimates)
    for form in ("text", "md", "latex", "html", "csv", "json"):
        assert "nan" not in render(report, form).lower().split()  # pyright: ignore[reportArgumentType]


# splits and clusters


def test_domain_and_register_split_verdicts_and_checks() -> None:
    """Every value of a column that tells cards apart is a part; the parts add up to the whole."""
    noes = {"a": "", "b": "natural", "c": "", "d": "natural"}
    passes = {"first": reviews(noes), "second": reviews({**noes, "d": ""})}
    columns = {
        "a": {"domain": "work", "register": "standard", "language": "ar"},
        "b": {"domain": "work", "register": "standard and iraqi", "language": "ar"},
        "c": {"domain": "faith", "register": "standard", "language": "en"},
        "d": {"domain": "faith", "register": "standard", "language": "en"},
    }
    report = report_of(one_round(passes), columns=columns)
    domain = report.part("domain:faith/pooled")
    assert (domain.kind, domain.of, domain.title) == ("domain", "pooled", "faith: all checks")
    assert (domain.measured.agree, domain.measured.paired) == (3, 4)
    assert report.part("register:standard and iraqi/collapse:accepted").measured.paired == 1
    # a language says the same as a register, and is split by only when it is asked for
    assert not any("language" in each.id for each in report.parts)
    pooled = [each for each in report.of_kind("domain") if each.of == "pooled"]
    assert sum(each.measured.paired for each in pooled) == report.part("pooled").measured.paired
    asked = report_of(one_round(passes), asked=StudyAsked(by=("language",)), columns=columns)
    assert {each.kind for each in asked.parts if "language" in each.id} == {"register"}


def test_an_unknown_column_names_those_there_are() -> None:
    """--by and --cluster are refused together, with the columns to choose from."""
    passes = {"first": reviews({"a": ""}), "second": reviews({"a": ""})}
    with pytest.raises(ProblemsFound) as found:
        report_of(
            one_round(passes), asked=StudyAsked(by=("town",), cluster="river"),
            columns={"a": {"domain": "work"}},
        )  # fmt: skip
    assert [each.where for each in found.value.problems] == ["--by", "--cluster"]
    assert all(each.remedy == "use one of domain" for each in found.value.problems)


def selections(codes: str, **more: Any) -> Records:
    """Return codings of c1, c2, ...: one word a card."""
    return {
        f"c{at}": coded(SELECTION, f"c{at}", {"selection": code}, **more)
        for at, code in enumerate(codes.split(), 1)
    }


def test_codings_of_one_group_are_one_cluster() -> None:
    """Responses to one template vary together; a column named by the lead takes its place."""
    passes = {
        "first": selections("consistent counter neither consistent"),
        "second": selections("consistent counter counter consistent"),
    }
    round_ = one_round(passes, codebook=SELECTION)
    groups = {"c1": "s1", "c2": "s1", "c3": "", "c4": ""}
    found = passes_report(material(round_, groups=groups), QUICK).part("field:selection")
    assert found.measured.clusters == ("group", 3)
    named = passes_report(material(round_, groups=groups), QUICK, StudyAsked(cluster="group"))
    assert named.part("field:selection").measured.clusters == ("group", 3)
    alone = passes_report(material(round_, groups=dict.fromkeys(groups, "")), QUICK)
    assert alone.part("field:selection").measured.clusters is None
    columns = {card: {"topic": "pier" if card < "c3" else "deck"} for card in groups}
    by_topic = passes_report(
        material(round_, groups=groups, columns=columns), QUICK, StudyAsked(cluster="topic")
    )
    assert by_topic.part("field:selection").measured.clusters == ("topic", 2)


def test_every_kind_of_field_is_a_part() -> None:
    """Choices, sets, places, flags, collapses and derived values, each of what it is of."""
    first = {
        "a": coded(EVERY_KIND, "a", {"rationale": "N", "themes": ["work", "home"], "terms": [
            span(0, 4, "loaded"), span(10, 14, "neutral", "yes")]}),
        "b": coded(EVERY_KIND, "b", {"rationale": "E", "themes": ["work"]}),
    }  # fmt: skip
    second = {
        "a": coded(EVERY_KIND, "a", {"rationale": "N", "themes": ["home"], "terms": [
            span(0, 4, "neutral"), span(10, 14, "neutral")]}, note="hard to say"),
        "b": coded(EVERY_KIND, "b", {"rationale": "QE", "themes": ["work"]}),
    }  # fmt: skip
    round_ = one_round({"first": first, "second": second}, codebook=EVERY_KIND)
    report = passes_report(material(round_), NONE)
    assert report.parts[0].id == "field:rationale"
    assert report.rater_word == "coder"
    counts = {each.id: (each.measured.agree, each.measured.paired) for each in report.parts}
    assert counts["field:themes"] == (1, 2)
    assert counts["places:terms"] == (1, 2)
    assert counts["field:terms"] == (1, 2)
    alike = report.part("field:terms").measured
    assert [(each.name, each.q) for each in alike.estimates] == [("observed", 0)]
    assert alike.categories == ()
    assert report.unit_listed == "card"
    text = " ".join(render(report).split())
    assert "Coders differ on 2 cards. Their labels are of rationale." in text
    assert "Themes: two coders" in text
    assert "more fields below" not in text  # the others have nothing to compare
    assert "Among these no rating is missing; what was left out" in render(report, "md")
    assert counts["flag:terms/attributed"] == (1, 2)
    assert counts["collapse:evidence"] == (2, 2)
    assert counts["derived:marked"] == (2, 2)
    jaccard = report.part("field:themes").measured.find("alpha")
    assert jaccard is not None
    assert jaccard.weights == "jaccard"
    # by hand: half a distance on a and none on b, against 3.5 of 6 pairs of the four answers
    assert jaccard.value == pytest.approx(1 - 0.25 / (3.5 / 6))
    found = {each.unit: each for each in report.disagreements}
    assert found["a"].question == "rationale"
    assert found["a"].notes == ("", "hard to say")
    assert [what for what, _ in found["a"].details] == ["themes", "terms"]
    assert found["b"].labels == ("E", "QE")


def test_a_scale_is_measured_as_one() -> None:
    """A field whose codes are in order gets the ordinal alpha beside the nominal one."""
    fields = [each.model_dump(mode="json") for each in SELECTION.fields]
    fields[0]["ordinal"] = "yes"
    scale = SELECTION.model_validate(
        {**SELECTION.model_dump(mode="json", by_alias=True), "fields": fields}
    )
    passes = {
        name: {
            f"c{at}": coded(scale, f"c{at}", {"selection": code})
            for at, code in enumerate(codes.split())
        }
        for name, codes in (
            ("first", "consistent counter neither"),
            ("second", "consistent neither neither"),
        )
    }
    report = passes_report(material(one_round(passes, codebook=scale)), NONE)
    weights = {
        each.weights
        for each in report.part("field:selection").measured.estimates
        if each.name == "alpha"
    }
    assert "ordinal" in weights
    collapse = report.part("collapse:evidence").measured.estimates
    assert {each.weights for each in collapse if each.name == "alpha"} == {"nominal"}


# rounds


def test_two_rounds_are_compared_over_the_cards_they_share() -> None:
    """An earlier round is a part of its own, and the difference is paired."""
    cards = [f"c{at:02}" for at in range(30)]
    all_yes = dict.fromkeys(cards, "")
    worse = {card: "natural" if at % 3 == 0 else "" for at, card in enumerate(cards)}
    earlier = one_round({"old-1": reviews(all_yes), "old-2": reviews(worse)}, "1")
    later = one_round({"new-1": reviews(worse), "new-2": reviews(worse)}, "2")
    report = report_of(later, QUICK, others=[earlier], closed=["3"])
    part = report.part("round:1/whole")
    assert (part.kind, part.measured.raters, part.measured.agree) == (
        "round",
        ("old-1", "old-2"),
        20,
    )
    (observed,) = [
        each
        for each in report.differences
        if (each.one, each.other) == ("whole", "round:1/whole")
        if each.one_estimate.name == "observed"
    ]
    assert observed.value == pytest.approx(10 / 30)
    assert (observed.paired, observed.shared) == (True, 30)
    assert observed.interval is not None
    assert observed.interval.low > 0
    assert any(each.other == "round:1/pooled" for each in report.differences)
    assert "Round 3 is not compared: its labels are closed." in report.understood
    asked = StudyAsked(compare=("3", "9"))
    with pytest.raises(ProblemsFound) as found:
        report_of(later, others=[earlier], closed=["3"], asked=asked)
    assert [each.wrong for each in found.value.problems] == [
        "the labels of round 3 are closed", "study towns has no other round '9'",
    ]  # fmt: skip


def test_rounds_of_two_codebooks_compare_what_they_have_in_common() -> None:
    """A field with other codes is another question, and stands in no difference."""
    passes = {"p": selections("consistent counter"), "q": selections("consistent neither")}
    old = {name: {"c1": coded(EVERY_KIND, "c1", {"rationale": "N"})} for name in ("old-1", "old-2")}
    report = passes_report(
        material(
            one_round(passes, "2", codebook=SELECTION),
            others=[one_round(old, "1", codebook=EVERY_KIND)],
        ),
        NONE,
    )
    assert [each.id for each in report.of_kind("round")] == ["round:1/collapse:evidence"]


def test_what_must_be_said_of_another_round_is_said() -> None:
    """An early look at the other round stands beside its figures here too."""
    cards = dict.fromkeys(("a", "b"), "")
    same = {"old-1": "amal", "old-2": "amal"}
    passes = {name: reviews(cards, by=who) for name, who in same.items()}
    early = ["Opened early by the lead on 2026-01-01: the guide"]
    earlier = one_round(passes, "1", raters=same, notices=early)
    later = one_round({"new-1": reviews(cards), "new-2": reviews(cards, by="badr")}, "2")
    report = report_of(later, others=[earlier])
    assert report.notices[0] == "Round 1: Opened early by the lead on 2026-01-01: the guide"
    assert report.notices[1].startswith("Round 1: On 2 cards both passes were made by the same")
    assert report_of(later, others=[one_round({"x": {}}, "1", notices=early)]).notices == ()


def test_rounds_that_share_cards_are_paired_when_only_one_has_twins() -> None:
    """A card whose twin is in one round alone is in the same cluster in both."""
    groups = {f"c{at}": f"s{at % 10}" for at in range(1, 21)}
    both = {name: selections("consistent counter " * 10) for name in ("new-1", "new-2")}
    few = {name: selections("consistent counter " * 5) for name in ("old-1", "old-2")}
    few["old-2"]["c1"] = coded(SELECTION, "c1", {"selection": "neither"})
    made = material(
        one_round(both, "2", codebook=SELECTION),
        others=[one_round(few, "1", codebook=SELECTION)], groups=groups,
    )  # fmt: skip
    report = passes_report(made, QUICK)
    assert report.part("field:selection").measured.clusters == ("group", 10)
    assert report.part("round:1/field:selection").measured.clusters is None
    (observed,) = [
        each for each in report.differences
        if (each.one, each.one_estimate.name) == ("field:selection", "observed")
    ]  # fmt: skip
    assert (observed.paired, observed.shared) == (True, 10)


# over time


def test_agreement_over_time_goes_by_the_second_judgement() -> None:
    """Equal stretches of cards in the order in which they were judged by both."""
    cards = [f"c{at:02}" for at in range(40)]
    first = {
        card: decided(FORM, card, time=f"2026-01-0{1 + at // 20}T00:{at:02}:00.000Z")
        for at, card in enumerate(cards)
    }
    # the later half disagrees on one of two checks
    second = {
        card: decided(
            FORM, card, ["natural"] if at >= 20 else [],
            time=f"2026-01-0{3 + at // 20}T00:{at:02}:00.000Z",
        )
        for at, card in enumerate(cards)
    }  # fmt: skip
    report = report_of(one_round({"first": first, "second": second}), QUICK)
    assert [each.n for each in report.over_time] == [20, 20, 20, 20]
    assert [each.agree for each in report.over_time] == [20, 20, 10, 10]
    assert report.over_time[0].label == "cards 1 to 10 (2026-01-03)"
    assert report.over_time[-1].label == "cards 31 to 40 (2026-01-04)"
    few = report_of(one_round({"first": reviews({"a": ""}), "second": reviews({"a": ""})}))
    assert few.over_time == ()


# candidates among codes


def test_agreement_over_time_says_what_it_is_of() -> None:
    """The stretches are of check decisions, and say so in every form, not of the verdicts."""
    cards = [f"c{at:02}" for at in range(20)]
    passes = {
        name: {
            card: decided(FORM, card, time=f"2026-01-{at // 10 + 1:02}T00:{at:02}:00.000Z")
            for at, card in enumerate(cards)
        }
        for name in ("first", "second")
    }
    report = report_of(one_round(passes))
    assert report.told_over_time.id == "pooled"
    for form in ("text", "md", "latex", "html"):
        words = " ".join(render(report, form).split())
        assert "observed agreement on check decisions; 2 raters (first, second)" in words.replace(
            "reviewers", "raters"
        )
    held = [each for each in rows_of(report) if each["kind"] == "time"]
    assert {each["part"] for each in held} == {"pooled"}
    assert {each["categories"] for each in held} == {'["yes", "no"]'}


def test_confused_codes_are_candidates_for_a_ruling() -> None:
    """Two codes that stand beside each other often, and a code that only one coder uses."""
    report = passes_report(
        material(
            one_round(
                {
                    "first": selections("consistent " * 6 + "counter " * 6 + "Abstain " * 3),
                    "second": selections("consistent " * 3 + "counter " * 9 + "neither " * 3),
                },
                codebook=SELECTION,
            )
        ),
        NONE,
    )
    kinds = {each.what: each.kind for each in report.candidates}
    assert kinds == {
        "selection: neither": "design disagreement",
        "selection: Abstain": "design disagreement",
        "selection: consistent / counter": "ruling",
    }
    ruling = next(each for each in report.candidates if each.kind == "ruling")
    assert ruling.reason == ("consistent stands beside counter on 3 of the 12 cards with either")
    assert ruling.units == ("c4", "c5", "c6")
