"""Files are read as text with line numbers, and every refusal says where and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from reviewkit.problems import Problem, ProblemsFound
from reviewkit.sources import Source, build, collect, load_jsonl, load_yaml, told
from reviewkit.sources.yaml_files import SIZE_LIMIT, read_yaml


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Entry(Strict):
    name: Annotated[str, StringConstraints(min_length=1)]
    good: Literal["yes", "no"]
    place: Annotated[int, Field(ge=1)] = 1


class Answers(Strict):
    rater: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")] = "amal"
    register_: Annotated[str, Field(alias="register")] = "standard"
    entries: Annotated[tuple[Entry, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _names_differ(self) -> Answers:
        names = [entry.name for entry in self.entries]
        if len(names) != len(set(names)):
            raise told("two entries have one name", "rename one", ("entries", len(names) - 1))
        return self


def write(folder: Path, text: str | bytes, name: str = "f.yaml") -> Path:
    """Write a file exactly as given."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def sentences(call: Any, *args: Any) -> list[str]:
    """Return the problems a call raises, as printed."""
    with pytest.raises(ProblemsFound) as found:
        call(*args)
    return [str(problem) for problem in found.value.problems]


def test_every_scalar_stays_text(tmp_path: Path) -> None:
    """Words that YAML 1.1 takes for booleans, numbers or nothing arrive as written."""
    path = write(tmp_path, "yes: no\non: 007\n~: NA\nx: [true, null, 1e3, 0x1F, 2026-01-02, '']\n")
    assert load_yaml(path, "f.yaml").value == {
        "yes": "no",
        "on": "007",
        "~": "NA",
        "x": ["true", "null", "1e3", "0x1F", "2026-01-02", ""],
    }


def test_places_have_lines(tmp_path: Path) -> None:
    """Every place has its line; one that is not in the file has that of its nearest ancestor."""
    source = load_yaml(
        write(tmp_path, "a: 1\nb:\n  - c: 2\n    d: >-\n      x\n      y\n  - e\n"), "f.yaml"
    )
    assert source.value == {"a": "1", "b": [{"c": "2", "d": "x y"}, "e"]}
    assert source.line() == 1
    assert source.line(("b",)) == 2
    assert source.line(("b", 0, "d")) == 4
    assert source.line(("b", 1)) == 7
    assert source.line(("b", 0, "missing", 3)) == 3
    assert source.where(("b", 0, "d")) == "f.yaml:4 b[0].d"
    assert source.where() == "f.yaml:1"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xef\xbb\xbfa: b\n", "1: begins with a byte order mark; save it as UTF-8 without a BOM"),
        (b"a: b\r\nc: d\r\n", "1: has a line end with CR; save the file with LF line ends"),
        (b"a: b\nc: d\re: f\n", "2: has a line end with CR; save the file with LF line ends"),
        (b"a: b\nc: \xe9\n", "2: is not UTF-8 (byte 0xe9); save the file as UTF-8"),
        (b"\xff\xfea\0:\0", "1: is UTF-16; save the file as UTF-8"),
        (b"a: b\nc: x\0y\n", "2: holds a NUL character; remove it"),
        (
            b"a: x\x07y\n",
            (
                "1: holds the control character U+0007; "
                'remove it or write it as "\\u0007" in double quotes'
            ),
        ),
        (b'a: "\\0"\n', "1 a: the text holds a NUL character; remove it"),
        (b"a:\n\tb: c\n", "2: a tab stands where YAML wants spaces; indent with spaces"),
        (
            b"a: 1\nb: &x 2\n",
            "2 b: '&x' is a YAML anchor; remove it, or put the text in quotes",
        ),
        (
            b"a: !!int 2\n",
            "1 a: 'tag:yaml.org,2002:int' is a YAML tag; remove it, or put the text in quotes",
        ),
        (b"a: 1\n---\nb: 2\n", "2: a second document begins; keep one document a file"),
        (b"- a\n", "1: is not a mapping of fields; write 'field: value', one field a line"),
        (b"", "1: is empty; write 'field: value', one field a line"),
        (b"[a]: b\n", "1: a key is not plain text; write a name before the colon"),
        (b"a: " + b"[" * 60 + b"]" * 60, "1: is nested more than 50 deep; write it flatter"),
        (b"x: 1\na: *b*\n", "2: a text cannot begin with '*' or '&'; put the text in quotes"),
        (b"a: @b\n", "1: a text cannot begin with '@'; put the text in quotes"),
        (
            b"a: b\ncd\ne: f\n",
            "2: a line without 'field: value'; add the colon or indent the line",
        ),
        (
            b"a:\n    b: c\n  d: e\n",
            "3: the line does not fit what stands above; align it, or check the quotes",
        ),
        (b'a: "b\nc: d\n', "1: a quote is opened and not closed; close it with a quote"),
        (
            b'a: "\\q"\n',
            "1: a backslash in double quotes that means nothing; use single quotes",
        ),
    ],
)
def test_unreadable_yaml_is_refused_in_one_sentence(
    data: bytes, sentence: str, tmp_path: Path
) -> None:
    """Each refusal names file and line, says what is wrong and ends with what to do."""
    assert sentences(load_yaml, write(tmp_path, data), "f.yaml") == [f"f.yaml:{sentence}"]


