"""How far a learner is from an equilibrium: exact best responses to everything it does.

`trapline.solve` holds a game as the tree of all that can be seen. The judge goes to every
decision in it, in one batch of lanes, and writes down what the learner would do there; the
solver's best responses then say how much an opponent who knew it all could gain. The tree
ends where what is hidden no longer matters; from there on both are taken to play well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trapline.adapters.vector import VectorGame
from trapline.games import make_game
from trapline.solve import best_response, tree
from trapline.solve.model import GameModel


class Judge:
    """For games in which both players hide traps; Player 1 moves first."""

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.game, self.options = game, options
        model = GameModel(make_game(game, options))
        self.secrets: Any = model.holdings[0]  # both players choose from the same
        self.tree = tree.build(model)
        nodes = self.tree.nodes
        paths: dict[int, tuple[int, ...]] = {0: ()}
        # Worlds to visit: the secrets of both, the way to a decision, and where it is written.
        self.worlds: list[Any] = [((h, h), (), ()) for h in range(len(self.secrets))]
        for node in np.flatnonzero(nodes.mover).tolist():
            for child in self.tree.children(node):
                paths[child] = (*paths[node], int(nodes.action[child]))
            me = nodes.mover[node] - 1
            mine, theirs = self.tree.live(node, me + 1), self.tree.live(node, 2 - me)
            for column, held in enumerate(mine):
                pair = (held, theirs[0]) if me == 0 else (theirs[0], held)
                entry = nodes.entry[node] + column
                places = entry + len(mine) * np.arange(nodes.actions[node])
                self.worlds.append((pair, paths[node], places))

    def certify(self, learner: Any, make_memory: Any) -> best_response.Certificate:
        """What each side of the learner's average strategy makes sure of."""
        games = VectorGame(self.game, len(self.worlds), first=1, auto_reset=False, **self.options)
        memory = make_memory(games)
        table = np.zeros(self.tree.entries)
        hidden = np.ones((2, len(self.secrets)))  # how often each secret is chosen
        hiders = np.arange(len(self.secrets))
        parts = len(self.secrets[0])
        for moment in range(2 * parts + 1 + max(len(path) for _, path, _ in self.worlds)):
            lanes = np.flatnonzero(games.to_act)
            seats, mask = games.to_act[lanes] - 1, games.mask[lanes]
            rows = learner.rows(memory.look(lanes, seats))
            policy = learner.policy(rows, mask, average=True)
            chosen = mask.argmax(axis=1)
            turn = moment - 2 * parts
            for i, lane in enumerate(lanes):
                pair, path, places = self.worlds[lane]
                if turn < 0:
                    square = self.secrets[pair[seats[i]]][moment % parts]
                    chosen[i] = games.encoding.action(("secret", square))
                elif turn < len(path):
                    chosen[i] = np.flatnonzero(mask[i])[path[turn]]
                elif turn == len(path) and len(places):
                    table[places] = policy[i, mask[i]]
            if turn < 0:
                hidden[moment // parts] *= policy[hiders, chosen[hiders]]
            memory.take(lanes, seats, chosen)
        profile = best_response.Profile((hidden[0], hidden[1]), table)
        return best_response.certify(self.tree, profile)
