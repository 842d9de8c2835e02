"""Groups that leave the bank: on record first, moved after, and their ids never used again."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from collections.abc import Iterable

import pytest

from reviewkit.agreement.of_study.reading import read_material
from reviewkit.authoring import (
    check_batches,
    identifiers_taken,
    must_be_free,
    retire,
    retired,
    retirement_faults,
    verify_retirements,
    worklist,
)
from reviewkit.authoring.retirement import CannotRetire, IdentifierTaken, successor_of
from reviewkit.bank import Group, load_bank
from reviewkit.decisions import LedgerBroken, RecordRefused
from reviewkit.decisions.retirements import retirement_chain
from reviewkit.problems import ProblemsFound
from reviewkit.questions import load_forms
from reviewkit.study import Hearing, Walk, check_study, load_study
from reviewkit.workspace import Workspace
from tests.authoring.one_reviewer import alone, judge, lay, sit
from tests.authoring.test_standing import judge as judge_any
from tests.authoring.test_standing import rewrite
from tests.desk.talk import sit_down
from tests.release.small_bank import t1

GONE, INTO, OTHER = "DEMO-T1-013", "DEMO-T1-012", "DEMO-T1-001"


def leave(ws: Workspace, card: str = GONE, into: str | None = None) -> None:
    """Let a group leave the bank."""
    retire(
        ws, card, reason="one side is hardly known", name="amal", merged_into=into, on="2026-03-01"
    )


def faults(ws: Workspace) -> list[str]:
    """Return what the bank and the record of retirements contradict each other in."""
    return [str(each) for each in retirement_faults(ws, load_bank(ws))]


def test_a_merged_group_lies_among_the_retired_unchanged(demo: Workspace) -> None:
    """Its file moves as it is; the record has its items, its digest, reason, name and day."""
    before = (demo.groups / f"{GONE}.yaml").read_bytes()
    digest = load_bank(demo).group(GONE).digest
    leave(demo, into=INTO)
    assert (demo.retired / f"{GONE}.yaml").read_bytes() == before
    assert not (demo.groups / f"{GONE}.yaml").exists()
    (line,) = retired(demo)
    assert (line.template_id, line.merged_into, line.group_digest) == (GONE, INTO, digest)
    assert line.item_ids == (f"{GONE}-a", f"{GONE}-b")
    assert (line.reason, line.name, line.on) == ("one side is hardly known", "amal", "2026-03-01")
    assert (line.test_type, line.kept_in) == ("T1", f"bank/retired/{GONE}.yaml")
    assert faults(demo) == []
    assert len(load_bank(demo).groups) == 24


@pytest.mark.parametrize("taken", [GONE, f"{GONE}-b"])
def test_no_identifier_is_used_twice(demo: Workspace, taken: str) -> None:
    """Neither the group's id nor one of its items' may come back, and it is said why."""
    leave(demo, into=INTO)
    with pytest.raises(IdentifierTaken, match=r"one side is hardly known.*choose another id"):
        must_be_free(demo, ["NEW-1", taken])
    must_be_free(demo, ["NEW-1"])
    assert identifiers_taken(demo)[taken].template_id == GONE
    text = (demo.groups / f"{OTHER}.yaml").read_text(encoding="utf-8")
    mine = taken if taken == GONE else "NEW-T1-001"
    text = text.replace(f"{OTHER}-b", taken if taken != GONE else f"{OTHER}-x")
    text = text.replace(f"template_id: {OTHER}", f"template_id: {mine}")
    text = text.replace(f"{OTHER}-a", f"{OTHER}-y")
    (demo.groups / f"{mine}.yaml").write_text(text, encoding="utf-8")
    (said,) = faults(demo)
    assert f"{taken} left the bank" in said
    assert "an id is never used twice" in said
    assert said.startswith(f"bank/groups/{mine}.yaml:")


def test_everything_wrong_is_said_at_once(demo: Workspace) -> None:
    """An unknown group, an unknown heir, no reason, no name and no day are five faults."""
    with pytest.raises(ProblemsFound) as found:
        retire(demo, "DEMO-T1-99", reason=" ", name="", merged_into="NONE", on="yesterday")
    assert [each.where for each in found.value.problems] == [
        "group", "merged_into", "reason", "name", "on",
    ]  # fmt: skip
    assert retired(demo) == ()
    assert len(load_bank(demo).groups) == 25


def test_nobody_is_merged_into_himself_or_into_what_left(demo: Workspace) -> None:
    """The heir is another group, and one that is in the bank."""
    leave(demo)
    for heir, said in ((OTHER, "is itself"), (GONE, "left the bank before")):
        with pytest.raises(ProblemsFound, match=said):
            leave(demo, OTHER, into=heir)


def test_a_crash_between_record_and_move(demo: Workspace) -> None:
    """The group is on record and still there: the check says so, and once more finishes it."""
    demo.retired.write_text("in the way", encoding="utf-8")
    with pytest.raises(OSError, match="retired"):
        leave(demo, into=INTO)
    demo.retired.unlink()
    assert (demo.groups / f"{GONE}.yaml").exists()
    assert [each.template_id for each in retired(demo)] == [GONE]
    (said,) = faults(demo)
    assert f"`reviewkit retire {GONE}` finishes the move" in said
    line = worklist(demo).line(GONE)
    assert line is not None
    assert line.state == "merged"
    again = retire(demo, GONE, reason="", name="")
    assert again.reason == "one side is hardly known"
    assert faults(demo) == []
    assert len(retired(demo)) == 1
    with pytest.raises(CannotRetire, match="nothing more to do"):
        leave(demo)


def test_a_group_of_a_retired_id_is_not_swept_away(demo: Workspace) -> None:
    """Another content under a retired id is a new group, which needs an id of its own."""
    leave(demo)
    text = (demo.retired / f"{GONE}.yaml").read_text(encoding="utf-8")
    path = demo.groups / f"{GONE}.yaml"
    path.write_text(text.replace("5 lines", "6 lines"), encoding="utf-8")
    assert f"{GONE} left the bank" in "".join(faults(demo))
    with pytest.raises(CannotRetire, match=r"with another content.*another id"):
        leave(demo)
    assert path.exists()


def test_a_file_of_many_groups_loses_only_its_lines(demo: Workspace) -> None:
    """Of a JSONL file the lines of the group go, the others stay letter by letter."""
    made = [t1(f"MANY-{n}") for n in range(3)]
    ws = lay(demo.root, made)
    for path in ws.groups.glob("*.yaml"):
        path.unlink()
    lines = [json.dumps(each.model_dump(mode="json", by_alias=True, exclude_defaults=True),
                        ensure_ascii=False) for each in made]  # fmt: skip
    (ws.groups / "many.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    digests = {each.template_id: each.digest for each in load_bank(ws).groups}
    leave(ws, "MANY-1")
    kept = (ws.groups / "many.jsonl").read_text(encoding="utf-8")
    assert kept == f"{lines[0]}\n{lines[2]}\n"
    assert {each.template_id: each.digest for each in load_bank(ws).groups} == {
        name: digest for name, digest in digests.items() if name != "MANY-1"
    }
    assert (ws.retired / "MANY-1.yaml").exists()
    assert retirement_faults(ws, load_bank(ws)) == []


def test_a_file_that_was_moved_by_hand_is_found(demo: Workspace) -> None:
    """Without a record nobody knows why it left."""
    demo.retired.mkdir()
    (demo.groups / f"{GONE}.yaml").rename(demo.retired / f"{GONE}.yaml")
    (said,) = faults(demo)
    assert "no record says why" in said
    assert said.startswith(f"bank/retired/{GONE}.yaml")


def test_a_study_may_list_a_group_that_left(demo: Workspace) -> None:
    """Neither the check nor a walk stumbles over it; a group that never was is still a fault."""
    alone(demo)
    path = demo.study_file("demo")
    text = path.read_text(encoding="utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("groups:"))
    path.write_text(f"{text}\ngroups: [{GONE}, {OTHER}]\n", encoding="utf-8")
    judge(sit(demo), GONE, "bounded_request")
    leave(demo, into=INTO)
    walk = Walk(demo, "demo", "first-reviewer", origin="cli")
    assert walk.card_ids == (OTHER,)
    bank, shelf = load_bank(demo), load_forms(demo.checklists)
    study = load_study(demo, "demo")
    assert check_study(study, bank, shelf, "study.yaml", retired={GONE}) == []
    assert len(check_study(study, bank, shelf, "study.yaml")) == 1


def test_a_chain_of_merges_leads_to_who_lives(demo: Workspace) -> None:
    """What was merged into a group that was merged later lives in the last one."""
    leave(demo, GONE, into=INTO)
    leave(demo, INTO, into=OTHER)
    assert successor_of(GONE, retired(demo)) == OTHER
    found = worklist(demo).line(GONE)
    assert found is not None
    assert (found.merged_into, found.lives_in) == (INTO, OTHER)
    assert f"{INTO}, now {OTHER}" in worklist(demo).as_text()


def test_a_record_that_was_touched_is_told(demo: Workspace) -> None:
    """The record is a chain: a changed reason breaks it, and nothing is read past it."""
    leave(demo)
    shown = demo.shown(demo.retirements)
    assert verify_retirements(demo.retirements, shown).sound
    text = demo.retirements.read_text(encoding="utf-8")
    demo.retirements.write_text(text.replace("hardly known", "well known"), encoding="utf-8")
    assert not verify_retirements(demo.retirements, shown).sound
    with pytest.raises(LedgerBroken):
        retired(demo)


def test_the_record_itself_refuses_a_second_leave(demo: Workspace) -> None:
    """Two people who retire one group at one moment write one record."""
    leave(demo)
    (line,) = retired(demo)
    fields = line.model_dump(
        mode="json", exclude={"schema_version", "seq", "previous", "time", "digest"}
    )
    with pytest.raises(RecordRefused, match="was retired on 2026-03-01"):
        retirement_chain(demo).append({**fields, "click_id": "another-click"})
    assert len(retired(demo)) == 1


def test_batches_may_name_what_left(demo: Workspace) -> None:
    """A batch keeps the group it brought and its items."""
    demo.batches.write_text(
        f'batches:\n  - {{id: seed, authored_on: "2026-01-01", groups: [{GONE}, {OTHER}]}}\n',
        encoding="utf-8",
    )
    leave(demo)
    assert check_batches(demo, load_bank(demo)) == []
    (batch,) = worklist(demo).batches
    assert (batch.items, dict(batch.outcomes)) == (4, {GONE: "retired", OTHER: "open"})


def test_agreement_goes_on_counting_a_group_that_left(demo: Workspace) -> None:
    """A figure that was read before a merge comes out again after it, and says why."""
    study = load_study(demo, "demo")
    for each in study.rounds[0].passes:
        walk = Walk(demo, "demo", each.rater, origin="cli")
        walk.start(0)
        for card in walk.card_ids:
            judge(walk, card, *(("natural",) if card == GONE and each.pass_ == "first" else ()))
        walk.lock(click_id=secrets.token_hex(8))
    before = read_material(demo, study)
    leave(demo, into=INTO)
    after = read_material(demo, study)
    assert GONE in after.cards.ids
    assert after.cards == before.cards
    assert after.round == before.round
    assert before.said == ()
    assert after.said == (f"Left the bank since the review, and still compared: {GONE}.",)


def test_a_file_in_the_way_is_not_overwritten(demo: Workspace) -> None:
    """What lies where the group's file would go stays, before the record and after a crash."""
    demo.retired.mkdir()
    kept = demo.retired / f"{GONE}.yaml"
    kept.write_text("somebody's", encoding="utf-8")
    with pytest.raises(CannotRetire, match="is there already"):
        leave(demo)
    assert retired(demo) == ()
    kept.unlink()
    leave(demo)
    kept.rename(demo.groups / kept.name)
    kept.write_text("somebody's", encoding="utf-8")
    with pytest.raises(CannotRetire, match="is there already"):
        leave(demo)
    assert kept.read_text(encoding="utf-8") == "somebody's"
    assert (demo.groups / kept.name).exists()


