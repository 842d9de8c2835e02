"""What was understood of a file of labels, in sentences: first how much can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from reviewkit.agreement.label_files.asked import option
from reviewkit.agreement.label_files.pivot import Pivoted
from reviewkit.agreement.label_files.together import Together
from reviewkit.agreement.label_files.votes import LeftOut
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.reporting.model import Excluded
from reviewkit.agreement.reporting.printed import capital, counted, in_words, listed, plural

_MANY = 12
"""More names than this are counted and not listed."""
NOBODY_KNOWN = (
    "Who gave a rating is not known, so nothing is said of single raters, and Cohen's kappa cannot"
    " be given."
)
_FEW_DOUBLE = 0.5
"""With a smaller share of units that two people rated, the sentence says what that means."""


def understanding(
    files: Together, pivots: Sequence[Pivoted], *, cluster: str = "", dropped: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the sentences, in the order in which they matter.

    Args:
        files: The votes as read.
        pivots: The ratings of each question.
        cluster: The column of clusters.
        dropped: What was left out before the votes were counted, in sentences.
    """
    votes = files.votes
    told = [coverage(each.ratings) for each in pivots[:_MANY]]
    if len(pivots) > _MANY:
        told.append(f"{len(pivots) - _MANY} more questions were read.")
    told += _shapes(files)
    told += _raters(files, pivots)
    told += [
        categories_of(each.ratings, "declared" if each.ratings.declared else "found in the labels")
        for each in pivots[:_MANY]
    ]
    told += _set_aside(votes.raters_set_aside)
    told += _without_label(pivots, votes.skipped)
    told += _spellings(pivots)
    told += _repeats(pivots)
    told += [_left_out(each) for each in votes.left_out]
    told += list(dropped)
    if cluster:
        told.append(clusters_in_words(cluster, [each.ratings for each in pivots]))
    told += [each if each.endswith((".", ":", "?")) else f"{each}." for each in votes.said]
    return tuple(dict.fromkeys(told))


def _shapes(files: Together) -> list[str]:
    """Return what each file was taken to be, files of one shape in one sentence."""
    alike: dict[str, list[str]] = {}
    for shown, shape in zip(files.files, files.shapes, strict=True):
        alike.setdefault(shape, []).append(shown)
    told = [
        f"{listed(_few(names))} {'was' if len(names) == 1 else 'were'} read as {shape}."
        for shape, names in alike.items()
    ]
    return told if len(told) <= _MANY else [*told[:_MANY], f"{len(told) - _MANY} more were read."]


def _set_aside(raters: Mapping[str, str]) -> list[str]:
    """Return who is no rater, those with one reason in one sentence."""
    alike: dict[str, list[str]] = {}
    for name, why in raters.items():
        alike.setdefault(why, []).append(_quoted(name))
    return [
        f"{listed(_few(names))} {'is' if len(names) == 1 else 'are'} no rater"
        f"{'' if len(names) == 1 else 's'}: {why}."
        for why, names in alike.items()
    ]


def clusters_in_words(name: str, ratings: Sequence[Ratings]) -> str:
    """Return how many clusters a column makes."""
    numbers = sorted({each.clusters.number for each in ratings if each.clusters is not None})
    return (
        f"{_quoted(name)} makes {listed([f'{n:,}' for n in numbers])} clusters of units that belong"
        " together; intervals are taken over them."
    )