@pytest.mark.parametrize("loader", [yaml.BaseLoader, getattr(yaml, "CBaseLoader", yaml.BaseLoader)])
@pytest.mark.parametrize(
    "text",
    ["a: b: c\n", "a:\n\tb: c\n", 'a: "b\n', "a: [b\n", "a: b\n  c: d\n", "a: *b*\n", "a: {b: c\n"],
)
def test_both_yaml_parsers_lead_to_the_same_sentence(loader: Any, text: str) -> None:
    """A machine without libyaml prints what every other one prints."""
    assert sentences(read_yaml, text, "f", loader) == sentences(read_yaml, text, "f")


def test_equal_keys_are_all_named_with_both_lines(tmp_path: Path) -> None:
    """No value is silently lost: each repeated key names the line of the first."""
    path = write(tmp_path, "a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\na: 4\n'b': 5\n")
    tail = "; keep one of the two"
    assert sentences(load_yaml, path, "f.yaml") == [
        f"f.yaml:5 b.c: the key 'c' stands a second time, first on line 3{tail}",
        f"f.yaml:6 a: the key 'a' stands a second time, first on line 1{tail}",
        f"f.yaml:7 b: the key 'b' stands a second time, first on line 2{tail}",
    ]


def test_missing_folder_and_oversized_files_are_refused(tmp_path: Path) -> None:
    """Nothing is read that is not there, is no file, or is out of all proportion."""
    assert sentences(load_yaml, tmp_path / "no.yaml", "no.yaml") == [
        "no.yaml: does not exist; create it or correct the name"
    ]
    assert sentences(load_yaml, tmp_path, "bank") == ["bank: is not a file; put a file there"]
    big = write(tmp_path, b"a: " + b"x" * SIZE_LIMIT)
    assert sentences(load_yaml, big, "f.yaml") == [
        "f.yaml: is larger than 5 MB; split it into several"
    ]


TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufffe\uffff"),
    max_size=20,
)


@settings(deadline=None)
@given(st.dictionaries(TEXTS, TEXTS))
def test_quoted_text_of_any_script_arrives_unchanged(value: dict[str, str]) -> None:
    """Hidden characters, every script and every space inside quotes survive reading."""
    text = json.dumps(value, ensure_ascii=False)
    assert read_yaml(text, "f.yaml").value == value


