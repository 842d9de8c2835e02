"""Kinds of defects, read from ``checklists/defects/families.yaml``, and what suggests them.

A family groups failed checks by cause, and says what kind of work mends them. It lies beside the
forms because a reviewer is asked for it: every door that takes a family must know which there are.
A family never decides a verdict and is no part of agreement.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from reviewkit.problems import Problem
from reviewkit.questions.forms import Checklist, Frozen, Wording
from reviewkit.questions.shelf import FormShelf
from reviewkit.sources import Source, build, collect, load_yaml
from reviewkit.sources.build import written_as
from reviewkit.workspace import Workspace, shipped

FixKind = Literal["mechanical", "textual", "authoring", "redesign"]
"""``mechanical``: no new text; ``textual``: a small edit; ``authoring``: new items; ``redesign``:
another template."""

FIX_KINDS: tuple[FixKind, ...] = ("mechanical", "textual", "authoring", "redesign")
FamilyId = Annotated[str, written_as(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", "hidden-character")]
CheckName = Annotated[str, written_as(r"[a-z][a-z0-9_]*/[a-z][a-z0-9_]*", "t1/one_variable")]
"""A check without the version of its form: ``t1/one_variable``."""


class DefectFamily(Frozen):
    """One kind of defect."""

    id: FamilyId
    title: Wording
    explanation: Wording | None = None
    """What it is, in a sentence."""
    fix: FixKind
    suggested_by: tuple[CheckName, ...] = ()
    """The checks whose failure suggests it; a reviewer may still choose another family."""


class Families(Frozen):
    """Every kind of defect that a reviewer may name, in the order of the file."""

    families: Annotated[tuple[DefectFamily, ...], Field(min_length=1)]

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids that a record may carry."""
        return frozenset(each.id for each in self.families)

    @cached_property
    def _by_check(self) -> dict[str, str]:
        return {check: each.id for each in self.families for check in each.suggested_by}

    def get(self, family_id: str) -> DefectFamily | None:
        """Return the family with this id, or None."""
        return next((each for each in self.families if each.id == family_id), None)

    def suggest(self, form: str, check: str) -> str | None:
        """Return the id of the family that a failed check suggests, if one does.

        Args:
            form: The form, with or without its version: ``t3`` or ``t3@2``.
            check: The id of the check.
        """
        return self._by_check.get(f"{form.partition('@')[0]}/{check}")


def load_families(ws: Workspace) -> Families:
    """Return the project's families, else those that come with reviewkit.

    Raises ProblemsFound with every fault of the file.
    """
    path = ws.defect_families
    if not path.exists():
        path = shipped("checklists") / "defects" / "families.yaml"
    with collect() as faults:
        source = load_yaml(path, ws.shown(path))
        families = build(source, Families)
        faults.add(_faults_of(families, source))
    return families


def check_families(ws: Workspace, shelf: FormShelf) -> list[Problem]:
    """Return every fault of the project's file, checks that no checklist has among them.

    Raises ProblemsFound when the file cannot be read as a list of families.
    """
    path = ws.defect_families
    if not path.exists():
        return []
    source = load_yaml(path, ws.shown(path))
    families = build(source, Families)
    known = {
        f"{form.form}/{check.id}"
        for form in shelf.forms
        if isinstance(form, Checklist)
        for check in form.checks
    }
    return [
        *_faults_of(families, source),
        *(source.problem(
            ("families", at, "suggested_by", n), f"no form has a check {check!r}",
            "mend the name, or take it out",
        )
        for at, each in enumerate(families.families)
        for n, check in enumerate(each.suggested_by)
        if check not in known),
    ]  # fmt: skip


def _faults_of(families: Families, source: Source) -> Iterator[Problem]:
    ids: set[str] = set()
    holders: dict[str, str] = {}
    for at, each in enumerate(families.families):
        if each.id in ids:
            wrong = f"the family {each.id!r} stands twice"
            yield source.problem(("families", at, "id"), wrong, "keep one of the two")
        ids.add(each.id)
        for n, check in enumerate(each.suggested_by):
            if check in holders:
                wrong = f"{check} suggests {holders[check]!r} already"
                where = ("families", at, "suggested_by", n)
                yield source.problem(where, wrong, "let it suggest one family")
            holders.setdefault(check, each.id)
