"""The layers of a document in INCEpTION: places and labels, by layer and feature."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from reviewkit.agreement.label_files.tools.markings import Span, utf_16_length

_GIVEN = ("segmentation.type.", "metadata.type.", "uima.tcas.", "uima.cas.", "inception.internal")
"""What the text came with, and nobody annotates."""
PRESENT = "marked"
"""The label of a place in a layer without features."""


@dataclass(slots=True)
class Layers:
    """What one user annotated in one document."""

    text: str = ""
    """The text, when its places count characters."""
    length: int | None = None
    """How long it is, as INCEpTION counts."""
    spans: dict[str, list[Span]] = field(default_factory=lambda: defaultdict(list))
    """Layer and feature -> marked places."""
    document: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """(layer and feature, label) of the whole document."""
    left_out: list[str] = field(default_factory=list[str])

    def of_text(self, text: str) -> None:
        """Take the text, which is kept only where places counted in 16-bit units fit it."""
        self.length = utf_16_length(text)
        self.text = text if self.length == len(text) else ""


def question_of(layer: str, feature: str) -> str:
    """Return how a layer and its feature are called: ``NamedEntity.value``."""
    short = layer.rpartition(".")[2]
    return f"{short}.{feature}" if feature else short


def is_given(layer: str) -> bool:
    """Return whether a layer came with the text, as words and sentences do."""
    return any(part in layer for part in _GIVEN)
