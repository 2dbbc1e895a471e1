"""Two learners play each other, thousands of matches at once, until hardly anybody beats them.

The game is a small Trap Builder, whose equilibrium is mixed: whoever hides traps in the same
places every time, or always runs the same way, is found out. The learners know the rules
only as masks and rewards of `VectorGame`. After each batch of matches, actions that would
have done better than the usual choice are taken more often. The average of all that was played
comes ever nearer to an equilibrium; `judge.py` measures, exactly, how near.

    python examples/self_play.py --minutes 2

The method is Monte Carlo counterfactual regret minimisation by outcome sampling (Lanctot,
Waugh, Zinkevich, Bowling 2009), with the sums of CFR+ (Tammelin 2014). It needs NumPy and a
table with a row for each thing a player can know.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, NamedTuple

import numpy as np
from judge import Judge

from trapline.adapters.vector import VectorGame
from trapline.games import make_game
from trapline.solve import solve

GAME = "trap-builder"
OPTIONS: dict[str, Any] = {"length": 7, "traps": 3, "walls": False}
EXPLORE = 0.4  # how often the seat that learns tries just anything
MOST_ROWS = 100_000


class Memory:
    """All that each seat has seen and done, hashed to one number for each lane and seat.

    An observation shows this moment alone; who remembers the way here knows more.
    """

    def __init__(self, games: VectorGame) -> None:
        self.games = games
        self.keys = np.zeros((games.batch, 2), np.uint64)
        self.seen = np.zeros((games.batch, games.features), np.float32)
        self.bits = np.zeros((games.batch, -(-games.features // 64) * 8), np.uint8)
        random = np.random.default_rng(0)
        self.factors = random.integers(1, 2**63, self.bits.shape[1] // 8, np.uint64) * 2 + 1

    def look(self, lanes: Any, seats: Any) -> Any:
        bits = np.packbits(self.games.observe(out=self.seen) > 0, axis=1)
        self.bits[:, : bits.shape[1]] = bits
        keys = self.keys[lanes, seats] + self.bits[lanes].view(np.uint64) @ self.factors
        self.keys[lanes, seats] = (keys ^ (keys >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        return self.keys[lanes, seats]

    def take(self, lanes: Any, seats: Any, chosen: Any) -> Any:
        """Take an action in the running lanes, and remember it; returns what Player 1 got."""
        self.keys[lanes, seats] += chosen.astype(np.uint64) + np.uint64(1)
        actions = np.zeros(self.games.batch, np.int64)
        actions[lanes] = chosen
        rewards, _ = self.games.step(actions)
        return rewards[:, 0]


class Learner:
    """A table for both seats: a row for each thing to know, a column for each action."""

    def __init__(self, actions: int) -> None:
        self.row_of: dict[int, int] = {}
        self.regret = np.zeros((MOST_ROWS, actions))
        self.played = np.zeros((MOST_ROWS, actions))

    def rows(self, keys: Any) -> Any:
        found, where = np.unique(keys, return_inverse=True)
        rows = [self.row_of.setdefault(key, len(self.row_of)) for key in found.tolist()]
        return np.array(rows)[where]

    def policy(self, rows: Any, mask: Any, *, average: bool = False) -> Any:
        """Regret matching: an action's chance is its share of what should have been done.

        The average is over all that was played so far.
        """
        weights = np.where(mask, (self.played if average else self.regret)[rows], 0)
        sums = weights.sum(axis=1, keepdims=True)
        evenly = mask / mask.sum(axis=1, keepdims=True)
        return np.where(sums > 0, weights / np.where(sums > 0, sums, 1), evenly)


class Step(NamedTuple):
    """What happened at one action of every lane that was still running."""

    lanes: Any
    seats: Any
    rows: Any
    mask: Any
    policy: Any
    action: Any  # as an index into policy: which row, which column
    chance: Any  # of sampling that action
    mine: Any  # the chance that the actor's own choices lead here
    theirs: Any
    sampled: Any  # the chance that sampling leads here


def play(games: VectorGame, memory: Memory, learner: Learner, rng: Any, weight: int) -> None:
    """A match in every lane; Player 1 learns in the even ones, Player 2 in the odd ones."""
    games.reset()
    memory.keys[:] = 0
    learns = np.arange(games.batch) % 2
    reach, sampled = np.ones((games.batch, 2)), np.ones(games.batch)
    value = np.zeros(games.batch)
    steps = []
    while len(lanes := np.flatnonzero(games.to_act)):
        seats, mask = games.to_act[lanes] - 1, games.mask[lanes]
        rows = learner.rows(memory.look(lanes, seats))
        policy = learner.policy(rows, mask)
        explore = EXPLORE * (seats == learns[lanes])[:, None]
        chances = (1 - explore) * policy + explore * mask / mask.sum(axis=1, keepdims=True)
        sums = chances.cumsum(axis=1)
        chosen = (sums > rng.random((len(lanes), 1)) * sums[:, -1:]).argmax(axis=1)
        action = np.arange(len(lanes)), chosen
        before = reach[lanes, seats], reach[lanes, 1 - seats], sampled[lanes]
        steps.append(Step(lanes, seats, rows, mask, policy, action, chances[action], *before))
        reach[lanes, seats] *= policy[action]
        sampled[lanes] *= chances[action]
        value += memory.take(lanes, seats, chosen)
    for step in reversed(steps):
        learn(learner, step, value, learning=step.seats == learns[step.lanes], weight=weight)
    np.maximum(learner.regret, 0, out=learner.regret)


def learn(learner: Learner, step: Step, value: Any, learning: Any, weight: int) -> None:
    """Who learns: add regrets. Who does not: add to the average what is played now.

    `value` is what Player 1 got in the end, divided by the chances of what was sampled on the
    way back to here; that makes up for all that was not sampled.
    """
    sign = np.where(step.seats == 0, 1.0, -1.0)
    worth = value[step.lanes] / step.chance
    value[step.lanes] = usual = worth * step.policy[step.action]
    gain = -(sign * usual)[:, None] * step.mask
    gain[step.action] += sign * worth
    gain *= (learning * step.theirs / step.sampled)[:, None]
    played = step.policy * (~learning * weight * step.mine / step.sampled)[:, None]
    known = len(learner.row_of)
    for action in range(step.mask.shape[1]):
        learner.regret[:known, action] += np.bincount(step.rows, gain[:, action], known)
        learner.played[:known, action] += np.bincount(step.rows, played[:, action], known)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--lanes", type=int, default=2048)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    value = solve(make_game(GAME, OPTIONS)).value
    print(f"Equilibrium: the first to move gets {value:+.4f} a match, the second {-value:+.4f}.")
    print(f"{'seconds':>8} {'matches':>11} {'exploitability':>15}   what each makes sure of")
    games = VectorGame(GAME, asked.lanes, seed=asked.seed, first=1, auto_reset=False, **OPTIONS)
    memory, learner, judge = Memory(games), Learner(games.actions), Judge(GAME, OPTIONS)
    rng = np.random.default_rng(asked.seed)
    batches, next_look, begun = 0, 0.0, time.monotonic()
    while True:
        seconds = time.monotonic() - begun
        over = seconds >= 60 * asked.minutes
        if over or seconds >= next_look:
            found = judge.certify(learner, Memory)
            sure = f"first {found.lower:+.4f}, second {-found.upper:+.4f}"
            matches = batches * asked.lanes
            print(f"{seconds:>8.0f} {matches:>11,} {found.exploitability:>15.4f}   {sure}")
            next_look = max(1.0, 2 * seconds)
        if over:
            return
        batches += 1
        play(games, memory, learner, rng, weight=batches)


if __name__ == "__main__":
    main()
