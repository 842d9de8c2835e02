"""What an adjudicator's page shows besides the card: his first label, then the two codings."""

from __future__ import annotations

from collections.abc import Mapping

from reviewkit.desk.codes_view import CodesView, codebook_of
from reviewkit.desk.view import View
from reviewkit.desk.wording import Wording
from reviewkit.questions import AnswerValue, Codebook, codes_in, say
from reviewkit.rulings import Ruling
from reviewkit.study import Hearing, OtherCoding


class HearingView:
    """One card before the adjudicator, worded for one language."""

    def __init__(self, hearing: Hearing, wording: Wording, rulings: tuple[Ruling, ...]) -> None:
        self._hearing = hearing
        self._say = wording
        self._codes = CodesView(hearing, wording, rulings)

    def render(self, card_id: str, token: str) -> View:
        """Return everything the page shows of a card; the codings only after a first label."""
        hearing, codebook = self._hearing, codebook_of(self._hearing, card_id)
        stage, mine = hearing.stage(card_id), hearing.mine(card_id)
        view = self._codes.render(card_id, token)
        revealed = mine is not None and stage != "first"
        differing = hearing.differs_on(card_id) if revealed else ()
        view["adjudication"] = {
            "stage": stage,
            "codings": [
                self._coding(number, coding, codebook)
                for number, coding in enumerate(hearing.codings(card_id))
            ]
            if revealed
            else [],
            "mine": self._answers(codebook, mine.answers) if mine is not None else [],
            "differs": [self._codes.title_of(codebook, name) for name in differing],
            "exclusions": [
                [code, self._say.name("exclusion", code)] for code in hearing.settings.exclusions
            ],
            "warning": self._warning(),
        }
        return view

    def _warning(self) -> str:
        said = [self._say.say("was_rater")] if self._hearing.was_rater else []
        return " ".join((*said, *self._hearing.notices))

    def _coding(self, number: int, coding: OtherCoding, codebook: Codebook) -> View:
        code = ("one_coder", "other_coder")[number] if number < 2 else "another_coder"
        titles = {each.id: each for each in codebook.derived}
        return {
            "heading": self._say.say(code),
            "skipped": self._say.say("coder_skipped") if coding.skipped else "",
            "answers": self._answers(codebook, coding.answers),
            "derived": [
                [self._codes.title_of(codebook, name), self._codes.derived_label(each, value)]
                for name, value in coding.derived.items()
                if value and (each := titles.get(name)) is not None
            ],
            "note": coding.note,
            "unsure": coding.unsure,
        }

    def _answers(self, codebook: Codebook, answers: Mapping[str, AnswerValue]) -> list[View]:
        return [
            {
                "field": field.id,
                "title": say(field.text, self._say.language),
                "labels": self._codes.labels(codebook, field.id, answers[field.id]),
                "codes": list(codes_in(answers[field.id])),
            }
            for field in codebook.fields
            if field.id in answers
        ]
