"""A publication holds the public tier, under pseudonyms, and nothing else."""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reviewkit.bank import load_bank
from reviewkit.bank.axes import load_axes
from reviewkit.problems import ProblemsFound
from reviewkit.release import add_waiver
from reviewkit.release.freeze import amend, find_freeze, record_deviation, retract
from reviewkit.release.guard import guard_of
from reviewkit.release.guard.sealed_texts import texts_of
from reviewkit.release.layers import layers_of, seal
from reviewkit.release.publications import layers_published, verify_publications
from reviewkit.release.publish import (
    publish,
)
from reviewkit.release.publish.people import people_of
from reviewkit.release.publish.publication import prepare
from reviewkit.release.redrawing import verify_layers
from reviewkit.study import Walk, load_study, reopen
from reviewkit.workspace import Workspace
from tests.release.freeze import clean_bank
from tests.release.publish import ready_project


def test_only_the_public_tier_goes_out(ready: Workspace, tmp_path: Path) -> None:
    """Every public group, as it was judged, and of the sealed ones identifier and digest."""
    bank = load_bank(ready)
    layers = layers_of(ready, bank)
    done = publish(ready, tmp_path / "out")
    out = Workspace(done.folder)
    shown = load_bank(out)
    assert {g.template_id: g.digest for g in shown.groups} == {
        g.template_id: g.digest for g in bank.groups if g.template_id in layers.public
    }
    sealed = json.loads((done.folder / "bank" / "sealed.json").read_text(encoding="utf-8"))
    assert {each["template_id"]: each["digest"] for each in sealed["groups"]} == {
        g.template_id: g.digest for g in bank.groups if g.template_id in layers.sealed
    }
    assert verify_layers(out).same
    assert not list(done.folder.rglob("*.key"))
    assert not (done.folder / ".reviewkit").exists()


def test_no_sealed_word_and_no_name_is_in_the_output(ready: Workspace, tmp_path: Path) -> None:
    """Looked at without the package's own eyes: no text, no name, in no file and no path."""
    bank = load_bank(ready)
    layers = layers_of(ready, bank)
    folder = publish(ready, tmp_path / "out").folder
    everything = "\n".join(
        f"{path.relative_to(folder)}\n{path.read_text(encoding='utf-8') if path.is_file() else ''}"
        for path in folder.rglob("*")
    )
    public = {t for g in bank.groups if g.template_id in layers.public for t, _ in texts_of(g)}
    sealed = {t for g in bank.groups if g.template_id in layers.sealed for t, _ in texts_of(g)}
    own = sealed - public
    assert len(own) == 19
    known = {text for texts in bank.taxonomy.cannot_be_determined.values() for text in texts}
    for text in own - known:
        assert text not in everything
        assert json.dumps(text)[1:-1] not in everything
    assert "amal" not in everything.casefold()
    assert "badr" not in everything.casefold()


def test_an_attacker_finds_nothing_in_a_publication(ready: Workspace, tmp_path: Path) -> None:
    """The whole scan over the whole output, and it does find what is put there afterwards."""
    folder = publish(ready, tmp_path / "out").folder
    bank = load_bank(ready)
    guard = guard_of(ready, bank, layers_of(ready, bank), people_of(ready, bank).names)
    assert list(guard.faults_in(folder, {})) == []
    shut = ready_project.sealed_group(ready)
    (folder / "bank" / "extra.txt").write_text(shut.items[0].text or "", encoding="utf-8")
    assert [each.where for each in guard.faults_in(folder, {})] == ["bank/extra.txt"]


