"""The card book: what its acts add up to, what it refuses, and what a damaged line does."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from reviewkit.decisions import LedgerBroken, RecordRefused
from reviewkit.problems import ProblemsFound
from reviewkit.study.assignment import assign, reassign
from reviewkit.study.card_book import CardBook, NoReason, verify_card_book
from reviewkit.study.drawing import excluded_cards
from reviewkit.study.sample_record import redraw
from reviewkit.study.sample_spec import AssignmentSpec, SampleSpec
from reviewkit.study.sampling import draw_sample

SHOWN = "rulings/demo/cards.jsonl"
UNITS = {f"r{number:03d}": {"domain": "ab"[number % 2]} for number in range(40)}
PASSES = {"first": "amal", "second": "basim"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the card book of an empty study would be."""
    return tmp_path / "demo" / "cards.jsonl"


@pytest.fixture
def book(path: Path) -> CardBook:
    """Return an empty card book."""
    return CardBook(path, SHOWN, "demo")


def sample_spec(*sizes: int) -> SampleSpec:
    """Return a sample of draws of these sizes."""
    return SampleSpec.model_validate(
        {
            "seed": "7",
            "draws": [
                {"name": f"d{n}", "method": "balanced", "strata": "domain", "size": str(size)}
                for n, size in enumerate(sizes, start=1)
            ],
        }
    )


def draw_into(book: CardBook, *sizes: int) -> SampleSpec:
    """Draw as the study file says and record what is new."""
    spec = sample_spec(*sizes)
    recorded = {name: each.ids for name, each in book.draws().items()}
    book.record_sample(spec, draw_sample(spec, UNITS, recorded=recorded))
    return spec


def test_an_empty_book_has_nothing(book: CardBook) -> None:
    """A study without acts has no draw, no card, and no pass with cards of its own."""
    assert book.acts() == ()
    assert book.drawn_ids() == book.study_ids() == book.added_ids() == ()
    assert book.cards_of("first") is None
    assert book.held("1") == {}


def test_a_sample_is_recorded_and_read_back(book: CardBook, path: Path) -> None:
    """Ids, settings, digests and counts come back from the file as they were drawn."""
    spec = draw_into(book, 8, 4)
    again = CardBook(path, SHOWN, "demo")
    sample = draw_sample(spec, UNITS)

    assert again.drawn_ids() == sample.ids
    assert again.drawn_ids("d2") == sample.draws[1].ids
    assert again.drawn_ids("d9") == ()
    assert again.draws()["d1"].counts == sample.draws[0].counts
    assert again.draws()["d1"].settings["size"] == 8
    assert redraw(spec, UNITS, again.draws()).same


def test_a_sample_drawn_again_is_no_act(book: CardBook) -> None:
    """Running the same sample twice records nothing the second time."""
    draw_into(book, 8)
    draw_into(book, 8)
    assert len(book.acts()) == 1


def test_widening_is_an_act_of_its_own(book: CardBook) -> None:
    """The wider sample starts with the cards of the smaller, and a redraw is still the record."""
    draw_into(book, 8)
    before = book.drawn_ids()
    spec = draw_into(book, 12)

    assert book.drawn_ids()[:8] == before
    assert len(book.drawn_ids()) == 12
    assert [len(act.ids) for act in book.acts()] == [8, 4]
    assert redraw(spec, UNITS, book.draws()).same


def test_each_pass_has_its_cards_in_its_order(book: CardBook) -> None:
    """Assigned cards come back in the rater's order, later ones at the end."""
    spec = AssignmentSpec.model_validate({"seed": "7"})
    draw_into(book, 8)
    first = assign(spec, book.study_ids(), PASSES)
    book.record_assignment("1", first.new)
    assert book.held("1") == first.cards
    book.add(["r-extra"], "The pilot missed it.")
    second = assign(spec, book.study_ids(), PASSES, book.held("1"))
    book.record_assignment("1", second.new)

    assert book.cards_of("first") == (*first.cards["first"], "r-extra")
    assert book.added_ids() == ("r-extra",)
    assert book.study_ids() == (*book.drawn_ids(), "r-extra")
    assert book.held("2") == {}


def test_open_cards_go_to_another_rater(book: CardBook) -> None:
    """What was moved leaves the one pass and stands at the end of the other."""
    book.record_assignment("1", {"first": ["a", "b", "c"], "second": ["c", "b", "a"]})
    moving = reassign(None, book.held("1"), {"b", "a"}, "second", "third", "celia")
    book.move("1", "second", "third", moving, "Basim has left the project.")

    assert book.held("1") == {"first": ("a", "b", "c"), "second": ("c",), "third": ("b", "a")}
    assert book.gave_up() == {"second"}
    assert book.acts()[-1].reason == "Basim has left the project."


