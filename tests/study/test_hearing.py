"""An adjudication from the locks to the last card: label, then see, then confirm or change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewkit.decisions import Entry, FileLedger, NotReady, Record, RecordRefused
from reviewkit.decisions.hearings import codes_digest
from reviewkit.problems import ProblemsFound
from reviewkit.study import (
    LabelsClosed,
    UnknownRater,
    find_round,
    load_study,
    reopen,
    unblind,
)
from reviewkit.study.docket import NotRevealed
from reviewkit.study.hearing import (
    Hearing,
    NoCodingLeft,
    NotLockable,
    ReasonMissing,
    UnknownExclusion,
    adjudication_progress,
)
from reviewkit.study.opening import withdraw
from reviewkit.workspace import Workspace
from tests.desk.talk import sit_down
from tests.study.coding_people import (
    CARDS,
    STUDY,
    click,
    code,
    code_again,
    coding_study,
    hearing,
    import_texts,
    say,
)

ADA = "E E N D R E"
BO = "E QE N R - Abstain?"
DIFFERING = {"r2", "r4", "r5", "r6"}


@pytest.fixture
def coded(tmp_path: Path) -> Workspace:
    """Return a study that two have coded and locked; they differ on four of six cards."""
    ws = coding_study(tmp_path)
    code(ws, "ada", ADA)
    code(ws, "bo", BO)
    return ws


# when it opens


def test_it_opens_after_the_locks_and_says_what_is_open(tmp_path: Path) -> None:
    """Before, the passes are named and their raters are not."""
    ws = coding_study(tmp_path)
    code(ws, "ada", ADA)
    code(ws, "bo", BO, lock=False)
    with pytest.raises(LabelsClosed, match="still open: second: ask the lead") as closed:
        hearing(ws)
    assert "bo" not in str(closed.value).split()
    assert not ws.ledger(STUDY, "adjudication", "cleo").exists()


def test_opened_early_it_says_so(tmp_path: Path) -> None:
    """An unblinding opens the adjudication too, with a notice."""
    ws = coding_study(tmp_path)
    code(ws, "ada", ADA)
    study = load_study(ws, STUDY)
    unblind(ws, study, find_round(study, None), "bo is ill")
    assert any("bo is ill" in notice for notice in hearing(ws).notices)


def test_it_is_for_the_named_adjudicator_alone(coded: Workspace) -> None:
    """Anybody else is told that he is not the one."""
    with pytest.raises(UnknownRater, match="not adjudicated by 'ada'"):
        hearing(coded, "ada")
    path = coded.study_file(STUDY)
    path.write_text(path.read_text().replace("adjudication:", "# "), encoding="utf-8")
    with pytest.raises(UnknownRater, match="is not adjudicated; add"):
        hearing(coded)


@pytest.mark.parametrize(
    ("queue", "cards"),
    [("fields", DIFFERING), ("collapsed", {"r6"}), ("all", set(CARDS))],
)
def test_the_queue_is_what_the_study_file_says(tmp_path: Path, queue: str, cards: set[str]) -> None:
    """Any field, the collapsed field, or every card; a skip is a missing label."""
    ws = coding_study(tmp_path, queue)
    code(ws, "ada", ADA)
    code(ws, "bo", BO)
    sitting = hearing(ws)
    assert set(sitting.card_ids) == cards
    assert sitting.positions() == {card: n for n, card in enumerate(sitting.card_ids)}
    assert hearing(ws).card_ids == sitting.card_ids


# label first, then see


def test_label_first_then_see_then_confirm(coded: Workspace) -> None:
    """The three stages, and what is on record of each."""
    sitting = hearing(coded)
    assert (sitting.stage("r2"), sitting.statuses()["r2"]) == ("first", "open")
    for look in (sitting.codings, sitting.differs_on):
        with pytest.raises(NotRevealed, match="label the card first"):
            look("r2")
    first = say(sitting, "r2", "E")
    assert (sitting.stage("r2"), sitting.statuses()["r2"]) == ("reveal", "labelled")
    assert sitting.mine("r2") == first
    assert {str(each.answers["rationale"]) for each in sitting.codings("r2")} == {"E", "QE"}
    assert sitting.differs_on("r2") == ("rationale",)
    final = say(sitting, "r2", "E")
    assert (sitting.stage("r2"), sitting.statuses()["r2"]) == ("settled", "coded")
    assert (first.kind, final.kind) == ("first_label", "adjudication")
    theirs = [
        record.digest
        for rater, pass_ in (("ada", "first"), ("bo", "second"))
        for record in FileLedger(coded.ledger(STUDY, pass_, rater)).records()
        if record.kind == "decision" and record.card_id == "r2"
    ]
    assert final.details["codings"] == sorted(theirs) == first.details["codings"]
    assert final.details["route"] == "confirmed"
    assert final.details["first_label"] == first.digest
    assert final.derived == {"evidence": "bias_evidence"}


def test_codings_come_without_a_name(coded: Workspace) -> None:
    """Nothing of who coded is in what the adjudicator gets; a skip is shown as one."""
    sitting = hearing(coded)
    say(sitting, "r5", "R")
    codings = sitting.codings("r5")
    assert sorted(each.skipped for each in codings) == [False, True]
    assert not {"ada", "bo", "first", "second"} & set(str(codings).replace("'", " ").split())
    say(sitting, "r6", "E")
    (unsure,) = (each for each in sitting.codings("r6") if each.unsure)
    assert unsure.note == "it breaks off"


def test_a_change_after_the_reveal_needs_a_reason(coded: Workspace) -> None:
    """Without one nothing is recorded; with one the route and the reason are."""
    sitting = hearing(coded)
    say(sitting, "r2", "N")
    before = sitting.ledger.records()
    for blank in ("", " \u200b"):
        with pytest.raises(ReasonMissing, match="r2: not recorded"):
            say(sitting, "r2", "QE", reason=blank)
    assert sitting.ledger.records() == before
    final = say(sitting, "r2", "QE", reason="the closing sentence decides")
    assert (final.details["route"], final.reason) == ("changed", "the closing sentence decides")
    with pytest.raises(NotReady):
        say(sitting, "r4", "no such code")


def test_a_settled_card_may_be_settled_otherwise(coded: Workspace) -> None:
    """A changed mind is a new record after the same first label."""
    sitting = hearing(coded)
    first = say(sitting, "r2", "E")
    say(sitting, "r2", "E")
    again = say(sitting, "r2", "QE", reason="R-004")
    assert again.details["first_label"] == first.digest
    assert sitting.stage("r2") == "settled"
    assert sitting.mine("r2") == first
    assert sitting.starting_point("r2").answers == {"rationale": "QE"}


def test_a_lost_acknowledgement_is_no_second_act(coded: Workspace) -> None:
    """The same click after a first label is that first label, not an adjudication."""
    sitting = hearing(coded)
    same = {"escalated": False, "seconds": 1.0, "click_id": click()}
    one = sitting.submit("r2", sitting.digest("r2"), {"rationale": "E"}, "", **same)
    assert sitting.submit("r2", sitting.digest("r2"), {"rationale": "E"}, "", **same) == one
    assert sitting.stage("r2") == "reveal"
    study = load_study(coded, STUDY)
    out = {"click_id": click()}
    assert sitting.exclude("r4", "truncated", **out) == sitting.exclude("r4", "truncated", **out)
    reopen(coded, study, *study.find_pass("ada"), "the guide was mended")
    assert sitting.submit("r2", sitting.digest("r2"), {"rationale": "E"}, "", **same) == one
    assert sitting.exclude("r4", "truncated", **out).card_id == "r4"


def test_the_first_label_opens_empty_and_the_final_one_with_it(coded: Workspace) -> None:
    """A draft comes before both and is gone once its label is recorded."""
    sitting = hearing(coded)
    assert sitting.starting_point("r2").answers == {}
    sitting.save_draft("r2", sitting.digest("r2"), {"rationale": "D"}, "so far", False)
    assert hearing(coded).starting_point("r2").note == "so far"
    say(sitting, "r2", "E?")
    start = sitting.starting_point("r2")
    assert (start.answers, start.unsure) == ({"rationale": "E"}, True)
    assert sitting.unsure() == {"r2"}


# out of the queue


def test_a_card_is_excluded_on_a_ground_of_the_study(coded: Workspace) -> None:
    """Before or after the first label; another ground is refused and names the known ones."""
    sitting = hearing(coded)
    with pytest.raises(UnknownExclusion, match="truncated, uncodable"):
        sitting.exclude("r2", "boring", click_id=click())
    record = sitting.exclude("r2", "truncated", click_id=click())
    assert (record.reason, record.details["code"]) == ("truncated", "truncated")
    assert sitting.statuses()["r2"] == "excluded"
    with pytest.raises(NotRevealed):
        sitting.codings("r2")
    say(sitting, "r4", "D")
    sitting.exclude("r4", "uncodable", "two texts in one", click_id=click())
    assert sitting.stage("r4") == "settled"
    assert len(sitting.codings("r4")) == 2
    say(sitting, "r2", "E")
    assert sitting.statuses()["r2"] == "labelled"
    say(sitting, "r2", "E")
    assert sitting.statuses()["r2"] == "coded"


def test_a_skipped_card_stays_for_later(coded: Workspace) -> None:
    """A skip settles nothing, and after one the card is labelled as any other."""
    sitting = hearing(coded)
    sitting.skip("r2", click_id=click())
    assert (sitting.stage("r2"), sitting.statuses()["r2"]) == ("first", "skipped")
    say(sitting, "r2", "E")
    assert sitting.statuses()["r2"] == "labelled"
    with pytest.raises(NotLockable, match="no lock"):
        sitting.lock(click_id=click())


# a pass that is reopened


def test_what_was_adjudicated_stays_when_the_same_codes_are_given_again(coded: Workspace) -> None:
    """New records with the old codes bring no card back, whatever their notes and marks."""
    sitting = hearing(coded)
    for card in sorted(DIFFERING):
        say(sitting, card, "E")
        say(sitting, card, "E")
    code_again(coded, "ada", {"r2": "E?", "r4": "D"})
    assert set(sitting.statuses().values()) == {"coded"}
    assert set(hearing(coded).statuses().values()) == {"coded"}
    assert any("reopened" in notice for notice in sitting.notices)


def test_only_cards_whose_codes_changed_come_back(coded: Workspace) -> None:
    """They are labelled first again, out of sight of the codings, and opened empty."""
    sitting = hearing(coded)
    for card in ("r2", "r4"):
        say(sitting, card, "E")
        say(sitting, card, "E")
    say(sitting, "r6", "E")
    code_again(coded, "bo", {"r2": "N", "r6": "N", "r1": "D"})
    assert sitting.statuses() == {
        **dict.fromkeys(sitting.card_ids, "open"), "r2": "changed", "r4": "coded", "r6": "changed",
    }  # fmt: skip
    assert "r1" in sitting.card_ids
    assert sitting.stage("r2") == "first"
    assert sitting.starting_point("r2").answers == {}
    with pytest.raises(NotRevealed):
        sitting.codings("r2")
    assert say(sitting, "r2", "N").kind == "first_label"
    assert say(sitting, "r2", "N").details["route"] == "confirmed"
    assert sitting.statuses()["r2"] == "coded"


def test_a_settled_card_comes_back_even_when_the_coders_now_agree(coded: Workspace) -> None:
    """A card that was never touched leaves the queue; a settled one is looked at again."""
    sitting = hearing(coded)
    say(sitting, "r2", "N")
    say(sitting, "r2", "N")
    code_again(coded, "bo", {"r2": "E", "r4": "D"})
    assert sitting.statuses()["r2"] == "changed"
    assert "r4" not in sitting.card_ids


def test_nothing_is_adjudicated_while_a_pass_is_open_again(coded: Workspace) -> None:
    """Neither a label nor an exclusion is taken between a reopening and the next lock."""
    sitting = hearing(coded)
    say(sitting, "r2", "E")
    study = load_study(coded, STUDY)
    round_, each = study.find_pass("ada")
    reopen(coded, study, round_, each, "the guide was mended")
    before = sitting.ledger.records()
    with pytest.raises(LabelsClosed, match="still open: first: ask the lead"):
        say(sitting, "r2", "E")
    with pytest.raises(LabelsClosed, match="still open: first: ask the lead"):
        sitting.exclude("r4", "truncated", click_id=click())
    with pytest.raises(LabelsClosed, match="still open: first: ask the lead"):
        sitting.statuses()
    assert sitting.ledger.records() == before


def test_a_card_that_was_changed_after_the_coding_is_out(coded: Workspace) -> None:
    """What was said of the old text is compared no more, and a notice says so."""
    sitting = hearing(coded)
    say(sitting, "r2", "E")
    texts = {card: f"The pilots of line {card} are late." for card in CARDS}
    import_texts(coded, texts | {"r2": "Another text.", "r4": "Another text, too."})
    again = hearing(coded)
    assert set(again.card_ids) == {"r2", "r5", "r6"}
    assert again.statuses()["r2"] == "changed"
    assert any("2 cards were changed after the coding" in each for each in again.notices)
    with pytest.raises(NoCodingLeft):
        say(again, "r2", "E")


# who he is, and care for him


def test_an_adjudicator_who_rated_is_warned_and_it_is_recorded(tmp_path: Path) -> None:
    """By the study file, or by a ledger of his when the file names him no more."""
    ws = coding_study(tmp_path)
    code(ws, "ada", ADA)
    path = ws.study_file(STUDY)
    text = path.read_text().replace("cleo", "ada")
    path.write_text(text, encoding="utf-8")
    code(ws, "bo", BO)
    sitting = hearing(ws, "ada")
    assert sitting.was_rater
    assert sitting.ledger.records()[0].details["was_rater"] is True
    sitting.start(0)
    assert len(sitting.ledger.records()) == 1
    # in another spelling he is refused beside himself, and known again by what he left
    again = text.replace("adjudicator: ada", "adjudicator: Ada")
    path.write_text(again, encoding="utf-8")
    with pytest.raises(ProblemsFound, match="spell a person's name in one way"):
        hearing(ws, "Ada")
    path.write_text(again.replace("rater: ada", "rater: dina"), encoding="utf-8")
    code(ws, "dina", ADA)
    assert hearing(ws, "Ada").was_rater


def test_who_never_rated_is_not_warned(coded: Workspace) -> None:
    """Neither his own ledger nor one of a second reading makes him a rater."""
    say(hearing(coded), "r2", "E")
    sitting = hearing(coded)
    assert not sitting.was_rater
    assert sitting.ledger.records()[0].details["was_rater"] is False


def test_the_content_warning_and_the_daily_limit_hold(tmp_path: Path) -> None:
    """The limit counts cards, so none is left between its two labels."""
    welfare = "welfare: {content_warning: {en: Unkind claims.}, daily_limit: 2}"
    ws = coding_study(tmp_path, welfare=welfare)
    code(ws, "ada", ADA)
    code(ws, "bo", BO)
    sitting = hearing(ws)
    assert sitting.warning_due
    sitting.consent(click_id=click())
    assert not sitting.warning_due
    say(sitting, "r2", "E")
    say(sitting, "r2", "E")
    assert not sitting.limit_reached()
    say(sitting, "r4", "E")
    assert sitting.limit_reached()


def test_progress_is_counts_and_waits_for_the_locks(coded: Workspace) -> None:
    """How many cards differ is not told before the locks, and no label ever."""
    study = load_study(coded, STUDY)
    sitting = hearing(coded)
    say(sitting, "r2", "E")
    say(sitting, "r4", "E")
    say(sitting, "r4", "E")
    sitting.exclude("r5", "truncated", click_id=click())
    progress = adjudication_progress(coded, study)
    assert progress is not None
    counts = (progress.queue, progress.labelled, progress.settled, progress.excluded)
    assert counts == (4, 1, 1, 1)
    round_, each = study.find_pass("bo")
    reopen(coded, study, round_, each, "a word more")
    closed = adjudication_progress(coded, study)
    assert closed is not None
    assert (closed.opened, closed.queue, closed.waiting_for) == (False, 0, ("second",))
    assert adjudication_progress(coded, study.model_copy(update={"adjudication": None})) is None


def test_a_checklist_study_is_adjudicated_as_well(demo: Workspace) -> None:
    """Reviewers of groups who differ on a check: the adjudicator's verdict is derived, too."""
    path = demo.study_file("demo")
    more = "adjudication: {adjudicator: cleo, queue: collapsed}\nrounds:"
    path.write_text(path.read_text().replace("rounds:", more), encoding="utf-8")
    for rater in ("first-reviewer", "second-reviewer"):
        page = sit_down(demo, rater)
        if rater == "first-reviewer":
            page.submit(page.card["questions"][0]["id"], note="too long")
        while page.view["card"]:
            page.submit()
        page.say("lock", click_id=page.click())
    sitting = Hearing(demo, "demo", "cleo", origin="lab")
    (card,) = sitting.card_ids
    answers = dict.fromkeys(sitting.outcome(card, {}, "").unanswered, "yes")
    same = {"escalated": False, "seconds": 1.0}
    first = sitting.submit(card, sitting.digest(card), answers, "", click_id=click(), **same)
    assert first.verdict == "accepted"
    assert {each.verdict for each in sitting.codings(card)} == {"accepted", "needs_fix"}
    sitting.submit(card, sitting.digest(card), answers, "", click_id=click(), **same)
    assert sitting.statuses() == {card: "coded"}


