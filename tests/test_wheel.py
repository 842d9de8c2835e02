"""The built wheel is whole: a project folder can be laid and checked from it alone."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.kernel
def test_a_project_is_laid_from_the_wheel(tmp_path: Path) -> None:
    """Assets, forms, notebook, app and demo bank are inside, and the command works from it."""
    subprocess.run(
        [
            sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "--no-build-isolation",
            "--quiet", "--disable-pip-version-check", "-w", str(tmp_path),
        ],
        check=True,
    )  # fmt: skip
    wheel = next(tmp_path.glob("*.whl"))
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    assert not list(unpacked.rglob("planted.yaml"))
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}

    def run(*words: str, cwd: Path = tmp_path, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "reviewkit.cli.app", *words],
            cwd=cwd, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stderr
        return done.stdout

    run("init", "project", "--demo")
    assert "58 items on 25 groups" in run("check", cwd=tmp_path / "project")
    for name in ("06_audit", "07_worklist", "08_guide"):
        assert (tmp_path / "project" / "notebooks" / f"{name}.ipynb").is_file()
    labels = tmp_path / "project" / "notebooks" / "labels" / "votes.csv"
    assert ".rka-report" in run("agree", str(labels), "--html")
    austria, new = tmp_path / "austria", tmp_path / "new"
    run("init", "austria", "--example", "german")
    assert "40 items on 14 groups" in run("check", cwd=austria)
    assert "No hard findings" in run("audit", cwd=austria)
    run("init", "new", "--instantiation")
    assert "my-society: " in run("instantiation", cwd=new, status=1)
    (new / "bank" / "axes.yaml").unlink()
    assert "laid" in run("init", "--instantiation", cwd=new)
    assert (new / "bank" / "axes.yaml").is_file()
    for project in (austria, new, tmp_path / "project"):
        assert "Author guide" in run("guide", "--md", cwd=project)
        run("guide", "--publish", "--name", "amal", cwd=project)
        assert (project / "rulings" / "guides" / "edition-01" / "author-guide.en.html").is_file()
        assert (project / "checklists" / "defects" / "families.yaml").is_file()
        assert "<!doctype html>" in run("worklist", "--html", cwd=project)
        run("publish", "--slots", cwd=project)
        assert len(list((project / "bank" / "statements").glob("*.md"))) == 4
    code = (
        "import reviewkit, reviewkit.desk.widget as w; print(reviewkit.__file__);"
        "assert 'export default' in w.Desk._esm; assert '.rk-root' in w.Desk._css;"
        "import reviewkit.desk.author_pages as p; assert 'export default' in p.pages_script();"
        "assert p.PageWording('ar').page_strings(); p.audit_page()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip().startswith(str(unpacked))
