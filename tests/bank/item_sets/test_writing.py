"""Groups of an import as files: they read back as they were, and nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.judging.large_bank import write_set
from reviewkit.bank import load_bank
from reviewkit.bank.item_sets import writing
from reviewkit.bank.item_sets.reading import read_items
from reviewkit.bank.taxonomy import Taxonomy
from reviewkit.workspace import Workspace

from .conftest import ASKED, STARTER


@pytest.fixture
def project(tmp_path: Path) -> Workspace:
    """A folder with the starter's taxonomy and an empty bank."""
    ws = Workspace(tmp_path / "project")
    ws.groups.mkdir(parents=True)
    ws.taxonomy.write_text(STARTER.read_text(encoding="utf-8"), encoding="utf-8")
    return ws


@pytest.mark.parametrize(("each", "files"), [(500, 12), (3, 3)])
def test_one_file_each_or_many_a_file(
    tmp_path: Path, project: Workspace, taxonomy: Taxonomy, monkeypatch: pytest.MonkeyPatch,
    each: int, files: int,
) -> None:  # fmt: skip
    """However they are laid, the bank holds the very groups that were read."""
    monkeypatch.setattr(writing, "FILE_EACH", each)
    monkeypatch.setattr(writing, "GROUPS_A_FILE", 5)
    path = write_set(tmp_path / "set.jsonl", 12)
    taken = read_items([(path, "set.jsonl")], taxonomy, ASKED)
    assert taken.left_out == ()
    written = writing.write_groups(project, taken.groups, "bbq")
    assert len(written) == files
    bank = load_bank(project)
    assert {g.template_id: g.digest for g in bank.groups} == {
        g.template_id: g.digest for g in taken.groups
    }


def test_a_file_in_the_way_leaves_nothing_behind(
    tmp_path: Path, project: Workspace, taxonomy: Taxonomy
) -> None:
    """What was written before the file in the way is taken back."""
    path = write_set(tmp_path / "set.jsonl", 12)
    groups = read_items([(path, "set.jsonl")], taxonomy, ASKED).groups
    in_the_way = project.groups / f"{groups[-1].template_id}.yaml"
    in_the_way.write_text("here\n", encoding="utf-8")
    with pytest.raises(FileExistsError):
        writing.write_groups(project, groups, "bbq")
    assert list(project.groups.iterdir()) == [in_the_way]
