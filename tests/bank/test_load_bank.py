"""A bank is read whole or not at all, and every fault is told at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from reviewkit.bank import Bank, UnknownGroup, check_bank, load_bank, load_group, load_taxonomy
from reviewkit.bank.load import read_bank
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace
from tests.bank.example_bank import GROUPS, T1, T2


def sentences(ws: Workspace) -> list[str]:
    """Return the problems of a bank that must not load."""
    with pytest.raises(ProblemsFound) as raised:
        load_bank(ws)
    return [str(problem) for problem in raised.value.problems]


def raw(text: str) -> dict[str, Any]:
    """Return a group file as plain data with text scalars."""
    return yaml.load(text, Loader=yaml.BaseLoader)


def flat(text: str) -> list[dict[str, Any]]:
    """Return a group as the seed's flat lines."""
    group = raw(text)
    items = group.pop("items")
    return [{**group, **item} for item in items]


def write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    """Write JSON objects, one a line."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


def test_groups_come_sorted_with_their_file(ws: Workspace) -> None:
    """Groups are in order of id and know the file they stand in; the example has no fault."""
    bank = load_bank(ws)
    assert [group.template_id for group in bank.groups] == sorted(GROUPS)
    assert bank.group("T2-001").source == "bank/groups/T2-001.yaml"
    assert bank.group("T2-001").items[1].correct_position == 2
    assert check_bank(bank) == []


def test_unknown_group_is_named(ws: Workspace) -> None:
    """Asking for a group that is not there names the nearest one."""
    with pytest.raises(UnknownGroup, match=r"no group 'T1-01'; did you mean T1-001\?"):
        load_bank(ws).group("T1-01")


def test_all_problems_of_all_files_at_once(ws: Workspace) -> None:
    """Faults of taxonomy, registry, two group files and the check come in one list."""
    taxonomy = ws.taxonomy.read_text(encoding="utf-8")
    ws.registry.write_text("entries:\n  - ref_id: X\n    color: red\n", encoding="utf-8")
    (ws.groups / "T1-001.yaml").write_text(T1.replace("domain:", "domian:"), encoding="utf-8")
    (ws.groups / "T2-001.yaml").write_text(T2.replace("n: 3", "n: 4"), encoding="utf-8")
    found = "\n".join(sentences(ws))
    assert "bank/registry.yaml:3" in found
    assert "bank/groups/T1-001.yaml:3" in found
    assert "domian" in found
    assert "bank/groups/T2-001.yaml:16" in found
    ws.taxonomy.write_text(taxonomy.replace("stances:", "stanzas:"), encoding="utf-8")
    assert "stanzas" in "\n".join(sentences(ws))


def test_duplicate_item_id_names_both_places(ws: Workspace) -> None:
    """An item id may stand once in the whole bank."""
    twice = T2.replace("id: T2-001-b", "id: T1-001-b")
    (ws.groups / "T2-001.yaml").write_text(twice, encoding="utf-8")
    [found] = sentences(ws)
    assert found.startswith(
        "bank/groups/T2-001.yaml:17 items[1].id: the item id 'T1-001-b' stands at "
    )
    assert "bank/groups/T1-001.yaml:16 items[1].id already" in found


def test_duplicate_item_id_in_one_group(ws: Workspace) -> None:
    """Two items of one group cannot share an id either."""
    (ws.groups / "T1-001.yaml").write_text(T1.replace("001-b", "001-a"), encoding="utf-8")
    [found] = sentences(ws)
    assert found.startswith(
        "bank/groups/T1-001.yaml:16 items[1].id: the item id 'T1-001-a' stands at"
    )


def test_duplicate_template_id_names_both_files(ws: Workspace) -> None:
    """A copied file whose template id was not changed is refused."""
    copy = T1.replace("id: T1-001-", "id: T1-002-")
    (ws.groups / "T1-002.yaml").write_text(copy, encoding="utf-8")
    [found] = sentences(ws)
    assert "bank/groups/T1-002.yaml:1" in found
    assert "bank/groups/T1-001.yaml:1" in found


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "flat"])
def test_jsonl_is_read_as_yaml_is(ws: Workspace, whole: bool) -> None:
    """Whole groups or flat items a line give the very groups that YAML files give."""
    before = load_bank(ws)
    lines: list[dict[str, Any]] = []
    for name, text in GROUPS.items():
        (ws.groups / f"{name}.yaml").unlink()
        lines += [raw(text)] if whole else flat(text)
    write_lines(ws.groups / "all.jsonl", lines)
    after = load_bank(ws)
    assert [group.content for group in after.groups] == [group.content for group in before.groups]
    assert after.digest == before.digest
    assert {group.source for group in after.groups} == {"bank/groups/all.jsonl"}


def test_flat_lines_may_be_mixed_and_leave_fields_out(ws: Workspace) -> None:
    """Lines of two templates may alternate; null and a field given on one line are no conflict."""
    before = load_bank(ws)
    first, second = flat(T1), flat(T2)
    second[0] |= {"disambig_direction": None, "swapped_value": None, "status": "draft"}
    (ws.groups / "T1-001.yaml").unlink()
    (ws.groups / "T2-001.yaml").unlink()
    write_lines(ws.groups / "two.jsonl", [first[0], second[0], first[1], second[1]])
    assert load_bank(ws).digest == before.digest


def test_flat_lines_in_conflict_name_both_lines(ws: Workspace) -> None:
    """Two lines of one template that disagree on a shared field are refused together."""
    lines = flat(T1)
    lines[1] |= {"domain": "civic", "value_list": ["Northham"]}
    (ws.groups / "T1-001.yaml").unlink()
    write_lines(ws.groups / "t1.jsonl", lines)
    found = sentences(ws)
    assert len(found) == 2
    assert found[0].startswith("bank/groups/t1.jsonl:2 domain: ")
    assert "'civic' here and 'regional' at bank/groups/t1.jsonl:1" in found[0]


def test_flat_line_unknown_field_finds_shared_names(ws: Workspace) -> None:
    """The nearest name of an unknown field on a flat line may be the group's or the item's."""
    lines = flat(T1)
    lines[0]["base_txt"] = "x"
    lines[1]["swaped_value"] = "x"
    (ws.groups / "T1-001.yaml").unlink()
    write_lines(ws.groups / "t1.jsonl", lines)
    one, two = sentences(ws)
    assert one.startswith("bank/groups/t1.jsonl:1")
    assert "base_text" in one
    assert two.startswith("bank/groups/t1.jsonl:2")
    assert "swapped_value" in two


def test_check_finds_the_line_of_a_flat_item(ws: Workspace) -> None:
    """A fault of the check in a flat file is placed on the item's own line."""
    lines = flat(T2)
    lines[1]["correct_position"] = 4
    (ws.groups / "T2-001.yaml").unlink()
    write_lines(ws.groups / "t2.jsonl", lines)
    [problem] = check_bank(load_bank(ws))
    assert problem.where.startswith("bank/groups/t2.jsonl:2")


