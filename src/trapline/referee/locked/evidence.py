"""What a record holds of a locked match beside its moves: who opened what, when, and who did not.

The commitments and salts are where every record has them, under keys such as "2 at 5", "turn 3"
and "turn 3 leaves".
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from trapline.core import Outcome, Seat


class Opened(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place that its owner's device has opened."""

    seat: Seat
    place: str
    holds: bool
    salt: str
    turn: int | None = None
    """The index of the move that depended on it; null for what was opened at the end."""


class Awaited(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move that waits for a device: mostly for a place to be opened."""

    seat: Seat
    """Whose device is waited for."""
    place: str
    by: Seat
    move: Any
    turn: int
    wants: Literal["open", "give", "lock"] = "open"
    """What that device is to do. A turn that leaves something behind may need more than opening."""
    asks: str = ""
    """What the other's device has asked."""
    gives: str = ""
    """What the other's device has given."""


class Transfer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that one device asked of the other, who cannot know whether it was wanted."""

    turn: int
    by: Seat
    place: str
    asks: str
    gives: str = ""


class Evidence(msgspec.Struct, omit_defaults=True):
    opened: list[Opened] = []
    refused: list[Opened] = []
    """What was sent as an opening and did not fit its commitment."""
    awaited: Awaited | None = None
    """What was not opened in the time allowed, so that the match ended there."""
    decided: Outcome | None = None
    """How the match ended before everything was opened."""
    late: list[Seat] = []
    """Who did not open the rest in the time allowed."""
    transfers: list[Transfer] = []
    seeds: dict[str, str] = {}
    """By seat: what opens everything that a player's turns left behind."""
