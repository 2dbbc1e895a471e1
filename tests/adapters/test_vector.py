"""A batch of lanes as its callers meet it: seeds, resets, refusals, random play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.adapters.outside import ANY_GAME
from trapline.adapters.vector import VectorGame
from trapline.core import IllegalMove, InvalidMove, OptionsError, TraplineError
from trapline.games import find_game
from trapline.simulate.lanes import CompiledLanes

names = st.sampled_from(ANY_GAME)
WITHOUT_CHANCE = [name for name in ANY_GAME if not find_game(name).draws]
"""Games of which all matches begin alike."""
seeds = st.integers(0, 2**32)


def everything(games: VectorGame) -> list[Any]:
    """All that can be seen of a batch."""
    shown = [games.observe(1), games.observe(2), games.observe(), games.mask, games.to_act]
    return [part.copy() for part in (*shown, games.positions, games.turn, games.first)]


def equal(one: list[Any], two: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def rows(games: VectorGame) -> Any:
    """All that compiled lanes hold, but for their chances."""
    assert isinstance(games._lanes, CompiledLanes), games.why_plain
    return games._lanes.rows


def steps(games: VectorGame, count: int) -> list[Any]:
    for _ in range(count):
        games.step(games.random_actions())
    return everything(games)


@pytest.mark.slow
@given(names, seeds, st.integers(1, 9), st.integers(0, 60))
@settings(max_examples=40)
def test_a_seed_reproduces_everything(name: str, seed: int, batch: int, count: int) -> None:
    games = VectorGame(name, batch, seed=seed)
    seen = steps(games, count)
    assert equal(seen, steps(VectorGame(name, batch, seed=seed), count))
    games.reset(seed)
    assert equal(seen, steps(games, count))


@pytest.mark.slow
def test_nothing_of_a_match_is_left_in_the_next() -> None:
    cases: list[tuple[str, Any]] = [(name, {}) for name in ANY_GAME]
    cases.append(("trap-runner", {"length": 6, "max_step": 1}))  # every trap is a wall
    for name, options in cases:
        games = VectorGame(name, 60, seed=1, **options)
        games.play_random(7)
        games.reset(2)
        fresh = VectorGame(name, 60, seed=2, **options)
        assert np.array_equal(rows(games), rows(fresh))
        assert np.array_equal(games._lanes.seeds, fresh._lanes.seeds)


def test_lanes_and_seeds_differ() -> None:
    one = VectorGame("hidden-path", 50, seed=1)
    steps(one, 10)
    two = VectorGame("hidden-path", 50, seed=2)
    steps(two, 10)
    assert len(np.unique(one.observe(1), axis=0)) > 40
    assert not equal(everything(one), everything(two))


@pytest.mark.slow
@given(names, seeds, st.integers(1, 400))
@settings(max_examples=40)
def test_random_play_is_step_by_random_step(name: str, seed: int, turns: int) -> None:
    """The fused loop takes the same actions as `random_actions` and `step` would."""
    fused, stepped = VectorGame(name, 1, seed=seed), VectorGame(name, 1, seed=seed)
    tally = fused.play_random(turns)
    played, results = 0, [0, 0, 0]
    while played < turns:
        before = int(stepped.turn[0])
        rewards, done = stepped.step(stepped.random_actions())
        if done[0]:
            results[{0: 0, 1: 1, -1: 2}[int(np.sign(rewards[0, 0]))]] += 1
            played += 1
        else:
            played += int(stepped.turn[0]) - before
    assert equal(everything(fused), everything(stepped))
    assert tally == (turns, *results)


@given(st.sampled_from(WITHOUT_CHANCE), seeds, st.integers(1, 6), st.integers(0, 80))
@settings(max_examples=40)
def test_a_reset_lane_begins_and_the_others_go_on(
    name: str, seed: int, batch: int, count: int
) -> None:
    games = VectorGame(name, batch, seed=seed, first=1)
    before = steps(games, count)
    where = np.arange(batch) % 2 == 0
    games.reset(where=where)
    fresh = everything(VectorGame(name, batch, first=1))
    for was, now, new in zip(before, everything(games), fresh, strict=True):
        assert np.array_equal(now[where], new[where])
        assert np.array_equal(now[~where], was[~where])


@pytest.mark.slow
@pytest.mark.parametrize("name", WITHOUT_CHANCE)
def test_auto_reset_shows_the_next_match_at_once(name: str) -> None:
    games = VectorGame(name, 200, seed=3, first=2)
    fresh = everything(VectorGame(name, 1, first=2))
    ended = 0
    for _ in range(60):
        rewards, done = games.step(games.random_actions())
        for now, new in zip(everything(games), fresh, strict=True):
            assert (now[done] == new).all()
        assert (rewards[~done] == 0).all()
        assert (rewards.sum(axis=1) == 0).all()
        ended += int(done.sum())
    assert ended > 100
    assert not games.winner.any()
    assert not games.reason.any()


@pytest.mark.parametrize("name", ANY_GAME)
def test_without_auto_reset_a_lane_stays_as_it_ended(name: str) -> None:
    games = VectorGame(name, 100, seed=4, auto_reset=False)
    while (games.to_act > 0).any():
        games.step(games.random_actions())
    last = everything(games)
    assert not games.mask.any()
    assert all(games.reasons[reason] is not None for reason in games.reason)
    rewards, done = games.step(np.full(100, 10**9))
    assert done.all()
    assert not rewards.any()
    assert equal(last, everything(games))


@given(names, seeds, st.integers(0, 40), st.data())
@settings(max_examples=60)
def test_an_illegal_action_changes_nothing(name: str, seed: int, count: int, data: Any) -> None:
    games = VectorGame(name, 7, seed=seed)
    steps(games, count)
    lane = data.draw(st.integers(0, 6))
    wrong = st.integers(-(2**62), 2**62) | st.integers(0, games.actions - 1)
    action = data.draw(wrong.filter(lambda a: not (0 <= a < games.actions and games.mask[lane, a])))
    lanes, seeds = rows(games).copy(), games._lanes.seeds.copy()
    actions = games.random_actions()
    games._lanes.reseed(seeds)
    actions[lane] = action
    with pytest.raises(IllegalMove, match=rf"no legal action in lane {lane}; these are: \d"):
        games.step(actions)
    assert np.array_equal(lanes, rows(games))
    assert np.array_equal(seeds, games._lanes.seeds)


@pytest.mark.parametrize("name", ANY_GAME)
def test_legal_actions_need_no_check(name: str) -> None:
    checked, unchecked = VectorGame(name, 64, seed=9), VectorGame(name, 64, seed=9)
    for _ in range(50):
        actions = checked.random_actions()
        checked.step(actions)
        assert np.array_equal(actions, unchecked.random_actions())
        unchecked.step(actions, validate=False)
    assert equal(everything(checked), everything(unchecked))


def test_random_actions_are_equally_likely() -> None:
    """Trap Builder's runners side by side: a hole among the legal steps."""
    games = VectorGame("trap-builder", 60_000, seed=1, length=3, traps=1, max_step=3)
    for _ in range(2):
        games.step(np.full(games.batch, 3))  # both hide on 1
    games.step(np.full(games.batch, 1))  # Player 1 to 2, next to Player 2 on 3
    assert games.mask[:, :3].all(axis=0).tolist() == [False, True, True]
    counts = np.bincount(games.random_actions(), minlength=3)[:3]
    assert counts[0] == 0
    assert abs(counts[1] - 30_000) < 600  # five standard deviations