def test_an_adjudication_outlives_the_group_it_settled(demo: Workspace) -> None:
    """A group that leaves before or after it was settled stops neither list nor adjudicator."""
    rewrite(demo, adjudication="{adjudicator: umpire, queue: all}")
    for rater in ("first-reviewer", "second-reviewer"):
        walk = Walk(demo, "demo", rater, origin="cli")
        walk.start(0)
        for card in walk.card_ids:
            judge(walk, card, *(("natural",) if card in (GONE, INTO, OTHER) else ()))
        walk.lock(click_id=secrets.token_hex(8))
    sitting = Hearing(demo, "demo", "umpire", origin="voila")
    sitting.start(0)
    for card in (GONE, GONE, OTHER, OTHER):
        judge_any(sitting, card)
    leave(demo, GONE)
    leave(demo, INTO)
    found = worklist(demo)
    assert found.counts()["retired"] == 2
    assert [each.by for each in found.histories.of(GONE)] == ["first", "adjudication"]
    line = found.line(OTHER)
    assert line is not None
    assert (line.state, line.by) == ("accepted", "adjudication")
    again = Hearing(demo, "demo", "umpire", origin="voila")
    assert GONE not in again.card_ids


def lines_of(groups: Iterable[Group]) -> list[str]:
    """Return each group as one line of JSON."""
    return [
        json.dumps(
            each.model_dump(mode="json", by_alias=True, exclude_defaults=True), ensure_ascii=False
        )
        for each in groups
    ]


