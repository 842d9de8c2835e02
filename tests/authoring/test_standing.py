"""Where groups stand in the study of record: by content, by form, and blind until the locks."""

from __future__ import annotations

import secrets

import pytest

from reviewkit.authoring import Standings, standings_of
from reviewkit.bank import load_bank
from reviewkit.decisions import Record
from reviewkit.release import audit
from reviewkit.study import Hearing, Walk, find_round, load_study, unblind
from reviewkit.workspace import Workspace

FIRST, SECOND = "first-reviewer", "second-reviewer"
CARD, OTHER, PAIR = "DEMO-T4-001", "DEMO-T1-001", "DEMO-T3-001"


def click() -> str:
    """Return a click id of its own."""
    return secrets.token_hex(8)


def judge(
    who: Walk | Hearing, card: str, *failed: str, reason: str = "", escalated: bool = False
) -> Record:
    """Answer every check that applies, those named with no."""
    asked = who.outcome(card, {}, "").asked
    answers = {check: "no" if check in failed else "yes" for check in asked}
    more = {"reason": reason} if reason else {}
    return who.submit(
        card, who.digest(card), answers, "seen" if failed else "", escalated=escalated,
        seconds=1.0, click_id=click(), **more,
    )  # fmt: skip


def walk(ws: Workspace, rater: str, pass_name: str | None = None) -> Walk:
    """Return a rater's walk, begun."""
    walking = Walk(ws, "demo", rater, pass_name=pass_name, origin="cli")
    walking.start(0)
    return walking


def rewrite(ws: Workspace, **lines: str) -> None:
    """Put fields of the demo's study file in the place of others, or add them."""
    path = ws.study_file("demo")
    kept = [
        line for line in path.read_text(encoding="utf-8").splitlines()
        if line.split(":")[0] not in lines
    ]  # fmt: skip
    if "rounds" in lines:
        kept = [line for line in kept if not line.startswith(" ")]
    kept += [f"{name}: {value}" for name, value in lines.items()]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")


def alone(ws: Workspace) -> Walk:
    """Make the demo a study of one reviewer, and let him sit down."""
    rewrite(ws, rounds='[{round: "1", passes: [{pass: first, rater: first-reviewer}]}]')
    return walk(ws, FIRST)


def standings(ws: Workspace) -> Standings:
    """Return where the groups stand now."""
    return standings_of(ws, load_bank(ws))


def edit(ws: Workspace, card: str, before: str, after: str) -> None:
    """Edit the file of a group."""
    path = ws.groups / f"{card}.yaml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_a_verdict_of_one_reviewer_stands_at_once(demo: Workspace) -> None:
    """Accepted, in need of a fix with its failed checks, rejected, skipped, and not yet seen."""
    walking = alone(demo)
    judge(walking, CARD)
    judge(walking, OTHER, "natural", "bounded_request")
    judge(walking, PAIR, "no_harm")
    walking.skip("DEMO-T1-002", click_id=click())
    found = standings(demo)
    assert [found.of(each).state for each in (CARD, OTHER, PAIR, "DEMO-T1-002", "DEMO-T1-003")] == [
        "accepted", "needs_fix", "rejected", "skipped", "unreviewed",
    ]  # fmt: skip
    assert found.of(OTHER).failed == ("t1/bounded_request", "t1/natural")
    assert found.counts()["unreviewed"] == 21


def test_a_rejected_group_in_the_bank_is_a_hard_finding(demo: Workspace) -> None:
    """It fails the audit; once mended it is a group that changed since its review."""
    judge(alone(demo), PAIR, "no_harm")
    found = audit(demo)
    assert [(each.code, each.group) for each in found.hard] == [("rejected-present", PAIR)]
    edit(demo, PAIR, "feast-day-food", "bread")
    found = audit(demo)
    assert found.passed
    assert [each.group for each in found.of("review-stale")] == [PAIR]


def test_an_edit_and_its_undoing(demo: Workspace) -> None:
    """A verdict is of a content: edited it is stale, put back it stands again."""
    judge(alone(demo), OTHER)
    edit(demo, OTHER, "4 lines", "5 lines")
    assert standings(demo).of(OTHER).state == "changed"
    edit(demo, OTHER, "5 lines", "4 lines")
    assert standings(demo).of(OTHER).state == "accepted"


