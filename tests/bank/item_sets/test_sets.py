"""Every known set becomes groups of its type; rows at fault are left out by name."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from reviewkit.bank.item_sets.settled import Asked
from reviewkit.bank.items import Group
from reviewkit.problems import ProblemsFound

from .conftest import ASKED, Reads


def table(rows: list[list[str]], delimiter: str = ",") -> str:
    """Return rows as CSV."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def texts(group: Group) -> list[str | None]:
    """Return the texts of a group's items."""
    return [item.text for item in group.items]


# CrowS-Pairs

CROWS = ["", "sent_more", "sent_less", "stereo_antistereo", "bias_type"]


def test_a_minimal_pair_is_a_template_with_two_values(reads: Reads) -> None:
    """One changed span is the value; the target is said not to be given."""
    text = table([CROWS, ["7", "A baker is late.", "A weaver is late.", "stereo", "trade"]])
    [group] = reads("pairs.csv", text).groups
    assert (group.template_id, group.test_type) == ("CROWS-7", "T1")
    assert (group.base_text, group.value_list) == ("A {value} is late.", ("baker", "weaver"))
    assert texts(group) == ["A baker is late.", "A weaver is late."]
    assert group.swapped_variable == "trade"
    assert "direction as published: stereo; target not given" in str(group.notes)


def test_further_spans_stay_as_written(reads: Reads) -> None:
    """Double spaces, missing stops and a second span are kept for the audit to find."""
    one, other = "Bakers  swim in trunks", "Weavers swim in hats."
    taken = reads("pairs.csv", table([CROWS, ["1", one, other, "stereo", "trade"]]))
    [group] = taken.groups
    assert texts(group) == [one, other]
    assert group.base_text == "{value}  swim in trunks"
    assert "2 changed spans, the first is the value" in str(group.notes)
    assert taken.said == ("1 pairs differ in several places: the audit names them",)


def test_a_substitution_made_twice_is_one_value(reads: Reads) -> None:
    """The same words swapped at two places are two places of one value."""
    row = ["1", "he said he knew", "she said she knew", "", "gender"]
    [group] = reads("pairs.csv", table([CROWS, row])).groups
    assert group.base_text == "{value} said {value} knew"
    assert "changed spans" not in str(group.notes)


def test_a_word_that_is_only_here_takes_its_neighbour(reads: Reads) -> None:
    """A value is never empty: the common word beside an added one joins both values."""
    row = ["1", "old bakers rest", "bakers rest", "", "age"]
    [group] = reads("pairs.csv", table([CROWS, row])).groups
    assert group.value_list == ("old bakers", "bakers")


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("the same", "the same", "the two texts are one and the same"),
        ("a  space", "a space", "the two texts differ in white space alone"),
        ("a stop", "a stop.", "stop"),
        ("a {value}", "a word", "a text holds {value}, which marks the place of a value"),
    ],
)
def test_pairs_without_a_value_are_left_out(
    reads: Reads, one: str, other: str, reason: str
) -> None:
    """What gives no value is named with its line, and the next row is read all the same."""
    rows = [CROWS, ["1", one, other, "", "x"], ["2", "a cat", "a dog", "", "x"]]
    taken = reads("pairs.csv", table(rows))
    if reason == "stop":  # the stop joins its neighbour, which is a word
        assert taken.groups[0].value_list == ("stop", "stop.")
    else:
        assert [str(each) for each in taken.left_out] == [f"pairs.csv:2: left out: {reason}"]
        assert [group.template_id for group in taken.groups] == ["CROWS-2"]


# BBQ


def bbq_row(number: int, polarity: str, condition: str) -> dict[str, Any]:
    """Return one row of a made-up block."""
    told = " The tailor has the receipt." if condition == "disambig" else ""
    return {
        "example_id": str(number), "question_index": "1", "question_polarity": polarity,
        "context_condition": condition, "category": "Trade",
        "context": f"A baker and a tailor shared a taxi.{told}",
        "question": "Who paid?" if polarity == "nonneg" else "Who did not pay?",
        "ans0": "The baker ", "ans1": "The tailor", "ans2": "Unknown",
        "label": "2" if condition == "ambig" else str(int(polarity == "nonneg")),
    }  # fmt: skip


def block(first: int) -> list[dict[str, Any]]:
    """Return a whole block."""
    kinds = [(p, c) for p in ("neg", "nonneg") for c in ("ambig", "disambig")]
    return [bbq_row(first + at, *kind) for at, kind in enumerate(kinds)]


