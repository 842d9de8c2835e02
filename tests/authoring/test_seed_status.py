"""Every figure on status that the field test of the protocol prints, derived from the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from reviewkit.authoring import Worklist, retire, start_second_review, worklist
from reviewkit.bank import Group, load_bank
from reviewkit.study.second_review import strata_of
from reviewkit.workspace import Workspace
from tests.authoring.one_reviewer import REVIEWER, alone, judge, lay, mend, sit
from tests.authoring.test_standing import judge as judge_any
from tests.authoring.test_standing import rewrite, walk
from tests.release.small_bank import t4
from tests.release.test_seed_figures import after_authoring

ACCEPTED = "DEMO-T1-009"
LOPSIDED, NEIGHBOUR = "DEMO-T1-013", "DEMO-T1-012"
TWICE = 12
"""So many of the 24 groups fail two checks: 24 + 12 = 36."""
CHECKS = {
    "T1": ("natural", "bounded_request"), "T2": ("decisive_fact", "key_position"),
    "T3": ("band_and_theme", "real_values"), "T4": ("watchlist_complete", "no_steering"),
}  # fmt: skip


def failed_on(cards: Sequence[str], card: str) -> tuple[str, ...]:
    """Return which checks the first review fails on a group: two on the first twelve, then one."""
    both = CHECKS[card.split("-")[1]]
    return both if cards.index(card) < TWICE else both[:1]


def first_review(ws: Workspace) -> list[str]:
    """Let the one reviewer accept one group of 25 and fail 36 checks on the others."""
    alone(ws)
    walk = sit(ws)
    returned = [card for card in walk.card_ids if card != ACCEPTED]
    judge(walk, ACCEPTED)
    for card in returned:
        judge(walk, card, *failed_on(returned, card))
    return returned


def test_first_review_of_the_seed(demo: Workspace) -> None:
    """Of 25 groups one is accepted, 24 need a fix, none is rejected; 36 checks failed in all."""
    first_review(demo)
    found = worklist(demo)
    counts = found.counts()
    assert (found.live, found.live_items, found.identifiers) == (25, 58, 25)
    assert (counts["accepted"], counts["needs_fix"], counts["rejected"]) == (1, 24, 0)
    assert (found.failed_checks, found.open_checks) == (36, 36)
    assert sum(each.checks for each in found.families) == 36
    assert max(each.groups for each in found.families) <= 24
    assert sum(checks for _groups, checks in found.by_fix().values()) == 36


def test_status_after_correction(demo: Workspace) -> None:
    """Ten of 24 are closed, one by a merge, three in part, eleven wait; 24 live, 25 identifiers."""
    returned = first_review(demo)
    in_part, whole = returned[:3], [card for card in returned[3:] if card != LOPSIDED][:9]
    retire(
        demo, LOPSIDED, reason="far more is written about one side", name="amal",
        merged_into=NEIGHBOUR, on="2026-03-01",
    )  # fmt: skip
    mend(demo, *whole, *in_part)
    walk = sit(demo)
    for card in whole:
        judge(walk, card)
    for card in in_part:
        judge(walk, card, failed_on(returned, card)[1])
    found = worklist(demo)
    assert (found.live, found.identifiers) == (24, 25)
    counts = found.counts()
    assert (counts["accepted"], counts["needs_fix"], counts["merged"]) == (10, 14, 1)
    of_24 = [line for line in found.lines if line.checks]
    closed = [line for line in of_24 if not line.open_checks]
    partly = [line for line in of_24 if line.open_checks and line.closed_checks]
    waiting = [line for line in of_24 if line.open_checks and not line.closed_checks]
    assert (len(of_24), len(closed), len(partly), len(waiting)) == (24, 10, 3, 11)
    assert LOPSIDED in {line.template_id for line in closed}
    assert found.by_progress() == {"closed": 10, "partly": 3, "open": 11}
    assert found.as_json()["groups_with_failed_checks"] == {"closed": 10, "partly": 3, "open": 11}
    said = "Of 24 groups with failed checks 10 closed, 3 partly closed, 11 open."
    assert said in " ".join(found.as_text().split())
    assert said in found.as_markdown()
    assert "24 live groups with 56 items, 25 identifiers" in found.as_markdown()
    assert found.failed_checks == 36
    gone = found.line(LOPSIDED)
    assert gone is not None
    assert (gone.state, gone.merged_into, gone.lives_in) == ("merged", NEIGHBOUR, NEIGHBOUR)


def test_consistent_round_of_the_second_author(demo: Workspace) -> None:
    """His second round accepts four, marks 20 and rejects one; that is what stands, not his first.

    The one that is rejected is escalated: each of its checks alone asks for a fix.
    """
    rounds = ", ".join(
        f'{{round: "{n}", passes: [{{pass: {name}, rater: {REVIEWER}}}]}}'
        for n, name in enumerate(("inconsistent", "consistent"), start=1)
    )
    rewrite(demo, rounds=f"[{rounds}]")
    first = walk(demo, REVIEWER, "inconsistent")
    for card in first.card_ids:
        judge(first, card)
    again = walk(demo, REVIEWER, "consistent")
    rejected, *others = sorted(again.card_ids, key=lambda card: card != "DEMO-T4-002")
    judge_any(again, rejected, "event_anchored", escalated=True)
    for card in others:
        judge(again, card, *(() if others.index(card) < 4 else failed_on(others, card)[:1]))
    found = worklist(demo)
    counts = found.counts()
    assert (counts["accepted"], counts["needs_fix"], counts["rejected"]) == (4, 20, 1)
    assert {line.by for line in found.lines} == {"consistent"}
    assert "25 live groups with 58 items: 4 accepted, 21 to do." in found.as_markdown()


def sized(groups: Sequence[Group], **wanted: int) -> list[Group]:
    """Return so many groups of one, two and four items: ``one=1, two=10, four=6``."""
    sizes = {"one": 1, "two": 2, "four": 4}
    found: list[Group] = []
    for name, number in wanted.items():
        found += [each for each in groups if len(each.items) == sizes[name]][:number]
    return found


@pytest.fixture(scope="module")
def authored(tmp_path_factory: pytest.TempPathFactory) -> Worklist:
    """The list of a bank of 73 groups, two batches of which went through their reviews."""
    groups = after_authoring()
    first = sized(groups, four=1, two=19)
    rest = [each for each in groups if each not in first]
    second = sized(rest, one=1, two=10, four=6)
    twins = [each for each in rest if each not in second and len(each.items) == 4][:4]
    ws = lay(tmp_path_factory.mktemp("authored"), groups)
    added = [item.id for group in twins for item in group.items if item.register_ == "spoken"]
    listed = [("first", "groups", [each.template_id for each in first])]
    listed += [("second", "groups", [each.template_id for each in second])]
    listed += [("third", "items", added)]
    ws.batches.write_text(
        "batches:\n"
        + "".join(
            f'  - {{id: {name}, authored_on: "2026-02-0{n}", {what}: [{", ".join(ids)}]}}\n'
            for n, (name, what, ids) in enumerate(listed, start=1)
        ),
        encoding="utf-8",
    )
    returned = [each.template_id for each in (*first[:2], *second[5:11])]
    walk = sit(ws)
    for each in (*first, *second, *twins):
        card = each.template_id
        judge(walk, card, *(CHECKS[each.test_type][:1] if card in returned else ()))
    mend(ws, *returned)
    walk = sit(ws)
    for card in returned:
        judge(walk, card)
    return worklist(ws)


def test_the_bank_after_authoring(authored: Worklist) -> None:
    """The bank holds 201 items on 73 template groups."""
    assert (authored.live_items, authored.live, authored.identifiers) == (201, 73, 73)


def test_first_batch(authored: Worklist) -> None:
    """42 items on 20 groups are accepted in full, two groups after a fix round."""
    batch = authored.batches[0]
    assert (batch.items, batch.groups, batch.accepted) == (42, 20, 20)
    counts = batch.counts()
    assert (counts["outright"], counts["after_fix"], counts["rejected"]) == (18, 2, 0)


def test_second_batch(authored: Worklist) -> None:
    """Of 45 items on 17 groups eleven are accepted outright, six on re-review, none rejected."""
    batch = authored.batches[1]
    assert (batch.items, batch.groups) == (45, 17)
    counts = batch.counts()
    assert (counts["outright"], counts["after_fix"], counts["rejected"]) == (11, 6, 0)
    assert sum(counts.values()) == 17


def test_a_batch_of_twins_adds_items_to_groups(authored: Worklist) -> None:
    """A short third batch adds twins to four groups: eight items, no group of its own."""
    batch = authored.batches[2]
    assert (batch.items, batch.groups, batch.batch.groups) == (8, 4, ())
    assert batch.counts()["outright"] == 4


def test_two_framing_items_without_an_anchor_are_retired(tmp_path: Path) -> None:
    """Nine take their place: 73 groups are live, the two identifiers stay, and say why."""
    ws = lay(tmp_path, (*after_authoring(), t4("T4-loose-1"), t4("T4-loose-2")))
    for name in ("T4-loose-1", "T4-loose-2"):
        retire(ws, name, reason="tied to no entry of the registry", name="amal")
    found = worklist(ws)
    assert (found.live, found.live_items, found.identifiers) == (73, 201, 75)
    assert found.counts()["retired"] == 2
    live = [each for each in found.lines if each.state != "retired"]
    assert sum(each.test_type == "T4" for each in live) == 9
    assert "73 live groups with 201 items, 75 identifiers" in found.as_markdown()


def test_a_second_review_of_73_groups_draws_a_fifth_to_a_quarter(tmp_path: Path) -> None:
    """18 of 73 are 24.7 %: of each test type, domain and band between 20 and 25 % of its groups.

    A band of five gives one, one of six gives two, since no whole number lies between.
    """
    ws = lay(tmp_path, after_authoring())
    walking = sit(ws)
    for card in walking.card_ids:
        judge(walking, card)
    review = start_second_review(ws, "again", "basim", 7).review
    strata = strata_of(review.population, load_bank(ws))
    available, drawn = Counter(strata.values()), Counter(strata[each] for each in review.sampled)
    assert (len(review.population), len(review.sampled)) == (73, 18)
    assert 0.20 <= 18 / 73 <= 0.25
    assert {name: (available[name], drawn[name]) for name in available} == {
        ("T1", "valley", ""): (32, 8), ("T2", "valley", ""): (16, 4),
        ("T3", "valley", "innocuous"): (5, 1), ("T3", "valley", "creative"): (6, 2),
        ("T3", "valley", "civic"): (5, 1), ("T4", "chronicle", ""): (9, 2),
    }  # fmt: skip


def test_the_list_says_these_figures(authored: Worklist, tmp_path: Path) -> None:
    """Terminal, Markdown, JSON and the page all say the same sizes."""
    assert "73 live groups with 201 items" in authored.as_text()
    assert "| first | 2026-02-01 | 42 | 20 | 18 | 2 |" in authored.as_markdown()
    batches = authored.as_json()["batches"]
    assert [(each["items"], each["groups"]) for each in batches] == [(42, 20), (45, 17), (8, 4)]
    page = tmp_path / "list.html"
    page.write_text(authored.as_html(), encoding="utf-8")
    assert "accepted outright 11, accepted after a fix 6" in page.read_text(encoding="utf-8")
