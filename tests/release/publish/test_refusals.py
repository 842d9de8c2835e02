"""A publication is refused with everything that is wrong, and leaves nothing behind."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from reviewkit.authoring.retirement import retire
from reviewkit.bank import load_bank
from reviewkit.problems import ProblemsFound
from reviewkit.release import add_waiver
from reviewkit.release.freeze import amend, freeze
from reviewkit.release.layers import layers_of
from reviewkit.release.layers import seal as draw_layers
from reviewkit.release.publications import publication_lines
from reviewkit.release.publish import (
    FolderInTheWay,
    lay_slots,
    publish,
    try_to_publish,
)
from reviewkit.release.publish.publication import prepare
from reviewkit.rulings.guides import publish as publish_guide
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


def test_a_ruling_that_names_somebody_is_said_anew(laid: Workspace, tmp_path: Path) -> None:
    """No line of the log and no edition can be reworded: a later one takes their place."""
    ready_project.rule(laid, "Badr asked for short names.")
    publish_guide(laid, name="amal")
    ready_project.finish(laid)
    said = [str(each) for each in prepare(laid).problems]
    assert said[0] == (
        "rulings/rulings.jsonl:1 R-001 text: names badr; say anew what was decided and not by whom,"
        " with `--supersedes R-001`"
    )
    assert any("rulings/guides/edition-01/" in each for each in said)
    ready_project.rule(laid, "Names are short.", supersedes="R-001")
    publish_guide(laid, name="amal")
    done = publish(laid, tmp_path / "out")
    assert "The words of R-001, which R-002 replaces, are kept back." in done.notices
    assert not (done.folder / "rulings" / "guides" / "edition-01").exists()
    assert (done.folder / "rulings" / "guides" / "edition-02").is_dir()
    page = (done.folder / "rulings" / "RULINGS.md").read_text(encoding="utf-8")
    assert "The words of this ruling are kept back." in page
    card = (done.folder / "DATACARD.md").read_text(encoding="utf-8")
    assert "- Edition 1 of the guide is not here" in card


def test_notes_are_looked_through(laid: Workspace, tmp_path: Path) -> None:
    """On a public group a name, a sealed text or an address keeps all in; on a sealed one not."""
    bank = load_bank(laid)
    layers = layers_of(laid, bank)
    shut = ready_project.sealed_group(laid)
    shown = min(layers.public)
    words = " ".join((shut.items[0].text or "").upper().split()[2:10])
    ready_project.judged_again(laid, "badr", shut.template_id, f"Amal, see {words}")
    folder = publish(ready_project.finish(laid), tmp_path / "fine").folder
    assert "Amal" not in (folder / "decisions" / "review.1.jsonl").read_text(encoding="utf-8")
    ready_project.judged_again(laid, "badr", shown, f"Amal, see {words}, or ring 07701234567")
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


@pytest.mark.parametrize("named", ["amal", "Amal", "AMAL", "ａｍａｌ"])
def test_a_name_in_a_waiver_is_refused(laid: Workspace, tmp_path: Path, named: str) -> None:
    """As a whole word, in any spelling."""
    bank = load_bank(laid)
    shown = min(layers_of(laid, bank).public)
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


def test_a_name_that_is_a_word_is_named_to_be_published(laid: Workspace, tmp_path: Path) -> None:
    """Somebody says so, and is told that nobody looked."""
    ready_project.rule(laid, "In hope (amal) of better items, keep each request short.")
    ready_project.finish(laid)
    assert [each.wrong for each in prepare(laid).problems] == ["names amal"]
    done = publish(laid, tmp_path / "out", words=["amal"])
    assert "not looked for, as you said: amal" in done.notices


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
    path.write_text(text.replace(digest, "f" * 12), encoding="utf-8")
    said = refused(ready, tmp_path / "out")
    (sentence,) = said
    assert sentence == (
        f"bank/statements/harm-review.md: the harm review covers {'f' * 12}, and the public groups"
        f" are {digest}; review what changed, then set `covers: {digest}`"
    )


def test_slots_are_laid_once_and_refuse_until_filled(laid: Workspace, tmp_path: Path) -> None:
    """Laying again overwrites nothing; every open place is named with its line."""
    assert len(lay_slots(laid)) == 4
    path = laid.statements / "competing-interests.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nmine\n", encoding="utf-8")
    assert lay_slots(laid) == ()
    assert path.read_text(encoding="utf-8").endswith("mine\n")
    said = refused(laid, tmp_path / "out")
    assert any(
        each.startswith("bank/statements/competing-interests.md:8: still to be filled in: who paid")
        for each in said
    )
    assert sum(": still to be filled in: " in each for each in said) == 22


def test_a_bank_that_moved_on_is_not_what_was_certified(ready: Workspace, tmp_path: Path) -> None:
    """Publish from the frozen state, or freeze anew."""
    bank = load_bank(ready)
    group = next(g for g in bank.groups if g.template_id == "T4-a")
    clean_bank.put(ready, group.model_copy(update={"audience": "grown-ups"}))
    said = "\n".join(refused(ready, tmp_path / "out"))
    assert "the bank is not what one froze" in said


@pytest.mark.parametrize("place", ["checklists/t1.yaml", "bank/plan.yaml"])
def test_what_changed_since_the_freeze_keeps_everything_in(
    ready: Workspace, tmp_path: Path, place: str
) -> None:
    """The certificate would vouch for a file that nobody froze; an amendment names it."""
    path = ready.root / place
    path.write_text(f"{path.read_text(encoding='utf-8')}# later\n", encoding="utf-8")
    (said,) = refused(ready, tmp_path / "out")
    assert said.startswith(f"{place}: is not what was frozen; ")
    amend(ready, "A word.", reason="a typo", effect="none", name="amal", files=[place])
    assert publish(ready, tmp_path / "out").number == 1


@pytest.mark.parametrize("name", ["certificate.json", "CERTIFICATE.md", "groups.jsonl"])
def test_a_certificate_that_was_altered_is_not_published(
    ready: Workspace, tmp_path: Path, name: str
) -> None:
    """It has to be the one that the log of freezes recorded."""
    path = ready.freezes / "one" / name
    path.write_bytes(path.read_bytes().replace(b"accepted", b"excepted").replace(b'":', b'" :', 1))
    said = refused(ready, tmp_path / "out")
    assert any(f"{ready.shown(path)}: is not what was frozen" in each for each in said)


def test_a_sealed_text_within_a_public_one_keeps_everything_in(
    laid: Workspace, tmp_path: Path
) -> None:
    """A longer public prompt that quotes a sealed one gives it away whole."""
    shut = ready_project.sealed_group(laid, "T4")
    bank = load_bank(laid)
    shown = next(
        g for g in bank.groups if g.test_type == "T4" and g.template_id != shut.template_id
    )
    items = [
        each.model_copy(update={"text": f"Answer in one line: {shut.items[0].text} Be brief."})
        for each in shown.items
    ]
    clean_bank.put(laid, shown.model_copy(update={"items": tuple(items)}))
    said = "\n".join(refused(laid, tmp_path / "out"))
    wrong = f"{shut.template_id}, sealed, shares a template or a text with {shown.template_id}"
    assert wrong in said


def test_a_wording_of_the_taxonomy_is_no_place_for_a_sealed_text(
    laid: Workspace, tmp_path: Path
) -> None:
    """Options that say no more than a wording are excused, and prompts are not."""
    shut = ready_project.sealed_group(laid)
    text = yaml.safe_load(laid.taxonomy.read_text(encoding="utf-8"))
    text["cannot_be_determined"]["en"].append(shut.items[0].text)
    laid.taxonomy.write_text(yaml.safe_dump(text, allow_unicode=True), encoding="utf-8")
    said = "\n".join(refused(laid, tmp_path / "out"))
    assert f"bank/taxonomy.yaml: holds words of the sealed group {shut.template_id}" in said


def test_a_file_that_is_no_text_is_refused(laid: Workspace, tmp_path: Path) -> None:
    """Nobody can tell what a picture or a PDF among the checklists shows."""
    (laid.checklists / "sketch.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\1\2")
    said = "\n".join(refused(ready_project.finish(laid), tmp_path / "out"))
    assert "checklists/sketch.png: is neither text" in said


def test_undrawn_groups_keep_everything_in(laid: Workspace, tmp_path: Path) -> None:
    """A group that no draw has seen is neither public nor sealed."""
    clean_bank.put(laid, small_bank.t1("T1-new", base="Sing a verse to {value}."))
    said = "\n".join(refused(laid, tmp_path / "out"))
    assert "1 groups were never drawn: T1-new" in said


def test_a_folder_that_is_in_use_is_refused(ready: Workspace, tmp_path: Path) -> None:
    """Nothing is written over, and nothing among the project's own files; an empty one is fine."""
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "a").write_text("mine", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    inside = (ready.bank / "out", ready.rulings / "out", ready.root / "voila_apps" / "out")
    for folder in (taken, taken / "a", tmp_path / "link", *inside):
        with pytest.raises(FolderInTheWay):
            publish(ready, folder)
    (tmp_path / "empty").mkdir()
    assert publish(ready, tmp_path / "empty").files > 30
    assert (taken / "a").read_text(encoding="utf-8") == "mine"


def test_a_leak_that_only_the_written_files_show_is_refused(
    laid: Workspace, tmp_path: Path
) -> None:
    """A checklist with a sealed text in base64 in its comments: found, and nothing is left."""
    shut = ready_project.sealed_group(laid)
    code = base64.b64encode((shut.items[0].text or "").encode()).decode()
    path = laid.checklists / "t1.yaml"
    path.write_text(f"{path.read_text(encoding='utf-8')}# {code}\n", encoding="utf-8")
    said = refused(ready_project.finish(laid), tmp_path / "out")
    (sentence,) = said
    assert sentence == (
        f"checklists/t1.yaml: holds words of the sealed group {shut.template_id} (behind base64);"
        " name the group by its identifier and leave its words out"
    )


def test_a_second_freeze_can_be_named(ready: Workspace, tmp_path: Path) -> None:
    """The last one goes along by default; an unknown one is refused with those there are."""
    freeze(ready, "two", name="badr")
    said = refused(ready, tmp_path / "no", freeze="three")
    assert any("name one of one, two" in each for each in said)
    for name in ("one", "two"):
        folder = publish(ready, tmp_path / name, freeze=name).folder
        certificate = json.loads((folder / "certificate" / "certificate.json").read_bytes())
        assert certificate["freeze"] == name


def test_a_harm_review_names_a_digest(laid: Workspace, tmp_path: Path) -> None:
    """What stands in `covers` and is no digest is told with where the digest is printed."""
    ready_project.state(laid)
    path = laid.statements / "harm-review.md"
    text = re.sub(r"covers: .*", "covers: all of them", path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")
    assert (
        "bank/statements/harm-review.md:4 covers: 'all of them' is no digest of groups; write the"
        " one that `reviewkit publish --check` prints first"
    ) in refused(laid, tmp_path / "out")


def test_a_retired_sealed_group_stays_sealed(laid: Workspace, tmp_path: Path) -> None:
    """It left the bank, and its words are sought all the same."""
    shut = ready_project.sealed_group(laid)
    retire(laid, shut.template_id, reason="two sources fell out", name="amal")
    # another takes its place, or less than half of the bank would be sealed
    clean_bank.put(laid, small_bank.t1("T1-new", base="Sing a short verse to {value} of spring."))
    draw_layers(laid, load_bank(laid), share=100)
    for rater in ("amal", "badr"):
        ready_project.judged_again(laid, rater, "T1-new")
    assert prepare(ready_project.finish(laid)).problems == []
    text = (shut.items[0].text or "").upper()
    state = laid.statements / "competing-interests.md"
    state.write_text(f"{state.read_text(encoding='utf-8')}\n{text}\n", encoding="utf-8")
    (said,) = refused(laid, tmp_path / "out")
    wrong = f"holds words of the sealed group {shut.template_id}"
    assert said.startswith(f"bank/statements/competing-interests.md: {wrong}")


def test_two_publications_at_once_have_numbers_of_their_own(
    ready: Workspace, tmp_path: Path
) -> None:
    """Each is whole and on record; to one folder, only one of them goes."""
    command = [sys.executable, "-m", "reviewkit.cli.app", "publish"]
    both = [
        subprocess.Popen([*command, str(tmp_path / name)], cwd=ready.root, stderr=subprocess.PIPE)
        for name in ("a", "b")
    ]
    assert [each.communicate()[1] for each in both] == [b"", b""]
    assert {line.publication for line in publication_lines(ready)} == {1, 2}
    assert (tmp_path / "a" / "SHA256SUMS").is_file()
    assert (tmp_path / "b" / "SHA256SUMS").is_file()


def test_a_disk_that_is_full_leaves_nothing(ready: Workspace, tmp_path: Path) -> None:
    """No folder, no record, and a sentence that says which."""
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096));"
        " from reviewkit.cli.app import main; sys.argv = ['reviewkit', 'publish', sys.argv[1]];"
        " main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "out")],
        cwd=ready.root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1
    assert f"{tmp_path / 'out'}: nothing was recorded: " in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["project"]
    assert not ready.publications.exists()
