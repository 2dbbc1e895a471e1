"""Trap Builder in the manner of its rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.boards import Track
from trapline.core import SECRET, Words, in_words, span

if TYPE_CHECKING:
    from trapline.core import Moved, Seat, Triggered


class TrapBuilderWords(Words):
    secret_name = "traps"

    def heading(self, seat: Seat) -> list[str]:
        board = self.view.board
        at = board.stand(seat) if isinstance(board, Track) else 0
        return [f"{self.names[seat]} is at Position {at}."]

    def prompt(self, seat: Seat) -> str:
        name = self.names[seat]
        if self.view.asks == SECRET:
            wanted = f"{self.wanted()}{self.aside()}"
            if self.view.question is not None and self.view.question.choose == 1:
                return f"{name}, place your trap by entering {wanted}: "
            return f"{name}, place your traps by entering {wanted}, separated by spaces: "
        return f"{name}, enter your move ({span(self.view.legal)} steps): "

    def wanted(self) -> str:
        question = self.view.question
        assert question is not None  # only who is asked is told
        noun = "position" if question.choose == 1 else "positions"
        ends = f"{question.answers[0].text}-{question.answers[-1].text}"
        return f"{in_words(question.choose)} {noun} ({ends})"

    def moved(self, event: Moved, name: str, triggers: bool) -> list[str]:
        return [f"{name} moves to Position {event.to}."]

    def triggered(self, event: Triggered, name: str) -> list[str]:
        return [f"Oh no! {name} stepped on a trap at Position {event.at}!"]
