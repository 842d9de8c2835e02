"""Whose desk a kernel opens: by the command, by a JupyterHub, by the server of a page."""

from __future__ import annotations

import pytest

from reviewkit.desk.review import Nobody, SomebodyElse, who_is_there
from reviewkit.study.links import PERSON_VARIABLE, Person

IN_THE_HUB = {
    "REVIEWKIT_PEOPLE": "jupyterhub",
    "REVIEWKIT_STUDY": "demo",
    "JUPYTERHUB_USER": "amal",
}


def test_in_a_server_of_the_hub_it_is_who_logged_in() -> None:
    """The Hub's name is the rater's, and saying the same name twice does no harm."""
    assert who_is_there(IN_THE_HUB) == ("demo", "amal", None, False)
    assert who_is_there(IN_THE_HUB | {"REVIEWKIT_RATER": "amal"})[1] == "amal"


@pytest.mark.parametrize("people", [{}, {"REVIEWKIT_PEOPLE": "links"}, {"REVIEWKIT_PEOPLE": ""}])
def test_the_hub_is_asked_only_when_it_is_said(people: dict[str, str]) -> None:
    """A Hub that knows nothing of reviewkit names nobody, and does not change who was named."""
    alone = {"REVIEWKIT_STUDY": "demo", "JUPYTERHUB_USER": "amal", **people}
    with pytest.raises(Nobody, match="no known person"):
        who_is_there(alone)
    assert who_is_there(alone | {"REVIEWKIT_RATER": "badr"})[1] == "badr"


def test_a_notebook_of_somebody_else_is_refused() -> None:
    """Who has logged in cannot open the desk under another name."""
    with pytest.raises(SomebodyElse, match=r"logged in as amal.*opened as badr"):
        who_is_there(IN_THE_HUB | {"REVIEWKIT_RATER": "badr"})


def test_a_server_that_names_nobody_is_refused() -> None:
    """REVIEWKIT_RATER does not take the place of the Hub's word."""
    for user in ({}, {"JUPYTERHUB_USER": ""}):
        with pytest.raises(Nobody, match="the Hub names nobody"):
            who_is_there(
                {"REVIEWKIT_PEOPLE": "jupyterhub", "REVIEWKIT_STUDY": "demo",
                 "REVIEWKIT_RATER": "amal", **user}
            )  # fmt: skip


def test_a_served_page_never_asks_the_hub() -> None:
    """Its kernel believes what the server says, whatever else is in the environment."""
    served = {"SERVER_SOFTWARE": "voila/0.5", **IN_THE_HUB, "REVIEWKIT_RATER": "amal"}
    with pytest.raises(Nobody, match="no personal link"):
        who_is_there(served)
    person = Person("demo", "second", "badr").to_text()
    known = who_is_there(served | {PERSON_VARIABLE: person})
    assert known == ("demo", "badr", "second", True)
