"""What is judged: items, groups, the taxonomy they are written in and the reference registry."""

from reviewkit.bank.bank import Bank, UnknownGroup
from reviewkit.bank.bbq import read_bbq
from reviewkit.bank.check import check_bank, check_group
from reviewkit.bank.items import OUTSIDE_DIGEST, Group, Item, TestType, WatchedTerm
from reviewkit.bank.load import (
    load_bank,
    load_group,
    load_registry,
    load_taxonomy,
    read_bank,
)
from reviewkit.bank.new_group import render_new_group
from reviewkit.bank.registry import Reference, Registry
from reviewkit.bank.render import render_group
from reviewkit.bank.spread import spread_of
from reviewkit.bank.taxonomy import ClosedCell, Entry, ManifestationForm, Register, Taxonomy

__all__ = [
    "OUTSIDE_DIGEST", "Bank", "ClosedCell", "Entry", "Group", "Item", "ManifestationForm",
    "Reference", "Register", "Registry", "Taxonomy", "TestType", "UnknownGroup", "WatchedTerm",
    "check_bank", "check_group", "load_bank", "load_group", "load_registry", "load_taxonomy",
    "read_bank", "read_bbq", "render_group", "render_new_group", "spread_of",
]  # fmt: skip
