"""Ratings as hypothesis draws them: blanks, unused categories, one category, one-sided raters."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from reviewkit.agreement.measures.ratings import Ratings

Rows = list[list[str | None]]


@st.composite
def rows_of_labels(
    draw: st.DrawFn, *, raters: Sequence[int] = (2, 3, 4), blanks: bool = True, fewest: int = 2
) -> tuple[Rows, str]:
    """Draw rows of labels and the declared categories, of which some may be unused."""
    number = draw(st.sampled_from(raters))
    q = draw(st.integers(2, 5))
    used = draw(st.integers(1, q))
    labels = st.sampled_from("abcde"[:used])
    cell = st.one_of(labels, labels, labels, st.none()) if blanks else labels
    # raters who mostly agree are as likely as raters who do not
    agreeing = labels.map(lambda label: [label] * number)
    row = st.one_of(st.lists(cell, min_size=number, max_size=number), agreeing)
    return draw(st.lists(row, min_size=fewest, max_size=25)), "abcde"[:q]


def ratings_of(rows: Rows, categories: str) -> Ratings:
    """Return the ratings that such rows are."""
    return Ratings.from_labels(rows, categories, [f"r{at}" for at in range(len(rows[0]))])
