"""A page of the guide as Markdown. Every text is text: nothing in it acts as markup."""

from __future__ import annotations

from collections.abc import Iterator

from reviewkit.rulings.guides.outline import Detail, Entry, Note, Page, Section
from reviewkit.rulings.guides.words import Said, Words
from reviewkit.rulings.literal import code, literal


def markdown_of(page: Page, words: Words) -> str:
    """Return the page as Markdown that ends with a newline."""
    lines = [f"# {_one(Said(page.title))}: {_one(Said(page.edition))}", ""]
    lines += [f"- {_detail(each, words)}" for each in page.facts]
    for remark in page.remarks:
        lines += ["", _one(remark)]
    for section in page.sections:
        lines += _section(section, words)
    return "\n".join(lines) + "\n"


def _section(section: Section, words: Words) -> Iterator[str]:
    yield from ("", f"## {_one(section.title)}")
    if section.lead:
        yield ""
    for detail in section.lead:
        yield f"- {_detail(detail, words)}"
    for entry in section.entries:
        yield from _entry(entry, words)
    for note in section.notes:
        yield from ("", f"### {note.number}", "")
        yield from _note(note, words)


def _entry(entry: Entry, words: Words) -> Iterator[str]:
    tag = f" ({_one(Said(entry.tags[1]))})" if entry.tags else ""
    yield from ("", f"### `{entry.name}`{tag}", "", f"**{_one(entry.text)}**", "")
    if entry.boxes:
        yield f"- [ ] {words.say('yes')}"
        yield f"- [ ] {words.say('no')}"
        yield ""
    for detail in entry.details:
        yield f"- {_detail(detail, words)}"
    for note in entry.notes:
        yield from ("", f"**{note.number}**", "")
        yield from _note(note, words)
    if entry.see:
        yield from ("", f"{words.say('see')}: {words.say('comma').join(entry.see)}")


def _note(note: Note, words: Words) -> Iterator[str]:
    yield from (f"> {line}".rstrip() for line in literal(note.said.text))
    yield ""
    for detail in note.details:
        yield f"- {_detail(detail, words)}"


def _detail(detail: Detail, words: Words) -> str:
    label = f"{_one(Said(detail.label))}: " if detail.label else ""
    if detail.said is not None:
        return label + _one(detail.said)
    return label + words.say("comma").join(map(code, detail.names))


def _one(said: Said) -> str:
    return " ".join(literal(said.text))
