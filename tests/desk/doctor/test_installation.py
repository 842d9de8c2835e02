"""What the doctor says of Python, packages and byte code, from facts alone."""

from __future__ import annotations

import py_compile
import sys
from pathlib import Path

import pytest

from reviewkit.desk.doctor.finding import State
from reviewkit.desk.doctor.installation import (
    Compiled,
    Installation,
    Package,
    check_compiled,
    check_packages,
    check_python,
    look_compiled,
    look_installation,
)


@pytest.mark.parametrize(
    ("version", "platform", "state"),
    [
        ("3.11.7", "linux", State.OK),
        ("3.14.0rc1", "darwin", State.OK),
        ("3.10.14", "linux", State.FAULT),
        ("3.12.1", "win32", State.FAULT),
    ],
)
def test_python(version: str, platform: str, state: State) -> None:
    """Too old a Python, and a system without POSIX, are faults."""
    found = check_python(">=3.11", version, platform)
    assert found.state is state
    assert version in found.found
    assert bool(found.remedy) is (state is not State.OK)


def test_each_package_out_of_its_range_is_named() -> None:
    """Missing, too old, and of no version that can be read; the others are left out."""
    here = Installation(
        "0.1",
        ">=3.11",
        (
            Package("good", ">=1,<2", "1.5"),
            Package("any", "", "7"),
            Package("gone", ">=1", None),
            Package("old", ">=2,<3", "1.9"),
            Package("odd", ">=2", "what is this"),
        ),
    )
    found = list(check_packages(here, "0.1"))
    assert [each.state for each in found] == [State.FAULT] * 3
    assert [each.found.split()[0] for each in found] == ["gone", "old", "odd"]
    assert found[1].remedy == "pip install 'old>=2,<3'"
    (good,) = check_packages(Installation("0.1", "", here.packages[:2]), "0.1")
    assert good.state is State.OK


def test_an_installation_that_is_not_what_runs() -> None:
    """Metadata of another version, or none at all, are said."""
    said = list(check_packages(Installation("0.1", "", ()), "0.2"))
    assert [each.state for each in said] == [State.WARNING, State.OK]
    assert [each.state for each in check_packages(Installation(None, "", ()))] == [State.FAULT]


def test_the_packages_of_a_database_count_only_where_there_is_one() -> None:
    """Read from the real metadata."""
    names = {each.name for each in look_installation(database=False).packages}
    assert "voila" in names
    assert "hatchling" not in names
    more = {each.name for each in look_installation(database=True).packages}
    assert {name.lower() for name in more - names} == {"psycopg", "sqlalchemy"}


def test_byte_code_is_of_the_source_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that was edited after it was compiled counts as one without byte code."""
    package = tmp_path / "some_package_of_the_doctor"
    package.mkdir()
    for name in ("__init__", "one"):
        (package / f"{name}.py").write_text("X = 1\n", encoding="utf-8")
        py_compile.compile(str(package / f"{name}.py"))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (found,) = look_compiled((package.name, "no_such_package_at_all"))
    assert (found.modules, found.missing) == (2, 0)
    (package / "one.py").write_text("X = 2222\n", encoding="utf-8")
    (found,) = look_compiled((package.name,))
    assert (found.modules, found.missing) == (2, 1)
    warned = check_compiled([found])
    assert warned.state is State.WARNING
    assert f"compileall -q {package}" in warned.remedy


def test_a_few_modules_that_nobody_imports_do_not_matter() -> None:
    """Five in a hundred may lack byte code."""
    assert check_compiled([Compiled("p", "/p", 100, 5)]).state is State.OK
    assert check_compiled([Compiled("p", "/p", 100, 6)]).state is State.WARNING
