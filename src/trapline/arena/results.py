"""The file of results: one JSON line for each thing done, and never a line changed.

A line is on the disk before the next task counts as done. A line that a power cut or a kill
tore in two is cut off when the file is opened again; its task is simply done once more.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Self

import filelock
import msgspec

from trapline.arena.fixtures import Played
from trapline.arena.strategies import Strategy
from trapline.core import TraplineError

if TYPE_CHECKING:
    from pathlib import Path

Result = Played | Strategy


class Outdated(msgspec.Struct, frozen=True, tag="strategy"):
    """A strategy as older versions wrote it: it is asked for again."""


class Results:
    """What was done before, by key, and the place for what is done now."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, Result] = {}
        self._lock = filelock.FileLock(f"{path}.lock")

    def __enter__(self) -> Self:
        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise TraplineError(f"Another tournament is writing to {self.path} now.") from None
        with contextlib.ExitStack() as undo:
            undo.callback(self._lock.release)
            self._stream = undo.enter_context(self.path.open("ab+"))
            self._read()
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    def add(self, result: Result) -> None:
        self._stream.write(msgspec.json.encode(result) + b"\n")
        self._flush()
        self.done[result.key] = result

    def _flush(self) -> None:
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def _read(self) -> None:
        decoder = msgspec.json.Decoder(Result | Outdated)
        self._stream.seek(0)
        whole = 0
        for number, line in enumerate(self._stream, 1):
            if not line.endswith(b"\n"):
                self._stream.truncate(whole)
                self._flush()
                return
            whole += len(line)
            try:
                result: Result | Outdated = decoder.decode(line)
            except msgspec.MsgspecError:
                raise TraplineError(
                    f"Line {number} of {self.path} is no result of a tournament; "
                    "take it out, or name another file as out."
                ) from None
            if not isinstance(result, Outdated):
                self.done[result.key] = result
