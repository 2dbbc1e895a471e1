"""What the rewards of two players sum to, where nobody says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.audit.replaying import Play

ROUNDING = 1e-6
ENOUGH = 6
"""So many endings say whether rewards sum to nothing."""


class Sums:
    """Endings in which what both are given sums to nothing, and others."""

    def __init__(self) -> None:
        self.even = 0
        self.odd = 0
        self.plays: list[Play] = []
        """Some of those that led to the others."""

    def add(self, rewards: Mapping[object, float], play: Play) -> None:
        if len(rewards) != 2:
            return
        if abs(sum(rewards.values())) < ROUNDING:
            self.even += any(rewards.values())
            return
        self.odd += 1
        if len(self.plays) < ENOUGH:
            self.plays.append(play)

    @property
    def to_nothing(self) -> bool:
        """Whether that is the rule, and what is not so an exception."""
        return self.even >= max(ENOUGH, 2 * self.odd)
