"""What we learned: the append-only log of numbered rulings; ``guides/`` holds the editions.

The editions are not imported here: a desk that shows rulings needs none of them.
"""

from reviewkit.rulings.log import (
    Pin,
    Ruling,
    RulingEntry,
    RulingRefused,
    RulingsLog,
    RulingType,
    render_page,
    rulings_log,
    verify_rulings,
    visible_rulings,
)

__all__ = [
    "Pin", "Ruling", "RulingEntry", "RulingRefused", "RulingType", "RulingsLog", "render_page",
    "rulings_log", "verify_rulings", "visible_rulings",
]  # fmt: skip
