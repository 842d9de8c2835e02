"""Tables of coefficients: the whole beside its collapses, and parts below each other."""

from __future__ import annotations

from collections.abc import Sequence

from reviewkit.agreement.measures.estimates import Estimate, Name
from reviewkit.agreement.reporting.blocks import (
    UNDEFINED,
    Block,
    Grid,
    Points,
    prose,
    shown,
)
from reviewkit.agreement.reporting.model import Part
from reviewkit.agreement.reporting.printed import (
    capital,
    count,
    estimate_cells,
    interval_cell,
    percent_of,
    value_cell,
)
from reviewkit.agreement.reporting.sufficiency import MARK, too_few
from reviewkit.agreement.reporting.wording import (
    no_interval_sentences,
    some,
    undefined_sentences,
)

Key = tuple[Name, str]
IN_ROWS: tuple[Name, ...] = (
    "kappa", "fleiss", "pabak", "brennan_prediger", "ac1", "alpha", "weighted_kappa", "ac2",
)  # fmt: skip
"""The companions that a row of parts shows; the others stand in the table of the whole."""
IN_OTHER_FORMS = "in the Markdown, LaTeX, HTML, CSV and JSON forms"
TIE = "\u00a0"


def key_of(estimate: Estimate) -> Key:
    """Return what tells an estimate from the others of its part."""
    return estimate.name, estimate.weights


def found(part: Part, key: Key) -> Estimate | None:
    """Return the estimate of this key; None when the part has none."""
    return next((each for each in part.measured.estimates if key_of(each) == key), None)


def keys_of(parts: Sequence[Part]) -> tuple[Key, ...]:
    """Return the keys of all parts, in the order they are first met."""
    return tuple(dict.fromkeys(key_of(each) for part in parts for each in part.measured.estimates))


def coefficient_blocks(parts: Sequence[Part], caption: str, *, said: bool = True) -> list[Block]:
    """Return one row a coefficient and, for each part, value, interval and n.

    ``said`` adds the sentences on what has no value or no interval.
    """
    header = ["", *(name for part in parts for name in _part_header(part, len(parts) > 1))]
    rows: list[tuple[str, ...]] = []
    for key in keys_of(parts):
        row = [capital(_title(parts, key))]
        for part in parts:
            estimate = found(part, key)
            n = "" if estimate is None else count(estimate.n)
            row += [*estimate_cells(estimate), n]
        rows.append(tuple(row))
    blocks: list[Block] = [Grid(tuple(header), tuple(rows), caption=caption)]
    return blocks + beside(parts) if said else blocks


def _part_header(part: Part, several: bool) -> tuple[str, str, str]:
    number = len(part.measured.categories)
    q = f", q{TIE}={TIE}{number}" if number else ""
    return (f"{shown(part.title)}{q}" if several else f"value{q}", "CI", "n")


def _title(parts: Sequence[Part], key: Key) -> str:
    """Return the title of a coefficient, without its q where the parts differ in it."""
    titles = {each.title: each.q for part in parts if (each := found(part, key)) is not None}
    first, q = next(iter(titles.items()))
    return shown(first if len(titles) == 1 else first.removesuffix(f" (q = {q})"))


def beside(parts: Sequence[Part]) -> list[Block]:
    """Return the sentences on what has no value or no interval, as one list."""
    sentences = (*undefined_sentences(parts), *no_interval_sentences(parts))
    return [Points(sentences)] if sentences else []


def part_blocks(
    parts: Sequence[Part],
    caption: str,
    *,
    what: str = "",
    brief: bool = False,
    below: Sequence[Part] = (),
) -> list[Block]:
    """Return one row a part: how many agree, the companions, and whether that is enough.

    A second table has the intervals of the coefficients. ``brief`` fits the rows on a terminal, and
    gives no intervals of coefficients that carry no claim or stand ``below`` in a table of their
    part.
    """
    keys = [key for name in IN_ROWS for key in keys_of(parts) if key[0] == name]
    alike = all(len(each.measured.categories) == 2 for each in parts)
    if alike:
        keys = [key for key in keys if key[0] != "brennan_prediger"]
    natures = any(each.nature for each in parts)
    unlike = len({len(each.measured.categories) for each in parts}) > 1
    head = (what, *(("nature",) if natures else ()))
    counts = ("agree", "share") if brief else ("agree", "of", "observed")
    figures = (*counts, "CI", *(_short(parts, key, alike) for key in keys))
    rows = tuple(
        (
            part_title(each),
            *((each.nature,) if natures else ()),
            *_counts(each, brief),
            *_observed(each),
            *(_cell(each, key) for key in keys),
            *((str(len(each.measured.categories) or ""),) if unlike else ()),
        )
        for each in parts
    )
    header = (*head, *figures, *(("q",) if unlike else ()))
    blocks: list[Block] = [Grid(header, rows, frozenset(range(len(head))), caption)]
    told = [each for each in parts if not (brief and too_few(each.measured))]
    elsewhere = {each.id for each in below} if brief else set[str]()
    blocks += _interval_grid([each for each in told if each.id not in elsewhere], keys, what, alike)
    sentences = (*_insufficient(parts), *undefined_sentences(parts))
    sentences += no_interval_sentences(told)
    if len(told) < len(parts):
        sentences += (f"Intervals of the coefficients of rows with * are {IN_OTHER_FORMS}.",)
    return [*blocks, Points(sentences)] if sentences else blocks