def test_another_edition_of_the_checklist_makes_a_verdict_stale(demo: Workspace) -> None:
    """A verdict given with five checks does not stand under six."""
    rewrite(demo, forms="{T1: t1@1, T2: t2@1, T3: t3@1, T4: t4@1}")
    judge(alone(demo), PAIR)
    assert standings(demo).of(PAIR).state == "accepted"
    rewrite(demo, forms="{T1: t1@1, T2: t2@1, T3: t3@2, T4: t4@1}")
    assert standings(demo).of(PAIR).state == "changed"


def test_a_blind_round_is_closed_until_the_locks(demo: Workspace) -> None:
    """The verdict of the first pass is nowhere while the second reviewer is at work."""
    judge(walk(demo, FIRST), PAIR, "no_harm")
    found = audit(demo)
    standing = found.standings.of(PAIR)
    assert (standing.state, standing.failed) == ("reviewed", ())
    assert [each.group for each in found.of("verdicts-withheld")] == [PAIR]
    assert found.passed
    study = load_study(demo, "demo")
    unblind(demo, study, find_round(study, None), "to see")
    assert standings(demo).of(PAIR).state == "rejected"


def test_the_primary_pass_stands_and_no_other(demo: Workspace) -> None:
    """What the second reviewer says changes nothing, unless his pass is the primary one."""
    judge(walk(demo, FIRST), CARD)
    judge(walk(demo, SECOND), CARD, "no_steering")
    study = load_study(demo, "demo")
    unblind(demo, study, find_round(study, None), "to see")
    assert standings(demo).of(CARD).state == "accepted"
    rewrite(demo, primary="second")
    assert standings(demo).of(CARD).state == "needs_fix"


ROUNDS = (
    '[{round: "1", passes: [{pass: first, rater: first-reviewer}]},'
    ' {round: "2", passes: [{pass: again, rater: first-reviewer}]}]'
)


def test_a_later_pass_of_the_same_rater_stands(demo: Workspace) -> None:
    """A re-review in a later round is the verdict; a skip there takes none away."""
    rewrite(demo, rounds=ROUNDS)
    judge(walk(demo, FIRST, "first"), CARD, "no_steering")
    judge(walk(demo, FIRST, "first"), OTHER)
    again = walk(demo, FIRST, "again")
    judge(again, CARD)
    again.skip(OTHER, click_id=click())
    found = standings(demo)
    assert (found.of(CARD).state, found.of(CARD).by) == ("accepted", "again")
    assert (found.of(OTHER).state, found.of(OTHER).by) == ("accepted", "first")


def test_an_adjudication_settles_what_the_passes_left(demo: Workspace) -> None:
    """The adjudicator's verdict stands before the primary pass, an exclusion takes a group out."""
    rewrite(demo, adjudication="{adjudicator: umpire, queue: all}")
    for rater in (FIRST, SECOND):
        walking = walk(demo, rater)
        for card in walking.card_ids:
            judge(walking, card)
        walking.lock(click_id=click())
    assert standings(demo).of(CARD).state == "accepted"
    sitting = Hearing(demo, "demo", "umpire", origin="voila")
    sitting.start(0)
    judge(sitting, CARD, "no_steering")
    assert standings(demo).of(CARD).state == "accepted"
    judge(sitting, CARD, "no_steering")
    judge(sitting, PAIR)
    sitting.exclude(PAIR, "uncodable", click_id=click())
    found = standings(demo)
    assert (found.of(CARD).state, found.of(CARD).by) == ("needs_fix", "adjudication")
    assert found.of(PAIR).state == "excluded"
    assert [each.group for each in audit(demo).of("rejected-present")] == [PAIR]


@pytest.mark.parametrize("number", [0, 2])
def test_no_or_several_studies_of_record(demo: Workspace, number: int) -> None:
    """Without one study of record nobody can say what stands, and no group is called unreviewed."""
    text = demo.study_file("demo").read_text(encoding="utf-8")
    if number:
        demo.study_folder("other").mkdir()
        demo.study_file("other").write_text(
            text.replace("study: demo", "study: other"), encoding="utf-8"
        )
    else:
        rewrite(demo, of_record='"no"')
    found = audit(demo)
    said = "several claim to be: demo, other" if number else ""
    assert [each.said for each in found.of("no-study-of-record")] == [said]
    assert found.of("unreviewed") == ()
