"""Kuhn and Leduc poker: yardsticks with published values, through the interface of the games.

Kuhn is worth −1/18 to the first player, Leduc about −0.0856. Both deal one card to each
player; the chance of each deal is in the tables that multiply the payoffs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.solve.model import ALL, CHANCE, Branch

if TYPE_CHECKING:
    from numpy.typing import NDArray

PASS, BET = "pass", "bet"


class Kuhn:
    """Three cards, one round, one bet of 1 over an ante of 1."""

    holdings = (("J", "Q", "K"), ("J", "Q", "K"))
    chosen = False
    root = ""

    def __init__(self) -> None:
        deals = (1.0 - np.eye(3)) / 6
        higher = np.sign(np.subtract.outer(np.arange(3), np.arange(3)))
        self.tables = np.stack([deals, deals * higher])

    def mover(self, state: str) -> int:
        return 1 + len(state) % 2

    def actions(self, state: str) -> tuple[str, str]:
        return PASS, BET

    def branches(self, state: str, action: str) -> tuple[Branch, ...]:
        after = state + action[0]
        everybody = (ALL, ALL)
        if after.endswith("bp"):  # whoever bet last takes the ante
            return (Branch(None, everybody, 1.0 if len(after) % 2 == 0 else -1.0, 0),)
        if after in ("pp", "bb", "pbb"):
            return (Branch(None, everybody, 1.0 if after == "pp" else 2.0, 1),)
        return (Branch(after, everybody),)


class Leduc:
    """Two suits of three ranks, two rounds of at most two raises (2, then 4), a board card."""

    holdings = (("J", "Q", "K"), ("J", "Q", "K"))
    chosen = False

    class State(NamedTuple):
        board: int | None
        """The rank of the open card; None before it is dealt."""
        bets: str
        """This round: c for check or call, r for raise."""
        pots: tuple[int, int]
        dealing: bool = False

    root = State(None, "", (1, 1))

    def __init__(self) -> None:
        ranks = range(3)
        first = np.array([[(2 - (i == j)) * 2 / 30 for j in ranks] for i in ranks])
        tables = [first]
        for show in (False, True):
            for board in ranks:
                left = [[2 - (i == board) - (j == board) for j in ranks] for i in ranks]
                worth = first * np.array(left) / 4
                tables.append(worth * self._showdown(board) if show else worth)
        self.tables = np.stack(tables)

    @staticmethod
    def _showdown(board: int) -> NDArray[np.float64]:
        strength = np.array([rank + 3.0 * (rank == board) for rank in range(3)])
        signs: NDArray[np.float64] = np.sign(strength[:, None] - strength[None, :])
        return signs

    def mover(self, state: State) -> int:
        return CHANCE if state.dealing else 1 + len(state.bets) % 2

    def actions(self, state: State) -> tuple[str, ...]:
        if state.dealing:
            return ("deal",)
        folds = ("f",) if state.pots[0] != state.pots[1] else ()
        return (*folds, "c", "r") if state.bets.count("r") < 2 else (*folds, "c")

    def branches(self, state: State, action: str) -> tuple[Branch, ...]:
        everybody = (ALL, ALL)
        if state.dealing:
            return tuple(Branch(self.State(board, "", state.pots), everybody) for board in range(3))
        seat = len(state.bets) % 2
        pots = list(state.pots)
        if action == "f":
            table = 0 if state.board is None else 1 + state.board
            return (Branch(None, everybody, -pots[0] if seat == 0 else pots[1], table),)
        pots[seat] = pots[1 - seat]
        if action == "r":
            pots[seat] += 2 if state.board is None else 4
        bets = state.bets + action
        paid = (pots[0], pots[1])
        if action == "r" or len(bets) == 1:
            return (Branch(self.State(state.board, bets, paid), everybody),)
        if state.board is None:
            return (Branch(self.State(None, bets, paid, dealing=True), everybody),)
        return (Branch(None, everybody, float(pots[0]), 4 + state.board),)
