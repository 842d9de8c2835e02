"""Who is asking: a secret link becomes a signed cookie, and the cookie a known person.

The cookie names the link and nothing else. On every request the links file is asked whether that
link still works, so a revocation ends all sessions at once and a restart of the server ends none.
Opening a link uses nothing up: a mail scanner that opens it first does no harm.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from jinja2 import Environment, StrictUndefined
from jupyter_server.auth.identity import IdentityProvider, User
from tornado.web import RequestHandler, decode_signed_value

from reviewkit.decisions.stores import Kept
from reviewkit.desk.server.links_seen import SeenLinks
from reviewkit.desk.server.openings import FailedOpenings, Network
from reviewkit.desk.server.people import NotBelieved, People
from reviewkit.problems import ReviewkitError
from reviewkit.study.links import (
    PERSON_HEADER,
    Link,
    LinkBook,
    Person,
    is_name,
)
from reviewkit.study.roles import Role, role_of

SESSION_DAYS = 30
SECONDS_A_DAY = 86400.0
SECRET_BYTES = 32
Why = Literal[
    "nobody",
    "unknown",
    "revoked",
    "expired",
    "other_study",
    "too_many",
    "missing",
    "failed",
    "stopping",
    "not_believed",
    "unnamed",
    "no_name",
    "no_grant",
    "choose",
]
"""Why a page is refused; the page has a sentence for each, in every language."""


class SecretUnusable(ReviewkitError):
    """The file with the cookie secret is damaged."""


@dataclass
class Visitor(User):
    """A known person and the link that let him in."""

    person: Person | None = None
    link: str = ""


def load_secret(name: str, kept: Kept) -> bytes:
    """Return the secret that signs cookies, making it on first use.

    Raises SecretUnusable when it is damaged, CannotWrite when it cannot be made.
    """
    fresh = secrets.token_hex(SECRET_BYTES).encode("ascii")
    try:
        # when a second server was faster, its secret is the one
        secret = kept.first(name, fresh, secret=True).strip()
    except OSError as error:
        raise SecretUnusable(f"{name}: cannot be read ({error.strerror}); remove it") from error
    # a power cut may leave a file of the right length that is full of zeros: anybody's guess
    if not re.fullmatch(rb"[0-9a-f]{%d}" % (2 * SECRET_BYTES), secret):
        raise SecretUnusable(
            f"{name}: not {2 * SECRET_BYTES} hexadecimal digits long; remove it, a new one is "
            f"made and everybody opens their link once more"
        )
    return secret


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nobody is let in, and what the page says besides."""

    why: Why
    name: str = ""
    """By what name he is known to the proxy."""
    choices: tuple[tuple[str, str], ...] = ()
    """Of somebody with several links: the name of each, and its pass."""


@dataclass(frozen=True)
class Door:
    """What it takes to know a visitor: the links, the study that is served, and the cookie."""

    links: SeenLinks
    study: str
    base_url: str
    page: str
    """Source of the page for those who are not let in."""
    seal: bytes
    """Signs the cookie, and names it: servers with one secret and one study share sessions."""
    notebooks: Mapping[Role, str] = field(default_factory=dict[Role, str])
    """Role -> the notebook that is shown."""
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """Notebook -> what its page is called, by language."""
    beside: Mapping[str, tuple[tuple[Role, ...], str]] = field(
        default_factory=dict[str, tuple[tuple[Role, ...], str]]
    )
    """Address below the study's -> the roles that may open it, and its notebook."""
    proxies: Sequence[Network] = ()
    """Whose word counts on where a request came from."""
    people: People | None = None
    """Who says the names, where it is not the links."""
    failures: FailedOpenings = field(default_factory=FailedOpenings)

    @property
    def cookie(self) -> str:
        """The name of the cookie: its own for each study, as all ports of a host share cookies."""
        place = hashlib.sha256(self.seal + self.study.encode()).hexdigest()
        return f"reviewkit-{place[:12]}"

    def session(self, handler: RequestHandler, book: LinkBook) -> Link | None:
        """Return the link that the request's cookie names, whether or not it still works.

        A browser may send two cookies of one name, when a neighbour of our host or an earlier
        sub-path set the other. Should they stand for two people, the request is nobody's: better
        to be asked for the link again than to judge under another name.
        """
        named: dict[str, Link] = {}
        for value in cookies_named(handler, self.cookie):
            signed = decode_signed_value(self.seal, self.cookie, value, max_age_days=SESSION_DAYS)
            link = book.find(signed.decode("ascii", "replace")) if signed else None
            if link is not None and link.person.study == self.study:
                named[link.link] = link
        working = [link for link in named.values() if link.works()]
        found = working or list(named.values())
        return found[-1] if len({link.person for link in found}) == 1 else None

    async def look(self, handler: RequestHandler) -> Visitor | Refusal:
        """Return whom the request comes from while his link works, or why it comes from nobody."""
        book = await self.links.anew()
        if self.people is None:
            link = self.session(handler, book)
            if link is None:
                return Refusal("nobody")
            return _visitor(link) if link.works() else Refusal(why_ended(link))
        try:
            name = await self.people.name(handler)
        except NotBelieved:
            return Refusal("not_believed")
        if name is None:
            return Refusal("unnamed")
        if not is_name(name):
            return Refusal("no_name", name)
        links = book.of(self.study, name)
        working = [link for link in links if link.works()]
        if not working:
            return Refusal(why_ended(links[-1]) if links else "no_grant", name)
        chosen = self.session(handler, book)
        if chosen in working:
            working = [chosen]
        if len(working) > 1:
            choices = tuple((link.link, link.person.pass_) for link in working)
            return Refusal("choose", name, choices)
        return _visitor(working[0])

    def notebook_of(self, visitor: Visitor, address: str = "") -> str | None:
        """Return the notebook for the visitor's role at an address; None where there is none."""
        if visitor.person is None:
            return None
        role = role_of(visitor.person.pass_)
        if not address:
            return self.notebooks.get(role)
        roles, notebook = self.beside.get(address, ((), ""))
        return notebook if role in roles else None

    def titles_of(self, notebook: str | None) -> Mapping[str, str]:
        """Return what the page of a notebook is called; where nobody said it, by the study."""
        return self.titles.get(notebook or "") or {"en": self.study}

    def refuse(
        self, handler: RequestHandler, status: int, why: Why, refusal: Refusal | None = None
    ) -> None:
        """Answer with one plain page in every language and nothing else."""
        template = Environment(autoescape=True, undefined=StrictUndefined).from_string(self.page)
        choices = [
            (link, self.titles_of(self.notebooks.get(role)), pass_ if role == "rater" else "")
            for link, pass_ in (refusal.choices if refusal else ())
            for role in (role_of(pass_),)
        ]
        handler.set_status(status)
        handler.set_header("Content-Type", "text/html; charset=utf-8")
        handler.set_header(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'",
        )
        handler.set_header("Cache-Control", "no-store")
        handler.set_header("Referrer-Policy", "no-referrer")
        handler.finish(
            template.render(
                why=why,
                name=refusal.name if refusal else "",
                choices=choices,
                base_url=self.base_url,
                logs_in=self.people is not None,
            )
        )


