"""``reviewkit seal``, ``verify layers`` and ``publish`` in the demo folder."""

from __future__ import annotations

import json
from pathlib import Path

from reviewkit.workspace import Workspace


def test_sealing_says_what_is_sealed(demo: Workspace, run) -> None:
    """A line a stratum, the whole in a sentence; the same again when nothing is new."""
    assert run("seal")[:1] == (1,)
    status, out, err = run("seal", "--seed", "7")
    assert (status, err) == (0, "")
    assert "31 of 58 items are sealed (53.4 %), 14 of 25 groups, seed 7" in out
    written = demo.layers.read_bytes()
    assert run("seal", "--seed", "8")[1] == out
    assert demo.layers.read_bytes() == written
    found = json.loads(run("seal", "--json")[1])
    assert (found["sealed_items"], found["items"], len(found["sealed"])) == (31, 58, 14)
    assert run("check")[0] == 0


def test_a_share_is_half_or_more(demo: Workspace, run) -> None:
    """With or without the sign; anything else is refused and nothing written."""
    for share in ("49%", "half", "101", "-5", "٥٠"):
        assert run("seal", "--seed", "7", "--share", share)[0] in (1, 2)
    assert not demo.layers.exists()
    assert run("seal", "--seed", "7", "--share", "60%")[0] == 0
    assert json.loads(run("seal", "--json")[1])["share"] == 60


def test_verifying_the_draw(demo: Workspace, run) -> None:
    """Status 1 once a layer was changed by hand, with the group and what to do."""
    assert run("verify", "layers")[1] == "nothing is sealed: there is no draw yet\n"
    run("seal", "--seed", "7")
    status, out, _err = run("verify", "layers")
    assert (status, out) == (0, "draw 1, seed 7, 50 %: 25 groups come out the same\n")
    text = demo.layers.read_text(encoding="utf-8")
    demo.layers.write_text(text.replace('layer: "public"', 'layer: "sealed"', 1), encoding="utf-8")
    status, out, _err = run("verify", "layers")
    assert status == 1
    assert "1 groups come out otherwise: DEMO-T1-002; take bank/layers.yaml from git" in out
    assert not json.loads(run("verify", "layers", "--json")[1])["same"]


def test_everything_in_the_way_of_a_publication(demo: Workspace, run, tmp_path: Path) -> None:
    """Slots are laid; check and publication name the same faults, and nothing is written."""
    run("seal", "--seed", "7")
    status, out, _err = run("publish", "--slots")
    assert (status, out.count("fill it in")) == (0, 4)
    assert "already" in run("publish", "--slots")[1]
    status, out, told = run("publish", "--check")
    assert status == 1
    assert "digest of the public groups: " in out
    assert "nothing is frozen yet; make a freeze with `reviewkit freeze NAME`" in told
    assert told.count("still to be filled in: the day, as 2026-12-31; write it") == 4
    assert told.count(": still to be filled in: ") == 22
    folder = tmp_path / "out"
    status, _out, err = run("publish", str(folder))
    assert (status, err) == (1, told)
    assert not folder.exists()
    found = json.loads(run("publish", "--check", "--json")[1])
    assert not found["may_go"]
    assert len(found["problems"]) == 23
    assert run("publish")[0] == 2
