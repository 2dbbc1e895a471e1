"""Matches in one SQLite file. One thread writes, and each commit serves all who wait for one."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from trapline.server.store import (
    Append,
    Damaged,
    StoreError,
    Summary,
    check_match,
    is_match_name,
)
from trapline.server.store.migrations import NEWEST, RECORD, SQLITE, missing
from trapline.server.store.sqlite_files import Files, check_names, lock, real, sync_folder
from trapline.server.store.sqlite_writer import Delete, Note, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from filelock import BaseFileLock

    from trapline.server.store import Listing, Notice, Whisper

T = TypeVar("T")

KEEP_ONCE = "INSERT OR IGNORE INTO facts (name, value) VALUES (?, ?)"
KEEP = "INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)"

KEPT_STATEMENTS = 256
"""More than there are kinds of statements and numbers of rows in them."""
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
SENTENCES = {
    sqlite3.SQLITE_BUSY: "Another program is writing to {path} and does not let go; try again.",
    sqlite3.SQLITE_FULL: "There is no room left for {path}; nothing was saved.",
    sqlite3.SQLITE_NOTADB: "{path} is not a database; give the name of a new file.",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged; put a copy of it from a backup in its place.",
    sqlite3.SQLITE_READONLY: "{path} cannot be written; its owner has to allow it.",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened; its folder must be there and writable.",
}


class SQLiteStore:
    """One process serves the matches of a file; others may list and tidy meanwhile."""

    shared = False

    def __init__(self, path: str, patience: float = 5.0, *, serving: bool = False) -> None:
        """`patience`: for how many seconds to wait while another program holds the file."""
        if not path:
            raise StoreError("sqlite: needs the name of a file, such as sqlite:matches.db.")
        self.path = real(path)
        self.patience = patience
        self._serving = serving
        self._lock: BaseFileLock | None = None
        self._writer: Writer | None = None

    async def open(self, notice: Notice, whisper: Whisper) -> None:  # nobody else
        loop = asyncio.get_running_loop()
        self._readers = ThreadPoolExecutor(1, "trapline-read")
        try:
            log = await self._in_reader(self._prepare)
        except StoreError:
            self._readers.shutdown()
            self._unlock()
            raise
        self._writer = Writer(log, loop, self._explain, self._files.look)

    def _prepare(self) -> sqlite3.Connection:
        """The writer's connection, on a file that has all tables; this thread's is for reading."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # The log holds secrets, so nobody but its owner may read it; SQLite gives the files
            # it makes beside it the same mode.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        except FileExistsError:
            raise StoreError(f"{self.path.parent} is a file, so it cannot hold one.") from None
        except OSError as error:
            reason = error.strerror or error
            raise StoreError(f"{self.path} cannot be made or opened: {reason}.") from None
        check_names(self.path)
        if self._serving:
            self._lock = lock(self.path)
        log = self._connect()
        try:
            self._refuse_foreign(log)
            log.execute("PRAGMA journal_mode = WAL")
            # The log is forced to disk at every commit, so a move outlives a power cut; Apple's
            # disks need to be told so twice.
            log.execute("PRAGMA synchronous = FULL")
            log.execute("PRAGMA fullfsync = ON")
            log.execute("PRAGMA wal_autocheckpoint = 8000")
            log.execute("PRAGMA temp_store = MEMORY")  # else each commit makes a file
            _migrate(log)
            sync_folder(self.path.parent)
            self._reader = self._connect()
            self._reader.execute("PRAGMA query_only = ON")
            self._reader.execute(NEWEST)
            self._files = Files(self.path)
            if self._serving:
                self._files.begin_to_make_room()
        except BaseException:
            log.close()
            raise
        return log

    def _refuse_foreign(self, log: sqlite3.Connection) -> None:
        tables = {name for (name,) in log.execute("SELECT name FROM sqlite_master")}
        if tables and "schema_version" not in tables:
            raise StoreError(f"{self.path} is a database of another program.")

    def _connect(self) -> sqlite3.Connection:
        # Each connection is used by one thread at a time, but closed by another.
        return sqlite3.connect(
            self.path,
            timeout=self.patience,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=KEPT_STATEMENTS,
        )

    @property
    def writing(self) -> bool:
        return self._writer is not None and self._writer.unsettled > 0

    async def close(self) -> None:
        if self._writer is not None:
            writer, self._writer = self._writer, None
            writer.hand_over()
            self._files.leave()
            await asyncio.to_thread(writer.stop)
            self._readers.shutdown()
            self._reader.close()
            self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

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
    ) -> asyncio.Future[int]:
        if version == 1:
            check_match(match)
        writer = self._writer or self._open_writer()
        return writer.ask(Append(match, version, entry, game, over, at, listing))

    async def delete(self, matches: Sequence[str], *, unchanged_since: str | None = None) -> int:
        names = [*filter(is_match_name, matches)]
        return await self._open_writer().ask(Delete(names, unchanged_since))

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        if not is_match_name(match):
            return []
        rows = await self._select(
            "SELECT entry FROM entries WHERE match_id = ? AND version > ? ORDER BY version",
            (match, after),
        )
        return [entry for (entry,) in rows]

    async def summaries(
        self, *, over: bool | None = None, changed_before: str | None = None, limit: int = 1000
    ) -> list[Summary]:
        rows = await self._select(
            """SELECT match_id, game, opened, changed, entries, over FROM matches
               WHERE (?1 IS NULL OR over = ?1) AND (?2 IS NULL OR changed < ?2)
               ORDER BY changed DESC, match_id LIMIT ?3""",
            (over, changed_before, limit),
        )
        return [
            Summary(match, game, opened, changed, entries, bool(ended))
            for match, game, opened, changed, entries, ended in rows
        ]

    async def listed(self, listing: Listing, limit: int) -> list[str]:
        rows = await self._select(
            """SELECT match_id FROM matches WHERE listing = ? AND listing <> ''
               ORDER BY changed DESC, match_id LIMIT ?""",
            (listing, limit),
        )
        return [match for (match,) in rows]

    async def replace(self, match: str, version: int, entry: bytes) -> None:
        statement = "UPDATE entries SET entry = ?3 WHERE match_id = ?1 AND version = ?2"
        if not await self._open_writer().ask(Note(statement, (match, version, entry))):
            raise StoreError(f"There is no version {version} of match {match}.")

    async def newest(self) -> str | None:
        ((changed,),) = await self._select("SELECT max(changed) FROM matches", ())
        found: str | None = changed
        return found

    async def missing(self, matches: Sequence[str]) -> list[str]:
        rows = await self._select(
            """SELECT value FROM json_each(?)
               WHERE value NOT IN (SELECT match_id FROM matches)""",
            (json.dumps([*matches]),),
        )
        return [match for (match,) in rows]

    async def time(self) -> float:
        return time.time()

    async def check(self) -> None:
        await self._select("SELECT 1 FROM matches LIMIT 1", ())
        await self.keep_fact("checked", secrets.token_bytes(8))

    async def fact(self, name: str) -> bytes | None:
        rows = await self._select("SELECT value FROM facts WHERE name = ?", (name,))
        return rows[0][0] if rows else None

    async def keep_fact(self, name: str, value: bytes, *, once: bool = False) -> None:
        await self._open_writer().ask(Note(KEEP_ONCE if once else KEEP, (name, value)))

    async def say(self, words: bytes) -> None:
        """Nobody else is there."""

    def _open_writer(self) -> Writer:
        if self._writer is None:
            raise StoreError("The store of matches is closed.")
        return self._writer

    async def _select(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        self._open_writer()
        return await self._in_reader(lambda: self._read(query, values))

    def _read(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        rows = self._reader.execute(query, values).fetchall()
        self._files.look()
        return rows

    async def _in_reader(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, work)
        except sqlite3.Error as error:
            raise self._explain(error) from None

    def _explain(self, error: Exception) -> StoreError:
        if isinstance(error, StoreError):
            return error
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the higher bits are details
        sentence = SENTENCES.get(code, "{path} could not be read or written: {error}.")
        kind = Damaged if code in DAMAGED else StoreError
        return kind(sentence.format(path=self.path, error=error))


def _migrate(log: sqlite3.Connection) -> None:
    """Add what is missing; of several processes that start at once the first one does it."""
    log.execute("BEGIN IMMEDIATE")
    try:
        log.execute(RECORD)
        for statement in missing(SQLITE, log.execute(NEWEST).fetchone()[0]):
            log.execute(statement)
        log.execute("COMMIT")
    finally:
        if log.in_transaction:
            log.execute("ROLLBACK")
