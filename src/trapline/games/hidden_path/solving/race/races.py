"""Hidden Path as a race of two journeys: strong strategies, and proven bounds on its value.

The two runners meet only in the count of moves: whoever needs fewer wins, and the player
who moves first wins ties. The strategies here are *blind*: a mixture of secrets, and next
to it, drawn independently, a way of running that looks at the runner's own journey and not
at the other's. `train` finds a pair of them by regret matching (CFR+: Tammelin, 2014).

A best response (`responses`) then plays the whole game against one of them: every secret, and
every move chosen from all that a player may see, the other's progress included. What it wins
bounds the value of the game from that side, whatever the training did.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from trapline.core import Moved, Triggered
from trapline.games.hidden_path.solving.race.journeys import Journeys, TooManyJourneys
from trapline.games.hidden_path.solving.race.responses import at_least, respond

if TYPE_CHECKING:
    from trapline.core import Seat, View
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.race.journeys import Floats

    Secret = tuple[int, ...]

MOST_SECRETS = 5_000

ITERATIONS = 1_600
"""After so much training more of it has never helped."""

SLACK = 1e-12
"""Bounds are moved outwards by this much: more than the rounding of a few hundred sums."""


@dataclass(frozen=True)
class Strategy:
    """A blind strategy: how probable each secret is, and each move at each node."""

    mixture: Floats
    policy: Floats

    def without(self, rare: float) -> Strategy:
        """The same strategy, choices below a probability left out."""
        return Strategy(_cut(self.mixture, rare), _cut(self.policy, rare))


def _cut(chances: Floats, rare: float) -> Floats:
    kept = np.where(chances < min(rare, 1.0 / chances.shape[-1]), 0.0, chances)
    return np.asarray(kept / kept.sum(axis=-1, keepdims=True))


@dataclass(frozen=True)
class RaceBounds:
    """Two strategies for Hidden Path, and what they prove of its value for the first mover."""

    journeys: Journeys
    first: Strategy
    second: Strategy
    value: float
    """What the first mover gets when the two strategies meet."""
    lower: float
    upper: float
    iterations: int
    seconds: float
    answers: tuple[Floats, Floats]
    """For each secret, the best chance of winning against the first strategy, and the second."""

    @property
    def exploitability(self) -> float:
        return (self.upper - self.lower) / 2

    def strategy(self, view: View) -> Strategy:
        """The strategy of the seat that looks."""
        return self.first if view.seat == view.first else self.second

    def secret_chances(self, view: View) -> dict[Secret, float]:
        """How often the strategy chooses each secret it uses."""
        mixture = self.strategy(view).mixture
        steps = range(self.journeys.length + 1)
        return {
            tuple(step for step in steps if secret >> step & 1): float(chance)
            for secret, chance in zip(self.journeys.secrets, mixture, strict=True)
            if chance > 0
        }

    def move_chances(self, view: View) -> dict[int, float]:
        """How often the strategy makes each move it considers, for the seat that looks."""
        chances = self.strategy(view).policy[self.journeys.follow(journey_of(view, view.seat))]
        return {m + 1: float(chance) for m, chance in enumerate(chances) if chance > 0}

    def to_bytes(self) -> bytes:
        """All that is needed to build this again, as plain numbers, one after the other.

        Where a strategy never comes by its own choices, one step stands for whatever it says
        there: it proves the same, and packs well.
        """
        parts: list[Floats] = []
        for strategy in (self.first, self.second):
            one_step = np.zeros(strategy.policy.shape)
            one_step[:, 0] = 1.0
            comes = self.journeys.reach(strategy.policy) > 0.0
            parts += [strategy.mixture, np.where(comes[:, None], strategy.policy, one_step)]
        parts.append(np.array([self.iterations, self.seconds]))
        return b"".join(part.astype(np.float64).tobytes() for part in parts)

    @classmethod
    def from_bytes(cls, game: HiddenPath, data: bytes) -> RaceBounds:
        """The bounds of stored strategies, proven anew. ValueError for what holds none."""
        journeys = journeys_of(game)
        secrets, nodes = len(journeys.secrets), journeys.safe.shape
        values = np.frombuffer(data)
        side = secrets + nodes[0] * nodes[1]
        if len(values) != 2 * side + 2:
            raise ValueError("the strategies of another game")
        first, second = (
            Strategy(part[:secrets].copy(), part[secrets:].reshape(nodes).copy())
            for part in (values[:side], values[side : 2 * side])
        )
        return cls.of(journeys, first, second, int(values[-2]), float(values[-1]))

    @classmethod
    def of(
        cls,
        journeys: Journeys,
        first: Strategy,
        second: Strategy,
        iterations: int = 0,
        seconds: float = 0.0,
        answers: tuple[Floats, Floats] | None = None,
    ) -> RaceBounds:
        """What two strategies prove. Raises ValueError for what is no strategy.

        `answers` are the best ones to both, if somebody knows them already.
        """
        check_strategy(journeys, first)
        check_strategy(journeys, second)
        against_first, against_second = answers or (
            respond(journeys, first, responder_first=False),
            respond(journeys, second, responder_first=True),
        )
        return cls(
            journeys,
            first,
            second,
            meeting(journeys, first, second),
            bound(against_first, moves_first=True),
            bound(against_second, moves_first=False),
            iterations,
            seconds,
            (against_first, against_second),
        )


def journey_of(view: View, seat: Seat | None) -> list[tuple[int, bool]]:
    """The moves of one seat that a View tells of: steps, and whether they ended on a trap."""
    journey: list[tuple[int, bool]] = []
    for event in view.events:
        if event.by != seat:
            continue
        if isinstance(event, Moved):
            assert isinstance(event.start, int)
            assert isinstance(event.to, int)
            journey.append((event.to - event.start, False))
        elif isinstance(event, Triggered):
            journey[-1] = (journey[-1][0], True)
    return journey


def journeys_of(
    game: HiddenPath, kind: type[Journeys] = Journeys, until: float = math.inf
) -> Journeys:
    """The journeys of either player: both face the same secrets."""
    return kind(game.length, game.options.max_step, secrets_of(game), until)


def secrets_of(game: HiddenPath) -> list[int]:
    """Everything that may be hidden, as bits."""
    secrets = list(islice(game.hiding.values(), MOST_SECRETS + 1))
    if len(secrets) > MOST_SECRETS:
        raise TooManyJourneys
    return secrets


def check_strategy(journeys: Journeys, strategy: Strategy) -> None:
    """Raises ValueError for what is not a strategy of these journeys."""
    mixture, policy = strategy.mixture, strategy.policy
    if mixture.shape != (len(journeys.secrets),) or policy.shape != journeys.safe.shape:
        raise ValueError("a strategy of another game")
    if not (np.all(mixture >= 0) and abs(mixture.sum() - 1) < 1e-9):
        raise ValueError("the secrets' chances do not add up")
    if not (np.all(policy >= 0) and np.all(abs(policy.sum(axis=1) - 1) < 1e-9)):
        raise ValueError("the moves' chances do not add up")
    if np.any(policy[~journeys.legal] > 0):
        raise ValueError("a move beyond the end")


def meeting(journeys: Journeys, first: Strategy, second: Strategy) -> float:
    """What the first mover can expect when the two strategies meet."""
    needs = second.mixture @ journeys.times(first.policy)
    outlasts = at_least(first.mixture @ journeys.times(second.policy))
    return 2 * float(needs @ outlasts) - 1


def bound(answers: Floats, *, moves_first: bool) -> float:
    """What a strategy proves to which these are the best answers: a lower bound on the value if
    it moves first."""
    lost = float(answers.max())
    return max(-1.0, 1 - 2 * lost - SLACK) if moves_first else min(1.0, 2 * lost - 1 + SLACK)
