"""Python, the packages and their byte code."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion

from reviewkit import __version__
from reviewkit.desk.doctor.finding import Finding, fault, ok, some_of, warning

AGAIN = "install it again: `pip install -e .` in the checkout of reviewkit"
OF_A_KERNEL = (
    "reviewkit", "IPython", "anywidget", "ipykernel", "ipywidgets", "jupyter_client", "pydantic",
    "tornado", "traitlets", "zmq",
)  # fmt: skip
"""What an ordinary kernel imports when it starts."""
FEW = 0.05
"""A share of modules without byte code that costs nothing: those that nobody imports."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package that reviewkit needs: the range of its versions and the one that is here."""

    name: str
    wanted: str
    installed: str | None


@dataclass(frozen=True, slots=True)
class Installation:
    """What is installed; ``version`` is None where reviewkit itself is not."""

    version: str | None
    python: str
    """The versions of Python that the installed package takes."""
    packages: tuple[Package, ...]


@dataclass(frozen=True, slots=True)
class Compiled:
    """How many modules of a package have no byte code that Python would take."""

    package: str
    folder: str
    modules: int
    missing: int


def look_installation(*, database: bool) -> Installation:
    """Read the metadata of what is installed; the packages of a database only if there is one."""
    try:
        here = metadata.distribution("reviewkit")
    except metadata.PackageNotFoundError:
        return Installation(None, "", ())
    needed = map(Requirement, here.requires or ())
    extras = ("", "postgres") if database else ("",)
    packages = tuple(
        Package(each.name, str(each.specifier), _version(each.name))
        for each in needed
        if each.marker is None or any(each.marker.evaluate({"extra": name}) for name in extras)
    )
    return Installation(here.version, str(here.metadata["Requires-Python"] or ""), packages)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def check_python(wanted: str, version: str, platform: str) -> Finding:
    """Say whether this Python, on this system, runs reviewkit."""
    if platform == "win32":
        return fault("python", f"{version} on Windows", "use Linux or macOS, or WSL on Windows")
    if not _within(version, wanted):
        return fault(
            "python", f"{version}, and reviewkit takes {wanted}",
            "make an environment with such a Python and install reviewkit there",
        )  # fmt: skip
    return ok("python", version)


def check_packages(here: Installation, running: str = __version__) -> Iterator[Finding]:
    """Name each package that is missing or out of its range."""
    if here.version is None:
        yield fault("packages", "reviewkit itself is not installed in this Python", AGAIN)
        return
    if here.version != running:
        yield warning(
            "packages", f"reviewkit {here.version} is installed, and {running} is running", AGAIN
        )
    wrong = [each for each in here.packages if not _within(each.installed, each.wanted)]
    for each in wrong:
        found = f"is {each.installed}" if each.installed else "is not installed"
        yield fault(
            "packages",
            f"{each.name} {found}, and reviewkit takes {each.wanted or 'any'}",
            f"pip install '{each.name}{each.wanted}'",
        )
    if not wrong:
        yield ok("packages", f"{len(here.packages)} packages are within their ranges")


def _within(version: str | None, wanted: str) -> bool:
    if not version:
        return False
    try:
        return SpecifierSet(wanted).contains(version, prereleases=True)
    except InvalidVersion:
        return False


def look_compiled(names: Sequence[str] = OF_A_KERNEL) -> tuple[Compiled, ...]:
    """Count modules and byte code of packages, without importing any."""
    found: list[Compiled] = []
    for name in names:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.origin or not spec.origin.endswith("__init__.py"):
            continue
        folder = Path(spec.origin).parent
        sources = [path for path in folder.rglob("*.py") if "tests" not in path.parts]
        missing = sum(not _has_byte_code(path) for path in sources)
        found.append(Compiled(name, str(folder), len(sources), missing))
    return tuple(found)


def _has_byte_code(source: Path) -> bool:
    """Return whether there is byte code of this very source, as Python's importer decides it."""
    try:
        with Path(importlib.util.cache_from_source(str(source))).open("rb") as file:
            head = file.read(16)
        there = source.stat()
    except (OSError, NotImplementedError):
        return False
    if head[:4] != importlib.util.MAGIC_NUMBER:
        return False
    changed, size = (int.from_bytes(head[at : at + 4], "little") for at in (8, 12))
    by_digest = head[4] & 1
    return bool(by_digest) or (
        changed == int(there.st_mtime) & 0xFFFFFFFF and size == there.st_size & 0xFFFFFFFF
    )


def check_compiled(packages: Sequence[Compiled]) -> Finding:
    """Say whether kernels would have to compile what they import."""
    bare = [each for each in packages if each.missing > FEW * each.modules]
    if not bare:
        modules = sum(each.modules for each in packages)
        return ok("byte code", f"{len(packages)} packages, {modules} modules are compiled")
    told = some_of([f"{each.package} ({each.missing} of {each.modules})" for each in bare], 5)
    folders = " ".join(each.folder for each in bare)
    return warning(
        "byte code",
        f"modules without byte code, which costs each ordinary kernel up to 2 s: {told}",
        f"{sys.executable} -m compileall -q {folders}",
    )
