"""What a script reads of the worklist, the guide and the second review is written down."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from reviewkit.authoring import retire
from reviewkit.workspace import Workspace
from tests.authoring.one_reviewer import alone, edit, judge, sit
from tests.authoring.second_reviews import judge_open

Run = Callable[..., tuple[int, str, str]]
DOCS = Path(__file__).parents[2] / "docs"
RETURNED = "DEMO-T1-003"
NAMED_BY_DATA = {"outcomes", "title", "failing", "forms", "files", "fixes", "progress", "content"}
"""Values whose keys are ids, languages, or written down elsewhere."""
CHAIN = {"schema_version", "seq", "previous", "time", "click_id", "digest"}


def keys(value: Any) -> Iterator[str]:
    """Yield every key of an output."""
    if isinstance(value, list):
        for each in value:
            yield from keys(each)
    elif isinstance(value, dict):
        for name, inside in value.items():
            yield name
            if name not in NAMED_BY_DATA:
                yield from keys(inside)
            elif name in ("failing", "fixes"):
                for each in inside.values():
                    yield from keys(each)


def undocumented(out: str, *pages: str, but: Collection[str] = ()) -> set[str]:
    """Return the keys of an output that none of these pages names."""
    text = "".join((DOCS / page).read_text(encoding="utf-8") for page in pages)
    return set(keys(json.loads(out))) - set(re.findall(r"`(\w+)`", text)) - {*but}


def test_every_key_of_the_worklist_is_on_its_page(demo: Workspace, run: Run) -> None:
    """Of the list and of one group: returned and edited, and gone."""
    alone(demo)
    judge(sit(demo), RETURNED, "natural", note="seen")
    edit(demo, RETURNED, "الحي الهادئة التي يسكنها", "الحي الهادئ الذي يسكنه")
    retire(demo, "DEMO-T1-013", reason="one side is hardly known", name="amal")
    record = {"item_ids", "group_digest", "kept_in", "reason", "name", "on", "template_id"}
    for words, but in (((), record), ((RETURNED,), ()), (("DEMO-T1-013",), record)):
        status, out, _ = run("worklist", *words, "--json")
        assert status == 0
        assert undocumented(out, "worklist.md", but=but) == set(), words
    told = json.loads(run("worklist", "DEMO-T1-013", "--json")[1])
    assert told["retirement"]["reason"] == "one side is hardly known"
    assert set(told["retirement"]) <= record | {"test_type", "domain", "merged_into"} | CHAIN
    assert json.loads(run("worklist", RETURNED, "--json")[1])["retirement"] is None


def test_every_key_of_the_guide_is_on_its_page(demo: Workspace, run: Run) -> None:
    """Of the draft, of the editions and of the rulings."""
    run("ruling", "Places are named as in speech.", "--check", "t1/natural")
    run("guide", "--publish", "--name", "lead")
    for words in (("guide",), ("guide", "--list"), ("ruling",)):
        status, out, _ = run(*words, "--json")
        assert status == 0
        assert undocumented(out, "guides.md", "formats.md") == set(), words


def test_every_key_of_a_second_review_is_on_its_page(demo: Workspace, run: Run) -> None:
    """Before the lock and after it, widened and closed."""
    alone(demo)
    judge_open(demo, "demo", "first-reviewer")
    outs = [run("second-review", "start", "again", "--rater", "basim", "--seed", "7", "--json")]
    outs.append(run("second-review", "status", "--json"))
    judge_open(demo, "again", "basim", ["DEMO-T1-004", *json.loads(outs[0][1])["sampled"][:3]])
    outs += [run("second-review", each, "--json") for each in ("status", "widen")]
    judge_open(demo, "again", "basim")
    outs.append(run("second-review", "close", "--json"))
    for status, out, err in outs:
        assert status == 0, err
        assert undocumented(out, "second-review.md") == set()
