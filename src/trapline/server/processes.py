"""Processes that answer questions: one at a time, and ended when an answer takes too long.

What runs there may loop, crash or fill the memory: whoever asked hears of it, and nobody else.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import pickle
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any

from trapline.cluster import settle_in
from trapline.core import TraplineError, Unavailable
from trapline.server.system import bound_memory

if TYPE_CHECKING:
    from collections.abc import Callable

STARTING = 60.0
"""Seconds that a process may take to begin."""


class Died(Unavailable):
    """The process has ended before it could answer."""


class TooLate(Unavailable):
    """The process was ended because it took too long."""


class Failed(Unavailable):
    """The work has failed in a way that nobody had thought of."""


class Process:
    """One process, started when it is first asked, and again after it has ended."""

    def __init__(self, megabytes: int = 0) -> None:
        """It may fill so many megabytes; 0 for as many as there are."""
        self._megabytes = megabytes
        self._pool: ProcessPoolExecutor | None = None
        self._turn = asyncio.Lock()
        self._asking: set[asyncio.Task[Any]] = set()

    async def ask(self, work: Callable[..., Any], *arguments: Any, seconds: float) -> Any:
        """What `work` returns there; its TraplineError, or Died, Failed or TooLate."""
        # Whoever asks may give up waiting; the process is busy until it has answered.
        task = asyncio.create_task(self._ask(seconds, work, *arguments))
        self._asking.add(task)
        task.add_done_callback(self._answered)
        return await asyncio.shield(task)

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._asking.discard(task)
        if not task.cancelled():
            task.exception()  # has been heard, or nobody listens any more

    async def _ask(self, seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
        async with self._turn:
            if self._pool is None:
                await self._run(STARTING, _nothing)
            return await self._run(seconds, work, *arguments)

    def stop(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            processes = list(pool._processes.values())  # noqa: SLF001 (there is no other way)
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()

    async def _run(self, seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
        pool = self._pool = self._pool or _new_pool(self._megabytes)
        try:
            future = asyncio.wrap_future(pool.submit(_answer, seconds, work, arguments))
            done, answer = await asyncio.wait_for(future, seconds)
        except TimeoutError:
            self.stop()
            raise TooLate(f"No answer came within {seconds:g} seconds.") from None
        except BrokenProcessPool:
            self.stop()
            raise Died("The process that was asked has ended.") from None
        if done:
            return answer
        raise answer


def _new_pool(megabytes: int) -> ProcessPoolExecutor:
    # A fresh process: forking one that has started threads is not safe.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(megabytes,))


# --- in the other process ---------------------------------------------------------------


def _begin(megabytes: int) -> None:
    settle_in()
    bound_memory(megabytes)


def _nothing() -> None:
    pass


def _answer(
    seconds: float, work: Callable[..., Any], arguments: tuple[Any, ...]
) -> tuple[bool, Any]:
    """The result, or an error that is certain to survive the way back."""
    # If nobody is left to stop us, the system does, whatever keeps Python from hearing it.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(seconds) + 5)
    try:
        result = work(*arguments)
        pickle.dumps(result)
    except TraplineError as error:
        return False, portable(error)
    except BaseException as error:  # noqa: BLE001 (sys.exit() too is only a failed answer)
        return False, Failed(f"Something went wrong ({type(error).__name__}: {error})."[:300])
    finally:
        signal.alarm(0)
    return True, result


def portable(error: TraplineError) -> TraplineError:
    """The same error if it can be sent and received, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 (our own, a moment ago)
    except Exception:  # noqa: BLE001 (whatever its author forgot)
        return TraplineError(str(error))
    return error
