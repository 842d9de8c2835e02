"""In a real browser: nothing typed is lost, nothing is recorded twice or on another card."""

from __future__ import annotations

import pytest

from tests.desk.harness.play import ORIGIN, Open, focused_check, press, sent, serve, shows

HOLD_ENTER = """for (let n = 0; n < 8; n++) document.activeElement.dispatchEvent(
  new KeyboardEvent('keydown',
    { key: 'Enter', code: 'Enter', repeat: n > 0, bubbles: true, cancelable: true }))"""
RENDER_TWICE = """window.second = document.body.appendChild(document.createElement('div'));
  window.leaveSecond = renderAgain(second); null"""


@pytest.mark.browser
def test_a_double_click_or_a_held_enter_records_one_card_once(open_card: Open) -> None:
    """Neither submits twice nor labels the next card."""
    page = open_card()
    press(page, "yyyyyy")
    page.wait_for_selector("[data-tone=accepted]")
    page.dblclick(".rk-save")
    shows(page, "DEMO-T2-003")
    page.keyboard.press("Enter")
    assert len(sent(page, "submit")) == 1
    page.wait_for_timeout(320)
    press(page, "yyy")
    page.wait_for_selector("[data-tone=accepted]")
    page.evaluate(HOLD_ENTER)
    shows(page, "DEMO-T1-009")
    submits = sent(page, "submit")
    assert len(submits) == 2
    assert len({submit["click_id"] for submit in submits}) == 2
    assert page.locator("[aria-checked=true]").count() == 0


@pytest.mark.browser
def test_a_click_records_what_the_mouse_was_on(open_card: Open) -> None:
    """Opening one check's explanation moves no control under the mouse, even on a double click."""
    page = open_card()
    for check in ("natural", "one_variable", "fields"):
        page.dblclick(f"[data-check={check}] .rk-choice-no")
    page.wait_for_function("model.log.filter(m => m.kind === 'draft').some(m => m.answers.fields)")
    assert sent(page, "draft")[-1]["answers"] == {
        "natural": "no",
        "one_variable": "no",
        "fields": "no",
    }


@pytest.mark.browser
def test_drafts_are_coalesced_and_the_last_words_arrive(open_card: Open) -> None:
    """One draft is on its way at a time, and the last one holds everything."""
    page = open_card()
    page.evaluate("model.delay = 150")
    press(page, "ym")
    page.keyboard.type("twenty quick letters")
    page.wait_for_function(
        "model.log.filter(m => m.kind === 'draft').at(-1).note === 'twenty quick letters'"
    )
    assert len(sent(page, "draft")) < 10
    page.wait_for_function("sessionStorage.getItem('reviewkit.pending') === null")


@pytest.mark.browser
def test_silence_is_shown_and_the_same_submission_goes_again(open_card: Open) -> None:
    """No answer in 4 s: red bar, dead buttons, the same click id again; recovery clears."""
    page = open_card(clock=True)
    page.clock.run_for(400)
    press(page, "yyyyyy")
    page.clock.run_for(200)
    page.wait_for_selector("[data-tone=accepted]")
    page.evaluate("model.mute = true")
    page.keyboard.press("Enter")
    page.clock.run_for(3_000)
    assert page.is_hidden(".rk-bar-lost")
    page.clock.run_for(2_000)
    assert page.is_visible(".rk-bar-lost")
    assert page.is_disabled(".rk-save")
    assert page.is_disabled("[data-check=fields] .rk-choice-yes")
    assert page.get_by_role("button", name="Reload").is_enabled()
    assert page.inner_text(".rk-saved").strip() == "✓ saved 14:02:07"
    page.clock.run_for(8_000)
    submits = sent(page, "submit")
    assert len(submits) >= 3
    assert all(submit == submits[0] for submit in submits)
    page.evaluate("model.mute = false")
    page.clock.run_for(9_000)
    shows(page, "DEMO-T2-003")
    assert page.is_hidden(".rk-bar-lost")
    assert page.evaluate("model.recorded.length") == 1
    assert focused_check(page) == "no_cue"
    press(page, "y")
    assert page.get_attribute("[data-check=no_cue]", "data-answer") == "yes"


