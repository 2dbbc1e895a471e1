"""What the HTTP side answers about matches, keys and the server itself."""

from __future__ import annotations

from typing import Any

import msgspec

from trapline.core import Seat, Suspicion
from trapline.server.messages import Clock, Sitter, TimeLimit


class Opened(msgspec.Struct, frozen=True):
    """The answer to opening or joining a match."""

    match: str
    seats: tuple[Seat, ...]
    link: str | None


class Links(msgspec.Struct, frozen=True):
    links: tuple[str | None, str | None]
    """To each seat, while it is free."""


class MatchInfo(msgspec.Struct, frozen=True):
    match: str
    game: str
    title: str
    options: dict[str, Any]
    first: Seat
    players: tuple[Sitter | None, Sitter | None]
    open: bool
    over: bool
    seats: tuple[Seat, ...]
    clock: Clock | None = None
    best_of: int = 1
    watched: bool = False
    """Whether it is shown to everybody as a match to watch."""
    listed: bool = False
    locked: bool = False
    """Whether secrets stay on the players' own devices."""
    trails: bool = False
    """Whether it is turns that leave something hidden, and not secrets before them."""
    waits: tuple[Seat, ...] = ()
    """Who is to answer, as everybody sees it."""
    origin: str = "rulebook"
    """Where its game comes from."""


class Listed(msgspec.Struct, frozen=True):
    """A match in the lobby, as its opening tells it; what happens in it is told to who looks."""

    match: str
    title: str
    game: str
    options: dict[str, Any]
    players: tuple[Sitter | None, Sitter | None]
    opened: str
    clock: TimeLimit | None
    best_of: int
    here: bool
    """Whether the one who opened it is known to be connected."""
    yours: bool


class Lobby(msgspec.Struct, frozen=True):
    challenges: list[Listed]
    watched: list[Listed]


class Playable(msgspec.Struct, frozen=True):
    """These options make a game."""

    ok: bool
    note: str = ""
    """What to know of it before the match: that perfect and the coach have to work it out, or
    cannot."""


class Waiting(msgspec.Struct, frozen=True):
    """The coach speaks when the variant is solved, which has begun."""

    waits: str
    share: float | None
    """How far it is, from 0 to 1; null while nothing is proven that would say it."""


class Deleted(msgspec.Struct, frozen=True):
    match: str


class NewKey(msgspec.Struct, frozen=True):
    key: str


class Hint(msgspec.Struct, frozen=True):
    hint: str
    suspected: tuple[Suspicion, ...] = ()
    """What the player may believe of each place of the board."""
    chance: str = ""
    """What the player can expect, for whoever practises."""


class Health(msgspec.Struct, frozen=True):
    ok: bool
    version: str