def test_flattened_bbq_is_the_same_as_the_lines(reads: Reads) -> None:
    """A table with spread or printed mappings makes the very groups of the published lines."""
    rows = block(4)
    whole: list[dict[str, Any]] = [
        {
            **row,
            "answer_info": {"ans0": ["baker", "a"], "ans2": ["Unknown", "unknown"]},
            "additional_metadata": {"stereotyped_groups": ["b"], "version": "a"},
        }
        for row in rows
    ]
    lines = "".join(json.dumps(row) + "\n" for row in whole)
    spread = [
        {**row, "answer_info.ans0": "['baker', 'a']", "answer_info.ans2": "['Unknown', 'unknown']",
         "additional_metadata.stereotyped_groups": "['b']", "additional_metadata.version": "a"}
        for row in rows
    ]  # fmt: skip
    printed = [
        {**row, **{k: str(row[k]) for k in ("answer_info", "additional_metadata")}} for row in whole
    ]
    published = reads("bbq.jsonl", lines).groups
    for flat in (spread, printed):
        body = [list(flat[0]), *([str(cell) for cell in row.values()] for row in flat)]
        taken = reads("bbq.csv", table(body))
        assert taken.name == "bbq"
        assert [(g.content, g.notes) for g in taken.groups] == [
            (g.content, g.notes) for g in published
        ]
    assert published[0].items[0].options == ("The baker ", "The tailor", "Unknown")
    assert "target answer not given" in str(published[0].notes)


def test_a_block_at_fault_leaves_the_others(reads: Reads) -> None:
    """A block without one of its rows is left out row by row; a whole one beside it is kept."""
    lines = "".join(json.dumps(row) + "\n" for row in [*block(0)[:3], *block(4)])
    taken = reads("bbq.jsonl", lines)
    assert [group.template_id for group in taken.groups] == ["BBQ-Trade-00004"]
    assert [each.where for each in taken.left_out] == [f"bbq.jsonl:{n}" for n in (1, 2, 3)]
    assert "has no nonneg disambig row" in taken.left_out[0].reason


# KoBBQ


def kobbq(name: str, *, biased: str = "A") -> list[list[str]]:
    """Return the rows of a block, with the choices as Python prints them."""
    rows: list[list[str]] = []
    for twin in ("amb", "dis"):
        for kind, question in (("bsd", "Who left?"), ("cnt", "Who stayed?")):
            told = " A left." if twin == "dis" else ""
            answer = "?" if twin == "amb" else "A" if kind == "bsd" else "B"
            target = biased if kind == "bsd" else "BA"["AB".index(biased)]
            rows.append([
                f"{name}-{twin}-{kind}", f"A and B met.{told}", question, "['B', 'A', '?']",
                target, answer,
            ])  # fmt: skip
    return rows


KOBBQ = ["sample_id", "context", "question", "choices", "biased_answer", "answer"]


@pytest.mark.parametrize(("biased", "direction"), [("A", "with"), ("B", "against")])
def test_kobbq_says_its_direction(reads: Reads, biased: str, direction: str) -> None:
    """A block is one group of two questions; its direction is read from the biased answer."""
    taken = reads("kobbq.tsv", table([KOBBQ, *kobbq("age-001a-002", biased=biased)], "\t"))
    [group] = taken.groups
    assert group.disambig_direction == direction
    assert [(item.twin, item.correct_position) for item in group.items] == [
        ("ambiguous", 3), ("disambiguated", 2), ("ambiguous", 3), ("disambiguated", 1),
    ]  # fmt: skip
    assert {item.language for item in group.items} == {"ko"}
    assert "cannot_be_determined of the taxonomy should list it under ko" in taken.said[0]


def test_kobbq_rows_that_make_no_block(reads: Reads) -> None:
    """A missing row, a double one and an answer that is no choice are told apart."""
    rows = [*kobbq("a-1")[:3], *kobbq("b-1"), kobbq("b-1")[0], *kobbq("c-1")]
    rows[-1][5] = "C"
    taken = reads("kobbq.tsv", table([KOBBQ, *rows], "\t"))
    assert [group.template_id for group in taken.groups] == ["KOBBQ-b-1"]
    reasons = {each.reason for each in taken.left_out}
    assert reasons == {
        "block a-1 has no dis-cnt row", "sample_id b-1-amb-bsd stands more than once",
        "the answer of dis-cnt is not one of its choices",
    }  # fmt: skip


# Winogender, WinoBias


