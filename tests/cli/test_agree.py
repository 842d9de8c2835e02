"""``reviewkit agree``: which of a study and a file is meant, and every form the report comes in."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewkit.agreement.of_study.report import study_report
from reviewkit.questions import Checklist
from reviewkit.questions.verdict import applies
from reviewkit.study import LabelsClosed, Walk, load_study
from reviewkit.workspace import Workspace
from tests.study.coding_people import click

Run = Callable[..., tuple[int, str, str]]
FIRST, SECOND = "first-reviewer", "second-reviewer"
LABELS = "id,ann,bob\n" + "".join(f"u{at:02},{'yes' if at % 3 else 'no'},yes\n" for at in range(30))


def asked_on(walk: Walk, card: str) -> list[str]:
    """Return the checks that apply to a card."""
    facts, form = walk.deck.card(card).facts, walk.deck.form(card)
    assert isinstance(form, Checklist)
    return [check.id for check in form.checks if applies(check.applies_when, facts)]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a demo folder whose two reviewers have judged and locked; it is copied, never used."""
    root = tmp_path_factory.mktemp("judged") / "project"
    repository = Path(__file__).parents[2]
    for name in ("bank", "checklists"):
        shutil.copytree(repository / name, root / name)
    (root / "rulings" / "demo").mkdir(parents=True)
    shutil.copy(repository / "rulings" / "demo" / "study.yaml", root / "rulings" / "demo")
    ws = Workspace(root)
    for rater in (FIRST, SECOND):
        walk = Walk(ws, "demo", rater, origin="cli")
        walk.start(0)
        for at, card in enumerate(walk.card_ids):
            asked = asked_on(walk, card)
            failing = asked[-1] if rater == SECOND and at % 4 == 0 else ""
            answers = {name: "no" if name == failing else "yes" for name in asked}
            note = f"{rater} on {card}" if failing else ""
            walk.submit(
                card, walk.digest(card), answers, note, escalated=False, seconds=2.0,
                click_id=click(),
            )  # fmt: skip
        walk.lock(click_id=click())
    return root


@pytest.fixture
def ready(judged: Path, demo: Workspace) -> Workspace:
    """Return the demo folder with both passes locked."""
    shutil.copytree(judged / "rulings", demo.rulings, dirs_exist_ok=True)
    return demo


@pytest.mark.parametrize(
    ("words", "beginning"),
    [
        (("--md",), "# Study demo, round 1"),
        (("--html",), "<!"),
        (("--latex",), "%"),
        (("--csv",), "report,"),
        (("--excel",), "\ufeff"),
        (("--json",), "{"),
        ((), "Study demo, round 1\n==="),
    ],
)
def test_every_form_is_printed(ready: Workspace, run: Run, words: tuple, beginning: str) -> None:
    """One option a form; without any it is text for the terminal."""
    status, out, err = run("agree", "--draws", "0", *words)
    assert (status, err) == (0, "")
    assert out.lower().startswith(beginning.lower())


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("report.html", b"<html"),
        ("report.tex", b"\\section"),
        ("report.csv", b"ac1"),
        ("report.json", b'"parts"'),
        ("report.txt", b"==="),
    ],
)
def test_the_ending_of_the_file_says_the_form(
    ready: Workspace, run: Run, name: str, holds: bytes
) -> None:
    """``--out report.html`` needs no second option."""
    status, out, _err = run("agree", "--draws", "0", "--no-plots", "--out", name)
    assert (status, out) == (0, f"wrote {name}\n")
    assert holds in (ready.root / name).read_bytes()


def test_markdown_shows_its_plots(ready: Workspace, run: Run) -> None:
    """Plots lie in a folder beside the file, and each that is named is there."""
    assert run("agree", "--draws", "0", "--out", "report.md")[0] == 0
    text = (ready.root / "report.md").read_text(encoding="utf-8")
    drawn = sorted(path.name for path in (ready.root / "report-plots").iterdir())
    assert "checks-all.svg" in drawn
    assert all(f"](report-plots/{name})" in text for name in drawn)


def test_two_forms_at_once_are_wrong_usage(ready: Workspace, run: Run) -> None:
    """Which of the two would win is nothing to guess."""
    status, _out, err = run("agree", "--md", "--csv")
    assert status == 2
    assert "two forms" in err


@pytest.mark.parametrize("name", ["report.xlsx", "report.pdf", "report.docx"])
def test_an_ending_of_no_form_is_wrong_usage(ready: Workspace, run: Run, name: str) -> None:
    """Text in a file that calls itself a workbook would open nowhere; a named form is taken."""
    status, _out, err = run("agree", "--draws", "0", "--out", name)
    assert status == 2
    assert ".csv" in err
    assert not (ready.root / name).exists()
    assert run("agree", "--draws", "0", "--html", "--out", name)[0] == 0


