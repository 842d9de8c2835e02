"""Commands of a coding study, from a table of responses to labels and figures."""

from __future__ import annotations

import csv
import io
import json
import re
import socket
from collections.abc import Callable
from typing import Any

import openpyxl
import pyarrow.parquet
import pytest

from reviewkit.study import Hearing, Walk
from reviewkit.workspace import Workspace
from tests.study.coding_people import click
from tests.study.lamp_study import (
    LAMPS,
    PRACTICE,
    STUDY_FILE,
    WATCHLIST,
    code_all,
    code_card,
    lay_lamps,
    walk_of,
)

Run = Callable[..., tuple[int, str, str]]
MAPPING = """\
responses: tales
id: id
texts: {response: text}
group: item
language_is: en
facts: {topic: topic}
hidden: {model: model, judge: judge, other_judge: other_judge}
"""
HEAD = "id,text,item,topic,model,judge,other_judge\n"
ROWS = [
    ("t1", "All of them are late.", "i1", "pier", "m1", "E", "E"),
    ("t2", "Most of them are late.", "i1", "pier", "m1", "QE", "N"),
    ("t3", "It is told of them.", "i2", "deck", "m2", "N", "N"),
    ("t4", "It is not so.", "i2", "deck", "m2", "D", "D"),
    ("t5", "I will not say.", "i3", "pier", "m1", "E", "R"),
    ("t6", "Late, the", "i3", "deck", "m2", "N", "N"),
]
CODES = {
    "ada": ("E", "QE", "N", "D", "R", "N"),
    "bo": ("E", "E", "N", "D", "R", "R"),
}


@pytest.fixture
def ws(demo: Workspace) -> Workspace:
    """Return the demo folder with a table of six responses beside it."""
    text = HEAD + "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in ROWS)
    (demo.root / "tales.csv").write_text(text, encoding="utf-8")
    (demo.root / "tales.yaml").write_text(MAPPING, encoding="utf-8")
    return demo


@pytest.fixture
def study(ws: Workspace, run: Run) -> Workspace:
    """Return the folder with the table imported and a study of it, its cards given out."""
    assert run("import", "responses", "tales.csv", "tales.yaml")[0] == 0
    made = ("study", "tales", "--codebook", "rationale@1", "--responses", "tales", "--rater", "ada",
            "--rater", "bo", "--adjudicator", "cleo")  # fmt: skip
    assert run(*made)[0] == 0
    path = ws.study_file("tales")
    text = path.read_text(encoding="utf-8")
    automatic = "automatic: {rationale: judge}\nrounds:"
    path.write_text(text.replace("rounds:", automatic), encoding="utf-8")
    assert run("sample", "tales")[0] == 0
    return ws


def code(ws: Workspace, rater: str, study_name: str = "tales") -> None:
    """Let a rater code the table."""
    walk = Walk(ws, study_name, rater, origin="cli")
    walk.start(0)
    for card in walk.card_ids:
        given = CODES[rater][int(card[1:]) - 1]
        walk.submit(
            card, walk.digest(card), {"rationale": given}, "", escalated=False, seconds=2.0,
            click_id=click(),
        )  # fmt: skip


@pytest.fixture
def coded(study: Workspace, run: Run) -> Workspace:
    """Return the study, coded by two and locked."""
    for rater in CODES:
        code(study, rater)
        assert run("lock", rater, "--study", "tales")[0] == 0
    return study


# import


