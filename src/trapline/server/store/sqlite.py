"""Matches in one SQLite file. One thread writes, and each commit serves all who wait for one."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from trapline.server.store import (
    Append,
    StoreError,
    Summary,
    check_match,
    is_match_name,
)
from trapline.server.store.migrations import NEWEST, RECORD, SQLITE, missing
from trapline.server.store.sqlite_writer import Delete, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from trapline.server.store import Notice, Whisper

T = TypeVar("T")

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

    def __init__(self, path: str, patience: float = 5.0) -> None:
        """`patience`: for how many seconds to wait while another program holds the file."""
        if not path:
            raise StoreError("sqlite: needs the name of a file, such as sqlite:matches.db.")
        self.path = Path(path).absolute()
        self.patience = patience
        self._writer: Writer | None = None

    async def open(self, notice: Notice, whisper: Whisper) -> None:  # noqa: ARG002 (nobody else)
        loop = asyncio.get_running_loop()
        self._readers = ThreadPoolExecutor(1, "trapline-read")
        try:
            log = await self._in_reader(self._prepare)
        except StoreError:
            self._readers.shutdown()
            raise
        self._writer = Writer(log, loop, self._sentence)

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
        log = self._connect()
        try:
            self._refuse_foreign(log)
            log.execute("PRAGMA journal_mode = WAL")
            # The log is forced to disk at every commit, so a move outlives a power cut; Apple's
            # disks need to be told so twice.
            log.execute("PRAGMA synchronous = FULL")
            log.execute("PRAGMA fullfsync = ON")
            log.execute("PRAGMA wal_autocheckpoint = 8000")
            _migrate(log)
            _sync_folder(self.path.parent)
            self._reader = self._connect()
            self._reader.execute("PRAGMA query_only = ON")
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
            self.path, timeout=self.patience, isolation_level=None, check_same_thread=False
        )

    async def close(self) -> None:
        if self._writer is not None:
            writer, self._writer = self._writer, None
            await asyncio.to_thread(writer.stop)
            self._readers.shutdown()
            self._reader.close()

    async def append(
        self, match: str, version: int, entry: bytes, *, game: str, over: bool, at: str
    ) -> None:
        check_match(match)
        await self._open_writer().ask(Append(match, version, entry, game, over, at))

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

    async def say(self, words: bytes) -> None:
        """Nobody else is there."""

    def _open_writer(self) -> Writer:
        if self._writer is None:
            raise StoreError("The store of matches is closed.")
        return self._writer

    async def _select(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        self._open_writer()
        return await self._in_reader(lambda: self._reader.execute(query, values).fetchall())

    async def _in_reader(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, work)
        except sqlite3.Error as error:
            raise StoreError(self._sentence(error)) from None

    def _sentence(self, error: Exception) -> str:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the higher bits are details
        sentence = SENTENCES.get(code, "{path} could not be read or written: {error}.")
        return sentence.format(path=self.path, error=error)


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


def _sync_folder(folder: Path) -> None:
    """A new file outlives a power cut only when its folder's entry for it is on disk as well."""
    if os.name == "nt":  # does so by itself, and cannot open a folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
