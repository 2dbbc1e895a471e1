"""Random play in batches: our simulator, and pgx where it is installed. Rows for `bench.agents`.

What is counted is complete turns: of the player to act, all legal actions are found, one of
them is chosen evenly, applied, and the result seen to; finished matches begin anew in place.
Choosing secrets, trap answers and the toss take their time and count for nothing. pgx counts
steps, which in its games are turns too; its matches begin anew by `auto_reset`, and every step
writes mask and observation, fused or not.

`python -m bench.vector` prints what a learner asks for, action, step, mask and observation of the
seat to act, in each form of observations, beside pgx's games doing the same, all in one run and by
turns: what is counted there is actions of ours, each with all of that, and steps of pgx.
`python -m bench.vector SRC` compares with another version of this project, whose `src` folder it
names: both by turns, each in processes of its own, and the ratio. Processor time is measured, so
that other work on the machine counts for little; with threads it is the time on the clock. Who is
measured has one core to itself: jax would share its batches between all that there are, and be
billed for what that costs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

import trapline
from trapline.adapters.vector import VectorGame
from trapline.games import GAMES

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


# --- what a learner asks for ------------------------------------------------------------

BATCHES = (1_024, 16_384)
THREADED = (16_384, 131_072)
DTYPES: tuple[Any, ...] = ("float32", "uint8", "bits")
SECONDS, ROUNDS = 0.25, 5


def cycle(name: str, batch: int, dtype: Any, threads: int = 1) -> Callable[[], int]:
    """A batch that is stepped and seen in one pass; the actions taken."""
    games = VectorGame(name, batch, seed=1, dtype=dtype, threads=threads)
    games.play_random(FUSED)
    seen = games.observe()

    def work() -> int:
        for _ in range(STEPS):
            games.step(games.random_actions(), out=seen)
        return STEPS * batch

    return work


def pgx_cycle(name: str, batch: int) -> Callable[[], int]:
    step, state, key = _pgx(name, batch)
    import jax

    episode = _pgx_episode(jax.jit(step), state, key, rounds=STEPS, steps=batch)
    return lambda: episode(None)  # type: ignore[arg-type]  # it draws by itself


def best_rates(
    works: dict[tuple[str, ...], Callable[[], int]], clock: Callable[[], float] = time.process_time
) -> dict[tuple[str, ...], float]:
    """Millions a second of each, the best of some rounds by turns."""
    best = dict.fromkeys(works, 0.0)
    for work in works.values():
        work()
    for _ in range(ROUNDS):
        for key, work in works.items():
            done, begun = 0, clock()
            while (spent := clock() - begun) < SECONDS:
                done += work()
            best[key] = max(best[key], done / spent / 1e6)
    return best


def on_one_core() -> set[int]:
    """From now on this process has one core, where that can be said; returns those it had.

    Whatever asks how many there are, as jax does when it is loaded, is to be called after this.
    """
    if not hasattr(os, "sched_setaffinity"):
        return set()
    had = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(had)})
    return had


def learners() -> None:
    """The table, and for each row how often it is the fastest of pgx's games."""
    had = on_one_core()
    for batch in BATCHES:
        works: dict[tuple[str, ...], Callable[[], int]] = {}
        try:
            works |= {("pgx", name): pgx_cycle(name, batch) for name in PGX}
        except ImportError as error:
            print(f"pgx is left out: {error}")
        works |= {(name, dtype): cycle(name, batch, dtype) for name in GAMES for dtype in DTYPES}
        rates = best_rates(works)
        fastest = max((rate for key, rate in rates.items() if key[0] == "pgx"), default=0.0)
        print(f"Batch {batch:,}: millions of action + step + mask + observation a second, one core")
        for key, rate in rates.items():
            beside = f"{rate / fastest:6.2f} of the fastest of pgx" if fastest else ""
            print(f"  {' '.join(key):<26} {rate:6.2f} {beside}")
    if had:
        os.sched_setaffinity(0, had)
    threaded()


