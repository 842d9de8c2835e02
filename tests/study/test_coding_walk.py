"""One coder's walk over responses: his cards, what stands on them, and what may change."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from reviewkit.decisions import FileLedger, NotReady, PassNotComplete, verify_ledger
from reviewkit.desk.screen import Screen
from reviewkit.labels.of_study import study_labels
from reviewkit.problems import ProblemsFound
from reviewkit.questions import Span, load_forms
from reviewkit.rulings import RulingsLog
from reviewkit.study import (
    Walk,
    all_questions,
    answer_question,
    answers_tried,
    find_round,
    load_study,
    open_round,
    practised,
)
from reviewkit.study.assignment import CannotReassign
from reviewkit.study.card_book import verify_card_book
from reviewkit.study.dealing import NotDrawn, cards_of_pass
from reviewkit.study.drawing import add_cards, draw_cards, is_drawn, reassign_cards
from reviewkit.study.lead_questions import NoSuchQuestion
from reviewkit.study.live_responses import ResponseDeck
from reviewkit.study.new_study import check_coding
from reviewkit.study.opening import withdraw
from reviewkit.study.seat import WatchlistChanged
from reviewkit.workspace import Workspace
from tests.study.coding_people import CARDS, click, code, coding_study, import_texts
from tests.study.coding_people import STUDY as FERRY
from tests.study.lamp_study import (
    LAMPS,
    PRACTICE,
    STUDY_FILE,
    WATCHLIST,
    code_all,
    code_card,
    confirmed,
    import_lamps,
    lay_lamps,
    walk_of,
)

RATERS = ("ada", "bo", "dee")
ALL = tuple(f"c{n}" for n in range(1, 10))


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Return the study of nine cards, two of three raters on each."""
    return lay_lamps(tmp_path)


# who has which card


def test_cards_are_dealt_by_the_assignment(ws: Workspace) -> None:
    """Each card has two raters, each rater six cards, in an order of his own that stays."""
    orders = {rater: Walk(ws, LAMPS, rater, origin="cli").card_ids for rater in RATERS}
    counts = Counter(card for cards in orders.values() for card in cards)
    assert counts == dict.fromkeys(ALL, 2)
    assert {len(cards) for cards in orders.values()} == {6}
    assert all(list(cards) != sorted(cards) for cards in orders.values())
    again = {rater: Walk(ws, LAMPS, rater, origin="voila").card_ids for rater in RATERS}
    assert again == orders


def test_a_second_draw_changes_nothing(ws: Workspace) -> None:
    """What is on record stands; the card book stays sound."""
    before = ws.card_book(LAMPS).read_bytes()
    study = load_study(ws, LAMPS)
    draw_cards(ws, study, find_round(study, None))
    assert ws.card_book(LAMPS).read_bytes() == before
    assert verify_card_book(ws.card_book(LAMPS), "cards.jsonl").sound


def test_nobody_walks_before_the_cards_are_given_out(tmp_path: Path) -> None:
    """Else a rater would code cards that are another's; the sentence names the command."""
    ws = lay_lamps(tmp_path, draw=False)
    study = load_study(ws, LAMPS)
    assert not is_drawn(ws, study, find_round(study, None))
    with pytest.raises(NotDrawn, match=r"reviewkit sample lamps --round 1"):
        Walk(ws, LAMPS, "ada", origin="cli")


def test_a_sample_is_drawn_before_anything_else(tmp_path: Path) -> None:
    """A study with a sample has no card before the draw, and then those of the sample alone."""
    sampled = STUDY_FILE.replace(
        "assignment:", "sample: {seed: 3, draws: [{name: main, size: 4}]}\nassignment:"
    )
    ws = lay_lamps(tmp_path, sampled, draw=False)
    study = load_study(ws, LAMPS)
    with pytest.raises(NotDrawn, match="not drawn yet"):
        cards_of_pass(ws, study, "", ALL)
    draw_cards(ws, study, find_round(study, None))
    cards = set(cards_of_pass(ws, study, "", ALL))
    assert len(cards) == 4
    for rater in RATERS:
        assert set(Walk(ws, LAMPS, rater, origin="cli").card_ids) < cards


