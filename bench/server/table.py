"""A match and all who are connected to it, for a driver."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from bench.server.client import Player

if TYPE_CHECKING:
    from bench.server.client import Seen


class Table:
    """A match whose two seats are held by one, and all who are connected to it.

    Whoever is waited for is counted, so that a large crowd costs the driver no more than reading.
    """

    def __init__(self, address: str, match: str, cookie: str) -> None:
        self._address, self._match, self._cookie = address, match, cookie
        self.turns: dict[Player, int] = {}
        self._joining: dict[Player, asyncio.Future[None]] = {}
        self._behind: set[Player] = set()
        self._all_there: asyncio.Future[None] | None = None

    async def join(self, seat: int) -> Player:
        host, port = self._address.split(":")
        path = f"/api/matches/{self._match}/socket?plain=1&seat={seat}"
        loop = asyncio.get_running_loop()
        player = Player(path, self._cookie, self._hear)
        there = self._joining[player] = loop.create_future()
        await loop.create_connection(lambda: player, host, int(port))
        await there
        return player

    def _hear(self, player: Player, seen: Seen) -> None:
        if seen.type != "state":
            return
        self.turns[player] = seen.version
        self._behind.discard(player)
        if (joined := self._joining.pop(player, None)) is not None:
            joined.set_result(None)
        if self._all_there is not None and not self._behind and not self._all_there.done():
            self._all_there.set_result(None)

    async def move(self, player: Player, number: int) -> float:
        """Seconds from sending a move until the last one has seen it."""
        self._behind = set(self.turns)
        self._all_there = asyncio.get_running_loop().create_future()
        begun = time.perf_counter()
        command = '{"do":"play","turn":"1"}'
        version = self.turns[player]
        player.say(f'{{"key":"k{number}","version":{version},"command":{command}}}'.encode())
        await self._all_there
        return time.perf_counter() - begun