def test_what_a_study_report_holds(ready: Workspace, run: Run) -> None:
    """Verdicts, checks by nature and type, domain and register, disagreements with notes."""
    data = json.loads(run("agree", "demo", "--json", "--draws", "100")[1])
    ids = [each["id"] for each in data["parts"]]
    assert ids[:3] == ["whole", "collapse:accepted", "pooled"]
    kinds = {each["kind"] for each in data["parts"]}
    assert kinds >= {"nature", "test_type", "check", "domain", "register"}
    assert data["facts"] == {
        "kind": "agreement of passes", "study": "demo", "round": "1",
        "passes": ["first", "second"], "judged_with": ["t1@1", "t2@1", "t3@2", "t4@1"],
        "cards": 25,
    }  # fmt: skip
    assert len(data["disagreements"]) == 7
    assert data["disagreements"][0]["notes"][1].startswith(SECOND)
    assert data["over_time"]
    assert data["parts"][2]["clusters"] == ["card", 25]


def test_a_file_needs_no_study(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside any project folder a file of labels is read and reported."""
    monkeypatch.chdir(tmp_path)
    Path("labels.csv").write_text(LABELS, encoding="utf-8")
    status, out, err = run("agree", "labels.csv", "--draws", "0")
    assert (status, err) == (0, "")
    assert "20 of 30" in out


def test_the_report_never_takes_the_place_of_the_labels(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--out with the name of the file that is read, or of a link to it, is refused."""
    monkeypatch.chdir(tmp_path)
    Path("labels.csv").write_text(LABELS, encoding="utf-8")
    Path("link.csv").symlink_to("labels.csv")
    for out in ("labels.csv", "./labels.csv", "link.csv"):
        status, _out, err = run("agree", "labels.csv", "--draws", "0", "--out", out)
        assert status == 1
        assert "the report would take their place; name another file" in err
    Path("parts").mkdir()
    Path("parts/ann.jsonl").write_text('{"id": 1, "text": "a", "label": ["x"]}', encoding="utf-8")
    status, _out, err = run("agree", "parts", "--json", "--out", "parts/ann.jsonl")
    assert status == 1
    assert "lies in parts" in err
    assert Path("labels.csv").read_text(encoding="utf-8") == LABELS
    assert run("agree", "labels.csv", "--draws", "0", "--out", "report.csv")[0] == 0
    assert run("agree", "labels.csv", "--draws", "0", "--out", "report.csv")[0] == 0


def test_the_name_of_a_study_goes_before_that_of_a_folder(ready: Workspace, run: Run) -> None:
    """A folder called like the study does not hide it, and what lies in it is read by its path."""
    Path("demo").mkdir()
    Path("demo/labels.csv").write_text(LABELS, encoding="utf-8")
    assert run("agree", "demo", "--draws", "0")[1].startswith("Study demo")
    assert "20 of 30" in run("agree", "demo/labels.csv", "--draws", "0")[1]
    status, _out, err = run("agree", "./demo", "--draws", "0")
    assert status == 1
    assert "folder" in err


def test_a_file_that_is_not_there_is_no_study(run: Run) -> None:
    """The ending of a name says that a file was meant."""
    status, _out, err = run("agree", "labels.csv")
    assert status == 1
    assert "labels.csv" in err
    assert "no study" not in err
    status, _out, err = run("agree", "nowhere")
    assert status == 1
    assert "no study 'nowhere'" in err


def test_a_slip_in_a_name_outside_a_project_is_called_one(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lead with a label file and no project is not told to make one."""
    monkeypatch.chdir(tmp_path)
    status, _out, err = run("agree", "lables")
    assert status == 1
    assert "lables: is no file or folder here" in err


def test_names_with_commas_stand_in_quotes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raters and labels with commas can be named, and a refusal says how."""
    monkeypatch.chdir(tmp_path)
    rows = ['c1,"yes, sure",no', 'c2,no,"yes, sure"', "c3,no,no"]
    Path("labels.csv").write_text("\n".join(['id,"Lee, Ann","Roe, Bo"', *rows]), encoding="utf-8")
    status, out, _err = run(
        "agree", "labels.csv", "--json", "--draws", "0", "--raters", '"Lee, Ann","Roe, Bo"',
        "--categories", '"yes, sure",no',
    )  # fmt: skip
    assert status == 0
    whole = json.loads(out)["parts"][0]
    assert (whole["raters"], whole["categories"]) == (["Lee, Ann", "Roe, Bo"], ["yes, sure", "no"])
    status, _out, err = run("agree", "labels.csv", "--raters", "Lee, Ann,Roe, Bo")
    assert status == 1
    assert "none is called 'Lee', 'Ann', 'Roe', 'Bo' (--raters)" in err
    assert "(a name with a comma in double quotes)" in err
    assert "--missing '\"yes, sure\"'" in run("agree", "labels.csv", "--categories", "no")[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("demo", "--unit", "id", "--fold"), "--unit, --fold: for files"),
        (("labels.csv", "--round", "1"), "--round is of a study"),
        (("demo", "other"), "two studies"),
        (("demo", "--confidence", "2"), "confidence"),
    ],
)
def test_an_option_of_the_other_kind_is_wrong_usage(
    run: Run, words: tuple[str, ...], said: str
) -> None:
    """Nothing that was asked for is silently passed over."""
    status, _out, err = run("agree", *words)
    assert status == 2
    assert said in " ".join(err.replace("│", " ").split())


