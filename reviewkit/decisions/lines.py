"""One line of a chained file: how it is made, how it is read, and what is refused.

A line is canonical JSON with its sequence number, the digest of the line before it and its own.
Everything here is a pure function of bytes and fields; ``chain`` does the reading and writing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from reviewkit.digests import canonical_json, digest_of
from reviewkit.problems import ReviewkitError

FIRST = "0" * 64
"""What the first line of a chain names as the line before it."""

LINE_LIMIT = 1_000_000
"""The longest line in bytes; no person types one, so a longer one is a fault or an attack."""

FAULTS_NAMED = 10
"""So many faults are told of one line; a list of ten thousand is no sentence."""

BOM = b"\xef\xbb\xbf"
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
ClickId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{8,64}$")]
Fields = dict[str, Any]
Upgrader = Callable[[Fields], Fields]
"""Turns the fields of a line of one schema version into those of the current one."""


class LedgerBroken(ReviewkitError):
    """A line is not what was once written and acknowledged there."""

    def __init__(
        self,
        file: str,
        line: int,
        why: str,
        *,
        in_database: bool = False,
    ) -> None:
        self.file = file
        self.line = line
        self.why = why
        thing, source = ("database", "a backup") if in_database else ("file", "git or a backup")
        self.remedy = f"put the {thing} back as it was, from {source}"
        super().__init__(
            f"{file}:{line}: {why}; nothing was changed: put the {thing} back as it was "
            f"(from {source}), then run `reviewkit verify ledger`"
        )


class NewerRecord(ReviewkitError):
    """A line was written by a reviewkit that knows more than this one."""

    def __init__(self, file: str, line: int, version: int, known: int) -> None:
        self.file = file
        self.line = line
        super().__init__(
            f"{file}:{line}: written by a newer reviewkit (schema {version}; this one reads up "
            f"to {known}); upgrade reviewkit"
        )


class RecordRefused(ReviewkitError):
    """What was handed in may not stand in this file; nothing was recorded."""

    def __init__(self, why: str, remedy: str) -> None:
        self.why = why
        self.remedy = remedy
        super().__init__(f"not recorded: {why}; {remedy}")


class ClickReused(RecordRefused):
    """A click id that was recorded before came back with other content."""


class ChainLine(BaseModel):
    """One line of a chained file; subclasses add what it says."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        ser_json_inf_nan="constants",
        defer_build=True,
    )

    MEASURED: ClassVar[frozenset[str]] = frozenset()
    """Fields that may differ when the same click comes twice, such as time spent."""

    schema_version: Annotated[int, Field(ge=1)]
    seq: Annotated[int, Field(ge=1)]
    """The number of the record, and of its line in the file."""
    previous: Digest
    """The digest of the record before this one; ``FIRST`` for the first."""
    time: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")]
    """UTC, to the millisecond."""
    click_id: ClickId
    """Made anew for every intent to submit: the same click twice is one record."""
    digest: Digest
    """SHA-256 of the canonical JSON of all other fields."""

    @staticmethod
    def digest_of_fields(fields: Mapping[str, Any]) -> str:
        """Return the digest that a record with these fields (``digest`` aside) must carry."""
        return digest_of({name: value for name, value in fields.items() if name != "digest"})


Line = TypeVar("Line", bound=ChainLine)


class LineError(Exception):
    """One line, by its number, and why it is not what was written."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line
        self.why = why


def utc_now() -> str:
    """Return the time in the form that lines carry."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def as_it_is(fields: Fields) -> Fields:
    """Return the fields of a line of the current version, which need no upgrade."""
    return fields


def faults_of(error: ValidationError) -> str:
    """Return everything pydantic found, on one line and without its jargon."""
    said: list[str] = []
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    for fault in faults[:FAULTS_NAMED]:
        place = ".".join(str(part) for part in fault["loc"])
        wrong = fault["msg"].removeprefix("Value error, ")
        said.append(f"{place}: {wrong}" if place else wrong)
    if len(faults) > FAULTS_NAMED:
        said.append(f"and {len(faults) - FAULTS_NAMED} more faults")
    return "; ".join(said)


