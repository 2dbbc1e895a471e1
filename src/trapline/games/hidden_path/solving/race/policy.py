"""The policy of two blind strategies for Hidden Path.

The solution runs without looking at the other, and without a thought of its own traps: the
proof is of that, and a player who made an exception anywhere, even where all seems lost, would
play something else and give its traps away besides. What its moves are worth is another
matter: values are those of a player who goes on as well as anybody can against the other's
fixed strategy, the other's progress in sight. They are found by backward induction over what
is still ahead, from both players' nodes at once, as the bounds are (`races.respond`).

The other's moves are drawn apart from the other's traps and tell nothing about them; so
beliefs follow from one's own journey alone.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.core import SECRET, other
from trapline.games.hidden_path.solving.race.ahead import (
    ahead_of,
    arrivals,
    chances_after,
    chances_by,
)
from trapline.games.hidden_path.solving.race.journeys import GOAL
from trapline.games.hidden_path.solving.race.races import Strategy, journey_of
from trapline.games.hidden_path.solving.race.responses import at_least, chain, more_than, respond
from trapline.solve.interface import Outlook
from trapline.solve.trembling import TREMBLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Form, Seat, View
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.race.journeys import Floats, Journeys
    from trapline.games.hidden_path.solving.race.races import RaceBounds

SAME = 1e-9
"""Secrets whose values differ by less are equally good."""
UNEXPECTED = 1e-3
"""How much a runner off the path reckons with secrets that the other does not use."""
HURRY = 1e-3
"""How much an early arrival is worth where it makes no other difference."""
LOST = -1 + 1e-9
"""Who can get no more than this in the whole game has lost it, unless the other goes wrong."""


class Decision(NamedTuple):
    """All that matters when a player is to move: who, with which traps, and both journeys."""

    role: Seat
    """1 for whoever moves first."""
    secret: int
    mine: int
    theirs: int


class RacePolicy:
    """Runs blindly: its moves depend on its own journey, and on nothing else."""

    def __init__(self, game: HiddenPath, bounds: RaceBounds) -> None:
        self.game = game
        self.journeys = bounds.journeys
        self._strategies = _as_played(bounds)
        self._secrets = tuple(map(game.hiding.record, game.hiding.values()))
        self._numbers = {secret: i for i, secret in enumerate(self._secrets)}
        self._equal = _equally(self.journeys)
        # What was proven of a strategy holds as it is played, unless it waits for mistakes.
        self._answers: dict[int, Floats | None] = {
            1: None if bounds.upper <= LOST else bounds.answers[0],
            2: None if -bounds.lower <= LOST else bounds.answers[1],
        }

    @cached_property
    def _weights(self) -> dict[int, Floats]:
        """For each node, how likely a strategy's secrets lead there; 0: any secrets do."""
        weights = {role: self.journeys.weights(s.mixture) for role, s in self._strategies.items()}
        return {0: self.journeys.weights(self._equal)} | weights

    def _secret_worths(self, role: Seat) -> Floats:
        """What each secret can bring against the other's strategy."""
        chances = self._answers[other(role)]
        if chances is None:
            chances = respond(self.journeys, self._other(role), responder_first=role == 1)
            self._answers[other(role)] = chances
        return 2 * chances - 1

    def _other(self, role: Seat) -> Strategy:
        return self._strategies[other(role)]

    def chances(self, view: View) -> dict[Form, float]:
        role = _role(view)
        if view.asks == SECRET:
            return self.secrets(role)
        return self._row(role, self.journeys.follow(journey_of(view, view.seat)))

    def look(self, view: View) -> Outlook:
        if view.asks != SECRET:
            return self.decide(self.decision(view))
        role = _role(view)
        return Outlook(
            self.secrets(role),
            self._by_secret(self._secret_worths(role)),
            self.secrets(other(role)),
        )

    def secrets(self, role: Seat) -> dict[Form, float]:
        """How often whoever moves first (1) or second (2) chooses each secret."""
        return self._by_secret(self._strategies[role].mixture)

    def _by_secret(self, numbers: Floats) -> dict[Form, float]:
        return dict(zip(self._secrets, numbers.tolist(), strict=True))

    def decision(self, view: View) -> Decision:
        assert view.seat is not None
        assert view.secret is not None
        return Decision(
            _role(view),
            self._numbers[view.secret],
            self.journeys.follow(journey_of(view, view.seat)),
            self.journeys.follow(journey_of(view, other(view.seat))),
        )

    def decide(self, decision: Decision) -> Outlook:
        theirs = self._other(decision.role).policy
        values = self._values(decision, theirs)
        settled = max(values.values()) <= LOST
        return Outlook(
            self._row(decision.role, decision.mine),
            values,
            self._beliefs(decision),
            self._hopes(decision, theirs) if settled else {},
        )

    def _hopes(self, decision: Decision, theirs: Floats) -> dict[Form, float]:
        """What each legal move can bring against somebody who errs, running without a look."""
        ahead = ahead_of(self.journeys, self._weights[self._prior(decision)], decision.mine)
        secret = np.array([decision.secret])
        other_runs = chain(self.journeys, self._erring(theirs), secret, decision.theirs)
        worth = at_least(arrivals(other_runs))  # whoever is to move wins ties
        moves = chances_by(ahead, worth)
        legal = np.flatnonzero(self.journeys.legal[decision.mine]).tolist()
        return {m + 1: 2 * float(moves[m]) - 1 for m in legal}

    def _erring(self, policy: Floats) -> Floats:
        """A way of running as somebody runs who now and then makes any move at all."""
        legal = self.journeys.legal.astype(np.float64)
        any_move = legal / legal.sum(axis=1, keepdims=True)
        return np.asarray((1 - TREMBLE) * policy + TREMBLE * any_move)

    def _row(self, role: Seat, node: int) -> dict[Form, float]:
        """How often the strategy makes each legal move at a node."""
        row = self._strategies[role].policy[node]
        return {m + 1: float(row[m]) for m in np.flatnonzero(self.journeys.legal[node]).tolist()}

    def _prior(self, decision: Decision) -> int:
        """Whose secrets to reckon with: the other's, or any that fit once none of those does."""
        theirs = other(decision.role)
        return theirs if self._weights[theirs][decision.mine] > 0 else 0

    def _beliefs(self, decision: Decision) -> dict[Form, float]:
        prior = self._prior(decision)
        mixture = self._strategies[prior].mixture if prior else self._equal
        span = self.journeys.span[decision.mine : decision.mine + 2]
        possible = self.journeys.possible[span[0] : span[1]]
        chances = mixture[possible] / mixture[possible].sum()
        return {
            self._secrets[i]: float(chance)
            for i, chance in zip(possible.tolist(), chances, strict=True)
        }

    def _values(self, decision: Decision, theirs: Floats) -> dict[Form, float]:
        """What each legal move can bring against the other's way of running."""
        ahead = ahead_of(self.journeys, self._weights[self._prior(decision)], decision.mine)
        secret = np.array([decision.secret])
        waits = chances_after(chain(self.journeys, theirs, secret, decision.theirs), ahead)
        values: dict[Form, float] = {}
        for m in np.flatnonzero(self.journeys.legal[decision.mine]).tolist():
            good, bad, caught = ahead.safe[0, m], ahead.trap[0, m], ahead.caught[0, m]
            wins = caught * waits[bad - 1] if bad >= 0 else 0.0
            wins += (1 - caught) * (1.0 if good == GOAL else waits[good - 1] if good >= 0 else 0.0)
            values[m + 1] = 2 * float(wins) - 1
        return values


