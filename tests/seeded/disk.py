"""A disk that fails: real files of SQLite in memory, under a writer whose thread is simulated.

SQLite itself runs as it is. Its log of writes (the WAL) is what a power cut tears: what was written
after the last fsync is there in part, or as rubbish, and SQLite has to notice.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections import deque
from queue import Empty
from typing import TYPE_CHECKING, Any

from tests.seeded.system import here
from trapline.server.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from tests.seeded.loop import ProcessLoop, Scheduler

QUICK, SLOW = 0.0005, 0.8
"""Seconds that the disk takes for something, at most."""
SECTOR = 512
MOST_REFUSED = 500
"""Writes within a second after which nobody should go on to ask a disk that takes none."""
READS = ("SELECT", "PRAGMA")
CODES = {"full": sqlite3.SQLITE_FULL, "busy": sqlite3.SQLITE_BUSY, "error": sqlite3.SQLITE_IOERR}


class Disk:
    def __init__(self, folder: Path, scheduler: Scheduler, chance: Random) -> None:
        self.path = folder / "world.sqlite3"
        self.scheduler = scheduler
        self.slow = False
        self.unreadable = False
        """Whether logs can be read only now and then."""
        self.refuses = ""
        """Why nothing can be written now, if so."""
        self.committed: Callable[[sqlite3.Connection | None], None] = lambda _writer: None
        """Called with whoever has written what is new, and with nobody after a crash."""
        self._chance = chance
        self._holder: ProcessLoop | None = None
        self._connections: list[Connection] = []
        self._threads: list[Thread] = []
        self._synced = 0
        self._all_synced = False
        """Whether all of the log is on disk, however long it is: nobody has asked yet."""
        self._second, self._refused = 0, 0

    @property
    def _log(self) -> Path:
        return self.path.with_name(self.path.name + "-wal")

    def pause(self) -> float:
        return self._chance.random() * (SLOW if self.slow or self.unreadable else QUICK)

    def fails(self) -> bool:
        return self._chance.random() < 0.5

    def refuse(self, kind: str) -> sqlite3.OperationalError:
        """Why something is not written, for whoever has not asked too often."""
        second = int(self.scheduler.now)
        self._second, self._refused = second, self._refused + 1 if second == self._second else 1
        if self._refused > MOST_REFUSED:
            here().world.broken(f"a disk that takes nothing ({kind}) is asked without end")
        return _fault(kind)

    # --- what stands in the place of sqlite3, threads and locks --------------------------

    def open(self) -> sqlite3.Connection:
        """SQLite's own. All that open the file are in one real process, so those locks will do that
        SQLite has within one: to ask the system for each was more work than to write."""
        return sqlite3.connect(
            f"{self.path.as_uri()}?vfs=unix-excl", uri=True, isolation_level=None
        )

    def connect(self) -> Connection:
        connection = Connection(self)
        self._connections.append(connection)
        return connection

    def lock(self, loop: ProcessLoop) -> Lock:
        if self._holder is not None and not self._holder.dead:
            raise StoreError("Another server is using this file.")
        self._holder = loop
        return Lock(self)

    def unlock(self) -> None:
        self._holder = None

    def add_thread(self, thread: Thread) -> None:
        self._threads = [thread]

    def synced(self) -> None:
        """All that was written is on disk."""
        self._all_synced = True

    def look_at_log(self) -> None:
        """Before something is written that may be lost: remember what cannot be."""
        if self._all_synced:
            self._all_synced = False
            with contextlib.suppress(FileNotFoundError):
                self._synced = self._log.stat().st_size

    # --- the end of a process -----------------------------------------------------------

    def crash(self, loop: ProcessLoop, *, power: bool) -> None:
        """Whoever had the files open is gone; with the power, so is what was not yet on disk."""
        if self._holder is not loop:
            return
        self._holder = None
        self.look_at_log()
        for thread in self._threads:
            thread.die(in_the_middle=self._chance.random() < 0.5)
        copies = [(path, path.with_name("copy of " + path.name)) for path in (self.path, self._log)]
        for path, copy in copies:
            if path.exists():
                shutil.copyfile(path, copy)
        if power:
            self._tear(copies[1][1])
        for connection in self._connections:
            connection.abandon()  # SQLite tidies up here, which a dead process does not
        self._connections = []
        for path, copy in copies:
            path.unlink(missing_ok=True)
            if copy.exists():
                copy.rename(path)
        self._synced = 0
        self.synced()
        self.committed(None)

    def forget(self) -> None:
        """The world has ended."""
        for connection in self._connections:
            connection.abandon()

    def _tear(self, log: Path) -> None:
        if not log.exists():
            return
        size, chance = log.stat().st_size, self._chance
        with log.open("r+b") as file:
            if size > self._synced:
                for start in range(self._synced, size, SECTOR):
                    if chance.random() < 0.3:
                        file.seek(start)
                        file.write(chance.randbytes(min(SECTOR, size - start)))
                file.truncate(chance.randint(self._synced, size))


class Lock:
    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def release(self) -> None:
        self._disk.unlock()


class Files:
    """The files stay where they are: what happens when they do not is tested with real ones."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def look(self) -> None:
        pass

    def begin_to_make_room(self) -> None:
        pass

    def leave(self) -> None:
        pass


