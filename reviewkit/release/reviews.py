"""Where every group stands in the study of record."""

from __future__ import annotations

from collections.abc import Iterator

from reviewkit.authoring.standing import State
from reviewkit.bank import Group
from reviewkit.release.findings import Finding, of_bank, of_group
from reviewkit.release.material import Material

_CODES: dict[State, str] = {
    "unreviewed": "unreviewed",
    "skipped": "unreviewed",
    "changed": "review-stale",
    "reviewed": "verdicts-withheld",
    "needs_fix": "needs-fix",
    "rejected": "rejected-present",
    "excluded": "rejected-present",
}


_OUT: tuple[State, ...] = ("rejected", "excluded")
REJECTED = "rejected"
"""How the field ``status`` of a file says that a group or an item was rejected."""


def check_reviews(material: Material) -> Iterator[Finding]:
    """Yield groups that are not accepted as they are, by what keeps them from it."""
    standings = material.standings
    for group in material.groups:
        # what the study rejects is told below; what it accepts is accepted, whatever the file says
        if standings.of(group.template_id).state not in (*_OUT, "accepted") and _is_rejected(group):
            yield of_group("rejected-present", group, said="status in the file")
    if not standings.study:
        several = ", ".join(standings.several)
        yield of_bank("no-study-of-record", f"several claim to be: {several}" if several else "")
        return
    for group in material.groups:
        standing = standings.of(group.template_id)
        code = _CODES.get(standing.state)
        if code is not None:
            said = standing.state if standing.state in ("skipped", "excluded") else ""
            counts = {"failed checks": len(standing.failed)} if standing.failed else None
            yield of_group(code, group, counts=counts, said=said)


def _is_rejected(group: Group) -> bool:
    stated = (group.status, *(item.status for item in group.items))
    return any(each is not None and each.strip().casefold() == REJECTED for each in stated)
