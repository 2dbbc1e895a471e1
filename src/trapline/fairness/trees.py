"""The public tree of a solved game, and who sits where in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import Seat, other
from trapline.solve import TooLarge, Unsuited
from trapline.solve.public import public_tree
from trapline.solve.whole_size import probe

if TYPE_CHECKING:
    from trapline.solve import Solution
    from trapline.solve.model import GameModel
    from trapline.solve.tree import Tree

ON_THE_TREE = ("tree", "proof")
"""Methods that have held the public tree, or needed less."""


def tree_of(solution: Solution, *, to_the_end: bool) -> tuple[GameModel, Tree] | None:
    """To its end where mistakes of both are to count; None where it is too large."""
    game, first = solution.game, seats_of(solution)[0]
    try:
        if game.turn_limit or solution.facts.method not in ON_THE_TREE:
            probe(game, first)
        return public_tree(game, first, to_the_end=to_the_end)
    except (TooLarge, Unsuited):
        return None


def seats_of(solution: Solution) -> tuple[Seat, Seat]:
    """Who moves first, and the other."""
    first: Seat = 2 if solution.facts.first == 2 else 1
    return first, other(first)


def worth_to(solution: Solution, seat: Seat) -> float:
    """What best play is worth to a seat."""
    return solution.value if seat == seats_of(solution)[0] else -solution.value
