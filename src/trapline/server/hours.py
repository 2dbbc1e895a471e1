"""What time it is. Servers that share a database all go by the database's clock.

Machines disagree about the time of day, and a player's time is counted across all of them. So the
clock is asked now and then, and between two looks the time is counted that really passes: whoever
sets the clock of a machine changes nothing until the next look, which notices it.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from trapline.server.store import Store


class Hours:
    def __init__(self) -> None:
        self.ahead = _ahead(time.time(), time.monotonic())
        """Milliseconds by which the time of day is ahead of the time that has really passed."""

    def milliseconds(self) -> int:
        return int(1000 * time.monotonic()) + self.ahead

    async def agree(
        self, store: Store, warn: Callable[[int], Awaitable[None]] | None = None
    ) -> int:
        """Look at the clock that counts; by how many milliseconds it has been set.

        `warn` hears of it before anything bears the new time.
        """
        asked = time.monotonic()
        told = await store.time()
        answered = time.monotonic()
        ahead = _ahead(told, (asked + answered) / 2)
        if abs(ahead - self.ahead) <= 500 * (answered - asked):
            return 0  # an answer that was so long on its way is no news
        if warn is not None:
            await warn(ahead - self.ahead)
        before, self.ahead = self.ahead, ahead
        return ahead - before


def _ahead(wall: float, passed: float) -> int:
    return round(1000 * (wall - passed))


HOURS = Hours()
"""A process has one, as it has one clock."""


def now() -> str:
    return _millisecond(HOURS.milliseconds())


@lru_cache(maxsize=4)
def _millisecond(number: int) -> str:
    """What is done in one turn of the event loop mostly shares it."""
    seconds, rest = divmod(number, 1000)
    return f"{_second(seconds)}.{rest:03}+00:00"


@lru_cache(maxsize=4)
def _second(number: int) -> str:
    """A second of the calendar. Every move has a time, and thousands share this part of it."""
    return datetime.fromtimestamp(number, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def ago(passed: timedelta) -> str:
    """The time so long before, the way a log writes it."""
    return written(datetime.fromisoformat(now()) - passed)


def written(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")
