"""Every field that a freeze writes stands in docs/formats.md, every obstacle in docs/freeze.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reviewkit.decisions import ChainLine
from reviewkit.release.freeze import certificate, facts
from reviewkit.release.freeze.facts import Written
from reviewkit.release.freeze.log import FreezeLine

ROOT = Path(__file__).parents[3]
MODELS = [
    each
    for module in (certificate, facts)
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, Written) and each is not Written
]


@pytest.mark.parametrize(
    "model", [*dict.fromkeys(MODELS), FreezeLine], ids=lambda each: each.__name__
)
def test_every_field_is_documented(model: type) -> None:
    """A field of a certificate, of the log or of the files beside it is explained."""
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    section = text[text.index("## rulings/freezes/") : text.index("## Beside the ledgers")]
    for name, field in model.model_fields.items():
        if name not in ChainLine.model_fields:
            assert f"`{field.alias or name}`" in section, f"{model.__name__}.{name}"


def test_every_obstacle_is_documented() -> None:
    """Each code that the code gives stands in the table, and no other does."""
    source = (ROOT / "reviewkit" / "release" / "freeze" / "obstacles.py").read_text("utf-8")
    given = set(re.findall(r'Obstacle\(\s*"([a-z-]+)"', source))
    given |= set(re.findall(r'": \(\s*"([a-z-]+)",\s+"', source))
    page = (ROOT / "docs" / "freeze.md").read_text(encoding="utf-8")
    table = page[page.index("| code |") : page.index("Other warnings")]
    named = {code for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
             for code in re.findall(r"`([a-z-]+)`", row)}  # fmt: skip
    assert named == given
