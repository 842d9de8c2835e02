"""The documentation says what is true: commands, fields, links, sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reviewkit.agreement.measures.names import DESCRIBED
from reviewkit.archives.manifest import ArchivedFile, Manifest
from reviewkit.authoring import Batch, Batches, DefectFamily, Families, Retirement
from reviewkit.bank import Group, Item, Taxonomy
from reviewkit.bank.axes import Axes, Axis, Space
from reviewkit.bank.instantiation import Entry, Instantiation
from reviewkit.bank.item_sets.mapped import ItemMapping
from reviewkit.bank.leakage import LeakageList, LeakingPhrase
from reviewkit.bank.plan import Band, Plan, Size
from reviewkit.bank.response_mapping import ResponseMapping
from reviewkit.bank.taxonomy import Domain, ReferenceCategory, Writing
from reviewkit.bank.watchlists import Term, Watchlist
from reviewkit.cli.app import app
from reviewkit.decisions import Record
from reviewkit.desk.wording import LANGUAGES, load_strings
from reviewkit.protocol import AdjudicationPlan, Lever, ResponseClass
from reviewkit.questions import Check, Checklist, Code, Codebook, CodeField, Derived, Flag, Span
from reviewkit.release import Waiver
from reviewkit.release.layers import DrawnGroup, KeptStratum, LayerDraw, LayersFile
from reviewkit.release.publications import PublicationLine
from reviewkit.release.publish.statements import DataCardHead, HarmReviewHead, PositionalityHead
from reviewkit.rulings import Ruling
from reviewkit.rulings.guides import EditionLine, Rule, RuleSet
from reviewkit.rulings.guides.content import (
    Changed,
    Changes,
    FoldedRuling,
    GuideContent,
    Superseded,
)
from reviewkit.study import Study
from reviewkit.study.practice import PracticeCard, PracticeFile
from reviewkit.study.sample_spec import AssignmentSpec, Draw, Enrichment, SampleSpec
from reviewkit.study.second_review import Failure, SecondReviewAct, SecondReviewSpec
from reviewkit.study.study import Adjudication, Round
from tests.docs.command_reference import PAGE, render_reference

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_command_reference_is_the_commands_own_help() -> None:
    """docs/cli.md is what ``python tests/docs/command_reference.py`` writes now."""
    assert PAGE.read_text(encoding="utf-8") == render_reference()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    """A link to a file of the repository names a file that is there."""
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_is_named_exists(page: Path) -> None:
    """``reviewkit VERB`` in code on a page is a command there is."""
    verbs = {
        command.name or command.callback.__name__
        for command in app.registered_commands
        if command.callback
    } | {group.name for group in app.registered_groups}
    text = page.read_text(encoding="utf-8")
    fences = "\n".join(re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL))
    named = re.findall(r"`reviewkit ([a-z]+)", text)
    named += re.findall(r"^\s*reviewkit ([a-z]+)", fences, flags=re.MULTILINE)
    for verb in named:
        assert verb in verbs, f"{page.name}: reviewkit {verb}"


MODELS = [
    Group, Item, Taxonomy, Checklist, Check, Codebook, CodeField, Code, Flag, Derived, Span,
    ResponseMapping, Watchlist, Term, Study, Round, Adjudication, SampleSpec, Draw, Enrichment,
    AssignmentSpec, PracticeFile, PracticeCard, Record, Ruling, Domain, ReferenceCategory,
    RuleSet, Rule, EditionLine,
    LeakageList, LeakingPhrase, Axes, Axis, Space, Plan, Size, Band, Waiver, ItemMapping,
    AdjudicationPlan, ResponseClass, Lever, Batches, Batch, Families, DefectFamily, Retirement,
    Instantiation, Entry, Writing, SecondReviewSpec, SecondReviewAct, Failure, LayersFile,
    LayerDraw, DrawnGroup, KeptStratum, PublicationLine, PositionalityHead, HarmReviewHead,
    DataCardHead, ArchivedFile, Manifest, GuideContent, FoldedRuling, Superseded, Changes, Changed,
]  # fmt: skip


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_field_is_documented(model: type) -> None:
    """Every field a file may carry stands in docs/formats.md."""
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for name, field in model.model_fields.items():
        if not field.exclude:
            assert f"`{field.alias or name}`" in text, f"{model.__name__}.{name}"


@pytest.mark.parametrize("name", ["strings.yaml", "sentences.yaml"])
def test_every_sentence_is_in_every_language(name: str) -> None:
    """No interface string lacks a language or drops a part that is filled in."""
    for code, wordings in load_strings(name).items():
        assert set(wordings) == {language for language, _name in LANGUAGES}, code
        parts = {tuple(sorted(re.findall(r"\{\w+\}", text))) for text in wordings.values()}
        if not code.endswith(("_one",)):
            assert len(parts) == 1, code


def test_every_sentence_that_python_says_is_there() -> None:
    """Each literal code that the desk says is in the file of sentences."""
    known = load_strings("sentences.yaml")
    for path in (ROOT / "reviewkit" / "desk").glob("*.py"):
        for code in re.findall(r"\.say\(\s*\"([a-zA-Z_0-9]+)\"", path.read_text(encoding="utf-8")):
            assert code in known, f"{path.name}: {code}"


def test_the_readme_shows_the_two_commands() -> None:
    """The two commands of the README are targets of the Makefile."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in ("demo", "test"):
        assert f"make {target}" in readme
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)


def test_every_coefficient_stands_on_the_page_with_its_source() -> None:
    """docs/agreement.md names each unweighted coefficient and where its formula stands."""
    page = (ROOT / "docs" / "agreement.md").read_text(encoding="utf-8")
    for name, described in DESCRIBED.items():
        if name.startswith("weighted_") or name in ("ac2", "all_agree"):
            continue
        title = re.escape(described.title)
        row = re.search(rf"^\|[^|]*{title}.*$", page, flags=re.MULTILINE | re.IGNORECASE)
        assert row, described.title
        assert described.source.split(";")[0] in row[0], described.title
