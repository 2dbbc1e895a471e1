"""Two runners who cannot stop each other: results that follow from the moves each still needs.

Games whose rules come down to such a race build their own method on it, and need no graph.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.games import changed_options
from trapline.solve import sentences
from trapline.solve.forced import ForcedSolution, restored
from trapline.solve.interface import Certificate, Facts, bounds_facts
from trapline.solve.trembling import TREMBLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from trapline.core import Game
    from trapline.solve.forced import ForcingPolicy
    from trapline.solve.interface import Request


NEGLIGIBLE = 1e-6
"""Runners who are still under way with less than this chance are left out."""


def turns_left(limit: int, turn: int) -> float:
    """How many turns are still played at most; a limit of 0 is none."""
    return limit - turn if limit else math.inf


class Forced(NamedTuple):
    """A result for the hero that is forced, and the turns until then."""

    result: int
    turns: int

    def within(self, limit: int, turn: int) -> float:
        """What comes of it under a turn limit: what is forced too late is a draw."""
        return 0.0 if self.turns > turns_left(limit, turn) else float(self.result)


def first_to_arrive(mine: int, theirs: int, *, heros_turn: bool) -> Forced:
    """Who wins if each needs so many moves; whoever is to move wins ties."""
    if mine <= theirs if heros_turn else mine < theirs:
        return Forced(1, 2 * mine - heros_turn)
    return Forced(-1, 2 * theirs - (not heros_turn))


def worst(results: list[Forced]) -> Forced:
    """What is left to the hero when the villain chooses: a loss that is near, a win that is far."""
    return min(results, key=lambda found: (found.result, -found.result * found.turns))


class Stumbler:
    """A runner who errs: mostly makes a move that brings the goal nearest, and now and then any.

    `needed` says of every square how many moves it still takes, `lands` where a move to a square
    ends, `longest` how far a move goes.
    """

    def __init__(self, needed: Sequence[int], lands: Callable[[int], int], longest: int) -> None:
        self.goal = len(needed) - 1
        self._needed = needed
        self._moves = [
            [lands(to) for to in range(at + 1, min(at + longest, self.goal) + 1)]
            for at in range(self.goal)
        ]
        self._right = [
            [to for to in moves if needed[to] == min(needed[to] for to in moves)]
            for moves in self._moves
        ]
        self._later: list[list[float]] = [[1.0] * self.goal + [0.0]]

    def later_than(self, moves: int, at: int) -> float:
        """How likely the runner needs more moves than this from a square."""
        while len(self._later) <= moves:
            before = self._later[-1]
            now = [
                (1 - TREMBLE) * sum(before[to] for to in right) / len(right)
                + TREMBLE * sum(before[to] for to in every) / len(every)
                for right, every in zip(self._right, self._moves, strict=True)
            ]
            self._later.append([*now, 0.0])
        return self._later[moves][at]

    def hope(self, mine: int, at: int, turns: float = math.inf) -> float:
        """What to expect after a move that leaves so many, the runner to move from a square.

        Whoever has not arrived when the turns that are left are over has drawn.
        """
        won = self.later_than(mine, at) if 2 * mine <= turns else 0.0
        in_time = min(mine, (turns + 1) // 2)
        return won - (1 - self.later_than(int(in_time), at))

    def nobody_arrives(self, mine: int, theirs: int, turns: float) -> bool:
        """Whether it is over before anybody can be there, the runner to move from `theirs`."""
        return 2 * self._needed[mine] > turns and 2 * self._needed[theirs] - 1 > turns

    def race(self, mine: int, theirs: int, turns: float = math.inf) -> float:
        """What comes of a race between two such runners, the one on `theirs` to move."""
        found, moves = float(mine == self.goal), 0
        while 2 * moves < turns and (ahead := self.later_than(moves, mine)) > NEGLIGIBLE:
            moves += 1
            behind = self.later_than(moves, theirs)
            found -= ahead * (self.later_than(moves - 1, theirs) - behind)
            if 2 * moves <= turns:
                found += (ahead - self.later_than(moves, mine)) * behind
        return found


class ArrivalMethod:
    """For a game that whoever moves first wins by needing no more moves than the other."""

    name = "arrivals"

    def __init__(self, game: Game[Any], moves: int, how: str, policy: ForcingPolicy) -> None:
        """`moves` is what either runner needs, `how` says how the first mover runs."""
        self.game, self.moves, self.how, self.policy = game, moves, how, policy

    def solve(self, request: Request) -> ForcedSolution:
        result, turns = first_to_arrive(self.moves, self.moves, heros_turn=True)
        facts = Facts(
            game=self.game.name,
            options=changed_options(self.game),
            first=1,
            method=self.name,
            seconds=request.seconds,
            sentence=sentences.forced(True, self.how if turns > 1 else "", turns),
            turns=turns,
            **bounds_facts(Certificate(result, result)),
        )
        return ForcedSolution(self.game, facts, self.policy)

    def restore(self, facts: Facts, data: bytes) -> ForcedSolution | None:
        return restored(self.solve, facts, data)
