"""``reviewkit agree FILE...``: from a label file to every form of the report, with no study."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewkit.cli.app import main

SHARED = Path(__file__).parents[3] / "shared" / "data" / "labels"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Return a function that runs ``reviewkit agree`` in a folder that is no project."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["reviewkit", "agree", *words])
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = int(ended.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return run


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Return a table of two raters on 40 cards: 36 agree, three labels, an odd name."""
    rows = [
        f"c{at},t{at // 4},{(label := ('fair', 'unfair', '<i>odd</i>')[at % 3])},"
        f"{'fair' if at % 10 == 7 else label}"
        for at in range(40)
    ]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["card,template,rater_ann,rater_bob", *rows]) + "\n")
    return path


def test_a_file_and_nothing_else_gives_the_report(agree: Run, labels: Path) -> None:
    """What was understood, then the sentence, then the tables; no project folder is needed."""
    status, out, err = agree("labels.csv")
    assert (status, err) == (0, "")
    understood = out.index("40 units, all have two ratings.")
    sentence = out.index("Two raters agreed on 37 of 40 units, 92.5 %, 95 % CI 80.1 to 97.4 %")
    assert understood < sentence < out.index("Gwet's AC1")
    assert "c7" in out


def test_json_carries_every_figure_with_what_it_rests_on(agree: Run, labels: Path) -> None:
    """A script gets values, n, raters, interval, method, seed and version."""
    status, out, _ = agree("labels.csv", "--json", "--cluster", "template", "--draws", "50")
    data = json.loads(out)
    assert status == 0
    [ac1] = [each for each in data["parts"][0]["estimates"] if each["name"] == "ac1"]
    assert (ac1["n"], ac1["raters"], ac1["q"]) == (40, 2, 3)
    assert ac1["intervals"][0]["seed"] == 1
    assert data["parts"][0]["clusters"] == ["template", 10]
    assert data["version"]


@pytest.mark.parametrize(
    ("option", "held"),
    [("--md", "| "), ("--html", "<html"), ("--latex", "\\end{"), ("--csv", "method")],
)
def test_every_form_on_the_screen_and_in_a_file(
    agree: Run, labels: Path, tmp_path: Path, option: str, held: str
) -> None:
    """Each form is printed, and written as it is printed; no label is taken for markup."""
    status, out, _ = agree("labels.csv", option)
    assert status == 0
    assert held in out
    if option == "--html":
        assert "<i>odd</i>" not in out
    status, said, _ = agree("labels.csv", option, "--out", "report.out", "--no-plots")
    assert (status, said) == (0, "wrote report.out\n")
    written = (tmp_path / "report.out").read_text(encoding="utf-8")
    # the screen translates the line ends of CSV
    assert written.split() == out.split()


def test_csv_has_a_row_a_figure(agree: Run, labels: Path) -> None:
    """The long table can be read again, and each row says its method and n."""
    _, out, _ = agree("labels.csv", "--csv")
    rows = list(csv.DictReader(out.splitlines()))
    assert len(rows) > 5
    assert {"n", "raters"} <= set(rows[0])


def test_collapse_scheme_and_split_in_one_command(agree: Run, labels: Path, tmp_path: Path) -> None:
    """The options of reading and measuring work together."""
    (tmp_path / "scheme.yaml").write_text(
        "categories: [fair, unfair, odd]\naliases: {<i>odd</i>: odd}\n"
    )
    status, out, err = agree(
        "labels.csv", "--scheme", "scheme.yaml", "--collapse", "fair=fair;not fair=unfair,odd",
        "--by", "template", "--json",
    )  # fmt: skip
    assert (status, err) == (0, "")
    parts = {each["id"]: each for each in json.loads(out)["parts"]}
    assert parts["whole"]["categories"] == ["fair", "unfair", "odd"]
    assert parts["collapse:fair or not fair"]["paired"] == 40
    assert parts["group:template:t3"]["paired"] == 4


def test_a_file_a_rater(agree: Run, tmp_path: Path) -> None:
    """Two files of unit and label are two raters, named for their files."""
    for name, last in (("ann", "no"), ("bob", "yes")):
        rows = [f"c{at},yes" for at in range(9)] + [f"c9,{last}"]
        (tmp_path / f"{name}.csv").write_text("\n".join(["card,label", *rows]) + "\n")
    status, out, _ = agree("ann.csv", "bob.csv", "--json")
    data = json.loads(out)
    assert status == 0
    assert data["raters"] == ["ann", "bob"]
    assert (data["parts"][0]["agree"], data["parts"][0]["paired"]) == (9, 10)


