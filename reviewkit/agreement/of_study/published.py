"""A report from a table of counts, such as a paper prints: no unit is known by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reviewkit.agreement.coefficients import Table
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.passes.report import ACCEPTED_OR_NOT, VERDICTS
from reviewkit.agreement.reporting.model import AgreementReport, Part


def from_counts(
    matrix: Sequence[Sequence[int]],
    categories: Sequence[str],
    *,
    names: tuple[str, str] = ("first", "second"),
    classes: Mapping[str, str] | None = None,
    title: str = "",
    unit: str = "unit",
    settings: Settings | None = None,
    notices: tuple[str, ...] = (),
) -> AgreementReport:
    """Return the report on a published confusion matrix.

    Args:
        matrix: Counts, a row and a column a category; rows: the first rater.
        categories: All of them, in that order.
        names: What the two raters are called.
        classes: Category -> coarser class, for a second set of figures; for the three verdicts it
            is accepted or not when none is given.
        title: What the report is called.
        unit: What was counted, in the singular.
        settings: How to measure.
        notices: Sentences to stand above the figures.

    Raises:
        ProblemsFound: When the counts make no table over the categories.
    """
    # numpy takes longer to load than all that shows a study's board
    from reviewkit.agreement.measures.measure import measure  # noqa: PLC0415
    from reviewkit.agreement.measures.ratings import Ratings  # noqa: PLC0415
    from reviewkit.agreement.of_study.question import mapping_of  # noqa: PLC0415

    table = Table.from_counts(matrix, categories)
    if classes is None and table.categories == VERDICTS:
        classes = ACCEPTED_OR_NOT
    ratings = replace(Ratings.from_table(table.counts, table.categories, names), unit=unit)
    parts = [Part("whole", ", ".join(table.categories), "whole", measure(ratings, settings))]
    if classes is not None:
        coarse = ratings.collapsed(classes)
        named = ", ".join(coarse.categories)
        made = Part(
            "collapse:classes", named, "collapse", measure(coarse, settings), of="whole",
            mapping=mapping_of(classes),
        )  # fmt: skip
        parts.append(made)
    told = (
        f"A table of counts over {table.n} {unit}{'' if table.n == 1 else 's'}, rows: {names[0]},"
        f" columns: {names[1]}; which {unit}s differ is not known."
    )
    return AgreementReport(
        title=title or f"Agreement of {names[0]} and {names[1]}",
        raters=names,
        understood=(told,),
        parts=tuple(parts),
        notices=notices,
        facts={"kind": "counts"},
    )
