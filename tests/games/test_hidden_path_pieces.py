"""The pieces that the race of Hidden Path is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.games.test_hidden_path_race import game_of, proven_by, random_strategy
from trapline.boards.track import bits
from trapline.core import TraplineError
from trapline.games.hidden_path.solving.doubts import explore
from trapline.games.hidden_path.solving.race import journeys as journeys_module
from trapline.games.hidden_path.solving.race.compiled import CompiledJourneys
from trapline.games.hidden_path.solving.race.journeys import Journeys
from trapline.games.hidden_path.solving.race.programs import refine
from trapline.games.hidden_path.solving.race.races import RaceBounds, journeys_of, secrets_of
from trapline.games.hidden_path.solving.race.responses import OutOfTime, respond
from trapline.games.hidden_path.solving.race.training import BlindSide, Training, bound_hidden_path
from trapline.solve import TooLarge, memory

if TYPE_CHECKING:
    Secret = int


def test_the_rulebooks_journeys_are_counted() -> None:
    journeys = journeys_of(game_of(10, 3))
    assert len(journeys.secrets) == 120
    assert len(journeys) == 132_848
    assert journeys.longest == 37


def test_a_journey_ends_once_against_every_secret() -> None:
    journeys = journeys_of(game_of(6, 2))
    times = journeys.times(random_strategy(journeys, 3).policy)
    assert times.sum(axis=1) == pytest.approx(np.ones(len(journeys.secrets)))


def test_follow_refuses_what_cannot_have_happened() -> None:
    journeys = Journeys(4, 3, [bits((2,)), bits((3,))])
    assert journeys.follow([]) == 0
    assert journeys.moves[journeys.follow([(2, True), (2, False)])] == 2
    with pytest.raises(ValueError, match="no secret"):
        journeys.follow([(1, True)])


def test_no_strategy_proves_more_than_training_allows() -> None:
    """Any strategies at all enclose the value between them."""
    journeys = journeys_of(game_of(3, 2, 2))
    for seed in range(20):
        strategy = random_strategy(journeys, seed)
        assert proven_by(journeys, strategy, moves_first=True) <= 0.5
        assert proven_by(journeys, strategy, moves_first=False) >= 0.5


def test_strategies_are_kept_and_proven_anew() -> None:
    game = game_of(4, 2)
    bounds = bound_hidden_path(game, iterations=100)
    data = bounds.to_bytes()
    again = RaceBounds.from_bytes(game, data)
    assert (again.lower, again.upper) == (bounds.lower, bounds.upper)
    assert again.value == pytest.approx(5 / 9)
    with pytest.raises(ValueError, match="another game"):
        RaceBounds.from_bytes(game_of(4, 1), data)
    damaged = np.frombuffer(data).copy()
    damaged[len(bounds.first.mixture) :][: bounds.first.policy.size] *= 0.9
    with pytest.raises(ValueError, match="add up"):
        RaceBounds.from_bytes(game, damaged.tobytes())


def test_an_interrupt_keeps_what_was_proven() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    bounds = bound_hidden_path(game_of(5, 2), width=0.0, progress=interrupt)
    assert bounds.iterations == 100
    assert bounds.lower <= 0.5 <= bounds.upper


def test_without_time_there_are_bounds_all_the_same() -> None:
    bounds = bound_hidden_path(game_of(5, 2), seconds=0.0)
    assert -1 <= bounds.lower <= 0.5 <= bounds.upper <= 1


def test_what_cannot_be_proven_in_time_is_not_believed() -> None:
    journeys = journeys_of(game_of(5, 2))
    side = BlindSide(journeys, 0.0, moves_first=True)  # the time was over long ago
    assert side.offer(random_strategy(journeys, 1)) == 0.0
    assert (side.bound, side.answers) == (-1.0, None)
    with pytest.raises(OutOfTime):
        respond(journeys, side.best, responder_first=True, until=0.0)
    assert not list(refine(journeys, side.best, lambda: True, moves_first=True, near=0.01))


def test_nothing_is_listed_for_longer_than_it_may_take() -> None:
    game = game_of(13, 3)
    with pytest.raises(TooLarge, match="no time to list"):
        journeys_of(game, until=0.0)
    with pytest.raises(TooLarge, match="no time to list"):
        explore(game.length, game.options.max_step, secrets_of(game), until=0.0)


def test_training_lowers_what_a_best_response_gains() -> None:
    journeys = journeys_of(game_of(7, 2))
    training = Training(journeys)
    widths = []
    for _ in range(3):
        for _ in range(60):
            training.step()
        bounds = RaceBounds.of(journeys, training.first(), training.second())
        widths.append(bounds.upper - bounds.lower)
    assert widths == sorted(widths, reverse=True)


def test_paths_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TraplineError, match="too many journeys"):
        journeys_of(game_of(60, 4))
    with pytest.raises(TraplineError, match="too many journeys"):
        journeys_of(game_of(40, 2))
    monkeypatch.setattr(journeys_module, "MOST_KNOWN", 100)
    with pytest.raises(TraplineError, match="too many journeys"):
        journeys_of(game_of(6, 2))


def test_what_would_not_fit_into_memory_is_refused_before_it_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "room", lambda: 200_000)
    with pytest.raises(memory.OutOfMemory, match="journeys of a runner takes 1 MB of memory"):
        journeys_of(game_of(8, 2))


@pytest.mark.parametrize(("length", "traps"), [(4, 1), (5, 2), (6, 3)])
def test_compiled_passes_say_what_plain_ones_say(length: int, traps: int) -> None:
    game = game_of(length, traps)
    plain, compiled = journeys_of(game), journeys_of(game, CompiledJourneys)
    rng = np.random.default_rng(length)
    for seed in range(3):
        strategy = random_strategy(plain, seed)
        worths = np.sort(rng.random((2, plain.longest + 1)))[:, ::-1]
        for one, two in (
            (plain.weights(strategy.mixture), compiled.weights(strategy.mixture)),
            (plain.reach(strategy.policy), compiled.reach(strategy.policy)),
            (plain.times(strategy.policy), compiled.times(strategy.policy)),
        ):
            assert one == pytest.approx(two, abs=1e-12)
        pairs = zip(
            plain.best_runs(strategy.mixture, worths),
            compiled.best_runs(strategy.mixture, worths),
            strict=True,
        )
        for (gain, _), (again, _) in pairs:
            assert gain == pytest.approx(again, abs=1e-12)
