"""Batches: what each brought, what it added, and what of its history is its own."""

from __future__ import annotations

import pytest

from reviewkit.authoring import check_batches, load_batches, worklist
from reviewkit.authoring.batches import held_by
from reviewkit.bank import load_bank
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace
from tests.authoring.one_reviewer import alone, edit, judge, sit

TWINNED, PLAIN = "DEMO-T1-011", "DEMO-T1-001"
TWINS = (f"{TWINNED}-c", f"{TWINNED}-d")


def write(ws: Workspace, *entries: str) -> None:
    """Write the file of batches."""
    listed = "".join(f"  - {{{each}}}\n" for each in entries)
    ws.batches.write_text(f"batches:\n{listed}", encoding="utf-8")


def test_no_file_is_no_batch(demo: Workspace) -> None:
    """A bank need not say how it was authored."""
    demo.batches.unlink(missing_ok=True)
    assert load_batches(demo).batches == ()
    assert worklist(demo).batches == ()


def test_an_item_is_of_the_batch_that_added_it(demo: Workspace) -> None:
    """Twins that a later batch added count there, and no more in the batch of their group."""
    write(
        demo,
        f'id: seed, authored_on: "2026-01-01", groups: [{TWINNED}, {PLAIN}]',
        f'id: twins, authored_on: "2026-02-01", items: [{", ".join(TWINS)}]',
    )
    bank, batches = load_bank(demo), load_batches(demo)
    assert batches.items_of(held_by(bank, ())) == {
        "seed": (f"{TWINNED}-a", f"{TWINNED}-b", f"{PLAIN}-a", f"{PLAIN}-b"), "twins": TWINS,
    }  # fmt: skip
    found = worklist(demo)
    assert [(each.items, each.groups) for each in found.batches] == [(4, 2), (2, 1)]
    line = found.line(TWINNED)
    assert line is not None
    assert line.batches == ("seed", "twins")


def test_what_was_said_before_is_not_of_the_batch_that_added(demo: Workspace) -> None:
    """A group that was returned once is accepted outright in a batch that added to it later."""
    alone(demo)
    judge(sit(demo), TWINNED, "natural")
    edit(demo, TWINNED, "reference_category", "reference_category")
    path = demo.groups / f"{TWINNED}.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("lines", "short lines", 1), encoding="utf-8"
    )
    judge(sit(demo), TWINNED)
    for day, outcome in (("2020-01-01", "after_fix"), ("2999-01-01", "open")):
        write(
            demo,
            f'id: seed, authored_on: "2020-01-01", groups: [{TWINNED}]',
            f'id: twins, authored_on: "{day}", items: [{", ".join(TWINS)}]',
        )
        seed, twins = worklist(demo).batches
        assert seed.outcomes == {TWINNED: "after_fix"}
        assert twins.outcomes == {TWINNED: outcome}


def test_a_returned_group_stays_returned_while_its_author_mends_it(demo: Workspace) -> None:
    """An edit makes no batch better before somebody has looked."""
    alone(demo)
    write(demo, f'id: seed, authored_on: "2026-01-01", groups: [{PLAIN}]')
    judge(sit(demo), PLAIN, "natural")
    edit(demo, PLAIN, "4 lines", "5 lines")
    assert worklist(demo).batches[0].outcomes == {PLAIN: "returned"}
    judge(sit(demo), PLAIN)
    assert worklist(demo).batches[0].outcomes == {PLAIN: "after_fix"}
    edit(demo, PLAIN, "5 lines", "6 lines")
    assert worklist(demo).batches[0].outcomes == {PLAIN: "open"}


def test_every_fault_has_its_line(demo: Workspace) -> None:
    """A doubled batch, a group of two batches and an empty batch are told together."""
    write(
        demo,
        f'id: seed, authored_on: "2026-01-01", groups: [{PLAIN}]',
        f'id: seed, authored_on: "2026-01-01", groups: [{PLAIN}]',
        'id: empty, authored_on: "2026-01-01"',
    )
    with pytest.raises(ProblemsFound) as found:
        load_batches(demo)
    said = [str(each) for each in found.value.problems]
    assert len(said) == 3
    assert sum("batches.yaml:3" in each for each in said) == 2
    assert "has no group and no item" in said[-1]
    write(demo, 'id: Seed, authored_on: "last year", group: [X]')
    with pytest.raises(ProblemsFound) as found:
        load_batches(demo)
    assert len(found.value.problems) == 3
    write(demo, f'id: seed, authored_on: "2026-02-30", groups: [{PLAIN}]')
    with pytest.raises(ProblemsFound, match=r"'2026-02-30' is no day; write it as 2026-11-30"):
        load_batches(demo)


def test_check_tells_doubles_and_unknown_names_together(demo: Workspace) -> None:
    """Who mends the file mends it once."""
    write(demo, f'id: seed, authored_on: "2026-01-01", groups: [{PLAIN}, {PLAIN}, NEVER]')
    said = [str(each) for each in check_batches(demo, load_bank(demo))]
    assert len(said) == 2
    assert "stands in batch 'seed' already" in said[0]
    assert "no group 'NEVER'" in said[1]


def test_a_batch_names_what_the_bank_has_or_had(demo: Workspace) -> None:
    """An unknown group and an unknown item are faults with their lines."""
    write(demo, 'id: seed, authored_on: "2026-01-01", groups: [NOPE], items: [NOPE-a]')
    said = [str(each) for each in check_batches(demo, load_bank(demo))]
    assert len(said) == 2
    assert all(each.startswith("bank/batches.yaml:2") for each in said)
