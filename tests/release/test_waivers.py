"""A waiver holds for what it was given for, never hides a hard check, and is always listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.bank import Group
from reviewkit.problems import ProblemsFound
from reviewkit.release import CODES, Waiver, add_waiver, audit, load_waivers
from reviewkit.release.waivers import Digests
from reviewkit.workspace import Workspace
from tests.release.small_bank import audited, group, item, material, t1, t2, with_groups

CODE = "undeclared-difference"


def faulty(**fields: str) -> Group:
    """Return a group with an undeclared difference."""
    texts = {1: "Four of the lines for Southham. (T1-a)"}
    return t1(base="Four lines for {value}.", texts=texts, **fields)


FAULT = faulty()


def waiver(code: str = CODE, **ids: str) -> Waiver:
    """Return a waiver; underscores of ids are dashes."""
    named = {name.replace("_", "-"): digest for name, digest in ids.items()}
    return Waiver(code=code, ids=named, reason="as meant", name="amal", given_on="2026-11-29")


def test_a_waived_warning_is_no_work_and_is_listed() -> None:
    """The finding leaves the list of work, other codes of the group stay, the waiver is listed."""
    found = audited(with_groups(FAULT), waiver(T1_a=FAULT.digest))
    assert found.of(CODE) == ()
    assert [each.code for each, _ in found.waived] == [CODE]
    assert found.of("not-base-text")
    assert [used.use for used in found.waivers] == ["in_force"]


def test_a_waiver_expires_when_its_group_changes() -> None:
    """On another content the finding stands again, and the waiver is listed as expired."""
    changed = faulty(expected_length="5 lines")
    found = audited(with_groups(changed), waiver(T1_a=FAULT.digest))
    assert found.of(CODE)
    assert [(used.use, used.stale) for used in found.waivers] == [("expired", ("T1-a",))]


def test_bookkeeping_expires_no_waiver() -> None:
    """Notes are no content: a waiver outlives them."""
    noted = faulty(notes="looked at")
    assert audited(with_groups(noted), waiver(T1_a=FAULT.digest)).of(CODE) == ()


def of_item(group: Group, item_id: str) -> str:
    """Return the digest that a waiver names an item by."""
    digest = Digests(material([group]).bank).of(item_id)
    assert digest is not None
    return digest


def test_a_waiver_of_an_item_expires_with_what_its_group_shares() -> None:
    """The template is part of what an item was waived for."""
    given = waiver(T1_a_1=of_item(FAULT, "T1-a-1"))
    base = str(FAULT.base_text).replace("Four", "Some four")
    changed = FAULT.model_copy(update={"base_text": base})
    assert audited(with_groups(changed), given).of(CODE)


def test_an_id_of_a_group_and_of_its_item_stands_for_the_group() -> None:
    """A waiver of it expires with any change of the group."""
    items = [item("T4-a", text="Tell of it from both sides.")]
    one, other = (group("T4-a", "T4", items, audience=audience) for audience in ("all", "children"))
    given = waiver("criterion-leakage", T4_a=one.digest)
    assert audited(with_groups(one), given).of("criterion-leakage") == ()
    assert audited(with_groups(other), given).of("criterion-leakage")


def test_a_waiver_may_name_items() -> None:
    """It covers the finding when it names every item concerned, and expires with one of them."""
    assert audited(with_groups(FAULT), waiver(T1_a_1=of_item(FAULT, "T1-a-1"))).of(CODE) == ()
    other = audited(with_groups(FAULT), waiver(T1_a_0=of_item(FAULT, "T1-a-0")))
    assert other.of(CODE)
    assert [used.use for used in other.waivers] == ["unneeded"]


def test_a_waiver_of_several_groups_holds_for_those_that_did_not_change() -> None:
    """One changed group leaves the others waived, and is named."""
    found = audited(with_groups(FAULT), waiver(T1_a=FAULT.digest, T2_a="0" * 64))
    assert found.of(CODE) == ()
    assert [(used.use, used.stale) for used in found.waivers] == [("in_force", ("T2-a",))]


def test_a_finding_about_the_bank_is_waived_for_this_very_bank() -> None:
    """Any edit of any group lets it stand again."""
    groups = with_groups(t2("T2-b", at=2, direction="with"))
    digest = audited(groups).digest
    assert audited(groups, waiver("direction-parity", bank=digest)).of("direction-parity") == ()
    more = (*groups, t1("T1-b"))
    assert audited(more, waiver("direction-parity", bank=digest)).of("direction-parity")


HARD = [code for code, each in CODES.items() if each.is_hard]


@pytest.mark.parametrize("code", HARD)
def test_a_hard_check_is_never_waived(code: str, tmp_path: Path) -> None:
    """A file that tries is refused; and what got past it would hide nothing."""
    ws = Workspace(tmp_path)
    ws.bank.mkdir()
    ws.waivers.write_text(
        f"waivers:\n  - code: {code}\n    ids: {{T1-a: {'0' * 64}}}\n    reason: r\n    name: n\n"
        '    given_on: "2026-11-29"\n',
        encoding="utf-8",
    )
    with pytest.raises(ProblemsFound, match=r"waivers.yaml:2 .*hard check and cannot be waived"):
        load_waivers(ws)


def test_a_hard_finding_stands_whatever_is_waived() -> None:
    """Even a waiver made in Python does not hide it."""
    group: Group = t1(values=["Northham"])
    found = audited(with_groups(group), waiver("single-value", T1_a=group.digest))
    assert found.of("single-value")
    assert not found.passed


def test_a_waiver_written_by_the_command_is_read_again(demo: Workspace) -> None:
    """Quotes, line ends and Arabic in the reason survive; the digest is the group's own."""
    bank = audit_bank(demo)
    before = len(audit(demo).warnings)
    reason = 'كما أردنا: "على" \\ two\nlines # and more'
    for each in ("DEMO-T1-005", "DEMO-T1-002"):
        add_waiver(demo, bank, CODE, [each], reason=reason, name="أمل: a", on="2026-11-29")
    read = load_waivers(demo)
    assert [each.reason for each in read] == [reason, reason]
    assert [each.name for each in read] == ["أمل: a", "أمل: a"]
    found = audit(demo)
    assert len(found.warnings) == before - 2
    assert [used.use for used in found.waivers] == ["in_force", "in_force"]


