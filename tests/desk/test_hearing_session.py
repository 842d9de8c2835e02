"""The adjudicator's page in words: nothing of the codings before the first label."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reviewkit.desk.review import Nobody, adjudicate, open_hearing, open_session
from reviewkit.desk.session import Session
from reviewkit.problems import ReviewkitError
from reviewkit.rulings import RulingsLog
from reviewkit.study import Hearing, Person, load_study, reopen
from reviewkit.study.links import PERSON_VARIABLE
from reviewkit.workspace import Workspace
from tests.desk.talk import Page
from tests.study.coding_people import STUDY, code, code_again, coding_study

ADA = "E E N D R QE"
BO = "E QE N R - N"
DIFFERING = {"r2", "r4", "r5", "r6"}


def hear(ws: Workspace, name: str = "cleo") -> Page:
    """Open the adjudicator's desk as a fresh kernel would."""
    log = RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log), ws.rulings_page)
    page = Page(Session(Hearing(ws, STUDY, name, origin="voila"), log))
    page.say("hello", language="en")
    return page


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return a study that two have coded and locked."""
    return coded(tmp_path)


def coded(root: Path, ada: str = ADA, bo: str = BO) -> Workspace:
    """Lay a study that two have coded and locked."""
    ws = coding_study(root)
    code(ws, "ada", ada)
    code(ws, "bo", bo)
    return ws


def give(page: Page, code_: str, **fields: Any) -> dict[str, Any]:
    """Give the card on the screen a code."""
    return page.submit(answers={"rationale": code_}, **fields)


def _without_chance(page: Page) -> str:
    """Return all that was heard, without tokens and clocks."""
    said = json.dumps(page.heard, ensure_ascii=False, sort_keys=True)
    said = re.sub(r'"(token|click_id|saved_at|time|at)": "[^"]*"', "", said)
    return re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z?", "", said)


def test_nothing_of_the_codings_is_in_any_message_before_the_first_label(tmp_path: Path) -> None:
    """Two studies that differ in the coders' codes alone look the same to the adjudicator."""
    heard: list[str] = []
    for number, (ada, bo) in enumerate([(ADA, BO), ("N R N QE D D", "N E N E - R")]):
        page = hear(coded(tmp_path / str(number), ada, bo))
        for card in DIFFERING:
            page.say("go", to=card)
            assert page.card["adjudication"]["codings"] == []
            assert page.card["adjudication"]["mine"] == []
            assert page.card["adjudication"]["stage"] == "first"
            assert page.card["draft"]["answers"] == {}
        page.say("cards")
        page.draft({"rationale": "N"})
        page.submit(answers={})
        heard.append(_without_chance(page))
    assert heard[0] == heard[1]
    assert not re.search(r"\b(ada|bo)\b", heard[0])


def test_a_whole_hearing(ws: Workspace) -> None:
    """Label, see, confirm: each card twice, with both codings after the first and no names."""
    page = hear(ws)
    assert page.view["app"] == "adjudication"
    assert {each["card_id"] for each in page.view["cards"]} == DIFFERING
    while page.view["card"]:
        card = page.card["card_id"]
        assert page.card["adjudication"]["stage"] == "first"
        assert give(page, "N")["kind"] == "recorded"
        assert (page.card["card_id"], page.card["adjudication"]["stage"]) == (card, "reveal")
        codings = page.card["adjudication"]["codings"]
        assert len(codings) == 2
        assert {each["heading"] for each in codings} != {"ada", "bo"}
        assert page.card["adjudication"]["mine"][0]["codes"] == ["N"]
        assert give(page, "N")["kind"] == "recorded"
    assert page.view["done"]["can_lock"] is False
    assert {each["status"] for each in page.view["cards"]} == {"coded"}
    said = json.dumps(page.heard)
    assert not re.search(r"\b(ada|bo)\b", said)
    assert page.say("lock", click_id=page.click())["kind"] == "refused"


def test_a_change_after_the_reveal_needs_a_reason(ws: Workspace) -> None:
    """Without one nothing is recorded; with one it is."""
    page = hear(ws)
    give(page, "E")
    card = page.card["card_id"]
    refused = give(page, "N")
    assert refused["kind"] == "refused"
    assert refused["text"]
    assert give(page, "N", reason="\u200b ")["kind"] == "refused"
    assert give(page, "N", reason="It reports and takes no side.")["kind"] == "recorded"
    lines = ws.ledger(STUDY, "adjudication", "cleo").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    (last,) = [r for r in records if r["kind"] == "adjudication"]
    assert (last["card_id"], last["details"]["route"]) == (card, "changed")


def test_a_card_is_excluded_on_a_ground(ws: Workspace) -> None:
    """The grounds of the study are offered; another one is refused."""
    page = hear(ws)
    card, token = page.card["card_id"], page.card["token"]
    assert [c for c, _ in page.card["adjudication"]["exclusions"]] == ["truncated", "uncodable"]
    bad = page.say("exclude", token=token, click_id=page.click(), code="dull")
    assert bad["kind"] == "refused"
    one = {"token": token, "click_id": page.click(), "code": "truncated", "reason": ""}
    assert page.say("exclude", **one)["kind"] == "recorded"
    assert page.say("exclude", **one)["kind"] == "recorded"
    stands = {each["card_id"]: each["status"] for each in page.view["cards"]}
    assert stands[card] == "excluded"


