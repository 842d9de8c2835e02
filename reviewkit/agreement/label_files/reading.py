"""From files of labels to ratings and a report: ``read("labels.csv").report()``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import is_zipfile

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.copied import copied_hints, identical_hints
from reviewkit.agreement.label_files.counted import counted_question, understanding_of_counts
from reviewkit.agreement.label_files.hints import (
    boolean_hints,
    cluster_hints,
    id_hints,
    nothing_shared,
    sum_hints,
    transposed_hint,
)
from reviewkit.agreement.label_files.people import of_people
from reviewkit.agreement.label_files.questions import FILE, Question, questions_of
from reviewkit.agreement.label_files.reported import MOST_LISTED, Parts, disagreements_of
from reviewkit.agreement.label_files.scheme import (
    Collapse,
    Scheme,
    collapse_of,
    load_scheme,
    scheme_of_codebook,
)
from reviewkit.agreement.label_files.together import Together, together
from reviewkit.agreement.label_files.understanding import paired, understanding
from reviewkit.agreement.label_files.votes import Counted, Votes
from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.measures.ratings import Ratings
from reviewkit.agreement.reporting.model import AgreementReport, Disagreement, Excluded
from reviewkit.agreement.reporting.printed import listed
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import collect

if TYPE_CHECKING:
    from reviewkit.agreement.label_files.tables.delimited import TextTable

FilePath = str | Path
LONGEST = 10_000
"""No label or name has so many characters."""
MOST_ASIDE = 6
"""So many names that are no raters are told in a refusal."""


@dataclass(frozen=True)
class Reading:
    """What one or several files of labels hold, ready to be measured."""

    understood: tuple[str, ...]
    """What the files were taken to be, in sentences; the first says how much can be compared."""
    asked_questions: tuple[Question, ...]
    """Each question with its collapses and the parts that were asked for."""
    warnings: tuple[str, ...] = ()
    """What looks like a slip and was not changed."""
    files: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    """Columns whose parts are compared."""
    title: str = ""

    @property
    def questions(self) -> tuple[Ratings, ...]:
        """The ratings of each question; a file that asks one thing has one."""
        return tuple(each.ratings for each in self.asked_questions)

    @property
    def excluded(self) -> dict[str, tuple[Excluded, ...]]:
        """Question -> the units of which no two ratings can be compared, with the reason."""
        return {each.ratings.question: each.excluded for each in self.asked_questions}

    @property
    def raters(self) -> tuple[str, ...]:
        """Every rater of any question; empty when nobody knows who rated."""
        return tuple(dict.fromkeys(name for each in self.questions for name in each.raters))

    def disagreements(self) -> tuple[Disagreement, ...]:
        """Return every unit on which ratings differ, in the order of the file."""
        return tuple(disagreements_of(self.asked_questions, self.raters))

    def report(self, settings: Settings | None = None) -> AgreementReport:
        """Return the report on agreement: every coefficient, with intervals, on every part.

        Args:
            settings: How to measure. A level in them goes before the level of the scheme.

        Raises:
            ProblemsFound: When the labels cannot carry the level that was asked for.
        """
        parts = Parts(settings or Settings(), self.compare)
        parts.take(self.asked_questions)
        listed = tuple(disagreements_of(self.asked_questions, self.raters, MOST_LISTED))
        understood = self.understood
        if len(listed) == MOST_LISTED:
            understood += (f"Only the first {MOST_LISTED:,} disagreements are listed.",)
        return AgreementReport(
            title=self.title or f"Agreement in {_named(self.files)}",
            raters=self.raters,
            understood=understood,
            parts=tuple(parts.parts),
            notices=self.warnings,
            differences=tuple(parts.differences()) if parts.to_compare else (),
            disagreements=listed,
            facts={"files": list(self.files)},
        )

    def _repr_html_(self) -> str:
        from reviewkit.agreement.reporting.page import html_fragment  # noqa: PLC0415

        return html_fragment(self.report())


def read(
    *paths: FilePath,
    scheme: FilePath | Scheme | None = None,
    codebook: str | None = None,
    forms: Path | None = None,
    collapse: str | Collapse | Iterable[str | Collapse] = (),
    level: str | None = None,
    title: str = "",
    **asked: Any,
) -> Reading:
    """Read labels that several people gave to the same units.

    Args:
        paths: One file, a file a rater, the parts of a table, or the folder or archive that another
            tool exported.
        scheme: The categories and what belongs to them: a YAML file, or a ``Scheme``.
        codebook: A field of one of our codebooks instead: ``rationale@1:rationale``.
        forms: Where that codebook lies; without it, ``checklists/`` of the project folder.
        collapse: Coarser readings: ``accepted=a,b;other=c``.
        level: Krippendorff's level: ``nominal``, ``ordinal``, ``interval``, ``ratio``; of sets
            ``jaccard`` or ``masi``.
        title: What the report is called.
        asked: Everything else that may be declared, named as in ``Asked``: ``unit="id"``,
            ``raters=("ann", "bob")``, ``missing=("NA",)``.

    Raises:
        ProblemsFound: With every fault of every file, or the readings among which a person must
            choose and the option that does.
    """
    if not paths:
        raise ProblemsFound([Problem("files", "none is named", "name a file of labels")])
    how = Asked.of(**asked, level=level)
    declared = _scheme(scheme, codebook, forms).and_declared(
        categories=how.categories, level=level, missing=how.missing, cluster=how.cluster,
        gold=how.gold, collapses=_collapses(collapse),
    )  # fmt: skip
    how = replace(
        how, categories=declared.categories, missing=declared.missing, gold=declared.gold,
        cluster=declared.cluster or None,
    )  # fmt: skip
    empty, held = _empty_ones([Path(each) for each in paths])
    found = _open(held, how)
    named = tuple(str(path) for path in paths)
    votes = [each for each in found if isinstance(each, Votes)]
    counts = [each for each in found if isinstance(each, Counted)]
    if counts:
        reading = _of_counts(counts, votes, how, declared, named)
    else:
        reading = _of_votes(votes, how, declared, named)
    told = tuple(f"{each} is empty and no rater's file." for each in empty)
    understood = (*reading.understood, *told)
    compare = tuple("question" if name == how.question else name for name in how.compare)
    return replace(reading, understood=understood, compare=compare, title=title)


def _empty_ones(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Return the files without content among several, and the others.

    A tool that writes a file for each user writes one for those who rated nothing.
    """
    empty = [path for path in paths if path.is_file() and not path.stat().st_size]
    if len(empty) == len(paths):
        return [], list(paths)
    return empty, [path for path in paths if path not in empty]


