"""A PostgreSQL in memory: the statements of our store, transactions, notifications, fail-over.

It knows exactly the statements that the store sends, and says so when there is a new one. The
same tests that hold for the real database hold for this one (tests/server/test_seeded.py).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import asyncpg

from trapline.server.store.migrations import NEWEST, RECORD
from trapline.server.store.postgres import TIME
from trapline.server.store.postgres_writer import ADD, PRESENT

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.seeded.driver import Connection
    from tests.seeded.loop import ProcessLoop

Work = "Callable[[Database], Any]"
QUICK, BUSY, SLOW, NEVER = 0.002, 0.5, 14.0, 1e6
"""Seconds on the way to it or back, at most."""
CLOCKS = (0.0, 0.0, 20.0, -20.0, 3600.0, -3600.0)
"""Seconds by which the clock of a successor may be away from the right time."""
LAGS, LAG, LATE = 0.1, 0.6, 6.0
"""How many notifications are late, and by how many seconds at most."""


@cache
def _on_one_line(statement: str) -> str:
    return " ".join(statement.split())


class Line(NamedTuple):
    game: str
    opened: str
    changed: str
    entries: int
    over: bool
    listing: str


class Database:
    def __init__(self, outside: ProcessLoop, chance: Random) -> None:
        self.outside = outside
        self.chance = chance
        self.slow = False
        self.hangs = False
        self.down = False
        self.unreadable = False
        """Whether logs can be read only now and then."""
        self.late_news = False
        self.ahead = 0.0
        """Seconds that its clock is ahead of the right time."""
        self.version = 0
        self.matches: dict[str, Line] = {}
        self.entries: dict[str, list[bytes]] = {}
        self.facts: dict[str, bytes] = {}
        self.committed: Callable[[], None] = lambda: None
        self.changed: dict[str, None] = {}
        """The matches that may have more entries than when somebody last looked."""
        self.connections: list[Connection] = []
        self._owner: Connection | None = None
        self._blocked: list[tuple[Connection, Callable[[], None]]] = []
        self._undo: tuple[Any, ...] | None = None

    def pause(self) -> float:
        longest = SLOW if self.slow else BUSY if self.unreadable else QUICK
        return NEVER if self.hangs else self.chance.random() * longest

    def lag(self) -> float:
        """How late a notification is."""
        if self.late_news:
            return LATE * self.chance.random()
        late = self.chance.random() < LAGS
        return self.pause() + (LAG * self.chance.random() if late else 0.0)

    def fail(self) -> None:
        """The primary is gone. What was committed is on its successor; no connection is.

        Nor is its clock: the successor has one of its own. Those after it agree with it: a server
        that looked at the time before the first and after the second could not know of either.
        """
        self.hangs, self.down = False, True
        self.ahead = self.ahead or self.chance.choice(CLOCKS)
        for connection in self.connections[:]:
            connection.lose(silently=self.chance.random() < 0.3)

    def recover(self) -> None:
        self.down = False

    # --- transactions -------------------------------------------------------------------

    def run(self, connection: Connection, work: Callable[[], None]) -> None:
        """Now, or when whoever has a transaction open is through."""
        if self._owner in (None, connection):
            work()
        else:
            self._blocked.append((connection, work))

    def begin(self, connection: Connection) -> None:
        self._owner = connection
        entries = {match: list(log) for match, log in self.entries.items()}
        self._undo = (self.version, dict(self.matches), entries, dict(self.facts))

    def end(self, connection: Connection, *, keep: bool) -> None:
        if self._owner is not connection:
            return
        if not keep and self._undo is not None:
            self.version, self.matches, self.entries, self.facts = self._undo
        self._owner, self._undo = None, None
        if keep:
            self.committed()
        while self._blocked and self._owner is None:
            _, work = self._blocked.pop(0)
            work()

    # --- statements ---------------------------------------------------------------------

    def answer(self, connection: Connection, statement: str, values: tuple[Any, ...]) -> Any:
        words = _on_one_line(statement)
        if self.unreadable and words.startswith("SELECT entry") and self.chance.random() < 0.5:
            raise asyncpg.LockNotAvailableError("canceling statement due to lock timeout")
        known = STATEMENTS.get(words)
        if known is not None:
            rows = known(self, *values)
        elif found := re.fullmatch(
            r"INSERT INTO schema_version \(version\) VALUES \((\d+)\)", words
        ):
            self.version, rows = int(found[1]), []
        elif words.startswith(("CREATE ", "ALTER TABLE ")):
            rows = []
        elif words in ("SELECT 1", "SELECT pg_advisory_xact_lock($1)"):
            rows = [(1,)]
        elif words == "SELECT pg_notify($1, $2)":
            self.notify(*values)
            rows = [(None,)]
        elif words.startswith("LISTEN "):
            connection.channels.add(words.removeprefix("LISTEN "))
            rows = []
        else:
            raise asyncpg.PostgresSyntaxError(f"the simulated database does not know: {words}")
        if self._owner is None and words.startswith(("WITH", "INSERT", "DELETE", "UPDATE")):
            self.committed()
        return rows

    def notify(self, channel: str, text: str) -> None:
        for connection in self.connections:
            if channel in connection.channels:
                connection.tell(channel, text)

    def add(
        self,
        names: list[str],
        versions: list[int],
        entries: list[bytes],
        games: list[str],
        overs: list[bool],
        times: list[str],
        listings: list[str],
        channel: str,
        me: str,
    ) -> list[tuple[str, int]]:
        written: list[tuple[str, int]] = []
        for match, version, entry, game, over, at, listing in zip(
            names, versions, entries, games, overs, times, listings, strict=True
        ):
            line = self.matches.get(match)
            if version == (line.entries if line else 0) + 1:
                self.entries.setdefault(match, []).append(bytes(entry))
                self.changed[match] = None
                opened, game = (line.opened, line.game) if line else (at, game)
                self.matches[match] = Line(game, opened, at, version, over, listing)
                written.append((match, version))
        for start in range(0, len(written), 100):
            pairs = " ".join(
                f"{match}:{version}" for match, version in written[start : start + 100]
            )
            self.notify(channel, f"{me} {pairs}")
        return written

    def present(self, names: list[str], versions: list[int]) -> list[tuple[str, int, bytes | None]]:
        found: list[tuple[str, int, bytes | None]] = []
        for match, version in zip(names, versions, strict=True):
            log = self.entries.get(match, [])
            found.append((match, len(log), log[version - 1] if version <= len(log) else None))
        return found

    def read(self, match: str, after: int) -> list[tuple[bytes]]:
        return [(entry,) for entry in self.entries.get(match, [])[after:]]

    def summaries(self, over: bool | None, before: str | None, limit: int) -> list[tuple[Any, ...]]:
        lines = [
            (match, line.game, line.opened, line.changed, line.entries, line.over)
            for match, line in sorted(self.matches.items())
            if over in (None, line.over) and (before is None or line.changed < before)
        ]
        return sorted(lines, key=lambda line: line[3], reverse=True)[:limit]

    def listed(self, listing: str, limit: int) -> list[tuple[str]]:
        found = [item for item in sorted(self.matches.items()) if item[1].listing == listing != ""]
        return [(match,) for match, _ in sorted(found, key=_changed, reverse=True)[:limit]]

    def delete_lines(self, names: list[str], before: str | None) -> list[tuple[str]]:
        gone = [
            name
            for name in dict.fromkeys(names)
            if name in self.matches and (before is None or self.matches[name].changed < before)
        ]
        for name in gone:
            del self.matches[name]
        return [(name,) for name in gone]

    def delete_entries(self, names: list[str]) -> list[Any]:
        for name in names:
            self.entries.pop(name, None)
        return []

    def replace(self, match: str, version: int, entry: bytes) -> list[tuple[str]]:
        log = self.entries.get(match, [])
        if not 0 < version <= len(log):
            return []
        log[version - 1] = entry
        return [(match,)]

    def keep(self, name: str, value: bytes) -> list[Any]:
        self.facts[name] = value
        return []

    def keep_once(self, name: str, value: bytes) -> list[Any]:
        self.facts.setdefault(name, value)
        return []


def _changed(item: tuple[str, Line]) -> str:
    return item[1].changed


def _words(statement: str) -> str:
    return " ".join(statement.split())


STATEMENTS: dict[str, Callable[..., list[Any]]] = {
    _words(ADD): Database.add,
    _words(PRESENT): Database.present,
    _words(RECORD): lambda _database: [],
    _words(NEWEST): lambda database: [(database.version,)],
    TIME: lambda database: [(database.outside.wall() + database.ahead,)],
    "SHOW synchronous_commit": lambda _database: [("on",)],
    _words(
        """SELECT entry FROM entries WHERE match_id = $1 AND version > $2::bigint
           ORDER BY version"""
    ): Database.read,
    _words(
        """SELECT match_id, game, opened, changed, entries, over FROM matches
           WHERE ($1::boolean IS NULL OR over = $1) AND ($2::text IS NULL OR changed < $2)
           ORDER BY changed DESC, match_id COLLATE "C" LIMIT $3"""
    ): Database.summaries,
    _words(
        """DELETE FROM matches WHERE match_id = ANY ($1)
           AND ($2::text IS NULL OR changed < $2) RETURNING match_id"""
    ): Database.delete_lines,
    _words(
        """SELECT match_id FROM matches WHERE listing = $1 AND listing <> ''
           ORDER BY changed DESC, match_id LIMIT $2"""
    ): Database.listed,
    "DELETE FROM entries WHERE match_id = ANY ($1)": Database.delete_entries,
    _words(
        """UPDATE entries SET entry = $3 WHERE match_id = $1 AND version = $2
           RETURNING match_id"""
    ): Database.replace,
    "SELECT max(changed) FROM matches": lambda database: [
        (max((line.changed for line in database.matches.values()), default=None),)
    ],
    _words(
        """SELECT name FROM unnest($1::text[]) AS name
           WHERE name NOT IN (SELECT match_id FROM matches WHERE match_id = ANY ($1))"""
    ): lambda database, names: [(name,) for name in names if name not in database.matches],
    "SELECT 1 FROM matches LIMIT 1": lambda database: [(1,)] if database.matches else [],
    "SELECT value FROM facts WHERE name = $1": lambda database, name: (
        [(database.facts[name],)] if name in database.facts else []
    ),
    "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING": Database.keep_once,
    _words(
        """INSERT INTO facts (name, value) VALUES ($1, $2)
           ON CONFLICT (name) DO UPDATE SET value = excluded.value"""
    ): Database.keep,
}
