"""From two blind codings to final labels, at the real served pages of all three people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from reviewkit.questions import load_forms
from reviewkit.study import load_study
from reviewkit.workspace import Workspace
from tests.browser.coder import Coder, Plan, code_in_python, mind_of, reached, seats
from tests.browser.studies import (
    lay_mixed,
    lay_studies,
    lines_of,
    link_for,
    read_csv,
    run_command,
    serving,
    sit_at,
)
from tests.browser.test_page import LOOKS, OVER_THE_EDGE, serious
from tests.serving.served import Server

pytestmark = [pytest.mark.browser, pytest.mark.kernel]

WALKED = ("rationale-demo", "selection-demo", "framing-demo")
"""Every card of these is coded in the browser."""
FINISHED = (
    "framing-ar-demo", "refusal-demo", "adapter-demo", "conversion-demo", "option-demo",
    "alias-demo", "rubric-demo",
)  # fmt: skip
"""Of these the last cards are; the ones before are coded through the same session in Python."""
LAST = 3
WHY = "the second sentence takes it back"
CUT = "it breaks off in the middle"


def _come_in(coder: Coder) -> Coder:
    """Go past everything that stands before the first card, by keys."""
    if coder.has(".rk-panel-elsewhere"):
        coder.page.get_by_role("button", name="Take over here").press("Enter")
        coder.page.wait_for_selector(".rk-panel-elsewhere", state="detached")
    if coder.has(".rk-panel-warning"):
        assert not coder.has(".rk-form")
        coder.consent()
    return coder


def _practise(coder: Coder, plan: Plan) -> int:
    """Try every practice card; what is right is shown after the try and not before."""
    tried = 0
    while coder.card.startswith("practice."):
        assert not coder.has(".rk-practice")
        coder.code(plan)
        coder.record()
        assert coder.sees(".rk-practice-reason").inner_text()
        coder.pause()
        card = coder.card
        coder.press(["Enter"])
        coder.leaves(card)
        tried += 1
    return tried


def _change(adjudicator: Coder, plan: Plan) -> None:
    """Give another code after the reveal: it is taken with a reason and not without."""
    row = next(row for row in adjudicator.rows() if row.asked)
    adjudicator.reach(row.field)
    adjudicator.press({"yes": "n", "no": "y"}.get(row.answer, ""))
    if row.type != "yes_no":
        other = next(key for code, key in row.codes if code != row.answer)
        adjudicator.press("x" if row.type == "spans" else other)
    adjudicator.code(plan)
    adjudicator.save()
    adjudicator.page.wait_for_function("document.activeElement.matches('.rk-reason-field')")
    adjudicator.page.keyboard.type(WHY)
    adjudicator.record()


def _exclude(adjudicator: Coder) -> None:
    """Leave the card out, by keys."""
    adjudicator.page.locator(".rk-exclude").press("Enter")
    adjudicator.sees("dialog[open]")
    adjudicator.press([" ", "Tab"])
    adjudicator.page.keyboard.type(CUT)
    adjudicator.record()


def _has_to_change(adjudicator: Coder) -> bool:
    """Return whether the card has a code that can be changed: a text without spans has none."""
    return any(row.asked and (row.type != "spans" or row.answer) for row in adjudicator.rows())


def _adjudicate(adjudicator: Coder, plan: Plan, raters: list[str]) -> dict[str, str]:
    """Settle the whole queue: one change, one exclusion, the rest confirmed; return card -> act."""
    acts: dict[str, str] = {}
    while adjudicator.has(".rk-form"):
        card = adjudicator.card
        assert not adjudicator.has(".rk-codings, .rk-reason-box")
        adjudicator.code(plan)
        adjudicator.record()
        assert adjudicator.card == card
        codings = adjudicator.sees(".rk-codings")
        assert codings.locator(".rk-coding").count() in (1, 2)
        assert not re.search(rf"\b({'|'.join(raters)})\b", codings.inner_text())
        if "changed" not in acts.values() and _has_to_change(adjudicator):
            acts[card] = "changed"
            _change(adjudicator, plan)
        elif "excluded" not in acts.values():
            acts[card] = "excluded"
            _exclude(adjudicator)
        else:
            acts[card] = "confirmed"
            adjudicator.pause()
            adjudicator.record()
    assert adjudicator.has(".rk-panel")
    return acts


def _as_text(value: Any) -> Any:
    """Return an answer of a ledger as the tables write it, spans as places and codes alone."""
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        return [(each["start"], each["end"], each["code"]) for each in value]
    return " ".join(value) if isinstance(value, list) else value


def _as_told(text: str) -> Any:
    """Return a cell of a table in the shape of ``_as_text``."""
    if text.startswith("[{"):
        return [(each["start"], each["end"], each["code"]) for each in json.loads(text)]
    return "" if text == "[]" else text


def _said(record: Mapping[str, Any] | None, field: str) -> Any:
    if record is None:
        return ""
    return _as_text({**record["derived"], **record["answers"]}.get(field, ""))


@pytest.mark.parametrize("study", [*WALKED, *FINISHED])
def test_a_demo_study_from_the_first_card_to_the_final_labels(
    browser: Any, tmp_path: Path, study: str
) -> None:
    """Two people code by keyboard and lock, a third labels, sees both, settles; tables show it.

    Every card of three studies is coded in the browser. Of the other seven only the last three
    cards of each person are; those before go through the same session in Python, without a page.
    """
    ws = lay_studies(tmp_path / "project", study)
    chosen = load_study(ws, study)
    raters = [each.rater for each in chosen.rounds[0].passes]
    assert chosen.adjudication is not None
    judge = chosen.adjudication.adjudicator
    with serving(ws, study) as server, seats(browser) as seat:
        adjudicator = seat()
        if study in WALKED:
            adjudicator.open(link_for(server, judge))
            assert "opens when every pass is locked" in adjudicator.sees(".rk-panel").inner_text()
            assert not adjudicator.has(".rk-form, .rk-count-button:visible")
            assert not re.search(r"\b[A-Z]{3}-\d{3}\b", reached(adjudicator))  # no card, no id
        for number, rater in enumerate(raters):
            plan = mind_of(number, differs_on=2)
            begun = 0
            if study in FINISHED:
                begun = len(code_in_python(sit_at(ws, study, rater), plan, leave=LAST))
            coder = _come_in(seat().open(link_for(server, rater)))
            tried = _practise(coder, plan)
            assert tried == (2 if study == "rationale-demo" else 0)
            walked = coder.walk_all(plan)
            assert len(set(walked)) == len(walked)
            coder.lock()
            decisions = lines_of(ws, study, rater, "decision")
            assert len({each["card_id"] for each in decisions}) == len(decisions)
            assert len(decisions) == begun + len(walked)
            assert begun == 0 or len(walked) == LAST
            coder.close()
        adjudicator.open(link_for(server, judge))
        acts = _adjudicate(_come_in(adjudicator), mind_of(0), raters)
        assert {"changed", "excluded", "confirmed"} <= set(acts.values())
    run_command(ws, "labels", study, "--out", str(ws.root / "out"))
    _tables_hold_all(ws, study, raters, judge, acts)


def _tables_hold_all(
    ws: Workspace, study: str, raters: list[str], judge: str, acts: dict[str, str]
) -> None:
    """Find both codes, the first label, the final one and the route of every field."""
    coded = [{each["card_id"]: each for each in lines_of(ws, study, r, "decision")} for r in raters]
    first = {each["card_id"]: each for each in lines_of(ws, study, judge, "first_label")}
    final = {each["card_id"]: each for each in lines_of(ws, study, judge, "adjudication")}
    rows = read_csv(ws.root / "out" / "final.csv")
    codebook = load_forms(ws.checklists).get(load_study(ws, study).codebook or "")
    assert {row["card"] for row in rows} == set(coded[0]) | set(coded[1])
    assert {row["field"] for row in rows} >= set(codebook.parts)
    assert len({(row["card"], row["field"]) for row in rows}) == len(rows)
    assert set(acts) == set(first) <= {row["card"] for row in rows}
    (excluded,) = lines_of(ws, study, judge, "exclusion")
    assert (acts[excluded["card_id"]], excluded["reason"]) == ("excluded", CUT)
    for row in rows:
        card, field = row["card"], row["field"]
        codes = [_said(each.get(card), field) for each in coded]
        told = [_as_told(row["code_1"]), _as_told(row["code_2"])]
        assert sorted(map(str, told)) == sorted(map(str, codes)), row
        assert _as_told(row["first_label"]) == _said(first.get(card), field), row
        act = acts.get(card)
        if act == "excluded":
            assert (row["route"], row["final"], row["reason"]) == ("excluded", "", "truncated")
        elif act is not None:
            assert _as_told(row["final"]) == _said(final[card], field), row
            assert row["route"] in ("adjudicated", "agreed", "not_asked")
            turned = row["first_label"] != row["final"]
            assert row["after_reveal"] == ("changed" if turned else "confirmed"), row
            assert not turned or (act, row["reason"]) == ("changed", WHY)
        else:
            assert row["route"] in ("agreed", "single", "not_asked")
            assert _as_told(row["final"]) in codes
    assert {row["card"] for row in rows if row["after_reveal"] == "changed"} == {
        card for card, act in acts.items() if act == "changed"
    }


NAMES = ("quartz", "cobalt")
NOTES = {"quartz": "velvetlantern", "cobalt": "pewterotter"}
HIDDEN = ("zincmodel", "zincjudge")


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return a folder whose two passes are locked, on a table with hidden columns."""
    ws = lay_studies(tmp_path_factory.mktemp("hearing") / "project")
    rows = [
        {"id": f"R-{n}", "request": "Tell.", "response": f"A blackout, said somebody {n} times."}
        | {column: f"{column}-value-{n}" for column in HIDDEN}
        for n in range(1, 7)
    ]
    settings = "adjudication: {adjudicator: cleo, queue: all, exclusions: [truncated, uncodable]}"
    lay_mixed(ws, "mixed", NAMES, rows, settings, hidden=HIDDEN)
    for number, name in enumerate(NAMES):
        page = sit_at(ws, "mixed", name)
        code_in_python(page, mind_of(number, differs_on=1), leave=0, note=NOTES[name])
        assert page.say("lock", click_id=page.click())["kind"] == "recorded"
    return ws