def test_a_toss_is_fair_and_a_first_player_is_kept() -> None:
    tossed = VectorGame("numeric-maze", 40_000, seed=1)
    assert abs(int((tossed.first == 1).sum()) - 20_000) < 500
    assert (VectorGame("numeric-maze", 9, first=2).to_act == 2).all()
    assert (VectorGame("trap-builder", 9).first == 1).all()


def test_refusals_say_what_would_be_right() -> None:
    games = VectorGame("hidden-path", 3)
    with pytest.raises(InvalidMove, match="3 whole numbers, one action for each lane"):
        games.step([1, 2])
    with pytest.raises(InvalidMove, match="not an array of float64"):
        games.step([1.0, 2.0, 3.0])
    with pytest.raises(TraplineError, match="seat must be 1, 2 or None"):
        games.observe(3)  # type: ignore[arg-type]
    with pytest.raises(TraplineError, match=r"out must be .* float32 with shape \(3, 135\)"):
        games.observe(1, np.zeros((3, 135)))
    with pytest.raises(TraplineError, match="3 truth values"):
        games.reset(where=np.ones(4, np.bool_))
    with pytest.raises(TraplineError, match="at least 1, not 0"):
        VectorGame("hidden-path", 0)
    with pytest.raises(TraplineError, match="turns must be"):
        games.play_random(-1)
    with pytest.raises(TraplineError, match=r"1, 2 or .toss., not 3"):
        VectorGame("hidden-path", 1, first=3)  # type: ignore[arg-type]
    with pytest.raises(OptionsError, match="no option 'size'"):
        VectorGame("hidden-path", 1, size=3)


def test_what_is_shown_cannot_be_written_to() -> None:
    games = VectorGame("hidden-path", 3)
    for array in (games.mask, games.to_act, games.positions, games.turn, games.winner):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize(
    ("name", "options"), [("hidden-path", {"length": 40}), ("secret-paths", {"size": 7})]
)
def test_rules_are_compiled_once_for_all_sizes(name: str, options: Any) -> None:
    games = VectorGame(name, 2)
    other = VectorGame(name, 2, **options)
    for batch in (games, other):
        batch.play_random(2)
    assert games._lanes.module is other._lanes.module  # type: ignore[union-attr]
    assert len(games._lanes.module.play_all.signatures) == 1  # type: ignore[union-attr]


def test_reasons_are_those_of_the_rules() -> None:
    assert set(VectorGame("trap-runner", 1).reasons) == {None, "goal", "turn limit", "walled off"}
    plain = VectorGame("hidden-path", 1, auto_reset=False, compiled=False)
    while plain.to_act.any():
        plain.step(plain.random_actions())
    assert plain.reasons == (None, "goal")


def test_scores_are_rewards() -> None:
    poker = next(name for name in ANY_GAME if "kuhn" in name)
    games = VectorGame(poker, 500, seed=1)
    rewards = [games.step(games.random_actions())[0] for _ in range(9)]
    assert set(np.unique(rewards)) == {-2, -1, 0, 1, 2}