def test_a_table_is_imported_and_told(ws: Workspace, run: Run) -> None:
    """The command says what it understood and where the responses are."""
    status, out, _err = run("import", "responses", "tales.csv", "tales.yaml")
    assert status == 0
    assert "read 6 responses into bank/responses/tales.jsonl" in out
    assert "m1" not in (ws.bank / "responses" / "tales.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("table", "mapping", "said"),
    [
        (HEAD.replace("id,", "key,", 1) + "t1,a,i,p,m,E,E\n", MAPPING, "'id'"),
        (HEAD + "t1,a,i,p,m,E,E\nt1,b,i,p,m,E,E\n", MAPPING, "t1"),
        (HEAD + ",a,i,p,m,E,E\n", MAPPING, "id"),
        (HEAD + "t1,a,i,p,m,E,E\n", MAPPING.replace("{topic: topic}", "{topic: model}"), "model"),
        (
            HEAD + "t1,a,i,p,m,E,E\n",
            MAPPING.replace("{response: text}", "{response: text, shown: judge}"),
            "judge",
        ),
        (HEAD + "t1,a,i,p,m,E,E\n", MAPPING.replace("texts:", "text:"), "texts"),
        (HEAD + "t1,a,i,p,m,E,E\n", MAPPING.replace("text}", "txt}"), "txt"),
    ],
    ids=["no id column", "doubled id", "empty id", "hidden fact", "hidden text", "slip", "column"],
)
def test_a_bad_table_is_refused_and_nothing_written(
    ws: Workspace, run: Run, table: str, mapping: str, said: str
) -> None:
    """Each fault is one line with file and place, and no table of that name exists after it."""
    (ws.root / "bad.csv").write_text(table, encoding="utf-8")
    (ws.root / "bad.yaml").write_text(mapping, encoding="utf-8")
    status, out, err = run("import", "responses", "bad.csv", "bad.yaml")
    assert (status, out) == (1, "")
    assert "bad." in err
    assert said in err
    assert "Traceback" not in err
    assert not (ws.bank / "responses" / "tales.jsonl").exists()


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16-le", "utf-16-be"])
def test_a_table_of_another_encoding_is_named_and_read(
    ws: Workspace, run: Run, encoding: str
) -> None:
    """It is not guessed and not read as something else: the sentence says what to write."""
    text = HEAD + "t1,他们总是迟到。江湖传闻也是如此。,i,p,m,E,E\n"
    (ws.root / "other.csv").write_bytes(text.encode(encoding))
    (ws.root / "other.yaml").write_text(MAPPING, encoding="utf-8")
    status, _out, err = run("import", "responses", "other.csv", "other.yaml")
    assert status == 1
    assert "encoding" in err
    assert not (ws.bank / "responses" / "tales.jsonl").exists()
    (ws.root / "other.yaml").write_text(f"{MAPPING}encoding: {encoding}\n", encoding="utf-8")
    assert run("import", "responses", "other.csv", "other.yaml")[0] == 0
    kept = (ws.bank / "responses" / "tales.jsonl").read_text(encoding="utf-8")
    assert "他们总是迟到。江湖传闻也是如此。" in kept


def test_a_table_that_names_its_encoding_itself_is_read(ws: Workspace, run: Run) -> None:
    """UTF-16 with its mark at the beginning is told and read, whatever wrote it."""
    text = HEAD + "t1,江湖传闻。,i,p,m,E,E\n"
    (ws.root / "other.csv").write_bytes(text.encode("utf-16"))
    status, out, _err = run("import", "responses", "other.csv", "tales.yaml")
    assert (status, "UTF-16" in out) == (0, True)
    assert "江湖传闻" in (ws.bank / "responses" / "tales.jsonl").read_text(encoding="utf-8")


def test_a_term_in_two_classes_is_told_by_check(ws: Workspace, run: Run) -> None:
    """Both lines of the list are named."""
    path = ws.bank / "watchlists" / "lamps.yaml"
    path.write_text(WATCHLIST + "  - {term: removal, term_class: loaded_b}\n", encoding="utf-8")
    status, _out, err = run("check")
    assert status == 1
    assert "bank/watchlists/lamps.yaml:8" in err
    assert "removal" in err


# a study


