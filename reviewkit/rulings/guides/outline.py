"""A page of the guide before it is HTML or Markdown: sections, entries and rulings, as texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from reviewkit.questions import Check, Checklist
from reviewkit.rulings.guides.content import Changes, FoldedRuling, GuideContent
from reviewkit.rulings.guides.rules import Rule, RuleSet
from reviewkit.rulings.guides.words import Said, Words

AUTHOR = "author"
"""The part for authors; every other part has the name of its checklist: ``t1``."""


@dataclass(frozen=True, slots=True)
class Detail:
    """A labelled line: a text, or names such as ``t1/natural``."""

    label: str
    said: Said | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A ruling with its full text."""

    number: str
    said: Said
    details: tuple[Detail, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule or a check, with the rulings that govern it."""

    name: str
    tags: tuple[str, ...]
    text: Said
    details: tuple[Detail, ...]
    notes: tuple[Note, ...] = ()
    see: tuple[str, ...] = ()
    """Rulings that govern it too and stand in full elsewhere on the page."""
    boxes: bool = False
    """Whether it is answered with yes or no on paper."""


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading."""

    anchor: str
    title: Said
    lead: tuple[Detail, ...] = ()
    entries: tuple[Entry, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """One part of the guide in one language."""

    title: str
    edition: str
    digest: str
    facts: tuple[Detail, ...]
    remarks: tuple[Said, ...]
    sections: tuple[Section, ...]


@dataclass(slots=True)
class _Placing:
    """Which ruling stands in full under which rule or check; each stands so once.

    A design disagreement has no home there: it stands in a section of its own.
    """

    rulings: tuple[FoldedRuling, ...]
    homes: dict[str, str] = field(default_factory=dict[str, str])

    def settle(self, name: str, checks: tuple[str, ...]) -> None:
        """Give every ruling on these checks that has no home yet its home here."""
        for each in self.rulings:
            if each.type == "ruling" and set(each.checks) & set(checks):
                self.homes.setdefault(each.number, name)

    def at(self, name: str) -> tuple[FoldedRuling, ...]:
        return tuple(each for each in self.rulings if self.homes.get(each.number) == name)

    def beside(self, name: str, checks: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            each.number
            for each in self.rulings
            if set(each.checks) & set(checks) and self.homes.get(each.number) != name
        )


def parts_of(content: GuideContent) -> tuple[str, ...]:
    """Return the parts of an edition: ``author``, then a checklist each."""
    return (AUTHOR, *(form.form for form in content.checklists))


def page_of(content: GuideContent, part: str, words: Words, draft: tuple[str, ...] | None) -> Page:
    """Return one part in one language.

    Args:
        content: what the edition says.
        part: ``author`` or the name of a checklist; KeyError for another.
        words: the language.
        draft: for an edition that is not published the rulings that wait; else None.
    """
    forms = {form.form: form for form in content.checklists}
    edition = "edition" if draft is None else "draft"
    if part == AUTHOR:
        title, sections = words.say("author_title"), _author_sections(content, words)
    else:
        form = forms[part]
        title = words.say("checklist_title", type=form.test_type)
        sections = _checklist_sections(content, form, words)
    return Page(
        title=title,
        edition=words.say(edition, number=content.number),
        digest=content.digest,
        facts=_facts(content, forms.get(part), words),
        remarks=_remarks(part, words, draft),
        sections=tuple(each for each in sections if each.lead or each.entries or each.notes),
    )


def _facts(content: GuideContent, form: Checklist | None, words: Words) -> tuple[Detail, ...]:
    shown = tuple(each.name for each in content.checklists) if form is None else (form.name,)
    in_force = sum(each.type == "ruling" for each in content.rulings)
    return (
        Detail(words.say("made_on"), names=(content.made_on,)),
        Detail(words.say("forms"), names=shown),
        Detail(words.say("in_force"), Said(str(in_force), words.language)),
        Detail(words.say("digest"), names=(content.digest,)),
    )


def _remarks(part: str, words: Words, draft: tuple[str, ...] | None) -> tuple[Said, ...]:
    said = [words.say("how_to_read" if part == AUTHOR else "how_to_check")]
    if draft is not None:
        said.append(words.say("draft_note"))
    if draft:
        said.append(words.say("draft_waiting", count=len(draft)))
    return tuple(Said(each, words.language) for each in said)


def _author_sections(content: GuideContent, words: Words) -> list[Section]:
    rulings = tuple(each for each in content.rulings if each.type == "ruling")
    placing = _Placing(content.rulings)
    # the rules of a type come before those for every item: a ruling stands where it is looked for
    for found in sorted(content.rules, key=lambda each: each.test_type is None):
        for rule in found.rules:
            placing.settle(found.key(rule), rule.checks)
    sections = [_changes(content, content.changes, words)]
    for found in content.rules:
        lead = tuple(
            Detail(words.say(code), words.pick(wording))
            for code, wording in (("measures", found.measures), ("harm", found.harm))
            if wording is not None
        )
        strict = sorted(found.rules, key=lambda rule: rule.strength == "should")
        entries = tuple(_rule(found, rule, placing, words) for rule in strict)
        sections.append(Section(f"guide-{found.guide}", words.pick(found.title), lead, entries))
    left = [each for each in rulings if each.number not in placing.homes]
    checks = {f"{form.form}/{check.id}" for form in content.checklists for check in form.checks}
    here = [each for each in left if set(each.checks) & checks]
    other = [each for each in left if each not in here]
    sections.append(_rulings("other_checks", here, words))
    sections.append(_rulings("other_rulings", other, words))
    return [*sections, *_closing(content, content.rulings, words)]


def _rule(found: RuleSet, rule: Rule, placing: _Placing, words: Words) -> Entry:
    key = found.key(rule)
    details = [Detail(words.say("reason"), words.pick(rule.reason))]
    if rule.checks:
        details.append(Detail(words.say("found_by"), names=rule.checks))
    return Entry(
        name=key,
        tags=(rule.strength, words.say(rule.strength)),
        text=words.pick(rule.text),
        details=tuple(details),
        notes=tuple(_note(each, words) for each in placing.at(key)),
        see=placing.beside(key, rule.checks),
    )


def _checklist_sections(content: GuideContent, form: Checklist, words: Words) -> list[Section]:
    names = {f"{form.form}/{check.id}" for check in form.checks}
    concerned = tuple(
        each for each in content.rulings if not each.checks or set(each.checks) & names
    )
    rulings = tuple(each for each in concerned if each.type == "ruling")
    placing = _Placing(concerned)
    for check in form.checks:
        placing.settle(f"{form.form}/{check.id}", (f"{form.form}/{check.id}",))
    entries = tuple(_check(content, form, check, placing, words) for check in form.checks)
    general = [each for each in rulings if not each.checks]
    return [
        _changes(content, _changes_for(content, form, names, concerned), words),
        Section(f"form-{form.form}", words.pick(form.title),
                (Detail("", words.pick(form.instruction)),), entries),
        _rulings("general_rulings", general, words),
        *_closing(content, concerned, words, names),
    ]  # fmt: skip


def _check(
    content: GuideContent, form: Checklist, check: Check, placing: _Placing, words: Words
) -> Entry:
    key = f"{form.form}/{check.id}"
    conditions = [
        words.say("is_one_of", fact=words.say(f"fact_{fact}"), values=_values(values, words))
        for fact, values in check.applies_when.items()
    ]
    guarded = tuple(
        found.key(rule) for found in content.rules for rule in found.rules if key in rule.checks
    )
    details = [
        Detail(words.say("explanation"), words.pick(check.explanation)),
        Detail(words.say("failure_example"), words.pick(check.failure_example)),
        Detail(words.say("nature"), Said(words.say(check.nature), words.language)),
        Detail(words.say("on_fail"), Said(words.say(check.on_fail), words.language)),
    ]
    details += [
        Detail(words.say("applies_when"), Said(each, words.language)) for each in conditions
    ]
    details += [Detail(words.say("guards"), names=guarded)] if guarded else []
    return Entry(
        name=key,
        tags=(),
        text=words.pick(check.text),
        details=tuple(details),
        notes=tuple(_note(each, words) for each in placing.at(key)),
        see=placing.beside(key, (key,)),
        boxes=True,
    )


def _values(values: tuple[str, ...], words: Words) -> str:
    own = {"yes", "no"}
    return words.say("or").join(words.say(each) if each in own else each for each in values)


def _changes_for(
    content: GuideContent, form: Checklist, names: set[str], concerned: tuple[FoldedRuling, ...]
) -> Changes:
    """Return the changes that a reviewer of one test type meets."""
    guarded = {
        found.key(rule)
        for found in content.rules
        for rule in found.rules
        if set(rule.checks) & names or found.test_type in (None, form.test_type)
    }
    numbers = {each.number for each in concerned}
    numbers |= {each.number for each in content.superseded if _touches(each.checks, names)}

    def keep(name: str) -> bool:
        start = name.partition("/")[0].partition("@")[0].partition(":")[0]
        return name in guarded or name in numbers or start == form.form

    return Changes.model_validate(
        {
            kind: {
                how: [each for each in listed if keep(each)]
                for how, listed in changed.model_dump().items()
            }
            for kind, changed in content.changes.by_kind()
        }
    )


def _touches(checks: tuple[str, ...], names: set[str]) -> bool:
    return not checks or bool(set(checks) & names)


def _changes(content: GuideContent, changes: Changes, words: Words) -> Section:
    if content.number == 1:
        title = words.say("changes_first")
        lead = [Detail("", Said(words.say("first_edition"), words.language))]
    else:
        title = words.say("changes", number=content.number - 1)
        lead = [
            Detail(words.say(how, kind=words.say(f"kind_{kind}")), names=tuple(listed))
            for kind, changed in changes.by_kind()
            for how, listed in changed.model_dump().items()
            if listed
        ]
        if not lead:
            lead = [Detail("", Said(words.say("no_change"), words.language))]
    return Section("changes", Said(title, words.language), tuple(lead))


def _closing(
    content: GuideContent,
    rulings: tuple[FoldedRuling, ...],
    words: Words,
    names: set[str] | None = None,
) -> Iterator[Section]:
    """Yield the design disagreements, and the names of the rulings that are left out."""
    apart = [each for each in rulings if each.type == "disagreement"]
    said = Detail("", Said(words.say("disagreements_note"), words.language))
    yield _rulings("disagreements", apart, words, (said,) if apart else ())
    gone = tuple(
        words.say("superseded_by", number=each.number, by=each.by)
        for each in content.superseded
        if names is None or _touches(each.checks, names)
    )
    lead = tuple(Detail("", Said(each, words.language)) for each in gone)
    yield Section("superseded", Said(words.say("superseded"), words.language), lead)


def _rulings(
    code: str, rulings: list[FoldedRuling], words: Words, lead: tuple[Detail, ...] = ()
) -> Section:
    notes = tuple(_note(each, words) for each in rulings)
    anchor = code.replace("_", "-")
    return Section(anchor, Said(words.say(code), words.language), lead, notes=notes)


def _note(ruling: FoldedRuling, words: Words) -> Note:
    said = Said(ruling.text)
    if ruling.withheld_for:
        left_out = words.say("withheld", items=words.say("comma").join(ruling.withheld_for))
        said = Said(left_out, words.language)
    details = [
        Detail(words.say(label), names=names)
        for label, names in (("governs", ruling.checks), ("taken_on", ruling.item_ids))
        if names
    ]
    details.append(Detail(words.say("dated"), names=(ruling.taken_on,)))
    return Note(ruling.number, said, tuple(details))
