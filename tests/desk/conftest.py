"""The card's harness in a browser, for the tests of the front end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.desk.harness.play import ORIGIN, Open, serve


@pytest.fixture
def open_card(browser: Any) -> Iterator[Open]:
    """Return a function that opens the harness in a fresh browser context."""
    contexts: list[Any] = []
    errors: list[str] = []

    def note_error(error: Any) -> None:
        errors.append(str(error))

    def open_(
        scene: str = "walk",
        language: str = "",
        *,
        clock: bool = False,
        settle: bool = True,
        **options: Any,
    ) -> Any:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5_000)
        page.on("pageerror", note_error)
        page.route(f"{ORIGIN}/**", serve)
        if clock:
            page.clock.install()
        page.goto(f"{ORIGIN}/index.html?scene={scene}&language={language}")
        page.wait_for_selector(".rk-frame")
        if settle and not clock:
            page.wait_for_timeout(320)  # a card that has just opened takes no submission
        return page

    yield open_
    for context in contexts:
        context.close()
    assert errors == []
