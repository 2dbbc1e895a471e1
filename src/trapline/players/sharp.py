"""The `sharp` opponent: tries every choice in sampled worlds, and takes what went best.

A world is a full state that the player could be in: the hidden part is sampled from all that
fits what it has seen. In each world every choice is played out by brisk, careless players who
know no more than their seats do. The same worlds serve every choice, so that luck cancels out
(Tesauro and Galperin, On-line Policy Improvement using Monte-Carlo Search, 1996). No solution
is needed, so it plays any options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import (
    NO_TRAP,
    SET_TRAP,
    Grid,
    Moved,
    SecretError,
    Track,
    TrapTried,
    Triggered,
    other,
)
from trapline.games import make_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from trapline.core import Cell, Game, Move, Seat, Secret, View

WORLDS = 60
"""Worlds in which each move is tried."""
SECRETS = 40
"""Secrets that are considered, of those the rules allow."""
BUDGET = 2_500
"""Moves that all play-outs of one choice may take together, which bounds the time."""
FAR = {"steps": 60, "cell": 12}
"""A play-out that has gone on for this many moves counts as drawn: runners arrive, a Seeker may
be pushed to and fro for ever."""


def choose(view: View, rng: Random) -> Move | Secret:
    assert view.seat is not None  # only players are asked
    game = make_game(view.game, view.options)
    if view.asks == "secret":
        return _choose_secret(game, view.seat, view.first, rng)
    return rng.choice(best_moves(view, view.legal, rng))


def best_moves(view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
    """Those of the moves that went best in sampled worlds."""
    assert view.seat is not None  # only players are asked
    if len(moves) == 1:
        return moves
    game, me = make_game(view.game, view.options), view.seat
    known = Knowledge.of(game, view, me)
    totals = dict.fromkeys(moves, 0.0)
    spent = 0
    for _ in range(WORLDS):
        state = known.sample_world(rng)
        if state is None:
            break
        seed = rng.random()
        for move in moves:
            result, taken = _play_out(game, game.apply(state, move), known.safe, me, seed, rng)
            totals[move] += result
            spent += taken
        if spent > BUDGET:
            break
    best = max(totals.values())
    return [move for move, total in totals.items() if total == best]


def _choose_secret(game: Game[Any, Any], me: Seat, first: Seat, rng: Random) -> Secret:
    """Successive halving: many secrets are tried a little, the good ones more."""
    rivals = [game.random_secret(other(me), rng) for _ in range(SECRETS)]
    rivals_and_seeds = [(rival, rng.random()) for rival in rivals]
    totals = {game.random_secret(me, rng): 0.0 for _ in range(2 * SECRETS)}
    tried = 0
    spent = 0
    while len(totals) > 3 and tried < SECRETS and spent < BUDGET:
        for rival, seed in rivals_and_seeds[tried : tried + 8]:
            for secret in totals:
                world = {me: secret, other(me): rival}
                nothing: tuple[set[int], set[int]] = (set(), set())
                result, moves = _play_out(game, game.start(first, world), nothing, me, seed, rng)
                totals[secret] += result
                spent += moves
        tried += 8
        ranked = sorted(totals, key=lambda secret: totals[secret], reverse=True)
        totals = {secret: totals[secret] for secret in ranked[: max(3, len(ranked) // 2)]}
    # Whoever always chose the best one could be read like a book.
    return rng.choice(list(totals))


# --- what the player knows, and worlds that fit it --------------------------------------


class Knowledge(NamedTuple):
    game: Game[Any, Any]
    view: View
    me: Seat
    turns: list[list[Move]]
    """What was played; the hidden answers of the other to trap questions are left out."""
    caught: set[int]
    """Where one of the other's traps has caught the player."""
    safe: tuple[set[int], set[int]]
    """Places that each player has found safe (only where traps are fixed)."""
    passed: set[Secret]
    """Cells the other has moved to without winning."""

    @classmethod
    def of(cls, game: Game[Any, Any], view: View, me: Seat) -> Knowledge:
        known = cls(game, view, me, [], set(), (set(), set()), set())
        for event in view.events:
            if isinstance(event, Moved):
                known.turns.append([_move_of(event)])
                if isinstance(event.to, tuple):
                    if event.by != me:
                        known.passed.add(event.to)
                elif game.secret is not None:
                    known.safe[event.by - 1].add(event.to)
            elif isinstance(event, Triggered) and event.by == me:
                known.caught.add(event.at)
            elif isinstance(event, TrapTried):
                known.turns[-1].append(SET_TRAP)
        return known

    def sample_world(self, rng: Random) -> Any | None:
        """A state that the player may be in; None when none was found."""
        for _ in range(50):
            secrets = self._sample_secrets(rng)
            state = self._replay(secrets, rng) if secrets is not None else None
            if state is not None:
                return state
        return None

    def _sample_secrets(self, rng: Random) -> dict[Seat, Secret] | None:
        game, rival = self.game, other(self.me)
        if game.secret is None:
            return {}
        assert self.view.secret is not None  # chosen before the first move
        drawn = game.random_secret(rival, rng)
        if game.secret == "traps":
            drawn = self._fitting_traps(drawn, rng)
        elif drawn in self.passed:
            return None
        try:
            return {self.me: self.view.secret, rival: game.check_secret(rival, drawn)}
        except SecretError:
            return None

    def _fitting_traps(self, drawn: Secret, rng: Random) -> Secret:
        """A drawn set, changed until it holds what it must and nothing that was found safe."""
        harmless = self.safe[self.me - 1] - self.caught
        board = self.view.board
        assert isinstance(board, Track)
        free = [
            place
            for place in range(1, board.length + 1)
            if place not in harmless and place not in self.caught
        ]
        kept = [trap for trap in drawn if trap in free]
        rng.shuffle(kept)
        traps = [*self.caught, *kept][: len(drawn)]
        missing = len(drawn) - len(traps)
        others = [place for place in free if place not in traps]
        return tuple(sorted([*traps, *rng.sample(others, min(missing, len(others)))]))

    def _replay(self, secrets: dict[Seat, Secret], rng: Random) -> Any | None:
        """The state after what was played, if that looks to the player as it did."""
        state = self.game.start(self.view.first, secrets)
        heard: list[Any] = []
        for turn in self.turns:
            now = state.turn
            for move in self._with_answers(turn, state, rng):
                if move not in self.game.legal(state):
                    break
                after = self.game.apply(state, move)
                if state.mover == self.me or not isinstance(move, str):
                    heard += self.game.events(state, move, after)
                state = after
                if state.turn > now:
                    break
            if state.outcome is not None:
                return None
        matches = [event for event in self.view.events if isinstance(event, (Moved, Triggered))]
        return state if [e for e in heard if isinstance(e, (Moved, Triggered))] == matches else None

    def _with_answers(self, turn: list[Move], state: Any, rng: Random) -> Iterator[Move]:
        """A turn's moves, with answers to trap questions where there were any."""
        yield turn[0]
        open_now = self.view.asks == "trap" and turn is self.turns[-1]
        if not self.game.hides_turns or open_now:
            return
        if state.mover == self.me:
            yield turn[1] if len(turn) > 1 else NO_TRAP
        else:
            yield SET_TRAP if rng.random() < 0.5 else NO_TRAP