def test_a_study_is_written_that_check_accepts(ws: Workspace, run: Run) -> None:
    """The file can be read and changed by a person; it is never overwritten."""
    run("import", "responses", "tales.csv", "tales.yaml")
    made = ("study", "tales", "--codebook", "rationale@1", "--responses", "tales",
            "--rater", "ada", "--rater", "bo", "--rater", "dee", "--adjudicator", "cleo",
            "--size", "4", "--raters-per-card", "2", "--seed", "9")  # fmt: skip
    status, out, _err = run(*made)
    assert (status, "reviewkit sample tales" in out) == (0, True)
    assert run("check")[0] == 0
    before = ws.study_file("tales").read_bytes()
    assert run(*made)[0] == 1
    assert ws.study_file("tales").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "over", "said"),
    [
        ("../tales", (), "no name of a study"),
        ("two words", (), "no name of a study"),
        ("x", ("--codebook", "rationale@7"), "rationale@7"),
        ("x", ("--codebook", "t1@1"), "is a checklist"),
        ("x", ("--codebook", "framing@1"), "watchlist"),
        ("x", ("--responses", "tails"), "tails"),
        ("x", ("--rater", "Ada"), "one name"),
        ("x", ("--rater", "a b"), "rater"),
        ("x", ("--adjudicator", "c, queue: none"), "queue"),
    ],
)
def test_a_study_that_cannot_be_run_is_not_written(
    ws: Workspace, run: Run, name: str, over: tuple[str, ...], said: str
) -> None:
    """What is wrong is told and no folder stays."""
    run("import", "responses", "tales.csv", "tales.yaml")
    before = sorted(ws.root.rglob("*"))
    status, _out, err = run(
        "study", name, "--codebook", "rationale@1", "--responses", "tales", "--rater", "ada", *over
    )
    assert status == 1
    assert said in err
    assert sorted(ws.root.rglob("*")) == before


def test_a_sample_is_tried_before_it_is_drawn(ws: Workspace, run: Run) -> None:
    """A dry run records nothing; the draw gives the same, and again nothing new."""
    run("import", "responses", "tales.csv", "tales.yaml")
    run("study", "tales", "--codebook", "rationale@1", "--responses", "tales", "--rater", "ada",
        "--rater", "bo", "--size", "4", "--raters-per-card", "1")  # fmt: skip
    assert run("status", "tales")[0] == 1
    status, out, _err = run("sample", "tales", "--dry-run")
    assert (status, "nothing was recorded" in out) == (0, True)
    assert not ws.card_book("tales").exists()
    tried = json.loads(run("sample", "tales", "--dry-run", "--json")[1])
    drawn = json.loads(run("sample", "tales", "--json")[1])
    assert (tried["recorded"], drawn["recorded"]) == (False, True)
    assert tried["passes"] == drawn["passes"] == {"first": 2, "second": 2}
    assert sum(each["drawn"] for each in drawn["strata"]) == 4
    before = ws.card_book("tales").read_bytes()
    assert run("sample", "tales")[0] == 0
    assert ws.card_book("tales").read_bytes() == before


def test_a_sample_is_drawn_anew_and_compared(ws: Workspace, run: Run) -> None:
    """The record is what study file and table give; another seed is told and exits with 1."""
    run("import", "responses", "tales.csv", "tales.yaml")
    assert run("verify", "sample")[1] == "no study has a sample\n"
    run("study", "tales", "--codebook", "rationale@1", "--responses", "tales", "--rater", "ada",
        "--rater", "bo", "--size", "4")  # fmt: skip
    run("sample", "tales")
    assert run("verify", "sample")[:2] == (
        0, "tales: drawn anew, the sample is the one on record: 4 cards\n"
    )  # fmt: skip
    path = ws.study_file("tales")
    path.write_text(path.read_text("utf-8").replace("  seed: 1\n", "  seed: 2\n"), "utf-8")
    status, out, _err = run("verify", "sample", "--json")
    assert (status, json.loads(out)[0]["same"]) == (1, False)


def test_without_a_sample_the_cards_are_given_out_and_no_draw_is_told(
    ws: Workspace, run: Run
) -> None:
    """``sample`` prints no empty table; ``serve`` says how many cards each pass got."""
    run("import", "responses", "tales.csv", "tales.yaml")
    run("study", "tales", "--codebook", "rationale@1", "--responses", "tales", "--rater", "ada",
        "--rater", "bo")  # fmt: skip
    _status, out, _err = run("sample", "tales", "--dry-run")
    assert out.splitlines()[:2] == [
        "study.yaml draws no sample: every card is in the study", "pass    cards",
    ]  # fmt: skip
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        _status, out, _err = run("serve", "tales", "--port", str(taken.getsockname()[1]))
    assert "gave out cards as study.yaml says: first 6, second 6" in out


