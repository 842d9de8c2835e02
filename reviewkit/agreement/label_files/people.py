"""Which votes are those of people: gold, final and curated labels are nobody's."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

import numpy as np

from reviewkit.agreement.label_files.asked import Asked
from reviewkit.agreement.label_files.tables.column_words import why_no_rater
from reviewkit.agreement.label_files.together import Together
from reviewkit.agreement.label_files.votes import Votes
from reviewkit.problems import Problem, ProblemsFound

_SHOWN = 12


def of_people(files: Together, asked: Asked) -> Together:
    """Return the votes of people; who is none stays by name, with the reason.

    When raters are declared by name, they alone are kept.

    Raises:
        ProblemsFound: For a declared rater who has no vote, or when nobody is named at all.
    """
    votes = files.votes
    if votes.anonymous:
        if asked.raters:
            wrong = "does not say who gave a rating, so none can be chosen by a name"
            raise ProblemsFound([Problem(votes.shown, wrong, "leave --raters out")])
        return files
    aside = _no_raters(votes, asked)
    if not aside:
        return files
    kept = np.array([name not in aside for name in votes.rater.values] + [True])
    told = replace(votes, raters_set_aside={**votes.raters_set_aside, **aside})
    return replace(files, votes=told).only(kept[votes.rater.codes])


def _no_raters(votes: Votes, asked: Asked) -> dict[str, str]:
    """Return the names in the column of raters that are none, and why.

    Raises:
        ProblemsFound: For a declared rater who is not there.
    """
    names = votes.rater.values
    if asked.raters:
        if strange := [name for name in asked.raters if name not in names]:
            raise ProblemsFound([_nobody(name, votes) for name in strange])
        return dict.fromkeys(
            (name for name in names if name not in asked.raters), "it is not among --raters"
        )
    whys = {
        name: "it is declared gold" if name in asked.gold else why_no_rater(name) for name in names
    }
    return {name: why for name, why in whys.items() if why is not None}


def _nobody(name: str, votes: Votes) -> Problem:
    known = [*votes.rater.values, *votes.raters_set_aside]
    near = get_close_matches(name, known, n=1)
    remedy = f"did you mean {near[0]!r}?" if near else f"use {', '.join(known[:_SHOWN])}"
    return Problem(f"--raters {name}", f"{votes.shown} has no rater of this name", remedy)
