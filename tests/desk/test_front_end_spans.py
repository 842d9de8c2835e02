"""In a real browser: the spans of a text, settled and marked by keyboard and by mouse."""

from __future__ import annotations

from typing import Any

import pytest

from tests.desk.harness.play import Open, last_draft, press, sent, shows

SELECT = """([from, to, field]) => {
  const box = document.querySelectorAll('.rk-coded')[field ?? 0];
  const text = box.textContent;
  const find = (offset) => {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    let left = offset;
    while (walker.nextNode()) {
      if (left <= walker.currentNode.length) return [walker.currentNode, left];
      left -= walker.currentNode.length;
    }
  };
  const start = text.indexOf(from);
  const end = text.indexOf(to, start) + to.length;
  document.getSelection().setBaseAndExtent(...find(start), ...find(end));
}"""
SHAPES = """Object.fromEntries([...document.querySelectorAll('.rk-span-code .rk-shape')].map(
  each => [each.dataset.shape, [getComputedStyle(each).textDecorationStyle,
    getComputedStyle(each).textDecorationThickness].join(' ')]))"""
ROWS = """[...document.querySelectorAll('.rk-span-row')].map(row =>
  [row.querySelector('.rk-term').textContent, row.dataset.state])"""
WIDTHS = """() => {
  const box = document.querySelector('.rk-coded');
  const line = document.createElement('span');
  box.append(line);
  const width = (...parts) => {
    line.replaceChildren(...parts);
    return line.getBoundingClientRect().width;
  };
  const mark = document.createElement('span');
  mark.className = 'rk-span';
  Object.assign(mark.dataset, { state: 'coded', shape: 'dotted', inside: '', say: 'class' });
  mark.textContent = 'احتجاجات';
  return [width('والاحتجاجات'), width('وال', mark)];
}"""


def spans(page: Any) -> list[tuple[Any, ...]]:
    """Return place, code and source of the spans in the latest draft."""
    return [
        (each["start"], each["end"], each["code"], each["source"])
        for each in last_draft(page)["answers"].get("terms", [])
    ]


@pytest.mark.browser
def test_every_match_is_settled_from_the_keyboard(open_card: Open) -> None:
    """Y confirms, a digit reclassifies, x rejects, a flags; each goes on to the next that waits."""
    page = open_card("framing")
    assert [state for _term, state in page.evaluate(ROWS)] == ["pending"] * 4
    assert page.inner_text(".rk-span-row[data-active] .rk-term") == "2011 protests"
    press(page, "y")
    press(page, "a")
    press(page, "2")
    press(page, "x")
    assert [state for _term, state in page.evaluate(ROWS)] == [
        "coded",
        "coded",
        "rejected",
        "pending",
    ]
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-check=terms][data-problem]")
    press(page, "y")
    page.wait_for_selector("[data-tone=coded]")
    given = last_draft(page)["answers"]["terms"]
    assert [(each["code"], each["flags"]) for each in given] == [
        ("neutral", {"attributed": "no"}),
        ("loaded_a", {"attributed": "yes"}),
        ("rejected", {}),
        ("proper_name", {"attributed": "no"}),
    ]
    assert {each["source"] for each in given} == {"watchlist"}
    text = page.evaluate("model.cards[0].texts[0].paragraphs[0].plain")
    assert [text[each["start"] : each["end"]] for each in given] == [
        "2011 protests",
        "uprising",
        "riots",
        "March of Lanterns",
    ]
    page.keyboard.press("ArrowUp")
    press(page, "x")  # takes the rejection back
    assert page.inner_text(".rk-span-row[data-active] .rk-term") == "riots"
    assert page.evaluate(ROWS)[2] == ["riots", "pending"]
    press(page, "3")
    page.keyboard.press("Enter")
    shows(page, "resp-0202")


@pytest.mark.browser
def test_selected_words_become_a_span_counted_in_code_points(open_card: Open) -> None:
    """A selection over several nodes, after an emoji, snaps to whole words."""
    page = open_card("framing")
    text = page.evaluate("model.cards[0].texts[0].paragraphs[0].plain")
    page.evaluate(SELECT, ["nlawf", "nlawf"])
    press(page, "m")
    assert page.inner_text(".rk-span-row[data-active] .rk-term") == "unlawful"
    page.wait_for_timeout(50)
    assert sent(page, "draft") == []  # without a class it is no answer yet
    press(page, "1")
    at = text.index("unlawful")
    assert spans(page) == [(at, at + 8, "neutral", "coder")]
    assert page.evaluate("document.getSelection().isCollapsed")
    page.evaluate(SELECT, ["🗞️ sp", "🗞️ sp"])
    press(page, "m5")
    at = text.index("🗞️")
    assert (at, at + 8, "other", "coder") in spans(page)
    assert page.locator(".rk-coded").text_content() == text


