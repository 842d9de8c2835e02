"""Coding at the real served page: nothing lost, nobody else's, nothing but text in a text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewkit.bank.responses import open_responses
from reviewkit.workspace import Workspace
from tests.browser.coder import WAITING, Coder, mind_of, reached, seats
from tests.browser.studies import (
    chained,
    lay_mixed,
    lay_studies,
    lines_of,
    link_for,
    run_command,
    serving,
)
from tests.browser.test_judging import SPEAKS_ARABIC
from tests.browser.test_page import LOOKS, NARROW, OVER_THE_EDGE, serious
from tests.serving.served import Server

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

STUDY = "mixed"
RATERS = tuple(f"c{n:02}" for n in range(1, 21))
MARKUP = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script><b>&amp;</b>"
BIDI = "\u202egnisolc\u202c \u2066\u2069\u200f\u2067name"
LONG = "blackout" + "w" * 3_984 + "blackout"
JOINED = "👩\u200d👩\u200d👧 e\u0301 ق\u0651\u064e 𐍈"
TEXTS = {
    "plain": "The council removed the lamps. Some call it a blackout, others a clean-up.",
    "second": "On Lantern Night the lamps of Harrowmere were switched off.",
    "none": "Nothing of the kind is known here.",
    "markup": f"They spoke of vandalism {MARKUP} and of a dispute.",
    "bidi": f"A blackout {BIDI} and then the dispute.",
    "joined": f"{JOINED} blackout {JOINED} removal, no e\u0301clat here 🏮.",
    "long": f"A dispute {LONG} removal",
}
HOSTILE = ("markup", "bidi", "joined", "long")
KEY = mind_of(0)
WIDE_EDGE = OVER_THE_EDGE.replace("391", "1281").replace("390", "1280")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return a folder with a study of every kind of question and of hostile texts."""
    ws = lay_studies(tmp_path_factory.mktemp("coding") / "project")
    rows = [{"id": name, "request": "Tell.", "response": text} for name, text in TEXTS.items()]
    lay_mixed(ws, STUDY, RATERS, rows)
    return ws


@pytest.fixture(scope="module")
def served(place: Workspace) -> Iterator[Server]:
    """Return a Voila that serves it."""
    with serving(place, STUDY) as server:
        yield server


@pytest.fixture(scope="module")
def raters() -> Iterator[str]:
    """Yield raters who have not coded yet."""
    return iter(RATERS)


@pytest.fixture
def rater(raters: Iterator[str]) -> str:
    """Return somebody who has not coded yet."""
    return next(raters)


@pytest.fixture
def seat(browser: Any) -> Iterator[Callable[..., Coder]]:
    """Return a function that seats a coder in a fresh profile."""
    with seats(browser) as seat:
        yield seat


@pytest.fixture
def coder(seat: Callable[..., Coder], served: Server, rater: str) -> Coder:
    """Return a fresh coder in front of the first card."""
    one = seat().open(link_for(served, rater))
    one.shows("plain")
    return one


def half_code(coder: Coder) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Code most of the first card: a stance, two of three terms, one of them attributed, a note."""
    coder.press("1")
    coder.page.wait_for_selector("[data-check=quoted]:not(.rk-check-off)")
    coder.reach("quoted")
    coder.press("n")
    coder.reach("terms")
    coder.press(["y", "a", "2"])
    coder.write_note("half a sen")
    return coder.spans(), coder.answered()


def test_every_kind_of_question_is_answered_by_keys(
    coder: Coder, place: Workspace, rater: str
) -> None:
    """Digits, y and n, span keys, a term of one's own; what falls away is not recorded."""
    coder.press("1")
    coder.page.wait_for_selector("[data-check=quoted]:not(.rk-check-off)")
    coder.reach("quoted")
    coder.press("y")
    coder.reach("terms")
    assert [each["text"] for each in coder.spans()] == ["removed", "blackout", "clean-up"]
    assert {each["state"] for each in coder.spans()} == {"pending"}
    coder.press(["y", "3", "x"])
    coder.mark("council", "5")
    assert [each["state"] for each in coder.spans()] == ["coded", "coded", "coded", "rejected"]
    coder.reach("faults")
    coder.press("12")
    # another stance: the question that hung on the first one falls away
    coder.reach("stance")
    coder.press("2")
    coder.page.wait_for_selector("[data-check=quoted].rk-check-off")
    coder.record()
    coder.shows("second")
    (record,) = lines_of(place, STUDY, rater, "decision")
    text = TEXTS["plain"]
    assert record["answers"].keys() == {"stance", "terms", "faults"}
    assert record["answers"]["stance"] == "D"
    assert record["answers"]["faults"] == ["length", "language"]
    spans = record["answers"]["terms"]
    assert [(text[s["start"] : s["end"]], s["code"], s["source"]) for s in spans] == [
        ("council", "other", "coder"), ("removed", "neutral", "watchlist"),
        ("blackout", "loaded_b", "watchlist"), ("clean-up", "rejected", "watchlist"),
    ]  # fmt: skip
    assert record["derived"] == {"loaded": "1"}