def test_a_pass_that_came_later_has_what_the_lead_gives_it(ws: Workspace) -> None:
    """A replacement does not begin with the cards of all others."""
    ws.study_file(LAMPS).write_text(
        STUDY_FILE + "      - {pass: fourth, rater: eli}\n", encoding="utf-8"
    )
    assert Walk(ws, LAMPS, "eli", origin="cli").card_ids == ()


# what stands on a card


def test_statuses_go_from_open_to_coded_skipped_and_locked(ws: Workspace) -> None:
    """A skip is not open, a later coding takes its place, and a lock needs every card."""
    walk = walk_of(ws, "ada")
    first, second, *rest = walk.card_ids
    code_card(walk, first)
    walk.skip(second, click_id=click())
    assert list(walk.statuses().values()) == ["coded", "skipped"] + ["open"] * 4
    assert walk.status_counts() == {"coded": 1, "skipped": 1, "open": 4}
    with pytest.raises(PassNotComplete, match="4 of 6"):
        walk.lock(click_id=click())
    code_card(walk, second)
    assert walk.statuses()[second] == "coded"
    assert +walk.status_counts() == {"coded": 2, "open": 4}
    for card in rest:
        code_card(walk, card)
    assert walk.lock(click_id=click()).details["decided"] == 6
    assert walk.locked


def test_a_match_that_is_not_settled_is_refused(ws: Workspace) -> None:
    """No class may stay pending, and a span cannot lie outside its text."""
    walk = walk_of(ws, "ada")
    card = walk.card_ids[0]
    for spans in ((), (Span(start=0, end=3, code="other"),)):
        with pytest.raises(NotReady, match="not settled"):
            walk.submit(
                card, walk.digest(card), {"terms": spans}, "", escalated=False, seconds=1.0,
                click_id=click(),
            )  # fmt: skip
    assert walk.statuses()[card] == "open"


def test_a_match_carries_the_term_of_the_watchlist(ws: Workspace) -> None:
    """What a page says of it counts for nothing."""
    ada = walk_of(ws, "ada")
    card = ada.card_ids[0]
    forged = tuple(
        Span(start=each.start, end=each.end, code=each.term_class, source="watchlist", term=term)
        for each, term in zip(ada.deck.matches(card)["terms"], ("", "harbour"), strict=True)
    )
    record = ada.submit(
        card, ada.digest(card), {"terms": forged}, "", escalated=False, seconds=1.0,
        click_id=click(),
    )  # fmt: skip
    kept: Any = record.answers["terms"]
    assert [each.term for each in kept] == ["removal", "vandalism"]


def test_a_mark_of_doubt_is_kept_and_lifted(ws: Workspace) -> None:
    """The list of unsure cards follows the latest judgement."""
    walk = walk_of(ws, "ada")
    card = walk.card_ids[0]
    code_card(walk, card, unsure=True)
    assert walk.unsure() == {card}
    assert walk.starting_point(card).unsure
    code_card(walk, card)
    assert walk.unsure() == frozenset()


def test_a_response_that_a_new_import_changed_comes_back(ws: Workspace) -> None:
    """Only that card, with the earlier note and no answer, and the pass cannot be locked."""
    walk = walk_of(ws, "ada")
    code_all(walk, lock=False)
    changed = walk.card_ids[2]
    import_lamps(ws, **{changed: "Another removal."})
    again = walk_of(ws, "ada")
    assert {c for c, status in again.statuses().items() if status == "changed"} == {changed}
    assert again.starting_point(changed).answers == {}
    with pytest.raises(PassNotComplete, match=changed):
        again.lock(click_id=click())
    code_card(again, changed)
    again.lock(click_id=click())


def test_cards_that_an_import_took_away_are_told(ws: Workspace) -> None:
    """The desk says how many are gone; the others are walked as before."""
    before = walk_of(ws, "ada").card_ids
    import_lamps(ws, 5)
    again = walk_of(ws, "ada")
    assert isinstance(again.deck, ResponseDeck)
    assert again.deck.gone
    assert again.card_ids == tuple(each for each in before if each not in again.deck.gone)
    screen = Screen(again, RulingsLog(ws.rulings_log, "rulings.jsonl"), lambda _file: None)
    assert f"table of responses: {len(again.deck.gone)}" in screen.render("", "", "all")["message"]


