"""The bounds on Hidden Path, checked by code that shares nothing with them but the rules."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.optimize import linprog  # type: ignore[import-untyped]
from scipy.sparse import coo_array  # type: ignore[import-untyped]

from trapline.core import Seat, TraplineError, other
from trapline.games import make_game
from trapline.games.track import bits
from trapline.match import Match
from trapline.solve import journeys as journeys_module
from trapline.solve.hidden_path import Training, bound_hidden_path
from trapline.solve.journeys import Journeys
from trapline.solve.races import RaceBounds, Strategy, journeys_of, prove, respond

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.core import Secret
    from trapline.games.hidden_path import HiddenPath, State


def game_of(length: int, traps: int, max_step: int = 3, **options: bool) -> HiddenPath:
    game: Any = make_game(
        "hidden-path", {"length": length, "traps": traps, "max_step": max_step, **options}
    )
    return game  # type: ignore[no-any-return]


# --- an independent value: the sequence-form linear program over the real rules ----------


def outcomes(
    game: HiddenPath, worlds: dict[tuple[Secret, Secret], State], move: int
) -> dict[bool, dict[tuple[Secret, Secret], State]]:
    """The worlds after a move, by what everybody sees of it: a trap or none."""
    seen: dict[bool, dict[tuple[Secret, Secret], State]] = defaultdict(dict)
    for secrets, state in worlds.items():
        after = game.apply(state, move)
        seen[after.sprung != state.sprung][secrets] = after
    return seen


def value_by_program(game: HiddenPath) -> float:
    """The value for the first mover, by von Stengel's program on the tree of public histories."""
    secrets = list(game.secrets(1))
    sequences: tuple[dict[Any, int], dict[Any, int]] = ({(): 0}, {(): 0})
    plans: tuple[dict[Any, tuple[int, list[int]]], dict[Any, tuple[int, list[int]]]] = ({}, {})
    payoff: dict[tuple[int, int], float] = defaultdict(float)

    def number(side: int, key: Any, parent: Any, infoset: Any) -> None:
        if key not in sequences[side]:
            sequences[side][key] = len(sequences[side])
            plan = plans[side].setdefault(infoset, (sequences[side][parent], []))
            plan[1].append(sequences[side][key])

    for side in (0, 1):
        for secret in secrets:
            number(side, (secret, ()), (), "secret")

    def walk(worlds: dict[Any, Any], history: tuple[Any, ...], last: tuple[Any, Any]) -> None:
        some = next(iter(worlds.values()))
        if some.outcome is not None:
            for s in worlds:
                where = (sequences[0][s[0], last[0]], sequences[1][s[1], last[1]])
                payoff[where] += 1.0 if some.outcome.winner == 1 else -1.0
            return
        side = some.mover - 1
        for move in game.legal(some):
            made = (*history, move)
            for secret in {s[side] for s in worlds}:
                number(side, (secret, made), (secret, last[side]), (secret, history))
            now = (made, last[1]) if side == 0 else (last[0], made)
            for trapped, after in outcomes(game, worlds, move).items():
                walk(after, (*made, trapped), now)

    start = {(a, b): game.start(1, {1: a, 2: b}) for a in secrets for b in secrets}
    walk(start, (), ((), ()))

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
    rows = np.concatenate([theirs.T.tocoo().coords[0], gains.coords[0]])
    columns = np.concatenate([n + theirs.T.tocoo().coords[1], gains.coords[1]])
    entries = np.concatenate([theirs.T.tocoo().data, -gains.data])
    balance = coo_array((mine.data, mine.coords), shape=(mine.shape[0], n + k))
    cost = np.zeros(n + k)
    cost[n] = -1.0
    solved = linprog(
        cost,
        A_ub=coo_array((entries, (rows, columns)), shape=(theirs.shape[1], n + k)).tocsr(),
        b_ub=np.zeros(theirs.shape[1]),
        A_eq=balance.tocsr(),
        b_eq=np.append(1.0, np.zeros(mine.shape[0] - 1)),
        bounds=[(0, None)] * n + [(None, None)] * k,
    )
    assert solved.success
    return -float(solved.fun)


SMALL: list[tuple[int, int, int, dict[str, bool]]] = [
    (2, 1, 3, {}),
    (3, 1, 2, {}),
    (3, 1, 3, {}),
    (3, 2, 2, {}),
    (3, 2, 3, {}),
    (3, 2, 2, {"walls": False}),
    (4, 1, 3, {}),
    (4, 1, 3, {"goal_traps": False}),
    (4, 2, 3, {"goal_traps": False}),
    (5, 1, 3, {"goal_traps": False}),
]


@pytest.mark.parametrize(("length", "traps", "max_step", "options"), SMALL)
def test_bounds_enclose_the_value(
    length: int, traps: int, max_step: int, options: dict[str, bool]
) -> None:
    game = game_of(length, traps, max_step, **options)
    bounds = bound_hidden_path(game, iterations=200, seconds=20)
    value = value_by_program(game)
    assert bounds.lower - 1e-9 <= value <= bounds.upper + 1e-9
    assert bounds.lower <= bounds.value <= bounds.upper
