"""The forms of a project folder, read and checked together."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from reviewkit.problems import Problem, ReviewkitError
from reviewkit.questions.forms import (
    RESERVED_KEYS,
    Form,
    assigned_keys,
    id_stands_twice,
    repeated,
)
from reviewkit.sources import Source, build, collect, load_yaml

_RESERVED = {key.casefold() for key in RESERVED_KEYS}


class UnknownForm(ReviewkitError):
    """A form that no file in ``checklists/`` holds."""


@dataclass(frozen=True, slots=True)
class FormShelf:
    """Every form that can be asked, in order of name and version."""

    forms: tuple[Form, ...]

    def get(self, name: str) -> Form:
        """Return the form with this name, e.g. ``t3@2``; UnknownForm lists what there is."""
        for form in self.forms:
            if form.name == name:
                return form
        known = ", ".join(form.name for form in self.forms)
        raise UnknownForm(f"there is no form {name!r} in checklists/; use one of {known}")

    def by_digest(self, digest: str) -> Form | None:
        """Return the form whose content has this digest, if it is still here unchanged."""
        return next((form for form in self.forms if form.digest == digest), None)


def load_forms(folder: Path, shown_prefix: str = "checklists") -> FormShelf:
    """Return the forms in the ``.yaml`` files of a folder.

    Args:
        folder: The folder, usually ``Workspace.checklists``.
        shown_prefix: The folder as messages name it.

    Raises:
        ProblemsFound: With every problem of every file.
    """
    forms: list[Form] = []
    holders: dict[str, Source] = {}
    with collect() as faults:
        files = sorted(folder.iterdir()) if folder.is_dir() else []
        for path in files:
            shown = f"{shown_prefix}/{path.name}"
            if path.suffix in (".yml", ".YAML", ".YML") and not path.name.startswith("."):
                wrong = "is not read, because forms end in .yaml"
                faults.add([Problem(shown, wrong, f"rename it to {path.stem}.yaml")])
            if path.suffix != ".yaml" or path.name.startswith("."):
                continue
            source = faults.read(load_yaml, path, shown)
            if source is None:
                continue
            faults.add(_check_across(source))
            form = faults.attempt(build, source, Form)
            if form is None:
                continue
            if (other := holders.get(form.name)) is not None:
                wrong = f"{form.name} stands in {other.where(('form',))} too"
                faults.add([source.problem(("form",), wrong, "give one a new version")])
                continue
            holders[form.name] = source
            forms.append(form)
        if not forms and not faults.problems:
            wrong = "holds no form" if folder.is_dir() else "is not a folder"
            faults.add([Problem(shown_prefix, wrong, "put forms in it as .yaml files")])
    return FormShelf(tuple(sorted(forms, key=lambda form: (form.form, int(form.version)))))


def _check_across(source: Source) -> Iterator[Problem]:
    """Yield what is wrong between checks; works on raw text, so that other faults hide none."""
    listed = source.value.get("checks")
    if not isinstance(listed, list):
        return
    entries = cast("list[Any]", listed)
    checks = [cast("dict[str, Any]", entry) if isinstance(entry, dict) else {} for entry in entries]
    ids = [_text(check.get("id")) or f"<{position}>" for position, check in enumerate(checks)]
    for position, first in repeated(ids):
        loc = ("checks", position, "id")
        yield source.problem(loc, *id_stands_twice(ids[position], first))

    hotkeys = [_text(check.get("hotkey")) for check in checks]
    for position, hotkey in enumerate(hotkeys):
        if hotkey is not None and (fault := _key_fault(hotkey)):
            yield source.problem(("checks", position, "hotkey"), *fault)
    keys = [
        f"<{position}>" if key is None else key.casefold()
        for position, key in enumerate(assigned_keys(hotkeys))
    ]
    for position, first in repeated(keys):
        # A number that no one wrote clashes where the other check claims it.
        claimed = position if hotkeys[position] is not None else first
        other = first if claimed == position else position
        wrong = f"the key {keys[position]!r} moves to checks[{other}] too"
        loc = ("checks", claimed, "hotkey")
        yield source.problem(loc, wrong, "choose another key")


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _key_fault(key: str) -> tuple[str, str] | None:
    if key.casefold() in _RESERVED:
        return f"the key {key!r} belongs to the desk", "choose another key"
    if len(key) != 1 or unicodedata.category(key)[0] not in "LNPS":
        return f"got {key!r}", "use one letter, digit or sign"
    return None
