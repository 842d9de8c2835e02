"""Whether a database is that of this project folder: looked at once, when it is opened.

A database holds one project. It has an id, which its ``rulings/store.yaml`` repeats; and since that
file may be copied into another folder by mistake, the studies are looked at too.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from reviewkit.decisions.stores.store_file import StoreUnusable
from reviewkit.decisions.stores.tables import LINES, STORE
from reviewkit.workspace import Workspace


def must_be_ours(ws: Workspace, project: str, connection: Connection, shown: str) -> None:
    """Raise StoreUnusable when the database is another project's, or has lost what it held.

    Args:
        ws: the project folder.
        project: the id in its ``rulings/store.yaml``; empty when there is none.
        connection: to the database.
        shown: the database as messages name it.
    """
    must_have_id(ws, project, connection.execute(select(STORE.c.project)).scalar(), shown)
    studies = [path.parent.name for path in ws.rulings.glob("*/study.yaml")]
    if not studies or any(_has_lines(connection, f"{ws.shown(ws.rulings)}/{s}/") for s in studies):
        return
    foreign = _a_line(connection, f"{ws.shown(ws.rulings)}/")
    if foreign is not None:
        raise StoreUnusable(
            f"{shown}: it holds ledgers of study {foreign.split('/')[1]}, and none of a study of"
            " this folder; pull the newest state of the project, or, when this is another project,"
            f" give it a database of its own and name that in {ws.shown(ws.store_file)}"
        )


def must_have_id(ws: Workspace, ours: str, theirs: str | None, shown: str) -> None:
    """Raise StoreUnusable unless the id of the folder is that of the database."""
    if ours == (theirs or ""):
        return
    file = ws.shown(ws.store_file)
    if theirs is None:
        raise StoreUnusable(
            f"{shown}: it is not the database of this project, which has id {ours} in {file}: it is"
            " new or was emptied; restore it from a backup, mend the address, or fill it from the"
            " files of this folder with `reviewkit ledger copy --to-database --switch`"
        )
    said = f"{file} says {ours}" if ours else f"{file} names no project"
    raise StoreUnusable(
        f"{shown}: it belongs to the project with id {theirs}, and {said}; give each project a"
        f" database of its own, or, when this folder is a checkout of that project, pull its {file}"
    )


def _has_lines(connection: Connection, start: str) -> bool:
    return _a_line(connection, start) is not None


def _a_line(connection: Connection, start: str) -> str | None:
    """Return a name below ``start`` that is not directly in ``rulings/``."""
    query = select(LINES.c.name).where(
        func.substr(LINES.c.name, 1, len(start)) == start, LINES.c.name.like("%/%/%")
    )
    return connection.execute(query.limit(1)).scalar()
