"""Reports for plots and page, made by hand from rows of labels; their figures need not be right."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from reviewkit.agreement.measures.estimates import (
    CategoryAgreement,
    Estimate,
    Interval,
    IntervalMethod,
    Measured,
    Name,
    RaterPair,
    RaterShare,
    WithoutRater,
)
from reviewkit.agreement.reporting.model import (
    AgreementReport,
    Consistency,
    Disagreement,
    Excluded,
    Part,
    Point,
)

Rows = list[list[str | None]]
SHORTS: dict[Name, tuple[str, str]] = {
    "observed": ("observed agreement", "observed"),
    "kappa": ("Cohen's kappa", "kappa"),
    "fleiss": ("Fleiss' kappa", "Fleiss"),
    "brennan_prediger": ("Brennan-Prediger (q = 3)", "BP(3)"),
    "pabak": ("PABAK", "PABAK"),
    "ac1": ("Gwet's AC1", "AC1"),
    "alpha": ("Krippendorff's alpha", "alpha"),
}


def interval(
    value: float, n: int, method: IntervalMethod = "bca", over: str = "clusters of template"
) -> Interval:
    """Return an interval that narrows with n."""
    half = 0.9 / max(n, 1) ** 0.5
    low, high = max(-1.0, value - half), min(1.0, value + half / 2)
    draws, seed = (0, None) if method == "wilson" else (2000, 1)
    return Interval(low, high, 0.95, method, over, draws, seed=seed)


def estimate(name: Name, value: float | None, n: int, of: int, raters: int, q: int) -> Estimate:
    """Return an estimate; with no value it has its reason."""
    title, brief = SHORTS[name]
    one = (
        interval(value, n, "wilson", "units") if name == "observed" and value is not None else None
    )
    if one is None and value is not None:
        one = interval(value, n)
    return Estimate(
        name, title, brief, value, "" if value is not None else "every rating is the same label",
        n, of, raters, q, "units with fewer than two ratings are left out", "Gwet 2014",
        intervals=() if one is None else (one,),
    )  # fmt: skip


def measured(
    rows: Rows, categories: Sequence[str], raters: Sequence[str], unit: str = "card"
) -> Measured:
    """Return what is known of these rows: counts exact, coefficients roughly right."""
    given = [[each for each in row if each is not None] for row in rows]
    paired = [row for row in given if len(row) > 1]
    n, q = len(paired), len(categories)
    pairs = [(one, two) for row in paired for one, two in combinations(row, 2)]
    observed = sum(one == two for one, two in pairs) / len(pairs) if pairs else None
    counts = Counter(label for row in paired for label in row)
    total = sum(counts.values()) or 1
    chance = sum((each / total) ** 2 for each in counts.values())

    def corrected(by_chance: float) -> float | None:
        if observed is None or by_chance == 1:
            return None
        return (observed - by_chance) / (1 - by_chance)

    named: dict[Name, float | None] = {
        "observed": observed,
        "kappa" if len(raters) == 2 else "fleiss": corrected(chance),
        "brennan_prediger": corrected(1 / q) if q > 1 else None,
        "pabak": None if observed is None else 2 * observed - 1,
        "ac1": corrected((1 - chance) / (q - 1)) if q > 1 else None,
        "alpha": corrected(chance),
    }
    estimates = tuple(
        estimate(name, value, n, len(rows), len(raters), q) for name, value in named.items()
    )
    place = {name: at for at, name in enumerate(categories)}
    tables: list[RaterPair] = []
    for i, j in combinations(range(len(raters)), 2):
        table = [[0] * q for _ in categories]
        for row in rows:
            one, two = row[i], row[j]
            if one is not None and two is not None:
                table[place[one]][place[two]] += 1
        both, agree = sum(map(sum, table)), sum(table[at][at] for at in range(q))
        tables.append(
            RaterPair(raters[i], raters[j], both, agree, None, None, "not asked",
                      tuple(map(tuple, table)))
        )  # fmt: skip
    shares = tuple(
        RaterShare(name, sum(row[at] is not None for row in rows),
                   tuple(sum(row[at] == each for row in rows) for each in categories))
        for at, name in enumerate(raters)
    )  # fmt: skip
    by_category = tuple(
        CategoryAgreement(each, 0.5, "", interval(0.5, n), counts[each], counts[each], 0.3)
        for each in categories
    )
    sizes = sorted(Counter(map(len, given)).items())
    return Measured(
        "", unit, len(rows), sum(map(bool, given)), n, sum(map(len, given)),
        sum(len(set(row)) == 1 for row in paired), tuple(raters), tuple(sizes), tuple(categories),
        True, ("template", max(1, len(rows) // 2)), estimates, by_category, tuple(tables), shares,
        tuple(WithoutRater(each, n, estimates[:2]) for each in raters) * (len(raters) > 2), (),
        None, 0.95, 2000, 1,
    )  # fmt: skip


def rows_of(
    number: int,
    categories: Sequence[str],
    raters: int,
    agree: float,
    seed: int,
    *,
    weights: Sequence[float] | None = None,
    missing: float = 0.0,
) -> Rows:
    """Return invented labels that agree about so often."""
    draw = random.Random(seed)
    rows: Rows = []
    for _ in range(number):
        truth = draw.choices(categories, weights)[0]
        rows.append([
            None if draw.random() < missing
            else truth if draw.random() < agree else draw.choices(categories, weights)[0]
            for _ in range(raters)
        ])  # fmt: skip
    return rows


VERDICTS = ("accepted", "needs_fix", "rejected")
CHECKS = (
    "Only the declared variable changes",
    "No baited preference, no attribute given in advance",
    "Each version stands naturally on its own",
    "The dialect twin is written and means the same",
    "Fields complete",
)


def study_report() -> AgreementReport:
    """Return two reviewers on 282 cards, with everything a study has."""
    people = ("ann", "bob")
    rows = rows_of(282, VERDICTS, 2, 0.95, 1, weights=(12, 5, 2), missing=0.02)
    classes: dict[str | None, str | None] = {
        "accepted": "accepted", "needs_fix": "not accepted", "rejected": "not accepted", None: None,
    }  # fmt: skip
    binary: Rows = [[classes[each] for each in row] for row in rows]
    mapping = (("accepted", ("accepted",)), ("not accepted", ("needs_fix", "rejected")))
    left_out = (Excluded("rated by one reviewer", 9, ("T1-004", "T1-077")),)
    parts = [
        Part("whole", "verdicts", "whole", measured(rows, VERDICTS, people), excluded=left_out),
        Part("collapse:accepted", "accepted or not", "collapse",
             measured(binary, ("accepted", "not accepted"), people), of="whole", mapping=mapping),
    ]  # fmt: skip
    draw = random.Random(5)
    for at in range(17):
        nature = "structural" if at < 9 else "judgement"
        agree = (
            draw.uniform(0.95, 1) if nature == "structural" or at % 3 == 0 else draw.random() / 2
        )
        answers = rows_of(60 if at != 4 else 14, ("yes", "no"), 2, agree, 100 + at, weights=(6, 1))
        title = f"{CHECKS[at % 5]} ({at + 1})"
        one = measured(answers, ("yes", "no"), people, "check decision")
        parts.append(Part(f"check:t{at % 4 + 1}/c{at}", title, "check", one, nature, "pooled"))
    for at, domain in enumerate(("work", "housing", "schooling", "health care of the old at home")):
        some = rows_of((80, 60, 12, 50)[at], VERDICTS, 2, 0.95 - 0.15 * at, 200 + at)
        one = measured(some, VERDICTS, people)
        parts.append(Part(f"domain:{domain}", domain, "domain", one, of="whole"))
    points: list[Point] = []
    for at, differ in enumerate((6, 5, 4, 4, 2, 3, 1, 1)):
        n = 36 if at < 7 else 12
        share = interval((n - differ) / n, n, "wilson", "units")
        points.append(Point(f"cards {36 * at + 1}–{36 * at + n}", n - differ, n, share))
    differing = tuple(
        Disagreement(
            f"T1-{at:03}", ("accepted", "needs_fix"), (("one_variable", ("yes", "no")),),
            ("", "ends in <b>another</b> letter & an invisible space"),
        )
        for at in range(1, 41)
    )  # fmt: skip
    return AgreementReport(
        "Agreement between ann and bob", people,
        ("Study demo, round 1: two reviewers on 282 cards, both passes locked.",
         "9 cards left out: rated by one reviewer."),
        tuple(parts), notices=("The second pass was opened early: training.",),
        disagreements=differing, over_time=tuple(points), rater_word="reviewer",
        consistency=(Consistency("ann", "repeated cards", 9, 10, interval(0.9, 10)),),
    )  # fmt: skip


ARABIC = ("إنكار", "تحليل محايد", "تأييد صريح للادعاء الوارد في النص", "غير قابل للترميز", "N")


def arabic_report() -> AgreementReport:
    """Return three coders whose labels, names and domains are Arabic, with some Latin ones."""
    people = ("ليلى", "سامر", "coder-3")
    rows = rows_of(120, ARABIC, 3, 0.8, 3, weights=(5, 8, 3, 1, 2), missing=0.1)
    parts = [Part("whole", "responses", "whole", measured(rows, ARABIC, people, "response"))]
    for at, domain in enumerate(("العمل", "السكن والجوار (2)", "التعليم")):
        some = rows_of(15 + 20 * at, ARABIC, 3, 0.7 + 0.1 * at, 30 + at)
        one = measured(some, ARABIC, people, "response")
        parts.append(Part(f"domain:{domain}", domain, "domain", one, of="whole"))
    notes = ("الجملة تنفي الادعاء", "ينقل فقط: (N)", "")
    differing = (Disagreement("رد-007", ("إنكار", "N", ""), (), notes),)
    return AgreementReport(
        "Agreement: الردود.csv", people,
        ("File الردود.csv: wide, a column a rater; raters ليلى, سامر and coder-3.",
         "Categories, as found: إنكار, تحليل محايد, N and 2 more."),
        tuple(parts), disagreements=differing, rater_word="coder",
    )  # fmt: skip


def crowded_report() -> AgreementReport:
    """Return what strains a page: many raters, categories and parts, long names, large counts."""
    kinds = tuple(
        f"{at:02} {word}"
        for at, word in enumerate((
            "a", "a category whose name is a whole sentence of the guide", "قصير",
            "وصف طويل جدًا لفئة من فئات الدليل لا يتسع له السطر",
            "Donaudampfschifffahrtsgesellschaftskapitän",
            "mixed سامر and Latin (3)", "W" * 30, "$x$", "<b>", "ok", "no", "maybe", "n/a", "其他",
        ))
    )  # fmt: skip
    people = (*(f"annotator-{at}@a-long-place.example" for at in range(8)), "عبد الرحمن")
    whole = measured(rows_of(300, kinds, 9, 0.6, 11, missing=0.2), kinds, people)
    huge = tuple(
        replace(each, table=tuple(tuple(9871 * n for n in row) for row in each.table))
        for each in whole.pairs
    )
    parts = [Part("whole", "codes", "whole", replace(whole, pairs=huge))]
    for at in range(9):
        title = f"{kinds[at % 7]} {kinds[(at + 1) % 7]}"
        some = rows_of(20 + 10 * at, kinds[:3], 2, 0.2 + 0.1 * at, at)
        parts.append(
            Part(f"domain:{at}", title, "domain", measured(some, kinds[:3], people[:2]), of="whole")
        )
    points = tuple(
        Point(f"week {at} of the second round", 20 + at, 40, interval(0.5 + at / 40, 40, "wilson"))
        for at in range(14)
    )
    return AgreementReport("Agreement", people, ("A file.",), tuple(parts), over_time=points)


def one_part(rows: Any, categories: Any, raters: Any, **more: Any) -> AgreementReport:
    """Return a report on these rows alone."""
    part = Part("whole", "labels", "whole", measured(rows, categories, raters))
    return AgreementReport("Agreement", tuple(raters), (), (part,), **more)
