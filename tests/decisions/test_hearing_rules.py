"""What the ledgers of adjudicators, second readers and withdrawn passes admit, by any door."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from reviewkit.decisions import (
    Entry,
    FileLedger,
    LedgerBroken,
    Record,
    RecordRefused,
    effective_decisions,
    effective_judgements,
    lock_details,
    pass_state,
    verify_ledger,
)
from reviewkit.decisions.chain import Chain
from reviewkit.decisions.hearings import (
    codes_known,
    coding_details,
    comparable,
    hearing_cases,
    settling_records,
)
from reviewkit.decisions.passes import PassWithdrawn, is_closed, withdrawal_in_force
from reviewkit.decisions.records import UPGRADERS

CARD, OTHER = "a" * 64, "d" * 64
E, N, SKIPPED = "1" * 64, "2" * 64, "3" * 64
_clicks = count(1)


def act(kind: str, rationale: str = "", codes: tuple[str, ...] = (E, N), **over: Any) -> Entry:
    """Return an entry of the adjudication ledger."""
    fields: dict[str, Any] = {
        "kind": kind, "click_id": f"click-{next(_clicks):08d}", "study": "demo", "round": "1",
        "pass": "adjudication", "rater": "cleo", "origin": "cli", "card_id": "r1",
        "card_digest": CARD,
    }  # fmt: skip
    if kind in ("first_label", "adjudication"):
        fields |= {
            "form": "rationale", "form_kind": "codebook", "form_version": "1",
            "form_digest": "b" * 64, "asked": ("rationale",), "answers": {"rationale": rationale},
            "rule_version": "1",
        }  # fmt: skip
    if kind in ("first_label", "adjudication", "exclusion"):
        fields["details"] = {"codings": [f"{n:064x}" for n in range(len(codes))], "codes": codes}
    details = {**fields.get("details", {}), **over.pop("details", {})}
    return Entry.model_validate({**fields, **over, "details": details})


def after(first: Record, rationale: str, route: str, **over: Any) -> Entry:
    """Return the adjudication that follows a first label."""
    details = {"route": route, "first_label": first.digest, **over.pop("details", {})}
    return act("adjudication", rationale, details=details, **over)


@pytest.fixture
def hall(tmp_path: Path) -> FileLedger:
    """Return an adjudicator's ledger that is not yet on the disk."""
    return FileLedger(tmp_path / "adjudication" / "cleo.jsonl", "cleo.jsonl")


def test_a_final_label_follows_a_first_one(hall: FileLedger) -> None:
    """On the same card, content, form and round, and named by its digest."""
    first = hall.append(act("first_label", "E"))
    for wrong in (
        after(first, "E", "confirmed", card_id="r2"),
        after(first, "E", "confirmed", card_digest=OTHER),
        after(first, "E", "confirmed", form_digest=OTHER),
        after(first, "E", "confirmed", round="2"),
        after(first, "E", "confirmed", details={"first_label": OTHER}),
        after(first, "E", "confirmed", codes=(E, SKIPPED)),
    ):
        with pytest.raises(RecordRefused):
            hall.append(wrong)
    final = hall.append(after(first, "E", "confirmed"))
    assert settling_records(hall.records(), "1") == {"r1": final}
    assert settling_records(hall.records(), "2") == {}


def test_a_changed_label_says_so_and_why(hall: FileLedger) -> None:
    """The route is what the codes say, and a change without a visible reason is refused."""
    first = hall.append(act("first_label", "E"))
    for wrong in (
        after(first, "N", "confirmed", reason="it denies"),
        after(first, "E", "changed", reason="it denies"),
        after(first, "N", "changed"),
        after(first, "N", "changed", reason=" \u200b"),
    ):
        with pytest.raises(RecordRefused):
            hall.append(wrong)
    hall.append(after(first, "N", "changed", reason="it denies"))


def test_a_card_is_labelled_first_once_unless_its_codes_changed(hall: FileLedger) -> None:
    """Codes given again, or gone with a withdrawal, are no change; others are, and content is."""
    hall.append(act("first_label", "E"))
    for same in ((E, N), (N, E), (E,)):
        with pytest.raises(RecordRefused, match="first label already"):
            hall.append(act("first_label", "E", codes=same))
    for changed in ((E, E), (E, SKIPPED), (E, N, N)):
        hall.append(act("first_label", "E", codes=changed))
    hall.append(act("first_label", "E", codes=(E, N, N), card_digest=OTHER))
    hall.append(act("first_label", "E", codes=(E, N), round="2"))
    case = hearing_cases(hall.records(), "1")["r1"]
    assert case.first is not None
    assert (case.first.seq, case.settled) == (5, None)


def test_every_act_names_the_codings_it_is_about(hall: FileLedger) -> None:
    """By their records and by what they say, one of each for every coding."""
    for details in (
        {"codings": []},
        {"codes": [E]},
        {"codes": "nonsense"},
        {"codings": [1, 2]},
        {"codes": ["short", "short"]},
    ):
        for kind in ("first_label", "exclusion"):
            with pytest.raises(RecordRefused, match="does not name the codings"):
                hall.append(act(kind, "E", details=details, reason="truncated"))
    bare = act("exclusion", reason="truncated").model_copy(update={"reason": ""})
    with pytest.raises(RecordRefused, match="needs a reason"):
        hall.append(bare)
    record = hall.append(act("exclusion", reason="truncated", details={"code": "truncated"}))
    assert settling_records(hall.records(), "1") == {"r1": record}


