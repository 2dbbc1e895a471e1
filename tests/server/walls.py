"""A clock on the wall that tests set, and limits of time."""

from __future__ import annotations

from trapline.server.messages import TimeLimit
from trapline.server.timing import as_time, in_milliseconds

SUDDEN = TimeLimit("sudden death", 60)
EACH = TimeLimit("per move", 30)
NOON = in_milliseconds("2026-01-01T12:00:00.000+00:00")


class Wall:
    """A clock on the wall that goes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> str:
        return as_time(NOON + round(1000 * self.seconds))
