"""A person in front of the real page: opens it, presses keys, and hears all that arrives."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from tests.browser.places import LAB_TOKEN, Lab

OPENED = 60_000
"""Milliseconds that a busy machine may take for the first card."""
ANSWERED = 15_000
WIDE = {"width": 1280, "height": 800}

FORGE = """(() => {
  const plain = JSON.stringify;
  JSON.stringify = (value, ...rest) => {
    const said = value?.content?.data?.content ?? value?.data?.content;
    if (said?.kind === "submit" && window.forged) Object.assign(said, window.forged);
    return plain(value, ...rest);
  };
})()"""
"""What a hostile page would do: change what is said after the card has worded it."""


class Reader:
    """One browser profile in front of one desk."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": WIDE, **options})
        self.context.set_default_timeout(ANSWERED)
        self.asked: list[str] = []
        self.received: list[str] = []
        self.errors: list[str] = []
        self.page: Any = None
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.context.on("page", self._listen)

    def _listen(self, page: Any) -> None:
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def keep_bodies(self) -> Reader:
        """From now on, keep the text of every document that arrives over HTTP."""

        def pass_on(route: Any) -> None:
            reply = route.fetch(max_redirects=0)
            self.received.append(f"{reply.headers} {reply.body().decode('utf-8', 'replace')}")
            route.fulfill(response=reply)

        self.context.route("**/*", pass_on)
        return self

    def _hear(self, frame: str | bytes) -> None:
        self.received.append(frame if isinstance(frame, str) else frame.decode("utf-8", "replace"))

    # opening

    def open(self, address: str) -> Reader:
        """Open a served desk and wait for what it shows."""
        self.page = self.context.new_page()
        self.page.goto(address, timeout=OPENED)
        self.page.wait_for_selector(".rk-frame", timeout=OPENED)
        return self

    def open_lab(self, lab: Lab) -> Reader:
        """Open the notebook in JupyterLab and run its cell as a person would."""
        self.page = self.context.new_page()
        self.page.goto(f"{lab.url}/?token={LAB_TOKEN}", timeout=OPENED)
        self.run_cell()
        return self

    def run_cell(self) -> None:
        """Press Shift+Enter in the first cell."""
        cell = self.page.locator(".jp-CodeCell .cm-content").first
        cell.wait_for(timeout=OPENED)
        # before there is a kernel JupyterLab takes the keys and runs nothing
        self.page.locator("#jp-main-statusbar", has_text="| Idle").wait_for(timeout=OPENED)
        cell.click()
        self.page.keyboard.press("Shift+Enter")
        self.page.wait_for_selector(".rk-frame", timeout=OPENED)

    def reload(self) -> None:
        """Load the page again and wait for what it shows."""
        self.page.reload(timeout=OPENED)
        self.page.wait_for_selector(".rk-frame", timeout=OPENED)

    def close(self) -> None:
        """Leave as a person does: the page says goodbye to its kernel."""
        for page in self.context.pages:
            page.close(run_before_unload=True)
        self.context.close()

    # what is on the screen

    @property
    def card(self) -> str:
        """The card on the screen, or the title of what stands in its place."""
        return self.page.inner_text(".rk-title")

    def shows(self, card_id: str) -> None:
        """Wait until a card is on the screen and takes a submission."""
        self.page.wait_for_function(
            "id => document.querySelector('.rk-title')?.textContent === id", arg=card_id
        )
        self.page.wait_for_timeout(310)  # a card that has just opened takes none

    def leaves(self, card_id: str) -> None:
        """Wait until something else than this card is on the screen."""
        self.page.wait_for_function(
            "id => document.querySelector('.rk-title')?.textContent !== id", arg=card_id
        )

    def sees(self, selector: str) -> Any:
        """Wait until something is visible and return it."""
        found = self.page.locator(selector).first
        found.wait_for()
        return found

    def checks(self) -> list[str]:
        """Return the ids of the checks that are asked."""
        rows = "[...document.querySelectorAll('.rk-check[data-check]')].map(r => r.dataset.check)"
        return self.page.evaluate(rows)

    def answered(self) -> dict[str, str]:
        """Return the answers that are marked on the screen."""
        return self.page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('.rk-check[data-answer]')]"
            ".filter(r => r.dataset.answer).map(r => [r.dataset.check, r.dataset.answer]))"
        )

    def note(self) -> str:
        """Return what stands in the note."""
        return self.page.input_value("textarea.rk-note")

    # what the person does

    def press(self, keys: str) -> None:
        """Press plain letters and digits, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def answer(self, *failing: str, note: str = "") -> None:
        """Answer every check by its key; a note is written from the keyboard as well."""
        for check in self.checks():
            self.press("n" if check in failing else "y")
        if note:
            self.press("m")
            self.page.keyboard.type(note)

    def save(self) -> None:
        """Save as the keyboard does it, from inside the note or from the checks."""
        self.page.keyboard.press("Control+Enter")

    def go_to(self, card_id: str) -> None:
        """Go to a card through the list."""
        self.press("/")
        self.sees("dialog[open]")
        self.page.keyboard.type(card_id)
        self.page.keyboard.press("Enter")
        self.shows(card_id)

    def wait_saved(self) -> None:
        """Wait until the draft on the screen is acknowledged."""
        self.page.wait_for_function("!sessionStorage.getItem('reviewkit.pending')")

    # what reached the browser

    def hosts(self) -> set[str]:
        """Return every host that was asked, beside data and blob addresses."""
        parts = [urlsplit(url) for url in self.asked]
        return {part.netloc for part in parts if part.scheme not in ("data", "blob")}
