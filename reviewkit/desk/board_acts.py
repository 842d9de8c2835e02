"""What the lead does from the board: each act is one call of the door that the command uses too."""

from __future__ import annotations

from reviewkit.decisions import Origin, Record
from reviewkit.decisions.hearings import ADJUDICATION
from reviewkit.desk import board_messages as said
from reviewkit.problems import ReviewkitError
from reviewkit.study import (
    Pass,
    Person,
    Round,
    Study,
    Walk,
    answer_question,
    find_round,
    link_book,
    load_study,
    reopen,
    unblind,
)
from reviewkit.study.opening import LEAD, withdraw
from reviewkit.workspace import Workspace


class NoSuchPass(ReviewkitError):
    """The study has no such pass, or the person has no link here."""


def people_of(study: Study) -> dict[Person, str]:
    """Return everybody who may have a link, and as what: rater, adjudicator or lead."""
    people = {
        Person(study.study, each.pass_, each.rater): "rater"
        for round_ in study.rounds
        for each in round_.passes
    }
    if study.adjudication is not None:
        name = study.adjudication.adjudicator
        people[Person(study.study, ADJUDICATION, name)] = "adjudicator"
    return people | {Person(study.study, LEAD, LEAD): "lead"}


class LeadActs:
    """The lead's acts in one study."""

    def __init__(self, ws: Workspace, name: str, origin: Origin) -> None:
        self.ws = ws
        self.name = name
        self._origin: Origin = origin

    def lock(self, message: said.Lock) -> Record:
        """Seal a pass, as its rater could."""
        study, _round, each = self._named(message.pass_name)
        walk = Walk(self.ws, study.study, each.rater, pass_name=each.pass_, origin=self._origin)
        return walk.lock(click_id=message.click_id)

    def reopen(self, message: said.Reopen) -> Record:
        """Let the rater of a locked pass go on."""
        study, round_, each = self._named(message.pass_name)
        return reopen(self.ws, study, round_, each, message.reason.strip())

    def unblind(self, message: said.Unblind) -> Record:
        """Open the labels of a round early."""
        study = load_study(self.ws, self.name)
        return unblind(self.ws, study, find_round(study, message.round), message.reason.strip())

    def withdraw(self, message: said.Withdraw) -> Record:
        """Record that a rater withdraws consent."""
        study, round_, each = self._named(message.pass_name)
        return withdraw(self.ws, study, round_, each, message.reason.strip())

    def answer(self, message: said.Answer) -> Record:
        """Answer a rater's question."""
        study = load_study(self.ws, self.name)
        return answer_question(self.ws, study, message.question, message.text)

    def renew(self, message: said.Renew) -> str:
        """Return the secret of a person's new link; the earlier one ends."""
        study = load_study(self.ws, self.name)
        person = Person(study.study, message.pass_name, message.rater)
        if person not in people_of(study):
            raise NoSuchPass(f"{message.rater} has no pass {message.pass_name} in this study")
        if person.pass_ == LEAD and self._origin == "voila":
            raise NoSuchPass("your own link is renewed with `reviewkit link renew lead`")
        book = link_book(self.ws)
        known = any(each.person == person for each in book.list())
        make = book.renew if known else book.make
        return make(study.study, person.pass_, person.rater)

    def _named(self, pass_name: str) -> tuple[Study, Round, Pass]:
        study = load_study(self.ws, self.name)
        for round_ in study.rounds:
            for each in round_.passes:
                if each.pass_ == pass_name:
                    return study, round_, each
        raise NoSuchPass(f"study {study.study} has no pass {pass_name!r}; look at study.yaml")
