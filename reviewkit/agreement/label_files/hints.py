"""What looks like a slip in a file of labels: a person is told, and nothing is changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from reviewkit.agreement.label_files.asked import option
from reviewkit.agreement.label_files.folding import plain, without_case
from reviewkit.agreement.label_files.pivot import of_units
from reviewkit.agreement.label_files.tables.column_words import says, words_of
from reviewkit.agreement.label_files.tables.looks import folded
from reviewkit.agreement.label_files.votes import NONE, Votes
from reviewkit.agreement.measures.ratings import Ratings

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TWO_NUMBERS = re.compile(r"0?(\d{1,2})[-/.]0?(\d{1,2})(?:[-/.](\d{2}|\d{4}))?")
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[ T]00:00(?::00(?:\.0+)?)?)?")
_DAY_MONTH = re.compile(r"0?(\d{1,2})[- .]([A-Za-z]{3})[a-z]*(?:[- ,.]+\d{2,4})?")
_MONTH_DAY = re.compile(r"([A-Za-z]{3})[a-z]*[- .]?0?(\d{1,2})(?:[- ,.]+\d{2,4})?")
_SCIENTIFIC = re.compile(r"(\d)(?:[.,](\d+))?[eE]\+?(\d{1,3})")
_WHOLE_AS_DECIMAL = re.compile(r"(\d+)[.,]0+")

_MOST_IDS = 100_000
_MOST_COLUMNS = 8
_SUM = 3
"""A shorter name of a unit is a letter and no word for a sum."""
_SIMPLE = re.compile(r"[a-z0-9_.:/-]+")
"""A name that is spelled in one way only."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """One way in which a program spoils an id."""

    says: str
    """What it looks like: ``as if their leading zeros were lost``."""
    advice: str
    keys: Callable[[str], tuple[str, ...]]
    """What the id may have been before; equal keys make a pair."""
    spoilt: Callable[[str], bool]
    """Whether it looks like what the program makes."""
    sound: Callable[[str], bool] = bool
    """Whether it may be what the program spoils."""


def _zeros(text: str) -> tuple[str, ...]:
    return (text.lstrip("0") or "0",) if text.isascii() and text.isdigit() else ()


def _decimals(text: str) -> tuple[str, ...]:
    found = _WHOLE_AS_DECIMAL.fullmatch(text)
    if found:
        return (found.group(1).lstrip("0") or "0",)
    return _zeros(text)


def _dates(text: str) -> tuple[str, ...]:
    """Return day and month (or month and year) in both orders, as a spreadsheet may take them."""
    word = plain(text)
    pair: tuple[int, int] | None = None
    if found := _ISO_DATE.fullmatch(word):
        year, month, day = (int(each) for each in found.groups())
        if day == 1:
            # 3-26 may have become the first of March 2026
            return (_pair(month, day), _pair(month, year % 100))
        pair = month, day
    elif found := _DAY_MONTH.fullmatch(word):
        pair = _month(found.group(2)), int(found.group(1))
    elif found := _MONTH_DAY.fullmatch(word):
        pair = _month(found.group(1)), int(found.group(2))
    elif found := _TWO_NUMBERS.fullmatch(word):
        pair = int(found.group(1)), int(found.group(2))
    return (_pair(*pair),) if pair and all(pair) else ()


def _pair(one: int, other: int) -> str:
    return f"{min(one, other)} {max(one, other)}"


def _month(name: str) -> int:
    return _MONTHS.index(name.lower()) + 1 if name.lower() in _MONTHS else 0


def _is_date(text: str) -> bool:
    word = plain(text)
    if _ISO_DATE.fullmatch(word):
        return True
    if found := _DAY_MONTH.fullmatch(word):
        return bool(_month(found.group(2)))
    return False


def _powers(text: str) -> tuple[str, ...]:
    """Return the digits that scientific notation with six of them keeps, and how many there are."""
    if found := _SCIENTIFIC.fullmatch(text):
        digits = (found.group(1) + (found.group(2) or "")).rstrip("0")
        return (f"{digits[:6]} {int(found.group(3)) + 1}",)
    if text.isascii() and text.isdigit() and not text.startswith("0"):
        shown = f"{int(text):.5e}".partition("e")[0].replace(".", "").rstrip("0")
        return (f"{shown} {len(text)}",)
    return ()


_KINDS = (
    _Kind(
        "as if their leading zeros were lost",
        "ids are text, so they were not joined; write the ids of one side like the other's",
        _zeros,
        lambda text: not text.startswith("0"),
        lambda text: text.isdigit(),
    ),
    _Kind(
        "as if a program had made decimal numbers of them",
        "ids are text, so they were not joined; write the ids of one side like the other's",
        _decimals,
        lambda text: _WHOLE_AS_DECIMAL.fullmatch(text) is not None,
    ),
    _Kind(
        "as if a spreadsheet had made dates of them",
        "format the column as text before the ids go in, and export again",
        _dates,
        _is_date,
    ),
    _Kind(
        "as if a spreadsheet had shortened them to powers of ten",
        "format the column as text before the ids go in, and export again",
        _powers,
        lambda text: _SCIENTIFIC.fullmatch(text) is not None,
    ),
)


def id_hints(votes: Votes) -> tuple[str, ...]:
    """Return what looks wrong with the ids of the units, each with both sides.

    Two ids make a hint only when no rater has both: ``007`` and ``7`` in one rater's file are two
    units.
    """
    ids = votes.unit.values
    if len(ids) > _MOST_IDS:
        # a file of that size comes from a program, and the look at each id would take seconds
        return ()
    found: list[str] = []
    for kind in _KINDS:
        spoilt = [at for at, text in enumerate(ids) if kind.spoilt(text)]
        pairs = _of_different_raters(_pairs(kind, ids, spoilt), votes)
        if pairs:
            found.append(_pair_hint(kind, pairs, votes))
        elif alone := _spoilt_alone(kind, ids, spoilt):
            found.append(alone)
    found += _spelling_hints(votes)
    return tuple(found)


def nothing_shared(votes: Votes) -> tuple[str, ...]:
    """Return an id of each rater, for a file in which no unit was rated twice."""
    if votes.anonymous:
        return ()
    if len(votes.rater.values) < 2:
        return one_rater(votes)
    rated = votes.label.codes != NONE
    shown: list[str] = []
    for at, name in enumerate(votes.rater.values[:4]):
        rows = np.flatnonzero(rated & (votes.rater.codes == at))
        if len(rows):
            shown.append(f"{name} rated {votes.unit.cell(int(rows[0]))!r}")
    told = f"No id of a unit stands with two raters: {', '.join(shown)}"
    return (f"{told}. Look whether the ids of one are written unlike those of another.",)


def boolean_hints(ratings: Ratings) -> tuple[str, ...]:
    """Return the hint that raters wrote one answer as booleans of several programs."""
    spelt = {"true": list[str](), "false": list[str]()}
    for label in ratings.categories if ratings.sets is None and not ratings.declared else ():
        if (answer := folded(label)) in spelt:
            spelt[answer].append(label)
    # 0 and 1 beside one another are a scale as well; two ways to say one thing are not
    twice = [names for names in spelt.values() if len({without_case(name) for name in names}) > 1]
    if not twice or len(ratings.categories) > sum(map(len, spelt.values())):
        return ()
    on = f"{ratings.question}: " if ratings.question else ""
    pairs = ", ".join(" and ".join(map(repr, names)) for names in twice)
    told = f"{on}{pairs} may be one answer, as programs write it, and count as different labels"
    return (f"{told}; --categories yes,no reads them as yes and no.",)


def sum_hints(votes: Votes) -> tuple[str, ...]:
    """Return the hint that a unit is a row of sums, which a spreadsheet has below its table."""
    if not len(votes.unit):
        return ()
    last = votes.unit.cell(len(votes.unit) - 1) or ""
    if len(words_of(last)) != 1 or not says(last, "total") or len(last) < _SUM:
        return ()
    told = f"The last unit is called {last!r}: if its row is a sum, take it out of the file"
    return (f"{told}, for it counts as a unit.",)


def one_rater(votes: Votes) -> tuple[str, ...]:
    """Return what may be missing where one rater alone was found: files, or columns."""
    if not votes.shape.startswith(("file-a-rater", "wide")):
        return ()
    columns = [name for name in votes.more if name]
    told = f"One rater alone was found in {votes.shown}; name the files of the others beside it"
    if not columns:
        return (f"{told}.",)
    shown = ", ".join(map(repr, columns[:_MOST_COLUMNS]))
    shown += ", …" if len(columns) > _MOST_COLUMNS else ""
    return (f"{told}, or, if columns of it are raters ({shown}), all of them in --raters.",)


def _pairs(kind: _Kind, ids: Sequence[str], spoilt: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of a spoilt id and one that it may have been."""
    if not spoilt:
        return []
    left = {*spoilt}
    sound: dict[str, list[int]] = {}
    for at, text in enumerate(ids):
        if at not in left and kind.sound(text):
            for key in kind.keys(text):
                sound.setdefault(key, []).append(at)
    if not sound:
        return []
    return [
        (bad, good) for bad in spoilt for key in kind.keys(ids[bad]) for good in sound.get(key, ())
    ]