def _open(paths: Sequence[Path], asked: Asked) -> list[Votes | Counted]:
    """Return what each path holds; plain tables are looked at together."""
    from reviewkit.agreement.label_files.tables.own_exports import (  # noqa: PLC0415
        of_own_exports,
    )
    from reviewkit.agreement.label_files.tables.shapes import (  # noqa: PLC0415
        guess_shape,
        guess_shapes,
        votes_of,
    )

    opened: list[Votes | TextTable] = []
    with collect() as faults:
        for path in paths:
            one = faults.attempt(_opened, path, asked)
            if one is not None:
                opened.append(one)
    tables = [each for each in opened if not isinstance(each, Votes)]
    asked = of_own_exports(tables, asked)
    if FILE in (*asked.by, *asked.compare):
        # a file is then a part with all its raters, and none is the file of one rater
        shapes = iter([guess_shape(each, asked) for each in tables])
    else:
        shapes = iter(guess_shapes(tables, asked) if tables else ())
    found: list[Votes | Counted] = []
    with collect() as faults:
        for each in opened:
            one = each if isinstance(each, Votes) else None
            if not isinstance(each, Votes):
                one = faults.attempt(votes_of, each, next(shapes), asked)
            if one is not None:
                found.append(one)
    return found


def _opened(path: Path, asked: Asked) -> Votes | TextTable:
    """Return the votes in the export of a tool, or the table that a plain file holds."""
    from reviewkit.agreement.label_files.tables.delimited import read_delimited  # noqa: PLC0415
    from reviewkit.agreement.label_files.tools.recognised import read_tool, recognise  # noqa: PLC0415

    if not path.exists():
        raise ProblemsFound([Problem(str(path), "does not exist", "correct the name")])
    if not path.is_dir() and not path.is_file():
        wrong = "is no regular file, and what a pipe or device holds is gone once it is looked at"
        raise ProblemsFound([Problem(str(path), wrong, "save it to a file and name that")])
    # who declares a shape knows the file better than its looks tell
    tool = None if asked.shape is not None and path.is_file() else recognise(path)
    if tool is not None:
        return read_tool(path, tool, asked)
    if path.is_dir():
        wrong = "is a folder, and no export of a tool that is known here"
        raise ProblemsFound([Problem(str(path), wrong, f"name its files: {path}/*.csv")])
    if path.suffix.lower() == ".zip":
        raise ProblemsFound([_archive(path)])
    return read_delimited(
        path, str(path), encoding=asked.encoding, delimiter=asked.delimiter, sheet=asked.sheet
    )


def _archive(path: Path) -> Problem:
    """Return why an archive is not read that is no export of a tool."""
    if not is_zipfile(path):
        wrong = "is called an archive and is none"
        return Problem(str(path), wrong, "export it again, or give it the ending of what it is")
    wrong = "is an archive, and no export of a tool that is known here"
    return Problem(str(path), wrong, "unpack it and name the files in it")


