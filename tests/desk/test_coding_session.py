"""A coder's page in words: practice, spans, doubt, questions, hostile messages, a long list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.decisions import verify_ledger
from reviewkit.desk.gate import MESSAGE_LIMIT
from reviewkit.desk.wording import load_strings
from reviewkit.questions import load_forms
from reviewkit.questions.verdict import FaultCode
from reviewkit.study import all_questions, answer_question, load_study
from reviewkit.study.opening import withdraw
from reviewkit.workspace import Workspace
from tests.desk.talk import Page, sit_down
from tests.study.coding_people import code, coding_study
from tests.study.lamp_study import LAMPS, PRACTICE, STUDY_FILE, lay_lamps


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return the study of the lamps, without practice."""
    return lay_lamps(tmp_path)


def sit(ws: Workspace, rater: str = "ada", tab: str = "tab-one", **fields: Any) -> Page:
    """Open the desk of a coder."""
    return sit_down(ws, rater, tab, LAMPS, **fields)


def settled(page: Page, **over: str) -> dict[str, Any]:
    """Return the answer that settles every match on the card as the page would send it."""
    return {
        "terms": [
            {"start": each["start"], "end": each["end"], "code": over.get(each["term"],
             each["code"]), "flags": {}, "term": each["term"], "source": "watchlist"}
            for each in page.card["found"]["terms"]["matches"]
        ]
    }  # fmt: skip


def save(page: Page, **fields: Any) -> dict[str, Any]:
    """Settle every match and save."""
    return page.submit(**{"answers": settled(page), **fields})


def status(page: Page) -> dict[str, str]:
    """Return what stands on every card of the list."""
    return {each["card_id"]: each["status"] for each in page.view["cards"]}


# the whole walk


def test_a_whole_pass_of_codings_ends_in_a_lock(ws: Workspace) -> None:
    """From the first card to the lock, each answer acknowledged with the next card."""
    page = sit(ws)
    assert (page.view["app"], page.card["kind"]) == ("coding", "codes")
    seen: list[str] = []
    while page.view["card"]:
        seen.append(page.card["card_id"])
        assert page.card["outcome"]["tone"] == "open"
        assert page.card["outcome"]["can_escalate"] is False
        reply = save(page)
        assert reply["kind"] == "recorded", reply
    assert len(set(seen)) == page.view["progress"]["total"] == 6
    assert page.view["done"]["can_lock"]
    page.say("go", to=seen[0])
    assert page.view["done"]["can_lock"]  # whoever looks again still finds the lock
    page.say("lock", click_id=page.click())
    assert page.view["state"] == "locked"
    page.say("go", to=seen[0])
    assert save(page)["kind"] == "refused"
    assert page.say("question", token=page.card["token"], click_id=page.click(),
                    text="Late?")["kind"] == "refused"  # fmt: skip


def test_the_card_says_what_is_to_be_settled(ws: Workspace) -> None:
    """Matches come with their place and class, and the exact text that they lie in."""
    page = sit(ws)
    (found,) = page.card["found"].values()
    text = next(each for each in page.card["texts"] if each["id"] == found["text"])
    plain = text["paragraphs"][0]["plain"]
    assert [plain[m["start"] : m["end"]] for m in found["matches"]] == ["removal", "vandalism"]
    assert [m["code"] for m in found["matches"]] == ["neutral", "loaded_a"]
    (question,) = page.card["questions"]
    assert question["type"] == "spans"
    assert [each["key"] for each in question["codes"]] == ["1", "2", "3", "4", "5"]
    assert [each["key"] for each in question["flags"]] == ["a"]


def test_an_outcome_comes_back_with_every_draft(ws: Workspace) -> None:
    """What is open is counted, what is derived is named once nothing is."""
    page = sit(ws)
    outcome = page.draft(settled(page)["terms"] and {"terms": settled(page)["terms"][:1]})
    assert outcome["outcome"]["tone"] == "open"
    assert outcome["outcome"]["derived"] == []
    outcome = page.draft(settled(page), unsure=True)["outcome"]
    assert (outcome["tone"], outcome["ready"]) == ("coded", True)
    assert {each["id"]: each["value"] for each in outcome["derived"]}["loaded_a_count"] == "1"
    again = sit(ws, tab="tab-one")
    assert again.card["draft"]["unsure"] is True
    assert len(again.card["draft"]["answers"]["terms"]) == 2


