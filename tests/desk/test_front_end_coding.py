"""In a real browser: coding cards, the spans of a text, practice, and the adjudicator's card."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.desk.harness.play import Open, focused_check, press, sent, shows

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
SMALL_TARGETS = """[...document.querySelectorAll(
    '.rk-form :is(button:not(.rk-number), textarea), .rk-foot .rk-button')]
  .filter(node => node.offsetParent && node.getBoundingClientRect().height < 43.5)
  .map(node => node.className)"""
WIDER = """[...document.querySelectorAll('.rk-frame *')].filter(node => {
  const box = node.getBoundingClientRect();
  return box.width && getComputedStyle(node).position !== 'absolute'
    && !node.closest('.rk-ruling') && (box.right > innerWidth + 1 || box.left < -1);
}).map(node => node.className || node.tagName)"""
SCENES = ["rationale", "selection", "framing", "framing_ar", "rubric", "adjudicate", "practice"]


def last_draft(page: Any) -> dict[str, Any]:
    """Return the latest draft, once nothing more is on its way."""
    page.wait_for_timeout(60)
    return sent(page, "draft")[-1]


def spans(page: Any) -> list[tuple[Any, ...]]:
    """Return place, code and source of the spans in the latest draft."""
    return [
        (each["start"], each["end"], each["code"], each["source"])
        for each in last_draft(page)["answers"].get("terms", [])
    ]


@pytest.mark.browser
def test_a_digit_codes_the_card_and_enter_records_it(open_card: Open) -> None:
    """Two keys for a card of one field; the derived value is shown and never sent."""
    page = open_card("rationale")
    assert focused_check(page) == "rationale"
    press(page, "2")
    page.keyboard.press("Enter")  # at once: it waits for the outcome of the draft
    shows(page, "resp-0112")
    (submit,) = sent(page, "submit")
    assert submit["answers"] == {"rationale": "QE"}
    assert (submit["unsure"], submit["escalated"]) == (False, False)
    assert "reason" not in submit


@pytest.mark.browser
def test_the_outcome_and_the_derived_values_stand_in_the_footer(open_card: Open) -> None:
    """Open, then coded, with what follows from the codes."""
    page = open_card("rationale")
    assert page.inner_text(".rk-verdict") == "○\n1 field open"
    assert page.is_hidden(".rk-escalate")
    press(page, "1")
    page.wait_for_selector("[data-tone=coded]")
    assert page.inner_text(".rk-foot .rk-derived") == "Bias evidence: yes"
    press(page, "6")
    page.wait_for_selector(".rk-note-box[data-missing]")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.matches('textarea.rk-note')")
    assert sent(page, "submit") == []


@pytest.mark.browser
def test_a_field_arises_and_falls_with_the_answers_before_it(open_card: Open) -> None:
    """A field that is not asked is dimmed without controls, and its answer is sent no more."""
    page = open_card("selection")
    veiled = page.locator("[data-check=veiled]")
    assert "rk-check-off" in veiled.get_attribute("class")
    assert veiled.get_by_role("radio").count() == 0
    assert veiled.locator(".rk-why").inner_text() == "asked when the rationale is R"
    press(page, "15")
    page.wait_for_selector("[data-check=veiled].rk-active")
    assert focused_check(page) == "veiled"
    press(page, "y")
    assert last_draft(page)["answers"] == {
        "selection": "consistent",
        "rationale": "R",
        "veiled": "yes",
    }
    page.keyboard.press("ArrowUp")
    assert focused_check(page) == "rationale"
    press(page, "1")
    page.wait_for_selector("[data-check=veiled].rk-check-off")
    assert last_draft(page)["answers"] == {"selection": "consistent", "rationale": "E"}
    assert focused_check(page) == "rationale"
    page.keyboard.press("Enter")
    shows(page, "resp-0037")
    assert "veiled" not in sent(page, "submit")[0]["answers"]


@pytest.mark.browser
def test_focus_stays_in_the_note_while_fields_come_and_go(open_card: Open) -> None:
    """An outcome that arrives late moves nothing away from under the person."""
    page = open_card("selection")
    page.evaluate("model.delay = 150")
    press(page, "15t")
    page.keyboard.type("it declines")
    page.wait_for_selector("[data-check=veiled]:not(.rk-check-off)")
    assert page.evaluate("document.activeElement.matches('textarea.rk-note')")
    assert page.input_value("textarea.rk-note") == "it declines"


@pytest.mark.browser
def test_arrows_walk_codes_and_fields_and_space_chooses(open_card: Open) -> None:
    """Up and down go through the codes and past their edges; nothing is chosen on the way."""
    page = open_card("rubric")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.code") == "2"
    assert sent(page, "draft") == []
    page.keyboard.press("Space")
    assert focused_check(page) == "usable"  # faults may stay empty
    page.keyboard.press("ArrowUp")
    assert focused_check(page) == "faults"
    press(page, "13")
    press(page, "1")
    assert last_draft(page)["answers"] == {"warmth": "2", "faults": ["fact"]}
    box = page.get_by_role("group", name="Which faults").get_by_role(
        "checkbox", name="an invented fact"
    )
    assert box.is_checked()
    press(page, "3")
    assert last_draft(page)["answers"] == {"warmth": "2"}
    scale = page.get_by_role("radiogroup", name="How warm").get_by_role("radio")
    assert scale.count() == 1  # a field that is not at hand shows its answer alone
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert focused_check(page) == "warmth"
    assert scale.count() == 5


@pytest.mark.browser
def test_a_double_click_chooses_one_code(open_card: Open) -> None:
    """Rows that move under the mouse take no second click."""
    page = open_card("selection")
    page.dblclick("[data-check=selection] [data-code=neither]")
    page.dblclick("[data-check=rationale] [data-code=N]")
    assert last_draft(page)["answers"] == {"selection": "neither", "rationale": "N"}


@pytest.mark.browser
def test_unsure_goes_with_the_draft_and_survives_a_reload(open_card: Open) -> None:
    """The mark is a toggle of the card, sent with it and kept in this tab until it is taken in."""
    page = open_card("rationale")
    press(page, "u")
    assert last_draft(page)["unsure"] is True
    assert page.get_by_role("button", name="Unsure").get_attribute("aria-pressed") == "true"
    page.evaluate("model.mute = true")
    press(page, "3")
    page.reload()
    page.wait_for_selector(".rk-frame")
    (hello,) = sent(page, "hello")
    assert hello["pending"]["answers"] == {"rationale": "N"}
    assert hello["pending"]["unsure"] is True
    assert page.get_by_role("button", name="Unsure").get_attribute("aria-pressed") == "true"


@pytest.mark.browser
def test_a_question_to_the_lead_is_sent_and_its_words_are_kept_until_then(open_card: Open) -> None:
    """Closing the dialog keeps the words; sending shows them on the card as waiting."""
    page = open_card("rationale")
    press(page, "1w")
    page.keyboard.type("Is this a hedge?")
    page.keyboard.press("Escape")
    press(page, "w")
    assert page.input_value("dialog textarea") == "Is this a hedge?"
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".rk-lead:has-text('No answer yet.')")
    (question,) = sent(page, "question")
    assert question["text"] == "Is this a hedge?"
    assert page.get_by_role("radio", name="E Endorsement").is_checked()
    press(page, "w")
    assert page.input_value("dialog textarea") == ""


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


@pytest.mark.browser
def test_a_try_on_a_practice_card_shows_what_is_right_and_goes_on(open_card: Open) -> None:
    """After the try nothing can be changed; a quick second Enter does not skip the reason."""
    page = open_card("practice")
    assert page.inner_text(".rk-chip-stage") == "practice 1 of 3"
    press(page, "3")
    page.keyboard.press("Enter")
    page.wait_for_selector(".rk-practice")
    page.keyboard.press("Enter")
    assert sent(page, "go") == []
    assert page.evaluate("document.activeElement.matches('.rk-practice')")
    assert "Right: Denial" in page.inner_text(".rk-practice")
    assert "denies the claim" in page.inner_text(".rk-practice")
    press(page, "1")
    assert page.get_by_role("radio", name="N Neutral analysis").is_checked()
    assert page.is_hidden(".rk-save")
    page.wait_for_timeout(320)
    page.keyboard.press("Enter")
    shows(page, "resp-0037")
    assert [message["to"] for message in sent(page, "go")] == ["next"]


@pytest.mark.browser
def test_the_adjudicator_labels_first_and_then_sees_both(open_card: Open) -> None:
    """Before the own label nothing of the codings is there; keeping it needs no reason."""
    page = open_card("adjudicate")
    assert page.inner_text(".rk-chip-stage") == "label first"
    assert page.locator(".rk-coding").count() == 0
    assert page.is_hidden(".rk-lead")
    press(page, "4")
    page.keyboard.press("Enter")
    page.wait_for_selector(".rk-coding")
    one = page.get_by_role("region", name="one coder").inner_text()
    assert "D Denial" in one
    assert "says it is not supported" in one
    assert "unsure" in page.inner_text(".rk-coding >> nth=1")
    assert page.inner_text("[data-code=D] .rk-kept") == "kept from your first label"
    assert page.is_hidden(".rk-reason-box")
    page.wait_for_timeout(320)
    page.get_by_role("button", name="Final: D, next").click()
    shows(page, "resp-0037")
    first, final = sent(page, "submit")
    assert first["answers"] == final["answers"] == {"rationale": "D"}
    assert final["reason"] == ""


@pytest.mark.browser
def test_a_change_after_the_reveal_asks_for_its_reason(open_card: Open) -> None:
    """Enter without the reason goes to its field; with it the change is recorded."""
    page = open_card("adjudicate")
    press(page, "4")
    page.keyboard.press("Enter")
    page.wait_for_selector(".rk-coding")
    page.wait_for_timeout(320)
    press(page, "3")
    page.wait_for_selector(".rk-reason-box[data-missing]")
    assert page.inner_text("[data-code=D] .rk-kept") == "your first label"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.matches('.rk-reason-field')")
    assert len(sent(page, "submit")) == 1
    page.keyboard.type("It takes no side.")
    page.keyboard.press("Control+Enter")
    shows(page, "resp-0037")
    final = sent(page, "submit")[-1]
    assert (final["answers"], final["reason"]) == ({"rationale": "N"}, "It takes no side.")


@pytest.mark.browser
def test_a_card_is_excluded_with_a_reason(open_card: Open) -> None:
    """X opens the dialog; without a chosen reason nothing is sent."""
    page = open_card("adjudicate")
    press(page, "x")
    page.get_by_role("button", name="Exclude the card").click()
    assert page.inner_text(".rk-dialog-problem") == "Choose a reason."
    assert sent(page, "exclude") == []
    page.get_by_role("radio", name="truncated").check()
    page.fill("dialog textarea", "Ends in the middle of a word.")
    page.get_by_role("button", name="Exclude the card").click()
    shows(page, "resp-0037")
    (exclude,) = sent(page, "exclude")
    assert (exclude["code"], exclude["reason"]) == ("truncated", "Ends in the middle of a word.")


@pytest.mark.browser
def test_the_list_of_a_long_walk_is_asked_for_when_it_opens(open_card: Open) -> None:
    """Ten thousand cards come only then, and only some of them are drawn."""
    page = open_card("long_walk")
    assert sent(page, "cards") == []
    press(page, "/")
    page.wait_for_selector(".rk-card-link[data-card=resp-07000]")
    assert page.locator(".rk-card-link").count() <= 200
    page.keyboard.type("resp-0123")
    assert page.locator(".rk-card-link").count() == 10
    page.keyboard.press("Enter")
    page.wait_for_function("model.log.some(m => m.kind === 'go')")
    assert sent(page, "go")[0]["to"] == "resp-01230"
    assert len(sent(page, "cards")) == 1


@pytest.mark.browser
def test_the_content_warning_carries_its_contact_line(open_card: Open) -> None:
    """Whom to write to stands on the panel before the first card."""
    page = open_card("warning")
    assert "lead@desk.example" in page.inner_text(".rk-contact")


@pytest.mark.browser
def test_hostile_codes_and_texts_are_only_text(open_card: Open) -> None:
    """Markup in codes, spans, questions to the lead and their answers is shown as written."""
    page = open_card("hostile_codes")
    press(page, "1")
    page.wait_for_timeout(60)
    assert page.evaluate("window.hit") is None
    assert page.locator(".rk-root img").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("look", ["light", "dark", "arabic", "narrow"])
def test_axe_finds_nothing_and_every_target_is_large_enough(
    open_card: Open, scene: str, look: str
) -> None:
    """Names, roles and contrast on every card; 44 px and no sideways scrolling on a phone."""
    options: dict[str, Any] = {
        "dark": {"color_scheme": "dark"},
        "narrow": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
    }.get(look, {})
    page = open_card(scene, "ar" if look == "arabic" else "", **options)
    press(page, "4")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    found = Axe().run(page, context=".rk-root").response
    assert [
        f"{each['id']}: {node['target']}" for each in found["violations"] for node in each["nodes"]
    ] == []
    if look == "narrow":
        assert page.evaluate(SMALL_TARGETS) == []
        assert page.evaluate(WIDER) == [], scene
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
