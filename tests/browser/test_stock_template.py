"""The fallback: Voila's own page, with JupyterLab's application, shows the same desk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reviewkit.study import LinkBook
from tests.browser.places import lay_demo, records
from tests.browser.reader import Reader
from tests.serving.served import running

pytestmark = [pytest.mark.browser, pytest.mark.kernel]


def test_a_card_is_judged_on_the_stock_page(sit: Callable[..., Reader], tmp_path: Path) -> None:
    """With ``--template lab`` a card is answered, saved and recorded, and the next one comes."""
    place = lay_demo(tmp_path / "project", ("amal", "basim"))
    with running(place.root, template="lab") as server:
        token = LinkBook(place.links).make("demo", "p-amal", "amal")
        reader = sit().open(f"{server.url}go/{token}")
        reader.shows("DEMO-T1-001")
        reader.answer()
        reader.save()
        reader.shows("DEMO-T1-002")
        (decision,) = records(place, "amal", "decision")
        assert decision["card_id"] == "DEMO-T1-001"
        reader.close()
