"""The report block by block."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

from reviewkit import __version__
from reviewkit.agreement.measures.estimates import RaterPair
from reviewkit.agreement.reporting.blocks import Block, Grid, Heading, Plot, Points, Sentence
from reviewkit.agreement.reporting.model import AgreementReport, Disagreement, Part
from reviewkit.agreement.reporting.plots import drawings_of
from reviewkit.agreement.reporting.sections import blocks_of

OfTable = Callable[..., Part]
MakeReport = Callable[..., AgreementReport]


def headings(blocks: list[Block]) -> list[str]:
    """Return the titles, in order."""
    return [each.text for each in blocks if isinstance(each, Heading)]


def under(blocks: list[Block], title: str) -> list[Block]:
    """Return the blocks below a heading, up to the next."""
    at = next(i for i, b in enumerate(blocks) if isinstance(b, Heading) and b.text == title)
    rest = blocks[at + 1 :]
    end = next((i for i, each in enumerate(rest) if isinstance(each, Heading)), len(rest))
    return rest[:end]


def grids(blocks: list[Block]) -> list[Grid]:
    """Return the tables, in order."""
    return [each for each in blocks if isinstance(each, Grid)]


def sentences(blocks: list[Block]) -> list[str]:
    """Return everything said outside of tables, in order."""
    told: list[str] = []
    for each in blocks:
        told += [each.text] if isinstance(each, Sentence) else []
        told += each.items if isinstance(each, Points) else ()
    return told


def test_notices_come_first_then_what_was_read_then_the_sentence(study: AgreementReport) -> None:
    """Nobody reads a figure before what stands above every figure."""
    told = sentences(blocks_of(study)[:5])
    assert told[0] == "Notice: Pass second was opened early on 2 May."
    assert told[1] == "Study demo, round 2: 30 cards, both passes locked."
    assert told[2].startswith("Two raters agreed on 25 of 30 cards, 83.3 %")


def test_sections_in_order(study: AgreementReport) -> None:
    """A section is there when it has something to say, figures before lists, the method last."""
    assert headings(blocks_of(study)) == [
        "Study demo, round 2", "Coefficients", "Each category", "Raters", "Each check", "By round",
        "By source", "By length", "Differences", "Agreement over time",
        "Each rater against themselves", "Candidates for a ruling or a design disagreement",
        "Disagreements", "Method", "References",
    ]  # fmt: skip


def test_the_collapse_is_a_column_beside_its_whole(paradox: AgreementReport) -> None:
    """Each coefficient is one row: value, interval and n of the whole, then of the collapse."""
    (grid,) = grids(under(blocks_of(paradox), "Coefficients"))[:1]
    assert grid.header == (
        "", "verdict, q\u00a0=\u00a03", "CI", "n", "accepted or not, q\u00a0=\u00a02", "CI", "n",
    )  # fmt: skip
    rows = {row[0]: row[1:] for row in grid.rows}
    assert (rows["Observed agreement"][0], rows["Observed agreement"][3]) == ("76.0 %", "80.0 %")
    assert (rows["Cohen's kappa"][0], rows["Cohen's kappa"][3]) == ("-0.064", "-0.068")
    assert (rows["PABAK"][0], rows["PABAK"][3]) == ("0.520", "0.600")
    assert (rows["Brennan-Prediger"][0], rows["Brennan-Prediger"][3]) == ("0.640", "0.600")
    assert (rows["Gwet's AC1"][0], rows["Gwet's AC1"][3]) == ("0.731", "0.756")
    assert all(row[2] == row[5] == "25" for row in rows.values())


def test_a_table_says_what_its_figures_rest_on(broader: AgreementReport) -> None:
    """Raters, categories, interval methods and version stand with the table."""
    (grid,) = grids(under(blocks_of(broader), "Coefficients"))[:1]
    assert grid.caption.startswith("2 coders (ann, bob); 2 declared categories (yes, no); CI: 95 %")
    assert "Wilson score interval over units for observed" in grid.caption
    assert grid.caption.endswith(f"reviewkit {__version__}.")


def test_the_confusion_matrix_has_its_totals(paradox: AgreementReport) -> None:
    """Rows are the first rater, columns the second, with the sums of both."""
    (grid,) = (
        each for each in grids(blocks_of(paradox)) if each.caption.startswith("Confusion matrix, v")
    )
    assert grid.caption == "Confusion matrix, verdict, rows: ann, columns: bob."
    assert grid.rows == (
        ("accepted", "0", "1", "0", "1"),
        ("needs_fix", "4", "19", "1", "24"),
        ("rejected", "0", "0", "0", "0"),
        ("all", "4", "20", "1", "25"),
    )


def test_many_categories_are_told_by_their_most_frequent_mix_ups(
    of_table: OfTable, make_report: MakeReport
) -> None:
    """Past nine categories no matrix is printed, but which two labels are taken for each other."""
    q = 11
    table = [[3 if row == column else 0 for column in range(q)] for row in range(q)]
    table[2][5], table[7][1] = 4, 9
    blocks = blocks_of(make_report(of_table(table, [f"c{at}" for at in range(q)])))
    (grid,) = (each for each in grids(blocks) if "most frequent" in each.caption)
    assert grid.caption == "labels: the most frequent of 2 kinds of disagreement"
    assert grid.rows == (("c7", "c1", "9"), ("c2", "c5", "4"))


def test_two_categories_have_positive_and_negative_agreement(broader: AgreementReport) -> None:
    """Specific agreement is 2a / (2a + b + c) for each, under the names the field uses."""
    (grid,) = grids(under(blocks_of(broader), "Each category"))
    assert "positive and negative agreement" in grid.caption
    assert [row[:2] for row in grid.rows] == [("yes", "94.9 %"), ("no", "97.3 %")]


def test_each_two_raters_the_lowest_first(five: AgreementReport) -> None:
    """Ten pairs are listed with counts, share, interval and kappa, and the mean kappa is said."""
    (pairs, shares, without) = grids(under(blocks_of(five), "Raters"))
    assert len(pairs.rows) == 10
    assert "Light 1971" in pairs.caption
    known = {(each.one, each.other): each for each in five.parts[0].measured.pairs}
    order = [each.agree / each.n for each in known.values()]
    lowest = min(known.values(), key=lambda each: each.agree / each.n)
    assert order != sorted(order)
    assert pairs.rows[0][2:4] == (str(lowest.agree), str(lowest.n))
    assert shares.header == ("rater", "n", "\u2068نعم\u2069", "\u2068لا\u2069", "maybe")
    assert [row[0] for row in without.rows] == [
        "nobody", "ann", "\u2068بشرى\u2069", "cy", "dee", "eve",
    ]  # fmt: skip
    assert without.rows[0][1] == "59"


def test_more_raters_stand_in_a_square(five: AgreementReport) -> None:
    """Agree and n above the diagonal, kappa below it."""
    names = tuple(f"r{at}" for at in range(8))
    pairs = tuple(
        RaterPair(one, other, 20, 10 + at, None, 0.25, "", ((10, 5, 0),) * 3)
        for at, one in enumerate(names)
        for other in names[at + 1 :]
    )
    whole = five.parts[0]
    measured = replace(whole.measured, raters=names, pairs=pairs, shares=(), without=())
    report = replace(five, parts=(replace(whole, measured=measured),))
    blocks = under(blocks_of(report), "Raters")
    (square,) = grids(blocks)
    assert "* Insufficient, fewer than 25 units that both rated." in sentences(blocks)
    assert square.header == ("", *names)
    assert square.rows[0] == ("r0", "", *["10/20*"] * 7)
    assert square.rows[2][:5] == ("r2", "0.250", "0.250", "", "12/20*")


def test_pairs_of_twins_say_why_they_have_no_interval(five: AgreementReport) -> None:
    """An empty cell is never left without its reason."""
    whole = five.parts[0]
    reason = "No intervals for two raters alone: units come in clusters (template)"
    told = sentences(under(blocks_of(five), "Raters"))
    assert not any(each.startswith(reason) for each in told)
    pairs = tuple(replace(each, interval=None) for each in whole.measured.pairs)
    measured = replace(whole.measured, clusters=("template", 5), pairs=pairs)
    report = replace(five, parts=(replace(whole, measured=measured),))
    told = sentences(under(blocks_of(report), "Raters"))
    assert any(each.startswith(reason) for each in told)


def test_why_pairs_have_no_kappa_is_told_by_reason(five: AgreementReport) -> None:
    """Nine raters make 36 pairs: the reason is told once, with how many pairs and some of them."""
    names = tuple(f"r{at}" for at in range(9))
    pairs = tuple(
        RaterPair(
            one,
            other,
            30,
            30,
            None,
            None,
            "both raters used only the category yes",
            ((30, 0, 0), (0, 0, 0), (0, 0, 0)),
        )
        for at, one in enumerate(names)
        for other in names[at + 1 :]
    )
    whole = five.parts[0]
    measured = replace(whole.measured, raters=names, pairs=pairs, shares=(), without=())
    report = replace(five, parts=(replace(whole, measured=measured),))
    told = sentences(under(blocks_of(report), "Raters"))
    (why,) = (each for each in told if each.startswith("Kappa"))
    assert why == (
        "Kappa not defined for 36 pairs (r0 and r1; r0 and r2; r0 and r3; r0 and r4; r0 and r5;"
        " r0 and r6 and 30 more): both raters used only the category yes."
    )


def test_pairs_on_few_units_are_marked(of_table: OfTable, five: AgreementReport) -> None:
    """A pair of raters with fewer than 25 units in common carries no claim."""
    whole = five.parts[0]
    first, *rest = whole.measured.pairs
    pairs = (replace(first, n=10, agree=2), *rest)
    measured = replace(whole.measured, pairs=pairs)
    blocks = under(blocks_of(replace(five, parts=(replace(whole, measured=measured),))), "Raters")
    (table, *_) = grids(blocks)
    assert table.rows[0][2:4] == ("2", "10 *")
    assert "*" not in table.rows[1][3]
    assert "* Insufficient, fewer than 25 units that both rated." in sentences(blocks)


def test_checks_stand_from_the_most_to_the_least_agreement(study: AgreementReport) -> None:
    """The table of checks is ordered as its plot is, each with its nature."""
    blocks = under(blocks_of(study), "Each check")
    _, figures, intervals = grids(blocks)
    assert [row[:2] for row in figures.rows] == [
        ("one_variable", "structural"), ("fields", "structural"), ("bounded_length", "judgement"),
        ("natural", "judgement"),
    ]  # fmt: skip
    assert figures.header[6:] == ("kappa", "PABAK = BP(2)", "AC1", "alpha")
    assert "CI of kappa" in intervals.header


def test_two_heaps_of_checks_are_seen(study: AgreementReport) -> None:
    """How many checks agree how far, by nature, with the answers of each nature added up."""
    spread, *_ = grids(under(blocks_of(study), "Each check"))
    assert spread.header == (
        "checks", "100 %", "90 % or more", "75 to 90 %", "50 to 75 %", "below 50 %",
        "decisions that agree",
    )  # fmt: skip
    assert spread.rows == (
        ("structural", "2", "0", "0", "0", "0", "50 of 50 (100.0 %)"),
        ("judgement", "0", "0", "0", "1", "1", "27 of 47 (57.4 %)"),
    )


def test_insufficient_rows_are_named(study: AgreementReport) -> None:
    """A row on fewer than 25 units is marked, and a sentence with the word says which."""
    blocks = under(blocks_of(study), "Each check")
    _, figures, _ = grids(blocks)
    assert [row[3] for row in figures.rows] == ["25", "25", "30", "17 *"]
    assert "* Insufficient, fewer than 25 cards with two ratings: natural." in sentences(blocks)
    assert any(each.startswith("fields: kappa not defined, both") for each in sentences(blocks))


def test_groups_stand_under_the_column_that_makes_them(study: AgreementReport) -> None:
    """Two columns to split by make two sections."""
    blocks = blocks_of(study)
    first, _ = grids(under(blocks, "By source"))
    second, _ = grids(under(blocks, "By length"))
    assert [row[0] for row in first.rows] == ["press", "radio"]
    assert [row[0] for row in second.rows] == ["long"]


def test_plots_of_groups_stand_under_their_column(
    of_table: OfTable, make_report: MakeReport
) -> None:
    """With several columns to split by, each has its plot in its own section."""
    whole = of_table([[20, 3], [2, 5]])
    groups = [
        of_table([[20, 3], [2, 5]], id=f"group:{column}:{value}", title=value, kind="group",
                 of="whole")
        for column, values in (("source", ("press", "radio")), ("length", ("long", "short")))
        for value in values
    ]  # fmt: skip
    blocks = blocks_of(make_report(whole, *groups))
    for column in ("source", "length"):
        (plot,) = (each for each in under(blocks, f"By {column}") if isinstance(each, Plot))
        assert plot.id == f"parts:group:{column}"
        assert plot.title == f"By {column}"


def test_disagreements_are_counted_in_what_they_are_on(study: AgreementReport) -> None:
    """A codebook of places counts places, and its disagreements are cards."""
    whole = study.parts[0]
    places = replace(whole, measured=replace(whole.measured, unit="place"))
    report = replace(study, parts=(places, *study.parts[1:]))
    assert "Raters differ on 2 places." in sentences(blocks_of(report))
    blocks = blocks_of(replace(report, listed_unit="card"))
    assert "Raters differ on 2 cards." in sentences(blocks)
    (grid,) = grids(under(blocks, "Disagreements"))
    assert grid.header[0] == "card"
    (grid,) = grids(under(blocks, "Candidates for a ruling or a design disagreement"))
    assert grid.header[-1] == "cards"


def test_a_caption_is_told_once_in_a_section(of_table: OfTable, make_report: MakeReport) -> None:
    """Tables that rest on the same say it once; in the next section it is said again."""
    whole = of_table([[20, 3], [2, 5]])
    pooled = of_table([[20, 3], [2, 5]], id="pooled", title="all checks", kind="pooled")
    check = of_table([[20, 3], [2, 5]], id="check:a", title="a", kind="check", nature="judgement")
    report = make_report(whole, pooled, check)
    foots = [each for each in grids(blocks_of(report)) if each.caption.startswith("2 raters")]
    assert len(foots) == 3
    foots = [
        each for each in grids(blocks_of(report, brief=True)) if each.caption.startswith("2 raters")
    ]
    assert len(foots) == 1


def test_disagreements_have_both_notes_side_by_side(study: AgreementReport) -> None:
    """Labels, what differs, and what each wrote; a unit without details leaves its cells empty."""
    (grid,) = grids(under(blocks_of(study), "Disagreements"))
    assert grid.header == (
        "card", "ann", "bob", "what differs (ann / bob)", "note of ann", "note of bob",
    )  # fmt: skip
    assert grid.rows == (
        ("T1-003", "accepted", "rejected", "natural: yes / no", "\u2068يبدو طبيعيا\u2069",
         "reads as <translated> & stiff"),
        ("T1-007", "rejected", "accepted", "", "", ""),
    )  # fmt: skip


def test_a_long_list_of_disagreements_is_cut_and_says_so(study: AgreementReport) -> None:
    """A file of a million units does not make a page of as many rows."""
    many = tuple(Disagreement(f"u{at}", ("yes", "no")) for at in range(30))
    blocks = under(blocks_of(replace(study, disagreements=many), 10), "Disagreements")
    (grid,) = grids(blocks)
    assert len(grid.rows) == 10
    assert "Raters differ on 30 cards. The first 10 follow; the JSON has every one." in (
        sentences(blocks)
    )


def test_what_was_left_out_is_named_with_its_part(paradox: AgreementReport) -> None:
    """Reason, number and the first units of it."""
    told = sentences(under(blocks_of(paradox), "What was left out"))
    assert told == ["accepted or not: 9, not decided in second (D-1, D-2 and 7 more)"]


def test_collapses_of_a_question_stand_below_it(of_table: OfTable, make_report: MakeReport) -> None:
    """A collapse that is not of the whole is a row under its own part."""
    whole = of_table([[20, 1], [1, 8]])
    first = of_table([[9, 1], [1, 8]], id="question:a", title="a", kind="question", of="whole")
    second = of_table([[9, 1], [1, 8]], id="question:b", title="b", kind="question", of="whole")
    coarse = of_table(
        [[9, 1], [1, 8]], id="collapse:a", title="a, binary", kind="collapse", of="question:a"
    )
    blocks = blocks_of(make_report(whole, first, second, coarse))
    (rows, *_) = grids(under(blocks, "Questions"))
    assert [row[0] for row in rows.rows] == ["a", "-\u00a0a, binary", "b"]
    (coefficients, *_) = grids(under(blocks, "Coefficients"))
    assert coefficients.header == ("", "value, q\u00a0=\u00a02", "CI", "n")


def test_a_report_without_a_whole_tells_each_field(
    of_table: OfTable, make_report: MakeReport
) -> None:
    """Each field has its sentence, its row and its tables, and its collapse stands with it."""
    table = [[9, 1, 0], [1, 8, 0], [0, 2, 7]]
    stance = of_table(table, ("for", "against", "N"), id="field:stance", title="stance",
                      kind="field")  # fmt: skip
    binary = of_table(
        table, ("for", "against", "N"), id="collapse:binary", title="binary", kind="collapse",
        of="field:stance", classes={"for": "taken", "against": "taken", "N": "none"},
    )  # fmt: skip
    refused = of_table([[20, 1], [1, 30]], id="field:refused", title="refused", kind="field")
    blocks = blocks_of(make_report(stance, binary, refused, rater_word="coder"))
    told = sentences(blocks)
    assert told[0].startswith("Stance: two coders agreed on 24 of 28 cards, 85.7 %")
    assert told[1].startswith("Binary: two coders agreed on 26 of 28 cards, 92.9 %")
    assert told[2].startswith("Refused: two coders agreed on 50 of 52 cards, 96.2 %")
    assert headings(blocks)[:4] == ["Agreement", "Fields", "stance", "refused"]
    (rows, *_) = grids(under(blocks, "Fields"))
    assert [row[0] for row in rows.rows] == ["stance", "-\u00a0binary", "refused"]
    coefficients, *matrices = grids(under(blocks, "stance"))
    assert coefficients.header[4] == "binary, q\u00a0=\u00a02"
    assert sum(each.caption.startswith("Confusion matrix") for each in matrices) == 2


def test_tables_that_a_terminal_leaves_out_are_named(
    of_table: OfTable, make_report: MakeReport
) -> None:
    """On a terminal the first three fields have tables; where the others are, is said."""
    parts = [
        of_table([[20, at], [1, 8]], id=f"field:f{at}", title=f"f{at}", kind="field")
        for at in range(1, 6)
    ]
    report = make_report(*parts, rater_word="coder")
    brief, whole = blocks_of(report, brief=True), blocks_of(report)
    assert headings(brief)[1:5] == ["Fields", "f1", "f2", "f3"]
    assert "f5" in headings(whole)
    said = "Who gave what, and agreement on each category, of f4; f5: in the Markdown, LaTeX,"
    assert any(each.startswith(said) for each in sentences(brief))
    assert not any("Who gave what" in each for each in sentences(whole))
    # intervals that stand in a table of their field are not told twice
    (intervals,) = (each for each in grids(brief) if "CI of kappa" in each.header)
    assert [row[0] for row in intervals.rows] == ["f4", "f5"]


def test_pooled_checks_are_in_the_first_sentences(
    of_table: OfTable, make_report: MakeReport
) -> None:
    """The check level, which says more than the verdict level, is not left to the tables."""
    whole = of_table([[20, 3], [2, 5]], ("accepted", "rejected"))
    pooled = of_table(
        [[74, 33], [17, 19]], id="pooled", title="all checks", kind="pooled", unit="check decision"
    )
    blocks = blocks_of(make_report(whole, pooled, rater_word="reviewer"))
    assert sentences(blocks)[1].startswith(
        "All checks: two reviewers agreed on 93 of 143 check decisions, 65.0 %"
    )
    assert "Checks" in headings(blocks)


def test_groups_of_a_question_and_of_terms_find_their_column(
    of_table: OfTable, make_report: MakeReport
) -> None:
    """A question's name before the column, or an id of another kind, does not confuse them."""
    table = [[9, 1], [1, 8]]
    parts = [
        of_table(table, id="question:a:b", title="a:b", kind="question"),
        of_table(table, id="group:a:b:source:x:y", title="source: x:y", kind="group",
                 of="question:a:b"),
        of_table(table, id="group:domain:work/field:f", title="work", kind="group", of="field:f"),
        of_table(table, id="term:f/حزب", title="حزب", kind="group", of="places:f"),
    ]  # fmt: skip
    told = headings(blocks_of(make_report(*parts)))
    assert [each for each in told if each[:3] == "By "] == ["By source", "By domain", "By term"]


