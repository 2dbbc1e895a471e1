"""Guarantees: what a player can force even if the other knows everything.

In a proof game the hero uses only what the hero may know, and the villain, who sees all,
also decides whatever is hidden from the hero, again at every move. That only helps the
villain, so what the hero can force there holds in the real game; and with nothing hidden
any more, retrograde analysis finds it and the strategy. Where both players' guarantees
meet, they are the value of the game.

A turn limit needs no counting of turns: endless play is a draw, as reaching the limit is,
and a win counts if it is no farther away than the turns that are left.
"""

from __future__ import annotations

import math
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from trapline.solve import retrograde
from trapline.solve.retrograde import END, FAR, HERO, VILLAIN, Graph
from trapline.solve.trembling import Prospects

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from trapline.core import Question, Seat
    from trapline.solve.model import Branch, GameModel

STATES_A_LOOK = 256
"""The clock is looked at so often."""
MOST_EDGES = 300_000
"""How far a proof game is drawn. What lies beyond counts as lost for the hero."""


class Consequence(NamedTuple):
    """One thing that may come of an action, and how likely it is if nothing is known."""

    state: Hashable | None
    result: float
    """For seat 1, where the game is over."""
    weight: float
    turns: int = 1
    """How many turns it completes: 0 or 1."""


class ProofGame(Protocol):
    """A game as one player, the hero, may see it."""

    hero: Seat
    holdings: Sequence[Any]
    """What the hero may hold: secrets, or the single empty one."""
    root: Any

    def mover(self, state: Any) -> Seat: ...

    def actions(self, state: Any) -> Iterable[Any]: ...

    def question(self, state: Any) -> Question:
        """What the mover is asked."""

    def consequences(self, state: Any, action: Any, holding: int) -> Sequence[Consequence]:
        """All that may come of an action while the hero has that holding."""


class SecretsProof:
    """The proof game of a model: the villain's secret may be another one at every move."""

    def __init__(self, model: GameModel, hero: Seat, root: Any = None) -> None:
        self.model = model
        self.hero = hero
        self.holdings = model.holdings[hero - 1]
        self.root = root or model.root
        self.mover = model.mover
        self.actions = model.actions
        self.question = model.question

    def consequences(self, state: Any, action: Any, holding: int) -> list[Consequence]:
        branches = self.model.branches(state, action)
        return [
            Consequence(branch.state, branch.payoff, self._weight(branch), branch.turns)
            for branch in branches
            if branch.masks[self.hero - 1] >> holding & 1
        ]

    def _weight(self, branch: Branch) -> float:
        """The share of the villain's secrets with which this happens."""
        theirs = len(self.model.holdings[2 - self.hero])
        return (branch.masks[2 - self.hero] & (1 << theirs) - 1).bit_count() / theirs


