"""What is told of a game, as values that travel between processes."""

from __future__ import annotations

import math

import msgspec


class Score(msgspec.Struct, frozen=True):
    """Results of many matches for one side."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0
    """The sum of the results: 1 for a win and −1 for a loss, or by how much it was."""
    squares: float = 0.0
    """The sum of their squares."""

    @classmethod
    def of(cls, result: float) -> Score:
        """The score of one match."""
        return cls(int(result > 0), int(result == 0), int(result < 0), result, result**2)

    def __add__(self, more: Score) -> Score:
        return Score(
            self.won + more.won,
            self.drawn + more.drawn,
            self.lost + more.lost,
            self.points + more.points,
            self.squares + more.squares,
        )

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def mean(self) -> float:
        """From −1, always lost, to 1, always won, where a win is worth 1."""
        return self.points / self.matches if self.matches else 0.0

    @property
    def margin(self) -> float:
        """Half the width of a 95% confidence interval of the mean."""
        if not self.matches:
            return math.inf
        variance = self.squares / self.matches - self.mean**2
        return 1.96 * math.sqrt(max(variance, 1 / self.matches) / self.matches)


class Estimate(msgspec.Struct, frozen=True):
    """The same figure, from matches that were played before the referee."""

    mean: float
    margin: float
    """Half the width of a 95% confidence interval."""
    matches: int


class Pair(msgspec.Struct, frozen=True):
    """Something for whoever moves first, and for whoever moves second, as chances of winning."""

    first: float
    second: float
    played: tuple[Estimate, Estimate] | None = None
    """None where it is told by a proof alone."""
    at_least: bool = False
    """Whether it is proven only that it is no less."""


class Ladder(msgspec.Struct, frozen=True):
    """Each reply answers the one before it; results are those of whoever moves first."""

    results: list[float]
    """The first mover's best reply to random play, the other's best reply to that, and so on."""
    settles: int | None
    """After how many replies they get the value of the game; None where they run in circles."""
    played: list[Estimate] = []
