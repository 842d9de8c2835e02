"""What we learned: the append-only log of numbered rulings."""

from reviewkit.rulings.log import (
    Pin,
    Ruling,
    RulingEntry,
    RulingRefused,
    RulingsLog,
    RulingType,
    render_page,
    verify_rulings,
    visible_rulings,
)

__all__ = [
    "Pin",
    "Ruling",
    "RulingEntry",
    "RulingRefused",
    "RulingType",
    "RulingsLog",
    "render_page",
    "verify_rulings",
    "visible_rulings",
]