# whatever the order

ACTS = st.lists(
    st.tuples(
        st.sampled_from(
            ["label", "label", "label", "exclude", "skip", "recode", "withdraw", "sit"]
        ),
        st.sampled_from(CARDS[:3]),
        st.sampled_from(["E", "QE", "N"]),
        st.sampled_from(["", "the last sentence decides"]),
    ),
    max_size=18,
)


class Floor:
    """An adjudicator and a coder who may do anything at any time."""

    def __init__(self, ws: Workspace) -> None:
        self.ws = ws
        self.study = load_study(ws, STUDY)
        self.sitting = hearing(ws)
        self.gone = False

    def act(self, what: str, card: str, given_code: str, reason: str) -> None:
        """Do one thing."""
        if what == "label":
            say(self.sitting, card, given_code, reason=reason)
        elif what == "exclude":
            self.sitting.exclude(card, "truncated", click_id=click())
        elif what == "skip":
            self.sitting.skip(card, click_id=click())
        elif what == "recode" and not self.gone:
            code_again(self.ws, "bo", {card: given_code})
        elif what == "withdraw":
            round_, each = self.study.find_pass("bo")
            withdraw(self.ws, self.study, round_, each)
            self.gone = True
        elif what == "sit":
            self.sitting = hearing(self.ws)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
