"""The handlers at the door: a link is opened, a part is chosen, and everything else is gated."""

from __future__ import annotations

from typing import Any, TypeVar

from tornado.web import HTTPError, RequestHandler

from reviewkit.desk.server.identity import Refusal, Why, door_of, remember
from reviewkit.desk.server.lifetime import RETRY_AFTER_SECONDS, lifetime_of
from reviewkit.desk.server.logs import log_of, request_id
from reviewkit.desk.server.openings import address_of
from reviewkit.problems import ReviewkitError
from reviewkit.study.links import LinkExpired, LinkOfAnotherStudy, LinkRevoked, LinkUnknown


class Admission(RequestHandler):
    """``go/<secret>``: exchanges the secret for the cookie and clears the address bar."""

    async def get(self, token: str) -> None:
        """Let a good link in; say to anybody else what to do."""
        door = door_of(self)
        if lifetime_of(self).stopping:
            return refuse_while_stopping(self)
        if door.people is not None:
            # the proxy says who comes: a secret that has leaked is of no use here
            return door.refuse(self, 404, "missing")
        if self._must_wait() and not await self._is_known(token):
            return self._make_wait()
        try:
            link = (await door.links.anew()).admit(token, door.study)
        except LinkUnknown:
            return self._fail("unknown")
        except LinkRevoked:
            return self._fail("revoked")
        except LinkExpired:
            return self._fail("expired")
        except LinkOfAnotherStudy:
            return self._fail("other_study")
        remember(self, link)
        return self.redirect(door.base_url)

    async def head(self, token: str) -> None:
        """Answer a scanner of mails as it would be answered, without the body."""
        await self.get(token)

    def _must_wait(self) -> int:
        door = door_of(self)
        return door.failures.wait(address_of(self.request, door.proxies))

    async def _is_known(self, token: str) -> bool:
        """Return whether the link is good, by what was seen lately: no question to a database.

        A whole university may come from one address, and one of it may fail without end.
        """
        door = door_of(self)
        try:
            (await door.links.lately()).admit(token, door.study)
        except ReviewkitError:
            return False
        return True

    def _make_wait(self) -> None:
        self.set_header("Retry-After", str(self._must_wait()))
        door_of(self).refuse(self, 429, "too_many")

    def _fail(self, why: Why) -> None:
        door = door_of(self)
        door.failures.note(address_of(self.request, door.proxies))
        door.refuse(self, 403, why)

    def write_error(self, status_code: int, **_: Any) -> None:
        """Show the plain page for faults as well; a garbled address is an unknown link."""
        if status_code >= 500:
            door_of(self).refuse(self, status_code, "failed")
        elif self._must_wait():
            self._make_wait()
        else:
            self._fail("unknown")

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        """Log faults of ours; tornado's word on a garbled address quotes the address."""
        if not isinstance(value, HTTPError):
            super().log_exception(typ, value, tb)


class Choice(RequestHandler):
    """``as/<link>``: somebody with several links says as whom he comes; ``as/`` asks again."""

    async def get(self, link: str) -> None:
        """Remember the choice, if it is one of his own."""
        door = door_of(self)
        found = await door.look(self)
        if door.people is None or (isinstance(found, Refusal) and found.why != "choose"):
            door.refuse(self, 404, "missing")
            return
        name = found.name if isinstance(found, Refusal) else found.username
        grants = door.links.last.of(door.study, name)
        own = {each.link: each for each in grants if each.works()}
        if link in own:
            remember(self, own[link])
            self.redirect(door.base_url)
            return
        choices = tuple((each.link, each.person.pass_) for each in own.values())
        door.refuse(self, 200, "choose", Refusal("choose", name, choices))

    def write_error(self, status_code: int, **_: Any) -> None:
        """Show the plain page for faults as well."""
        door_of(self).refuse(self, status_code, "missing" if status_code < 500 else "failed")


def refuse_while_stopping(handler: RequestHandler) -> None:
    """Say to somebody who comes while the server stops that it is there again in a moment."""
    handler.set_header("Retry-After", str(RETRY_AFTER_SECONDS))
    handler.set_header("Connection", "close")
    door_of(handler).refuse(handler, 503, "stopping")


_Handler = TypeVar("_Handler", bound=RequestHandler)


def gated(handler_class: type[_Handler]) -> type[_Handler]:
    """Return the handler behind the door: without a known person it is never reached."""

    class Gated(handler_class):  # pyright: ignore[reportGeneralTypeIssues]
        async def prepare(self) -> None:
            self.set_header("X-Content-Type-Options", "nosniff")
            self.set_header("X-Request-Id", request_id(self))
            if lifetime_of(self).stopping:
                refuse_while_stopping(self)
                return
            door = door_of(self)
            found = await door.look(self)
            if isinstance(found, Refusal):
                if login := _login_of(self, found):
                    self.redirect(login)
                    return
                status = 200 if found.why == "choose" else 403
                door.refuse(self, status, found.why, found)
                return
            self.reviewkit_visitor = found
            waiting = super().prepare()
            if waiting is not None:
                await waiting

        def write_error(self, status_code: int, **kwargs: Any) -> None:
            error = kwargs.get("exc_info", (None, None))[1]
            expected = isinstance(error, HTTPError) and status_code < 500
            self.set_header("X-Request-Id", request_id(self))
            door_of(self).refuse(self, status_code, "missing" if expected else "failed")

        def log_exception(self, typ: Any, value: BaseException | None, tb: Any) -> None:  # noqa: ARG002
            # tornado would log the address, its query and the words of the error
            if value is not None and not isinstance(value, HTTPError):
                log_of(self).tell_fault(self, value)

    Gated.__name__ = f"Gated{handler_class.__name__}"
    Gated.__doc__ = handler_class.__doc__
    return Gated  # pyright: ignore[reportReturnType]


def _login_of(handler: RequestHandler, refusal: Refusal) -> str | None:
    """Return where somebody who opens a page is sent to log in; scripts and sockets are not."""
    door = door_of(handler)
    if door.people is None or refusal.why != "unnamed" or not getattr(handler, "is_page", False):
        return None
    below = f"{handler.request.path.rstrip('/')}/".removeprefix(door.base_url).rstrip("/")
    if below and below not in door.beside:
        return None
    # an address of our own and never the one that was asked for, which may be //other.example
    return door.people.login(handler, door.base_url + below)
