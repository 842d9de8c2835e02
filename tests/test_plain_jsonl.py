"""The quick reading of a JSON line is the careful one, or leaves the line to it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewkit.sources import jsonl_files
from reviewkit.sources.jsonl_files import load_jsonl

_SCALAR = st.one_of(
    st.text(max_size=8), st.integers(), st.booleans(), st.none(),
    st.floats(allow_nan=False), st.sampled_from(["true", ", null]", "\u0000", "\\u0000"]),
)  # fmt: skip
_VALUE = st.recursive(
    _SCALAR,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


def read(path: object, monkeypatch: pytest.MonkeyPatch, *, quick: bool) -> object:
    """Return what a file holds, or its problems, with or without the quick reading."""
    with monkeypatch.context() as patched:
        if not quick:
            patched.setattr(jsonl_files, "_plainly", lambda _line: None)
        try:
            return [(each.value, dict(each.lines)) for each in load_jsonl(path, "f")]  # pyright: ignore[reportArgumentType]
        except Exception as error:  # noqa: BLE001 - compared below
            return str(error)


@settings(max_examples=300, deadline=None)
@given(
    value=st.dictionaries(st.text(max_size=4), _VALUE, max_size=4),
    ascii_only=st.booleans(),
    spaces=st.sampled_from([None, (",", ":"), (" , ", " : ")]),
)
def test_both_readings_agree(
    value: dict[str, object],
    ascii_only: bool,
    spaces: tuple[str, str] | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Values, lines and faults are the same for any object, however it is written."""
    line = json.dumps(value, ensure_ascii=ascii_only, separators=spaces)
    path = tmp_path_factory.getbasetemp() / "line.jsonl"
    path.write_bytes(line.encode("utf-8", "surrogatepass") + b"\n")
    with pytest.MonkeyPatch.context() as patch:
        assert read(path, patch, quick=True) == read(path, patch, quick=False)


@pytest.mark.parametrize(
    "line",
    ['{"a": 1, "a": 2}', '{"a": NaN}', "[1]", '{"a": "\\ud800"}', '{"a": tru}',
     '{"a": ' + "[" * 60 + "]" * 60 + "}", '  {"a": 007}', '{"a": 1e5, "b": -0.10}'],
)  # fmt: skip
def test_lines_that_need_care_get_it(
    line: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Doubled keys, constants, lists, half characters, deep nesting and numbers as written."""
    path = tmp_path / "line.jsonl"  # pyright: ignore[reportOperatorIssue, reportUnknownVariableType]
    path.write_text(line + "\n", encoding="utf-8")
    assert read(path, monkeypatch, quick=True) == read(path, monkeypatch, quick=False)
