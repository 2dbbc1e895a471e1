"""Numeric Maze in the manner of its rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.boards import Track
from trapline.core import Words, one_of

if TYPE_CHECKING:
    from trapline.core import Returned, Seat, Triggered


class NumericMazeWords(Words):
    @property
    def board(self) -> Track:
        board = self.view.board
        assert isinstance(board, Track)  # noqa: S101 - the game's only board
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
        at, length, legal = self.board.stand(seat), self.board.length, self.view.legal
        lines = [f"{self.names[seat]}'s turn.", f"You're at position {at}."]
        if legal and legal[-1] == length - at:
            allowed = ", ".join(map(str, legal))
            lines.append(f"Allowed moves: {allowed} ({length} must be reached exactly).")
        return lines

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
