"""Who judges what: studies, passes, walks, personal links, and when labels open."""

from reviewkit.study.board import PassProgress, study_progress
from reviewkit.study.decks import CardUnreadable, Deck, NoSuchCard
from reviewkit.study.docket import HearingStatus, OtherCoding
from reviewkit.study.hearing import Hearing, ReasonMissing
from reviewkit.study.lead_questions import Question, all_questions, answer_question
from reviewkit.study.links import Link, LinkBook, Person, known_person, link_book
from reviewkit.study.live_groups import GroupDeck
from reviewkit.study.live_responses import ResponseDeck
from reviewkit.study.opening import (
    LabelsClosed,
    OpenAlready,
    OpenPass,
    OpenRound,
    find_round,
    open_round,
    reopen,
    unblind,
    withdraw,
)
from reviewkit.study.pins import RoundPins, pin_round, read_pins
from reviewkit.study.practice import PracticeDeck, answers_tried, practised
from reviewkit.study.study import (
    Pass,
    Round,
    Study,
    UnknownRater,
    UnknownStudy,
    check_study,
    forms_by_type,
    list_studies,
    load_study,
)
from reviewkit.study.walk import Status, Walk
from reviewkit.study.welfare import Sitting, Welfare
from reviewkit.study.writer import WriterMark

__all__ = [
    "CardUnreadable",
    "Deck",
    "GroupDeck",
    "Hearing",
    "HearingStatus",
    "LabelsClosed",
    "Link",
    "LinkBook",
    "NoSuchCard",
    "OpenAlready",
    "OpenPass",
    "OpenRound",
    "OtherCoding",
    "Pass",
    "PassProgress",
    "Person",
    "PracticeDeck",
    "Question",
    "ReasonMissing",
    "ResponseDeck",
    "Round",
    "RoundPins",
    "Sitting",
    "Status",
    "Study",
    "UnknownRater",
    "UnknownStudy",
    "Walk",
    "Welfare",
    "WriterMark",
    "all_questions",
    "answer_question",
    "answers_tried",
    "check_study",
    "find_round",
    "forms_by_type",
    "known_person",
    "link_book",
    "list_studies",
    "load_study",
    "open_round",
    "pin_round",
    "practised",
    "read_pins",
    "reopen",
    "study_progress",
    "unblind",
    "withdraw",
]