def test_sums_and_metadata_cover_every_file(ready: Workspace, tmp_path: Path) -> None:
    """`sha256sum -c` is content, and the metadata name the same digests."""
    folder = publish(ready, tmp_path / "out").folder
    found = subprocess.run(
        ["sha256sum", "-c", "SHA256SUMS"], cwd=folder, capture_output=True, text=True, check=False
    )
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert (found.returncode, found.stderr) == (0, "")
    assert len(found.stdout.splitlines()) == len(files) - 1
    card = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    assert card["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert (card["name"], card["license"]) == ("Valley bank", "CC-BY-4.0")
    named = {each["contentUrl"]: each["sha256"] for each in card["distribution"]}
    assert set(named) == files - {"SHA256SUMS", "croissant.json"}
    for path, digest in named.items():
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == digest


def test_decisions_go_out_under_pseudonyms(ready: Workspace, tmp_path: Path) -> None:
    """Each reviewer has one in the study, to the day and not the minute; sealed ones are counts."""
    folder = publish(ready, tmp_path / "out").folder
    lines = (folder / "decisions" / "review.1.jsonl").read_text(encoding="utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    public = layers_of(ready, load_bank(ready)).public
    assert {each["card_id"] for each in told} == public
    assert {(each["pass"], each["rater"]) for each in told} in (
        {("first", "rater-1"), ("second", "rater-2")},
        {("first", "rater-2"), ("second", "rater-1")},
    )
    assert not any({"time", "click_id", "seconds", "digest"} & each.keys() for each in told)
    counts = json.loads((folder / "decisions" / "review.1.sealed.json").read_bytes())
    assert counts["passes"] == {"first": {"accepted": 8}, "second": {"accepted": 8}}
    final = (folder / "labels" / "review.1" / "final.csv").read_text(encoding="utf-8")
    assert final.count(",accepted,agreed,") == len(public)


def test_pseudonyms_need_the_secret_of_the_project(ready: Workspace) -> None:
    """They stay the same while it lies there, and its loss numbers people anew."""
    bank = load_bank(ready)
    first = people_of(ready, bank)
    assert people_of(ready, bank) == first
    assert ready.pseudonym_key.stat().st_mode & 0o077 == 0
    firsts: set[str] = set()
    for _ in range(24):
        ready.pseudonym_key.unlink()
        firsts.add(people_of(ready, bank).raters["review"]["amal"])
    assert firsts == {"rater-1", "rater-2"}


def test_the_certificate_goes_out_byte_for_byte(ready: Workspace, tmp_path: Path) -> None:
    """Its SHA-256 is the digest that every published score names, and the data card says it."""
    made = find_freeze(ready)
    folder = publish(ready, tmp_path / "out").folder
    for name in ("certificate.json", "CERTIFICATE.md"):
        public = (folder / "certificate" / name).read_bytes()
        assert public == (made.folder / name).read_bytes()
    raw = (folder / "certificate" / "certificate.json").read_bytes()
    assert hashlib.sha256(raw).hexdigest() == made.certificate_digest
    assert made.certificate_digest in (folder / "DATACARD.md").read_text(encoding="utf-8")


def test_the_data_card_tells_an_outsider_what_he_needs(ready: Workspace, tmp_path: Path) -> None:
    """Version, licence, how to cite, how much is sealed, languages, who judged how, agreement."""
    folder = publish(ready, tmp_path / "out").folder
    card = (folder / "DATACARD.md").read_text(encoding="utf-8")
    digest = find_freeze(ready).certificate_digest
    layers = layers_of(ready, load_bank(ready))
    for part in (
        "# Valley bank\n",
        "Version 1.0, licence CC-BY-4.0, ",
        f"Cite as: Valley bank, version 1.0, {datetime.now(UTC).date()}, certificate {digest}",
        f"{len(layers.sealed)} groups with {layers.sealed_items} items are sealed, ",
        "- Languages: en (",
        (
            "- review, round 1: 2 raters (first, second), blind to each other; T1 under t1@1, T2"
            " under t2@1, T3 under t3@2, T4 under t4@1.\n"
        ),
        "| review/first and review/second | verdict | 16/16 (100.0 %) | undefined | 1.000 |",
        "### Second reviews\n\nNone was made.",
    ):
        assert part in card
    page = (folder / "README.md").read_text(encoding="utf-8")
    for field in ("template_id", "correct_position", "swapped_value", "event_ref", "answers"):
        assert f"`{field}`" in page
    assert digest in page


def test_what_was_said_since_goes_out_veiled(ready: Workspace, tmp_path: Path) -> None:
    """A retraction, an amendment, a deviation, in order, to read and for machines, nobody named."""
    shown = min(layers_of(ready, load_bank(ready)).public)
    retract(ready, [shown], reason="the source was wrong", name="amal", effect="One pair less.")
    amend(ready, "The rubric is registered.", reason="it was late", effect="T1 counts", name="badr")
    record_deviation(ready, "One system fell out.", reason="no key", effect="nine", name="amal")
    ready_project.state(ready, but=[shown])
    folder = publish(ready, tmp_path / "out").folder / "certificate"
    told = json.loads((folder / "afterwards.json").read_bytes())
    assert [each["kind"] for each in told] == ["retraction", "amendment", "deviation"]
    assert told[0]["name"] == told[2]["name"] != told[1]["name"]
    page = (folder / "AFTERWARDS.md").read_text(encoding="utf-8")
    assert "Effect: One pair less." in page
    assert "By person-" in page
    assert "| groups | 16 | 15 |" in page
    today = datetime.now(UTC).date().isoformat()
    heads = [line for line in page.splitlines() if line.startswith("## ")]
    assert heads[0] == f"## 1. Retraction, {today} UTC"
    card = (folder.parent / "DATACARD.md").read_text(encoding="utf-8")
    assert "- Said since the freeze, in `certificate/AFTERWARDS.md`: 3." in card


def test_a_certificate_that_was_touched_stays_in(ready: Workspace, tmp_path: Path) -> None:
    """One byte of it is another file than the one whose digest was given out."""
    path = ready.freezes / "one" / "CERTIFICATE.md"
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(ProblemsFound, match=r"CERTIFICATE\.md: is not what was frozen"):
        publish(ready, tmp_path / "out")


def test_somebody_who_came_after_the_freeze(laid: Workspace, tmp_path: Path) -> None:
    """A word of the certificate that is a name by now is told with its place and what to do."""
    bank = load_bank(laid)
    add_waiver(laid, bank, "factorial-share", ["bank"], reason="as hope bids", name="amal",
               on="2026-11-30")  # fmt: skip
    plan = laid.plan.read_text(encoding="utf-8")
    laid.plan.write_text(plan.replace("at_least: 0", "at_least: 40"), encoding="utf-8")
    ready_project.finish(laid)
    ready_project.rule(laid, "Keep it short.", author="hope")
    said = [str(each) for each in prepare(laid).problems]
    (sentence,) = said
    assert sentence == (
        "rulings/freezes/one/certificate.json waivers[0].reason: names hope; mend it where it was"
        " written, then freeze again and publish that freeze"
    )
    publish(laid, tmp_path / "out", words=["hope"])


def test_what_is_recorded(ready: Workspace, tmp_path: Path) -> None:
    """Which groups went out and which were held back, in a sound chain, with the sums' digest."""
    layers = layers_of(ready, load_bank(ready))
    one = publish(ready, tmp_path / "one")
    two = publish(ready, tmp_path / "two")
    assert (one.number, two.number) == (1, 2)
    assert verify_publications(ready.publications, "log").sound
    known = layers_published(ready)
    assert {name for name, layer in known.items() if layer == "public"} == layers.public
    assert {name for name, layer in known.items() if layer == "sealed"} == layers.sealed


def test_waivers_lose_their_names_and_their_sealed_groups(laid: Workspace, tmp_path: Path) -> None:
    """A waiver of public groups goes out; what it says of sealed ones does not."""
    bank = load_bank(laid)
    layers = layers_of(laid, bank)
    both = [min(layers.sealed), min(layers.public)]
    add_waiver(laid, bank, "length-missing", both, reason="agreed", name="amal", on="2026-11-30")
    folder = publish(ready_project.finish(laid), tmp_path / "out").folder
    text = (folder / "bank" / "waivers.yaml").read_text(encoding="utf-8")
    assert both[1] in text
    assert both[0] not in text
    assert "person-" in text


def test_notes_stay_in_on_request(ready: Workspace, tmp_path: Path) -> None:
    """No record carries one then; by default notes on public groups go along."""
    folder = publish(ready, tmp_path / "out", notes=False).folder
    assert '"note"' not in (folder / "decisions" / "review.1.jsonl").read_text(encoding="utf-8")
    assert "No notes are included" in (folder / "DATACARD.md").read_text(encoding="utf-8")


def test_a_retracted_group_is_left_out(ready: Workspace, tmp_path: Path) -> None:
    """It was withdrawn publicly: it is named, and its texts are gone."""
    shown = min(layers_of(ready, load_bank(ready)).public)
    retract(ready, [shown], reason="a reader found a fault", name="amal")
    done = publish_with_review_of_now(ready, tmp_path / "out")
    assert not (done / "bank" / "groups" / f"{shown}.yaml").exists()
    assert shown in (done / "DATACARD.md").read_text(encoding="utf-8")
    told = json.loads((done / "certificate" / "afterwards.json").read_bytes())
    assert [(each["kind"], list(each["ids"])) for each in told] == [("retraction", [shown])]


def publish_with_review_of_now(ws: Workspace, folder: Path) -> Path:
    """Let the harm review cover what is public now, and publish."""
    path = ws.statements / "harm-review.md"
    lines = [
        f"covers: {prepare(ws).tier.digest[:12]}" if line.startswith("covers:") else line
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return publish(ws, folder).folder


def test_values_of_sealed_groups_alone_leave_the_axes(laid: Workspace, tmp_path: Path) -> None:
    """A value that no public group uses would tell what the sealed ones are about."""
    bank = load_bank(laid)
    layers = layers_of(laid, bank)
    shut = next(g for g in bank.groups if g.template_id in layers.sealed and g.test_type == "T3")
    items = tuple(
        item.model_copy(update={"swapped_value": value, "text": f"{item.text} {value}"})
        for item, value in zip(shut.items, ("Eastham", "Highfell"), strict=True)
    )
    clean_bank.put(laid, shut.model_copy(update={"items": items}))
    for rater in ("amal", "badr"):
        ready_project.judged_again(laid, rater, shut.template_id)
    folder = publish(ready_project.finish(laid), tmp_path / "out").folder
    shown = load_axes(Workspace(folder))
    values = {v for axis in shown.axes for space in axis.spaces for v in space.values}
    assert "Northham" in values
    assert not {"Eastham", "Highfell"} & values


def test_closed_rounds_stay_closed(laid: Workspace, tmp_path: Path) -> None:
    """A blind round that is not locked is not published, and the card says so."""
    ready_project.finish(laid)
    study = laid.study_file("review").read_text(encoding="utf-8")
    laid.study_folder("later").mkdir()
    text = study.replace("study: review", "study: later").replace('of_record: "yes"\n', "")
    laid.study_file("later").write_text(text, encoding="utf-8")
    clean_bank.review(laid, "amal", study="later", lock=False)
    folder = publish(laid, tmp_path / "out").folder
    assert not list((folder / "decisions").glob("later*"))
    card = (folder / "DATACARD.md").read_text(encoding="utf-8")
    assert "Round 1 of study later is not here: its labels are closed." in card


def test_coded_responses_go_out_without_those_to_sealed_groups(
    laid: Workspace, tmp_path: Path
) -> None:
    """Final labels, long and wide, under the pseudonyms of this publication; no model's answer."""
    ready_project.coded(laid, "E E N E E E", "E N N E E -")
    done = publish(ready_project.finish(laid), tmp_path / "out")
    folder = done.folder / "labels" / "ferry.1"
    names = people_of(laid, load_bank(laid)).raters["ferry"]
    with (folder / "final.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["card"] for row in rows} == {"r2", "r3", "r4", "r5", "r6"}
    (second,) = [row for row in rows if (row["card"], row["field"]) == ("r2", "rationale")]
    by_coder = {second["coder_1"]: second["code_1"], second["coder_2"]: second["code_2"]}
    assert by_coder == {names["ada"]: "E", names["bo"]: "N"}
    assert {path.name for path in folder.iterdir()} == {
        f"{name}{ending}.csv"
        for name in ("final", "long", "wide")
        for ending in ("", ".dictionary")
    }
    assert not (done.folder / "bank" / "responses").exists()
    assert "Study ferry: 1 responses to sealed groups are not in its labels." in done.notices


def test_passes_called_after_people_have_other_names(tmp_path: Path) -> None:
    """In decisions, labels and certificate alike, in the order of the study file."""
    ws = clean_bank.lay(tmp_path / "project", ready_project.groups())
    text = ws.study_file("review").read_text(encoding="utf-8")
    text = text.replace("pass: first", "pass: amal").replace("pass: second", "pass: with-badr")
    ws.study_file("review").write_text(text, encoding="utf-8")
    for rater in ("amal", "badr"):
        clean_bank.review(ws, rater)
    seal(ws, load_bank(ws), seed="x")
    folder = publish(ready_project.finish(ws), tmp_path / "out").folder
    certificate = json.loads((folder / "certificate" / "certificate.json").read_bytes())
    assert [each["pass"] for each in certificate["review"]["passes"]] == ["pass-1", "pass-2"]
    assert certificate["review"]["settled_by"] == {"pass-1": 16}
    assert certificate["agreements"][0]["between"] == ["review/pass-1", "review/pass-2"]
    lines = (folder / "decisions" / "review.1.jsonl").read_text(encoding="utf-8").splitlines()
    told = {(each["pass"], each["rater"]) for each in map(json.loads, lines)}
    names = people_of(ws, load_bank(ws)).raters["review"]
    assert told == {("pass-1", names["amal"]), ("pass-2", names["badr"])}


def test_a_round_of_one_pass_is_told_before_its_lock(laid: Workspace, tmp_path: Path) -> None:
    """Verdicts of a round that is not blind count at once, so they go out, and the card says so."""
    shown = next(iter(sorted(layers_of(laid, load_bank(laid)).public)))
    path = laid.study_file("review")
    again = '  - round: "2"\n    passes:\n      - {pass: again, rater: amal}\n'
    path.write_text(path.read_text(encoding="utf-8") + again, encoding="utf-8")
    clean_bank.review(laid, "amal", pass_name="again", only=[shown], lock=False)
    folder = publish(ready_project.finish(laid), tmp_path / "out").folder
    (line,) = (folder / "decisions" / "review.2.jsonl").read_text(encoding="utf-8").splitlines()
    assert (json.loads(line)["card_id"], json.loads(line)["verdict"]) == (shown, "accepted")
    card = (folder / "DATACARD.md").read_text(encoding="utf-8")
    assert "Study review, round 2: Not locked yet: again." in card


def test_a_reason_of_the_lead_that_names_somebody_is_kept_back(
    laid: Workspace, tmp_path: Path
) -> None:
    """Nobody can reword a record, so its notice goes out without the reason."""
    study = load_study(laid, "review")
    first, _ = study.rounds[0].passes
    reopen(laid, study, study.rounds[0], first, "Badr found a mistake")
    Walk(laid, "review", "amal", origin="cli").lock(click_id=clean_bank.click())
    folder = publish(ready_project.finish(laid), tmp_path / "out").folder
    card = (folder / "DATACARD.md").read_text(encoding="utf-8")
    assert "Pass first was reopened on" in card
    certificate = json.loads((folder / "certificate" / "certificate.json").read_bytes())
    (notice,) = certificate["agreements"][0]["notices"]
    assert notice.startswith("Pass first was reopened on ")
    assert notice.endswith("; the reason is kept back.")
