"""The guide: the authors' rules and the reviewers' checklists with the rulings folded in."""

from reviewkit.rulings.guides.content import Changes, FoldedRuling, GuideContent
from reviewkit.rulings.guides.editions import (
    Edition,
    EditionDamaged,
    EditionLine,
    NothingNew,
    editions,
    folded_in,
    next_edition,
    publish,
    rulings_log,
    verify_editions,
)
from reviewkit.rulings.guides.guide import Guide, NoSuchPart
from reviewkit.rulings.guides.index import NothingOfThatName, rulings_of
from reviewkit.rulings.guides.rules import Rule, RuleSet, load_guide_rules

__all__ = [
    "Changes",
    "Edition",
    "EditionDamaged",
    "EditionLine",
    "FoldedRuling",
    "Guide",
    "GuideContent",
    "NoSuchPart",
    "NothingNew",
    "NothingOfThatName",
    "Rule",
    "RuleSet",
    "editions",
    "folded_in",
    "load_guide_rules",
    "next_edition",
    "publish",
    "rulings_log",
    "rulings_of",
    "verify_editions",
]
