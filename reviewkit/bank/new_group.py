"""The text of a fresh group file, ready to fill; ``check`` names every place that is left open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from string import ascii_lowercase
from typing import Any, cast

from reviewkit.bank.items import Group
from reviewkit.bank.render import render_scalar
from reviewkit.bank.taxonomy import Taxonomy, in_english
from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import Loc

_OPEN = "<<fill in"

_ABOUT = {
    "T1": "one request in several versions that differ in the swapped value alone",
    "T2": "an ambiguous question and its disambiguated twin",
    "T3": "two ordinary requests that differ in the swapped value alone: is each answered?",
    "T4": "a request to describe a documented event, in the most general words there are",
}


def render_new_group(
    taxonomy: Taxonomy,
    test_type: str,
    template_id: str,
    *,
    domain: str | None = None,
    bias_form: str | None = None,
    reference_category: str | None = None,
    swapped_variable: str | None = None,
    values: Sequence[str] = (),
    language: str | None = None,
    registers: Sequence[str] = (),
) -> str:
    """Return a YAML group file of ``test_type`` with a place to fill for everything not given.

    Two values, the first language and the first standard register of the taxonomy stand in for
    what is left out; with several ``registers`` every value has a twin in each of them. Raises
    ProblemsFound when what is given cannot be: an unknown code, a closed cell, a bad id.
    """
    given = {
        "domain": domain,
        "bias_form": bias_form,
        "reference_category": reference_category,
        "language": language,
    }
    problems = list(_faults(taxonomy, test_type, template_id, given, registers))
    if problems:
        raise ProblemsFound(problems)
    forms = [bias_form] if bias_form else list(taxonomy.forms_measured_by(test_type))
    domains = [
        each
        for each in taxonomy.codes("domain")
        if any(taxonomy.closed(each, form) is None for form in forms)
    ]
    standard = [each.id for each in taxonomy.registers if each.kind == "standard"]
    draft = _Draft(
        taxonomy, test_type, template_id,
        language=language or taxonomy.languages[0],
        registers=tuple(registers) or tuple(standard[:1]) or taxonomy.codes("register")[:1],
        values=tuple(values) or (_fill("the first value"), _fill("the second value")),
    )  # fmt: skip
    lines = [
        f"# {test_type}: {_ABOUT[test_type]}",
        "# Replace every <<fill in: ...>>; `reviewkit check` names those that are left.",
        "# No real persons; harm is described, never reproduced.",
        f"template_id: {template_id}",
        f"test_type: {test_type}",
        *_chosen("domain", domain, domains),
        *_chosen("bias_form", bias_form, forms),
        *_chosen("reference_category", reference_category, taxonomy.codes("reference_category")),
        *draft.shared(swapped_variable),
        "items:",
        *draft.items(),
    ]
    return "\n".join(lines) + "\n"


def open_places(value: Any, loc: Loc = ()) -> Iterator[tuple[Loc, str]]:
    """Yield where a file still has a place to fill, and what belongs there."""
    if _OPEN not in repr(value):  # in nearly every file there is none, and this says so at once
        return
    if isinstance(value, dict):
        for name, each in cast("dict[str, Any]", value).items():
            yield from open_places(each, (*loc, name))
    elif isinstance(value, list):
        for at, each in enumerate(cast("list[Any]", value)):
            yield from open_places(each, (*loc, at))
    elif isinstance(value, str) and _OPEN in value:
        what, closed, _ = value.split(_OPEN, 1)[1].partition(">>")
        what = what.removeprefix(":").lstrip()
        yield loc, what if closed and "\n" not in what else "this place"


def _fill(what: str) -> str:
    return f"{_OPEN}: {what}>>"


def _line(name: str, value: str, indent: int = 0) -> str:
    return f"{' ' * indent}{name}: {render_scalar(value)}"


def _chosen(name: str, value: str | None, choices: Sequence[str]) -> Iterator[str]:
    if value is None and len(choices) > 1:
        yield f"# one of: {', '.join(choices)}"
        yield _line(name, _fill(f"one of {', '.join(choices)}"))
    else:
        yield _line(name, value or choices[0])


class _Draft:
    """The parts of a new file that depend on its test type."""

    def __init__(
        self, taxonomy: Taxonomy, test_type: str, template_id: str, *,
        language: str, registers: tuple[str, ...], values: tuple[str, ...],
    ) -> None:  # fmt: skip
        self._taxonomy = taxonomy
        self._type = test_type
        self._id = template_id
        self._language = language
        self._registers = registers
        self._values = values

    def shared(self, variable: str | None) -> Iterator[str]:
        """Yield the lines of the fields that all items share."""
        if self._type != "T4":
            yield "# the one thing that differs between the versions, e.g. home_town"
            yield _line("swapped_variable", variable or _fill("the name of the variable"))
        yield from {
            "T1": self._template, "T2": self._direction, "T3": self._bands, "T4": self._event,
        }[self._type]()  # fmt: skip

    def _template(self) -> Iterator[str]:
        yield "# the request in the standard register, with {value} where the variable stands"
        yield _line("base_text", _fill("the request with {value} in it"))
        yield "value_list:"
        yield from (f"  - {render_scalar(value)}" for value in self._values)
        yield _line("expected_length", _fill("how long an answer is expected, e.g. 4 lines"))
        yield '# "yes" when every version has a twin in another register as well'
        yield _line("factorial", "yes" if len(self._registers) > 1 else "no")

    def _direction(self) -> Iterator[str]:
        yield "# does the disambiguated twin resolve with or against the prevalent expectation?"
        yield "# one of: with, against, neither, not_given"
        yield _line("disambig_direction", _fill("with, against, neither or not_given"))

    def _bands(self) -> Iterator[str]:
        for field in ("sensitivity_level", "stance"):
            yield from _chosen(field, None, self._taxonomy.codes(field))
        yield "# what the request is about, so that one theme does not fill the bank"
        yield _line("theme", _fill("a code for the theme, letters a to z"))
        yield "# why no version can do harm"
        yield _line("harm_review", _fill("one sentence"))

    def _event(self) -> Iterator[str]:
        yield "# the ref_id of the event in bank/registry.yaml"
        yield _line("event_ref", _fill("a ref_id of bank/registry.yaml"))
        yield _line("audience", _fill("who the description is for"))
        yield "# words a model may choose; none of them may stand in the request"
        yield "# term_class: neutral, loaded_a, loaded_b, proper_name, other or pending"
        yield "term_watchlist:"
        for term_class in ("neutral", "loaded_a", "loaded_b"):
            yield "  - " + _line("term", _fill(f"a {term_class} term"))
            yield _line("term_class", term_class, 4)

    def items(self) -> Iterator[str]:
        """Yield the lines of the items, one twin or value after the other in each register."""
        sides = {"T2": ("ambiguous", "disambiguated"), "T4": ("",)}.get(self._type, self._values)
        for number, (register, side) in enumerate(product(self._registers, sides)):
            yield "  - " + _line("id", f"{self._id}-{_letters(number)}")
            yield _line("language", self._language, 4)
            yield _line("register", register, 4)
            if self._type == "T2":
                yield from self._choice(side)
                continue
            if side:
                yield _line("swapped_value", side, 4)
            yield _line("text", _fill("the whole request"), 4)

    def _choice(self, twin: str) -> Iterator[str]:
        undetermined = self._taxonomy.cannot_be_determined.get(self._language, ())
        sentence = "no further information" if twin == "ambiguous" else "one decisive, neutral fact"
        yield _line("twin", twin, 4)
        yield _line("context", _fill(f"two people of matched groups, and {sentence}"), 4)
        yield _line("question", _fill("the question, the same in both twins"), 4)
        yield "    # negative: asks for something unfavourable; nonnegative: anything else"
        yield _line("question_polarity", _fill("negative or nonnegative"), 4)
        yield "    options:"
        last = undetermined[0] if undetermined else _fill("cannot be determined")
        for option in (_fill("the first person"), _fill("the second person"), last):
            yield f"      - {render_scalar(option)}"
        yield "    # the position of the right option, counted from 1"
        if twin == "ambiguous":
            yield "    correct_position: 3"
        else:
            yield _line("correct_position", _fill("1 or 2"), 4)


def _letters(number: int) -> str:
    """Return a, b, ... z, aa, ab, ..."""
    before, last = divmod(number, 26)
    return (_letters(before - 1) if before else "") + ascii_lowercase[last]


def _faults(
    taxonomy: Taxonomy, test_type: str, template_id: str, given: dict[str, str | None],
    registers: Sequence[str],
) -> Iterator[Problem]:  # fmt: skip
    where = f"new group {template_id}"
    if test_type not in _ABOUT:
        yield Problem(where, f"no test type {test_type!r}", f"use {', '.join(_ABOUT)}")
        return
    pattern = Group.model_fields["template_id"].metadata[0].pattern
    if re.fullmatch(pattern, template_id) is None:
        yield Problem(
            where, "the id has other characters than letters, digits, dot, - and _", "mend the id"
        )
    carried = [*given.items(), *(("register", each) for each in registers)]
    for field, code in carried:
        if code is not None and code not in taxonomy.codes(field):
            known = ", ".join(taxonomy.codes(field))
            yield Problem(where, f"the taxonomy has no {field} {code!r}", f"use one of {known}")
    forms = taxonomy.forms_measured_by(test_type)
    bias_form, domain = given["bias_form"], given["domain"]
    if not forms:
        yield Problem(
            where, f"no form is measured by {test_type}", "bind one in bank/taxonomy.yaml"
        )
        return
    if bias_form and taxonomy.test_types_of(bias_form) and bias_form not in forms:
        yield Problem(
            where, f"{bias_form} is not measured by {test_type}", f"use {', '.join(forms)}"
        )
    if domain:
        cells = [taxonomy.closed(domain, form) for form in ([bias_form] if bias_form else forms)]
        closed = [cell for cell in cells if cell is not None]
        if cells and len(closed) == len(cells):
            yield Problem(
                where,
                f"{closed[0].form} in {domain} is closed by design: "
                f'"{in_english(closed[0].reason).strip()}"',
                "choose an active cell",
            )
