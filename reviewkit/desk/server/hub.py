"""Names from a JupyterHub: reviewkit as one of its services, with OAuth by its own library.

The Hub says who somebody is. What that person may do here, and until when, is said by the links of
the study, as with any other way of knowing people. ``jupyterhub`` is imported in this mode alone.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from tornado.httputil import url_concat
from tornado.web import HTTPError, RequestHandler

from reviewkit.desk.server.identity import came_by_https, cookies_named, door_of
from reviewkit.desk.server.logs import log_of, request_id
from reviewkit.desk.server.people import NotBelieved, PeopleUnusable

REMEMBERED_SECONDS = 30
"""So long an answer of the Hub is used again: one page asks several times in a second."""
LOGINS_AT_ONCE = 5000
"""Logins that were begun and not ended are remembered, at most so many; the oldest goes first."""
CALLBACK = "oauth_callback"

_NEEDED = (
    "JUPYTERHUB_API_TOKEN",
    "JUPYTERHUB_API_URL",
    "JUPYTERHUB_CLIENT_ID",
    "JUPYTERHUB_SERVICE_PREFIX",
    "JUPYTERHUB_OAUTH_ACCESS_SCOPES",
)
_PAGE = "docs/behind-a-proxy.md says how"


class NamedByHub:
    """Believes the Hub about the token that it gave to this browser for this service."""

    def __init__(self, hub: Any) -> None:
        self.hub = hub

    async def name(self, handler: RequestHandler) -> str | None:
        """Return who has logged in at the Hub, None when he has to (again).

        Only the cookie that ``callback`` set is looked at: a token in a header or an address would
        be somebody's who was not sent to us by the Hub.
        Raises NotBelieved for a token that was not given for this service or not to a person, and
        for two people at once; HTTPError when the Hub does not answer.
        """
        names: set[str] = set()
        for value in set(cookies_named(handler, self.hub.cookie_name)):
            token = handler.get_signed_cookie(self.hub.cookie_name, value)
            if token is None:
                continue
            # with the session in the key, who logs out at the Hub is not remembered here
            who = await self.hub.user_for_token(
                token.decode("ascii", "replace"),
                session_id=self.hub.get_session_id(handler),
                sync=False,
            )
            if who is None:
                continue
            if who.get("kind") != "user" or not self.hub.check_scopes(self.hub.access_scopes, who):
                raise NotBelieved("a token that was not given to a person for this service")
            names.add(who["name"])
        if len(names) > 1:
            raise NotBelieved("two people at once")
        return names.pop() if names else None

    def login(self, handler: RequestHandler, back: str) -> str:
        """Return the address at the Hub where one logs in; the browser remembers that it began."""
        verifier, challenge, method = self.hub.generate_pkce_code_challenge()
        states = self.hub._oauth_states  # noqa: SLF001 - the library sets no limit
        while len(states) >= LOGINS_AT_ONCE:
            del states[next(iter(states))]
        state = self.hub.set_state_cookie(handler, back, code_verifier=verifier)
        asked = {"state": state, "code_challenge": challenge, "code_challenge_method": method}
        return url_concat(self.hub.login_url, asked)

    def callback(self) -> type[RequestHandler]:
        """Return the handler to which the Hub sends a browser back."""
        return _callback(self.hub)


def named_by_hub(base_url: str) -> NamedByHub:
    """Return the Hub that the environment names.

    Raises PeopleUnusable when the library or something in the environment is missing, or when
    ``base_url`` is not where the Hub's proxy sends people.
    """
    try:
        auth = import_module("jupyterhub.services.auth")
    except ImportError:
        raise PeopleUnusable(
            "--people jupyterhub: the package jupyterhub is not installed; install it with "
            "`pip install -e '.[hub]'` in the checkout of reviewkit"
        ) from None
    missing = [name for name in _NEEDED if not os.environ.get(name)]
    if missing:
        raise PeopleUnusable(
            f"--people jupyterhub: the environment has no {', '.join(missing)}; let the Hub start "
            f"reviewkit as its service: {_PAGE}"
        )
    prefix = os.environ["JUPYTERHUB_SERVICE_PREFIX"]
    if base_url != prefix:
        raise PeopleUnusable(
            f"--base-url {base_url}: the Hub sends people to {prefix}; use --base-url {prefix}"
        )

    class Hub(auth.HubOAuth):  # pyright: ignore[reportUntypedBaseClass]
        """The Hub, with a cookie like our own and no other beside it."""

        def set_cookie(self, handler: RequestHandler, access_token: str) -> None:
            """Keep the token in this browser until it is closed.

            The library's own would also replace the ``_xsrf`` cookie by one of another make, and
            a page that is closed could not say goodbye any more.
            """
            handler.set_signed_cookie(
                self.cookie_name,
                access_token,
                expires_days=None,
                path=self.base_url,
                httponly=True,
                samesite="Lax",
                secure=came_by_https(handler),
            )

    return NamedByHub(Hub(base_url=prefix, cache_max_age=REMEMBERED_SECONDS))


def _callback(hub: Any) -> type[RequestHandler]:
    auth = import_module("jupyterhub.services.auth")

    class BackFromTheHub(auth.HubOAuthCallbackHandler):  # pyright: ignore[reportUntypedBaseClass]
        """``oauth_callback``: exchanges the Hub's code for its token, and for our cookie."""

        _hub_auth = hub

        def prepare(self) -> None:
            self.set_header("X-Request-Id", request_id(self))
            self.set_header("Cache-Control", "no-store")
            self.set_header("Referrer-Policy", "no-referrer")

        def get_current_user(self) -> None:
            """Know nobody: who comes back a second time begins again."""

        def write_error(self, status_code: int, **_: Any) -> None:
            door_of(self).refuse(self, status_code, "failed" if status_code >= 500 else "unnamed")

        def log_exception(self, typ: Any, value: BaseException | None, tb: Any) -> None:  # noqa: ARG002
            # tornado would log the address, and the Hub's code with it
            if value is not None and not isinstance(value, HTTPError):
                log_of(self).tell_fault(self, value)

    return BackFromTheHub
