"""Questions of raters to the lead, and his answers: each stands in that rater's own ledger.

So no other rater's desk ever reads them.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from reviewkit.decisions import Entry, Record
from reviewkit.problems import ReviewkitError
from reviewkit.study.ledgers import ledger_of
from reviewkit.study.study import LEAD, Pass, Round, Study
from reviewkit.workspace import Workspace


class NoSuchQuestion(ReviewkitError):
    """No rater asked this."""


@dataclass(frozen=True, slots=True)
class Question:
    """A rater's question and, once given, the lead's answer."""

    round: str
    pass_: str
    rater: str
    card_id: str
    text: str
    time: str
    digest: str
    """Names the question: the digest of its record."""
    answer: str = ""
    answered: str = ""
    """Time of the answer, or an empty text."""


def questions_in(records: Iterable[Record]) -> tuple[Question, ...]:
    """Return the questions of one ledger in order, each with its latest answer."""
    asked: dict[str, Record] = {}
    answers: dict[str, Record] = {}
    for record in records:
        if record.kind == "question":
            asked[record.digest] = record
        elif record.kind == "answer":
            answers[str(record.details.get("question"))] = record
    return tuple(
        Question(
            each.round, each.pass_, each.rater, each.card_id or "", each.reason, each.time, digest,
            answers[digest].reason if digest in answers else "",
            answers[digest].time if digest in answers else "",
        )
        for digest, each in asked.items()
    )  # fmt: skip


def all_questions(ws: Workspace, study: Study) -> tuple[Question, ...]:
    """Return the questions of every rater of the study, in the order of passes."""
    return tuple(
        question
        for round_ in study.rounds
        for each in round_.passes
        for question in questions_in(ledger_of(ws, study.study, each.pass_, each.rater).records())
    )


def answer_question(ws: Workspace, study: Study, digest: str, text: str) -> Record:
    """Record the lead's answer where the question stands; a later answer takes its place.

    Args:
        ws: the project folder.
        study: the study.
        digest: the question's digest, or the beginning of it that no other question shares.
        text: the answer.

    Raises NoSuchQuestion, or what an append raises.
    """
    found = [
        (round_, each, question)
        for round_ in study.rounds
        for each in round_.passes
        for question in questions_in(ledger_of(ws, study.study, each.pass_, each.rater).records())
        if digest and question.digest.startswith(digest)
    ]
    if len(found) != 1:
        many = "several questions begin" if found else "no question begins"
        raise NoSuchQuestion(
            f"{many} with {digest!r} in study {study.study}; `reviewkit questions` lists them"
        )
    round_, each, question = found[0]
    return ledger_of(ws, study.study, each.pass_, each.rater).append(
        _answer(study, round_, each, question, text)
    )


def _answer(study: Study, round_: Round, each: Pass, question: Question, text: str) -> Entry:
    # built unchecked: ``append`` checks every field of every entry and words what is wrong
    return Entry.model_construct(
        kind="answer",
        click_id=secrets.token_hex(8),
        study=study.study,
        round=round_.round,
        pass_=each.pass_,
        rater=each.rater,
        origin="cli",
        card_id=question.card_id or None,
        reason=text.strip(),
        details={"question": question.digest, "by": LEAD},
    )
