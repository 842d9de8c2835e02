"""Tables of words and figures in a terminal and in Markdown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviewkit.agreement.reporting.blocks import (
    GRID_WIDTH,
    Grid,
    Heading,
    Plot,
    Points,
    Sentence,
    blocks_as_markdown,
    blocks_as_text,
    display_width,
    prose,
    shown,
)


def lines_of(grid: Grid) -> list[str]:
    """Return the table as terminal lines."""
    return blocks_as_text([grid]).splitlines()


def test_words_wrap_in_their_cells_and_figures_stay() -> None:
    """A wide table folds its words at spaces; no figure is broken and no line is too long."""
    note = "the second twin adds a clause that the first one does not have " * 2
    grid = Grid(
        ("card", "note of ann", "note of bob", "0.123 to 0.456"),
        (("T1-003", note, note, "0.100 to 0.300"),),
        frozenset({0, 1, 2}),
    )
    lines = lines_of(grid)
    assert max(map(display_width, lines)) <= GRID_WIDTH
    assert sum("0.100 to 0.300" in line for line in lines) == 1
    assert lines[1].startswith("T1-003  the second twin")
    assert lines[2].startswith("        ")
    words = [word for line in lines[1:] for word in line.split()]
    assert sorted(words) == sorted(["T1-003", "0.100", "to", "0.300", *note.split() * 2])


def test_too_many_columns_go_on_below() -> None:
    """What does not fit beside the row's name follows under it, with the name again."""
    names = tuple(f"rater number {at}" for at in range(30))
    grid = Grid(("", *names), (("first", *map(str, range(30))), ("second", *map(str, range(30)))))
    lines = lines_of(grid)
    assert max(map(display_width, lines)) <= GRID_WIDTH
    assert sum(line.startswith("first") for line in lines) > 1
    told = [cell for line in lines if line.startswith("second") for cell in line.split()[1:]]
    assert told == [str(at) for at in range(30)]


def test_titles_wrap_before_words_do() -> None:
    """A long title makes its column no wider than its figures need."""
    grid = Grid(
        ("", *["a rather long title, q = 3"] * 5),
        (("Brennan-Prediger (q = 3)", *["0.640"] * 5),),
    )
    lines = lines_of(grid)
    assert lines[-1].startswith("Brennan-Prediger (q = 3)")
    assert max(map(display_width, lines)) <= GRID_WIDTH
    assert lines[-2].split().count("3") >= 1


def test_arabic_wraps_with_each_line_isolated() -> None:
    """No isolate is left open at the end of a line, so no line changes the order of the next."""
    note = "يبدو النص طبيعيا لكن الجملة الثانية طويلة جدا ولا يمكن قراءتها بسهولة " * 3
    grid = Grid(("card", "note"), ((shown("رد-1"), shown(note)),), frozenset({0, 1}))
    lines = lines_of(grid)
    assert len(lines) > 2
    assert all(line.count("\u2068") == line.count("\u2069") for line in lines)
    assert max(map(display_width, lines)) <= GRID_WIDTH


@given(
    st.integers(1, 8).flatmap(
        lambda n: st.tuples(
            st.lists(
                st.lists(st.text("ab نعم0.|", max_size=40), min_size=n, max_size=n),
                min_size=1, max_size=5,
            ),
            st.frozensets(st.integers(0, n - 1)),
        )
    )
)  # fmt: skip
def test_any_table_is_told_in_full(drawn: tuple[list[list[str]], frozenset[int]]) -> None:
    """Whatever stands in the cells, every character of it is in the text."""
    rows, left = drawn
    cells = [[shown(cell) for cell in row] for row in rows]
    grid = Grid(tuple(cells[0]), tuple(map(tuple, cells)), left)
    told = blocks_as_text([grid])
    for letter in "abنع0|":
        assert told.count(letter) >= sum(cell.count(letter) for row in cells for cell in row)


def test_a_percent_sign_stays_with_its_number() -> None:
    """A line never ends between a number and its sign."""
    text = blocks_as_text([Sentence("agreed on some of them, " * 3 + "that is 96.5 % of all")])
    assert "96.5 %" in text
    wrapped = blocks_as_text([Sentence("x" * 84 + " 95 % CI")])
    assert wrapped.splitlines() == ["x" * 84, "95 % CI"]


