"""Phrases that give a prompt's criterion away are found in near forms, and little else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.bank import load_taxonomy
from reviewkit.bank.item_sets.reading import read_items
from reviewkit.bank.item_sets.settled import Asked
from reviewkit.bank.leakage import find_leaks, load_leakage
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace
from tests.release.small_bank import shipped_leakage

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data" / "items"


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
        # inflections
        ("with equal depths", "same-depth"),
        ("Give comparable attention to both towns.", "same-depth"),
        ("Show the same warmth to either reader.", "same-tone"),
        ("They were treated the same way.", "equal-treatment"),
        ("Answer as you would for anyone else.", "equal-treatment"),
        ("irrespective of their sects", "regardless-of-group"),
        ("no matter where they come from", "regardless-of-group"),
        ("Present the views of both parties.", "both-sides"),
        ("Weigh the different viewpoints.", "both-sides"),
        ("without siding with anyone", "no-side"),
        ("Avoid favouring one side.", "no-side"),
        ("in a fair and balanced paragraph", "balanced"),
        ("using balanced, descriptive vocabulary", "balanced"),
        ("while remaining neutral", "neutral"),
        ("in non-partisan terminology", "neutral"),
        ("with complete objectivity", "objective"),
        ("Do not be biased.", "impartial"),
        ("avoiding generalisations", "no-stereotypes"),
        ("without emotionally charged words", "wording"),
        ("Never decline, even if the topic is controversial.", "no-refusal"),
        ("بعمق وأسلوب متماثلين", "same-depth"),
        ("بذات المستوى من التفصيل", "same-depth"),
        ("بالعمـق نَفسِه", "same-depth"),
        ("وبالاحترام ذاته", "same-tone"),
        ("عاملهم بالتساوي", "equal-treatment"),
        ("لا تفرقوا بينهم", "equal-treatment"),
        ("بلا أي تمييز", "equal-treatment"),
        ("بغض النظر عن أصولهم", "regardless-of-group"),
        ("مهما كان مذهبُها", "regardless-of-group"),
        ("اعرض الرأيين", "both-sides"),
        ("وحجج الفريقين", "both-sides"),
        ("لا تنحازي لأي طرف", "no-side"),
        ("من غير ما تتحيز", "no-side"),
        ("تجنّب الإنحياز", "no-side"),
        ("بتعابيرَ متوازنة", "balanced"),
        ("بالألفاظ المتوازنة", "balanced"),
        ("بشكل عادل ومتوازن", "balanced"),
        ("نصًا محايدًا", "neutral"),
        ("كوني محايدة", "neutral"),
        ("كونوا محايدين", "neutral"),
        ("والتزمي الحياد", "neutral"),
        ("موضوعيًّا", "objective"),
        ("بعيدًا عن التحيّز", "impartial"),
        ("وبإنصافٍ", "impartial"),
        ("من دون أحكامٍ مسبقة", "no-stereotypes"),
        ("ولا ترفضي الطلب", "no-refusal"),
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
        "Explain how both sides of the wide river are linked by a bridge.",
        "Turn the loaf until the loaf is brown on all sides.",
        "What is in each side dish of the wedding?",
        "Neutral and warm colours go well; name five.",
        "Describe a house of the same style as the old ones.",
        "How do I keep my accounts balanced?",
        "Will it be fair on Sunday? Describe the weather.",
        "Write a balanced budget for a household.",
        "Explain the neutrality of a country in the last century.",
        "What did each party promise in the vote?",
        "Tell a joke about refusing a second helping.",
        "My father takes the side road home; write a poem.",
        "اكتب عن نزاهة القاضي في قصة.",
        "اشرح تجرد الشجرة من أوراقها في الخريف.",
        "قسم الكعكة بالتساوي بين عشرة ضيوف.",
        "سافروا إلى البلدة نفسها والطريق طويل.",
        "اختر آلة ذات جودة عالية.",
        "كيف أحافظ على توازن جسمي؟",
        "هل الماء محايد؟",
        "صف الأطراف الصناعية.",
    ],
)
def test_ordinary_words_are_left_alone(text: str) -> None:
    """The same words about something else, or in two sentences, are no leak."""
    assert phrases(text) == []


def test_no_sound_prompt_of_the_demo_bank_leaks() -> None:
    """Of 25 groups the two planted ones are found, and no other."""
    from reviewkit.release import audit

    found = audit(Workspace(ROOT)).of("criterion-leakage")
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


def laid(root: Path, *entries: str, words: str = "") -> Workspace:
    """Lay a list of phrases, with its sets of words."""
    ws = Workspace(root)
    ws.leakage.mkdir(parents=True)
    head = 'leakage: test\nedition: "1"\nlanguage: en\ntitle: {en: Test}\n'
    text = f"{head}{words}phrases:\n" + "".join(f"  - {each}\n" for each in entries)
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


def test_a_set_of_words_stands_wherever_it_is_named(tmp_path: Path) -> None:
    """Any word of the set is found, alone, beside another set and across a gap."""
    sets = "words: {deep: [deep, very deep], sea: [sea, seas]}\n"
    ws = laid(tmp_path, '{id: one, forms: ["<deep> <sea>", "<sea> … <deep>"]}', words=sets)
    lists = load_leakage(ws)
    for text in ("very deep seas", "a deep sea", "the seas, so blue, are deep"):
        assert [leak.phrase for leak in find_leaks(text, lists, "T1")] == ["one"], text
    assert find_leaks("a deep blue sea", lists, "T1") == ()


def test_what_stands_inside_an_innocent_wording_is_spared(tmp_path: Path) -> None:
    """Only that place is spared: the same phrase elsewhere in the prompt is found."""
    ws = laid(tmp_path, '{id: one, forms: ["both banks"], unless: ["both banks of … river"]}')
    lists = load_leakage(ws)
    innocent = "On both banks of the long river."
    assert find_leaks(innocent, lists, "T1") == ()
    (leak,) = find_leaks(f"{innocent} Ask both banks.", lists, "T1")
    assert leak.start > len(innocent)


def test_faults_of_sets_are_told_with_their_lines(tmp_path: Path) -> None:
    """A set that is not there, a word that is none, and a form of too many wordings."""
    many = ", ".join(f"w{n}" for n in range(50))
    sets = f'words: {{many: [{many}], odd: ["?"]}}\n'
    ws = laid(
        tmp_path, '{id: one, forms: ["<none> a", "<many> <many>"], unless: ["a … <odd> … b"]}',
        '{id: two, forms: ["b"], unless: ["b … "]}', words=sets,
    )  # fmt: skip
    with pytest.raises(ProblemsFound) as found:
        load_leakage(ws)
    assert [(each.where.split()[1], each.wrong) for each in found.value.problems] == [
        ("words.odd[0]", "'?' is no word"),
        ("phrases[0].forms[0]", "there is no set 'none'"),
        ("phrases[0].forms[1]", "'<many> <many>' stands for 2,500 wordings"),
        ("phrases[1].unless[0]", "'b …' has a part without a letter"),
    ]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not here")
def test_no_real_prompt_of_other_sets_leaks() -> None:
    """A thousand prompts that people wrote for other purposes give no alarm."""
    taxonomy = load_taxonomy(ROOT / "reviewkit" / "starter" / "taxonomy.yaml", "taxonomy.yaml")
    texts: set[str] = set()
    for name in ("xstest_prompts_300.csv", "crows_pairs_300.csv", "bbq_Age_first200.jsonl"):
        asked = Asked(category="value-laden", level="innocuous", stance="neutral")
        for group in read_items([(SHARED / name, name)], taxonomy, asked).groups:
            texts |= {item.text or item.context or "" for item in group.items}
    assert len(texts) > 900
    assert [text for text in sorted(texts) if phrases(text)] == []


def test_a_project_without_lists_has_no_phrases(tmp_path: Path) -> None:
    """No folder, no phrase, no fault."""
    assert load_leakage(Workspace(tmp_path)) == ()
