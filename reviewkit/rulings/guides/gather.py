"""What the next edition of the guide says, gathered from rules, forms and the rulings log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from reviewkit.bank import Bank
from reviewkit.bank.items import TestType
from reviewkit.bank.load import read_whole_bank
from reviewkit.problems import Problem
from reviewkit.questions import Checklist, FormShelf, load_forms
from reviewkit.rulings.guides.changes import changes_between
from reviewkit.rulings.guides.content import (
    LANGUAGES,
    FoldedRuling,
    GuideContent,
    GuideLanguage,
    Superseded,
)
from reviewkit.rulings.guides.quotes import quoted_items
from reviewkit.rulings.guides.rules import RuleSet, load_guide_rules
from reviewkit.rulings.log import Ruling, RulingsLog, visible_rulings
from reviewkit.rulings.waiting import told_rulings
from reviewkit.workspace import Workspace

NOBODY = ""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The content of the next edition, and what stands in the way of publishing it."""

    content: GuideContent
    waiting: tuple[str, ...]
    """The rulings left out for now: their blind round is still open."""
    problems: tuple[Problem, ...]
    """Where the guide would tell a text of an item, and files of the bank that hide such texts."""


def gather(ws: Workspace, before: GuideContent | None, number: int, day: str) -> Gathered:
    """Return what the edition after ``before`` says.

    A ruling that a pass of a blind round filed waits until the round is open, one of a second
    reviewer until his lock, since the guide is read by everyone; until then it supersedes nothing
    either. Raises ProblemsFound when rules,
    forms or studies are at fault, LedgerBroken when the log or a ledger is.
    """
    rules = load_guide_rules(ws)
    checklists = newest_checklists(load_forms(ws.checklists))
    every = RulingsLog.of(ws).all()
    told = told_rulings(ws, every)
    bank, unreadable = read_whole_bank(ws)
    quoted = quoted_items(_texts(rules, checklists, told), bank)
    in_force = visible_rulings(told, None, NOBODY)
    governed = {each.number: each.checks for each in every}
    content = GuideContent(
        number=number,
        made_on=day,
        previous=before.digest if before else "",
        languages=_languages(bank),
        rules=rules,
        checklists=checklists,
        rulings=tuple(_folded(each, quoted.get(each.number, ())) for each in in_force),
        superseded=tuple(
            Superseded(number=each.supersedes, by=each.number, checks=governed[each.supersedes])
            for each in told
            if each.supersedes
        ),
    )
    content = content.model_copy(update={"changes": changes_between(before, content)})
    shown = {each.number for each in in_force}
    problems = [
        Problem(name, _quotes(items), _remedy(name))
        for name, items in quoted.items()
        if "-" not in name or name in shown
    ]
    waiting = tuple(each.number for each in every if each not in told)
    return Gathered(content, waiting, (*problems, *unreadable))


def newest_checklists(shelf: FormShelf) -> tuple[Checklist, ...]:
    """Return the newest version of each checklist of a test type, in order of the types."""
    newest = {
        form.form: form
        for form in shelf.forms
        if isinstance(form, Checklist) and form.test_type in get_args(TestType)
    }
    return tuple(sorted(newest.values(), key=lambda form: (form.test_type, form.form)))


def _languages(bank: Bank) -> tuple[GuideLanguage, ...]:
    """Return English, and the languages of the bank that a page can speak."""
    return tuple(each for each in LANGUAGES if each == "en" or each in bank.taxonomy.languages)


def _folded(ruling: Ruling, quoted: Sequence[str]) -> FoldedRuling:
    return FoldedRuling(
        number=ruling.number,
        type=ruling.type,
        text="" if quoted else ruling.text,
        checks=ruling.checks,
        item_ids=ruling.item_ids,
        taken_on=ruling.time[:10],
        withheld_for=tuple(quoted),
    )


def _texts(
    rules: Iterable[RuleSet], forms: Iterable[Checklist], rulings: Iterable[Ruling]
) -> dict[str, str]:
    """Return all that the guide says, by rule (``t1:one_slot``), check or number of a ruling."""
    texts = {each.number: each.text for each in rulings}
    for found in rules:
        about = (found.title, found.measures or {}, found.harm or {})
        texts[f"{found.guide}:"] = _all_of(about)
        for rule in found.rules:
            texts[found.key(rule)] = _all_of((rule.text, rule.reason))
    for form in forms:
        texts[f"{form.form}/"] = _all_of((form.title, form.instruction))
        for check in form.checks:
            said = (check.text, check.explanation, check.failure_example)
            texts[f"{form.form}/{check.id}"] = _all_of(said)
    return texts


def _all_of(wordings: Iterable[Mapping[str, str]]) -> str:
    return "\n".join(text for wording in wordings for text in wording.values())


def _quotes(items: Sequence[str]) -> str:
    more = f" and {len(items) - 3} more" if len(items) > 3 else ""
    return f"repeats the text of {', '.join(items[:3])}{more}, and a guide tells no item"


def _remedy(name: str) -> str:
    if "-" in name:
        return f"file the rule in words of its own with `reviewkit ruling --supersedes {name}`"
    return "say it in words of its own"
