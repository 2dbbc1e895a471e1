"""Boards told in words: for screen readers, and for players that read nothing but text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import SEATS, Grid, Seat

if TYPE_CHECKING:
    from trapline.core import Trap, View

Names = dict[Seat, str]


def describe(view: View, names: Names, place: str) -> list[str]:
    """The board as sentences, one a fact."""
    board = view.board
    if isinstance(board, Grid):
        lines = [f"The Seeker is on row {board.seeker[0]}, column {board.seeker[1]}."]
        for seat in SEATS:
            goal = board.goals[seat - 1]
            if goal is not None:
                lines.append(f"{names[seat]}'s Goal Cell is row {goal[0]}, column {goal[1]}.")
        return lines
    lines = [
        f"{names[seat]} is on {place} {board.positions[seat - 1]}, goal {board.goals[seat - 1]}."
        for seat in SEATS
    ]
    for owner in (*SEATS, None):
        whose = f"{names[owner]}'s traps" if owner else "Traps"
        lines += _tell_traps(f"{whose}: ", [t for t in board.traps if t.owner == owner and t.live])
    lines += _tell_traps("Sprung, safe now: ", [trap for trap in board.traps if not trap.live])
    return lines


def _tell_traps(label: str, traps: list[Trap]) -> list[str]:
    return [label + ", ".join(str(trap.at) for trap in traps) + "."] if traps else []
