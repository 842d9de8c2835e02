"""Parsed files are kept by content: never by name or time, and nobody changes them for another."""

import os
from pathlib import Path

import pytest

from reviewkit.problems import ProblemsFound
from reviewkit.sources import load_yaml
from reviewkit.sources.kept import YAML_FILES, KeptContents, digest_of

TEXT = "name: first\nentries:\n  - id: one\n    text: نص\n"


def test_the_same_bytes_are_parsed_once_and_named_as_asked(
    tmp_path: Path, parses: list[str]
) -> None:
    """Two files with the same bytes are one content under two names."""
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    first, second = (load_yaml(tmp_path / name, name) for name in ("a.yaml", "b.yaml"))
    assert parses == ["a.yaml"]
    assert second.value == first.value == {
        "name": "first", "entries": [{"id": "one", "text": "نص"}],
    }  # fmt: skip
    assert second.lines == first.lines
    assert second.where(("entries", 0, "text")) == "b.yaml:4 entries[0].text"


def test_an_edit_within_the_same_moment_is_another_content(
    tmp_path: Path, parses: list[str]
) -> None:
    """Neither time nor length tells an edit; the bytes do."""
    path = tmp_path / "a.yaml"
    path.write_text(TEXT, encoding="utf-8")
    before = path.stat()
    load_yaml(path, "a.yaml")
    path.write_text(TEXT.replace("first", "other"), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert load_yaml(path, "a.yaml").value["name"] == "other"
    assert parses == ["a.yaml", "a.yaml"]


def test_who_changes_what_he_got_changes_it_for_nobody_else(tmp_path: Path) -> None:
    """Each caller gets values of his own."""
    path = tmp_path / "a.yaml"
    path.write_text(TEXT, encoding="utf-8")
    got = load_yaml(path, "a.yaml").value
    got["entries"].append("more")
    again = load_yaml(path, "a.yaml").value
    again["name"] = "changed"
    assert load_yaml(path, "a.yaml").value == {
        "name": "first", "entries": [{"id": "one", "text": "نص"}],
    }  # fmt: skip


@pytest.mark.parametrize("text", ["a: 1\na: 2\n", "a: &x 1\n", "a: [\n", "a: \x07\n", "- a\n"])
def test_a_file_with_faults_is_told_by_its_own_name_each_time(tmp_path: Path, text: str) -> None:
    """What is wrong with a file is never kept."""
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    for shown in ("one.yaml", "two.yaml"):
        with pytest.raises(ProblemsFound) as found:
            load_yaml(tmp_path / "bad.yaml", shown)
        assert all(each.where.startswith(shown) for each in found.value.problems)
    assert YAML_FILES.find(digest_of(text.encode())) is None


def test_what_is_kept_is_bounded_and_the_oldest_goes() -> None:
    """Too large a document is not kept, and all together have a limit."""
    kept = KeptContents(largest=500, altogether=1_000)
    digests = [digest_of(bytes([n])) for n in range(9)]
    for digest in digests[:8]:
        kept.keep(digest, {"text": "x" * 200}, {(): 1})
    kept.keep(digests[8], {"text": "x" * 600}, {(): 1})
    found = [kept.find(digest) is not None for digest in digests]
    assert not found[0]
    assert found[7]
    assert not found[8]
    assert sum(found) <= 4