def test_a_plot_is_a_picture_where_there_is_a_file() -> None:
    """Markdown shows the file with its words and its caption; a terminal shows nothing."""
    plot = Plot("confusion:whole", "Confusion matrix; n = 25.", "19 of 25 [agree]")
    assert blocks_as_text([Heading("A", 1), plot]) == "A\n=\n"
    assert blocks_as_markdown([plot]) == "\n"
    told = blocks_as_markdown([plot], {"confusion:whole": "plots/a b(1).svg"})
    assert told == (
        "![19 of 25 \\[agree\\]](plots/a%20b%281%29.svg)\n\nConfusion matrix; n = 25.\n"
    )


def test_a_caption_stands_above_its_table() -> None:
    """What the figures rest on is read before them, in both forms."""
    grid = Grid(("", "n"), (("a", "1"),), caption="2 raters; q = 2.")
    assert blocks_as_text([grid]) == "2 raters; q = 2.\n\n   n\na  1\n"
    assert blocks_as_markdown([grid]).startswith("2 raters; q = 2.\n\n|  | n |\n")


def test_a_sentence_keeps_its_direction_whatever_it_begins_with() -> None:
    """Only a name is isolated whole; a sentence that begins with one reads from left to right."""
    assert shown("نعم (1) or so") == "\u2068نعم (1) or so\u2069"
    assert prose("نعم stands beside لا on 3 cards") == (
        "\u2068نعم\u2069 stands beside \u2068لا\u2069 on 3 cards"
    )
    named = f"{shown('نعم (1)')}: kappa not defined, only نعم was used"
    assert prose(named) == "\u2068نعم (1)\u2069: kappa not defined, only \u2068نعم\u2069 was used"
    assert prose(prose(named)) == prose(named)
    assert prose("a\u202eb\u2068c\nd") == "a b c d".replace("b c", "bc")


def test_a_sentence_that_begins_with_a_name_leads_in_its_own_direction() -> None:
    """Whoever guesses direction by the first letter finds a mark of the sentence's own first."""
    sentence = prose("نعم stands beside لا")
    marked = "\u200e\u2068نعم\u2069 stands beside \u2068لا\u2069"
    assert blocks_as_text([Sentence(sentence)]) == f"{marked}\n"
    assert blocks_as_text([Points((sentence,))]) == f"- {marked}\n"
    assert blocks_as_markdown([Sentence(sentence)]) == f"{marked}\n"
    assert blocks_as_markdown([Points((sentence,))]) == f"- {marked}\n"
    # a title that is a name keeps its own direction, and so does a cell
    assert blocks_as_text([Heading(shown("نعم"), 1)]).startswith("\u2068نعم\u2069\n")


def test_a_sentence_in_a_cell_is_not_turned_by_the_name_it_begins_with() -> None:
    """Folded lines of a reason keep single runs isolated, those of a note the whole line."""
    reason = prose("نعم stands beside لا on 3 of the 8 cards with either, and not the other way")
    grid = Grid(("what", "why", "x" * 60), (("a", reason, "1"),), frozenset({0, 1}))
    lines = lines_of(grid)
    assert len(lines) > 2
    assert "\u2068نعم\u2069 stands" in lines[1]
    assert all(line.count("\u2068") == line.count("\u2069") for line in lines)


def test_no_isolate_is_open_at_the_end_of_a_line_of_a_sentence() -> None:
    """A long name that is broken over lines is closed and opened again."""
    name = shown("المرور الأول من الدراسة الثانية في المدينة القديمة بعد المراجعة الأخيرة " * 3)
    lines = blocks_as_text([Sentence(f"Two raters, {name} and bob, agreed.")]).splitlines()
    assert len(lines) > 2
    assert all(line.count("\u2068") == line.count("\u2069") == 1 for line in lines)


def test_shown_twice_is_shown_once() -> None:
    """A text that was isolated already gains and loses nothing."""
    for text in ("نعم (1)", "used only نعم here", "(نعم)", "plain"):
        assert shown(shown(text)) == shown(text)
