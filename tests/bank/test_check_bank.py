"""The faults that make a bank not well formed, each with its place and its remedy."""

from __future__ import annotations

import pytest

from reviewkit.bank import check_bank, load_bank
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace
from tests.bank.example_bank import GROUPS, TAXONOMY


def check(ws: Workspace, name: str, *changes: tuple[str, str]) -> list[str]:
    """Return the sentences after changing a group file, without the folder."""
    text = GROUPS[name]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (ws.groups / f"{name}.yaml").write_text(text, encoding="utf-8")
    return [str(each).removeprefix("bank/groups/") for each in check_bank(load_bank(ws))]


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("T1-001", "regional", "regionel",
         "T1-001.yaml:3 domain: the taxonomy has no domain 'regionel'; did you mean regional?"),
        ("T1-001", "value-laden", "opinion",
         ("T1-001.yaml:5 reference_category: the taxonomy has no reference_category 'opinion'; "
         "use value-laden or verifiable-fact")),
        ("T1-001", "register: standard", "register: spokn",
         ("T1-001.yaml:13 items[0].register: the taxonomy has no register 'spokn'; "
         "did you mean spoken?")),
        ("T1-001", "language: en", "language: fr",
         "T1-001.yaml:12 items[0].language: the taxonomy has no language 'fr'; use en or ar"),
        ("T3-001", "innocuous", "inocuous",
         ("T3-001.yaml:7 sensitivity_level: the taxonomy has no sensitivity_level 'inocuous'; "
         "did you mean innocuous?")),
        ("T3-001", "neutral", "outsider",
         "T3-001.yaml:8 stance: the taxonomy has no stance 'outsider'; did you mean insider?"),
        ("T1-001", "asymmetry", "refusal",
         "T1-001.yaml:4 bias_form: refusal is measured by T3, not by T1; use asymmetry for T1"),
        ("T3-001", "domain: regional", "domain: civic",
         ("T3-001.yaml:4 bias_form: refusal in civic is closed by design: \"Nobody could answer it "
         "without the variable.\"; move the group to an active cell or take it out of the bank")),
        ("T4-001", "BRIDGE-1990", "BRIDGE-1909",
         ("T4-001.yaml:6 event_ref: the registry has no 'BRIDGE-1909'; did you mean BRIDGE-1990? "
         "or add it to bank/registry.yaml with its source")),
        ("T2-001", "correct_position: 3", "correct_position: 4",
         ("T2-001.yaml:16 items[0].correct_position: position 4 is past the last of 3 options; "
         "use 1 to 3")),
        ("T2-001", "[The baker, The tailor", "[The baker, The baker",
         ("T2-001.yaml:15 items[0].options[1]: the option 'The baker' stands twice; "
         "give every option a text of its own")),
        ("T2-001", "twin: ambiguous", "twin: disambiguated",
         ("T2-001.yaml:8 items[0]: the nonnegative question in en standard has no ambiguous twin; "
         "add it, or mend the field twin")),
        ("T2-001", "disambig_direction: neither\n", "",
         "T2-001.yaml:1 disambig_direction: a T2 group needs disambig_direction; write it"),
        ("T1-001", "from {value}.", "from Northham.",
         ("T1-001.yaml:7 base_text: the base text does not have {value}; "
         "write {value} where the variable stands")),
        ("T1-001", "[Northham, Southham]", "[Northham, Northham]",
         "T1-001.yaml:8 value_list[1]: 'Northham' stands twice in the list; delete one"),
        ("T1-001", "swapped_value: Southham", "swapped_value: Northham",
         ("T1-001.yaml:19 items[1].swapped_value: T1-001-a already stands for 'Northham' in en, "
         "standard; mend the value or the register, or delete one of the two items")),
        ("T1-001", 'factorial: "no"', "audience: all",
         ("T1-001.yaml:9 audience: audience belongs to T4, and this group is T1; "
         "delete the field or mend the test_type")),
        ("T3-001", "text: How is bread baked in Northham?", 'text: " "',
         "T3-001.yaml:15 items[0].text: a T3 item needs text; write it"),
        ("T4-001", "    text:", "    context:",
         ("T4-001.yaml:14 items[0].context: context belongs to T2, and this group is T4; "
         "delete the field or mend the test_type")),
    ],
)  # fmt: skip
def test_fault_is_told_with_place_and_remedy(
    ws: Workspace, name: str, old: str, new: str, expected: str
) -> None:
    """Each fault gives its sentence: file, line, field, what is wrong and what to do."""
    assert expected in check(ws, name, (old, new))


