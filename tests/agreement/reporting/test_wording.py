"""What the report says before any table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from reviewkit.agreement.measures.estimates import Interval, Remark
from reviewkit.agreement.reporting.model import AgreementReport, Differs, Part
from reviewkit.agreement.reporting.wording import (
    coverage,
    difference_sentence,
    headline,
    part_sentence,
    remarks,
    undefined_sentences,
)

OfTable = Callable[..., Part]


def test_the_sentence_of_two_coders(broader: AgreementReport) -> None:
    """Counts, share, interval and kappa stand in one sentence, as a paper would print them."""
    assert headline(broader)[0].startswith(
        "Two coders agreed on 272 of 282 cards, 96.5 %, 95 % CI 93.6 to 98.1 %; kappa 0.92,"
        " 95 % CI 0.8"
    )
    assert len(headline(broader)) == 1


def test_a_collapse_has_its_own_sentence_beside_the_whole(paradox: AgreementReport) -> None:
    """The collapse says what it holds, how many agree, and the published figures."""
    whole, binary = headline(paradox)
    assert whole.startswith("Two reviewers agreed on 19 of 25 cards, 76.0 %")
    assert "kappa -0.06" in whole
    assert binary.startswith(
        "Accepted or not (accepted = accepted; not accepted = needs_fix, rejected): two reviewers"
        " agreed on 20 of 25 cards, 80.0 %"
    )


def test_the_paradox_is_named_with_its_companions(paradox: AgreementReport) -> None:
    """Low kappa with high agreement is explained, and the companions stand in the same sentence."""
    (told,) = remarks(paradox.parts[0])
    assert "prevalence paradox" in told
    assert all(each in told for each in ("AC1 0.73", "BP(3) 0.64", "PABAK 0.52", "alpha -0.09"))


def test_three_fields_lead_and_the_others_are_counted(
    of_table: OfTable, study: AgreementReport
) -> None:
    """A codebook's sentence names each compared field, its places too, and how many follow."""
    tables = {"stance": 3, "refused": 4, "never asked": 0, "tone": 5, "reason": 6}
    parts = [of_table([[9, 1], [1, 8]], id="places:terms", title="terms: class of each place",
                      kind="places", unit="place"),
             of_table([[9, 1], [1, 8]], id="field:terms", title="terms", kind="field",
                      of="places:terms")]  # fmt: skip
    parts += [
        of_table([[5 * differ, differ], [0, differ]], id=f"field:{name}", title=name, kind="field")
        for name, differ in tables.items()
    ]  # fmt: skip
    told = headline(replace(study, parts=tuple(parts), rater_word="coder"))
    assert [each.split(":")[0] for each in told[:3]] == ["Terms", "Stance", "Refused"]
    assert told[3:] == ("And 2 more fields below.",)
    (whole,) = headline(replace(study, parts=(parts[2],), rater_word="coder"))
    assert whole.startswith("Two coders agreed on")


def test_five_raters_are_told_in_pairs_of_ratings(five: AgreementReport) -> None:
    """More than two raters agree in pairs of ratings, and all at once on some of the units."""
    told = headline(five)
    assert told[0].startswith("Five raters gave ")
    assert "of the pairs of ratings of one unit" in told[0]
    assert "all ratings agree on" in told[0]
    assert "Fleiss' kappa 0." in told[0]
    assert "Krippendorff's alpha 0." in told[0]
    assert told[1] == "59 of 60 units have two ratings or more; 1 has one."


def test_too_few_units_make_no_claim(of_table: OfTable) -> None:
    """Under 25 pairs the interval is printed with the word insufficient; from 25 on it is not."""
    told = part_sentence(of_table([[8, 1], [1, 0]]).measured)
    assert "80.0 %, 95 % CI 49.0 to 94.3 %" in told
    assert "Insufficient: 10 cards with two ratings are fewer than 25 and support no claim." in told
    assert "nsufficient" not in part_sentence(of_table([[20, 1], [1, 3]]).measured)