def test_without_a_sample_there_is_nothing_to_draw(run: Run) -> None:
    """The sentence says what to add."""
    status, _out, err = run("sample", "demo")
    assert status == 1
    assert "add `sample:` or `assignment:`" in err.replace("\n", " ")


def test_cards_are_added_and_reassigned(ws: Workspace, run: Run) -> None:
    """Counts are told; a slip in an id or a pass is refused."""
    lay_lamps(ws.root, STUDY_FILE.replace(
        "assignment:", "sample: {seed: 3, draws: [{name: main, size: 4}]}\nassignment:"
    ))  # fmt: skip
    held = {rater: walk_of(ws, rater).card_ids for rater in ("ada", "bo", "dee")}
    new = sorted({f"c{n}" for n in range(1, 10)} - {c for cards in held.values() for c in cards})
    status, out, _err = run("add", *new[:2], held["ada"][0], "--study", LAMPS, "--reason", "more")
    assert (status, "added 2 of 3" in out) == (0, True)
    assert run("add", "c99", "--study", LAMPS, "--reason", "more")[0] == 1
    assert run("add", new[2], "--study", LAMPS, "--reason", " ")[0] == 1
    ada, before = walk_of(ws, "ada"), walk_of(ws, "dee").card_ids
    code_card(ada, ada.card_ids[0])
    status, out, _err = run("reassign", "first", "third", "--study", LAMPS, "--reason", "left")
    assert (status, "open cards from first to third" in out) == (0, True)
    third = walk_of(ws, "dee").card_ids
    left = [card for card in ada.card_ids[1:] if card in before]
    assert walk_of(ws, "ada").card_ids == (ada.card_ids[0], *left)
    assert set(ada.card_ids[1:]) <= set(third)
    assert ("open cards stay with first" in out) == bool(left)
    if left:
        again = ("reassign", "first", "second", "--study", LAMPS, "--reason", "left")
        assert run(*again)[0] == 0
    assert walk_of(ws, "ada").card_ids == ada.card_ids[:1]
    assert run("reassign", "first", "ninth", "--study", LAMPS, "--reason", "left")[0] == 1
    assert run("reassign", "first", "first", "--study", LAMPS, "--reason", "left")[0] == 1
    status, out, _err = run("verify")
    assert status == 0
    assert "rulings/lamps/cards.jsonl" in out


def test_an_edited_card_book_is_found(study: Workspace, run: Run) -> None:
    """A card that somebody gave to another by hand is told with its line."""
    path = study.card_book("tales")
    path.write_text(path.read_text("utf-8").replace('"t1"', '"t9"', 1), encoding="utf-8")
    status, _out, err = run("verify", "ledger")
    assert status == 1
    assert "rulings/tales/cards.jsonl:1" in err


# passes


def test_the_lead_locks_for_a_rater_and_for_no_stranger(study: Workspace, run: Run) -> None:
    """An open pass is refused with its open cards, a stranger with the names of the study."""
    for stranger in ("mallory", "cleo", "lead"):
        status, _out, err = run("lock", stranger, "--study", "tales")
        assert status == 1
        assert "its raters are ada, bo" in err
    status, _out, err = run("lock", "ada", "--study", "tales")
    assert status == 1
    assert "6 of 6 cards are neither decided nor skipped" in err
    code(study, "ada")
    walk = Walk(study, "tales", "ada", origin="cli")
    walk.skip(walk.card_ids[0], click_id=click())
    status, out, _err = run("lock", "ada", "--study", "tales")
    assert status == 0
    assert "pass first of ada: 5 decided, 1 skipped, 0 open" in out
    assert run("lock", "ada", "--study", "tales")[0] == 1
    assert not (study.study_folder("tales") / "mallory").exists()


