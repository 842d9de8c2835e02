"""What the doctor says of memory, limits, clock and fonts, from facts alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from reviewkit.desk.doctor.finding import State
from reviewkit.desk.doctor.machine import (
    Limits,
    Memory,
    Temporary,
    check_clock,
    check_fonts,
    check_limits,
    check_memory,
    check_temporary,
)

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("total", "available", "forked", "state"),
    [
        (4000, 3000, True, State.OK),
        (4000, 2000, True, State.WARNING),
        (2000, 2000, True, State.FAULT),
        (4000, 3000, False, State.WARNING),
        (3000, 3000, False, State.FAULT),
    ],
)
def test_memory_for_fifty(total: float, available: float, forked: bool, state: State) -> None:
    """150 MB and 40 for each, or 60 where kernels are not forked: 2,150 or 3,150."""
    found = check_memory(Memory(total, available), 50, forked=forked)
    assert found.state is state
    assert ("2,150 MB" if forked else "3,150 MB") in found.found


def test_a_machine_that_is_too_small_says_for_how_many_it_is_enough() -> None:
    """(2,000 - 150) / 40 is 46."""
    found = check_memory(Memory(2000, 2000), 50, forked=True)
    assert "at most 46 " in found.remedy


def test_limits_for_fifty() -> None:
    """Fifty pages take 32 + 16 x 50 descriptors and 16 + 16 x 50 threads."""
    (good,) = check_limits(Limits(None, None, None), 50)
    assert good.state is State.OK
    assert next(check_limits(Limits(832, 832, 816), 50)).state is State.OK
    few = list(check_limits(Limits(831, 4096, 815), 50))
    assert [each.state for each in few] == [State.FAULT] * 2
    assert "`ulimit -n 832` in the shell" in few[0].remedy
    assert "ulimit -u 816" in few[1].remedy
    (hard,) = check_limits(Limits(256, 512, None), 50)
    assert "as root" in hard.remedy


@pytest.mark.parametrize(
    ("temporary", "state"),
    [
        (Temporary("/tmp", writable=True, sockets=True), State.OK),
        (Temporary("/tmp/" + "long" * 20, writable=True, sockets=False), State.WARNING),
        (Temporary("/tmp", writable=False, sockets=True), State.FAULT),
    ],
)
def test_the_temporary_folder(temporary: Temporary, state: State) -> None:
    """Long paths mean TCP, a closed folder means no kernel at all."""
    assert check_temporary(temporary).state is state


def test_the_clock() -> None:
    """Before the last record, before this program and in the far future it cannot be right."""
    assert check_clock(NOW, None).state is State.OK
    assert check_clock(NOW, NOW - timedelta(days=9), "a.jsonl").state is State.OK
    assert check_clock(NOW, NOW + timedelta(seconds=4), "a.jsonl").state is State.OK
    late = check_clock(NOW, NOW + timedelta(minutes=1), "rulings/demo/first/a.jsonl")
    assert late.state is State.FAULT
    assert "rulings/demo/first/a.jsonl (2027-03-01 12:01:00)" in late.found
    for year in (1970, 2025, 2101):
        assert check_clock(NOW.replace(year=year), None).state is State.FAULT


def test_fonts() -> None:
    """Whatever is here, the readers' own machines draw the texts, and it says so."""
    states = {}
    for name, fonts in (("none", ()), ("some", ("Noto Naskh Arabic",)), ("unknown", None)):
        found = check_fonts(fonts)
        assert "their own machines" in found.found
        states[name] = found.state
    assert states == {"none": State.WARNING, "some": State.OK, "unknown": State.OK}
