"""The demo bank has the seed's shape and the defects of its list, and no other that shows."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from reviewkit.bank import Bank, check_bank, load_bank
from reviewkit.bank.items import Group, Item
from reviewkit.workspace import Workspace

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PLANTED: list[dict[str, Any]] = yaml.safe_load((HERE / "planted.yaml").read_text(encoding="utf-8"))[
    "planted"
]

FAMILIES = {
    "broken-agreement",
    "criterion-leakage",
    "epistemic-imbalance",
    "generic-decisive-sentence",
    "hidden-character",
    "mislabelled-variable",
    "missing-watchlist",
    "negated-descriptor",
    "placeholder-value",
    "single-theme-refusals",
    "stub-dialect-twin",
    "unbounded-length",
}
CHECKS_OF = {"T1": 6, "T2": 6, "T3": 6, "T4": 4}
CHARACTER_FAMILIES = {"hidden-character", "undeclared-difference"}
TANWIN = "\u064b"


@pytest.fixture(scope="module")
def bank() -> Bank:
    """The demo bank of the repository."""
    return load_bank(Workspace(ROOT))


def planted(family: str) -> list[dict[str, Any]]:
    """Return the planted defects of one family."""
    return [entry for entry in PLANTED if entry["family"] == family]


def planted_items(*families: str) -> set[str]:
    """Return the ids of the items that carry a planted defect of these families."""
    return {item for family in families for entry in planted(family) for item in entry["items"]}


def item_of(group: Group, item_id: str) -> Item:
    """Return one item of a group."""
    return next(item for item in group.items if item.id == item_id)


def prompts(item: Item) -> list[str]:
    """Return every text of an item that a model is shown."""
    return [text for text in (item.text, item.context, item.question, *item.options) if text]


def sources() -> list[Path]:
    """Return every file of the bank that a reviewer may open."""
    groups = sorted((ROOT / "bank/groups").glob("*.yaml"))
    return [ROOT / "bank/taxonomy.yaml", ROOT / "bank/registry.yaml", *groups]


def test_bank_has_the_shape_of_the_seed(bank: Bank) -> None:
    """58 items on 25 groups, split over test types and domains as in the seed."""
    groups = Counter(group.test_type for group in bank.groups)
    items = Counter(group.test_type for group in bank.groups for _ in group.items)
    domains = Counter(group.domain for group in bank.groups for _ in group.items)
    assert groups == {"T1": 17, "T2": 3, "T3": 3, "T4": 2}
    assert items == {"T1": 44, "T2": 6, "T3": 6, "T4": 2}
    assert domains == {
        "social-regional": 36,
        "confessional-communal": 12,
        "historical-political": 10,
    }


def test_bank_is_in_both_languages_and_registers(bank: Bank) -> None:
    """Arabic leads, at least six groups are in English, five groups have both registers."""
    languages = Counter(item.language for group in bank.groups for item in group.items[:1])
    assert set(languages) == {"ar", "en"}
    assert languages["ar"] > languages["en"] >= 6
    both = [g for g in bank.groups if len({item.register_ for item in g.items}) == 2]
    assert len(both) == 5
    assert all(group.factorial == "yes" and len(group.items) == 4 for group in both)
    for group in bank.groups:
        assert len({item.language for item in group.items}) == 1, group.template_id


def test_file_and_item_names_follow_the_template(bank: Bank) -> None:
    """A group lies in the file of its name and its items are lettered from a."""
    for group in bank.groups:
        assert group.source == f"bank/groups/{group.template_id}.yaml"
        letters = [item.id.removeprefix(f"{group.template_id}-") for item in group.items]
        assert letters == list("abcd"[: len(group.items)])


def test_bank_is_well_formed(bank: Bank) -> None:
    """Every planted defect is one for a reader: the mechanical check of the bank finds nothing."""
    assert check_bank(bank) == []


def test_closed_cells_are_the_four_of_the_protocol(bank: Bank) -> None:
    """Four cells are closed with a reason in both languages, and eleven are active."""
    closed = {(cell.domain, cell.form) for cell in bank.taxonomy.closed_cells}
    assert closed == {
        ("confessional-communal", "stereotype-reliance"),
        ("confessional-communal", "framing"),
        ("historical-political", "refusal"),
        ("historical-political", "stereotype-reliance"),
    }
    assert len(bank.taxonomy.domains) * len(bank.taxonomy.forms) - len(closed) == 11
    assert all(set(cell.reason) == {"en", "ar"} for cell in bank.taxonomy.closed_cells)


def test_historical_groups_ask_for_documented_facts(bank: Bank) -> None:
    """Every historical-political group is a verifiable fact and rests on registry entries."""
    for group in bank.groups:
        if group.domain != "historical-political":
            continue
        assert group.reference_category == "verifiable-fact"
        in_notes = re.findall(r"[A-Z]+-[\w-]+", group.notes or "")
        named = [group.event_ref] if group.event_ref else in_notes
        assert named, group.template_id
        assert all(bank.registry.get(name) for name in named), group.template_id


def test_key_says_cannot_be_determined_in_the_ambiguous_twin_only(bank: Bank) -> None:
    """The key follows the option text, and the option's position rotates over the bank."""
    positions = set[int]()
    for group in bank.groups:
        for item in group.items:
            if item.twin is None or item.correct_position is None:
                continue
            keyed = item.options[item.correct_position - 1]
            unknown = bank.taxonomy.cannot_be_determined[item.language]
            assert (keyed in unknown) == (item.twin == "ambiguous"), item.id
            if item.twin == "ambiguous":
                positions.add(item.correct_position)
    assert positions == {1, 2, 3}