def test_questions_are_listed_and_answered(study: Workspace, run: Run) -> None:
    """The id that is shown is the one that answers; an unknown one is refused."""
    assert "nobody has asked" in run("questions", "tales")[1]
    walk = Walk(study, "tales", "ada", origin="cli")
    walk.ask_lead(walk.card_ids[0], "Is irony an endorsement?", click_id=click())
    (asked,) = json.loads(run("questions", "tales", "--json")[1])
    assert "(none yet" in run("questions", "tales")[1]
    status, out, _err = run("answer", asked["id"], "No.", "--study", "tales")
    assert (status, out.strip()) == (0, f"answered first on {walk.card_ids[0]}")
    assert "answer: No." in run("questions", "tales")[1]
    assert run("answer", "zzzz", "No.", "--study", "tales")[0] == 1
    assert run("answer", asked["id"], "  ", "--study", "tales")[0] == 1


def test_a_withdrawn_rater_leaves_every_table(coded: Workspace, run: Run) -> None:
    """Labels and figures are of the others; the files stay and are sound."""
    ledger = coded.ledger("tales", "second", "bo")
    before = ledger.read_bytes()
    status, out, _err = run("withdraw", "bo", "--study", "tales")
    assert (status, "in no table" in out) == (0, True)
    assert ledger.read_bytes().startswith(before)
    assert "withdrawn" in run("status", "tales")[1]
    status, out, _err = run("labels", "tales", "--out", "out")
    assert (status, "consent was withdrawn" in out) == (0, True)
    rows = list(csv.DictReader(io.StringIO((coded.root / "out" / "long.csv").read_text("utf-8"))))
    assert rows
    assert "second" not in {row.get("pass") for row in rows}
    assert run("withdraw", "mallory", "--study", "tales")[0] == 1
    assert run("verify")[0] == 0


def test_figures_come_with_the_notices_of_the_round(coded: Workspace, run: Run) -> None:
    """What was reopened or withdrawn stands above automatic and adapter figures; agree says why."""
    reason = "the guide was mended"
    assert run("reopen", "bo", "--study", "tales", "--reason", reason)[0] == 0
    assert run("lock", "bo", "--study", "tales")[0] == 0
    for command in (("automatic", "tales"), ("adapters", "tales", "--flag", "evidence")):
        assert f": {reason}" in run(*command)[1].splitlines()[0]
        assert run(*command, "--md")[1].startswith("- Notice: Pass second was reopened")
        assert reason in json.loads(run(*command, "--json")[1])["notices"][0]
    assert run("withdraw", "bo", "--study", "tales")[0] == 0
    status, out, err = run("agree", "tales")
    assert (status, out) == (1, "")
    assert "fewer than two passes" in err
    assert "Pass second is left out: consent was withdrawn" in err


def test_consent_is_withdrawn_for_every_pass(coded: Workspace, run: Run) -> None:
    """A rater of two rounds leaves both, unless one pass is named."""
    path = coded.study_file("tales")
    more = '  - round: "2"\n    passes:\n      - {pass: third, rater: bo}\n'
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    assert run("sample", "tales")[0] == 0
    status, out, _err = run("withdraw", "bo", "--study", "tales", "--pass", "third")
    assert (status, out.count("withdrawn:")) == (0, 1)
    assert run("labels", "tales", "--round", "1", "--out", "one")[0] == 0
    assert run("withdraw", "bo", "--study", "tales")[1].count("withdrawn:") == 2
    out = run("labels", "tales", "--round", "1", "--out", "two")[1]
    assert "Pass second is left out" in out


# figures and tables


def test_labels_stay_closed_until_the_locks(study: Workspace, run: Run) -> None:
    """Neither agreement nor labels nor automatic figures come out, only counts."""
    code(study, "ada")
    for command in (("agree", "tales"), ("labels", "tales", "--out", "o"), ("automatic", "tales")):
        status, out, err = run(*command)
        assert status == 1
        assert "stay closed" in err
        assert "QE" not in out
    assert not (study.root / "o").exists()


