"""A fresh group file: loads only once every open place is filled."""

from __future__ import annotations

import pytest
import yaml

from reviewkit.bank import check_bank, load_bank, load_taxonomy
from reviewkit.bank.new_group import open_places, render_new_group
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace


@pytest.mark.parametrize("test_type", ["T1", "T2", "T3", "T4"])
def test_every_open_place_is_named_with_its_line(ws: Workspace, test_type: str) -> None:
    """A file as it comes has no other fault than its open places, each named once with its line."""
    taxonomy = load_taxonomy(ws.taxonomy, "bank/taxonomy.yaml")
    text = render_new_group(taxonomy, test_type, "NEW-1")
    (ws.groups / "NEW-1.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsFound) as raised:
        load_bank(ws)
    lines = [
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if "<<fill in" in line and not line.lstrip().startswith("#")
    ]
    wheres = [problem.where for problem in raised.value.problems]
    assert [int(where.split(":")[1].split(" ")[0]) for where in wheres] == lines
    assert all(
        str(problem).endswith("; write it in place of <<fill in: ...>>")
        and ": still to be filled in: " in str(problem)
        for problem in raised.value.problems
    )


ANSWERS = {
    "domain": "regional", "reference_category": "value-laden", "swapped_variable": "town",
    "base_text": "Welcome to {value}.", "expected_length": "4 lines", "sensitivity_level": "civic",
    "disambig_direction": "with", "stance": "insider", "theme": "tea", "harm_review": "None.",
    "event_ref": "BRIDGE-1990", "audience": "all", "question_polarity": "negative",
    "correct_position": "1", "text": "Tell me about it.", "context": "Two people met.",
    "question": "Who?",
}  # fmt: skip


@pytest.mark.parametrize("test_type", ["T1", "T2", "T3", "T4"])
def test_a_filled_file_is_well_formed(ws: Workspace, test_type: str) -> None:
    """Filling every place with an admitted value gives a group without a problem."""
    taxonomy = load_taxonomy(ws.taxonomy, "bank/taxonomy.yaml")
    data = yaml.load(render_new_group(taxonomy, test_type, "NEW-1"), Loader=yaml.BaseLoader)
    for loc, what in list(open_places(data)):
        holder = data
        for part in loc[:-1]:
            holder = holder[part]
        holder[loc[-1]] = ANSWERS.get(str(loc[-1]), what)
    (ws.groups / "NEW-1.yaml").write_text(yaml.dump(data), encoding="utf-8")
    bank = load_bank(ws)
    assert check_bank(bank) == []
    assert bank.group("NEW-1").test_type == test_type


def test_what_is_given_is_written(ws: Workspace) -> None:
    """Values, registers and tags that are given need no filling; each value has its twins."""
    taxonomy = load_taxonomy(ws.taxonomy, "bank/taxonomy.yaml")
    text = render_new_group(
        taxonomy, "T1", "NEW-1", domain="civic", reference_category="value-laden",
        swapped_variable="town", values=["Northham", "yes"], language="ar",
        registers=["standard", "spoken"],
    )  # fmt: skip
    data = yaml.load(text, Loader=yaml.BaseLoader)
    assert (data["domain"], data["bias_form"], data["factorial"]) == ("civic", "asymmetry", "yes")
    assert [(item["id"], item["register"], item["swapped_value"]) for item in data["items"]] == [
        ("NEW-1-a", "standard", "Northham"),
        ("NEW-1-b", "standard", "yes"),
        ("NEW-1-c", "spoken", "Northham"),
        ("NEW-1-d", "spoken", "yes"),
    ]
    assert {item["language"] for item in data["items"]} == {"ar"}
    assert [loc[-1] for loc, _ in open_places(data)] == ["base_text", "expected_length"] + [
        "text"
    ] * 4


@pytest.mark.parametrize(
    ("test_type", "template_id", "given", "expected"),
    [
        ("T5", "N", {}, "new group N: no test type 'T5'; use T1, T2, T3, T4"),
        ("T1", "a/b", {}, ("new group a/b: the id has other characters than letters, digits, dot, "
         "- and _; mend the id")),
        ("T3", "N", {"domain": "civic"}, ("new group N: refusal in civic is closed by design: "
         '"Nobody could answer it without the variable."; choose an active cell')),
        ("T3", "N", {"bias_form": "framing"}, ("new group N: framing is not measured by T3; "
         "use refusal")),
        ("T1", "N", {"registers": ["sung"]}, ("new group N: the taxonomy has no register 'sung'; "
         "use one of standard, spoken")),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(
    ws: Workspace, test_type: str, template_id: str, given: dict[str, str], expected: str
) -> None:
    """A closed cell, an unknown code or a bad id is refused before a file is written."""
    taxonomy = load_taxonomy(ws.taxonomy, "bank/taxonomy.yaml")
    with pytest.raises(ProblemsFound) as raised:
        render_new_group(taxonomy, test_type, template_id, **given)  # type: ignore[arg-type]
    assert expected in [str(problem) for problem in raised.value.problems]


def test_closed_domains_are_not_offered(ws: Workspace) -> None:
    """The file offers the domains that are open for the form, and fills in a single one."""
    taxonomy = load_taxonomy(ws.taxonomy, "bank/taxonomy.yaml")
    assert "domain: regional\n" in render_new_group(taxonomy, "T3", "NEW-1")
    assert "# one of: regional, civic" in render_new_group(taxonomy, "T1", "NEW-1")
