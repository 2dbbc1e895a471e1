"""Policies of forced results: keep what is guaranteed, and beyond it hope for mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import NO_TRAP, SEATS, SET_TRAP, Moved, Track, other
from trapline.games.track import bits, has_wall
from trapline.games.trap_runner import State as RunnerState
from trapline.solve import situation
from trapline.solve.model import GameModel
from trapline.solve.policy import Outlook, evenly
from trapline.solve.proof import Guarantee, SecretsProof
from trapline.solve.runner import RunnerProof, behind
from trapline.solve.situation import Reflection

if TYPE_CHECKING:
    from trapline.core import Game, Move, Seat, Secret, Trap, View
    from trapline.games.trap_runner import TrapRunner


class ProofPolicy:
    """Plays what guarantees the value whatever is hidden, and hopes for mistakes beyond it."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.limit = getattr(game.options, "turn_limit", 0)
        self.model = GameModel(game, endless=True)
        self._guarantees: dict[Any, Guarantee] = {}

    def guarantee(self, hero: Seat, state: Any = None, holding: int = 0) -> Guarantee:
        """The hero's proof game; drawn anew from a state that the drawn part does not hold."""
        if hero not in self._guarantees:
            self._guarantees[hero] = Guarantee(SecretsProof(self.model, hero), self.limit)
        drawn = self._guarantees[hero]
        if state is None or drawn.holds(state, holding):
            return drawn
        if state not in self._guarantees:
            proof = SecretsProof(self.model, hero, state)
            self._guarantees = {s: g for s, g in self._guarantees.items() if s in SEATS}
            self._guarantees[state] = Guarantee(proof, self.limit)
        return self._guarantees[state]

    def secrets(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:
        reflection = Reflection(self.game, first)
        secrets = self.model.holdings[reflection.seat(seat) - 1]
        mix = self._mix(reflection.seat(seat))
        return {reflection.secret(secrets[i]): chance for i, chance in mix.items()}

    def _mix(self, hero: Seat) -> dict[int, float]:
        """The holdings that guarantee most, and of these the most hopeful ones."""
        hopes = self.guarantee(hero).holdings()
        best = [i for i, hope in hopes.items() if hope > max(hopes.values()) - 1e-9]
        return dict.fromkeys(best, 1 / len(best))

    def secret_values(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:
        reflection = Reflection(self.game, first)
        drawn = self.guarantee(reflection.seat(seat))
        secrets = self.model.holdings[reflection.seat(seat) - 1]
        return {
            reflection.secret(secret): float(drawn.value(self.model.root, index))
            for index, secret in enumerate(secrets)
        }

    def chances(self, view: View) -> dict[Move, float]:
        return self.look(view).chances

    def look(self, view: View) -> Outlook:
        assert view.seat is not None
        reflection = Reflection(self.game, view.first)
        hero = reflection.seat(view.seat)
        villain = other(hero)
        state, masks = self.model.root, (-1, -1)
        likely = self._mix(villain)
        for turn, step in enumerate(
            situation.follow(self.model, situation.turns(view, reflection))
        ):
            if self.model.mover(state) == villain:
                action = self.model.actions(state)[step.action]
                likely = {
                    i: chance * self._chance(villain, state, i, turn, action)
                    for i, chance in likely.items()
                }
            state, masks = step.state, step.masks
        secrets = self.model.holdings
        mine = secrets[hero - 1].index(reflection.secret(view.secret or ()))
        drawn = self.guarantee(hero, state, mine)
        possible = [i for i in range(len(secrets[2 - hero])) if masks[2 - hero] >> i & 1]
        left = {i: likely.get(i, 0.0) for i in possible}
        whole = sum(left.values())
        beliefs = {i: left[i] / whole if whole else 1 / len(possible) for i in possible}
        values = drawn.actions(state, mine, view.turn)
        best = drawn.best(state, mine, view.turn)
        return Outlook(
            evenly({reflection.move(move): hope for move, hope in best.items()}, view.legal),
            {reflection.move(move): float(value) for move, value in values.items()},
            {reflection.secret(secrets[2 - hero][i]): b for i, b in beliefs.items()}
            if self.game.secret
            else {},
        )

    def _chance(self, seat: Seat, state: Any, holding: int, turn: int, action: Any) -> float:
        """How often the solution makes a move with a holding; 1 where that is not known."""
        drawn = self.guarantee(seat)
        if not drawn.holds(state, holding):
            return 1.0
        if max(drawn.actions(state, holding, turn).values()) < 0:
            return 1.0  # lost: then it is up to the player what to hope for
        actions = self.model.actions(state)
        return evenly(drawn.best(state, holding, turn), actions)[action]


class RunnerPolicy:
    """Trap Runner: the proof game gives the steps; a trap behind one's back costs nothing."""

    def __init__(self, game: TrapRunner) -> None:
        self.game = game
        self._guarantees: dict[Any, Guarantee] = {}

    def guarantee(self, hero: Seat, state: RunnerState | None = None) -> Guarantee:
        if hero not in self._guarantees:
            proof = RunnerProof(self.game, hero)
            self._guarantees[hero] = Guarantee(proof, self.game.options.turn_limit)
        drawn = self._guarantees[hero]
        if state is None or drawn.holds(state, 0):
            return drawn
        proof = RunnerProof(self.game, hero, state)
        return Guarantee(proof, self.game.options.turn_limit)

    def secrets(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:  # noqa: ARG002
        return {}

    def secret_values(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:  # noqa: ARG002
        return {}

    def chances(self, view: View) -> dict[Move, float]:
        return self.look(view).chances

    def look(self, view: View) -> Outlook:
        assert view.seat is not None
        hero = Reflection(self.game, view.first).seat(view.seat)
        if view.asks == "trap":
            return self._answer(view, hero)
        state = self._state(view, hero, hero)
        drawn = self.guarantee(hero, state)
        values = drawn.actions(state, 0, view.turn)
        best = drawn.best(state, 0, view.turn)
        floats = {move: float(value) for move, value in values.items()}
        return Outlook(evenly(best, view.legal), floats, {})

    def _answer(self, view: View, hero: Seat) -> Outlook:
        """Set every trap, except one that makes a wall: both walled off would be a draw."""
        state = self._state(view, hero, other(hero))
        value = float(self.guarantee(hero, state).value(state, 0, view.turn + 1))
        left = next(e.start for e in reversed(view.events) if isinstance(e, Moved))
        mine = {trap.at for trap in self._traps(view) if trap.owner == view.seat}
        walls = has_wall(bits(mine | {left}), self.game.options.max_step)  # type: ignore[arg-type]
        chances: dict[Move, float] = {NO_TRAP: float(walls), SET_TRAP: float(not walls)}
        return Outlook(chances, {NO_TRAP: value, SET_TRAP: min(value, 0.0) if walls else value}, {})

    @staticmethod
    def _traps(view: View) -> tuple[Trap, ...]:
        assert isinstance(view.board, Track)
        return view.board.traps

    def _state(self, view: View, hero: Seat, mover: Seat) -> RunnerState:
        """Where both stand, and everything behind the villain's farthest square in doubt."""
        assert isinstance(view.board, Track)
        rival = other(view.seat or 1)
        there = [e.to for e in view.events if isinstance(e, Moved) and e.by == rival]
        farthest = max((to for to in there if isinstance(to, int)), default=0)
        mine, theirs = view.board.positions, view.board.returning
        if view.first == 2:
            mine, theirs = (mine[1], mine[0]), (theirs[1], theirs[0])
        traps = (0, behind(farthest)) if hero == 1 else (behind(farthest), 0)
        back = (int(theirs[0]), int(theirs[1]))
        return RunnerState(mover, 0, None, mine, back, traps, (0, 0), (0, 0), 0)
