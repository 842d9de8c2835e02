"""INCEpTION: raters who finished, in WebAnno TSV and UIMA CAS JSON; curation is no rater."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import ProblemsFound
from tests.agreement.label_files.tools.exports import left_out, votes_in

TEXT = "The red bus stops"


def tsv(*cells: str, layers: str = "#T_SP=custom.Tone|value|sure\n") -> str:
    """Return a WebAnno TSV with the given cells behind each of the four words."""
    words = (("0-3", "The"), ("4-7", "red"), ("8-11", "bus"), ("12-17", "stops"))
    body = "".join(
        f"1-{at}\t{place}\t{word}\t{cell}\t\n"
        for at, ((place, word), cell) in enumerate(zip(words, cells, strict=True), start=1)
    )
    return f"#FORMAT=WebAnno TSV 3.3\n{layers}\n\n#Text={TEXT}\n{body}"


def cas(*structures: Mapping[str, Any], text: str = TEXT) -> str:
    """Return a UIMA CAS JSON with these annotations."""
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": text}
    token = {"%ID": 2, "%TYPE": "de.x.segmentation.type.Token", "begin": 0, "end": 3}
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": [sofa, token, *structures]})


def tone(begin: int, end: int, value: str | None, **more: Any) -> dict[str, Any]:
    """Return an annotation of a layer."""
    given = {} if value is None else {"value": value}
    return {"%ID": 9, "%TYPE": "custom.Tone", "@sofa": 1, "begin": begin, "end": end} | given | more


def project(*states: tuple[str, str, str]) -> str:
    """Return the description of a project: document, user and state of each annotation."""
    documents = [{"name": name, "user": user, "state": state} for name, user, state in states]
    return json.dumps({"name": "demo", "annotation_documents": documents})


def packed(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Return an archive with these files."""
    path = folder / "project.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return path


def read(path: Path, **asked: Any) -> Votes:
    """Return the votes of an export that must be known by what it holds."""
    return votes_in(path, "inception", **asked)


def rows(votes: Votes) -> set[tuple[str | None, ...]]:
    """Return unit, rater, label and question of each vote."""
    assert votes.question is not None
    columns = (votes.unit, votes.rater, votes.label, votes.question)
    return {tuple(column.cell(at) for column in columns) for at in range(len(votes.unit))}


def test_only_those_who_finished(tmp_path: Path) -> None:
    """Unfinished work is left out, an ignored document is a skip, curation and start are nobody."""
    path = packed(
        tmp_path,
        {
            "exportedproject-1.json": project(
                ("a.txt", "amal", "FINISHED"), ("a.txt", "badr", "FINISHED"),
                ("a.txt", "carla", "IN_PROGRESS"), ("a.txt", "dina", "IGNORE"),
            ),
            "annotation/a.txt/amal.json": cas(tone(8, 11, "kind")),
            "annotation/a.txt/badr.json": cas(tone(8, 11, "rude")),
            "annotation/a.txt/carla.json": cas(tone(8, 11, "kind")),
            "annotation/a.txt/dina.json": cas(),
            "annotation/a.txt/INITIAL_CAS.json": cas(tone(0, 3, "kind")),
            "annotation_ser/a.txt/amal.ser": b"\x00",
            "curation/a.txt/CURATION_USER.json": cas(tone(8, 11, "kind")),
            "source/a.txt": TEXT,
        },
    )  # fmt: skip
    votes = read(path)
    assert rows(votes) == {
        ("a.txt:8-11", "amal", "kind", "Tone.value"), ("a.txt:8-11", "badr", "rude", "Tone.value"),
    }  # fmt: skip
    assert left_out(votes) == {"a document that its rater did not finish (in_progress)": 1}
    assert votes.skipped[0].reason == "skipped by dina"
    assert dict(votes.raters_set_aside) == {"curation": "what a curator settled is no rating"}
    assert votes.more["text"].values == ("bus",)
    assert votes.more["document"].values == ("a.txt",)


def test_without_states_everybody_is_read(tmp_path: Path) -> None:
    """A folder without the project's description is read whole, and the person is told."""
    for user, value in (("amal", "kind"), ("badr", "kind")):
        file = tmp_path / "annotation" / "a.txt" / f"{user}.tsv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(tsv("_\t_", "_\t_", f"{value}\t*", "_\t_"), encoding="utf-8")
    votes = read(tmp_path)
    assert {each[1] for each in rows(votes)} == {"amal", "badr"}
    assert any("does not say who finished" in each for each in votes.said)


def test_places_over_several_words(tmp_path: Path) -> None:
    """A number joins words to one place and tells two labels on one word apart."""
    stacked = "kind[1]|a\\|b[2]\tyes[1]|*[2]"
    files = {
        "annotation/a.txt/amal.tsv": tsv("_\t_", "kind[1]\tyes[1]", stacked, "_\t_"),
        "annotation/a.txt/badr.tsv": tsv("_\t_", "_\t_", "rude\t\\_\\*", "*\t*"),
    }  # fmt: skip
    votes = read(packed(tmp_path, files))
    assert rows(votes) == {
        ("a.txt:4-11", "amal", "kind", "Tone.value"), ("a.txt:4-11", "amal", "yes", "Tone.sure"),
        ("a.txt:8-11", "amal", "a|b", "Tone.value"), ("a.txt:8-11", "badr", "rude", "Tone.value"),
        ("a.txt:8-11", "badr", "_*", "Tone.sure"),
    }  # fmt: skip
    assert left_out(votes) == {"a marked place without a label": 3}