@pytest.mark.parametrize(
    "written",
    ["waivers: []\n", "waivers:\n", "# ours\nwaivers:\n  # none yet", "waivers: [\n]\n"],
)
def test_the_command_adds_to_a_file_in_any_style(demo: Workspace, written: str) -> None:
    """An empty list, a comment and no line end leave a file that is read again."""
    demo.waivers.write_text(written, encoding="utf-8")
    for reason in ("one", "two"):
        add_waiver(
            demo, audit_bank(demo), CODE, ["DEMO-T1-005"], reason=reason, name="a", on="2026-11-29"
        )
    assert [each.reason for each in load_waivers(demo)] == ["one", "two"]
    assert ("# ours" in demo.waivers.read_text(encoding="utf-8")) == ("# ours" in written)
    assert [each.name for each in demo.bank.iterdir() if each.name.startswith(".")] == []


@pytest.mark.parametrize(
    "reason", ["bell \x07", "next line \x85 here", "line \u2028 end", "\ud800"]
)
def test_what_no_file_can_keep_is_refused_and_nothing_written(demo: Workspace, reason: str) -> None:
    """A reason comes back letter by letter, or it is a problem."""
    arguments = {"reason": reason, "name": "a", "on": "2026-11-29"}
    try:
        add_waiver(demo, audit_bank(demo), CODE, ["DEMO-T1-005"], **arguments)
    except ProblemsFound:
        assert not demo.waivers.exists()
    else:
        assert [each.reason for each in load_waivers(demo)] == [reason]


def audit_bank(ws: Workspace):
    """Return the bank of a project."""
    from reviewkit.bank import load_bank

    return load_bank(ws)


@pytest.mark.parametrize(
    ("code", "ids", "reason", "name", "said"),
    [
        ("no-such-code", ["bank"], "r", "n", "no code 'no-such-code'"),
        ("closed-cell", ["bank"], "r", "n", "cannot be waived"),
        (CODE, ["DEMO-T9-001"], "r", "n", "no item 'DEMO-T9-001'"),
        (CODE, ["bank"], " ", "n", "--reason"),
        (CODE, ["bank"], "r", "\t", "--name"),
    ],
)
def test_what_cannot_be_waived_is_refused_and_nothing_written(
    demo: Workspace, code: str, ids: list[str], reason: str, name: str, said: str
) -> None:
    """Each fault is a sentence, and the file is as it was."""
    with pytest.raises(ProblemsFound, match=said):
        add_waiver(demo, audit_bank(demo), code, ids, reason=reason, name=name, on="2026-11-29")
    assert not demo.waivers.exists()
