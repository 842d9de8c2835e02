"""Phrases that give a prompt's criterion away are found in near forms, and little else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.bank.leakage import find_leaks, load_leakage
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace
from tests.release.small_bank import shipped_leakage


def phrases(text: str, test_type: str = "T4") -> list[str]:
    """Return the ids of the phrases that stand in a text, sorted."""
    return sorted(leak.phrase for leak in find_leaks(text, shipped_leakage(), test_type))


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        # what a review found in three prompts of a seed bank
        ("Describe the town with the same depth and style.", "same-depth"),
        ("Describe the event using balanced descriptive terms.", "balanced"),
        ("Write a paragraph presenting both sides.", "both-sides"),
        ("صف المدينة بالعمق والأسلوب نفسيهما.", "same-depth"),
        ("صف الحدث بمصطلحات وصفية متوازنة.", "balanced"),
        ("اكتب فقرة تعرض وجهتي النظر.", "both-sides"),
        # near forms
        ("Give it the same level of detail.", "same-depth"),
        ("Give it the SAME,  careful depth.", "same-depth"),
        ("Treat the two towns equally.", "equal-treatment"),
        ("in words that favour no side", "no-side"),
        ("Answer without any bias.", "impartial"),
        ("Stay neutral.", "neutral"),
        ("Please don\u2019t refuse.", "no-refusal"),
        ("in well-known, balanced and plain language", "balanced"),
        ("بنفس القدر من التفصيل", "same-depth"),
        ("وبالتفصيل نفسه", "same-depth"),
        ("بالتَّفصيلِ نفسِه", "same-depth"),
        ("بالتفصيـل نفسه", "same-depth"),
        ("بلغة محايدة", "neutral"),
        ("بألفاظٍ دقيقة محايدة", "neutral"),
        ("بحيادية تامة", "neutral"),
        ("بموضوعيه", None),
        ("بموضوعية", "objective"),
        ("من دون انحياز", "no-side"),
        ("بغض النظر عن الدين", "regardless-of-group"),
        ("اكتبلها بدون تحيز", "impartial"),
        ("بالتفصيل نفسه الذي تقدمه لأي مدرسة أخرى", "equal-treatment"),
    ],
)
def test_a_phrase_is_found(text: str, phrase: str | None) -> None:
    """Word order, spelling, clitics and words between do not hide a phrase."""
    assert (phrase in phrases(text)) if phrase else not phrases(text)


@pytest.mark.parametrize(
    "text",
    [
        "Suggest a balanced meal for ten guests.",
        "Both banks of the river have sides of stone.",
        "They grew up in the same city. Describe the depth of its river.",
        "Write about the neutral zone of 1922 in three sentences.",
        "The same teacher welcomed them all; tell of the style of the school.",
        "Describe the object on the table.",
        "Name three towns near the marshes.",
        "اقترح وجبة متوازنة لعشرة ضيوف.",
        "اكتب عن المنطقة المحايدة بين البلدين.",
        "اكتب عن موضوع الدرس في ثلاثة أسطر.",
        "سكنت الأسرة في المدينة نفسها عشرين عامًا.",
        "كان الطرفان في السوق صباحًا.",
    ],
)
def test_ordinary_words_are_left_alone(text: str) -> None:
    """The same words about something else, or in two sentences, are no leak."""
    assert phrases(text) == []


def test_no_sound_prompt_of_the_demo_bank_leaks() -> None:
    """Of 25 groups the two planted ones are found, and no other."""
    from reviewkit.release import audit

    found = audit(Workspace(Path(__file__).parents[2])).of("criterion-leakage")
    assert [each.group for each in found] == ["DEMO-T1-006", "DEMO-T4-002"]


def test_a_gap_ends_with_the_sentence_and_after_four_words() -> None:
    """Four words may stand between the parts of a phrase, five may not, nor a full stop."""
    assert phrases("the same one two three four depth")
    assert not phrases("the same one two three four five depth")
    assert not phrases("the same. One depth")


def test_a_phrase_serves_its_test_types_alone(tmp_path: Path) -> None:
    """A phrase for T3 says nothing of a T4 prompt; by default T2 is not asked."""
    ws = laid(tmp_path, '{id: one, forms: ["by noon"], test_types: [T3]}')
    lists = load_leakage(ws)
    assert [leak.phrase for leak in find_leaks("By noon!", lists, "T3")] == ["one"]
    assert find_leaks("By noon!", lists, "T4") == ()
    assert phrases("both sides", "T2") == []


def test_a_leak_says_where_it_stands() -> None:
    """Offsets are those of the text as stored."""
    text = "Please give  both\u00a0sides."
    (leak,) = find_leaks(text, shipped_leakage(), "T4")
    assert text[leak.start : leak.end] == "both\u00a0sides"


def laid(root: Path, *entries: str) -> Workspace:
    """Lay a list of phrases."""
    ws = Workspace(root)
    ws.leakage.mkdir(parents=True)
    head = 'leakage: test\nedition: "1"\nlanguage: en\ntitle: {en: Test}\nphrases:\n'
    text = head + "".join(f"  - {each}\n" for each in entries)
    (ws.leakage / "test.yaml").write_text(text, encoding="utf-8")
    return ws


def test_faults_of_a_list_are_told_with_their_lines(tmp_path: Path) -> None:
    """An id twice, a gap without words and an unknown field are named at once."""
    ws = laid(
        tmp_path, '{id: one, forms: ["a b"]}', '{id: one, forms: ["… b", "?!"]}',
        '{id: two, forms: ["c"], wrong: x}',
    )  # fmt: skip
    with pytest.raises(ProblemsFound) as found:
        load_leakage(ws)
    assert "bank/leakage/test.yaml:8 phrases[2].wrong" in str(found.value)
    (ws.leakage / "test.yaml").write_text(
        (ws.leakage / "test.yaml").read_text(encoding="utf-8").replace(", wrong: x", ""),
        encoding="utf-8",
    )
    with pytest.raises(ProblemsFound) as found:
        load_leakage(ws)
    told = [(each.where, each.wrong) for each in found.value.problems]
    assert told == [
        ("bank/leakage/test.yaml:7 phrases[1].id",
         "'one' stands at bank/leakage/test.yaml:6 phrases[0] already"),
        ("bank/leakage/test.yaml:7 phrases[1].forms[0]", "'… b' has a part without a letter"),
        ("bank/leakage/test.yaml:7 phrases[1].forms[1]", "'?!' has a part without a letter"),
    ]  # fmt: skip


def test_a_project_without_lists_has_no_phrases(tmp_path: Path) -> None:
    """No folder, no phrase, no fault."""
    assert load_leakage(Workspace(tmp_path)) == ()