def test_agreement_is_printed(coded: Workspace, run: Run) -> None:
    """The figures of the field and of its collapse, as text, Markdown and JSON."""
    status, out, _err = run("agree", "tales")
    assert status == 0
    assert out.startswith("Study tales, round 1")
    data = json.loads(run("agree", "tales", "--json", "--draws", "0")[1])
    assert data["facts"]["study"] == "tales"
    assert [each["id"] for each in data["parts"]] == ["field:rationale", "collapse:evidence"]
    # items of one source are a cluster
    assert data["parts"][0]["clusters"] == ["group", 3]
    assert "|" in run("agree", "tales", "--md")[1]
    split = json.loads(run("agree", "tales", "--json", "--draws", "0", "--by", "topic")[1])
    assert {each["id"] for each in split["parts"]} >= {
        "group:topic:pier/collapse:evidence", "group:topic:deck/collapse:evidence",
    }  # fmt: skip


def test_agreement_and_labels_count_the_same_after_a_new_import(coded: Workspace, run: Run) -> None:
    """A card whose text changed is in neither, and both say so in the same words."""
    words = ("agree", "tales", "--json", "--draws", "0")
    before = json.loads(run(*words)[1])["parts"][0]["paired"]
    table = coded.root / "tales.csv"
    lines = table.read_text("utf-8").splitlines()
    lines[1] = lines[1].replace(",", ",Anew: ", 1)
    table.write_text("\n".join(lines) + "\n", "utf-8")
    assert run("import", "responses", "tales.csv", "tales.yaml")[0] == 0
    told = "1 card was changed after the coding"
    agreed = json.loads(run(*words)[1])
    assert told in " ".join(agreed["notices"])
    assert agreed["parts"][0]["paired"] < before
    assert told in run("labels", "tales", "--out", "out")[1]


@pytest.mark.parametrize("folder", ["bank/responses", "rulings/tales", "checklists"])
def test_tables_are_not_written_among_the_projects_own_files(
    coded: Workspace, run: Run, folder: str
) -> None:
    """A table named final or long would otherwise take the place of one of them."""
    status, _out, err = run("labels", "tales", "--out", folder)
    assert status == 1
    assert "name a folder of its own" in err


def test_locked_passes_take_no_cards(coded: Workspace, run: Run) -> None:
    """Drawing again after the locks says so; and one record is not called records."""
    status, out, _err = run("sample", "tales")
    assert (status, "no pass takes cards any more" in out) == (0, True)
    assert "cards.jsonl: 1 record sound" in run("verify")[1]


@pytest.mark.parametrize("name", ["csv", "csv-excel", "jsonl", "xlsx", "parquet"])
def test_labels_are_written_in_every_format(coded: Workspace, run: Run, name: str) -> None:
    """Each format holds the same rows, with a data dictionary and no rater's name."""
    status, out, _err = run("labels", "tales", "--out", "out", "--format", name)
    assert status == 0
    folder = coded.root / "out"
    assert out.count("wrote") == len(list(folder.iterdir()))
    for path in folder.iterdir():
        assert name in ("xlsx", "parquet") or not re.search(rb"\bada\b", path.read_bytes())
    rows: list[Any] = []
    if name == "csv":
        rows = list(csv.DictReader(io.StringIO((folder / "wide.csv").read_text("utf-8"))))
    elif name == "csv-excel":
        rows = (folder / "wide.excel.csv").read_text("utf-8-sig").splitlines()[1:]
    elif name == "jsonl":
        rows = (folder / "wide.jsonl").read_text("utf-8").splitlines()
    elif name == "parquet":
        rows = pyarrow.parquet.read_table(folder / "wide.parquet").to_pylist()
    else:
        book = openpyxl.load_workbook(folder / "wide.xlsx")
        assert "dictionary" in book.sheetnames
        rows = list(book["wide"].iter_rows(min_row=2))
    assert len(rows) == 6
    assert name == "xlsx" or any("dictionary" in path.name for path in folder.iterdir())