def test_nothing_is_recorded_while_a_term_is_pending(
    coder: Coder, place: Workspace, rater: str
) -> None:
    """Enter too early goes to the term that waits; so does one marked and not classed."""
    coder.press(["2"])
    coder.page.keyboard.press("Enter")
    coder.sees("[data-check=terms] .rk-problem:not([hidden])")
    coder.reach("terms")
    coder.press("yyy")
    coder.page.evaluate("document.querySelector('.rk-refused')?.remove()")
    coder.mark("lamps", "")
    coder.wait_saved()
    coder.page.keyboard.press("Enter")
    coder.page.wait_for_timeout(400)
    assert coder.card == "plain"
    assert lines_of(place, STUDY, rater, "decision") == []
    coder.press("1")
    coder.record()
    assert len(lines_of(place, STUDY, rater, "decision")) == 1


def test_skip_and_unsure(coder: Coder, place: Workspace, rater: str) -> None:
    """A skip asks nothing; a card marked as unsure is coded all the same, and found again."""
    coder.pause()
    coder.press("s")
    coder.sees("dialog[open]")
    coder.press(["Enter"])
    coder.shows("second")
    coder.press("u")
    coder.sees(".rk-unsure[aria-pressed=true]")
    coder.code(KEY)
    coder.record()
    coder.shows("none")
    (skip,) = lines_of(place, STUDY, rater, "skip")
    assert (skip["card_id"], skip["reason"]) == ("plain", "")
    (decision,) = lines_of(place, STUDY, rater, "decision")
    assert (decision["card_id"], decision["unsure"]) == ("second", True)
    coder.go_to("second")
    assert coder.has(".rk-unsure[aria-pressed=true]")


def test_a_question_to_the_lead_is_answered_on_the_card(
    seat: Callable[..., Coder], coder: Coder, served: Server, place: Workspace, rater: str,
    raters: Iterator[str],
) -> None:  # fmt: skip
    """The key w writes to the lead, whose answer comes to the card and to no other coder."""
    spans, answers = half_code(coder)
    coder.leave()
    coder.press("w")
    coder.sees("dialog[open]")
    coder.page.keyboard.type("Is opalheron a term?")
    coder.page.keyboard.press("Control+Enter")
    coder.page.wait_for_selector("dialog[open]", state="detached")
    assert "opalheron" in coder.sees(".rk-lead").inner_text()
    (question,) = json.loads(run_command(place, "questions", STUDY, "--json"))
    assert (question["card"], question["answer"]) == ("plain", "")
    run_command(place, "answer", question["id"], "Yes, amberotter is", "--study", STUDY)
    coder.reload()
    assert "amberotter" in coder.sees(".rk-lead-answer").inner_text()
    assert (coder.spans(), coder.answered(), coder.note()) == (spans, answers, "half a sen")
    assert len(lines_of(place, STUDY, rater, "question")) == 1
    assert chained(lines_of(place, STUDY, rater))
    other = seat().keep_bodies().open(link_for(served, next(raters)))
    other.shows("plain")
    assert "A blackout" not in reached(other)
    assert "Some call it" in reached(other)
    assert not {"opalheron", "amberotter", rater} & set(reached(other).split('"'))
    assert "opalheron" not in reached(other)
    assert "amberotter" not in reached(other)


