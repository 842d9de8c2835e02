"""Studies that were adjudicated go out with their final labels, reasons and routes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from reviewkit.bank import load_bank
from reviewkit.release.layers import layers_of, seal
from reviewkit.release.publish import publish
from reviewkit.release.publish.people import people_of
from reviewkit.release.publish.publication import prepare
from reviewkit.study.hearing import Hearing
from reviewkit.workspace import Workspace
from tests.release.freeze import clean_bank
from tests.release.publish import ready_project
from tests.study import coding_people


def _coded(ws: Workspace) -> Hearing:
    """Let two people differ on some of six responses, and return the adjudication."""
    ready_project.coded(ws, "E E N E E E", "N N N N E N")
    return coding_people.hearing(ws)


def _final(folder: Path) -> dict[str, dict[str, str]]:
    with (folder / "final.csv").open(encoding="utf-8", newline="") as file:
        return {row["card"]: row for row in csv.DictReader(file) if row["field"] != "evidence"}


def test_codes_that_an_adjudicator_settled(laid: Workspace, tmp_path: Path) -> None:
    """Changed, confirmed and excluded labels with reasons; no name, nothing of sealed groups."""
    sitting = _coded(laid)
    assert set(sitting.card_ids) == {"r1", "r2", "r4", "r6"}
    for card in ("r1", "r2", "r4"):
        coding_people.say(sitting, card, "E")
    coding_people.say(sitting, "r1", "E")
    coding_people.say(sitting, "r2", "E")
    coding_people.say(sitting, "r4", "N", reason="the last sentence decides")
    coding_people.say(sitting, "r6", "E")
    sitting.exclude("r6", sitting.settings.exclusions[0], "cut off", click_id=coding_people.click())
    done = publish(ready_project.finish(laid), tmp_path / "out")
    rows = _final(done.folder / "labels" / "ferry.1")
    assert set(rows) == {"r2", "r3", "r4", "r5", "r6"}
    assert (rows["r2"]["final"], rows["r4"]["final"], rows["r6"]["final"]) == ("E", "N", "")
    assert {row["record"] for row in rows.values()} == {""}
    assert (rows["r4"]["reason"], rows["r6"]["reason"]) == (
        "the last sentence decides",
        "truncated",
    )
    every = "".join(path.read_text(encoding="utf-8") for path in done.folder.rglob("*.csv"))
    assert not {"ada", "bo", "cleo"} & set(every.replace(",", " ").split())
    told = publish(laid, tmp_path / "mute", notes=False).folder / "labels" / "ferry.1"
    assert _final(told)["r4"]["reason"] == ""


def test_a_reason_of_the_adjudicator_is_looked_through(laid: Workspace) -> None:
    """A name, or words of a sealed group, keep everything in."""
    sitting = _coded(laid)
    words = " ".join((ready_project.sealed_group(laid).items[0].text or "").split()[:8])
    coding_people.say(sitting, "r2", "N")
    coding_people.say(sitting, "r2", "E", reason=f"Ada is right; compare {words}")
    ready_project.finish(laid)
    wrong = {each.wrong.partition(" group")[0] for each in prepare(laid).problems}
    assert wrong == {"names ada", "holds words of the sealed"}


def test_verdicts_that_an_adjudicator_settled(tmp_path: Path) -> None:
    """Reviewers who differ on a group: the final verdict is the adjudicator's, under a number."""
    ws = clean_bank.lay(tmp_path / "project", ready_project.groups())
    path = ws.study_file("review")
    text = path.read_text(encoding="utf-8")
    more = "adjudication: {adjudicator: cleo, queue: collapsed}\nrounds:"
    path.write_text(text.replace("rounds:", more), encoding="utf-8")
    seal(ws, load_bank(ws), seed=ready_project.SEED)
    layers = layers_of(ws, load_bank(ws))
    shut, shown = min(layers.sealed), min(layers.public)
    clean_bank.review(ws, "amal", shut, shown)
    clean_bank.review(ws, "badr")
    sitting = Hearing(ws, "review", "cleo", origin="cli")
    sitting.start(0)
    for card in sitting.card_ids:
        answers = dict.fromkeys(sitting.outcome(card, {}, "").asked, "yes")
        for _ in range(2):
            sitting.submit(
                card, sitting.digest(card), answers, "", escalated=False, seconds=1.0,
                click_id=clean_bank.click(),
            )  # fmt: skip
    folder = publish(ready_project.finish(ws), tmp_path / "out").folder
    with (folder / "labels" / "review.1" / "final.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["card"]: row for row in csv.DictReader(file)}
    assert set(rows) == layers.public
    assert rows[shown]["final"] == "accepted"
    assert "cleo" not in json.dumps(rows)
    names = people_of(ws, load_bank(ws)).raters["review"]
    assert {rows[shown]["coder_1"], rows[shown]["coder_2"]} == set(names.values())
    counts = json.loads((folder / "decisions" / "review.1.sealed.json").read_bytes())
    assert counts["final"] == {"accepted": len(layers.sealed)}
    assert counts["passes"]["first"] == {"accepted": len(layers.sealed) - 1, "needs_fix": 1}
