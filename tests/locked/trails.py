"""Locked matches of Trap Runner, played by two devices beside the same matches played openly."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from tests.locked.playing import drawn_salt
from trapline.boards import Track
from trapline.core import SEATS
from trapline.games import make_game
from trapline.referee import Match
from trapline.referee.locked.turns.device import TrailDevice
from trapline.referee.locked.turns.match import LockedTurns

if TYPE_CHECKING:
    from trapline.core import Form, Seat, View

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"length": 7, "max_step": 2, "turn_limit": 80},
    {"length": 5, "max_step": 1},
)


def perform(match: LockedTurns, seat: Seat, command: dict[str, Any]) -> None:
    """Let the referee hear what a device says."""
    said = dict(command)
    getattr(match, said.pop("do").replace(" ", "_"))(seat, **said)


def hiding(device: TrailDevice, view: View, answer: Form) -> dict[str, Any]:
    """What a device sends for the hidden answer of a turn."""
    board, seat = view.board, view.seat
    assert isinstance(board, Track)
    assert board.left is not None
    assert seat is not None
    contested = board.left in board.doubt[seat - 1]
    return device.hide(view.turn, board.left, answer, contested=contested)


class Trails:
    def __init__(self, options: dict[str, Any], rng: Random, first: Seat | None = None) -> None:
        self.game = make_game("trap-runner", options)
        begins = first or rng.choice(SEATS)
        self.locked = LockedTurns(self.game, begins, match_id=f"{rng.getrandbits(64):016x}")
        self.open = Match(self.game, begins)
        self.devices = {seat: self.device(seat, drawn_salt(rng)) for seat in SEATS}

    def device(self, seat: Seat, seed: str) -> TrailDevice:
        return TrailDevice(self.game, self.locked.id, seat, seed=seed)

    def give(self, answer: Form) -> None:
        """The same answer in both."""
        seat = self.open.to_move
        assert seat is not None
        sealed = self.open.question(seat).sealed  # type: ignore[union-attr]  # whoever is to move is asked
        self.open.play(seat, answer)
        if sealed:
            perform(self.locked, seat, hiding(self.devices[seat], self.locked.view(seat), answer))
        else:
            self.locked.play(seat, answer)

    def turn(self, *answers: Form) -> None:
        for answer in answers:
            self.give(answer)
            self.respond()

    def move(self, rng: Random) -> None:
        """A random answer, with a taste for traps."""
        seat = self.open.to_move
        assert seat is not None
        question = self.open.question(seat)
        assert question is not None
        last = question.sealed and rng.random() < 0.5
        value = question.answers[-1].value if last else question.random(rng)
        self.give(question.record(value))

    def respond(self) -> None:
        while (awaited := self.locked.awaited) is not None:
            command = self.devices[awaited.seat].respond(awaited, self.locked.commitments)
            perform(self.locked, awaited.seat, command)

    def open_the_rest(self) -> None:
        for seat in self.locked.opening:
            perform(self.locked, seat, self.devices[seat].rest())


def finished(options: dict[str, Any], seed: int) -> Trails:
    rng = Random(seed)
    both = Trails(options, rng)
    while both.locked.decided is None:
        both.move(rng)
        both.respond()
    both.open_the_rest()
    return both


def both_on_two(*, first_sets: bool) -> Trails:
    """Player 2 is to decide about square 2, on which both stood and which Player 1 left first."""
    both = Trails({}, Random(7), first=1)
    both.turn(2)
    both.turn(2)
    both.turn(1, "t" if first_sets else "n")
    both.turn(2)
    return both
