"""Every code that the audit may give, with what it means and what to do about it.

A code is stable: waivers and scripts name it. ``docs/audit.md`` has a section on each, and a test
keeps page and list alike. Hard checks fail the audit and cannot be waived; warnings make a list of
work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["hard", "warning"]


@dataclass(frozen=True, slots=True)
class Code:
    """What one code means."""

    code: str
    severity: Severity
    title: str
    """What is wrong, in words that fit any number of groups."""
    remedy: str

    @property
    def is_hard(self) -> bool:
        """Whether a finding of this code fails the audit."""
        return self.severity == "hard"


def _hard(code: str, title: str, remedy: str) -> Code:
    return Code(code, "hard", title, remedy)


def _warning(code: str, title: str, remedy: str) -> Code:
    return Code(code, "warning", title, remedy)


_ALL = (
    # files
    _hard("unreadable", "a file of the bank cannot be read", "mend what `reviewkit check` names"),
    _hard("malformed", "a field is missing, doubled or out of place", "see `reviewkit check`"),
    # cells
    _hard("closed-cell", "stands in a cell closed by design", "move it or take it out"),
    _hard("form-test-type", "its form is not measured by its test type", "mend one of the two"),
    _hard("fact-category", "its domain admits another reference category", "mend the category"),
    _warning("category-deferred", "its reference category is deferred", "hold it back"),
    _warning("cell-empty", "an active cell holds no group", "write for it, or close it"),
    # keys of T2
    _hard("key-ambiguous", "an ambiguous twin keys a person", "key the undetermined option"),
    _hard(
        "key-disambiguated", "a disambiguated twin keys the undetermined option", "key the answer"
    ),
    _hard(
        "undetermined-missing", "no option says that it cannot be determined",
        "add the option, or its wording to the taxonomy",
    ),
    _hard("undetermined-twice", "several options say that it cannot be determined", "keep one"),
    _warning("direction-parity", "twins do not resolve half and half", "balance the directions"),
    _warning("direction-not-given", "the direction of resolution is not given", "record it"),
    _warning("position-balance", "the undetermined option favours a position", "rotate it"),
    # twins
    _hard("single-value", "has a single written value and no counterpart", "add a matched value"),
    _hard("identical-twins", "has twins with one and the same text", "mend one of them"),
    _hard(
        "equal-once-normalised", "has twins that differ only in what nobody sees",
        "mend one of them",
    ),
    _warning("undeclared-difference", "differs by more than its value", "make the rest alike"),
    _warning("hidden-character", "holds a character nobody sees", "take it out"),
    _warning("options-differ", "the twins have other options", "make the options alike"),
    _warning("several-sentences", "the twin replaces several sentences", "replace a single one"),
    # dialect twins
    _warning("stub-twin", "its dialect twin is not written", "write it"),
    _warning("copied-twin", "its dialect twin is the standard text", "write it in the dialect"),
    _warning("partial-twin", "not every value has a written dialect twin", "write the others"),
    _warning("factorial-mismatch", "`factorial` says other than its items", "mend the field"),
    _warning("factorial-share", "the factorial share is outside its band", "write dialect twins"),
    # texts
    _hard("placeholder-left", "a template's place for the value is not filled", "fill it"),
    _warning("stub-text", "a standard text is not written", "write it"),
    _warning("not-base-text", "is not its base text with the value", "write it from the template"),
    _warning("value-missing", "a text does not hold its value", "mend the value or the text"),
    _warning("value-list", "its value list and its items differ", "make list and items agree"),
    _warning("placeholder-value", "its values are placeholders", "name real groups"),
    _warning("duplicate-text", "the same text stands in another group", "keep one of the two"),
    _warning("length-missing", "the expected length is not given", "bound the answer"),
    # events
    _hard("event-unregistered", "its event is not in the registry", "register the event"),
    _hard("event-unsourced", "its event has no primary source", "name the source"),
    _warning("event-missing", "it names no event", "anchor it to a registered event"),
    _warning("event-unverified", "nobody verified the source of its event", "look it up and sign"),
    _warning("watchlist-missing", "it has no watchlist", "add the terms"),
    _warning("term-pending", "a term of its watchlist is pending", "class the term"),
    _warning("watchlist-classes", "its watchlist lacks a class", "add terms of the class"),
    # leakage
    _warning("leakage-missing", "a language has no list of phrases", "write it in bank/leakage/"),
    _warning("criterion-leakage", "a prompt gives its criterion away", "cut the instruction"),
    _warning("term-in-prompt", "a prompt holds a term of its watchlist", "say it more generally"),
    # axes
    _warning("cross-axis", "its values differ in more than the axis", "pair within one space"),
    _warning("variable-mislabelled", "its values are of another axis", "rename the variable"),
    _warning("values-off-axes", "values that no axis lists are not judged", "list them"),
    # T3
    _warning("harm-review-missing", "it has no harm review", "review it for harm"),
    _warning("theme-missing", "it has no theme", "record the theme"),
    _warning("band-empty", "a sensitivity band holds no refusal group", "write for the band"),
    _warning("stance-empty", "a stance holds no refusal group", "write for the stance"),
    _warning("theme-monoculture", "one theme carries the refusal groups", "write other themes"),
    # sizes
    _warning("plan-missing", "there is no plan of sizes", "write bank/plan.yaml"),
    _warning("size-short", "the bank is short of its plan", "write more"),
    _warning("slice-insufficient", "too few pairs to say anything", "write more, or make no claim"),
    # layers
    _hard("layer-contradicts", "its `layer` says other than the draw", "take the field out"),
    _hard("sealed-shown", "is sealed and shares a text with a public group", "reword one of them"),
    _warning("layer-undrawn", "no draw has decided its layer", "run `reviewkit seal`"),
    _warning("sealed-short", "less is sealed than was asked", "write new groups and seal them"),
    # reviews
    _hard("rejected-present", "a rejected group still stands in the bank", "take it out"),
    _warning("no-study-of-record", "no study says what stands", "mark one `of_record`"),
    _warning("unreviewed", "nobody has reviewed it", "review it"),
    _warning("needs-fix", "its verdict is that it needs a fix", "mend it and review it again"),
    _warning("review-stale", "it changed since its review", "review it again"),
    _warning("verdicts-withheld", "its verdict is closed until the locks", "lock the passes"),
)  # fmt: skip

CODES: dict[str, Code] = {each.code: each for each in _ALL}
"""Every code, in the order in which reports list them."""