def test_nobody_rated_twice(nothing: AgreementReport) -> None:
    """Without a pair there is a sentence and no figure."""
    assert headline(nothing) == (
        "No unit has two ratings, so there is no agreement to speak of (3 units with a rating).",
    )
    never = replace(nothing.parts[0].measured, rated=0)
    assert part_sentence(never) == "No unit has two ratings, so there is no agreement to speak of."


def test_an_undefined_kappa_is_a_sentence(of_table: OfTable) -> None:
    """Where kappa does not exist the sentence says why, and no number stands in its place."""
    told = part_sentence(of_table([[40, 0], [0, 0]]).measured)
    assert "40 of 40 cards, 100.0 %" in told
    assert "kappa is not defined: both raters used only the category yes." in told
    assert "nan" not in told.lower().split()


def test_undefined_figures_of_many_parts_are_gathered(of_table: OfTable) -> None:
    """Parts that lack the same figures for the same reasons are told at once."""
    parts = [of_table([[9, 0], [0, 0]], title=title) for title in ("fields", "length")]
    parts.append(of_table([[9, 1], [1, 3]], title="natural"))
    told = undefined_sentences(parts)
    (both,) = told
    assert both == (
        "fields; length: kappa not defined, both raters used only the category yes; pi not defined,"
        " only the category yes was used; alpha not defined, only the category yes was used where"
        " there are two ratings."
    )
    (alone,) = undefined_sentences(parts[:1])
    assert alone.startswith("Kappa not defined, both raters")


@pytest.mark.parametrize(
    ("rows", "rated", "paired", "said"),
    [
        (10, 10, 10, ""),
        (10, 10, 9, "9 of 10 cards have two ratings or more; 1 has one."),
        (10, 8, 1, "1 of 10 cards has two ratings or more; 7 have one and 2 have none."),
    ],
)
def test_coverage_is_told_when_something_is_missing(
    broader: AgreementReport, rows: int, rated: int, paired: int, said: str
) -> None:
    """Agreement on a part of the units never stands without saying so."""
    measured = replace(broader.parts[0].measured, rows=rows, rated=rated, paired=paired)
    assert coverage(measured) == said


def test_a_scale_has_its_own_coefficients_in_the_sentence(of_table: OfTable) -> None:
    """An alpha of another level than nominal stands beside kappa."""
    part = of_table([[20, 2], [1, 20]])
    alpha = part.measured.estimate("alpha")
    ordinal = replace(alpha, title="Krippendorff's alpha (ordinal)", weights="ordinal")
    measured = replace(part.measured, estimates=(*part.measured.estimates, ordinal))
    assert "; Krippendorff's alpha (ordinal) 0." in part_sentence(measured)
    assert "Krippendorff" not in part_sentence(part.measured)


def test_a_difference_says_whether_it_may_be_nothing(study: AgreementReport) -> None:
    """Both values, the difference in points, its interval, and what was resampled together."""
    (differs,) = study.differences
    told = difference_sentence(differs, "round 2", "round 1")
    assert told == (
        "Observed agreement of round 2 against round 1: 96.7 % (n 30) against 85.0 % (n 20), a"
        " difference of 11.7 points, 95 % CI -5.0 to 28.0, which holds 0; paired over the 12"
        " clusters (template) that both share."
    )
    apart = replace(
        differs, interval=Interval(0.02, 0.2, 0.95, "percentile", "units"), paired=False, shared=0
    )
    told = difference_sentence(apart, "a", "b")
    assert "2.0 to 20.0, which does not hold 0; as two samples that share nothing." in told


def test_no_difference_of_what_is_undefined(study: AgreementReport) -> None:
    """When one side has no value the sentence has the reason."""
    (held,) = study.differences
    gone = replace(held.one_estimate, value=None, why="only yes was used")
    differs: Differs = replace(held, one_estimate=gone, value=None, why="only yes was used")
    assert difference_sentence(differs, "a", "b").endswith("no difference, only yes was used.")


def test_text_of_people_is_isolated(broader: AgreementReport) -> None:
    """Right-to-left text in a remark keeps the order of the sentence around it."""
    part = broader.parts[0]
    told = Remark("one_category", "the only category is نعم here.")
    changed = replace(part, measured=replace(part.measured, remarks=(told,)))
    assert remarks(changed) == ("The only category is \u2068نعم\u2069 here.",)
