"""What a certificate says of the bank, the reviews, the guide, the layers and the waivers."""

from __future__ import annotations

import platform
from pathlib import Path

import reviewkit
from reviewkit.authoring.second_review_acts import close_second_review
from reviewkit.authoring.second_review_start import start_second_review
from reviewkit.bank import load_bank
from reviewkit.release import add_waiver
from reviewkit.release.freeze import certificate_page, freeze
from reviewkit.release.layers import seal
from reviewkit.rulings import RulingEntry, RulingsLog
from reviewkit.rulings.guides import publish
from reviewkit.workspace import Workspace
from tests.release import small_bank
from tests.release.freeze import clean_bank


def certified(ws: Workspace):
    """Freeze, and return the certificate."""
    return freeze(ws, "one", name="amal").certificate


def test_counts(ws: Workspace) -> None:
    """Per cell (empty ones too), test type, domain, band; directions; factorial share."""
    counts = certified(ws).counts
    assert (counts.groups, counts.items, counts.pairs) == (7, 13, 4)
    assert [(each.part, each.groups, each.items, each.pairs) for each in counts.cells] == [
        ("chronicle x framing", 1, 1, 0),
        ("valley x asymmetry", 1, 2, 1),
        ("valley x choice", 2, 4, 0),
        ("valley x refusal", 3, 6, 3),
    ]
    assert [(each.part, each.groups) for each in counts.bands] == [
        ("civic", 1), ("creative", 1), ("innocuous", 1)
    ]  # fmt: skip
    assert (counts.directions.with_, counts.directions.against) == (1, 1)
    assert (counts.factorial.written, counts.factorial.groups) == (0, 7)


def test_an_empty_cell_is_counted(tmp_path: Path) -> None:
    """A cell that is open and holds nothing stands in the certificate with a nought."""
    groups = small_bank.with_groups(without=["T4-a"])
    ws = clean_bank.lay(tmp_path / "project", groups)
    for rater in ("amal", "badr"):
        clean_bank.review(ws, rater)
    made = certified(ws)
    assert made.counts.cells[0].model_dump() == {
        "part": "chronicle x framing", "groups": 0, "items": 0, "pairs": 0
    }  # fmt: skip
    assert made.warnings == {"cell-empty": 1}


def test_agreement_of_the_reviews(tmp_path: Path) -> None:
    """Figures of the passes of record, by hand: six of seven verdicts agree."""
    ws = clean_bank.lay(tmp_path / "project")
    clean_bank.review(ws, "amal")
    clean_bank.review(ws, "badr", "T1-a")
    found = {each.on: each for each in certified(ws).agreements}
    coarse = found["accepted or not"]
    assert coarse.between == ("review/first", "review/second")
    assert (coarse.n, coarse.agree, coarse.percent) == (7, 6, "85.7 %")
    assert coarse.kappa == 0
    assert coarse.pabak == 5 / 7
    # p_e = 2 q (1 - q) with q = 13/14
    by_chance = 2 * (13 / 14) * (1 / 14)
    assert coarse.ac1 is not None
    assert abs(coarse.ac1 - (6 / 7 - by_chance) / (1 - by_chance)) < 1e-12
    assert found["verdict"].n == 7
    assert found["checks"].agree == found["checks"].n - 1


def test_a_second_review_and_its_agreement(ws: Workspace) -> None:
    """How many were drawn, judged, failed; and how it agrees with the first on what was drawn."""
    drawn = start_second_review(ws, "again", "cara", 7).review.sampled
    clean_bank.review(ws, "cara", study="again")
    close_second_review(ws, "again")
    made = certified(ws)
    (outcome,) = made.second_reviews
    assert (outcome.study, outcome.of, outcome.sampled, outcome.judged, outcome.failed_first) == (
        "again", "review", len(drawn), len(drawn), 0
    )  # fmt: skip
    assert (outcome.outcome, outcome.counts, outcome.bound) == ("within_bound", True, "25%")
    between = [each for each in made.agreements if each.between[1].startswith("again/")]
    assert {each.on for each in between} == {"verdict", "accepted or not", "checks"}
    assert between[0].between[0] == "review/first"
    assert {each.n for each in between if each.on == "verdict"} == {len(drawn)}
    assert f"{len(drawn)} of 7 groups drawn" in certificate_page(made)