def test_blind_labels_hold_no_hidden_column(coded: Workspace, run: Run) -> None:
    """Model and automatic labels are in the wide table, or nowhere with ``--blind``."""
    run("labels", "tales", "--out", "all")
    run("labels", "tales", "--out", "blind", "--blind")
    assert "m1" in (coded.root / "all" / "wide.csv").read_text(encoding="utf-8")
    for path in (coded.root / "blind").iterdir():
        text = path.read_text(encoding="utf-8")
        assert "m1" not in text
        assert "response.judge" not in text


def test_automatic_labels_are_compared_with_the_final_ones(coded: Workspace, run: Run) -> None:
    """In all, where judges agree, and by a column; an unknown column is refused."""
    status, out, _err = run("automatic", "tales", "--by", "model", "--unanimous",
                            "judge,other_judge")  # fmt: skip
    assert status == 0
    assert "m1" in out
    assert out.splitlines()[4].split()[:2] == ["rationale", "all"]
    data = json.loads(run("automatic", "tales", "--json")[1])
    assert json.dumps(data)
    status, _out, err = run("automatic", "tales", "--by", "mood")
    assert (status, "no column 'mood'" in err) == (1, True)
    status, _out, err = run("automatic", "tales", "--unanimous", "judge,moood")
    assert (status, "--unanimous: the table has no column 'moood'" in err) == (1, True)
    status, _out, err = run("automatic", "demo")
    assert status == 1


def test_an_automatic_label_outside_the_codebook_is_named(study: Workspace, run: Run) -> None:
    """It counts as no agreement and is told, never taken for a code of the book."""
    text = (study.root / "tales.csv").read_text(encoding="utf-8").replace('"D","D"', '"DENIES","D"')
    (study.root / "tales.csv").write_text(text, encoding="utf-8")
    assert run("import", "responses", "tales.csv", "tales.yaml")[0] == 0
    for rater in CODES:
        code(study, rater)
        assert run("lock", rater, "--study", "tales")[0] == 0
    status, out, _err = run("automatic", "tales")
    assert status == 0
    assert "DENIES" in out


def test_the_adapter_report_names_its_flag(coded: Workspace, run: Run) -> None:
    """A codebook without that field is told which ones it has."""
    status, _out, err = run("adapters", "tales")
    assert status == 1
    assert "rationale@1 has no 'critical'" in err
    status, _out, _err = run("adapters", "tales", "--flag", "evidence", "--out", "lists")
    assert status == 0
    assert len(list((coded.root / "lists").iterdir())) >= 2


def test_second_readings_by_command(coded: Workspace, run: Run) -> None:
    """Agree, object, import and list; the labels stay as they were."""
    run("labels", "tales", "--out", "before")
    assert run("second", "agree", "t1", "--as", "nour", "--study", "tales")[0] == 0
    assert run("second", "object", "t2", "--reason", "A reserve.", "--as", "nour", "--study",
               "tales")[0] == 0  # fmt: skip
    file = coded.root / "readings.jsonl"
    file.write_text('{"card_id": "t3", "opinion": "object", "reason": "No source."}\n', "utf-8")
    assert run("second", "import", "readings.jsonl", "--as", "helper", "--study", "tales")[0] == 0
    listed = json.loads(run("second", "list", "tales", "--json")[1])
    assert [(e["card"], e["reader"], e["by"]) for e in listed] == [
        ("t2", "nour", "person"), ("t3", "helper", "assistant"),
    ]  # fmt: skip
    assert "A reserve." in run("second", "list", "tales")[1]
    run("labels", "tales", "--out", "after")
    for name in ("final.csv", "long.csv", "wide.csv"):
        one, two = ((coded.root / f / name).read_bytes() for f in ("before", "after"))
        assert one == two
    assert run("verify")[0] == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"card_id": "t3", "opinion": "endorse"}', "use agree or object"),
        ('{"card_id": "t3", "opinion": "object", "reason": "x", "label": "QX"}', "label"),
        ('{"card_id": "t99", "opinion": "agree"}', "no card 't99'"),
        ("nonsense", "JSON"),
    ],
)
def test_a_bad_file_of_second_readings_is_refused(
    coded: Workspace, run: Run, line: str, said: str
) -> None:
    """A label outside what a reading may say, an unknown card, no JSON: nothing is recorded."""
    file = coded.root / "readings.jsonl"
    file.write_text('{"card_id": "t1", "opinion": "agree"}\n' + line + "\n", encoding="utf-8")
    status, _out, err = run("second", "import", "readings.jsonl", "--as", "helper", "--study",
                            "tales")  # fmt: skip
    assert status == 1
    assert "readings.jsonl:2" in err
    assert said in err
    assert not (coded.study_folder("tales") / "second-reading").exists()