def test_layers_without_features_relations_and_roles(tmp_path: Path) -> None:
    """A layer without a feature has one label; what joins places is told, and columns stay true."""
    layers = (
        "#T_SP=de.x.segmentation.type.Part|a|b\n#T_SP=custom.Mark\n"
        "#T_SP=custom.Frame|ROLE_custom.Frame:r_custom.Link|custom.Mark\n"
        "#T_CH=custom.Chain|referenceType|referenceRelation\n#T_RL=custom.Link|kind|BT_custom.Mark\n"
    )
    none = "_\t_\t_\t_\t_\t_\t_\t_\t_"
    every = "x\ty\t*\tr\t1-1\tp[1]\tc->1-1\tk\t1-1"
    files = {
        f"annotation/a.txt/{user}.tsv": tsv(none, every, none, none, layers=layers)
        for user in ("amal", "badr")
    }
    votes = read(packed(tmp_path, files))
    assert rows(votes) == {("a.txt:4-7", name, "marked", "Mark") for name in ("amal", "badr")}
    assert left_out(votes) == {
        "roles in the layer Frame": 2, "relations of the layer Chain": 2,
        "relations of the layer Link": 2,
    }  # fmt: skip


def test_labels_of_the_document(tmp_path: Path) -> None:
    """An annotation without a place concerns the document, and a list of texts is a set."""
    several = {"%ID": 5, "%TYPE": "uima.cas.StringArray", "%ELEMENTS": ["b", "a"]}
    whole = {"%ID": 6, "%TYPE": "custom.About", "topic": "city", "@kinds": 5, "order": 1}
    link = {"%ID": 7, "%TYPE": "custom.Link", "@Governor": 9, "@Dependent": 9, "kind": "x"}
    files = {
        "annotation/a.txt/amal.json": cas(several, whole, link),
        "annotation/a.txt/badr.json": cas({**whole, "@kinds": 99}),
    }
    votes = read(packed(tmp_path, files))
    assert rows(votes) == {
        ("a.txt", "amal", '["city"]', "About.topic"),
        ("a.txt", "amal", '["a", "b"]', "About.kinds"),
        ("a.txt", "badr", '["city"]', "About.topic"),
    }
    assert left_out(votes) == {"a relation or role of the layer Link": 1}


def test_places_count_as_java_counts(tmp_path: Path) -> None:
    """A text with a character beyond U+FFFF is longer than it has letters, and nothing is cut."""
    text = "\U0001f68c bus"
    files = {
        f"annotation/a.txt/{user}.json": cas(tone(3, 6, "kind"), tone(3, 7, "far"), text=text)
        for user in ("amal", "badr")
    }
    votes = read(packed(tmp_path, files))
    assert {each[0] for each in rows(votes)} == {"a.txt:3-6"}
    assert left_out(votes) == {"a marked place that ends beyond the text": 2}
    assert "text" not in votes.more


def test_the_older_json(tmp_path: Path) -> None:
    """The form with views, whose first place may leave the zero away, is read the same."""
    sofa = {"_type": "Sofa", "sofaString": TEXT}
    views = {"Token": [{"begin": 0, "end": 3}], "Tone": [{"end": 3, "value": "kind"}]}
    old = json.dumps(
        {"_context": {}, "_views": {"_InitialView": views}, "_referenced_fss": {"1": sofa}}
    )
    files = {f"annotation/a.txt/{user}.json": old for user in ("amal", "badr")}
    assert {each[0] for each in rows(read(packed(tmp_path, files)))} == {"a.txt:0-3"}


def test_archives_inside_the_archive(tmp_path: Path) -> None:
    """WebAnno packs each annotation once more; its type system is no annotation."""
    inner = BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("any-name.tsv", tsv("_\t_", "_\t_", "kind\tyes", "_\t_"))
        archive.writestr("TypeSystem.json", "{}")
    finished = project(("a.txt", "amal", "FINISHED"), ("a.txt", "badr", "FINISHED"))
    files: dict[str, str | bytes] = {"exportedproject.json": finished}
    files |= {f"annotation/a.txt/{user}.zip": inner.getvalue() for user in ("amal", "badr")}
    assert {each[1] for each in rows(read(packed(tmp_path, files)))} == {"amal", "badr"}


def test_forms_that_are_not_read(tmp_path: Path) -> None:
    """Annotations in another form are refused with the form to export."""
    files = {"exportedproject.json": project(("a.txt", "amal", "FINISHED")),
             "annotation/a.txt/amal.xmi": "<xmi/>"}  # fmt: skip
    with pytest.raises(ProblemsFound, match=r"not read \(1 x .xmi\).*UIMA CAS JSON"):
        read(packed(tmp_path, files))


def test_curated_documents_alone(tmp_path: Path) -> None:
    """An export of curated documents holds no rater, and says which export does."""
    files = {"curation/a.txt/CURATION_USER.json": cas(tone(0, 3, "kind"))}
    with pytest.raises(ProblemsFound, match="curated documents alone"):
        read(packed(tmp_path, files))
    with pytest.raises(ProblemsFound, match="holds no annotations of a rater"):
        read(packed(tmp_path, {"exportedproject.json": project()}))


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    """A line with fewer cells than were declared stops with its place."""
    torn = tsv("_\t_", "_\t_", "kind\tyes", "_\t_").replace("\tkind\tyes\t", "")
    with pytest.raises(ProblemsFound, match=r"amal.tsv:8: has 3 cells or no place, and 5"):
        read(packed(tmp_path, {"annotation/a.txt/amal.tsv": torn}))
    with pytest.raises(ProblemsFound, match="is no UIMA CAS JSON"):
        read(
            packed(tmp_path, {"annotation/a.txt/amal.json": cas(), "annotation/b/amal.json": "[]"})
        )