@pytest.mark.parametrize("kind", ["question", "lock", "reopen", "withdrawal", "second_reading"])
def test_an_adjudication_holds_nothing_else(hall: FileLedger, kind: str) -> None:
    """Another's act, or one of another kind, does not stand in it."""
    with pytest.raises(RecordRefused, match="holds no record of kind"):
        hall.append(act(kind, reason="why", details={"digest": CARD}))
    hall.append(act("first_label", "E"))
    with pytest.raises(RecordRefused, match="the ledger is of demo/adjudication/cleo"):
        hall.append(act("first_label", "E", rater="dina", card_id="r2"))


def test_a_ledger_that_was_written_around_the_rules_is_broken(hall: FileLedger) -> None:
    """What no door admits is not read either, and a verification names the line."""
    first = hall.append(act("first_label", "E"))
    around = Chain(hall.path, "around", Record, upgraders=UPGRADERS)
    forged = after(first, "N", "changed")
    around.append(forged.model_dump(mode="json", by_alias=True))
    with pytest.raises(LedgerBroken, match=r"cleo.jsonl:2: the final codes of card r1"):
        FileLedger(hall.path, "cleo.jsonl").records()
    (problem,) = verify_ledger(hall.path, "cleo.jsonl").problems
    assert problem.where == "cleo.jsonl:2"


@pytest.mark.parametrize("kind", ["first_label", "adjudication", "exclusion", "second_reading"])
def test_a_pass_is_not_adjudicated_in_itself(
    ledger: FileLedger, entry: Callable[..., Entry], kind: str
) -> None:
    """A rater's ledger takes no act of an adjudicator or a second reader."""
    ledger.append(entry())
    wrong = act(kind, "E", reason="why", **{"pass": "first", "rater": "amal"})
    with pytest.raises(RecordRefused, match="the ledger of a pass holds no"):
        ledger.append(wrong)


def test_what_is_compared() -> None:
    """The order of codes, rejected matches and who found a place do not count; nothing is empty."""
    assert comparable(("y", "x")) == comparable(("x", "y")) == ["x", "y"]
    assert comparable(()) == comparable("") == comparable(None) == ""


def test_codes_are_told_from_records(ledger: FileLedger, entry: Callable[..., Entry]) -> None:
    """The same answers with another note are the same codes; a skip is a code of its own."""
    one = ledger.append(entry())
    same = ledger.append(entry(note="otherwise said"))
    skip = ledger.append(entry("skip"))
    before, after_ = coding_details([one]), coding_details([same])
    assert before["codings"] != after_["codings"]
    assert codes_known(before, after_["codes"])
    assert not codes_known(before, coding_details([skip])["codes"])
    assert not codes_known(before, coding_details([one, same])["codes"])


# consent withdrawn


def test_a_withdrawn_pass_takes_nothing_and_gives_nothing(
    ledger: FileLedger, entry: Callable[..., Entry]
) -> None:
    """Its records stay in the file; no decision of it is in force, and none is taken."""
    ledger.append(entry())
    assert not is_closed(ledger.records())
    gone = ledger.append(entry("withdrawal", card_id=None, card_digest=None))
    assert withdrawal_in_force(ledger.records()) == gone
    assert is_closed(ledger.records())
    assert effective_judgements(ledger.records()) == {} == effective_decisions(ledger.records())
    assert len(ledger.records()) == 2
    details = lock_details(pass_state(ledger.records()).judged)
    for kind, more in (
        ("decision", {}),
        ("skip", {}),
        ("practice", {}),
        ("consent", {}),
        ("withdrawal", {}),
        ("lock", {"details": details}),
        ("reopen", {"reason": "why"}),
    ):
        with pytest.raises(PassWithdrawn, match="consent to pass first was withdrawn"):
            ledger.append(entry(kind, **more))
    ledger.append(entry("question", reason="what becomes of my notes?"))


def test_a_locked_pass_may_be_withdrawn(ledger: FileLedger, entry: Callable[..., Entry]) -> None:
    """A lock holds nobody to his consent."""
    ledger.append(entry())
    ledger.append(entry("lock", details=lock_details(pass_state(ledger.records()).judged)))
    ledger.append(entry("withdrawal", card_id=None, card_digest=None))
    assert effective_judgements(ledger.records()) == {}


# second readings


def reading(opinion: str = "agree", reason: str = "", **details: str) -> Entry:
    """Return a second reading by a person."""
    said = {"by": "person", "name": "dina", "opinion": opinion, "of": OTHER, **details}
    who = {"pass": "second-reading", "rater": "dina"}
    return act("second_reading", reason=reason, details=said, **who)


def test_what_a_second_reader_may_say(tmp_path: Path) -> None:
    """He agrees, or objects with a reason; who he is is told, and stays what it is."""
    ledger = FileLedger(tmp_path / "dina.jsonl")
    ledger.append(reading())
    ledger.append(reading("object", "the closing sentence denies it"))
    for wrong in (
        reading("perhaps"),
        reading("object"),
        reading(of="nothing"),
        reading(by="nobody"),
        reading(name="cleo"),
        reading(by="assistant"),
        reading(by="assistant", file=OTHER),
    ):
        with pytest.raises(RecordRefused):
            ledger.append(wrong)
    with pytest.raises(RecordRefused, match="holds no record of kind skip"):
        ledger.append(act("skip", **{"pass": "second-reading", "rater": "dina"}))
    assert len(ledger.records()) == 2
