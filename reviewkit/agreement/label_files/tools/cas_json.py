"""UIMA CAS JSON, as INCEpTION and WebAnno write it: a list of feature structures.

Format: Apache UIMA, "JSON serialization of the Apache UIMA CAS" 0.4 (``%FEATURE_STRUCTURES``), and
the older form with ``_views``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewkit.agreement.label_files.tools.layers import PRESENT, Layers, is_given, question_of
from reviewkit.agreement.label_files.tools.markings import Span
from reviewkit.agreement.label_files.tools.records import (
    entries_of,
    items_in,
    mapping_in,
    text_of,
    texts_in,
)
from reviewkit.problems import Problem, ProblemsFound

_STRUCTURES, _VIEWS = "%FEATURE_STRUCTURES", "_views"
_SOFA = "uima.cas.Sofa"
_PLACE = ("begin", "end")
_HIDDEN = ("%", "@", "^", "_")
"""How a name begins that is a reference or belongs to the format."""
_OWN = frozenset({"begin", "end", "sofa", "uiOrder", "order"})
_ENDS = ("@Governor", "@Dependent", "Governor", "Dependent", "@target")
"""What a relation or a role points to."""
_TEXTS = "uima.cas.StringArray"


def cas_layers(text: str, shown: str) -> Layers:
    """Return what is annotated in one file.

    Args:
        text: The file.
        shown: The file as messages name it.

    Raises:
        ProblemsFound: When it is no JSON, or JSON of something else.
    """
    found = entries_of(text, shown)
    layers = Layers()
    structures = [each for entry in found.good for each in _structures(entry.value)]
    lists = {
        text_of(values.get("%ID")): items_in(values.get("%ELEMENTS"))
        for kind, values in structures
        if kind == _TEXTS
    }
    if not structures:
        wrong = "is no UIMA CAS JSON"
        raise ProblemsFound([Problem(shown, wrong, "export the project as UIMA CAS JSON")])
    for kind, values in structures:
        if kind == _SOFA:
            layers.of_text(text_of(values.get("sofaString")) or "")
        elif not is_given(kind):
            _take(kind, _with_lists(values, lists), layers)
    return layers


def _with_lists(values: dict[str, Any], lists: dict[str | None, list[Any]]) -> dict[str, Any]:
    """Return features with a list of texts in place of each reference to one."""
    return values | {
        name.removeprefix("@"): lists[key]
        for name, value in values.items()
        if name.startswith("@") and (key := text_of(value)) in lists
    }


def _structures(cas: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (type, features) of every feature structure."""
    held = cas.get(_STRUCTURES)
    # by number in one form, in a list in the other
    for each in list(mapping_in(held).values()) or items_in(held):
        values = mapping_in(each)
        yield text_of(values.get("%TYPE")) or "", values
    for each in mapping_in(cas.get("_referenced_fss")).values():
        values = mapping_in(each)
        if text_of(values.get("_type")) == "Sofa":
            yield _SOFA, values
    for view in mapping_in(cas.get(_VIEWS)).values():
        for kind, listed in mapping_in(view).items():
            # the older form leaves the package of a type away
            if kind in ("Token", "Sentence", "DocumentMetaData", "Lemma", "TagsetDescription"):
                continue
            for each in items_in(listed):
                yield kind, {"begin": "0", **mapping_in(each)}


def _take(kind: str, values: dict[str, Any], layers: Layers) -> None:
    if not kind or any(name in values for name in _ENDS):
        if kind:
            layers.left_out.append(f"a relation or role of the layer {question_of(kind, '')}")
        return
    features = {
        name: value
        for name, value in values.items()
        if name not in _OWN and not name.startswith(_HIDDEN)
    }
    placed = all(name in values for name in _PLACE)
    labels = [
        (question_of(kind, name), label)
        for name, value in features.items()
        for label in (texts_in(value) or [""])
        if not isinstance(value, dict)
    ]
    if placed:
        for question, label in labels or [(question_of(kind, ""), PRESENT)]:
            layers.spans[question].append(Span.written(values["begin"], values["end"], label))
    else:
        layers.document += [(question, label) for question, label in labels if label]
