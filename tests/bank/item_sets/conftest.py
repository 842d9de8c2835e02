"""A taxonomy of every test type and three languages, and a way to read a text as a set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reviewkit.bank.item_sets.reading import read_items
from reviewkit.bank.item_sets.settled import Asked
from reviewkit.bank.item_sets.taken import Taken
from reviewkit.bank.load import load_taxonomy
from reviewkit.bank.taxonomy import Taxonomy

STARTER = Path(__file__).parents[3] / "reviewkit" / "starter" / "taxonomy.yaml"
ASKED = Asked(category="value-laden", level="civic", stance="neutral")
Reads = Callable[..., Taken]


@pytest.fixture(scope="session")
def taxonomy() -> Taxonomy:
    """The starter's closed lists, with Korean."""
    return load_taxonomy(STARTER, "bank/taxonomy.yaml").model_copy(
        update={"languages": ("en", "ar", "ko")}
    )


@pytest.fixture
def reads(tmp_path: Path, taxonomy: Taxonomy) -> Reads:
    """Write texts as files and read them; every row must be kept or left out."""

    def read(name: str, text: str, *more: tuple[str, str], **options: object) -> Taken:
        files: list[tuple[Path, str]] = []
        for each, content in ((name, text), *more):
            path = tmp_path / each
            path.write_text(content, encoding="utf-8", newline="")
            files.append((path, each))
        asked = options.pop("asked", ASKED)
        taken = read_items(files, taxonomy, asked, **options)  # pyright: ignore[reportArgumentType]
        assert taken.kept + len(taken.left_out) == taken.rows
        return taken

    return read
