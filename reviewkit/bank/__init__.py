"""What is judged: items and groups with their taxonomy and registry; responses of models."""

from reviewkit.bank.bank import Bank, UnknownGroup
from reviewkit.bank.check import check_bank, check_group
from reviewkit.bank.items import OUTSIDE_DIGEST, Group, Item, TestType, WatchedTerm
from reviewkit.bank.load import (
    load_bank,
    load_group,
    load_registry,
    load_taxonomy,
    read_bank,
)
from reviewkit.bank.parse_fields import Parsed, parse_fields
from reviewkit.bank.registry import Reference, Registry
from reviewkit.bank.render import render_group
from reviewkit.bank.response_lines import Response
from reviewkit.bank.responses import (
    NoSuchResponse,
    ResponsesChanged,
    ResponseTable,
    UnknownResponses,
    columns_of,
    load_hidden,
    open_responses,
    table_names,
)
from reviewkit.bank.spread import spread_of
from reviewkit.bank.taxonomy import ClosedCell, Entry, ManifestationForm, Register, Taxonomy
from reviewkit.bank.watchlists import (
    Match,
    Term,
    UnknownWatchlist,
    Watchlist,
    find_terms,
    load_watchlist,
    load_watchlists,
)

__all__ = [
    "OUTSIDE_DIGEST", "Bank", "ClosedCell", "Entry", "Group", "Item",
    "ManifestationForm", "Match", "NoSuchResponse", "Parsed", "Reference", "Register", "Registry",
    "Response", "ResponseTable", "ResponsesChanged", "Taxonomy", "Term", "TestType",
    "UnknownGroup", "UnknownResponses", "UnknownWatchlist", "WatchedTerm", "Watchlist",
    "check_bank", "check_group", "columns_of", "find_terms", "load_bank",
    "load_group", "load_hidden", "load_registry", "load_taxonomy", "load_watchlist",
    "load_watchlists", "open_responses", "parse_fields", "read_bank", "render_group",
    "spread_of", "table_names",
]  # fmt: skip
