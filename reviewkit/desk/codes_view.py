"""What the page shows of a card that is coded: its texts, the fields, spans, and who said what.

The page lays this out and decides nothing. Only the rater's own work goes in; an adjudicator sees
the two codings once he has labelled the card himself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reviewkit.cards import Card, CardText
from reviewkit.decisions.hearings import comparable
from reviewkit.desk.view import View, mark_segment
from reviewkit.desk.wording import Wording
from reviewkit.questions import (
    AnswerValue,
    Codebook,
    CodeField,
    Derived,
    Outcome,
    Span,
    codes_in,
    say,
)
from reviewkit.rulings import Ruling
from reviewkit.study import (
    Hearing,
    PracticeDeck,
    ResponseDeck,
    Walk,
    answers_tried,
    practised,
)


class CodesView:
    """One card of responses, worded for one language."""

    def __init__(self, walk: Walk | Hearing, wording: Wording, rulings: Iterable[Ruling]) -> None:
        self._walk = walk
        self._say = wording
        self._rulings = tuple(rulings)

    def render(self, card_id: str, token: str) -> View:
        """Return everything the page shows of a card."""
        walk, wording = self._walk, self._say
        card, codebook = walk.card(card_id), codebook_of(walk, card_id)
        start = walk.starting_point(card_id)
        outcome = walk.outcome(card_id, start.answers, start.note)
        decision = walk.decision(card_id)
        current = decision is not None and decision.card_digest == card.digest
        return {
            "kind": "codes",
            "token": token,
            "card_id": card_id,
            "card_digest": card.digest,
            "chips": self._chips(codebook),
            "fields": [[self._title(name), value] for name, value in card.fields],
            "source": None,
            "notice": self._notice(card_id),
            "changed": [],
            "texts": [self._text(each, row, codebook) for row, each in enumerate(card.texts)],
            "legend": self._legend(card),
            "questions": [
                self._question(number, field, codebook)
                for number, field in enumerate(codebook.fields, start=1)
            ],
            "not_asked": [],
            "found": self._found(card_id, codebook),
            "rulings": [self._ruling(each) for each in self._rulings if self._governs(each, card)],
            "draft": {
                "answers": {name: _plain(value) for name, value in start.answers.items()},
                "note": start.note,
                "escalated": False,
                "unsure": start.unsure,
            },
            "outcome": render_coding(codebook, outcome, wording),
            "decided": {
                "label": wording.say("status_coded"), "at": decision.time[11:19],
                "time": decision.time,
            } if decision is not None and current else None,
            "practice": self._practice(card_id, codebook),
            "lead_answers": [
                {"question": each.text, "answer": each.answer, "time": each.answered or each.time}
                for each in (walk.questions(card_id) if isinstance(walk, Walk) else ())
            ],
            "adjudication": None,
        }  # fmt: skip

    def _chips(self, codebook: Codebook) -> list[str]:
        chips = [say(codebook.title, self._say.language)]
        watchlist = self._walk.study.watchlist
        if watchlist is not None:
            name, _, edition = watchlist.partition("@")
            chips.append(self._say.say("watchlist_edition", name=name, edition=edition))
        return chips

    def _notice(self, card_id: str) -> str:
        pinned = self._walk.pins.cards.get(card_id)
        if pinned is not None and pinned != self._walk.digest(card_id):
            return self._say.say("imported_since_start")
        return ""

    def _title(self, name: str) -> str:
        deck = self._walk.deck
        titles = deck.table.titles.get(name) if isinstance(deck, ResponseDeck) else None
        return say(titles, self._say.language) if titles else self._say.name("role", name)

    def _text(self, text: CardText, row: int, codebook: Codebook) -> View:
        wording = self._say
        coded = next(
            (f.id for f in codebook.fields if f.type == "spans" and f.of == text.text_id), ""
        )
        plain = "".join(paragraph.text for paragraph in text.paragraphs)
        parsed = next((flag for flag in text.flags if flag.startswith("parsed_")), "")
        badge = (
            wording.say(f"badge_{parsed}") if parsed
            else wording.say("badge_empty") if "empty" in text.flags
            else wording.say("badge_characters", n=text.characters)
        )  # fmt: skip
        return {
            "id": text.text_id,
            "heading": self._title(text.text_id),
            "badge": badge,
            "tone": "stray" if parsed == "parsed_failed" else "plain",
            "language": text.language,
            "row": row,
            "column": 0,
            "paragraphs": [
                {
                    "role": "",
                    "label": "",
                    "key": False,
                    "coded": coded,
                    "plain": plain if coded else "",
                    "segments": [mark_segment(each, wording) for each in paragraph.segments],
                }
                for paragraph in text.paragraphs
            ],
        }

    def _legend(self, card: Card) -> list[list[str]]:
        hidden = any(
            segment.mark == "hidden"
            for text in card.texts
            for paragraph in text.paragraphs
            for segment in paragraph.segments
        )
        return [["hidden", self._say.name("mark", "hidden")]] if hidden else []

    def _question(self, number: int, field: CodeField, codebook: Codebook) -> View:
        language = self._say.language
        keys = field.keys

        def worded(wording: Mapping[str, str] | None) -> str:
            return say(wording, language) if wording else ""

        return {
            "id": field.id,
            "type": field.type,
            "number": number,
            "key": "",
            "text": say(field.text, language),
            "explanation": say(field.explanation, language),
            "failure_example": worded(field.failure_example),
            "nature": field.nature,
            "nature_label": self._say.say(f"nature_{field.nature}"),
            "reopened": False,
            "optional": field.optional == "yes",
            "ordinal": field.ordinal == "yes",
            "gates": any(field.id in other.applies_when for other in codebook.fields),
            "codes": [
                {
                    "id": code.id,
                    "key": keys.get(code.id, ""),
                    "title": say(code.title, language),
                    "explanation": worded(code.explanation),
                    "example": worded(code.example),
                }
                for code in field.codes
            ],
            "flags": [
                {
                    "id": flag.id,
                    "key": keys.get(flag.id, ""),
                    "title": say(flag.title, language),
                    "explanation": worded(flag.explanation),
                }
                for flag in field.flags
            ],
            "rulings": [
                self._ruling(each)
                for each in self._rulings
                if f"{codebook.form}/{field.id}" in each.checks
            ],
        }

    def _found(self, card_id: str, codebook: Codebook) -> View:
        walk = self._walk
        deck = walk.deck_of(card_id) if isinstance(walk, Walk) else walk.deck
        if not isinstance(deck, ResponseDeck | PracticeDeck):
            return {}
        return {
            name: {
                "text": codebook.field(name).of,
                "matches": [
                    {"start": each.start, "end": each.end, "term": each.term,
                     "code": each.term_class}
                    for each in matches
                ],
            }
            for name, matches in deck.matches(card_id).items()
        }  # fmt: skip

    def _practice(self, card_id: str, codebook: Codebook) -> View | None:
        practice = self._walk.practice if isinstance(self._walk, Walk) else None
        if practice is None or card_id not in practice.card_ids:
            return None
        ids = practice.card_ids
        label = self._say.say("practice_place", n=ids.index(card_id) + 1, total=len(ids))
        tried = practised(self._walk.ledger.records()).get(card_id)
        if tried is None:
            return {"label": label, "verdicts": None, "reason": ""}
        given = answers_tried(tried)
        verdicts = [
            {
                "field": name,
                "right": self.labels(codebook, name, right),
                "given": " · ".join(self.labels(codebook, name, given.get(name))),
                "ok": comparable(right) == comparable(given.get(name)),
            }
            for name, right in practice.right(card_id).answers.items()
        ]
        reason = say(practice.practice_card(card_id).reason, self._say.language)
        return {"label": label, "verdicts": verdicts, "reason": reason}

    def title_of(self, codebook: Codebook, name: str) -> str:
        """Return what a field or a derived value is called."""
        for derived in codebook.derived:
            if derived.id == name:
                return say(derived.title, self._say.language)
        return say(codebook.field(name).text, self._say.language)

    def derived_label(self, derived: Derived, value: str) -> str:
        """Return what the value of a derived value is called."""
        if value in derived.titles:
            return say(derived.titles[value], self._say.language)
        return self._say.name("value", value)

    def labels(self, codebook: Codebook, field_id: str, value: AnswerValue | None) -> list[str]:
        """Return what the codes of an answer are called; each span with its term or place."""
        field = codebook.field(field_id)
        titles = {code.id: say(code.title, self._say.language) for code in field.codes}
        if field.type == "yes_no":
            titles = {each: self._say.name("value", each) for each in ("yes", "no")}
        if value is None or isinstance(value, str):
            return [titles.get(code, code) for code in codes_in(value)]
        flags = {flag.id: say(flag.title, self._say.language) for flag in field.flags}
        said: list[str] = []
        for each in value:
            if not isinstance(each, Span):
                said.append(titles.get(each, each))
                continue
            name = titles.get(each.code, self._say.say("span_rejected"))
            marks = [flags[flag] for flag, on in each.flags.items() if on == "yes"]
            place = each.term or f"{each.start}–{each.end}"
            said.append(f"{place}: {', '.join((name, *marks))}")
        return said

    def _governs(self, ruling: Ruling, card: Card) -> bool:
        if ruling.checks:
            return False
        return not ruling.item_ids or card.card_id in ruling.item_ids

    def _ruling(self, ruling: Ruling) -> View:
        mine = ruling.author == self._walk.rater
        return {"number": ruling.number, "text": ruling.text, "mine": mine}


def codebook_of(walk: Walk | Hearing, card_id: str) -> Codebook:
    """Return the codebook of the card; TypeError for a card that is judged by a checklist."""
    form = walk.form(card_id)
    if not isinstance(form, Codebook):
        raise TypeError(f"{card_id} is judged by a checklist")
    return form


def _plain(value: AnswerValue) -> object:
    if isinstance(value, str):
        return value
    return [each.model_dump() if isinstance(each, Span) else each for each in value]


def render_coding(codebook: Codebook, outcome: Outcome, wording: Wording) -> View:
    """Return what the answers come to so far, in words."""
    language = wording.language
    numbers = {field.id: str(n) for n, field in enumerate(codebook.fields, start=1)}
    pending = sum(1 for fault in outcome.faults if fault.code == "pending")
    waiting = len(outcome.unanswered) + pending
    faults = [each for each in outcome.faults if each.code != "note_missing"]
    coded = not faults
    code = "fields_open_one" if waiting == 1 else "fields_open"
    note_for = wording.listed([numbers[each] for each in outcome.failed])
    many = len(outcome.failed) > 1
    derived = [
        {
            "id": each.id,
            "title": say(each.title, language),
            "value": value,
            "label": say(each.titles[value], language) if value in each.titles
            else wording.name("value", value),
        }
        for each in codebook.derived
        if (value := outcome.derived.get(each.id, "")) and (coded or each.op != "is_empty")
    ]  # fmt: skip
    return {
        "verdict": None,
        "tone": "coded" if coded else "open",
        "label": wording.say("status_coded") if coded else wording.say(code, n=waiting),
        "reason": "",
        "derived": derived if coded else [],
        "asked": list(outcome.asked),
        "note_required": outcome.note_required,
        "note_missing": any(fault.code == "note_missing" for fault in outcome.faults),
        "note_label": wording.say("note_for_many" if many else "note_for", numbers=note_for)
        if outcome.note_required
        else wording.say("note_optional"),
        "ready": not outcome.faults,
        "can_escalate": False,
        "problems": [
            {
                "check_id": fault.check_id,
                "text": wording.say(
                    f"fault_{fault.code}"
                    if fault.code in ("pending", "bad_span")
                    else f"fault_field_{fault.code}",
                    number=numbers.get(fault.check_id, fault.check_id), numbers=note_for,
                ),
            }
            for fault in outcome.faults
        ],
    }  # fmt: skip