def test_list_names_every_family() -> None:
    """Each of the twelve families of the seed's field test is planted at least once."""
    assert {entry["family"] for entry in PLANTED} >= FAMILIES


@pytest.mark.parametrize("entry", PLANTED, ids=lambda e: f"{e['family']}:{e['group']}")
def test_planted_defect_stands_in_the_bank(bank: Bank, entry: dict[str, Any]) -> None:
    """The list names real groups, items and checks, and what it says to be there is there."""
    group = bank.group(entry["group"])
    assert entry["check"]["test_type"] == group.test_type
    assert 1 <= entry["check"]["number"] <= CHECKS_OF[group.test_type]
    assert entry["why"]
    assert entry["where"]
    holders = [item_of(group, item_id) for item_id in entry["items"]]
    assert holders
    if "sign" not in entry:
        return
    scope, _, name = entry["field"].rpartition(".")
    for holder in [group] if scope == "group" else holders:
        assert entry["sign"] in getattr(holder, name)


def test_a_review_has_both_verdicts(bank: Bank) -> None:
    """Some groups carry no defect and some carry two."""
    per_group = Counter(entry["group"] for entry in PLANTED)
    assert 10 <= len(bank.groups) - len(per_group) <= 14
    assert max(per_group.values()) >= 2


def test_standard_texts_are_the_filled_template(bank: Bank) -> None:
    """A standard T1 text is the template with its value, byte for byte, except where planted."""
    exempt = planted_items(*CHARACTER_FAMILIES)
    differs = {
        item.id
        for group in bank.groups
        if group.base_text
        for item in group.items
        if item.register_ == "standard"
        and item.text != group.base_text.replace("{value}", item.swapped_value or "")
    }
    assert differs == exempt


def test_standard_values_are_the_value_list(bank: Bank) -> None:
    """The standard items of a T1 group go through its values in order."""
    for group in bank.groups:
        if group.test_type == "T1":
            values = [item.swapped_value for item in group.items if item.register_ == "standard"]
            assert values == list(group.value_list), group.template_id


def test_refusal_pairs_differ_in_their_value_only(bank: Bank) -> None:
    """The two T3 texts are one text around two values."""
    for group in bank.groups:
        if group.test_type == "T3":
            frames = {
                (item.text or "").replace(item.swapped_value or "?", "{value}")
                for item in group.items
            }
            assert "{value}" in "".join(frames), group.template_id
            assert len(frames) == 1, group.template_id


def test_ambiguous_twins_differ_in_their_last_sentence_only(bank: Bank) -> None:
    """The decisive sentence replaces the sentence that says nothing more is known."""
    for group in bank.groups:
        if group.test_type != "T2":
            continue
        contexts = [re.split(r"(?<=\.) ", item.context or "") for item in group.items]
        assert contexts[0][:-1] == contexts[1][:-1]
        assert contexts[0][-1] != contexts[1][-1]
        assert len({(item.question, item.options) for item in group.items}) == 1


def test_hidden_characters_stand_only_where_planted(bank: Bank) -> None:
    """No other text has a format character, an odd space, a tatweel, or a form that is not NFC."""
    odd = set[str]()
    for group in bank.groups:
        for item in group.items:
            text = "\n".join(prompts(item))
            strange = set(text) & set("\u0640\u06cc") or {
                char for char in text if unicodedata.category(char) in {"Cf", "Zs"} and char != " "
            }
            if strange or not unicodedata.is_normalized("NFC", text):
                odd.add(item.id)
    assert odd == planted_items("hidden-character")


def test_hidden_characters_are_of_five_kinds() -> None:
    """No-break space, tatweel, direction mark, decomposed letter and look-alike are all planted."""
    signs = "".join(entry["sign"] for entry in planted("hidden-character"))
    assert all(char in signs for char in "\u00a0\u0640\u200f\u0301\u06cc")


