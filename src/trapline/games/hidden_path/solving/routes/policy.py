"""The policy of two simple strategies.

A player who keeps to one runs without looking at the other. What an answer is worth is what it can
bring against the other's strategy to somebody who is told how long the other will need, and who may
land in a block wherever that is best: no less than can be had, and maybe more. So all values are
marked as guessed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import SECRET, other
from trapline.games.hidden_path.solving.race.races import journey_of
from trapline.games.hidden_path.solving.routes.blocks import Homecoming
from trapline.games.hidden_path.solving.routes.runner import RouteRunner, place_after, sprung_on
from trapline.solve.interface import Outlook, evenly

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.core import Form, Seat, View
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.routes.blocks import Arrangement, Stand
    from trapline.games.hidden_path.solving.routes.routes import RoutePlan
    from trapline.games.hidden_path.solving.routes.runner import Journey


class RoutePolicy:
    def __init__(
        self,
        game: HiddenPath,
        plans: tuple[RoutePlan, RoutePlan],
        lost: tuple[Mapping[int, float], Mapping[int, float]],
    ) -> None:
        self.game = game
        self._runners = tuple(map(RouteRunner, plans))
        self._lost = lost
        """For each strategy: what the other can win with each secret."""
        self._homecomings: dict[Arrangement, Homecoming] = {}

    def runner(self, role: Seat) -> RouteRunner:
        return self._runners[role - 1]

    def secrets(self, role: Seat) -> dict[Form, float]:
        """How often each is hidden, those too that never are."""
        plan, record = self.runner(role).plan, self.game.hiding.record
        found = dict.fromkeys(map(record, self.game.hiding.values()), 0.0)
        for arrangement, row in zip(plan.arrangements, plan.starts, strict=True):
            if row.any():
                for secret in arrangement.each(self.game.length):
                    found[record(secret)] += float(row.sum()) / arrangement.secrets
        return found

    def chances(self, view: View) -> dict[Form, float]:
        role = _role(view)
        if view.asks == SECRET:
            return self.secrets(role)
        runner, journey = self.runner(role), journey_of(view, view.seat)
        assert isinstance(view.secret, tuple)
        own = sum(1 << int(str(step)) for step in view.secret)
        moves: dict[Form, float] = dict.fromkeys(view.legal, 0.0)
        for at, arrangement in enumerate(runner.plan.arrangements):
            if arrangement.holds(own, self.game.length):
                under = runner.follow(at, journey)
                for steps, drawn in runner.next_moves(under).items() if under else ():
                    moves[steps] += drawn / arrangement.secrets
        whole = sum(moves.values())
        if whole > 0.0:
            return {steps: drawn / whole for steps, drawn in moves.items()}
        return evenly({steps: -self._moves_after(journey, steps) for steps in moves}, view.legal)

    def _moves_after(self, journey: Journey, steps: Form) -> float:
        """How many more it takes, if all goes well."""
        to = place_after(journey) + int(str(steps))
        return float(-(-(self.game.length - to) // self.game.options.max_step))

    def look(self, view: View) -> Outlook:
        role = _role(view)
        chances = self.chances(view)
        if view.asks == SECRET:
            lost = self._lost[other(role) - 1]
            values = {self.game.hiding.record(secret): 2 * won - 1 for secret, won in lost.items()}
            beliefs = self.secrets(other(role))
            return Outlook(chances, values, beliefs, guessed=frozenset(values))
        values = self._values(view, role)
        return Outlook(chances, values, {}, guessed=frozenset(values))

    def _values(self, view: View, role: Seat) -> dict[Form, float]:
        mine, theirs = (journey_of(view, seat) for seat in _both(view))
        assert isinstance(view.secret, tuple)
        traps = frozenset(int(str(step)) for step in view.secret) - sprung_on(theirs)
        runner, whole = self.runner(other(role)), 0.0
        won: dict[Form, float] = dict.fromkeys(view.legal, 0.0)
        for at, arrangement in enumerate(runner.plan.arrangements):
            known = Known(self._homecoming(arrangement), self.game.length)
            for steps, trapped in mine:
                known.land(steps, trapped=trapped)
            under = runner.follow(at, theirs) if known.likely else None
            for moves, drawn in runner.arrivals(under, traps) if under else ():
                whole += known.likely * drawn
                for answer in view.legal:
                    chance = known.in_time_after(int(str(answer)), moves - 1)
                    won[answer] += known.likely * drawn * chance
        return {answer: 2 * part / whole - 1 if whole else 0.0 for answer, part in won.items()}

    def _homecoming(self, arrangement: Arrangement) -> Homecoming:
        if arrangement not in self._homecomings:
            options = self.game.options
            moves = options.length * (options.traps + 1)
            self._homecomings[arrangement] = Homecoming(arrangement, options.max_step, moves)
        return self._homecomings[arrangement]


def _role(view: View) -> Seat:
    return 1 if view.seat == view.first else 2


def _both(view: View) -> tuple[Seat, Seat]:
    """Who looks, and the other."""
    assert view.seat is not None
    return view.seat, other(view.seat)


class Known:
    """What a runner has found out about traps in blocks, and how likely that was."""

    def __init__(self, home: Homecoming, length: int) -> None:
        self._home, self._length = home, length
        self.stand, self.place, self.likely = home.start, 0, 1.0
        self._safe: set[int] = set()

    def land(self, steps: int, *, trapped: bool) -> None:
        found = self._landings(steps)
        for risk, caught, after in found:
            if caught == trapped:
                self.likely *= risk
                self.stand = after or self.stand
        if not any(caught == trapped for _, caught, _ in found):
            self.likely = 0.0
        self._safe.add(self.place + steps)
        self.place = 0 if trapped else self.place + steps

    def in_time_after(self, steps: int, moves: int) -> float:
        """The chance to be home within so many more moves than this one."""
        table, number = self._home.chances, self._home.number
        left = min(moves, len(table) - 1)
        return sum(
            chance * (1.0 if after is None else float(table[left, number[after]]))
            for chance, _, after in self._landings(steps)
        )

    def _landings(self, steps: int) -> list[tuple[float, bool, Stand | None]]:
        """How a move may end: how likely, whether on a trap, and what follows; None at home."""
        home, to = self._home, self.place + steps
        if to == self._length:
            if not self.stand.goal:
                return [(1.0, False, None)]
            return [(1.0, True, home.start._replace(known=self.stand.known, goal=False))]
        block = next(at for at, part in enumerate(home.blocks) if part.first <= to <= part.last)
        stand = self.stand
        if stand.block != block:
            stand = stand._replace(block=block, landed=0)
        if to in self._safe or home.cleared(stand):
            return [(1.0, False, home.again(stand))]
        risk = home.risk(stand)
        ends = [(risk, True, home.caught(stand)), (1 - risk, False, home.passed(stand))]
        return [end for end in ends if end[0] > 0.0]
