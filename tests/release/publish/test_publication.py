"""A publication holds the public tier, under pseudonyms, and nothing else."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import subprocess
from pathlib import Path

from reviewkit.bank import load_bank
from reviewkit.bank.axes import load_axes
from reviewkit.bank.import_responses import import_responses
from reviewkit.release import add_waiver
from reviewkit.release.freeze import retract
from reviewkit.release.layers import layers_of, seal, verify_layers
from reviewkit.release.publications import layers_published, verify_publications
from reviewkit.release.publish import (
    publish,
)
from reviewkit.release.publish.guard import Guard
from reviewkit.release.publish.people import NameFinder, people_of
from reviewkit.release.publish.publication import prepare
from reviewkit.release.publish.sealed_texts import texts_of
from reviewkit.release.publish.tier import public_tier, sealed_texts
from reviewkit.workspace import Workspace
from tests.release import small_bank
from tests.release.freeze import clean_bank
from tests.release.publish import ready_project
from tests.study import coding_people


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
    tier = public_tier(bank, layers_of(ready, bank))
    guard = Guard(sealed_texts(ready, tier), NameFinder(people_of(ready, bank).names))
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


def test_the_certificate_goes_out_without_names(ready: Workspace, tmp_path: Path) -> None:
    """The same figures; who froze it is a number."""
    folder = publish(ready, tmp_path / "out").folder
    certificate = json.loads((folder / "certificate" / "certificate.json").read_bytes())
    own = json.loads((ready.freezes / "one" / "certificate.json").read_bytes())
    assert certificate["name"].startswith("person-")
    page = hashlib.sha256((folder / "certificate" / "CERTIFICATE.md").read_bytes()).hexdigest()
    assert certificate["page_digest"] == page
    assert {**certificate, "name": "", "page_digest": ""} == {**own, "name": "", "page_digest": ""}


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


def _coded(ws: Workspace) -> tuple[str, str]:
    """Let two people code six responses, one of them to a sealed group; return two groups."""
    shutil.copy(small_bank.ROOT / "checklists" / "rationale.yaml", ws.checklists)
    coding_people.coding_study(ws.root)
    layers = layers_of(ws, load_bank(ws))
    shut, shown = min(layers.sealed), min(layers.public)
    rows = [
        {"id": card, "text": f"The pilots of line {card} are late.", "group": group}
        for card, group in zip(coding_people.CARDS, (shut, *[shown] * 5), strict=True)
    ]
    source, mapping = ws.root / "ferry.jsonl", ws.root / "ferry.yaml"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    mapping.write_text(
        "responses: ferry\nid: id\ntexts: {response: text}\nlanguage_is: en\ngroup: group\n",
        encoding="utf-8",
    )
    import_responses(ws, source, mapping)
    coding_people.code(ws, "ada", "E E N E E E")
    coding_people.code(ws, "bo", "E N N E E -")
    return shut, shown


def test_coded_responses_go_out_without_those_to_sealed_groups(
    laid: Workspace, tmp_path: Path
) -> None:
    """Final labels, long and wide, under the pseudonyms of this publication; no model's answer."""
    _coded(laid)
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
    """In decisions, labels and certificate, also where the pass bears the rater's own name."""
    ws = clean_bank.lay(tmp_path / "project", ready_project.groups())
    text = ws.study_file("review").read_text(encoding="utf-8")
    text = text.replace("pass: first", "pass: amal").replace("pass: second", "pass: with-badr")
    ws.study_file("review").write_text(text, encoding="utf-8")
    for rater in ("amal", "badr"):
        clean_bank.review(ws, rater)
    seal(ws, load_bank(ws), seed="x")
    folder = publish(ready_project.finish(ws), tmp_path / "out").folder
    certificate = json.loads((folder / "certificate" / "certificate.json").read_bytes())
    assert {each["pass"] for each in certificate["review"]["passes"]} == {"pass-1", "pass-2"}
    lines = (folder / "decisions" / "review.1.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["pass"] for line in lines} == {"pass-1", "pass-2"}
