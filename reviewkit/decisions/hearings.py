"""An adjudication: what the adjudicator's ledger admits, and what stands on a card in it.

``HearingRules`` is the one statement of both, folded over the lines when they are written and when
they are read: a final label has a first label before it, a changed one has a reason, and a card is
labelled anew only when its codes changed. So no door can adjudicate without labelling first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from reviewkit.decisions.lines import RecordRefused
from reviewkit.decisions.passes import Owner
from reviewkit.decisions.records import Record
from reviewkit.digests import digest_of
from reviewkit.questions.answers import REJECTED, AnswerValue, Span
from reviewkit.questions.verdict import is_blank

ADJUDICATION = "adjudication"
"""The name of the pass under which an adjudicator's acts are recorded."""

Route = Literal["confirmed", "changed"]

_ADMITTED = ("start", "consent", "skip", "first_label", "adjudication", "exclusion", "late_note")
_WITH_CODINGS = ("first_label", "adjudication", "exclusion")
_DIGEST_LENGTH = 64


def comparable(value: AnswerValue | None) -> Any:
    """Return, as a JSON value, what two answers must share to be the same label.

    A rejected match is no span, a flag that is not set is one that says no, and it does not matter
    who found the place. No answer, an empty one and no span at all are the same.
    """
    if not value or isinstance(value, str):
        return value or ""
    parts: list[Any] = [
        [
            each.start,
            each.end,
            each.code,
            sorted(name for name, set_ in each.flags.items() if set_ == "yes"),
        ]
        if isinstance(each, Span)
        else each
        for each in value
        if not (isinstance(each, Span) and each.code == REJECTED)
    ]
    return sorted(parts) or ""


def codes_digest(record: Record) -> str:
    """Return a digest of the codes of a judgement: the same codes given again have the same one.

    Notes, marks of doubt and the person do not count. A skip has one of its own.
    """
    if record.kind == "skip":
        return digest_of("skipped")
    return digest_of_codes(record.answers, record.verdict)


def digest_of_codes(answers: Mapping[str, AnswerValue], verdict: str | None) -> str:
    """Return the digest that a judgement with these answers has."""
    codes = {name: code for name, value in answers.items() if (code := comparable(value))}
    return digest_of({"answers": codes, "verdict": verdict})


def coding_details(codings: Iterable[Record]) -> dict[str, Any]:
    """Return what an act of the adjudicator says of the codings it is about.

    ``codings`` are the digests of their records, ``codes`` of what they say. The second tells a
    changed code from one that was given once more; without names, in no order of persons.
    """
    records = list(codings)
    return {
        "codings": sorted(record.digest for record in records),
        "codes": sorted(codes_digest(record) for record in records),
    }


def codes_known(details: Mapping[str, Any], codes: Iterable[str]) -> bool:
    """Return whether an act was made with all of these codes in view.

    Codes that are gone since, because consent was withdrawn, bring nothing new.
    """
    seen: Sequence[str] = details.get("codes", ())
    return not Counter(codes) - Counter(seen)


@dataclass(frozen=True, slots=True)
class Case:
    """What stands on one card of a round."""

    first: Record | None = None
    """The first label in force."""
    settled: Record | None = None
    """The latest adjudication or exclusion."""
    last: Record | None = None
    """The latest act: one of these, or a skip."""


