"""INCEpTION (and WebAnno): the export of a project, with a file a document and user.

``annotation/DOCUMENT/USER.EXT`` is a rater's, ``curation/DOCUMENT/CURATION_USER.EXT`` what a
curator settled. ``exportedproject*.json`` says who finished which document. Format: INCEpTION's
user guide, "Exports"; the annotations as WebAnno TSV 3 or UIMA CAS JSON.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tools.archives import Piece, unpacked
from reviewkit.agreement.label_files.tools.cas_json import cas_layers
from reviewkit.agreement.label_files.tools.gathered import Gathered
from reviewkit.agreement.label_files.tools.layers import Layers
from reviewkit.agreement.label_files.tools.markings import Marking
from reviewkit.agreement.label_files.tools.piece_texts import entries_in, text_in
from reviewkit.agreement.label_files.tools.records import objects_in, text_of
from reviewkit.agreement.label_files.tools.samples import Sample
from reviewkit.agreement.label_files.tools.webanno_tsv import MARK, tsv_layers
from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources.encodings import SIZE_LIMIT

_CURATOR, _INITIAL = "CURATION_USER", "INITIAL_CAS"
_FINISHED, _IGNORED = "FINISHED", "IGNORE"


def recognises(sample: Sample) -> bool:
    """Return whether a file is part of an export of INCEpTION."""
    return sample.start.startswith(MARK) or any(
        "annotation_documents" in each or "%FEATURE_STRUCTURES" in each or "_views" in each
        for each in sample.first
    )


@dataclass(frozen=True, slots=True)
class _File:
    """The annotations of one user in one document."""

    document: str
    user: str
    piece: Piece


def read(pieces: Sequence[Piece], shown: str, asked: Asked) -> Votes:
    """Return the votes of the raters who finished.

    Args:
        pieces: The files of the export.
        shown: The export as messages name it.
        asked: What was declared.

    Raises:
        ProblemsFound: When it holds no rater's annotations, or they are in a form that is not
            read.
    """
    gathered = Gathered(shown, asked, several_files=True)
    states = _states(pieces, gathered)
    found = list(_files(pieces, gathered))
    if not found:
        raise ProblemsFound([_nobody(pieces, shown)])
    if states is None:
        gathered.say(
            "The export does not say who finished (no exportedproject.json), so all annotations are"
            " read."
        )
    unread: Counter[str] = Counter()
    for each in found:
        state = "" if states is None else states.get((each.document, each.user), "NEW")
        if states is not None and state == _IGNORED:
            gathered.skip(each.document, each.user)
        elif states is not None and not state.endswith(_FINISHED):
            reason = f"a document that its rater did not finish ({state.lower()})"
            gathered.leave_out(reason, f"{each.document} of {each.user}")
        elif (layers := _layers(each.piece, gathered)) is None:
            unread[each.piece.ending or "no ending"] += 1
        else:
            _take(each, layers, gathered)
    if unread:
        kinds = ", ".join(f"{number} x {kind}" for kind, number in unread.items())
        wrong = f"holds annotations in a form that is not read ({kinds})"
        remedy = "export the project with the format UIMA CAS JSON or WebAnno TSV v3.3"
        raise ProblemsFound([Problem(shown, wrong, remedy)])
    return gathered.votes("INCEpTION: a file a document and rater")


def _states(pieces: Sequence[Piece], gathered: Gathered) -> dict[tuple[str, str], str] | None:
    """Return (document, user) -> state of the annotation; None when the export has no states."""
    states: dict[tuple[str, str], str] | None = None
    for piece in pieces:
        if piece.ending != ".json" or "/" in piece.name.partition("exportedproject")[2]:
            continue
        if not piece.name.rpartition("/")[2].startswith("exportedproject"):
            continue
        states = states or {}
        for entry in entries_in(piece, gathered):
            for each in objects_in(entry.value.get("annotation_documents")):
                key = (text_of(each.get("name")) or "", text_of(each.get("user")) or "")
                states[key] = (text_of(each.get("state")) or "NEW").upper()
    return states


def _files(pieces: Sequence[Piece], gathered: Gathered) -> Iterator[_File]:
    """Yield the annotations of each user; what a curator settled is set aside."""
    allowed = SIZE_LIMIT
    for piece in pieces:
        parts = PurePosixPath(piece.name).parts
        if "curation" in parts[:-2] or piece.stem == _CURATOR:
            gathered.set_aside("curation", "what a curator settled is no rating")
            continue
        at = next((at for at, part in enumerate(parts) if part == "annotation"), None)
        if at is None or piece.stem == _INITIAL:
            continue
        inside = parts[at + 1 :]
        if len(inside) < 2:
            continue
        document = "/".join(inside[:-1])
        if piece.ending == ".zip":
            found = unpacked(piece.read(), piece.shown, allowed) or ()
            # together they may hold what one archive may, or a small file of files has no end
            allowed -= sum(len(each.data) for each in found)
            for inner in found:
                # the archive holds one file of annotations, and perhaps their type system
                if inner.stem.lower() != "typesystem":
                    yield _File(document, piece.stem, inner)
            continue
        yield _File(document, piece.stem, piece)


def _nobody(pieces: Sequence[Piece], shown: str) -> Problem:
    if any(piece.stem == _CURATOR or "curation/" in piece.name for piece in pieces):
        wrong = "holds curated documents alone: what a curator settled, and no rater"
    else:
        wrong = "holds no annotations of a rater (annotation/DOCUMENT/USER.json or .tsv)"
    return Problem(shown, wrong, "export the whole project as UIMA CAS JSON or WebAnno TSV v3.3")


def _layers(piece: Piece, gathered: Gathered) -> Layers | None:
    """Return what is annotated; None when the form is not read."""
    if piece.ending == ".json":
        return cas_layers(text_in(piece, gathered), piece.shown)
    if piece.ending in (".tsv", ".txt"):
        text = text_in(piece, gathered)
        return tsv_layers(text, piece.shown) if text.startswith(MARK) else None
    return None


def _take(each: _File, layers: Layers, gathered: Gathered) -> None:
    fields = {"document": each.document}
    for reason in layers.left_out:
        gathered.leave_out(reason, each.piece.shown)
    of_document: dict[str, list[str]] = defaultdict(list)
    for question, label in layers.document:
        of_document[question].append(label)
    unit = gathered.unit(each.document, fields, each.piece.shown)
    if unit is None:
        return
    for question, labels in of_document.items():
        gathered.vote(unit, each.user, labels, each.piece.shown, question=question, fields=fields)
    for question, spans in layers.spans.items():
        gathered.mark(
            Marking(
                unit, each.user, tuple(spans), each.piece.shown, question=question, fields=fields,
                text=layers.text, length=layers.length,
            )
        )  # fmt: skip
