"""The policy of two blind strategies for Hidden Path.

The solution runs without looking at the other. What its moves are worth is another matter:
values are those of a player who goes on as well as anybody can against the other's fixed
strategy, the other's progress in sight. They are found by backward induction over what is
still ahead, from both players' nodes at once, as the bounds are (`races.respond`).

The other's moves are drawn apart from the other's traps and tell nothing about them; so
beliefs follow from one's own journey alone.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.core import SEATS, other
from trapline.solve.journeys import GOAL
from trapline.solve.policy import Outlook
from trapline.solve.race_ahead import ahead_of, chances_after, lasts
from trapline.solve.races import (
    Strategy,
    at_least,
    chain,
    journey_of,
    more_than,
    respond,
)

if TYPE_CHECKING:
    from trapline.core import Seat, Secret, View
    from trapline.games.hidden_path import HiddenPath
    from trapline.solve.journeys import Floats, Ints
    from trapline.solve.races import RaceBounds

SAME = 1e-9
"""Moves whose values differ by less are equally good."""
RARE = 1e-6
"""What a strategy does more rarely is left over from rounding, and not meant."""
UNEXPECTED = 1e-3
"""How much a runner off the path reckons with secrets that the other does not use."""
HURRY = 1e-3
"""How much an early arrival is worth where it makes no other difference."""
LOST = -1 + 1e-6
"""A position no better than this is lost; then only the other's mistakes can help."""


class Decision(NamedTuple):
    """All that matters when a player is to move: who, with which traps, and both journeys."""

    role: Seat
    """1 for whoever moves first."""
    secret: int
    mine: int
    theirs: int


