"""Who judges what: studies, passes, walks, personal links, and when labels open."""

from reviewkit.study.board import PassProgress, study_progress
from reviewkit.study.links import Link, LinkBook, Person, known_person
from reviewkit.study.live_groups import CardUnreadable, NoSuchCard
from reviewkit.study.opening import (
    LabelsClosed,
    OpenPass,
    OpenRound,
    find_round,
    open_round,
    reopen,
    unblind,
)
from reviewkit.study.pins import RoundPins, pin_round, read_pins
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
    "LabelsClosed",
    "Link",
    "LinkBook",
    "NoSuchCard",
    "OpenPass",
    "OpenRound",
    "Pass",
    "PassProgress",
    "Person",
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
    "check_study",
    "find_round",
    "forms_by_type",
    "known_person",
    "list_studies",
    "load_study",
    "open_round",
    "pin_round",
    "read_pins",
    "reopen",
    "study_progress",
    "unblind",
]
