"""Texts that would keep a regular expression busy: the time grows with the text and no faster."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

from reviewkit.agreement.label_files.tables.cells import MARKS, ratings_in
from reviewkit.bank.leakage import LeakageList, LeakingPhrase, find_leaks
from reviewkit.bank.parse_fields import find_fields
from reviewkit.bank.taxonomy import Writing
from reviewkit.bank.watchlists import Term, Watchlist, find_terms
from reviewkit.cards.contexts import split_sentences
from reviewkit.cards.slots import find_slots
from reviewkit.cards.tokens import tokenise
from reviewkit.release.guard.addresses import addresses_in
from reviewkit.release.guard.codes import encoded, readings
from reviewkit.release.guard.names import NameFinder
from tests.attacks.bounded import told_by
from tests.attacks.patterns import Found, every_pattern, hostile_texts

SHORT, TIMES = 1_000, 16
LONG = SHORT * TIMES
"""A long text takes as long as 16 short ones, and 16 times that when every pair is tried."""
MOST = 5.0
FLOOR = 0.05
"""Of processor time. What takes less is looked at no further: so short a time measures nothing."""
TICK = 0.01
"""The processor's clock may be no finer than this."""
GIVEN_UP = 1.0


class TooLong(Exception):
    """The work was stopped."""


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TooLong


def _cost(work: Callable[[], object]) -> float:
    """Return seconds of processor time."""
    before = time.process_time()
    work()
    return time.process_time() - before


def _first_cost(work: Callable[[], object]) -> float:
    """Return what the work costs; infinity when it is not over after a second."""
    signal.setitimer(signal.ITIMER_VIRTUAL, GIVEN_UP)
    try:
        return _cost(work)
    except TooLong:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def grows_too_fast(of_length: Callable[[int], Callable[[], object]], floor: float = FLOOR) -> bool:
    """Return whether the work on a long text takes far more than its share.

    The least of some tries counts, as another program can only make a try longer.
    """
    long, short = of_length(LONG), of_length(SHORT)
    slow = _first_cost(long)
    if slow < floor or slow == float("inf"):
        return slow >= floor
    shorts = min(_cost(lambda: [short() for _ in range(TIMES)]) for _ in range(3))
    return min(slow, _cost(long)) > MOST * max(shorts, TICK)


def _asked(one: Found, text: str) -> Callable[[], object]:
    """Return the asking of one pattern in its widest way."""
    if one.way == "search":
        return lambda: [None for _ in one.pattern.finditer(text)]
    return lambda: getattr(one.pattern, one.way)(text)


def _slow_patterns(patterns: list[Found]) -> Iterator[str]:
    signal.signal(signal.SIGVTALRM, _stop)
    for one in patterns:
        texts = zip(
            hostile_texts(one.pattern, SHORT), hostile_texts(one.pattern, LONG), strict=True
        )
        for pair in dict.fromkeys(texts):
            if grows_too_fast(lambda n, one=one, pair=pair: _asked(one, pair[n == LONG])):
                yield f"{one.name} ({one.way}) on {pair[0][:40]!r}..."
                break


def _tell(slow: Iterator[str]) -> None:
    if found := list(slow):
        raise AssertionError("\n".join(found))


def test_regular_expression_denial_of_service() -> None:
    """No pattern of any module tries every pair of places of a text made from its own parts."""
    patterns = every_pattern()
    assert len(patterns) > 100
    assert told_by(lambda: _tell(_slow_patterns(patterns)), seconds=30) == "read"


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"\s*(.+?)\s*:", r"<[^>]*>", r"x*x*x*y"])
def test_the_test_knows_a_slow_pattern(pattern: str) -> None:
    """What is known to be slow is found: exponential, cubic and, by its many beginnings, square."""
    one = Found(pattern, re.compile(pattern), {"search"})
    assert pattern in told_by(lambda: _tell(_slow_patterns([one])))


RUNS = (
    "a", " ", "\n", "-", "*", "a ", "1 ", "1-", "a.", ": ", "```\n", "{", "<", "((", "%4", "\\u",
    "ـ", "\u064b", "ا ", "لـ", "\u2068", "Selection: ", "\nSelection:", "\nاختيار: ", "اختـــ",
    "same depth ", "same ", "x" * 40 + "\n", "z. B. ", "a@a. ", "tel ", "اب ",
)  # fmt: skip
LABELS = {"a": ("(a+)+$", "[", "\\", "(?P<x>", "اختيار" + "ـ" * 20), "b": ("a " * 50 + "b",)}
TERMS = ("a", "اب", "a a a", "1-1-1", "لـ")
WATCHED = Watchlist.model_construct(
    name="w", edition="1", language="ar", title={},
    terms=tuple(Term(term=each, term_class="other") for each in TERMS),
)  # fmt: skip
LEAKING = LeakageList.model_construct(
    name="l", edition="1", language="en", title={}, words={},
    phrases=(
        LeakingPhrase.model_construct(
            id="p", forms=("same … depth", "a … b … a"), unless=("same … same",),
            test_types=("T1",),
        ),
    ),
)  # fmt: skip
WRITING = Writing.model_construct(abbreviations=("z. B.", "a.", "(a+)+$"), ordinals="yes")
NAMES = NameFinder(["a a", "Amal Aziz", "اب"])
WORK: dict[str, Callable[[str], object]] = {
    "fields": lambda text: find_fields(text, ("selection", "a", "b"), LABELS),
    "watchlist": lambda text: find_terms(text, WATCHED),
    "leakage": lambda text: find_leaks(text, [LEAKING], "T1"),
    "sentences": lambda text: split_sentences(text, WRITING),
    "slots": lambda text: find_slots(tokenise(text), "الابا"),
    "cells": lambda text: [ratings_in(text, mark) for mark in MARKS],
    "addresses": lambda text: list(addresses_in(text)),
    "codes": lambda text: [list(readings(text)), list(encoded(text))],
    "names": lambda text: NAMES.name_in(text.split(), text=text),
}


def _slow_work(name: str) -> Iterator[str]:
    signal.signal(signal.SIGVTALRM, _stop)
    for run in RUNS:
        if grows_too_fast(lambda n, run=run: lambda: WORK[name]((run * n)[: n // 4] + "!"), 0.1):
            yield f"{name} on {run[:20]!r}..."


@pytest.mark.parametrize("name", WORK)
def test_patterns_made_from_data(name: str) -> None:
    """What is sought with the words of a project is found at once, however the text looks."""
    assert told_by(lambda: _tell(_slow_work(name)), seconds=30) == "read"
