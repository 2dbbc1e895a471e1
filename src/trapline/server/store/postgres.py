"""Matches in PostgreSQL, for several processes at once: each hears what the others write."""

from __future__ import annotations

import asyncio
import base64
import secrets
from typing import TYPE_CHECKING, Any, TypeVar

from trapline.server.store import Append, StoreError, Summary, check_match, is_match_name
from trapline.server.store.migrations import NEWEST, POSTGRES, RECORD, missing

try:
    import asyncpg
except ImportError:
    raise StoreError(
        "A PostgreSQL database needs asyncpg: pip install 'trapline[postgres]'."
    ) from None

from trapline.server.store.postgres_listener import WORDS, Listener
from trapline.server.store.postgres_writer import Writer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from trapline.server.store import Listing, Notice, Whisper

T = TypeVar("T")

LOST = (
    OSError,  # refused, reset, timed out, no such socket
    asyncpg.InterfaceError,  # the connection was closed before the call
    asyncpg.InternalClientError,  # or in the middle of one
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # the server stops, or is not ready yet
    asyncpg.TransactionRollbackError,  # a deadlock was broken at our cost
    asyncpg.TooManyConnectionsError,
)
"""What may be over in a moment, so that it is worth another try."""

ONE_AT_A_TIME = 5_472_617_072_311_893_613
"""The advisory lock under which tables are made; any number that nobody else uses."""
LONGEST_WORDS = 2000

TIME = "SELECT extract(epoch FROM clock_timestamp())"
KEEP_ONCE = "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING"
KEEP = """INSERT INTO facts (name, value) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value"""


