"""A verdict belongs to content: what moves a digest and what never does."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewkit.bank import OUTSIDE_DIGEST, Group, Item, load_bank, render_group
from reviewkit.workspace import Workspace
from tests.bank.example_bank import GROUPS, T1, lay_out

BOOKKEEPING = st.fixed_dictionaries(
    {},
    optional={
        "status": st.text("abc", max_size=5),
        "notes": st.text("xyz \n", max_size=9),
        "layer": st.text("123", max_size=3),
        "reviewers": st.lists(st.text("ab", min_size=1, max_size=4), max_size=3),
    },
)


def raw(name: str) -> dict[str, Any]:
    """Return an example group as plain data."""
    return yaml.load(GROUPS[name], Loader=yaml.BaseLoader)


def digest(data: dict[str, Any]) -> str:
    """Return the digest of a group made from plain data."""
    return Group.model_validate(data).digest


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every scalar in plain data."""
    if isinstance(value, dict):
        return [each for name, part in value.items() for each in places(part, (*path, name))]
    if isinstance(value, list):
        return [each for at, part in enumerate(value) for each in places(part, (*path, at))]
    return [path]


@given(name=st.sampled_from(sorted(GROUPS)), shared=BOOKKEEPING, own=BOOKKEEPING)
def test_bookkeeping_keeps_every_digest(
    name: str, shared: dict[str, Any], own: dict[str, Any]
) -> None:
    """Status, reviewers, notes and layer, of group or item, move no digest."""
    data = raw(name)
    before = Group.model_validate(data)
    after = Group.model_validate(
        {**data, **shared, "items": [{**item, **own} for item in data["items"]]}
    )
    assert after.digest == before.digest
    assert [item.digest for item in after.items] == [item.digest for item in before.items]


@given(name=st.sampled_from(sorted(GROUPS)), shuffle=st.randoms(use_true_random=False))
def test_order_of_keys_and_items_keeps_the_digest(name: str, shuffle: Any) -> None:
    """The order in which a file writes fields and items says nothing."""
    data = raw(name)
    fields = list(data.items())
    shuffle.shuffle(fields)
    mixed = dict(fields)
    mixed["items"] = [dict(reversed(item.items())) for item in data["items"]]
    shuffle.shuffle(mixed["items"])
    assert digest(mixed) == digest(data)


CHANGES = [(name, path) for name in GROUPS for path in places(raw(name))]


@pytest.mark.parametrize(("name", "path"), CHANGES, ids=str)
def test_every_content_field_moves_the_digest(name: str, path: tuple[Any, ...]) -> None:
    """Another value in any field that is written, of group or item, is another content."""
    data = raw(name)
    holder: Any = data
    for part in path[:-1]:
        holder = holder[part]
    others = {
        "test_type": "T3" if name != "T3-001" else "T1", "factorial": "yes", "twin": "ambiguous",
        "disambig_direction": "with", "question_polarity": "negative", "correct_position": "1",
        "term_class": "other",
    }  # fmt: skip
    other = others.get(str(path[-1]), f"{holder[path[-1]]}x")
    if holder[path[-1]] == other:
        other = "disambiguated"
    before = digest(data)
    holder[path[-1]] = other
    assert digest(data) != before


def test_fields_that_the_examples_leave_out_move_the_digest() -> None:
    """Every field of item and group but the bookkeeping is content, also those rarely used."""
    data = raw("T1-001")
    extra_group = {
        "disambig_direction": "with", "sensitivity_level": "a", "harm_review": "a", "stance": "a",
        "theme": "a", "term_watchlist": [{"term": "a", "term_class": "other"}], "event_ref": "A",
        "audience": "a", "expected_length": "a",
    }  # fmt: skip
    extra_item = {
        "region_tag": "a", "twin": "ambiguous", "context": "a", "question": "a",
        "question_polarity": "negative", "options": ["a"], "correct_position": "1",
    }  # fmt: skip
    named = set(extra_group) | set(data) | OUTSIDE_DIGEST
    assert named == set(Group.model_fields)
    fields = {field.alias or name for name, field in Item.model_fields.items()}
    assert set(extra_item) | set(data["items"][0]) | OUTSIDE_DIGEST == fields
    seen = {digest(data)}
    for field, value in extra_group.items():
        seen.add(digest({**data, field: value}))
    for field, value in extra_item.items():
        first, second = data["items"]
        seen.add(digest({**data, "items": [{**first, field: value}, second]}))
    assert len(seen) == 1 + len(extra_group) + len(extra_item)


