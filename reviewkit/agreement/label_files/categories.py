"""From labels as written to categories: aliases, folding, missing codes, order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reviewkit.agreement.label_files.asked import option
from reviewkit.agreement.label_files.folding import (
    MISSING_WORDS,
    NO_WORDS,
    YES_WORDS,
    Folded,
    booleans,
    number_of,
    onto_each_other,
    onto_scheme,
    plain,
    same_but_for_spelling,
    without_case,
)
from reviewkit.agreement.label_files.scheme import ON_NUMBERS, ON_SETS, QuestionScheme
from reviewkit.problems import Problem, ProblemsFound

MISSING, SKIPPED = -1, -2
EMPTY_SET = "(no label)"
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class LabelReading:
    """How labels as written become categories."""

    categories: tuple[str, ...]
    to: NDArray[np.int32]
    """Shape (labels,): the category of each label as written; -1 missing, -2 skipped."""
    declared: bool
    values: tuple[float, ...] | None = None
    sets: tuple[frozenset[str], ...] | None = None
    folded: tuple[Folded, ...] = ()
    """Labels read as another one."""
    alike: tuple[tuple[str, ...], ...] = ()
    """Labels that are the same but for their spelling, and were not folded."""
    perhaps_missing: tuple[str, ...] = ()
    """Labels that often stand for no label, and count as labels."""


@dataclass(slots=True)
class _Labels:
    """The labels of one question while they are sorted out."""

    counts: Mapping[str, int]
    to: dict[str, str] = field(default_factory=dict[str, str])
    folded: list[Folded] = field(default_factory=list[Folded])
    problems: list[Problem] = field(default_factory=list[Problem])

    def fold(self, found: Iterable[Folded]) -> None:
        for each in found:
            self.to[each.raw] = each.to
            self.folded.append(each)


def read_labels(
    labels: Sequence[str],
    counts: NDArray[np.int64],
    scheme: QuestionScheme,
    *,
    missing: Sequence[str] = (),
    skipped: Sequence[str] = (),
    fold: bool = False,
    sets: bool = False,
    where: str = "labels",
    first: Mapping[str, str] | None = None,
) -> LabelReading:
    """Sort out the labels of one question.

    Args:
        labels: Each label as written, once.
        counts: Shape (labels,): how often each was given; one that was never given is not looked
            at.
        scheme: What is declared of the question.
        missing: Labels that mean no rating.
        skipped: Labels that mean the rater passed the unit over.
        fold: Whether labels that differ only in spelling become one where no scheme lists them.
        sets: Whether a label is a JSON list of labels.
        where: The file and question as messages name them.
        first: Label -> ``file:line`` where it first stands.

    Raises:
        ProblemsFound: For every label that a declared scheme does not know, and for labels whose
            order or numbers the level needs and nobody declared.
    """
    given = {label: int(n) for label, n in zip(labels, counts.tolist(), strict=True) if n}
    codes = _no_ratings(given, missing, skipped, sets=sets)
    rated = {label: n for label, n in given.items() if label not in codes}
    if sets:
        members = _members(rated, missing)
        found = _sort_out(members, scheme, fold, where, first or {})
        texts, held = _as_sets(rated, found.to, missing)
    else:
        found = _sort_out(rated, scheme, fold, where, first or {})
        texts, held = {label: found.to.get(label, label) for label in rated}, None
    found.problems += _level_of_sets(scheme, sets, where)
    if held is None:
        names = scheme.categories or in_order(set(texts.values()))
        values = _values(names, scheme, where, found.problems)
    else:
        names, values = tuple(sorted(held, key=lambda each: (len(held[each]), each))), None
    if found.problems:
        raise ProblemsFound(found.problems)
    at = {name: place for place, name in enumerate(names)}
    to = np.array(
        [codes[each] if each in codes else at[texts[each]] if each in texts else MISSING
         for each in labels],
        dtype=np.int32,
    )  # fmt: skip
    loose = not fold and not scheme.categories
    return LabelReading(
        tuple(names), to, bool(scheme.categories) and held is None, values,
        None if held is None else tuple(held[name] for name in names),
        tuple(found.folded),
        same_but_for_spelling(rated) if loose and held is None else (),
        tuple(
            each for each in rated
            if held is None and each not in scheme.categories and each not in found.to
            and without_case(each) in MISSING_WORDS and len(rated) > 1
        ),
    )  # fmt: skip


def _no_ratings(
    given: Iterable[str], missing: Sequence[str], skipped: Sequence[str], *, sets: bool
) -> dict[str, int]:
    """Return the labels that mean no rating, edge spaces aside, and the sets that hold no other."""
    means = {
        code: what
        for codes, what in ((skipped, SKIPPED), (missing, MISSING))
        for each in codes
        for code in (each, plain(each))
    }
    found: dict[str, int] = {}
    for label in given if means else ():
        what = means.get(label, means.get(plain(label)))
        if what is None and sets:
            inside = {means.get(each) for each in json.loads(label)}
            what = inside.pop() if len(inside) == 1 else None
        if what is not None:
            found[label] = what
    return found


def _sort_out(
    counts: Mapping[str, int],
    scheme: QuestionScheme,
    fold: bool,
    where: str,
    first: Mapping[str, str],
) -> _Labels:
    labels = _Labels(counts)
    left = dict(counts)
    if scheme.aliases:
        aliased, _ = onto_scheme(left, tuple(scheme.aliases))
        spelled = {each.raw: each.to for each in aliased} | {
            label: label for label in left if label in scheme.aliases
        }
        # a name of a category goes before an alias that is spelled almost like it
        spelled = {raw: to for raw, to in spelled.items() if raw not in scheme.categories}
        labels.fold(Folded(raw, scheme.aliases[to], "alias") for raw, to in spelled.items())
        left = {label: n for label, n in left.items() if label not in spelled}
    if scheme.categories:
        folded, strange = onto_scheme(left, scheme.categories)
        labels.fold(folded)
        if strange:
            mapped = _as_booleans(left, scheme)
            if mapped is not None:
                labels.folded = [each for each in labels.folded if each.why == "alias"]
                labels.fold(each for each in mapped if each.raw != each.to)
            else:
                labels.problems += _strangers(
                    {each: counts[each] for each in left if each in strange}, scheme, where, first
                )
    elif fold:
        labels.fold(onto_each_other(left))
    return labels


def _as_booleans(labels: Mapping[str, int], scheme: QuestionScheme) -> tuple[Folded, ...] | None:
    """Return the mapping of booleans onto a scheme of two categories; None when it is not clear."""
    if len(scheme.categories) != 2:
        return None
    one, other = scheme.categories
    if scheme.positive:
        yes, no = scheme.positive, other if scheme.positive == one else one
    elif without_case(one) in YES_WORDS and without_case(other) in NO_WORDS:
        yes, no = one, other
    elif without_case(other) in YES_WORDS and without_case(one) in NO_WORDS:
        yes, no = other, one
    else:
        return None
    by_name, rest = onto_scheme(labels, scheme.categories)
    mapped = booleans(rest, yes, no)
    return None if mapped is None else (*by_name, *mapped)


def _strangers(
    strange: Mapping[str, int], scheme: QuestionScheme, where: str, first: Mapping[str, str]
) -> list[Problem]:
    """Return a problem for each label that the scheme does not know."""
    known = ", ".join(scheme.categories)
    problems: list[Problem] = []
    for label, n in sorted(strange.items(), key=lambda each: -each[1]):
        near = onto_scheme([label], scheme.categories)
        also = " (as well one as another of them but for spelling)" if near[0] else ""
        times = "once" if n == 1 else f"{n:,} times"
        wrong = f"{label!r} stands {times} and is not among the categories {known}{also}"
        remedy = "correct it, add it to the categories, write an alias in the scheme"
        remedy += f", or declare it missing: {option(missing=label)}"
        if len(scheme.categories) == 2 and without_case(label) in YES_WORDS | NO_WORDS:
            remedy += ", or say in the scheme which category TRUE stands for: 'positive: ...'"
        problems.append(Problem(first.get(label, where), wrong, remedy))
    if len(problems) > _SHOWN:
        last = problems[_SHOWN - 1]
        more = len(problems) - _SHOWN
        wrong = f"{last.wrong} ({more} more labels like it)"
        problems = [*problems[: _SHOWN - 1], Problem(last.where, wrong, last.remedy)]
    return problems


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return categories found in a file: by number when all are numbers, else by letter."""
    found = [(number_of(name), name) for name in names]
    if all(number is not None for number, _ in found):
        return tuple(name for _, name in sorted(found, key=lambda each: (each[0] or 0.0, each[1])))
    return tuple(sorted((name for _, name in found), key=lambda each: (each.casefold(), each)))


