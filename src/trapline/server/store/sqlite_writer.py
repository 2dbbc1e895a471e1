"""The one thread that writes to an SQLite file: what comes in during a commit shares the next.

A batch is a handful of statements, however many entries it holds. That matters because Python's
sqlite3 hands the interpreter to another thread at each statement and has to get it back from a
busy event loop. So all entries are the rows of one.
"""

from __future__ import annotations

import json
import threading
from functools import cache
from itertools import chain
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from trapline.server.store import Append, StoreError, why_not

if TYPE_CHECKING:
    import asyncio
    import sqlite3
    from collections.abc import Callable, Sequence

VERSIONS = """SELECT json_group_object(match_id, entries) FROM matches
    WHERE match_id IN (SELECT value FROM json_each(?))"""

ADD_ENTRIES = "INSERT INTO entries (match_id, version, entry) VALUES {}"

SET_LINES = """INSERT INTO matches (match_id, game, opened, changed, entries, over, listing)
    VALUES {} ON CONFLICT (match_id) DO UPDATE SET
        changed = excluded.changed, entries = excluded.entries, over = excluded.over,
        listing = excluded.listing"""

CHANGES = "PRAGMA data_version"
"""A number that stays as long as nobody but this connection writes to the file."""

MOST_ROWS = 100
"""Of one statement. SQLite keeps what it has made of each, for every number of rows."""
MOST_KNOWN = 50_000
"""Matches whose newest versions are remembered."""
MANY = 6
GATHERING = 0.003
"""Where so many came for the last commit, what comes waits so many seconds for others: a commit
costs about as much for one as for twenty, and a busy server has other things to do meanwhile."""

DELETE_LINES = """DELETE FROM matches
    WHERE match_id IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR changed < ?2)"""

DELETE_ENTRIES = """DELETE FROM entries WHERE match_id IN (
    SELECT match_id FROM matches
    WHERE match_id IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR changed < ?2))"""


class Delete(NamedTuple):
    matches: Sequence[str]
    unchanged_since: str | None


class Note(NamedTuple):
    """Any other change: a statement and its values."""

    statement: str
    values: tuple[object, ...]


Wish = Append | Delete | Note
Answer = int | StoreError
"""How many matches it touched, or why it did not."""
Asked = tuple[Wish, "asyncio.Future[int]"]


