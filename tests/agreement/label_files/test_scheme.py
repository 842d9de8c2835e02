"""The scheme of labels: a YAML file, a codebook's field, options."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.agreement.label_files.scheme import (
    Collapse,
    Scheme,
    collapse_of,
    load_scheme,
    scheme_of_codebook,
)
from reviewkit.problems import ProblemsFound

FORMS = Path(__file__).parents[3] / "checklists"


def written(tmp_path: Path, text: str) -> Scheme:
    """Return the scheme that a file with this text holds."""
    path = tmp_path / "scheme.yaml"
    path.write_text(text, encoding="utf-8")
    return load_scheme(path, "scheme.yaml")


def refused(tmp_path: Path, text: str) -> list[str]:
    """Return the problems of a scheme."""
    with pytest.raises(ProblemsFound) as found:
        written(tmp_path, text)
    return [str(each) for each in found.value.problems]


def test_a_file_says_everything(tmp_path: Path) -> None:
    """Every key is read, and no scalar is understood: no, NA and 1 stay text."""
    scheme = written(
        tmp_path,
        "categories: [yes, no, 1]\nlevel: nominal\npositive: yes\nmissing: [NA, '-']\n"
        "aliases: {ja: yes, '?': no}\ncollapse: {side: {for: yes, against: [no, 1]}}\n"
        "cluster: template\ngold: final\n",
    )
    assert scheme.categories == ("yes", "no", "1")
    assert (scheme.positive, scheme.missing, scheme.gold) == ("yes", ("NA", "-"), ("final",))
    assert scheme.aliases == {"ja": "yes", "?": "no"}
    assert scheme.collapses == (Collapse("side", (("for", ("yes",)), ("against", ("no", "1")))),)
    assert scheme.cluster == "template"


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("categories: [a, b, a]", 1, "'a' stands twice"),
        ("categories: [yes, no]\npositive: yess", 2, "did you mean 'yes'?"),
        ("categories: [a, b]\naliases:\n  c: d", 3, "'d' is no category"),
        ("categories: [a, b]\naliases:\n  a: b", 3, "'a' is a category itself"),
        ("categories: [a, b]\ncollapse:\n  x: {one: [a, c]}", 3, "'c' is no category"),
        ("collapse:\n  x: {one: [a], two: [a]}", 2, "'a' is in two classes"),
        ("categories: [low, high]\nlevel: interval", 1, "'low' is no number"),
        ("categories: [a]\nmissing: [NA, a]", 2, "'a' is a category as well"),
        ("level: interal", 1, "interval"),
        ("categoris: [a]", 1, "did you mean 'categories'?"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    """A scheme that contradicts itself is refused where it does."""
    [problem] = refused(tmp_path, text)
    assert problem.startswith(f"scheme.yaml:{line}")
    assert told in problem


def test_a_question_has_its_own_declarations(tmp_path: Path) -> None:
    """What stands under a question goes before what holds for the file, whose aliases end there."""
    scheme = written(
        tmp_path,
        "categories: [yes, no]\npositive: yes\naliases: {ja: yes}\n"
        "questions:\n  fluency: {categories: ['1', '2', '3'], level: ordinal}\n",
    )
    own = scheme.for_question("fluency")
    assert (own.categories, own.level, own.aliases) == (("1", "2", "3"), "ordinal", {})
    assert scheme.for_question("stance").categories == ("yes", "no")


def test_options_go_before_the_file() -> None:
    """An option replaces what the file says, and lists of missing codes are joined."""
    scheme = Scheme(categories=("a", "b"), missing=("NA",), cluster="x").and_declared(
        categories=("a", "b", "c"), missing=("-",), cluster="y", level="ordinal",
        collapses=[collapse_of("low=a,b;high=c")],
    )  # fmt: skip
    assert scheme.categories == ("a", "b", "c")
    assert (scheme.missing, scheme.cluster, scheme.level) == (("NA", "-"), "y", "ordinal")
    assert scheme.collapses[0].name == "low or high"


def test_options_that_contradict_the_scheme_are_refused() -> None:
    """A missing code that is a category is a fault whoever declared the two."""
    with pytest.raises(ProblemsFound, match="is a category as well"):
        Scheme(categories=("a", "b")).and_declared(missing=("a",))


@pytest.mark.parametrize(
    ("text", "name", "classes"),
    [
        ("ok=a, b;bad=c", "ok or bad", (("ok", ("a", "b")), ("bad", ("c",)))),
        ("usable: yes=a;no=b,c", "usable", (("yes", ("a",)), ("no", ("b", "c")))),
        ("one=10:30", "one", (("one", ("10:30",)),)),
    ],
)
def test_a_collapse_in_one_option(text: str, name: str, classes: object) -> None:
    """Classes, their labels, and a name before a colon when there is one."""
    assert collapse_of(text) == Collapse(name, classes)


@pytest.mark.parametrize("text", ["", "ok", "ok=", "=a", "ok=a;ok=b", "ok=a;bad=a"])
def test_a_collapse_that_cannot_be_read_says_how_to_write_it(text: str) -> None:
    """Every slip in the option is refused with the way to write it."""
    with pytest.raises(ProblemsFound, match="--collapse"):
        collapse_of(text)


def test_a_codebook_declares_its_field() -> None:
    """The codes in their order, and the collapse whose sides an abstaining code does not join."""
    scheme = scheme_of_codebook("rationale@1", FORMS)
    assert scheme.categories == ("E", "QE", "N", "D", "R", "Abstain")
    assert scheme.collapses == (
        Collapse("evidence", (("bias_evidence", ("E", "QE")), ("not_evidence", ("N", "D", "R")))),
    )
    assert scheme_of_codebook("rationale@1:rationale", FORMS) == scheme


@pytest.mark.parametrize(
    ("named", "told"),
    [("rationale@1:stance", "rationale@1:rationale"), ("t1@1", "is a checklist")],
)
def test_a_codebook_that_does_not_fit_names_what_does(named: str, told: str) -> None:
    """A field that is not there, or a checklist, is refused with what to write instead."""
    with pytest.raises(ProblemsFound, match=told):
        scheme_of_codebook(named, FORMS)