def test_a_card_may_be_skipped_without_a_word(ws: Workspace) -> None:
    """The next card comes, and the skipped one can be coded later."""
    page = sit(ws)
    first = page.card["card_id"]
    page.say("skip", token=page.card["token"], click_id=page.click())
    assert status(page)[first] == "skipped"
    page.say("go", to=first)
    save(page)
    assert status(page)[first] == "coded"


def test_unsure_cards_are_walked_in_order(ws: Workspace) -> None:
    """The filter counts them and goes from one to the next; saving without doubt lifts it."""
    page = sit(ws)
    order = [each["card_id"] for each in page.view["cards"]]
    for at in range(6):
        save(page, unsure=at in (1, 3, 4))
    page.say("filter", to="unsure")
    chosen = next(each for each in page.view["filters"] if each["code"] == "unsure")
    assert (chosen["count"], chosen["chosen"]) == (3, True)
    seen = [page.card["card_id"]]
    for _ in range(2):
        page.say("go", to="next")
        seen.append(page.card["card_id"])
    assert seen == [order[1], order[3], order[4]]
    save(page)
    assert sum(each["unsure"] for each in page.view["cards"]) == 2


def test_a_long_list_goes_to_the_page_when_it_asks(tmp_path: Path) -> None:
    """Beyond two hundred cards a view carries none of them, and every one is there on demand."""
    ws = lay_lamps(tmp_path, STUDY_FILE.replace("2}", "3}"), cards=201)
    page = sit(ws)
    assert page.view["cards"] == []
    assert page.view["progress"]["total"] == 201
    listed = page.say("cards")["cards"]
    assert len({each["card_id"] for each in listed}) == 201
    assert [each["current"] for each in listed].count(True) == 1


# practice


def test_practice_shows_what_is_right_after_a_try(tmp_path: Path) -> None:
    """Before the first card: a try, the right codes with the reason, and on to the walk."""
    ws = lay_lamps(tmp_path, practice=PRACTICE)
    page = sit(ws)
    assert page.card["practice"] == {
        "label": page.card["practice"]["label"], "verdicts": None, "reason": "",
    }  # fmt: skip
    assert "Nobody else" not in json.dumps(page.view)
    refused = page.say("skip", token=page.card["token"], click_id=page.click())
    assert refused["kind"] == "refused"
    save(page, answers=settled(page, vandalism="other"))
    (verdict,) = page.card["practice"]["verdicts"]
    assert verdict["ok"] is False
    assert verdict["right"] == ["removal: Neutral", "vandalism: Loaded one way"]
    assert verdict["given"] == "removal: Neutral · vandalism: Other"
    assert page.card["practice"]["reason"] == "Nobody else is said to have called it that."
    assert page.card["draft"]["answers"]["terms"][1]["code"] == "other"
    save(page)
    assert page.card["practice"]["verdicts"][0]["ok"] is True
    page.say("go", to="next")
    page.submit(answers={})
    (verdict,) = page.card["practice"]["verdicts"]
    assert (verdict["ok"], verdict["right"]) == (True, [])
    page.say("go", to="next")
    assert page.card["practice"] is None
    assert page.view["progress"]["done"] == 0
    assert sit(ws, tab="tab-two").view["state"] in ("writing", "elsewhere")


def test_flags_and_places_count_in_practice(tmp_path: Path) -> None:
    """The right class with a flag too many, or one mark too many, is not right."""
    ws = lay_lamps(tmp_path, practice=PRACTICE)
    page = sit(ws)
    flagged = settled(page)
    flagged["terms"][1]["flags"] = {"attributed": "yes"}
    save(page, answers=flagged)
    assert page.card["practice"]["verdicts"][0]["ok"] is False
    more = settled(page)
    more["terms"].append({"start": 0, "end": 3, "code": "other"})
    save(page, answers=more)
    assert page.card["practice"]["verdicts"][0]["ok"] is False
    assert page.card["practice"]["verdicts"][0]["given"].startswith("0–3: Other")


# a word with the lead


