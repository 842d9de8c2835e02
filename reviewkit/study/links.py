"""Personal secret links: who may open the desk, and as whom.

A link is 32 random bytes that exist twice, in the reviewer's mail and, as a SHA-256, in
``.reviewkit/links.jsonl``. That file only grows: making, renewing and revoking are acts, one JSON
object a line, and the latest act on a person's link counts.

Where a proxy or a JupyterHub says who somebody is, his name takes the place of the secret, and the
same links say what that person may do and until when.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from reviewkit.decisions.lines import LedgerBroken
from reviewkit.decisions.records import Digest, Word
from reviewkit.decisions.stores import Lines, Pen, store_of
from reviewkit.decisions.stores.file_lines import FileLines
from reviewkit.digests import canonical_json
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError
from reviewkit.study.link_lines import Acts, keep_private
from reviewkit.workspace import Workspace

PERSON_HEADER = "X-Reviewkit-Person"
PERSON_VARIABLE = "HTTP_X_REVIEWKIT_PERSON"
"""How the server tells a kernel whom it works for; a browser cannot set it."""

TOKEN_BYTES = 32
LINK_DAYS = 90
"""A new link ends after so many days, unless its maker says otherwise."""


class LinkUnknown(ReviewkitError):
    """No link like this was ever made here."""


class LinkRevoked(ReviewkitError):
    """The link was revoked or renewed."""


class LinkExpired(ReviewkitError):
    """The link worked until a date that has passed."""


class LinkOfAnotherStudy(ReviewkitError):
    """The link is good, but not for the study that is being served."""


class LinkExists(ReviewkitError):
    """This person already has a working link, and it cannot be shown again."""


class LinksBroken(ReviewkitError):
    """A line of the links file cannot be read."""


@dataclass(frozen=True, slots=True, order=True)
class Person:
    """Whom a link stands for: one rater in one pass of one study."""

    study: str
    pass_: str
    rater: str

    def to_text(self) -> str:
        """Return the one line of ASCII JSON that travels to the kernel."""
        return json.dumps(
            {"pass": self.pass_, "rater": self.rater, "study": self.study}, sort_keys=True
        )


def known_person(environ: Mapping[str, str]) -> Person | None:
    """Return the person that the server named in a kernel's environment, if it named one."""
    try:
        named = json.loads(environ.get(PERSON_VARIABLE, ""))
        words = [_WORD.validate_python(named[key]) for key in ("study", "pass", "rater")]
    except (ValueError, KeyError, TypeError):
        return None
    return Person(*words)


