"""Labels as tables of text: one row per label, per coding, per card or per span.

Every table carries its data dictionary. Raters stand in it by pseudonym, and notes only on request:
they are free text and may name somebody.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from reviewkit.labels.final import ROUTES, STATES, Coding, FinalLabel
from reviewkit.questions.codebooks import Codebook

Row = dict[str, str]

_ROUTES = "; ".join(f"{name}: {meaning}" for name, meaning in ROUTES.items())
_STATES = "; ".join(f"{name}: {meaning}" for name, meaning in STATES.items())
_CODE = "a code of the field; several codes with a space between them; spans as a JSON list"
_FIRST = "the adjudicator's code before seeing the codings"
_WHY = "why it was excluded, or why the first label was changed"
_TIME = "date and time, UTC"
_DIGEST = "64 hexadecimal digits"


@dataclass(frozen=True, slots=True)
class Column:
    """One line of a data dictionary."""

    name: str
    meaning: str
    values: str = ""
    """What may stand in it; empty when any text may."""


@dataclass(frozen=True, slots=True)
class LabelTable:
    """Rows of text under named columns, with what the columns mean."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    """Every row has every column, in order."""
    fields: tuple[Column, ...] = ()
    """What the values of the ``field`` column mean, where the table has one."""

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def dictionary(self) -> LabelTable:
        """Return the data dictionary as a table: column, meaning, values."""
        rows = [
            {"column": each.name, "meaning": each.meaning, "values": each.values}
            for each in self.columns
        ]
        rows += [
            {"column": f"value of {each.name}", "meaning": each.meaning, "values": each.values}
            for each in self.fields
        ]
        columns = (
            Column("column", "name of a column, or the values of one field"),
            Column("meaning", "what stands in it"),
            Column("values", "what may stand in it"),
        )
        return LabelTable(f"{self.name}.dictionary", columns, tuple(rows))


def describe_fields(codebook: Codebook, language: str = "en") -> tuple[Column, ...]:
    """Return a codebook's fields and derived values as lines of a data dictionary."""

    def said(wording: Mapping[str, str] | None) -> str:
        return (wording or {}).get(language) or next(iter((wording or {}).values()), "")

    found: list[Column] = []
    for field in codebook.fields:
        codes = [f"{code.id}: {said(code.title)}" for code in field.codes] or list(field.code_ids)
        flags = [f"flag {flag.id}: {said(flag.title)}" for flag in field.flags]
        found.append(Column(field.id, said(field.text), "; ".join((*codes, *flags))))
    for derived in codebook.derived:
        values = dict.fromkeys((*derived.to.values(), *derived.titles))
        told = [f"{v}: {said(derived.titles[v])}" if v in derived.titles else v for v in values]
        known = "number" if derived.op == "count" else "; ".join(told) or "yes; no"
        found.append(Column(derived.id, f"{said(derived.title)} (derived: {derived.op})", known))
    return tuple(found)


def final_table(labels: Sequence[FinalLabel], fields: Sequence[Column] = ()) -> LabelTable:
    """Return one row per card and field: every code, the label-first, the final one, the route."""
    places = range(1, _most(labels) + 1)
    columns = (
        *_named(),
        *_numbered(places, "code_{}", "code of coder {}, in the order of the passes", _CODE),
        *_numbered(places, "coder_{}", "pseudonym of coder {}", "rater-1 and so on"),
        *_numbered(places, "state_{}", "what coder {} did", _STATES),
        Column("first_label", _FIRST, _CODE),
        *_outcome(),
        Column("record", "digest of the adjudicator's record", _DIGEST),
        Column("form", "the form of that record, with its version"),
        Column("rule_version", "the version of the rule that checked that record"),
        Column("time", "when it was recorded", _TIME),
    )  # fmt: skip
    rows: list[Row] = []
    for label in labels:
        codings = {i: _at(label, i) for i in places}
        source = label.ruling.source if label.ruling else None
        rows.append(
            {
                "card": label.card_id, "group": label.group, "field": label.field,
                **{f"code_{i}": coding.value if coding else "" for i, coding in codings.items()},
                **{f"coder_{i}": coding.rater if coding else "" for i, coding in codings.items()},
                **{f"state_{i}": coding.state if coding else "" for i, coding in codings.items()},
                "first_label": label.first_label, **_outcome_of(label),
                "record": source.record if source else "", "form": source.form if source else "",
                "rule_version": source.rule_version if source else "",
                "time": source.time if source else "",
            }
        )  # fmt: skip
    return LabelTable("final", columns, tuple(rows), tuple(fields))