def test_a_question_to_the_lead_reaches_nobody_else(ws: Workspace) -> None:
    """The card stays, the answer stands on it later, and the other coder sees neither."""
    page = sit(ws)
    card = page.card["card_id"]
    one = {"token": page.card["token"], "click_id": page.click(), "text": "A term or not?"}
    assert page.say("question", **one)["kind"] == "recorded"
    assert page.say("question", **one)["kind"] == "recorded"
    assert page.card["card_id"] == card
    study = load_study(ws, LAMPS)
    (asked,) = all_questions(ws, study)
    answer_question(ws, study, asked.digest, "It is one.")
    page.say("go", to=card)
    assert [(e["question"], e["answer"]) for e in page.card["lead_answers"]] == [
        ("A term or not?", "It is one.")
    ]
    listed = {each["card_id"]: each["status_label"] for each in page.say("cards")["cards"]}
    assert [name for name, label in listed.items() if "the lead answered" in label] == [card]
    for rater in ("bo", "dee"):
        other = sit(ws, rater)
        other.say("go", to=card)
        assert "A term or not" not in json.dumps(other.heard)
        assert "It is one" not in json.dumps(other.heard)
    blank = page.say("question", token=page.card["token"], click_id=page.click(), text=" \u200b ")
    assert blank["kind"] == "refused"
    assert len(all_questions(ws, study)) == 1


def test_nothing_of_the_other_coder_reaches_a_page(ws: Workspace) -> None:
    """Neither his codes and notes nor that he was unsure, before and after his lock."""
    other = sit(ws, "bo")
    while other.view["card"]:
        save(other, note="BO SAYS SO", unsure=True)
    other.say("lock", click_id=other.click())
    page = sit(ws)
    while page.view["card"]:
        save(page)
    said = json.dumps(page.heard, ensure_ascii=False)
    assert "BO SAYS SO" not in said
    assert '"unsure": true' not in said
    assert "second" not in said.replace("seconds", "")


def test_a_withdrawn_pass_shows_no_card_to_code(ws: Workspace) -> None:
    """Whoever withdrew consent can save nothing more, and is told so."""
    page = sit(ws)
    study = load_study(ws, LAMPS)
    round_, each = study.find_pass("ada")
    withdraw(ws, study, round_, each, by="rater")
    reply = save(page)
    assert reply["kind"] == "refused"
    assert "Consent" in reply["text"]
    again = sit(ws)
    assert again.view["state"] != "writing"
    assert "Consent to this pass was withdrawn" in again.view["message"]


# hostile messages


def _bad_spans() -> list[Any]:
    return [
        [{"start": -1, "end": 4, "code": "neutral"}],
        [{"start": 0, "end": 10**30, "code": "neutral"}],
        [{"start": 0, "end": 99_999, "code": "neutral"}],
        [{"start": 4, "end": 4, "code": "neutral"}],
        [{"start": 0, "end": 3, "code": "no_such_code"}],
        [{"start": 0, "end": 3, "code": "rejected"}],
        [{"start": 0, "end": 3, "code": "../../etc"}],
        [{"start": 0, "end": 3, "code": "neutral", "flags": {"no_flag": "yes"}}],
        [{"start": 0, "end": 3, "code": "neutral", "flags": {"attributed": "maybe"}}],
        [{"start": 0, "end": 3, "code": "neutral", "html": "<b>"}],
        [{"start": 0, "end": 3, "code": "neutral", "term": "\u202e" * 300}],
        [{"start": "0; drop", "end": 3, "code": "neutral"}],
        [{"start": n, "end": n + 1, "code": "neutral"} for n in range(10_000)],
        "neutral",
        {"start": 0, "end": 3, "code": "neutral"},
        [[[[[[[["deep"]]]]]]]],
        [None],
    ]


@pytest.mark.parametrize("spans", _bad_spans(), ids=range(len(_bad_spans())))
def test_hostile_spans_are_refused_and_change_nothing(ws: Workspace, spans: Any) -> None:
    """Every one gets a sentence, is not recorded, and the card can still be coded."""
    page = sit(ws)
    card = page.card["card_id"]
    before = ws.ledger(LAMPS, "first", "ada").read_bytes()
    answers = {"terms": settled(page)["terms"] + spans if isinstance(spans, list) else spans}
    reply = page.submit(answers=answers)
    assert reply["kind"] == "refused"
    assert reply["text"]
    assert len(json.dumps(reply)) < 3_000
    assert ws.ledger(LAMPS, "first", "ada").read_bytes() == before
    page.draft(answers)
    assert save(page)["kind"] == "recorded"
    assert status(page)[card] == "coded"