class Writer:
    def __init__(
        self,
        log: sqlite3.Connection,
        loop: asyncio.AbstractEventLoop,
        explain: Callable[[Exception], StoreError],
        look: Callable[[], None],
    ) -> None:
        """`look` raises if the files that are written to are not those that others would read."""
        self._log = log
        self._loop = loop
        self._explain = explain
        self._look = look
        self._gathered: list[Asked] = []
        self._last = 0
        """How many were handed over together last."""
        self.unsettled = 0
        """How many were handed over and have no answer yet."""
        self._versions: dict[str, int] = {}
        """The newest of each match, as far as they are known and nobody else has written."""
        self._changes = 0
        self._waiting: SimpleQueue[list[Asked] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="trapline-write", daemon=True)
        self._thread.start()

    def ask(self, wish: Wish) -> asyncio.Future[int]:
        """What is asked in one turn of the event loop, or a few, wakes the thread once."""
        if not self._gathered and self._last < MANY:
            self._loop.call_soon(self.hand_over)
        elif not self._gathered:
            self._loop.call_later(GATHERING, self.hand_over)
        answer: asyncio.Future[int] = self._loop.create_future()
        self._gathered.append((wish, answer))
        return answer

    def hand_over(self) -> None:
        """In the event loop: give the thread what was asked so far."""
        if self._gathered:
            gathered, self._gathered = self._gathered, []
            self._last = len(gathered)
            self.unsettled += len(gathered)
            self._waiting.put(gathered)

    def stop(self) -> None:
        """Write what was handed over, and close the file."""
        self._waiting.put(None)
        self._thread.join()
        self._log.close()

    def _run(self) -> None:
        go_on = True
        while go_on:
            batch, go_on = self._take_all()
            answers = self._answers([wish for wish, _ in batch])
            futures = [future for _, future in batch]
            try:
                self._loop.call_soon_threadsafe(self._settle, futures, answers)
            except RuntimeError:  # the loop is closed: nobody waits for an answer any more
                continue

    def _settle(self, futures: list[asyncio.Future[int]], answers: Sequence[Answer]) -> None:
        """In the event loop, once for a whole batch."""
        self.unsettled -= len(futures)
        for future, answer in zip(futures, answers, strict=True):
            if future.done():  # whoever asked was cancelled
                continue
            if isinstance(answer, StoreError):
                future.set_exception(answer)
            else:
                future.set_result(answer)

    def _take_all(self) -> tuple[list[Asked], bool]:
        """Everything that waits, at least one; and whether more may come."""
        batch: list[Asked] = []
        try:
            asked = self._waiting.get()
            while asked is not None:
                batch += asked
                asked = self._waiting.get_nowait()
        except Empty:
            return batch, True
        return batch, False

    def _answers(self, wishes: list[Wish]) -> Sequence[Answer]:
        try:
            answers = self._commit(wishes) if wishes else []
            self._look()
        except Exception as error:  # noqa: BLE001 (a bad batch must not end the thread for all)
            return [self._explain(error) for _ in wishes]
        return answers

    def _commit(self, wishes: list[Wish]) -> Sequence[Answer]:
        """One transaction: all of it is kept, or nothing."""
        log = self._log
        log.execute("BEGIN IMMEDIATE")
        try:
            appends = [wish for wish in wishes if isinstance(wish, Append)]
            answers: Sequence[Answer] = self._append(appends) if appends else []
            if len(appends) < len(wishes):
                appended = iter(answers)
                answers = [
                    next(appended) if isinstance(wish, Append) else self._change(wish)
                    for wish in wishes
                ]
            log.execute("COMMIT")
        except BaseException:
            self._versions.clear()
            raise
        finally:
            if log.in_transaction:
                log.execute("ROLLBACK")
        return answers

    def _append(self, appends: list[Append]) -> list[Answer]:
        versions = self._known([wish[0] for wish in appends])
        rows: list[tuple[object, ...]] = []
        lines: dict[str, tuple[object, ...]] = {}
        answers: list[Answer] = []
        for match, version, entry, game, over, at, listing in appends:
            newest = versions.get(match, 0)
            if version != newest + 1:
                answers.append(why_not(match, version, newest) or 1)
                continue
            answers.append(1)
            versions[match] = version
            # Of other types than these, sqlite3 looks for an adapter that nobody has written.
            rows.append((match, version, bytearray(entry)))
            opened = lines[match][2] if match in lines else at
            lines[match] = (match, game, opened, at, version, int(over), listing)
        self._insert(ADD_ENTRIES, rows)
        self._insert(SET_LINES, [*lines.values()])
        return answers

    def _known(self, matches: list[str]) -> dict[str, int]:
        """The newest versions, these among them; within a transaction nobody else adds to them."""
        changes = self._log.execute(CHANGES).fetchone()[0]
        if changes != self._changes or len(self._versions) > MOST_KNOWN:
            self._changes = changes
            self._versions.clear()
        if unknown := [match for match in matches if match not in self._versions]:
            found = self._log.execute(VERSIONS, (json.dumps(unknown),)).fetchone()[0]
            self._versions.update(json.loads(found))
        return self._versions

    def _insert(self, statement: str, rows: list[tuple[object, ...]]) -> None:
        for start in range(0, len(rows), MOST_ROWS):
            some = rows[start : start + MOST_ROWS]
            filled = _with_places(statement, len(some[0]), len(some))
            self._log.execute(filled, tuple(chain.from_iterable(some)))

    def _change(self, wish: Delete | Note) -> int:
        if isinstance(wish, Note):
            return self._log.execute(wish.statement, wish.values).rowcount
        self._versions.clear()
        values = (json.dumps(wish.matches), wish.unchanged_since)
        self._log.execute(DELETE_ENTRIES, values)
        return self._log.execute(DELETE_LINES, values).rowcount


@cache
def _with_places(statement: str, columns: int, rows: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return statement.format(", ".join([row] * rows))