def coverage(ratings: Ratings) -> str:
    """Return how many units can be compared, of how many."""
    per_unit = ratings_per_unit(ratings)
    times = _times(ratings)
    units = int(times.sum())
    paired = int(times[per_unit >= 2].sum())
    once = int(times[per_unit == 1].sum())
    none = units - paired - once
    on = f"{ratings.question}: " if ratings.question else ""
    noun = plural("unit", units)
    if not paired:
        told = f"none of {counted(units, 'unit')} has two ratings: nothing can be compared."
        return f"{on}{told}" if on else capital(told)
    if paired == units:
        sizes = np.unique(per_unit[times > 0]).tolist()
        if len(sizes) == 1:
            size = sizes[0]
            how = "both have" if paired == 2 else "the only one has" if paired == 1 else "all have"
            return f"{on}{units:,} {noun}, {how} {in_words(size)} ratings."
        least, most = in_words(min(sizes)), in_words(max(sizes))
        return f"{on}{units:,} {noun}, each with {least} to {most} ratings."
    rest = [f"{once:,} {'was' if once == 1 else 'were'} rated once"] if once else []
    rest += [f"{none:,} by nobody"] if none else []
    only = "only " if paired < _FEW_DOUBLE * units else ""
    have = "has" if paired == 1 else "have"
    told = f"{on}{only}{paired:,} of {units:,} {noun} {have} two or more ratings; {listed(rest)}."
    return told if on else capital(told)


def paired(ratings: Ratings) -> int:
    """Return how many units have two ratings or more."""
    return int(_times(ratings)[ratings_per_unit(ratings) >= 2].sum())


