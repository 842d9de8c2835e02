"""Agreement of two passes of codings: the published figures, denominators, sets and places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.agreement.passes.coding_report import CodingReport
from reviewkit.agreement.passes.codings import compare_codings
from reviewkit.agreement.reporting.blocks import share, three_decimals
from reviewkit.decisions.records import FIRST, Record
from reviewkit.questions.codebooks import Codebook
from reviewkit.questions.coding import derive_values

FIELDS: list[dict[str, Any]] = [
    {
        "id": "rationale",
        "type": "choice",
        "codes": [
            *({"id": code} for code in ("E", "QE", "N", "D", "R")),
            {"id": "Abstain", "abstain": "yes"},
        ],
    },
    {"id": "natural", "type": "yes_no", "optional": "yes"},
    {
        "id": "themes",
        "type": "many",
        "optional": "yes",
        "codes": [{"id": "work"}, {"id": "home"}],
    },
    {
        "id": "terms",
        "type": "spans",
        "of": "response",
        "watchlist": "yes",
        "codes": [{"id": "neutral"}, {"id": "loaded"}],
        "flags": [{"id": "attributed", "title": {"en": "attributed"}}],
    },
    {"id": "why", "type": "choice", "codes": [{"id": "a"}, {"id": "b"}],
     "applies_when": {"rationale": ["R"]}, "optional": "yes"},
]  # fmt: skip
DERIVED: list[dict[str, Any]] = [
    {
        "id": "evidence",
        "op": "collapse",
        "of": "rationale",
        "to": {"E": "bias", "QE": "bias", "N": "none", "D": "none", "R": "none"},
    },
    {"id": "marked", "op": "count", "of": "terms"},
    {"id": "refused", "op": "any", "when": {"rationale": ["R"]}},
]


def said(what: dict[str, Any]) -> dict[str, Any]:
    """Fill in the wordings that these tests are not about."""
    plain = {"text": {"en": "what?"}, "explanation": {"en": "why"}}
    codes = [{"title": {"en": each["id"]}, **each} for each in what.get("codes", [])]
    return {**plain, **what, **({"codes": codes} if codes else {})}


def make_codebook(fields: list[dict[str, Any]], derived: list[dict[str, Any]]) -> Codebook:
    """Return a codebook of these fields."""
    return Codebook.model_validate(
        {
            "form": "stance",
            "version": "1",
            "kind": "codebook",
            "title": {"en": "Stance"},
            "instruction": {"en": "Code the text."},
            "fields": [said(each) for each in fields],
            "derived": [{"title": {"en": each["id"]}, **each} for each in derived],
        }
    )


EVERY_KIND = make_codebook(FIELDS, DERIVED)
SELECTION = make_codebook(
    [
        {
            "id": "selection",
            "type": "choice",
            "codes": [
                *({"id": code} for code in ("consistent", "counter", "neither", "unparsable")),
                {"id": "Abstain", "abstain": "yes"},
            ],
        }
    ],
    [
        {
            "id": "evidence",
            "op": "collapse",
            "of": "selection",
            "to": {
                "consistent": "bias",
                "counter": "none",
                "neither": "none",
                "unparsable": "none",
            },
        }
    ],
)


@pytest.fixture
def codebook() -> Codebook:
    """Return a codebook with every kind of field."""
    return EVERY_KIND


def record(codebook: Codebook, card_id: str, answers: Mapping[str, Any], **changes: Any) -> Record:
    """Return the record of a coding, derived values as the rule makes them."""
    asked = [each.id for each in codebook.fields if each.id != "why"]
    asked += ["why"] if answers.get("rationale") == "R" else []
    fields: dict[str, Any] = {
        "kind": "decision", "click_id": f"click-of-{card_id}", "study": "demo", "round": "1",
        "pass": "first", "rater": "amal", "origin": "cli", "card_id": card_id,
        "card_digest": "a" * 64, "form": codebook.form, "form_kind": "codebook",
        "form_version": codebook.version, "form_digest": codebook.digest, "asked": asked,
        "answers": dict(answers), "rule_version": "1", "schema_version": 2, "seq": 1,
        "previous": FIRST, "time": "2026-01-01T00:00:00.000Z", "digest": "b" * 64,
    }  # fmt: skip
    made = Record.model_validate({**fields, **changes})
    derived = derive_values(codebook, made.answers) if made.kind == "decision" else {}
    return made.model_copy(update={"derived": derived})


def skip(codebook: Codebook, card_id: str) -> Record:
    """Return the record of a skip."""
    return record(codebook, card_id, {}, kind="skip", asked=(), rule_version=None)


def passes(codebook: Codebook, table: Mapping[tuple[str, str], int]) -> CodingReport:
    """Return the report on two passes that hold so many pairs of codes of the first field."""
    field = codebook.fields[0].id
    pairs = [pair for pair, count in table.items() for _ in range(count)]
    one = {
        f"c{at:03}": record(codebook, f"c{at:03}", {field: a}) for at, (a, _) in enumerate(pairs)
    }
    two = {
        f"c{at:03}": record(codebook, f"c{at:03}", {field: b}) for at, (_, b) in enumerate(pairs)
    }
    return compare_codings(one, two, codebook)


# E.3 of the diagnostic study prints counts and coefficients and not the cells; these are cells
# that give every one of them.
SEED_RATIONALE = {
    ("E", "E"): 2, ("E", "QE"): 6, ("E", "N"): 2, ("E", "D"): 2, ("E", "Abstain"): 1,
    ("QE", "QE"): 4, ("QE", "D"): 1, ("QE", "Abstain"): 3,
    ("N", "QE"): 2, ("N", "N"): 15, ("N", "D"): 1, ("N", "R"): 3, ("N", "Abstain"): 1,
    ("D", "QE"): 2, ("D", "D"): 3, ("D", "R"): 2,
    ("R", "QE"): 1, ("R", "N"): 4, ("R", "D"): 2, ("R", "R"): 12,
    ("Abstain", "E"): 3, ("Abstain", "QE"): 1, ("Abstain", "D"): 1, ("Abstain", "R"): 3,
    ("Abstain", "Abstain"): 3,
}  # fmt: skip
SEED_SELECTION = {
    ("consistent", "consistent"): 42, ("counter", "counter"): 7, ("counter", "neither"): 1,
    ("neither", "counter"): 2, ("neither", "neither"): 8, ("neither", "unparsable"): 2,
    ("unparsable", "unparsable"): 17, ("Abstain", "counter"): 1,
}  # fmt: skip


def row(report: CodingReport, name: str) -> str:
    """Return agreement and coefficients of a field or a derived value as people print them."""
    found = report.find(name)
    values = [
        "undefined" if figure.value is None else three_decimals(figure.value)
        for figure in (found.figure("kappa"), found.figure("ac1"))
    ]
    return " ".join([share(found.agree, found.n), *values, f"{found.total - found.n} out"])


def test_the_seed_s_rationale_figures_come_out(codebook: Codebook) -> None:
    """39/80 with kappa .370 on the classes; 54/64 with .599 once those who abstained are out."""
    report = passes(codebook, SEED_RATIONALE)
    assert row(report, "rationale").startswith("39/80 (48.8 %) 0.370")
    assert row(report, "evidence").startswith("54/64 (84.4 %) 0.599")
    assert row(report, "evidence").endswith("16 out")
    assert {each.reason: len(each.units) for each in report.find("evidence").left_out} == {
        "cannot be classified in first": 8,
        "cannot be classified in second": 5,
        "cannot be classified in both": 3,
    }


def test_the_seed_s_selection_figures_come_out() -> None:
    """74/80 with kappa .884, then 79/79 with 1.000 without the one card not classified."""
    report = passes(SELECTION, SEED_SELECTION)
    assert row(report, "selection").startswith("74/80 (92.5 %) 0.884")
    assert row(report, "evidence") == "79/79 (100.0 %) 1.000 1.000 1 out"


def test_a_figure_that_is_not_defined_is_a_sentence(codebook: Codebook) -> None:
    """One code throughout gives no kappa, and there is a reason instead of a number."""
    report = passes(codebook, {("N", "N"): 5})
    assert report.find("rationale").figure("kappa").value is None
    assert report.find("rationale").figure("kappa").why == "both passes used only the category N"
    assert report.find("natural").figure("ac1").why == "nothing was judged in both passes"


def test_what_is_left_out_has_a_reason(codebook: Codebook) -> None:
    """A skip, a missing card, other content and another edition each leave every denominator."""
    coded = {"rationale": "N"}
    first = {
        "a": record(codebook, "a", coded),
        "b": skip(codebook, "b"),
        "c": record(codebook, "c", coded),
        "d": record(codebook, "d", coded),
        "e": record(codebook, "e", coded),
        "f": skip(codebook, "f"),
    }
    second = {
        "a": record(codebook, "a", {"rationale": "D"}),
        "b": record(codebook, "b", coded),
        "d": record(codebook, "d", coded, card_digest="c" * 64),
        "e": record(codebook, "e", coded, form_digest="d" * 64),
        "f": skip(codebook, "f"),
    }
    report = compare_codings(first, second, codebook, cards=("a", "b", "c", "d", "e", "f"))
    found = report.find("rationale")
    assert (found.agree, found.n, found.total) == (0, 1, 6)
    assert {each.reason.split(" (")[0]: each.units for each in found.left_out} == {
        "skipped in first": ("b",),
        "not coded in second": ("c",),
        "the card's content changed between the passes": ("d",),
        "coded with different editions of the codebook": ("e",),
        "skipped in both": ("f",),
    }
    assert report.disagreements() == {"a": ("rationale",)}


def test_a_field_counts_only_where_it_was_asked(codebook: Codebook) -> None:
    """A field that neither was asked is no unit; one that a single coder was asked is left out."""
    first = {
        "a": record(codebook, "a", {"rationale": "N"}),
        "b": record(codebook, "b", {"rationale": "R", "why": "a"}),
        "c": record(codebook, "c", {"rationale": "R"}),
    }
    second = {
        "a": record(codebook, "a", {"rationale": "N"}),
        "b": record(codebook, "b", {"rationale": "N"}),
        "c": record(codebook, "c", {"rationale": "R", "why": "b"}),
    }
    found = compare_codings(first, second, codebook).find("why")
    assert (found.n, found.total) == (0, 2)
    assert [(each.reason, each.units) for each in found.left_out] == [
        ("left unanswered in first", ("c",)),
        ("not asked in second", ("b",)),
    ]


def span(start: int, end: int, code: str, attributed: str = "no", **more: Any) -> dict[str, Any]:
    """Return a watchlist match as it is answered."""
    flags = {} if code == "rejected" else {"attributed": attributed}
    return {"start": start, "end": end, "code": code, "flags": flags, "term": "riot",
            "source": "watchlist", **more}  # fmt: skip


def test_sets_are_compared_whole(codebook: Codebook) -> None:
    """Several codes agree when all of them do, whatever their order; a set has no kappa."""
    first = {
        "a": record(codebook, "a", {"rationale": "N", "themes": ["work", "home"]}),
        "b": record(codebook, "b", {"rationale": "N", "themes": ["work"]}),
    }
    second = {
        "a": record(codebook, "a", {"rationale": "N", "themes": ["home", "work"]}),
        "b": record(codebook, "b", {"rationale": "N"}),
    }
    found = compare_codings(first, second, codebook).find("themes")
    assert (found.agree, found.n, found.differ) == (1, 2, ("b",))
    assert "no fixed list" in found.figure("kappa").why


def test_places_are_compared_where_both_marked(codebook: Codebook) -> None:
    """Equal sets count cards; classes and flags count the places that both marked."""
    first = {
        "a": record(codebook, "a", {"rationale": "N", "terms": [
            span(0, 4, "loaded"), span(10, 14, "neutral", "yes"), span(20, 24, "rejected")]}),
        "b": record(codebook, "b", {"rationale": "N", "terms": [span(0, 4, "rejected")]}),
    }  # fmt: skip
    second = {
        "a": record(codebook, "a", {"rationale": "N", "terms": [
            span(0, 4, "neutral"), span(10, 14, "neutral"), span(20, 24, "rejected"),
            span(30, 33, "loaded", term="", source="coder")]}),
        "b": record(codebook, "b", {"rationale": "N"}),
    }  # fmt: skip
    report = compare_codings(first, second, codebook)
    sets, classes = report.find("terms"), report.find("terms class")
    assert (sets.agree, sets.n, sets.differ) == (1, 2, ("a",))
    assert (classes.agree, classes.n, classes.unit) == (2, 3, "place")
    assert [(each.reason, each.units) for each in classes.left_out] == [
        ("marked only in first", ("b 0-4",)),
        ("marked only in second", ("a 30-33",)),
    ]
    assert [(each.term, each.agree, each.n) for each in classes.terms] == [("riot", 2, 3)]
    flag = report.find("terms attributed")
    assert (flag.agree, flag.n) == (1, 2)
    assert report.find("marked").agree == 1


def test_derived_values_are_compared_as_recorded(codebook: Codebook) -> None:
    """A value that rules derive is compared over its own closed list."""
    found = passes(codebook, {("R", "R"): 2, ("R", "N"): 1}).find("refused")
    assert found.table is not None
    assert (found.agree, found.n, found.table.categories) == (2, 3, ("yes", "no"))


@given(st.lists(st.tuples(*(st.sampled_from(["E", "N", "Abstain"]),) * 2), max_size=12))
def test_exchanging_the_passes_changes_no_figure(pairs: list[tuple[str, str]]) -> None:
    """Who is called first changes neither counts nor coefficients."""
    table: dict[tuple[str, str], int] = {}
    turned: dict[tuple[str, str], int] = {}
    for one, two in pairs:
        table[one, two] = table.get((one, two), 0) + 1
        turned[two, one] = turned.get((two, one), 0) + 1
    here, there = passes(EVERY_KIND, table), passes(EVERY_KIND, turned)
    for each, other in zip(here.comparisons, there.comparisons, strict=True):
        assert (each.agree, each.n, each.total) == (other.agree, other.n, other.total)
        for figure, mirrored in zip(each.figures, other.figures, strict=True):
            assert figure.value == pytest.approx(mirrored.value)