def test_boolean_where_yes_or_no_is_wanted(tmp_path: Path) -> None:
    """`true` is told apart from `yes`, in YAML and in JSON alike, with one sentence."""
    path = write(tmp_path, "entries:\n  - name: even\n    good: true\n  - {name: odd, good: yes}\n")
    assert sentences(build, load_yaml(path, "answers.yaml"), Answers) == [
        "answers.yaml:3 entries[0].good: got 'true'; use yes or no"
    ]
    line = '\n{"entries": [{"name": "even", "good": true}]}\n'
    (source,) = load_jsonl(write(tmp_path, line, "a.jsonl"), "a.jsonl")
    assert sentences(build, source, Answers) == [
        "a.jsonl:2 entries[0].good: got 'true'; use yes or no"
    ]


def test_all_faults_of_a_model_come_in_order_of_lines(tmp_path: Path) -> None:
    """Wrong values, unknown fields and missing ones are reported together."""
    text = (
        "rater: 'Amal K'\nregisterr: x\ncolour: red\nentries:\n"
        "  - {name: '', good: maybe}\n"
        "  - {nmae: b, good: no, place: zero}\n"
        "  - {good: no, place: 0}\n"
        "  - {name: [x], good: {a: b}}\n  - x\n"
    )
    assert sentences(build, load_yaml(write(tmp_path, text), "f.yaml"), Answers) == [
        (
            "f.yaml:1 rater: got 'Amal K'; use only letters a to z, letters A to Z, digits, '.', "
            "'_' and '-', and begin with a letter a to z, a letter A to Z or a digit"
        ),
        "f.yaml:2 registerr: unknown field 'registerr'; did you mean 'register'?",
        "f.yaml:3 colour: unknown field 'colour'; use rater, register or entries",
        "f.yaml:5 entries[0].name: is empty; write it",
        "f.yaml:5 entries[0].good: got 'maybe'; use yes or no",
        "f.yaml:6 entries[1].place: got 'zero'; use a whole number",
        "f.yaml:6 entries[1].nmae: unknown field 'nmae'; did you mean 'name'?",
        "f.yaml:7 entries[2].place: got '0'; use 1 or more",
        "f.yaml:7 entries[2]: has no field 'name'; add it",
        "f.yaml:8 entries[3].name: got a list; write one text",
        "f.yaml:8 entries[3].good: got a mapping; use yes or no",
        "f.yaml:9 entries[4]: got 'x'; write 'name: value' lines below it",
    ]


def test_a_models_own_rule_is_told_at_its_place(tmp_path: Path) -> None:
    """A rule over several fields points at the line of the one to change."""
    text = "entries:\n  - {name: a, good: yes}\n  - {name: a, good: yes}\n"
    assert sentences(build, load_yaml(write(tmp_path, text), "f.yaml"), Answers) == [
        "f.yaml:3 entries[1]: two entries have one name; rename one"
    ]


def test_part_of_a_source_is_built_with_its_own_lines(tmp_path: Path) -> None:
    """A model for one entry still reports the line in the whole file."""
    source = load_yaml(write(tmp_path, "entries:\n  - name: a\n    good: nope\n"), "f.yaml")
    sentence = "f.yaml:3 entries[0].good: got 'nope'; use yes or no"
    assert sentences(build, source, Entry, None, ("entries", 0)) == [sentence]
    given_value = source.value["entries"][0]
    assert sentences(build, source, Entry, given_value, ("entries", 0)) == [sentence]
    assert build(source, Entry, {"name": "b", "good": "yes"}, ("entries", 0)).name == "b"


def test_long_values_are_cut_in_messages(tmp_path: Path) -> None:
    """A page of text in the wrong place does not fill the screen."""
    source = load_yaml(write(tmp_path, f"name: a\ngood: {'x' * 500}\n"), "f.yaml")
    (sentence,) = sentences(build, source, Entry)
    assert sentence == f"f.yaml:2 good: got '{'x' * 59}…'; use yes or no"


def test_jsonl_is_text_with_lines(tmp_path: Path) -> None:
    """Numbers stay as written, booleans are words, null is an absent field, blanks are skipped."""
    text = '{"a": 7.50e1, "b": [1, true]}\n'
    path = write(tmp_path, text + "\n" + '{"c": null, "d": {"e": "\u2028"}}\n', "f.jsonl")
    first, second = load_jsonl(path, "f.jsonl")
    assert first.value == {"a": "7.50e1", "b": ["1", "true"]}
    assert second.value == {"d": {"e": "\u2028"}}
    assert second.where(("d", "e")) == "f.jsonl:3 d.e"


