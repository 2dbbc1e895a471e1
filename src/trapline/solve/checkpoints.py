"""A search that was killed goes on where it was: its numbers lie in a file, replaced whole.

What is taken up is believed no further than best responses confirm it, so the worst that a wrong
file can do is to cost time. One that is damaged is said to be, and the search begins anew; one that
cannot be written is said once, and the search goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import time
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec
import numpy as np

from trapline.home import replace_file_by
from trapline.solve.interface import SOLVER_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Arrays = Sequence[NDArray[Any]]

logger = logging.getLogger("trapline.solve")

SELDOM = 20.0
"""Seconds between two files, at least."""
SHARE = 0.05
"""Of the time, no more than this goes into writing."""
ENDING = ".progress"


class Head(msgspec.Struct, frozen=True):
    """What stands before the numbers of the arrays."""

    sizes: list[int]
    """Bytes of each array."""
    numbers: dict[str, float]
    solver: int = SOLVER_VERSION


class Checkpoint:
    """One search's file. Without a file nothing is kept, and nothing found."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self._next = time.monotonic() + SELDOM
        self._told = False

    def take_up(self, arrays: Arrays) -> dict[str, float] | None:
        """Put what was kept into these arrays, and return its numbers; None where nothing was."""
        if self.file is None or not self.file.exists():
            return None
        try:
            with self.file.open("rb") as file:
                return _read(file, arrays)
        except (OSError, ValueError, msgspec.DecodeError) as error:
            logger.warning(
                "What was kept of an unfinished search cannot be used (%s); it begins anew.", error
            )
            return None

    def sizes(self) -> list[int] | None:
        """How many bytes each array has that was kept, for whoever cannot know; None where nothing
        was."""
        if self.file is None:
            return None
        try:
            with self.file.open("rb") as file:
                file.readline()
                return msgspec.json.decode(file.readline(), type=Head).sizes
        except (OSError, ValueError, msgspec.DecodeError):
            return None

    def keep_now_and_then(self, arrays: Callable[[], Arrays], numbers: Mapping[str, float]) -> None:
        """Write the search down, if it is time for that."""
        if self.file is not None and time.monotonic() >= self._next:
            self.keep(arrays(), numbers)

    def keep(self, arrays: Arrays, numbers: Mapping[str, float]) -> None:
        if self.file is None:
            return
        began = time.monotonic()
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file_by(self.file, lambda file: _write(file, arrays, numbers))
        except OSError as error:
            if not self._told:
                logger.warning("The search goes on, but cannot be kept: %s.", error)
            self._told = True
        now = time.monotonic()
        self._next = now + max(SELDOM, (now - began) / SHARE)


NOWHERE = Checkpoint()


class Checkpoints:
    """The files of a game's searches, one for each method."""

    def __init__(self, solution: Path) -> None:
        self._solution = solution

    def of(self, method: str) -> Checkpoint:
        name = f"{self._solution.stem}-{method.replace(' ', '-')}{ENDING}"
        return Checkpoint(self._solution.with_name(name))

    def drop(self) -> None:
        """Forget all: the game is solved, or somebody wants it solved from the beginning."""
        for file in self._solution.parent.glob(f"{self._solution.stem}-*{ENDING}"):
            with contextlib.suppress(OSError):
                file.unlink()


def _write(file: BinaryIO, arrays: Arrays, numbers: Mapping[str, float]) -> None:
    head = msgspec.json.encode(Head([array.nbytes for array in arrays], dict(numbers))) + b"\n"
    parts: list[bytes | memoryview] = [head, *map(_bytes, arrays)]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    file.write(digest.hexdigest().encode() + b"\n")
    for part in parts:
        file.write(part)


def _read(file: BinaryIO, arrays: Arrays) -> dict[str, float]:
    """ValueError where the digest is another, or the search was of other arrays."""
    wanted, head = file.readline().strip(), file.readline()
    digest = hashlib.sha256(head)
    found = msgspec.json.decode(head, type=Head)
    if found.solver != SOLVER_VERSION or found.sizes != [array.nbytes for array in arrays]:
        raise ValueError("it belongs to another search")
    read = [np.zeros(array.shape, array.dtype) for array in arrays]
    for array in read:
        if file.readinto(_bytes(array)) != array.nbytes:  # type: ignore[attr-defined]  # typeshed gives it to raw files alone
            raise ValueError("it is too short")
        digest.update(_bytes(array))
    if digest.hexdigest().encode() != wanted or file.read(1):
        raise ValueError("its digest is another")
    for array, kept in zip(arrays, read, strict=True):
        array[...] = kept
    return found.numbers


def _bytes(array: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