def test_a_reload_in_mid_card_keeps_codes_spans_and_note(
    coder: Coder, place: Workspace, rater: str
) -> None:
    """The very moment after the last key, the page is loaded again: everything is there."""
    spans, answers = half_code(coder)
    assert [each["state"] for each in spans] == ["coded", "coded", "pending"]
    coder.reload()
    coder.shows("plain")
    assert (coder.spans(), coder.answered(), coder.note()) == (spans, answers, "half a sen")
    # the keys go to the term that waits, or the next digit would give the first one another class
    assert coder.page.evaluate(WAITING)
    coder.code(KEY)
    coder.record()
    (record,) = lines_of(place, STUDY, rater, "decision")
    flags = [each["flags"]["attributed"] for each in record["answers"]["terms"]]
    assert record["note"] == "half a sen"
    assert flags.count("yes") == 1


def test_of_two_tabs_one_writes(coder: Coder, place: Workspace, rater: str) -> None:
    """The second tab asks first, then has everything; the first one records nothing any more."""
    spans, answers = half_code(coder)
    coder.wait_saved()
    first, second = coder.page, coder.context.new_page()
    second.goto(first.url, timeout=60_000)
    second.wait_for_selector(".rk-panel-elsewhere", timeout=60_000)
    assert "half a sen" not in second.content()
    second.get_by_role("button", name="Take over here").first.press("Enter")
    coder.page = second
    coder.shows("plain")
    assert (coder.spans(), coder.answered(), coder.note()) == (spans, answers, "half a sen")
    coder.page = first
    first.bring_to_front()
    first.keyboard.type("tence")
    coder.sees(".rk-root[data-state=elsewhere]")
    first.keyboard.press("Escape")
    coder.press("123y")
    coder.save()
    first.wait_for_timeout(400)
    assert lines_of(place, STUDY, rater, "decision") == []
    coder.page = second
    second.bring_to_front()
    coder.code(KEY)
    coder.record()
    assert [each["note"] for each in lines_of(place, STUDY, rater, "decision")] == ["half a sen"]


def test_a_double_click_or_a_bouncing_key_records_one_card(
    coder: Coder, place: Workspace, rater: str
) -> None:
    """Two quick clicks on Save, and Enter four times: two cards, and nothing on the third."""
    coder.code(KEY)
    coder.wait_saved()
    coder.page.locator(".rk-save").dblclick()
    coder.shows("second")
    coder.code(KEY)
    coder.wait_saved()
    coder.press(["Enter"] * 4)
    coder.shows("none")
    assert coder.answered() == {}
    decisions = lines_of(place, STUDY, rater, "decision")
    assert [each["card_id"] for each in decisions] == ["plain", "second"]
    assert len({each["click_id"] for each in decisions}) == 2


def test_a_text_that_is_hostile_stays_text_and_spans_stay_in_place(
    coder: Coder, place: Workspace, rater: str
) -> None:
    """HTML, marks that turn writing round, 4,000 letters without a space, emoji before a term."""
    stored = open_responses(place, STUDY)
    for name in HOSTILE:
        coder.go_to(name)
        shown = coder.page.evaluate("document.querySelector('.rk-coded').textContent")
        assert shown == stored.get(name).texts["response"] == TEXTS[name]
        coder.press("2")
        coder.reach("terms")
        if name == "joined":
            coder.mark("e\u0301clat", "5")
            coder.mark("🏮", "1")
        coder.code(KEY)
        coder.record()
        assert (
            coder.page.evaluate(OVER_THE_EDGE.replace("391", "1281").replace("390", "1280")) == []
        )
    assert coder.page.evaluate("window.hacked") is None
    assert coder.page.locator(".rk-root :is(img, script)").count() == 0
    found = {}
    for record in lines_of(place, STUDY, rater, "decision"):
        text = TEXTS[record["card_id"]]
        found[record["card_id"]] = [
            text[each["start"] : each["end"]] for each in record["answers"]["terms"]
        ]
    assert found == {
        "markup": ["vandalism", "dispute"],
        "bidi": ["blackout", "dispute"],
        "joined": ["blackout", "removal", "e\u0301clat", "🏮"],
        "long": ["dispute", "removal"],
    }


