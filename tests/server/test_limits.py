"""How much one may do and hold: counted to the last one, by household, without filling memory."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from trapline.server import limits
from trapline.server.limits import Bucket, Holdings, Rates, address_of
from trapline.server.refusals import Refusal


class Hand:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    clock = Hand()
    monkeypatch.setattr(limits, "time", clock)
    return clock


def known_as(host: str) -> str:
    return address_of(HTTPConnection({"type": "http", "headers": [], "client": (host, 1)}))


def test_a_household_is_one_whatever_addresses_it_has() -> None:
    assert known_as("2001:db8::1") == known_as("2001:db8::ffff:ffff:ffff:ffff")
    assert known_as("2001:db8::1") != known_as("2001:db8:0:1::1")
    assert known_as("fe80::1%eth0") == known_as("fe80::2%eth1")
    assert known_as("192.0.2.1") != known_as("192.0.2.2")
    assert known_as("::ffff:192.0.2.1") == known_as("::ffff:c000:201") == known_as("192.0.2.1")
    assert known_as("::ffff:192.0.2.2") == known_as("192.0.2.2")
    assert known_as("a socket's path") == "a socket's path"
    assert address_of(HTTPConnection({"type": "http", "headers": [], "client": None})) == ""


def test_a_bucket_gives_what_it_holds_and_is_filled_by_time(hand: Hand) -> None:
    bucket = Bucket(rate=2, burst=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    fullness = [bucket.full]
    hand.seconds += 0.5
    assert [bucket.take(), bucket.take()] == [True, False]
    hand.seconds += 1.5
    assert [*fullness, bucket.full] == [False, True]
    hand.seconds += 3600  # no more than it holds, however long nobody took anything
    assert not bucket.take(3.5)
    assert bucket.take(3)
    assert not bucket.take(0.5)


def test_names_of_strangers_fill_no_memory(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_KNOWN", 10)
    rates = Rates(per_minute=2)
    for number in range(50):
        rates.check(f"stranger {number}", "Too fast.")
    hand.seconds += 29
    rates.check("hasty", "Too fast.")
    hand.seconds += 1
    rates.check("hasty", "Too fast.")
    assert [*rates._buckets] == ["hasty"]  # who did nothing lately is forgotten, and nobody else
    with pytest.raises(Refusal, match="Too fast"):
        rates.check("hasty", "Too fast.")


def test_an_address_holds_so_many_and_gets_them_back() -> None:
    places = Holdings(2, "No more.")
    for _ in range(3):
        places.take("here")
        places.take("here")
        with pytest.raises(Refusal, match="No more"):
            places.take("here")
        places.take("there")
        for address in ("here", "there", "here"):
            places.give_back(address)
    assert places._held == {}