def test_labels_of_many_raters_stand_in_one_cell(
    five: AgreementReport, make_report: MakeReport
) -> None:
    """With more raters than columns fit, who gave which label is told in words."""
    raters = tuple(f"r{at}" for at in range(7))
    differing = Disagreement("u1", ("yes", "no", "", "yes", "no", "no", "yes"), (), ("", "why?"))
    report = replace(five, raters=raters, disagreements=(differing,))
    (grid,) = grids(under(blocks_of(report), "Disagreements"))
    assert grid.header == ("unit", "labels", "notes")
    assert grid.rows == (("u1", "yes: r0, r3, r6; no: r1, r4, r5", "r1: why?"),)


def test_disagreements_of_nobody_in_particular(five: AgreementReport) -> None:
    """Where only counts are known, the counts stand in place of labels."""
    differing = Disagreement("u1", (), (("ratings", ("2 yes", "1 no")),))
    report = replace(five, raters=(), disagreements=(differing,))
    (grid,) = grids(under(blocks_of(report), "Disagreements"))
    assert (grid.header, grid.rows) == (
        ("unit", "what differs"), (("u1", "ratings: 2 yes / 1 no"),),
    )  # fmt: skip


def test_every_plot_stands_once_after_its_table(study: AgreementReport) -> None:
    """No plot is lost or shown twice, and that of the checks stands with the checks."""
    blocks = blocks_of(study)
    shown = [each.id for each in blocks if isinstance(each, Plot)]
    assert sorted(shown) == sorted(each.id for each in drawings_of(study))
    assert "checks:all" in [
        each.id for each in under(blocks, "Each check") if isinstance(each, Plot)
    ]
    places = [type(each) for each in under(blocks, "Each check")]
    assert places.index(Plot) > places.index(Grid)


def test_nothing_to_compare_still_makes_a_report(nothing: AgreementReport) -> None:
    """Undefined everywhere is a report with reasons."""
    blocks = blocks_of(nothing)
    (grid,) = grids(under(blocks, "Coefficients"))
    assert {row[1] for row in grid.rows} == {"undefined"}
    assert any("not defined, no unit has two ratings." in each for each in sentences(blocks))


def test_the_blocks_need_no_drawing() -> None:
    """Words and tables load neither matplotlib nor pandas nor scipy.stats."""
    code = (
        "import sys, reviewkit.agreement.reporting.render; "
        "print(sorted({'matplotlib', 'pandas', 'scipy.stats'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
