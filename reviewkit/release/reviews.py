"""Where every group stands in the study of record."""

from __future__ import annotations

from collections.abc import Iterator

from reviewkit.authoring.standing import State
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


def check_reviews(material: Material) -> Iterator[Finding]:
    """Yield groups that are not accepted as they are, by what keeps them from it."""
    standings = material.standings
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
