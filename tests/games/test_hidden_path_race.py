"""The bounds on Hidden Path, checked by code that shares nothing with them but the rules."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_array

from trapline.core import SEATS, Seat
from trapline.games import make_game
from trapline.games.hidden_path.solving.race import training
from trapline.games.hidden_path.solving.race.exactly import fractions_of, prove_exactly
from trapline.games.hidden_path.solving.race.races import RaceBounds, Strategy, bound, journeys_of
from trapline.games.hidden_path.solving.race.responses import OutOfTime, respond
from trapline.games.hidden_path.solving.race.training import bound_hidden_path
from trapline.referee import Match
from trapline.solve import TooLarge

if TYPE_CHECKING:
    from trapline.games.hidden_path.game import HiddenPath, State
    from trapline.games.hidden_path.solving.race.journeys import Journeys

    Secret = int


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
        after = game.apply(state, mover_of(state), move)
        seen[after.sprung != state.sprung][secrets] = after
    return seen


def mover_of(state: State) -> Seat:
    return 2 if state.mover == 2 else 1


def legal(game: HiddenPath, state: State) -> tuple[int, ...]:
    question = game.question(state, mover_of(state))
    assert question is not None
    return tuple(question.values())


def hidden(game: HiddenPath, one: Secret, two: Secret) -> State:
    """The state in which the first turn begins, Player 1 moving first."""
    return game.apply(game.apply(game.start(1), 1, one), 2, two)


def value_by_program(game: HiddenPath) -> float:
    """The value for the first mover, by von Stengel's program on the tree of public histories."""
    secrets = list(game.hiding.values())
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
        for move in legal(game, some):
            made = (*history, move)
            for secret in {s[side] for s in worlds}:
                number(side, (secret, made), (secret, last[side]), (secret, history))
            now = (made, last[1]) if side == 0 else (last[0], made)
            for trapped, after in outcomes(game, worlds, move).items():
                walk(after, (*made, trapped), now)

    start = {(a, b): hidden(game, a, b) for a in secrets for b in secrets}
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


SMALL: list[Any] = [
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
    pytest.param(4, 2, 3, {}, marks=pytest.mark.slow),
]


@pytest.mark.slow
@pytest.mark.parametrize(("length", "traps", "max_step", "options"), SMALL)
def test_bounds_enclose_the_value(
    length: int, traps: int, max_step: int, options: dict[str, bool]
) -> None:
    game = game_of(length, traps, max_step, **options)
    bounds = bound_hidden_path(game, iterations=200, seconds=20)
    value = value_by_program(game)
    assert bounds.lower - 1e-9 <= value <= bounds.upper + 1e-9
    assert bounds.lower <= bounds.value <= bounds.upper


@pytest.mark.slow
def test_the_rulebooks_game_is_worth_thirteen_twenty_sevenths() -> None:
    bounds = bound_hidden_path(game_of(10, 3), seconds=math.inf)
    assert bounds.lower <= 13 / 27 <= bounds.upper
    assert bounds.upper - bounds.lower < 1e-8
    lower = prove_exactly(bounds.journeys, bounds.first, moves_first=True)
    upper = prove_exactly(bounds.journeys, bounds.second, moves_first=False)
    assert lower <= Fraction(13, 27) <= upper
    assert upper - lower < 1e-8


# --- an independent best response: plain recursion over the real rules -------------------


def best_by_recursion(
    game: HiddenPath, strategy: Strategy, journeys: Journeys, secret: Secret, responder: Seat
) -> float:
    """The best chance to win with this secret, Player 1 moving first."""

    def best(worlds: list[tuple[float, State]], node: int) -> float:
        some = worlds[0][1]
        if some.outcome is not None:
            return sum(w for w, _ in worlds) if some.outcome.winner == responder else 0.0
        totals = []
        for move in legal(game, some):
            seen: dict[bool, list[tuple[float, State]]] = defaultdict(list)
            for weight, state in worlds:
                after = game.apply(state, mover_of(state), move)
                seen[after.sprung != state.sprung].append((weight, after))
            if some.mover == responder:
                totals.append(sum(best(left, node) for left in seen.values()))
                continue
            chance = strategy.policy[node, move - 1]
            for trapped, left in seen.items():  # the secret is known, so there is one
                to = int((journeys.trap if trapped else journeys.safe)[node, move - 1])
                totals.append(chance * best(left, to) if chance else 0.0)
        return max(totals) if some.mover == responder else sum(totals)

    worlds = [
        (
            float(weight),
            hidden(game, *((secret, theirs) if responder == 1 else (theirs, secret))),
        )
        for theirs, weight in zip(game.hiding.values(), strategy.mixture, strict=True)
        if weight > 0
    ]
    return best(worlds, 0)


def proven_by(journeys: Journeys, strategy: Strategy, *, moves_first: bool) -> float:
    """The bound on the value: a lower one if the strategy moves first."""
    answers = respond(journeys, strategy, responder_first=not moves_first)
    return bound(answers, moves_first=moves_first)


