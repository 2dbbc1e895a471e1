"""The one task that writes to PostgreSQL: what comes in during a commit shares the next one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from trapline.server.store import Append, Conflict, StoreError, why_not
from trapline.server.store.postgres_listener import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import asyncpg

MOST = 1000
"""Entries in one statement."""

# One statement is one round trip and one transaction. Who writes to a match holds its line, so
# two processes take turns there, and always in the same order, so that none waits for the other
# in a circle. A notification holds at most 8,000 bytes: a hundred pairs of at most 76.
ADD = """
WITH new AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::bytea[], $4::text[], $5::boolean[],
        $6::text[], $7::text[]) AS new (match_id, version, entry, game, over, at, listing)
), held AS (
    SELECT match_id, entries FROM matches WHERE match_id = ANY ($1)
    ORDER BY match_id FOR UPDATE
), written AS (
    INSERT INTO entries (match_id, version, entry)
    SELECT match_id, version, entry FROM new LEFT JOIN held USING (match_id)
    WHERE version = coalesce(entries, 0) + 1 ORDER BY match_id
    ON CONFLICT DO NOTHING RETURNING match_id, version
), lines AS (
    INSERT INTO matches (match_id, game, opened, changed, entries, over, listing)
    SELECT match_id, game, at, at, version, over, listing
    FROM new JOIN written USING (match_id, version) ORDER BY match_id
    ON CONFLICT (match_id) DO UPDATE SET
        changed = excluded.changed, entries = excluded.entries, over = excluded.over,
        listing = excluded.listing
), news AS (
    SELECT string_agg(match_id || ':' || version, ' ') AS pairs
    FROM (SELECT *, (row_number() OVER () - 1) / 100 AS part FROM written) AS numbered
    GROUP BY part
)
SELECT match_id, version FROM written
UNION ALL SELECT pg_notify($8, $9 || ' ' || pairs)::text, 0 FROM news
"""

PRESENT = """
SELECT match_id, coalesce(entries, 0), entry
FROM unnest($1::text[], $2::integer[]) AS new (match_id, version)
LEFT JOIN matches USING (match_id) LEFT JOIN entries USING (match_id, version)
"""


Asked = tuple[Append, "asyncio.Future[None]"]
Faults = dict[str, StoreError]


class Writer:
    def __init__(
        self,
        pool: asyncpg.Pool,
        patiently: Callable[[Callable[[], Awaitable[Faults]]], Awaitable[Faults]],
        me: str,
    ) -> None:
        self._pool = pool
        self._patiently = patiently
        self._me = me
        self._waiting: list[Asked] = []
        self._wake = asyncio.Event()
        self._open = True
        self._task = asyncio.ensure_future(self._run())

    def ask(self, wish: Append) -> asyncio.Future[None]:
        answer: asyncio.Future[None] = self._task.get_loop().create_future()
        self._waiting.append((wish, answer))
        self._wake.set()
        return answer

    async def stop(self) -> None:
        """Write what is waiting."""
        self._open = False
        self._wake.set()
        await self._task

    async def _run(self) -> None:
        while self._open or self._waiting:
            await self._wake.wait()
            batch = self._take()
            if batch:
                _settle(batch, await self._faults([wish for wish, _ in batch]))

    def _take(self) -> list[Asked]:
        """What waits, but no match twice: its next version has to find this one there."""
        batch: dict[str, Asked] = {}
        later: list[Asked] = []
        for asked in self._waiting:
            if len(batch) < MOST and asked[0].match not in batch:
                batch[asked[0].match] = asked
            else:
                later.append(asked)
        self._waiting = later
        if not later and self._open:
            self._wake.clear()
        return [*batch.values()]

    async def _faults(self, wishes: list[Append]) -> Faults:
        attempt = Attempt(self._pool, wishes, self._me)
        try:
            return await self._patiently(attempt.run)
        except StoreError as error:
            return dict.fromkeys((wish.match for wish in wishes), error)
        except Exception as error:  # noqa: BLE001 (a bad batch must not end the task for all)
            fault = StoreError(f"The database could not be written: {error}.")
            return dict.fromkeys((wish.match for wish in wishes), fault)


class Attempt:
    """One batch, which may take several attempts when the database goes away meanwhile."""

    def __init__(self, pool: asyncpg.Pool, wishes: list[Append], me: str) -> None:
        self._pool = pool
        self._wishes = wishes
        self._me = me
        self._repeated = False

    async def run(self) -> Faults:
        """What could not be written, and why."""
        repeated, self._repeated = self._repeated, True
        columns: list[Any] = [list(column) for column in zip(*self._wishes, strict=True)]
        async with self._pool.acquire() as connection:
            written = {
                tuple(row) for row in await connection.fetch(ADD, *columns, VERSIONS, self._me)
            }
            missed = [wish for wish in self._wishes if wish[:2] not in written]
            if not missed:
                return {}
            names, versions = [wish.match for wish in missed], [wish.version for wish in missed]
            rows = await connection.fetch(PRESENT, names, versions)
        present = {match: (newest, entry) for match, newest, entry in rows}
        return {
            wish.match: fault
            for wish in missed
            if (fault := _fault(wish, *present[wish.match], repeated=repeated)) is not None
        }


def _fault(wish: Append, newest: int, kept: bytes | None, *, repeated: bool) -> StoreError | None:
    """Why an entry was not added; nothing is wrong where an earlier attempt has added it."""
    if repeated and kept == wish.entry:
        return None
    # Where nothing speaks against it any more, somebody else was there in the same moment.
    return why_not(wish.match, wish.version, newest) or Conflict(
        f"Match {wish.match} was being changed by another process."
    )


def _settle(batch: list[Asked], faults: Faults) -> None:
    for wish, answer in batch:
        fault = faults.get(wish.match)
        if answer.done():  # whoever asked was cancelled
            continue
        if fault is not None:
            answer.set_exception(fault)
        else:
            answer.set_result(None)
