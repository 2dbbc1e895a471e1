"""How much one may do and hold: in a while, at once, by address and by key."""

from __future__ import annotations

import ipaddress
import time
from functools import lru_cache
from typing import TYPE_CHECKING

from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

MOST_KNOWN = 10_000
"""Names whose buckets are kept; beyond that the full ones, which say nothing, are forgotten."""


def address_of(connection: HTTPConnection) -> str:
    """Who sends: an address, or the network of one where every household has billions of them."""
    return _network_of(connection.client.host if connection.client else "")


@lru_cache(MOST_KNOWN)
def _network_of(host: str) -> str:
    host = unmapped(host)
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    return str(ipaddress.ip_network(f"{host.partition('%')[0]}/64", strict=False))


@lru_cache(MOST_KNOWN)
def unmapped(host: str) -> str:
    """An address of the old kind as what it is, where one listener takes both kinds.

    All of those would else be one network, and this machine would not be known to be itself.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    old = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(old) if old else host


def plain(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """The same of where a connection comes from."""
    return client and (unmapped(client[0]), client[1])


class Bucket:
    """How much somebody may still do now: it fills up with time, and each act takes some."""

    __slots__ = ("_burst", "_level", "_rate", "_seen")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._level, self._seen = burst, time.monotonic()

    def take(self, amount: float = 1) -> bool:
        now = time.monotonic()
        level = self._level + (now - self._seen) * self._rate
        if level > self._burst:
            level = self._burst
        allowed = level >= amount
        self._level, self._seen = level - amount if allowed else level, now
        return allowed

    @property
    def full(self) -> bool:
        return self._level + (time.monotonic() - self._seen) * self._rate >= self._burst


class Rates:
    """A bucket for everybody who has a name: an address, a key, a match."""

    def __init__(self, per_minute: float) -> None:
        self._per_minute = per_minute
        self._buckets: dict[str, Bucket] = {}

    def check(self, name: str, sentence: str) -> None:
        """Count an act of somebody; Refusal with this sentence when there were too many."""
        if len(self._buckets) > MOST_KNOWN:
            self._buckets = {k: b for k, b in self._buckets.items() if not b.full}
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = Bucket(self._per_minute / 60, self._per_minute)
        if not bucket.take():
            raise Refusal("too fast", sentence)


class Holdings:
    """How many of something each address holds at this moment."""

    def __init__(self, most: int, sentence: str) -> None:
        self._most = most
        self._sentence = sentence
        self._held: dict[str, int] = {}

    def take(self, address: str) -> None:
        if self._held.get(address, 0) >= self._most:
            raise Refusal("full", self._sentence)
        self._held[address] = self._held.get(address, 0) + 1

    def give_back(self, address: str) -> None:
        left = self._held[address] - 1
        if left:
            self._held[address] = left
        else:
            del self._held[address]