def test_hidden_files_and_notes_are_not_groups(ws: Workspace) -> None:
    """Checkpoints, backups and notes are passed over; any other file is a problem."""
    before = load_bank(ws).digest
    (ws.groups / ".ipynb_checkpoints").mkdir()
    (ws.groups / ".ipynb_checkpoints" / "T1-001-checkpoint.yaml").write_text(T1, encoding="utf-8")
    (ws.groups / "README.md").write_text("# Groups", encoding="utf-8")
    (ws.groups / "T1-001.yaml~").write_text(T1, encoding="utf-8")
    assert load_bank(ws).digest == before
    (ws.groups / "more.csv").write_text("id", encoding="utf-8")
    [found] = sentences(ws)
    assert found.startswith("bank/groups/more.csv: a file of this kind is not read; ")


def test_empty_bank_loads(ws: Workspace) -> None:
    """A project without groups or registry has an empty bank."""
    for path in ws.groups.iterdir():
        path.unlink()
    ws.groups.rmdir()
    ws.registry.unlink()
    assert load_bank(ws).groups == ()


def test_load_group_reads_one_file_and_checks_it(ws: Workspace) -> None:
    """After an edit one file is read alone; what the taxonomy refuses is told as well."""
    path = ws.groups / "T1-001.yaml"
    taxonomy = load_taxonomy(ws.taxonomy, "bank/taxonomy.yaml")
    path.write_text(T1.replace("short", "long"), encoding="utf-8")
    [group] = load_group(path, "bank/groups/T1-001.yaml", taxonomy)
    assert "long welcome" in str(group.items[0].text)
    assert group.source == "bank/groups/T1-001.yaml"
    path.write_text(T1.replace("regional", "regionel"), encoding="utf-8")
    with pytest.raises(ProblemsFound, match=r"T1-001.yaml:3 .*did you mean regional"):
        load_group(path, "bank/groups/T1-001.yaml", taxonomy)


def test_scalars_stay_text(ws: Workspace) -> None:
    """Words that YAML would turn into booleans, dates or numbers stay the author's words."""
    text = T1.replace("Northham", "yes").replace("Southham", "007")
    (ws.groups / "T1-001.yaml").write_text(text, encoding="utf-8")
    group = load_bank(ws).group("T1-001")
    assert group.value_list == ("yes", "007")
    assert [item.swapped_value for item in group.items] == ["yes", "007"]
    assert group.factorial == "no"


def test_bank_made_in_python_has_places_too() -> None:
    """A bank that was not read from files names group and field instead of a line."""
    taxonomy = {
        "domains": [{"id": "d", "title": {"en": "D"}}],
        "forms": [{"id": "f", "title": {"en": "F"}, "test_types": ["T4"]}],
        "reference_categories": [{"id": "r", "title": {"en": "R"}}],
        "languages": ["en"],
        "registers": [{"id": "standard", "kind": "standard", "title": {"en": "S"}}],
    }
    group = {
        "template_id": "X", "test_type": "T4", "domain": "d", "bias_form": "f",
        "reference_category": "r", "items": [{"id": "x", "language": "en", "register": "standrd",
        "text": "Describe it."}],
    }  # fmt: skip
    from reviewkit.bank import Group, Taxonomy

    bank = Bank((Group.model_validate(group),), Taxonomy.model_validate(taxonomy))
    [problem] = check_bank(bank)
    assert problem.where == "X items[0].register"
    assert problem.remedy == "did you mean standard?"


def test_a_file_at_fault_is_left_out_whatever_its_name(ws: Workspace) -> None:
    """A name with spaces, colons and digits does not bring its malformed group to a reviewer."""
    sound, problems = read_bank(ws)
    assert problems == ()
    (ws.groups / "T2-001.yaml").unlink()
    text = T2.replace("disambig_direction: ", "stance: nowhere\ndisambig_direction: ")
    (ws.groups / "my group:12 b.yaml").write_text(text, encoding="utf-8")
    left, problems = read_bank(ws)
    assert problems
    before, after = ({each.template_id for each in bank.groups} for bank in (sound, left))
    assert before - after == {"T2-001"}