def long_table(
    labels: Iterable[FinalLabel], fields: Sequence[Column] = (), *, notes: bool = False
) -> LabelTable:
    """Return one row per card, field and pass; the adjudicator's acts are rows of their own."""
    columns = (
        *_named(),
        Column("pass", "the pass that the code was given in"),
        Column("rater", "who gave it, by pseudonym", "rater-1 and so on; adjudicator"),
        Column("act", "what it was given as", "coding; first_label; ruling"),
        Column("state", "what was done with the field", _STATES),
        Column("value", "the code", _CODE),
        Column("unsure", "whether the rater marked the card as unsure", "yes; no"),
        *((Column("note", "the rater's note, or the reason of an exclusion"),) if notes else ()),
        *_outcome(),
        Column("record", "digest of the record in its ledger", _DIGEST),
        Column("form", "the form it was coded with, with its version"),
        Column("rule_version", "the version of the rule that checked it"),
        Column("time", "when it was recorded", _TIME),
    )
    rows: list[Row] = []
    for label in labels:
        for act, coding in _acts(label):
            rows.append(
                {
                    "card": label.card_id, "group": label.group, "field": label.field,
                    "pass": coding.pass_, "rater": coding.rater, "act": act,
                    "state": coding.state, "value": coding.value,
                    "unsure": "yes" if coding.unsure else "no",
                    **({"note": coding.note} if notes else {}),
                    **_outcome_of(label),
                    "record": coding.source.record, "form": coding.source.form,
                    "rule_version": coding.source.rule_version, "time": coding.source.time,
                }
            )  # fmt: skip
    return LabelTable("long", columns, tuple(rows), tuple(fields))


def wide_table(
    labels: Sequence[FinalLabel],
    fields: Sequence[Column] = (),
    *,
    extra: Mapping[str, Mapping[str, str]] | None = None,
) -> LabelTable:
    """Return one row per card.

    ``extra`` holds further columns by card, such as strata and automatic labels; they stand under
    ``response.NAME``, so that no name of theirs meets one of ours.
    """
    places = range(1, _most(labels) + 1)
    names = tuple(dict.fromkeys(label.field for label in labels))
    said = {each.name: each for each in fields}
    cards: dict[str, list[FinalLabel]] = {}
    for label in labels:
        cards.setdefault(label.card_id, []).append(label)
    more = extra or {}
    extra_names = tuple(dict.fromkeys(name for card in cards for name in more.get(card, {})))
    columns = [
        *_named()[:2],
        *_numbered(places, "coder_{}", "pseudonym of coder {}, in the order of the passes"),
        *_numbered(places, "unsure_{}", "whether coder {} was unsure of the card", "yes; no"),
    ]
    for name in names:
        told = said.get(name, Column(name, name, _CODE))
        what, codes = told.meaning, told.values
        columns += [
            *(Column(f"{name}.coder_{i}", f"{what}: code of coder {i}", codes) for i in places),
            Column(f"{name}.first_label", f"{what}: {_FIRST}", codes),
            Column(f"{name}.final", f"{what}: the final code", codes),
            Column(f"{name}.route", f"{what}: how the final code came to be", _ROUTES),
            Column(f"{name}.reason", f"{what}: {_WHY}"),
        ]
    columns += [Column(f"response.{name}", f"{name}, from the responses") for name in extra_names]
    blank = dict.fromkeys((column.name for column in columns), "")
    rows: list[Row] = []
    for card_id, mine in cards.items():
        row = {**blank, "card": card_id, "group": mine[0].group}
        for i in places:
            coding = _at(mine[0], i)
            row[f"coder_{i}"] = coding.rater if coding else ""
            row[f"unsure_{i}"] = ("yes" if coding.unsure else "no") if coding else ""
        for label in mine:
            row |= {
                f"{label.field}.coder_{i}": coding.value
                for i in places
                if (coding := _at(label, i))
            }
            row |= {
                f"{label.field}.first_label": label.first_label,
                f"{label.field}.final": label.value,
                f"{label.field}.route": label.route,
                f"{label.field}.reason": label.reason,
            }
        row |= {f"response.{name}": more.get(card_id, {}).get(name, "") for name in extra_names}
        rows.append(row)
    return LabelTable("wide", tuple(columns), tuple(rows))


