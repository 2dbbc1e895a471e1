"""Processes that serve: the real application, started, stopped, killed and started again."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

from uvicorn.server import ServerState

from tests.seeded.loop import ProcessLoop
from trapline.server.app import create
from trapline.server.serving import _config
from trapline.server.settings import Settings
from trapline.server.store import StoreError
from trapline.server.wire import Door

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from tests.seeded.world import World
    from trapline.server.hub import Hub

GRACE = 5.0
"""Seconds that conversations have to end when a process stops, as with uvicorn."""
FILES = 10_000
PATIENCE = 30.0
"""Seconds after which a process that does not stop is killed."""


def settings(database: str) -> Settings:
    return Settings(
        database=database,
        pace=0.3,
        turn_seconds=0.1,
        opens_per_minute=1e9,
        asks_per_minute=1e9,
        per_address=100,
        log_level="warning",
    )


class Process:
    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.number = number
        self.started = 0
        self.wall_jump = 0.0
        self.start()

    def start(self) -> None:
        self.started += 1
        name = f"server {self.number}.{self.started}"
        self.loop = ProcessLoop(self.world, name, Random(f"{self.world.plan.seed} {name}"))
        self.loop.wall_offset += self.wall_jump
        self.ready = False
        self.stopping = False
        self.app: Any = None
        self.hub: Hub | None = None
        self._tasks = 0
        """How many the hub has when it has just begun."""
        self._serving: set[asyncio.Task[Any]] = set()
        self._state = ServerState()
        self.loop.start(self._boot())

    async def _boot(self) -> None:
        self.app = create(settings(self.world.database_url))
        self.hub = self.app.state.context.hub
        if self.world.plan.wired:
            store = self.hub.store
            self.app.state.door = Door(
                self.app.state.context.settings, FILES, lambda: store.writing
            )
            self._uvicorn = _config(self.app)
            self._uvicorn.load()
        try:
            await self.hub.start()
        except StoreError:
            self.world.end(self)
            return
        self.ready = True
        self._tasks = len(self.hub.errands)

    def new_protocol(self) -> asyncio.Protocol:
        """Of a connection that somebody has made."""
        made: asyncio.Protocol = self._uvicorn.http_protocol_class(  # type: ignore[call-arg] # it is a protocol
            config=self._uvicorn, server_state=self._state, app_state={}, _loop=self.loop
        )
        return made

    def serve(self, work: Coroutine[Any, Any, None]) -> None:
        task = self.loop.start(work)
        self._serving.add(task)
        task.add_done_callback(self._served)

    def _served(self, task: asyncio.Task[Any]) -> None:
        self._serving.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.world.broken(f"{self.loop.name}: a conversation failed", error)

    def jump(self, seconds: float) -> None:
        self.wall_jump += seconds
        self.loop.wall_offset += seconds

    def stop(self) -> None:
        """As an operator stops it who brings a new version."""
        if self.ready and not self.stopping:
            self.stopping, self.ready = True, False
            self.loop.start(self._stop())

    async def _stop(self) -> None:
        assert self.hub is not None
        try:
            async with asyncio.timeout(PATIENCE):
                await self.hub.goodbye()
                for link in [link for link in self.world.network.links if link.process is self]:
                    link.stop()
                if serving := self._serving | self._state.tasks:
                    await asyncio.wait(serving, timeout=GRACE)
                serving = self._serving | self._state.tasks
                for task in serving:
                    task.cancel()
                await asyncio.gather(*serving, return_exceptions=True)
                await self.hub.stop()
        except TimeoutError:
            self.world.kill(self.loop)
            return
        self._check_nothing_left()
        self.world.end(self)

    def _check_nothing_left(self) -> None:
        assert self.hub is not None
        if self.hub.places.taken:
            self.world.broken(f"{self.loop.name}: {self.hub.places.taken} places are still taken")

    def check_at_rest(self) -> None:
        """Everybody has left long ago: what is still in memory will never leave it."""
        hub = self.hub
        if hub is None or not self.ready:
            return
        thinkers = hub.offers.thinkers
        left = {
            "matches": len(hub._live),
            "matches that are being read": len(hub._loading) + len(hub._coming),
            "words of other processes": len(hub.presences._heard),
            "places": hub.places.taken,
            "addresses": len(hub.places._by_address._held),
            "questions to the coach": thinkers._asked,
            "conversations": len(self._serving | self._state.tasks),
            "tasks": max(0, len(hub.errands) - self._tasks),
        }
        if self.world.plan.wired:  # nobody has been slow with a head, or has sent too much
            door = self.app.state.door
            left |= {"requests given up": door.given_up, "sockets cut": door.cut}
        for what, number in left.items():
            if number:
                self.world.broken(f"{self.loop.name} at rest still holds {number} {what}")
