"""``voila_apps/apps.yaml``: which notebook is served to whom, and at which address."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, model_validator

from reviewkit.problems import ReviewkitError
from reviewkit.sources import build, load_yaml, told
from reviewkit.study.roles import Role
from reviewkit.workspace import Workspace, shipped


class AppUnknown(ReviewkitError):
    """``apps.yaml`` names no such app."""


class AppFileMissing(ReviewkitError):
    """A file that is part of the app is nowhere to be found."""


class OutsideOfProject(ReviewkitError):
    """A file that is to be served lies elsewhere on the machine."""


class AppEntry(BaseModel):
    """One app of ``apps.yaml``: which notebook, for whom, under which title."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    notebook: Annotated[str, StringConstraints(pattern=r"^notebooks/[A-Za-z0-9][A-Za-z0-9._-]*$")]
    roles: tuple[Role, ...]
    title: dict[str, str]
    address: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z-]*$")] | None = None
    """Where it stands below the address of the study; without one it is its roles' own page."""


class Apps(BaseModel):
    """The whole of ``apps.yaml``."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    apps: dict[str, AppEntry]

    @model_validator(mode="after")
    def _addresses_differ(self) -> Apps:
        first: dict[str, str] = {}
        for name, entry in self.apps.items():
            if entry.address and (other := first.setdefault(entry.address, name)) != name:
                wrong = f"{other} and {name} both stand at {entry.address!r}"
                raise told(wrong, "give each an address of its own", ("apps", name, "address"))
        return self


def project_file(ws: Workspace, name: str) -> Path:
    """Return a file of the project folder or, where it has none, the one that was installed.

    Raises AppFileMissing when there is neither, OutsideOfProject for a name or link that leads out.
    """
    top, _, below = name.partition("/")
    for path, within in ((ws.root / name, ws.root), (shipped(top) / below, shipped(top))):
        if path.is_file():
            if not path.resolve().is_relative_to(within.resolve()):
                raise OutsideOfProject(
                    f"{name}: lies outside of {ws.root}, by its name or by a symbolic link;"
                    " put the file itself into the project folder"
                )
            return path
    raise AppFileMissing(f"{ws.root}: no {name} here; lay the project folder with `reviewkit init`")


@dataclass(frozen=True, slots=True)
class ServedApps:
    """What is served: each role's own page, and the pages that stand at an address of their own."""

    own: dict[Role, AppEntry]
    beside: dict[str, AppEntry]
    """Address -> its app."""

    @property
    def served(self) -> tuple[AppEntry, ...]:
        """Every app that somebody may open."""
        return (*self.own.values(), *self.beside.values())


def lead_addresses(ws: Workspace) -> frozenset[str]:
    """Return the addresses that the lead's link opens beside the board; raises ProblemsFound.

    An ``apps.yaml`` that was laid before there were such pages names none.
    """
    path = project_file(ws, "voila_apps/apps.yaml")
    apps = build(load_yaml(path, ws.shown(path)), Apps).apps
    return frozenset(
        each.address for each in apps.values() if each.address and "lead" in each.roles
    )


def load_apps(ws: Workspace, for_raters: str) -> ServedApps:
    """Return the app of each role, raters get the one that is named, and the apps beside them.

    Raises AppUnknown or ProblemsFound.
    """
    path = project_file(ws, "voila_apps/apps.yaml")
    apps = build(load_yaml(path, ws.shown(path)), Apps).apps
    beside = {entry.address: entry for entry in apps.values() if entry.address}
    apps = {name: entry for name, entry in apps.items() if not entry.address}
    mine = [name for name, entry in apps.items() if "rater" in entry.roles]
    if for_raters not in mine:
        raise AppUnknown(
            f"{ws.shown(path)}: no app {for_raters!r} for raters; use one of {', '.join(mine)}"
        )
    found: dict[Role, AppEntry] = {}
    for entry in apps.values():
        for role in entry.roles:
            found.setdefault(role, entry)
    return ServedApps({**found, "rater": apps[for_raters]}, beside)
