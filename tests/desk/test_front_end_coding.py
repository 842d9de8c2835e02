"""In a real browser: coding cards, practice, the list of a long walk, the adjudicator's card."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.desk.harness.play import Open, focused_check, last_draft, press, sent, shows

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
@pytest.mark.parametrize(("scene", "key"), [("rationale", "m"), ("framing", "t")])
def test_the_note_names_the_key_that_the_help_names(open_card: Open, scene: str, key: str) -> None:
    """It is m; only where m marks a term, t."""
    page = open_card(scene)
    assert page.inner_text(".rk-note-head .rk-kbd") == key
    press(page, "?")
    row = page.locator(".rk-keys > div", has_text="write the note")
    assert row.locator("kbd").inner_text() == key


@pytest.mark.browser
@pytest.mark.parametrize(
    ("scene", "title"), [("nobody", "Who is reading?"), ("closed", "Not open yet")]
)
def test_a_page_without_cards_is_headed_by_its_reason(
    open_card: Open, scene: str, title: str
) -> None:
    """Only a stranger is asked who he is."""
    assert open_card(scene).inner_text(".rk-panel-title") == title


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
