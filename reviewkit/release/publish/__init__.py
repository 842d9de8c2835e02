"""Publishing: the public tier alone, under pseudonyms, looked through before it goes out."""

from reviewkit.release.publish.publication import (
    FolderInTheWay,
    Prepared,
    Publication,
    prepare,
    publish,
    try_to_publish,
)
from reviewkit.release.publish.statements import lay_slots, to_do_before_a_freeze

__all__ = [
    "FolderInTheWay", "Prepared", "Publication", "lay_slots", "prepare", "publish",
    "to_do_before_a_freeze", "try_to_publish",
]  # fmt: skip