def test_winogender_fills_every_slot(reads: Reads) -> None:
    """A template gives a group with the participant and one with someone, in three pronouns."""
    head = ["occupation(0)", "other-participant(1)", "answer", "sentence"]
    rows = [
        head,
        ["baker", "guest", "1", "The $OCCUPATION told the $PARTICIPANT that $NOM_PRONOUN may go."],
        ["baker", "guest", "0", "The $OCCUPATION left the $PARTICIPANT."],
    ]
    taken = reads("templates.tsv", table(rows, "\t"))
    named, someone = taken.groups
    assert named.template_id == "WINOGENDER-baker-guest-1-participant"
    assert texts(named)[1] == "The baker told the guest that she may go."
    assert texts(someone)[2] == "The baker told someone that they may go."
    assert someone.value_list == ("he", "she", "they")
    assert [each.reason for each in taken.left_out] == ["the sentence has no pronoun slot"]


def test_winobias_needs_both_files(reads: Reads) -> None:
    """Twins stand in two files; a sentence without its twin is left out, brackets are dropped."""
    pro = "1 [The baker] met the guard because [he] was lost.\n2 [The guard] saw [her] bread.\n"
    anti = "1 [The baker] met the guard because [she] was lost.\n"
    taken = reads("pro_type1.txt", pro, ("anti_type1.txt", anti))
    [group] = taken.groups
    assert group.template_id == "WINOBIAS-type1-1"
    assert texts(group) == [
        "The baker met the guard because he was lost.",
        "The baker met the guard because she was lost.",
    ]
    assert [str(each) for each in taken.left_out] == [
        "pro_type1.txt:2: left out: its twin with another pronoun is not there: give both files"
    ]


# XSTest, CAMeL, StereoSet

XSTEST = ["id", "prompt", "type", "label", "focus"]


def test_xstest_pairs_by_order_or_by_focus(reads: Reads) -> None:
    """Equal numbers pair in order; else the focus decides, and what has none is left out."""
    rows = [
        XSTEST,
        ["1", "How do I stop a clock?", "clocks", "safe", "stop"],
        ["2", "How do I stop a guard?", "contrast_clocks", "unsafe", "stop"],
        ["3", "How do I beat an egg?", "eggs", "safe", "beat"],
        ["4", "How do I break an egg?", "eggs", "safe", "break"],
        ["5", "How do I break a guard?", "contrast_eggs", "unsafe", "break"],
        ["6", "Is it late?", "alone", "safe", ""],
    ]
    taken = reads("prompts.csv", table(rows))
    assert [texts(group) for group in taken.groups] == [
        ["How do I stop a clock?", "How do I stop a guard?"],
        ["How do I break an egg?", "How do I break a guard?"],
    ]
    assert {group.test_type for group in taken.groups} == {"T3"}
    assert taken.groups[0].sensitivity_level == "civic"
    assert [(each.where, each.reason) for each in taken.left_out] == [
        ("prompts.csv:4", "no contrast has its focus, and the numbers of both differ"),
        ("prompts.csv:7", "no prompt of type contrast_alone is there"),
    ]


def test_a_mask_is_filled_with_declared_values(reads: Reads) -> None:
    """Values come from the person who imports; kinds without any are left out by name."""
    rows = [
        ["Entity Type", "Prompt", "Sentiment"],
        ["Beverage", " شربت [MASK] اليوم", "neutral"],
        ["Location", "سافرت إلى [MASK]", "neutral"],
    ]
    asked = Asked(category="value-laden", fills={"beverage": ("القهوة", "الكولا")})
    taken = reads("masks.csv", table(rows), asked=asked)
    [group] = taken.groups
    assert texts(group) == [" شربت القهوة اليوم", " شربت الكولا اليوم"]
    assert (group.base_text, group.swapped_variable) == (" شربت {value} اليوم", "beverage")
    assert [each.reason for each in taken.left_out] == [
        'no two values for Location: give --fill "Location=ONE,OTHER"'
    ]


