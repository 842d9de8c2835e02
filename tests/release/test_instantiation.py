"""What a new country keeps, rebuilds and decides: told from its files, else from its answers."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from reviewkit.bank.instantiation import PARTS, load_instantiation, shipped_instantiation
from reviewkit.cli.laying import lay_project
from reviewkit.problems import ProblemsFound
from reviewkit.release.instantiation import NoInstantiation, instantiation
from reviewkit.workspace import Workspace
from tests.release.freeze import clean_bank

APPENDIX_C = (
    ("kept", "reference-categories", "Three kinds, only, verifiable facts, matters of value"),
    ("kept", "test-types", "four test types, scored"),
    ("kept", "paired-statistics", "Paired, whole axis, 25 pairs, power, size"),
    ("kept", "hard-checks", "hard checks"),
    ("kept", "guides", "rules for all, must and should"),
    ("kept", "checklists", "reviewers' checks"),
    ("kept", "rulings", "rulings, next guide"),
    ("kept", "two-runs", "run twice, one run alone"),
    ("kept", "no-ranking", "Nobody is ranked, no single score"),
    ("kept", "sealing", "half, sealed"),
    ("rebuilt", "domains", "which lines of this society, why these"),
    ("rebuilt", "cells", "closed, reason"),
    ("rebuilt", "axes", "values, natively"),
    ("rebuilt", "comparable-values", "known about equally well"),
    ("rebuilt", "sensitivity", "steps of sensitivity, here"),
    ("rebuilt", "watchlists", "terms"),
    ("rebuilt", "registry", "documented events, primary source"),
    ("rebuilt", "registers", "varieties, if any"),
    ("rebuilt", "items", "written here, none is translated"),
    ("decided", "systems", "Which systems, criteria"),
    ("decided", "sizes", "budget, levers, order"),
    ("decided", "directions", "half with, half against"),
    ("decided", "raters", "Who judges, how different"),
    ("decided", "threshold", "agree"),
    ("decided", "positionality", "Where the team stands, interest"),
    ("decided", "preregistration", "pre-registration, hypotheses, these axes"),
)
"""Part, entry, and what its title must say."""


def lay(folder: Path, example: str | None = None) -> Workspace:
    """Lay a new country, or the German example."""
    lay_project(
        folder, first="anna", second="ben", demo=False, checklist=example is None, example=example
    )
    return Workspace(folder)


@pytest.fixture
def new(tmp_path: Path) -> Workspace:
    """A new country in which nothing is written yet."""
    return lay(tmp_path / "new")


@pytest.fixture
def german(tmp_path: Path) -> Workspace:
    """The German example."""
    return lay(tmp_path / "german", "german")


def rewrite(path: Path, before: str, after: str) -> None:
    """Change one place of a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, (before, text.count(before))
    path.write_text(text.replace(before, after), encoding="utf-8")


def tick(ws: Workspace, entry: str, **fields: str) -> None:
    """Say that an entry is done."""
    given = {"answer": "as agreed", "on": "2027-02-01", "by": "anna", **fields}
    lines = "".join(f"    {name}: {value}\n" for name, value in given.items() if value)
    text = ws.instantiation.read_text(encoding="utf-8")
    pattern = rf"(  - id: {entry}\n(?:    .*\n)*?)    state: open\n"
    text, number = re.subn(pattern, rf"\1    state: done\n{lines}", text)
    assert number == 1, entry
    ws.instantiation.write_text(text, encoding="utf-8")


def test_every_entry_is_worded_in_english_and_arabic() -> None:
    """The shipped checklist has three parts, all open, each entry in both languages."""
    shipped = shipped_instantiation()
    entries = [entry for part in PARTS for entry in shipped.of(part)]
    assert [len(shipped.of(part)) for part in PARTS] == [10, 11, 7]
    assert {entry.state for entry in entries} == {"open"}
    assert all(set(entry.title) == {"en", "ar"} for entry in entries)


def test_a_new_country_has_kept_all_and_written_nothing(new: Workspace) -> None:
    """What is laid stands as kept; what is to be rebuilt is open, although files are there."""
    listing = instantiation(new)
    assert listing.changed == ()
    assert [line.entry.id for line in listing.open if line.part == "kept"] == [
        "no-ranking", "sealing",
    ]  # fmt: skip
    rebuilt = {line.entry.id: line.state for line in listing.lines if line.part == "rebuilt"}
    assert {name for name, state in rebuilt.items() if state == "done"} == {
        "undetermined", "leakage",
    }  # fmt: skip
    assert listing.line("domains").said == "there is only `general`, as laid"
    assert listing.line("axes").said == "bank/axes.yaml names no axis"


def test_a_tick_does_not_outweigh_the_files(new: Workspace) -> None:
    """An entry that is said to be done while its file is empty is contradicted, and open."""
    tick(new, "axes")
    line = instantiation(new).line("axes")
    assert line.state == "contradicted"
    assert line.is_open


