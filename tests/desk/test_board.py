"""The lead's board as a session: what it says before and after the locks, and what it does."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import reviewkit.desk.board as board_module
from reviewkit.decisions import FileLedger, Record
from reviewkit.desk.board import Board, BoardSession, NotTheLead, board, open_board
from reviewkit.desk.board_messages import read_board_message
from reviewkit.desk.board_wording import ON_THE_PAGE, STRINGS, BoardWording
from reviewkit.desk.gate import MessageRefused
from reviewkit.desk.wording import load_strings
from reviewkit.study import LinkBook, Walk, all_questions, load_study
from reviewkit.study.links import PERSON_VARIABLE, Person
from reviewkit.workspace import Workspace
from tests.desk.talk import sit_down
from tests.study.coding_people import (
    STUDY,
    click,
    code,
    coding_study,
    hearing,
    say,
)

ADA = "E E N D R E"
BO = "E QE N R - Abstain?"
SECRETS = (
    "Abstain", "QE", "D", "R", "E", "N", "it breaks off", "bias_evidence", "not_evidence",
    "bias evidence", "Endorsement", "Denial", "judge",
)  # fmt: skip
"""Everything that the ledgers and the hidden columns hold: codes, titles, notes, derived values."""


class Lead:
    """The board in words: sends what the page would send, and keeps every reply."""

    def __init__(self, ws: Workspace, **options: Any) -> None:
        self.session = BoardSession(ws, **options)
        self.heard: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}
        self._ids = count(1)
        self.say("hello", language="en")

    def say(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send one message and return the reply."""
        reply = self.session.receive({"kind": kind, "id": next(self._ids), "tab": "t", **fields})
        self.heard.append(reply)
        self.view = reply.get("view", self.view)
        return reply

    def act(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send an act on the study under a fresh click."""
        return self.say(kind, **{"study": STUDY, "click_id": click(), **fields})

    @property
    def study(self) -> dict[str, Any]:
        """The first study on the board."""
        return self.view["studies"][0]

    @property
    def round(self) -> dict[str, Any]:
        """Its first round."""
        return self.study["rounds"][0]


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return a folder with a study of six responses, coded by nobody yet."""
    ws = coding_study(tmp_path)
    ws.taxonomy.write_text("", encoding="utf-8")
    return ws


@pytest.fixture
def coded(ws: Workspace) -> Workspace:
    """Return the folder after both passes are locked."""
    code(ws, "ada", ADA)
    code(ws, "bo", BO)
    return ws


def words(value: Any) -> set[str]:
    """Return every text of a message, keys left out, and each of its words."""
    if isinstance(value, dict):
        return {
            word
            for key, each in value.items()
            if key not in ("strings", "mark", "lock_digest")
            for word in words(each)
        }
    if isinstance(value, list):
        return {word for each in value for word in words(each)}
    return {value, *value.split()} if isinstance(value, str) else set()


def records(ws: Workspace, rater: str) -> tuple[Record, ...]:
    """Return what a rater's ledger holds."""
    pass_name = {"ada": "first", "bo": "second"}[rater]
    return FileLedger(ws.ledger(STUDY, pass_name, rater)).records()


# before the locks


def test_before_the_locks_no_label_note_or_answer_is_in_any_message(ws: Workspace) -> None:
    """Whatever the page asks and does, nothing of a coding comes back while a pass is open."""
    code(ws, "ada", ADA)
    code(ws, "bo", "E QE N R - Abstain", lock=False)
    walk = Walk(ws, STUDY, "bo", origin="voila")
    walk.ask_lead("r4", "May I read the whole thread?", click_id=click())
    lead = Lead(ws)
    (question,) = lead.study["questions"]
    lead.say("ping", seen="")
    lead.say("language", to="ar")
    lead.say("open", study=STUDY, round="1", card_id="r2")
    lead.act("answer", question=question["digest"], text="Yes, please.")
    lead.act("renew", pass_name="second", rater="bo")
    lead.act("lock", pass_name="first")
    lead.act("reopen", pass_name="second", reason="not locked at all")
    lead.act("withdraw", pass_name="nobody")
    assert len(lead.heard) == 9
    said = {word for reply in lead.heard for word in words(reply)}
    assert not said & set(SECRETS)
    plain = json.dumps(lead.heard, ensure_ascii=False)
    for text in ("it breaks off", "bias_evidence", "Cannot be classified", "answers", '"derived"'):
        assert text not in plain
    assert [each["labels"] for each in lead.study["rounds"]] == [None]


def test_a_disagreement_opens_only_with_the_labels(ws: Workspace) -> None:
    """Asking for a card by its name is refused with the sentence about the locks."""
    code(ws, "ada", ADA)
    code(ws, "bo", BO, lock=False)
    reply = Lead(ws).say("open", study=STUDY, round="1", card_id="r2")
    assert reply["kind"] == "refused"
    assert "stay closed" in reply["text"]


def test_the_rows_say_how_far_and_how_long(ws: Workspace) -> None:
    """Counts, skipped, unsure, pace, forecast and state of every pass."""
    code(ws, "ada", ADA)
    code(ws, "bo", "E QE? N - . .", lock=False)
    lead = Lead(ws)
    first, second = lead.round["passes"]
    assert (first["count"], first["state"]) == ("6 / 6", "locked")
    assert first["state_text"].startswith("locked {time} · ")
    assert (second["count"], second["skipped"], second["unsure"]) == ("3 / 6", 1, 1)
    assert second["left"].endswith("left at this pace")
    assert second["median"] == "3 s"
    assert lead.round["closed"] == "Labels stay closed until both passes are locked."
    assert lead.study["summary"] == "10 of 12 done"


def test_nothing_is_said_of_a_study_that_cannot_be_read_but_why(ws: Workspace) -> None:
    """One broken study file leaves every other study on the board."""
    folder = ws.study_file(STUDY).parent.parent / "broken"
    folder.mkdir()
    (folder / "study.yaml").write_text("study: broken\nrounds: 3\n", encoding="utf-8")
    lead = Lead(ws)
    assert [each["study"] for each in lead.view["studies"]] == ["broken", STUDY]
    assert "study.yaml" in lead.study["fault"]
    assert lead.view["studies"][1]["fault"] == ""
    assert [e["study"] for e in Lead(ws, first=STUDY).view["studies"]] == [STUDY, "broken"]


def test_a_broken_ledger_is_named_and_the_board_goes_on(coded: Workspace) -> None:
    """Corruption is said where the study stands."""
    path = coded.ledger(STUDY, "first", "ada")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"E"', '"N"', 1), encoding="utf-8")
    assert "first/ada.jsonl" in Lead(coded).study["fault"]


# once the labels are open


def test_after_the_locks_agreement_is_shown_per_field_and_collapse(coded: Workspace) -> None:
    """Percent, counts, kappa and AC1 with what was left out; the collapse is the headline."""
    labels = Lead(coded).round["labels"]
    (pair,) = labels["pairs"]
    field, collapse = pair["rows"]
    assert (field["percent"], field["count"]) == ("40.0 %", "2 of 5")
    assert (collapse["percent"], collapse["count"]) == ("100.0 %", "4 of 4")
    assert (collapse["headline"], collapse["left_out"]) == (True, "2 of 6")
    assert collapse["why_left_out"][0] == "1: cannot be classified in \u2068second\u2069"
    assert labels["differ_count"] == "3 of 5 cards that two or more coded"
    assert [each["card_id"] for each in labels["differ"]] == ["r2", "r4", "r6"]


def test_a_disagreement_shows_both_labels_without_names(coded: Workspace) -> None:
    """Both codings stand side by side in blind order; no rater and no pass is named."""
    reply = Lead(coded).say("open", study=STUDY, round="1", card_id="r2")
    card = reply["card"]
    assert {coding["rows"][0]["said"] for coding in card["codings"]} == {
        "E · Endorsement",
        "QE · Qualified endorsement",
    }
    assert [each["heading"] for each in card["codings"]] == ["one coder", "the other coder"]
    assert card["texts"][0]["text"].startswith("The pilots")
    assert not {"ada", "bo", "first", "second"} & words(card)


def test_the_state_of_the_adjudication_is_counted(coded: Workspace) -> None:
    """Queue, settled, excluded and left, as the command prints them."""
    court = hearing(coded)
    say(court, "r2", "QE")
    say(court, "r2", "QE")
    say(court, "r4", "D")
    court.exclude("r4", "truncated", "it stops in a word", click_id=click())
    state = Lead(coded).round["labels"]["adjudication"]
    assert (state["queue"], state["settled"], state["excluded"], state["left"]) == (4, 1, 1, 2)


def test_a_review_of_groups_has_verdicts_and_checks(demo: Workspace) -> None:
    """The same board shows a study of groups: verdicts, accepted or not, all checks."""
    for rater in ("first-reviewer", "second-reviewer"):
        page = sit_down(demo, rater)
        while page.view["card"]:
            page.submit()
        page.say("lock", click_id=page.click())
    lead = Lead(demo)
    rows = lead.round["labels"]["pairs"][0]["rows"]
    assert [row["title"] for row in rows] == ["verdict", "accepted or not", "all checks"]
    assert rows[0]["count"] == "25 of 25"
    assert rows[0]["kappa"] == "undefined"
    assert rows[0]["kappa_why"] == "Both passes used only accepted."
    assert lead.round["labels"]["adjudication"] is None


# acts


def test_a_pass_with_open_cards_is_not_locked(ws: Workspace) -> None:
    """The confirmation says what is open, and the door refuses it all the same."""
    code(ws, "ada", "E - N . . .", lock=False)
    lead = Lead(ws)
    row = lead.round["passes"][0]
    assert row["lock"][0] == "Pass first of ada: 2 of 6 cards decided, 1 skipped, 3 open."
    assert not row["can_lock"]
    reply = lead.act("lock", pass_name="first")
    assert (reply["kind"], "3 of 6 cards" in reply["text"]) == ("refused", True)


def test_the_lead_locks_reopens_and_opens_early(ws: Workspace) -> None:
    """Each act is one record, with its reason, through the same door as the command."""
    code(ws, "ada", ADA, lock=False)
    code(ws, "bo", "E . . . . .", lock=False)
    lead = Lead(ws)
    assert lead.act("lock", pass_name="first")["text"] == "Pass first is locked."
    assert lead.round["passes"][0]["state"] == "locked"
    assert records(ws, "ada")[-1].kind == "lock"
    assert lead.act("reopen", pass_name="first", reason="  ")["kind"] == "refused"
    lead.act("reopen", pass_name="first", reason="a card was wrong")
    assert records(ws, "ada")[-1].reason == "a card was wrong"
    assert lead.act("unblind", round="1", reason="")["kind"] == "refused"
    assert lead.round["labels"] is None
    lead.act("unblind", round="1", reason="bo is ill")
    notices = " ".join(lead.round["labels"]["notices"])
    assert "bo is ill" in notices
    assert "a card was wrong" in notices


def test_a_click_acts_once(ws: Workspace) -> None:
    """An acknowledgement that got lost is given again; nothing is done twice."""
    code(ws, "ada", ADA)
    lead = Lead(ws)
    said = {"study": STUDY, "click_id": click(), "pass_name": "first", "reason": "once"}
    one, two = lead.say("reopen", **said), lead.say("reopen", **said)
    assert (one["kind"], two["kind"]) == ("done", "done")
    assert sum(record.kind == "reopen" for record in records(ws, "ada")) == 1


def test_a_withdrawal_takes_the_labels_out(coded: Workspace) -> None:
    """The records stay, the pass is marked, and no figure holds its labels."""
    lead = Lead(coded)
    before = len(records(coded, "bo"))
    lead.act("withdraw", pass_name="second")
    row = lead.round["passes"][1]
    assert (row["state"], row["withdraw"], row["lock"]) == ("withdrawn", [], [])
    assert len(records(coded, "bo")) == before + 1
    assert lead.round["labels"]["pairs"] == []
    assert any("withdrawn" in each for each in lead.round["labels"]["notices"])


def test_a_question_is_answered_to_its_rater_alone(ws: Workspace) -> None:
    """The answer stands in that rater's ledger; the other coder's desk holds nothing of it."""
    walk = Walk(ws, STUDY, "ada", origin="voila")
    walk.ask_lead("r1", "Is irony a denial?", click_id=click())
    lead = Lead(ws)
    assert lead.study["waiting"] == 1
    (question,) = lead.study["questions"]
    assert (question["rater"], question["card_id"]) == ("ada", "r1")
    lead.act("answer", question=question["digest"], text="Yes, when it rejects the claim.")
    assert lead.study["waiting"] == 0
    assert walk.questions("r1")[0].answer == "Yes, when it rejects the claim."
    assert Walk(ws, STUDY, "bo", origin="voila").questions("r1") == ()
    assert len(all_questions(ws, load_study(ws, STUDY))) == 1
    assert lead.act("answer", question="f" * 64, text="To nobody.")["kind"] == "refused"


def test_a_link_is_renewed_and_shown_once(ws: Workspace) -> None:
    """The new address is in the reply to the click, and in no later message."""
    old = LinkBook(ws.links).make(STUDY, "first", "ada")
    lead = Lead(ws)
    links = {each["rater"]: each["state"] for each in lead.study["links"]}
    assert links == {"ada": "works", "bo": "none", "cleo": "none", "lead": "none"}
    reply = lead.act("renew", pass_name="first", rater="ada")
    token = reply["link"].removeprefix("go/")
    assert LinkBook(ws.links).who(token) == Person(STUDY, "first", "ada")
    assert LinkBook(ws.links).who(old) is None
    lead.say("ping", seen="")
    assert token not in json.dumps(lead.heard[-1])
    assert lead.act("renew", pass_name="adjudication", rater="cleo")["link"]
    assert lead.act("renew", pass_name="first", rater="mallory")["kind"] == "refused"


# the page


def test_an_unchanged_board_is_not_drawn_again(coded: Workspace) -> None:
    """The page names the state it shows; it gets another one only when a file changed."""
    lead = Lead(coded)
    assert lead.say("ping", seen=lead.view["mark"])["kind"] == "pong"
    LinkBook(coded.links).make(STUDY, "first", "ada")
    reply = lead.say("ping", seen=lead.view["mark"])
    assert reply["kind"] == "page"
    assert lead.say("ping", seen=lead.view["mark"])["kind"] == "pong"


@pytest.mark.parametrize(
    "message",
    [
        "no object",
        {"kind": "lock", "id": 1, "tab": "t", "click_id": "short", "study": STUDY},
        {"kind": "lock", "id": 1, "tab": "t", "click_id": "x" * 12, "study": "../demo",
         "pass_name": "first"},
        {"kind": "answer", "id": 1, "tab": "t", "click_id": "x" * 12, "study": STUDY,
         "question": "", "text": "to whom?"},
        {"kind": "ping", "id": 1, "tab": "t", "seen": "x" * 65},
        {"kind": "hello", "id": 1, "tab": "t", "rater": "ada"},
        {"kind": "set_state", "id": 1, "tab": "t"},
    ],
)  # fmt: skip
def test_a_message_that_does_not_fit_is_refused(ws: Workspace, message: Any) -> None:
    """Hostile messages change nothing and get a sentence."""
    with pytest.raises(MessageRefused):
        read_board_message(message)
    assert BoardSession(ws).receive(message)["kind"] == "refused"


def test_every_sentence_is_there_in_both_languages() -> None:
    """Each string has English and Arabic with the same parts."""
    for code_, wordings in load_strings(STRINGS).items():
        assert set(wordings) == {"en", "ar"}, code_
        parts = [{p.split("}")[0] for p in each.split("{")[1:]} for each in wordings.values()]
        assert parts[0] == parts[1], code_
    assert BoardWording("ar").left(3720) == "بقي نحو 1 س 2 د بهذه الوتيرة"


def test_every_sentence_that_the_board_words_is_there() -> None:
    """Each literal code is in the board's file, and each string of the page is used by it."""
    known = load_strings(STRINGS)
    folder = Path(board_module.__file__).parent
    for path in folder.glob("board*.py"):
        for code_ in re.findall(r'\.word\(\s*"([a-z_0-9]+)"', path.read_text(encoding="utf-8")):
            assert code_ in known, f"{path.name}: {code_}"
    static = folder / "static"
    script = "".join(path.read_text(encoding="utf-8") for path in static.glob("board*.js"))
    shared = (static / "connection.js").read_text(encoding="utf-8")
    heads = ("pass", "rater", "unsure", "pace", "last", "state")  # named in one list
    for code_ in known:
        if code_.startswith(ON_THE_PAGE):
            name = code_.removeprefix(ON_THE_PAGE)
            said = f"strings.{name}" in script + shared
            assert name in heads or said or f'"{name}"' in script, code_
    for name in re.findall(r"strings\.([a-z_]+)", script):
        assert f"{ON_THE_PAGE}{name}" in known, name


# who may open it


def served(ws: Workspace, pass_name: str, rater: str) -> dict[str, str]:
    """Return the environment of a kernel that the server started for a person."""
    return {
        "SERVER_SOFTWARE": "voila/0.5",
        "REVIEWKIT_WORKSPACE": str(ws.root),
        PERSON_VARIABLE: Person(STUDY, pass_name, rater).to_text(),
    }


def test_a_served_board_opens_for_the_lead_alone(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rater's or an adjudicator's link shows one sentence, and no study."""
    for name, value in served(ws, "first", "ada").items():
        monkeypatch.setenv(name, value)
    closed = board()
    assert "lead's own link" in repr(closed)
    reply = closed._receive({"kind": "hello", "id": 1, "tab": "t"})
    assert (reply["view"]["state"], reply["view"]["studies"]) == ("closed", [])
    for pass_name, rater in (("adjudication", "cleo"), ("first", "lead")):
        with pytest.raises(NotTheLead):
            open_board(served(ws, pass_name, rater))
    monkeypatch.delenv(PERSON_VARIABLE)
    assert "lead's own link" in repr(board())


def test_a_served_board_shows_the_study_of_its_link_alone(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another study of the folder is neither shown nor acted on."""
    other = ws.study_file("other")
    other.parent.mkdir()
    text = ws.study_file(STUDY).read_text(encoding="utf-8")
    other.write_text(text.replace("study: ferry", "study: other"), encoding="utf-8")
    for name, value in served(ws, "lead", "lead").items():
        monkeypatch.setenv(name, value)
    shown = board()
    assert repr(shown) == "reviewkit desk"
    reply = shown._receive({"kind": "hello", "id": 1, "tab": "t"})
    assert [each["study"] for each in reply["view"]["studies"]] == [STUDY]
    act = {"kind": "lock", "id": 2, "tab": "t", "click_id": click(), "study": "other"}
    assert shown._receive({**act, "pass_name": "first"})["kind"] == "refused"


def test_in_jupyterlab_the_owner_sees_every_study(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No link is needed where the folder itself is open; a state of the page is never taken."""
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(ws.root))
    shown = board(STUDY)
    assert isinstance(shown, Board)
    assert repr(shown) == "reviewkit desk"
    shown.set_state({"_closed": "x"})
    reply = shown._receive({"kind": "hello", "id": 1, "tab": "t"})
    assert reply["view"]["studies"][0]["study"] == STUDY