class Guarantee:
    """What the hero can force from every state with every holding, and by which actions."""

    def __init__(self, game: ProofGame, limit: int = 0, until: float = math.inf) -> None:
        """What is not drawn until then counts as lost for the hero, who may only force more."""
        self.game = game
        self.limit = limit or FAR
        self.sign = 1 if game.hero == 1 else -1
        drawn = _Drawing(game, until)
        self._numbers, self.graph = drawn.numbers, drawn.graph()
        self._labels, self._chances = drawn.labels, np.array(drawn.chances)
        self._choices = np.array(drawn.choices, np.int64)
        self.solved = retrograde.analyse(self.graph)

    def holds(self, state: Any, holding: int) -> bool:
        """Whether the graph was drawn as far as this state with this holding."""
        number = self._numbers.get((state, holding))
        return number is not None and self.graph.owner[number] != END

    def value(self, state: Any, holding: int, turn: int = 0) -> int:
        """The result for the hero that the hero can force: 1, 0 or −1."""
        return self._value(self._numbers[state, holding], self.limit - turn)

    def _value(self, node: int, turns: int) -> int:
        far = self.solved.distance[node] > turns
        return 0 if far else int(self.solved.value[node])

    def distance(self, state: Any, holding: int) -> int:
        """Turns until the forced end."""
        return int(self.solved.distance[self._numbers[state, holding]])

    def actions(self, state: Any, holding: int, turn: int = 0) -> dict[Any, int]:
        """For each action of the hero, the result that can still be forced after it."""
        return {
            self._labels[edge]: self._value(
                int(self.graph.to[edge]), self.limit - turn - int(self.graph.length[edge])
            )
            for edge in self._edges(state, holding)
        }

    def best(self, state: Any, holding: int, turn: int = 0) -> dict[Any, float]:
        """The actions that keep the guarantee, each with what to expect of somebody who errs.

        A forced win is also brought nearer, or play might never come to it.
        """
        actions = self.actions(state, holding, turn)
        goal = max(actions.values())
        found = {
            self._labels[edge]: (self._away(edge), float(self._appeal[self.graph.to[edge]]))
            for edge in self._edges(state, holding)
            if actions[self._labels[edge]] == goal
        }
        nearest = min(away for away, _ in found.values())
        return {a: worth for a, (away, worth) in found.items() if goal < 1 or away == nearest}

    def steady(self, state: Any, holding: int) -> dict[Any, float]:
        """The actions that are best under every limit of turns, each with what to expect of
        somebody who errs: a win is brought nearer, a draw kept, and a loss put off."""
        edges = self._edges(state, holding)
        values = {edge: int(self.solved.value[self.graph.to[edge]]) for edge in edges}
        goal = max(values.values())
        kept = [edge for edge in edges if values[edge] == goal]
        if goal:
            away = max if goal < 0 else min
            kept = [e for e in kept if self._away(e) == away(map(self._away, kept))]
        return {self._labels[edge]: float(self._appeal[self.graph.to[edge]]) for edge in kept}

    def _away(self, edge: int) -> int:
        """Turns until the forced end, by way of an edge."""
        away = int(self.solved.distance[self.graph.to[edge]])
        return away if away == FAR else away + int(self.graph.length[edge])

    def values(self) -> list[int]:
        """What can be forced from the start with each holding."""
        return [self.value(self.game.root, i) for i in range(len(self.game.holdings))]

    def nearest(self) -> int:
        """Turns until the end that the best holding forces."""
        return min(self.distance(self.game.root, i) for i in self.holdings())

    def holdings(self) -> dict[int, float]:
        """The holdings with the best guarantee, each with what to expect of somebody who errs."""
        values, root = self.values(), self.game.root
        return {
            i: float(self._appeal[self._numbers[root, i]])
            for i, value in enumerate(values)
            if value == max(values)
        }

    def _edges(self, state: Any, holding: int) -> range:
        node = self._numbers[state, holding]
        return range(self.graph.first[node], self.graph.first[node + 1])

    @property
    def _appeal(self) -> NDArray[np.float64]:
        """At each node, what to expect in the end of somebody who can err."""
        return self._against_errors.in_the_end

    @cached_property
    def _against_errors(self) -> Prospects:
        """What to expect of somebody who can err."""
        return Prospects(self.graph, self.solved, self._chances, self._choices)

    @cached_property
    def _between_two(self) -> Prospects:
        """The same between two who can err."""
        return Prospects(self.graph, self.solved, self._chances, self._choices, both=True)

    def hopes(
        self, state: Any, holding: int, turn: int = 0, *, both: bool = False
    ) -> dict[Any, float]:
        """What to expect of each action against somebody who can err; or between two of them."""
        found, left = self._prospects(both), self.limit - turn
        return {
            self._labels[edge]: float(
                found.within(left - int(self.graph.length[edge]))[self.graph.to[edge]]
            )
            for edge in self._edges(state, holding)
        }

    def drawn(self, state: Any, holding: int, turn: int = 0) -> frozenset[Any]:
        """The actions after which nobody can win any more."""
        left = self.limit - turn
        return frozenset(
            self._labels[edge]
            for edge in self._edges(state, holding)
            if self._soonest[self.graph.to[edge]] + self.graph.length[edge] > left
        )

    @cached_property
    def _soonest(self) -> NDArray[np.float64]:
        return retrograde.soonest(self.graph)

    def holding_hopes(self, *, both: bool = False) -> list[float]:
        """The same of each holding."""
        root, count = self.game.root, len(self.game.holdings)
        found = self._prospects(both).within(self.limit)
        return [float(found[self._numbers[root, i]]) for i in range(count)]

    def _prospects(self, both: bool) -> Prospects:
        return self._between_two if both else self._against_errors


