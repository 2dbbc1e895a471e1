"""The value of a game of OpenSpiel's, by a linear program that shares nothing with the solver."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
from scipy.optimize import linprog
from scipy.sparse import coo_array

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence


def value_of(name: str) -> float:
    """What player 0 can expect with best play: von Stengel's program on the tree of the game."""
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    form = Form()

    def walk(state: Any, last: tuple[int, int], chance: float) -> None:
        if state.is_terminal():
            form.end(last, chance * state.returns()[0])
        elif state.is_chance_node():
            for action, share in state.chance_outcomes():
                walk(state.child(action), last, chance * share)
        else:
            side, actions = state.current_player(), state.legal_actions()
            # A player knows what it did itself, though not every string of OpenSpiel's says so.
            look = (last[side], state.information_state_string(side))
            for action, now in zip(actions, form.choices(side, look, actions, last), strict=True):
                walk(state.child(action), now, chance)

    walk(game.new_initial_state(), (0, 0), 1.0)
    return form.value()


class Form:
    """Both players' sequences of answers, and what the ends they lead to are worth to the first."""

    def __init__(self) -> None:
        self._sequences: tuple[dict[Any, int], dict[Any, int]] = ({(): 0}, {(): 0})
        self._plans: tuple[dict[Any, tuple[int, list[int]]], dict[Any, tuple[int, list[int]]]] = (
            {},
            {},
        )
        self._payoff: dict[tuple[int, int], float] = defaultdict(float)

    def end(self, last: tuple[int, int], worth: float) -> None:
        self._payoff[last] += worth

    def choices(
        self, side: int, look: Hashable, actions: Sequence[Any], last: tuple[int, int]
    ) -> Iterator[tuple[int, int]]:
        """Both players' last sequences after each answer of one who knows `look`."""
        parent, children = self._plans[side].setdefault(look, (last[side], []))
        assert parent == last[side], "somebody forgets"
        for action in actions:
            key = (look, action)
            if key not in self._sequences[side]:
                self._sequences[side][key] = len(self._sequences[side])
                children.append(self._sequences[side][key])
            made = self._sequences[side][key]
            yield (made, last[1]) if side == 0 else (last[0], made)

    def _constraints(self, side: int) -> Any:
        rows, columns, entries = [0], [0], [1.0]
        for row, (parent, children) in enumerate(self._plans[side].values(), 1):
            rows += [row] * (1 + len(children))
            columns += [parent, *children]
            entries += [-1.0] + [1.0] * len(children)
        shape = (len(self._plans[side]) + 1, len(self._sequences[side]))
        return coo_array((entries, (rows, columns)), shape=shape)

    def value(self) -> float:
        mine, theirs, payoff = self._constraints(0), self._constraints(1), self._payoff
        n, k = mine.shape[1], theirs.shape[0]
        where = (np.array([w[1] for w in payoff]), np.array([w[0] for w in payoff]))
        gains = coo_array((list(payoff.values()), where), shape=(theirs.shape[1], n))
        # Maximise q[0] over my plan x and their duals q, where theirs^T q <= gains x.
        turned = theirs.T.tocoo()
        rows = np.concatenate([turned.coords[0], gains.coords[0]])
        columns = np.concatenate([n + turned.coords[1], gains.coords[1]])
        entries = np.concatenate([turned.data, -gains.data])
        cost = np.zeros(n + k)
        cost[n] = -1.0
        solved = linprog(
            cost,
            A_ub=coo_array((entries, (rows, columns)), shape=(theirs.shape[1], n + k)).tocsr(),
            b_ub=np.zeros(theirs.shape[1]),
            A_eq=coo_array((mine.data, mine.coords), shape=(mine.shape[0], n + k)).tocsr(),
            b_eq=np.append(1.0, np.zeros(mine.shape[0] - 1)),
            bounds=[(0, None)] * n + [(None, None)] * k,
        )
        assert solved.success
        return -float(solved.fun)
