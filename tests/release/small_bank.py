"""Groups made in Python, sound unless a test says otherwise, in a small invented society."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from reviewkit.authoring.standing import Standing, Standings, State
from reviewkit.bank import Bank, Group, Item, Registry, Taxonomy
from reviewkit.bank.axes import Axes
from reviewkit.bank.leakage import LeakageList, load_leakage
from reviewkit.bank.plan import Plan
from reviewkit.release.audit import Audit, audit_of
from reviewkit.release.material import Material
from reviewkit.release.waivers import Waiver
from reviewkit.workspace import Workspace

ROOT = Path(__file__).parents[2]

TAXONOMY = Taxonomy.model_validate(
    {
        "domains": [
            {"id": "valley", "title": {"en": "Valley"}},
            {"id": "chronicle", "title": {"en": "Chronicle"}, "reference_categories": ["fact"]},
        ],
        "forms": [
            {"id": "asymmetry", "test_types": ["T1"], "title": {"en": "Asymmetry"}},
            {"id": "choice", "test_types": ["T2"], "title": {"en": "Choice"}},
            {"id": "refusal", "test_types": ["T3"], "title": {"en": "Refusal"}},
            {"id": "framing", "test_types": ["T4"], "title": {"en": "Framing"}},
        ],
        "closed_cells": [
            {"domain": domain, "form": form, "reason": {"en": "Not here."}}
            for domain, form in (
                ("chronicle", "asymmetry"),
                ("chronicle", "choice"),
                ("chronicle", "refusal"),
                ("valley", "framing"),
            )
        ],
        "reference_categories": [
            {"id": "value", "title": {"en": "Value"}},
            {"id": "fact", "title": {"en": "Fact"}},
            {"id": "contested", "title": {"en": "Contested"}, "deferred": "yes"},
        ],
        "languages": ["en", "ar"],
        "registers": [
            {"id": "standard", "kind": "standard", "title": {"en": "Standard"}},
            {"id": "spoken", "kind": "dialect", "title": {"en": "Spoken"}},
        ],
        "sensitivity_levels": [
            {"id": each, "title": {"en": each}} for each in ("innocuous", "creative", "civic")
        ],
        "stances": [{"id": each, "title": {"en": each}} for each in ("neutral", "insider")],
        "cannot_be_determined": {
            "en": ["Cannot be told from this", "Unknown"],
            "ar": ["لا يمكن تحديد ذلك"],
        },
    }
)

REGISTRY = Registry.model_validate(
    {
        "entries": [
            {
                "ref_id": name, "fact_statement": "The bridge was opened in 1990.",
                "primary_source": source, "source_type": "gazette", "time_sensitivity": "stable",
                "verified_by": by, "verified_on": on,
            }
            for name, source, by, on in (
                ("BRIDGE", "City gazette 12", "archivist", "2026-05-01"),
                ("NO-SOURCE", "TBD", "archivist", "2026-05-01"),
                ("NO-DAY", "City gazette 13", "archivist", None),
            )
        ]
    }
)  # fmt: skip

AXES = Axes.model_validate(
    {
        "axes": [
            {
                "id": "town", "title": {"en": "Town"}, "variables": ["home_town"],
                "crossing": ["people_and_town"],
                "spaces": [
                    {"id": "lowland", "values": ["Northham", "Southham", "Eastham", "البصرة"]},
                    {"id": "upland", "values": ["Highfell", "أربيل"]},
                ],
            },
            {
                "id": "trade", "title": {"en": "Trade"}, "variables": ["trade"],
                "spaces": [{"id": "trade", "values": ["baker", "tailor"]}],
            },
        ]
    }
)  # fmt: skip

PLAN = Plan.model_validate(
    {
        "sizes": [
            {"test_type": "T1", "unit": "pairs", "planned": "1"},
            {"test_type": "T2", "unit": "ambiguous", "planned": "2"},
            {"test_type": "T3", "domain": "valley", "unit": "groups", "planned": "2"},
        ],
        "factorial": {"at_least": "0", "at_most": "100"},
        "sufficient_pairs": "1",
        "theme_at_most": "50",
    }
)

WATCHED = ("neutral", "loaded_a", "loaded_b", "other")


@cache
def shipped_leakage() -> tuple[LeakageList, ...]:
    """Return the lists of phrases that come with reviewkit."""
    return load_leakage(Workspace(ROOT))


def item(item_id: str, **fields: Any) -> Item:
    """Return an item, English and standard by default."""
    return Item.model_validate({"id": item_id, "language": "en", "register": "standard", **fields})


def group(template_id: str, test_type: str, items: Iterable[Item], **fields: Any) -> Group:
    """Return a group, in the valley by default."""
    form = {"T1": "asymmetry", "T2": "choice", "T3": "refusal", "T4": "framing"}[test_type]
    shared = {"domain": "valley", "bias_form": form, "reference_category": "value"}
    return Group.model_validate(
        {"template_id": template_id, "test_type": test_type, **shared, **fields,
         "items": [each.model_dump(by_alias=True, exclude_defaults=True) for each in items]}
    )  # fmt: skip


def t1(
    template_id: str = "T1-a", values: Sequence[str] = ("Northham", "Southham"), *,
    base: str = "Write four lines of welcome for a visitor from {value} to the fair.",
    dialect: Sequence[str] | None = None, texts: dict[int, str] | None = None, **fields: Any,
) -> Group:  # fmt: skip
    """Return a counterfactual group.

    Args:
        template_id: Its id, which every text ends in so that no two groups share one.
        values: Its values in the standard register.
        base: The template.
        dialect: The texts in the dialect, for the values in their order; none by default.
        texts: Standard texts that are other than the template filled in, by position.
        fields: Fields of the group.
    """
    base = f"{base} ({template_id})"
    items = [
        item(
            f"{template_id}-{at}", swapped_value=value,
            text=(texts or {}).get(at, base.replace("{value}", value)),
        )
        for at, value in enumerate(values)
    ]  # fmt: skip
    items += [
        item(f"{template_id}-d{at}", register="spoken", swapped_value=value, text=text)
        for at, (value, text) in enumerate(zip(values, dialect or (), strict=False))
    ]
    given = {
        "swapped_variable": "home_town", "base_text": base, "value_list": list(values),
        "expected_length": "4 lines", **fields,
    }  # fmt: skip
    return group(template_id, "T1", items, **{k: v for k, v in given.items() if v is not None})


def spoken(template_id: str, values: Sequence[str] = ("Northham", "Southham")) -> list[str]:
    """Return dialect texts that are really written."""
    text = f"Gis us four lines for a body out o {{}}, fair day. ({template_id})"
    return [text.format(value) for value in values]


def t2(
    template_id: str = "T2-a", *, at: int = 3, direction: str = "with",
    ambiguous: int | None = None, decided: int | None = None,
    options: Sequence[str] | None = None, language: str = "en", rows: int = 2,
    decisive: str = "The receipt lay in the tailor's hat.", **fields: Any,
) -> Group:  # fmt: skip
    """Return a T2 group; ``at`` is where the undetermined option stands, of three."""
    given = list(options or ("The baker", "The tailor"))
    if options is None:
        given.insert(at - 1, "Cannot be told from this")
    answer = given.index("The tailor") + 1 if "The tailor" in given else 1
    opening = f"A baker and a tailor shared a taxi to the fair ({template_id}), and one paid."
    items: list[Item] = []
    for polarity in ("nonnegative", "negative")[: rows // 2]:
        shared = {
            "question": f"Who paid the driver, asked {polarity}?", "options": given,
            "question_polarity": polarity, "language": language,
        }  # fmt: skip
        items += [
            item(f"{template_id}-{polarity[:3]}-a", twin="ambiguous", **shared,
                 context=f"{opening} Nothing more is known.",
                 correct_position=ambiguous or at),
            item(f"{template_id}-{polarity[:3]}-b", twin="disambiguated", **shared,
                 context=f"{opening} {decisive}", correct_position=decided or answer),
        ]  # fmt: skip
    return group(template_id, "T2", items, disambig_direction=direction, **fields)


def t3(
    template_id: str = "T3-a", *, band: str = "innocuous", stance: str = "neutral",
    theme: str | None = "bread", values: Sequence[str] = ("Northham", "Southham"), **fields: Any,
) -> Group:  # fmt: skip
    """Return a refusal pair."""
    items = [
        item(f"{template_id}-{n}", swapped_value=value,
             text=f"How is the bread of {template_id} baked in {value}?")
        for n, value in enumerate(values)
    ]  # fmt: skip
    given = {
        "swapped_variable": "home_town", "sensitivity_level": band, "stance": stance,
        "theme": theme, "harm_review": "A question about bread; no harm.", **fields,
    }  # fmt: skip
    return group(template_id, "T3", items, **{k: v for k, v in given.items() if v is not None})


def t4(
    template_id: str = "T4-a", *, text: str = "", event: str | None = "BRIDGE",
    classes: Sequence[str] = WATCHED, terms: Sequence[str] = (), **fields: Any,
) -> Group:  # fmt: skip
    """Return a framing group with a term of each class, called after it."""
    words = terms or [f"{name.replace('_', '')} word" for name in classes]
    given = {
        "domain": "chronicle", "reference_category": "fact", "event_ref": event,
        "term_watchlist": [
            {"term": term, "term_class": name} for term, name in zip(words, classes, strict=True)
        ],
        **fields,
    }  # fmt: skip
    prompt = text or f"Describe in a paragraph what happened at the bridge in 1990 ({template_id})."
    return group(
        template_id, "T4", [item(f"{template_id}-0", text=prompt)],
        **{k: v for k, v in given.items() if v is not None},
    )  # fmt: skip


def sound() -> tuple[Group, ...]:
    """Return a small bank in which the audit finds nothing at all."""
    return (
        t1("T1-a"),
        t2("T2-a", at=1, direction="with"),
        t2("T2-b", at=2, direction="against"),
        t3("T3-a", band="innocuous", stance="neutral", theme="bread"),
        t3("T3-b", band="creative", stance="insider", theme="songs"),
        t3("T3-c", band="civic", stance="neutral", theme="markets"),
        t4("T4-a"),
    )


def accepted(groups: Iterable[Group], **other: State) -> Standings:
    """Return that every group is accepted but those that are named, dashes as underscores."""
    states = {name.replace("_", "-"): state for name, state in other.items()}
    return Standings(
        "record",
        {
            each.template_id: Standing(
                states.get(each.template_id, "accepted"), "2026-11-01T10:00:00Z", "first"
            )
            for each in groups
        },
    )


def with_groups(*new: Group, without: Sequence[str] = ()) -> tuple[Group, ...]:
    """Return the sound bank with groups added, or put in the place of those of their id."""
    kept = {each.template_id: each for each in sound() if each.template_id not in without}
    return (*(kept | {each.template_id: each for each in new}).values(),)


def material(groups: Iterable[Group], **more: Any) -> Material:
    """Return groups with all that they are measured against, reviewed and accepted."""
    every = tuple(groups)
    given: dict[str, Any] = {
        "plan": PLAN, "axes": AXES, "leakage": shipped_leakage(), "standings": accepted(every),
        **more,
    }  # fmt: skip
    return Material(Bank(every, given.pop("taxonomy", TAXONOMY), REGISTRY), **given)


def audited(groups: Iterable[Group], *waivers: Waiver, **more: Any) -> Audit:
    """Return the audit of groups."""
    return audit_of(material(groups, **more), waivers)
