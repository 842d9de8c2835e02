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
import os
import secrets
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

from filelock import FileLock, Timeout
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

from reviewkit.decisions.records import Digest, Word
from reviewkit.digests import canonical_json
from reviewkit.problems import Problem, ProblemsFound, ReviewkitError

PERSON_HEADER = "X-Reviewkit-Person"
PERSON_VARIABLE = "HTTP_X_REVIEWKIT_PERSON"
"""How the server tells a kernel whom it works for; a browser cannot set it."""

TOKEN_BYTES = 32
LINK_DAYS = 90
"""A new link ends after so many days, unless its maker says otherwise."""
LOCK_SECONDS = 10.0


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


class LinksBusy(ReviewkitError):
    """Another process holds the links file for too long."""


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
    """All links of a project folder, read from and appended to one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int, int] | None = None
        self._links: dict[str, Link] = {}

    def make(self, study: str, pass_: str, rater: str, *, expires: datetime | None = None) -> str:
        """Return the secret of a new link, the only time it is seen.

        It ends at ``expires``, by default after LINK_DAYS.
        Raises LinkExists when this person has a working link, ProblemsFound for unusable names.
        """
        person = _checked(study, pass_, rater)
        with self._locked():
            if self._working(person):
                raise LinkExists(
                    f"{rater} already has a link for pass {pass_} of study {study} and it cannot "
                    f"be shown again; `reviewkit link renew {rater} --study {study} --pass {pass_}`"
                    " ends it and makes a new one"
                )
            return self._append_new("made", person, expires)

    def renew(self, study: str, pass_: str, rater: str, *, expires: datetime | None = None) -> str:
        """Return the secret of a new link; the earlier one and its sessions end at once.

        Raises LinkUnknown when this person never had a link.
        """
        person = _checked(study, pass_, rater)
        with self._locked():
            if not any(link.person == person for link in self._read().values()):
                raise LinkUnknown(
                    f"{rater} has no link for pass {pass_} of study {study}; make one first"
                )
            return self._append_new("renewed", person, expires)

    def revoke(self, study: str, rater: str) -> tuple[Link, ...]:
        """End every working link of this rater in the study and return what was ended.

        Raises LinkUnknown when there is nothing to end.
        """
        with self._locked():
            ended = tuple(link for link in self.of(study, rater) if link.works())
            if not ended:
                raise LinkUnknown(
                    f"{rater} has no working link in study {study}; list the links to see whose "
                    f"there are"
                )
            for link in ended:
                self._append(_act("revoked", link.link, link.person, None, None))
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
    def _locked(self) -> Generator[None]:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(f"{self.path}.lock", timeout=LOCK_SECONDS, mode=0o600)
        try:
            lock.acquire()
        except Timeout:
            raise LinksBusy(
                f"{self.path.name} is in use by another process; try again in a moment"
            ) from None
        try:
            yield
        finally:
            lock.release()

    def _append_new(
        self, act: Literal["made", "renewed"], person: Person, expires: datetime | None
    ) -> str:
        expires = expires or datetime.now(UTC).replace(microsecond=0) + timedelta(days=LINK_DAYS)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        digest = hashlib.sha256(token.encode("ascii")).hexdigest()
        self._append(_act(act, secrets.token_hex(8), person, digest, expires))
        return token

    def _append(self, act: LinkAct) -> None:
        line = canonical_json(act.model_dump(mode="json", by_alias=True, exclude_none=True))
        new = not self.path.exists()
        target = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.fchmod(target, 0o600)
            _set_torn_tail_aside(target, self.path)
            os.write(target, line + b"\n")
            os.fsync(target)
        finally:
            os.close(target)
        if new:
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def _read(self) -> Mapping[str, Link]:
        try:
            stat = self.path.stat()
        except FileNotFoundError:
            self._seen, self._links = None, {}
            return self._links
        seen = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
        if seen != self._seen:
            self._links = _links_of(self.path)
            self._seen = seen
        return self._links


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


def _links_of(path: Path) -> dict[str, Link]:
    """Return what the acts of the file add up to.

    An unfinished last line was never acknowledged, so it counts for nothing; a whole one that an
    editor robbed of its newline counts, or a revoked link would work again.
    """
    links: dict[str, Link] = {}
    *lines, tail = path.read_bytes().split(b"\n")
    for number, line in enumerate([*lines, tail] if _is_whole(tail) else lines, start=1):
        try:
            act = LinkAct.model_validate_json(line)
        except ValidationError as error:
            raise LinksBroken(
                f"{path}:{number}: this line is not an act on a link "
                f"({error.errors()[0]['msg']}); restore the file from a copy, or remove it and "
                f"make all links anew"
            ) from None
        if act.act == "revoked":
            if act.link not in links:
                raise LinksBroken(
                    f"{path}:{number}: revokes a link that no earlier line made; restore the "
                    f"file from a copy, or remove it and make all links anew"
                )
            links[act.link] = replace(links[act.link], revoked=act.time)
            continue
        person = Person(act.study, act.pass_, act.rater)
        for name, link in links.items():
            if link.person == person and link.revoked is None:
                links[name] = replace(link, revoked=act.time)
        links[act.link] = Link(act.link, person, act.sha256 or "", act.time, act.expires, None)
    return links


def _is_whole(tail: bytes) -> bool:
    """Return whether a last line without its newline is a whole act."""
    try:
        LinkAct.model_validate_json(tail)
    except ValidationError:
        return False
    return True


def _set_torn_tail_aside(target: int, path: Path) -> None:
    """Move a last line that a crash left unfinished into a file beside it."""
    size = os.fstat(target).st_size
    content = os.pread(target, size, 0)
    whole = content.rfind(b"\n") + 1
    if _is_whole(content[whole:]):
        os.write(target, b"\n")
    elif whole < size:
        path.with_name(f"{path.name}.torn-{whole}").write_bytes(content[whole:])
        os.ftruncate(target, whole)