def test_unwritten_dialect_twins_are_the_planted_ones(bank: Bank) -> None:
    """Two of five factorial groups hold bracketed stubs; the others are written in Iraqi Arabic."""
    stubs = set[str]()
    for group in bank.groups:
        standard = [item.text for item in group.items if item.register_ == "standard"]
        for item in group.items:
            if item.register_ == "standard":
                continue
            assert item.text not in standard
            if "[" in (item.text or ""):
                stubs.add(item.id)
    assert stubs == planted_items("stub-dialect-twin")
    assert len({entry["group"] for entry in planted("stub-dialect-twin")}) == 2


def test_length_is_bounded_except_where_planted(bank: Bank) -> None:
    """Every T1 group but the planted one states its expected length."""
    pairs = [group for group in bank.groups if group.test_type == "T1"]
    unbounded = {group.template_id for group in pairs if not group.expected_length}
    assert unbounded == {entry["group"] for entry in planted("unbounded-length")}


def test_watchlist_is_missing_only_where_planted(bank: Bank) -> None:
    """The other T4 group has all five classes and no term left pending."""
    framing = [group for group in bank.groups if group.test_type == "T4"]
    missing = {group.template_id for group in framing if not group.term_watchlist}
    assert missing == {entry["group"] for entry in planted("missing-watchlist")}
    for group in framing:
        classes = {term.term_class for term in group.term_watchlist}
        assert not classes or classes == {"neutral", "loaded_a", "loaded_b", "proper_name", "other"}


def test_no_prompt_contains_a_watchlist_term(bank: Bank) -> None:
    """A T4 prompt leaves every watched word to the model."""
    for group in bank.groups:
        for term in group.term_watchlist:
            assert all(term.term not in (item.text or "") for item in group.items), term.term


def test_refusal_pairs_have_one_theme_band_and_stance(bank: Bank) -> None:
    """The three T3 pairs are one theme, and each of them is listed for it."""
    refusal = [group for group in bank.groups if group.test_type == "T3"]
    assert len({(group.theme, group.sensitivity_level, group.stance) for group in refusal}) == 1
    listed = {entry["group"] for entry in planted("single-theme-refusals")}
    assert listed == {group.template_id for group in refusal}


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_bank_files_do_not_give_the_defects_away(path: Path) -> None:
    """No word that a reviewer can read says that a defect is on purpose."""
    text = path.read_text(encoding="utf-8").casefold()
    words = ("planted", "defect", "on purpose", "deliberate", "leak", "stub", "hidden")
    for word in (*words, *FAMILIES):
        assert word not in text
    assert "#" not in text or path.parent.name == "bank"


def test_hidden_characters_are_written_as_escapes() -> None:
    """An editor cannot lose a hidden character: the files name its code point in ASCII."""
    for path in [*sources(), HERE / "planted.yaml"]:
        text = path.read_text(encoding="utf-8")
        assert not set(text) & set("\u00a0\u0640\u200b\u200c\u200d\u200e\u200f\u06cc"), path.name
        assert unicodedata.is_normalized("NFC", text), path.name


def test_arabic_has_one_orthography(bank: Bank) -> None:
    """No vowel signs but the tanwin on alif, Arabic punctuation, no doubled spaces."""
    exempt = planted_items("hidden-character")
    for group in bank.groups:
        for item in group.items:
            if item.language != "ar" or item.id in exempt:
                continue
            for text in prompts(item):
                signs = {char for char in text if unicodedata.category(char) == "Mn"}
                assert signs <= {TANWIN}, item.id
                assert text.count(TANWIN) == text.count(TANWIN + "ا"), item.id
                assert not set(text) & set(",;?"), item.id
                assert "  " not in text, item.id
                assert text == text.strip(), item.id


def test_no_harm_is_done(bank: Bank) -> None:
    """No titled person, no group-hostile or violent word, every refusal pair reviewed for harm."""
    titles = (
        r"\b(Mr|Mrs|Dr|President|Minister|King|Sheikh"
        r"|السيد|الشيخ|الدكتور|الرئيس|الوزير|الملك)\b"
    )
    harmful = r"\b(kill|attack|enemy|terror|traitor|قتل|عدو|إرهاب|خائن|كافر|متخلف)"
    for group in bank.groups:
        for item in group.items:
            for text in prompts(item):
                assert not re.search(titles, text, re.IGNORECASE), item.id
                assert not re.search(harmful, text, re.IGNORECASE), item.id
        if group.test_type == "T3":
            assert group.harm_review, group.template_id
    fields = set(Group.model_fields) | set(Item.model_fields)
    assert not [name for name in fields if name.startswith("stereotype")]


def test_registry_says_who_verified_what(bank: Bank) -> None:
    """Every registry entry names source, verifier and day, and every event of the bank is there."""
    for entry in bank.registry.entries:
        assert entry.primary_source
        assert entry.verified_by == "demo author"
        assert entry.verified_on
    events = {group.event_ref for group in bank.groups if group.test_type == "T4"}
    assert all(event and bank.registry.get(event) for event in events)
