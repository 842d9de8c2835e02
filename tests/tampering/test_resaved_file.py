"""Threat: an editor or git saves a ledger anew, with other bytes around the records."""

from __future__ import annotations

import pytest

from reviewkit.decisions import LedgerBroken, verify_ledger


@pytest.mark.parametrize(
    ("save", "line", "said"),
    [
        (lambda raw: b"\xef\xbb\xbf" + raw, 1, "byte order mark"),
        (lambda raw: raw.replace(b"\n", b"\r\n"), 1, "CRLF"),
        (lambda raw: raw[:-1] + b"\r\n", 3, "CRLF"),
        (lambda raw: raw + b"\n", 4, "the line is blank"),
        (lambda raw: b"\n" + raw, 1, "the line is blank"),
        (lambda raw: raw.decode().encode("utf-16"), 1, "not UTF-8|not JSON"),
        (lambda raw: raw.replace(b"\n", b" \n", 1), 1, "not spelled as reviewkit writes it"),
        (lambda raw: b"[" * 100_000 + b"\n" + raw, 1, "not JSON"),
        (lambda raw: b"7\n" + raw, 1, "not a JSON object"),
    ],
)
def test_a_file_saved_anew(*, path, reopened, judged, save, line, said):
    """The first line with other bytes is named, nothing is mended or changed."""
    path.write_bytes(save(path.read_bytes()))
    before = path.read_bytes()
    with pytest.raises(LedgerBroken, match=rf"^first/amal\.jsonl:{line}: .*({said})"):
        reopened().append(judged(4))
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir() if "torn" in each.name] == []
    assert not verify_ledger(path).sound
