"""The gate for what a browser says: sizes bounded, every field checked, a sentence for the rest.

Everything that comes from a browser is hostile until it has passed here.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

MESSAGE_LIMIT = 400_000
"""Characters of all strings of a message together; a longer one is not even looked at."""

T = TypeVar("T")


class MessageRefused(ValueError):
    """The message is not one a page of ours sends."""


def checked(content: Any, adapter: TypeAdapter[T]) -> T:
    """Return the checked message; raises MessageRefused naming the first field at fault."""
    if not isinstance(content, dict) or _size(content) > MESSAGE_LIMIT:
        raise MessageRefused("the message is too large or not an object")
    try:
        return adapter.validate_python(_mended(content), strict=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "message"
        raise MessageRefused(f"{place}: {first['msg']}") from None


def _mended(value: Any) -> Any:
    """Return ``value`` with halves of characters replaced, as an emoji leaves them half typed."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mended(key): _mended(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_mended(each) for each in value]
    return value


def _size(value: Any, depth: int = 0) -> int:
    if depth > 6:
        return MESSAGE_LIMIT + 1
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(_size(key, depth + 1) + _size(each, depth + 1) for key, each in value.items())
    if isinstance(value, list):
        return len(value) + sum(_size(each, depth + 1) for each in value)
    return 8