class PostgresStore:
    shared = True
    writing = False
    """No thread does: the event loop itself speaks to the database."""

    def __init__(self, url: str, patience: float = 10.0) -> None:
        """`patience`: for how many seconds to wait for a database that cannot be reached."""
        self.url = url
        self.patience = patience
        self._settings = {"application_name": "trapline"}
        self._pool: asyncpg.Pool | None = None

    async def open(self, notice: Notice, whisper: Whisper) -> None:
        try:
            await self.patiently(self._prepare)
            listener = Listener(self._connect, secrets.token_hex(8), notice, whisper)
            await self.patiently(listener.start)
        except (ValueError, asyncpg.ClientConfigurationError):
            raise StoreError(
                "This is no address of a database; postgresql://USER@HOST/NAME would be one."
            ) from None
        self._listener = listener
        self._pool = await asyncpg.create_pool(
            self.url,
            min_size=0,
            max_size=4,
            timeout=self.patience,
            command_timeout=self.patience,
            server_settings=self._settings,
            reset=_leave_as_it_is,
        )
        self._writer = Writer(self._pool, self.patiently, listener.me)

    async def _prepare(self) -> None:
        """Bring the tables up to date; of several processes one does it and the others wait."""
        connection = await self._connect()
        try:
            async with connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock($1)", ONE_AT_A_TIME)
                await connection.execute(RECORD)
                for statement in missing(POSTGRES, await connection.fetchval(NEWEST)):
                    await connection.execute(statement)
            # A database may be set up to answer before it has written. A move must not be lost.
            if await connection.fetchval("SHOW synchronous_commit") == "off":
                self._settings["synchronous_commit"] = "on"
        finally:
            await connection.close(timeout=1)

    async def _connect(self) -> asyncpg.Connection:
        return await asyncpg.connect(
            self.url,
            timeout=self.patience,
            command_timeout=self.patience,
            server_settings=self._settings,
        )

    async def close(self) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await self._writer.stop()
            await self._listener.stop()
            try:
                await asyncio.wait_for(pool.close(), 5)
            except LOST:
                pool.terminate()

    def append(
        self,
        match: str,
        version: int,
        entry: bytes,
        *,
        game: str,
        over: bool,
        at: str,
        listing: Listing = "",
    ) -> asyncio.Future[None]:
        if version == 1:
            check_match(match)
        self._open_pool()
        return self._writer.ask(Append(match, version, entry, game, over, at, listing))

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        if not is_match_name(match):
            return []
        rows = await self._fetch(
            """SELECT entry FROM entries WHERE match_id = $1 AND version > $2::bigint
               ORDER BY version""",
            match,
            after,
        )
        return [entry for (entry,) in rows]

    async def summaries(
        self, *, over: bool | None = None, changed_before: str | None = None, limit: int = 1000
    ) -> list[Summary]:
        rows = await self._fetch(
            """SELECT match_id, game, opened, changed, entries, over FROM matches
               WHERE ($1::boolean IS NULL OR over = $1) AND ($2::text IS NULL OR changed < $2)
               ORDER BY changed DESC, match_id COLLATE "C" LIMIT $3""",
            over,
            changed_before,
            limit,
        )
        return [Summary(*row) for row in rows]

    async def delete(self, matches: Sequence[str], *, unchanged_since: str | None = None) -> int:
        names = [*filter(is_match_name, matches)]
        return await self.patiently(lambda: self._delete(names, unchanged_since))

    async def _delete(self, matches: list[str], unchanged_since: str | None) -> int:
        """Lines first: who appends holds the line, so no entry can come in between the two.

        They are two statements because each sees only what was there when it began.
        """
        async with self._open_pool().acquire() as connection, connection.transaction():
            gone = await connection.fetch(
                """DELETE FROM matches WHERE match_id = ANY ($1)
                   AND ($2::text IS NULL OR changed < $2) RETURNING match_id""",
                matches,
                unchanged_since,
            )
            names = [match for (match,) in gone]
            await connection.execute("DELETE FROM entries WHERE match_id = ANY ($1)", names)
        return len(names)

    async def listed(self, listing: Listing, limit: int) -> list[str]:
        rows = await self._fetch(
            """SELECT match_id FROM matches WHERE listing = $1 AND listing <> ''
               ORDER BY changed DESC, match_id LIMIT $2""",
            listing,
            limit,
        )
        return [match for (match,) in rows]

    async def replace(self, match: str, version: int, entry: bytes) -> None:
        rows = await self._fetch(
            """UPDATE entries SET entry = $3 WHERE match_id = $1 AND version = $2
               RETURNING match_id""",
            match,
            version,
            entry,
        )
        if not rows:
            raise StoreError(f"There is no version {version} of match {match}.")

    async def newest(self) -> str | None:
        ((changed,),) = await self._fetch("SELECT max(changed) FROM matches")
        found: str | None = changed
        return found

    async def missing(self, matches: Sequence[str]) -> list[str]:
        rows = await self._fetch(
            """SELECT name FROM unnest($1::text[]) AS name
               WHERE name NOT IN (SELECT match_id FROM matches WHERE match_id = ANY ($1))""",
            [*matches],
        )
        return [match for (match,) in rows]

    async def time(self) -> float:
        ((seconds,),) = await self._fetch(TIME)
        return float(seconds)

    async def check(self) -> None:
        await self._fetch("SELECT 1 FROM matches LIMIT 1")
        await self.keep_fact("checked", secrets.token_bytes(8))

    async def fact(self, name: str) -> bytes | None:
        rows = await self._fetch("SELECT value FROM facts WHERE name = $1", name)
        return rows[0][0] if rows else None

    async def keep_fact(self, name: str, value: bytes, *, once: bool = False) -> None:
        await self._fetch(KEEP_ONCE if once else KEEP, name, value)

    async def say(self, words: bytes) -> None:
        if len(words) > LONGEST_WORDS:
            raise StoreError(f"What is said to all is at most {LONGEST_WORDS} bytes long.")
        text = f"{self._listener.me} {base64.b64encode(words).decode()}"
        await self._fetch("SELECT pg_notify($1, $2)", WORDS, text)

    def _open_pool(self) -> asyncpg.Pool:
        if self._pool is None:
            raise StoreError("The store of matches is closed.")
        return self._pool

    async def _fetch(self, query: str, *values: object) -> list[Any]:
        pool = self._open_pool()
        return await self.patiently(lambda: pool.fetch(query, *values))

    async def patiently(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do it, again and again while the database cannot be reached."""
        clock = asyncio.get_running_loop().time
        give_up, pause = clock() + self.patience, 0.05
        while True:
            try:
                return await work()
            except (asyncpg.ClientConfigurationError, ValueError):
                raise
            except LOST as error:
                if clock() + pause > give_up:
                    raise StoreError(
                        f"The database cannot be reached ({_brief(error)}); try again later."
                    ) from None
            except asyncpg.PostgresError as error:
                raise StoreError(f"The database refuses: {_brief(error)}.") from None
            await asyncio.sleep(pause)
            pause = min(2 * pause, 1.0)


async def _leave_as_it_is(connection: object) -> None:
    """Nothing here changes a session, so a connection needs no cleaning after each use."""


def _brief(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".") or type(error).__name__
