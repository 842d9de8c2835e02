"""Watchlists: how they are read and refused, and where their terms are found."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewkit.bank.watchlists import (
    Match,
    UnknownWatchlist,
    Watchlist,
    find_terms,
    load_watchlist,
    load_watchlists,
)
from reviewkit.problems import ProblemsFound
from reviewkit.workspace import Workspace

ROOT = Workspace(Path(__file__).parents[2])
MARSH = load_watchlist(ROOT, "marsh@1")
LANTERN = load_watchlist(ROOT, "lantern@1")


def listing(*terms: str | tuple[str, ...], **classes: str) -> Watchlist:
    """Return a watchlist of terms, each with its other forms."""
    entries = [(term,) if isinstance(term, str) else term for term in terms]
    return Watchlist.model_validate(
        {
            "watchlist": "own", "edition": "1", "language": "ar", "title": {"en": "Own"},
            "terms": [
                {"term": forms[0], "term_class": classes.get(forms[0], "other"),
                 "also": list(forms[1:])}
                for forms in entries
            ],
        }
    )  # fmt: skip


def spans(text: str, watchlist: Watchlist) -> list[str]:
    """Return the exact texts that are found."""
    return [text[match.start : match.end] for match in find_terms(text, watchlist)]


# Finding


@pytest.mark.parametrize(
    ("term", "word"),
    [
        ("تدمير", "تدمير"),
        ("تدمير", "وتدمير"),
        ("تدمير", "فبتدميرهم"),
        ("تدمير", "كالتدمير"),
        ("تدمير", "وللتدمير"),
        ("تدمير", "تَدْمِيــرُهُمَا"),
        ("تدمير", "تدميراً"),
        ("تدمير", "تدميرا"),
        ("تدمير", "تدمیر"),
        ("الأهوار", "للأهوار"),
        ("الأهوار", "وبالاهوار"),
        ("لبنان", "للبنان"),
        ("إبادة", "وإبادتهم"),
        ("إجلاء", "إجلائهم"),
        ("إجلاء", "وإجلاؤها"),
        ("مبنى", "مبناه"),
        ("وعد", "ووعدها"),
        ("أحمد", "ا\u0654حمد"),
        ("كتاب", "کتاب"),
        ("تجفيف", "تج\u200cف\u200dيف"),
        ("دم", "ودم"),
        ("lantern", "LANTERN\u2019s"),
        ("café", "Cafe\u0301"),
        ("Basra", "وBasra"),
        ("1991", "\u0661\u0669\u0669\u0661"),
    ],
)
@pytest.mark.parametrize(
    "around", ["{}", "قال «{}»، ثم", "a (\u200f{}\u200f)!", "**{}**", "x\n{}."]
)
def test_whole_word_is_found(term: str, word: str, around: str) -> None:
    """The match covers the word with all its clitics, as stored, whatever stands around it."""
    assert spans(around.format(word), listing(term)) == [word]


@pytest.mark.parametrize(
    ("term", "word"),
    [
        ("مدرسة", "مدرسه"),
        ("مدرس", "مدرسة"),
        ("إبادة", "إباده"),
        ("إبادة", "إبادةهم"),
        ("عراق", "عراقي"),
        ("عراق", "عراقية"),
        ("الأهوار", "أهوار"),
        ("تدمير", "التدميرهم"),
        ("تدمير", "بوتدمير"),
        ("تدمير", "تدميرات"),
        ("هدم", "مهدم"),
        ("can", "can't"),
        ("lantern", "lanterns"),
        ("lantern", "lantern1"),
        ("3", "3.5"),
        ("cafe", "café"),
    ],
)
def test_other_words_are_not_found(term: str, word: str) -> None:
    """A part of a word, another word or a wrong order of clitics is no occurrence."""
    assert spans(f"x {word} x", listing(term)) == []


@pytest.mark.parametrize(
    ("term", "words"),
    [
        ("إبادة بيئية", "إبادة\u00a0 \n بيئية"),
        ("إبادة بيئية", "وبالإبادة البيئية"),
        ("إبادة بيئية", "إبادتها البيئية"),
        ("إبادة بيئية", "إبادةً بيئيةً"),
        ("حصار اقتصادي", "حصاراً اقتصادياً"),
        ("تقلص المساحة", "لتقلص مساحتها"),
        ("تجفيف الأهوار", "تجفيف \u200cالأهوار"),
        ("clean-up", "Clean\u2011up"),
    ],
)
def test_term_of_several_words(term: str, words: str) -> None:
    """White space is flexible, the article and a tanween go with every word."""
    forms = (term, "تقلص مساحة") if term == "تقلص المساحة" else (term,)
    assert spans(f"ثم {words}.", listing(forms)) == [words]


@pytest.mark.parametrize("words", [
    "إبادةبيئية", "إبادة، بيئية", "إبادة وبيئية", "إبادتها بيئية", "إبادة أخرى بيئية", "إبادة",
])  # fmt: skip
def test_words_that_are_not_the_term(words: str) -> None:
    """A sign, a word or a clitic that cannot stand there parts a term."""
    assert spans(words, listing("إبادة بيئية")) == []


def test_canonical_term_and_class_are_carried() -> None:
    """Whatever form is met, the match names the term as the list writes it."""
    watchlist = listing(("تحويل مجرى", "تحويل مجاري"), **{"تحويل مجرى": "neutral"})
    assert find_terms("وتحويل المجاري", watchlist) == (Match(0, 14, "تحويل مجرى", "neutral"),)


def test_longest_then_leftmost() -> None:
    """The longer term stands even where a shorter one begins before it."""
    assert spans("a b c d", listing("a b", "b ccc")) == ["a b"]
    assert spans("aa b ccc d", listing("aa b", "b ccc", "ccc")) == ["b ccc"]
    assert spans("aa b aa", listing("aa b", "b aa")) == ["aa b"]
    assert spans("تجفيف الأهوار وتجفيف", listing("تجفيف", "تجفيف الأهوار")) == [
        "تجفيف الأهوار", "وتجفيف",
    ]  # fmt: skip


def test_word_as_it_stands_goes_before_a_clitic() -> None:
    """A listed word is itself and not another one with something attached."""
    watchlist = listing("والي", "الي", "تجفيف أهوار", "تجفيف الأهوار")
    assert [m.term for m in find_terms("والي", watchlist)] == ["والي"]
    assert [m.term for m in find_terms("تجفيف الأهوار", watchlist)] == ["تجفيف الأهوار"]


CARRIED = st.sampled_from(["ـ", "ـــ", "\u064e", "\u0651", "\u0650", "\u0652", "\u200d", "\u064b"])
FILLER = st.lists(
    st.sampled_from([
        "ثم", "في", "،", "«", "»", "(", " ", "\n", "\u200f", "\u200c", "ـ", "\u064e", "\u0301",
        "town", "3", "'", "\U0001f469\u200d\U0001f3eb", "تدمير", "وبالتدمير", "الأهوار",
        "تجفيف", "\u0600",
    ]),
    max_size=12,
).map("".join)  # fmt: skip


@given(FILLER, st.sampled_from(MARSH.terms), st.data(), FILLER)
def test_planted_term_is_found_however_it_is_decorated(
    before: str, term: object, data: st.DataObject, after: str
) -> None:
    """Tatweel and diacritics after any letter, and any normal form, change no finding."""
    planted = getattr(term, "term", "")
    decorated = "".join(
        char + (data.draw(CARRIED) if char != " " and data.draw(st.booleans()) else "")
        for char in planted
    )
    decorated = unicodedata.normalize(data.draw(st.sampled_from(["NFC", "NFD"])), decorated)
    text = f"{before} . {decorated} . {after}"
    start = len(before) + 3
    assert [
        (match.end, match.term)
        for match in find_terms(text, MARSH)
        if match.start == start
    ] == [(start + len(decorated), planted)]  # fmt: skip


@given(st.one_of(FILLER, st.text()))
def test_matches_are_exact_and_apart(text: str) -> None:
    """Matches come in order, never overlap, and none begins or ends inside a character."""
    watchlist = listing("تجفيف", "الأهوار", "تدمير", "في", "ثم في", "town", "3", "a", "'", "«")
    behind = 0
    for match in find_terms(text, watchlist):
        assert behind <= match.start < match.end <= len(text)
        exact = text[match.start : match.end]
        assert not exact[0].isspace()
        assert not exact[-1].isspace()
        for edge in (text[match.start : match.start + 1], text[match.end : match.end + 1]):
            assert not edge or unicodedata.category(edge)[0] != "M"
            assert edge not in ("\u200c", "\u200d")
        assert [m.term for m in find_terms(exact, watchlist)] == [match.term]
        behind = match.end


# Loading


HEAD = """\
watchlist: own
edition: "1"
language: ar
title: {en: Own}
"""


def lay(ws: Workspace, content: str, name: str = "any name.yaml") -> Workspace:
    """Write one file into the folder of watchlists."""
    folder = ws.bank / "watchlists"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(content, encoding="utf-8", newline="\n")
    return ws


def refusals(ws: Workspace, name: str = "own@1") -> list[str]:
    """Return the sentences with which a watchlist is refused."""
    with pytest.raises(ProblemsFound) as refused:
        load_watchlist(ws, name)
    return [str(problem) for problem in refused.value.problems]


FILE = "bank/watchlists/any name.yaml"


def test_two_watchlists_come_with_the_demo_bank() -> None:
    """They are of two languages, have every class, and hold no hidden character."""
    assert [each.full_name for each in load_watchlists(ROOT)] == ["lantern@1", "marsh@1"]
    for watchlist, language in ((MARSH, "ar"), (LANTERN, "en")):
        assert watchlist.language == language
        assert {term.term_class for term in watchlist.terms} == {
            "neutral", "loaded_a", "loaded_b", "proper_name", "other",
        }  # fmt: skip
        for form in (form for term in watchlist.terms for form in term.forms):
            assert form == unicodedata.normalize("NFC", form)
            assert not [c for c in form if unicodedata.category(c) in ("Cf", "Mn") or c == "ـ"]
            assert spans(form, watchlist) == [form]


def test_every_fault_is_told_at_once(ws: Workspace) -> None:
    """Doubles, two classes, an unknown class and an unknown field come together, with lines."""
    lay(ws, HEAD + """\
