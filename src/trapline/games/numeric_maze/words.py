"""Numeric Maze in the manner of its rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from trapline.boards import Track
from trapline.core import Words, one_of

if TYPE_CHECKING:
    from trapline.core import Returned, Seat, Triggered
    from trapline.games.numeric_maze.game import Options


class NumericMazeWords(Words):
    @property
    def board(self) -> Track:
        board = self.view.board
        assert isinstance(board, Track)  # the game's only board
        return board

    def welcome(self) -> list[str]:
        traps = ", ".join(str(trap.at) for trap in self.board.traps) or "none"
        return [
            *super().welcome(),
            f"{self.names[1]} and {self.names[2]} are both at position 0.",
            f"Traps are at positions: {traps}.",
            f"First to reach position {self.board.length} wins!",
        ]

    def heading(self, seat: Seat) -> list[str]:
        at = self.board.stand(seat)
        lines = [f"{self.names[seat]}'s turn.", f"You're at position {at}."]
        return [*lines, *self._allowed(self.board.length - at)]

    def _allowed(self, left: int) -> list[str]:
        """Near the end, which moves remain and why, in the words of the rulebook's sample."""
        most = cast("Options", self.game.options).max_step
        legal, goal = self.view.legal, self.board.length
        if not legal or left > most + 1:
            return []
        beyond = tuple(range(left + 1, most + 1))
        why = f" (cannot move {one_of(beyond)} spaces; would exceed position {goal})"
        if left == 1:
            why = f" (must land exactly on {goal})"
        allowed = ", ".join(map(str, legal))
        return [f"Allowed moves: {allowed}{why if beyond or left == 1 else ''}."]

    def prompt(self, seat: Seat) -> str:
        noun = "space" if self.view.legal == (1,) else "spaces"
        return f"Choose your move ({one_of(self.view.legal)} {noun}): "

    def triggered(self, event: Triggered, name: str) -> list[str]:
        return [f"Oh no! {name} landed on a trap! Return to start."]

    def returned(self, event: Returned, name: str) -> list[str]:
        return [f"{name} is now at position 0."]

    def won(self, winner: str) -> list[str]:
        return [
            f"Congratulations! {winner} has reached position {self.board.length} and wins the game!"
        ]
