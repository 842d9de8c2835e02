"""A second reading: what the ledger of one second reader admits.

A second reader agrees with what stands on a card or objects. Nothing else can be written there, so
no second reading can change a verdict or a label.
"""

from __future__ import annotations

import re

from reviewkit.decisions.lines import RecordRefused
from reviewkit.decisions.passes import Owner
from reviewkit.decisions.records import Record
from reviewkit.questions.verdict import is_blank

SECOND_READING = "second-reading"
"""The name of the pass under which second readings are recorded."""

OPINIONS = ("agree", "object")
READERS = ("person", "assistant")

_DIGEST = re.compile(r"^[0-9a-f]{64}\Z")


class SecondReadingRules:
    """What may follow what in the ledger of one second reader.

    Args:
        owner: study, pass and reader whose ledger it is; without it, its first record says.
    """

    def __init__(self, owner: Owner | None = None) -> None:
        self._whose = owner
        self._by: object = None

    def check(self, line: Record) -> None:
        """Raise RecordRefused when ``line`` may not come next."""
        if line.kind != "second_reading":
            raise RecordRefused(
                f"the ledger of a second reader holds no record of kind {line.kind}",
                "write it to the ledger of a pass",
            )
        whose = (line.study, line.pass_, line.rater)
        if self._whose not in (None, whose):
            raise RecordRefused(
                f"the ledger is of {'/'.join(self._whose or ())} and the record of "
                f"{'/'.join(whose)}",
                "use the ledger of that study and reader",
            )
        details = line.details
        if details.get("opinion") not in OPINIONS:
            raise RecordRefused("a second reading agrees or objects", "say agree or object")
        if details["opinion"] == "object" and is_blank(line.reason):
            raise RecordRefused("an objection needs a reason", "say in one sentence why")
        if line.card_digest is None or not _DIGEST.match(str(details.get("of"))):
            raise RecordRefused(
                "a second reading names the card's content and the record it is of",
                "read the card again",
            )
        if details.get("by") not in READERS or details.get("name") != line.rater:
            raise RecordRefused(
                "a second reading says whether a person or an assistant read, and its name",
                "say by whom it is",
            )
        if self._by not in (None, details["by"]):
            raise RecordRefused(
                f"{line.rater} is recorded as {self._by}, not as {details['by']}",
                "give the other reader another name",
            )
        if details["by"] == "assistant" and not _DIGEST.match(str(details.get("file"))):
            raise RecordRefused(
                "an assistant's reading carries the digest of the file it came in",
                "import the file",
            )

    def take(self, line: Record) -> None:
        """Go on with ``line`` in place."""
        if self._whose is None:
            self._whose = (line.study, line.pass_, line.rater)
        self._by = line.details.get("by")
