"""Files that a bank refuses, each with the sentences it gets."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reviewkit.bank import load_bank
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace
from tests.bank.example_bank import T1

BROKEN = Path(__file__).parents[1] / "broken" / "bank"
FILES = sorted(path for path in BROKEN.iterdir() if path.suffix in (".yaml", ".jsonl"))


def refusals(ws: Workspace) -> list[str]:
    """Return the sentences with which a bank is refused."""
    with pytest.raises(ProblemsFound) as refused:
        load_bank(ws)
    return [str(problem) for problem in refused.value.problems]


@pytest.mark.parametrize("broken", FILES, ids=lambda path: path.name)
def test_broken_file_gets_its_sentences(broken: Path, ws: Workspace) -> None:
    """Every broken file, beside good ones, is refused with exactly the sentences beside it."""
    copy = ws.groups / broken.name
    shutil.copy(broken, copy)
    before = copy.read_bytes()
    expected = broken.with_name(f"{broken.stem}.expected.txt").read_text(encoding="utf-8")
    assert refusals(ws) == expected.splitlines()
    assert copy.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\xef\xbb\xbf" + T1.encode(),
         "1: begins with a byte order mark; save it as UTF-8 without a BOM"),
        (T1.replace("\n", "\r\n").encode(),
         "1: has a line end with CR; save the file with LF line ends"),
        (T1.encode("utf-16"), "1: is UTF-16; save the file as UTF-8"),
        (T1.encode().replace(b"short", b"sh\xe9rt", 1),
         "7: is not UTF-8 (byte 0xe9); save the file as UTF-8"),
    ],
    ids=["bom", "crlf", "utf-16", "latin-1"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["T1-001.yaml", "T1-001.jsonl"])
def test_bytes_that_are_not_plain_utf8(
    ws: Workspace, name: str, content: bytes, expected: str
) -> None:
    """A byte order mark, CRLF or another encoding is refused by name; the file stays as it was."""
    (ws.groups / "T1-001.yaml").unlink()
    path = ws.groups / name
    path.write_bytes(content)
    assert refusals(ws) == [f"bank/groups/{name}:{expected}"]
    assert path.read_bytes() == content