def ratings_per_unit(ratings: Ratings) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return how many ratings each row has."""
    if ratings.codes is not None:
        return (ratings.codes >= 0).sum(axis=1).astype(np.int64)
    assert ratings.counts is not None  # noqa: S101 - one of the two is given, says Ratings
    return ratings.counts.sum(axis=1).astype(np.int64)


def excluded_of(ratings: Ratings) -> tuple[Excluded, ...]:
    """Return the units of which no two ratings can be compared, with the reason."""
    per_unit, times = ratings_per_unit(ratings), _times(ratings)
    found: list[Excluded] = []
    for n, reason in ((1, "rated once"), (0, "rated by nobody")):
        chosen = np.flatnonzero((per_unit == n) & (times > 0))
        if len(chosen):
            ids = tuple(str(ratings.units[at]) for at in chosen[:5].tolist() if ratings.units)
            found.append(Excluded(reason, int(times[chosen].sum()), ids))
    return tuple(found)


def _times(ratings: Ratings) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.ones(ratings.rows, dtype=np.int64) if ratings.times is None else ratings.times


def _raters(files: Together, pivots: Sequence[Pivoted]) -> list[str]:
    """Return who rated how much."""
    votes = files.votes
    if votes.anonymous:
        return [NOBODY_KNOWN]
    given: Counter[str] = Counter()
    for each in pivots:
        if each.ratings.codes is not None:
            per_rater = (each.ratings.codes >= 0).sum(axis=0).tolist()
            given.update(dict(zip(each.ratings.raters, per_rater, strict=True)))
    if crowd := max((each.crowd for each in pivots), default=0):
        told = f"{crowd:,} raters are too many to compare one by one: ratings are counted for each"
        return [f"{told} unit, and figures that need the names of raters are not given."]
    if not given:
        return []
    noun = "ratings" if len(pivots) > 1 else "units"
    if len(given) > _MANY:
        low, high = min(given.values()), max(given.values())
        return [f"{len(given)} raters, with {low:,} to {high:,} {noun} each."]
    each_told = ", ".join(f"{name} ({n:,})" for name, n in given.items())
    silent = [name for name in votes.rater.values if name not in given]
    told = [f"{counted(len(given), 'rater')}, with their {noun}: {each_told}."]
    if silent:
        verb = "gives" if len(silent) == 1 else "give"
        names = listed([_quoted(each) for each in silent[:6]])
        told.append(f"{names} {verb} no label and is no rater here.")
    return told


def categories_of(ratings: Ratings, whence: str) -> str:
    """Return the categories with how often each was given, and where the list comes from."""
    given = list(zip(ratings.categories, _given(ratings), strict=True))
    on = f"{ratings.question}: " if ratings.question else ""
    number = len(ratings.categories)
    noun = counted(number, "category" if ratings.sets is None else "different set")
    if number > _MANY:
        most = sorted(given, key=lambda one: -one[1])[:6]
        return f"{on}{noun}, {whence}; most often {_with_counts(most)}."
    return f"{on}{noun}, {whence}: {_with_counts(given)}."


def _with_counts(pairs: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{name} ({n:,})" for name, n in pairs)


def _given(ratings: Ratings) -> list[int]:
    """Return how often each category was given."""
    times = _times(ratings)
    if ratings.counts is not None:
        return (times @ ratings.counts).tolist()
    assert ratings.codes is not None  # noqa: S101 - one of the two is given, says Ratings
    found = np.zeros(ratings.q, dtype=np.int64)
    for codes in ratings.codes.T:
        rated = codes >= 0
        counted = np.bincount(codes[rated], weights=times[rated], minlength=ratings.q)
        found += counted.astype(np.int64)
    return found.tolist()


def _without_label(pivots: Sequence[Pivoted], skipped: Iterable[LeftOut]) -> list[str]:
    """Return how many ratings are blank, missing by a code, or skipped."""
    told: list[str] = []
    if blank := sum(each.blank for each in pivots):
        told.append(f"{blank:,} {'cell is' if blank == 1 else 'cells are'} blank: no rating.")
    codes: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for each in pivots:
        codes.update(each.missing)
        passed.update(each.skipped)
    told += [
        f"{_quoted(code)} is declared to mean no rating ({n:,} {'time' if n == 1 else 'times'})."
        for code, n in codes.items()
    ]
    told += [
        f"{rater} skipped {counted(n, 'unit')}: seen, and without a label."
        for rater, n in passed.items()
    ]
    for each in skipped:
        shown = f" ({', '.join(each.examples[:3])})" if each.examples else ""
        told.append(f"{each.count:,} {each.reason}{shown}: no label, and not missing by accident.")
    return told


def _spellings(pivots: Sequence[Pivoted]) -> list[str]:
    """Return which labels were read as others, and which only look like others."""
    told: list[str] = []
    for each in pivots:
        on = f"{each.ratings.question}: " if each.ratings.question else ""
        labels = _counts_of(each)
        whys: dict[str, list[str]] = {}
        for one in each.reading.folded:
            times = f" ({labels[one.raw]:,})" if one.raw in labels else ""
            said = f"{_quoted(one.raw)}{times} as {_quoted(one.to)}"
            whys.setdefault(one.why, []).append(said)
        for why, said in whys.items():
            how = {
                "alias": "by the aliases of the scheme",
                "boolean": "as booleans",
            }.get(why, f"they differ only in {why}")
            told.append(f"{on + 'read' if on else 'Read'} {listed(_few(said))}: {how}.")
        for alike in each.reading.alike:
            names = listed([f"{_quoted(one)} ({labels.get(one, 0):,})" for one in alike])
            told.append(
                f"{on}{names} differ only in spelling and count as different labels; --fold makes"
                " them one."
            )
        told += [
            f"{on}{_quoted(one)} counts as a label ({labels.get(one, 0):,}); if it means no"
            f" rating, declare it: {option(missing=one)}."
            for one in each.reading.perhaps_missing
        ]
    return told


def _counts_of(each: Pivoted) -> Mapping[str, int]:
    return {label: n for label, n in zip(each.labels, each.counts.tolist(), strict=True) if n}


def _repeats(pivots: Sequence[Pivoted]) -> list[str]:
    told: list[str] = []
    if doubled := sum(each.doubled for each in pivots):
        many, once = (
            (f"{doubled:,} ratings repeat", "count")
            if doubled > 1
            else ("1 rating repeats", "counts")
        )
        told.append(f"{many} what the same rater said of the same unit, and {once} once.")
    if decided := sum(each.decided for each in pivots):
        many = "1 rating gives" if decided == 1 else f"{decided:,} ratings give"
        told.append(f"{many} way to another of the same rater on the same unit, as --repeats says.")
    return told


def _left_out(each: LeftOut) -> str:
    shown = f" ({', '.join(each.examples[:3])}{', …' if each.count > 3 else ''})"
    return f"Left out, {each.count:,}: {each.reason}{shown if each.examples else ''}."


def _few(said: Sequence[str]) -> list[str]:
    if len(said) <= 6:
        return list(said)
    return [*said[:5], f"{len(said) - 5} more"]


def _quoted(text: str) -> str:
    return f"'{text}'"