def spans_table(labels: Iterable[FinalLabel]) -> LabelTable:
    """Return one row per span that a coder or the adjudicator marked or rejected."""
    columns = (
        *_named(),
        Column("pass", "the pass that the span was coded in"),
        Column("rater", "who coded it, by pseudonym", "rater-1 and so on; adjudicator"),
        Column("act", "what it was given as", "coding; first_label; ruling; final"),
        Column("start", "where it starts, in Unicode code points of the text as stored", "number"),
        Column("end", "where it ends, exclusive", "number"),
        Column("code", "its code", "a code of the field; rejected: no occurrence of the term"),
        Column("flags", "the flags that are set, with a space between them"),
        Column("term", "the watchlist's term; empty for a span of the coder's own"),
        Column("source", "who found the place", "watchlist; coder"),
    )
    rows: list[Row] = []
    for label in labels:
        for act, coding in (*_acts(label), ("final", Coding("", "", "coded", label.value))):
            for span in _spans(coding.value):
                flags = cast("dict[str, str]", span["flags"])
                rows.append(
                    {
                        "card": label.card_id, "group": label.group, "field": label.field,
                        "pass": coding.pass_, "rater": coding.rater, "act": act,
                        "start": str(span["start"]), "end": str(span["end"]), "code": span["code"],
                        "flags": " ".join(name for name, set_ in flags.items() if set_ == "yes"),
                        "term": span["term"], "source": span["source"],
                    }
                )  # fmt: skip
    return LabelTable("spans", columns, tuple(rows))


def _spans(value: str) -> list[dict[str, Any]]:
    return json.loads(value) if value.startswith("[") else []


def _acts(label: FinalLabel) -> Iterable[tuple[str, Coding]]:
    yield from (("coding", coding) for coding in label.codings)
    if label.first:
        yield "first_label", label.first
    if label.ruling:
        yield "ruling", label.ruling


def _most(labels: Iterable[FinalLabel]) -> int:
    return max((len(label.codings) for label in labels), default=0)


def _at(label: FinalLabel, place: int) -> Coding | None:
    return label.codings[place - 1] if place <= len(label.codings) else None


def _numbered(places: Iterable[int], name: str, meaning: str, values: str = "") -> Iterable[Column]:
    return (Column(name.format(i), meaning.format(i), values) for i in places)


def _named() -> tuple[Column, ...]:
    return (
        Column("card", "id of the card"),
        Column("group", "what the card's response belongs to, such as its source statement"),
        Column("field", "field of the codebook, or a value derived from fields"),
    )


def _outcome() -> tuple[Column, ...]:
    return (
        Column("final", "the final code; empty when there is none", _CODE),
        Column("route", "how the final code came to be", _ROUTES),
        Column(
            "after_reveal",
            "what the adjudicator did with the first label after seeing the codings",
            "confirmed; changed; empty without a first label or a ruling",
        ),
        Column("reason", _WHY),
    )


def _outcome_of(label: FinalLabel) -> Row:
    return {
        "final": label.value,
        "route": label.route,
        "after_reveal": label.after_reveal,
        "reason": label.reason,
    }