def _of_votes(
    votes: Sequence[Votes], asked: Asked, scheme: Scheme, files: tuple[str, ...]
) -> Reading:
    joined = of_people(together(votes, (*asked.missing, *asked.skipped)), asked)
    _not_empty(joined.votes)
    _no_texts(joined)
    found = questions_of(joined, asked, scheme)
    if not found.questions:
        raise ProblemsFound([_no_label(joined.votes)])
    told = understanding(joined, found.pivots, cluster=found.cluster, dropped=found.dropped)
    hints: list[Callable[[Ratings], tuple[str, ...]]] = [
        boolean_hints, identical_hints, copied_hints,
    ]  # fmt: skip
    if joined.votes.shape.startswith("wide:"):
        hints.insert(0, lambda ratings: transposed_hint(ratings, "rater-rows"))
    elif asked.shape == "rater-rows":
        hints.insert(0, lambda ratings: transposed_hint(ratings, "wide"))
    of_ids = id_hints(joined.votes)
    if not of_ids and not any(paired(each.ratings) for each in found.questions):
        of_ids = nothing_shared(joined.votes)
    warnings = [
        *_unknown_gold(joined.votes, asked),
        *sum_hints(joined.votes),
        *of_ids,
        *(text for each in found.questions for hint in hints for text in hint(each.ratings)),
    ]
    if not found.cluster:
        told += cluster_hints(joined.votes)
    skipped = tuple(
        Excluded(each.reason, each.count, each.examples) for each in joined.votes.skipped
    )
    questions = tuple(
        replace(each, excluded=(*each.excluded, *skipped)) for each in found.questions
    )
    return Reading(told, questions, tuple(dict.fromkeys(warnings)), files)


def _unknown_gold(votes: Votes, asked: Asked) -> list[str]:
    """Return what is declared gold and is no column or rater: a slip would leave it a rater."""
    known = {*votes.raters_set_aside, *votes.more}
    return [
        f"{name!r} is declared gold, and {votes.shown} has no column or rater of this name."
        for name in asked.gold
        if name not in known
    ]


def _of_counts(
    counts: Sequence[Counted],
    votes: Sequence[Votes],
    asked: Asked,
    scheme: Scheme,
    files: tuple[str, ...],
) -> Reading:
    if len(counts) + len(votes) > 1:
        wrong = "holds counts, which cannot be joined with another file"
        raise ProblemsFound([Problem(each.shown, wrong, "read it alone") for each in counts])
    question = counted_question(counts[0], asked, scheme)
    return Reading(understanding_of_counts(counts[0], question), (question,), (), files)


def _scheme(scheme: FilePath | Scheme | None, codebook: str | None, forms: Path | None) -> Scheme:
    if scheme is not None and codebook is not None:
        wrong = "a scheme and a codebook are named"
        raise ProblemsFound([Problem("--codebook", wrong, "name one of the two")])
    if codebook is not None:
        from reviewkit.workspace import find_workspace  # noqa: PLC0415

        return scheme_of_codebook(codebook, forms or find_workspace().checklists)
    if scheme is None:
        return Scheme()
    return scheme if isinstance(scheme, Scheme) else load_scheme(Path(scheme))


def _collapses(given: str | Collapse | Iterable[str | Collapse]) -> list[Collapse]:
    each_given = [given] if isinstance(given, str | Collapse) else list(given)
    with collect() as faults:
        found = [
            each if isinstance(each, Collapse) else faults.attempt(collapse_of, each)
            for each in each_given
        ]
    return [each for each in found if each is not None]


def _not_empty(votes: Votes) -> None:
    """Raise the likely cause when no vote is left; an empty report would look like a result."""
    if not len(votes.label) or not (votes.label.codes >= 0).any():
        raise ProblemsFound([_no_label(votes)])


def _no_texts(files: Together) -> None:
    """Raise the place of a label or name so long that it is a text: no report could show it."""
    votes = files.votes
    problems: list[Problem] = []
    # a unit may be named by its text, and a text may be long
    for what, column in (("label", votes.label), ("rater", votes.rater)):
        long = [at for at, each in enumerate(column.values) if len(each) > LONGEST]
        for at in long[:MOST_ASIDE]:
            row = int((column.codes == at).argmax())
            wrong = f"holds a {what} of {len(column.values[at]):,} characters, which is a text"
            remedy = f"name another column in --{what}, or shorten it to {LONGEST:,}"
            problems.append(Problem(f"{files.where(row)} {what}", wrong, remedy))
    if problems:
        raise ProblemsFound(problems)


def _no_label(votes: Votes) -> Problem:
    told = [f"{each.count:,} x {each.reason}" for each in (*votes.left_out, *votes.skipped)]
    aside = [f"{name!r} is no rater: {why}" for name, why in votes.raters_set_aside.items()]
    if told or aside:
        wrong = f"holds no label that counts ({'; '.join([*told, *aside[:MOST_ASIDE]])})"
        remedy = "export it again with what was left out, or correct it"
        if aside:
            remedy += "; name a rater that was set aside in --raters if it is one"
        return Problem(votes.shown, wrong, remedy)
    wrong = f"was read as {votes.shape} and holds no label: every cell is blank or missing"
    remedy = (
        "look whether the export was limited to approved, submitted or finished work, whether the"
        " labels stand in another column (--label, --raters), or whether --missing names a label"
    )
    return Problem(votes.shown, wrong, remedy)


def _named(files: Sequence[str]) -> str:
    names = [Path(each).name or Path(each).resolve().name for each in files]
    if len(names) <= 3:
        return listed(names)
    return f"{len(names)} files ({', '.join(names[:3])}, …)"
