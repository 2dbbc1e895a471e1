"""Regret as reward beside the result: how many episodes a tabular learner needs.

`python -m bench.learning` lets the same learner play itself, with the same exploration, once with
the result at the end as its reward and once with minus what each choice cost against the
equilibrium, and prints after how many episodes the exploitability of what it has learned falls to
0.05 and to 0.01. The last game has no equilibrium without chance: there, choices that cost nothing
one by one are still a habit that can be exploited, and neither reward gets there.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.contest import forced_answer
from trapline.core import SEATS
from trapline.games import make_game
from trapline.measures.decisions import all_decisions
from trapline.measures.regret import AgainstEquilibrium
from trapline.referee import Match
from trapline.solve import Certificate
from trapline.solve.sequences import plan_of, uniform

if TYPE_CHECKING:
    from trapline.core import Game, Seat
    from trapline.measures.decisions import Decision

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("examples/games/nim.py", {"piles": [1, 2, 3]}),
    ("numeric-maze", {"length": 9, "traps": [4], "turn_limit": 8}),
    ("trap-runner", {"length": 5, "turn_limit": 8}),
    ("trap-builder", {"length": 5, "traps": 1}),
]
GOALS = (0.05, 0.01)
EXPLORING, RATE = 0.3, 0.1
"""How often an answer is drawn evenly; how far a value moves towards what was found."""
LOOKS = 1.15
"""Exploitability is measured when the episodes have grown by this factor."""


class Learner:
    """A value for each answer at each decision; it plays both seats."""

    def __init__(self, game: Game[Any], rng: Random, *, regret: bool) -> None:
        self.game, self.rng, self.regret = game, rng, regret
        self.known = all_decisions(game)
        self.judge = AgainstEquilibrium(game)
        self.cost: dict[tuple[int, int, int], float] = {}
        self.worth: dict[tuple[Seat, int], dict[int, float]] = defaultdict(dict)

    def episode(self) -> None:
        match, made = Match(self.game, 1, match_id="episode"), []
        while match.outcome is None:
            seat = match.asked[0]
            answer = forced_answer(match, seat)
            if answer is None:
                view = match.view(seat)
                decision = self.known.find(view)
                number = self._choose(seat, decision)
                answer = decision.answers[number]
                made.append((seat, decision, number, self._lost(view, seat, decision, number)))
            match.play(seat, answer, salt="0")
        for seat, decision, number, lost in made:
            found = -lost if self.regret else match.outcome.result(seat)
            table = self.worth[seat, decision.first]
            table[number] = table.get(number, found) * (1 - RATE) + found * RATE

    def _lost(self, view: Any, seat: Seat, decision: Decision, number: int) -> float:
        key = seat, decision.first, number
        if self.regret and key not in self.cost:
            self.cost[key] = self.judge.lost(view, decision.answers[number]) or 0.0
        return self.cost.get(key, 0.0)

    def _choose(self, seat: Seat, decision: Decision) -> int:
        if self.rng.random() < EXPLORING:
            return self.rng.randrange(len(decision.answers))
        return self.rng.choice(self._best(seat, decision))

    def _best(self, seat: Seat, decision: Decision) -> list[int]:
        """All that is as good as anything; what was not tried may be."""
        table, most = self.worth[seat, decision.first], 0.0 if self.regret else self.game.stake
        worth = [table.get(number, most) for number in range(len(decision.answers))]
        return [number for number, found in enumerate(worth) if found >= max(worth) - 1e-9]

    def exploitability(self) -> float:
        """Of whoever always takes the best that was found, and anything where nothing was."""
        plans = []
        for seat in SEATS:
            chances = uniform(self.known.side(seat))
            for decision in self.known.of(seat):
                if self.worth[seat, decision.first]:
                    chances[decision.sequences] = 0.0
                    chances[decision.first + self._best(seat, decision)[0]] = 1.0
            plans.append(plan_of(self.known.side(seat), chances))
        one, two = plans
        lower = self.known.worth(one, self.known.best_response(2, one))
        upper = self.known.worth(self.known.best_response(1, two), two)
        return Certificate(lower, upper).exploitability


def study(name: str, options: dict[str, Any], *, regret: bool, seed: int, most: int) -> list[Any]:
    """Episodes to each goal, and the exploitability in the end."""
    learner = Learner(make_game(name, options), Random(seed), regret=regret)
    reached: dict[float, int] = {}
    look, found = 1, 1.0
    for episode in range(1, most + 1):
        learner.episode()
        if episode < look and episode < most:
            continue
        look, found = int(episode * LOOKS) + 1, learner.exploitability()
        for goal in GOALS:
            if found <= goal:
                reached.setdefault(goal, episode)
        if len(reached) == len(GOALS):
            break
    return [*(reached.get(goal) for goal in GOALS), found]


def main(most: int = 20_000, seeds: int = 3) -> None:
    print(f"{'game':52} {'reward':8} {'0.05':>8} {'0.01':>8} {'in the end':>11}")
    for name, options in GAMES:
        for regret in (False, True):
            runs = [study(name, options, regret=regret, seed=s, most=most) for s in range(seeds)]
            told = [
                f"{int(np.median(hits)):>8,}" if len(hits) == seeds else f"{'never':>8}"
                for hits in ([run[i] for run in runs if run[i]] for i in range(len(GOALS)))
            ]
            last = float(np.median([run[-1] for run in runs]))
            label = f"{name} {options}"
            print(f"{label:52} {'regret' if regret else 'result':8} {' '.join(told)} {last:11.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