def test_an_unknown_column_or_round_is_named_with_those_there_are(
    ready: Workspace, run: Run
) -> None:
    """--by and --compare say what they could have been."""
    status, _out, err = run("agree", "--by", "town")
    assert status == 1
    assert "no column 'town'; use one of domain" in err
    status, _out, err = run("agree", "--compare", "7")
    assert status == 1
    assert "no other round '7'" in err


def test_two_rounds_by_command(ready: Workspace, run: Run) -> None:
    """A second round is compared with the first over the same cards, once both are locked."""
    path = ready.study_file("demo")
    more = '  - round: "2"\n    passes:\n      - {pass: third, rater: first-reviewer}\n'
    more += "      - {pass: fourth, rater: second-reviewer}\n"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    for rater, name in ((FIRST, "third"), (SECOND, "fourth")):
        walk = Walk(ready, "demo", rater, pass_name=name, origin="cli")
        walk.start(0)
        for card in walk.card_ids:
            asked = asked_on(walk, card)
            walk.submit(
                card, walk.digest(card), dict.fromkeys(asked, "yes"), "", escalated=False,
                seconds=2.0, click_id=click(),
            )  # fmt: skip
        walk.lock(click_id=click())
    data = json.loads(run("agree", "--json", "--draws", "200")[1])
    assert data["facts"]["round"] == "2"
    observed = next(
        each for each in data["differences"]
        if each["other"] == "round:1/whole" and each["one_estimate"]["name"] == "observed"
    )  # fmt: skip
    assert observed["shared"] == 25
    assert observed["value"] == pytest.approx(7 / 25)
    mine = next(each for each in data["consistency"] if each["rater"] == "fourth")
    assert (mine["what"], mine["agree"], mine["n"]) == ("verdict, repeated cards", 18, 25)
    first = json.loads(run("agree", "--round", "1", "--json", "--draws", "0")[1])
    assert first["facts"]["round"] == "1"


def test_before_the_lock_only_counts_are_shown(run: Run) -> None:
    """No label and no consistency: the counts of ``status``, as text or JSON."""
    status, out, err = run("agree", "--json")
    assert status == 1
    assert json.loads(out)["passes"][0]["decided"] == 0
    assert "stay closed" in err


@pytest.mark.parametrize(
    "words",
    [
        (), ("--json",), ("--html",), ("--md",), ("--latex",), ("--csv",), ("--excel",),
        ("--out", "early.html"), ("--out", "early.md"), ("--by", "domain"), ("--compare", "1"),
        ("--round", "1", "--draws", "0"),
    ],
)  # fmt: skip
def test_one_open_pass_keeps_every_form_closed(
    ready: Workspace, run: Run, words: tuple[str, ...]
) -> None:
    """With a pass locked and the other reopened no label, note or figure comes out, in no form."""
    assert run("reopen", SECOND, "--reason", "one more look", "--study", "demo")[0] == 0
    before = sorted(ready.root.iterdir())
    status, out, err = run("agree", "demo", *words)
    assert status == 1
    assert "stay closed" in err
    for said in ("needs_fix", "kappa", "agreed", f"{SECOND} on", "%"):
        assert said not in out + err
    assert sorted(ready.root.iterdir()) == before
    with pytest.raises(LabelsClosed):
        study_report(ready, load_study(ready, "demo"))


def test_a_ledger_is_no_file_of_labels(ready: Workspace, run: Run) -> None:
    """Read as a table it would give out labels before the locks, and who the raters are."""
    ledgers = [str(ready.ledger("demo", name, rater).relative_to(ready.root))
               for name, rater in (("first", FIRST), ("second", SECOND))]  # fmt: skip
    copied = ready.root / "copied.txt"
    shutil.copy(ledgers[0], copied)
    draft = ready.ledger("demo", "first", FIRST).with_suffix(".draft.json")
    draft.write_text('{"cards": {}}', encoding="utf-8")
    as_table = ("--shape", "long", "--unit", "card_id", "--label", "verdict")
    for words in (
        (*ledgers, *as_table), (str(copied), *as_table), ("rulings/demo",), ("rulings",),
        ("rulings/demo/first", "--unit", "card_id"), (str(draft),),
    ):  # fmt: skip
        status, out, err = run("agree", *words)
        assert (status, out) == (1, "")
        assert "labels open with the locks: run `reviewkit agree STUDY`" in err
        assert "needs_fix" not in err
    assert err.count("\n") == 2
