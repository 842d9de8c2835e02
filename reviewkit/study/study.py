"""Who judges what: the study file, its rounds and its passes.

``rulings/<study>/study.yaml`` names what is judged and how (groups with a checklist per test type,
or a table of responses with a codebook), and for every round the passes: one rater's complete,
independent walk each. A round with two passes is blind unless the file says otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from reviewkit.bank import Bank
from reviewkit.decisions import Word
from reviewkit.decisions.hearings import ADJUDICATION
from reviewkit.decisions.second_readings import SECOND_READING
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.questions import Checklist, FormShelf
from reviewkit.sources import build, load_yaml, told
from reviewkit.study.names import folded_name, is_name, name_fault
from reviewkit.study.sample_spec import AssignmentSpec, SampleSpec
from reviewkit.study.second_review import SecondReviewSpec
from reviewkit.study.welfare import Welfare
from reviewkit.workspace import Workspace

YesNo = Literal["yes", "no"]

LEAD = "lead"
NOT_A_PASS = (LEAD, ADJUDICATION, SECOND_READING)
"""Names that stand for other people than raters; no pass may have one."""

FILES_OF_A_STUDY = (
    "study.yaml", "practice.yaml", "cards.jsonl", "lead.jsonl", "second-review.jsonl",
)  # fmt: skip
"""Files beside the folders of the passes; no pass may be named like one."""

NOT_A_STUDY = ("guides", "freezes")
"""Folders of ``rulings/`` that hold something else; no study may be named so."""


class UnknownStudy(ReviewkitError):
    """No study of this name in the project folder."""


class UnknownRater(ReviewkitError):
    """The study gives this person no pass."""


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, populate_by_name=True)


class Pass(_Frozen):
    """One rater's complete, independent walk over the study's cards."""

    pass_: Annotated[Word, Field(alias="pass")]
    rater: Word


class Round(_Frozen):
    """Passes that are made independently of each other and compared."""

    round: Word
    blind: YesNo = "yes"
    codebook: str | None = None
    """The codebook of this round, where an instrument was repaired; the study's by default."""
    watchlist: str | None = None
    """The watchlist of this round; the study's by default."""
    passes: Annotated[tuple[Pass, ...], Field(min_length=1)]

    @property
    def is_blind(self) -> bool:
        """Whether its raters must not see each other's work: two or more passes, not opened."""
        return self.blind == "yes" and len(self.passes) > 1


class Adjudication(_Frozen):
    """Who settles what the passes left open, and which cards come before him."""

    adjudicator: Word
    queue: Literal["fields", "collapsed", "all"] = "fields"
    """``fields``: any compared field differs; ``collapsed``: any collapse differs; ``all``."""
    compare: tuple[str, ...] = ()
    """The fields and derived values that are compared; every field when not given."""
    exclusions: Annotated[tuple[Word, ...], Field(min_length=1)] = ("truncated", "uncodable")
    """Why a card may be left without a final label."""