def test_an_edited_codebook_brings_its_cards_back(ws: Workspace) -> None:
    """A coding of another edition is no coding of this one; what did not change is carried over."""
    walk = walk_of(ws, "ada")
    card = walk.card_ids[0]
    code_card(walk, card)
    path = ws.checklists / "framing.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Mark the whole word.", "Mark it whole."), encoding="utf-8")
    assert walk_of(ws, "ada").statuses()[card] == "changed"


@pytest.mark.parametrize(
    ("old", "new"), [("term: removal", "term: removals"), ("loaded_a", "loaded_b")]
)
def test_a_watchlist_is_frozen_once_coding_began(ws: Workspace, old: str, new: str) -> None:
    """Nobody goes on with an edited list; putting it back helps, as the sentence says."""
    path = ws.bank / "watchlists" / "lamps.yaml"
    path.write_text(WATCHLIST.replace("title: {en: Lamps", "title: {en: The lamps"), "utf-8")
    walk_of(ws, "ada")
    path.write_text(WATCHLIST.replace(old, new), encoding="utf-8")
    for rater in RATERS:
        with pytest.raises(WatchlistChanged, match="new edition and code it in a new round"):
            Walk(ws, LAMPS, rater, origin="cli")
    path.write_text(WATCHLIST, encoding="utf-8")
    Walk(ws, LAMPS, "ada", origin="cli")


def test_labels_of_another_edition_come_with_a_notice(ws: Workspace) -> None:
    """A codebook that was edited after the locks changes no label and is not passed over."""
    for rater in RATERS:
        code_all(walk_of(ws, rater))
    study = load_study(ws, LAMPS)
    before = study_labels(ws, study, find_round(study, None))
    path = ws.checklists / "framing.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Mark the whole word.", "Mark it whole."), encoding="utf-8")
    after = study_labels(ws, study, find_round(study, None))
    assert after.labels == before.labels
    assert before.notices == ()
    (notice,) = after.notices
    assert notice.startswith("9 cards were coded with another edition of framing@1")


def test_labels_of_texts_that_are_gone_come_with_a_notice(tmp_path: Path) -> None:
    """A new import takes codings of changed and removed responses out, and every figure says so."""
    ws = coding_study(tmp_path)
    code(ws, "ada", "E E E E E -")
    code(ws, "bo", "E N E E E E")
    study = load_study(ws, FERRY)
    assert study_labels(ws, study, find_round(study, None)).notices == ()
    kept = {card: f"The pilots of line {card} are late." for card in CARDS}
    import_texts(ws, {**kept, "r1": "Another text."})
    (said,) = study_labels(ws, study, find_round(study, None)).notices
    assert said == "1 card was changed after the coding; what was said of the old text is out."
    import_texts(ws, {card: text for card, text in kept.items() if card not in ("r2", "r3")})
    (said,) = study_labels(ws, study, find_round(study, None)).notices
    assert said == "2 coded cards are no longer in the table and out of every figure."


# practice


def test_practice_comes_first_and_is_no_label(tmp_path: Path) -> None:
    """Tries are recorded apart: no status, no progress, no label comes from them."""
    ws = lay_lamps(tmp_path, practice=PRACTICE)
    walk = walk_of(ws, "ada")
    assert walk.next_practice() == "practice.one"
    assert "practice.one" not in walk.card_ids
    wrong = confirmed(walk, "practice.one", vandalism="other")
    walk.try_out("practice.one", wrong, "", click_id=click())
    assert walk.next_practice() == "practice.two"
    walk.try_out("practice.two", {}, "", click_id=click())
    assert walk.next_practice() == ""
    assert set(walk.statuses().values()) == {"open"}
    tries = practised(walk.ledger.records())
    assert answers_tried(tries["practice.one"]) == walk.starting_point("practice.one").answers
    for rater in RATERS:
        code_all(walk_of(ws, rater))
    study = load_study(ws, LAMPS)
    labels = study_labels(ws, study, find_round(study, None))
    assert {each.card_id for each in labels.labels} == set(ALL)
    path = ws.ledger(LAMPS, "first", "ada")
    assert verify_ledger(path, "", load_forms(ws.checklists).by_digest).sound


