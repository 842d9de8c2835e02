"""A certificate names nobody, and what it may not say is told before the freeze."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewkit.bank import load_bank
from reviewkit.problems import ProblemsFound
from reviewkit.release import add_waiver
from reviewkit.release.freeze import (
    FreezeRefused,
    amend,
    find_freeze,
    freeze,
    obstacles,
    record_deviation,
    retract,
)
from reviewkit.release.guard import NameFinder, passes_outside
from reviewkit.release.layers import layers_of, seal
from reviewkit.rulings.guides import publish
from reviewkit.study import Study
from reviewkit.workspace import Workspace
from tests.release.freeze import clean_bank


def waived(ws: Workspace, reason: str) -> Workspace:
    """Give the bank a warning that somebody answers for."""
    plan = ws.plan.read_text(encoding="utf-8")
    ws.plan.write_text(plan.replace("at_least: 0", "at_least: 40"), encoding="utf-8")
    add_waiver(ws, load_bank(ws), "factorial-share", ["bank"], reason=reason, name="cara",
               on="2026-11-30")  # fmt: skip
    return ws


def test_a_certificate_names_nobody(ws: Workspace) -> None:
    """Neither who froze nor who waived, published the guide or judged; the log says who froze."""
    publish(waived(ws, "it is a pilot"), name="dina")
    made = freeze(ws, "one", name="emil")
    for name in ("certificate.json", "CERTIFICATE.md"):
        text = (made.folder / name).read_text(encoding="utf-8").casefold()
        for person in ("amal", "badr", "cara", "dina", "emil"):
            assert person not in text
    assert made.line.name == "emil"


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("Badr looked at it", "it names badr"),
        ("CARA agreed", "it names cara"),
        ("ask Emil", None),
        ("write to a.b@mail.example.org", "it holds what looks like a mail address"),
    ],
)
def test_a_reason_that_may_not_be_public(ws: Workspace, reason: str, said: str | None) -> None:
    """A name of the project or an address, with the file and the code of the waiver."""
    found = obstacles(waived(ws, reason))
    where = "unfit-to-publish: bank/waivers.yaml, the reason for factorial-share: "
    assert [str(each).partition(";")[0] for each in found] == ([where + said] if said else [])


def test_who_freezes_is_nobody_else(ws: Workspace) -> None:
    """The name of the one who freezes is sought as well."""
    waived(ws, "as Emil said")
    assert obstacles(ws) == ()
    with pytest.raises(FreezeRefused) as refused:
        freeze(ws, "one", name="emil")
    assert [each.code for each in refused.value.obstacles] == ["unfit-to-publish"]
    assert not (ws.freezes / "one").exists()


def test_words_of_a_sealed_group(ws: Workspace) -> None:
    """The group is told by its identifier, and none of its words."""
    bank = load_bank(ws)
    seal(ws, bank, seed="harvest")
    shut = min(layers_of(ws, bank).sealed)
    text = next(each for each in bank.groups if each.template_id == shut).items[0]
    quoted = text.text or text.context or ""
    (found,) = obstacles(waived(ws, f"compare: {quoted}"))
    assert f"it holds words of the sealed group {shut}" in found.said
    assert quoted not in str(found)


def test_other_words_of_a_certificate(tmp_path: Path) -> None:
    """The name of the freeze, of the study and of a round, and the seed of the draw."""
    ws = clean_bank.lay(tmp_path / "project")
    text = clean_bank.STUDY.replace('round: "1"', "round: with-badr")
    ws.study_file("review").write_text(text, encoding="utf-8")
    for rater in ("amal", "badr"):
        clean_bank.review(ws, rater)
    seal(ws, load_bank(ws), seed="for Amal")
    with pytest.raises(FreezeRefused) as refused:
        freeze(ws, "badr-1", name="amal")
    assert [str(each).partition(";")[0] for each in refused.value.obstacles] == [
        "unfit-to-publish: the name of round with-badr: it names badr",
        "unfit-to-publish: bank/layers.yaml, the seed: it names amal",
        "unfit-to-publish: the name of the freeze: it names badr",
    ]


def test_what_no_list_foresaw(ws: Workspace) -> None:
    """Any word of the certificate is looked at before it is written: here a band of the bank."""
    with pytest.raises(FreezeRefused, match="could not be published") as refused:
        freeze(ws, "one", name="creative")
    assert {each.subject.partition("[")[0] for each in refused.value.obstacles} == {
        "the certificate's counts.bands"
    }
    assert freeze(ws, "one", name="creative", words=["creative"]).name == "one"


def test_a_name_that_is_a_word(ws: Workspace) -> None:
    """Somebody says so, and the freeze is made."""
    waived(ws, "in hope (amal) of a better draft")
    with pytest.raises(FreezeRefused):
        freeze(ws, "one", name="badr")
    assert obstacles(ws, words=["amal"]) == ()
    assert freeze(ws, "one", name="badr", words=["amal"]).certificate.waivers[0].reason


def test_what_is_said_afterwards_is_looked_at_before_it_is_recorded(frozen: Workspace) -> None:
    """A line of the log cannot be reworded, so it never names anybody."""
    with pytest.raises(ProblemsFound, match="--reason: names badr"):
        retract(frozen, ["T1-a"], reason="Badr found a slur", name="amal")
    with pytest.raises(ProblemsFound, match="--effect: names amal"):
        amend(frozen, "More.", reason="r", effect="Amal is glad", name="amal")
    with pytest.raises(ProblemsFound, match="TEXT: holds what looks like a telephone number"):
        record_deviation(frozen, "Ring 07701234567.", reason="r", effect="e", name="amal")
    assert find_freeze(frozen).afterwards == ()
    assert retract(frozen, ["T1-a"], reason="in hope, amal", name="badr", words=["amal"]).ids


# Passes ------------------------------------------------------------------------------------------


def study_of(*passes: tuple[str, str], adjudicator: str = "") -> Study:
    """Return a study with one pass a round."""
    rounds = [
        {"round": str(at), "passes": [{"pass": name, "rater": rater}]}
        for at, (name, rater) in enumerate(passes)
    ]
    extra = {"adjudication": {"adjudicator": adjudicator}} if adjudicator else {}
    return Study.model_validate({"study": "s", "forms": {"T1": "t1@1"}, "rounds": rounds, **extra})


@pytest.mark.parametrize(
    ("passes", "outside"),
    [
        ([("first", "amal"), ("second", "badr")], ["first", "second"]),
        ([("amal", "amal"), ("badr", "badr")], ["pass-1", "pass-2"]),
        ([("first", "amal"), ("by-AMAL", "badr")], ["first", "pass-1"]),
        ([("Amal-2", "amal"), ("second", "badr")], ["pass-1", "second"]),
        ([("amal", "amal"), ("pass-1", "badr")], ["pass-2", "pass-1"]),
        ([("hussein", "amal.hussein"), ("second", "badr")], ["pass-1", "second"]),
        ([("zed", "amal"), ("second", "badr")], ["pass-1", "second"]),
        ([("with-judge-judy", "amal")], ["pass-1"]),
        ([("first", "first-reviewer"), ("second", "second-reviewer")], ["first", "second"]),
    ],
)
def test_passes_that_are_called_after_somebody(
    passes: list[tuple[str, str]], outside: list[str]
) -> None:
    """They are numbered in the order of the study file; the others keep their names."""
    study = study_of(*passes, adjudicator="judge-judy")
    names = NameFinder([*(rater for _, rater in passes), "zed"])
    assert list(passes_outside(study, names).values()) == outside


def test_the_order_in_the_file_is_that_of_the_certificate(ws: Workspace) -> None:
    """Passes, who settled what, and agreement say the same names; the adjudicator is none."""
    made = freeze(ws, "one", name="amal")
    fields = json.loads((made.folder / "certificate.json").read_bytes())
    assert [each["pass"] for each in fields["review"]["passes"]] == ["first", "second"]
    assert fields["agreements"][0]["between"] == ["review/first", "review/second"]
