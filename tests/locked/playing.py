"""Locked matches played to their end by two devices, beside the same matches played openly."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from trapline.core import SEATS, Seat
from trapline.games import make_game
from trapline.referee import Match, Record, parse_record
from trapline.referee.locked.device import Device
from trapline.referee.locked.secrets import LockedSecrets

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("hidden-path", {}),
    ("hidden-path", {"length": 6, "traps": 2, "goal_traps": False, "walls": False}),
    ("trap-builder", {"length": 8, "traps": 2}),
    ("trap-builder", {"length": 8, "traps": 2, "trigger": "passing"}),
    ("secret-paths", {"turn_limit": 30}),
)


def drawn_salt(rng: Random) -> str:
    return f"{rng.getrandbits(256):064x}"


class Devices:
    """A locked match, and the devices that answer it."""

    def __init__(self, name: str, options: dict[str, Any], rng: Random) -> None:
        self.game = make_game(name, options)
        first = rng.choice(SEATS)
        self.locked = LockedSecrets(self.game, first, match_id=f"{rng.getrandbits(64):016x}")
        self.open = Match(self.game, first)
        self.devices: dict[Seat, Device] = {}
        for seat in SEATS:
            question = self.open.question(seat)
            assert question is not None
            secret = question.record(question.random(rng))
            salt = partial(drawn_salt, rng)
            self.devices[seat] = Device(self.game, self.locked.id, seat, secret, salt=salt)
            self.open.play(seat, secret)

    def lock(self) -> None:
        for seat, device in self.devices.items():
            self.locked.lock(seat, device.locks())

    def answer(self) -> None:
        """Let the devices open what is asked for."""
        while (asked := self.locked.awaited) is not None:
            self.locked.open(asked.seat, *self.devices[asked.seat].open(asked.place, asked.turn))

    def move(self, rng: Random) -> None:
        """The same random move in both."""
        seat = self.locked.to_move
        assert seat is not None
        question = self.locked.question(seat)
        assert question is not None
        form = question.record(question.random(rng))
        self.open.play(seat, form)
        self.locked.play(seat, form)

    def open_the_rest(self) -> None:
        for seat in self.locked.opening:
            known = self.locked.boxes[seat].known
            self.locked.open_rest(seat, *self.devices[seat].rest(known))


def finished(name: str, options: dict[str, Any], seed: int) -> Devices:
    rng = Random(seed)
    both = Devices(name, options, rng)
    both.lock()
    while both.locked.decided is None:
        both.move(rng)
        both.answer()
    both.open_the_rest()
    return both


def written(match: LockedSecrets) -> Record:
    """The record as whoever reads the file has it."""
    return parse_record(match.record().to_json().encode())