class Study(_Frozen):
    """Who judges which cards with which form, in which passes."""

    study: Word
    title: str = ""
    of_record: YesNo = "no"
    """Whether a group's status is what this study says. One study of a bank at most."""
    primary: Word | None = None
    """The pass whose verdict stands until an adjudication; the first one when not named."""
    groups: Literal["all"] | Annotated[tuple[str, ...], Field(min_length=1)] = "all"
    forms: dict[str, str] = {}
    """Test type -> form name, e.g. ``T3: t3@2``."""
    codebook: str | None = None
    """The codebook of a study of responses, e.g. ``rationale@1``."""
    responses: Word | None = None
    """The table of responses, as it was imported."""
    watchlist: str | None = None
    """The watchlist, e.g. ``marsh@1``, where the codebook asks for one."""
    automatic: dict[str, str] = {}
    """Field or derived value -> the hidden column with an automatic label of it."""
    sample: SampleSpec | None = None
    """Which responses or groups are judged; all of them when not given."""
    assignment: AssignmentSpec | None = None
    """Who gets which card; every pass gets every card when not given."""
    adjudication: Adjudication | None = None
    second_review: SecondReviewSpec | None = None
    """Of a second review: which study it looks at again, and when it is widened."""
    welfare: Welfare = Welfare()
    rounds: Annotated[tuple[Round, ...], Field(min_length=1)]

    @property
    def is_coding(self) -> bool:
        """Whether responses are coded; else groups are reviewed."""
        return self.codebook is not None

    @model_validator(mode="after")
    def _asks_one_kind_of_thing(self) -> Study:
        if (self.codebook is None) != (self.responses is None):
            lacking = "codebook" if self.codebook is None else "responses"
            raise told(f"has no field {lacking!r}", "a study of responses names both")
        if self.codebook is not None and (self.forms or self.groups != "all"):
            raise told("names groups and responses", "make it two studies", ("forms",))
        if self.codebook is None and not self.forms:
            raise told("has no field 'forms'", "add it, or `codebook` and `responses`")
        if self.codebook is None and any(each.codebook or each.watchlist for each in self.rounds):
            raise told("a round names a codebook or a watchlist", "these are for responses")
        if self.codebook is None and (self.watchlist or self.automatic):
            raise told("watchlist and automatic are for responses", "leave them out")
        return self

    @model_validator(mode="after")
    def _is_a_second_review(self) -> Study:
        if self.second_review is None:
            return self
        shares = [each.share for each in self.sample.draws if each.share] if self.sample else []
        draws = len(self.sample.draws) if self.sample else 0
        if self.is_coding or self.groups == "all" or draws != 1 or not shares:
            wrong = "is a second review and lacks the list of groups, or one draw with a share"
            raise told(wrong, "lay it with `reviewkit second-review start`", ("second_review",))
        if self.of_record == "yes" or self.adjudication is not None or self.assignment is not None:
            wrong = "is a second review and of_record, or has adjudication or assignment"
            raise told(wrong, "take them out", ("second_review",))
        if sum(len(each.passes) for each in self.rounds) > 1:
            wrong = "is a second review and has several passes"
            raise told(wrong, "keep one; start a second review for each rater", ("rounds",))
        return self

    @model_validator(mode="after")
    def _has_a_folder_of_its_own(self) -> Study:
        if folded_name(self.study) in NOT_A_STUDY:
            raise told(f"no study may be named {self.study!r}", "its folder is taken", ("study",))
        return self

    @model_validator(mode="after")
    def _names_are_told_apart(self) -> Study:
        passes: dict[str, str] = {}
        for round_ in self.rounds:
            raters: dict[str, str] = {}
            for each in round_.passes:
                folded = folded_name(each.rater)
                if folded in raters:
                    raise ValueError(
                        f"round {round_.round} has two raters with one name,"
                        f" {raters[folded]!r} and {each.rater!r}"
                    )
                raters[folded] = each.rater
                folded = folded_name(each.pass_)
                if folded in NOT_A_PASS:
                    raise ValueError(f"no pass may be named {each.pass_!r}; choose another name")
                if folded in passes:
                    raise ValueError(
                        f"two passes are named {passes[folded]!r}; a pass has one name in all"
                        f" rounds, so call this one {each.pass_}-{round_.round}, or the like"
                    )
                passes[folded] = each.pass_
        if len({round_.round for round_ in self.rounds}) < len(self.rounds):
            raise ValueError("two rounds have one name")
        named = () if self.groups == "all" else self.groups
        twice = [each for each in named if named.count(each) > 1]
        if twice:
            raise ValueError(f"groups names {twice[0]!r} twice; name it once")
        if self.primary is not None and self.primary not in passes.values():
            raise ValueError(f"primary names pass {self.primary!r}, which no round has")
        return self

    @model_validator(mode="after")
    def _names_are_files_on_any_disk(self) -> Study:
        names: list[tuple[str, tuple[str, ...]]] = [(self.study, NOT_A_STUDY)]
        names += [(each.round, ()) for each in self.rounds]
        names += [(each.pass_, FILES_OF_A_STUDY) for one in self.rounds for each in one.passes]
        spelled: dict[str, str] = {}
        for pass_name, person in self.people:
            if pass_name == LEAD:
                continue
            names.append((person, (LEAD,)))
            first = spelled.setdefault(folded_name(person), person)
            if first != person:
                wrong = f"names {first!r} and {person!r}, which are one name on many disks"
                raise told(wrong, "spell a person's name in one way; give two people two names")
        for name, taken in names:
            if fault := name_fault(name, taken):
                raise told(*fault)
        return self

    def as_in(self, round_: Round) -> Study:
        """Return the study with the codebook and the watchlist of one round."""
        if round_.codebook is None and round_.watchlist is None:
            return self
        return self.model_copy(
            update={
                "codebook": round_.codebook or self.codebook,
                "watchlist": round_.watchlist or self.watchlist,
            }
        )

    @property
    def people(self) -> tuple[tuple[str, str], ...]:
        """Everybody whom a link may stand for: (pass, name), the adjudicator and the lead too."""
        raters = [(each.pass_, each.rater) for round_ in self.rounds for each in round_.passes]
        if self.adjudication is not None:
            raters.append((ADJUDICATION, self.adjudication.adjudicator))
        return (*raters, (LEAD, LEAD))

    def find_person(self, name: str, pass_name: str | None = None) -> tuple[str, str]:
        """Return (pass, name) of somebody of the study; the last listed one when he has several.

        A pass to code comes before an adjudication by the same person, which opens after it.
        Raises UnknownRater when the study has no such person.
        """
        found = [each for each in self.people if each[1] == name and pass_name in (None, each[0])]
        if not found:
            known = sorted({each[1] for each in self.people})
            raise UnknownRater(
                f"study {self.study} has no {f'pass {pass_name!r} of ' if pass_name else ''}"
                f"{name!r}; its people are {', '.join(known)}: use one of these or add a pass to"
                " study.yaml"
            )
        raters = [each for each in found if each[0] not in NOT_A_PASS]
        return (raters or found)[-1]

    def round_of(self, pass_name: str) -> Round:
        """Return the round that has the pass; UnknownRater when none has."""
        for round_ in self.rounds:
            if any(each.pass_ == pass_name for each in round_.passes):
                return round_
        raise UnknownRater(f"study {self.study} has no pass {pass_name!r}; add it to study.yaml")

    def find_pass(self, rater: str, pass_name: str | None = None) -> tuple[Round, Pass]:
        """Return the rater's pass; the last one listed when he has several and none is named.

        Raises UnknownRater when there is none.
        """
        found = [
            (round_, each)
            for round_ in self.rounds
            for each in round_.passes
            if each.rater == rater and pass_name in (None, each.pass_)
        ]
        if not found:
            known = sorted({each.rater for round_ in self.rounds for each in round_.passes})
            wanted = f"pass {pass_name!r} for " if pass_name else ""
            raise UnknownRater(
                f"study {self.study} has no {wanted}rater {rater!r}; its raters are"
                f" {', '.join(known)}: use one of these or add a pass to study.yaml"
            )
        return found[-1]

    def group_ids(self, bank: Bank) -> tuple[str, ...]:
        """Return the template ids of the study's cards, in the order they are walked."""
        if self.groups == "all":
            return tuple(group.template_id for group in bank.groups)
        return self.groups