@pytest.mark.browser
def test_what_was_typed_without_an_answer_survives_a_reload(open_card: Open) -> None:
    """The unsaved draft goes out with the next hello and is forgotten once it is taken in."""
    page = open_card()
    page.evaluate("model.mute = true")
    press(page, "nm")
    page.keyboard.type("ends in ة")
    tab = sent(page, "hello")[0]["tab"]
    page.reload()
    page.wait_for_selector(".rk-frame")
    (hello,) = sent(page, "hello")
    assert hello["tab"] == tab
    pending = hello["pending"]
    judgement = {"answers", "note", "escalated", "defects"}
    assert set(pending) == {"whose", "card_id", "card_digest", "typed_at"} | judgement
    assert (pending["note"], pending["answers"]) == ("ends in ة", {"one_variable": "no"})
    assert page.input_value("textarea.rk-note") == "ends in ة"
    assert page.evaluate("sessionStorage.getItem('reviewkit.pending')") is None


@pytest.mark.browser
def test_a_duplicated_tab_is_another_tab(open_card: Open) -> None:
    """A page whose storage was copied while its owner lives takes a new id."""
    page = open_card()
    tab = sent(page, "hello")[0]["tab"]
    twin = page.context.new_page()
    twin.add_init_script(f"sessionStorage.setItem('reviewkit.tab', '{tab}')")
    twin.route(f"{ORIGIN}/**", serve)
    twin.goto(f"{ORIGIN}/index.html")
    twin.wait_for_selector(".rk-frame")
    assert sent(twin, "hello")[0]["tab"] != tab


@pytest.mark.browser
def test_a_fresh_token_keeps_what_is_being_typed(open_card: Open) -> None:
    """A page pushed for the same content changes neither answers, note nor focus."""
    page = open_card()
    press(page, "ym")
    page.keyboard.type("half a sen")
    page.evaluate("model.reply(model.page())")
    page.keyboard.type("tence")
    assert page.input_value("textarea.rk-note") == "half a sentence"
    page.wait_for_function(
        "model.log.at(-1).note === 'half a sentence' && model.log.at(-1).token === model.token"
    )
    assert page.get_attribute("[data-check=one_variable]", "data-answer") == "yes"


@pytest.mark.browser
def test_replies_to_another_window_are_not_ours(open_card: Open) -> None:
    """A reply to an id this page never gave changes nothing."""
    page = open_card()
    page.evaluate("model.at = 1; model.reply({ ...model.page(), re: 3 })")
    page.wait_for_timeout(50)
    assert page.inner_text(".rk-title") == "DEMO-T1-007"


@pytest.mark.browser
def test_another_tab_makes_this_one_read_only_until_it_takes_over(open_card: Open) -> None:
    """Elsewhere: no key answers, Take over asks, and then the card may be written again."""
    page = open_card("elsewhere")
    press(page, "y")
    assert sent(page, "draft") == []
    assert page.is_disabled("[data-check=one_variable] .rk-choice-yes")
    page.get_by_role("button", name="Take over here").click()
    page.wait_for_selector(".rk-root[data-state=writing]")
    page.focus("[data-check=one_variable] .rk-choice-yes")
    press(page, "y")
    page.wait_for_function("model.log.some(m => m.kind === 'draft')")


@pytest.mark.browser
def test_leaving_cleans_up_and_rendering_twice_works(open_card: Open) -> None:
    """The returned function removes listeners and timers; two views may live."""
    page = open_card(clock=True)
    page.evaluate(RENDER_TWICE)
    page.clock.run_for(100)
    assert page.locator(".rk-frame").count() == 2
    page.evaluate("leave(); leaveSecond()")
    sent_before = page.evaluate("model.log.length")
    page.clock.run_for(20_000)
    assert page.evaluate("model.log.length") == sent_before
    assert page.evaluate("model.listeners.length") == 0
    assert page.locator(".rk-root").count() == 0
