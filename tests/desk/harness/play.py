"""Playing the harness page from a test: serving it, reading what it sent, pressing keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.desk.harness.serve import harness_file

ORIGIN = "http://desk.test"
"""Plain http and not localhost, so that the page has no secure-context helpers to lean on."""

Open = Callable[..., Any]


def serve(route: Any) -> None:
    """Answer a request of the page with the harness file of that name."""
    found = harness_file(route.request.url.partition("?")[0].removeprefix(f"{ORIGIN}/"))
    if found is None:
        route.fulfill(status=404, body="")
    else:
        route.fulfill(status=200, content_type=found[1], body=found[0])


def sent(page: Any, kind: str) -> list[dict[str, Any]]:
    """Return the messages of one kind that the page has sent."""
    return [message for message in page.evaluate("model.log") if message["kind"] == kind]


def last_draft(page: Any) -> dict[str, Any]:
    """Return the latest draft, once nothing more is on its way."""
    page.wait_for_timeout(60)
    return sent(page, "draft")[-1]


def press(page: Any, keys: str) -> None:
    """Press single keys one after the other."""
    for key in keys:
        page.keyboard.press(key)


def shows(page: Any, card_id: str) -> None:
    """Wait until the card with this id is on the screen."""
    page.wait_for_function(
        "id => document.querySelector('.rk-title').textContent === id", arg=card_id
    )


def focused_check(page: Any) -> str:
    """Return the id of the check that holds focus."""
    return page.evaluate("document.activeElement.closest('.rk-check')?.dataset.check ?? ''")
