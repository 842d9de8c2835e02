"""``reviewkit doctor`` as people run it: on a folder that is well, and on one that is not."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reviewkit.workspace import Workspace


def _doctor(folder: Path, *words: str) -> tuple[int, str, str]:
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "reviewkit.cli.app", "doctor", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    return ran.returncode, ran.stdout, ran.stderr


def _states(out: str) -> dict[str, set[str]]:
    checks: list[dict[str, Any]] = json.loads(out)["checks"]
    found: dict[str, set[str]] = {}
    for each in checks:
        assert each["found"]
        assert bool(each["remedy"]) is (each["state"] != "ok")
        found.setdefault(each["check"], set()).add(each["state"])
    return found


@pytest.mark.process
def test_a_fresh_folder_is_well(demo: Workspace) -> None:
    """Every check has a line, none is a fault, nothing is left behind, nothing heavy is loaded."""
    before = sorted(demo.root.rglob("*"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    status, out, err = _doctor(demo.root, "demo", "--port", port, "--raters", "2", "--json")
    assert status == 0, out
    states = _states(out)
    assert set(states) == {
        "python", "packages", "byte code", "kernels", "memory", "limits", "temporary folder",
        "fonts", f"port {port}", "folder rights", "private folder", "disk", "file system",
        "file locking", "fsync", "clock", "git", "servers",
    }  # fmt: skip
    assert not any("fault" in each for each in states.values())
    assert sorted(demo.root.rglob("*")) == before
    loaded = {line.rpartition("|")[2].strip() for line in err.splitlines() if "|" in line}
    assert "reviewkit.desk.doctor.examine" in loaded
    assert not loaded & {"pandas", "numpy", "scipy", "matplotlib", "voila", "sqlalchemy"}


@pytest.mark.process
def test_a_broken_folder_has_all_its_faults_named_at_once(demo: Workspace) -> None:
    """A held port, rights, secrets, a clock, a study file, a database that is away: one run."""
    demo.bank.chmod(0o777)
    demo.private.mkdir(mode=0o700)
    demo.secret.write_text("secret", encoding="utf-8")
    demo.secret.chmod(0o644)
    ledger = demo.ledger("demo", "first", "amal")
    ledger.parent.mkdir()
    ledger.write_text('{"time": "2099-12-31T10:00:00Z"}\n', encoding="utf-8")
    study = demo.study_file("demo")
    study.write_text(study.read_text("utf-8").replace("rounds:", "raunds:"), encoding="utf-8")
    demo.servers.mkdir(mode=0o700)
    (demo.servers / "1-1.json").write_text("{}", encoding="utf-8")
    (demo.servers / "1-1.json").chmod(0o600)
    (demo.rulings / "store.yaml").write_text("url: nonsense\n", encoding="utf-8")
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = str(holder.getsockname()[1])
        status, out, _ = _doctor(demo.root, "--port", port, "--raters", "2")
    assert status == 1
    lines = out.splitlines()
    faults = [each.removeprefix("fault").strip() for each in lines if each.startswith("fault")]
    named = "\n".join(faults)
    for check, words in (
        (f"port {port}", f"(process {os.getpid()})"),
        ("folder rights", "can change: bank"),
        ("private folder", ".reviewkit/secret"),
        ("clock", "rulings/demo/first/amal.jsonl"),
        ("study", "raunds"),
        ("database", "rulings/store.yaml"),
    ):
        assert any(line.startswith(check) and words in line for line in faults), (check, named)
    assert "warning  servers" in out
    assert lines[-1].endswith(f"{len(faults)} faults")


def test_bad_arguments_say_what_to_do(run, demo: Workspace) -> None:
    """A study that is not there, a port that is none, nobody."""
    status, _, err = run("doctor", "nobody-knows")
    assert status == 1
    assert "no study 'nobody-knows'" in err
    assert "it has demo" in err
    for words in (("--port", "70000"), ("--raters", "0"), ("--port", "http")):
        status, _, err = run("doctor", *words)
        assert status == 2
        assert words[0] in err


def test_without_a_project_folder_the_machine_is_looked_at(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That there is no folder is one fault beside the lines on Python and memory."""
    monkeypatch.chdir(tmp_path)
    status, out, _ = run("doctor", "--port", "1", "--json")
    assert status == 1
    states = _states(out)
    assert states["project folder"] == {"fault"}
    assert states["python"] == {"ok"}
    assert "reviewkit init" in out
