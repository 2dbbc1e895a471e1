"""Two learners that play each other, thousands of matches at a time, until nobody can beat them.

The game is a small Trap Builder. Its equilibrium is mixed: whoever hides traps in the same
places every time, or always runs the same way, is found out. The learners start from nothing
and play against each other on `VectorGame`; every action that would have done better than
the usual choice is chosen more often from then on. What counts is the average of all they
have done: it comes ever nearer to an equilibrium, and `trapline.solve` measures how near.

The method is outcome-sampling Monte Carlo counterfactual regret minimisation (Lanctot, Waugh,
Zinkevich and Bowling, 2009), with the sums of CFR+ (Tammelin, 2014). It needs nothing but
NumPy, a table with a row for each thing a player can know, and two minutes:

    python examples/self_play.py --minutes 2
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from trapline.adapters.vector import VectorGame
from trapline.games import make_game
from trapline.solve import solve, tree
from trapline.solve.best_response import Profile, certify
from trapline.solve.model import GameModel

GAME, OPTIONS = "trap-builder", {"length": 7, "traps": 3, "walls": False}
EXPLORE = 0.4  # how often the seat that learns tries any action at all
ROWS = 1 << 16  # more than enough things to know


class Memory:
    """What each seat has seen and done in each lane, as one number: a hash of all of it.

    An observation shows the board of this moment. A player who remembers can do better, so the
    hash takes in every observation at which the seat acted, and what it did.
    """

    def __init__(self, games):
        self.games = games
        self.keys = np.zeros((games.batch, 2), np.uint64)
        self.seen = np.zeros((games.batch, games.features), np.float32)
        self.bits = np.zeros((games.batch, -(-games.features // 64) * 8), np.uint8)
        words = self.bits.shape[1] // 8
        self.factors = np.random.default_rng(0).integers(1, 2**63, words, np.uint64) | np.uint64(1)

    def look(self, lanes, seats):
        bits = np.packbits(self.games.observe(out=self.seen) > 0, axis=1)
        self.bits[:, : bits.shape[1]] = bits
        seen = self.bits[lanes].view(np.uint64) @ self.factors
        self.keys[lanes, seats] = _mix(self.keys[lanes, seats] + seen)
        return self.keys[lanes, seats]

    def note(self, lanes, seats, actions):
        self.keys[lanes, seats] += actions.astype(np.uint64) + np.uint64(1)


def _mix(keys):
    return (keys ^ (keys >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)


class Learner:
    """A table for both seats: a row for each thing to know, a column for each action."""

    def __init__(self, actions):
        self.row_of = {}
        self.regret = np.zeros((ROWS, actions))
        self.total = np.zeros((ROWS, actions))

    def rows(self, keys):
        found, where = np.unique(keys, return_inverse=True)
        rows = [self.row_of.setdefault(key, len(self.row_of)) for key in found.tolist()]
        return np.array(rows)[where]

    def now(self, rows, mask):
        """Regret matching: each action as often as it would have been better so far."""
        return _shares(self.regret[rows], mask)

    def average(self, rows, mask):
        """The average of everything played: this is what nears an equilibrium."""
        return _shares(self.total[rows], mask)


def _shares(weights, mask):
    weights = np.where(mask, weights, 0)
    sums = weights.sum(axis=1, keepdims=True)
    even = mask / mask.sum(axis=1, keepdims=True)
    return np.where(sums > 0, weights / np.where(sums > 0, sums, 1), even)


def play(games, memory, learner, rng, turn):
    """One match in every lane. Seat 1 learns in the even lanes, seat 2 in the odd ones."""
    games.reset()
    memory.keys[:] = 0
    learns = np.arange(games.batch) % 2
    wish = np.ones((games.batch, 2))  # the chance that a seat's strategy plays this way
    sampled = np.ones(games.batch)  # the chance that the match went this way
    value = np.zeros(games.batch)
    trace = []
    while len(lanes := np.flatnonzero(games.to_act)):
        seats, mask = games.to_act[lanes] - 1, games.mask[lanes]
        rows = learner.rows(memory.look(lanes, seats))
        policy = learner.now(rows, mask)
        tries = EXPLORE * (seats == learns[lanes])[:, None]
        chances = (1 - tries) * policy + tries * mask / mask.sum(axis=1, keepdims=True)
        sums = chances.cumsum(axis=1)
        actions = (sums > rng.random((len(lanes), 1)) * sums[:, -1:]).argmax(axis=1)
        memory.note(lanes, seats, actions)
        each = np.arange(len(lanes)), actions
        before = wish[lanes, seats], wish[lanes, 1 - seats], sampled[lanes]
        trace.append((lanes, seats, rows, mask, policy, chances[each], actions, *before))
        wish[lanes, seats] *= policy[each]
        sampled[lanes] *= chances[each]
        given = np.zeros(games.batch, np.int64)
        given[lanes] = actions
        rewards, _ = games.step(given, validate=False)
        value += rewards[:, 0]
    for step in reversed(trace):
        learn(learner, learns, value, turn, *step)
    np.maximum(learner.regret, 0, out=learner.regret)


def learn(
    learner, learns, value, turn, lanes, seats, rows, mask, policy, chance, actions, mine, other, q
):
    """Add what one action of every lane teaches; `value` is what followed, for Player 1.

    Dividing by the chance of what was sampled makes up for all that was not.
    """
    each = np.arange(len(lanes)), actions
    worth = value[lanes] / chance
    value[lanes] = worth * policy[each]
    sign = np.where(seats == 0, 1, -1)
    gain = -mask.astype(float) * (sign * value[lanes])[:, None]
    gain[each] += sign * worth
    learning = seats == learns[lanes]
    gain *= (learning * other / q)[:, None]
    played = policy * (~learning * turn * mine / q)[:, None]
    known = len(learner.row_of)
    for action in range(mask.shape[1]):
        learner.regret[:known, action] += np.bincount(rows, gain[:, action], known)
        learner.total[:known, action] += np.bincount(rows, played[:, action], known)


class Judge:
    """Exact best responses to a learner, on the solver's tree of all that can be seen.

    To find the learner's row for each decision of the tree, the judge plays its way there. The
    tree ends where all that is hidden no longer matters; from there on both play as they should.
    """

    def __init__(self, game):
        self.model = GameModel(game)
        self.tree = tree.build(self.model)
        nodes, paths = self.tree.nodes, {0: []}
        self.worlds = []  # one for each decision and secret of the mover: path, secrets, entry
        for node in range(self.tree.size):
            for child in self.tree.children(node):
                paths[child] = [*paths[node], int(nodes.action[child])]
            mover = int(nodes.mover[node])
            if mover:
                own, theirs = self.tree.live(node, mover), self.tree.live(node, 3 - mover)
                for column, held in enumerate(own):
                    pair = (held, theirs[0]) if mover == 1 else (theirs[0], held)
                    self.worlds.append((paths[node], pair, nodes.entry[node] + column, len(own)))

    def profile(self, learner):
        """The learner's average strategy, laid out as the solver wants it."""
        table = np.zeros(self.tree.entries)
        games = VectorGame(GAME, len(self.worlds), first=1, auto_reset=False, **OPTIONS)
        memory, lanes = Memory(games), np.arange(games.batch)
        secrets = [[self.model.holdings[s][pair[s]] for s in (0, 1)] for _, pair, *_ in self.worlds]
        mixes = np.ones(len(self.model.holdings[0])), np.ones(len(self.model.holdings[1]))
        hidden = np.ones((games.batch, 2))
        parts = len(secrets[0][0])
        for step in range(2 * parts + 1 + max(len(path) for path, *_ in self.worlds)):
            lanes = lanes[games.to_act[lanes] > 0]
            seats, mask = games.to_act[lanes] - 1, games.mask[lanes]
            policy = learner.average(learner.rows(memory.look(lanes, seats)), mask)
            given = np.zeros(games.batch, np.int64)
            for i, lane in enumerate(lanes):
                path, _, entry, width = self.worlds[lane]
                legal = np.flatnonzero(mask[i])
                at = step - 2 * parts
                if at < 0:
                    square = secrets[lane][step // parts][step % parts]
                    given[lane] = games.encoding.action(("secret", square))
                    hidden[lane, seats[i]] *= policy[i, given[lane]]
                else:
                    if at == len(path):
                        table[entry : entry + len(legal) * width : width] = policy[i, legal]
                    given[lane] = legal[path[at] if at < len(path) else 0]
            memory.note(lanes, seats, given[lanes])
            games.step(given)
        for lane, (_, pair, *_) in enumerate(self.worlds):
            for seat in (0, 1):
                mixes[seat][pair[seat]] = hidden[lane, seat]
        return Profile(mixes, table)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--lanes", type=int, default=8192)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game = make_game(GAME, OPTIONS)
    print(f"With best play the first player gets {solve(game).value:+.4f} a match.")
    games = VectorGame(GAME, asked.lanes, seed=asked.seed, first=1, auto_reset=False, **OPTIONS)
    memory, learner, judge = Memory(games), Learner(games.actions), Judge(game)
    rng = np.random.default_rng(asked.seed)
    print(f"{'seconds':>8} {'matches':>12} {'exploitability':>15}   what each learner makes sure of")
    begun, turn, next_look = time.monotonic(), 0, 0.0
    while True:
        seconds = time.monotonic() - begun
        if seconds >= next_look or seconds >= 60 * asked.minutes:
            proof = certify(judge.tree, judge.profile(learner))
            print(
                f"{seconds:>8.0f} {turn * asked.lanes:>12,} {proof.exploitability:>15.4f}   "
                f"the first {proof.lower:+.4f}, the second {-proof.upper:+.4f}"
            )
            next_look = max(1.0, 2 * seconds)
        if seconds >= 60 * asked.minutes:
            break
        turn += 1
        play(games, memory, learner, rng, turn)


if __name__ == "__main__":
    main()
