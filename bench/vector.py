"""Random play in batches: our simulator, and pgx where it is installed. Rows for `bench.agents`.

What is counted is complete turns: of the player to act, all legal actions are found, one of
them is chosen evenly, applied, and the result seen to; finished matches begin anew in place.
Choosing secrets, trap answers and the toss take their time and count for nothing. pgx counts
steps, which in its games are turns too; its matches begin anew by `auto_reset`, and every step
writes mask and observation, fused or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.adapters.vector import VectorGame

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Episode = Callable[[Random], int]

PGX = ("tic_tac_toe", "kuhn_poker", "leduc_holdem")
BATCH = 16_384
FUSED = 100
"""Turns of every lane between two looks at the clock."""
STEPS = 50


def fused(name: str) -> Callable[[], Episode]:
    """One compiled loop: no array of masks or observations is written in between."""

    def make() -> Episode:
        games = VectorGame(name, BATCH, seed=1)
        games.play_random(FUSED)

        def episode(_: Random) -> int:
            return games.play_random(FUSED).turns

        return episode

    return make


def stepped(name: str, *, observe: bool = False) -> Callable[[], Episode]:
    """`random_actions` and `step`, actions checked, masks written; also what the actor sees."""

    def make() -> Episode:
        games = VectorGame(name, BATCH, seed=1)
        games.play_random(FUSED)
        turns = _turns_in(games, 4 * STEPS)
        seen = np.zeros((BATCH, games.features), np.float32)

        def episode(_: Random) -> int:
            for _step in range(STEPS):
                if observe:
                    games.observe(out=seen)
                games.step(games.random_actions())
            return turns // 4

        return episode

    return make


def _turns_in(games: VectorGame, steps: int) -> int:
    """How many turns so many steps complete, as a rule: counted once, before the clock runs."""
    turns = 0
    for _ in range(steps):
        before = games.turn.copy()
        _, done = games.step(games.random_actions())
        turns += int(done.sum()) + int((games.turn - before)[~done].sum())
    return turns


# --- pgx --------------------------------------------------------------------------------


def pgx_fused(name: str) -> Callable[[], Episode]:
    """The steps in one compiled loop."""

    def make() -> Episode:
        import jax

        step, state, key = _pgx(name)

        def loop(state: Any, key: Any) -> Any:
            return jax.lax.fori_loop(0, FUSED, lambda _, now: step(*now), (state, key))

        return _pgx_episode(jax.jit(loop), state, key, rounds=1, steps=FUSED)

    return make


def pgx_stepped(name: str) -> Callable[[], Episode]:
    """One compiled step, called again and again."""

    def make() -> Episode:
        import jax

        step, state, key = _pgx(name)
        return _pgx_episode(jax.jit(step), state, key, rounds=STEPS, steps=1)

    return make


def _pgx(name: str) -> tuple[Any, Any, Any]:
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env: Any = pgx.make(name)
    play = jax.vmap(auto_reset(env.step, env.init))

    def step(state: Any, key: Any) -> tuple[Any, Any]:
        key, choose, again = jax.random.split(key, 3)
        odds = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choose, odds, axis=-1)
        return play(state, actions, jax.random.split(again, BATCH)), key

    key, first = jax.random.split(jax.random.PRNGKey(1))
    return step, jax.jit(jax.vmap(env.init))(jax.random.split(first, BATCH)), key


def _pgx_episode(loop: Any, state: Any, key: Any, *, rounds: int, steps: int) -> Episode:
    import jax

    now = jax.block_until_ready(loop(state, key))

    def episode(_: Random) -> int:
        nonlocal now
        for _round in range(rounds):
            now = loop(*now)
        jax.block_until_ready(now)
        return rounds * steps * BATCH

    return episode