@pytest.fixture(scope="module")
def served(locked: Workspace) -> Iterator[Server]:
    """Return a Voila that serves it."""
    with serving(locked, "mixed") as server:
        yield server


def test_the_codings_come_after_the_first_label_and_without_names(
    browser: Any, served: Server, locked: Workspace
) -> None:
    """Before it nothing of the two has come to the browser; after it their codes and no name.

    A reload between the two labels comes back to the codings; no hidden column comes at any time.
    """
    with seats(browser) as seat:
        cleo = seat().keep_bodies().open(link_for(served, "cleo"))
        card = cleo.card
        cleo.code(mind_of(0))
        before = reached(cleo)
        assert not any(words in before for words in (*NOTES.values(), *NAMES, "zinc"))
        cleo.record()
        assert cleo.card == card
        codings = cleo.sees(".rk-codings").inner_text()
        assert all(note in codings for note in NOTES.values())
        cleo.context.unroute("**/*")  # the goodbye of a page that reloads has no body to keep
        cleo.reload()
        assert cleo.sees(".rk-codings").inner_text() == codings
        cleo.pause()
        cleo.record()
        second = cleo.card
        assert second != card
        assert not cleo.has(".rk-codings")
        after = reached(cleo)
        assert not any(words in after for words in (*NAMES, "zinc"))
        (first,) = lines_of(locked, "mixed", "cleo", "first_label")
        (final,) = lines_of(locked, "mixed", "cleo", "adjudication")
        assert first["card_id"] == final["card_id"] == card
        assert final["details"]["first_label"] == first["digest"]


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_serious_before_and_after_the_reveal(
    browser: Any, served: Server, look: str
) -> None:
    """The first label, the two codings, the reason, the exclusion, the list, in every look."""
    with seats(browser) as seat:
        cleo = _come_in(seat(**LOOKS[look]).open(link_for(served, "cleo")))
        if look == "arabic":
            cleo.press("l")
            cleo.sees(".rk-root[dir=rtl]")
        if not cleo.has(".rk-codings"):
            cleo.pause()
            assert serious(cleo.page) == []
            cleo.code(mind_of(0))
            cleo.record()
        cleo.sees(".rk-codings")
        assert serious(cleo.page) == []
        cleo.reach("stance")
        cleo.press("2" if cleo.answered()["stance"] == "E" else "1")
        cleo.sees(".rk-reason-box:not([hidden])")
        assert serious(cleo.page) == []
        if look in ("arabic", "narrow"):
            width = LOOKS[look].get("viewport", {"width": 1280})["width"]
            over = OVER_THE_EDGE.replace("391", str(width + 1)).replace("390", str(width))
            assert cleo.page.evaluate(over) == []
        cleo.page.locator(".rk-exclude").press("Enter")
        cleo.sees("dialog[open]")
        assert serious(cleo.page) == []
        cleo.page.keyboard.press("Escape")
