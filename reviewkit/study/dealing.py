"""Which cards a pass has: the deck of a walk, dealt from the bank or from a table of responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from reviewkit.bank import read_bank
from reviewkit.bank.responses import ResponseTable, open_responses
from reviewkit.bank.watchlists import Watchlist, load_watchlist
from reviewkit.decisions import store_of
from reviewkit.decisions.retirements import retired_groups
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.questions import Codebook, FormShelf
from reviewkit.study.card_book import CardBook
from reviewkit.study.decks import Deck
from reviewkit.study.live_groups import GroupDeck
from reviewkit.study.live_responses import ResponseDeck
from reviewkit.study.study import Study, check_study, forms_by_type
from reviewkit.workspace import Workspace

T = TypeVar("T")


class NotDrawn(ReviewkitError):
    """The study has a sample or an assignment that nobody has drawn yet."""


def deal_deck(ws: Workspace, study: Study, shelf: FormShelf, pass_name: str) -> Deck:
    """Return the cards of one pass.

    Raises ProblemsFound when study, bank, forms or table are at fault, NotDrawn, or what the card
    book raises.
    """
    if pass_name and study.assignment is not None:
        round_ = study.round_of(pass_name)
        if not card_book(ws, study).held(round_.round):
            raise NotDrawn(
                f"the cards of round {round_.round} of study {study.study} are not given out yet;"
                f" the lead does it with `reviewkit sample {study.study} --round {round_.round}`"
            )
    return (
        deal_responses(ws, study, shelf, pass_name)
        if study.is_coding
        else _deal_groups(ws, study, shelf, pass_name)
    )


def _deal_groups(ws: Workspace, study: Study, shelf: FormShelf, pass_name: str) -> GroupDeck:
    bank, left_out = read_bank(ws)
    shown = ws.shown(ws.study_file(study.study))
    # a group whose file is in the middle of an edit is missing for now, not for good
    gone = retired_groups(ws)
    problems = check_study(study, bank, shelf, shown, groups_known=not left_out, retired=gone)
    if problems:
        raise ProblemsFound([*problems, *left_out])
    every = study.group_ids(bank)
    ids = cards_of_pass(ws, study, pass_name, every)
    all_ids = cards_of_pass(ws, study, "", every)
    return GroupDeck(ws, bank, left_out, ids, forms_by_type(study, shelf), all_ids)


def deal_responses(ws: Workspace, study: Study, shelf: FormShelf, pass_name: str) -> ResponseDeck:
    """Return the responses of one pass, or with an empty name all of the study."""
    table, codebook, watchlist = coding_material(ws, study, shelf)
    ids = cards_of_pass(ws, study, pass_name, table.ids)
    all_ids = cards_of_pass(ws, study, "", table.ids)
    source = f"bank/responses/{table.name}.jsonl"
    return ResponseDeck(table, codebook, watchlist, ids, all_ids, source)


def coding_material(
    ws: Workspace, study: Study, shelf: FormShelf
) -> tuple[ResponseTable, Codebook, Watchlist | None]:
    """Return what a study of responses needs; raises ProblemsFound with all that is at fault."""
    shown = ws.shown(ws.study_file(study.study))
    problems: list[Problem] = []

    def got(what: str, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except ProblemsFound as found:
            problems.extend(found.problems)
        except ReviewkitError as error:
            problems.append(Problem(f"{shown} {what}", str(error), "name one of these"))
        return None

    table = got("responses", lambda: open_responses(ws, study.responses or ""))
    codebook = got("codebook", lambda: shelf.get(study.codebook or ""))
    listed = study.watchlist
    watchlist = got("watchlist", lambda: load_watchlist(ws, listed)) if listed else None
    if codebook is not None and not isinstance(codebook, Codebook):
        wrong = f"{codebook.name} is a checklist"
        problems.append(Problem(f"{shown} codebook", wrong, "name a codebook"))
    elif codebook is not None and listed is None:
        needed = [field.id for field in codebook.fields if field.watchlist == "yes"]
        if needed:
            wrong = f"{codebook.name} codes {needed[0]} by a watchlist and the study names none"
            todo = "add `watchlist: NAME@EDITION`, or give `reviewkit study` --watchlist"
            problems.append(Problem(shown, wrong, todo))
    if problems or table is None or not isinstance(codebook, Codebook):
        raise ProblemsFound(problems)
    return table, codebook, watchlist


def cards_of_pass(
    ws: Workspace, study: Study, pass_name: str, every: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the cards of a pass in walking order; with an empty name all cards of the study."""
    book = card_book(ws, study)
    if study.sample is not None and not book.drawn_ids():
        raise NotDrawn(
            f"study {study.study} has a sample that is not drawn yet; the lead draws it with"
            f" `reviewkit sample {study.study}`"
        )
    every = book.study_ids() if study.sample is not None else every
    given = book.cards_of(pass_name) if pass_name else None
    if given is None and pass_name and study.assignment is not None:
        # a pass that came later has what the lead gives it, and nothing before that
        given = () if book.held(study.round_of(pass_name).round) else None
    return tuple(every if given is None else given)


def card_book(ws: Workspace, study: Study) -> CardBook:
    """Return the record of who has which card."""
    path = ws.card_book(study.study)
    return CardBook(store_of(ws).lines(path), ws.shown(path), study.study)
