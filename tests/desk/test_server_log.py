"""Lines of the server's log: one object each, of places and numbers and of no words."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reviewkit.desk.server.logs import LogUnusable, ServerLog, readable

CANARY = "a-word-of-somebody"


def _log(tmp_path: Path, form: Any = "json") -> tuple[ServerLog, Path]:
    path = tmp_path / "log"
    return ServerLog(str(path), form), path


def _handler(status: int, method: str = "GET") -> Any:
    request = SimpleNamespace(method=method, request_time=lambda: 0.25, path=f"/{CANARY}")
    person = SimpleNamespace(to_text=lambda: CANARY)
    return SimpleNamespace(
        get_status=lambda: status,
        settings={},
        request=request,
        current_user=SimpleNamespace(person=person),
    )


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [
        (r"/review/go/([^/]*)", "/review/go/{}"),
        (r"/api/kernels/(?P<kernel_id>\w+-\w+-\w+-\w+-\w+)/channels", "/api/kernels/{}/channels"),
        (r"/voila/static/((?:a|b)+.*)", "/voila/static/{}"),
        (r"/page\.html$", "/page.html"),
    ],
)
def test_a_route_is_readable_and_holds_nothing_that_was_asked(pattern: str, shown: str) -> None:
    """What differs from request to request is a pair of braces."""
    assert readable(pattern) == shown


def test_a_request_is_one_object(tmp_path: Path) -> None:
    """Status, method, route, time and two pseudonyms; no path and no name."""
    log, path = _log(tmp_path)
    log.tell_request(_handler(200))
    log.tell_request(_handler(404, CANARY))
    first, second = (json.loads(line) for line in path.read_text().splitlines())
    assert (first["status"], first["method"], first["ms"]) == (200, "GET", 250.0)
    assert (first["level"], second["level"]) == ("info", "warning")
    assert second["method"] == "OTHER"
    assert first["visitor"] == second["visitor"]
    assert first["request"] != second["request"]
    assert CANARY not in path.read_text()
    assert path.stat().st_mode & 0o137 == 0


def test_the_pseudonym_of_a_person_is_another_in_the_next_run(tmp_path: Path) -> None:
    """Nobody can follow a person from one run to the next, or look a name up."""
    assert _log(tmp_path)[0].pseudonym("amal") != _log(tmp_path)[0].pseudonym("amal")
    log, _ = _log(tmp_path)
    assert log.pseudonym("amal") == log.pseudonym("amal") != log.pseudonym("badr")


def test_of_a_librarys_words_only_the_place_is_told(tmp_path: Path) -> None:
    """An error is its class and the lines that it came through."""
    log, path = _log(tmp_path)
    library = logging.getLogger("some.library")
    root = logging.getLogger()
    handlers = list(root.handlers)
    try:
        log.listen_to_libraries(library)
        library.info("never %s", CANARY)
        library.warning("the note was %s", CANARY)
        pinged = {"name": "tornado", "levelno": logging.WARNING, "levelname": "WARNING"}
        pinged |= {"pathname": "tornado/websocket.py", "filename": "websocket.py"}
        place = {"module": "websocket", "funcName": "ping_timeout", "lineno": 1}
        root.handle(logging.makeLogRecord({**pinged, **place, "msg": "milliseconds, not seconds"}))
        try:
            int(CANARY)
        except ValueError:
            library.exception(CANARY)
    finally:
        root.handlers[:] = handlers
        logging.captureWarnings(False)
    warning, error = (json.loads(line) for line in path.read_text().splitlines())
    assert warning["logger"] == "some"
    assert warning["at"].startswith("test_server_log.py:")
    assert (error["level"], error["error"]) == ("error", "ValueError")
    assert error["through"][0].endswith("test_of_a_librarys_words_only_the_place_is_told")
    assert CANARY not in path.read_text()


def test_messages_that_were_refused_are_counted_and_not_listed(tmp_path: Path) -> None:
    """A hundred thousand of them are a number, told when it has changed."""
    log, path = _log(tmp_path)
    log.totals["messages_refused"] += 100_000
    log.tell_totals()
    log.tell_totals()
    (told,) = (json.loads(line) for line in path.read_text().splitlines())
    assert (told["event"], told["messages_refused"]) == ("totals", 100_000)


def test_text_for_a_terminal(tmp_path: Path) -> None:
    """The same line, to be read by people."""
    log, path = _log(tmp_path, "text")
    log.tell("kernel_ended", why="its page was closed", seconds=3.5)
    assert path.read_text()[8:] == (" info    kernel_ended why=its page was closed seconds=3.5\n")
    assert log.shown.endswith("log as text")


def test_a_log_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the start it is said; later it is counted and stops nobody."""
    with pytest.raises(LogUnusable, match=r"is a directory.*another file with --log"):
        ServerLog(str(tmp_path))
    log, path = _log(tmp_path)
    log._stream.close()
    log.tell("lost")
    assert log.totals["log_lines_lost"] == 1
    assert path.read_text() == ""


def test_without_a_file_only_trouble_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error the requests that went well are left out."""
    log = ServerLog()
    log.tell_request(_handler(200))
    log.tell_request(_handler(403))
    assert [json.loads(line)["status"] for line in capsys.readouterr().err.splitlines()] == [403]
