"""The scheme that labels belong to: categories in their order, aliases, collapses, missing codes.

A file in YAML, one entry of a codebook, or options; what is declared nowhere comes from the labels.

    categories: [accepted, needs_fix, rejected]
    level: ordinal
    positive: accepted
    missing: [NA, "-"]
    aliases: {ok: accepted}
    collapse:
      decision: {accepted: accepted, not accepted: [needs_fix, rejected]}
    cluster: template_id
    gold: [final_label]
    questions:                 # what holds for one question only
      fluency: {categories: ["1", "2", "3"], level: ordinal}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from reviewkit.agreement.label_files.asked import LevelName
from reviewkit.agreement.label_files.folding import number_of
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.questions.forms import Frozen, repeated
from reviewkit.sources import build, load_yaml, told

ON_NUMBERS = ("interval", "ratio")
ON_SETS = ("jaccard", "masi")


def _one_or_many(names: Any) -> Any:
    return (names,) if isinstance(names, str) else names


Label = Annotated[str, Field(min_length=1)]
Labels = Annotated[tuple[Label, ...], BeforeValidator(_one_or_many)]
Classes = Annotated[dict[Label, Labels], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Collapse:
    """A coarser reading of the categories."""

    name: str
    """``accepted or not``"""
    classes: tuple[tuple[str, tuple[str, ...]], ...]
    """(class, the categories in it); a category in none of them becomes missing."""

    @property
    def of_category(self) -> dict[str, str]:
        """Category -> its class."""
        return {each: name for name, members in self.classes for each in members}


class QuestionScheme(Frozen):
    """What is declared of the labels of one question."""

    categories: tuple[Label, ...] = ()
    """Every label there may be, used or not; ordinal ones in their order."""
    level: LevelName | None = None
    positive: str = ""
    """The category that TRUE, yes and 1 stand for, when labels are booleans."""
    aliases: dict[Label, Label] = Field(default_factory=dict)
    """Another way to write a category -> the category."""
    collapse: dict[Label, Classes] = Field(default_factory=dict)
    """Name of a collapse -> class -> the categories in it."""

    @model_validator(mode="after")
    def _holds_together(self) -> QuestionScheme:
        for position, _ in repeated(self.categories):
            wrong = f"{self.categories[position]!r} stands twice"
            raise told(wrong, "name each category once", ("categories", position))
        if self.categories:
            self._names_are_categories()
        for name, classes in self.collapse.items():
            held = [each for members in classes.values() for each in members]
            for position, _ in repeated(held):
                wrong = f"{held[position]!r} is in two classes"
                raise told(wrong, "leave it in one of them", ("collapse", name))
        return self

    def _names_are_categories(self) -> None:
        if self.positive and self.positive not in self.categories:
            raise told(*_unknown(self.positive, self.categories), ("positive",))
        for raw, to in self.aliases.items():
            if to not in self.categories:
                raise told(*_unknown(to, self.categories), ("aliases", raw))
            if raw in self.categories:
                wrong = f"{raw!r} is a category itself"
                raise told(wrong, "take it out of categories or of aliases", ("aliases", raw))
        for collapse in self.collapses:
            for each in collapse.of_category:
                if each not in self.categories:
                    raise told(*_unknown(each, self.categories), ("collapse", collapse.name))
        self._level_fits()

    def _level_fits(self) -> None:
        if self.level in ON_NUMBERS:
            for at, name in enumerate(self.categories):
                if number_of(name) is None:
                    wrong = f"{name!r} is no number, and the level is {self.level}"
                    raise told(wrong, "use numbers, or level: ordinal", ("categories", at))

    @property
    def collapses(self) -> tuple[Collapse, ...]:
        """The collapses in their order."""
        return tuple(
            Collapse(name, tuple(classes.items())) for name, classes in self.collapse.items()
        )


class Scheme(QuestionScheme):
    """What is declared of a whole file."""

    missing: Labels = ()
    """Labels that mean no rating, as written."""
    gold: Labels = ()
    """Columns or raters that are gold, final or adjudicated labels."""
    cluster: str = ""
    """The column that says which units belong together."""
    questions: dict[Label, QuestionScheme] = Field(default_factory=dict)
    """Question -> what holds for it instead of what stands above."""

    @model_validator(mode="after")
    def _missing_is_no_category(self) -> Scheme:
        for at, each in enumerate(self.missing):
            if each in self.categories:
                wrong = f"{each!r} is a category as well"
                raise told(wrong, "take it out of one of the two", ("missing", at))
        return self

    def for_question(self, question: str) -> QuestionScheme:
        """Return what holds for one question: its own declarations, else those of the file."""
        own = self.questions.get(question)
        if own is None:
            return self
        given = {name: getattr(own, name) for name in own.model_fields_set}
        general = {name: getattr(self, name) for name in QuestionScheme.model_fields}
        if "categories" in given:
            # what the file says of other categories means nothing here
            general = {"level": self.level}
        return QuestionScheme.model_validate({**general, **given})

    def and_declared(
        self,
        *,
        categories: Sequence[str] = (),
        level: str | None = None,
        missing: Sequence[str] = (),
        cluster: str | None = None,
        gold: Sequence[str] = (),
        collapses: Sequence[Collapse] = (),
    ) -> Scheme:
        """Return the scheme with what options declare; an option goes before the file.

        Raises:
            ProblemsFound: When the two cannot hold together.
        """
        given: dict[str, Any] = {name: getattr(self, name) for name in self.model_fields_set}
        if categories:
            given["categories"] = tuple(categories)
        if level is not None:
            given["level"] = level
        if cluster is not None:
            given["cluster"] = cluster
        given["missing"] = tuple(dict.fromkeys((*self.missing, *missing)))
        given["gold"] = tuple(dict.fromkeys((*self.gold, *gold)))
        given["collapse"] = {
            **self.collapse,
            **{each.name: dict(each.classes) for each in collapses},
        }
        return _checked(given)


def load_scheme(path: Path, shown: str | None = None) -> Scheme:
    """Return the scheme in a YAML file; every scalar is text, so ``no`` is a label.

    Raises:
        ProblemsFound: With line and field of every fault.
    """
    return build(load_yaml(path, shown or str(path)), Scheme)


def scheme_of_codebook(named: str, folder: Path) -> Scheme:
    """Return what a codebook declares of one of its fields.

    Args:
        named: ``rationale@1:rationale``, or ``rationale@1`` when the codebook has one field.
        folder: Where the forms are: ``checklists/``.

    Raises:
        ProblemsFound: For a form or field that is not there, or has no categories.
        UnknownForm: When no form has the name.
    """
    from reviewkit.questions import Codebook, load_forms  # noqa: PLC0415

    form_name, _, field_id = named.partition(":")
    form = load_forms(folder).get(form_name)
    where = f"--codebook {named}"
    if not isinstance(form, Codebook):
        remedy = "name a codebook, or write --categories yes,no"
        raise ProblemsFound([Problem(where, f"{form_name} is a checklist", remedy)])
    chosen = [each for each in form.fields if each.type in ("choice", "yes_no", "many")]
    field = next((each for each in chosen if each.id == field_id), None)
    if field is None and not field_id and len(chosen) == 1:
        (field,) = chosen
    if field is None:
        known = " or ".join(f"{form_name}:{each.id}" for each in chosen)
        wrong = f"{form_name} has no field {field_id!r} with codes"
        wrong = wrong if field_id else "names no field"
        raise ProblemsFound([Problem(where, wrong, f"use {known or 'another codebook'}")])
    collapse: dict[str, dict[str, tuple[str, ...]]] = {}
    for derived in form.derived:
        if derived.op == "collapse" and derived.of == (field.id,):
            classes: dict[str, list[str]] = {}
            for code, name in derived.to.items():
                classes.setdefault(name, []).append(code)
            collapse[derived.id] = {name: tuple(codes) for name, codes in classes.items()}
    # a code that abstains is a category of its field and belongs to no side of a collapse
    ordinal = field.ordinal == "yes" and not field.abstaining
    return _checked(
        {
            "categories": field.code_ids,
            "collapse": collapse,
            **({"level": "ordinal"} if ordinal else {}),
            **({"positive": "yes"} if field.type == "yes_no" else {}),
        }
    )


def collapse_of(written: str) -> Collapse:
    """Return a collapse as an option writes it: ``accepted=ok,fine;other=bad``.

    A name may stand before a colon: ``usable: yes=ok,fine;no=bad``. Without one it is called by
    its classes, ``accepted or other``.

    Raises:
        ProblemsFound: With how to write it.
    """
    name, colon, rest = written.partition(":")
    if not colon or "=" in name:
        name, rest = "", written
    classes: dict[str, tuple[str, ...]] = {}
    problems: list[Problem] = []
    how = "write --collapse 'accepted=a,b;other=c': a class, =, the labels in it"
    for part in filter(str.strip, rest.split(";")):
        title, equals, members = part.partition("=")
        labels = tuple(each.strip() for each in members.split(",") if each.strip())
        if not equals or not title.strip() or not labels:
            problems.append(Problem("--collapse", f"cannot read {part.strip()!r}", how))
        elif title.strip() in classes:
            problems.append(Problem("--collapse", f"{title.strip()!r} stands twice", how))
        else:
            classes[title.strip()] = labels
    if not classes and not problems:
        problems.append(Problem("--collapse", "names no class", how))
    held = [each for members in classes.values() for each in members]
    problems += [
        Problem("--collapse", f"{held[at]!r} is in two classes", "leave it in one of them")
        for at, _ in repeated(held)
    ]
    if problems:
        raise ProblemsFound(problems)
    return Collapse(name.strip() or " or ".join(classes), tuple(classes.items()))


def _checked(given: Mapping[str, Any]) -> Scheme:
    """Return a scheme from values in memory, its faults as problems of the options."""
    from reviewkit.sources import Source  # noqa: PLC0415

    return build(Source("scheme", dict(given), {(): 1}), Scheme)


def _unknown(name: str, known: Sequence[str]) -> tuple[str, str]:
    """Return (what is wrong, what to do) for a name that is no category."""
    near = get_close_matches(name, known, n=1)
    remedy = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(known)}"
    return f"{name!r} is no category", remedy
