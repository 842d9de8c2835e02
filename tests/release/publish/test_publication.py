"""A publication holds the public tier and nothing else, or is refused with all that is wrong."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest

from reviewkit.bank import load_bank
from reviewkit.bank.axes import load_axes
from reviewkit.problems import ProblemsFound
from reviewkit.release import add_waiver
from reviewkit.release.freeze import freeze, retract
from reviewkit.release.layers import layers_of, verify_layers
from reviewkit.release.publications import layers_published, verify_publications
from reviewkit.release.publish import (
    FolderInTheWay,
    lay_slots,
    publish,
    try_to_publish,
)
from reviewkit.release.publish.guard import Guard
from reviewkit.release.publish.people import NameFinder, people_of
from reviewkit.release.publish.publication import prepare
from reviewkit.release.publish.sealed_texts import texts_of
from reviewkit.release.publish.tier import public_tier, sealed_texts
from reviewkit.study import Walk, load_study, reopen
from reviewkit.workspace import Workspace
from tests.release import small_bank
from tests.release.freeze import clean_bank
from tests.release.publish import ready_project


def refused(ws: Workspace, folder: Path, **options: object) -> list[str]:
    """Publish, expect a refusal that leaves nothing, and return its sentences."""
    with pytest.raises(ProblemsFound) as found:
        publish(ws, folder, **options)  # type: ignore[arg-type]
    assert not folder.exists()
    assert [each.name for each in folder.parent.iterdir() if folder.name in each.name] == []
    assert not ws.publications.exists()
    return [str(problem) for problem in found.value.problems]


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
    assert os.stat(ready.pseudonym_key).st_mode & 0o077 == 0
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
    assert {**certificate, "name": ""} == {**own, "name": ""}


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


# Refusals ----------------------------------------------------------------------------------------


def test_everything_is_said_at_once(laid: Workspace, tmp_path: Path) -> None:
    """No statement, no freeze, a name, a sealed text and an address: one refusal names all."""
    shut = ready_project.sealed_group(laid)
    ready_project.rule(laid, "Badr asked for it; write to him at badr@mail.example.org.")
    ready_project.rule(laid, f"Never write as in: {shut.items[0].text}")
    said = "\n".join(refused(laid, tmp_path / "out"))
    for part in (
        "bank/statements/positionality.md: there is no statement",
        "bank/statements/harm-review.md: there is no statement",
        "nothing is frozen yet",
        "rulings/rulings.jsonl:1 R-001 text: names badr",
        "holds what looks like a mail address",
        f"rulings/rulings.jsonl:2 R-002 text: holds words of the sealed group {shut.template_id}",
    ):
        assert part in said
    for line in said.splitlines():
        assert "; " in line
        assert (shut.items[0].text or "") not in line


def _judged_again(ws: Workspace, rater: str, card: str, note: str = "") -> None:
    """Reopen a pass, let its rater judge one group anew, and lock it again."""
    study = load_study(ws, "review")
    (each,) = [one for one in study.rounds[0].passes if one.rater == rater]
    reopen(ws, study, each, "an item was mended", click_id=clean_bank.click())
    walk = Walk(ws, "review", rater, origin="cli")
    answers = dict.fromkeys(walk.outcome(card, {}, "").asked, "yes")
    walk.submit(
        card, walk.digest(card), answers, note, escalated=False, seconds=1.0,
        click_id=clean_bank.click(),
    )  # fmt: skip
    walk.lock(click_id=clean_bank.click())


def test_notes_are_looked_through(laid: Workspace, tmp_path: Path) -> None:
    """On a public group a name, a sealed text or an address keeps all in; on a sealed one not."""
    bank = load_bank(laid)
    layers = layers_of(laid, bank)
    shut = ready_project.sealed_group(laid)
    shown = sorted(layers.public)[0]
    words = " ".join((shut.items[0].text or "").upper().split()[2:10])
    _judged_again(laid, "badr", shut.template_id, f"Amal, see {words}")
    folder = publish(ready_project.finish(laid), tmp_path / "fine").folder
    assert "Amal" not in (folder / "decisions" / "review.1.jsonl").read_text(encoding="utf-8")
    _judged_again(laid, "badr", shown, f"Amal, see {words}, or ring 07701234567")
    said = [str(each) for each in prepare(laid).problems]
    place = f"rulings/review/second {shown} note"
    assert [each.partition(";")[0] for each in said] == [
        f"{place}: holds words of the sealed group {shut.template_id}",
        f"{place}: names amal",
        f"{place}: holds what looks like a telephone number",
    ]
    assert prepare(laid, notes=False).problems == []
    folder = publish(laid, tmp_path / "without", notes=False).folder
    assert "07701234567" not in "".join(
        path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()
    )


def test_waivers_lose_their_names_and_their_sealed_groups(laid: Workspace, tmp_path: Path) -> None:
    """A waiver of public groups goes out; what it says of sealed ones does not."""
    bank = load_bank(laid)
    layers = layers_of(laid, bank)
    both = [sorted(layers.sealed)[0], sorted(layers.public)[0]]
    add_waiver(laid, bank, "length-missing", both, reason="agreed", name="amal", on="2026-11-30")
    folder = publish(ready_project.finish(laid), tmp_path / "out").folder
    text = (folder / "bank" / "waivers.yaml").read_text(encoding="utf-8")
    assert both[1] in text
    assert both[0] not in text
    assert "person-" in text


@pytest.mark.parametrize("named", ["amal", "Amal", "AMAL", "ａｍａｌ"])
def test_a_name_in_a_waiver_is_refused(laid: Workspace, tmp_path: Path, named: str) -> None:
    """As a whole word, in any spelling."""
    bank = load_bank(laid)
    shown = sorted(layers_of(laid, bank).public)[0]
    reason = f"{named} looked at it"
    add_waiver(laid, bank, "length-missing", [shown], reason=reason, name="amal", on="2026-11-30")
    said = refused(ready_project.finish(laid), tmp_path / "out")
    assert any(
        each.startswith("bank/waivers.yaml length-missing reason: names amal") for each in said
    )


def test_a_name_in_a_source_is_refused_and_a_verifier_is_veiled(
    laid: Workspace, tmp_path: Path
) -> None:
    """`verified_by` becomes a number; the same name in a sentence is for its author to mend."""
    text = laid.registry.read_text(encoding="utf-8")
    laid.registry.write_text(text.replace("archivist", "Zaynab Karim"), encoding="utf-8")
    ready_project.finish(laid)
    folder = publish(laid, tmp_path / "out").folder
    shown = (folder / "bank" / "registry.yaml").read_text(encoding="utf-8")
    assert "verified_by: person-" in shown
    assert "Zaynab" not in shown
    told = laid.registry.read_text(encoding="utf-8").replace("opened in 1990", "seen by Zaynab")
    laid.registry.write_text(told, encoding="utf-8")
    ready = prepare(laid)
    assert any("names Zaynab Karim" in each.wrong for each in ready.problems)


def test_people_are_named_where_they_agreed(laid: Workspace, tmp_path: Path) -> None:
    """In the statement of positionality, by those who consent; in no other statement."""
    ready_project.finish(laid)
    ready_project.state(laid, positionality="Amal grew up by the river, and Badr in the hills.")
    said = [str(each) for each in prepare(laid).problems]
    assert any("positionality.md: names amal" in each for each in said)
    path = laid.statements / "positionality.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("---\n\n", "consent: [amal, badr]\n---\n\n"), encoding="utf-8")
    assert prepare(laid).problems == []
    ready_project.state(laid, harm_review="Amal looked at everything.")
    assert any("harm-review.md: names amal" in str(each) for each in prepare(laid).problems)


def test_notes_stay_in_on_request(ready: Workspace, tmp_path: Path) -> None:
    """No record carries one then; by default notes on public groups go along."""
    folder = publish(ready, tmp_path / "out", notes=False).folder
    assert '"note"' not in (folder / "decisions" / "review.1.jsonl").read_text(encoding="utf-8")
    assert "No notes are included" in (folder / "DATACARD.md").read_text(encoding="utf-8")


def test_a_refusal_group_without_harm_review_stays_in(laid: Workspace, tmp_path: Path) -> None:
    """Each public one is named with its file."""
    bank = load_bank(laid)
    public = layers_of(laid, bank).public
    group = next(g for g in bank.groups if g.test_type == "T3" and g.template_id in public)
    clean_bank.put(laid, group.model_copy(update={"harm_review": None}))
    ready_project.state(laid)
    said = refused(laid, tmp_path / "out")
    assert any(
        f"{group.template_id}.yaml" in each and "has no harm review" in each for each in said
    )


def test_a_harm_review_of_other_groups_is_refused(ready: Workspace, tmp_path: Path) -> None:
    """It covers the groups it names by digest; the refusal says which digest they have now."""
    path = ready.statements / "harm-review.md"
    text = path.read_text(encoding="utf-8")
    digest = try_to_publish(ready).tier.digest[:12]
    assert f'covers: "{digest}"' in text
    path.write_text(text.replace(digest, "0" * 12), encoding="utf-8")
    said = refused(ready, tmp_path / "out")
    assert said == [
        f"bank/statements/harm-review.md: the harm review covers {'0' * 12}, and the public groups"
        f" are {digest}; review what changed, then set `covers: {digest}`"
    ]


def test_slots_are_laid_once_and_refuse_until_filled(laid: Workspace, tmp_path: Path) -> None:
    """Laying again overwrites nothing; every open place is named with its line."""
    assert len(lay_slots(laid)) == 4
    path = laid.statements / "competing-interests.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nmine\n", encoding="utf-8")
    assert lay_slots(laid) == ()
    assert path.read_text(encoding="utf-8").endswith("mine\n")
    said = refused(laid, tmp_path / "out")
    assert any(
        each.startswith("bank/statements/competing-interests.md:8: is still") for each in said
    )
    assert sum("is still to be filled in" in each for each in said) == 15


def test_a_bank_that_moved_on_is_not_what_was_certified(ready: Workspace, tmp_path: Path) -> None:
    """Publish from the frozen state, or freeze anew."""
    bank = load_bank(ready)
    group = next(g for g in bank.groups if g.template_id == "T4-a")
    clean_bank.put(ready, group.model_copy(update={"audience": "grown-ups"}))
    said = "\n".join(refused(ready, tmp_path / "out"))
    assert "the bank is not what one froze" in said


def test_undrawn_groups_keep_everything_in(laid: Workspace, tmp_path: Path) -> None:
    """A group that no draw has seen is neither public nor sealed."""
    clean_bank.put(laid, small_bank.t1("T1-new", base="Sing a verse to {value}."))
    said = "\n".join(refused(laid, tmp_path / "out"))
    assert "1 groups were never drawn: T1-new" in said


def test_a_retracted_group_is_left_out(ready: Workspace, tmp_path: Path) -> None:
    """It was withdrawn publicly: it is named, and its texts are gone."""
    shown = sorted(layers_of(ready, load_bank(ready)).public)[0]
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


def test_a_folder_that_is_in_use_is_refused(ready: Workspace, tmp_path: Path) -> None:
    """Nothing is written over, and nothing among the project's own files; an empty one is fine."""
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "a").write_text("mine", encoding="utf-8")
    for folder in (taken, taken / "a", ready.bank / "out", ready.rulings / "out"):
        with pytest.raises(FolderInTheWay):
            publish(ready, folder)
    (tmp_path / "empty").mkdir()
    assert publish(ready, tmp_path / "empty").files > 30
    assert (taken / "a").read_text(encoding="utf-8") == "mine"


