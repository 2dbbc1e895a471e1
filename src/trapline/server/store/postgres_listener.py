"""A connection that hears what other processes wrote or said, and comes back when it is lost."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING

import asyncpg

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from trapline.server.store import Notice, Whisper

VERSIONS = "trapline_versions"
"""Carries pairs MATCH:VERSION, never what they hold."""
WORDS = "trapline_words"
LOST = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
HEARTBEAT = 15.0
"""A connection that was cut without a word is noticed by asking it something, in seconds."""


class Listener:
    def __init__(
        self,
        connect: Callable[[], Awaitable[asyncpg.Connection]],
        me: str,
        notice: Notice,
        whisper: Whisper,
    ) -> None:
        self._connect = connect
        self.me = me
        """Stands before everything this process sends, and is how it knows its own words."""
        self._notice = notice
        self._whisper = whisper
        self._task: asyncio.Future[None] | None = None

    async def start(self) -> None:
        connection, lost = await self._listen()
        self._task = asyncio.ensure_future(self._stay(connection, lost))

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _listen(self) -> tuple[asyncpg.Connection, asyncio.Event]:
        connection = await self._connect()
        lost = asyncio.Event()
        try:
            connection.add_termination_listener(lambda *_: lost.set())
            await connection.add_listener(VERSIONS, self._hear_versions)
            await connection.add_listener(WORDS, self._hear_words)
        except BaseException:
            connection.terminate()
            raise
        return connection, lost

    async def _stay(self, connection: asyncpg.Connection, lost: asyncio.Event) -> None:
        try:
            while True:
                await _until_lost(connection, lost)
                connection.terminate()
                connection, lost = await self._listen_again()
                self._notice("", 0)
        finally:
            connection.terminate()

    async def _listen_again(self) -> tuple[asyncpg.Connection, asyncio.Event]:
        pause = 0.05
        while True:
            try:
                return await self._listen()
            except LOST:
                await asyncio.sleep(pause)
                pause = min(2 * pause, 2.0)

    def _hear_versions(self, _connection: object, _pid: int, _channel: str, news: object) -> None:
        sender, *pairs = str(news).split(" ")
        if sender != self.me:
            for pair in pairs:
                match, _, version = pair.rpartition(":")
                self._notice(match, int(version))

    def _hear_words(self, _connection: object, _pid: int, _channel: str, words: object) -> None:
        sender, _, text = str(words).partition(" ")
        if sender != self.me:
            self._whisper(base64.b64decode(text))


async def _until_lost(connection: asyncpg.Connection, lost: asyncio.Event) -> None:
    while not lost.is_set():
        try:
            await asyncio.wait_for(lost.wait(), HEARTBEAT)
        except TimeoutError:
            try:
                await connection.execute("SELECT 1")
            except LOST:
                return
