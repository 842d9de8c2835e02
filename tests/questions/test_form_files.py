"""Forms are read from a folder: what is refused, with which sentence, and what a good one gives."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reviewkit.problems import ProblemsFound
from reviewkit.questions import RESERVED_KEYS, UnknownForm, load_forms, say

BROKEN = Path(__file__).parent.parent / "broken" / "forms"

FORM = """\
form: tone
version: "1"
kind: checklist
test_type: T1
title: {en: Tone, ar: النبرة, ku: تۆن}
instruction: {en: Judge the item., ar: احكم على البند., ku: بڕیار بدە.}
checks:
  - id: even
    text: {en: Is it even?, ar: هل هي متوازنة؟, ku: یەکسانە؟}
    explanation: {en: Read it twice., ar: اقرأه مرّتين., ku: دووجار بیخوێنەوە.}
    failure_example: {en: One side is praised., ar: يُمدح طرف., ku: لایەک.}
    nature: judgement
    on_fail: fix
    applies_when: {domain: social-regional}
  - id: calm
    text: {en: Is it calm?, ar: هل هي هادئة؟}
    explanation: {en: Read it aloud., ar: اقرأه بصوت عالٍ.}
    failure_example: {en: It shouts., ar: فيه صراخ.}
    nature: structural
    on_fail: reject
    hotkey: q
"""


def put(folder: Path, **files: str) -> Path:
    """Write forms into a folder and return it."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def refusals(folder: Path) -> list[str]:
    """Return the sentences with which a folder is refused."""
    with pytest.raises(ProblemsFound) as refused:
        load_forms(folder)
    return [str(problem) for problem in refused.value.problems]


@pytest.mark.parametrize("broken", sorted(BROKEN.glob("*.yaml")), ids=lambda path: path.stem)
def test_broken_form_gets_its_sentences(broken: Path, tmp_path: Path) -> None:
    """Every broken form is refused with exactly the sentences beside it."""
    shutil.copy(broken, tmp_path)
    expected = broken.with_suffix(".expected.txt").read_text(encoding="utf-8").splitlines()
    assert refusals(tmp_path) == expected


def test_every_broken_form_has_its_sentences() -> None:
    """The folder holds pairs only, so no bad file goes untested."""
    names = {path.name for path in BROKEN.iterdir()}
    stems = {name.removesuffix(".yaml") for name in names if name.endswith(".yaml")}
    assert names == {f"{s}.yaml" for s in stems} | {f"{s}.expected.txt" for s in stems}


def test_problems_of_all_files_come_at_once(tmp_path: Path) -> None:
    """A syntax error, a bad value and a bad byte in three files are reported together."""
    folder = put(
        tmp_path,
        a=FORM.replace("judgement", "maybe"),
        b="form: [tone\n",
        c=FORM.replace("form: tone", "form: other"),
    )
    (folder / "d.yaml").write_bytes(b"form: \xe9\n")
    assert refusals(folder) == [
        "checklists/a.yaml:12 checks[0].nature: got 'maybe'; use structural or judgement",
        "checklists/b.yaml:1: a '[' or '{' without its end; close it or put the text in quotes",
        "checklists/d.yaml:1: is not UTF-8 (byte 0xe9); save the file as UTF-8",
    ]


def test_same_edition_in_two_files_is_refused(tmp_path: Path) -> None:
    """Two files cannot both be tone@1; the message names both places."""
    folder = put(tmp_path, a=FORM, b="# a copy\n" + FORM)
    assert refusals(folder) == [
        (
            "checklists/b.yaml:2 form: tone@1 stands in checklists/a.yaml:1 form too; "
            "give one a new version"
        )
    ]


def test_form_with_another_ending_is_not_passed_over(tmp_path: Path) -> None:
    """A .yml file would silently not be asked, so it is refused."""
    folder = put(tmp_path, a=FORM)
    (folder / "b.yml").write_text(FORM, encoding="utf-8")
    assert refusals(folder) == [
        "checklists/b.yml: is not read, because forms end in .yaml; rename it to b.yaml"
    ]


def test_folder_without_forms_is_refused(tmp_path: Path) -> None:
    """An empty or missing folder is said to be so."""
    assert refusals(tmp_path) == ["checklists: holds no form; put forms in it as .yaml files"]
    assert refusals(tmp_path / "no") == [
        "checklists: is not a folder; put forms in it as .yaml files"
    ]


def test_other_files_beside_forms_are_left_alone(tmp_path: Path) -> None:
    """Notes, hidden files and JupyterLab's checkpoints are no forms."""
    folder = put(tmp_path, a=FORM)
    (folder / "README.md").write_text("# Forms\n", encoding="utf-8")
    (folder / ".a.yaml").write_text("x", encoding="utf-8")
    put(folder / ".ipynb_checkpoints", a=FORM)
    assert [form.name for form in load_forms(folder).forms] == ["tone@1"]


