"""Retrograde analysis against brute force, and against play with the turns counted."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trapline.games import make_game
from trapline.solve.guarantee import Guarantee, SecretsProof
from trapline.solve.interface import payoff
from trapline.solve.model import GameModel
from trapline.solve.retrograde import END, FAR, HERO, VILLAIN, Graph, analyse


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Small graphs with cycles: three ends, then nodes with edges anywhere."""
    count = draw(st.integers(1, 7))
    owners = [END] * 3 + draw(
        st.lists(st.sampled_from([HERO, VILLAIN]), min_size=count, max_size=count)
    )
    first, to = [0, 0, 0, 0], []
    for _ in range(count):
        to += draw(st.lists(st.integers(0, count + 2), min_size=1, max_size=3))
        first.append(len(to))
    return Graph(
        np.array(owners, np.int8),
        np.array([-1, 0, 1] + [0] * count, np.int8),
        np.array(first, np.int64),
        np.array(to, np.int64),
        np.ones(len(to), np.int8),
    )


def truncated(graph: Graph, turns: int) -> list[int]:
    """Values when play stops as a draw after so many turns, by plain recursion."""

    @cache
    def value(node: int, left: int) -> int:
        if graph.owner[node] == END:
            return int(graph.result[node])
        if not left:
            return 0
        edges = range(graph.first[node], graph.first[node + 1])
        values = [value(int(graph.to[edge]), left - 1) for edge in edges]
        return max(values) if graph.owner[node] == HERO else min(values)

    return [value(node, turns) for node in range(len(graph.owner))]


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_values_and_distances_are_those_of_brute_force(graph: Graph) -> None:
    solved = analyse(graph)
    for turns in range(12):
        expected = [
            int(value) if distance <= turns else 0
            for value, distance in zip(solved.value, solved.distance, strict=True)
        ]
        assert truncated(graph, turns) == expected
    assert all(solved.distance[solved.value == 0] == FAR)


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ({"length": 2, "traps": [], "max_step": 2}, range(1, 4)),
        ({"length": 6, "traps": [3], "max_step": 2}, range(5, 12)),
        ({"length": 8, "traps": [2, 5], "max_step": 3}, range(5, 10)),
    ],
)
def test_a_turn_limit_needs_no_counting(options: dict[str, Any], limits: range) -> None:
    """The endless graph with distances gives what backward induction over turns gives."""

    def counted(game: Any, state: Any) -> float:
        if state.outcome is not None:
            return payoff(state.outcome)
        steps = game.question(state, state.mover).values()
        values = [counted(game, game.apply(state, state.mover, step)) for step in steps]
        return max(values) if state.mover == 1 else min(values)

    for limit in limits:
        game = make_game("numeric-maze", {**options, "turn_limit": limit})
        model = GameModel(game, counts_turns=False)
        assert model.counts_turns == (limit == 1)
        guarantee = Guarantee(SecretsProof(model, 1), model.limit)
        assert guarantee.values() == [counted(game, game.start(1))]


def test_endless_play_is_a_draw() -> None:
    ring = Graph(
        np.array([HERO, VILLAIN], np.int8),
        np.zeros(2, np.int8),
        np.array([0, 1, 2]),
        np.array([1, 0]),
        np.ones(2, np.int8),
    )
    assert list(analyse(ring).value) == [0, 0]