def _role(view: View) -> Seat:
    """1 for whoever moves first."""
    return 1 if view.seat == view.first else 2


def _as_played(bounds: RaceBounds) -> dict[int, Strategy]:
    """Both strategies as they are played: completed, or waiting for mistakes in a lost game.

    The moves of a strategy are meant for where it can have come. Elsewhere the training leaves
    anything. As nobody meets the strategies there, whatever they do proves what it did; but
    somebody else may be there, and what they can expect depends on it.
    """
    journeys = bounds.journeys
    first = _completed(journeys, bounds.first, bounds.second, at_least)
    second = _completed(journeys, bounds.second, bounds.first, more_than)
    return {
        1: _waiting_for_mistakes(journeys, at_least) if bounds.upper <= LOST else first,
        2: _waiting_for_mistakes(journeys, more_than) if -bounds.lower <= LOST else second,
    }


def _completed(
    journeys: Journeys, mine: Strategy, theirs: Strategy, outlasts: Callable[[Floats], Floats]
) -> Strategy:
    """A strategy that runs well also from where it would never have come by itself."""
    worth = outlasts(mine.mixture @ journeys.times(theirs.policy))
    worth = worth + HURRY * np.linspace(1, 0, len(worth))
    mixture = (1 - UNEXPECTED) * theirs.mixture + UNEXPECTED * _equally(journeys)
    _, run = journeys.best_runs(mixture, worth[None])[0]
    strange = journeys.reach(mine.policy) == 0.0
    return Strategy(mine.mixture, np.where(strange[:, None], run, mine.policy))


def _waiting_for_mistakes(journeys: Journeys, outlasts: Callable[[Floats], Floats]) -> Strategy:
    """What wins most against any traps and a runner who moves at random.

    For whoever has lost the whole game against good play, and so has nothing to give away.
    """
    legal = journeys.legal.astype(np.float64)
    worths = outlasts(journeys.times(legal / legal.sum(axis=1, keepdims=True)))
    equal = _equally(journeys)
    gains = np.array([gain for gain, _ in journeys.best_runs(equal, worths)])
    best = gains > gains.max() - SAME
    mixture = best / np.count_nonzero(best)
    _, run = journeys.best_runs(equal, (mixture @ worths)[None])[0]
    return Strategy(mixture, run)


def _equally(journeys: Journeys) -> Floats:
    return np.full(len(journeys.secrets), 1 / len(journeys.secrets))
