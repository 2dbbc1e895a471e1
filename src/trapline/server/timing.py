"""The clock of a match: what the entries of its log make of it, and whose time is up when.

Time is counted by the server alone, from when its log says that something became public. Who is
seen to think is who runs out of time: an answer in the middle of a turn stops nothing, so a clock
tells nobody what a turn holds. The computer has no clock.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from trapline.core import SEATS, Seat
from trapline.server.messages import Clock

if TYPE_CHECKING:
    from trapline.core import View
    from trapline.referee.stand import Stand
    from trapline.server.messages import TimeLimit
    from trapline.server.seating import Seating

Stage = tuple[int, bool]
"""How many turns were complete, and whether one player is to move, as everybody sees it."""
Gap = tuple[int, int]
"""From when to when no server was there, in milliseconds."""
OPENING = 60_000
"""Milliseconds that a device has at least to open what it hides."""


@lru_cache(maxsize=1024)
def in_milliseconds(at: str) -> int:
    return round(datetime.fromisoformat(at).timestamp() * 1000)


@lru_cache(maxsize=1024)
def as_time(milliseconds: int) -> str:
    """The way a log writes it. A clock shows the same until somebody else is to move."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.isoformat(timespec="milliseconds")


class Timekeeper:
    """How much time each player has left, and for whom it runs."""

    def __init__(self, limit: TimeLimit) -> None:
        self._limit = limit
        self._left: dict[Seat, int] = dict.fromkeys(SEATS, 1000 * limit.seconds)
        self._running: tuple[Seat, ...] = ()
        self._stage: Stage = (0, False)
        self._since = 0
        self._kept: dict[Seat, int] | None = None
        """What everybody has left to think, while devices open something."""

    def note(
        self, at: str, thinking: tuple[Seat, ...], stage: Stage, *, opening: bool = False
    ) -> None:
        """From now on these are seen to think, at this stage; or their devices to open something.

        What a device takes is not taken off anybody's time to think, and it has a while at least.
        """
        same = opening == (self._kept is not None)
        if same and (thinking, stage) == (self._running, self._stage):
            return
        self._charge(in_milliseconds(at))
        if self._kept is not None:
            self._left, self._kept = self._kept, None
        if self._limit.kind == "per move" and stage != self._stage:
            self._left = dict.fromkeys(SEATS, 1000 * self._limit.seconds)
        if opening:
            self._kept = dict(self._left)
            for seat in thinking:
                self._left[seat] = max(self._left[seat], OPENING)
        self._running, self._stage = thinking, stage

    def give_back(self, at: str, milliseconds: int) -> None:
        """So much of the time until now was nobody's fault."""
        self._charge(in_milliseconds(at))
        for seat in self._running:
            self._left[seat] += milliseconds

    def _charge(self, now: int) -> None:
        """A clock that went back has taken no time."""
        for seat in self._running:
            self._left[seat] -= max(0, now - self._since)
        self._since = now

    def show(self, seating: Seating) -> Clock:
        left = tuple(
            None if holder and holder.bot else max(0, self._left[seat])
            for seat, holder in seating.holders.items()
        )
        return Clock(
            self._limit.kind,
            self._limit.seconds,
            (left[0], left[1]),
            self._running,
            as_time(self._since) if self._since else None,
        )


def waited_for(public: View | Stand, seating: Seating) -> tuple[Seat, ...]:
    """The seats whose answer everybody sees to be waited for."""
    if public.outcome is not None or seating.is_open:
        return ()
    if public.to_move is not None:
        return (public.to_move,)
    return tuple(seat for seat in SEATS if not public.ready[seat - 1])


def thinking(public: View | Stand, seating: Seating) -> tuple[Seat, ...]:
    """Those of them who are people."""
    return tuple(
        seat
        for seat in waited_for(public, seating)
        if (holder := seating.holders[seat]) and not holder.bot
    )


def deadline(clock: Clock | None) -> int | None:
    """When somebody's time is up if nothing happens before, in milliseconds."""
    if clock is None or not clock.running or clock.since is None:
        return None
    return in_milliseconds(clock.since) + min(left for _, left in _running(clock))


def late(clock: Clock | None, now: str) -> tuple[Seat, ...]:
    """Whose time is up: of two who think at once the one who had less, or both."""
    end = deadline(clock)
    if clock is None or end is None or in_milliseconds(now) < end:
        return ()
    shortest = min(left for _, left in _running(clock))
    return tuple(seat for seat, left in _running(clock) if left == shortest)


def lost_in(clock: Clock | None, gap: Gap) -> int:
    """How many milliseconds of somebody's time fell into a gap."""
    if clock is None or not clock.running or clock.since is None:
        return 0
    begin, end = gap
    return max(0, end - max(begin, in_milliseconds(clock.since)))


def _running(clock: Clock) -> list[tuple[Seat, int]]:
    return [(seat, left) for seat in clock.running if (left := clock.left[seat - 1]) is not None]