def test_normal_forms_differ() -> None:
    """Two spellings that look alike are two contents: nothing is normalised."""
    composed = unicodedata.normalize("NFC", "\u0623\u062d\u0645\u062f")
    decomposed = unicodedata.normalize("NFD", composed)
    assert composed != decomposed
    digests = {
        digest({**raw("T1-001"), "base_text": text + " {value}"})
        for text in (composed, decomposed, composed + "\u0640", composed + "\u00a0")
    }
    assert len(digests) == 4


@pytest.mark.parametrize("empty", ["", None], ids=["empty", "null"])
def test_an_empty_field_is_an_absent_one(empty: str | None) -> None:
    """A field left empty in YAML, or null in JSON, is the field left out."""
    data = raw("T1-001")
    assert digest({**data, "stance": empty, "expected_length": empty}) == digest(data)


WRITTEN = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)


@settings(deadline=None)
@given(texts=st.tuples(WRITTEN, WRITTEN))
def test_file_format_keeps_the_digest(
    texts: tuple[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever the texts are, YAML, whole JSONL and flat JSONL read as the same content."""
    data = raw("T1-001")
    for item, text in zip(data["items"], texts, strict=True):
        item["text"] = text
    group = Group.model_validate(data)
    ws = lay_out(tmp_path_factory.mktemp("layout"))
    path = ws.groups / "T1-001.yaml"
    path.write_bytes(render_group(group).encode())
    banks = [load_bank(ws)]
    path.unlink()
    shared = {name: value for name, value in data.items() if name != "items"}
    for lines in ([data], [{**shared, **item} for item in data["items"]]):
        written = "".join(json.dumps(line) + "\n" for line in lines)
        (ws.groups / "moved.jsonl").write_bytes(written.encode())
        banks.append(load_bank(ws))
    assert {bank.group("T1-001").digest for bank in banks} == {group.digest}
    assert len({bank.digest for bank in banks}) == 1


def test_file_layout_keeps_the_bank_digest(ws: Workspace) -> None:
    """Renaming a file or moving it into a folder of its own is not an edit of the bank."""
    before = load_bank(ws).digest
    (ws.groups / "town").mkdir()
    (ws.groups / "T1-001.yaml").rename(ws.groups / "town" / "welcome.yml")
    assert load_bank(ws).digest == before


def test_bank_digest_covers_taxonomy_and_facts(ws: Workspace) -> None:
    """Closing a cell or mending a fact moves the bank's digest; who verified it does not."""
    before = load_bank(ws).digest
    registry = ws.registry.read_text(encoding="utf-8")
    ws.registry.write_text(registry.replace('verified_by: ""', "verified_by: Lina"), "utf-8")
    assert load_bank(ws).digest == before
    ws.registry.write_text(registry.replace("in 1990.", "in 1991."), encoding="utf-8")
    after = load_bank(ws).digest
    assert after != before
    taxonomy = ws.taxonomy.read_text(encoding="utf-8")
    ws.taxonomy.write_text(taxonomy.replace("Nobody", "Few people"), encoding="utf-8")
    assert load_bank(ws).digest not in {before, after}


def test_one_letter_moves_one_group_only(ws: Workspace) -> None:
    """An edit of one item moves its digest, its group's and the bank's, and no other."""
    before = load_bank(ws)
    text = T1.replace("visitor from Southham.\n", "visitor from Southham!\n")
    (ws.groups / "T1-001.yaml").write_text(text, encoding="utf-8")
    after = load_bank(ws)
    moved = [
        group.template_id for group in before.groups
        if after.group(group.template_id).digest != group.digest
    ]  # fmt: skip
    assert moved == ["T1-001"]
    same = [
        old.digest == new.digest
        for old, new in zip(before.group("T1-001").items, after.group("T1-001").items, strict=True)
    ]
    assert same == [True, False]
    assert after.digest != before.digest
