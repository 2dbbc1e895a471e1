"""Event loops in simulated time: one for each process, all driven by one scheduler from one seed.

Within a process things happen in the order in which asyncio would let them; between processes
chance decides at every step. Time passes only when nobody has anything to do.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import warnings
from asyncio import _set_running_loop
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from itertools import count
from typing import TYPE_CHECKING, Any
from weakref import ReferenceType, ref

import msgspec

from tests.seeded.system import RUNNING

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from random import Random

    from tests.seeded.world import World
    from trapline.server.hours import Hours

MOST_STEPS = 3_000_000
BEGINNING = 1_767_225_600.0
"""When all worlds begin, by the calendar: the first of January 2026."""


class Numbered:
    """Sets are gone through by hash, and that of a task would be where it lies in memory."""

    _numbers = count()
    _number: int | None = None

    @classmethod
    def begin_anew(cls) -> None:
        """For another world: what ran before it must not decide in which order its sets are."""
        cls._numbers = count()

    def __hash__(self) -> int:
        if self._number is None:
            self._number = next(self._numbers)
        return self._number


class SeededTask(Numbered, asyncio.Task):  # type: ignore[type-arg] # it takes none at run time
    pass


class SeededFuture(Numbered, asyncio.Future):  # type: ignore[type-arg] # likewise
    pass


class Call(msgspec.Struct, gc=False):
    """What is to be run, and what asyncio calls a handle: made some two hundred times a match.

    The collector need not look at it: it is let go of as soon as it has been run.
    """

    callback: Callable[..., Any]
    args: tuple[Any, ...]
    context: Context
    due: float = 0.0
    off: bool = False

    def cancel(self) -> None:
        """It is passed over when its time comes."""
        self.off = True

    def cancelled(self) -> bool:
        return self.off

    def when(self) -> float:
        return self.due


def _let_run(loop: ProcessLoop | None) -> None:
    RUNNING.loop = loop
    _set_running_loop(loop)


class Scheduler:
    """Who is next."""

    def __init__(self, chance: Random) -> None:
        self.now = 0.0
        self.steps = 0
        self.chance = chance
        self.thread: Any = None
        """The simulated thread that runs at this moment, if any does."""
        self.stopped = False
        self.timers: list[tuple[float, int, ProcessLoop, Call]] = []
        self.order = count()
        self._awake: list[ProcessLoop] = []

    def wake(self, loop: ProcessLoop) -> None:
        self._awake.append(loop)

    def at(self, when: float, loop: ProcessLoop, handle: Call) -> None:
        heapq.heappush(self.timers, (when, next(self.order), loop, handle))

    def stop(self) -> None:
        """Nothing more is to happen."""
        self.stopped = True

    def run(self, until: float) -> None:
        """Let things happen until that time, or until it is stopped.

        This is the innermost loop of every world: it is one function for the sake of speed.
        """
        awake, timers, random = self._awake, self.timers, self.chance.random
        running: ProcessLoop | None = None
        while not self.stopped:
            if not awake:
                if not timers or timers[0][0] > until:
                    break
                self._pass_time()
                continue
            chosen = int(random() * len(awake)) if len(awake) > 1 else 0
            loop = awake[chosen]
            if loop is not running:  # asyncio asks the system who we are each time it is told
                running = RUNNING.loop = loop
                _set_running_loop(loop)
            ready = loop._ready
            while True:  # what is next, and what follows while nobody else is awake
                self.steps += 1
                if loop.dies_in is not None:
                    loop.come_nearer_to_death()
                if ready:
                    call = ready.popleft()
                    if not call.off:
                        try:
                            call.context.run(call.callback, *call.args)
                        except Exception as error:  # noqa: BLE001 (as asyncio does: the loop goes on)
                            loop.failed(call, error)
                if not ready:
                    loop._awake = False
                    awake[chosen] = awake[-1]
                    awake.pop()
                    break
                if len(awake) > 1 or self.stopped or self.steps > MOST_STEPS:
                    break
            if self.steps > MOST_STEPS:
                loop.world.broken("so much has happened that it seems to go round in circles")
        _let_run(None)
        if not self.stopped:
            self.now = max(self.now, until)

    def _pass_time(self) -> None:
        timers, awake, pop = self.timers, self._awake, heapq.heappop
        if timers[0][0] > self.now:
            self.now = timers[0][0]
        now = self.now
        while timers and timers[0][0] <= now:
            _, _, loop, call = pop(timers)
            if call.off or loop.dead:
                continue
            if loop.frozen_until > now:  # it does not run when this is due
                self.at(loop.frozen_until, loop, call)
                continue
            loop._ready.append(call)
            if not loop._awake:
                loop._awake = True
                awake.append(loop)


class ProcessLoop(asyncio.BaseEventLoop):
    """The event loop of one process, with its clocks and its own source of chance."""

    def __init__(self, world: World, name: str, entropy: Random) -> None:
        # What asyncio's own loop prepares here (a selector, a debugger) this one never uses.
        self.dead = False
        self.world = world
        self.scheduler: Scheduler = world.scheduler
        self.name = name
        self.entropy = entropy
        self.wall_offset = BEGINNING
        self.hours: Hours | None = None
        self.frozen_until = 0.0
        self.dies_in: int | None = None
        """Steps after which it is killed."""
        self._ready: deque[Call] = deque()
        self._awake = False
        self._tasks: list[ReferenceType[asyncio.Task[Any]]] = []
        self._many = 100
        self._left: list[asyncio.Task[Any]] = []

    # --- running ------------------------------------------------------------------------

    def come_nearer_to_death(self) -> None:
        """By a step."""
        assert self.dies_in is not None
        if self.dies_in <= 0:
            self.world.kill(self)
        else:
            self.dies_in -= 1

    def failed(self, call: Call, error: Exception) -> None:
        message = f"Exception in callback {call.callback!r}"
        self.call_exception_handler({"message": message, "exception": error})

    def die(self) -> None:
        """Nothing of it runs any more, not even what should be done at last."""
        self.dead = True
        self._ready.clear()
        # Whoever lets go of a task that waits would have its `finally` run.
        there = (task() for task in self._tasks)
        self._left = [task for task in there if task is not None and not task.done()]
        for task in self._left:
            task._log_destroy_pending = False  # type: ignore[attr-defined] # it has no other switch

    def bury(self) -> None:
        """Take the tasks apart: with this loop running, which does nothing."""
        _let_run(self)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # some were killed before they began
            for task in self._left:
                coroutine = task.get_coro()
                with contextlib.suppress(BaseException):  # whatever it says when it is torn apart
                    coroutine.close()
            self._left.clear()
        _let_run(None)

    # --- clocks -------------------------------------------------------------------------

    def time(self) -> float:
        return self.scheduler.now

    def wall(self) -> float:
        return self.scheduler.now + self.wall_offset

    # --- what asyncio asks of a loop ----------------------------------------------------

    # The types of asyncio's own follow each argument to its callback; these need not.

    def call_soon(  # type: ignore[override] # see above
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Call:
        call = Call(callback, args, copy_context() if context is None else context)
        if not self.dead:
            self._ready.append(call)
            if not self._awake:
                self._awake = True
                self.scheduler.wake(self)
        return call

    def call_soon_threadsafe(  # type: ignore[override] # see above
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Call:
        """From a thread: it comes a moment later, when the thread is through with its disk."""
        thread = self.scheduler.thread
        pause = thread.pause if thread is not None else 0.0
        return self.call_at(self.scheduler.now + pause, callback, *args, context=context)

    def call_at(  # type: ignore[override] # see above
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Call:
        call = Call(callback, args, copy_context() if context is None else context, when)
        if not self.dead:
            scheduler = self.scheduler
            heapq.heappush(scheduler.timers, (when, next(scheduler.order), self, call))
        return call

    def call_later(  # type: ignore[override] # see above
        self,
        delay: float,
        callback: Callable[..., Any],
        *args: Any,
        context: Context | None = None,
    ) -> Call:
        scheduler = self.scheduler
        when = scheduler.now + delay
        call = Call(callback, args, copy_context() if context is None else context, when)
        if not self.dead:
            heapq.heappush(scheduler.timers, (when, next(scheduler.order), self, call))
        return call

    def create_future(self) -> asyncio.Future[Any]:
        return SeededFuture(loop=self)

    def create_task(
        self, coro: Any, *, name: object = None, context: Context | None = None
    ) -> asyncio.Task[Any]:
        if self.dead:
            coro.close()
            return self.create_future()  # type: ignore[return-value] # nobody looks at it
        task = SeededTask(coro, loop=self, name=str(name or "a task"), context=context)
        self._tasks.append(ref(task))
        if len(self._tasks) > self._many:
            self._tasks = [kept for kept in self._tasks if kept() is not None]
            self._many = 2 * len(self._tasks) + 100
        return task

    def get_task_factory(self) -> Any:
        return None

    def run_in_executor(  # type: ignore[override] # a coroutine elsewhere, awaited all the same
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Work in another thread: it happens at some moment, and is heard of at a later one."""
        answer = self.create_future()
        self.call_later(self.world.disk.pause(), self._work, answer, func, args)
        return answer

    def _work(
        self, answer: asyncio.Future[Any], func: Callable[..., Any], args: tuple[Any, ...]
    ) -> None:
        pause = self.world.disk.pause()
        try:
            self.call_later(pause, _give, answer, func(*args))
        except Exception as error:  # noqa: BLE001 (whoever asked hears of it)
            self.call_later(pause, _refuse, answer, error)

    get_debug = bool  # asked for each future: no, and in no time

    def is_running(self) -> bool:
        return not self.dead

    def is_closed(self) -> bool:
        return self.dead

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self.dead:
            self.world.broken(f"{self.name}: {context.get('message')}", context.get("exception"))

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Begin something from outside the loop."""
        return self.create_task(work)


def _give(answer: asyncio.Future[Any], value: Any) -> None:
    if not answer.done():
        answer.set_result(value)


def _refuse(answer: asyncio.Future[Any], error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
