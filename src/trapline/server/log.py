"""The entries of a match's log. Read in order, they are the match.

Everything that chance decided (the toss, seeds, salts, times) is written down, so that reading
a log twice gives the same match, byte by byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import Seat, TraplineError
from trapline.referee import Record, Series
from trapline.server.messages import AnyCommand, TimeLimit

if TYPE_CHECKING:
    from collections.abc import Sequence


class Holder(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who a seat belongs to: a person's hashed key, or a level of the computer."""

    name: str
    key: str = ""
    bot: str | None = None


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="entry"):
    at: str


class Open(Entry, frozen=True, tag="open"):
    game: str
    options: dict[str, Any]
    first: Seat
    tossed: bool
    holders: tuple[Holder | None, Holder | None]
    code: str | None = None
    """What a friend must show to take the free seat."""
    chance: str = ""
    """The seed of everything that chance decides, where it decides anything."""
    clock: TimeLimit | None = None
    series: Series | None = None
    listed: bool = False
    watched: bool = False
    locked: bool = False
    """Whether secrets stay on the players' own devices."""
    past: Record | None = None
    """What was played before the match began, where it goes on from a position of another."""
    host: str = ""
    """The hashed key of a shared screen, which opens a match and takes no seat."""
    first_code: str | None = None
    """What the one must show who takes seat 1 of such a match."""


class Join(Entry, frozen=True, tag="join"):
    seat: Seat
    holder: Holder


class Act(Entry, frozen=True, tag="act"):
    seat: Seat
    key: str
    command: AnyCommand
    salt: str = ""
    refused: bool = False
    """A move that the rules did not allow, in a game that counts those."""


class Late(Entry, frozen=True, tag="late"):
    """The time of these was up."""

    seats: tuple[Seat, ...]


class Away(Entry, frozen=True, tag="away"):
    """No server was there for so long, which is taken off nobody's time."""

    milliseconds: int


AnyLater = Join | Act | Late | Away
AnyEntry = Open | AnyLater

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyEntry).decode


def read(entries: Sequence[bytes]) -> tuple[Open, list[AnyLater]]:
    """A log: its opening, and what followed."""
    opening, *more = map(decode, entries)
    if not isinstance(opening, Open) or any(isinstance(entry, Open) for entry in more):
        raise TraplineError("A match is opened once, by the first entry of its log.")
    return opening, more