def test_stereoset_fills_the_blank_or_goes_on(reads: Reads) -> None:
    """Both kinds of clusters become groups; gold labels are kept, nothing is derived."""

    def cluster(context: str, *sentences: str) -> dict[str, Any]:
        labels = ("stereotype", "anti-stereotype", "unrelated")
        told = [
            {"sentence": each, "gold_label": label, "labels": []}
            for each, label in zip(sentences, labels, strict=False)
        ]
        return {"id": "x", "bias_type": "trade", "target": "baker", "context": context,
                "sentences": told}  # fmt: skip

    data = {
        "version": "1.1",
        "data": {
            "intrasentence": [
                cluster("The baker is BLANK.", "The baker is early.", "The baker is late."),
                cluster("The baker is BLANK.", "A baker is early."),
            ],
            "intersentence": [cluster("A baker came in.", "He sat down.", "He sang.")],
        },
    }
    taken = reads("dev.json", json.dumps(data))
    blank, goes_on = taken.groups
    assert blank.value_list == ("early", "late")
    assert texts(goes_on) == ["A baker came in. He sat down.", "A baker came in. He sang."]
    assert str(blank.items[0].notes) == "gold_label as published: stereotype"
    assert [str(each) for each in taken.left_out] == [
        "dev.json data.intrasentence[1]: left out: a sentence is not its context with BLANK filled"
    ]


# what is asked for, what is not recognised


def test_codes_that_nobody_can_guess_are_asked_for(reads: Reads) -> None:
    """Every missing code is named at once with the codes there are."""
    rows = [XSTEST, ["1", "a", "x", "safe", ""], ["2", "b", "contrast_x", "unsafe", ""]]
    with pytest.raises(ProblemsFound) as raised:
        reads("prompts.csv", table(rows), asked=Asked(domain="nowhere"))
    told = [problem.where for problem in raised.value.problems]
    assert told == ["--domain", "--category", "--level", "--stance"]


def test_a_language_that_the_bank_has_not(reads: Reads) -> None:
    """The taxonomy must list the language of the set."""
    rows = [CROWS, ["1", "a cat", "a dog", "", "x"]]
    with pytest.raises(ProblemsFound, match="languages has no 'fr'"):
        reads("pairs.csv", table(rows), asked=Asked(category="value-laden", language="fr"))


def test_a_table_of_no_set_is_refused_with_its_columns(reads: Reads) -> None:
    """What is not recognised is said, with the way to describe it."""
    with pytest.raises(ProblemsFound, match="it has the columns one, two; write which column"):
        reads("other.csv", "one,two\n1,2\n")
    with pytest.raises(ProblemsFound, match="is no CrowS-Pairs"):
        reads("other.csv", "one,two\n1,2\n", set_name="crows-pairs")
    with pytest.raises(ProblemsFound, match="no set 'crows' is known"):
        reads("other.csv", "one,two\n1,2\n", set_name="crows")


def test_two_rows_with_one_id_are_not_both_kept(reads: Reads) -> None:
    """A second group of the same name is left out; ids stay what the set calls its rows."""
    rows = [XSTEST, ["1", "a b", "x", "safe", ""], ["1", "a c", "contrast_x", "unsafe", ""]]
    taken = reads("prompts.csv", table(rows))
    assert taken.groups == ()
    assert {each.reason for each in taken.left_out} == {
        "another row has the id of XSTEST-1 or an item"
    }


def test_asked_prefix_begins_every_id(reads: Reads) -> None:
    """A prefix keeps two imports of one set apart."""
    rows = [CROWS, ["1", "a cat", "a dog", "", "x"]]
    asked = Asked(category=ASKED.category, prefix="MINE")
    [group] = reads("pairs.csv", table(rows), asked=asked).groups
    assert [group.template_id, *(item.id for item in group.items)] == [
        "MINE-1", "MINE-1-more", "MINE-1-less",
    ]  # fmt: skip


CLUSTER = {"id": "c1", "bias_type": "trade", "target": "baker", "context": "The baker is BLANK."}
SENTENCES = {"sentence": ["The baker is early.", "The baker is late."], "gold_label": [1, 0]}


@pytest.mark.parametrize(
    "sentences",
    [
        json.dumps(SENTENCES),
        str(SENTENCES),
        json.dumps([
            {"sentence": "The baker is early.", "gold_label": 1},
            {"sentence": "The baker is late.", "gold_label": 0},
        ]),
    ],
    ids=["lists side by side", "as Python prints them", "a list of sentences"],
)  # fmt: skip
def test_stereoset_flattened_is_a_row_a_cluster(reads: Reads, sentences: str) -> None:
    """However the list stands in its cell, the group is the one of the document."""
    rows = [[*CLUSTER, "sentences"], [*CLUSTER.values(), sentences]]
    [group] = reads("flat.csv", table(rows, ",")).groups
    assert group.value_list == ("early", "late")
    assert texts(group) == ["The baker is early.", "The baker is late."]
    assert [item.notes for item in group.items] == [
        "gold_label as published: 1", "gold_label as published: 0",
    ]  # fmt: skip


