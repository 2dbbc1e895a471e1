"""Hidden Path in the manner of its rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.boards import Track
from trapline.core import SECRET, Words, one_of

if TYPE_CHECKING:
    from trapline.core import Moved, Returned, Seat, Triggered


class HiddenPathWords(Words):
    secret_name = "traps"

    def heading(self, seat: Seat) -> list[str]:
        board = self.view.board
        at = board.stand(seat) if isinstance(board, Track) else 0
        return [f"Turn {self.view.turn + 1}: {self.names[seat]}'s Move", f"Current Position: {at}"]

    def prompt(self, seat: Seat) -> str:
        if self.view.asks == SECRET:
            return (
                f"{self.names[seat]}, enter your trap positions ({self.wanted()}{self.aside()}): "
            )
        return f"Enter steps to move ({one_of(self.view.legal)}): "

    def moved(self, event: Moved, name: str, triggers: bool) -> list[str]:
        result = "Trap triggered!" if triggers else "No trap triggered."
        return [f"{name}: Moved to Step {event.to}. {result}"]

    def triggered(self, event: Triggered, name: str) -> list[str]:
        """The return first, as the rulebook's sample tells it; it always follows a trap."""
        return [
            f"{name} returns to Step 0.",
            f"Trap at Step {event.at} is now revealed and inactive.",
        ]

    def returned(self, event: Returned, name: str) -> list[str]:
        return []

    def won(self, winner: str) -> list[str]:
        return [f"{winner} wins!"]