def _move_of(event: Moved) -> Move:
    if isinstance(event.to, tuple) or isinstance(event.start, tuple):
        assert isinstance(event.to, tuple)
        return event.to
    return abs(event.to - event.start)


# --- playing on -------------------------------------------------------------------------


def _play_out(
    game: Game[Any, Any],
    state: Any,
    safe: tuple[set[int], set[int]],
    me: Seat,
    seed: float,
    rng: Random,
) -> tuple[float, int]:
    """The result for `me` when both play on briskly, and how many moves that took."""
    dice = type(rng)(seed)
    found = (set(safe[0]), set(safe[1]))
    moves = 0
    while state.outcome is None and moves < FAR[game.moves]:
        mover: Seat = state.mover
        move = _brisk_move(game, state, found[mover - 1], dice.random)
        state = game.apply(state, move)
        moves += 1
    if state.outcome is None or state.outcome.winner is None:
        return 0.0, moves
    return (1.0 if state.outcome.winner == me else -1.0), moves


def _brisk_move(
    game: Game[Any, Any], state: Any, safe: set[int], chance: Callable[[], float]
) -> Any:
    """Win if possible, avoid what is known to be bad, and otherwise hurry, mostly."""
    legal = game.legal(state)
    if len(legal) == 1:
        return legal[0]
    mover: Seat = state.mover
    board = game.board(state, mover, False)
    if isinstance(board, Grid):
        return _brisk_cell(board, mover, legal, chance)
    if isinstance(legal[0], str):
        return legal[1] if chance() < 0.6 else legal[0]
    start = 0 if board.returning[mover - 1] else board.positions[mover - 1]
    goal = board.goals[mover - 1]
    way = 1 if goal > start else -1
    bad = {trap.at for trap in board.traps if trap.live and trap.owner != mover}
    options = [step for step in legal if start + way * step not in bad] or legal
    if start + way * options[-1] == goal:
        return options[-1]
    known = [step for step in options if start + way * step in safe]
    if known and chance() < 0.8:
        return known[-1]
    step = options[-1] if chance() < 0.5 else options[int(chance() * len(options))]
    if game.secret == "traps":
        safe.add(start + way * step)
    return step


def _brisk_cell(
    board: Grid, mover: Seat, legal: Sequence[Cell], chance: Callable[[], float]
) -> Cell:
    goal = board.goals[mover - 1]
    assert goal is not None  # one's own goal is always visible
    if goal in legal:
        return goal
    rival_row = 1 if mover == 1 else board.size
    calm = [cell for cell in legal if abs(cell[0] - rival_row) > 1] or legal
    nearest = min(max(abs(r - goal[0]), abs(c - goal[1])) for r, c in calm)
    near = [cell for cell in calm if max(abs(cell[0] - goal[0]), abs(cell[1] - goal[1])) == nearest]
    pool = near if chance() < 0.6 else calm
    return pool[int(chance() * len(pool))]
