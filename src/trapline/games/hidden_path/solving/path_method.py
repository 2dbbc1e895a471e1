"""Which way to solve a path: blindly, which may be exact, or looking, where the tree fits.

Blind runners (`race`) settle many paths in seconds, the rulebook's among them, and exactly.
Where looking at the other, or at the own traps, is worth something, their bounds stay apart; there
the tree of all that both can see is searched (`duel`), if it is small enough. Else it is folded
into a graph, for a seat that looks at the other but at its own traps in few choices only (`apart`);
and what that leaves open is searched in two smaller trees, in each of which one of both gives
something up (`modest`).
Simple strategies (`routes`) take no time, and bound paths of any length.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from trapline.games.hidden_path.solving.beginnings import proven_by
from trapline.games.hidden_path.solving.patience import BLIND, LONG, NARROW, PATIENCE, took
from trapline.games.hidden_path.solving.race.method import RaceMethod
from trapline.games.hidden_path.solving.routes.method import RouteMethod
from trapline.games.hidden_path.solving.sides import SidesMethod, joined, parts_of
from trapline.solve.interface import Certificate, Several, TooLarge, is_interrupt
from trapline.solve.public import PublicMethod

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.games.hidden_path.game import HiddenPath
    from trapline.solve.interface import Facts, Method, Request, Solution

FEW_JOURNEYS = 1_000
"""With no more nodes of a runner's knowledge than this, a linear program takes seconds."""


LARGE = 1_000_000
"""In a tree with more nodes, who gives something up proves more in the same time."""


FOLDED = 0.7
"""The share of the time for a graph, before two smaller trees have the rest."""


SURE = Certificate(1.0, 1.0)


def sure(game: HiddenPath) -> bool:
    """Whether whoever moves first wins by a shortest route, repeated after every trap, whatever
    the other does: on very long paths nobody need search for that."""
    options = game.options
    moves = -(-options.length // options.max_step)
    costs = range(1, moves + options.goal_traps)  # a trap with the k-th move costs k
    worst = moves + sum(costs[-options.traps :])
    if options.max_step == 1 and options.walls:
        return True  # nobody has a choice, and the last steps cost most
    return options.goal_traps and worst <= 2 * moves  # a trapped goal costs whole journeys


class Looking:
    """A way for whoever proves a kept solution again: compiled code is loaded when needed."""

    def __init__(self, game: HiddenPath, name: str) -> None:
        self.game, self.name = game, name

    def _method(self) -> Method:
        from trapline.games.hidden_path.solving.apart.method import ApartMethod
        from trapline.games.hidden_path.solving.duel.method import DuelMethod
        from trapline.games.hidden_path.solving.modest.method import ModestMethod

        ways: tuple[type[ApartMethod | DuelMethod | ModestMethod], ...]
        ways = (ApartMethod, DuelMethod, ModestMethod)
        (way,) = (way for way in ways if way.name == self.name)
        return way(self.game)

    def solve(self, request: Request) -> Solution | None:
        return self._method().solve(request)

    def restore(self, facts: Facts, data: bytes) -> Solution | None:
        return self._method().restore(facts, data)


class PathMethod(Several):
    """Right for Hidden Path alone."""

    def __init__(self, game: HiddenPath) -> None:
        self.game = game

    def parts(self) -> tuple[Method, ...]:
        ways = (
            RaceMethod(self.game),
            Looking(self.game, "duel"),
            Looking(self.game, "modest"),
            Looking(self.game, "apart"),
        )
        more = RouteMethod(self.game)
        return *ways, SidesMethod(self.game, (*ways, more, PublicMethod(self.game, 1))), more

    def solve(self, request: Request) -> Solution:
        """The best that is found, each side by its best way; TooLarge where there is none.

        An interrupt (Ctrl-C) ends the search wherever it comes, and takes nothing of what was
        proven by then.
        """
        found = parts_of(request.known)
        refused: TooLarge | None = None
        try:
            refused = self._search(request, found)
        except (KeyboardInterrupt, SystemError) as error:
            if not is_interrupt(error):
                raise
            if not found:
                raise KeyboardInterrupt from None
        if not found:
            refused = refused or TooLarge("There is no time to solve this path.")
            raise TooLarge(str(refused), SURE if sure(self.game) else refused.proven)
        return took(joined(self.game, found, request), request)

    def _search(self, request: Request, found: list[Solution]) -> TooLarge | None:
        """Way by way until it is enough; why one was refused, what proves something first."""
        refused: TooLarge | None = None
        for way, hurried in self._ways(request, found):
            try:
                one = way.solve(hurried)
            except TooLarge as error:
                refused = refused if refused is not None and refused.proven else error
                continue
            if one is not None and (one.exact or one.exploitability <= request.target):
                found[:] = [one]
                break
            if one is not None:
                found.append(one)
            if found and (request.late or self._enough(request, found)):
                break
        return refused

    def _enough(self, request: Request, found: list[Solution]) -> bool:
        """Whether the best sides of all ways are close together."""
        lower, upper = proven = proven_by(found)
        narrow = request.seconds > LONG and upper - lower <= NARROW
        return narrow or proven.exploitability <= request.target

    def _ways(self, request: Request, found: list[Solution]) -> Iterator[tuple[Method, Request]]:
        """What to try, each with the time that it may take; others have found this so far."""
        now = time.monotonic()
        last = now + PATIENCE if request.deadline is None else request.deadline
        rest = request._replace(deadline=last)
        if request.known is None:  # else these have been tried, and have no more to tell
            race = RaceMethod(self.game)
            yield race, request._replace(deadline=now + BLIND * (last - now))
            if race.interrupted:
                return
            if race.journeys is not None and race.journeys <= FEW_JOURNEYS:
                public = PublicMethod(self.game, 1)
                yield public, rest
                if public.interrupted:
                    return
            yield RouteMethod(self.game), rest
        from trapline.games.hidden_path.solving.apart.method import ApartMethod
        from trapline.games.hidden_path.solving.duel.method import DuelMethod
        from trapline.games.hidden_path.solving.modest.method import ModestMethod

        left = last - time.monotonic()
        duel, apart = DuelMethod(self.game, left), ApartMethod(self.game, left, found)
        if not duel.fits or (duel.size is not None and duel.size.nodes > LARGE):
            now = time.monotonic()
            yield apart, request._replace(deadline=now + FOLDED * (last - now))
            if apart.interrupted:
                return
            modest, now = ModestMethod(self.game, left, found), time.monotonic()
            yield modest, request._replace(deadline=now + (last - now) / (2 if duel.fits else 1))
            if modest.interrupted or modest.narrow:
                return
        if duel.fits:
            yield duel, rest
