"""Who says the names: personal links, a header that a proxy writes, or a JupyterHub.

With a header or a Hub somebody else asks people for their password. The grant stays in the links of
the study: a name without a working link comes to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_network
from typing import Protocol

from tornado.web import RequestHandler

from reviewkit.desk.server.openings import LOOPBACK, Network, is_in
from reviewkit.problems import ReviewkitError

LINKS = "links"
JUPYTERHUB = "jupyterhub"
_HEADER = re.compile(r"header:([A-Za-z][A-Za-z0-9-]{1,63})")
_OURS = {"x-reviewkit-person", "cookie", "host", "x-forwarded-for", "x-forwarded-proto"}


class PeopleUnusable(ReviewkitError):
    """It cannot be said in this way who people are."""


class NotBelieved(ReviewkitError):
    """The request says who comes in a way that only somebody who pretends would."""


class People(Protocol):
    """How a visitor is known where personal links open nothing by themselves."""

    async def name(self, handler: RequestHandler) -> str | None:
        """Return the name of who asks, or None; raises NotBelieved."""
        ...

    def login(self, handler: RequestHandler, back: str) -> str | None:
        """Return the address where one logs in to come ``back``, when this server knows it."""
        ...


class NamedByHeader:
    """Believes one header, once, from the addresses of our own proxies."""

    def __init__(self, header: str, proxies: Sequence[Network]) -> None:
        self.header, self.proxies = header, proxies

    async def name(self, handler: RequestHandler) -> str | None:
        """Return what the proxy wrote.

        From any other address the header is not looked at. From a proxy it comes once, as one
        value and in one spelling, or somebody behind the proxy has written one of his own.
        """
        request = handler.request
        if not is_in(request.remote_ip or "", self.proxies):
            return None
        wanted = self.header.lower()
        for other in request.headers:
            if other.lower() != wanted and other.lower().replace("_", "-") == wanted:
                raise NotBelieved(f"{other!r} is not {self.header}")
        values = request.headers.get_list(self.header)
        if len(values) > 1 or any("," in value for value in values):
            raise NotBelieved(f"{self.header} has more than one value")
        # a header is read as Latin-1; a name in another script should be shown as it was meant
        said = values[0].encode("latin-1").decode("utf-8", "replace") if values else ""
        return said.strip() or None

    def login(self, handler: RequestHandler, back: str) -> str | None:  # noqa: ARG002
        """Return None: the proxy lets nobody through who has not logged in."""
        return None


def people_named(by: str, proxies: Sequence[Network], base_url: str = "/") -> People | None:
    """Return who says the names: None for ``links``, or what the others mean.

    Raises PeopleUnusable for anything else.
    """
    if by == LINKS:
        return None
    if by == JUPYTERHUB:
        from reviewkit.desk.server.hub import named_by_hub  # noqa: PLC0415

        return named_by_hub(base_url)
    found = _HEADER.fullmatch(by)
    if found is None:
        raise PeopleUnusable(
            f"--people {by}: not a way to know people; use {LINKS}, {JUPYTERHUB} or header:NAME, "
            f"where NAME is the header in which your proxy writes who has logged in, as "
            f"X-Forwarded-User"
        )
    if found[1].lower() in _OURS:
        raise PeopleUnusable(
            f"--people {by}: that header has another meaning; choose one of your own, as "
            f"X-Forwarded-User"
        )
    return NamedByHeader(found[1], proxies)


def networks(addresses: Sequence[str]) -> list[Network]:
    """Return addresses and networks as such; loopback when there is none.

    Raises PeopleUnusable for what is neither.
    """
    try:
        return [ip_network(each) for each in addresses or LOOPBACK]
    except ValueError as error:
        raise PeopleUnusable(
            f"--proxy: {error}; give the address of your proxy, as 10.0.0.5, or its network, as "
            f"10.0.0.0/24"
        ) from None
