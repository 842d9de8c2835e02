"""A second review from its start to its end: who, what counts, when it is widened and closed."""

from __future__ import annotations

import secrets
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from reviewkit.authoring import (
    close_second_review,
    find_second_review,
    start_second_review,
    widen_second_review,
)
from reviewkit.authoring.second_review_acts import CannotClose, CannotWiden
from reviewkit.authoring.second_review_start import NotASecondReviewer, NothingToReview
from reviewkit.bank import load_bank
from reviewkit.decisions import PassNotComplete
from reviewkit.problems import ReviewkitError
from reviewkit.study import UnknownStudy, load_study, reopen, unblind, withdraw
from reviewkit.study.new_study import BadStudyName, StudyExists
from reviewkit.study.second_reading import read_second
from reviewkit.study.second_review import strata_of
from reviewkit.workspace import Workspace
from tests.authoring.second_reviews import (
    FIRST,
    copy_of,
    edit,
    first_review,
    found,
    judge,
    judge_open,
    lay,
    sit,
    state,
)

RETURNED = ("DEMO-T1-001", "DEMO-T1-002")


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return the demo with 23 of its 25 groups accepted; to be copied, not changed."""
    ws = lay(tmp_path_factory.mktemp("once") / "project")
    first_review(ws, *RETURNED)
    return ws


@pytest.fixture
def reviewed(once: Workspace, tmp_path: Path) -> Workspace:
    """Return a copy of it."""
    return copy_of(once, tmp_path / "reviewed")


@pytest.fixture
def begun(reviewed: Workspace) -> Workspace:
    """Return it with a second review begun: 7 of 23 groups in seven strata."""
    start_second_review(reviewed, "again", "basim", 7)
    return reviewed


def lift(ws: Workspace, reason: str = "a slip of the pen") -> None:
    """Let the second reviewer go on after his lock."""
    study = load_study(ws, "again")
    reopen(ws, study, study.rounds[0], study.rounds[0].passes[0], reason)


def test_it_draws_from_every_stratum_of_what_stands_accepted(begun: Workspace) -> None:
    """One of each stratum at least, and nothing that is not accepted."""
    review = found(begun)
    strata = strata_of(review.population, load_bank(begun))
    available, drawn = Counter(strata.values()), Counter(strata[each] for each in review.sampled)
    assert len(review.population) == 23
    assert not {*RETURNED} & {*review.population}
    assert drawn.keys() == available.keys()
    assert (len(review.sampled), review.judged, review.locked) == (7, 0, False)
    assert find_second_review(begun, load_bank(begun), None) == review


def test_the_same_seed_draws_the_same_groups(reviewed: Workspace) -> None:
    """Another name changes nothing; another seed draws others."""
    for name, seed in (("one", 7), ("two", 7), ("three", 8)):
        start_second_review(reviewed, name, "basim", seed)
    samples = [found(reviewed, name).sampled for name in ("one", "two", "three")]
    assert samples[0] == samples[1] != samples[2]


def test_without_accepted_groups_nothing_is_laid(demo: Workspace) -> None:
    """Nothing reviewed, a blind pass unlocked, or no study of record: said, and no folder left."""
    with pytest.raises(NothingToReview, match="25 unreviewed"):
        start_second_review(demo, "again", "basim", 7)
    judge(sit(demo, "demo", FIRST), "DEMO-T1-001")
    with pytest.raises(NothingToReview, match="1 reviewed"):
        start_second_review(demo, "again", "basim", 7)
    path = demo.study_file("demo")
    path.write_text(path.read_text(encoding="utf-8").replace('"yes"', '"no"'), encoding="utf-8")
    with pytest.raises(NothingToReview, match="no study is of record"):
        start_second_review(demo, "again", "basim", 7)
    assert not demo.study_folder("again").exists()


@pytest.mark.parametrize("name", ["two words", "../up", ""])
def test_a_name_is_a_folder(reviewed: Workspace, name: str) -> None:
    """Names of the study and of the rater become files, so they are checked before anything."""
    with pytest.raises(BadStudyName):
        start_second_review(reviewed, name, "basim", 7)
    with pytest.raises(BadStudyName):
        start_second_review(reviewed, "again", name, 7)


@pytest.mark.parametrize("name", [FIRST, "First-Reviewer", "FIRST-REVIEWER"])
def test_the_primary_rater_is_no_second_reviewer(reviewed: Workspace, name: str) -> None:
    """His are the verdicts that are looked at again, however his name is spelled."""
    with pytest.raises(NotASecondReviewer, match="primary rater"):
        start_second_review(reviewed, "again", name, 7)
    assert not reviewed.study_folder("again").exists()


@pytest.mark.parametrize("how", ["judged", "skipped", "withdrew", "read a second time"])
def test_whoever_had_a_group_before_is_no_second_reviewer(reviewed: Workspace, how: str) -> None:
    """What was seen was seen: withdrawn, skipped and second readings count like verdicts."""
    if how == "read a second time":
        study = load_study(reviewed, "demo")
        read_second(reviewed, study, "basim", "DEMO-T1-003", "agree", click_id=secrets.token_hex(8))
    else:
        path = reviewed.study_file("demo")
        text = path.read_text(encoding="utf-8")
        path.write_text(text + "      - {pass: other, rater: Basim}\n", encoding="utf-8")
        walk = sit(reviewed, "demo", "Basim")
        if how == "skipped":
            walk.skip("DEMO-T1-003", click_id=secrets.token_hex(8))
        else:
            judge(walk, "DEMO-T1-003")
        study = load_study(reviewed, "demo")
        if how == "withdrew":
            withdraw(reviewed, study, study.rounds[0], study.rounds[0].passes[1])
        # a pass that is in the file no more was walked all the same
        path.write_text(text, encoding="utf-8")
    with pytest.raises(NotASecondReviewer, match=r"1 of these groups before .DEMO-T1-003"):
        start_second_review(reviewed, "again", "basim", 7)
    assert start_second_review(reviewed, "again", "dalia", 7).review.rater == "dalia"


def test_nothing_is_told_before_the_lock(begun: Workspace) -> None:
    """Judged and unlocked, even unblinded by the lead: counts alone, and the groups stand."""
    review = found(begun)
    walk = sit(begun, "again", "basim")
    for card in review.sampled:
        judge(walk, card, fails=True)
    study = load_study(begun, "again")
    unblind(begun, study, study.rounds[0], "curious")
    review = found(begun)
    assert (review.judged, review.open, review.locked) == (7, (), False)
    assert (review.failing, review.failed_first, review.strata) == ({}, (), ())
    assert (review.share_failing, review.must_widen) == (None, False)
    assert "failed" not in review.said
    assert state(begun, review.sampled[0]) == ("accepted", "first")


def test_after_the_lock_failing_groups_are_with_their_authors(begun: Workspace) -> None:
    """They stand in need of a fix by the second review, until they are edited and accepted."""
    failing = found(begun).sampled[:2]
    widen_second_review(begun, "again", to=Decimal("0.35"), anyway="eight make a quarter of two")
    judge_open(begun, "again", "basim", failing)
    review = found(begun)
    digests = {group.template_id: group.digest for group in load_bank(begun).groups}
    assert review.failing == {each: ("needs_fix", digests[each]) for each in failing}
    assert (review.overall.failed, review.overall.judged) == (2, 8)
    assert review.share_failing == 0.25
    assert not review.must_widen, "a quarter does not pass a bound of a quarter"
    assert sum(each.failed for each in review.strata) == 2
    assert state(begun, failing[0]) == ("needs_fix", "second-review")
    edit(begun, failing[0])
    assert found(begun).changed == (failing[0],)
    assert state(begun, failing[0])[0] == "changed"
    study = load_study(begun, "demo")
    reopen(begun, study, study.rounds[0], study.rounds[0].passes[0], "mended groups")
    judge(sit(begun, "demo", FIRST), failing[0])
    assert state(begun, failing[0]) == ("accepted", "first")
    assert state(begun, failing[1]) == ("needs_fix", "second-review")


def test_it_is_widened_when_the_failing_share_passes_the_bound(begun: Workspace) -> None:
    """Two of seven: the lock is lifted for the new groups, all that was drawn stays drawn."""
    first = found(begun).sampled
    judge_open(begun, "again", "basim", first[:2])
    assert found(begun).must_widen
    with pytest.raises(CannotClose, match="widen it"):
        close_second_review(begun, "again")
    drawn = widen_second_review(begun, "again")
    review = drawn.review
    assert (review.share, review.widened, review.locked) == (Decimal("0.5"), 1, False)
    assert review.sampled[:7] == first
    assert review.sampled[7:] == drawn.new == review.open
    assert set(review.failing) == {*first[:2]}, "what was told is not taken back"
    assert state(begun, first[0]) == ("needs_fix", "second-review")
    with pytest.raises(CannotClose, match="groups are open"):
        close_second_review(begun, "again")
    judge_open(begun, "again", "basim")
    assert found(begun).share_failing == pytest.approx(2 / len(review.sampled))
    closed = close_second_review(begun, "again")
    assert (closed.is_closed, closed.counts, closed.outcome) == (True, True, "within_bound")
    with pytest.raises(CannotWiden, match="was closed"):
        widen_second_review(begun, "again", anyway="more")
    with pytest.raises(CannotClose, match="already"):
        close_second_review(begun, "again")


def test_when_everything_was_drawn_it_is_closed_over_the_bound(begun: Workspace) -> None:
    """Everything fails: it is widened step by step to all of it, and then there is no more."""
    for _step in range(3):
        judge_open(begun, "again", "basim", found(begun).population)
        if found(begun).must_widen:
            widen_second_review(begun, "again")
    review = found(begun)
    assert set(review.sampled) == set(review.population)
    assert (review.must_widen, review.next_share, review.share_failing) == (False, None, 1.0)
    with pytest.raises(CannotWiden, match="no group is left"):
        widen_second_review(begun, "again", anyway="more")
    assert close_second_review(begun, "again").outcome == "whole_population"


def test_widening_without_need_says_why(begun: Workspace) -> None:
    """Refused on an unlocked pass and within the bound; with a reason it is recorded."""
    with pytest.raises(CannotWiden, match=r"not locked.*--anyway"):
        widen_second_review(begun, "again")
    judge_open(begun, "again", "basim")
    with pytest.raises(CannotWiden, match=r"does not pass the bound of 25%.*--anyway"):
        widen_second_review(begun, "again", anyway="  ")
    with pytest.raises(CannotWiden, match="25% already"):
        widen_second_review(begun, "again", to=Decimal("0.25"), anyway="more")
    with pytest.raises(CannotWiden, match="no group is left that 26% would add"):
        widen_second_review(begun, "again", to=Decimal("0.26"), anyway="more")
    assert found(begun).locked, "what was refused lifted no lock"
    drawn = widen_second_review(begun, "again", to=Decimal("0.9"), anyway="a second look")
    assert drawn.review.share == Decimal("0.9")
    assert "a second look" in begun.second_review_log("again").read_text(encoding="utf-8")


def test_mending_the_sample_does_not_speak_for_the_rest(begun: Workspace) -> None:
    """A group that failed, was mended and judged again counts as it was first judged."""
    first = found(begun).sampled
    judge_open(begun, "again", "basim", first[:3])
    for each in first[:3]:
        edit(begun, each)
    widen_second_review(begun, "again")
    with pytest.raises(PassNotComplete):
        sit(begun, "again", "basim").lock(click_id=secrets.token_hex(8))
    judge_open(begun, "again", "basim", found(begun).sampled[8:10])
    review = found(begun)
    assert set(review.failing) == {*review.sampled[8:10]}, "the mended ones are accepted"
    assert review.failed_first == (*first[:3], *review.sampled[8:10])
    assert review.must_widen, "5 of 13, and not 2 of 13"


def test_a_slip_is_put_right_on_the_same_content(begun: Workspace) -> None:
    """A lifted lock takes nothing back; the next one counts the corrected verdict."""
    first = found(begun).sampled
    judge_open(begun, "again", "basim", first[:3])
    lift(begun)
    assert (found(begun).locked, len(found(begun).failing), found(begun).must_widen) == (
        False, 3, False,
    )  # fmt: skip
    walk = sit(begun, "again", "basim")
    judge(walk, first[0])
    assert len(found(begun).failing) == 3
    walk.lock(click_id=secrets.token_hex(8))
    assert set(found(begun).failing) == {*first[1:3]}
    assert found(begun).failed_first == first[1:3]


def test_a_lock_that_is_lifted_after_the_end_opens_it_again(begun: Workspace) -> None:
    """It is closed again under the new lock, with what was said then."""
    judge_open(begun, "again", "basim")
    close_second_review(begun, "again")
    lift(begun)
    assert not found(begun).is_closed
    with pytest.raises(CannotClose, match="not locked"):
        close_second_review(begun, "again")
    walk = sit(begun, "again", "basim")
    judge(walk, found(begun).sampled[0], fails=True)
    walk.lock(click_id=secrets.token_hex(8))
    assert not found(begun).is_closed
    assert len(close_second_review(begun, "again").failing) == 1


def test_withdrawn_consent_takes_every_verdict_away(begun: Workspace) -> None:
    """Locked, even closed before: nothing of it counts, and an open one is closed as void."""
    failing = found(begun).sampled[:1]
    judge_open(begun, "again", "basim", failing)
    study = load_study(begun, "again")
    withdraw(begun, study, study.rounds[0], study.rounds[0].passes[0])
    review = found(begun)
    assert (review.withdrawn, review.locked, review.failing, review.counts) == (
        True, False, {}, False,
    )  # fmt: skip
    assert state(begun, failing[0]) == ("accepted", "first")
    with pytest.raises(CannotWiden, match="withdrawn"):
        widen_second_review(begun, "again", anyway="more")
    closed = close_second_review(begun, "again")
    assert (closed.outcome, closed.counts) == ("void", False)
    assert "withdrawn" in closed.said


def test_consent_withdrawn_after_the_end(begun: Workspace) -> None:
    """It stays closed and counts no more."""
    judge_open(begun, "again", "basim")
    close_second_review(begun, "again")
    study = load_study(begun, "again")
    withdraw(begun, study, study.rounds[0], study.rounds[0].passes[0])
    assert (found(begun).is_closed, found(begun).counts) == (True, False)


def test_an_abandoned_one_is_void_and_a_sealed_one_cannot_be(begun: Workspace) -> None:
    """Nobody makes verdicts disappear by declaring void what a lock has shown."""
    start_second_review(begun, "other", "dalia", 8)
    assert close_second_review(begun, "other", void="dalia has left").outcome == "void"
    judge_open(begun, "other", "dalia", found(begun, "other").sampled)
    assert found(begun, "other").failing == {}
    judge_open(begun, "again", "basim", found(begun).sampled)
    with pytest.raises(CannotClose, match="cannot be void"):
        close_second_review(begun, "again", void="too bad")


def test_skipped_groups_are_in_no_figure(begun: Workspace) -> None:
    """Whoever skips explains nothing; when all are skipped, nothing was reviewed a second time."""
    walk = sit(begun, "again", "basim")
    sampled = found(begun).sampled
    for card in sampled[1:]:
        walk.skip(card, click_id=secrets.token_hex(8))
    judge(walk, sampled[0])
    walk.lock(click_id=secrets.token_hex(8))
    review = found(begun)
    assert (review.skipped, review.overall.judged, review.open) == (sampled[1:], 1, ())
    lift(begun)
    walk = sit(begun, "again", "basim")
    walk.skip(sampled[0], click_id=secrets.token_hex(8))
    walk.lock(click_id=secrets.token_hex(8))
    with pytest.raises(CannotClose, match="every group was skipped"):
        close_second_review(begun, "again")


def test_a_group_that_is_edited_after_the_draw(begun: Workspace) -> None:
    """Unjudged it is judged as it is now; judged, it is judged again before the lock."""
    one, other = found(begun).sampled[:2]
    edit(begun, one)
    walk = sit(begun, "again", "basim")
    for card in found(begun).sampled:
        judge(walk, card)
    edit(begun, other)
    with pytest.raises(PassNotComplete):
        walk.lock(click_id=secrets.token_hex(8))
    judge_open(begun, "again", "basim")
    assert found(begun).changed == ()
    assert close_second_review(begun, "again").overall.judged == 7


def test_two_second_reviews_stand_side_by_side(begun: Workspace) -> None:
    """Both count; a reviewer has no group twice, and whoever says no name is asked for one."""
    with pytest.raises(StudyExists):
        start_second_review(begun, "again", "dalia", 9)
    start_second_review(begun, "other", "dalia", 9, share=Decimal(1), at_least=Decimal(1))
    judge_open(begun, "again", "basim", found(begun).sampled[:1])
    judge_open(begun, "other", "dalia", found(begun).sampled[1:2])
    assert state(begun, found(begun).sampled[0]) == ("needs_fix", "second-review")
    assert state(begun, found(begun).sampled[1]) == ("needs_fix", "second-review")
    with pytest.raises(UnknownStudy, match="there is again, other"):
        find_second_review(begun, load_bank(begun), None)
    with pytest.raises(NotASecondReviewer, match="--except NAME"):
        start_second_review(begun, "third", "basim", 9)
    with pytest.raises(NothingToReview):
        start_second_review(begun, "third", "basim", 9, without=["again"])
    assert not begun.study_folder("third").exists()


def test_later_groups_have_a_second_review_of_their_own(demo: Workspace) -> None:
    """With the earlier population left out, its reviewer may judge what was accepted since."""
    first_review(demo, *RETURNED)
    start_second_review(demo, "again", "basim", 7)
    judge_open(demo, "again", "basim")
    study = load_study(demo, "demo")
    reopen(demo, study, study.rounds[0], study.rounds[0].passes[0], "two were mended")
    for card in RETURNED:
        edit(demo, card)
    judge_open(demo, "demo", FIRST)
    drawn = start_second_review(demo, "batch-2", "basim", 7, without=["again"])
    assert drawn.review.population == RETURNED


def test_a_stratum_of_one_and_a_share_of_all(reviewed: Workspace) -> None:
    """The only group of its stratum is always drawn; a share of 100 % is the whole bank."""
    bank = load_bank(reviewed)
    start_second_review(
        reviewed, "one", "basim", 7, share=Decimal("0.01"), at_least=Decimal("0.01")
    )
    strata = strata_of(found(reviewed, "one").population, bank)
    lonely = [each for each, of in strata.items() if [*strata.values()].count(of) == 1]
    assert lonely
    assert {*lonely} <= {*found(reviewed, "one").sampled}
    start_second_review(reviewed, "all", "basim", 7, share=Decimal(1), at_least=Decimal(1))
    assert len(found(reviewed, "all").sampled) == 23
    judge_open(reviewed, "all", "basim", found(reviewed, "all").sampled)
    assert not found(reviewed, "all").must_widen
    assert found(reviewed, "all").next_share is None


def test_a_refused_start_raises_situations(reviewed: Workspace) -> None:
    """A least share above the share is a fault of what was asked, and nothing is recorded."""
    with pytest.raises(ReviewkitError, match="at_least"):
        start_second_review(reviewed, "again", "basim", 7, share=Decimal("0.1"))
    assert not reviewed.study_folder("again").exists()
