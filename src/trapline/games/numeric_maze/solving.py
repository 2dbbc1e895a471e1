"""Numeric Maze solved: nobody can hold the other up, so only the moves that each needs count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.boards.track import Track
from trapline.core import other
from trapline.solve.arrivals import (
    ArrivalMethod,
    Forced,
    Stumbler,
    first_to_arrive,
    turns_left,
)
from trapline.solve.interface import Outlook, evenly
from trapline.solve.machines import RunMachine

if TYPE_CHECKING:
    from trapline.core import Form, Seat, View
    from trapline.games.numeric_maze.game import NumericMaze


class MazeMethod(ArrivalMethod):
    """Right for Numeric Maze alone."""

    name = "maze"

    def __init__(self, game: NumericMaze) -> None:
        super().__init__(game, game.needed[0], " by a shortest way", MazePolicy(game))


class MazePolicy:
    """A shortest way; where that is not enough, the same, and the other may err."""

    def __init__(self, game: NumericMaze) -> None:
        self.game = game
        self._rival = Stumbler(game.needed, self._landing, game.options.max_step)

    def machine(self, role: Seat) -> RunMachine:
        return RunMachine(role, self.game.length, self._nearest)

    def _nearest(self, at: int) -> list[int]:
        """The steps of the shortest ways, which meet no trap."""
        ahead = range(at + 1, min(at + self.game.options.max_step, self.game.length) + 1)
        needed = {to - at: self.game.needed[self._landing(to)] for to in ahead}
        return [step for step, moves in needed.items() if moves == min(needed.values())]

    def chances(self, view: View) -> dict[Form, float]:
        return self.look(view).chances

    def look(self, view: View) -> Outlook:
        assert view.seat is not None
        board = view.board
        assert isinstance(board, Track)
        mine, theirs = board.stand(view.seat), self.game.needed[board.stand(other(view.seat))]
        landings: dict[Form, int] = {
            step: self._landing(mine + int(str(step))) for step in view.legal
        }
        values = {
            step: self._after(to, theirs).within(self.game.turn_limit, view.turn + 1)
            for step, to in landings.items()
        }
        near = {step: -float(self.game.needed[to]) for step, to in landings.items()}
        there = board.stand(other(view.seat))
        left = turns_left(self.game.turn_limit, view.turn + 1)
        hopes = {
            step: self._rival.hope(self.game.needed[to], there, left)
            for step, to in landings.items()
        }
        likely = {step: self._rival.race(to, there, left) for step, to in landings.items()}
        drawn = frozenset(
            step for step, to in landings.items() if self._rival.nobody_arrives(to, there, left)
        )
        return Outlook(evenly(near, view.legal), values, {}, hopes, likely, drawn=drawn)

    def _landing(self, to: int) -> int:
        return 0 if self.game.traps >> to & 1 else to

    def _after(self, to: int, theirs: int) -> Forced:
        if to == self.game.length:
            return Forced(1, 0)
        return first_to_arrive(self.game.needed[to], theirs, heros_turn=False)