def _values(
    names: Sequence[str], scheme: QuestionScheme, where: str, problems: list[Problem]
) -> tuple[float, ...] | None:
    """Return the number of each category when all write one, as the level may need."""
    numbers = [number_of(name) for name in names]
    strange = [name for name, number in zip(names, numbers, strict=True) if number is None]
    shown = ", ".join(map(repr, strange[:6]))
    if strange and scheme.level in ON_NUMBERS:
        wrong = f"the level is {scheme.level}, and {shown} {_is_or_are(strange)} no number"
        remedy = (
            "use level ordinal with the categories in order, declare them missing, or give the"
            " level to the one question that has it, in a scheme"
        )
        problems.append(Problem(where, wrong, remedy))
    elif strange and scheme.level == "ordinal" and not scheme.categories:
        wrong = f"the level is ordinal, and nobody says where {shown} stand in the order"
        remedy = "write the categories in their order: --categories low,middle,high"
        problems.append(Problem(where, wrong, remedy))
    held = tuple(number for number in numbers if number is not None)
    if scheme.level == "ratio" and any(each < 0 for each in held):
        wrong = "the level is ratio, and a label is negative"
        problems.append(Problem(where, wrong, "use level interval, or correct the label"))
    return held if not strange and names else None


def _level_of_sets(scheme: QuestionScheme, sets: bool, where: str) -> list[Problem]:
    """Return the problem of a level that is of sets where labels are none, or the reverse."""
    if scheme.level in (None, "nominal") or (scheme.level in ON_SETS) == sets:
        return []
    what = "are no sets" if scheme.level in ON_SETS else "are sets"
    wrong = f"the level is {scheme.level}, and the labels {what}"
    remedy = "use jaccard or masi" if sets else "use nominal, ordinal, interval or ratio"
    return [Problem(where, wrong, remedy)]


def _is_or_are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _members(rated: Mapping[str, int], missing: Sequence[str]) -> dict[str, int]:
    """Return how often each label stands in a set."""
    counts: dict[str, int] = {}
    for text, n in rated.items():
        for each in json.loads(text):
            if each not in missing:
                counts[each] = counts.get(each, 0) + n
    return counts


def _as_sets(
    rated: Mapping[str, int], to: Mapping[str, str], missing: Sequence[str]
) -> tuple[dict[str, str], dict[str, frozenset[str]]]:
    """Return label as written -> the set's name, and name -> set."""
    texts: dict[str, str] = {}
    named: dict[str, frozenset[str]] = {}
    for text in rated:
        held = frozenset(to.get(each, each) for each in json.loads(text) if each not in missing)
        name = " + ".join(sorted(held)) or EMPTY_SET
        if named.setdefault(name, held) != held:
            # a label with a plus in it could be taken for two
            name = json.dumps(sorted(held), ensure_ascii=False)
            named[name] = held
        texts[text] = name
    return texts, named
