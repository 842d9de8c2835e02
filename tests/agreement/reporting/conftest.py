"""Small reports with true figures, so that a test says only what it is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reviewkit.agreement.measures.estimates import Interval, Measured, Settings
from reviewkit.agreement.measures.measure import measure
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.reporting.model import (
    AgreementReport,
    Candidate,
    Consistency,
    Differs,
    Disagreement,
    Excluded,
    Part,
    Point,
)

OfTable = Callable[..., Part]
MakeReport = Callable[..., AgreementReport]
VERDICTS = ("accepted", "needs_fix", "rejected")
ACCEPTED_OR_NOT = {
    "accepted": "accepted", "needs_fix": "not accepted", "rejected": "not accepted",
}  # fmt: skip
MAPPING = (("accepted", ("accepted",)), ("not accepted", ("needs_fix", "rejected")))
FEW_DRAWS = Settings(draws=200)


@pytest.fixture(scope="session")
def of_table() -> OfTable:
    """Return a maker of parts from confusion matrices."""

    def make(
        table: Sequence[Sequence[int]],
        categories: Sequence[str] = ("yes", "no"),
        raters: tuple[str, str] = ("ann", "bob"),
        *,
        unit: str = "card",
        classes: dict[str, str] | None = None,
        **part: Any,
    ) -> Part:
        ratings = replace(Ratings.from_table(table, categories, raters), unit=unit)
        if classes is not None:
            ratings = ratings.collapsed(classes)
        told = {"id": "whole", "title": "labels", "kind": "whole", **part}
        return Part(measured=measure(ratings, FEW_DRAWS), **told)

    return make


@pytest.fixture(scope="session")
def make_report() -> MakeReport:
    """Return a maker of reports on these parts."""

    def make(*parts: Part, **more: Any) -> AgreementReport:
        raters = parts[0].measured.raters
        told = {"title": "Agreement", "raters": raters, "understood": (), **more}
        return AgreementReport(parts=parts, **told)

    return make


@pytest.fixture(scope="session")
def broader(of_table: OfTable, make_report: MakeReport) -> AgreementReport:
    """Return two coders on 282 cards who agree on 272, as the first of the published samples."""
    return make_report(of_table([[93, 5], [5, 179]]), rater_word="coder")


@pytest.fixture(scope="session")
def paradox(of_table: OfTable, make_report: MakeReport) -> AgreementReport:
    """Return the published 25 verdicts with their collapse: much agreement, kappa below zero."""
    table = [[0, 1, 0], [4, 19, 1], [0, 0, 0]]
    whole = of_table(table, VERDICTS, title="verdict")
    binary = of_table(
        table, VERDICTS, id="collapse:accepted", title="accepted or not", kind="collapse",
        of="whole", mapping=MAPPING, classes=ACCEPTED_OR_NOT,
        excluded=(Excluded("not decided in second", 9, ("D-1", "D-2")),),
    )  # fmt: skip
    return make_report(whole, binary, rater_word="reviewer", title="Agreement on verdicts")


@pytest.fixture(scope="session")
def five(make_report: MakeReport) -> AgreementReport:
    """Return five raters on 60 units, a tenth of the ratings missing, one unit rated once."""
    draw = np.random.default_rng(7)
    truth = draw.integers(0, 3, 60)
    codes = np.where(draw.random((60, 5)) < 0.8, truth[:, None], draw.integers(0, 3, (60, 5)))
    codes = codes.astype(np.int32)
    codes[draw.random((60, 5)) < 0.1] = -1
    codes[0] = (0, -1, -1, -1, -1)
    ratings = Ratings(("نعم", "لا", "maybe"), ("ann", "بشرى", "cy", "dee", "eve"), codes)
    return make_report(Part("whole", "labels", "whole", measure(ratings, FEW_DRAWS)))


@pytest.fixture(scope="session")
def study(of_table: OfTable, make_report: MakeReport) -> AgreementReport:
    """Return a report with everything that a study adds."""
    wilson = Interval(0.6, 0.9, 0.95, "wilson", "units")
    checks = (
        ([[20, 0], [0, 5]], "one_variable", "structural"),
        ([[25, 0], [0, 0]], "fields", "structural"),
        ([[8, 4], [5, 0]], "natural", "judgement"),
        ([[14, 7], [4, 5]], "bounded_length", "judgement"),
    )
    parts = [of_table([[20, 3], [2, 5]], ("accepted", "rejected"), title="verdict")]
    parts += [
        of_table(table, id=f"check:{name}", title=name, kind="check", nature=nature)
        for table, name, nature in checks
    ]
    parts += [
        of_table([[9, 1], [2, 8]], id="round:1", title="round 1", kind="round", of="whole"),
        of_table([[14, 1], [0, 15]], id="round:2", title="round 2", kind="round", of="whole"),
        of_table([[9, 1], [2, 8]], id="group:source:press", title="press", kind="group"),
        of_table([[9, 0], [2, 8]], id="group:source:radio", title="radio", kind="group"),
        of_table([[9, 0], [2, 8]], id="group:length:long", title="long", kind="group"),
    ]
    first, second = (each.measured.estimate("observed") for each in parts if each.kind == "round")
    bounds = Interval(-0.05, 0.28, 0.95, "percentile", "clusters of template", 2000, 0, 1)
    return make_report(
        *parts,
        title="Study demo, round 2",
        understood=("Study demo, round 2: 30 cards, both passes locked.",),
        notices=("Pass second was opened early on 2 May.",),
        differences=(Differs("round:2", "round:1", second, first, 29 / 30 - 0.85, "", bounds,
                             True, 12),),
        disagreements=(
            Disagreement("T1-003", ("accepted", "rejected"), (("natural", ("yes", "no")),),
                         ("يبدو طبيعيا", "reads as <translated> & stiff")),
            Disagreement("T1-007", ("rejected", "accepted")),
        ),
        candidates=(Candidate("natural", "ruling", "9 of 17 answers differ", ("T1-003",)),),
        consistency=(Consistency("ann", "repeated cards", 9, 10, wilson, ("T1-009",)),),
        over_time=(Point("cards 1-15", 12, 15, wilson), Point("cards 16-30", 13, 15, wilson)),
    )  # fmt: skip


@pytest.fixture(scope="session")
def nothing(make_report: MakeReport) -> AgreementReport:
    """Return a report on units that nobody rated twice."""
    codes = np.array([[0, -1], [-1, 1], [1, -1]], dtype=np.int32)
    measured: Measured = measure(Ratings(("yes", "no"), ("ann", "bob"), codes), FEW_DRAWS)
    return make_report(Part("whole", "labels", "whole", measured))
