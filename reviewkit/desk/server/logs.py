"""What the server says of itself: one line per event, and never a word that somebody wrote.

A line has a time, a level, the name of an event and fields of fixed kinds: numbers, methods, route
patterns, pseudonyms. What a library logs may hold a path with a secret, a header or a piece of an
item, so of such a record only the place in the code is written, and of an error its class and the
places it came through: enough to find the sentence in the source, nothing to learn about a study.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
import re
import secrets
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import IO, Any, Literal, cast

from tornado.web import RequestHandler

from reviewkit.problems import ReviewkitError

Form = Literal["json", "text"]
STANDARD_OUTPUT = "-"
FRAMES = 12
"""So many places of an error are told, the innermost last."""

_OUR_SERVER = Path(__file__).parent
_LIBRARIES = Path(os.__file__).parent
_VALUE = str | int | float | bool | None | list[str]
_LOG = logging.getLogger("reviewkit.serve")


class LogUnusable(ReviewkitError):
    """The log cannot be written where it was asked for."""


class ServerLog:
    """The log of one run of a server.

    Args:
        destination: a file, ``-`` for standard output, or None for standard error; then requests
            that went well are left out.
        form: ``json`` or ``text``; by default text on a terminal and JSON elsewhere.

    Raises LogUnusable when the file cannot be opened.
    """

    def __init__(self, destination: str | None = None, form: Form | None = None) -> None:
        self.destination = destination
        self.file = Path(destination).resolve() if destination not in (None, "-") else None
        self._quiet = destination is None
        self._stream: IO[str] = self._open()
        self.form: Form = form or ("text" if self._stream.isatty() else "json")
        self._key = secrets.token_bytes(32)
        self.totals: Counter[str] = Counter()
        """What is counted and not told one by one: ``messages_refused``, ``links_refused``, ..."""
        self._totals_told: Counter[str] = Counter()

    @property
    def shown(self) -> str:
        """Where the log goes, in words."""
        if self.file is not None:
            return f"{self.file} as {self.form}"
        where = "standard output" if self.destination == STANDARD_OUTPUT else "standard error"
        return f"{where} as {self.form}"

    def pseudonym(self, *names: str) -> str:
        """Return 12 digits that stand for a name in this run of the server and in no other."""
        said = "\0".join(names).encode("utf-8", "surrogatepass")
        return hmac.new(self._key, said, hashlib.sha256).hexdigest()[:12]

    def tell(self, event: str, level: int = logging.INFO, **fields: _VALUE) -> None:
        """Write one line; what cannot be written is dropped, as a log must stop nobody."""
        head: dict[str, _VALUE] = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": logging.getLevelName(level).lower(),
            "event": event,
        }
        told = {**head, **{name: each for name, each in fields.items() if each is not None}}
        line = json.dumps(told, ensure_ascii=True) if self.form == "json" else _as_text(told)
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            self.totals["log_lines_lost"] += 1

    def tell_totals(self) -> None:
        """Write what was counted, if that has changed since it was last written."""
        if self.totals != self._totals_told:
            self._totals_told = Counter(self.totals)
            self.tell("totals", logging.INFO, **dict(sorted(self.totals.items())))

    def reopen(self) -> None:
        """Open the file anew, after logrotate has moved it away."""
        if self.file is None:
            return
        earlier = self._stream
        try:
            self._stream = self._open()
        except LogUnusable:
            # better a line in the file that was moved away than none at all
            self.tell("log_not_reopened", logging.ERROR)
            return
        earlier.close()

    def listen_to_libraries(self, *loggers: logging.Logger) -> None:
        """Take over what the root and these loggers would print, and print nothing else."""
        handler = _OnlyThePlace(self)
        root = logging.getLogger()
        for logger in (root, *loggers):
            logger.handlers.clear()
        root.addHandler(handler)
        for logger in loggers:
            logger.propagate = True
        logging.captureWarnings(True)

    def tell_request(self, handler: RequestHandler) -> None:
        """Write one line of a request that was answered: the route and never the address."""
        status = handler.get_status()
        route = route_of(handler)
        self.totals["requests"] += 1
        if status >= 400:
            self.totals["requests_refused" if status < 500 else "requests_failed"] += 1
            if route.endswith("/go/{}"):
                self.totals["links_refused"] += 1
        elif self._quiet or route.endswith("/healthz"):
            return
        level = logging.ERROR if status == 500 else logging.WARNING
        self.tell(
            "request",
            level if status >= 400 else logging.INFO,
            status=status,
            method=handler.request.method if handler.request.method in _METHODS else "OTHER",
            route=route,
            ms=round(1000 * handler.request.request_time(), 1),
            request=request_id(handler),
            visitor=self._visitor(handler),
        )

    def tell_fault(self, handler: RequestHandler, error: BaseException) -> None:
        """Write where an error came from that made a request fail."""
        self.tell(
            "fault",
            logging.ERROR,
            route=route_of(handler),
            request=request_id(handler),
            error=type(error).__name__,
            through=_places(error.__traceback__),
        )

    def _visitor(self, handler: RequestHandler) -> str | None:
        try:
            user = handler.current_user
        except RuntimeError:  # jupyter_server's way to say that nobody has asked yet
            return None
        person = getattr(user, "person", None)
        return self.pseudonym(person.to_text()) if person is not None else None

    def _open(self) -> IO[str]:
        if self.file is None:
            return sys.stdout if self.destination == STANDARD_OUTPUT else sys.stderr
        try:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            return os.fdopen(os.open(self.file, flags, 0o640), "a", encoding="utf-8")
        except OSError as error:
            folder = Path(self.file).parent
            first = "" if folder.is_dir() else f"make the folder {folder}, or "
            raise LogUnusable(
                f"{self.file}: the log cannot be written there "
                f"({(error.strerror or str(error)).lower()}); {first}name another file with --log"
            ) from None


_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def log_of(handler: RequestHandler) -> ServerLog:
    """Return the log of the server that the request came to."""
    return cast("ServerLog", handler.settings["reviewkit_log"])


def log_request(handler: RequestHandler) -> None:
    """Be what tornado calls when a request is answered."""
    log_of(handler).tell_request(handler)


def request_id(handler: RequestHandler) -> str:
    """Return the number of a request: random, in the log and in the answer's ``X-Request-Id``."""
    known = getattr(handler.request, "reviewkit_id", None)
    if known is None:
        known = secrets.token_hex(4)
        handler.request.reviewkit_id = known  # type: ignore[attr-defined]
    return str(known)


