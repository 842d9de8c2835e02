"""Calls that turn data into code, or a temporary file into a race: none stands in the package."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import reviewkit
from reviewkit.decisions.stores import store_of
from reviewkit.decisions.stores.store_of import sql_store
from reviewkit.desk.server.identity import load_secret
from reviewkit.study.links import link_book
from reviewkit.workspace import Workspace

PACKAGE = Path(reviewkit.__file__).parent
FORBIDDEN_MODULES = {
    "pickle",
    "cPickle",
    "dill",
    "cloudpickle",
    "marshal",
    "shelve",
    "joblib",
    "code",
}
FORBIDDEN_CALLS = {
    "eval", "exec", "__import__", "compile",
    "os.system", "os.popen", "os.spawnl", "os.spawnv", "os.execl", "subprocess.getoutput",
    "subprocess.getstatusoutput", "asyncio.create_subprocess_shell", "tempfile.mktemp",
    "yaml.load", "yaml.load_all", "yaml.full_load", "yaml.unsafe_load", "builtins.eval",
}  # fmt: skip
LITERALS_OF_PYTHON = {
    "agreement/label_files/tables/cells.py", "bank/item_sets/cells.py",
}  # fmt: skip
"""Cells that hold a Python list are read with ``ast.literal_eval``, which runs nothing."""

OWN_BYTES_ALONE = {("sources/kept.py", "marshal")}
"""What reads bytes that the same process wrote and kept in its memory, never those of a file."""


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_name(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _faults(tree: ast.AST, file: str) -> Iterator[str]:
    for node in ast.walk(tree):
        at = f"{file}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Import):
            yield from (f"{at} import {each.name}" for each in node.names
                        if each.name.split(".")[0] in FORBIDDEN_MODULES
                        and (file, each.name) not in OWN_BYTES_ALONE)  # fmt: skip
        elif isinstance(node, ast.ImportFrom):
            if (node.module or "").split(".")[0] in FORBIDDEN_MODULES:
                yield f"{at} from {node.module}"
        elif isinstance(node, ast.Call):
            yield from (f"{at} {each}" for each in _of_call(node, file))


def _of_call(node: ast.Call, file: str) -> Iterator[str]:
    name = _name(node.func)
    if name in FORBIDDEN_CALLS:
        yield name
    if name.endswith("literal_eval") and file not in LITERALS_OF_PYTHON:
        yield name
    for each in node.keywords:
        constant = each.value.value if isinstance(each.value, ast.Constant) else None
        if each.arg == "shell" and constant is not False:
            yield f"{name}(shell=...)"
        if each.arg == "autoescape" and constant is False:
            yield f"{name}(autoescape=False)"
    if name.endswith("Environment") and "jinja2" in name + file and not any(
        each.arg == "autoescape" for each in node.keywords
    ):  # fmt: skip
        yield f"{name} without autoescape"
    if name in ("yaml.parse", "yaml.compose", "yaml.scan"):
        loader = next((each.value for each in node.keywords if each.arg == "Loader"), None)
        if loader is None:
            yield f"{name} without a loader"


def test_code_injection_by_calls_that_run_data() -> None:
    """No module unpickles, evaluates, runs a shell, loads YAML objects or guesses a file name."""
    faults = [
        fault
        for path in sorted(PACKAGE.rglob("*.py"))
        for fault in _faults(
            ast.parse(path.read_text(encoding="utf-8")), path.relative_to(PACKAGE).as_posix()
        )
    ]
    assert faults == []


def test_the_walk_sees_what_is_forbidden() -> None:
    """The walk that looks for such calls finds each of them, so that silence means something."""
    text = (
        "import pickle\nfrom marshal import loads\neval('1')\nos.system('x')\n"
        "subprocess.run('x', shell=True)\nyaml.load(x)\ntempfile.mktemp()\nyaml.parse(x)\n"
        "jinja2.Environment()\nEnvironment(autoescape=False)\nast.literal_eval(x)\n"
    )
    assert len(list(_faults(ast.parse(text), "some.py"))) == len(text.splitlines())


def test_world_readable_secret(tmp_path: Path) -> None:
    """Secrets are made with rights for their owner alone, whatever the umask says."""
    for folder in ("bank", "checklists"):
        (tmp_path / folder).mkdir()
    ws = Workspace(tmp_path)
    before = os.umask(0)
    try:
        load_secret(ws.shown(ws.secret), store_of(ws).kept)
        link_book(ws).make("demo", "first", "amal")
        shared = sql_store(ws, f"sqlite:///{tmp_path / 'rulings.db'}")
        load_secret(ws.shown(ws.secret), shared.kept)
    finally:
        os.umask(before)
    assert (tmp_path / "rulings.db").stat().st_size
    open_to_others = {
        f"{path.name} {path.stat().st_mode & 0o777:o}"
        for path in (ws.private, *ws.private.iterdir(), *tmp_path.glob("rulings.db*"))
        if path.stat().st_mode & 0o077 and not path.name.endswith(".lock")
    }
    assert open_to_others == set()
