"""Where the time of a move goes: the server's own parts, in one process without a network.

Each part is measured by the processor time of the event loop's thread, without what other parts
take within it. What is measured costs a little itself, so the parts say how the whole is divided;
what the whole costs, the other lines of `python -m bench.server` say.
"""

from __future__ import annotations

import asyncio
import functools
import random
import time
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.referee import Match
from trapline.server import connection, socket
from trapline.server.app import create
from trapline.server.messages import NewMatch
from trapline.server.room import Room
from trapline.server.settings import Settings
from trapline.server.store.sqlite import SQLiteStore
from trapline.server.viewing import Viewing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from trapline.server.hub import Hub
    from trapline.server.log import Open

Parts = tuple[tuple[str, Any, str], ...]
PARTS: Parts = (
    ("reading a command", socket, "decode"),
    ("the room: who may do what, the log's entry", Room, "act"),
    ("what stands around the match", Room, "_facts_of_play"),
    ("the referee: reading an answer", Match, "read"),
    ("the referee: carrying it out", Match, "play"),
    ("the referee: how the match stands", Match, "stand"),
    ("the referee: views", Match, "seen"),
    ("comparing views, counting versions", Viewing, "look"),
    ("handing the entry to the writer", SQLiteStore, "append"),
    ("making states and encoding them", Viewing, "_encoded"),
    ("choosing what to send", connection.Connection, "take"),
    ("speaking", socket.Speaker, "_speak"),
)


class Clock:
    """Gives every moment to the part that runs in it, and to no other."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._stack: list[str] = []
        self._since = time.thread_time()

    def _turn(self) -> None:
        now = time.thread_time()
        part = self._stack[-1] if self._stack else "the hub, asyncio itself, and this bench"
        self.spent[part] = self.spent.get(part, 0.0) + now - self._since
        self._since = now

    def follow(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(work)
        def call(*args: Any, **named: Any) -> Any:
            self._turn()
            self._stack.append(name)
            try:
                return work(*args, **named)
            finally:
                self._turn()
                self._stack.pop()

        return call

    def begin(self) -> None:
        self.spent.clear()
        self._since = time.thread_time()

    def end(self) -> None:
        self._turn()


class Wire:
    """A connection whose client reads everything at once."""

    takes_more = True
    transport = None

    def __init__(self) -> None:
        self.told = asyncio.Event()

    def follow(self, _fell_behind: Callable[[], None], _caught_up: Callable[[], None]) -> None:
        pass

    def say(self, _text: bytes) -> None:
        self.told.set()


class Pair:
    """Both players of a match that never ends."""

    def __init__(self, hub: Hub, room: Any, number: int) -> None:
        self._rng = random.Random(number)
        self._room = room
        live = hub.find(room.id)
        if live is None:
            raise RuntimeError("a match that was just opened is not there")
        self._count = 0
        self._wires: dict[int, Any] = {1: Wire(), 2: Wire()}
        self._connections = {seat: hub.places.connect(live, seat, 0, plain=True) for seat in (1, 2)}
        self._ears = {seat: socket.Ear(mine) for seat, mine in self._connections.items()}
        for seat, mine in self._connections.items():
            socket.Speaker(self._wires[seat], mine)

    def _turn(self, question: Any) -> str:
        if question.asks == "secret":
            return str(self._rng.randint(1, 5))
        safe = [answer for answer in question.answers if 1 < answer.record[0] < 5]
        return str(self._rng.choice(safe).text)

    async def move(self) -> None:
        for seat, wire in self._wires.items():
            question = self._room.match.question(seat)
            if question is not None:
                self._count += 1
                version = self._room.version(seat)
                command = {"do": "play", "turn": self._turn(question)}
                frame = {"key": f"k{self._count}", "version": version, "command": command}
                wire.told.clear()
                if not self._ears[seat].hear(msgspec.json.encode(frame)):
                    raise RuntimeError("a move was not carried out at once")
                await wire.told.wait()
                return


async def divide(folder: Path, matches: int = 50, rounds: int = 40) -> list[str]:
    """Lines that say where the time of a move goes."""
    settings = Settings(
        database=f"sqlite:{folder / 'parts.sqlite3'}", commands_per_second=1e9, thinkers=1
    )
    hub = create(settings).state.context.hub
    await hub.store.open(lambda _match, _version: None, lambda _words: None)
    clock = Clock()
    real = [(owner, name, getattr(owner, name)) for _, owner, name in PARTS]
    try:
        for part, owner, name in PARTS:
            setattr(owner, name, clock.follow(part, getattr(owner, name)))
        pairs = [Pair(hub, await _open(hub), number) for number in range(matches)]
        for _ in range(2):  # what is slow only at first is not counted
            clock.begin()
            for _ in range(rounds):
                await asyncio.gather(*(pair.move() for pair in pairs))
            clock.end()
    finally:
        for owner, name, before in real:
            setattr(owner, name, before)
        await hub.store.close()
    total = sum(clock.spent.values())
    moves = matches * rounds
    found = sorted(clock.spent.items(), key=lambda item: -item[1])
    return [
        f"  {part:45} {1e6 * spent / moves:6.1f} µs a move {spent / total:6.0%}"
        for part, spent in found
    ]


async def _open(hub: Hub) -> Any:
    wanted = NewMatch("secret-paths", "here", {"turn_limit": 0}, 1)
    opening: Open = await hub.offers.find(wanted.game).opening(wanted, "key", bot=False)
    return await hub.open_match(opening)
