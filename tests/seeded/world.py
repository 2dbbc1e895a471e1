"""One world from one plan: what it consists of, what goes wrong in it, and how it ended."""

from __future__ import annotations

import asyncio
import gc
import logging
import shutil
import sqlite3
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tests.seeded.database import Database
from tests.seeded.disk import Disk
from tests.seeded.faults import Faults
from tests.seeded.loop import Numbered, ProcessLoop, Scheduler
from tests.seeded.model import Model, Trace
from tests.seeded.network import Link, Network
from tests.seeded.people import Cast
from tests.seeded.servers import Process
from tests.seeded.streams import StreamLink
from tests.seeded.thoughts import Thoughts
from tests.seeded.wire import WiredLink

if TYPE_CHECKING:
    from tests.seeded.people import Person
    from tests.seeded.plan import Plan

OnFrame = Callable[[float, str, bytes], None]
"""Hears everything that leaves the server: when, for whom, and what."""
LONGEST = 400.0
"""Seconds within which every match has ended, once nothing goes wrong any more."""
REST = 130.0
"""Seconds after which matches have left the memory, even where nobody has seen their clients go."""
MEMORY = Path("/dev/shm")  # noqa: S108 (a folder is made there that nobody else can enter)


class Outcome(NamedTuple):
    fault: str
    """What must not be; empty if nothing was found."""
    trace: Trace
    matches: int
    frames: int
    steps: int
    seconds: float

    @property
    def digest(self) -> str:
        """The same for every run of the same plan."""
        return self.trace.digest


