"""Acts of the lead on cards: draw and assign them, give open ones to another pass, add some.

Each is planned by pure functions (``sampling``, ``assignment``) and recorded in the card book.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reviewkit.bank import read_bank
from reviewkit.bank.responses import columns_of
from reviewkit.decisions import effective_judgements, store_of
from reviewkit.decisions.passes import is_closed
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.study.assignment import CannotReassign, Plan, plan, reassign
from reviewkit.study.board import pass_records
from reviewkit.study.card_book import CardBook
from reviewkit.study.dealing import NotDrawn, card_book, cards_of_pass
from reviewkit.study.sample_record import Redraw, check_sample, redraw
from reviewkit.study.sampling import Units
from reviewkit.study.study import Pass, Round, Study
from reviewkit.workspace import Workspace


class NothingToDraw(ReviewkitError):
    """The study file asks for no sample and no assignment."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Cards that went from one pass to another."""

    from_pass: str
    to_pass: str
    cards: tuple[str, ...]
    left: tuple[str, ...] = ()
    """Open cards that stay: the other pass has them already, and nobody codes a card twice."""


def units_of(ws: Workspace, study: Study) -> Units:
    """Return every unit the study could judge and its columns; the lead's side alone calls it.

    Of responses these are facts, group, hidden columns and parse states; of template groups the
    tags that a sample may be stratified by.
    """
    if study.responses is not None:
        return columns_of(ws, study.responses)
    bank, _problems = read_bank(ws)
    groups = {group.template_id: group for group in bank.groups}
    return {
        template_id: {
            "test_type": groups[template_id].test_type,
            "domain": groups[template_id].domain,
            "bias_form": groups[template_id].bias_form,
            "sensitivity_level": str(groups[template_id].sensitivity_level or ""),
        }
        for template_id in study.group_ids(bank)
        if template_id in groups
    }


def plan_cards(ws: Workspace, study: Study, round_: Round) -> Plan:
    """Return what the study file draws and assigns beyond what is on record.

    Raises NothingToDraw, or ProblemsFound with all that keeps the sample from being drawn.
    """
    if study.sample is None and study.assignment is None:
        raise NothingToDraw(
            f"study {study.study} has no sample and no assignment: every pass has every card; add"
            " `sample:` or `assignment:` to study.yaml to change that"
        )
    book = card_book(ws, study)
    units = units_of(ws, study)
    shown = ws.shown(ws.study_file(study.study))
    recorded = book.draws()
    excluded: dict[str, tuple[str, ...]] = {}
    if study.sample is not None:
        problems = check_sample(study.sample, units, shown, recorded)
        if problems:
            raise ProblemsFound(problems)
        names = [name for draw in study.sample.draws for name in draw.exclude]
        excluded = excluded_cards(names, lambda name: _book_of(ws, name), shown)
    return plan(
        study.sample,
        study.assignment,
        units,
        _takers(ws, study, round_, book),
        excluded=excluded,
        recorded={name: draw.ids for name, draw in recorded.items()},
        added=book.added_ids(),
        held=book.held(round_.round),
    )


def draw_cards(ws: Workspace, study: Study, round_: Round) -> Plan:
    """Draw and assign as the study file says, record it, and return what was done."""
    planned = plan_cards(ws, study, round_)
    book = card_book(ws, study)
    if study.sample is not None and planned.sample is not None:
        book.record_sample(study.sample, planned.sample)
    if study.assignment is not None:
        book.record_assignment(round_.round, planned.assignment.new)
    return planned


def verify_sample(ws: Workspace, study: Study) -> Redraw:
    """Draw the study's sample anew and compare it with the record; nothing is recorded.

    Raises NothingToDraw for a study without a sample, or what keeps it from being drawn.
    """
    if study.sample is None:
        raise NothingToDraw(f"study {study.study} has no sample; every card is in it")
    book = card_book(ws, study)
    names = [name for draw in study.sample.draws for name in draw.exclude]
    shown = ws.shown(ws.study_file(study.study))
    return redraw(
        study.sample,
        units_of(ws, study),
        book.draws(),
        excluded=excluded_cards(names, lambda name: _book_of(ws, name), shown),
        added=book.added_ids(),
    )


def is_drawn(ws: Workspace, study: Study, round_: Round) -> bool:
    """Return whether everything that the study file asks for was drawn once for a round."""
    book = card_book(ws, study)
    drawn = study.sample is None or bool(book.drawn_ids())
    given = study.assignment is None or bool(book.held(round_.round))
    return drawn and given


