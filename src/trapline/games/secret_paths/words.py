"""Secret Paths in the manner of its rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.boards import Grid
from trapline.core import SECRET, Moved, Words

if TYPE_CHECKING:
    from trapline.core import Seat


class SecretPathsWords(Words):
    secret_name = "Goal Cell"

    def prompt(self, seat: Seat) -> str:
        if self.view.asks == SECRET:
            return f"{self.names[seat]}, choose your Goal Cell ({self.wanted()}{self.aside()}): "
        first_question = not any(isinstance(event, Moved) for event in self.view.events)
        return f"Enter your move{self._example() if first_question else ''}: "

    def plain_prompt(self, seat: Seat) -> str:
        """Without the example: every answer is listed, and none must look better."""
        return self.prompt(seat) if self.view.asks == SECRET else "Enter your move: "

    def selected(self, seat: Seat) -> list[str]:
        return ["Goal Cell selected."]

    def wanted(self) -> str:
        question, board = self.view.question, self.view.board
        assert question is not None  # only who is asked is told
        assert isinstance(board, Grid)  # the game's only board
        cell = question.answers[0].record
        return f"Row {cell[0] if isinstance(cell, tuple) else cell}, any Column 1-{board.size}"

    def _example(self) -> str:
        legal = self.view.legal
        cell = legal[-3] if len(legal) >= 3 else legal[0]
        assert isinstance(cell, tuple)  # moves are cells here
        return f" (e.g., 'move to {cell[0]},{cell[1]}')"

    def welcome(self) -> list[str]:
        board = self.view.board
        assert isinstance(board, Grid)  # the game's only board
        middle = (board.size + 1) // 2
        return [*super().welcome(), f"The Seeker starts at ({middle},{middle})."]

    def moved(self, event: Moved, name: str, triggers: bool) -> list[str]:
        assert isinstance(event.to, tuple)  # places are cells here
        return [f"{name}: Seeker moved to ({event.to[0]},{event.to[1]})."]

    def won(self, winner: str) -> list[str]:
        return [f"{winner} has moved the Seeker to their Goal Cell and wins the game!"]
