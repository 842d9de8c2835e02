"""Who may open what is the lead's: in JupyterLab whoever has the folder, served his own link."""

from __future__ import annotations

from collections.abc import Mapping

from reviewkit.problems import ReviewkitError
from reviewkit.study import Person, known_person
from reviewkit.study.opening import LEAD


class NotTheLead(ReviewkitError):
    """The page is the lead's, and somebody else is here."""


def is_served(environ: Mapping[str, str]) -> bool:
    """Return whether this kernel belongs to a served page."""
    return environ.get("SERVER_SOFTWARE", "").startswith("voila")


def the_lead(environ: Mapping[str, str]) -> Person | None:
    """Return the lead of a served page, None in JupyterLab; raises NotTheLead for anybody else."""
    if not is_served(environ):
        return None
    # a kernel of a served page believes the server's word alone
    person = known_person(environ)
    if person is None or person.pass_ != LEAD:
        raise NotTheLead("this page opens with the lead's own link alone")
    return person