def test_a_leak_that_only_the_written_files_show_is_refused(
    ready: Workspace, tmp_path: Path
) -> None:
    """A checklist with a sealed text in base64 in its comments: found, and nothing is left."""
    shut = ready_project.sealed_group(ready)
    code = base64.b64encode((shut.items[0].text or "").encode()).decode()
    path = ready.checklists / "t1.yaml"
    path.write_text(f"{path.read_text(encoding='utf-8')}# {code}\n", encoding="utf-8")
    said = refused(ready, tmp_path / "out")
    assert said == [
        f"checklists/t1.yaml: holds words of the sealed group {shut.template_id} (behind base64);"
        " name the group by its identifier and leave its words out"
    ]


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
        _judged_again(laid, rater, shut.template_id)
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


def test_a_second_freeze_can_be_named(ready: Workspace, tmp_path: Path) -> None:
    """The last one goes along by default; an unknown one is refused with those there are."""
    freeze(ready, "two", name="badr")
    said = refused(ready, tmp_path / "no", freeze="three")
    assert any("name one of one, two" in each for each in said)
    for name in ("one", "two"):
        folder = publish(ready, tmp_path / name, freeze=name).folder
        certificate = json.loads((folder / "certificate" / "certificate.json").read_bytes())
        assert certificate["freeze"] == name
