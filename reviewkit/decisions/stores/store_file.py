"""``rulings/store.yaml``: the address of the database that several servers share."""

from __future__ import annotations

import os
import re
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.sources import Source, build, load_yaml, told
from reviewkit.workspace import Workspace

SCHEMES = ("postgresql+psycopg", "postgresql", "sqlite")
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_KINDS = (
    "write postgresql+psycopg://USER@HOST/DATABASE or sqlite:///FILE.db, or ${VARIABLE} for the"
    " whole of it"
)


class StoreUnusable(ReviewkitError):
    """The configured database cannot be used as it is."""


class MustBeFiles(ReviewkitError):
    """A command seals files, and what it would seal stands in a database."""


def _url(text: str) -> str:
    if _VARIABLE.fullmatch(text):
        return text
    wrong = _fault(text)
    if wrong:
        raise told(*wrong)
    if has_password(text):
        raise told(
            "the address holds a password, and this file is in git",
            "take it out and change it in the database; give it in PGPASSWORD or ~/.pgpass, or"
            " write ${VARIABLE} for the whole address",
        )
    return text


def _fault(text: str) -> tuple[str, str] | None:
    """Return what is wrong with an address and what to do; it is never quoted."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return "this is no address of a database", _KINDS
    if parts.scheme not in SCHEMES or "://" not in text:
        return "this is no address of a PostgreSQL or SQLite database", _KINDS
    if parts.scheme == "sqlite":
        if parts.netloc or parts.query or parts.fragment or not parts.path.strip("/"):
            return (
                "a SQLite address names one file",
                "write sqlite:///FILE.db, or sqlite:////PATH/FILE.db",
            )
    elif not parts.path.strip("/"):
        return "the address names no database", "write postgresql+psycopg://USER@HOST/DATABASE"
    return None


def has_password(url: str) -> bool:
    """Return whether an address carries a password."""
    parts = urlsplit(url)
    if "@" in parts.netloc and ":" in parts.netloc.rpartition("@")[0]:
        return True
    return any("password" in name.lower() for name, _ in parse_qsl(parts.query))


class StoreFile(BaseModel):
    """The fields of ``rulings/store.yaml``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: Annotated[str, AfterValidator(_url)]
    """The database; ``${VARIABLE}`` takes the whole address from the environment."""
    project: Annotated[str, Field(pattern="^[A-Za-z0-9-]*$", max_length=64)] = ""
    """The id of the project, which its database has too."""


def load_store_url(ws: Workspace) -> str | None:
    """Return the address of the database, or None when the folder keeps files."""
    found = load_store_file(ws)
    return None if found is None else found.url


def load_store_file(ws: Workspace) -> StoreFile | None:
    """Return what the file says, with the whole address; None when the folder keeps files.

    Raises ProblemsFound with file and line.
    """
    shown = ws.shown(ws.store_file)
    if not os.path.lexists(ws.store_file):
        return None
    source = load_yaml(ws.store_file, shown)
    found = build(source, StoreFile)
    return found.model_copy(update={"url": _resolved(ws, found.url, source)})


def _resolved(ws: Workspace, url: str, source: Source) -> str:
    variable = _VARIABLE.fullmatch(url)
    if variable:
        name = variable[1]
        url = os.environ.get(name, "")
        wrong = _fault(url) if url else (f"{name} is not set", f"set {name} to the address")
        if wrong:
            said = wrong[0] if not url else f"in {name}: {wrong[0]}"
            raise ProblemsFound([Problem(source.where(("url",)), said, wrong[1])])
    return absolute_url(ws, url)


def absolute_url(ws: Workspace, url: str) -> str:
    """Return an address whose driver is named and whose SQLite file counts from the folder."""
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite":
        # after the empty host comes a slash; one more begins a path from the root
        return f"sqlite:///{ws.root / rest[1:]}"
    return f"postgresql+psycopg://{rest}"


def checked_url(ws: Workspace, url: str) -> str:
    """Return an address given on a command line as ``load_store_url`` does; ProblemsFound."""
    wrong = _fault(url)
    if wrong is None and has_password(url):
        wrong = (
            "everybody on the machine can see a command line, and this address holds a password",
            "give it in PGPASSWORD or ~/.pgpass",
        )
    if wrong:
        raise ProblemsFound([Problem("--to-database", *wrong)])
    return absolute_url(ws, url)


def shown_url(url: str) -> str:
    """Return an address as messages name it: without account, password or settings."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme.partition('+')[0]}://{host}{parts.path}"


def store_file_text(url: str, project: str = "") -> str:
    """Return the file that names a database; the address is quoted so that YAML keeps it."""
    quoted = url.replace("'", "''")
    return (
        "# What people write stands in this database, shared by every server: docs/many-machines.md"
        f"\nurl: '{quoted}'\n" + (f"project: '{project}'\n" if project else "")
    )


def must_be_files(ws: Workspace, doing: str) -> None:
    """Raise MustBeFiles when a database is configured: what is sealed must be in the folder."""
    if os.path.lexists(ws.store_file):
        raise MustBeFiles(
            f"{ws.shown(ws.store_file)}: {doing} seals files, and what people wrote stands in a"
            " database; copy it back first with `reviewkit ledger copy --from-database --switch`"
        )