def test_bad_jsonl_lines_are_all_named(tmp_path: Path) -> None:
    """One bad line hides no other."""
    lines = [
        '{"a": 1, "b": {"c": 1, "c": 2}}',
        "{a}",
        "[1]",
        '{"a": NaN}',
        '{"a": "\\ud800"}',
        '{"a": [null]}',
        '{"a": ' + "[" * 60 + "]" * 60 + "}",
        '{"a": ' + "[" * 100_000,
        '{"ok": "yes"}',
    ]
    assert sentences(load_jsonl, write(tmp_path, "\n".join(lines), "f.jsonl"), "f.jsonl") == [
        "f.jsonl:1 b: the key 'c' stands a second time; keep one of the two",
        (
            "f.jsonl:2: is not valid JSON at column 2 (Expecting property name enclosed in double "
            "quotes); correct the line"
        ),
        'f.jsonl:3: is not an object; write {"field": value, ...}',
        "f.jsonl:4: holds NaN, which is not JSON; correct the line",
        "f.jsonl:5 a: the text holds half a character (a surrogate); write the whole character",
        "f.jsonl:6 a[0]: null in a list; write a value or remove it",
        "f.jsonl:7: is nested too deep; write it flatter",
        "f.jsonl:8: is nested too deep; correct the line",
    ]


def test_jsonl_refuses_the_same_bytes_as_yaml(tmp_path: Path) -> None:
    """A byte order mark, CR line ends and other encodings are refused here too."""
    path = write(tmp_path, b'\xef\xbb\xbf{"a": 1}\r\n', "f.jsonl")
    assert sentences(load_jsonl, path, "f.jsonl") == [
        "f.jsonl:1: begins with a byte order mark; save it as UTF-8 without a BOM",
        "f.jsonl:1: has a line end with CR; save the file with LF line ends",
    ]


def test_collect_raises_the_problems_of_all_files_in_order(tmp_path: Path) -> None:
    """Files come as they were read, each in order of lines, and a repeated problem once."""
    late, early = Problem("b:9 x", "late", "mend"), Problem("b:2", "early", "mend")

    def gather() -> None:
        with collect() as faults:
            missing = tmp_path / "z.yaml"
            assert faults.attempt(load_yaml, missing, "z.yaml") is None
            faults.add([late, early, late])
            raise ProblemsFound([Problem("c:1", "raised", "mend")])

    assert sentences(gather) == [
        "z.yaml: does not exist; create it or correct the name",
        "b:2: early; mend",
        "b:9 x: late; mend",
        "c:1: raised; mend",
    ]


def test_collect_without_problems_passes_results_on(tmp_path: Path) -> None:
    """A clean file is returned and nothing is raised."""
    with collect() as faults:
        source = faults.attempt(load_yaml, write(tmp_path, "a: b\n"), "f.yaml")
    assert isinstance(source, Source)


def test_collect_does_not_hide_a_bug() -> None:
    """An exception that is no user fault passes through, whatever was gathered before it."""

    def fail() -> None:
        with collect() as faults:
            faults.add([Problem("a:1", "x", "y")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()


def test_file_with_equal_keys_is_read_on_but_never_let_out(tmp_path: Path) -> None:
    """Further faults of such a file are found in the same run; the block still raises."""
    path = write(tmp_path, "name: a\nname: b\ngood: maybe\n")

    def read() -> None:
        with collect() as faults:
            source = faults.read(load_yaml, path, "f.yaml")
            assert source is not None
            faults.attempt(build, source, Entry)

    assert sentences(read) == [
        "f.yaml:2 name: the key 'name' stands a second time, first on line 1; keep one of the two",
        "f.yaml:3 good: got 'maybe'; use yes or no",
    ]