def _visitor(link: Link) -> Visitor:
    return Visitor(username=link.person.rater, person=link.person, link=link.link)


def cookies_named(handler: RequestHandler, name: str) -> list[str]:
    """Return every value that the browser sent for this cookie; tornado keeps one of them."""
    pairs = (
        part.partition("=")
        for header in handler.request.headers.get_list("Cookie")
        for part in header.split(";")
    )
    return [value.strip().strip('"') for key, _, value in pairs if key.strip() == name]


def came_by_https(handler: RequestHandler) -> bool:
    """Return whether the browser spoke HTTPS.

    Behind a proxy that ends TLS only this header tells; a false one harms its sender alone.
    """
    forwarded = handler.request.headers.get("X-Forwarded-Proto", handler.request.protocol)
    return forwarded.split(",")[0].strip().lower() == "https"


def why_ended(link: Link | None) -> Why:
    """Return the honest reason why a link that once opened the desk does not any more."""
    if link is not None and link.revoked is None and link.has_expired():
        return "expired"
    return "revoked"


def door_of(handler: RequestHandler) -> Door:
    """Return the door of the server that the request came to."""
    return cast("Door", handler.settings["reviewkit_door"])


class LinkIdentity(IdentityProvider):
    """Knows people by what the door has found, and by nothing else: no token, no password."""

    def get_user(self, handler: RequestHandler) -> Visitor | None:
        """Return the visitor, and replace whatever the browser said about who he is."""
        headers = handler.request.headers
        if PERSON_HEADER in headers:
            del headers[PERSON_HEADER]
        visitor = getattr(handler, "reviewkit_visitor", None)
        if visitor is not None and visitor.person is not None:
            headers[PERSON_HEADER] = visitor.person.to_text()
        return visitor

    def get_handlers(self) -> list[tuple[str, object]]:
        """Return no handlers: there is nothing to log in to."""
        return []


def remember(handler: RequestHandler, link: Link) -> None:
    """Set the session's cookie; it ends with its link, or SESSION_DAYS from now."""
    door = door_of(handler)
    left = link.seconds_left()
    days = SESSION_DAYS if left is None else min(SESSION_DAYS, left / SECONDS_A_DAY)
    if len(cookies_named(handler, door.cookie)) > 1:
        # left from when the study was served at the root of the host, or set by a neighbour
        handler.add_header("Set-Cookie", f"{door.cookie}=; Path=/; Max-Age=0")
    handler.set_signed_cookie(
        door.cookie,
        link.link,
        expires_days=days,
        path=door.base_url,
        httponly=True,
        samesite="Lax",
        secure=came_by_https(handler),
    )
    handler.set_header("Cache-Control", "no-store")
    handler.set_header("Referrer-Policy", "no-referrer")
