"""What was published: ``rulings/publications.jsonl``, a chained file.

What is out cannot be taken back: a group that was published public can never be sealed, and one
that was held back as sealed must never become public without anybody noticing. So every publication
leaves on record which groups were which.
"""

from __future__ import annotations

import secrets
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from pydantic import Field

from reviewkit.bank.items import Id
from reviewkit.decisions import Chain, ChainLine, Report, disk, verify_chain
from reviewkit.decisions.lines import Digest
from reviewkit.release.drawing_layers import Layer
from reviewkit.workspace import Workspace

GROUPS_A_LINE = 4_000
"""A record is a line of bounded length; a large bank takes several."""


class PublicationLine(ChainLine):
    """A part of one publication; most have a single part."""

    publication: Annotated[int, Field(ge=1)]
    """Counted from 1; all parts of a publication have its number."""
    freeze: str = ""
    """The freeze it carries the certificate of."""
    public_digest: Digest
    """The digest of the public groups, as ``public_digest`` computes it."""
    sums: Digest
    """The SHA-256 of its SHA256SUMS file, which covers every other file."""
    public: tuple[Id, ...] = ()
    sealed: tuple[Id, ...] = ()


def _chain(path: Path, shown: str) -> Chain[PublicationLine]:
    return Chain(path, shown, PublicationLine)


def publication_lines(ws: Workspace) -> tuple[PublicationLine, ...]:
    """Return every line on record; raises LedgerBroken when the file is damaged."""
    path = ws.publications
    return _chain(path, ws.shown(path)).lines() if path.exists() else ()


def layers_published(ws: Workspace) -> dict[str, Layer]:
    """Return template id -> layer for every group of any publication.

    Public wins: what was public once is known for ever.
    """
    lines = publication_lines(ws)
    found: dict[str, Layer] = {name: "sealed" for line in lines for name in line.sealed}
    shown: dict[str, Layer] = {name: "public" for line in lines for name in line.public}
    return found | shown


@contextmanager
def deciding_layers(ws: Workspace) -> Generator[None]:
    """Keep other processes from sealing and from recording a publication meanwhile."""
    with disk.exclusive(ws.publications.with_suffix(""), ws.shown(ws.publications)):
        yield


def record_publication(
    ws: Workspace, *, freeze: str, public_digest: str, sums: str,
    public: Iterable[str], sealed: Iterable[str],
) -> int:  # fmt: skip
    """Append a publication, and return its number; the caller holds ``deciding_layers``."""
    path = ws.publications
    chain = _chain(path, ws.shown(path))
    number = 1 + max((line.publication for line in publication_lines(ws)), default=0)
    shared = {
        "publication": number, "freeze": freeze, "public_digest": public_digest, "sums": sums,
    }  # fmt: skip
    chunks = [
        *(("public", part) for part in _parts(sorted(public))),
        *(("sealed", part) for part in _parts(sorted(sealed))),
    ]
    for layer, names in chunks:
        chain.append({**shared, "click_id": secrets.token_hex(8), layer: names})
    return number


def _parts(names: Sequence[str]) -> Iterator[list[str]]:
    for at in range(0, len(names), GROUPS_A_LINE):
        yield list(names[at : at + GROUPS_A_LINE])


def verify_publications(path: Path, shown: str) -> Report:
    """Check every line of the record of publications; faults are in the report, none is raised."""
    return verify_chain(_chain(path, shown))