def random_strategy(journeys: Journeys, seed: int) -> Strategy:
    """Chances drawn at random, some of them zero."""
    rng = np.random.default_rng(seed)
    mixture = rng.random(len(journeys.secrets)) * (rng.random(len(journeys.secrets)) < 0.7)
    mixture[rng.integers(len(mixture))] += 0.1
    policy = rng.random(journeys.safe.shape) * (rng.random(journeys.safe.shape) < 0.6)
    policy = np.where(journeys.legal, policy + 1e-3 * (rng.random(policy.shape) < 0.5), 0.0)
    policy[policy.sum(axis=1) == 0, 0] = 1.0
    return Strategy(mixture / mixture.sum(), policy / policy.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("responder", [1, 2])
@pytest.mark.parametrize(
    ("length", "traps", "max_step", "options"),
    [(3, 1, 3, {}), (3, 2, 2, {}), (4, 1, 2, {"goal_traps": False}), (4, 1, 3, {})],
)
def test_best_response_is_that_of_plain_recursion(
    length: int, traps: int, max_step: int, options: dict[str, bool], responder: Seat
) -> None:
    game = game_of(length, traps, max_step, **options)
    journeys = journeys_of(game)
    for seed in range(3):
        strategy = random_strategy(journeys, seed)
        chances = respond(journeys, strategy, responder_first=responder == 1)
        for secret, chance in zip(game.hiding.values(), chances, strict=True):
            assert chance == pytest.approx(
                best_by_recursion(game, strategy, journeys, secret, responder), abs=1e-12
            )


def test_a_proof_in_fractions_is_that_of_floats() -> None:
    for game in (game_of(4, 2), game_of(4, 1, 2, goal_traps=False)):
        journeys = journeys_of(game)
        for seed in range(3):
            strategy = random_strategy(journeys, seed)
            for moves_first in (True, False):
                exact = prove_exactly(journeys, strategy, moves_first=moves_first)
                rounded = proven_by(journeys, strategy, moves_first=moves_first)
                assert float(exact) == pytest.approx(rounded, abs=1e-7)


def test_small_games_are_solved_in_fractions() -> None:
    for game, value in (
        (game_of(3, 2, 2), Fraction(1, 2)),
        (game_of(4, 2), Fraction(5, 9)),
        (game_of(5, 2), Fraction(1, 2)),
    ):
        bounds = bound_hidden_path(game)
        assert prove_exactly(bounds.journeys, bounds.first, moves_first=True) == value
        assert prove_exactly(bounds.journeys, bounds.second, moves_first=False) == value


def test_chances_become_the_simplest_fractions() -> None:
    third = fractions_of(np.array([1 / 3, 0.0, 2 / 3 + 1e-13]))
    assert third == {0: Fraction(1, 3), 2: Fraction(2, 3)}
    odd = fractions_of(np.array([np.pi / 10, 1 - np.pi / 10]))
    assert sum(odd.values()) == 1


# --- matches before the referee ----------------------------------------------------------


def play(game: HiddenPath, bounds: RaceBounds, rng: Random) -> bool:
    """Whether the first mover wins a match of the two strategies."""
    match = Match(game, first=1)
    for chooser in SEATS:
        secrets = bounds.secret_chances(match.view(chooser))
        match.play(chooser, rng.choices(list(secrets), list(secrets.values()))[0])
    while match.outcome is None:
        seat = match.to_move
        assert seat is not None
        moves = bounds.move_chances(match.view(seat))
        match.play(seat, rng.choices(list(moves), list(moves.values()))[0])
    return match.outcome.winner == 1


@pytest.mark.parametrize(("length", "traps"), [(4, 2), (6, 3)])
def test_matches_go_as_the_value_says(length: int, traps: int) -> None:
    game = game_of(length, traps)
    journeys = journeys_of(game)
    sides = random_strategy(journeys, 1), random_strategy(journeys, 2)
    bounds = RaceBounds.of(journeys, *sides)
    rng, count = Random(5), 3000
    wins = sum(play(game, bounds, rng) for _ in range(count))
    chance = (bounds.value + 1) / 2
    assert abs(wins / count - chance) < 4 * (chance * (1 - chance) / count) ** 0.5
    assert 0.02 < chance < 0.98  # or the comparison would say little


def test_a_path_that_there_is_no_time_for_is_refused_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else what hardly was trained would be proven for minutes."""
    monkeypatch.setattr(training, "MANY_JOURNEYS", 10)
    with pytest.raises(TooLarge, match="no time to learn how to run"):
        bound_hidden_path(game_of(5, 2), seconds=0.0)


def test_a_proof_that_there_is_no_time_for_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may take minutes on shorter paths, too, where hardly anything was trained."""

    def slow(*of: Any, until: float, **how: Any) -> Any:
        if until < math.inf:
            raise OutOfTime
        return respond(*of, **how)

    monkeypatch.setattr(training, "respond", slow)
    with pytest.raises(TooLarge, match="no time to learn how to run"):
        bound_hidden_path(game_of(5, 2), seconds=0.0)