@pytest.mark.parametrize(
    "answers",
    [
        {"terms": [], "no_field": "x"},
        {"no_field": [{"start": 0, "end": 1, "code": "x"}]},
        {"x" * 65: "y"},
        {f"f{n}": "y" for n in range(300)},
        {"terms": "y" * 65},
        [],
        None,
    ],
    ids=range(7),
)
def test_hostile_answers_get_a_sentence(ws: Workspace, answers: Any) -> None:
    """Unknown fields, too many, too long, of no kind."""
    page = sit(ws)
    reply = page.submit(answers=answers)
    assert (reply["kind"], bool(reply["text"])) == ("refused", True)
    assert "bug" not in reply["text"]


def test_ten_megabytes_are_not_looked_at(ws: Workspace) -> None:
    """A note or an answer beyond all measure is refused before anything is done with it."""
    page = sit(ws)
    for fields in (
        {"note": "x" * 10_000_000},
        {"answers": {"terms": ["y" * 10_000_000]}},
        {"answers": {"terms": [{"start": 0, "end": 1, "code": "y"}] * 40_000}},
        {"reason": "x" * (MESSAGE_LIMIT + 1)},
    ):
        reply = save(page, **fields)
        assert reply["kind"] == "refused"
        assert "too large" in reply["text"]


def test_bidi_and_hidden_characters_are_kept_as_typed(ws: Workspace) -> None:
    """A note and a question are text: what turns the reading around is recorded, not obeyed."""
    page = sit(ws)
    note = "قال \u202egnp.exe\u202c <img src=x onerror=alert(1)>"
    page.say("question", token=page.card["token"], click_id=page.click(), text=note)
    save(page, note=note)
    records = [json.loads(line) for line in
               ws.ledger(LAMPS, "first", "ada").read_text("utf-8").splitlines()]  # fmt: skip
    assert [r["reason"] for r in records if r["kind"] == "question"] == [note]
    assert [r["note"] for r in records if r["kind"] == "decision"] == [note]


def test_a_repeated_click_is_one_record(ws: Workspace) -> None:
    """Sent again after the next card came it is acknowledged; with another card it is refused."""
    page = sit(ws)
    token, one, answers = page.card["token"], page.click(), settled(page)
    sent = {"token": token, "click_id": one, "answers": answers, "note": ""}
    first = page.say("submit", **sent)
    again = page.say("submit", **sent)
    assert (again["kind"], again["saved_at"]) == ("recorded", first["saved_at"])
    other = page.say("submit", **{**sent, "token": page.card["token"]})
    assert other["kind"] == "refused"
    decided = [s for s in status(page).values() if s == "coded"]
    assert len(decided) == 1


