"""Everything a text player was ever shown, compared between moments they cannot tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.leaks import knows
from trapline.games import GAMES
from trapline.referee import Walk
from trapline.testing import Played, heard
from trapline.worlds.values import frozen

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.referee import Match


class Transcripts:
    """For players whose whole story counts, not only what they see now; the story is bytes.

    What they may know is computed by the naive referee, for games from outside by their events.
    """

    def __init__(self) -> None:
        self.leaks: list[tuple[bytes, bytes]] = []
        self.told: dict[Any, bytes] = {}
        self.worlds: dict[Any, set[Any]] = {}

    def look(self, match: Match, viewer: Seat, story: bytes) -> None:
        if match.outcome is not None:
            return
        known = frozen(may_know(match, viewer))
        if self.told.setdefault(known, story) != story:
            self.leaks.append((self.told[known], story))
        self.worlds.setdefault(known, set()).add(_everything(match))

    @property
    def pairs(self) -> int:
        """Moments that were reached in more than one world."""
        return sum(len(worlds) > 1 for worlds in self.worlds.values())


def may_know(match: Match, viewer: Seat) -> Any:
    played = _everything(match)
    return (knows if match.game.name in GAMES else heard)(played, viewer)


def _everything(match: Match) -> Played:
    """All that was answered, chance included, as the referee has noted it."""
    walk = Walk(match.sealed_record())
    steps = tuple((step.seat, step.question.value(step.answer)) for step in walk.steps())
    return Played(walk.game, match.first, steps)