class Connection:
    """One of sqlite3's, whose writes may be refused and whose commits are noticed."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._real = disk.open()
        self._durable = False
        self._abandoned = False

    @property
    def in_transaction(self) -> bool:
        return self._real.in_transaction

    def execute(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        disk = self._disk
        if disk.refuses and statement in ("BEGIN IMMEDIATE", "COMMIT"):
            raise disk.refuse(disk.refuses)
        if disk.unreadable and statement.startswith("SELECT entry") and disk.fails():
            raise _fault("error")
        if statement.startswith("PRAGMA synchronous"):
            self._durable = statement.endswith("= FULL")
            statement = "PRAGMA synchronous = OFF"  # real disks need not be waited for
        if not self._durable and not statement.startswith(READS):
            disk.look_at_log()
        cursor = self._real.execute(statement, values)
        if statement == "COMMIT":
            thread = disk.scheduler.thread
            if self._durable and not (thread is not None and thread.dying):
                disk.synced()
            if thread is None or not thread.dying:
                disk.committed(self._real)
        return cursor

    def close(self) -> None:
        if not self._abandoned:
            self._real.close()

    def abandon(self) -> None:
        self._abandoned = True
        self._real.close()


def _fault(kind: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(f"simulated: {kind}")
    error.sqlite_errorcode = CODES[kind]
    return error


class Parked(BaseException):
    """The thread has nothing to do. It is entered anew when there is something."""


class Queue:
    """In the place of SimpleQueue: whoever would wait leaves the thread instead."""

    def __init__(self) -> None:
        self.thread: Thread | None = None
        self.items: deque[Any] = deque()

    def put(self, item: Any) -> None:
        self.items.append(item)
        if self.thread is not None:
            self.thread.wake()

    def get(self) -> Any:
        if not self.items:
            raise Parked
        return self.items.popleft()

    def get_nowait(self) -> Any:
        if not self.items:
            raise Empty
        return self.items.popleft()


class Thread:
    """In the place of a writer's thread. Its loop keeps nothing between two rounds."""

    def __init__(self, target: Callable[[], None], name: str, daemon: bool) -> None:
        self._loop = here()
        self._disk = self._loop.world.disk
        self._target = target
        self._queue: Queue = target.__self__._waiting  # type: ignore[attr-defined] # a bound method
        self._busy = False
        self.dying = False
        self.pause = 0.0

    def start(self) -> None:
        self._queue.thread = self
        self._disk.add_thread(self)

    def wake(self) -> None:
        if not self._busy:
            self._busy = True
            self._loop.call_later(self._disk.pause(), self._run)

    def _run(self) -> None:
        self.pause = self._disk.pause()
        self._loop.call_later(self.pause, self._rest)
        self._enter()

    def _rest(self) -> None:
        self._busy = False
        if self._queue.items:
            self.wake()

    def _enter(self) -> None:
        self._loop.scheduler.thread = self
        try:
            self._target()
        except Parked:
            pass
        finally:
            self._loop.scheduler.thread = None

    def join(self) -> None:
        self._enter()

    def die(self, *, in_the_middle: bool) -> None:
        """The process is killed, perhaps while this writes: nobody will hear whether it has."""
        self.dying = True
        if in_the_middle and self._queue.items:
            self._enter()
        self._queue.items.clear()
