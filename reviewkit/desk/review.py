"""The review app: find the workspace, learn who is there, show the desk."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from reviewkit.decisions import Origin
from reviewkit.desk.session import Session
from reviewkit.desk.widget import Desk
from reviewkit.desk.wording import LANGUAGES, Wording
from reviewkit.problems import ReviewkitError
from reviewkit.rulings import rulings_log
from reviewkit.study import Hearing, LabelsClosed, Walk, known_person, load_study
from reviewkit.study.study import ADJUDICATION
from reviewkit.workspace import Workspace, find_workspace


class Nobody(ReviewkitError):
    """It is not known who sits at the desk."""


class SomebodyElse(ReviewkitError):
    """The notebook was given one name, and another person has logged in."""


def who_is_there(environ: Mapping[str, str]) -> tuple[str, str, str | None, bool]:
    """Return study, rater, pass (or None) and whether the page is served.

    With REVIEWKIT_PEOPLE=jupyterhub the rater of a notebook is who has logged in at the Hub.
    Raises Nobody, and SomebodyElse when the notebook names another than the Hub.
    """
    if environ.get("SERVER_SOFTWARE", "").startswith("voila"):
        # a kernel of a served page believes the server's word alone
        person = known_person(environ)
        if person is None:
            raise Nobody("no personal link; open the link that the lead sent you")
        return person.study, person.rater, person.pass_, True
    study, rater = environ.get("REVIEWKIT_STUDY"), environ.get("REVIEWKIT_RATER")
    if environ.get("REVIEWKIT_PEOPLE") == "jupyterhub":
        user = environ.get("JUPYTERHUB_USER")
        if not user:
            raise Nobody("the Hub names nobody; open the notebook in a server that the Hub starts")
        if rater and rater != user:
            raise SomebodyElse(
                f"you have logged in as {user}, and this notebook is opened as {rater}; take "
                f"that name out of the notebook and of REVIEWKIT_RATER, or log in as {rater}"
            )
        rater = user
    if not study or not rater:
        raise Nobody("no known person; start with `reviewkit review --as NAME`")
    return study, rater, environ.get("REVIEWKIT_PASS"), False


def review(study: str | None = None, rater: str | None = None) -> Desk:
    """Return the desk of the person this kernel belongs to.

    In JupyterLab ``reviewkit review`` tells the kernel the study and the rater; both can be named
    here instead. A served page knows its person by the personal link alone. Whatever is at fault
    is said on the page itself.
    """
    return _open(study, rater, open_session)


def code(study: str | None = None, rater: str | None = None) -> Desk:
    """Return the desk of a coder; the same as ``review``, on responses."""
    return _open(study, rater, open_session)


def adjudicate(study: str | None = None, adjudicator: str | None = None) -> Desk:
    """Return the desk of the adjudicator; it opens once every pass of the round is locked."""
    return _open(study, adjudicator, open_hearing)


def _open(
    study: str | None, person: str | None, open_one: Callable[[Mapping[str, str]], Session]
) -> Desk:
    environ = dict(os.environ)
    if study is not None:
        environ["REVIEWKIT_STUDY"] = study
    if person is not None:
        environ["REVIEWKIT_RATER"] = person
    try:
        session = open_one(environ)
    except Nobody as error:
        return Desk(_say_only(lambda wording: wording.say("nobody")), closed=str(error))
    except LabelsClosed as error:
        waiting = list(error.waiting)
        return Desk(
            _say_only(
                lambda wording: wording.say("hearing_closed", passes=wording.listed(waiting)),
                why="closed",
            ),
            closed=str(error),
        )
    except ReviewkitError as error:
        sentence = str(error)
        return Desk(_say_only(lambda _wording: sentence, why="failed"), closed=sentence)
    return Desk(session.answer, afterwards=session.afterwards)


def open_session(environ: Mapping[str, str]) -> Session:
    """Open the pass of the person named in the environment."""
    study, rater, pass_name, served = who_is_there(environ)
    ws = find_workspace()
    walk = Walk(ws, study, rater, pass_name=pass_name, origin="voila" if served else "lab")
    rulings = rulings_log(ws)

    def file_url(file: str) -> str | None:
        # only JupyterLab can open the file; a served page has no file server
        return None if served else f"lab/tree/{file}"

    return Session(walk, rulings, file_url=file_url)


def open_hearing(environ: Mapping[str, str]) -> Session:
    """Open the adjudication of the person named in the environment."""
    study, name, pass_name, served = who_is_there(environ)
    if served and pass_name != ADJUDICATION:
        raise Nobody("this link is not the adjudicator's; ask the lead for that one")
    ws = find_workspace()
    hearing = _latest_hearing(ws, study, name, "voila" if served else "lab")
    return Session(hearing, rulings_log(ws))


def _latest_hearing(ws: Workspace, study: str, name: str, origin: Origin) -> Hearing:
    """Return the adjudication of the latest round that is open.

    A new round that is being coded does not close the earlier one. Raises LabelsClosed for the
    last round when none is open.
    """
    closed: LabelsClosed | None = None
    for round_ in reversed(load_study(ws, study).rounds):
        try:
            return Hearing(ws, study, name, origin=origin, round_name=round_.round)
        except LabelsClosed as error:
            closed = closed or error
    raise closed or Nobody("the study has no round; look at its study.yaml")


def _say_only(
    sentence: Callable[[Wording], str], *, why: str = "nobody"
) -> Callable[[Any], dict[str, Any]]:
    """Return a ``receive`` that answers every message with one sentence on an empty page."""

    def receive(content: Any) -> dict[str, Any]:
        fields = content if isinstance(content, dict) else {}
        language = fields.get("language") or fields.get("to")
        wording = Wording(language if isinstance(language, str) else "en")
        number = fields.get("id")
        view: dict[str, Any] = {
            "language": wording.language,
            "direction": wording.direction,
            "languages": [list(each) for each in LANGUAGES],
            "strings": wording.page_strings(),
            "state": "nobody",
            "why": why,
            "message": sentence(wording),
        }
        return {"kind": "page", "re": number if isinstance(number, int) else 0, "view": view}

    return receive