def test_shelf_finds_forms_by_name_and_digest(tmp_path: Path) -> None:
    """A study names an edition; a record names a digest; both lead to the form."""
    shelf = load_forms(
        put(tmp_path, b=FORM, a=FORM.replace('"1"', "10"), c=FORM.replace('"1"', "2"))
    )
    assert [form.name for form in shelf.forms] == ["tone@1", "tone@2", "tone@10"]
    form = shelf.get("tone@2")
    assert shelf.by_digest(form.digest) is form
    assert shelf.by_digest("0" * 64) is None
    with pytest.raises(UnknownForm, match=r"'tone@3'.*; use one of tone@1, tone@2, tone@10$"):
        shelf.get("tone@3")


def test_same_bytes_give_the_same_digests(tmp_path: Path) -> None:
    """Digests come from the content alone, not from the folder or the moment of reading."""
    one = load_forms(put(tmp_path / "one", a=FORM)).get("tone@1")
    two = load_forms(put(tmp_path / "two", z=FORM)).get("tone@1")
    assert one.digest == two.digest
    assert [check.digest for check in one.checks] == [check.digest for check in two.checks]


def test_comment_and_layout_change_no_digest(tmp_path: Path) -> None:
    """Only what is read counts: a comment or another quoting style leaves the digest."""
    text = FORM.replace("form: tone", "# note\nform: 'tone'").replace('version: "1"', "version: 1")
    one = load_forms(put(tmp_path / "one", a=FORM)).get("tone@1")
    two = load_forms(put(tmp_path / "two", a=text)).get("tone@1")
    assert one.digest == two.digest


def test_hotkey_changes_no_check_digest(tmp_path: Path) -> None:
    """Moving a key re-opens no answered check; the form's own digest tells the editions apart."""
    one = load_forms(put(tmp_path / "one", a=FORM)).get("tone@1")
    two = load_forms(put(tmp_path / "two", a=FORM.replace("hotkey: q", "hotkey: u"))).get("tone@1")
    assert one.check("calm").digest == two.check("calm").digest
    assert one.digest != two.digest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Is it calm?", "Is it quiet?"),
        ("هل هي هادئة؟", "هل هي هادئة جدًّا؟"),
        ("Read it aloud.", "Read it."),
        ("It shouts.", "It cries."),
        ("nature: structural", "nature: judgement"),
        ("on_fail: reject", "on_fail: fix"),
        ("hotkey: q", "applies_when: {event: ['yes']}"),
    ],
)
def test_what_decides_an_answer_changes_the_check_digest(
    old: str, new: str, tmp_path: Path
) -> None:
    """Wording, nature, consequence and condition each re-open this check and no other."""
    one = load_forms(put(tmp_path / "one", a=FORM)).get("tone@1")
    two = load_forms(put(tmp_path / "two", a=FORM.replace(old, new))).get("tone@1")
    assert one.check("calm").digest != two.check("calm").digest
    assert one.check("even").digest == two.check("even").digest


def test_plain_scalar_is_a_list_of_one(tmp_path: Path) -> None:
    """A condition with one value needs no list."""
    form = load_forms(put(tmp_path, a=FORM)).get("tone@1")
    assert form.check("even").applies_when == {"domain": ("social-regional",)}


def test_yes_in_a_condition_stays_text(tmp_path: Path) -> None:
    """An unquoted yes is the word yes, not a boolean."""
    text = FORM.replace("{domain: social-regional}", "{dialect_twin: yes}")
    form = load_forms(put(tmp_path, a=text)).get("tone@1")
    assert form.check("even").applies_when == {"dialect_twin": ("yes",)}


def test_form_speaks_any_number_of_languages(tmp_path: Path) -> None:
    """A third language is read; one that is not in every wording falls back to English."""
    form = load_forms(put(tmp_path, a=FORM)).get("tone@1")
    assert form.languages == ("en", "ar")
    assert say(form.title, "ku") == "تۆن"
    assert say(form.check("calm").text, "ku") == "Is it calm?"
    assert say(form.title, "ar-IQ") == "النبرة"
    assert say({"fr": "Ton", "de": "Ton?"}, "ku") == "Ton"


def test_default_keys_are_numbers_up_to_nine(tmp_path: Path) -> None:
    """A check answers to its own key or its number; the tenth has none unless it names one."""
    entry = FORM[FORM.index("  - id: calm") :].replace("    hotkey: q\n", "")
    more = "".join(entry.replace("calm", f"calm_{n}") for n in range(3, 12))
    form = load_forms(put(tmp_path, a=FORM + more)).get("tone@1")
    assert form.keys == {"even": "1", "calm": "q"} | {f"calm_{n}": str(n) for n in range(3, 10)}


@pytest.mark.parametrize("hotkey", sorted(RESERVED_KEYS))
def test_no_check_takes_a_key_of_the_desk(hotkey: str, tmp_path: Path) -> None:
    """Every reserved key is refused at load, in either case."""
    folder = put(tmp_path, a=FORM.replace("hotkey: q", f"hotkey: '{hotkey}'"))
    wrong = f"the key {hotkey!r} belongs to the desk"
    assert refusals(folder) == [
        f"checklists/a.yaml:21 checks[1].hotkey: {wrong}; choose another key"
    ]
