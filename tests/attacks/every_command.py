"""Every command of ``reviewkit`` and its parameters, found from the application itself."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import typer

from reviewkit.cli.app import app, main


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a command."""

    name: str
    kind: Any
    """Its type without Annotated; of a list its type of entries."""
    flag: str | None
    """``--name`` of an option, None of an argument."""
    required: bool

    @property
    def is_text(self) -> bool:
        """Whether any text can be given."""
        return self.kind is str


@dataclass(frozen=True, slots=True)
class Command:
    """One command and what it takes."""

    words: tuple[str, ...]
    parameters: tuple[Parameter, ...] = field(default=())


def every_command() -> list[Command]:
    """Return every command of the application, also those of its groups."""
    return list(_commands(app, ()))


def _commands(of: typer.Typer, above: tuple[str, ...]) -> Iterator[Command]:
    for each in of.registered_commands:
        assert each.callback is not None
        name = each.name or each.callback.__name__.replace("_", "-")
        yield Command((*above, name), tuple(_parameters(each.callback)))
    for group in of.registered_groups:
        assert group.typer_instance is not None
        yield from _commands(group.typer_instance, (*above, str(group.name)))


def _parameters(callback: Callable[..., Any]) -> Iterator[Parameter]:
    for each in inspect.signature(callback, eval_str=True).parameters.values():
        kind, info = typing.get_args(each.annotation)[:2]
        plain = [one for one in typing.get_args(kind) if one is not type(None)]
        kind = plain[0] if plain and typing.get_origin(kind) is not typing.Literal else kind
        if typing.get_origin(kind) is list:
            kind = typing.get_args(kind)[0]
        named = [flag for flag in info.param_decls or () if flag.startswith("--")]
        option = isinstance(info, typer.models.OptionInfo)
        flag = (named[0] if named else f"--{each.name.replace('_', '-')}") if option else None
        yield Parameter(each.name, kind, flag, each.default is inspect.Parameter.empty)


def words_for(command: Command, hostile: Parameter, value: str, harmless: Path) -> list[str]:
    """Return a command line in which one parameter is hostile and what must be given is given."""
    words = list(command.words)
    for each in command.parameters:
        if each is hostile:
            given = value
        elif each.required and each.kind is Path:
            given = str(harmless)
        elif each.required and typing.get_origin(each.kind) is typing.Literal:
            given = str(typing.get_args(each.kind)[0])
        elif each.required and hasattr(each.kind, "__members__"):
            given = str(next(iter(each.kind)).value)
        elif each.required:
            given = "harmless"
        else:
            continue
        words += [each.flag, given] if each.flag else [given]
    return words


def run(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Run the command in this process; whatever is not one of its own endings is raised."""
    monkeypatch.setattr(sys, "argv", ["reviewkit", *words])
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0
