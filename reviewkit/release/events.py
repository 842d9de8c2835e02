"""Whether T4 groups rest on a documented event and a whole watchlist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reviewkit.bank import Group, Reference
from reviewkit.cards import is_stub
from reviewkit.release.findings import Finding, of_group
from reviewkit.release.material import Material

NEEDED_CLASSES = ("neutral", "loaded_a", "loaded_b", "other")
"""A proper name there may be, where the event has one."""


def check_events(material: Material) -> Iterator[Finding]:
    """Yield groups whose event is missing, unregistered, unsourced or unverified."""
    registry = material.bank.registry
    for group in material.groups:
        if group.event_ref is None:
            if group.test_type == "T4":
                yield of_group("event-missing", group)
            continue
        entry = registry.get(group.event_ref)
        if entry is None:
            yield of_group("event-unregistered", group, said=group.event_ref)
        elif is_stub(entry.primary_source) or is_stub(entry.fact_statement):
            yield of_group("event-unsourced", group, said=group.event_ref)
        elif not _is_verified(entry):
            yield of_group("event-unverified", group, said=group.event_ref)


def _is_verified(entry: Reference) -> bool:
    return bool((entry.verified_by or "").strip()) and entry.verified_on is not None


def check_watchlists(material: Material) -> Iterator[Finding]:
    """Yield T4 groups without a watchlist, or with one that is not wholly classed."""
    for group in material.of_type("T4"):
        if not group.term_watchlist:
            yield of_group("watchlist-missing", group)
        else:
            yield from _classes(group)


def _classes(group: Group) -> Iterator[Finding]:
    found = Counter(term.term_class for term in group.term_watchlist)
    if found["pending"]:
        yield of_group("term-pending", group, counts={"terms": found["pending"]})
    lacking = [name for name in NEEDED_CLASSES if not found[name]]
    if lacking:
        yield of_group("watchlist-classes", group, said=f"no {', no '.join(lacking)}")
