"""Puzzles of Secret Paths, proven by a search that states the rules itself and knows no solver.

The other's Goal Cell is hidden. What can be forced is no more than against an other whose cell is
known, whichever it is, and no less than against an other for whom every cell of the row is a goal.
Where both come to the same, that is what an answer is worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trapline.coach.puzzles import make_puzzle

if TYPE_CHECKING:
    from trapline.coach.puzzles import Puzzle

Cell = tuple[int, int]


def worth(size: int, mine: Cell, theirs: frozenset[Cell], left: int) -> dict[Cell, float]:
    """What the hero can force from each cell, the other to move, with so many turns left: the
    chance of winning, where all cells are open. Found from the last turn back."""
    cells = [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]
    near = {
        at: [to for to in cells if to != at and max(abs(to[0] - at[0]), abs(to[1] - at[1])) == 1]
        for at in cells
    }
    after = dict.fromkeys(cells, 0.5)
    for turns in range(1, left + 1):
        if (left - turns) % 2 == 0:  # the other moves
            reached = {to: 0.0 if to in theirs else after[to] for to in cells}
            after = {at: min(reached[to] for to in near[at]) for at in cells}
        else:
            reached = {to: 1.0 if to == mine else after[to] for to in cells}
            after = {at: max(reached[to] for to in near[at]) for at in cells}
    return after


def forced(puzzle: Puzzle) -> dict[str, tuple[float, float]]:
    """For each answer the least and the most that can be forced with it."""
    size = puzzle.options.get("size", 5)
    limit = puzzle.options.get("turn_limit", 200)
    row = 1 if puzzle.seat == 1 else size
    row_of_the_other = [(row, column) for column in range(1, size + 1)]
    mine = puzzle.secrets[str(puzzle.seat)]
    rivals = [frozenset(row_of_the_other), *(frozenset([cell]) for cell in row_of_the_other)]
    own = mine[0], mine[1]
    left = limit - len(puzzle.moves) - 1
    worst, *known = (worth(size, own, theirs, left) for theirs in rivals)
    found = {}
    for answer in puzzle.answers:
        row, column = map(int, answer.split(","))
        to = row, column
        most = min(results[to] for results in known)
        found[answer] = (1.0, 1.0) if to == own else (worst[to], most)
    return found


@pytest.mark.parametrize("number", range(8))
def test_the_seeker_by_a_search_of_its_own(number: int) -> None:
    puzzle = make_puzzle("secret-paths", f"seeker {number}")
    for answer, (least, most) in forced(puzzle).items():
        assert least == most == puzzle.chances[answer]
