"""All that a player can be asked to choose in a game, in the order of the actions' numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import NO_TRAP, SET_TRAP, Grid
from trapline.notation import format_turn

if TYPE_CHECKING:
    from trapline.core import Game, Move, Track
    from trapline.match import Asks

Choice = tuple["Asks", "Move"]
"""What is asked, and the answer; of a secret, one trap or one column."""


def all_choices(game: Game[Any, Any], board: Track | Grid) -> list[Choice]:
    if isinstance(board, Grid):
        span = range(1, board.size + 1)
        cells: list[Choice] = [("move", (row, column)) for row in span for column in span]
        return cells + [("secret", column) for column in span]
    most = min(game.options.max_step, board.length)  # type: ignore[attr-defined]  # every track's
    choices: list[Choice] = [("move", step) for step in range(1, most + 1)]
    if game.hides_turns:
        choices += [("trap", NO_TRAP), ("trap", SET_TRAP)]
    if game.secret == "traps":
        choices += [("secret", square) for square in range(1, board.length + 1)]
    return choices


def name_of(game: Game[Any, Any], choice: Choice) -> str:
    asks, value = choice
    if asks == "secret":
        return f"trap {value}" if game.secret == "traps" else f"goal column {value}"
    return str(value) if asks == "trap" else format_turn((value,))