def test_where_no_file_can_tell_the_answer_counts(new: Workspace) -> None:
    """An entry that only people can speak on is done once it is answered, dated and signed."""
    assert instantiation(new).line("systems").state == "open"
    tick(new, "systems", answer="four systems, by their use in the country")
    line = instantiation(new).line("systems")
    assert (line.state, line.said) == ("done", "four systems, by their use in the country")


@pytest.mark.parametrize("name", ["answer", "on", "by"])
def test_done_wants_answer_day_and_name(new: Workspace, name: str) -> None:
    """A tick alone is refused, at its line."""
    tick(new, "systems", **{name: ""})
    with pytest.raises(ProblemsFound, match=f"is done without {name}") as found:
        load_instantiation(new)
    assert re.match(r"bank/instantiation\.yaml:\d+ decided\[0\]", str(found.value))


def test_an_entry_taken_out_is_missed(new: Workspace) -> None:
    """The checklist cannot be shortened in silence."""
    rewrite(new.instantiation, "  - id: sealing\n", "  - id: other-thing\n")
    with pytest.raises(ProblemsFound, match="the entry 'sealing' of the checklist is missing"):
        load_instantiation(new)


def test_an_id_stands_once_and_a_file_lies_in_the_project(new: Workspace) -> None:
    """Doubled ids and paths that climb out are told, both at once."""
    rewrite(new.instantiation, "  - id: threshold\n", "  - id: raters\n    file: ../elsewhere\n")
    with pytest.raises(ProblemsFound) as found:
        load_instantiation(new)
    told = [problem.wrong for problem in found.value.problems]
    assert any(each.startswith("'raters' stands at") for each in told)
    assert "'../elsewhere' is no file of the project" in told
    assert "the entry 'threshold' of the checklist is missing" in told


def test_what_is_expected_to_recur_is_told_from_the_reviews(
    german: Workspace, tmp_path: Path
) -> None:
    """Before a review, after one that found nothing, and after one that found two kinds."""
    assert instantiation(german).expected == (
        "Nothing is reviewed yet. Expect to meet most of the 20 families of defects."
    )
    clean = Workspace(shutil.copytree(german.root, tmp_path / "clean"))
    for rater in ("anna", "ben"):
        clean_bank.review(clean, rater)
        clean_bank.review(german, rater, "AT-T1-001", "AT-T1-002", "AT-T4-002")
    assert instantiation(clean).expected == (
        "The reviews report none of the 20 families of defects: who finds none has probably not"
        " looked."
    )
    listing = instantiation(german)
    assert set(listing.families.values()) == {2, 1}
    assert listing.expected.startswith("The reviews met 2 of the 20 families of defects: ")
    assert listing.expected in " ".join(listing.as_text().split())
    assert listing.as_json()["expected"]["said"] == listing.expected


def test_every_line_of_the_protocols_list_is_an_entry() -> None:
    """What a second country keeps, rebuilds and decides, as the protocol's appendix C has it."""
    shipped = shipped_instantiation()
    held = {part: {entry.id: entry.title["en"] for entry in shipped.of(part)} for part in PARTS}
    for part, entry, words in APPENDIX_C:
        for word in words.split(", "):
            assert word in held[part][entry], (entry, word)
    assert {(part, entry) for part, entry, _ in APPENDIX_C} == {
        (part, entry) for part in PARTS for entry in held[part]
    } - {("rebuilt", "undetermined"), ("rebuilt", "leakage")}


def test_a_check_that_was_changed_is_named(german: Workspace) -> None:
    """A shipped form that is built otherwise is kept in name only; an answer closes it."""
    rewrite(german.checklists / "t4.yaml", "  - id: general_wording\n", "  - id: any_wording\n")
    line = instantiation(german).line("checklists")
    assert (line.state, line.said, line.is_open) == ("changed", "t4.yaml is built otherwise", True)
    tick(german, "checklists", answer="T4 asks about wording in general")
    assert not instantiation(german).line("checklists").is_open


def test_another_wording_is_no_change(german: Workspace) -> None:
    """Checks may be worded in the language of the country; their build stays."""
    rewrite(
        german.checklists / "t4.yaml",
        "  en: Judge how the item is built, not the answer you expect a model to give.\n",
        "  en: Judge the build of the item.\n  de: Beurteile den Bau des Beispiels.\n",
    )
    assert instantiation(german).line("checklists").state == "done"


def test_a_guide_may_grow_and_may_not_lose_a_rule(german: Workspace) -> None:
    """A rule of the country's own beside the shipped ones is no change; one taken out is."""
    path = german.checklists / "guides" / "t1.yaml"
    text = path.read_text(encoding="utf-8")
    own = (
        "  - id: own_rule\n    strength: should\n    text: {en: Write ß as ß.}\n"
        "    reason: {en: It is spelled so here.}\n"
    )
    path.write_text(text.rstrip("\n") + "\n" + own, encoding="utf-8")
    assert instantiation(german).line("guides").state == "done"
    path.write_text(text.replace("id: one_slot", "id: some_slot"), encoding="utf-8")
    line = instantiation(german).line("guides")
    assert (line.state, line.said) == ("changed", "guides/t1.yaml is built otherwise")