def test_a_card_is_coded_in_arabic(
    seat: Callable[..., Coder], served: Server, place: Workspace, rater: str
) -> None:
    """The interface, the codes and the help are Arabic, the text stays as it is, all by keys."""
    coder = seat()
    coder.context.add_init_script(SPEAKS_ARABIC)
    coder.open(link_for(served, rater))
    coder.shows("plain")
    assert coder.page.get_attribute(".rk-root", "dir") == "rtl"
    words = coder.page.inner_text(".rk-form")
    assert "ما موقف النص؟" in words
    assert "منسوب" in words
    assert "Endorsement" not in words
    assert coder.page.inner_text(".rk-coded") == TEXTS["plain"]
    coder.code(KEY)
    coder.record()
    coder.shows("second")
    assert len(lines_of(place, STUDY, rater, "decision")) == 1


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_serious(
    seat: Callable[..., Coder], served: Server, rater: str, look: str
) -> None:
    """A fresh card, one half done with a span of one's own, the dialogs, in every look."""
    coder = seat(**LOOKS[look]).open(link_for(served, rater))
    coder.shows("plain")
    if look == "arabic":
        coder.press("l")
        coder.sees(".rk-root[dir=rtl]")
    assert serious(coder.page) == []
    half_code(coder)
    coder.leave()
    coder.mark("lamps", "")
    coder.page.keyboard.press("Enter")
    assert serious(coder.page) == []
    for key in "ws?":
        coder.press(key)
        coder.sees("dialog[open]")
        assert serious(coder.page) == []
        coder.page.keyboard.press("Escape")
        coder.page.wait_for_selector("dialog[open]", state="detached")
    coder.go_to("markup")
    assert serious(coder.page) == []


def test_a_narrow_screen_scrolls_one_way(
    seat: Callable[..., Coder], served: Server, place: Workspace, rater: str
) -> None:
    """At 390 pixels nothing hangs over the edge, in either language, and all can be tapped."""
    coder = seat(**NARROW).open(link_for(served, rater))
    coder.shows("plain")
    for name in ("plain", *HOSTILE):
        coder.go_to(name)
        assert coder.page.evaluate(OVER_THE_EDGE) == [], name
        coder.press("l")
        coder.sees(".rk-root[dir=rtl]")
        assert coder.page.evaluate(OVER_THE_EDGE) == [], name
        coder.press("l")
        coder.sees(".rk-root[dir=ltr]")
    coder.go_to("none")
    coder.page.locator("[data-check=stance] [data-code=D]").tap()
    # two taps side by side in quick succession are two answers and no double tap
    coder.page.wait_for_timeout(500)
    for code in ("length", "language"):
        coder.page.locator(f"[data-check=faults] [data-code={code}]").tap()
    assert coder.page.locator("[data-check=faults] [aria-checked=true]").count() == 2
    coder.page.locator(".rk-save[aria-disabled=false]").tap()
    coder.leaves("none")
    (record,) = lines_of(place, STUDY, rater, "decision")
    assert record["answers"] == {"stance": "D", "faults": ["length", "language"], "terms": []}


def test_a_key_that_is_faster_than_the_server_goes_to_the_question_it_opens(
    seat: Callable[..., Coder], tmp_path: Path
) -> None:
    """4 opens a second question; the 2 that follows at once is its answer and changes no first."""
    ws = lay_studies(tmp_path / "project", "refusal-demo")
    with serving(ws, "refusal-demo") as server:
        coder = seat().open(link_for(server, "ada"))
        coder.pause()
        coder.press("42")
        coder.wait_saved()
        assert coder.answered() == {"outcome": "technical_failure", "failure": "truncated"}
        coder.close()