terms:
  - {term: "تدمير", term_class: loaded_a}
  - {term: "تَدمير", term_class: neutral}
  - {term: "حصار", term_class: neutral, also: ["تدمير", "الحصار"]}
  - {term: "حصار", term_class: neutral}
  - {term: "نزوح", term_class: loaded}
  - {term: "هجرة", term_class: pending}
  - {term: "رحيل", term_clas: neutral}
  - {term: "…", term_class: other}
  - {term: "عبور", term_class: other, also: ["عبـور", "عبور"]}
""")  # fmt: skip
    use = "use neutral, loaded_a, loaded_b, proper_name or other"
    assert refusals(ws) == [
        (
            f"{FILE}:7 terms[1].term: 'تَدمير' is neutral here and as 'تدمير', which is read alike, "
            f"loaded_a at {FILE}:6 terms[0].term; keep it in one class"
        ),
        (
            f"{FILE}:8 terms[2].also[0]: 'تدمير' is neutral here and loaded_a at {FILE}:6 "
            "terms[0].term; keep it in one class"
        ),
        (
            f"{FILE}:9 terms[3].term: 'حصار' stands at {FILE}:8 terms[2].term already; "
            "keep one of the two"
        ),
        f"{FILE}:10 terms[4].term_class: got 'loaded'; {use}",
        f"{FILE}:11 terms[5].term_class: got 'pending'; {use}",
        f"{FILE}:12 terms[6].term_clas: unknown field 'term_clas'; did you mean 'term_class'?",
        f"{FILE}:13 terms[7].term: '…' has no letter and no digit; write a word",
        (
            f"{FILE}:14 terms[8].also[1]: 'عبور' stands at {FILE}:14 terms[8].term already; "
            "keep one of the two"
        ),
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (HEAD, "1: has no field 'terms'; add it"),
        (HEAD + "terms: []\n", "5 terms: is empty; give at least one"),
        (HEAD.replace('edition: "1"\n', "") + "terms: [{term: a, term_class: other}]\n",
         "1: has no field 'edition'; add it"),
        (HEAD.replace('"1"', "one") + "terms: [{term: a, term_class: other}]\n",
         "2 edition: got 'one'; use only digits, and begin with a digit from 1 to 9"),
        (HEAD + "edition: '2'\nterms: [{term: a, term_class: other}]\n",
         "5 edition: the key 'edition' stands a second time, first on line 2; keep one of the two"),
    ],
    ids=["no terms", "empty", "no edition", "edition in words", "key twice"],
)  # fmt: skip
def test_file_without_what_it_needs(ws: Workspace, content: str, expected: str) -> None:
    """No terms, no edition: one sentence with its line."""
    lay(ws, content)
    name = "own@one" if "edition: one" in content else "own@1"
    assert refusals(ws, name) == [f"{FILE}:{expected}"]


def test_scalars_are_text(ws: Workspace) -> None:
    """``no``, ``007`` and ``NA`` are terms like others."""
    terms = "".join(f"  - {{term: {term}, term_class: other}}\n" for term in ("no", "007", "NA"))
    watchlist = load_watchlist(lay(ws, HEAD + "terms:\n" + terms), "own@1")
    assert spans("No, 007 is na.", watchlist) == ["No", "007", "na"]


def test_unknown_watchlist_lists_what_there_is(ws: Workspace) -> None:
    """The sentence names every edition, or says that there is none."""
    with pytest.raises(UnknownWatchlist) as refused:
        load_watchlist(ws, "marsh@1")
    assert str(refused.value) == (
        "there is no watchlist 'marsh@1' in bank/watchlists/; put it there as a .yaml file"
    )
    body = "terms: [{term: a, term_class: other}]\n"
    lay(ws, HEAD + body)
    lay(ws, HEAD.replace('"1"', '"2"') + body, "b.yaml")
    for name in ("own@3", "own", ""):
        with pytest.raises(UnknownWatchlist) as refused:
            load_watchlist(ws, name)
        assert str(refused.value) == (
            f"there is no watchlist {name!r} in bank/watchlists/; use one of own@1, own@2"
        )


def test_only_a_file_that_could_be_it_stands_in_the_way(ws: Workspace) -> None:
    """A fault elsewhere does not keep coders out; where it may be the file sought, it is told."""
    body = "terms: [{term: a, term_class: other}]\n"
    lay(ws, HEAD + body)
    lay(ws, "- watchlist: own\n", "broken.yaml")
    assert load_watchlist(ws, "own@1").edition == "1"
    assert refusals(ws, "own@2") == [
        (
            "bank/watchlists/broken.yaml:1: is not a mapping of fields; "
            "write 'field: value', one field a line"
        )
    ]
    with pytest.raises(ProblemsFound):
        load_watchlists(ws)


def test_one_edition_stands_in_one_file(ws: Workspace) -> None:
    """Two files with the same edition are refused, and so is another ending."""
    body = "terms: [{term: a, term_class: other}]\n"
    lay(lay(ws, HEAD + body), HEAD + body, "z.yaml")
    assert refusals(ws) == [
        (
            f"bank/watchlists/z.yaml:2 edition: own@1 stands in {FILE}:2 edition too; "
            "give one a new edition"
        )
    ]
    (ws.bank / "watchlists" / "z.yaml").rename(ws.bank / "watchlists" / "any name.yml")
    (ws.bank / "watchlists" / "any name.yaml").unlink()
    assert refusals(ws) == [
        (
            "bank/watchlists/any name.yml: is not read, because watchlists end in .yaml; "
            "rename it to any name.yaml"
        )
    ]


def test_digest_covers_what_decides_a_finding(ws: Workspace) -> None:
    """Terms, forms, classes, name and edition; not title, notes, order or the file's name."""
    first = "  - {term: a, term_class: other, also: [c, d]}\n"
    second = "  - {term: b, term_class: neutral}\n"
    plain = HEAD + "terms:\n" + first + second

    def digest(content: str, name: str = "own@1") -> str:
        return load_watchlist(lay(ws, content), name).digest

    same = [
        HEAD + "terms:\n" + second + first,
        plain.replace("Own", "Another"),
        plain.replace("[c, d]", "[d, c]"),
        plain.replace("neutral}", "neutral, note: why}"),
    ]
    assert {digest(content) for content in same} == {digest(plain)}
    changed = {
        digest(plain),
        digest(plain.replace("term: b", "term: e")),
        digest(plain.replace("term: b", "term: B")),
        digest(plain.replace("neutral", "loaded_a")),
        digest(plain.replace("[c, d]", "[c]")),
        digest(plain.replace('"1"', '"2"'), "own@2"),
        digest(plain.replace(": own", ": other"), "other@1"),
    }
    assert len(changed) == 7
