"""The value of a game of OpenSpiel's, by a linear program that shares nothing with the solver."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyspiel
from scipy.optimize import linprog
from scipy.sparse import coo_array


def value_of(name: str) -> float:
    """What player 0 can expect with best play: von Stengel's program on the tree of the game."""
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    sequences: tuple[dict[Any, int], dict[Any, int]] = ({(): 0}, {(): 0})
    plans: tuple[dict[str, tuple[int, list[int]]], dict[str, tuple[int, list[int]]]] = ({}, {})
    payoff: dict[tuple[int, int], float] = defaultdict(float)

    def walk(state: Any, last: tuple[int, int], chance: float) -> None:
        if state.is_terminal():
            payoff[last] += chance * state.returns()[0]
        elif state.is_chance_node():
            for action, share in state.chance_outcomes():
                walk(state.child(action), last, chance * share)
        else:
            side = state.current_player()
            look = state.information_state_string(side)
            plan = plans[side].setdefault(look, (last[side], []))
            for action in state.legal_actions():
                key = (look, action)
                if key not in sequences[side]:
                    sequences[side][key] = len(sequences[side])
                    plan[1].append(sequences[side][key])
                made = sequences[side][key]
                now = (made, last[1]) if side == 0 else (last[0], made)
                walk(state.child(action), now, chance)

    walk(game.new_initial_state(), (0, 0), 1.0)

    def constraints(side: int) -> Any:
        rows, columns, entries = [0], [0], [1.0]
        for row, (parent, children) in enumerate(plans[side].values(), 1):
            rows += [row] * (1 + len(children))
            columns += [parent, *children]
            entries += [-1.0] + [1.0] * len(children)
        return coo_array((entries, (rows, columns)))

    mine, theirs = constraints(0), constraints(1)
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
