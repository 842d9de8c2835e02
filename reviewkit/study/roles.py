"""Roles: what a person with a link for a pass comes to do."""

from __future__ import annotations

from typing import Literal

from reviewkit.study.study import ADJUDICATION, LEAD

Role = Literal["rater", "adjudicator", "lead"]
_ROLES: dict[str, Role] = {ADJUDICATION: "adjudicator", LEAD: "lead"}


def role_of(pass_name: str) -> Role:
    """Return what a person with a link for this pass comes to do."""
    return _ROLES.get(pass_name, "rater")