def test_a_try_follows_the_rule(tmp_path: Path) -> None:
    """What a card would refuse is refused in practice; the same click is one try."""
    ws = lay_lamps(tmp_path, practice=PRACTICE)
    walk = walk_of(ws, "ada")
    with pytest.raises(NotReady, match="not settled"):
        walk.try_out("practice.one", {"terms": ()}, "", click_id=click())
    one = click()
    first = walk.try_out("practice.two", {}, "", click_id=one)
    assert walk.try_out("practice.two", {}, "", click_id=one) == first


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("code: loaded_a", "code: loaded", r"cards\[0\]\.answers: the right answer to terms"),
        ('end: "25"', 'end: "26"', "the right answer to terms is none"),
        ("source: watchlist, term: removal}", "term: removal}", "pending"),
        ("answers: {}", "answers: {mood: good}", "the right answer to mood is none"),
        ("answers: {}", "answers: {terms: [loaded_a]}", "bad_answer"),
        ("id: two", "id: one", r"the id 'one' is that of cards\[0\] too"),
        ("id: two", "id: a b", "cards\\[1\\].id"),
        ("    reason: {en: No term names the event., ar: لا لفظ يسمّي الحدث.}\n", "", "reason"),
    ],
)
def test_right_answers_are_checked_when_they_are_read(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    """A right answer that no coder could give is told with its line before anybody practises."""
    assert old in PRACTICE
    ws = lay_lamps(tmp_path, practice=PRACTICE.replace(old, new, 1))
    with pytest.raises(ProblemsFound, match=said) as found:
        Walk(ws, LAMPS, "ada", origin="cli")
    assert "rulings/lamps/practice.yaml:" in str(found.value)
    with pytest.raises(ProblemsFound, match=said):
        check_coding(ws, load_study(ws, LAMPS), load_forms(ws.checklists))


def test_practice_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A broken link or a folder of that name is a fault, not a study without practice."""
    ws = lay_lamps(tmp_path)
    path = ws.study_folder(LAMPS) / "practice.yaml"
    path.symlink_to("nowhere.yaml")
    with pytest.raises(ProblemsFound, match=r"practice\.yaml"):
        Walk(ws, LAMPS, "ada", origin="cli")
    path.unlink()
    path.mkdir()
    with pytest.raises(ProblemsFound, match=r"practice\.yaml"):
        Walk(ws, LAMPS, "ada", origin="cli")


def test_no_response_hides_behind_a_practice_card(tmp_path: Path) -> None:
    """A response with the id that a practice card has could never be coded: it is told."""
    ws = coding_study(tmp_path)
    import_texts(ws, {"practice.one": "A text.", "r2": "Another."})
    (ws.study_folder(FERRY) / "practice.yaml").write_text(
        "cards:\n  - id: one\n    language: en\n    texts: {response: Hi.}\n"
        "    answers: {rationale: E}\n    reason: {en: It is., ar: هو كذلك.}\n",
        encoding="utf-8",
    )
    with pytest.raises(ProblemsFound, match=r"practice\.yaml:2 cards.0..id: .* 'practice.one'"):
        Walk(ws, FERRY, "ada", origin="cli")


# a word with the lead


def test_questions_and_answers_stay_with_one_rater(ws: Workspace) -> None:
    """The other rater's walk knows of neither, and his files hold no word of them."""
    ada, bo = walk_of(ws, "ada"), walk_of(ws, "bo")
    card = next(each for each in ada.card_ids if each in bo.card_ids)
    ada.ask_lead(card, " Is this a term? ", click_id=click())
    study = load_study(ws, LAMPS)
    (asked,) = all_questions(ws, study)
    assert (asked.pass_, asked.card_id, asked.text, asked.answer) == (
        "first", card, "Is this a term?", "",
    )  # fmt: skip
    answer_question(ws, study, asked.digest[:12], "Yes, it is.")
    answer_question(ws, study, asked.digest[:12], "No; see the guide.")
    (told,) = ada.questions(card)
    assert told.answer == "No; see the guide."
    assert bo.questions(card) == ()
    for path in ws.study_folder(LAMPS).rglob("*"):
        if path.is_file() and path.parent.name != "first":
            assert "Is this a term" not in path.read_text(encoding="utf-8")
    assert ada.statuses()[card] == "open"


def test_an_answer_names_one_question(ws: Workspace) -> None:
    """No question, none of that name, or the beginning of several: nothing is recorded."""
    study = load_study(ws, LAMPS)
    walk = walk_of(ws, "ada")
    for _ in range(17):
        walk.ask_lead(walk.card_ids[0], "How?", click_id=click())
    digests = [each.digest for each in all_questions(ws, study)]
    shared = next(d[0] for d in digests if sum(o[0] == d[0] for o in digests) > 1)
    for name in ("", "zz", shared):
        with pytest.raises(NoSuchQuestion, match="reviewkit questions"):
            answer_question(ws, study, name, "Like this.")


# more cards, other raters


def test_added_cards_go_to_the_passes(tmp_path: Path) -> None:
    """They come after those a rater has; a repetition adds nothing; an unknown id is told."""
    sampled = STUDY_FILE.replace(
        "assignment:", "sample: {seed: 3, draws: [{name: main, size: 4}]}\nassignment:"
    )
    ws = lay_lamps(tmp_path, sampled)
    study = load_study(ws, LAMPS)
    round_ = find_round(study, None)
    before = {rater: Walk(ws, LAMPS, rater, origin="cli").card_ids for rater in RATERS}
    there = {card for cards in before.values() for card in cards}
    new = [card for card in ALL if card not in there][:2]
    assert add_cards(ws, study, round_, [*new, *there], "two more are needed") == tuple(new)
    assert add_cards(ws, study, round_, new, "again") == ()
    after = {rater: Walk(ws, LAMPS, rater, origin="cli").card_ids for rater in RATERS}
    for rater in RATERS:
        assert after[rater][: len(before[rater])] == before[rater]
    counts = Counter(card for cards in after.values() for card in cards)
    assert counts == dict.fromkeys([*there, *new], 2)
    with pytest.raises(ProblemsFound, match="lamps has no 'c77'"):
        add_cards(ws, study, round_, ["c77"], "a slip")


def test_a_drop_outs_open_cards_go_to_another(ws: Workspace) -> None:
    """What he coded or skipped stays with him; nobody codes a card twice."""
    ws.study_file(LAMPS).write_text(
        STUDY_FILE + "      - {pass: fourth, rater: eli}\n", encoding="utf-8"
    )
    ada = walk_of(ws, "ada")
    code_card(ada, ada.card_ids[0])
    ada.skip(ada.card_ids[1], click_id=click())
    study = load_study(ws, LAMPS)
    moved = reassign_cards(ws, study, find_round(study, None), "first", "fourth", "ada left")
    assert set(moved.cards) == set(ada.card_ids[2:])
    assert set(walk_of(ws, "ada").card_ids) == set(ada.card_ids[:2])
    assert set(walk_of(ws, "eli").card_ids) == set(moved.cards)
    with pytest.raises(ProblemsFound, match="has no pass 'fifth'"):
        reassign_cards(ws, study, find_round(study, None), "first", "fifth", "a slip")
    for rater in (*RATERS, "eli"):
        code_all(walk_of(ws, rater))
    labels = study_labels(ws, study, find_round(study, None))
    assert {each.card_id for each in labels.labels} == set(ALL)


def test_who_has_every_card_already_takes_none_over(tmp_path: Path) -> None:
    """Without an assignment every pass has every card; a coder who has begun keeps all of his."""
    ws = coding_study(tmp_path)
    study_file = ws.study_file(FERRY)
    study_file.write_text(
        study_file.read_text(encoding="utf-8") + "      - {pass: third, rater: dee}\n",
        encoding="utf-8",
    )
    code(ws, "ada", "E E E . . .", lock=False)
    code(ws, "bo", "N . . . . .", lock=False)
    study = load_study(ws, FERRY)
    round_ = find_round(study, None)
    with pytest.raises(CannotReassign):
        reassign_cards(ws, study, round_, "first", "second", "ada left")
    assert not ws.card_book(FERRY).exists()
    assert len(Walk(ws, FERRY, "bo", origin="cli").card_ids) == len(CARDS)
    moved = reassign_cards(ws, study, round_, "first", "third", "ada left")
    assert moved.cards == CARDS[3:] == Walk(ws, FERRY, "dee", origin="cli").card_ids
    assert Walk(ws, FERRY, "bo", origin="cli").statuses()["r1"] == "coded"


def test_a_closed_pass_takes_no_cards(ws: Workspace) -> None:
    """Neither a locked nor a withdrawn pass takes a drop-out's cards or cards that are added."""
    study = load_study(ws, LAMPS)
    round_, each = study.find_pass("dee")
    code_all(walk_of(ws, "bo"))
    withdraw(ws, study, round_, each, by="rater")
    for taker in ("second", "third"):
        with pytest.raises(CannotReassign, match="takes no cards"):
            reassign_cards(ws, study, round_, "first", taker, "ada left")
    import_lamps(ws, 12)
    before = Walk(ws, LAMPS, "dee", origin="cli").card_ids
    draw_cards(ws, study, round_)
    assert set(walk_of(ws, "ada").card_ids) >= {"c10", "c11", "c12"}
    assert Walk(ws, LAMPS, "dee", origin="cli").card_ids == before


def test_a_withdrawn_raters_cards_can_all_be_coded_anew(ws: Workspace) -> None:
    """His codings are in no table, so every card of his goes to the one who takes his place."""
    ws.study_file(LAMPS).write_text(
        STUDY_FILE + "      - {pass: fourth, rater: eli}\n", encoding="utf-8"
    )
    ada = walk_of(ws, "ada")
    code_all(ada, lock=False)
    study = load_study(ws, LAMPS)
    round_, each = study.find_pass("ada")
    withdraw(ws, study, round_, each, by="rater")
    moved = reassign_cards(ws, study, round_, "first", "fourth", "consent was withdrawn")
    assert set(moved.cards) == set(ada.card_ids)
    for rater in ("bo", "dee", "eli"):
        code_all(walk_of(ws, rater))
    opened = open_round(ws, study, round_)
    assert [each.pass_ for each in opened.passes] == ["second", "third", "fourth"]


# a second round


def test_a_repaired_codebook_is_a_second_round(ws: Workspace) -> None:
    """Both rounds stay reportable, each with its own codebook."""
    for rater in RATERS:
        code_all(walk_of(ws, rater), **({"vandalism": "other"} if rater == "bo" else {}))
    text = (ws.checklists / "framing.yaml").read_text(encoding="utf-8")
    (ws.checklists / "framing_v2.yaml").write_text(
        text.replace('version: "1"', 'version: "2"').replace("id: no_term", "id: bare"), "utf-8"
    )
    ws.study_file(LAMPS).write_text(
        STUDY_FILE
        + '  - round: "2"\n    codebook: framing@2\n    passes:\n'
        + "      - {pass: fourth, rater: ada}\n      - {pass: fifth, rater: bo}\n",
        encoding="utf-8",
    )
    study = load_study(ws, LAMPS)
    check_coding(ws, study, load_forms(ws.checklists))
    assert [is_drawn(ws, study, each) for each in study.rounds] == [True, False]
    with pytest.raises(NotDrawn, match="--round 2"):
        Walk(ws, LAMPS, "ada", origin="cli")
    draw_cards(ws, study, find_round(study, "2"))
    ada, bo = walk_of(ws, "ada"), walk_of(ws, "bo")
    assert (ada.pass_.pass_, ada.form("c1").name) == ("fourth", "framing@2")
    assert ada.statuses() == dict.fromkeys(ada.card_ids, "open")
    for walk in (ada, bo):
        code_all(walk)
    assert Walk(ws, LAMPS, "ada", pass_name="first", origin="cli").form("c1").name == "framing@1"
    one = study_labels(ws, study, find_round(study, "1"))
    two = study_labels(ws, study, find_round(study, "2"))
    assert (one.codebook.name, two.codebook.name) == ("framing@1", "framing@2")
    assert "no_term" in [column.name for column in one.fields]
    assert "bare" in [column.name for column in two.fields]
    for each in (one, two):
        assert {label.card_id for label in each.labels} == set(ALL)
    for path in ws.study_folder(LAMPS).glob("*/*.jsonl"):
        assert verify_ledger(path, "", load_forms(ws.checklists).by_digest).sound


# what keeps a study from being run


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("responses: lamps", "responses: lumps", "lumps"),
        ("codebook: framing@1", "codebook: framing@9", "there is no form 'framing@9'"),
        ("codebook: framing@1", "codebook: t1@1", "t1@1 is a checklist"),
        ("watchlist: lamps@1\n", "", "by a watchlist and the study names none; .*--watchlist"),
        ("watchlist: lamps@1", "watchlist: lamps@2", "lamps@2"),
        ("assignment", "automatic: {mood: model}\nassignment", "no codebook of the study has 'mo"),
        ("assignment", "automatic: {no_term: judge}\nassignment", "has no column 'judge'"),
        ("adjudicator: cleo", "adjudicator: cleo, compare: [mood]", "'mood'"),
        (
            "assignment",
            "sample: {seed: 1, draws: [{name: a, size: 3, where: {x: [y]}}]}\nassignment",
            "no column 'x'",
        ),
    ],
)
def test_everything_that_is_missing_is_told(tmp_path: Path, old: str, new: str, said: str) -> None:
    """Table, codebook, watchlist, columns and fields, each with the study file's name."""
    ws = lay_lamps(tmp_path, STUDY_FILE.replace(old, new, 1), draw=False)
    with pytest.raises(ProblemsFound, match=said) as found:
        check_coding(ws, load_study(ws, LAMPS), load_forms(ws.checklists))
    assert "rulings/lamps/study.yaml" in str(found.value)