def threaded() -> None:
    """All cores beside one, by the clock."""
    cores = os.cpu_count() or 1
    for batch in THREADED:
        works: dict[tuple[str, ...], Callable[[], int]] = {
            (name, str(threads)): cycle(name, batch, "uint8", threads)
            for name in GAMES
            for threads in (1, cores)
        }
        rates = best_rates(works, time.perf_counter)
        for name in GAMES:
            ratio = rates[name, str(cores)] / rates[name, "1"]
            print(f"  {name:<14} {cores} threads: {ratio:.2f} of one thread, batch {batch:,}")


# --- beside another version -------------------------------------------------------------

MEASURE = f"""
import json, time
import trapline
from trapline.adapters.vector import VectorGame
from trapline.games import GAMES

def best(work, count):
    work()
    taken = []
    for _ in range(5):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return count / min(taken) / 1e6

found = {{}}
for name in {{names}}:
    games = VectorGame(name, {BATCH}, seed=1)
    fused = best(lambda: games.play_random({FUSED}), {BATCH * FUSED})
    def steps():
        for _ in range({STEPS}):
            games.step(games.random_actions())
    stepped = best(steps, {BATCH * STEPS})
    seen = best(games.observe, {BATCH})
    found[name] = [fused, stepped, seen]
print(json.dumps(found))
"""


def measured(source: str, names: list[str]) -> dict[str, list[float]]:
    """Millions of turns, of actions, and of observations a second."""
    env = {**os.environ, "PYTHONPATH": source}
    code = MEASURE.replace("{names}", repr(names))
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]  # it wrote it itself


def main(other: str, rounds: int = 3) -> None:
    ours = os.path.dirname(os.path.dirname(trapline.__file__))  # noqa: PTH120 - before any import
    best: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds):
        for source in (ours, other):
            for name, found in measured(source, list(GAMES)).items():
                before = best.get((source, name), found)
                best[source, name] = [max(pair) for pair in zip(before, found, strict=True)]
    print("Millions a second on one core: turns at random, actions by step, observations")
    for name in GAMES:
        row = " ".join(f"{number:>7.1f}" for number in best[ours, name])
        theirs = best[other, name]
        row += "   the other: " + " ".join(f"{number:>7.1f}" for number in theirs)
        ratios = zip(best[ours, name], theirs, strict=True)
        row += "   ratio: " + " ".join(f"{one / two:>5.2f}" for one, two in ratios)
        print(f"{name:<14} {row}")


# --- pgx --------------------------------------------------------------------------------


def pgx_fused(name: str) -> Callable[[], Episode]:
    """The steps in one compiled loop."""

    def make() -> Episode:
        import jax

        step, state, key = _pgx(name, BATCH)

        def loop(state: Any, key: Any) -> Any:
            return jax.lax.fori_loop(0, FUSED, lambda _, now: step(*now), (state, key))

        return _pgx_episode(jax.jit(loop), state, key, rounds=1, steps=FUSED * BATCH)

    return make


def pgx_stepped(name: str) -> Callable[[], Episode]:
    """One compiled step, called again and again."""

    def make() -> Episode:
        import jax

        step, state, key = _pgx(name, BATCH)
        return _pgx_episode(jax.jit(step), state, key, rounds=STEPS, steps=BATCH)

    return make


def _pgx(name: str, batch: int) -> tuple[Any, Any, Any]:
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env: Any = pgx.make(name)
    play = jax.vmap(auto_reset(env.step, env.init))

    def step(state: Any, key: Any) -> tuple[Any, Any]:
        key, choose, again = jax.random.split(key, 3)
        odds = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choose, odds, axis=-1)
        return play(state, actions, jax.random.split(again, batch)), key

    key, first = jax.random.split(jax.random.PRNGKey(1))
    return step, jax.jit(jax.vmap(env.init))(jax.random.split(first, batch)), key


def _pgx_episode(loop: Any, state: Any, key: Any, *, rounds: int, steps: int) -> Episode:
    import jax

    now = jax.block_until_ready(loop(state, key))

    def episode(_: Random) -> int:
        nonlocal now
        for _round in range(rounds):
            now = loop(*now)
        jax.block_until_ready(now)
        return rounds * steps

    return episode


if __name__ == "__main__":
    main(sys.argv[1]) if sys.argv[1:] else learners()