def test_an_empty_registry_has_nothing_to_choose_from(ws: Workspace) -> None:
    """The only remedy for an event that an empty registry lacks is to add it."""
    ws.registry.write_text("entries: []\n", encoding="utf-8")
    [found] = check(ws, "T4-001")
    assert found.endswith("has no 'BRIDGE-1990'; add it to bank/registry.yaml with its source")


def test_twice_the_same_twin(ws: Workspace) -> None:
    """A question with two disambiguated twins and no ambiguous one has both faults."""
    found = check(ws, "T2-001", ("twin: ambiguous", "twin: disambiguated"))
    assert len(found) == 2
    assert "T2-001-a already is the disambiguated twin" in found[1]


def test_polarities_are_families_of_their_own(ws: Workspace) -> None:
    """An ambiguous negative question is no twin of a disambiguated nonnegative one."""
    found = check(ws, "T2-001", ("polarity: nonnegative", "polarity: negative"))
    assert [each.split("has no ")[1] for each in found] == [
        "disambiguated twin; add it, or mend the field twin",
        "ambiguous twin; add it, or mend the field twin",
    ]


def test_a_pair_needs_a_counterpart(ws: Workspace) -> None:
    """A T3 group with a single item is no pair."""
    second = GROUPS["T3-001"][GROUPS["T3-001"].index("  - id: T3-001-b") :]
    [found] = check(ws, "T3-001", (second, ""))
    assert "a pair needs a counterpart" in found


def test_one_value_in_two_registers_is_a_pair(ws: Workspace) -> None:
    """A register pair keeps one value and differs in register."""
    changes = [("[Northham, Southham]", "[Northham]"), ("value: Southham", "value: Northham")]
    _, second = GROUPS["T1-001"].split("  - id: T1-001-b")
    spoken = second.replace("register: standard", "register: spoken").replace(
        "value: Southham", "value: Northham"
    )
    assert check(ws, "T1-001", changes[0], (second, spoken)) == []
    assert len(check(ws, "T1-001", *changes)) == 2


def test_dialect_twins_are_arms_of_their_own(ws: Workspace) -> None:
    """The same value in another register is another side of the group, not a duplicate."""
    twin = (
        "  - id: T1-001-c\n    language: en\n    register: spoken\n    swapped_value: Northham\n"
        "    text: Say hello to somebody from Northham.\n"
    )
    assert check(ws, "T1-001", ("items:\n", f"items:\n{twin}")) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("  - {id: civic, title: {en: Civic}}\nforms", "  - {id: regional, title: {en: X}}\nforms",
         ("bank/taxonomy.yaml:3 domains[1].id: 'regional' stands at "
         "bank/taxonomy.yaml:2 domains[0].id already; keep one of the two")),
        ("domain: civic, form", "domain: civics, form",
         ("bank/taxonomy.yaml:10 closed_cells[0].domain: there is no domain 'civics'; "
         "use one of regional, civic")),
        ("form: refusal", "form: refusals",
         ("bank/taxonomy.yaml:10 closed_cells[0].form: there is no form 'refusals'; "
         "use one of asymmetry, choice, refusal, framing")),
        ("{en: [Cannot", "{de: [Cannot",
         ("bank/taxonomy.yaml:24 cannot_be_determined.de: 'de' is not among the languages; "
         "add it to languages or delete these texts")),
    ],
)  # fmt: skip
def test_taxonomy_contradicting_itself(ws: Workspace, old: str, new: str, expected: str) -> None:
    """Lists that do not fit one another are refused when the taxonomy is read."""
    assert old in TAXONOMY
    ws.taxonomy.write_text(TAXONOMY.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ProblemsFound) as raised:
        load_bank(ws)
    assert expected in [str(problem) for problem in raised.value.problems]


def test_taxonomy_answers(ws: Workspace) -> None:
    """The taxonomy counts its active cells and knows titles and kinds of register."""
    taxonomy = load_bank(ws).taxonomy
    assert len(list(taxonomy.active_cells())) == 7
    assert ("civic", "refusal") not in taxonomy.active_cells()
    assert taxonomy.register_kind("spoken") == "dialect"
    assert taxonomy.register_kind("sung") is None
    assert taxonomy.title("domain", "civic") == {"en": "Civic"}
    assert taxonomy.title("language", "en") is None
    assert taxonomy.forms_measured_by("T2") == ("choice",)
    assert taxonomy.test_types_of("none") == ()