def _of_different_raters(pairs: Sequence[tuple[int, int]], votes: Votes) -> list[tuple[int, int]]:
    """Return the pairs of units that no rater has both of."""
    who = _raters_of({unit for pair in pairs for unit in pair}, votes) if pairs else {}
    return [(one, other) for one, other in pairs if not who[one] & who[other]]


def _raters_of(units: set[int], votes: Votes) -> dict[int, set[int]]:
    """Return the raters of these units."""
    wanted = np.zeros(len(votes.unit.values), dtype=np.bool_)
    wanted[list(units)] = True
    rows = np.flatnonzero((votes.label.codes != NONE) & wanted[votes.unit.codes])
    who: dict[int, set[int]] = {unit: set() for unit in units}
    of_unit, of_rater = votes.unit.codes[rows].tolist(), votes.rater.codes[rows].tolist()
    for unit, rater in zip(of_unit, of_rater, strict=True):
        who[unit].add(rater)
    return who


def _pair_hint(kind: _Kind, pairs: Sequence[tuple[int, int]], votes: Votes) -> str:
    bad, good = pairs[0]
    ids = votes.unit.values
    who = _raters_of({bad, good}, votes)
    more = len({one for one, _ in pairs}) - 1
    like = "" if not more else f" and {more:,} more like {'it' if more == 1 else 'them'}"
    return (
        f"Some ids of units look {kind.says}: {ids[bad]!r}{_of(votes, who[bad])} beside"
        f" {ids[good]!r}{_of(votes, who[good])}{like}; {kind.advice}."
    )