def test_rulings_and_the_edition_of_the_guide(ws: Workspace) -> None:
    """The tip of the rulings, the edition that stands, and what no edition has taken up."""
    log = RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log))

    def rule(text: str, supersedes: str = "") -> None:
        log.file(
            RulingEntry(
                click_id=clean_bank.click(), type="ruling", text=text, checks=("t1/one_variable",),
                author="amal", supersedes=supersedes,
            )
        )  # fmt: skip

    rule("One place may have one name only.")
    edition = publish(ws, name="amal")
    rule("A name is written as its people write it.")
    rule("A name is written as its people write it today.", supersedes="R-002")
    made = certified(ws)
    assert made.guide is not None
    assert (made.guide.edition, made.guide.digest) == (1, edition.digest)
    assert (made.rulings.rulings, made.rulings.tip) == (3, log.all()[-1].digest)
    assert made.rulings.not_folded_in == ("R-003",)
    assert edition.digest in certificate_page(made)


def test_waivers_in_force_and_forms(tmp_path: Path) -> None:
    """Only waivers that hold; every form with its digest, and for which groups it is asked."""
    groups = small_bank.with_groups(small_bank.t1(expected_length=None))
    ws = clean_bank.lay(tmp_path / "project", groups)
    for rater in ("amal", "badr"):
        clean_bank.review(ws, rater)
    bank = load_bank(ws)
    reason = "a list, [so] *bounded* | in itself\nقائمة"
    for code in ("length-missing", "stub-text"):
        add_waiver(ws, bank, code, ["T1-a"], reason=reason, name="amal", on="2026-11-30")
    made = certified(ws)
    (waiver,) = made.waivers
    assert (waiver.code, waiver.ids) == ("length-missing", ("T1-a",))
    assert (waiver.reason, waiver.given_on) == (reason, "2026-11-30")
    page = certificate_page(made)
    assert "a list, \\[so\\] \\*bounded\\* \\| in itself \u2068قائمة\u2069" in page
    assert [(each.form, each.test_type) for each in made.forms] == [
        ("t1@1", "T1"), ("t2@1", "T2"), ("t3@2", "T3"), ("t4@1", "T4")
    ]  # fmt: skip


def test_layers(ws: Workspace) -> None:
    """Seed, share and how much is sealed; none when nothing was drawn."""
    assert "Nothing is sealed." in certificate_page(freeze(ws, "zero", name="amal").certificate)
    layers = seal(ws, load_bank(ws), seed="harvest")
    made = certified(ws)
    assert made.layers is not None
    assert (made.layers.seed, made.layers.share_asked) == ("harvest", 50)
    assert made.layers.sealed_groups == len(layers.sealed)
    assert made.layers.sealed_items == layers.sealed_items
    assert made.predecessor is not None
    assert made.predecessor.files == {"added": 1, "removed": 0, "changed": 0}


def test_versions_and_review(ws: Workspace) -> None:
    """Which reviewkit, Python and packages; the locks of the passes of record."""
    made = certified(ws)
    assert made.versions.reviewkit == reviewkit.__version__
    assert made.versions.python == platform.python_version()
    assert {"pydantic", "typer"} <= set(made.versions.packages)
    assert "pytest" not in made.versions.packages
    assert [(each.pass_, each.judged, each.locked) for each in made.review.passes] == [
        ("first", 7, True), ("second", 7, True)
    ]  # fmt: skip
    assert all(len(each.lock) == 64 for each in made.review.passes)
    assert made.review.settled_by == {"first": 7}
