"""In the place of asyncpg: connections and pools to the simulated database.

A statement arrives a moment after it was sent and its answer a moment later; a connection may be
lost at any time in between, with a word or without one.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import asyncpg

from tests.seeded.system import here

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.seeded.database import Database

WAYS_TO_BE_LOST: tuple[Callable[[], Exception], ...] = (
    lambda: asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
    lambda: asyncpg.InternalClientError("got result for unknown protocol state"),
    lambda: asyncpg.InterfaceError("connection is closed"),
    lambda: asyncpg.AdminShutdownError("terminating connection due to administrator command"),
    lambda: ConnectionResetError("connection reset by peer"),
)


class Connection:
    def __init__(self, database: Database, timeout: float) -> None:
        self._database = database
        self._loop = here()
        self._timeout = timeout
        self._asked: dict[asyncio.Future[Any], None] = {}
        self._listeners: dict[str, Callable[..., None]] = {}
        self._endings: list[Callable[..., None]] = []
        self._told_until = 0.0
        self._silent = False
        self.channels: set[str] = set()
        self.lost = False
        database.connections.append(self)

    # --- what the store calls -----------------------------------------------------------

    async def fetch(self, statement: str, *values: Any) -> Any:
        return await self._ask(statement, values)

    async def execute(self, statement: str, *values: Any) -> str:
        await self._ask(statement, values)
        return ""

    async def fetchval(self, statement: str, *values: Any) -> Any:
        rows = await self._ask(statement, values)
        return rows[0][0] if rows else None

    def transaction(self) -> Transaction:
        return Transaction(self)

    async def add_listener(self, channel: str, hear: Callable[..., None]) -> None:
        self._listeners[channel] = hear
        await self._ask(f"LISTEN {channel}", ())

    def add_termination_listener(self, hear: Callable[..., None]) -> None:
        self._endings.append(hear)

    async def close(self, timeout: float | None = None) -> None:
        self.terminate()

    def terminate(self) -> None:
        if not self.lost:
            self.lose(silently=False)

    # --- the way there and back ---------------------------------------------------------

    def _ask(self, statement: str, values: tuple[Any, ...]) -> asyncio.Future[Any]:
        return self.send(lambda: self._database.answer(self, statement, values))

    def send(self, work: Callable[[], Any]) -> asyncio.Future[Any]:
        answer = self._loop.create_future()
        if self.lost:
            self._fail(answer)
            return answer
        self._asked[answer] = None
        database = self._database
        there, back = database.pause(), database.pause()
        if there + back > self._timeout:
            self._loop.call_later(self._timeout, self._too_late, answer)
        database.outside.call_later(there, self._arrive, work, answer, back)
        return answer

    def _too_late(self, answer: asyncio.Future[Any]) -> None:
        if not answer.done():
            answer.set_exception(TimeoutError())

    def _arrive(self, work: Callable[[], Any], answer: asyncio.Future[Any], back: float) -> None:
        if not self.lost:
            self._database.run(self, lambda: self._carry_out(work, answer, back))

    def _carry_out(self, work: Callable[[], Any], answer: asyncio.Future[Any], back: float) -> None:
        if self.lost:
            return
        try:
            self._loop.call_later(back, self._give, answer, work())
        except asyncpg.PostgresError as error:
            self._loop.call_later(back, self._refuse, answer, error)

    def _give(self, answer: asyncio.Future[Any], value: Any) -> None:
        self._asked.pop(answer, None)
        if not answer.done() and not self.lost:
            answer.set_result(value)

    def _refuse(self, answer: asyncio.Future[Any], error: Exception) -> None:
        self._asked.pop(answer, None)
        if not answer.done() and not self.lost:
            answer.set_exception(error)

    def _fail(self, answer: asyncio.Future[Any]) -> None:
        if self._loop.dead or answer.done():
            return
        if self._silent:
            self._loop.call_later(self._timeout, self._too_late, answer)
        else:
            answer.set_exception(self._database.chance.choice(WAYS_TO_BE_LOST)())

    def tell(self, channel: str, text: str) -> None:
        """A notification, after those before it."""
        when = max(self._told_until, self._loop.time() + self._database.lag())
        self._told_until = when
        self._loop.call_at(when, self._hear, channel, text)

    def _hear(self, channel: str, text: str) -> None:
        if not self.lost:
            self._listeners[channel](self, 0, channel, text)

    def lose(self, *, silently: bool) -> None:
        self.lost = True
        self._silent = silently
        self._database.connections.remove(self)
        self._database.end(self, keep=False)
        for answer in list(self._asked):
            self._fail(answer)
        if not silently and not self._loop.dead:
            for hear in self._endings:
                self._loop.call_soon(hear, self)


class Transaction:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def __aenter__(self) -> None:
        connection = self._connection
        await connection.send(lambda: connection._database.begin(connection))

    async def __aexit__(self, kind: object, *_: object) -> None:
        connection, keep = self._connection, kind is None
        await connection.send(lambda: connection._database.end(connection, keep=keep))


class Pool:
    def __init__(self, most: int, connect: Callable[[], Any]) -> None:
        self._connect = connect
        self._places = asyncio.Semaphore(most)
        self._idle: list[Connection] = []

    def acquire(self) -> Acquired:
        return Acquired(self)

    async def take(self) -> Connection:
        await self._places.acquire()
        try:
            while self._idle:
                connection = self._idle.pop()
                if not connection.lost or connection._silent:
                    return connection
            fresh: Connection = await self._connect()
        except BaseException:
            self._places.release()
            raise
        return fresh

    def give_back(self, connection: Connection) -> None:
        if not connection.lost:
            self._idle.append(connection)
        self._places.release()

    async def fetch(self, statement: str, *values: Any) -> Any:
        async with self.acquire() as connection:
            return await connection.fetch(statement, *values)

    async def close(self) -> None:
        self.terminate()

    def terminate(self) -> None:
        for connection in self._idle:
            connection.terminate()


class Acquired:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def __aenter__(self) -> Connection:
        self._connection = await self._pool.take()
        return self._connection

    async def __aexit__(self, *_: object) -> None:
        self._pool.give_back(self._connection)


class Driver:
    """The names of asyncpg that the store uses; all others are asyncpg's own."""

    @staticmethod
    async def connect(
        _url: str, *, timeout: float, command_timeout: float, **_settings: Any
    ) -> Connection:
        database = here().world.database
        pause = database.pause()
        await asyncio.sleep(min(pause, timeout))
        if pause > timeout:
            raise TimeoutError
        if database.down:
            raise database.chance.choice(
                (
                    ConnectionRefusedError("connection refused"),
                    asyncpg.CannotConnectNowError("the database system is starting up"),
                )
            )
        return Connection(database, command_timeout)

    @staticmethod
    async def create_pool(url: str, *, max_size: int, **settings: Any) -> Pool:
        return Pool(max_size, lambda: Driver.connect(url, **settings))

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncpg, name)
