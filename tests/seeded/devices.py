"""The device of a player in a locked match: it knows what is hidden, and opens what it must."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.games import make_game
from trapline.referee.locked.device import Device
from trapline.referee.locked.evidence import Awaited
from trapline.referee.locked.turns.device import TrailDevice

if TYPE_CHECKING:
    from random import Random

    from tests.seeded.plan import Story
    from trapline.core import Seat

LIES = 0.05


class OwnDevice:
    def __init__(self, story: Story, match: str, seat: int, chance: Random) -> None:
        self._game = make_game(story.game, story.options)
        self._match = match
        self._seat: Seat = 2 if seat == 2 else 1
        self._chance = chance
        self._device: Device | None = None
        self._trail: TrailDevice | None = None

    def _salt(self) -> str:
        return self._chance.randbytes(32).hex()

    def lock(self, view: dict[str, Any], chosen: list[str]) -> dict[str, Any]:
        """Hide something here, and tell commitments alone."""
        if view["question"]["asks"] != "secret":
            return self._leave(view, chosen[0])
        if self._device is None:
            question = self._game.question(self._game.start(1), self._seat)
            assert question is not None  # somebody was asked
            secret = question.parse(" ".join(chosen))
            self._device = Device(self._game, self._match, self._seat, secret, salt=self._salt)
        return {"do": "lock", "locks": self._device.locks()}

    def _leave(self, view: dict[str, Any], chosen: str) -> dict[str, Any]:
        if self._trail is None:
            self._trail = TrailDevice(self._game, self._match, self._seat, seed=self._salt())
        board, turn = view["board"], view["turn"]
        place, contested = board["left"], board["left"] in board["doubt"][self._seat - 1]
        said = self._trail.said(turn)
        answer = said or ("t" if chosen == "y" and place not in self._trail.lies else "n")
        return self._trail.hide(turn, place, answer, contested=contested)

    def open(self, table: dict[str, Any]) -> dict[str, Any] | None:
        """What opens what is asked for, if it is asked of this device; now and then a lie."""
        locked = table["locked"]
        awaited, asked = locked["awaited"], locked["awaited"] and locked["awaited"]["seat"]
        if self._trail is not None and asked == self._seat:
            said = msgspec.convert(awaited, Awaited)
            return self._trail.respond(said, table["commitments"])
        if self._trail is not None:
            return self._trail.rest() if self._seat in locked["opening"] else None
        return self._open(locked, self._device) if self._device is not None else None

    def _open(self, locked: dict[str, Any], device: Device) -> dict[str, Any] | None:
        awaited = locked["awaited"]
        if awaited is not None and awaited["seat"] == self._seat:
            place, holds, salt = device.open(awaited["place"], awaited["turn"])
            lies = self._chance.random() < LIES
            return {"do": "open", "place": place, "holds": holds != lies, "salt": salt}
        if self._seat in locked["opening"]:
            told = [one["place"] for one in locked["opened"] if one["seat"] == self._seat]
            rest, salts = device.rest(told)
            return {"do": "open rest", "holds": rest, "salts": salts}
        return None
