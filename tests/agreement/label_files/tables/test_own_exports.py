"""The tables that ``reviewkit labels`` writes, read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewkit.agreement import read
from reviewkit.problems import ProblemsFound

LONG = """card,group,field,pass,rater,act,state,value,unsure,record,form,rule_version,time
c1,g1,rationale,first,rater-1,coding,coded,E,no,a,rationale@1,1,2026-01-01
c1,g1,evidence,first,rater-1,coding,coded,yes,no,a,rationale@1,1,2026-01-01
c1,g1,rationale,second,rater-2,coding,coded,D,no,b,rationale@1,1,2026-01-01
c1,g1,evidence,second,rater-2,coding,coded,yes,no,b,rationale@1,1,2026-01-01
c1,g1,rationale,adjudication,adjudicator,ruling,coded,E,no,c,rationale@1,1,2026-01-02
c2,g1,rationale,first,rater-1,coding,coded,E,no,d,rationale@1,1,2026-01-01
c2,g1,evidence,first,rater-1,coding,coded,no,no,d,rationale@1,1,2026-01-01
c2,g1,rationale,second,rater-2,coding,coded,E,no,e,rationale@1,1,2026-01-01
c2,g1,evidence,second,rater-2,coding,coded,yes,no,e,rationale@1,1,2026-01-01
"""
WIDE = """card,group,rationale.coder_1,rationale.coder_2,rationale.final,rationale.route
c1,g1,E,D,E,adjudicated
c2,g1,E,E,E,agreed
"""
FINAL = """card,group,field,code_1,code_2,coder_1,coder_2,final,route,reason
c1,g1,rationale,E,D,rater-1,rater-2,E,adjudicated,
"""
SPANS = """card,field,pass,rater,act,start,end,code,flags,term,source
c1,places,first,rater-1,coding,0,4,loaded,,,coder
"""
DICTIONARY = "column,meaning,values\ncard,id of the card,\n"


def _written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_table_of_codings_needs_no_option(tmp_path: Path) -> None:
    """Each field is a question, raters are the pseudonyms, and the adjudicator is none."""
    reading = read(_written(tmp_path, "long.csv", LONG))
    assert [each.question for each in reading.questions] == ["rationale", "evidence"]
    for each in reading.questions:
        assert each.raters == ("rater-1", "rater-2")
    assert any("adjudicator" in sentence for sentence in reading.understood)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("wide.csv", WIDE, "table of final labels"),
        ("final.csv", FINAL, "table of final labels"),
        ("spans.csv", SPANS, "table of spans"),
        ("long.dictionary.csv", DICTIONARY, "data dictionary"),
    ],
)
def test_what_holds_no_votes_side_by_side_is_refused(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    """Routes and final codes are no raters: the table to read in their place is named."""
    with pytest.raises(ProblemsFound, match=said):
        read(_written(tmp_path, name, text))


def test_columns_that_are_named_are_read(tmp_path: Path) -> None:
    """Whoever names the coders' columns of the wide table has them read."""
    path = _written(tmp_path, "wide.csv", WIDE)
    (ratings,) = read(path, raters=("rationale.coder_1", "rationale.coder_2")).questions
    assert len(ratings.raters) == 2
