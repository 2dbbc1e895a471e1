"""Everything a text player was ever shown, compared between moments they cannot tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.leaks import seen

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.match import Match


class Transcripts:
    """`leaks.Watch` for players whose whole story counts, not only what they see now.

    What they may know is computed by the naive referee; the story is bytes.
    """

    def __init__(self) -> None:
        self.leaks: list[tuple[bytes, bytes]] = []
        self.told: dict[Any, bytes] = {}
        self.worlds: dict[Any, set[Any]] = {}

    def look(self, match: Match, viewer: Seat, story: bytes) -> None:
        if match.outcome is not None:
            return
        secrets = dict(match._secrets)
        known = seen(match.game, match.first, secrets, match._turns, match._turn, viewer)
        if self.told.setdefault(known, story) != story:
            self.leaks.append((self.told[known], story))
        self.worlds.setdefault(known, set()).add((tuple(sorted(secrets.items())), *match._turns))

    @property
    def pairs(self) -> int:
        """Moments that were reached in more than one world."""
        return sum(len(worlds) > 1 for worlds in self.worlds.values())
