"""What the kernels work on: the rules of one game as numbers, and one lane for each match.

Both are records of a fixed layout, whatever the game and its options, so that Numba compiles
the kernels once. A lane is as wide as the longest track; a shorter one leaves the rest alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.adapters.vector import kernels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from trapline.adapters.encoding import Encoding
    from trapline.core import First

MOST_SQUARES = 100  # tracks have up to 99 squares and the start, grids up to 81 cells

KINDS = {
    "hidden-path": kernels.HIDDEN_PATH,
    "trap-builder": kernels.TRAP_BUILDER,
    "trap-runner": kernels.TRAP_RUNNER,
    "secret-paths": kernels.SECRET_PATHS,
    "numeric-maze": kernels.NUMERIC_MAZE,
}

RULES = np.dtype(
    [
        ("kind", np.int64),
        ("length", np.int64),  # the last square, or the size of the grid
        ("max_step", np.int64),
        ("turn_limit", np.int64),
        ("passing", np.bool_),
        ("first", np.int64),  # the seat that moves first; 0 for a toss
        ("parts", np.int64),  # how many actions a secret takes
        ("start", np.int64, 2),  # where the players stand at first, or the Seeker's row, column
        ("squares", np.int64),  # how many squares or cells of a lane are in use
        ("unmarked", np.uint8),  # what a square is marked with at first
        ("answer_at", np.int64),  # the action that sets no trap; the next one sets it
        ("hide_at", np.int64),  # the action that hides on square or column 1
        ("horizon", np.int64),
        # The highest square for the next trap, by how many are left and the run it would make.
        ("latest", np.int8, (MOST_SQUARES, MOST_SQUARES + 1)),
        ("public_traps", np.int8, MOST_SQUARES),
        ("around", np.int8, (MOST_SQUARES, 8)),  # the neighbours of each cell, by their numbers
        ("ways", np.int8, MOST_SQUARES),  # and how many there are
    ],
    align=True,
)

LANE = np.dtype(
    [
        ("chance", np.uint64),  # the state of the lane's own random numbers
        ("turn", np.int32),
        ("first", np.int8),
        ("to_act", np.int8),  # 1 or 2; 0 when the match is over
        ("asks", np.int8),
        ("winner", np.int8),
        ("reason", np.int8),
        ("step", np.int8),  # the move of a turn whose trap answer is due
        ("last", np.int8),  # the trap hidden last, while a seat is hiding
        ("run", np.int8),  # and how many neighbouring traps end there
        ("at", np.int8, 2),
        ("back", np.int8, 2),  # who stands on a trap and goes to 0 before the next move
        ("chosen", np.int8, 2),  # how many parts of each secret are chosen
        ("goal", np.int8, 2),  # the columns of the goal cells
        ("wall", np.int8, 2),  # where the highest wall of each seat's traps ends; 0 without one
        ("marks", np.uint8, (MOST_SQUARES, 2)),  # what is known of each square, by seat
    ],
    align=True,
)


def make_rules(encoding: Encoding, first: First) -> Any:
    """The record of a game's rules, and of where its actions lie."""
    game = encoding.game
    options: Any = game.options
    rules = np.zeros(1, RULES)
    now = rules[0]
    grid = game.moves == "cell"
    now["kind"] = KINDS[game.name]
    now["length"] = options.size if grid else options.length
    now["max_step"] = 0 if grid else options.max_step
    now["turn_limit"] = getattr(options, "turn_limit", 0)
    now["passing"] = getattr(options, "trigger", "landing") == "passing"
    now["first"] = 0 if first == "toss" else first
    now["start"] = game.positions(game.start(1, {}))
    now["squares"] = encoding.places
    asks = [choice[0] for choice in encoding.choices]
    now["answer_at"] = asks.index("trap") if game.hides_turns else 0
    now["hide_at"] = asks.index("secret") if game.secret else 0
    now["horizon"] = encoding.horizon
    if game.secret == "cell":
        now["parts"] = 1
    elif game.secret == "traps":
        now["parts"] = options.traps
        now["unmarked"] = kernels.DOUBT | kernels.PUBLIC_DOUBT
        for left, run, square in _latest(options):
            now["latest"][left, run] = square
    elif not game.hides_turns:
        now["public_traps"][list(options.traps)] = True
    if grid:
        _join_neighbours(options.size, now)
    return rules[0]


def _latest(options: Any) -> Iterator[tuple[int, int, int]]:
    """For each number of traps left to hide, and each run that the next one would make: the
    highest square it may go on, so that the others still fit behind it. None makes a wall."""
    last = options.length if getattr(options, "goal_traps", False) else options.length - 1
    wall = options.traps + 1 if options.walls else options.max_step
    for left in range(1, options.traps + 1):
        for run in range(1, min(wall, options.traps + 1)):
            room = wall - 1 - run  # how many more may follow without a gap
            gaps = max(0, -(-(left - 1 - room) // (wall - 1)))
            yield left, run, max(0, last - (left - 1) - gaps)


def _join_neighbours(size: int, rules: Any) -> None:
    cells: NDArray[Any] = np.arange(size * size)
    for cell in cells:
        rows, columns = abs(cells // size - cell // size), abs(cells % size - cell % size)
        near = np.flatnonzero(np.maximum(rows, columns) == 1)
        rules["around"][cell, : len(near)] = near
        rules["ways"][cell] = len(near)
