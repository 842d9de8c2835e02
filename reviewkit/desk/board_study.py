"""One study on the lead's board: its passes, questions, samples and links, and the lead's acts.

Before the labels of a round are open only counts, times, questions to the lead and states go out;
``board_labels`` takes over where ``study.opening`` has let it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reviewkit.bank import read_bank
from reviewkit.bank.responses import open_responses
from reviewkit.decisions import Origin
from reviewkit.desk import board_messages as said
from reviewkit.desk.board_acts import NoSuchPass, people_of
from reviewkit.desk.board_labels import OpenLabels
from reviewkit.desk.board_marks import mark_of_folder, mark_of_study
from reviewkit.desk.board_wording import BoardWording
from reviewkit.problems import ReviewkitError
from reviewkit.questions import Codebook, FormShelf, load_forms
from reviewkit.study import (
    LabelsClosed,
    OpenRound,
    PassProgress,
    Question,
    Round,
    Study,
    find_round,
    link_book,
    load_study,
    open_round,
)
from reviewkit.study.board import PassLedgers, study_progress
from reviewkit.study.dealing import card_book, cards_of_pass
from reviewkit.study.hearing import adjudication_progress
from reviewkit.study.lead_questions import questions_in
from reviewkit.study.opening import lead_records, of_present_texts, opened
from reviewkit.workspace import Workspace

View = dict[str, Any]
SHORT = 6
"""Letters of a digest that are shown."""


class StudyBoard:
    """One study as the lead sees it; keeps its ledgers open between two looks."""

    def __init__(self, ws: Workspace, name: str, origin: Origin) -> None:
        self.ws = ws
        self.name = name
        self._origin: Origin = origin
        self._ledgers: PassLedgers | None = None
        self._group_ids: tuple[str, tuple[str, ...]] = ("", ())
        self._drawn_labels: dict[str, tuple[object, View]] = {}

    def mark(self) -> str:
        """Return a text that changes when something that the board reads has."""
        return mark_of_study(self.ws, self.name)

    # what is shown

    def section(self, wording: BoardWording) -> View:
        """Return the study's section; what keeps a part of it from being shown is said in it."""
        empty: View = {
            "study": self.name, "title": self.name, "chips": [], "fault": "", "summary": "",
            "rounds": [], "questions": [], "waiting": 0, "samples": [], "links": [],
        }  # fmt: skip
        try:
            study = load_study(self.ws, self.name)
        except ReviewkitError as error:
            return empty | {"fault": str(error)}
        faults: list[str] = []
        cards = self._cards(study, faults)
        try:
            progress = study_progress(self.ws, study, cards, self._read(study))
            rounds = [
                self._round(study, round_, progress, cards, wording) for round_ in study.rounds
            ]
            questions = self._questions(study)
            samples = self._samples(study, wording)
        except ReviewkitError as error:
            return empty | {"title": study.title or study.study, "fault": str(error)}
        waiting = sum(not each.answered for each in questions)
        return {
            "study": study.study,
            "title": study.title or study.study,
            "chips": _chips(study, cards, wording),
            "fault": " ".join(faults),
            "summary": self._summary(progress, waiting, wording),
            "rounds": rounds,
            "questions": [_question(each) for each in reversed(questions)],
            "waiting": waiting,
            "samples": samples,
            "links": self._links(study, wording),
        }

    def _summary(
        self, progress: Sequence[PassProgress], waiting: int, wording: BoardWording
    ) -> str:
        taking_part = [each for each in progress if not each.withdrawn]
        done = sum(each.decided + each.skipped for each in taking_part)
        total = sum(each.total for each in taking_part)
        parts = [wording.word("summary", done=done, total=total)]
        if taking_part and all(each.locked for each in taking_part):
            parts.append(wording.word("all_locked"))
        if waiting:
            parts.append(wording.word("questions_waiting", n=waiting))
        return " · ".join(parts)

    def _read(self, study: Study) -> PassLedgers:
        if self._ledgers is None:
            self._ledgers = PassLedgers(self.ws, study)
        return self._ledgers

    def _cards(self, study: Study, faults: list[str]) -> dict[str, tuple[str, ...]]:
        """Return the cards of every pass; none, with the reason, where they cannot be known yet."""
        try:
            every = (
                open_responses(self.ws, study.responses or "").ids
                if study.is_coding
                else self._groups(study)
            )
            return {
                each.pass_: cards_of_pass(self.ws, study, each.pass_, every)
                for round_ in study.rounds
                for each in round_.passes
            }
        except ReviewkitError as error:
            faults.append(str(error))
            return {}

    def _groups(self, study: Study) -> tuple[str, ...]:
        """Return the study's groups; the bank is read again only when one of its files changed."""
        if study.groups != "all":
            return study.groups
        mark = mark_of_folder(self.ws.groups)
        if mark != self._group_ids[0]:
            bank, _left_out = read_bank(self.ws)
            self._group_ids = (mark, study.group_ids(bank))
        return self._group_ids[1]

    # rounds and passes

    def _round(
        self, study: Study, round_: Round, progress: Sequence[PassProgress],
        cards: dict[str, tuple[str, ...]], wording: BoardWording,
    ) -> View:  # fmt: skip
        here = [each for each in progress if each.round == round_.round]
        labels = self._labels(study, round_, cards, wording)
        several = len(study.rounds) > 1
        code = "closed_one" if len(here) == 1 else "closed_two" if len(here) == 2 else "closed"
        still = [
            wording.word("still_open", **{"pass": each.pass_, "n": each.open})
            for each in here
            if each.state in ("not_started", "in_progress")
        ]
        return {
            "round": round_.round,
            "heading": wording.word("round", round=round_.round) if several else "",
            "passes": [self._pass(each, labels is not None, wording) for each in here],
            "closed": "" if labels is not None else wording.word(code),
            "unblind": [*still, wording.word("unblind_means")] if labels is None else [],
            "labels": labels,
        }

    def _pass(self, each: PassProgress, labels_open: bool, wording: BoardWording) -> View:
        whose: dict[str, object] = {"pass": each.pass_, "rater": each.rater}
        done = wording.word(
            "lock_counts", decided=each.decided, skipped=each.skipped, open=each.open,
            total=each.total, **whose,
        )  # fmt: skip
        lock = [done, wording.word("lock_not_yet" if each.open else "lock_means")]
        if each.skipped:
            lock.append(wording.word("lock_skipped"))
        if each.unsure:
            lock.append(wording.word("lock_unsure", n=each.unsure))
        left = each.seconds_left
        finished = each.state == "in_progress" and not each.open and each.total > 0
        going = each.state in ("not_started", "in_progress")
        reopening = [wording.word("reopen_means", digest=each.lock_digest[:SHORT])]
        if labels_open:
            reopening.append(wording.word("reopen_closes"))
        return {
            "pass": each.pass_,
            "rater": each.rater,
            "done": each.decided,
            "skipped": each.skipped,
            "total": each.total,
            "unsure": each.unsure,
            "count": f"{each.decided} / {each.total}",
            "progress": wording.word(
                "progress_said", done=each.decided, skipped=each.skipped, total=each.total
            ),
            "median": wording.seconds(each.seconds_per_card),
            "pace": ""
            if each.pace is None
            else wording.word("per_hour", n=round(each.pace.cards_per_hour)),
            "left": "" if left is None else wording.left(left),
            "last": each.last,
            "state": "finished" if finished else each.state,
            "state_text": wording.word(
                f"state_{'finished' if finished else each.state}",
                digest=each.lock_digest[:SHORT],
            ),
            "time": each.withdrawn or each.lock_time,
            "can_lock": going and not each.open and each.total > 0,
            "lock": lock if going else [],
            "reopen": reopening if each.state == "locked" else [],
            "withdraw": []
            if each.withdrawn
            else [
                wording.word("withdraw_means", n=each.decided),
                wording.word("withdraw_for_good"),
            ],
        }

    # labels, once they are open

    def _opened(self, study: Study, round_: Round) -> OpenRound | None:
        read = self._read(study)
        records = {each.pass_: read.records(each) for each in round_.passes}
        try:
            return opened(study, round_, records, lead_records(self.ws, study))
        except LabelsClosed:
            return None

    def _labels(
        self, study: Study, round_: Round, cards: dict[str, tuple[str, ...]],
        wording: BoardWording,
    ) -> View | None:  # fmt: skip
        open_ = self._opened(study, round_)
        if open_ is None or not open_.passes:
            return None
        # counting an unchanged round anew would cost seconds on a large study
        key = (self.mark(), wording.language)
        kept = self._drawn_labels.get(round_.round)
        if kept is None or kept[0] != key:
            progress = adjudication_progress(self.ws, study, round_.round)
            view = self._open_labels(study, open_, cards, wording).render(progress)
            kept = self._drawn_labels[round_.round] = (key, view)
        return kept[1]

    def _open_labels(
        self, study: Study, open_: OpenRound, cards: dict[str, tuple[str, ...]],
        wording: BoardWording,
    ) -> OpenLabels:  # fmt: skip
        shelf = load_forms(self.ws.checklists)
        if study.responses is not None:
            open_ = of_present_texts(open_, open_responses(self.ws, study.responses).digests)
        return OpenLabels(study, open_, shelf, _codebook(study, shelf), cards, wording)

    def card(self, message: said.OpenCard, wording: BoardWording) -> View:
        """Return what the coders said on a card; raises LabelsClosed while they are closed."""
        study = load_study(self.ws, self.name)
        open_ = open_round(self.ws, study, find_round(study, message.round))
        labels = self._open_labels(study, open_, self._cards(study, []), wording)
        view = labels.card(message.card_id)
        if view is None:
            raise NoSuchPass(f"nobody has judged card {message.card_id!r} in this round")
        return view | {"texts": self._texts(study, message.card_id)}

    def _texts(self, study: Study, card_id: str) -> list[View]:
        """Return the texts that were coded; a group is read in its file."""
        if not study.is_coding:
            return []
        table = open_responses(self.ws, study.responses or "")
        response = table.get(card_id)
        return [
            {"role": role.replace("_", " "), "text": text, "language": response.language}
            for role, text in response.texts.items()
        ]

    # questions, samples, links

    def _questions(self, study: Study) -> tuple[Question, ...]:
        read = self._read(study)
        found = [
            question
            for round_ in study.rounds
            for each in round_.passes
            for question in questions_in(read.records(each))
        ]
        return tuple(sorted(found, key=lambda each: (not each.answered, each.time)))

    def _samples(self, study: Study, wording: BoardWording) -> list[View]:
        book = card_book(self.ws, study)
        found: list[View] = []
        for draw in book.draws().values():
            short = sum(max(0, each.wanted - each.drawn) for each in draw.counts)
            method = str(draw.settings.get("method", "simple"))
            found.append(
                {
                    "name": draw.name,
                    "said": wording.word(
                        "drawn", n=len(draw.ids), method=wording.name("method", method),
                        seed=draw.settings.get("seed", ""),
                    ),
                    "short": wording.word("short", n=short) if short else "",
                    "counts": [
                        {
                            "stratum": each.stratum,
                            "available": each.available,
                            "wanted": each.wanted,
                            "drawn": each.drawn,
                            "short": max(0, each.wanted - each.drawn),
                        }
                        for each in draw.counts
                    ],
                }
            )  # fmt: skip
        if added := book.added_ids():
            said_ = wording.word("added", n=len(added))
            found.append(
                {"name": wording.word("by_hand"), "said": said_, "short": "", "counts": []}
            )
        return found

    def _links(self, study: Study, wording: BoardWording) -> list[View]:
        latest = {each.person: each for each in link_book(self.ws).list()}
        rows: list[View] = []
        for person, role in people_of(study).items():
            link = latest.get(person)
            works = link is not None and link.works()
            expired = link is not None and link.revoked is None and not works
            state = (
                "works" if works else "none" if link is None else "expired" if expired else "ended"
            )
            rows.append(
                {
                    "pass": person.pass_,
                    "rater": person.rater,
                    "role": wording.word(f"role_{role}"),
                    # their passes have fixed names, which are English on every page
                    "named_by_role": role != "rater",
                    "state": state,
                    "state_text": wording.word(f"link_{state}"),
                    "expires": link.expires.isoformat() if link and link.expires and works else "",
                    "made": link is not None,
                    # on a served page it would end the very page that shows the new address
                    "can_renew": role != "lead" or self._origin != "voila",
                    "renew": [wording.word("renew_ends" if works else "renew_makes"),
                              wording.word("renew_once")],
                }
            )  # fmt: skip
        return rows


def _chips(study: Study, cards: dict[str, tuple[str, ...]], wording: BoardWording) -> list[str]:
    every = {card for held in cards.values() for card in held}
    kind = (
        wording.word("kind_coding", codebook=study.codebook)
        if study.is_coding
        else wording.word("kind_review")
    )
    return [kind, *([wording.word("cards", n=len(every))] if every else [])]


def _codebook(study: Study, shelf: FormShelf) -> Codebook | None:
    form = shelf.get(study.codebook) if study.codebook else None
    return form if isinstance(form, Codebook) else None


def _question(each: Question) -> View:
    return {
        "digest": each.digest,
        "pass": each.pass_,
        "rater": each.rater,
        "card_id": each.card_id,
        "text": each.text,
        "time": each.time,
        "answer": each.answer,
        "answered": each.answered,
    }