@pytest.fixture(scope="module")
def long_study(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return a study with cards for many clicks."""
    return lay_lamps(tmp_path_factory.mktemp("long"), cards=150)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
    | st.sampled_from(["terms", "neutral", "rejected", "yes", "watchlist", "attributed"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["start", "end", "code", "flags", "source", "term", "x"]), inner
    ),
    max_leaves=12,
)  # fmt: skip


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["submit", "draft", "question", "exclude", "skip", "go", "hello"]),
            st.dictionaries(
                st.sampled_from(["answers", "note", "unsure", "code", "text", "to", "seconds"]), ANY
            ),
            st.dictionaries(st.just("terms"), ANY),
        ),
        max_size=4,
    )
)
def test_whatever_a_browser_says(
    long_study: Workspace, said: list[tuple[str, dict[str, Any], dict[str, Any]]]
) -> None:
    """No message is answered with a bug, none stops the page, and the ledger stays sound."""
    page = sit(long_study)
    for kind, fields, answers in said:
        card = page.view["card"]
        ours: dict[str, Any] = {
            "token": card["token"] if card else "", "click_id": page.click() + page.tab,
            "answers": answers, "note": "", "text": "x", "code": "truncated",
        }  # fmt: skip
        wanted = {
            "submit": ("token", "click_id", "answers", "note"),
            "draft": ("token", "answers", "note"),
            "question": ("token", "click_id", "text"),
            "exclude": ("token", "click_id", "code"),
            "skip": ("token", "click_id"),
        }.get(kind, ())
        reply = page.say(kind, **({name: ours[name] for name in wanted} | fields))
        assert "Something went wrong in reviewkit" not in reply.get("text", "")
        assert reply["kind"] != "refused" or reply["text"]
    path = long_study.ledger(LAMPS, "first", "ada")
    assert verify_ledger(path, "", load_forms(long_study.checklists).by_digest).sound


@pytest.mark.parametrize("kind", ["exclude", "submit", "question", "draft", "go", "filter"])
def test_messages_of_another_app_or_shape_are_refused(ws: Workspace, kind: str) -> None:
    """An exclusion is the adjudicator's alone; a field too many is no message of ours."""
    page = sit(ws)
    fields: dict[str, Any] = {
        "exclude": {"token": page.card["token"], "click_id": page.click(), "code": "truncated"},
        "submit": {"token": page.card["token"], "click_id": page.click(), "kinds": 1},
        "question": {"token": page.card["token"], "click_id": "short", "text": "x"},
        "draft": {"token": page.card["token"], "answers": {}, "note": "", "unsure": {}},
        "go": {"to": "c999"},
        "filter": {"to": "needs_fix"},
    }[kind]
    assert page.say(kind, **fields)["kind"] == "refused"


def test_every_fault_of_a_coding_has_its_sentence() -> None:
    """In every language, for every fault that the rule knows."""
    known = load_strings("sentences.yaml")
    codes: tuple[str, ...] = FaultCode.__args__  # pyright: ignore[reportAttributeAccessIssue]
    for code_ in codes:
        name = f"fault_{code_}" if code_ in ("pending", "bad_span") else f"fault_field_{code_}"
        assert name in known, name


def test_a_choice_that_needs_a_note_asks_for_it(tmp_path: Path) -> None:
    """In Arabic as well; with the note it is recorded, and what is missing is named."""
    ws = coding_study(tmp_path)
    page = sit_down(ws, "ada", study="ferry")
    reply = page.submit(answers={"rationale": "Abstain"})
    assert (reply["kind"], reply["text"]) == ("refused", "Write a note: why this answer")
    assert page.draft({"rationale": "Abstain"})["outcome"]["note_missing"]
    page.say("language", to="ar")
    arabic = page.submit(answers={"rationale": "Abstain"})["text"]
    assert arabic
    assert not arabic.isascii()
    assert page.submit(answers={"rationale": "Abstain"}, note="it ends")["kind"] == "recorded"
    assert page.submit(answers={})["missing"] == ["rationale"]
    assert page.submit(answers={"rationale": "XX"})["kind"] == "refused"


def test_a_response_imported_anew_is_told_on_its_card(tmp_path: Path) -> None:
    """The earlier note is there, the answers are not, and the card waits again."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E E E E E", lock=False)
    coding_study(tmp_path, texts="Another text.")
    page = sit_down(ws, "ada", study="ferry")
    assert set(status(page).values()) == {"changed"}
    assert page.card["notice"]
    assert page.card["draft"]["answers"] == {}
    assert page.card["decided"] is None


def test_a_response_imported_anew_may_be_skipped(tmp_path: Path) -> None:
    """A coding of an earlier text keeps nobody from skipping the text that is there now."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E E E E E", lock=False)
    coding_study(tmp_path, texts="Another text.")
    page = sit_down(ws, "ada", study="ferry")
    first = page.card["card_id"]
    reply = page.say("skip", token=page.card["token"], click_id=page.click())
    assert (reply["kind"], status(page)[first]) == ("recorded", "skipped")
    save_as_it_is = page.submit(answers={"rationale": "E"})
    assert save_as_it_is["kind"] == "recorded"
    page.say("go", to="r2")
    assert page.say("skip", token=page.card["token"], click_id=page.click())["kind"] == "page"
    assert status(page)["r2"] == "coded"
