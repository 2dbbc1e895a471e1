"""Forced results: the value of a game in which both players' guarantees meet.

Right for games in which nothing is hidden but what both choose before the first turn, and for
games in which nothing is hidden at all (`model.GameModel`).
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Protocol

from trapline.core import SEATS
from trapline.games import changed_options
from trapline.solve import sentences
from trapline.solve.forced_policy import ForcedPolicy
from trapline.solve.interface import (
    Certificate,
    Facts,
    Policy,
    Solution,
    bounds_facts,
    confirms,
    ranked,
)
from trapline.solve.model import model_of
from trapline.solve.watched import CountsTurns

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Form, Game, Seat
    from trapline.solve.guarantee import Guarantee
    from trapline.solve.interface import Machine, Ranked, Request
    from trapline.solve.model import GameModel


class ForcingPolicy(Policy, Protocol):
    def machine(self, role: Seat) -> Machine:
        """What forces the result, for a certificate."""


class ForcedSolution(Solution):
    """What both can force is the same, so it is the value."""

    forced = True

    def __init__(self, game: Game[Any], facts: Facts, policy: ForcingPolicy) -> None:
        super().__init__(game, facts)
        self._policy = policy

    @property
    def policy(self) -> ForcingPolicy:
        return self._policy

    def machine(self, role: Seat) -> Machine:
        return self._policy.machine(role)

    def pack(self) -> bytes:
        return b""  # the proof is quickly found again


class ForcedMethod:
    name = "proof"

    def __init__(self, game: Game[Any], first: Seat) -> None:
        self.game, self.first = game, first

    def solve(self, request: Request) -> ForcedSolution | None:
        try:
            return self._solve(request, model_of(self.game, self.first, counts_turns=False))
        except CountsTurns:
            return self._solve(request, model_of(self.game, self.first, counts_turns=True))

    def restore(self, facts: Facts, data: bytes) -> ForcedSolution | None:
        return restored(self.solve, facts, data)

    def _solve(self, request: Request, model: GameModel) -> ForcedSolution | None:
        policy = ForcedPolicy(model, self._until(request))
        forced = {seat: policy.guarantee(seat) for seat in SEATS}
        worth = meeting(forced)
        if worth is None:
            return None
        secrets = {seat: self._secrets(model, seat, policy.mix(seat)) for seat in SEATS}
        facts = forced_facts(
            self.game, self.first, self.name, request, worth, forced, secrets, self._how(secrets)
        )
        return ForcedSolution(self.game, facts, policy)

    @staticmethod
    def _until(request: Request) -> float:
        """Half of the time that is left, for both seats: other methods need some as well."""
        now = time.monotonic()
        return math.inf if request.deadline is None else now + (request.deadline - now) / 2

    @staticmethod
    def _secrets(model: GameModel, seat: Seat, mix: dict[int, float]) -> Ranked:
        question = model.hiding[seat - 1]
        if not model.hides or question is None:
            return []
        held: dict[Form, float] = {
            question.record(model.holdings[seat - 1][i]): chance for i, chance in mix.items()
        }
        return ranked(held)

    def _how(self, secrets: dict[Seat, Ranked]) -> Callable[[Seat, Guarantee], str]:
        """How the winner wins, in a few words."""

        def how(winner: Seat, guarantee: Guarantee) -> str:
            question = self.game.question(self.game.start(self.first), winner)
            hidden = [sentences.named(question, secret) for secret, _ in secrets[winner]]
            turns = guarantee.nearest()
            always = sentences.always_largest(guarantee) if turns > 1 else ""
            return sentences.with_secret(hidden) + always

        return how


def restored(
    solve: Callable[[Request], ForcedSolution | None], facts: Facts, data: bytes
) -> ForcedSolution | None:
    """A forced result, proven again; what was kept says only what is to come out."""
    from trapline.solve.interface import Request

    found = None if data else solve(Request())
    if found is None or found.facts.turns != facts.turns:
        return None
    worth = found.value if facts.first == 1 else -found.value
    if not confirms(facts, Certificate(worth, worth)):
        return None
    return ForcedSolution(found.game, facts, found.policy)


def meeting(forced: dict[Seat, Guarantee]) -> float | None:
    """The value for Player 1 where both players' guarantees meet, None where they do not."""
    bests = {seat: max(guarantee.values()) for seat, guarantee in forced.items()}
    return float(bests[1]) if bests[1] == -bests[2] else None


def forced_facts(
    game: Game[Any],
    first: Seat,
    method: str,
    request: Request,
    worth: float,
    forced: dict[Seat, Guarantee],
    secrets: dict[Seat, Ranked],
    how: Callable[[Seat, Guarantee], str],
) -> Facts:
    """What a forced result says; `worth` is for Player 1."""
    winner: Seat | None = None if not worth else 1 if worth > 0 else 2
    turns, sentence = None, sentences.drawn(game.turn_limit)
    if winner is not None:
        turns = forced[winner].nearest()
        sentence = sentences.forced(winner == first, how(winner, forced[winner]), turns)
    second: Seat = 2 if first == 1 else 1
    return Facts(
        game=game.name,
        options=changed_options(game),
        first=first,
        method=method,
        seconds=request.seconds,
        sentence=sentence,
        secrets=(secrets[first], secrets[second]),
        turns=turns,
        **bounds_facts(Certificate(worth, worth), first),
    )