# adjudication, reviewing, practice


def test_an_adjudication_waits_for_every_lock(study: Workspace, run: Run) -> None:
    """Opened by command it names the passes that are unlocked; the status says so, too."""
    code(study, "ada")
    assert run("lock", "ada", "--study", "tales")[0] == 0
    status, _out, err = run("review", "tales", "--as", "cleo", "--no-browser")
    assert status == 1
    assert "second (bo)" in err or "second" in err
    assert "opens when second" in run("status", "tales")[1]


def test_a_forged_adjudication_of_an_unlocked_pass_is_in_no_table(
    coded: Workspace, run: Run
) -> None:
    """A file that adjudicates while a pass is open again is sound and labels nothing."""
    hearing = Hearing(coded, "tales", "cleo", origin="cli")
    hearing.start(0)
    for card in hearing.card_ids:
        for _ in range(2):
            hearing.submit(
                card, hearing.digest(card), {"rationale": "N"}, "", escalated=False, seconds=1.0,
                click_id=click(),
            )  # fmt: skip
    assert run("reopen", "bo", "--reason", "a slip", "--study", "tales")[0] == 0
    status, _out, err = run("labels", "tales", "--out", "o")
    assert (status, "stay closed" in err) == (1, True)
    status, _out, err = run("review", "tales", "--as", "cleo", "--no-browser")
    assert (status, "second" in err) == (1, True)
    assert run("verify")[0] == 0
    path = coded.ledger("tales", "adjudication", "cleo")
    (coded.study_folder("tales") / "adjudication" / "mallory.jsonl").write_bytes(path.read_bytes())
    status, _out, err = run("verify")
    assert status == 1
    assert "mallory.jsonl:1" in err


def test_a_practice_fault_is_told_by_check(ws: Workspace, run: Run) -> None:
    """With the line of the right answer that is none."""
    lay_lamps(ws.root, practice=PRACTICE.replace("code: loaded_a", "code: loaded"))
    status, _out, err = run("check")
    assert status == 1
    assert "rulings/lamps/practice.yaml:5 cards[0].answers" in err


def test_an_edited_watchlist_is_refused_by_every_command(ws: Workspace, run: Run) -> None:
    """Once coding began, neither a lock nor a served page goes on with another list."""
    lay_lamps(ws.root)
    code_all(walk_of(ws, "ada"), lock=False)
    path = ws.bank / "watchlists" / "lamps.yaml"
    path.write_text(WATCHLIST.replace("loaded_a", "loaded_b"), encoding="utf-8")
    for command in (("lock", "ada", "--study", LAMPS), ("serve", LAMPS, "--port", "9"),
                    ("review", LAMPS, "--as", "bo", "--no-browser")):  # fmt: skip
        status, _out, err = run(*command)
        assert status == 1
        assert "was edited after round 1 of study lamps began" in err


def test_everybody_of_a_study_gets_a_link(study: Workspace, run: Run) -> None:
    """Raters, adjudicator and lead; nobody else."""
    for name, pass_name in (("ada", "first"), ("cleo", "adjudication"), ("lead", "lead")):
        made = json.loads(run("link", "new", name, "--study", "tales", "--json")[1])
        assert made["pass"] == pass_name
    status, _out, err = run("link", "new", "mallory", "--study", "tales")
    assert status == 1
    assert "its people are ada, bo, cleo, lead" in err
