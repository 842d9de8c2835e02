"""In a real browser: what is on the screen, for every width, theme, language and reader."""

from __future__ import annotations

import pytest

from tests.desk.harness.play import Open, press

LINE_STYLES = """Object.fromEntries(['slot', 'stray', 'replaced', 'spelling'].map(mark => {
  const one = document.querySelector('.rk-root').appendChild(document.createElement('span'));
  one.className = `rk-mark rk-${mark}`;
  return [mark, getComputedStyle(one).textDecorationStyle];
}))"""
JOINED_WIDTHS = """() => {
  const box = document.querySelector('.rk-original').cloneNode(false);
  document.querySelector('.rk-text-body').append(box);
  const width = (...parts) => {
    const line = document.createElement('span');
    line.append(...parts);
    box.replaceChildren(line);
    return line.getBoundingClientRect().width;
  };
  const mark = document.createElement('span');
  mark.className = 'rk-hidden rk-inside';
  mark.dataset.name = 'X';
  mark.textContent = 'د';
  return [width('الجديد'), width('الج', mark, 'يد')];
}"""
WIDER_THAN_THE_SCREEN = """[...document.querySelectorAll('.rk-frame *')].filter(node => {
  const box = node.getBoundingClientRect();
  const shown = box.width && getComputedStyle(node).clipPath === 'none';
  // a ruling that is not open is cut with an ellipsis on purpose
  return shown && !node.closest('.rk-ruling') && (box.right > innerWidth + 1 || box.left < -1);
}).map(node => node.className || node.tagName)"""
ACTING = (
    ".rk-root :is(img, script, style, iframe, svg[onload], a[href^=javascript], [onerror],"
    " [onmouseover])"
)
DRAWN_OVER_CONTROLS = """() => {
  const found = new Set();
  const walk = document.createTreeWalker(document.querySelector('.rk-root'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (!text.data.includes('\u0301\u0301')) continue;
    if (text.parentElement.closest('.rk-unseen, textarea, option')) continue;
    let box = text.parentElement;
    while (getComputedStyle(box).overflowY === 'visible' && !box.matches('.rk-root'))
      box = box.parentElement;
    for (const other of box.querySelectorAll('button, input, select, textarea, .rk-saved'))
      if (!other.contains(text)) found.add(`${text.parentElement.className} in ${box.className}`);
  }
  return [...found];
}"""
"""Texts with a pile of marks whose nearest box that clips holds a control as well."""
TOPS = """[...document.querySelectorAll('.rk-text')].slice(0, 2)
  .map(text => text.getBoundingClientRect().top)"""
TIME_OF_NEXT_CARD = """() => {
  const spent = [];
  for (let n = 0; n < 20; n++) {
    model.at = (model.at + 1) % 2;
    const content = model.page();
    const start = performance.now();
    model.reply(content);
    document.body.offsetHeight;
    spent.push(performance.now() - start);
  }
  return spent.sort((one, other) => one - other)[10];
}"""
RED_OF_PAPER = """getComputedStyle(document.querySelector('.rk-frame'))
  .backgroundColor.match(/\\d+/)[0]"""