def test_spans_of_a_text_that_is_not_there_are_told(tmp_path: Path) -> None:
    """Else every card would open without the text that is to be coded."""
    ws = lay_lamps(tmp_path)
    path = ws.checklists / "framing.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("of: response", "of: answer"), encoding="utf-8")
    with pytest.raises(ProblemsFound, match="marks terms in 'answer' and table lamps has no such"):
        check_coding(ws, load_study(ws, LAMPS), load_forms(ws.checklists))


@pytest.mark.parametrize(
    ("name", "pass_name", "found"),
    [
        ("ada", None, ("first", "ada")),
        ("cleo", None, ("adjudication", "cleo")),
        ("lead", None, ("lead", "lead")),
        ("ada", "adjudication", ("adjudication", "ada")),
    ],
)
def test_a_person_is_found_by_name(
    ws: Workspace, name: str, pass_name: str | None, found: tuple[str, str]
) -> None:
    """Who both codes and adjudicates comes to code first, and to the hearing when he says so."""
    if pass_name:
        text = STUDY_FILE.replace("adjudicator: cleo", "adjudicator: ada")
        ws.study_file(LAMPS).write_text(text, encoding="utf-8")
        assert load_study(ws, LAMPS).find_person(name) == ("first", "ada")
    assert load_study(ws, LAMPS).find_person(name, pass_name) == found


def test_ledgers_name_the_codebook_and_never_the_model(ws: Workspace) -> None:
    """Nothing hidden reaches a file that a rater's desk writes or reads from it."""
    walk = walk_of(ws, "ada")
    code_all(walk)
    records: Any = FileLedger(ws.ledger(LAMPS, "first", "ada")).records()
    assert {each.form for each in records if each.kind == "decision"} == {"framing"}
    for path in (ws.study_folder(LAMPS) / "first").iterdir():
        assert b"model-" not in path.read_bytes()
    assert "model" not in str(walk.card(walk.card_ids[0]))
