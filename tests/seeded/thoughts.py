"""Processes that think, simulated: the work is done here and now, and its answer comes later."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any

from tests.seeded.system import here

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

USUAL = 0.2
"""Seconds that a thought takes, at most."""
FOR_EVER = 10_000.0


class Thoughts:
    """How thinking goes in a world."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.failing = False
        self.slept = 0.0


class Pool:
    """In the place of ProcessPoolExecutor."""

    def __init__(self) -> None:
        self._processes: dict[int, Any] = {}
        self._waiting: dict[Future[Any], None] = {}
        self._thoughts = here().world.thoughts

    def submit(
        self, answer: Callable[..., Any], seconds: float, work: Callable[..., Any], arguments: Any
    ) -> Future[Any]:
        thoughts, waiting = self._thoughts, Future[Any]()
        self._waiting[waiting] = None
        pause = USUAL * thoughts.chance.random()
        if thoughts.failing:
            kind = thoughts.chance.random()
            if kind < 0.3:
                here().call_later(pause, self._break)
                return waiting
            if kind < 0.5:
                work = _fail
            elif kind < 0.6:
                pause = FOR_EVER
        here().call_later(pause, self._answer, waiting, answer, (seconds, work, arguments))
        return waiting

    def _answer(
        self, waiting: Future[Any], answer: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> None:
        if waiting in self._waiting:
            self._thoughts.slept = 0.0
            found = answer(*arguments)
            here().call_later(self._thoughts.slept, self._give, waiting, found)

    def _give(self, waiting: Future[Any], found: Any) -> None:
        if waiting in self._waiting:
            del self._waiting[waiting]
            if waiting.set_running_or_notify_cancel():
                waiting.set_result(found)

    def _break(self) -> None:
        for waiting in list(self._waiting):
            del self._waiting[waiting]
            if waiting.set_running_or_notify_cancel():
                waiting.set_exception(BrokenProcessPool("simulated"))

    def shutdown(self, *, wait: bool, cancel_futures: bool) -> None:
        self._waiting.clear()


def _fail(*_arguments: Any) -> None:
    raise ZeroDivisionError("simulated")


def nothing() -> None:
    """What a process would load before anybody asks has been loaded here long ago."""


class NoAlarms:
    """In the place of the module `signal`: nobody has to be woken out of compiled code."""

    SIGALRM = SIG_DFL = 0

    @staticmethod
    def signal(_number: int, _handler: int) -> None:
        pass

    @staticmethod
    def alarm(_seconds: int) -> None:
        pass
