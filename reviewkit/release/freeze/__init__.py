"""Freezes: what stands in the way, the freeze with its certificate, and what is said of it since.

``freeze`` makes one, ``verify_freeze`` checks it from the files alone, ``retract``, ``amend`` and
``record_deviation`` say what happened afterwards, publicly.
"""

from reviewkit.release.freeze.afterwards import amend, record_deviation, retract, write_pages
from reviewkit.release.freeze.certificate import Certificate, as_json_text, told_in
from reviewkit.release.freeze.facts import Counts, GroupFacts
from reviewkit.release.freeze.log import (
    Freeze,
    FreezeLine,
    UnknownFreeze,
    find_freeze,
    freezes,
    verify_freeze_log,
)
from reviewkit.release.freeze.making import FreezeRefused, freeze
from reviewkit.release.freeze.obstacles import Obstacle, obstacles
from reviewkit.release.freeze.page import afterwards_page, agreement_blocks, certificate_page
from reviewkit.release.freeze.verifying import Verification, verify_freeze

__all__ = [
    "Certificate", "Counts", "Freeze", "FreezeLine", "FreezeRefused", "GroupFacts", "Obstacle",
    "UnknownFreeze", "Verification", "afterwards_page", "agreement_blocks", "amend", "as_json_text",
    "certificate_page", "find_freeze", "freeze", "freezes", "obstacles", "record_deviation",
    "retract", "told_in", "verify_freeze", "verify_freeze_log", "write_pages",
]  # fmt: skip