def test_only_changed_cards_come_back_after_a_reopening(ws: Workspace) -> None:
    """They are labelled first again and show no coding; the others stay settled."""
    page = hear(ws)
    while page.view["card"]:
        give(page, "N")
    code_again(ws, "ada", {"r2": "R", "r4": "D"})
    page = hear(ws)
    stands = {each["card_id"]: each["status"] for each in page.view["cards"]}
    assert stands == {"r2": "changed", "r4": "coded", "r5": "coded", "r6": "coded"}
    assert page.card["card_id"] == "r2"
    assert page.card["adjudication"]["codings"] == []
    assert page.card["draft"]["answers"] == {}


def test_a_pass_that_is_open_again_stops_the_page(ws: Workspace) -> None:
    """What is saved meanwhile is refused with a sentence that names the pass and no rater."""
    page = hear(ws)
    give(page, "N")
    study = load_study(ws, STUDY)
    round_, each = study.find_pass("bo")
    reopen(ws, study, round_, each, "a slip")
    reply = give(page, "N")
    assert reply["kind"] == "refused"
    assert "second" in reply["text"]


def test_it_does_not_open_before_the_locks(tmp_path: Path) -> None:
    """The sentence names the passes that are open."""
    ws = coding_study(tmp_path)
    code(ws, "ada", ADA)
    code(ws, "bo", "E . . . . .", lock=False)
    with pytest.raises(ReviewkitError, match="second"):
        hear(ws)


def test_the_daily_limit_cuts_no_card_in_two(tmp_path: Path) -> None:
    """The last card of the day can be settled after its first label; the next one waits."""
    ws = coding_study(tmp_path, welfare="welfare: {daily_limit: 6}")
    code(ws, "ada", ADA)
    code(ws, "bo", BO)
    text = ws.study_file(STUDY).read_text(encoding="utf-8")
    ws.study_file(STUDY).write_text(text.replace("limit: 6", "limit: 1"), encoding="utf-8")
    page = hear(ws)
    give(page, "N")
    assert page.card["adjudication"]["stage"] == "reveal"
    give(page, "N")
    assert page.view["card"] is None
    assert page.view["done"]["pause"] == "enough"


@pytest.mark.parametrize("kind", ["question", "lock"])
def test_what_is_a_raters_alone_is_refused(ws: Workspace, kind: str) -> None:
    """An adjudicator asks the lead in person and has no lock."""
    page = hear(ws)
    fields = {"token": page.card["token"], "text": "x"} if kind == "question" else {}
    assert page.say(kind, click_id=page.click(), **fields)["kind"] == "refused"


# links


def link(study: str, pass_name: str, rater: str) -> dict[str, str]:
    """Return the environment of a served kernel of the person with this link."""
    person = Person(study=study, pass_=pass_name, rater=rater)
    return {"SERVER_SOFTWARE": "voila/x", PERSON_VARIABLE: person.to_text()}


def test_each_link_opens_its_own_app(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rater cannot adjudicate, the adjudicator cannot code, whatever the variables say."""
    ws.taxonomy.write_text("domains: []\n", encoding="utf-8")
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(ws.root))
    rater, judge = link(STUDY, "first", "ada"), link(STUDY, "adjudication", "cleo")
    lead = link(STUDY, "lead", "lead")
    assert isinstance(open_session(rater), Session)
    assert isinstance(open_hearing(judge), Session)
    for environ in (rater, lead, link(STUDY, "second", "cleo")):
        with pytest.raises(Nobody, match="not the adjudicator's"):
            open_hearing(environ | {"REVIEWKIT_RATER": "cleo", "REVIEWKIT_STUDY": STUDY})
    for environ in (judge, lead):
        with pytest.raises(ReviewkitError, match="has no"):
            open_session(environ | {"REVIEWKIT_RATER": "ada", "REVIEWKIT_PASS": "first"})
    with pytest.raises(Nobody):
        open_hearing({"SERVER_SOFTWARE": "voila/x", "REVIEWKIT_RATER": "cleo"})


def test_a_new_round_does_not_close_the_earlier_adjudication(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While round 2 is coded, the adjudicator's link still opens round 1."""
    ws.taxonomy.write_text("domains: []\n", encoding="utf-8")
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(ws.root))
    path = ws.study_file(STUDY)
    path.write_text(
        path.read_text(encoding="utf-8")
        + '  - round: "2"\n    passes:\n      - {pass: third, rater: ada}\n'
        + "      - {pass: fourth, rater: bo}\n",
        encoding="utf-8",
    )
    page = Page(open_hearing(link(STUDY, "adjudication", "cleo")))
    page.say("hello", language="en")
    assert page.view["who"]["round"] == "1"
    assert page.view["progress"]["total"] == len(DIFFERING)


@pytest.mark.parametrize(
    ("language", "said"), [("en", "still open: first and second."), ("ar", "first وsecond")]
)
def test_a_closed_adjudication_says_that_it_is_not_open_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    """Before the locks the page is headed so, in either language, and asks nobody who he is."""
    ws = coding_study(tmp_path)
    ws.taxonomy.write_text("domains: []\n", encoding="utf-8")
    monkeypatch.setenv("REVIEWKIT_WORKSPACE", str(ws.root))
    for name, value in link(STUDY, "adjudication", "cleo").items():
        monkeypatch.setenv(name, value)
    view = adjudicate()._receive({"kind": "hello", "id": 1, "language": language})["view"]
    assert (view["state"], view["why"]) == ("nobody", "closed")
    assert said in view["message"]
    assert "ada" not in view["message"]
