"""Where a simple strategy is on its way, and what it does next."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.games.hidden_path.solving.routes.routes import Route, RoutePlan

    Journey = Sequence[tuple[int, bool]]
    """Moves: steps, and whether they ended on a trap."""


class Under(NamedTuple):
    """A strategy under way."""

    arrangement: int
    routes: tuple[tuple[int, float], ...]
    """Those that it may have drawn, and how likely it is to have drawn all this."""
    may_turn: bool
    leg: tuple[int, ...] = ()
    """Where it has landed since the start, or the last trap."""


def sprung_on(journey: Journey) -> set[int]:
    """The steps on which a runner met traps."""
    found, at = set(), 0
    for steps, trapped in journey:
        at += steps
        if trapped:
            found.add(at)
            at = 0
    return found


def place_after(journey: Journey) -> int:
    at = 0
    for steps, trapped in journey:
        at = 0 if trapped else at + steps
    return at


class RouteRunner:
    """The way of running of a plan."""

    def __init__(self, plan: RoutePlan) -> None:
        self.plan = plan

    def begin(self, arrangement: int) -> Under:
        drawn = enumerate(self.plan.starts[arrangement].tolist())
        routes = tuple((number, chance) for number, chance in drawn if chance > 0.0)
        return Under(arrangement, routes, may_turn=self.plan.turns.size > 0)

    def after(self, under: Under, steps: int, *, trapped: bool) -> Under | None:
        """None where it never comes."""
        leg = (*under.leg, (under.leg[-1] if under.leg else 0) + steps)
        kept = tuple(
            (number, drawn)
            for number, drawn in under.routes
            if self.plan.routes[number][: len(leg)] == leg
        )
        if not kept:
            return None
        if not trapped:
            return under._replace(routes=kept, leg=leg)
        if under.may_turn and leg[-1] != self.plan.routes[0][-1]:
            kept = self._turned(under.arrangement, kept, len(leg) - 1)
        return Under(under.arrangement, kept, may_turn=False)

    def _turned(
        self, arrangement: int, routes: tuple[tuple[int, float], ...], landing: int
    ) -> tuple[tuple[int, float], ...]:
        turns = self.plan.turns[arrangement, :, landing]
        weights = sum(drawn * turns[number] for number, drawn in routes)
        return tuple((new, float(w)) for new, w in enumerate(weights) if w > 0.0)

    def follow(self, arrangement: int, journey: Journey) -> Under | None:
        under: Under | None = self.begin(arrangement)
        for steps, trapped in journey:
            under = None if under is None else self.after(under, steps, trapped=trapped)
        return under

    def next_moves(self, under: Under) -> dict[int, float]:
        """How likely it is to make each move next, after all of that."""
        moves: dict[int, float] = defaultdict(float)
        for number, drawn in under.routes:
            route = self.plan.routes[number]
            if len(under.leg) < len(route):
                moves[route[len(under.leg)] - (under.leg[-1] if under.leg else 0)] += drawn
        return dict(sorted(moves.items()))

    def arrivals(self, under: Under, traps: frozenset[int]) -> Iterator[tuple[int, float]]:
        """How many moves it needs from now on, against traps that were not sprung yet, and how
        likely it is to have drawn that."""
        made = len(under.leg)
        for number, drawn in under.routes:
            route = self.plan.routes[number]
            trap = next((at for at in range(made, len(route)) if route[at] in traps), None)
            if trap is None:
                yield len(route) - made, drawn
                continue
            new: tuple[tuple[int, float], ...] = ((number, drawn),)
            left = traps - {route[trap]}
            if under.may_turn and trap < len(route) - 1:
                new = self._turned(under.arrangement, new, trap)
            for after, chance in new:
                yield trap + 1 - made + repeated(self.plan.routes[after], left), chance


def repeated(route: Route, traps: frozenset[int]) -> int:
    """The moves that a route takes which is repeated after every trap."""
    return len(route) + sum(at for at, step in enumerate(route, 1) if step in traps)
