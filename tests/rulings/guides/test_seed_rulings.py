"""The rulings of the protocol's first year, folded into two editions of the guide."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reviewkit.rulings import Ruling
from reviewkit.rulings.guides import editions, folded_in, next_edition, publish
from reviewkit.rulings.guides.content import Changed
from reviewkit.workspace import Workspace

FilesRuling = Callable[..., Ruling]
Run = Callable[..., tuple[int, str, str]]

FIRST = tuple(f"R-{n:03}" for n in range(1, 8))
LATER = tuple(f"R-{n:03}" for n in range(8, 19))
APART = "D-001"
CHECKS = ("t1/natural", "t1/no_bait", "t2/direction_recorded", "t3/real_values", "t4/no_steering")


@pytest.fixture
def two_editions(demo: Workspace, file_ruling: FilesRuling) -> Workspace:
    """File seven rulings and publish, then eleven and a design disagreement, and publish again."""
    for n, number in enumerate(FIRST):
        assert file_ruling(f"Rule {number}.", CHECKS[n % len(CHECKS)]).number == number
    publish(demo, name="lead", on="2026-03-01")
    for n, number in enumerate(LATER):
        assert file_ruling(f"Rule {number}.", CHECKS[n % len(CHECKS)]).number == number
    apart = file_ruling("Naming both may be a cue.", "t2/no_hidden_cue", type="disagreement")
    assert apart.number == APART
    publish(demo, name="lead", on="2026-09-01")
    return demo


def test_seven_then_eleven_and_a_disagreement(two_editions: Workspace) -> None:
    """Every ruling knows its edition, and the second edition names the twelve as added."""
    assert folded_in(two_editions) == (
        dict.fromkeys(FIRST, 1) | dict.fromkeys(LATER, 2) | {APART: 2}
    )
    first, second = editions(two_editions)
    assert (first.number, second.number) == (1, 2)
    assert first.rulings == FIRST
    assert second.rulings == (*FIRST, *LATER, APART)
    assert second.guide().content.changes.rulings == Changed(added=(*LATER, APART))
    assert not second.guide().content.changes.rules


@pytest.mark.parametrize(
    ("language", "changed", "in_force"),
    [
        ("en", "What changed since edition 1", "Rulings in force: 18"),
        ("ar", "ما تغيّر منذ الطبعة 1", "القرارات السارية: 18"),
    ],
)
def test_the_page_tells_them(
    two_editions: Workspace, language: str, changed: str, in_force: str
) -> None:
    """The second author guide lists the twelve, has each of 18 in full once, and counts 18."""
    page = (two_editions.guides / "edition-02" / f"author-guide.{language}.md").read_text(
        encoding="utf-8"
    )
    section = page.partition(f"## {changed}\n")[2].partition("\n## ")[0]
    assert all(f"`{number}`" in section for number in (*LATER, APART))
    assert not any(number in section for number in FIRST)
    assert all(page.count(f"> Rule {number}.") == 1 for number in (*FIRST, *LATER))
    assert in_force in page


def test_the_command_counts_disagreements_apart(
    two_editions: Workspace, file_ruling: FilesRuling, run: Run
) -> None:
    """Neither the preview nor the publication calls a design disagreement a ruling."""
    assert not next_edition(two_editions).is_changed
    file_ruling("Rule R-019.", "t1/natural")
    assert "rulings 19, design disagreements 1, superseded 0" in run("guide")[1]
    told = run("guide", "--publish", "--name", "lead")[1]
    assert "published edition 3" in told
    assert "19 rulings and 1 design disagreement folded in" in told
