"""Trap Runner solved: whoever is ahead cannot be trapped, so whoever moves first wins.

Traps are hidden decisions of the whole game, too many to follow. But the villain can have traps
only on squares that the villain has left. So let every square behind the farthest the villain
has ever been be trapped or not as the villain likes, each time it is landed on; and let the hero
do without traps of their own. Both only help the villain, and what remains is a race of two
numbers:

- A hero who can move to the villain's farthest square or beyond, and goes on making the longest
  moves, never lands behind the villain again: between two such moves the villain comes forward by
  no more than one longest move. Then the hero arrives after the fewest moves there are.
- A hero who has to land behind it can be sent to 0, which lies behind it too, again and again.
  Then the villain, whom nothing stops, arrives.

Whoever moves first is never behind and needs no more moves than the other, so the first mover
wins under all options that make a game. What the numbers leave unsaid is what happens after a
mistake, where the loss that the villain can force here is only feared: the real villain may have
set no trap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trapline.boards.track import Track, bits
from trapline.core import Moved, Triggered, has_run, other
from trapline.games.trap_runner.leaving import NO_TRAP, SET_TRAP
from trapline.solve.arrivals import (
    ArrivalMethod,
    Forced,
    Stumbler,
    first_to_arrive,
    turns_left,
    worst,
)
from trapline.solve.interface import Outlook, evenly
from trapline.solve.machines import RunMachine

if TYPE_CHECKING:
    from trapline.core import Form, Seat, View
    from trapline.games.trap_runner.game import TrapRunner

NEVER = 10**9
"""The moves of a hero who can be sent back again and again."""


class Race(NamedTuple):
    """Where both run from, the hero being the one for whom the result is forced."""

    hero: int
    villain: int
    farthest: int
    """The farthest square on which the villain has ever been."""
    heros_turn: bool


def forced(game: TrapRunner, race: Race) -> Forced:
    """What the hero can force if every square behind the villain may be a trap at any time."""
    mine, theirs = moves(game, race.hero), moves(game, race.villain)
    # The longest move is the villain's best: it brings the goal nearer and leaves most behind.
    farthest = race.farthest if race.heros_turn else race.villain + game.max_step
    if max(farthest, race.farthest) > race.hero + game.max_step:
        mine = NEVER
    return first_to_arrive(mine, theirs, heros_turn=race.heros_turn)


def moves(game: TrapRunner, square: int) -> int:
    """The fewest moves from a square to the goal."""
    return -(-(game.length - square) // game.max_step)


class RunnerMethod(ArrivalMethod):
    """Right for Trap Runner alone."""

    name = "runner"

    def __init__(self, game: TrapRunner) -> None:
        how = " by always making the longest move"
        super().__init__(game, moves(game, 0), how, RunnerPolicy(game))


class RunnerPolicy:
    """The race gives the steps; a trap behind one's back costs nothing."""

    def __init__(self, game: TrapRunner) -> None:
        self.game = game
        needed = [moves(game, square) for square in range(game.length + 1)]
        self._rival = Stumbler(needed, lambda square: square, game.max_step)

    def machine(self, role: Seat) -> RunMachine:
        """For a proof no trap is needed: the longest move is enough."""
        length, longest = self.game.length, self.game.max_step
        return RunMachine(role, length, lambda at: [min(longest, length - at)])

    def chances(self, view: View) -> dict[Form, float]:
        return self.look(view).chances

    def look(self, view: View) -> Outlook:
        return self._trap(view) if view.asks == self.game.trapping.asks else self._step(view)

    def _step(self, view: View) -> Outlook:
        race = _race(view, heros_turn=True)
        after: dict[Form, Forced] = {s: self._landing(race, int(str(s))) for s in view.legal}
        limit = self.game.turn_limit
        values = {step: found.within(limit, view.turn + 1) for step, found in after.items()}
        goal = max(values.values())
        kept = [step for step in values if values[step] == goal]
        if goal > 0:  # a forced win is also brought nearer, or play might never come to it
            nearest = min(after[step].turns for step in kept)
            kept = [step for step in kept if after[step].turns == nearest]
        worth = {step: self._appeal(view, race.hero + int(str(step))) for step in kept}
        hopes = {step: self._hope(view, race, race.hero + int(str(step))) for step in view.legal}
        likely = {
            step: self._hope(view, race, race.hero + int(str(step)), both=True)
            for step in view.legal
        }
        left = turns_left(limit, view.turn + 1)
        drawn = frozenset(
            step
            for step in view.legal
            if self._rival.nobody_arrives(race.hero + int(str(step)), race.villain, left)
        )
        return Outlook(evenly(worth, view.legal), values, {}, hopes, likely, drawn=drawn)

    def _hope(self, view: View, race: Race, to: int, *, both: bool = False) -> float:
        """What to expect of somebody who errs, and has trapped every other square in doubt; or
        what comes of it if `both` run so."""
        known, doubted = self._danger(view, to)
        left = turns_left(self.game.turn_limit, view.turn + 1)
        free, caught = (
            self._rival.race(square, race.villain, left)
            if both
            else self._rival.hope(moves(self.game, square), race.villain, left)
            for square in (to, 0)
        )
        return caught if known else (free + caught) / 2 if doubted else free

    def _danger(self, view: View, to: int) -> tuple[bool, bool]:
        """Whether a square holds a trap of the other's, and whether it may hold one."""
        board, seat = _board(view), view.seat
        known = any(trap.at == to and trap.owner != seat for trap in board.traps)
        return known, seat is not None and to in board.doubt[seat - 1]

    def _landing(self, race: Race, step: int) -> Forced:
        """What can be forced after a move, on which the villain may say that a trap lies there."""
        to = race.hero + step
        if to == self.game.length:
            return Forced(1, 0)
        after = [forced(self.game, race._replace(hero=to, heros_turn=False))]
        if to < race.farthest:
            after.append(forced(self.game, race._replace(hero=0, heros_turn=False)))
        return worst(after)

    def _appeal(self, view: View, to: int) -> float:
        """Between equally good moves: off known traps, off squares in doubt, as far as can be."""
        known, doubted = self._danger(view, to)
        return to - self.game.length * (2.0 * known + doubted)

    def _trap(self, view: View) -> Outlook:
        """Set every trap, except one that makes a wall: both walled off would be a draw."""
        race = _race(view, heros_turn=False)
        found = forced(self.game, race)
        value = found.within(self.game.turn_limit, view.turn + 1)
        if len(view.legal) == 1:
            return Outlook({NO_TRAP: 1.0}, {NO_TRAP: value}, {})
        left = next(e.start for e in reversed(view.events) if isinstance(e, Moved))
        assert isinstance(left, int)
        mine = {trap.at for trap in _board(view).traps if trap.owner == view.seat}
        walls = has_run(bits(sorted(mine | {left})), self.game.max_step)
        chances: dict[Form, float] = {NO_TRAP: float(walls), SET_TRAP: float(not walls)}
        values: dict[Form, float] = {NO_TRAP: value, SET_TRAP: min(value, 0.0) if walls else value}
        turns = turns_left(self.game.turn_limit, view.turn + 1)
        runners = _runs_from(view, race), race.villain
        likely = dict.fromkeys(values, self._rival.race(*runners, turns))
        over = self._rival.nobody_arrives(*runners, turns)
        drawn = frozenset(values) if over else frozenset()
        return Outlook(chances, values, {}, likely=likely, drawn=drawn)


def _race(view: View, *, heros_turn: bool) -> Race:
    """The race as the viewer sees it, who is the hero."""
    assert view.seat is not None
    board, rival = _board(view), other(view.seat)
    been = [e.to for e in view.events if isinstance(e, Moved) and e.by == rival]
    farthest = max((to for to in been if isinstance(to, int)), default=0)
    return Race(board.stand(view.seat), board.stand(rival), farthest, heros_turn)


def _runs_from(view: View, race: Race) -> int:
    """Where the viewer's next move begins: at 0 for one who has just met a trap."""
    turn = view.events[-2:]  # a move, and what came of it
    sprung = any(isinstance(event, Triggered) and event.by == view.seat for event in turn)
    return 0 if sprung else race.hero


def _board(view: View) -> Track:
    assert isinstance(view.board, Track)
    return view.board
