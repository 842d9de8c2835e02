"""The report on the passes of a study: verdicts and checks, or codings, of any number of passes."""

from __future__ import annotations

from dataclasses import dataclass

from reviewkit.agreement.measures.estimates import Settings
from reviewkit.agreement.of_study.candidates import candidates
from reviewkit.agreement.of_study.checklist_questions import ACCEPTED, POOLED, WHOLE, reviewed
from reviewkit.agreement.of_study.coding_questions import coded
from reviewkit.agreement.of_study.consistency import consistency, unlocked
from reviewkit.agreement.of_study.disagreements import coding_disagreements, review_disagreements
from reviewkit.agreement.of_study.material import Material
from reviewkit.agreement.of_study.over_time import over_time
from reviewkit.agreement.of_study.parts import Measuring, Splits, splits_of
from reviewkit.agreement.of_study.question import Question, headline
from reviewkit.agreement.of_study.reading import read_material
from reviewkit.agreement.of_study.rounds import chosen_rounds, compare_natures, compare_rounds
from reviewkit.agreement.of_study.understood import understood
from reviewkit.agreement.reporting.model import AgreementReport, Disagreement
from reviewkit.study import Study
from reviewkit.workspace import Workspace


@dataclass(frozen=True, slots=True)
class StudyAsked:
    """What a lead may ask of a report on a study."""

    by: tuple[str, ...] = ()
    """Columns of the cards to split by; domain and register when none is named."""
    cluster: str | None = None
    """The column that intervals are clustered over; what cards share when none is named."""
    compare: tuple[str, ...] = ()
    """Other rounds to compare with; every open one when none is named."""
    title: str = ""


def study_report(
    ws: Workspace, study: Study, round_name: str | None = None,
    settings: Settings | None = None, asked: StudyAsked | None = None,
) -> AgreementReport:  # fmt: skip
    """Return how far the passes of a round agree; the last round when none is named.

    Raises LabelsClosed while labels are closed or when fewer than two passes take part,
    ProblemsFound when study, bank, table, forms or what was asked are at fault.
    """
    return passes_report(read_material(ws, study, round_name), settings, asked)


def passes_report(
    material: Material, settings: Settings | None = None, asked: StudyAsked | None = None
) -> AgreementReport:
    """Return how far the passes of a round agree, with everything that it rests on.

    Verdicts are compared as given and as accepted or not; check decisions pooled, by nature, by
    test type and one by one; codings by field, derived value, place and flag. Intervals on check
    decisions vary over cards, those on codings over the groups that cards share.

    Raises ProblemsFound when a column or a round is asked for that there is not.
    """
    wanted = asked or StudyAsked()
    how = settings or Settings()
    splits = splits_of(material.cards, wanted.by, wanted.cluster)
    others = chosen_rounds(material, wanted.compare)
    measuring = Measuring(material.round.names, material.cards, how, splits.cluster)
    if material.round.codebook is None:
        work = _of_reviews(material)
    else:
        work = _of_codings(material, material.round.codebook.name)
    parts = measuring.parts(work.questions)
    split = measuring.parts(_split(measuring, work, splits))
    rounds = compare_rounds(material, work.main, measuring, others)
    told = headline(work.questions)
    withheld = unlocked(material)
    said = list(rounds.said)
    if withheld:
        names, are = " and ".join(withheld), "is" if len(withheld) == 1 else "are"
        said.append(f"How consistent {names} {are} is not shown before the lock.")
    return AgreementReport(
        title=wanted.title or f"Study {material.study}, round {material.round.name}",
        raters=material.round.names,
        understood=(*understood(material, work.questions, parts), *said),
        parts=(*parts, *split, *rounds.parts),
        notices=(*material.said, *material.round.notices, *work.notices, *rounds.notices),
        differences=(*rounds.differences, *compare_natures(work.questions, measuring)),
        disagreements=work.disagreements,
        candidates=candidates(work.questions, material.round.names),
        consistency=consistency(material, how.confidence),
        over_time=over_time(measuring, told, material.round),
        over_time_of=told.id,
        rater_word=work.rater_word,
        listed_unit="card",
        facts={
            "kind": "agreement of passes",
            "study": material.study,
            "round": material.round.name,
            "passes": list(material.round.names),
            "judged_with": list(work.forms),
            "cards": len(material.cards.ids),
        },
    )


@dataclass(frozen=True, slots=True)
class _Work:
    """What differs between a study of groups and a study of responses."""

    questions: tuple[Question, ...]
    main: tuple[Question, ...]
    """Those that are compared between rounds and split by domain and register."""
    disagreements: tuple[Disagreement, ...]
    rater_word: str
    forms: tuple[str, ...]
    notices: tuple[str, ...] = ()


def _of_reviews(material: Material) -> _Work:
    round_ = reviewed(material, material.round)
    main = tuple(each for each in round_.questions if each.id in (WHOLE, ACCEPTED, POOLED))
    forms = {
        f"{record.form}@{record.form_version}"
        for each in material.round.passes
        for record in each.records.values()
        if record.form
    }
    notices = (round_.notice,) if round_.notice else ()
    return _Work(
        round_.questions, main, review_disagreements(round_), "reviewer", tuple(sorted(forms)),
        notices,
    )  # fmt: skip


def _of_codings(material: Material, name: str) -> _Work:
    codebook = material.round.codebook
    assert codebook is not None  # noqa: S101 - the caller looked
    round_ = coded(material, material.round, codebook)
    main = tuple(each for each in round_.questions if each.kind in ("field", "collapse", "places"))
    return _Work(round_.questions, main, coding_disagreements(round_), "coder", (name,))


def _split(measuring: Measuring, work: _Work, splits: Splits) -> list[Question]:
    """Return the main questions on the cards of each domain and register.

    Of a field that has collapses these are split, for classes that are rare in the whole are too
    rare in its parts.
    """
    collapsed = {each.of for each in work.main if each.kind == "collapse"}
    return [
        part
        for question in work.main
        if question.id not in collapsed and question.sets is None and not question.alike_only
        for part in measuring.split(question, splits.columns)
    ]