def _counts(part: Part, brief: bool) -> tuple[str, ...]:
    measured = part.measured
    mark = MARK * bool(too_few(measured))
    if brief:
        return (f"{count(measured.agree)}/{count(measured.paired)}{mark.strip()}",)
    return count(measured.agree), f"{count(measured.paired)}{mark}"


def _insufficient(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return which rows rest on too few units or clusters for any claim."""
    few: dict[str, list[str]] = {}
    for each in parts:
        if why := too_few(each.measured):
            few.setdefault(why, []).append(shown(each.title))
    every = len(parts) > 1
    return tuple(
        f"* Insufficient, {prose(why)}:"
        f" {'every row' if every and len(titles) == len(parts) else some(titles)}."
        for why, titles in few.items()
    )


BINS = ((1.0, "100 %"), (0.9, "90 % or more"), (0.75, "75 to 90 %"), (0.5, "50 to 75 %"))
BELOW = "below 50 %"


def share_of(part: Part) -> float:
    """Return the share of units on which all agree; parts without any stand last."""
    measured = part.measured
    return measured.agree / measured.paired if measured.paired else -1.0


def spread_blocks(checks: Sequence[Part]) -> list[Block]:
    """Return how many checks agree how far, by nature: two heaps are two kinds of check."""
    known = [each for each in checks if each.measured.paired]
    if len(known) < 2:
        return []
    natures = list(dict.fromkeys(each.nature or "check" for each in known))
    header = ("checks", *(name for _, name in BINS), BELOW, "decisions that agree")
    rows: list[tuple[str, ...]] = []
    for nature in natures:
        chosen = [each for each in known if (each.nature or "check") == nature]
        places = [
            next((at for at, (low, _) in enumerate(BINS) if share_of(each) >= low), len(BINS))
            for each in chosen
        ]
        agree = sum(each.measured.agree for each in chosen)
        n = sum(each.measured.paired for each in chosen)
        numbers = (str(places.count(at)) for at in range(len(BINS) + 1))
        rows.append((nature, *numbers, f"{count(agree)} of {count(n)} ({percent_of(agree, n)})"))
    return [Grid(header, tuple(rows), caption="How many checks agree how far.")]


def part_title(part: Part) -> str:
    """Return how a part is called in a row; a collapse stands below its whole."""
    return f"-{TIE}{shown(part.title)}" if part.kind == "collapse" else shown(part.title)


def _observed(part: Part) -> tuple[str, str]:
    measured = part.measured
    estimate = measured.find("observed")
    if estimate is None or estimate.value is None:
        return UNDEFINED, ""
    # of two ratings each, the share is that of the counts beside it
    two = all(times <= 2 for times, _ in measured.per_unit)
    value = (
        percent_of(measured.agree, measured.paired)
        if two
        else value_cell("observed", estimate.value)
    )
    return value, interval_cell("observed", estimate.interval)


def _cell(part: Part, key: Key) -> str:
    estimate = found(part, key)
    return "" if estimate is None else value_cell(estimate.name, estimate.value)


def _short(parts: Sequence[Part], key: Key, alike: bool) -> str:
    if key[0] == "pabak" and alike:
        return "PABAK = BP(2)"
    shorts = dict.fromkeys(each.short for part in parts if (each := found(part, key)) is not None)
    first = next(iter(shorts))
    if len(shorts) > 1 and key[0] == "brennan_prediger":
        return "BP(q)"
    return shown(first)


def _interval_grid(
    parts: Sequence[Part], keys: Sequence[Key], what: str, alike: bool
) -> list[Block]:
    """Return the intervals of the coefficients in a table of their own; nothing without any."""
    with_interval = [
        key
        for key in keys
        if any((each := found(part, key)) and each.interval is not None for part in parts)
    ]
    if not with_interval:
        return []
    rows = tuple(
        (
            part_title(part),
            *(
                "" if each is None or each.value is None else interval_cell(key[0], each.interval)
                for key in with_interval
                for each in (found(part, key),)
            ),
        )
        for part in parts
    )
    header = (what, *(f"CI of {_short(parts, key, alike)}" for key in with_interval))
    return [Grid(header, rows)]
