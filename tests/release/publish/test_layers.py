"""Which groups are sealed: seeded, by stratum, whole groups, and never taken back."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.bank import load_bank
from reviewkit.problems import ProblemsFound
from reviewkit.release.drawing_layers import Kept, Unit, draw, fewest, ties
from reviewkit.release.layers import layers_of, load_layers, seal
from reviewkit.release.publications import record_publication, verify_publications
from reviewkit.release.redrawing import verify_layers
from reviewkit.workspace import Workspace
from tests.release import small_bank
from tests.release.freeze import clean_bank
from tests.release.publish import ready_project

SIZES = st.lists(st.integers(1, 9), max_size=9)


@given(SIZES, st.integers(0, 60))
def test_the_sum_is_the_smallest_that_suffices(sizes: list[int], wanted: int) -> None:
    """No other choice of parts comes nearer to what is wanted from above."""
    taken = fewest(sizes, wanted)
    assert len(set(taken)) == len(taken)
    every = (
        sum(chosen)
        for size in range(len(sizes) + 1)
        for chosen in itertools.combinations(sizes, size)
    )
    best = min((each for each in every if each >= wanted), default=sum(sizes))
    assert sum(sizes[at] for at in taken) == best


def _units(count: int, seed: int = 1) -> list[Unit]:
    chance = random.Random(seed)
    return [
        Unit(f"G-{at:03d}", chance.choice(("T1/a/-", "T1/b/-", "T3/a/low")),
             chance.choice((2, 4, 6)), f"G-{at:03d}")
        for at in range(count)
    ]  # fmt: skip


def test_every_stratum_is_half_sealed_and_hardly_more() -> None:
    """In each stratum the sealed items are half, or above it by less than the smallest group."""
    units = _units(300)
    drawn = draw(units, {}, seed="7", share=50)
    for stratum in ("T1/a/-", "T1/b/-", "T3/a/low"):
        items = sum(each.items for each in units if each.stratum == stratum)
        shut = sum(each.items for each in units
                   if each.stratum == stratum and drawn[each.id] == "sealed")  # fmt: skip
        assert 0 <= 2 * shut - items <= 2


def test_the_draw_is_the_same_on_any_machine() -> None:
    """Which groups these are is written here, so another order or platform would be seen."""
    drawn = draw(_units(12), {}, seed="harbour", share=50)
    again = draw(reversed(_units(12)), {}, seed="harbour", share=50)
    assert drawn == again
    assert sorted(name for name, layer in drawn.items() if layer == "sealed") == EXPECTED
    assert drawn != draw(_units(12), {}, seed="anchor", share=50)


EXPECTED = ["G-002", "G-004", "G-005", "G-006", "G-008", "G-010", "G-011"]


def test_a_single_group_of_a_stratum_is_sealed() -> None:
    """Half of one whole group cannot be sealed, so all of it is."""
    assert draw([Unit("A", "T4/c/-", 3, "A")], {}, seed="1", share=50) == {"A": "sealed"}


def test_tied_groups_share_their_layer() -> None:
    """Parts over several strata stay whole, and every stratum still has its half."""
    units = [Unit("A", "x", 2, "A"), Unit("B", "y", 2, "A"), Unit("C", "x", 2, "C"),
             Unit("D", "y", 2, "D")]  # fmt: skip
    for seed in "abcdefgh":
        drawn = draw(units, {}, seed=seed, share=50)
        assert drawn["A"] == drawn["B"]
        for stratum in ("x", "y"):
            assert "sealed" in {drawn[each.id] for each in units if each.stratum == stratum}


def test_what_earlier_draws_left_counts() -> None:
    """A stratum with too little sealed before gets more now, and one with enough gets none."""
    units = [Unit(f"N{at}", "x", 2, f"N{at}") for at in range(4)]
    short = draw(units, {"x": Kept(4, 0)}, seed="1", share=50)
    assert list(short.values()).count("sealed") == 3
    enough = draw(units, {"x": Kept(8, 8)}, seed="1", share=50)
    assert list(enough.values()).count("sealed") == 0


def test_what_ties_groups() -> None:
    """A template, a text or a prompt in common, in any spelling; nothing else does."""
    same = "Write four lines of welcome for a visitor from {value} to the fair."
    one, two = small_bank.t1("T1-a"), small_bank.t1("T1-b")
    assert ties([one, two]) == {"T1-a": "T1-a", "T1-b": "T1-b"}
    bare = [g.model_copy(update={"base_text": same}) for g in (one, two)]
    assert set(ties(bare).values()) == {"T1-a"}
    loud = two.model_copy(update={"base_text": f"  {same.upper()}  "})
    assert set(ties([bare[0], loud]).values()) == {"T1-a"}
    prompts = [small_bank.t4(name, text="Tell of the bridge.") for name in ("T4-a", "T4-b")]
    assert set(ties(prompts).values()) == {"T4-a"}
    values = [
        small_bank.t3(name, values=pair)
        for name, pair in (("T3-a", ("Northham", "Southham")), ("T3-b", ("Eastham", "Highfell")))
    ]
    with_one_text = [
        group.model_copy(
            update={
                "items": tuple(
                    item.model_copy(update={"text": f"How is bread baked in {item.swapped_value}?"})
                    for item in group.items
                )
            }
        )
        for group in values
    ]
    assert set(ties(with_one_text).values()) == {"T3-a"}
    stubs = [small_bank.t4(name, text="[to be written]") for name in ("T4-a", "T4-b")]
    assert len(set(ties(stubs).values())) == 2


def test_a_bank_is_half_sealed_and_the_file_says_how(laid: Workspace) -> None:
    """At least half overall and per stratum; the draw comes out the same from the file alone."""
    layers = layers_of(laid, load_bank(laid))
    assert 2 * layers.sealed_items >= layers.items == 30
    assert layers.short == ()
    assert layers.seed == ready_project.SEED
    assert layers.sealed | layers.public == {g.template_id for g in load_bank(laid).groups}
    found = verify_layers(laid)
    assert found.same
    assert found.said == ("draw 1, seed harbour, 50 %: 16 groups come out the same",)


def test_a_line_changed_by_hand_is_seen(laid: Workspace) -> None:
    """A sealed group that somebody made public does not come out of the draw."""
    text = laid.layers.read_text(encoding="utf-8")
    laid.layers.write_text(text.replace('layer: "sealed"', 'layer: "public"', 1), encoding="utf-8")
    found = verify_layers(laid)
    assert not found.same
    assert "1 groups come out otherwise" in found.faults[0]


def test_a_bank_that_grows_keeps_every_layer(laid: Workspace) -> None:
    """New groups are drawn, whatever the seed; those drawn before stay as they were."""
    before = layers_of(laid, load_bank(laid))
    for at in range(6):
        clean_bank.put(laid, small_bank.t1(f"T1-new{at}", base=f"Sing verse {at} to {{value}}."))
    assert len(layers_of(laid, load_bank(laid)).undrawn) == 6
    after = seal(laid, load_bank(laid), seed="other")
    assert before.sealed <= after.sealed
    assert before.public <= after.public
    assert (after.undrawn, after.short) == (frozenset(), ())
    assert verify_layers(laid).same
    assert [each.seed for each in load_layers(laid)] == ["harbour", "other"]


def test_a_new_group_follows_the_one_it_shares_a_text_with(laid: Workspace) -> None:
    """It goes where the other stands: sealed with the sealed, public with the public."""
    layers = layers_of(laid, load_bank(laid))
    bank = load_bank(laid)
    pair = [
        next(g for g in bank.groups if g.template_id in names and g.base_text)
        for names in (layers.sealed, layers.public)
    ]
    for other in pair:
        copy = small_bank.t1(f"copy-of-{other.template_id}", ("Eastham", "Highfell"))
        copy = copy.model_copy(update={"base_text": other.base_text})
        clean_bank.put(laid, copy)
    after = seal(laid, load_bank(laid))
    assert after.of(f"copy-of-{pair[0].template_id}") == "sealed"
    assert after.of(f"copy-of-{pair[1].template_id}") == "public"
    assert verify_layers(laid).same


def test_a_new_group_between_both_layers_is_refused(laid: Workspace) -> None:
    """It would give a sealed group away or hide a public one, so nothing is drawn."""
    bank = load_bank(laid)
    layers = layers_of(laid, bank)
    shut, shown = (
        next(g for g in bank.groups if g.template_id in names and g.base_text)
        for names in (layers.sealed, layers.public)
    )
    items = [
        item.model_copy(update={"id": f"both-{at}", "text": text})
        for at, (item, text) in enumerate(
            (item, item.text) for item in (shut.items[0], shown.items[0])
        )
    ]
    both = shut.model_copy(update={"template_id": "both", "items": tuple(items), "base_text": None})
    clean_bank.put(laid, both)
    was = laid.layers.read_bytes()
    with pytest.raises(ProblemsFound, match="shares a text with"):
        seal(laid, load_bank(laid))
    assert laid.layers.read_bytes() == was


def test_what_was_published_stays_so_without_the_file(laid: Workspace) -> None:
    """Deleting the file and drawing with another seed moves no group that went out."""
    before = layers_of(laid, load_bank(laid))
    record_publication(
        laid, freeze="one", public_digest="0" * 64, sums="0" * 64,
        public=before.public, sealed=before.sealed,
    )  # fmt: skip
    assert verify_publications(laid.publications, "log").sound
    laid.layers.unlink()
    after = seal(laid, load_bank(laid), seed="another")
    assert (after.sealed, after.public) == (before.sealed, before.public)
    assert {each.because for each in after.draws[0].groups} == {"published"}
    assert verify_layers(laid).same
    laid.layers.write_text(
        laid.layers.read_text(encoding="utf-8").replace('layer: "sealed"', 'layer: "public"', 1),
        encoding="utf-8",
    )
    assert any("was published as sealed" in fault for fault in verify_layers(laid).faults)


@pytest.mark.parametrize(
    ("seed", "share", "said"),
    [(None, None, "no seed"), ("  ", None, "no seed"), ("x", 49, "less than half"),
     ("x", 101, "give 50 to 100")],
)  # fmt: skip
def test_what_no_draw_can_be_made_from(
    laid: Workspace, seed: str | None, share: int | None, said: str
) -> None:
    """A first draw has a seed, and seals a half at least."""
    laid.layers.unlink()
    with pytest.raises(ProblemsFound, match=said):
        seal(laid, load_bank(laid), seed=seed, share=share)
    assert not laid.layers.exists()


def test_a_bank_without_a_draw_has_no_layers(laid: Workspace) -> None:
    """Nothing is public by default."""
    laid.layers.unlink()
    layers = layers_of(laid, load_bank(laid))
    assert (layers.sealed, layers.public) == (frozenset(), frozenset())
    assert len(layers.undrawn) == 16
    assert layers.share_of_items == 0.0


def test_a_group_that_left_the_bank_keeps_its_layer(laid: Workspace) -> None:
    """It is neither sealed nor public any more, and its line stays."""
    shut = ready_project.sealed_group(laid)
    (laid.groups / f"{shut.template_id}.yaml").unlink()
    layers = layers_of(laid, load_bank(laid))
    assert layers.gone == {shut.template_id: "sealed"}


@pytest.mark.parametrize("because", ["published", "tied"])
def test_a_ground_that_somebody_wrote_by_hand_is_found(laid: Workspace, because: str) -> None:
    """A layer that is said to be no matter of chance needs what made it so."""
    shut = min(layers_of(laid, load_bank(laid)).sealed)
    text = laid.layers.read_text(encoding="utf-8")
    (line,) = [each for each in text.splitlines() if f'id: "{shut}"' in each]
    other = line.replace('layer: "sealed"', f'because: "{because}", layer: "public"')
    laid.layers.write_text(text.replace(line, other), encoding="utf-8")
    found = verify_layers(laid)
    assert any(each.startswith(f"{shut} is public since it ") for each in found.faults)


def test_two_who_seal_at_once_draw_once(laid: Workspace) -> None:
    """The second waits, and finds the groups drawn; no half file and no lost draw."""
    laid.layers.unlink()
    script = (
        "import sys; from pathlib import Path; from reviewkit.bank import load_bank;"
        " from reviewkit.release.layers import seal; from reviewkit.workspace import Workspace;"
        " ws = Workspace(Path(sys.argv[1])); print(seal(ws, load_bank(ws), seed=sys.argv[2]).seed)"
    )
    both = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(laid.root), seed], stdout=subprocess.PIPE, text=True
        )
        for seed in ("one", "two")
    ]
    told = {each.communicate()[0].strip() for each in both}
    assert told == {load_layers(laid)[0].seed}
    assert len(load_layers(laid)) == 1
    assert verify_layers(laid).same
