"""What an archive says of itself: its last member, written when everything else is in it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, StringConstraints

MANIFEST = "reviewkit-backup.json"
TOPS = ("bank", "checklists", "rulings", "notebooks", "voila_apps", ".reviewkit")
"""The folders that an archive may lay; a member elsewhere was put there by somebody else."""
GZIP_HEADER = bytes.fromhex("1f8b08000000000000ff")
"""Every archive begins with it: a flipped byte here would be seen by no checksum of gzip."""


class ArchivedFile(BaseModel):
    """One file of the archive."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    size: Annotated[int, Field(ge=0)]
    """Bytes."""
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Manifest(BaseModel):
    """The whole archive."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    backup: Literal[1] = 1
    """The version of this format."""
    reviewkit: Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z.+-]{1,40}$")]
    """Which reviewkit made it."""
    made: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")]
    """UTC, when it was begun: every record acknowledged before is in it."""
    secrets: bool
    """Whether links, the cookie secret and the key of pseudonyms are in it."""
    database: bool
    """Whether lines and values came from a database; they are files here."""
    files: Annotated[list[ArchivedFile], FailFast()]
