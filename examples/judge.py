"""How far a learner is from an equilibrium: exact best responses to everything it does.

`trapline.measures.decisions` lists every decision of a small game. The judge goes to each of them,
in one batch of lanes, and writes down what the learner would do there; best responses then say
how much an opponent who knew it all could gain.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from trapline.adapters.vector import VectorGame
from trapline.games import make_game
from trapline.measures.decisions import all_decisions
from trapline.simulate.encoding import Encoding
from trapline.solve import Certificate
from trapline.solve.sequences import plan_of


class World(NamedTuple):
    """One answer at one decision: the actions that lead there, and those that it takes."""

    seat: int
    sequence: int
    way: list[int]
    answer: list[int]


class Judge:
    """For games without chance; Player 1 moves first."""

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.game, self.options = game, options
        rules = make_game(game, options)
        self.decisions = all_decisions(rules)
        self.worlds: list[World] = []
        actions = Actions(rules)
        for seat in (1, 2):
            for decision in self.decisions.of(seat):
                way, state = actions.along(decision.path)
                for i, answer in enumerate(decision.answers):
                    taken = actions.of(state, seat, answer)
                    self.worlds.append(World(seat, decision.first + i, way, taken))

    def certify(self, learner: Any, make_memory: Any) -> Certificate:
        """What each side of the learner's average strategy makes sure of."""
        games = VectorGame(self.game, len(self.worlds), first=1, auto_reset=False, **self.options)
        memory = make_memory(games)
        scripts = [world.way + world.answer for world in self.worlds]
        chances = np.ones(len(self.worlds))
        for moment in range(max(map(len, scripts))):
            lanes = np.flatnonzero(games.to_act)
            seats, mask = games.to_act[lanes] - 1, games.mask[lanes]
            rows = learner.rows(memory.look(lanes, seats))
            policy = learner.policy(rows, mask, average=True)
            chosen = mask.argmax(axis=1)
            for i, lane in enumerate(lanes):
                if moment < len(scripts[lane]):
                    chosen[i] = scripts[lane][moment]
                    if moment >= len(self.worlds[lane].way):
                        chances[lane] *= policy[i, chosen[i]]
            memory.take(lanes, seats, chosen)
        one, two = (self._plan(seat, chances) for seat in (1, 2))
        lower = self.decisions.worth(one, self.decisions.best_response(2, one))
        upper = self.decisions.worth(self.decisions.best_response(1, two), two)
        return Certificate(lower, upper)

    def _plan(self, seat: Any, chances: Any) -> Any:
        side = self.decisions.side(seat)
        known = np.ones(side.size)
        for world, chance in zip(self.worlds, chances, strict=True):
            if world.seat == seat:
                known[world.sequence] = chance
        return plan_of(side, known)


class Actions:
    """Answers as the actions of a `VectorGame`: a set is chosen part by part."""

    def __init__(self, rules: Any) -> None:
        self.rules, self.encoding = rules, Encoding(rules)

    def along(self, path: Any) -> tuple[list[int], Any]:
        """The actions of a way through the game, and where it leads."""
        state, actions = self.rules.start(1), []
        for seat, answer in path:
            actions += self.of(state, seat, answer)
            question = self.rules.question(state, seat)
            state = self.rules.apply(state, seat, question.value(answer))
        return actions, state

    def of(self, state: Any, seat: Any, answer: Any) -> list[int]:
        question = self.rules.question(state, seat)
        return self.encoding.actions_of(question, question.value(answer))
