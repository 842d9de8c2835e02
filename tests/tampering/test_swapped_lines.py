"""Threat: lines of a ledger change places, or one is put in twice."""

from __future__ import annotations

import pytest

from reviewkit.decisions import LedgerBroken


@pytest.mark.parametrize(
    ("order", "line"),
    [((1, 0, 2), 1), ((0, 2, 1), 2), ((2, 1, 0), 1), ((0, 1, 1, 2), 3), ((0, 1, 2, 2), 4)],
)
def test_lines_out_of_order(path, reopened, judged, order, line):
    """The first line that is out of its place is named and nothing is changed."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[place] for place in order))
    before = path.read_bytes()
    with pytest.raises(LedgerBroken, match=rf":{line}: the line holds record .* moved"):
        reopened().append(judged(4))
    assert path.read_bytes() == before