def test_stereoset_flattened_as_lines_of_json(reads: Reads) -> None:
    """One cluster a line, its sentences in lists."""
    lines = json.dumps({**CLUSTER, "sentences": SENTENCES}) + "\n"
    [group] = reads("flat.jsonl", lines).groups
    assert texts(group) == ["The baker is early.", "The baker is late."]


def test_stereoset_may_have_a_row_a_sentence(reads: Reads) -> None:
    """A run of rows about one context is a group; a continuation follows its context."""
    rows = [
        ["bias_type", "target", "context", "sentence", "gold_label"],
        ["trade", "baker", "The baker is BLANK.", "The baker is early.", "stereotype"],
        ["trade", "baker", "The baker is BLANK.", "The baker is late.", "unrelated"],
        ["trade", "baker", "A baker came in.", "He sat down.", "stereotype"],
        ["trade", "baker", "A baker came in.", "He sang.", "unrelated"],
        ["trade", "guard", "The guard is BLANK.", "A guard is late.", "unrelated"],
    ]
    taken = reads("flat.csv", table(rows, ","))
    blank, goes_on = taken.groups
    assert blank.value_list == ("early", "late")
    assert texts(goes_on) == ["A baker came in. He sat down.", "A baker came in. He sang."]
    assert [each.reason for each in taken.left_out] == [
        "a sentence is not its context with BLANK filled"
    ]


@pytest.mark.parametrize(
    ("sentences", "reason"),
    [
        ("array(['a'], dtype=object)", "its sentences are no list that can be read"),
        ('{"sentence": ["a", "b"], "gold_label": [1]}', "its sentences are no list that can be"),
        ('{"sentence": ["a"], "sentence": ["b"]}', "the key 'sentence' stands a second time"),
        ("{'sentence': ['a'], 'sentence': ['b']}", "the key 'sentence' stands a second time"),
    ],
)
def test_sentences_that_cannot_be_read_are_left_out_by_name(
    reads: Reads, sentences: str, reason: str
) -> None:
    """What stands in a cell is read as it says or left out with the reason."""
    rows = [[*CLUSTER, "sentences"], [*CLUSTER.values(), sentences]]
    taken = reads("flat.csv", table(rows, ","))
    assert taken.groups == ()
    [left_out] = taken.left_out
    assert left_out.reason.startswith(reason)


def test_a_doubled_key_of_a_document_is_refused(reads: Reads) -> None:
    """Of two equal keys nobody can tell which is meant; the file is not taken."""
    text = '{"data": {"intrasentence": [{"context": "A BLANK.", "context": "B BLANK."}]}}'
    with pytest.raises(ProblemsFound, match="the key 'context' stands a second time; keep one"):
        reads("dev.json", text)


def test_winogender_sentences_are_taken_as_written(reads: Reads) -> None:
    """Three rows of one occupation, participant and answer are a group of three pronouns."""
    rows = [["sentid", "sentence"]]
    for other in ("guest", "someone"):
        who = "the guest" if other == "guest" else other
        for gender, pronoun in (("male", "he"), ("female", "she"), ("neutral", "they")):
            sentence = f"The baker told {who} that {pronoun} may go."
            rows.append([f"baker.{other}.1.{gender}.txt", sentence])
    rows += [
        ["baker.guest.0.male.txt", "His dough rose."],
        ["baker.guest.0.female.txt", "Her dough rose."],
        ["baker.cook.0.male.txt", "He left."],
        ["baker.cook.1.male.txt", "He left."],
        ["baker.cook.1.female.txt", "The cook left."],
        ["baker.guest.1.male.txt", "He may go."],
        ["baker", "He may go."],
    ]
    taken = reads("all_sentences.tsv", table(rows, "\t"))
    named, someone, possessive = taken.groups
    assert named.template_id == "WINOGENDER-baker-guest-1"
    assert [item.id.rsplit("-", 1)[1] for item in named.items] == ["male", "female", "neutral"]
    assert named.base_text == "The baker told the guest that {value} may go."
    assert texts(someone)[2] == "The baker told someone that they may go."
    assert possessive.value_list == ("His", "Her")
    assert [each.reason for each in taken.left_out] == [
        "its male or its female version is not there",
        "the versions differ in something else than a pronoun",
        "the versions differ in something else than a pronoun",
        "the male version stands on another line already",
        "its sentid is no occupation, participant, answer and gender",
    ]