class HearingRules:
    """What may follow what in the ledger of one adjudicator.

    Args:
        owner: study, pass and rater whose ledger it is; without it, its first record says.
    """

    def __init__(self, owner: Owner | None = None) -> None:
        self.cases: dict[tuple[str, str], Case] = {}
        """Round and card -> what stands there."""
        self._whose = owner

    def check(self, line: Record) -> None:
        """Raise RecordRefused when ``line`` may not come next."""
        if line.kind not in _ADMITTED:
            raise RecordRefused(
                f"the ledger of an adjudication holds no record of kind {line.kind}",
                "write it to the ledger of a pass",
            )
        whose = (line.study, line.pass_, line.rater)
        if self._whose not in (None, whose):
            raise RecordRefused(
                f"the ledger is of {'/'.join(self._whose or ())} and the record of "
                f"{'/'.join(whose)}",
                "use the ledger of that study and adjudicator",
            )
        if line.kind in _WITH_CODINGS:
            _must_name_codings(line)
        case = self.cases.get((line.round, line.card_id or ""), Case())
        if line.kind == "first_label":
            _must_be_first(line, case.first)
        elif line.kind == "adjudication":
            _must_follow(line, case.first)

    def take(self, line: Record) -> None:
        """Go on with ``line`` in place."""
        if self._whose is None:
            self._whose = (line.study, line.pass_, line.rater)
        if line.card_id is None or line.kind not in (*_WITH_CODINGS, "skip"):
            return
        key = (line.round, line.card_id)
        case = self.cases.get(key, Case())
        self.cases[key] = Case(
            line if line.kind == "first_label" else case.first,
            line if line.kind in ("adjudication", "exclusion") else case.settled,
            line,
        )

    def cases_of(self, round_: str) -> dict[str, Case]:
        """Return card id -> what stands on it in a round."""
        return {card: case for (where, card), case in self.cases.items() if where == round_}


def hearing_cases(records: Iterable[Record], round_: str) -> dict[str, Case]:
    """Return card id -> what stands on it in a round, from the records of one ledger in order."""
    state = HearingRules()
    for record in records:
        state.take(record)
    return state.cases_of(round_)


def settling_records(records: Iterable[Record], round_: str) -> dict[str, Record]:
    """Return card id -> the adjudication or exclusion that settles it."""
    cases = hearing_cases(records, round_)
    return {card: case.settled for card, case in cases.items() if case.settled is not None}


def route_of(first: Record, final: Record) -> Route:
    """Return what became of a first label."""
    return "confirmed" if codes_digest(first) == codes_digest(final) else "changed"


def _must_name_codings(line: Record) -> None:
    lists: list[list[Any]] = []
    for name in ("codings", "codes"):
        given = line.details.get(name)
        digests = cast("list[Any]", given) if isinstance(given, list | tuple) else []
        if not digests or not all(
            isinstance(each, str) and len(each) == _DIGEST_LENGTH for each in digests
        ):
            digests = []
        lists.append(digests)
    codings, codes = lists
    if line.card_digest is None or not codings or len(codings) != len(codes):
        raise RecordRefused(
            f"the {line.kind.replace('_', ' ')} does not name the codings it is about",
            "go through the adjudication app, which names them",
        )


def _must_be_first(line: Record, earlier: Record | None) -> None:
    if earlier is None:
        return
    same_thing = (earlier.card_digest, earlier.form_digest) == (line.card_digest, line.form_digest)
    if same_thing and codes_known(earlier.details, line.details["codes"]):
        raise RecordRefused(
            f"card {line.card_id} has a first label already, and its codes did not change since",
            "confirm it, or change it with a reason",
        )


def _must_follow(line: Record, first: Record | None) -> None:
    if first is None or line.details.get("first_label") != first.digest:
        raise RecordRefused(
            f"card {line.card_id} has no first label that this adjudication follows",
            "label the card before you look at the codings",
        )
    if (first.card_digest, first.form_digest) != (line.card_digest, line.form_digest):
        raise RecordRefused(
            f"card {line.card_id} or its form changed since the first label", "label it anew"
        )
    if not codes_known(first.details, line.details["codes"]):
        raise RecordRefused(
            f"the codes of card {line.card_id} changed since the first label", "label it anew"
        )
    route = route_of(first, line)
    if line.details.get("route") != route:
        raise RecordRefused(
            f"the adjudication says {line.details.get('route')} and its codes say {route}",
            "go through the adjudication app, which compares them",
        )
    if route == "changed" and is_blank(line.reason):
        raise RecordRefused(
            f"the final codes of card {line.card_id} are not the first label's",
            "say in one sentence why you changed it",
        )
