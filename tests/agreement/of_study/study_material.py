"""Material of a study made in memory: a form, cards, and what each pass said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reviewkit.agreement.of_study.material import Cards, Material, OnePass, OneRound
from reviewkit.decisions.records import FIRST, Record
from reviewkit.questions.codebooks import Codebook
from reviewkit.questions.coding import derive_values
from reviewkit.questions.forms import Checklist

Records = Mapping[str, Record]


def checklist(
    name: str, natures: Mapping[str, str], rejecting: Sequence[str] = (), version: str = "1"
) -> Checklist:
    """Return a form of these checks; those in ``rejecting`` reject, the others ask for a fix."""
    return Checklist.model_validate(
        {
            "form": name,
            "version": version,
            "kind": "checklist",
            "test_type": name.upper(),
            "title": {"en": name},
            "instruction": {"en": "Judge how the item is built."},
            "checks": [
                {
                    "id": check,
                    "text": {"en": f"{check}?"},
                    "explanation": {"en": "why"},
                    "failure_example": {"en": "such as this"},
                    "nature": nature,
                    "on_fail": "reject" if check in rejecting else "fix",
                }
                for check, nature in natures.items()
            ],
        }
    )


def decided(
    form: Checklist, card: str, failed: Iterable[str] = (), *, by: str = "amal", note: str = "",
    **changes: Any,
) -> Record:  # fmt: skip
    """Return a decision; checks that are not named as failed are answered yes."""
    noes = set(failed)
    asked = [check.id for check in form.checks]
    rejects = any(check.on_fail == "reject" for check in form.checks if check.id in noes)
    verdict = "rejected" if rejects else "needs_fix" if noes else "accepted"
    fields: dict[str, Any] = {
        "kind": "decision", "click_id": f"click-of-{card}"[:64], "study": "towns", "round": "1",
        "pass": "first", "rater": by, "origin": "cli", "card_id": card, "card_digest": "a" * 64,
        "form": form.form, "form_version": form.version, "form_digest": form.digest,
        "asked": asked, "answers": {name: "no" if name in noes else "yes" for name in asked},
        "note": note or ("seen" if noes else ""), "verdict": verdict, "rule_version": "1",
        "schema_version": 2, "seq": 1, "previous": FIRST, "time": "2026-01-01T00:00:00.000Z",
        "digest": "b" * 64,
    }  # fmt: skip
    return Record.model_validate({**fields, **changes})


def coded(codebook: Codebook, card: str, answers: Mapping[str, Any], **changes: Any) -> Record:
    """Return a coding, its derived values as the rule makes them."""
    fields: dict[str, Any] = {
        "kind": "decision", "click_id": f"click-of-{card}"[:64], "study": "towns", "round": "1",
        "pass": "first", "rater": "amal", "origin": "cli", "card_id": card,
        "card_digest": "a" * 64, "form": codebook.form, "form_kind": "codebook",
        "form_version": codebook.version, "form_digest": codebook.digest,
        "asked": [each.id for each in codebook.fields], "answers": dict(answers),
        "rule_version": "1", "schema_version": 2, "seq": 1, "previous": FIRST,
        "time": "2026-01-01T00:00:00.000Z", "digest": "b" * 64,
    }  # fmt: skip
    made = Record.model_validate({**fields, **changes})
    return made.model_copy(update={"derived": derive_values(codebook, made.answers)})


def skipped(card: str) -> Record:
    """Return a skip."""
    return Record.model_validate(
        {
            "kind": "skip", "click_id": f"click-of-{card}"[:64], "study": "towns", "round": "1",
            "pass": "first", "rater": "amal", "origin": "cli", "card_id": card,
            "schema_version": 2, "seq": 1, "previous": FIRST,
            "time": "2026-01-01T00:00:00.000Z", "digest": "b" * 64,
        }
    )  # fmt: skip


def one_round(
    passes: Mapping[str, Records], name: str = "1", *, codebook: Codebook | None = None,
    raters: Mapping[str, str] | None = None, held: Mapping[str, Iterable[str]] | None = None,
    unlocked: Sequence[str] = (), notices: Sequence[str] = (),
) -> OneRound:  # fmt: skip
    """Return a round; every pass was given every card that any pass has, unless told otherwise."""
    every = {card for records in passes.values() for card in records}
    return OneRound(
        name,
        tuple(
            OnePass(
                each, (raters or {}).get(each, f"rater of {each}"), records,
                frozenset((held or {}).get(each, every)), each not in unlocked,
            )
            for each, records in passes.items()
        ),
        codebook,
        tuple(notices),
    )  # fmt: skip


def material(
    round_: OneRound, forms: Sequence[Checklist] = (), *, others: Sequence[OneRound] = (),
    columns: Mapping[str, Mapping[str, str]] | None = None,
    groups: Mapping[str, str] | None = None, texts: Mapping[str, str] | None = None,
    closed: Sequence[str] = (), cards: Iterable[str] = (),
) -> Material:  # fmt: skip
    """Return what a report is made of."""
    ids = {card for each in round_.passes for card in (*each.cards, *each.records)}
    found = tuple(sorted({*ids, *cards}))
    return Material(
        study="towns",
        round=round_,
        cards=Cards(
            found, columns or {}, groups or {}, texts or {}, dict.fromkeys(found, "a" * 64)
        ),
        forms={form.digest: form for form in forms}.get,
        others=tuple(others),
        closed=tuple(closed),
    )
