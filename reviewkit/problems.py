"""One shape for every fault: where it is, what is wrong, what to do.

Faults in what a user wrote are collected and shown all at once. Situations the user can mend
are subclasses of ``ReviewkitError``; the command line prints them as one line and never a
traceback. Anything else that is raised is a bug in reviewkit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_LINE_ENDS = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault, printed on one line as ``where: what is wrong; what to do``."""

    where: str
    wrong: str
    remedy: str

    def __str__(self) -> str:
        told = f"{self.where}: {self.wrong}; {self.remedy}"
        # a name with a line end in it must not look like another fault
        return _LINE_ENDS.sub(lambda end: end[0].encode("unicode_escape").decode("ascii"), told)


class ReviewkitError(Exception):
    """A situation the user can mend; its text is one line that ends with what to do."""


class ProblemsFound(ReviewkitError):
    """One or more faults in files or input; ``problems`` holds every one of them."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        if not self.problems:
            raise AssertionError("ProblemsFound needs at least one problem")
        super().__init__("\n".join(str(problem) for problem in self.problems))
