"""Whether a prompt gives away what it is built to observe, or names the event in loaded words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reviewkit.bank import Group, Term, Watchlist, find_terms
from reviewkit.bank.leakage import find_leaks
from reviewkit.release.findings import Finding, of_bank, of_group
from reviewkit.release.material import Material

OBSERVED = ("T1", "T3", "T4")
"""The test types whose prompts can give away what is observed; a T2 key is no secret criterion."""


def check_leakage(material: Material) -> Iterator[Finding]:
    """Yield groups with a phrase of the lists in a prompt; the ids of the phrases are counted.

    Languages of prompts that no list is for are told first: there nothing was looked for.
    """
    listed = {each.language for each in material.leakage}
    spoken = {item.language for group in material.of_type(*OBSERVED) for item in group.items}
    unlisted = (spoken & set(material.taxonomy.languages)) - listed
    if unlisted:
        yield of_bank("leakage-missing", f"for {', '.join(sorted(unlisted))}")
    concerned = {
        test_type
        for each in material.leakage
        for phrase in each.phrases
        for test_type in phrase.test_types
    }
    for group in material.of_type(*concerned):
        phrases: Counter[str] = Counter()
        items: list[str] = []
        for item in group.items:
            text = "\n".join(part for part in (item.text, item.context, item.question) if part)
            found = find_leaks(text, material.leakage, group.test_type)
            phrases.update(leak.phrase for leak in found)
            if found:
                items.append(item.id)
        if items:
            yield of_group("criterion-leakage", group, items, dict(sorted(phrases.items())))


def check_terms(material: Material) -> Iterator[Finding]:
    """Yield T4 groups whose prompt holds a term of their own watchlist, counted by class."""
    for group in material.of_type("T4"):
        if not group.term_watchlist:
            continue
        classes = {each.term: each.term_class for each in group.term_watchlist}
        watchlist = _as_watchlist(group)
        found: Counter[str] = Counter()
        items: list[str] = []
        for item in group.items:
            matches = find_terms(item.text or "", watchlist)
            found.update(classes[match.term] for match in matches)
            if matches:
                items.append(item.id)
        if items:
            yield of_group("term-in-prompt", group, items, dict(sorted(found.items())))


def _as_watchlist(group: Group) -> Watchlist:
    """Return the terms of a group, pending ones too, as what ``find_terms`` takes."""
    terms = tuple(
        Term.model_construct(term=each.term, term_class="other", also=())
        for each in group.term_watchlist
    )
    return Watchlist.model_construct(
        name="group", edition="1", language=group.items[0].language, title={}, terms=terms
    )