@pytest.mark.browser
def test_a_span_over_another_is_refused_with_a_sentence(open_card: Open) -> None:
    """Neither a match nor an own span is covered twice; the same place only becomes active."""
    page = open_card("framing")
    page.evaluate(SELECT, ["of riots; the", "of riots; the"])
    press(page, "m")
    assert "overlaps “riots”" in page.inner_text("[data-check=terms] .rk-problem")
    assert len(page.evaluate(ROWS)) == 4
    page.evaluate(SELECT, ["riots", "riots"])
    press(page, "m")
    assert len(page.evaluate(ROWS)) == 4
    assert page.inner_text(".rk-span-row[data-active] .rk-term") == "riots"


@pytest.mark.browser
def test_a_span_without_a_class_holds_the_card_back(open_card: Open) -> None:
    """Enter goes to the unfinished span and says what is missing; x removes it."""
    page = open_card("framing")
    press(page, "yyyy")
    page.wait_for_selector("[data-tone=coded]")
    page.evaluate(SELECT, ["officials", "officials"])
    page.get_by_role("button", name="Mark the selected text").click()
    page.keyboard.press("Enter")
    assert "class" in page.inner_text("[data-check=terms] .rk-problem")
    assert sent(page, "submit") == []
    press(page, "x")
    page.keyboard.press("Enter")
    shows(page, "resp-0202")
    assert len(sent(page, "submit")[0]["answers"]["terms"]) == 4


@pytest.mark.browser
def test_a_span_without_a_class_outlives_what_is_drawn_anew(open_card: Open) -> None:
    """A question to the lead and another language leave the marked words and the row in hand."""
    page = open_card("framing")
    page.evaluate(SELECT, ["officials", "officials"])
    press(page, "mw")
    page.keyboard.type("Is this a term?")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".rk-lead")
    press(page, "l")
    page.wait_for_selector(".rk-root[dir=rtl]")
    assert page.inner_text(".rk-span-row[data-active] .rk-term") == "officials"
    press(page, "5")
    assert [code for _start, _end, code, _source in spans(page)] == ["other"]


@pytest.mark.browser
def test_a_highlight_brings_its_row_and_the_mouse_settles_it(open_card: Open) -> None:
    """A click in the text activates the row; classes, flags and rejection have buttons."""
    page = open_card("framing")
    page.click(".rk-span:has-text('March of Lanterns')")
    assert page.inner_text(".rk-span-row[data-active] .rk-term") == "March of Lanterns"
    page.get_by_role("radio", name="proper name").click()
    assert page.inner_text(".rk-span-row[data-active] .rk-term") == "March of Lanterns"
    page.get_by_role("button", name="attributed").click()
    assert last_draft(page)["answers"]["terms"][0]["flags"] == {"attributed": "yes"}
    assert page.get_attribute(".rk-span:has-text('March')", "data-state") == "coded"
    page.get_by_role("button", name="Reject", exact=True).click()
    assert spans(page)[0][2] == "rejected"
    page.get_by_role("button", name="Take the rejection back").click()
    assert spans(page) == []


@pytest.mark.browser
def test_classes_differ_by_shape_and_not_only_by_colour(open_card: Open) -> None:
    """Solid, dashed, dotted, double and thin."""
    page = open_card("framing")
    shapes = page.evaluate(SHAPES)
    assert list(shapes) == ["solid", "dashed", "dotted", "double", "thin"]
    assert len(set(shapes.values())) == 5
    press(page, "x")
    decoration = "getComputedStyle(document.querySelector('.rk-span')).textDecorationLine"
    assert page.evaluate(decoration) == "line-through"
    page.wait_for_timeout(30)
    pending = "getComputedStyle(document.querySelectorAll('.rk-span')[3]).outlineStyle"
    assert page.evaluate(pending) == "dashed"


@pytest.mark.browser
def test_arabic_words_stay_whole_and_offsets_count_from_the_start(open_card: Open) -> None:
    """A mark inside a word breaks no joining; a selection takes the whole word with its clitics."""
    page = open_card("framing_ar", "ar")
    whole, marked = page.evaluate(WIDTHS)
    assert whole == pytest.approx(marked, abs=0.6)
    page.reload()
    page.wait_for_selector(".rk-coded")
    text = page.evaluate("model.cards[0].texts[0].paragraphs[0].plain")
    page.evaluate(SELECT, ["سؤول", "سؤول"])
    press(page, "m")
    page.keyboard.press("1")
    at = text.index("مسؤولون")
    assert spans(page) == [(at, at + len("مسؤولون"), "neutral", "coder")]
    assert page.locator(".rk-coded").text_content() == text
