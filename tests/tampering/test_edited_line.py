"""Threat: somebody edits a line of a ledger by hand."""

from __future__ import annotations

import pytest

from reviewkit.decisions import LedgerBroken, verify_ledger


@pytest.mark.parametrize("line", [1, 2, 3])
@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (b'"needs_fix"', b'"rejected"', "does not match its own digest"),
        (b'"one_variable":"no"', b'"one_variable":"yes"', "does not match its own digest"),
        ("كلمتان".encode(), "كلمتين".encode(), "does not match its own digest"),
        (b'":', b'": ', "not spelled as reviewkit writes it"),
        (b'{"answers"', b'{"answers":{},"answers"', "not spelled as reviewkit writes it"),
        (b"0.0", b"NaN", "does not match its own digest"),
        (b"}", b"", "not JSON"),
        ("كلمتان".encode(), "كلمتان".encode()[:-1], "not UTF-8 at byte"),
    ],
)
def test_an_edited_line_stops_everything(*, path, reopened, judged, line, before, after, said):
    """Any edit of any whole line stops reading and writing, names the line, changes nothing."""
    lines = path.read_bytes().splitlines(keepends=True)
    assert before in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(before, after, 1)
    path.write_bytes(b"".join(lines))
    tampered = path.read_bytes()
    with pytest.raises(
        LedgerBroken, match=rf"^first/amal\.jsonl:{line}: .*{said}.*reviewkit verify"
    ):
        reopened().records()
    with pytest.raises(LedgerBroken):
        reopened().append(judged(4))
    assert path.read_bytes() == tampered
    report = verify_ledger(path, "first/amal.jsonl")
    assert not report.sound
    assert report.records == line - 1
    assert report.problems[0].where == f"first/amal.jsonl:{line}"
