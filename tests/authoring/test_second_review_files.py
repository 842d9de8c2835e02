"""A second review when files changed under it: retirement, cut-off commands, hands in its file."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from reviewkit.authoring import (
    check_second_reviews,
    close_second_review,
    retire,
    start_second_review,
    widen_second_review,
)
from reviewkit.authoring.second_review_acts import CannotClose, CannotWiden
from reviewkit.problems import ProblemsFound
from reviewkit.study import load_study
from reviewkit.study.dealing import card_book
from reviewkit.study.drawing import verify_sample
from reviewkit.study.new_study import StudyExists
from reviewkit.workspace import Workspace
from tests.authoring.second_reviews import copy_of, first_review, found, judge_open, lay


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return the demo, all accepted, with a second review begun; to be copied, not changed."""
    ws = lay(tmp_path_factory.mktemp("once") / "project")
    first_review(ws)
    start_second_review(ws, "again", "basim", 7)
    return ws


@pytest.fixture
def begun(once: Workspace, tmp_path: Path) -> Workspace:
    """Return a copy of it."""
    return copy_of(once, tmp_path / "project")


def change(path: Path, before: str, after: str) -> None:
    """Change a text that stands once in a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_a_group_that_is_retired_before_it_was_judged(begun: Workspace) -> None:
    """Nobody waits for it, and it is in no figure."""
    gone, *rest = found(begun).sampled
    retire(begun, gone, reason="twice the same", name="amal")
    assert (found(begun).gone, len(found(begun).open)) == ((gone,), len(rest))
    judge_open(begun, "again", "basim")
    review = close_second_review(begun, "again")
    assert (review.overall.sampled, review.overall.judged) == (len(rest) + 1, len(rest))


def test_retiring_what_failed_does_not_lower_the_share(begun: Workspace) -> None:
    """A group that failed and was retired then is counted as it was judged."""
    failing = found(begun).sampled[:3]
    judge_open(begun, "again", "basim", failing)
    for each in failing:
        retire(begun, each, reason="beyond repair", name="amal")
    review = found(begun)
    assert (review.overall.failed, review.must_widen) == (3, True)
    assert any(each.name == "left the bank" and each.failed == 3 for each in review.strata)
    assert sum(each.judged for each in review.strata) == review.overall.judged


def test_a_retired_group_is_not_drawn_by_a_widening(begun: Workspace) -> None:
    """The whole population is then what is left of it."""
    judge_open(begun, "again", "basim", found(begun).sampled)
    undrawn = next(each for each in found(begun).population if each not in found(begun).sampled)
    retire(begun, undrawn, reason="beyond repair", name="amal")
    widen_second_review(begun, "again", to=Decimal(1))
    review = found(begun)
    assert {*review.population} - {*review.sampled} == {undrawn}
    judge_open(begun, "again", "basim", review.sampled)
    assert close_second_review(begun, "again").outcome == "whole_population"


@pytest.mark.parametrize("left", ["nothing", "study file"])
def test_a_start_that_was_cut_off_goes_on(begun: Workspace, left: str) -> None:
    """Recorded and not carried out: the same command draws the same sample; another is refused."""
    sampled, path = found(begun).sampled, begun.study_file("again")
    text = path.read_text(encoding="utf-8")
    begun.card_book("again").unlink()
    if left == "nothing":
        path.unlink()
    with pytest.raises(StudyExists):
        start_second_review(begun, "again", "dalia", 7)
    assert start_second_review(begun, "again", "basim", 7).review.sampled == sampled
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("reached", ["record", "study file"])
def test_a_widening_that_was_cut_off_goes_on(begun: Workspace, reached: str) -> None:
    """It is neither closed nor widened twice: the next command does what is recorded."""
    judge_open(begun, "again", "basim", found(begun).sampled[:4])
    path, book = begun.study_file("again"), begun.card_book("again")
    before = path.read_text(encoding="utf-8"), book.read_bytes()
    ledger = begun.ledger("again", "second", "basim")
    locked = ledger.read_bytes()
    whole = widen_second_review(begun, "again").review
    ledger.write_bytes(locked)
    book.write_bytes(before[1])
    if reached == "record":
        path.write_text(before[0], encoding="utf-8")
    assert "goes on where it stopped" in found(begun).unfinished
    with pytest.raises(CannotClose, match="goes on"):
        close_second_review(begun, "again")
    assert widen_second_review(begun, "again").review.sampled == whole.sampled
    assert (found(begun).unfinished, found(begun).locked) == ("", False)
    assert found(begun).widened == 1


def test_an_edit_between_the_record_and_the_draw_loses_no_group(begun: Workspace) -> None:
    """What a cut-off widening recorded as drawn is drawn, though its stratum is another now."""
    judge_open(begun, "again", "basim", found(begun).sampled[:4])
    book = begun.card_book("again")
    before = book.read_bytes()
    new = widen_second_review(begun, "again").new
    book.write_bytes(before)
    # where there are many groups already, these are not the next to be drawn
    for each in (name for name in new if "-T1-" in name):
        path = begun.groups / f"{each}.yaml"
        text = re.sub("domain: [a-z-]+", "domain: historical-political", path.read_text("utf-8"))
        path.write_text(text, encoding="utf-8")
    widen_second_review(begun, "again")
    assert {*new} <= {*found(begun).sampled}
    assert found(begun).unfinished == ""
    acts = card_book(begun, load_study(begun, "again")).acts()
    assert "recorded as drawn" in acts[-1].reason


def test_a_share_written_in_another_way_is_left_to_the_person(begun: Workspace) -> None:
    """The sentence says what to write; then the same command goes on."""
    judge_open(begun, "again", "basim", found(begun).sampled)
    path = begun.study_file("again")
    change(path, "share: 25%, at_least: 20%", '"share": 25%, "at_least": 20%')
    with pytest.raises(CannotWiden, match="share: 50%, at_least: 40%"):
        widen_second_review(begun, "again")
    change(path, '"share": 25%, "at_least": 20%', "share: 50%, at_least: 40%")
    assert widen_second_review(begun, "again").review.share == Decimal("0.5")


def test_what_a_person_added_to_the_file_stays(begun: Workspace) -> None:
    """A widening changes two figures of the study file and nothing else."""
    judge_open(begun, "again", "basim", found(begun).sampled)
    path = begun.study_file("again")
    path.write_text(path.read_text(encoding="utf-8") + "# my own line\n", encoding="utf-8")
    before = path.read_text(encoding="utf-8")
    widen_second_review(begun, "again")
    assert path.read_text(encoding="utf-8") == before.replace("25%, at_", "50%, at_").replace(
        "at_least: 20%", "at_least: 40%"
    )
    assert verify_sample(begun, load_study(begun, "again")).same


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ("bound: 25%", "bound: 90%", "second_review.bound"),
        ("seed: 7", "seed: 8", "sample.seed"),
        ("rater: basim", "rater: dalia", "rounds passes rater"),
        ('  - "DEMO-T1-017"\n', "", "groups"),
        ("share: 25%", "share: 60%", "sample.draws share"),
    ],
)
def test_a_hand_in_the_study_file_is_found(
    begun: Workspace, before: str, after: str, place: str
) -> None:
    """`reviewkit check` names what is other than the record; a softened bound bounds nothing."""
    check_second_reviews(begun)
    change(begun.study_file("again"), before, after)
    with pytest.raises(ProblemsFound, match=place):
        check_second_reviews(begun)
    assert found(begun).bound == Decimal("0.25")


def test_a_section_written_by_hand_has_no_start(begun: Workspace) -> None:
    """A study file that claims to be a second review and was not started is a fault."""
    begun.second_review_log("again").unlink()
    with pytest.raises(ProblemsFound, match="no start of it is on record"):
        check_second_reviews(begun)
    assert "no `reviewkit second-review start again` is recorded" in found(begun).unfinished


def test_the_warning_of_the_first_review_is_shown_in_the_second(demo: Workspace) -> None:
    """The texts are the same, so what protects the raters is taken along."""
    path = demo.study_file("demo")
    path.write_text(
        path.read_text(encoding="utf-8")
        + 'welfare: {content_warning: {en: "Hard: texts", ar: "نصوص"}, daily_limit: 9}\n',
        encoding="utf-8",
    )
    first_review(demo)
    start_second_review(demo, "again", "basim", 7)
    assert load_study(demo, "again").welfare == load_study(demo, "demo").welfare