class RacePolicy:
    """Runs blindly along its own path, and as well as possible beside it."""

    def __init__(self, game: HiddenPath, bounds: RaceBounds) -> None:
        self.game = game
        self.journeys = bounds.journeys
        self._strategies = _completed(bounds)
        self._secrets = tuple(game.secrets(1))
        self._numbers = {secret: i for i, secret in enumerate(self._secrets)}
        self._equal = np.full(len(self._secrets), 1 / len(self._secrets))

    @cached_property
    def _weights(self) -> dict[int, Floats]:
        """For each node, how likely a strategy's secrets lead there; 0: any secrets do."""
        weights = {role: self.journeys.weights(s.mixture) for role, s in self._strategies.items()}
        return {0: self.journeys.weights(self._equal)} | weights

    @cached_property
    def _reaches(self) -> dict[int, Floats]:
        return {role: self.journeys.reach(s.policy) for role, s in self._strategies.items()}

    @cached_property
    def _secret_worths(self) -> dict[int, Floats]:
        return {
            role: 2 * respond(self.journeys, self._other(role), responder_first=role == 1) - 1
            for role in SEATS
        }

    def _other(self, role: Seat) -> Strategy:
        return self._strategies[other(role)]

    def secrets(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:
        role: Seat = 1 if seat == first else 2
        mixture = self._strategies[role].mixture
        if self._secret_worths[role].max() <= LOST:
            numbers = range(len(self._secrets))
            hopes = {i: max(self._hopes(Decision(role, i, 0, 0)).values()) for i in numbers}
            return {self._secrets[i]: c for i, c in _evenly(hopes, hopes).items()}
        return dict(zip(self._secrets, mixture.tolist(), strict=True))

    def secret_values(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:
        role: Seat = 1 if seat == first else 2
        return dict(zip(self._secrets, self._secret_worths[role].tolist(), strict=True))

    def look(self, view: View) -> Outlook:
        return self.decide(self.decision(view))

    def decision(self, view: View) -> Decision:
        assert view.seat is not None
        assert view.secret is not None
        return Decision(
            1 if view.seat == view.first else 2,
            self._numbers[view.secret],
            self.journeys.follow(journey_of(view, view.seat)),
            self.journeys.follow(journey_of(view, other(view.seat))),
        )

    def decide(self, decision: Decision) -> Outlook:
        values = self._values(decision)
        chances = self._chances(decision, values)
        return Outlook(
            {move: chances[move] for move in chances},
            {move: values[move] for move in values},
            self._beliefs(decision),
        )

    def _prior(self, decision: Decision) -> int:
        """Whose secrets to reckon with: the other's, or any that fit once none of those does."""
        theirs = other(decision.role)
        return theirs if self._weights[theirs][decision.mine] > RARE**2 else 0

    def _beliefs(self, decision: Decision) -> dict[Secret, float]:
        prior = self._prior(decision)
        mixture = self._strategies[prior].mixture if prior else self._equal
        span = self.journeys.span[decision.mine : decision.mine + 2]
        possible = self.journeys.possible[span[0] : span[1]]
        chances = mixture[possible] / mixture[possible].sum()
        return {
            self._secrets[i]: float(chance)
            for i, chance in zip(possible.tolist(), chances, strict=True)
        }

    def _values(self, decision: Decision) -> dict[int, float]:
        """What each legal move can bring against the other's fixed strategy."""
        policy = self._other(decision.role).policy
        nodes, layers, after = chain(self.journeys, policy, decision.secret, decision.theirs)
        weight = self._weights[self._prior(decision)]
        return self._after_moves(decision.mine, weight, layers, after, policy[nodes])

    def _chances(self, decision: Decision, values: dict[int, float]) -> dict[int, float]:
        """The solution's own chances, as far as they are meant for where it is.

        Beside its path, or when the other has left theirs, the solution's word may be worth
        less than other moves; then only the best ones count.
        """
        best = max(values.values())
        if best <= LOST:
            return _evenly(self._hopes(decision), values)
        policy = self._strategies[decision.role].policy[decision.mine]
        blind = {move: float(policy[move - 1]) for move in values}
        if self._on_path(decision):
            return blind
        good = {move for move, value in values.items() if value > best - SAME}
        kept = {move: chance if move in good else 0.0 for move, chance in blind.items()}
        whole = sum(kept.values())
        known = self._reaches[decision.role][decision.mine] > RARE
        if len(good) > 1 and not (known and whole > RARE):
            hopes = self._hopes(decision)
            return _evenly({move: hopes[move] for move in good}, values)
        if whole <= RARE:
            return {move: float(move in good) for move in values}
        return {move: chance / whole for move, chance in kept.items()}

    def _on_path(self, decision: Decision) -> bool:
        """Whether both solutions, playing each other, could have come here."""
        role, secret, mine, theirs = decision
        return bool(
            self._strategies[role].mixture[secret] > RARE
            and self._reaches[role][mine] > RARE
            and self._reaches[other(role)][theirs] > RARE
            and self._prior(decision)
        )

    def _hopes(self, decision: Decision) -> dict[int, float]:
        """What each move can bring against any traps and a runner who moves at random."""
        args = (self.journeys, self._careless, decision.secret, decision.theirs)
        nodes, layers, after = chain(*args)
        stays = lasts(layers, after, self._careless[nodes])
        # A runner whose moves do not matter is one node a layer, left with the chance to last.
        one = np.where(np.arange(len(stays)) < len(stays) - 1, 0, GOAL)
        layers = np.arange(len(stays) + 1)
        return self._after_moves(
            decision.mine, self._weights[0], layers, one[:, None], stays[:, None]
        )

    @cached_property
    def _careless(self) -> Floats:
        legal = self.journeys.legal.astype(np.float64)
        return np.asarray(legal / legal.sum(axis=1, keepdims=True))

    def _after_moves(
        self, node: int, weight: Floats, layers: Ints, after: Ints, policy: Floats
    ) -> dict[int, float]:
        """The value of each legal move from a node, against the chain of the other's nodes."""
        ahead = ahead_of(self.journeys, weight, node)
        waits = chances_after(
            layers, after, policy, ahead.layers, ahead.safe, ahead.trap, ahead.caught
        )
        values = {}
        for m in np.flatnonzero(self.journeys.legal[node]).tolist():
            good, bad, caught = ahead.safe[0, m], ahead.trap[0, m], ahead.caught[0, m]
            wins = caught * waits[bad - 1] if bad >= 0 else 0.0
            wins += (1 - caught) * (1.0 if good == GOAL else waits[good - 1] if good >= 0 else 0.0)
            values[m + 1] = 2 * float(wins) - 1
        return values


def _completed(bounds: RaceBounds) -> dict[int, Strategy]:
    """Both strategies, which run well also from where they would never have come by themselves.

    There the training leaves anything. As nobody meets the strategies there, whatever they do
    proves what it did; but somebody else may be there, and what they can expect depends on it.
    """
    journeys, found = bounds.journeys, {}
    equal = np.full(len(journeys.secrets), 1 / len(journeys.secrets))
    for role, mine, theirs in ((1, bounds.first, bounds.second), (2, bounds.second, bounds.first)):
        times = mine.mixture @ journeys.times(theirs.policy)
        worth = at_least(times) if role == 1 else more_than(times)
        worth = worth + HURRY * np.linspace(1, 0, len(worth))
        mixture = (1 - UNEXPECTED) * theirs.mixture + UNEXPECTED * equal
        _, run = journeys.best_runs(mixture, worth[None])[0]
        strange = journeys.reach(mine.policy) == 0.0
        found[role] = Strategy(mine.mixture, np.where(strange[:, None], run, mine.policy))
    return found


def _evenly(hopes: dict[int, float], moves: dict[int, float]) -> dict[int, float]:
    most = max(hopes.values())
    best = {move for move, hope in hopes.items() if hope > most - SAME}
    return {move: 1 / len(best) if move in best else 0.0 for move in moves}
