"""From a clean bank to a verified freeze, a withdrawal and a second freeze, by the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reviewkit.cli.app import main
from reviewkit.workspace import Workspace
from tests.release import small_bank
from tests.release.freeze import clean_bank


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Return a function that runs the command: (status, stdout, stderr)."""

    def run_command(ws: Workspace, *words: str) -> tuple[int, str, str]:
        monkeypatch.chdir(ws.root)
        monkeypatch.setattr(sys, "argv", ["reviewkit", *words])
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = int(ended.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return run_command


TO_PUBLISH = (
    "before a freeze that is to be published: nothing is sealed yet: draw with"
    " `reviewkit seal --seed WORD`\n"
    "before a freeze that is to be published: bank/statements/ is not filled in:"
    " `reviewkit publish --check` says where\n"
)
"""What a freeze says of a bank that is neither sealed nor stated; it holds nothing up."""


def test_from_review_to_a_verified_freeze(tmp_path: Path, run) -> None:
    """Two people review, one group is mended and judged again, a second review, a guide."""
    ws = clean_bank.lay(tmp_path / "project")
    assert run(ws, "freeze", "--check")[0] == 1
    clean_bank.review(ws, "amal", "T3-b")
    clean_bank.review(ws, "badr", "T3-b", "T3-c")
    status, out, _err = run(ws, "freeze", "--check")
    assert status == 1
    assert out == (
        "not-accepted: T3-b: its verdict is rejected; retire it, or mend it and have it judged"
        " again\n"
        f"1 obstacle\n{TO_PUBLISH}"
    )
    clean_bank.put(ws, small_bank.t3("T3-b", band="creative", stance="insider", theme="fairs"))
    ws.study_file("review").write_text(
        clean_bank.STUDY + '  - round: "2"\n    passes:\n      - {pass: again, rater: amal}\n',
        encoding="utf-8",
    )
    clean_bank.review(ws, "amal", pass_name="again")
    assert run(ws, "second-review", "start", "audit", "--rater", "cara", "--seed", "7")[0] == 0
    status, _out, err = run(ws, "freeze", "edition-1", "--name", "amal")
    assert status == 1
    assert "second-review-open: audit: " in err
    assert "1 thing stands in the way of edition-1" in err
    clean_bank.review(ws, "cara", study="audit")
    assert run(ws, "second-review", "close", "audit")[0] == 0
    assert run(ws, "ruling", "One place has one name.", "--check", "t1/one_variable")[0] == 0
    assert run(ws, "guide", "--publish", "--name", "amal")[0] == 0

    assert run(ws, "freeze", "--check")[1] == f"nothing stands in the way of a freeze\n{TO_PUBLISH}"
    status, out, err = run(ws, "freeze", "edition-1", "--name", "amal")
    assert (status, err) == (0, "")
    assert out.startswith("froze edition-1: 13 items on 7 groups\n")
    status, out, _err = run(ws, "verify", "freeze")
    assert (status, out.splitlines()[-1]) == (0, "sound: what was frozen is what is here")
    assert run(ws, "verify", "ledger")[0] == 0
    sums = ["sha256sum", "--quiet", "-c", "rulings/freezes/edition-1/SHA256SUMS"]
    assert subprocess.run(sums, cwd=ws.root, check=False).returncode == 0
    certificate = json.loads((ws.freezes / "edition-1" / "certificate.json").read_text("utf-8"))
    assert certificate["guide"]["edition"] == 1
    assert certificate["second_reviews"][0]["outcome"] == "within_bound"
    assert {tuple(each["between"]) for each in certificate["agreements"]} == {
        ("review/first", "review/second"), ("review/first", "audit/second")
    }  # fmt: skip

    status, out, _err = run(
        ws, "retract", "T2-b", "--reason", "the key was wrong", "--name", "amal"
    )
    assert status == 0
    assert "  directions with:against: 1:1, half and half -> 1:0, half and half\n" in out
    for command in ("amend", "deviation"):
        said = ("--reason", "r", "--effect", "e", "--name", "amal")
        assert run(ws, command, "The rubric is registered.", *said)[0] == 0
    assert "withdrawn since: T2-b" in run(ws, "verify", "freeze", "edition-1")[1]
    listed = json.loads(run(ws, "freeze", "--json")[1])
    assert [each["kind"] for each in listed[0]["since"]] == ["retraction", "amendment", "deviation"]

    status, _out, err = run(ws, "freeze", "edition-2", "--name", "amal")
    assert "retracted: T2-b: it was withdrawn from freeze edition-1" in err
    (ws.groups / "T2-b.yaml").unlink()
    status, out, _err = run(ws, "freeze", "edition-2", "--name", "amal")
    assert status == 0
    assert "  since edition-1: 0 groups added, 1 gone, 0 changed\n" in out
    status, out, err = run(ws, "verify", "freeze", "edition-1")
    assert status == 1
    assert "bank/groups/T2-b.yaml: is missing" in err
    assert "frozen since: edition-2" in out
    assert run(ws, "verify", "freeze")[0] == 0
    assert len(run(ws, "freeze")[1].splitlines()) == 2


def test_json_of_a_verification(frozen: Workspace, run) -> None:
    """A script reads what is changed, missing, added, and ends with the same status."""
    (frozen.groups / "T1-a.yaml").unlink()
    status, out, _err = run(frozen, "verify", "freeze", "one", "--json")
    found = json.loads(out)
    assert status == 1
    assert (found["freeze"], found["sound"], found["missing"]) == (
        "one", False, ["bank/groups/T1-a.yaml"]
    )  # fmt: skip
    assert run(frozen, "verify", "ledger", "one")[0] == 1


def test_what_is_missing_in_the_words(frozen: Workspace, run) -> None:
    """A freeze needs somebody who answers for it; pages that are right are not written."""
    status, _out, err = run(frozen, "freeze", "two")
    assert (status, err.splitlines()[0]) == (
        1, "--name: is not given; say who answers for the freeze"
    )  # fmt: skip
    assert run(frozen, "freeze", "--pages")[1] == "every page says what the log says\n"
