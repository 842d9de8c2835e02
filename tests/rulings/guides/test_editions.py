"""Editions: numbered, recorded, never rewritten, and found out when somebody does."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reviewkit.decisions import RecordRefused
from reviewkit.rulings import (
    EditionDamaged,
    NothingNew,
    Ruling,
    editions,
    folded_in,
    next_edition,
    publish,
    verify_editions,
)
from reviewkit.rulings.guides.content import Changed
from reviewkit.workspace import Workspace

FilesRuling = Callable[..., Ruling]


def verified(ws: Workspace) -> list[str]:
    """Return what is wrong with the editions of a folder."""
    report = verify_editions(ws.guide_editions, ws.shown(ws.guide_editions))
    return [str(each) for each in report.problems]


def bytes_in(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_an_edition_is_a_page_per_part_language_and_form(settled: Workspace) -> None:
    """The author guide and four checklists, in two languages, as Markdown and HTML."""
    edition = publish(settled, name="lead", on="2026-11-30")
    parts = ["author-guide", *(f"reviewer-checklist-t{n}" for n in range(1, 5))]
    names = {
        f"{part}.{tag}.{end}" for part in parts for tag in ("en", "ar") for end in ("md", "html")
    }
    assert set(bytes_in(edition.folder)) == names | {"guide.json"}
    assert edition.folder == settled.guides / "edition-01"
    assert edition.rulings == ("R-001", "R-003", "D-001", "R-004", "R-005", "R-006")
    assert set(edition.forms) == {"t1@1", "t2@1", "t3@2", "t4@1"}
    assert editions(settled) == (edition,)


def test_the_digest_can_be_computed_from_the_files_alone(settled: Workspace) -> None:
    """It is the SHA-256 of guide.json, it stands on every page, and every file has its own."""
    edition = publish(settled, name="Amal K.")
    found = bytes_in(edition.folder)
    assert hashlib.sha256(found["guide.json"]).hexdigest() == edition.digest
    assert {name: hashlib.sha256(raw).hexdigest() for name, raw in found.items()} == edition.files
    for name, raw in found.items():
        assert name == "guide.json" or edition.digest.encode() in raw
        assert b"Amal" not in raw
    assert verified(settled) == []


def test_pages_are_made_from_the_content_alone(settled: Workspace) -> None:
    """An old edition renders to the bytes that were published, whatever the project says now."""
    edition = publish(settled, name="lead")
    published = bytes_in(edition.folder)
    shutil.rmtree(settled.guide_rules)
    assert dict(edition.guide().files()) == published


def test_nothing_new_is_refused(settled: Workspace) -> None:
    """Publishing twice without a change is a sentence, and leaves nothing behind."""
    publish(settled, name="lead", on="2026-11-30")
    before = {path: path.stat().st_mtime_ns for path in settled.guides.rglob("*") if path.is_file()}
    with pytest.raises(NothingNew, match="nothing has changed since edition 1; publish again when"):
        publish(settled, name="lead", on="2026-12-24")
    after = {path: path.stat().st_mtime_ns for path in settled.guides.rglob("*") if path.is_file()}
    assert {path for path in after if after[path] != before.get(path)} == set()
    assert not next_edition(settled).is_changed


def test_a_new_edition_tells_what_changed(settled: Workspace, file_ruling: FilesRuling) -> None:
    """Rules, forms, checks and rulings that came, changed and went are named, on every page."""
    first = publish(settled, name="lead")
    kept = bytes_in(first.folder)
    rules = settled.guide_rules / "t1.yaml"
    text = rules.read_text(encoding="utf-8")
    text = text.replace("Ask for a short text", "Ask for one short text").replace(
        "id: everyday_scene", "id: daily_scene"
    )
    rules.write_text(text, encoding="utf-8")
    form = settled.checklists / "t2.yaml"
    text = form.read_text(encoding="utf-8")
    form.write_text(
        text.replace('version: "1"', 'version: "2"').replace("Cover the two", "Hide the two"),
        encoding="utf-8",
    )
    file_ruling("Twins are written by one hand.", "t1/dialect_twin", supersedes="R-004")
    second = publish(settled, name="lead")
    changes = second.guide().content.changes
    assert changes.rules == Changed(
        added=("t1:daily_scene",), changed=("t1:gradable_request",), removed=("t1:everyday_scene",)
    )
    assert changes.forms == Changed(added=("t2@2",), removed=("t2@1",))
    assert changes.checks == Changed(changed=("t2/no_hidden_cue",))
    assert changes.rulings == Changed(added=("R-007",), removed=("R-004",))
    pages = bytes_in(second.folder)
    assert b"- Checks, changed: `t2/no_hidden_cue`" in pages["reviewer-checklist-t2.en.md"]
    assert b"Nothing that stands on this page has changed." in pages["reviewer-checklist-t4.en.md"]
    assert b"- Rulings, removed: `R-004`" in pages["reviewer-checklist-t1.en.md"]
    assert b"R-004" not in pages["reviewer-checklist-t2.en.md"]
    assert second.guide().content.previous == first.digest
    assert bytes_in(first.folder) == kept
    assert verified(settled) == []


def test_a_ruling_knows_its_first_edition(settled: Workspace, file_ruling: FilesRuling) -> None:
    """The edition it was folded into stands in the index and on the page of rulings."""
    publish(settled, name="lead")
    file_ruling("Places are named as in speech.", "t1/natural")
    assert "R-007" not in folded_in(settled)
    publish(settled, name="lead")
    assert folded_in(settled) == {
        "R-001": 1, "R-003": 1, "D-001": 1, "R-004": 1, "R-005": 1, "R-006": 1, "R-007": 2,
    }  # fmt: skip
    page = settled.rulings_page.read_text(encoding="utf-8")
    told = page.partition("### R-007")[2].partition("###")[0]
    assert "- folded into edition 2 of the guide" in told
    assert "folded" not in page.partition("### R-002")[2].partition("###")[0]


def test_a_touched_edition_is_found_out(settled: Workspace) -> None:
    """A page that was edited, taken away or added is named, with what to do."""
    edition = publish(settled, name="lead")
    page = edition.folder / "author-guide.en.md"
    page.write_text(page.read_text(encoding="utf-8") + "Obey.\n", encoding="utf-8")
    (edition.folder / "author-guide.ar.md").unlink()
    (edition.folder / "author-guide.fr.md").write_text("Obéis.\n", encoding="utf-8")
    (settled.guides / "edition-02").mkdir()
    said = verified(settled)
    assert len(said) == 4
    start = "rulings/guides/edition-01/author-guide"
    assert f"{start}.en.md: is not what edition 1 was recorded with; put the file back" in said[1]
    assert f"{start}.ar.md: the file is gone" in said[0]
    assert f"{start}.fr.md: edition 1 was recorded without it" in said[2]
    assert "rulings/guides/edition-02: no record names it" in said[3]


def test_a_rewritten_content_stops_the_next_edition(settled: Workspace) -> None:
    """What changed cannot be told from a content that is not the recorded one."""
    edition = publish(settled, name="lead")
    path = edition.folder / "guide.json"
    path.write_text(path.read_text(encoding="utf-8").replace("stub", "note"), encoding="utf-8")
    with pytest.raises(EditionDamaged, match=r"edition-01/guide\.json: is not what edition 1"):
        next_edition(settled)
    path.unlink()
    with pytest.raises(EditionDamaged, match=r"guide\.json: no such file"):
        publish(settled, name="lead")


def test_a_rewritten_record_is_found_out(settled: Workspace) -> None:
    """The record is a chain: a digest that was changed to fit a page does not verify."""
    edition = publish(settled, name="lead")
    record = json.loads(settled.guide_editions.read_text(encoding="utf-8"))
    record["guide_digest"] = "0" * 64
    settled.guide_editions.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert "does not match its own digest" in verified(settled)[0]
    assert edition.digest != "0" * 64


def test_a_publication_that_was_cut_short_is_set_aside(settled: Workspace) -> None:
    """A folder without a record is no edition: the next one takes its place and keeps it."""
    left = settled.guides / "edition-01"
    left.mkdir(parents=True)
    (left / "author-guide.en.md").write_text("half\n", encoding="utf-8")
    edition = publish(settled, name="lead")
    assert len(bytes_in(edition.folder)) == len(edition.files)
    (aside,) = settled.guides.glob("edition-01.unrecorded-*")
    assert bytes_in(aside) == {"author-guide.en.md": b"half\n"}
    assert verified(settled) == []


def test_two_who_publish_at_once_make_one_edition(settled: Workspace) -> None:
    """The second is told that nothing has changed since the first."""

    def attempt(name: str) -> str:
        try:
            return str(publish(settled, name=name).number)
        except NothingNew as refused:
            return str(refused)[:19]

    with ThreadPoolExecutor(4) as pool:
        said = sorted(pool.map(attempt, ("amal", "bashir", "dina", "elias")))
    assert said == ["1", *["nothing has changed"] * 3]
    assert verified(settled) == []
    assert not list(settled.guides.glob(".edition-*"))


@pytest.mark.parametrize("name", ["", " \u200b", "x" * 201])
def test_somebody_publishes(settled: Workspace, name: str) -> None:
    """A name that is blank or endless is refused before anything is written."""
    with pytest.raises(RecordRefused, match="name"):
        publish(settled, name=name)
    assert not settled.guides.exists()
