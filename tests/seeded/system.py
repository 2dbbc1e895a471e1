"""What a process has from its system: clocks and chance. In a world all of it comes from the seed.

Every module of the server that holds the real ones is given these instead, whichever it is, so
that a new one cannot be forgotten.
"""

from __future__ import annotations

import base64
import contextlib
import random
import secrets
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

from trapline.server import hours

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from tests.seeded.loop import ProcessLoop


class Running:
    """The process that runs at this moment, if one does."""

    loop: ProcessLoop | None = None


RUNNING = Running()


def here() -> ProcessLoop:
    loop = RUNNING.loop
    assert loop is not None
    return loop


class Clock:
    """In the place of the module `time`."""

    @staticmethod
    def monotonic() -> float:
        return here().scheduler.now

    perf_counter = monotonic

    @staticmethod
    def time() -> float:
        return here().wall()

    @staticmethod
    def sleep(seconds: float) -> None:
        """Only whoever thinks elsewhere sleeps: the answer comes so much later."""
        here().world.thoughts.slept += seconds


class Calendar(datetime):
    """In the place of `datetime`."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override] # a plain one
        return datetime.fromtimestamp(here().wall(), tz)


class Chance:
    """In the place of the module `secrets`."""

    @staticmethod
    def token_bytes(size: int = 32) -> bytes:
        return here().entropy.randbytes(size)

    @staticmethod
    def token_hex(size: int = 32) -> str:
        return here().entropy.randbytes(size).hex()

    @staticmethod
    def token_urlsafe(size: int = 32) -> str:
        return base64.urlsafe_b64encode(here().entropy.randbytes(size)).rstrip(b"=").decode()

    @staticmethod
    def choice(seq: Sequence[Any]) -> Any:
        return here().entropy.choice(seq)


class EachItsOwn:
    """In the place of the hours of a process: here there are several, each with its own."""

    def milliseconds(self) -> int:
        """The one that is called twenty times a match: found at once, not after all else."""
        return _hours().milliseconds()

    def __getattr__(self, name: str) -> Any:
        return getattr(_hours(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_hours(), name, value)


def _hours() -> hours.Hours:
    process = here()
    if process.hours is None:
        process.hours = hours.Hours()
    return process.hours


def seeded_random() -> random.Random:
    """In the place of `SystemRandom`."""
    return here().entropy


STAND_INS: tuple[tuple[Any, Any], ...] = (
    (time, Clock),
    (datetime, Calendar),
    (secrets, Chance),
    (random.SystemRandom, seeded_random),
    (hours.HOURS, EachItsOwn()),
)


@contextlib.contextmanager
def replaced(*more: tuple[Any, str, Any]) -> Iterator[None]:
    """Give every module of the server these clocks and this chance, and `more` besides.

    Each of `more` is whose name it is, the name, and what stands there meanwhile.
    """
    wanted = list(more)
    for name, module in list(sys.modules.items()):
        if name == "trapline.server" or name.startswith("trapline.server."):
            for attribute, held in list(vars(module).items()):
                wanted += [(module, attribute, mine) for real, mine in STAND_INS if held is real]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in wanted]
    try:
        for owner, name, stand_in in wanted:
            setattr(owner, name, stand_in)
        yield
    finally:
        for owner, name, held in reversed(before):
            setattr(owner, name, held)
