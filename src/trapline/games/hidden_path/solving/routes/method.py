"""Hidden Path by simple strategies (`routes`): quick, and for paths that nothing else can hold."""

from __future__ import annotations

import math
import time
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from trapline.core import SEATS
from trapline.games.hidden_path.solving.patience import is_final
from trapline.games.hidden_path.solving.race.races import SLACK
from trapline.games.hidden_path.solving.routes.blocks import Arrangement, arrangements
from trapline.games.hidden_path.solving.routes.in_time import home_within
from trapline.games.hidden_path.solving.routes.machine import RouteMachine
from trapline.games.hidden_path.solving.routes.policy import RoutePolicy
from trapline.games.hidden_path.solving.routes.program import best_plan, lost
from trapline.games.hidden_path.solving.routes.routes import (
    Route,
    RoutePlan,
    Times,
    quick_routes,
    steady_routes,
    worst_for_steady,
)
from trapline.games.hidden_path.solving.telling import facts_of
from trapline.solve.interface import (
    ROUNDING,
    Certificate,
    Facts,
    Solution,
    TooLarge,
    bounds_facts,
    confirms,
    ranked,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Seat
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.routes.blocks import Floats
    from trapline.solve.interface import Request

MOST_SECRETS = 1_500
"""With more there are bounds, and nothing to play by."""
MOST_TERMS = 1_500_000
"""Secrets, times pairs of routes, times arrangements."""
FEW_ARRANGEMENTS = 4
MOST_ROUTES = 60
AT_LEAST = 4.0
"""Seconds of computing that arrangements are counted for, however little time there is on the
clock: a machine that is busy with something else must not make the bounds worthless."""

Plans = tuple[RoutePlan, RoutePlan]


class Kept(msgspec.Struct, array_like=True):
    """A plan as it is kept."""

    arrangements: tuple[Arrangement, ...]
    routes: tuple[Route, ...]
    starts: list[float]
    turns: list[float]


def proven_by(lost_by: tuple[Floats, Floats]) -> Certificate:
    """What two plans prove, from what the other can win with each secret."""
    first, second = (float(lost.max()) for lost in lost_by)
    return Certificate(max(-1.0, 1 - 2 * first - SLACK), min(1.0, 2 * second - 1 + SLACK))


class RouteSolution(Solution):
    def __init__(
        self, game: HiddenPath, facts: Facts, plans: Plans, lost_by: tuple[Floats, Floats]
    ) -> None:
        super().__init__(game, facts)
        self._rules, self._plans, self._lost_by = game, plans, lost_by

    @cached_property
    def policy(self) -> RoutePolicy:
        secrets = list(self._rules.hiding.values())
        one, two = (dict(zip(secrets, lost.tolist(), strict=True)) for lost in self._lost_by)
        return RoutePolicy(self._rules, self._plans, (one, two))

    @property
    def final(self) -> bool:
        return is_final(self.facts)

    def machine(self, role: Seat) -> RouteMachine:
        return RouteMachine(self._rules, self.policy.runner(role), role)

    def pack(self) -> bytes:
        return msgspec.msgpack.encode([_packed(plan) for plan in self._plans])


class RouteMethod:
    """Right for Hidden Path alone."""

    name = "routes"

    def __init__(self, game: HiddenPath) -> None:
        self.game = game
        options = game.options
        self._size = (options.length, options.max_step)
        self._goal_traps = options.goal_traps
        self._tried = list(
            arrangements(
                *self._size, options.traps, goal_traps=options.goal_traps, walls=options.walls
            )
        )

    def solve(self, request: Request) -> RouteSolution:
        self._tried = self._counted(request.deadline)
        steady, bounds = self._steady()
        if self._too_many:
            raise TooLarge(
                f"Each may hide more than {MOST_SECRETS} secrets; a shorter path or fewer traps "
                "make fewer.",
                bounds,
            )
        plans = tuple(self._better(seat, plan) for seat, plan in zip(SEATS, steady, strict=True))
        return self._solution(request, (plans[0], plans[1]))

    def _counted(self, deadline: float | None) -> list[Arrangement]:
        """Those that are counted within half of the time, or within the least that this takes."""
        last = math.inf if deadline is None else (time.monotonic() + deadline) / 2
        least = time.process_time() + AT_LEAST
        most = Times(steady_routes(*self._size), self._worst).most
        found: list[Arrangement] = []
        for arrangement in self._tried:
            if time.monotonic() > last and time.process_time() > least:
                break
            if home_within(arrangement, *self._size, most) is not None:
                found.append(arrangement)
        return found or self._tried

    @cached_property
    def _too_many(self) -> bool:
        return self.game.hiding.count() > MOST_SECRETS

    @cached_property
    def _secrets(self) -> list[int]:
        return list(self.game.hiding.values())

    @cached_property
    def _worst(self) -> list[int]:
        traps = self.game.options.traps
        return worst_for_steady(*self._size, traps, goal_traps=self._goal_traps)

    def _steady(self) -> tuple[Plans, Certificate]:
        """The plans that only choose among steady routes, and what they prove."""
        routes = steady_routes(*self._size)
        plans = [
            self._best(seat, self._tried, routes, self._worst, turning=False) for seat in SEATS
        ]
        found = (plans[0], plans[1])
        return found, proven_by(self._lost_by(found, self._worst))

    def _better(self, seat: Seat, steady: RoutePlan) -> RoutePlan:
        """A plan that may turn, if that keeps more; of equals the one that draws least."""
        weights = steady.starts.sum(axis=1)
        likely = [steady.arrangements[at] for at in np.argsort(-weights, kind="stable")]
        plans = [
            self._best(seat, chosen, self._routes(len(chosen)), self._secrets, turning=True)
            for chosen in ([self._best_alone(seat)], likely[:FEW_ARRANGEMENTS])
        ]
        lost_most = [self._lost(seat, plan, self._secrets).max() for plan in (*plans, steady)]
        least = min(lost_most) + ROUNDING
        return next(p for p, most in zip((*plans, steady), lost_most, strict=True) if most <= least)

    def _best_alone(self, seat: Seat) -> Arrangement:
        """The arrangement that keeps most with all steady routes alike."""
        routes = tuple(steady_routes(*self._size))
        starts = np.full((1, len(routes)), 1 / len(routes))
        turns = np.zeros((1, len(routes), 0, len(routes)))

        def loses(arrangement: Arrangement) -> float:
            plan = RoutePlan((arrangement,), routes, starts, turns)
            try:
                return float(self._lost(seat, plan, self._worst).max())
            except TooLarge:
                return 1.0

        return min(self._tried, key=loses)

    def _routes(self, times: int) -> list[Route]:
        """As many as can be handled."""
        steady = steady_routes(*self._size)
        most = min(MOST_ROUTES, int((MOST_TERMS / times / len(self._secrets)) ** 0.5) - len(steady))
        for spare in (1, 0):
            quick = quick_routes(*self._size, spare, most)
            if quick is not None:
                return sorted({*steady, *quick})
        return steady

    def _best(
        self,
        seat: Seat,
        arranged: Sequence[Arrangement],
        routes: list[Route],
        secrets: list[int],
        *,
        turning: bool,
    ) -> RoutePlan:
        if not arranged:
            raise TooLarge(
                "There are no simple strategies for so many traps, or for so many without walls."
            )
        return best_plan(
            arranged, routes, secrets, self._size[1], moves_first=seat == 1, turning=turning
        )

    def _lost(self, seat: Seat, plan: RoutePlan, secrets: list[int]) -> Floats:
        return lost(plan, secrets, self._size[1], moves_first=seat == 1)

    def _lost_by(self, plans: Plans, secrets: list[int]) -> tuple[Floats, Floats]:
        one, two = (
            self._lost(seat, plan, secrets) for seat, plan in zip(SEATS, plans, strict=True)
        )
        return one, two

    def _solution(self, request: Request, plans: Plans) -> RouteSolution:
        lost_by = self._lost_by(plans, self._secrets)
        found = bounds_facts(proven_by(lost_by))
        policy = RoutePolicy(self.game, plans, ({}, {}))
        one, two = (ranked(policy.secrets(role)) for role in SEATS)
        facts = facts_of(self.game, self.name, request, found, (one, two))
        return RouteSolution(self.game, facts, plans, lost_by)

    def restore(self, facts: Facts, data: bytes) -> RouteSolution | None:
        if self._too_many:
            return None
        one, two = (self._unpacked(kept) for kept in msgspec.msgpack.decode(data, type=list[Kept]))
        lost_by = self._lost_by((one, two), self._secrets)
        if not confirms(facts, proven_by(lost_by)):
            return None
        return RouteSolution(self.game, facts, (one, two), lost_by)

    def _unpacked(self, kept: Kept) -> RoutePlan:
        """ValueError for what is no plan of this game."""
        length, max_step = self._size
        shape = (len(kept.arrangements), len(kept.routes))
        starts = np.array(kept.starts).reshape(shape)
        turns = np.array(kept.turns).reshape(*shape, -1, len(kept.routes))
        if not all(set(found.each(length)) <= set(self._secrets) for found in kept.arrangements):
            raise ValueError("secrets of another game")
        for route in kept.routes:
            steps = np.diff((0, *route))
            if route[-1] != length or steps.min() < 1 or steps.max() > max_step:
                raise ValueError("a route of another game")
        sums = [starts.sum(), *turns.sum(axis=-1).ravel().tolist()]
        if min(starts.min(), turns.min(initial=0.0)) < 0 or np.abs(np.array(sums) - 1).max() > 1e-9:
            raise ValueError("chances that do not add up")
        return RoutePlan(kept.arrangements, kept.routes, starts, turns)


def _packed(plan: RoutePlan) -> Kept:
    numbers = (plan.starts.ravel().tolist(), plan.turns.ravel().tolist())
    return Kept(plan.arrangements, plan.routes, *numbers)
