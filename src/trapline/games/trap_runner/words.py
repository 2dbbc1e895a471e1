"""Trap Runner in the manner of its rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.boards import Track
from trapline.core import SHOWN_DIGITS, Moved, Returned, Triggered, Words, other, span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.core import Seat

WALLED_OFF = "walled off"


class TrapRunnerWords(Words):
    sealed_name = "trap decision"
    shorthand = "2t: two squares, and a trap on the square you leave; 2n: none there"

    def welcome(self) -> list[str]:
        return [*super().welcome(), "Both players start at square 0."]

    def told(self, sealed: Mapping[str, str]) -> list[list[str]]:
        """As usual; why no trap can be set; and after each turn the commitment to what it hid."""
        told = super().told(sealed)
        self._say_where_no_trap_goes(told)
        turn = 0
        events = self.view.events
        for index, event in enumerate(events):
            before = events[index - 1] if index else None
            opens = isinstance(event, Moved) and not isinstance(before, Returned)
            if opens or isinstance(event, Returned):
                if index:
                    told[index - 1] += _seal(turn, sealed)
                turn += 1
        if told:
            told[-1] += _seal(turn, sealed)
        return told

    def _say_where_no_trap_goes(self, told: list[list[str]]) -> None:
        """Whoever leaves square 0 hears it last, as in the rulebook; so do both at one screen."""
        events = self.view.events
        for index, event in enumerate(events):
            following = events[index + 1] if index + 1 < len(events) else None
            if isinstance(event, Moved) and event.start == 0 and self.view.seat in (event.by, None):
                last = index + isinstance(following, Triggered)
                told[last].append("Cannot set a trap on square 0.")

    def heading(self, seat: Seat) -> list[str]:
        board = self.view.board
        assert isinstance(board, Track)  # the game's only board
        lines = [f"{self.names[seat]}'s Turn"]
        if board.returning[seat - 1]:
            lines.append("You have been sent back to square 0 due to a trap!")
        return [*lines, f"Your Position: Square {board.stand(seat)}"]

    def prompt(self, seat: Seat) -> str:
        if self.view.asks == "trap":
            board = self.view.board
            assert isinstance(board, Track)  # the game's only board
            return f"Set a trap on square {board.left}, which you just left? (y/n): "
        return f"Enter the number of squares to move forward ({span(self.view.legal)}): "

    def moved(self, event: Moved, name: str, triggers: bool) -> list[str]:
        mine = event.by == self.view.seat
        return [f"{'You move' if mine else f'{name} moves'} to square {event.to}."]

    def triggered(self, event: Triggered, name: str) -> list[str]:
        if event.by == self.view.seat:
            rival = self.names[other(event.by)]
            return [
                f"You have triggered a trap set by {rival}!",
                "You will return to square 0 at the start of your next turn.",
            ]
        return [f"{name} has triggered a trap on square {event.at}!"]

    def returned(self, event: Returned, name: str) -> list[str]:
        who = "You are" if event.by == self.view.seat else f"{name} is"
        return [f"{who} back on square 0."]

    def won(self, winner: str) -> list[str]:
        return [f"Congratulations! {winner} has reached the goal and won the game!"]

    def why_drawn(self, reason: str) -> str:
        return "both paths are walled off" if reason == WALLED_OFF else super().why_drawn(reason)


def _seal(turn: int, sealed: Mapping[str, str]) -> list[str]:
    commitment = sealed.get(f"turn {turn}")
    return [f"  sealed as {commitment[:SHOWN_DIGITS]}"] if commitment else []