def load_study(ws: Workspace, name: str) -> Study:
    """Read ``rulings/<name>/study.yaml``.

    Raises UnknownStudy when there is none, ProblemsFound with every fault in it.
    """
    path = ws.study_file(name)
    if not is_name(name) or not os.path.lexists(path):
        known = list_studies(ws)
        raise UnknownStudy(
            f"no study {name!r} in {ws.shown(ws.rulings)}/; "
            + (f"it has {', '.join(known)}" if known else "make one with `reviewkit init`")
        )
    shown = ws.shown(path)
    source = load_yaml(path, shown)
    study = build(source, Study)
    if study.study != name:
        raise ProblemsFound(
            [
                Problem(
                    source.where(("study",)),
                    f"the study is named {study.study!r} but lies in folder {name!r}",
                    "give both the same name",
                )
            ]
        )
    return study


def list_studies(ws: Workspace) -> list[str]:
    """Return the names of all studies of the project folder, sorted."""
    if not ws.rulings.is_dir():
        return []
    # a study file that is a broken link or a folder is a fault to be named, not a study less
    named = (folder / "study.yaml" for folder in ws.rulings.iterdir())
    return sorted(path.parent.name for path in named if os.path.lexists(path))


def check_study(
    study: Study, bank: Bank, shelf: FormShelf, shown: str, *, groups_known: bool = True,
    retired: Collection[str] = (),
) -> list[Problem]:  # fmt: skip
    """Return what keeps a study of groups from being walked: unknown groups, forms or types.

    With ``groups_known`` false, not every file of the bank could be read, and a group that is not
    there is no fault of the study; nor is one that left the bank and is among ``retired``.
    """
    known = {group.template_id: group for group in bank.groups}
    wanted = study.group_ids(bank)
    problems = [
        Problem(f"{shown} groups", f"no group {template_id!r} in the bank", "mend the id")
        for template_id in wanted
        if groups_known and template_id not in known and template_id not in retired
    ]
    for test_type, form_name in study.forms.items():
        try:
            form = shelf.get(form_name)
        except ReviewkitError as error:
            problems.append(Problem(f"{shown} forms.{test_type}", str(error), "name one of these"))
            continue
        if not isinstance(form, Checklist):
            wrong = f"{form_name} is a codebook"
            problems.append(Problem(f"{shown} forms.{test_type}", wrong, "name a checklist"))
        elif form.test_type != test_type:
            problems.append(
                Problem(
                    f"{shown} forms.{test_type}",
                    f"form {form_name} is for {form.test_type}",
                    f"name a form for {test_type}",
                )
            )
    problems += [
        Problem(f"{shown} forms", f"no form for {test_type}", f"add `{test_type}: ...`")
        for test_type in sorted({known[each].test_type for each in wanted if each in known})
        if test_type not in study.forms
    ]
    return problems


def forms_by_type(study: Study, shelf: FormShelf) -> dict[str, Checklist]:
    """Return the checklist of each test type, as the study names them."""
    found = {test_type: shelf.get(name) for test_type, name in study.forms.items()}
    return {name: form for name, form in found.items() if isinstance(form, Checklist)}