class LineFormat(Generic[Line]):
    """How lines of one model are made and read, with every earlier schema version.

    Args:
        model: the model of a line.
        upgraders: per schema version that can be read, how its fields become current ones; the
            highest version is the one that is written.
    """

    def __init__(self, model: type[Line], upgraders: Mapping[int, Upgrader] | None = None) -> None:
        self.model = model
        self.upgraders = dict(upgraders or {1: as_it_is})
        self.version = max(self.upgraders)

    def compose(self, content: Fields, *, seq: int, previous: str, time: str) -> bytes:
        """Return the bytes of a new line without its newline; RecordRefused when it has no form."""
        place = {
            "schema_version": self.version,
            "seq": seq,
            "previous": previous,
            "time": time,
            "digest": FIRST,
        }
        try:
            line = self.model.model_validate({**content, **place})
            fields = line.model_dump(mode="json", by_alias=True)
            fields["digest"] = self.model.digest_of_fields(fields)
            raw = canonical_json(fields)
        except ValidationError as error:
            raise RecordRefused(faults_of(error), "correct it and save again") from error
        except UnicodeEncodeError as error:
            raise RecordRefused(
                "a text holds half a character", "type that character again and save again"
            ) from error
        except (ValueError, TypeError, RecursionError) as error:
            raise RecordRefused(
                f"it holds a value that JSON has no form for ({error})", "correct it and save again"
            ) from error
        if len(raw) > LINE_LIMIT:
            raise RecordRefused(
                f"it has {len(raw):,} bytes and a record has at most {LINE_LIMIT:,}",
                "shorten it and save again",
            )
        return raw

    def read(self, raw: bytes, number: int, previous: str, shown: str) -> Line:
        """Return the line that stands as ``number`` after the one with digest ``previous``.

        Raises LineError when it is not, byte for byte, what was written there; NewerRecord when it
        is of a schema version that this reviewkit does not know.
        """
        fields = _parse(raw, number)
        version = fields.get("schema_version")
        if type(version) is int and version > self.version:
            raise NewerRecord(shown, number, version, self.version)
        try:
            unchanged = canonical_json(fields) == raw
            digest = self.model.digest_of_fields(fields)
        except (ValueError, RecursionError):
            unchanged, digest = False, ""
        if digest != fields.get("digest"):
            raise LineError(number, "the line does not match its own digest: it was edited")
        if not unchanged:
            raise LineError(number, "the line is not spelled as reviewkit writes it: it was edited")
        if fields.get("seq") != number:
            raise LineError(
                number,
                f"the line holds record {fields.get('seq')}, not {number}: "
                "lines were dropped, repeated or moved",
            )
        if fields.get("previous") != previous:
            raise LineError(
                number, "the line does not follow the one before it: one of them was exchanged"
            )
        upgrade = self.upgraders.get(version) if type(version) is int else None
        if upgrade is None:
            raise LineError(number, f"the line has no known schema version (it says {version!r})")
        try:
            return self.model.model_validate(upgrade(fields))
        except ValidationError as error:
            raise LineError(
                number, f"the line is not a valid record: {faults_of(error)}"
            ) from error

    def repeats(self, earlier: Line, content: Mapping[str, Any]) -> bool:
        """Return whether ``content`` says again what ``earlier`` says, measured fields aside."""
        before = earlier.model_dump(mode="json", by_alias=True)
        try:
            return all(
                digest_of(value) == digest_of(before.get(name))
                for name, value in content.items()
                if name not in self.model.MEASURED
            )
        except (ValueError, TypeError, RecursionError):
            return False


def _parse(raw: bytes, number: int) -> Fields:
    if len(raw) > LINE_LIMIT:
        raise LineError(
            number, f"the line has {len(raw):,} bytes; a record has at most {LINE_LIMIT:,}"
        )
    if raw.startswith(BOM):
        raise LineError(number, "the line starts with a byte order mark: an editor saved it anew")
    if raw.endswith(b"\r"):
        raise LineError(number, "the line ends in CRLF: an editor or git changed the line ends")
    if not raw.strip():
        raise LineError(number, "the line is blank")
    try:
        value: object = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise LineError(number, f"the line is not UTF-8 at byte {error.start + 1}") from error
    except (ValueError, RecursionError) as error:
        raise LineError(number, "the line is not JSON: it was edited or is damaged") from error
    if not isinstance(value, dict):
        raise LineError(number, "the line is not a JSON object")
    return value