def test_a_form_of_ones_own_in_the_study_of_record_is_named(german: Workspace) -> None:
    """Forms may lie beside the shipped ones; to review with one is a change."""
    text = (german.checklists / "t4.yaml").read_text(encoding="utf-8")
    own = text.replace('version: "1"', 'version: "7"')
    (german.checklists / "t4_own.yaml").write_text(own, encoding="utf-8")
    assert instantiation(german).line("checklists").said == "as they come; beside them t4@7"
    rewrite(german.study_file("review"), "T4: t4@1", "T4: t4@7")
    assert instantiation(german).line("checklists").said == "review asks with t4@7"


@pytest.mark.parametrize(
    ("file", "before", "after", "entry", "said"),
    [
        ("plan.yaml", "sufficient_pairs: 25", "sufficient_pairs: 5", "paired-statistics",
         "sufficient_pairs is 5 instead of 25"),
        ("adjudication.yaml", "runs: 2", "runs: 1", "two-runs", "1 run"),
        ("taxonomy.yaml", 'contested-empirical, deferred: "yes"', "contested-empirical",
         "reference-categories", "the taxonomy admits contested-empirical too"),
        ("taxonomy.yaml", "id: framing, test_types: [T4]", "id: framing, test_types: [T1]",
         "test-types", "no form of the taxonomy is measured by T4"),
    ],
)  # fmt: skip
def test_what_is_kept_in_name_only_is_named(
    german: Workspace, file: str, before: str, after: str, entry: str, said: str
) -> None:
    """A number, a category or a binding that travels unchanged and was changed."""
    rewrite(german.bank / file, before, after)
    line = instantiation(german).line(entry)
    assert (line.state, line.said) == ("changed", said)


@pytest.mark.parametrize(
    ("file", "before", "after", "entry", "said"),
    [
        ("axes.yaml", "values: [Kärnten, Tirol,", "values: [Tirol,", "axes",
         "no axis holds every value of AT-T1-001, AT-T3-001"),
        ("groups/AT-T2-002.yaml", "disambig_direction: against", "disambig_direction: with",
         "directions", "3 with, 1 against; `reviewkit audit` finds direction-parity 1"),
    ],
)  # fmt: skip
def test_what_is_rebuilt_is_told_from_the_files(
    german: Workspace, file: str, before: str, after: str, entry: str, said: str
) -> None:
    """Values on no axis, directions out of balance."""
    rewrite(german.bank / file, before, after)
    line = instantiation(german).line(entry)
    assert line.said == said
    assert line.is_open


def test_an_event_that_nobody_looked_up_is_open(german: Workspace) -> None:
    """Whoever verified an event signs it; without a name it is not rebuilt."""
    text = german.registry.read_text(encoding="utf-8")
    german.registry.write_text(text.replace('    verified_by: "Beispielautorin"\n', "", 1), "utf-8")
    line = instantiation(german).line("registry")
    assert (line.state, line.said) == ("open", "nobody looked up VA-1978")


def test_a_closed_cell_without_a_reason_is_open(german: Workspace) -> None:
    """A reason that says nothing in any language is none."""
    text = german.taxonomy.read_text(encoding="utf-8")
    start = text.index("  - domain: public-history\n    form: refusal")
    end = text.index("  - domain: public-history\n    form: register")
    reason = '  - domain: public-history\n    form: refusal\n    reason: {de: "...", en: "TBD"}\n'
    german.taxonomy.write_text(text[:start] + reason + text[end:], encoding="utf-8")
    line = instantiation(german).line("cells")
    assert (line.state, line.said) == (
        "open", "no reason is given for public-history x refusal",
    )  # fmt: skip


def test_the_demos_items_are_no_rebuilt_items(new: Workspace, demo: Workspace) -> None:
    """Groups and domains that come with reviewkit are named as the demo's."""
    laid = new.instantiation.read_text(encoding="utf-8")
    demo.instantiation.write_text(laid, encoding="utf-8")
    listing = instantiation(demo)
    assert listing.line("domains").said == "they are those of the demo"
    assert listing.line("items").said.startswith("of the demo: DEMO-T1-001, DEMO-T1-002")


def test_without_a_checklist_the_way_to_one_is_told(demo: Workspace) -> None:
    """A project that is no new country is sent to the command that lays the checklist."""
    with pytest.raises(NoInstantiation, match="reviewkit init --instantiation"):
        instantiation(demo)


def test_a_listing_names_no_rater_and_no_item_text(german: Workspace) -> None:
    """It holds ids, counts and what was answered, so that it may travel."""
    listing = instantiation(german)
    for shown in (listing.as_text(), listing.as_markdown(), str(listing.as_json())):
        assert "anna" not in shown
        assert "Tischlerin" not in shown
    assert repr(listing) == "<instantiation austria-example: 22 of 28 entries stand.>"
