"""Who has every file can forge all of them but the certificate whose digest was given out."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from reviewkit.release.freeze import FreezeRefused, freeze, verify_freeze
from reviewkit.release.freeze.log import freeze_chain
from reviewkit.workspace import Workspace


def _recorded_anew(ws: Workspace, **changes: object) -> None:
    """Write the log of freezes anew, so that it agrees with the folder as it is now."""
    line = json.loads(ws.freeze_log.read_text(encoding="utf-8"))
    folder = ws.freezes / line["freeze"]
    files = {name: _sum(folder / name) for name in line["files"]}
    kept = {key: line[key] for key in ("click_id", "kind", "freeze", "name", "bank_digest")}
    time = str(changes.pop("time", line["time"]))
    ws.freeze_log.unlink()
    freeze_chain(ws, lambda: time).append({**kept, "files": files, **changes})


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_page_that_lies_is_found(frozen: Workspace) -> None:
    """Log and page agree, and the certificate, whose digest is known, says otherwise."""
    before = verify_freeze(frozen)
    page = frozen.freezes / "one" / "CERTIFICATE.md"
    page.write_text(page.read_text(encoding="utf-8") + "\nAll is well.\n", encoding="utf-8")
    _recorded_anew(frozen)
    found = verify_freeze(frozen)
    assert found.certificate == before.certificate
    assert [f"{each.where}: {each.wrong}" for each in found.problems] == [
        "rulings/freezes/one/certificate.json: was made of another CERTIFICATE.md than there is"
    ]


def test_a_record_with_another_day_is_found(frozen: Workspace) -> None:
    """The certificate says when it was made; who made it stands in the record alone."""
    _recorded_anew(frozen, time="2001-01-01T00:00:00.000Z")
    (problem,) = verify_freeze(frozen).problems
    assert problem.where == "rulings/freezes/log.jsonl"
    assert problem.wrong.startswith("its record names 2001-01-01, the certificate ")


def test_a_bank_that_was_forged_throughout_has_another_certificate(frozen: Workspace) -> None:
    """File, sums, certificate, page and log changed alike: only the digest tells."""
    before = verify_freeze(frozen)
    folder = frozen.freezes / "one"
    frozen.plan.write_text(frozen.plan.read_text(encoding="utf-8") + "# x\n", encoding="utf-8")
    sums = folder / "SHA256SUMS"
    lines = [each[66:] for each in sums.read_text(encoding="utf-8").splitlines()]
    text = "".join(f"{_sum(frozen.root / each)}  {each}\n" for each in lines)
    sums.write_text(text, encoding="utf-8")
    certificate = folder / "certificate.json"
    old = json.loads(certificate.read_bytes())["sums_digest"]
    page = folder / "CERTIFICATE.md"
    page_before = _sum(page)
    for path in (page, certificate):
        said = path.read_text(encoding="utf-8").replace(old, _sum(sums))
        path.write_text(said.replace(page_before, _sum(page)), encoding="utf-8")
    _recorded_anew(frozen)
    found = verify_freeze(frozen)
    assert found.sound
    assert found.certificate != before.certificate
    assert found.certificate == _sum(certificate)


@pytest.mark.parametrize("name", ["CON", "nul", "aux.txt", "Com1", "lpt9.a", "one.", "a.."])
def test_names_that_are_no_folder_elsewhere_are_refused(frozen: Workspace, name: str) -> None:
    """A checkout on another system could not hold them."""
    with pytest.raises(FreezeRefused, match="on every system"):
        freeze(frozen, name, name="amal")


def test_a_clock_that_was_set_back_freezes_nothing(frozen: Workspace) -> None:
    """The log would say that the later freeze was the earlier one."""
    with pytest.raises(FreezeRefused, match="set the clock"):
        freeze(frozen, "two", name="amal", clock=lambda: "1999-01-01T00:00:00.000Z")
    assert not (frozen.freezes / "two").exists()