def test_what_cannot_be_is_refused(book: CardBook) -> None:
    """A card twice in one hand, one that nobody has, another round's pass, an act without a why."""
    draw_into(book, 4, 4)
    book.record_assignment("1", {"first": ["a", "b"], "second": ["b"]})
    before = len(book.acts())

    with pytest.raises(RecordRefused, match="pass first has card b already"):
        book.record_assignment("1", {"first": ["c", "b"]})
    with pytest.raises(RecordRefused, match="names a card twice"):
        book.record_assignment("1", {"first": ["c", "c"]})
    with pytest.raises(RecordRefused, match="pass first is of round 1, not 2"):
        book.record_assignment("2", {"first": ["c"]})
    with pytest.raises(RecordRefused, match="pass second does not have card a"):
        book.move("1", "second", "third", ["a"], "Left.")
    with pytest.raises(RecordRefused, match="pass second has card b already"):
        book.move("1", "first", "second", ["b"], "Left.")
    with pytest.raises(RecordRefused, match="is in the study already"):
        book.add([book.drawn_ids()[0], book.drawn_ids()[1]], "Again.")
    with pytest.raises(NoReason, match="needs a reason"):
        book.add(["new"], " \u200b")
    with pytest.raises(NoReason, match="needs a reason"):
        book.move("1", "first", "third", ["a"], "")
    with pytest.raises(RecordRefused, match="only the last draw is widened"):
        _record_stale(book, sample_spec(6))
    assert len(book.acts()) == before


def _record_stale(book: CardBook, spec: SampleSpec) -> None:
    """Record a widening of the first draw as one who has not seen the second would."""
    seen = {"d1": book.drawn_ids("d1")}
    barred = book.drawn_ids("d2")
    book.record_sample(spec, draw_sample(spec, UNITS, recorded=seen, added=barred))


def test_ten_thousand_cards_are_one_act(book: CardBook, path: Path) -> None:
    """A large sample is one line, a very large one goes on in the next, and both read back."""
    ids = [f"response-{number:05d}" for number in range(10_000)]
    book.record_assignment("1", {"first": ids, "second": ids[::-1]})
    assert len(book.acts()) == 1
    long = [f"{number:05d}-{'x' * 60}" for number in range(20_000)]
    book.add(long, "The whole table.")
    book.record_assignment("1", {"third": long, "fourth": long})

    again = CardBook(path, SHOWN, "demo")
    assert again.cards_of("second") == tuple(ids[::-1])
    assert again.cards_of("third") == again.cards_of("fourth") == tuple(long)
    assert again.study_ids() == tuple(long)


def test_an_edited_line_is_named(book: CardBook, path: Path) -> None:
    """A card given to another pass by hand is found, with file and line, and nothing changes."""
    draw_into(book, 8)
    book.record_assignment("1", {"first": ["a"], "second": ["b"]})
    sound = verify_card_book(path, SHOWN)
    assert (sound.sound, sound.records) == (True, 2)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"first":["a"]', '"first":["b"]'), encoding="utf-8")

    with pytest.raises(LedgerBroken, match=rf"{SHOWN}:2: .*edited"):
        CardBook(path, SHOWN, "demo").cards_of("first")
    report = verify_card_book(path, SHOWN)
    assert not report.sound
    assert report.problems[0].where == f"{SHOWN}:2"


def test_lines_are_one_object_each(book: CardBook, path: Path) -> None:
    """Any tool that reads JSON lines reads the book."""
    draw_into(book, 8)
    (line,) = path.read_text(encoding="utf-8").splitlines()
    fields: dict[str, Any] = json.loads(line)

    assert (fields["act"], fields["draw"], fields["study"]) == ("drawn", "d1", "demo")
    assert fields["counts"][0] == {
        "stratum": "domain=a", "available": 20, "wanted": 4, "drawn": 4,
    }  # fmt: skip


def _draw_and_assign(path: Path, queue: Any) -> None:
    """Draw and assign as one of several leads at once."""
    book = CardBook(path, SHOWN, "demo")
    refused = 0
    for act in (lambda: draw_into(book, 8), lambda: book.record_assignment("1", {"first": ["a"]})):
        try:
            act()
        except RecordRefused:
            refused += 1
    queue.put(refused)


def test_several_writers_at_once_draw_once(path: Path) -> None:
    """Leads who draw and assign at the same moment record each card once; the others are told."""
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    writers = [context.Process(target=_draw_and_assign, args=(path, queue)) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)

    book = CardBook(path, SHOWN, "demo")
    assert len(book.drawn_ids()) == 8
    assert book.cards_of("first") == ("a",)
    assert [act.act for act in book.acts()] == ["drawn", "assigned"]
    assert sum(queue.get(timeout=10) for _ in writers) >= 3


def test_earlier_samples_are_named_by_study_and_draw(tmp_path: Path) -> None:
    """``STUDY`` gives all its cards, ``STUDY/draw`` one draw's, and a wrong name is a problem."""

    def book_of(study: str) -> CardBook:
        return CardBook(tmp_path / study / "cards.jsonl", f"rulings/{study}/cards.jsonl", study)

    pilot = book_of("pilot")
    draw_into(pilot, 4, 2)
    pilot.add(["by-hand"], "Asked for.")

    found = excluded_cards(["pilot", "pilot/d2"], book_of, "study.yaml")
    assert found == {"pilot": pilot.study_ids(), "pilot/d2": pilot.drawn_ids("d2")}
    where = "study.yaml sample.draws exclude"
    with pytest.raises(ProblemsFound) as caught:
        excluded_cards(["pilot/main", "none"], book_of, "study.yaml")
    assert [str(each) for each in caught.value.problems] == [
        f"{where}: pilot/main has no drawn card; name one of pilot/d1, pilot/d2",
        f"{where}: none has no drawn card; draw the sample of none first",
    ]