def reassign_cards(
    ws: Workspace, study: Study, round_: Round, from_pass: str, to_pass: str, reason: str
) -> Moved:
    """Give the open cards of one pass to another one, whose rater takes the leaver's place."""
    book = card_book(ws, study)
    passes = {each.pass_: each for each in round_.passes}
    for name in (from_pass, to_pass):
        if name not in passes:
            known = ", ".join(passes)
            raise ProblemsFound(
                [
                    Problem(
                        f"{ws.shown(ws.study_file(study.study))} rounds",
                        f"round {round_.round} has no pass {name!r}",
                        f"use one of {known}, or add the pass first",
                    )
                ]
            )
    held = book.held(round_.round)
    given: dict[str, tuple[str, ...]] = {}
    if not held and study.assignment is not None:
        raise NotDrawn(
            f"the cards of round {round_.round} of study {study.study} are not given out yet; do"
            f" it with `reviewkit sample {study.study} --round {round_.round}`, then move open ones"
        )
    if not held:
        # until now every pass had every card without a record of it
        everything = cards_of_pass(ws, study, "", tuple(units_of(ws, study)))
        # whoever has begun has all of them as well; a pass that came for the leaver has none yet
        begun = bool(pass_records(ws, study, passes[to_pass]))
        given = {name: everything for name in passes if name != to_pass or begun}
        held = {name: tuple(cards) for name, cards in given.items()}
    if is_closed(pass_records(ws, study, passes[to_pass])):
        raise CannotReassign(
            f"pass {to_pass} is locked or withdrawn and takes no cards; reopen it, or name another"
        )
    judged = effective_judgements(pass_records(ws, study, passes[from_pass]))
    open_ids = [card for card in held.get(from_pass, ()) if card not in judged]
    moving = reassign(study.assignment, held, open_ids, from_pass, to_pass, passes[to_pass].rater)
    if given:
        book.record_assignment(round_.round, given)
    book.move(round_.round, from_pass, to_pass, moving, reason)
    return Moved(from_pass, to_pass, moving, tuple(c for c in open_ids if c not in moving))


def add_cards(
    ws: Workspace, study: Study, round_: Round, ids: Sequence[str], reason: str
) -> tuple[str, ...]:
    """Add cards to a running study and give them to its passes; returns those that are new.

    Raises ProblemsFound for an id that the table does not have.
    """
    book = card_book(ws, study)
    units = units_of(ws, study)
    unknown = [each for each in ids if each not in units]
    if unknown:
        table = study.responses or "the bank"
        raise ProblemsFound(
            [Problem("cards", f"{table} has no {each!r}", "name an id") for each in unknown]
        )
    drawn = study.sample is None or bool(book.drawn_ids())
    present = set(cards_of_pass(ws, study, "", tuple(units))) if drawn else set()
    new = tuple(dict.fromkeys(each for each in ids if each not in present))
    if new:
        book.add(new, reason)
        if study.assignment is not None or book.held(round_.round):
            planned = plan(
                study.sample, study.assignment, units, _takers(ws, study, round_, book),
                recorded={name: draw.ids for name, draw in book.draws().items()},
                added=book.added_ids(), held=book.held(round_.round),
            )  # fmt: skip
            fresh = {
                name: tuple(card for card in cards if card in new)
                for name, cards in planned.assignment.new.items()
            }
            book.record_assignment(round_.round, {k: v for k, v in fresh.items() if v})
    return new


def _takers(ws: Workspace, study: Study, round_: Round, book: CardBook) -> dict[str, str]:
    """Return the passes that still take cards, and their raters."""
    gone = book.gave_up()

    def takes(each: Pass) -> bool:
        return each.pass_ not in gone and not is_closed(pass_records(ws, study, each))

    return {each.pass_: each.rater for each in round_.passes if takes(each)}


def _book_of(ws: Workspace, study: str) -> CardBook:
    path = ws.card_book(study)
    return CardBook(store_of(ws).lines(path), ws.shown(path), study)


def excluded_cards(
    names: Iterable[str], book_of: Callable[[str], CardBook], shown: str
) -> dict[str, tuple[str, ...]]:
    """Return the cards of every earlier sample named in ``exclude``.

    Args:
        names: ``STUDY`` (all its drawn and added cards) or ``STUDY/draw``.
        book_of: opens the card book of a study.
        shown: how messages name the study file.

    Raises ProblemsFound for every name without a card on record.
    """
    found: dict[str, tuple[str, ...]] = {}
    problems: list[Problem] = []
    for name in dict.fromkeys(names):
        study, _, draw = name.partition("/")
        book = book_of(study)
        found[name] = book.drawn_ids(draw) if draw else book.study_ids()
        if not found[name]:
            known = ", ".join(f"{study}/{each}" for each in book.draws())
            problems.append(
                Problem(
                    f"{shown} sample.draws exclude",
                    f"{name} has no drawn card",
                    f"name one of {known}" if known else f"draw the sample of {study} first",
                )
            )
    if problems:
        raise ProblemsFound(problems)
    return found