class World:
    def __init__(self, plan: Plan, folder: Path, on_frame: OnFrame | None) -> None:
        self.plan = plan
        self.on_frame = on_frame
        self.fault = ""
        self.closing = False
        self.scheduler = Scheduler(Random(f"{plan.seed} steps"))
        self.outside = ProcessLoop(self, "outside", Random(f"{plan.seed} outside"))
        self.disk = Disk(folder, self.scheduler, Random(f"{plan.seed} disk"))
        self.database = Database(self.outside, Random(f"{plan.seed} database"))
        self.new_link = WiredLink if plan.wired else Link
        self.new_stream = StreamLink
        self.network = Network(self, Random(f"{plan.seed} network"))
        self.thoughts = Thoughts(Random(f"{plan.seed} thoughts"))
        self.model = Model(self)
        self.people: list[Person] = []
        self.keys: list[str] = []
        """Of all who have played here."""
        self.processes: list[Process] = []
        self.casts: list[Cast] = []
        self._graves: list[ProcessLoop] = []
        self._tidied = False
        self._rowid = 0
        self._reader: sqlite3.Connection | None = None
        if plan.store == "sqlite":
            self.database_url = f"sqlite:{self.disk.path}"
            self.disk.committed = self._read_disk
        else:
            self.database_url = "postgresql://simulated/world"
            self.database.committed = self._read_database

    def broken(self, what: str, error: BaseException | None = None) -> None:
        """Something is as it must not be: the first such thing ends the world."""
        if not self.fault and not self._tidied:
            lines = traceback.format_exception(error) if error is not None else []
            self.fault = "\n".join([what, *lines]).rstrip()
            self.scheduler.stop()

    # --- from the beginning to the end --------------------------------------------------

    def run(self) -> Outcome:
        EARS.world = self
        Numbered.begin_anew()
        try:
            self.processes = [Process(self, number) for number in range(self.plan.processes)]
            self.casts = [Cast(self, story) for story in self.plan.stories]
            for cast in self.casts:
                self.outside.start(cast.play())
            faults = Faults(self)
            faults.schedule()
            self._go_on(faults.over + LONGEST, self._all_played)
            self._check_all_settled()
            self.closing = True
            for person in self.people:
                person.line.close()
            if not self.fault:
                self._go_on(self.scheduler.now + REST)
            for process in self.processes:
                process.check_at_rest()
        finally:
            self._tidy()
        return Outcome(
            self.fault,
            self.model.trace,
            len(self.model.truths),
            self.model.frames,
            self.scheduler.steps,
            self.scheduler.now,
        )

    def _go_on(self, until: float, done: Callable[[], bool] = lambda: False) -> None:
        slice_ends = self.scheduler.now
        while slice_ends < until and not self.fault:
            slice_ends = min(until, slice_ends + 1.0)
            self.scheduler.run(slice_ends)
            if self.scheduler.now > 25.0 and done():
                return

    def _all_played(self) -> bool:
        return all(cast.told for cast in self.casts) and all(
            person.gone or (person.played and not self.model.check_settled(person.line))
            for person in self.people
        )

    def _check_all_settled(self) -> None:
        for cast in self.casts:
            if not cast.told:
                self.broken(f"match {cast.story.number} could not be opened and joined")
        for person in self.people:
            if person.gone:
                continue
            if owed := self.model.check_settled(person.line):
                self.broken(f"at the end, {owed}")
            elif not person.played and self._both_seats_taken(person):
                self.broken(f"at the end, {person.line.match} is not over: nobody goes on with it")

    def _both_seats_taken(self, person: Person) -> bool:
        return self.model.truths[person.line.match].full

    def _tidy(self) -> None:
        self._tidied = True  # what tasks say when they are taken apart is nobody's fault
        for process in self.processes:
            if not process.loop.dead:
                process.loop.die()
                self._graves.append(process.loop)
        self.outside.die()
        self.disk.forget()
        if self._reader is not None:
            self._reader.close()
        EARS.world = None
        for loop in (*self._graves, self.outside):
            loop.bury()

    # --- processes ----------------------------------------------------------------------

    def kill(self, loop: ProcessLoop, *, power: bool = False) -> None:
        """A process ends in the middle of whatever it does, and another takes its place."""
        for process in self.processes:
            if process.loop is loop and not loop.dead:
                self._end(process, power=power)

    def end(self, process: Process) -> None:
        """A process has ended by itself."""
        if not process.loop.dead:
            self._end(process, power=False)

    def _end(self, process: Process, *, power: bool) -> None:
        process.ready = False
        process.loop.die()
        self._graves.append(process.loop)
        self.disk.crash(process.loop, power=power)
        for connection in [c for c in self.database.connections if c._loop is process.loop]:
            connection.lose(silently=True)
        self.network.lose(process, silently=power)
        if not self.closing:
            self.outside.call_later(0.5 + 2 * self.network.chance.random(), process.start)

    # --- what is kept -------------------------------------------------------------------

    def _read_disk(self, writer: sqlite3.Connection | None) -> None:
        crashed = writer is None
        if crashed and self._reader is not None:
            self._reader.close()
            self._reader = None
        if self._reader is None:  # it stays open: whoever closes the last one tidies up
            self._reader = self.disk.open()
        after, looks = 0 if crashed else self._rowid, writer or self._reader
        try:
            rows = looks.execute(
                """SELECT rowid, match_id, version, entry FROM entries
                   WHERE rowid > ? ORDER BY rowid""",
                (after,),
            ).fetchall()
        except sqlite3.OperationalError:  # there is no table
            rows = []
        self._rowid = rows[-1][0] if rows else after
        found = [row[1:] for row in rows]
        if crashed:
            self.model.survived(found)
        else:
            self.model.kept(found)

    def _read_database(self) -> None:
        truths, found = self.model.truths, []
        for match in self.database.changed:
            known = len(truths[match].entries) if match in truths else 0
            log = self.database.entries.get(match, [])[known:]
            found += [(match, version, entry) for version, entry in enumerate(log, known + 1)]
        self.database.changed.clear()
        self.model.kept(found)


class Ears(logging.Handler):
    """Hears what an operator would read: an error that nobody has thought of ends the world."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.world: World | None = None

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        expected = isinstance(error, asyncio.CancelledError)  # uvicorn's, when it hangs up
        expected |= record.getMessage() == "the store failed"
        if self.world is not None and not expected:
            facts = {
                name: vars(record)[name] for name in ("match", "error") if name in vars(record)
            }
            self.world.broken(f"logged: {record.getMessage()} {facts}", error)


EARS = Ears()


T = TypeVar("T")


def run(plan: Plan, on_frame: OnFrame | None = None) -> Outcome:
    """How a world ends; to be called where everything real has been replaced (`staged`)."""

    def play(folder: Path) -> Outcome:
        world = World(plan, folder, on_frame)
        try:
            return world.run()
        finally:
            world.model.truths.clear()  # at once: in the collector's hands it would take longer

    return in_folder(play)


def in_folder(work: Callable[[Path], T]) -> T:
    """Let a world have a folder for as long as it lasts, in memory if that is possible."""
    folder = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None, prefix="seeded-"))
    collects = gc.isenabled()
    gc.disable()  # it would come at another point of the same world the next time
    try:
        return work(folder)
    finally:
        EARS.world = None
        shutil.rmtree(folder)
        if collects:
            gc.enable()