class _Drawing:
    """The graph of a proof game, drawn from the root outwards."""

    def __init__(self, game: ProofGame, until: float) -> None:
        self.game = game
        self.sign = 1 if game.hero == 1 else -1
        self.numbers: dict[Any, int] = {}
        self.keys: list[Any] = []
        self.owner: list[int] = []
        self.first: list[int] = []
        self.to: list[int] = []
        self.length: list[int] = []
        self.labels: list[Any] = []
        self.chances: list[float] = []
        self.choices: list[int] = []
        self.chosen: dict[Any, int] = {}
        """The numbers of what the villain chooses between."""
        self.ends = {result: self._number(("end", result)) for result in (-1, 0, 1)}
        for holding in range(len(game.holdings)):
            self._number((game.root, holding))
        late = False
        for number, key in enumerate(self.keys):  # which grow while they are drawn
            self.first.append(len(self.to))
            if number % STATES_A_LOOK == STATES_A_LOOK - 1:
                late = time.monotonic() > until
            if len(self.to) < MOST_EDGES and not late:
                self._expand(key)
        self.first.append(len(self.to))
        self.beyond = len(self.keys) - len(self.owner)
        self.owner += [END] * self.beyond

    def graph(self) -> Graph:
        result = np.zeros(len(self.owner), np.int8)
        for value, node in self.ends.items():
            result[node] = value
        result[len(result) - self.beyond :] = -1
        return Graph(
            np.array(self.owner, np.int8),
            result,
            np.array(self.first, np.int64),
            np.array(self.to, np.int64),
            np.array(self.length, np.int8),
        )

    def _number(self, key: Any) -> int:
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return number

    def _expand(self, key: Any) -> None:
        if key[0] == "end":
            self.owner.append(END)
        elif len(key) == 3:  # an action of the hero whose outcome the villain decides
            self.owner.append(VILLAIN)
            self._open(key[2], None, key[1], 1.0)
        else:
            self._decide(*key)

    def _decide(self, state: Any, holding: int) -> None:
        heros = self.game.mover(state) == self.game.hero
        self.owner.append(HERO if heros else VILLAIN)
        actions = list(self.game.actions(state))
        for action in actions:
            possible = self.game.consequences(state, action, holding)
            if heros and len(possible) > 1:
                self.keys.append(("hidden", holding, possible))  # met once only: no number kept
                self._edge(len(self.keys) - 1, action, 0, 1.0)
            else:
                choice = -1 if heros else self.chosen.setdefault((state, action), len(self.chosen))
                self._open(possible, action, holding, 1 / len(actions), choice)

    def _open(
        self, possible: Any, action: Any, holding: int, share: float, choice: int = -1
    ) -> None:
        whole = sum(consequence.weight for consequence in possible)
        for state, result, weight, turns in possible:
            if state is None:
                to = self.ends[int(self.sign * result)]
            else:
                to = self._number((state, holding))
            self._edge(to, action, turns, share * weight / whole, choice)

    def _edge(self, to: int, action: Any, length: int, chance: float, choice: int = -1) -> None:
        self.to.append(to)
        self.labels.append(action)
        self.length.append(length)
        self.chances.append(chance)
        self.choices.append(choice)
