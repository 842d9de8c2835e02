"""The files that a bank is measured against: their faults are told at once, with lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.bank import load_taxonomy
from reviewkit.bank.axes import load_axes
from reviewkit.bank.load import read_whole_bank
from reviewkit.bank.plan import Plan, load_plan
from reviewkit.problems import ProblemsFound
from reviewkit.release import audit
from reviewkit.workspace import Workspace
from tests.release.small_bank import TAXONOMY


def told(error: pytest.ExceptionInfo[ProblemsFound]) -> list[str]:
    """Return place and fault of every problem."""
    return [f"{each.where}: {each.wrong}" for each in error.value.problems]


def test_faults_of_a_plan(tmp_path: Path) -> None:
    """An unknown domain, a unit that does not fit and a row twice are named with their lines."""
    ws = Workspace(tmp_path)
    ws.bank.mkdir()
    ws.plan.write_text(
        "sizes:\n"
        "  - {test_type: T1, domain: vallley, unit: pairs, planned: 40}\n"
        "  - {test_type: T4, unit: ambiguous, planned: 40}\n"
        "  - {test_type: T4, unit: pairs, planned: 40}\n"
        "  - {test_type: T2, unit: items, planned: 40}\n"
        "  - {test_type: T2, unit: items, planned: 41}\n",
        encoding="utf-8",
    )
    with pytest.raises(ProblemsFound) as error:
        load_plan(ws, TAXONOMY)
    assert told(error) == [
        "bank/plan.yaml:2 sizes[0].domain: the taxonomy has no domain 'vallley'",
        "bank/plan.yaml:3 sizes[1].unit: T4 has no ambiguous texts",
        "bank/plan.yaml:4 sizes[2].unit: T4 has no pairs of values",
        "bank/plan.yaml:6 sizes[4]: T2 is planned twice in items",
    ]


@pytest.mark.parametrize("written", ["-1", "40 %", "٤٠", "1e3", "4.5", "x"])
def test_a_number_of_a_plan_is_a_whole_number(tmp_path: Path, written: str) -> None:
    """What is no plain number is refused, not guessed at."""
    ws = Workspace(tmp_path)
    ws.bank.mkdir()
    ws.plan.write_text(f'sufficient_pairs: "{written}"\n', encoding="utf-8")
    with pytest.raises(ProblemsFound, match="use a whole number such as 50"):
        load_plan(ws, TAXONOMY)


def test_a_band_upside_down_is_refused(tmp_path: Path) -> None:
    """No share lies in a band whose ends are swapped."""
    ws = Workspace(tmp_path)
    ws.bank.mkdir()
    ws.plan.write_text("factorial: {at_least: 60, at_most: 50}\n", encoding="utf-8")
    with pytest.raises(ProblemsFound, match="at_least 60 is above at_most 50"):
        load_plan(ws, TAXONOMY)


def test_without_a_file_there_is_no_plan_and_the_bounds_are_the_protocols(tmp_path: Path) -> None:
    """40 to 50 %, 25 pairs, half of the themes, 5 %."""
    assert load_plan(Workspace(tmp_path), TAXONOMY) is None
    plan = Plan()
    assert (plan.factorial.at_least, plan.factorial.at_most) == (40, 50)
    assert (plan.sufficient_pairs, plan.theme_at_most, plan.position_alpha) == (25, 50, 5)


def test_faults_of_axes(tmp_path: Path) -> None:
    """An axis or a space twice, and a value in two spaces however spelled, are named."""
    ws = Workspace(tmp_path)
    ws.bank.mkdir()
    ws.axes.write_text(
        "axes:\n"
        "  - id: town\n    title: {en: Town}\n    variables: [town]\n    spaces:\n"
        "      - {id: low, values: [أربيل, Northham]}\n"
        "      - {id: low, values: [اربيل]}\n"
        "  - id: town\n    title: {en: Town}\n    variables: [town]\n    spaces:\n"
        "      - {id: low, values: [Southham]}\n",
        encoding="utf-8",
    )
    with pytest.raises(ProblemsFound) as error:
        load_axes(ws)
    twice = "stands more than once in the axis town"
    assert told(error) == [
        f"bank/axes.yaml:6 axes[0].spaces[0].values[0]: 'أربيل' {twice}",
        "bank/axes.yaml:7 axes[0].spaces[1].id: the space 'low' stands twice",
        f"bank/axes.yaml:7 axes[0].spaces[1].values[0]: 'اربيل' {twice}",
        "bank/axes.yaml:8 axes[1].id: the axis 'town' stands twice",
    ]


def test_a_domain_admits_only_categories_there_are(demo: Workspace) -> None:
    """A misspelled category of a domain is a fault of the taxonomy."""
    text = demo.taxonomy.read_text(encoding="utf-8")
    demo.taxonomy.write_text(
        text.replace("[verifiable-fact]   #", "[verifiable]   #"), encoding="utf-8"
    )
    with pytest.raises(ProblemsFound, match="there is no reference category 'verifiable'"):
        load_taxonomy(demo.taxonomy, "bank/taxonomy.yaml")


def test_what_a_taxonomy_does_not_say_leaves_its_digest_alone() -> None:
    """A bank from before these fields has the digest it had; what is said is part of it."""
    plain = TAXONOMY.model_dump(mode="json")
    for domain in plain["domains"]:
        domain["reference_categories"] = []
    for category in plain["reference_categories"]:
        category["deferred"] = "no"
    silent = type(TAXONOMY).model_validate(plain)
    for domain in plain["domains"]:
        del domain["reference_categories"]
    for category in plain["reference_categories"]:
        del category["deferred"]
    assert type(TAXONOMY).model_validate(plain).digest == silent.digest != TAXONOMY.digest


def test_faults_of_several_files_come_at_once(demo: Workspace) -> None:
    """Plan, axes and phrases at fault are told in one go."""
    demo.plan.write_text("sized: []\n", encoding="utf-8")
    demo.axes.write_text("axis: []\n", encoding="utf-8")
    (demo.leakage / "en.yaml").write_text("leakage: English\n", encoding="utf-8")
    with pytest.raises(ProblemsFound) as error:
        audit(demo)
    files = {each.split(":")[0] for each in told(error)}
    assert files == {"bank/plan.yaml", "bank/axes.yaml", "bank/leakage/en.yaml"}


def test_a_whole_bank_is_read_with_groups_that_are_at_fault(demo: Workspace) -> None:
    """A group in a closed cell is read, and audited, beside a file that is not."""
    path = demo.groups / "DEMO-T3-003.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("domain: confessional-communal", "domain: historical-political"),
        encoding="utf-8",
    )
    (demo.groups / "broken.yaml").write_text("- [\n", encoding="utf-8")
    bank, problems = read_whole_bank(demo)
    assert len(bank.groups) == 25
    assert len(problems) == 1
    found = audit(demo)
    assert [each.code for each in found.hard] == ["unreadable", "closed-cell", "fact-category"]
