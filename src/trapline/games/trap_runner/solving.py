"""Trap Runner solved: the hero sets no traps, the villain may have set them all.

Traps are hidden decisions of the whole game, too many to follow. But the villain can have
traps only on squares the villain has left, so let every square behind the villain be
trapped or not as the villain likes, each time it is landed on; and let the hero do without
traps of their own. Both only help the villain, and what remains is two positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.boards.track import Track, bits
from trapline.core import SEATS, Moved, has_run, other
from trapline.games.tracks import with_item
from trapline.games.trap_runner.game import NO_TRAP, SET_TRAP, State, TrapRunner
from trapline.games.trap_runner.longest import LongestRun
from trapline.solve.forced import ForcedSolution, forced_facts, meeting, restored
from trapline.solve.guarantee import Consequence, Guarantee
from trapline.solve.interface import Outlook, evenly, payoff
from trapline.solve.mirror import Mirror
from trapline.solve.sentences import always_largest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Form, Question, Seat, View
    from trapline.solve.interface import Facts, Request

NO_ANSWER, YES = 0, 1


def behind(square: int) -> int:
    """All squares between 0 and a square: where somebody who came that far may have traps."""
    return (1 << max(square, 1)) - 2


class RunnerProof:
    """A State here has, in place of the villain's traps, the squares that may hold one."""

    holdings: Sequence[int] = (0,)

    def __init__(self, game: TrapRunner, hero: Seat, root: State | None = None) -> None:
        self.game = game.endless()
        self.hero = hero
        self.villain = other(hero)
        self.root = root or self.game.start(1)

    def mover(self, state: State) -> Seat:
        return 2 if state.mover == 2 else 1

    def question(self, state: State) -> Question:
        found = self.game.question(state, self.mover(state))
        assert found is not None
        return found

    def actions(self, state: State) -> Sequence[int]:
        return tuple(self.question(state).values())

    def consequences(self, state: State, action: int, holding: int) -> list[Consequence]:
        possible = state.traps[self.villain - 1]
        clear = msgspec.structs.replace(state, traps=(0, 0))
        if state.mover == self.villain:
            after = self._turn(clear, action)
            return [self._open(after, possible | behind(after.positions[self.villain - 1]))]
        results = {self._turn(clear, action), self._turn(state, action)}
        return [self._open(after, possible) for after in sorted(results, key=_unharmed)]

    def _turn(self, state: State, steps: int) -> State:
        """A whole turn without a trap, and nothing remembered of traps."""
        seat = self.mover(state)
        after = self.game.apply(state, seat, steps)
        if after.step:
            after = self.game.apply(after, seat, NO_ANSWER)
        none = (0, 0)
        return msgspec.structs.replace(
            after, turn=0, traps=none, sprung=none, found=none, doubt=none, seen_doubt=none
        )

    def _open(self, after: State, possible: int) -> Consequence:
        if after.outcome is not None:
            return Consequence(None, payoff(after.outcome), 1.0)
        traps = with_item((0, 0), self.villain, possible)
        return Consequence(msgspec.structs.replace(after, traps=traps), 0.0, 1.0)


def _unharmed(state: State) -> tuple[int, int]:
    return state.returning


class RunnerMethod:
    """Right for Trap Runner alone; falls short where the guarantees of both do not meet."""

    name = "runner"

    def __init__(self, game: TrapRunner) -> None:
        self.game = game

    def solve(self, request: Request) -> ForcedSolution | None:
        policy = RunnerPolicy(self.game)
        forced = {seat: policy.guarantee(seat) for seat in SEATS}
        worth = meeting(forced)
        if worth is None:
            return None
        facts = forced_facts(
            self.game, 1, self.name, request, worth, forced, {1: [], 2: []}, self._how
        )
        return ForcedSolution(self.game, facts, policy)

    def restore(self, facts: Facts, data: bytes) -> ForcedSolution | None:
        return restored(self.solve, facts, data)

    @staticmethod
    def _how(_winner: Seat, guarantee: Guarantee) -> str:
        longest = guarantee.nearest() > 1 and always_largest(guarantee)
        return " by always making the longest move" if longest else ""


class RunnerPolicy:
    """The proof game gives the steps; a trap behind one's back costs nothing."""

    def __init__(self, game: TrapRunner) -> None:
        self.game = game
        self._guarantees: dict[Any, Guarantee] = {}

    def guarantee(self, hero: Seat, state: State | None = None) -> Guarantee:
        if hero not in self._guarantees:
            proof = RunnerProof(self.game, hero)
            self._guarantees[hero] = Guarantee(proof, self.game.turn_limit)
        drawn = self._guarantees[hero]
        if state is None or drawn.holds(state, 0):
            return drawn
        return Guarantee(RunnerProof(self.game, hero, state), self.game.turn_limit)

    def machine(self, role: Seat) -> LongestRun:
        return LongestRun(self.game, role)

    def chances(self, view: View) -> dict[Form, float]:
        return self.look(view).chances

    def look(self, view: View) -> Outlook:
        assert view.seat is not None
        hero = Mirror(self.game, view.first).seat(view.seat)
        if view.asks == self.game.trapping.asks:
            return self._answer(view, hero)
        state = self._state(view, hero, hero)
        drawn = self.guarantee(hero, state)
        values = {a: float(v) for a, v in drawn.actions(state, 0, view.turn).items()}
        best = drawn.best(state, 0, view.turn)
        return Outlook(evenly(best, view.legal), {a: values[a] for a in values}, {})

    def _answer(self, view: View, hero: Seat) -> Outlook:
        """Set every trap, except one that makes a wall: both walled off would be a draw."""
        state = self._state(view, hero, other(hero))
        value = float(self.guarantee(hero, state).value(state, 0, view.turn + 1))
        if len(view.legal) == 1:
            return Outlook({NO_TRAP: 1.0}, {NO_TRAP: value}, {})
        left = next(e.start for e in reversed(view.events) if isinstance(e, Moved))
        assert isinstance(left, int)
        mine = {trap.at for trap in _board(view).traps if trap.owner == view.seat}
        walls = has_run(bits(sorted(mine | {left})), self.game.max_step)
        chances: dict[Form, float] = {NO_TRAP: float(walls), SET_TRAP: float(not walls)}
        return Outlook(chances, {NO_TRAP: value, SET_TRAP: min(value, 0.0) if walls else value}, {})

    def _state(self, view: View, hero: Seat, mover: Seat) -> State:
        """Where both stand, and everything behind the villain's farthest square in doubt."""
        board = _board(view)
        rival = other(view.seat or 1)
        there = [e.to for e in view.events if isinstance(e, Moved) and e.by == rival]
        farthest = max((to for to in there if isinstance(to, int)), default=0)
        stand, back = board.positions, board.returning
        if view.first == 2:
            stand, back = (stand[1], stand[0]), (back[1], back[0])
        traps = (0, behind(farthest)) if hero == 1 else (behind(farthest), 0)
        returning = (int(back[0]), int(back[1]))
        none = (0, 0)
        return State(mover, 0, None, stand, returning, traps, none, none, 0, none, none)


def _board(view: View) -> Track:
    assert isinstance(view.board, Track)
    return view.board
