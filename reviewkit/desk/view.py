"""What the page shows: the whole screen as plain data, every sentence ready to be read.

The page lays this out and decides nothing. Only the rater's own work goes in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from reviewkit.bank import Taxonomy
from reviewkit.cards import Card, CardText, Segment, changes_between
from reviewkit.desk.wording import Wording
from reviewkit.questions import Check, Checklist, Outcome, say
from reviewkit.questions.defects import Families
from reviewkit.rulings import Ruling
from reviewkit.study import GroupDeck, Walk

TOLD = ("base_without_slot", "too_long", "twin_missing", "options_differ",
        "several_sentences_replaced")  # fmt: skip
"""Findings of the comparison that no mark on a text shows."""

View = dict[str, Any]


class CardView:
    """One template group as a card, worded for one language."""

    def __init__(
        self, walk: Walk, deck: GroupDeck, wording: Wording, rulings: Iterable[Ruling]
    ) -> None:
        self._walk = walk
        self._deck = deck
        self._say = wording
        self._rulings = tuple(rulings)
        self._item_ids: frozenset[str] = frozenset()
        self._polarities: dict[str, str | None] = {}

    def render(self, card_id: str, token: str, file_url: str | None) -> View:
        """Return everything the page shows of a card."""
        walk, wording = self._walk, self._say
        card, form = walk.card(card_id), self._deck.form(card_id)
        self._item_ids = frozenset(card.item_ids)
        items = self._deck.group(card_id).items
        self._polarities = {item.id: item.question_polarity for item in items}
        start = walk.starting_point(card_id)
        outcome = walk.outcome(card_id, start.answers, start.note, escalated=start.escalated)
        decision = walk.decision(card_id)
        current = decision is not None and decision.card_digest == card.digest
        return {
            "kind": "checks",
            "token": token,
            "card_id": card_id,
            "card_digest": card.digest,
            "chips": self._chips(card),
            "fields": self._fields(card),
            "source": {"file": card.source, "url": file_url},
            "notice": self._notice(card_id),
            "changed": self._changed(card_id) if decision and not current else [],
            "texts": self._texts(card),
            "legend": self._legend(card),
            "questions": self._questions(card_id, form, outcome),
            "not_asked": [
                {"text": say(form.check(each).text, wording.language),
                 "why": self._why_not_asked(form.check(each), card)}
                for each in outcome.not_applicable
            ],
            "rulings": [self._ruling(each) for each in self._rulings if self._governs_card(each)],
            "draft": {
                "answers": dict(start.answers),
                "note": start.note,
                "escalated": start.escalated,
                "defects": self._known_defects(start.defects),
            },
            "outcome": render_outcome(form, outcome, start.escalated, wording),
            "decided": {
                "label": wording.say(f"status_{decision.verdict}"),
                "at": decision.time[11:19],
                "time": decision.time,
            } if decision is not None and current else None,
        }  # fmt: skip

    def _known_defects(self, defects: Mapping[str, str]) -> dict[str, str]:
        """Leave out a family that the project no longer has: it cannot be recorded again."""
        families = self._walk.families
        known = families.ids if families else frozenset[str]()
        return {check: family for check, family in defects.items() if family in known}

    def _fields(self, card: Card) -> list[list[str]]:
        fields = [
            [self._say.name("field", name), self._value(name, value)] for name, value in card.fields
        ]
        # some checks ask about the whole bank, which one card does not show
        for name, counts in self._deck.bank.spread(card.test_type):
            listed = " · ".join(
                f"{self._value(name, value) or self._say.say('not_given')} ×{count}"
                for value, count in counts
            )
            label = self._say.say("over_the_bank", field=self._say.name("field", name))
            fields.append([label, listed])
        return fields

    def _chips(self, card: Card) -> list[str]:
        taxonomy = self._deck.bank.taxonomy
        language = self._say.language
        chips = [
            self._say.say(f"type_{card.test_type}"),
            title_of(taxonomy, "domain", card.facts.get("domain", ""), language),
        ]
        variable = dict(card.fields).get("swapped_variable")
        if variable:
            chips.append(self._say.say("axis", name=variable.replace("_", " ")))
        return [chip for chip in chips if chip]

    def _value(self, name: str, value: str) -> str:
        reference = self._deck.bank.registry.get(value) if name == "event_ref" else None
        if reference is not None:
            return f"{value}: {reference.fact_statement} ({reference.primary_source})"
        title = title_of(self._deck.bank.taxonomy, name, value, self._say.language)
        if title:
            return title
        return self._say.name("value", value) if value in ("yes", "no", "not_given") else value

    def _notice(self, card_id: str) -> str:
        if left_on := self._walk.left_on(card_id):
            return self._say.say("left_bank", on=left_on)
        fault = self._walk.fault(card_id)
        if fault:
            return self._say.say("file_fault", fault=fault)
        card = self._walk.card(card_id)
        said = [self._say.say(f"finding_{code}") for code in card.findings if code in TOLD]
        pinned = self._walk.pins.cards.get(card_id)
        if pinned is not None and pinned != card.digest:
            said.append(self._say.say("edited_since_start"))
        return " ".join(said)

    def _changed(self, card_id: str) -> list[View]:
        decision = self._walk.decision(card_id)
        if decision is None or decision.card_digest is None:
            return []
        before = self._walk.content_before(decision.card_digest)
        if before is None:
            return [{"label": self._say.say("changed_not_kept"), "before": [], "after": []}]
        return [
            {
                "label": f"{change.where} · {self._say.name('field', change.field)}"
                if change.where else self._say.name("field", change.field),
                "before": [self._segment(each) for each in change.before],
                "after": [self._segment(each) for each in change.after],
            }
            for change in changes_between(before, self._deck.group(card_id))
        ]  # fmt: skip

    def _texts(self, card: Card) -> list[View]:
        places = places_of(card.texts)
        return [self._text(each, *places[each.text_id]) for each in card.texts]

    def _text(self, text: CardText, row: int, column: int) -> View:
        wording = self._say
        register = (
            title_of(self._deck.bank.taxonomy, "register", text.register, wording.language)
            or text.register
        )
        value = wording.name("twin", text.value) if text.value else ""
        said = [wording.say(f"badge_{flag}") for flag in text.flags]
        if text.differences and "stub" not in text.flags:
            code = "badge_difference" if text.differences == 1 else "badge_differences"
            said.append(wording.say(code, n=text.differences))
        tone = "stub" if "stub" in text.flags else "stray" if said else "plain"
        badge = " · ".join(said) or wording.say("badge_characters", n=text.characters)
        return {
            "id": text.text_id,
            "heading": " · ".join(part for part in (register, value, self._polarity(text)) if part),
            "badge": badge,
            "tone": tone,
            "language": text.language,
            "row": row,
            "column": column,
            "paragraphs": [
                {
                    "role": ""
                    if paragraph.role == "prompt"
                    else wording.name("role", paragraph.role),
                    "label": paragraph.label,
                    "key": paragraph.is_key,
                    "segments": [self._segment(each) for each in paragraph.segments],
                }
                for paragraph in text.paragraphs
            ],
        }

    def _polarity(self, text: CardText) -> str:
        polarity = self._polarities.get(text.text_id)
        return self._say.name("polarity", polarity) if polarity else ""

    def _segment(self, segment: Segment) -> list[str]:
        return mark_segment(segment, self._say)

    def _legend(self, card: Card) -> list[list[str]]:
        present = {
            segment.mark
            for text in card.texts
            for paragraph in text.paragraphs
            for segment in paragraph.segments
        }
        return [
            [mark, self._say.name("mark", mark)]
            for mark in ("slot", "replaced", "stray", "spelling", "hidden")
            if mark in present
        ]

    def _questions(self, card_id: str, form: Checklist, outcome: Outcome) -> list[View]:
        reopened = self._walk.reopened_checks(card_id)
        families = self._walk.families
        language = self._say.language
        return [
            {
                "id": check.id,
                "type": "yes_no",
                "number": number,
                "key": check.hotkey or str(number),
                "text": say(check.text, language),
                "explanation": say(check.explanation, language),
                "failure_example": say(check.failure_example, language),
                "nature": check.nature,
                "nature_label": self._say.say(f"nature_{check.nature}"),
                "reopened": check.id in reopened,
                "suggests": (families and families.suggest(form.form, check.id)) or "",
                "rulings": [
                    self._ruling(each)
                    for each in self._rulings
                    if f"{form.form}/{check.id}" in each.checks
                ],
            }
            for number, check in enumerate(form.checks, start=1)
            if check.id in outcome.asked
        ]

    def _why_not_asked(self, check: Check, card: Card) -> str:
        name = next(
            name for name, values in check.applies_when.items()
            if card.facts.get(name) not in values
        )  # fmt: skip
        value = card.facts.get(name, "")
        return self._say.say(
            "not_asked", fact=self._say.name("field", name),
            value=self._value(name, value) or self._say.say("not_given"),
        )  # fmt: skip

    def _governs_card(self, ruling: Ruling) -> bool:
        if ruling.checks:
            return False
        return not ruling.item_ids or bool(self._item_ids.intersection(ruling.item_ids))

    def _ruling(self, ruling: Ruling) -> View:
        mine = ruling.author == self._walk.rater
        return {"number": ruling.number, "text": ruling.text, "mine": mine}


def render_families(families: Families, wording: Wording) -> list[View]:
    """Return the families of defects that a failed check can be given."""
    return [
        {
            "id": each.id,
            "title": say(each.title, wording.language),
            "explanation": say(each.explanation, wording.language) if each.explanation else "",
            "fix": wording.name("fix", each.fix),
        }
        for each in families.families
    ]


def mark_segment(segment: Segment, wording: Wording) -> list[str]:
    """Return text, mark and label of a segment."""
    if segment.mark == "same":
        return [segment.text, "same", ""]
    if segment.mark == "hidden":
        return [segment.text, "hidden", segment.note]
    said = [wording.name("mark", segment.mark)]
    if segment.note:
        said.append(wording.name("note", segment.note))
    said += segment.hidden
    label = ": ".join(said[:2]) + "".join(f", {name}" for name in said[2:])
    return [segment.text, segment.mark, label]


def places_of(texts: Iterable[CardText]) -> dict[str, tuple[int, int]]:
    """Return the row and column of every text: a text with a counterpart stands beside it."""
    rows: dict[str, int] = {}
    places: dict[str, tuple[int, int]] = {}
    taken: dict[int, int] = {}
    for text in texts:
        if text.beside and text.beside in rows:
            row = rows[text.beside]
        else:
            row = len(taken)
            taken[row] = 0
        rows[text.text_id] = row
        places[text.text_id] = (row, taken[row])
        taken[row] += 1
    return places


def title_of(taxonomy: Taxonomy, kind: str, code: str, language: str) -> str:
    """Return the title the taxonomy gives a code, or an empty string."""
    wording = taxonomy.title(kind, code)
    return say(wording, language) if wording else ""


def render_outcome(form: Checklist, outcome: Outcome, escalated: bool, wording: Wording) -> View:
    """Return what the answers mean so far, in words."""
    numbers = {check.id: str(n) for n, check in enumerate(form.checks, start=1)}
    failed = wording.listed([numbers[each] for each in outcome.failed])
    unanswered = len(outcome.unanswered)
    verdict = outcome.verdict
    if verdict is not None:
        tone, label = verdict, wording.say(f"status_{verdict}")
    elif outcome.failed:
        rejecting = any(form.check(each).on_fail == "reject" for each in outcome.failed)
        tone = "rejected" if rejecting or escalated else "needs_fix"
        label = wording.say(f"status_{tone}")
    else:
        tone, label = "open", wording.say("no_verdict")
    if unanswered:
        code = "checks_open_one" if unanswered == 1 else "checks_open"
        label = f"{label} · {wording.say(code, n=unanswered)}"
    many = len(outcome.failed) > 1
    note_missing = any(fault.code == "note_missing" for fault in outcome.faults)
    softest = verdict or tone
    return {
        "verdict": verdict,
        "tone": tone,
        "label": label,
        "reason": wording.say("failed_many" if many else "failed_one", numbers=failed)
        if outcome.failed
        else "",
        "note_required": outcome.note_required,
        "note_missing": note_missing,
        "note_label": wording.say("note_needed_many" if many else "note_needed", numbers=failed)
        if outcome.note_required
        else wording.say("note_optional"),
        "ready": not outcome.faults,
        "can_escalate": bool(outcome.failed) and (softest == "needs_fix" or escalated),
        "problems": [
            {"check_id": fault.check_id, "text": wording.say(f"fault_{fault.code}",
             number=numbers.get(fault.check_id, fault.check_id), numbers=failed)}
            for fault in outcome.faults
        ],
    }  # fmt: skip