def test_the_difference_of_two_rounds(agree: Run, tmp_path: Path) -> None:
    """--compare file on the files of two rounds gives a paired difference with its interval."""
    for name, every in (("one", 3), ("two", 10)):
        rows = [f"c{at},yes,{'no' if at % every == 0 else 'yes'}" for at in range(40)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["card,ann,bob", *rows]) + "\n")
    status, out, _ = agree("one.csv", "two.csv", "--compare", "file", "--draws", "200", "--json")
    assert status == 0
    first = json.loads(out)["differences"][0]
    assert first["paired"]
    assert first["shared"] == 40
    assert first["value"] == pytest.approx(26 / 40 - 36 / 40)


def test_a_refusal_is_lines_and_status_one(agree: Run, tmp_path: Path) -> None:
    """Different labels of one rater on one unit stop, with file, line and what to do."""
    (tmp_path / "long.csv").write_text(
        "unit,rater,label\nu1,ann,yes\nu1,ann,no\nu1,bob,no\nu2,ann,no\nu2,bob,no\n"
    )
    status, out, err = agree("long.csv")
    assert (status, out) == (1, "")
    assert err.splitlines()[0].startswith("long.csv:2: 'ann' gave 'u1' 'yes' and 'no'")
    assert err.splitlines()[-1] == "1 problem"
    assert "Traceback" not in err
    assert agree("long.csv", "--repeats", "last")[0] == 0


def test_a_name_that_is_no_file_is_told(agree: Run) -> None:
    """A slip in the name of a file is a sentence."""
    status, _, err = agree("lables.csv")
    assert status == 1
    assert "lables.csv: does not exist" in err


def test_missing_codes_and_levels_from_the_command(agree: Run, tmp_path: Path) -> None:
    """--missing, --level and --categories reach the figures."""
    rows = ["u1,low,NA", "u2,mid,high", "u3,high,high", "u4,low,low"]
    (tmp_path / "x.csv").write_text("\n".join(["id,rater_1,rater_2", *rows]) + "\n")
    status, out, _ = agree(
        "x.csv", "--missing", "NA", "--level", "ordinal", "--categories", "low,mid,high", "--json"
    )
    assert status == 0
    whole = json.loads(out)["parts"][0]
    assert whole["paired"] == 3
    assert any(each["weights"] == "ordinal" for each in whole["estimates"])


def test_arabic_goes_out_and_comes_back_with_and_without_a_mark(agree: Run, tmp_path: Path) -> None:
    """Plain UTF-8 for programs, a byte order mark for Excel; the labels in both are the same."""
    rows = [f"م{at},مقبول,{'مرفوض' if at % 5 == 0 else 'مقبول'}" for at in range(30)]
    (tmp_path / "وسوم.csv").write_text(
        "\n".join(["المعرف,المقيم_ليلى,المقيم_سامر", *rows]) + "\n", encoding="utf-8"
    )
    for form in ("--csv", "--excel"):
        status, _, err = agree("وسوم.csv", form, "--out", f"report{form}.csv", "--draws", "0")
        assert (status, err) == (0, "")
    plain, marked = ((tmp_path / f"report{form}.csv").read_bytes() for form in ("--csv", "--excel"))
    assert marked.startswith(b"\xef\xbb\xbf")
    assert not plain.startswith(b"\xef\xbb\xbf")
    read = [list(csv.DictReader(data.decode("utf-8-sig").splitlines())) for data in (plain, marked)]
    assert read[0] == read[1]
    assert "مقبول" in plain.decode("utf-8")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not here")
def test_a_real_file_through_the_command(agree: Run) -> None:
    """Options of reading reach a file of other people, to the digits that are stated for it."""
    path = str(SHARED / "gwet_raw_5observers_NA.csv")
    status, out, err = agree(path, "--json", "--draws", "0", "--missing", "NA")
    assert (status, err) == (0, "")
    found: dict[str, Any] = {
        each["name"]: each["value"] for each in json.loads(out)["parts"][0]["estimates"]
    }
    assert (round(found["ac1"], 4), round(found["alpha"], 4)) == (0.4966, 0.4805)