def test_whatever_the_order_of_acts(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, str, str, str]]
) -> None:
    """A settled card has a first label before it, and a final code that is another has a reason."""
    ws = coding_study(tmp_path_factory.mktemp("acts"), "all")
    code(ws, "ada", "E E N - R E")
    code(ws, "bo", "E N N R - E")
    floor = Floor(ws)
    for what, card, given_code, reason in acts:
        try:
            floor.act(what, card, given_code, reason)
        except ReasonMissing:
            assert not reason
    firsts: dict[str, Record] = {}
    for record in FileLedger(floor.sitting.ledger.path).records():
        card = str(record.card_id)
        if record.kind == "first_label":
            firsts[card] = record
        elif record.kind == "adjudication":
            assert record.details["first_label"] == firsts[card].digest
            changed = codes_digest(firsts[card]) != codes_digest(record)
            assert (record.details["route"] == "changed") is changed
            assert record.reason or not changed
    sitting = hearing(ws)
    for card, status in sitting.statuses().items():
        if status in ("coded", "labelled"):
            assert sitting.mine(card) is not None
            assert card in firsts
        elif status in ("open", "changed"):
            with pytest.raises(NotRevealed):
                sitting.codings(card)


def test_the_ledger_itself_holds_to_it(coded: Workspace) -> None:
    """An adjudication without a first label is refused by a plain append, too."""
    sitting = hearing(coded)
    say(sitting, "r2", "E")
    final = say(sitting, "r2", "E")
    said = final.model_dump(by_alias=True, include=set(Entry.model_fields))
    entry = Entry.model_validate(said | {"card_id": "r4", "click_id": click()})
    with pytest.raises(RecordRefused, match="no first label"):
        FileLedger(sitting.ledger.path).append(entry)
    assert json.loads(sitting.ledger.path.read_bytes().splitlines()[-1])["card_id"] == "r2"