def _of(votes: Votes, raters: Iterable[int]) -> str:
    names = sorted(votes.rater.values[at] for at in raters)
    return "" if votes.anonymous or not names else f" ({', '.join(names[:3])})"


def _spoilt_alone(kind: _Kind, ids: Sequence[str], spoilt: Sequence[int]) -> str:
    """Return the hint when some ids are spoilt and their like is nowhere to be seen."""
    if not spoilt or kind.keys not in (_powers, _dates):
        return ""
    if kind.keys is _dates and not any(_TWO_NUMBERS.fullmatch(each) for each in ids):
        return ""
    first, many = ids[spoilt[0]], len(spoilt)
    what = f"{first!r} and {many - 1:,} more" if many > 1 else repr(first)
    return f"Some ids of units look {kind.says}: {what}; {kind.advice}."


def _spelling_hints(votes: Votes) -> list[str]:
    """Return the ids, and the names of raters, that differ only in case or hidden signs."""
    found: list[str] = []
    alike = [pair for group in _alike(votes.unit.values) for pair in combinations(group, 2)]
    pairs = _of_different_raters(alike, votes)
    ids = votes.unit.values
    if pairs:
        one, other = pairs[0]
        who = _raters_of({one, other}, votes)
        more = f", and {len(pairs) - 1:,} more pairs" if len(pairs) > 1 else ""
        found.append(
            f"Ids of units differ only in case, spaces or hidden characters: {ids[one]!r}"
            f"{_of(votes, who[one])} and {ids[other]!r}{_of(votes, who[other])}{more}; they"
            " were not joined."
        )
    if not votes.anonymous:
        names = votes.rater.values
        found += [
            "Two raters are called alike but for case, spaces or hidden characters:"
            f" {' and '.join(repr(names[at]) for at in group)}; they count as"
            f" {len(group)} raters. Write one name when it is one person."
            for group in _alike(names)
        ]
    return found


def _alike(names: Sequence[str]) -> list[list[int]]:
    """Return the names that are the same but for their spelling, as groups of places."""
    if all(map(_SIMPLE.fullmatch, names)):
        return []
    groups: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        key = name if _SIMPLE.fullmatch(name) else without_case(name)
        groups.setdefault(key, []).append(at)
    return [group for group in groups.values() if len(group) > 1]


def transposed_hint(ratings: Ratings, other: str) -> tuple[str, ...]:
    """Return the hint that a table may lie on its side: few units, many raters.

    Args:
        ratings: The ratings.
        other: The shape that reads the table the other way round.
    """
    raters = len(ratings.raters)
    if raters < 4 or ratings.rows >= raters:
        return ()
    units = ", ".join(ratings.units[:3])
    told = (
        f"{ratings.rows} units ({units}{', …' if ratings.rows > 3 else ''}) and {raters} raters"
        f" ({', '.join(ratings.raters[:3])}, …): if it is the other way round, the table lies on"
        f" its side, and --shape {other} reads it."
    )
    return (told,)


def cluster_hints(votes: Votes) -> tuple[str, ...]:
    """Return the column that may say which units are twins, when none was named as the cluster."""
    units = len(votes.unit.values)
    rows = np.arange(len(votes.unit), dtype=np.int64)
    for name, column in votes.more.items():
        if not says(name, "cluster") or not 2 <= len(column.values) <= 0.7 * units:
            continue
        of_unit, two = of_units(column, votes, rows, units)
        used = len(np.unique(of_unit[of_unit != NONE]))
        if not len(two) and 2 <= used <= 0.7 * units:
            told = (
                f"Column {name!r} has {used:,} values for {units:,} units. If units with one value"
            )
            return (f"{told} are twins, take the intervals over them: {option(cluster=name)}.",)
    return ()
