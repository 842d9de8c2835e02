"""Failed openings of links are counted, and whoever fails too often waits.

A secret has 256 bits: nobody guesses it. The count keeps a guesser from filling the log and the
processor. Only failures count, so a class behind one address that opens good links never meets it.
"""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from tornado.httputil import HTTPServerRequest

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
LOOPBACK = ("127.0.0.0/8", "::1/128")
REMEMBERED = 4096
"""So many addresses are kept at most; the one that failed longest ago is forgotten first."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many failures at once, and one more every so many seconds."""

    at_once: int
    seconds: float


PER_ADDRESS = Allowance(100, 2.0)
IN_ALL = Allowance(1000, 0.2)


@dataclass(slots=True)
class _Spent:
    """Failures that still count, as of a moment on the clock."""

    failures: float = 0.0
    at: float = 0.0

    def left_at(self, now: float, allowance: Allowance) -> float:
        return max(0.0, self.failures - (now - self.at) / allowance.seconds)


class FailedOpenings:
    """Who failed how often, in memory that does not grow."""

    def __init__(
        self,
        per_address: Allowance = PER_ADDRESS,
        in_all: Allowance = IN_ALL,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._per_address, self._in_all, self._clock = per_address, in_all, clock
        self._addresses: OrderedDict[str, _Spent] = OrderedDict()
        self._all = _Spent()

    def wait(self, address: str) -> int:
        """Return how many seconds this address has to wait; 0 lets it try.

        When there are too many failures in all, who never failed may still try: a flood from
        elsewhere keeps nobody with a good link out.
        """
        now = self._clock()
        spent = self._addresses.get(address)
        if spent is None:
            return 0
        own = spent.left_at(now, self._per_address)
        if own <= 0:
            del self._addresses[address]
            return 0
        seconds = (own - self._per_address.at_once + 1) * self._per_address.seconds
        in_all = self._all.left_at(now, self._in_all)
        seconds = max(seconds, (in_all - self._in_all.at_once + 1) * self._in_all.seconds)
        return max(0, math.ceil(seconds))

    def note(self, address: str) -> None:
        """Count a failure."""
        now = self._clock()
        spent = self._addresses.pop(address, None) or _Spent(at=now)
        for each, allowance in ((spent, self._per_address), (self._all, self._in_all)):
            each.failures = each.left_at(now, allowance) + 1
            each.at = now
        self._addresses[address] = spent
        if len(self._addresses) > REMEMBERED:
            self._addresses.popitem(last=False)


def is_in(address: str, networks: Sequence[Network]) -> bool:
    """Return whether the address belongs to one of the networks; what is no address does not."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return any(ip.version == network.version and ip in network for network in networks)


def address_of(request: HTTPServerRequest, proxies: Sequence[Network]) -> str:
    """Return the address that a request came from, or all that one subscriber has of IPv6.

    Of ``X-Forwarded-For`` only what our own proxies wrote counts: the last entry, when the request
    came from a proxy, and the one before it as long as that is a proxy again.
    """
    address = request.remote_ip or ""
    hops = request.headers.get("X-Forwarded-For", "").split(",")
    while is_in(address, proxies) and hops and (before := hops.pop().strip()):
        address = before
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return request.remote_ip or ""
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if ip.version == 4:
        return str(ip)
    return str(ipaddress.ip_network((ip, 64), strict=False))
