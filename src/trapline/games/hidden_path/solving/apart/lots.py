"""Several plans of one seat, of which one is drawn by lot before anything is hidden.

Let the rival be told which, as soon as its own traps lie: that can only help it. Then each plan
keeps against each secret what it keeps alone, and what is kept in all is the mean. Plans that fail
against different secrets so prove more together than the best of them; how often each is drawn is
a small linear program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.apart.side import bound_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.apart.side import Side

    Floats = NDArray[np.float64]

RARE = 0.01
"""A plan that is so rare beside the one that is drawn most is left out: it would take as much room
as any, and as long to be proven anew."""
MOST_DRAWN = 8
"""More plans are not kept."""


class Lots(NamedTuple):
    sides: tuple[Side, ...]
    shares: tuple[float, ...]
    """How often each is drawn; together 1."""

    @property
    def seat(self) -> Seat:
        return self.sides[0].seat

    @property
    def first_values(self) -> Floats:
        """What the seat gets at least, with each secret of the rival."""
        return np.asarray(np.array(self.shares) @ [side.first_values for side in self.sides])

    @property
    def bound(self) -> float:
        """Of what the first mover gets."""
        return bound_of(self.seat, self.first_values)

    @property
    def mix(self) -> dict[int, float]:
        """How often each secret is hidden."""
        found: dict[int, float] = {}
        for side, share in zip(self.sides, self.shares, strict=True):
            for secret, chance in zip(side.hiding.secrets, side.plan.mix.tolist(), strict=True):
                found[secret] = found.get(secret, 0.0) + share * chance
        return found


def alone(side: Side) -> Lots:
    return Lots((side,), (1.0,))


def drawn_best(sides: Sequence[Side]) -> Lots:
    """The draw that keeps most, from those that are worth it to be kept."""
    shares = most_kept(np.array([side.first_values for side in sides]))
    by_share = np.argsort(-shares, kind="stable")[:MOST_DRAWN].tolist()
    kept = [sides[k] for k in by_share if shares[k] >= RARE * shares.max()]
    if len(kept) < len(sides):
        return drawn_best(kept)
    return Lots(tuple(kept), tuple((shares[by_share] / shares.sum()).tolist()))


def most_kept(values: Floats) -> Floats:
    """How often to draw each row, so that the least of all columns is the most."""
    # It brings a library along, which whoever loads a solution need not wait for.
    from scipy.optimize import linprog

    rows, columns = values.shape
    solved = linprog(
        -np.eye(1, rows + 1, rows)[0],
        A_ub=np.column_stack([-values.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(-1, 1)],
        method="highs",
    )
    if solved.x is None:  # numbers that the program cannot deal with: the best alone
        return np.asarray(np.eye(1, rows, int(values.min(axis=1).argmax()))[0])
    shares = np.maximum(solved.x[:-1], 0.0)
    return np.asarray(shares / shares.sum())