def readable(pattern: str) -> str:
    """Return a route's regular expression with ``{}`` for whatever differs: ``/api/kernels/{}``."""
    shown = pattern
    while (simpler := re.sub(r"\([^()]*\)[?*+]?", "{}", shown)) != shown:
        shown = simpler
    return re.sub(r"\\(.)", r"\1", shown.rstrip("$"))


def route_of(handler: RequestHandler) -> str:
    """Return the pattern that led to the handler, never the path that was asked for."""
    routes: dict[type[RequestHandler], str] = handler.settings.get("reviewkit_routes", {})
    return routes.get(type(handler), "none")


class _OnlyThePlace(logging.Handler):
    """Turns a record of a library into an event without its words."""

    def __init__(self, log: ServerLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write logger, place and, of an error, its class and the places it came through."""
        if record.funcName == "handle_incoming_message" and record.levelno == logging.WARNING:
            # "Received message of type ..., which is not allowed": a hostile page sends thousands
            self._log.totals["messages_refused"] += 1
            return
        if (record.module, record.funcName) == ("websocket", "ping_timeout"):
            # tornado takes the milliseconds of jupyter_server for seconds, and says so once in each
            # server; jupyter_server's own pings are what closes a dead socket
            return
        error = record.exc_info[1] if record.exc_info else None
        # of our own server's sentences the fixed part may stand, without what is filled in
        ours = Path(record.pathname).is_relative_to(_OUR_SERVER) and bool(record.args)
        self._log.tell(
            "library",
            record.levelno,
            logger=record.name.split(".")[0],
            says=str(record.msg) if ours else None,
            at=f"{_short(record.pathname)}:{record.lineno}",
            error=type(error).__name__ if error is not None else None,
            through=_places(error.__traceback__) if error is not None else None,
        )


def _places(trace: TracebackType | None) -> list[str]:
    places = [
        f"{_short(frame.f_code.co_filename)}:{line} {frame.f_code.co_name}"
        for frame, line in walk_tb(trace)
    ]
    return places[-FRAMES:]


def _short(file: str) -> str:
    """Return a module's file from its package on; a path of the machine is nobody's business."""
    parts = Path(file).parts
    for top in ("site-packages", "reviewkit", _LIBRARIES.name):
        if top in parts[:-1]:
            start = len(parts) - 1 - parts[::-1].index(top)
            return "/".join(parts[start if top == "reviewkit" else start + 1 :])
    return parts[-1] if parts else "?"


def _as_text(told: dict[str, Any]) -> str:
    time, level, event, *_ = told.values()
    rest = " ".join(
        f"{name}={' < '.join(each) if isinstance(each, list) else each}"
        for name, each in list(told.items())[3:]
    )
    line = f"{time[11:19]} {level:7} {event} {rest}".rstrip()
    # no field ends the line or acts on a terminal
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
        for each in line
    )
