"""Trap Runner and Numeric Maze have results that follow from two numbers.

The numbers are compared with graphs drawn from the rules themselves, on which retrograde analysis
finds what can be forced from every position.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.worlds import random_options
from trapline.core import SEATS, other
from trapline.games import make_game
from trapline.games.numeric_maze.game import NumericMaze
from trapline.games.trap_runner.solving import Race, forced
from trapline.players import perfect
from trapline.referee import Match
from trapline.solve import solve
from trapline.solve.forced import ForcedMethod
from trapline.solve.guarantee import Consequence, Guarantee
from trapline.solve.interface import Request, payoff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Question, Seat

NO_ANSWER = 0


def behind(square: int) -> int:
    """All squares between 0 and a square: where somebody who came that far may have traps."""
    return (1 << max(square, 1)) - 2


class RunnerProof:
    """A State here has, in place of the villain's traps, the squares that may hold one."""

    holdings: Sequence[int] = (0,)

    def __init__(self, game: Any, hero: Seat) -> None:
        self.game = game.endless()
        self.hero = hero
        self.villain = other(hero)
        self.root = self.game.start(1)

    def mover(self, state: Any) -> Seat:
        return 2 if state.mover == 2 else 1

    def question(self, state: Any) -> Question:
        found: Question = self.game.question(state, self.mover(state))
        return found

    def actions(self, state: Any) -> Sequence[int]:
        return tuple(self.question(state).values())

    def consequences(self, state: Any, action: int, _holding: int) -> list[Consequence]:
        possible = state.traps[self.villain - 1]
        clear = msgspec.structs.replace(state, traps=(0, 0))
        if state.mover == self.villain:
            after = self._turn(clear, action)
            return [self._open(after, possible | behind(after.positions[self.villain - 1]))]
        results = {self._turn(clear, action), self._turn(state, action)}
        return [self._open(after, possible) for after in sorted(results, key=_returning)]

    def _turn(self, state: Any, steps: int) -> Any:
        """A whole turn without a trap, and nothing remembered of traps."""
        seat = self.mover(state)
        after = self.game.apply(state, seat, steps)
        if after.step:
            after = self.game.apply(after, seat, NO_ANSWER)
        none = (0, 0)
        return msgspec.structs.replace(
            after, turn=0, traps=none, sprung=none, found=none, doubt=none, seen_doubt=none
        )

    def _open(self, after: Any, possible: int) -> Consequence:
        if after.outcome is not None:
            return Consequence(None, payoff(after.outcome), 1.0)
        traps = (possible, 0) if self.villain == 1 else (0, possible)
        return Consequence(msgspec.structs.replace(after, traps=traps), 0.0, 1.0)


def _returning(state: Any) -> tuple[int, int]:
    found: tuple[int, int] = state.returning
    return found


@pytest.mark.parametrize(("length", "max_step"), list(product([2, 3, 5, 8, 11], [1, 2, 3, 4])))
@pytest.mark.parametrize("hero", SEATS)
def test_what_trap_runners_numbers_force_is_what_the_rules_force(
    length: int, max_step: int, hero: Seat
) -> None:
    game: Any = make_game("trap-runner", {"length": length, "max_step": max_step, "turn_limit": 0})
    guarantee = Guarantee(RunnerProof(game, hero))
    compared = 0
    for state, _holding in (key for key in guarantee._numbers if len(key) == 2):
        if isinstance(state, str):
            continue
        stand = [
            0 if back else at for at, back in zip(state.positions, state.returning, strict=True)
        ]
        farthest = max(state.traps[2 - hero].bit_length(), state.positions[2 - hero])
        race = Race(stand[hero - 1], stand[2 - hero], farthest, heros_turn=state.mover == hero)
        found = forced(game, race)
        assert found == (guarantee.value(state, 0), guarantee.distance(state, 0))
        compared += 1
    assert compared >= 3


def test_whoever_moves_first_in_trap_runner_wins_under_all_options() -> None:
    for length, max_step in product((2, 3, 7, 10, 50, 98, 99), (1, 2, 3, 4, 9, 50, 99)):
        found = solve(make_game("trap-runner", {"length": length, "max_step": max_step}))
        assert (found.value, found.exact) == (1.0, True)
        assert found.facts.turns == 2 * -(-length // max_step) - 1


@pytest.mark.parametrize("seed", range(60))
def test_numeric_mazes_numbers_are_what_the_graph_of_its_rules_says(seed: int) -> None:
    rng = Random(seed)
    options: dict[str, Any] = dict(random_options("numeric-maze", rng))
    options |= {"length": min(options["length"], 12)}
    options["traps"] = [trap for trap in options["traps"] if trap < options["length"]]
    options["turn_limit"] = 0
    game = make_game("numeric-maze", options)
    assert isinstance(game, NumericMaze)
    by_graph = ForcedMethod(game, 1).solve(Request())
    assert by_graph is not None
    found = solve(game)
    assert (found.value, found.facts.turns) == (by_graph.value, by_graph.facts.turns)
    match = Match(game, 1)
    while match.to_move is not None:
        view = match.view(match.to_move)
        assert found.policy.look(view).values == by_graph.policy.look(view).values
        match.play(match.to_move, rng.choice(view.legal))
        if match.view(1).turn > 60:
            break


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("trap-runner", {"length": 99, "max_step": 4}),
        ("trap-runner", {"length": 12, "max_step": 2, "turn_limit": 40}),
        ("numeric-maze", {"length": 99, "max_step": 9}),
        ("numeric-maze", {"length": 30, "traps": [3, 4, 9], "turn_limit": 60}),
    ],
)
@pytest.mark.parametrize("seat", SEATS)
def test_perfect_wins_every_race_that_it_begins(
    name: str, options: dict[str, Any], seat: Seat
) -> None:
    """And from any race that random players have left, nothing that is forced is lost again."""
    rng = Random(7)
    for wild in (0, 0, 4, 9):
        match, promised = Match(make_game(name, options), seat), -1.0
        while (mover := match.to_move) is not None:
            view = match.view(mover)
            if mover != seat or view.turn < wild:
                match.play(mover, rng.choice(view.legal))
                continue
            policy = perfect.solution_of(match.game, seat)
            assert policy is not None
            worth = max(policy.policy.look(view).values.values())
            assert worth >= promised
            promised = worth
            match.play(mover, perfect.choose(view, rng))
        assert wild or match.outcome is not None
        result = match.outcome.result(seat) if match.outcome else 0.0
        assert result >= promised
        assert wild or result == 1
