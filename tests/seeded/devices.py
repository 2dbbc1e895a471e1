"""The device of a player in a locked match: it knows what is hidden, and opens what it must."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.games import make_game
from trapline.referee.locked.device import Device

if TYPE_CHECKING:
    from random import Random

    from tests.seeded.plan import Story

LIES = 0.05


class OwnDevice:
    def __init__(self, story: Story, match: str, seat: int, chance: Random) -> None:
        self._story = story
        self._match = match
        self._seat = seat
        self._chance = chance
        self._device: Device | None = None

    def lock(self, chosen: list[str]) -> dict[str, Any]:
        """Hide something here, unless it has been hidden, and tell commitments alone."""
        if self._device is None:
            game = make_game(self._story.game, self._story.options)
            question = game.question(game.start(1), self._seat)  # type: ignore[arg-type] # 1 or 2
            assert question is not None  # somebody was asked
            secret = question.parse(" ".join(chosen))
            self._device = Device(game, self._match, self._seat, secret, salt=self._salt)  # type: ignore[arg-type] # likewise
        return {"do": "lock", "locks": self._device.locks()}

    def _salt(self) -> str:
        return self._chance.randbytes(32).hex()

    def open(self, locked: dict[str, Any]) -> dict[str, Any] | None:
        """What opens what is asked for, if it is asked of this device; now and then a lie."""
        awaited, device = locked["awaited"], self._device
        if device is None:
            return None
        if awaited is not None and awaited["seat"] == self._seat:
            place, holds, salt = device.open(awaited["place"], awaited["turn"])
            lies = self._chance.random() < LIES
            return {"do": "open", "place": place, "holds": holds != lies, "salt": salt}
        if self._seat in locked["opening"]:
            told = [one["place"] for one in locked["opened"] if one["seat"] == self._seat]
            rest, salts = device.rest(told)
            return {"do": "open rest", "holds": rest, "salts": salts}
        return None