NAMELESS = """[...document.querySelectorAll('.rk-root button, .rk-root a')]
  .filter(node => !(node.textContent.trim() || node.ariaLabel)).length"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("scene", "keys"), [("hostile", "nr"), ("hostile_codes", "1"), ("hostile_hearing", "4\n")]
)
@pytest.mark.parametrize("width", [1240, 390])
def test_hostile_text_is_only_text(open_card: Open, scene: str, keys: str, width: int) -> None:
    """In any field of a card, a coding and an adjudication: shown as written, drawn over nothing.

    Markup does nothing, a word without a space does not widen the page, and marks that are piled on
    a letter stay off the controls.
    """
    page = open_card(scene, viewport={"width": width, "height": 760})
    for key in keys:
        page.keyboard.press("Enter" if key == "\n" else key)
    page.wait_for_timeout(150)
    assert page.evaluate("window.hit ?? null") is None
    assert page.locator(ACTING).count() == 0
    assert "<img src=x" in page.inner_text(".rk-title")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(DRAWN_OVER_CONTROLS) == []


@pytest.mark.browser
def test_the_blur_key_hides_the_texts_and_shows_them_again(open_card: Open) -> None:
    """One key blurs every text, and the same key brings them back."""
    page = open_card()
    blur = "getComputedStyle(document.querySelector('.rk-text .rk-original')).filter"
    page.mouse.move(0, 0)
    press(page, "b")
    assert page.evaluate(blur) == "blur(8px)"
    press(page, "b")
    assert page.evaluate(blur) == "none"


@pytest.mark.browser
def test_the_note_comes_into_sight_whole(open_card: Open) -> None:
    """The key of the note shows the box with its hint, however low it stands."""
    page = open_card()
    page.set_viewport_size({"width": 1240, "height": 700})
    press(page, "m")
    inside = page.evaluate(
        "() => document.querySelector('.rk-note-box').getBoundingClientRect().bottom"
        " <= document.querySelector('.rk-foot').getBoundingClientRect().top + 1"
    )
    assert inside


@pytest.mark.browser
def test_copied_text_is_the_original(open_card: Open) -> None:
    """Names of hidden characters are drawn, not written, so a copy is the text on disk."""
    page = open_card()
    text = page.evaluate("document.querySelectorAll('.rk-original')[2].textContent")
    assert text == "اكتب رسالة قصيرة تهنئ فيها جارك القادم من الموصل بعملة الجديد\u00a0."
    badge = page.locator(".rk-hidden").first
    assert badge.get_attribute("aria-label") == "hidden character: NBSP"
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.rk-hidden'), '::after').content")
        == '"NBSP"'
    )


@pytest.mark.browser
def test_marks_differ_by_shape_and_not_only_by_colour(open_card: Open) -> None:
    """Each mark has a line style of its own."""
    page = open_card()
    styles = page.evaluate(LINE_STYLES)
    assert styles == {"slot": "solid", "stray": "wavy", "replaced": "double", "spelling": "dashed"}


@pytest.mark.browser
def test_marking_part_of_a_word_does_not_break_its_joining(open_card: Open) -> None:
    """A word with a marked letter inside is as wide as the same word unmarked."""
    page = open_card()
    widths = page.evaluate(JOINED_WIDTHS)
    assert widths[0] == pytest.approx(widths[1], abs=0.6)


@pytest.mark.browser
@pytest.mark.parametrize("scene", ["walk", "t2", "changed", "hostile", "done", "many"])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_phone_shows_everything_without_sideways_scrolling(
    open_card: Open, scene: str, language: str
) -> None:
    """At 390 px nothing is wider than the screen and the primary action stays in view."""
    page = open_card(scene, language, viewport={"width": 390, "height": 844}, settle=False)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(WIDER_THAN_THE_SCREEN) == []
    if scene != "done":
        box = page.locator(".rk-save").bounding_box()
        assert box["y"] + box["height"] <= 844
        assert box["height"] >= 40


@pytest.mark.browser
def test_the_width_of_the_card_and_not_of_the_window_decides(open_card: Open) -> None:
    """In a narrow panel of a wide window twins are stacked; else side by side."""
    page = open_card(viewport={"width": 1240, "height": 760})

    beside = page.evaluate(TOPS)
    assert beside[0] == beside[1]
    page.evaluate("document.getElementById('card').style.width = '600px'")
    stacked = page.evaluate(TOPS)
    assert stacked[0] < stacked[1]


@pytest.mark.browser
def test_the_instruction_and_the_actions_stay_in_view_on_a_long_card(open_card: Open) -> None:
    """Texts of 140 kB scroll inside the card; instruction and footer do not move."""
    page = open_card("long", viewport={"width": 1240, "height": 760})
    page.evaluate("document.querySelector('.rk-texts').scrollTop = 5000")
    assert page.evaluate("document.querySelector('.rk-texts').scrollTop") > 1000
    for part in (".rk-instruction", ".rk-save"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 760


@pytest.mark.browser
def test_the_next_card_is_drawn_within_a_frame_or_two(open_card: Open) -> None:
    """Adopting the next card takes the page a few milliseconds of its own."""
    page = open_card()
    taken = page.evaluate(TIME_OF_NEXT_CARD)
    assert taken < 60


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["true", "false"])
def test_colours_follow_the_theme_of_jupyterlab(open_card: Open, theme: str) -> None:
    """The host's theme wins over the system's preference."""
    page = open_card(color_scheme="dark" if theme == "true" else "light", settle=False)
    page.evaluate("theme => document.body.setAttribute('data-jp-theme-light', theme)", theme)
    red = page.evaluate(RED_OF_PAPER)
    assert (int(red) > 200) is (theme == "true")


@pytest.mark.browser
def test_every_control_has_a_name_and_every_check_is_a_group(open_card: Open) -> None:
    """Controls have accessible names; each check is a radio group named by its text."""
    page = open_card()
    press(page, "n")
    page.wait_for_selector("[data-tone=needs_fix]")
    assert (
        page.get_by_role("radiogroup", name="Only the declared variable changes")
        .get_by_role("radio", name="No")
        .is_checked()
    )
    assert page.get_by_role("textbox", name="A note is needed because check 1 fails").count() == 1
    nameless = page.evaluate(NAMELESS)
    assert nameless == 0
