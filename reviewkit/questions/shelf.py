"""The forms of a project folder, read and checked together."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from reviewkit.problems import Problem, ReviewkitError
from reviewkit.questions.codebooks import CODING_KEYS, Codebook
from reviewkit.questions.forms import (
    RESERVED_KEYS,
    Checklist,
    Form,
    assigned_keys,
    id_stands_twice,
    repeated,
)
from reviewkit.sources import Loc, Source, build, collect, load_yaml

_RESERVED = {
    "checks": frozenset(key.casefold() for key in RESERVED_KEYS),
    "codes": frozenset(key.casefold() for key in CODING_KEYS),
}
_EITHER_KIND = "use checklist or codebook"
_KINDS: dict[str, type[Form]] = {"checklist": Checklist, "codebook": Codebook}


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

    def checklist(self, digest: str) -> Checklist | None:
        """Return the checklist whose content has this digest, if it is still here unchanged."""
        found = self.by_digest(digest)
        return found if isinstance(found, Checklist) else None

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
            kind = source.value.get("kind")
            if isinstance(kind, str) and kind not in _KINDS:
                faults.add([source.problem(("kind",), f"got {kind!r}", _EITHER_KIND)])
                # what else is wrong with it is told as of the kind that it looks like
                looks = "codebook" if "fields" in source.value else "checklist"
                faults.attempt(build, source, _KINDS[looks], {**source.value, "kind": looks})
                continue
            form = faults.attempt(build, source, _KINDS.get(str(kind), Checklist))
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
    """Yield what is wrong between checks, fields or codes.

    It works on raw text, so that other faults hide none.
    """
    if source.value.get("kind") == "codebook":
        for position, field in enumerate(_entries(source.value.get("fields"))):
            codes = _entries(field.get("codes"))
            yield from _keys_clash(source, codes, ("fields", position, "codes"), "codes")
            flags = _entries(field.get("flags"))
            yield from _flag_keys_clash(source, flags, codes, ("fields", position, "flags"))
        return
    checks = _entries(source.value.get("checks"))
    ids = [_text(check.get("id")) or f"<{position}>" for position, check in enumerate(checks)]
    for position, first in repeated(ids):
        loc = ("checks", position, "id")
        yield source.problem(loc, *id_stands_twice(ids[position], first))
    yield from _keys_clash(source, checks, ("checks",), "checks")


def _entries(listed: Any) -> list[dict[str, Any]]:
    if not isinstance(listed, list):
        return []
    entries = cast("list[Any]", listed)
    return [cast("dict[str, Any]", entry) if isinstance(entry, dict) else {} for entry in entries]


def _keys_clash(
    source: Source, entries: list[dict[str, Any]], at: Loc, what: str
) -> Iterator[Problem]:
    hotkeys = [_text(entry.get("hotkey")) for entry in entries]
    for position, hotkey in enumerate(hotkeys):
        if hotkey is not None and (fault := _key_fault(hotkey, what)):
            yield source.problem((*at, position, "hotkey"), *fault)
    keys = [
        f"<{position}>" if key is None else key.casefold()
        for position, key in enumerate(assigned_keys(hotkeys))
    ]
    does = "moves to" if what == "checks" else "chooses"
    for position, first in repeated(keys):
        # A number that no one wrote clashes where the other entry claims it.
        claimed = position if hotkeys[position] is not None else first
        other = first if claimed == position else position
        wrong = f"the key {keys[position]!r} {does} {what}[{other}] too"
        yield source.problem((*at, claimed, "hotkey"), wrong, "choose another key")


def _flag_keys_clash(
    source: Source, flags: list[dict[str, Any]], codes: list[dict[str, Any]], at: Loc
) -> Iterator[Problem]:
    """Yield each key of a flag that is none, or that chooses a code or an earlier flag too."""
    numbered = assigned_keys(_text(code.get("hotkey")) for code in codes)
    taken = {key.casefold(): f"codes[{n}]" for n, key in enumerate(numbered) if key is not None}
    for position, flag in enumerate(flags):
        key = _text(flag.get("hotkey"))
        if key is None:
            continue
        fault = _key_fault(key, "codes")
        other = taken.setdefault(key.casefold(), f"flags[{position}]")
        if fault is None and other != f"flags[{position}]":
            fault = f"the key {key!r} chooses {other} too", "choose another key"
        if fault is not None:
            yield source.problem((*at, position, "hotkey"), *fault)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _key_fault(key: str, what: str) -> tuple[str, str] | None:
    if key.casefold() in _RESERVED[what]:
        return f"the key {key!r} belongs to the desk", "choose another key"
    if len(key) != 1 or unicodedata.category(key)[0] not in "LNPS":
        return f"got {key!r}", "use one letter, digit or sign"
    return None