def many(ws: Workspace, groups: Iterable[Group]) -> Workspace:
    """Return a folder whose bank is one file of many groups."""
    made = [*groups]
    laid = lay(ws.root, made)
    for path in laid.groups.glob("*.yaml"):
        path.unlink()
    text = "".join(f"{line}\n" for line in lines_of(made))
    (laid.groups / "many.jsonl").write_text(text, encoding="utf-8", newline="")
    return laid


TAKES_OUT = """
import sys
from pathlib import Path
from reviewkit.authoring import retire
from reviewkit.workspace import Workspace
print(flush=True)
sys.stdin.readline()
for name in sys.argv[2:]:
    retire(Workspace(Path(sys.argv[1])), name, reason="one side is hardly known", name="amal")
"""


def test_two_who_take_groups_out_of_one_file_undo_nothing(demo: Workspace) -> None:
    """Two processes take twelve of forty groups out each, at the same time; none comes back."""
    names = [f"MANY-{n}" for n in range(40)]
    ws = many(demo, map(t1, names))
    both = [
        subprocess.Popen(
            [sys.executable, "-c", TAKES_OUT, str(ws.root), *names[at::2][:12]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for at in (0, 1)
    ]  # fmt: skip
    for each in both:
        assert each.stdout
        each.stdout.readline()
    for each in both:
        assert each.stdin
        each.stdin.write("\n")
        each.stdin.flush()
    assert [each.wait() for each in both] == [0, 0]
    assert [each.template_id for each in load_bank(ws).groups] == names[24:]
    assert len(retired(ws)) == 24
    assert faults(ws) == []


def test_a_line_ends_where_a_file_says_so(demo: Workspace) -> None:
    """A group with a line separator in a text goes whole; the other lines stay as they are."""
    made = [t1(f"MANY-{n}").model_copy(update={"notes": "one\u2028two"}) for n in range(3)]
    ws = many(demo, made)
    leave(ws, "MANY-1")
    first, _gone, last = lines_of(made)
    assert (ws.groups / "many.jsonl").read_bytes().decode() == f"{first}\n{last}\n"
    assert faults(ws) == []


def test_another_case_makes_no_other_identifier(demo: Workspace) -> None:
    """Some disks keep one file of the two names, and people read one."""
    leave(demo, into=INTO)
    for name in (GONE.lower(), f"{GONE}-B"):
        with pytest.raises(IdentifierTaken, match=f"{name} is {GONE}.*in another case"):
            must_be_free(demo, [name])


def test_what_was_written_acts_on_no_terminal(demo: Workspace) -> None:
    """A refusal shows the beginning of a reason on one line, without what a terminal obeys."""
    reason = f"\x1b]0;title\x07\u202egnol\n{'so ' * 900}"
    retire(demo, GONE, reason=reason, name="amal")
    with pytest.raises(IdentifierTaken) as refused:
        must_be_free(demo, [GONE])
    said = str(refused.value)
    assert len(said) < 400
    assert not {"\x1b", "\x07", "\u202e", "\n"} & {*said}


def test_too_many_words_and_half_a_day_are_told_with_the_rest(demo: Workspace) -> None:
    """What the record would refuse is said before anything is recorded, in plain words."""
    with pytest.raises(ProblemsFound) as found:
        retire(demo, GONE, reason="y" * 4_001, name="n" * 201, on="2026-1-1")
    assert [str(each) for each in found.value.problems] == [
        "reason: has 4,001 characters and may have 4,000; say it in fewer words",
        "name: has 201 characters and may have 200; say it in fewer words",
        "on: '2026-1-1' is no day; write it as 2026-11-30",
    ]


def test_who_has_the_card_open_is_told_that_it_left(demo: Workspace) -> None:
    """Nothing is recorded of it, his draft is kept, and the next page of his goes on without it."""
    alone(demo)
    page = sit_down(demo, "first-reviewer")
    card = page.card["card_id"]
    page.draft(page.answers("natural"), "my note")
    retire(demo, card, reason="no second value", name="amal", on="2026-03-01")
    page.say("language", to="ar")
    assert "2026-03-01" in page.card["notice"]
    page.say("language", to="en")
    reply = page.submit("natural", note="my note")
    assert reply["kind"] == "refused"
    assert reply["text"].startswith("This group left the bank on 2026-03-01")
    assert "does not exist" not in page.card["notice"]
    ledger = demo.ledger("demo", "first", "first-reviewer").read_text(encoding="utf-8")
    assert '"kind":"decision"' not in ledger
    (kept,) = demo.study_folder("demo").rglob("*.draft.json")
    assert "my note" in kept.read_text(encoding="utf-8")
    later = sit_down(demo, "first-reviewer")
    assert later.card["card_id"] != card
    assert later.view["progress"]["total"] == 24