class LinkAct(BaseModel):
    """One line of the links file."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, populate_by_name=True)

    act: Literal["made", "renewed", "revoked"]
    link: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
    """Names the link in cookies and lists; it opens nothing."""
    study: Word
    pass_: Annotated[Word, Field(alias="pass")]
    rater: Word
    sha256: Digest | None = None
    time: AwareDatetime
    expires: AwareDatetime | None = None

    @model_validator(mode="after")
    def _has_a_secret_unless_revoked(self) -> LinkAct:
        if (self.act == "revoked") != (self.sha256 is None):
            raise ValueError("sha256 belongs to made and renewed, and to nothing else")
        return self


@dataclass(frozen=True, slots=True)
class Link:
    """One link as the lead sees it: whose it is and whether it works, never the secret."""

    link: str
    person: Person
    sha256: str
    made: datetime
    expires: datetime | None
    revoked: datetime | None

    def works(self, now: datetime | None = None) -> bool:
        """Return whether the link opens the desk at ``now`` (default: this moment)."""
        return self.revoked is None and not self.has_expired(now)

    def has_expired(self, now: datetime | None = None) -> bool:
        """Return whether its date has passed; older links may have none and never end."""
        return self.expires is not None and (now or datetime.now(UTC)) >= self.expires

    def seconds_left(self) -> float | None:
        """Return how long it will still work, in seconds; None when it has no end."""
        if self.expires is None:
            return None
        return max(0.0, (self.expires - datetime.now(UTC)).total_seconds())


_WORD: TypeAdapter[str] = TypeAdapter(Word)


class LinkBook:
    """All links of a project folder: read from and appended to one file, or the database."""

    def __init__(self, path: Path, lines: Lines | None = None) -> None:
        self.path = path
        self._lines: Lines = FileLines(path, str(path)) if lines is None else lines
        self._acts = Acts(_act_of)
        self._seen: tuple[LinkAct, ...] = ()
        self._links: dict[str, Link] = {}
        self._threads = threading.RLock()

    def make(self, study: str, pass_: str, rater: str, *, expires: datetime | None = None) -> str:
        """Return the secret of a new link, the only time it is seen.

        It ends at ``expires``, by default after LINK_DAYS.
        Raises LinkExists when this person has a working link, ProblemsFound for unusable names.
        """
        person = _checked(study, pass_, rater)
        with self._locked() as pen:
            if self._working(person):
                raise LinkExists(
                    f"{rater} already has a link for pass {pass_} of study {study} and it cannot "
                    f"be shown again; `reviewkit link renew {rater} --study {study} --pass {pass_}`"
                    " ends it and makes a new one"
                )
            return self._append_new(pen, "made", person, expires)

    def renew(self, study: str, pass_: str, rater: str, *, expires: datetime | None = None) -> str:
        """Return the secret of a new link; the earlier one and its sessions end at once.

        Raises LinkUnknown when this person never had a link.
        """
        person = _checked(study, pass_, rater)
        with self._locked() as pen:
            if not any(link.person == person for link in self._read().values()):
                raise LinkUnknown(
                    f"{rater} has no link for pass {pass_} of study {study}; make one first"
                )
            return self._append_new(pen, "renewed", person, expires)

    def revoke(self, study: str, rater: str) -> tuple[Link, ...]:
        """End every working link of this rater in the study and return what was ended.

        Raises LinkUnknown when there is nothing to end.
        """
        with self._locked() as pen:
            ended = tuple(link for link in self.of(study, rater) if link.works())
            if not ended:
                raise LinkUnknown(
                    f"{rater} has no working link in study {study}; `reviewkit link list --study "
                    f"{study}` shows whose there are"
                )
            for link in ended:
                self._append(pen, _act("revoked", link.link, link.person, None, None))
            return ended

    def list(self) -> tuple[Link, ...]:
        """Return every link ever made, in the order of making."""
        return tuple(self._read().values())

    def find(self, link: str) -> Link | None:
        """Return the link of this name, whether or not it works."""
        return self._read().get(link)

    def working(self, link: str) -> Link | None:
        """Return the link of this name while it works: asked on every request of a session."""
        found = self.find(link)
        return found if found is not None and found.works() else None

    def of(self, study: str, rater: str) -> tuple[Link, ...]:
        """Return every link that this person ever had in the study, working or not."""
        return tuple(
            link
            for link in self._read().values()
            if (link.person.study, link.person.rater) == (study, rater)
        )

    def who(self, token: str) -> Person | None:
        """Return whom this secret stands for, or None."""
        found = self._find(token)
        return found.person if found is not None and found.works() else None

    def admit(self, token: str, study: str) -> Link:
        """Return the link that this secret opens in ``study``.

        Raises LinkUnknown, LinkRevoked, LinkExpired or LinkOfAnotherStudy.
        """
        found = self._find(token)
        if found is None:
            raise LinkUnknown("this link opens nothing here; ask the lead for a new one")
        if found.revoked is not None:
            raise LinkRevoked("this link no longer works; ask the lead for a new one")
        if found.has_expired():
            raise LinkExpired("the time of this link is over; ask the lead for a new one")
        if found.person.study != study:
            raise LinkOfAnotherStudy(
                f"this link is for study {found.person.study} and not for {study}; "
                f"ask the lead for the address of that study"
            )
        return found

    def _find(self, token: str) -> Link | None:
        digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
        found = None
        # Every link is compared, so that the time taken says nothing about any of them.
        for link in self._read().values():
            if hmac.compare_digest(link.sha256, digest):
                found = link
        return found

    def _working(self, person: Person) -> bool:
        return any(link.person == person and link.works() for link in self._read().values())

    @contextmanager
    def _locked(self) -> Generator[Pen]:
        with self._threads, _told():
            if isinstance(self._lines, FileLines):
                keep_private(self.path)
            with self._lines.writing(self._acts) as pen:
                self._links_so_far()
                yield pen

    def _append_new(
        self, pen: Pen, act: Literal["made", "renewed"], person: Person, expires: datetime | None
    ) -> str:
        expires = expires or datetime.now(UTC).replace(microsecond=0) + timedelta(days=LINK_DAYS)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        digest = hashlib.sha256(token.encode("ascii")).hexdigest()
        self._append(pen, _act(act, secrets.token_hex(8), person, digest, expires))
        return token

    def _append(self, pen: Pen, act: LinkAct) -> None:
        line = canonical_json(act.model_dump(mode="json", by_alias=True, exclude_none=True))
        pen.add(line)
        self._acts.read(line)

    def _read(self) -> Mapping[str, Link]:
        with self._threads, _told():
            self._lines.catch_up(self._acts)
            return self._links_so_far()

    def _links_so_far(self) -> Mapping[str, Link]:
        acts = self._acts.all()
        if acts is not self._seen:
            self._links = _links_of(acts, self._lines.shown)
            self._seen = acts
        return self._links


def _act_of(raw: bytes) -> LinkAct:
    try:
        return LinkAct.model_validate_json(raw)
    except ValidationError as error:
        raise ValueError(error.errors()[0]["msg"]) from None


def link_book(ws: Workspace) -> LinkBook:
    """Return the links of a project folder, wherever they are kept."""
    return LinkBook(ws.links, store_of(ws).lines(ws.links))


@contextmanager
def _told() -> Generator[None]:
    try:
        yield
    except LedgerBroken as error:
        raise _broken(error.file, error.line, error.why) from None


def _broken(shown: str, number: int, why: str) -> LinksBroken:
    return LinksBroken(
        f"{shown}:{number}: {why}; restore the file from a copy, or remove it and make all links "
        f"anew"
    )


def is_name(said: str) -> bool:
    """Return whether this could be the name of a rater: what others call him may not."""
    try:
        _WORD.validate_python(said)
    except ValidationError:
        return False
    return True


def _checked(study: str, pass_: str, rater: str) -> Person:
    """Return the person, or raise ProblemsFound with every name that cannot be one."""
    problems: list[Problem] = []
    for what, name in (("study", study), ("pass", pass_), ("rater", rater)):
        try:
            _WORD.validate_python(name)
        except ValidationError:
            problems.append(
                Problem(
                    f"link: {what}",
                    f"{name!r} cannot be a name",
                    "use up to 64 letters, digits, dots, hyphens and underscores, no spaces",
                )
            )
    if problems:
        raise ProblemsFound(problems)
    return Person(study, pass_, rater)


def _act(
    act: Literal["made", "renewed", "revoked"],
    link: str,
    person: Person,
    sha256: str | None,
    expires: datetime | None,
) -> LinkAct:
    return LinkAct(
        act=act,
        link=link,
        study=person.study,
        pass_=person.pass_,
        rater=person.rater,
        sha256=sha256,
        time=datetime.now(UTC).replace(microsecond=0),
        expires=expires,
    )


def _links_of(acts: Sequence[LinkAct], shown: str) -> dict[str, Link]:
    """Return what the acts add up to; LinksBroken when one is about a link that never was."""
    links: dict[str, Link] = {}
    for number, act in enumerate(acts, start=1):
        if act.act == "revoked":
            if act.link not in links:
                raise _broken(shown, number, "revokes a link that no earlier line made")
            links[act.link] = replace(links[act.link], revoked=act.time)
            continue
        person = Person(act.study, act.pass_, act.rater)
        for name, link in links.items():
            if link.person == person and link.revoked is None:
                links[name] = replace(link, revoked=act.time)
        links[act.link] = Link(act.link, person, act.sha256 or "", act.time, act.expires, None)
    return links
