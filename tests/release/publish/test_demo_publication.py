"""The demo bank from the draw to the folder that goes out."""

from __future__ import annotations

import base64
import html
import json
import unicodedata
import urllib.parse

import pytest

from reviewkit.bank import load_bank
from reviewkit.release.freeze import freeze, verify_freeze
from reviewkit.release.guard import guard_of
from reviewkit.release.guard.sealed_texts import texts_of
from reviewkit.release.layers import layers_of, seal
from reviewkit.release.publish import Publication, publish
from reviewkit.release.publish.people import people_of
from reviewkit.rulings.guides import publish as publish_guide
from reviewkit.workspace import Workspace
from tests.authoring import second_reviews
from tests.release.freeze import clean_bank
from tests.release.publish import ready_project


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return the demo bank sealed, reviewed, ruled, stated and frozen; its guide is published."""
    demo = second_reviews.lay(tmp_path_factory.mktemp("demo") / "project")
    path = demo.study_file("demo")
    text = path.read_text(encoding="utf-8")
    text = text.replace("first-reviewer", "amal").replace("second-reviewer", "badr")
    path.write_text(text, encoding="utf-8")
    seal(demo, load_bank(demo), seed=ready_project.SEED)
    for rater in ("amal", "badr"):
        clean_bank.review(demo, rater, study="demo")
    ready_project.rule(demo, "A value stands in the same grammatical case in every version.")
    ready_project.rule(demo, "لا يذكر اسم أي شخص حقيقي في أي بند.", "badr")
    publish_guide(demo, name="amal")
    ready_project.state(demo)
    freeze(demo, "demo-1", name="amal")
    return demo


@pytest.fixture(scope="module")
def done(demo: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Publication:
    """Publish it."""
    return publish(demo, tmp_path_factory.mktemp("published") / "out")


def test_no_sealed_text_of_the_demo_bank_goes_out(demo: Workspace, done: Publication) -> None:
    """In no spelling and no escape, by plain search and by the whole scan; and no name either."""
    bank = load_bank(demo)
    layers = layers_of(demo, bank)
    assert 2 * layers.sealed_items >= layers.items == 58
    assert done.groups == len(layers.public)
    files = [path for path in done.folder.rglob("*") if path.is_file()]
    every = "\n".join(
        [path.read_text(encoding="utf-8") for path in files]
        + [path.relative_to(done.folder).as_posix() for path in files]
    )
    composed = unicodedata.normalize("NFC", every)
    public = {t for g in bank.groups if g.template_id in layers.public for t, _ in texts_of(g)}
    own = {t for g in bank.groups if g.template_id in layers.sealed for t, _ in texts_of(g)}
    own -= public | {t for texts in bank.taxonomy.cannot_be_determined.values() for t in texts}
    assert len(own) > 25
    for text in own:
        assert unicodedata.normalize("NFC", text) not in composed
        for hidden in (
            json.dumps(text)[1:-1], html.escape(text), urllib.parse.quote(text),
            base64.b64encode(text.encode()).decode(),
        ):  # fmt: skip
            assert hidden not in every
    assert "amal" not in every.casefold()
    assert "badr" not in every.casefold()
    guard = guard_of(demo, bank, layers, people_of(demo, bank).names)
    assert list(guard.faults_in(done.folder, {})) == []


def test_a_publication_is_a_project_and_leaves_the_freeze_sound(
    demo: Workspace, done: Publication
) -> None:
    """The guide's editions go along, and the freeze it certifies still holds here."""
    folder = done.folder
    assert (folder / "rulings" / "guides" / "edition-01" / "author-guide.ar.md").is_file()
    editions = json.loads((folder / "rulings" / "guides" / "editions.json").read_bytes())
    assert [each["name"].partition("-")[0] for each in editions] == ["person"]
    assert len(load_bank(Workspace(folder)).groups) < 25
    found = verify_freeze(demo)
    assert found.sound, found
