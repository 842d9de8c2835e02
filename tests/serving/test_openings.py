"""The count of failed openings: who waits, how long, and in how much memory."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

from reviewkit.desk.server.openings import (
    LOOPBACK,
    REMEMBERED,
    Allowance,
    FailedOpenings,
    address_of,
)


class Clock:
    """A clock that is turned by hand."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


def test_who_fails_too_often_waits_and_then_may_try_again() -> None:
    """Three failures are free, then one every ten seconds; others are not concerned."""
    clock = Clock()
    failures = FailedOpenings(Allowance(3, 10), Allowance(100, 1), clock)
    for _ in range(3):
        assert failures.wait("a") == 0
        failures.note("a")
    assert failures.wait("a") == 10
    assert failures.wait("b") == 0
    clock.now = 9.5
    assert failures.wait("a") == 1
    clock.now = 10
    assert failures.wait("a") == 0
    failures.note("a")
    assert failures.wait("a") == 10
    clock.now = 1000
    assert failures.wait("a") == 0


def test_a_flood_from_many_addresses_keeps_no_newcomer_out() -> None:
    """Too many failures in all stop those who failed before, and nobody else."""
    clock = Clock()
    failures = FailedOpenings(Allowance(3, 10), Allowance(20, 1), clock)
    for number in range(50):
        failures.note(f"bot{number}")
    assert failures.wait("bot7") == 31
    assert failures.wait("pupil") == 0


def test_the_count_does_not_grow() -> None:
    """A million addresses are remembered as some thousands."""
    failures = FailedOpenings()
    for number in range(3 * REMEMBERED):
        failures.note(str(number))
    assert len(failures._addresses) == REMEMBERED


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("127.0.0.1", None, "127.0.0.1"),
        ("127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "10.0.0.1, 203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "203.0.113.7, nonsense", "127.0.0.1"),
        ("::ffff:127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "203.0.113.7, 127.0.0.1", "203.0.113.7"),
        ("127.0.0.1", "10.0.0.1, 203.0.113.7, ::1, 127.0.0.1", "203.0.113.7"),
        ("127.0.0.1", "127.0.0.1, ", "127.0.0.1"),
        ("198.51.100.9", "203.0.113.7", "198.51.100.9"),
        ("2001:db8:1:2:3::4", "203.0.113.7", "2001:db8:1:2::/64"),
        ("::1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("", None, ""),
    ],
)
def test_where_a_request_came_from(peer: str, forwarded: str | None, address: str) -> None:
    """What our proxies wrote counts, one behind the other, and nobody else's word."""
    headers = HTTPHeaders({"X-Forwarded-For": forwarded} if forwarded else {})
    headers["Host"] = "x"
    request = HTTPServerRequest(
        headers=headers, start_line=RequestStartLine("GET", "/", "HTTP/1.1")
    )
    request.remote_ip = peer
    assert address_of(request, [ip_network(each) for each in LOOPBACK]) == address
