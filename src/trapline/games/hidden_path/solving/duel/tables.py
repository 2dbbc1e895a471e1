"""Tables of choices of a duel as a whole: scaled to chances, and copied for one seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.games.hidden_path.solving.duel.nodes import FIRST_ALONE, OPEN, SECOND_ALONE
from trapline.solve.loops import Loop

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.duel.lone import Runs
    from trapline.games.hidden_path.solving.duel.nodes import Nodes

    Floats = NDArray[np.float64]


@Loop
def take_over(nodes: Nodes, runs: Runs, seat: int, table: Floats, lone: Floats, best: Any) -> None:
    """Copy a seat's choices into `best`, a table of decisions and one of lone runs."""
    into, lone_into = best
    alone = FIRST_ALONE if seat == 1 else SECOND_ALONE
    for at in range(len(nodes)):
        node = nodes[at]
        if node.kind == OPEN:
            if node.mover == seat:
                for k in range(node.entry, node.entry + node.width[seat - 1] * node.moves):
                    into[k] = table[k]
        elif node.kind == alone:
            size = runs.runs[node.run].rows * runs.passed.shape[1]
            for k in range(node.entry, node.entry + size):
                lone_into[k] = lone[k]


@Loop
def normalise(nodes: Nodes, runs: Runs, totals: Floats, lone_totals: Floats) -> None:
    """Scale every choice to a sum of one; a choice without weight becomes uniform."""
    width = runs.passed.shape[1]
    for at in range(len(nodes)):
        node = nodes[at]
        if node.kind == OPEN:
            own = node.width[node.mover - 1]
            for k in range(own):
                _scale(totals, node.entry + k, own, node.moves)
        elif node.kind >= FIRST_ALONE:
            run = runs.runs[node.run]
            for point in runs.points[run.begin : run.end]:
                if point.open:
                    _scale(lone_totals, node.entry + point.row * width, 1, point.moves)


@Loop
def _scale(numbers: Floats, begin: int, step: int, count: int) -> None:
    whole = 0.0
    for a in range(count):
        whole += numbers[begin + a * step]
    for a in range(count):
        at = begin + a * step
        numbers[at] = numbers[at] / whole if whole > 0.0 else 1.0 / count
