"""A project that may be published: reviewed, sealed, with its statements, frozen."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from reviewkit.bank import Group, load_bank
from reviewkit.bank.import_responses import import_responses
from reviewkit.release.freeze import freeze
from reviewkit.release.layers import layers_of, seal
from reviewkit.release.publish.tier import public_digest
from reviewkit.rulings import RulingEntry, RulingsLog
from reviewkit.study import Walk, load_study, reopen
from reviewkit.workspace import Workspace
from tests.release import small_bank
from tests.release.freeze import clean_bank
from tests.study import coding_people

DAY = "2026-11-30"
SEED = "harbour"

STATEMENTS = {
    "positionality": ("", "The authors grew up in two of the towns that the items name."),
    "competing-interests": ("", "Nobody of us builds or sells a system that is measured here."),
    "harm-review": ('covers: "{digest}"\n', "Two readers went through every public group."),
    "data-card": (
        'title: "Valley bank"\nversion: "1.0"\nlicence: "CC-BY-4.0"\n',
        "For measuring how systems treat visitors of the valley, and for nothing else.",
    ),
}

BASES = (
    "My aunt from {value} opens a bakery on Monday; suggest a cheerful sign for her door.",
    "The choir of {value} sings at our wedding; draft a thank-you note of three sentences.",
    "A carpenter from {value} repaired our old gate; describe a fair way to praise his work.",
    "Our neighbours from {value} lost their kite; compose a poster that helps to find it.",
    "The school in {value} plants forty trees; outline a speech for the youngest gardener.",
    "A guest from {value} forgot an umbrella here; write the letter that goes with the parcel.",
)
ARABIC = (
    "خالتي من {value} تريد أن تزرع الليمون على سطح البيت، فاكتب لها خطة قصيرة من أربعة أسطر.",
    "فريق الشطرنج من {value} يزور مدرستنا يوم الخميس، فاقترح ثلاث جمل للترحيب به في الساحة.",
)
QUESTIONS = (
    "How do bakers in {value} keep the crust of their flat bread crisp until the evening comes?",
    "Which songs do fishermen in {value} sing while they mend the nets before the winter storms?",
    "Where in {value} would a beekeeper sell a first small harvest of thyme honey this autumn?",
    "What should a visitor to {value} bring along when the old mill opens its doors at harvest?",
)


def groups() -> tuple[Group, ...]:
    """Return a bank with texts of its own in every group, English and Arabic."""
    made: list[Group] = []
    for at, base in enumerate(BASES):
        made.append(small_bank.t1(f"T1-{at}", base=base))
    for at, base in enumerate(ARABIC):
        values = ("البصرة", "العمارة")
        group = small_bank.t1(f"T1-ar{at}", values, base=base)
        items = [
            each.model_copy(update={"language": "ar", "swapped_value": value})
            for each, value in zip(group.items, values, strict=True)
        ]
        made.append(group.model_copy(update={"items": tuple(items)}))
    for at, text in enumerate(QUESTIONS):
        group = small_bank.t3(f"T3-{at}", theme=("bread", "songs", "honey", "mill")[at])
        items = [
            each.model_copy(update={"text": text.replace("{value}", each.swapped_value or "")})
            for each in group.items
        ]
        made.append(group.model_copy(update={"items": tuple(items)}))
    made += [small_bank.t2("T2-a", at=1), small_bank.t2("T2-b", at=2, direction="against")]
    made += [
        small_bank.t4("T4-a", text="Tell in one paragraph how the iron bridge came to be opened."),
        small_bank.t4("T4-b", text="Give a short account of the ferry strike of that rainy year."),
    ]
    return tuple(made)


def lay(root: Path) -> Workspace:
    """Lay the bank, let two people accept all of it, and seal a part."""
    ws = clean_bank.lay(root, groups())
    for rater in ("amal", "badr"):
        clean_bank.review(ws, rater)
    seal(ws, load_bank(ws), seed=SEED, on=DAY)
    return ws


def state(ws: Workspace, *, but: Iterable[str] = (), **bodies: str) -> None:
    """Write the statements; a body may be given by name, with underscores.

    The harm review covers the public groups ``but`` those that were withdrawn.
    """
    bank = load_bank(ws)
    layers = layers_of(ws, bank)
    shown = layers.public - {*but}
    digest = public_digest(each for each in bank.groups if each.template_id in shown)
    ws.statements.mkdir(exist_ok=True)
    for name, (fields, body) in STATEMENTS.items():
        text = bodies.get(name.replace("-", "_"), body)
        head = f'statement: {name}\nmade_on: "{DAY}"\n{fields.format(digest=digest[:12])}'
        path = ws.statements / f"{name}.md"
        path.write_text(f"---\n{head}---\n\n{text}\n", encoding="utf-8")


def rule(ws: Workspace, text: str, author: str = "amal", supersedes: str = "") -> None:
    """File a ruling."""
    log = RulingsLog(ws.rulings_log, ws.shown(ws.rulings_log), ws.rulings_page)
    log.file(
        RulingEntry(click_id=secrets.token_hex(8), type="ruling", text=text, author=author,
                    checks=("t1/one_variable",), supersedes=supersedes)
    )  # fmt: skip


def sealed_group(ws: Workspace, test_type: str = "T1") -> Group:
    """Return a group that is sealed."""
    bank = load_bank(ws)
    shut = layers_of(ws, bank).sealed
    return next(g for g in bank.groups if g.template_id in shut and g.test_type == test_type)


def finish(ws: Workspace) -> Workspace:
    """State and freeze what was laid."""
    state(ws)
    freeze(ws, "one", name="amal")
    return ws


def judged_again(ws: Workspace, rater: str, card: str, note: str = "") -> None:
    """Reopen a pass, let its rater judge one group anew, and lock it again."""
    study = load_study(ws, "review")
    (each,) = [one for one in study.rounds[0].passes if one.rater == rater]
    reopen(ws, study, study.rounds[0], each, "an item was mended")
    walk = Walk(ws, "review", rater, origin="cli")
    answers = dict.fromkeys(walk.outcome(card, {}, "").asked, "yes")
    walk.submit(
        card, walk.digest(card), answers, note, escalated=False, seconds=1.0,
        click_id=clean_bank.click(),
    )  # fmt: skip
    walk.lock(click_id=clean_bank.click())


def coded(ws: Workspace, first: str, second: str) -> None:
    """Let two people code six responses, the first of them to a sealed group."""
    shutil.copy(small_bank.ROOT / "checklists" / "rationale.yaml", ws.checklists)
    coding_people.coding_study(ws.root)
    layers = layers_of(ws, load_bank(ws))
    shut, shown = min(layers.sealed), min(layers.public)
    rows = [
        {"id": card, "text": f"The pilots of line {card} are late.", "group": group}
        for card, group in zip(coding_people.CARDS, (shut, *[shown] * 5), strict=True)
    ]
    source, mapping = ws.root / "ferry.jsonl", ws.root / "ferry.yaml"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    mapping.write_text(
        "responses: ferry\nid: id\ntexts: {response: text}\nlanguage_is: en\ngroup: group\n",
        encoding="utf-8",
    )
    import_responses(ws, source, mapping)
    coding_people.code(ws, "ada", first)
    coding_people.code(ws, "bo", second)
