"""A person who codes by keyboard alone: digits, y and n, span keys, Enter; never the mouse."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from tests.browser.reader import Reader
from tests.desk.talk import Page

JUST_OPENED = 310
"""Milliseconds in which a card that was not touched takes no Enter."""

ROWS = """() => [...document.querySelectorAll('.rk-check[data-check]')].map(row => ({
  field: row.dataset.check,
  type: row.className.match(/rk-check-(yes_no|choice|many|spans)/)[1],
  asked: !row.classList.contains('rk-check-off'),
  active: row.classList.contains('rk-active'),
  answer: row.dataset.answer ?? '',
  optional: Boolean(row.querySelector('.rk-tag-optional')),
  codes: [...row.querySelectorAll('[data-code]')]
    .map(code => [code.dataset.code, code.getAttribute('aria-keyshortcuts')]),
  pending: row.querySelectorAll('.rk-span-row[data-state=pending]').length,
}))"""

WAITING = "document.querySelector('.rk-span-row[data-active]')?.dataset.state === 'pending'"

AT_THE_TOP = "document.querySelector('.rk-span-row').hasAttribute('data-active')"

SPANS = """() => [...document.querySelectorAll('.rk-span-row')].map(row => ({
  key: row.dataset.key, state: row.dataset.state, text: row.querySelector('.rk-term').textContent,
  label: row.querySelector('.rk-span-class').textContent,
  flags: [...row.querySelectorAll('.rk-span-flag')].map(cell => cell.textContent),
}))"""

SELECT = """words => {
  const paragraph = document.querySelector('.rk-coded');
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const at = paragraph.textContent.indexOf(words);
  if (at < 0) throw new Error(`not in the text: ${words}`);
  for (let node, place = 0; (node = walker.nextNode()); place += node.length) {
    const inside = where => where >= place && where <= place + node.length;
    if (inside(at) && at < place + node.length) range.setStart(node, at - place);
    if (inside(at + words.length)) { range.setEnd(node, at + words.length - place); break; }
  }
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""
"""What Shift and the arrows do with caret browsing on, which a headless browser has not."""


ESCAPED = r"(\\u[0-9a-fA-F]{4})+"


@dataclass(frozen=True)
class Row:
    """One question as it stands on the screen."""

    field: str
    type: str
    asked: bool
    active: bool
    answer: str
    optional: bool
    codes: list[tuple[str, str]]
    pending: int

    @property
    def is_open(self) -> bool:
        """Whether the card cannot be saved without it."""
        if self.type == "spans":
            return self.asked and self.pending > 0
        return self.asked and not self.optional and not self.answer


Plan = Callable[[str, Row], str]
"""What this person presses for a question of a card; nothing where it may stay empty."""


def mind_of(salt: int, *, differs_on: int = 3) -> Plan:
    """Return somebody's opinions: the same as anybody's, but on one card of ``differs_on``."""

    def press(card_id: str, row: Row) -> str:
        place = crc32(f"{card_id} {row.field}".encode())
        other = salt if crc32(card_id.encode()) % differs_on == 0 else 0
        if row.type == "yes_no":
            return "n" if (place + other) % 4 == 0 else "y"
        if row.type == "spans":
            return "x" if other else "y"
        if row.type == "many":
            return row.codes[place % len(row.codes)][1] if place % 2 else ""
        return row.codes[(place + other) % len(row.codes)][1]

    return press


class Coder(Reader):
    """One browser profile in front of a coding or an adjudication card."""

    def open(self, address: str) -> Coder:
        """Open a served desk and wait for what it shows."""
        super().open(address)
        return self

    # what is on the screen

    def rows(self) -> list[Row]:
        """Return the questions."""
        return [Row(**each) for each in self.page.evaluate(ROWS)]

    def spans(self) -> list[dict[str, Any]]:
        """Return the spans that are listed."""
        return self.page.evaluate(SPANS)

    def has(self, selector: str) -> bool:
        """Return whether something is on the screen just now."""
        return self.page.locator(selector).count() > 0

    def acknowledged(self) -> list[str]:
        """Return the click ids that the server has called recorded, in the order they came."""
        found: list[str] = []
        for frame in self.received:
            if re.search(r'"kind": ?"recorded"', frame):
                found += re.findall(r'"click_id": ?"([A-Za-z0-9-]+)"', frame)
        return found

    # what the person does

    def consent(self) -> None:
        """Read the warning and go on."""
        self.sees(".rk-panel-warning")
        self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".rk-panel-warning", state="detached")

    def reach(self, field: str) -> None:
        """Go to a question with the arrows."""
        for _ in range(80):
            rows = self.rows()
            ids = [row.field for row in rows if row.asked]
            here = next((row.field for row in rows if row.active), ids[0])
            if here == field:
                return
            self.press(["ArrowDown" if ids.index(here) < ids.index(field) else "ArrowUp"])
        raise AssertionError(f"the arrows do not lead to {field}")

    def reach_pending(self) -> None:
        """Go to a span that waits with the arrows, when the keys are at another."""
        for key in [*["ArrowUp"] * 40, *["ArrowDown"] * 40]:
            if self.page.evaluate(WAITING):
                return
            if key == "ArrowUp" and self.page.evaluate(AT_THE_TOP):
                continue
            self.press([key])

    def press(self, keys: str | list[str]) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def code(self, plan: Plan, *, note: str = "because") -> None:
        """Answer all that is asked; write the note where one is due."""
        card_id, seen = self.card, set[str]()
        for _ in range(200):
            self.wait_saved()
            row = next(
                (
                    each
                    for each in self.rows()
                    if each.is_open
                    or (each.type == "many" and each.asked and each.field not in seen)
                ),
                None,
            )
            if row is None:
                break
            seen.add(row.field)
            if not row.active:
                self.reach(row.field)
            if row.type == "spans":
                self.reach_pending()
            self.press(plan(card_id, row))
        if not seen:
            self.pause()
        if self.has(".rk-note-box[data-missing]"):
            self.write_note(note)

    def write_note(self, note: str) -> None:
        """Write the note from the keyboard."""
        self.press("t")
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(note)

    def leave(self) -> None:
        """Leave the text field that has the keys."""
        self.page.keyboard.press("Escape")

    def record(self) -> None:
        """Save, and wait until something else is on the screen than this card as it was."""
        self.page.evaluate("document.querySelector('.rk-form').dataset.before = 'yes'")
        self.save()
        self.page.wait_for_selector(".rk-form[data-before]", state="detached")

    def pause(self) -> None:
        """Look at a card that has just opened before the first key."""
        self.page.wait_for_timeout(JUST_OPENED)

    def mark(self, words: str, key: str) -> None:
        """Select words of the text and make them a span of a class."""
        self.page.evaluate(SELECT, words)
        self.press("m")
        self.press(key)

    def lock(self) -> None:
        """Seal the pass from the panel, by keys."""
        self.sees(".rk-panel-done")
        self.press(["Tab", "Tab", "Enter"])
        self.sees("dialog[open]")
        self.press(["Tab", "Enter"])  # focus is on Cancel
        self.sees(".rk-panel-locked")

    def walk_all(self, plan: Plan, *, most: int = 60) -> list[str]:
        """Code every card that comes, by keyboard; return their ids in the order they came."""
        walked: list[str] = []
        while self.has(".rk-form") and len(walked) < most:
            walked.append(self.card)
            self.code(plan)
            self.record()
        return walked


@contextmanager
def seats(browser: Any) -> Generator[Callable[..., Coder]]:
    """Give a function that seats a coder in a fresh profile; no page may throw."""
    seated: list[Coder] = []

    def seat(**options: Any) -> Coder:
        coder = Coder(browser, **options)
        seated.append(coder)
        return coder

    try:
        yield seat
    finally:
        for coder in seated:
            coder.close()
    assert [error for coder in seated for error in coder.errors] == []


def reached(reader: Reader) -> str:
    """Return all that has come to a browser, with what the page holds now."""
    text = "\n".join((*reader.received, reader.page.content()))
    # frames are JSON: what it escapes is looked for as it is written as well
    return text + re.sub(ESCAPED, lambda found: json.loads('"' + found[0] + '"'), text)


def code_in_python(page: Page, plan: Plan, *, leave: int, note: str = "because") -> list[str]:
    """Code cards through a session without a browser, until only ``leave`` are left."""
    walked: list[str] = []
    while page.view["card"] and page.view["progress"]["total"] - len(walked) > leave:
        card, answers = page.card, dict[str, Any]()
        for _ in card["questions"]:
            reply = page.draft(answers, note)
            asked = reply["outcome"]["asked"]
            answers = {field: value for field, value in answers.items() if field in asked}
            for question in card["questions"]:
                if question["id"] in asked and question["id"] not in answers:
                    answers[question["id"]] = _answer(card, question, plan)
        walked.append(card["card_id"])
        reply = page.submit(answers=answers, note=note)
        assert reply["kind"] == "recorded", reply
    return walked


def _answer(card: dict[str, Any], question: dict[str, Any], plan: Plan) -> Any:
    codes = [(each["id"], each["key"]) for each in question["codes"]]
    row = Row(question["id"], question["type"], True, True, "", question["optional"], codes, 0)
    key = plan(card["card_id"], row)
    if row.type == "yes_no":
        return {"y": "yes", "n": "no"}[key]
    by_key = {key: code for code, key in codes}
    if row.type == "spans":
        return [
            {
                "start": each["start"], "end": each["end"], "term": each["term"],
                "code": "rejected" if key == "x" else each["code"], "flags": {},
                "source": "watchlist",
            }
            for each in card["found"][row.field]["matches"]
        ]  # fmt: skip
    if row.type == "many":
        return [by_key[key]] if key else []
    return by_key[key]
