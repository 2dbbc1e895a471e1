"""The file of results: one JSON line for each thing done, and never a line changed.

What players who read text were asked and wrote goes to a second file beside it, one line a match,
which is on the disk before the match counts.

A line is on the disk before the next task counts as done. A line that a power cut or a kill
tore in two is cut off when the file is opened again; its task is simply done once more.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Self

import filelock
import msgspec

from trapline.arena.believing import contradiction, is_known, judged
from trapline.arena.fixtures import Played
from trapline.arena.strategies import Strategy
from trapline.core import TraplineError

if TYPE_CHECKING:
    from pathlib import Path

Result = Played | Strategy


class Outdated(msgspec.Struct, frozen=True, tag="strategy"):
    """A strategy as older versions wrote it: it is asked for again."""


_DECODER = msgspec.json.Decoder(Result | Outdated)


class Results:
    """What was done before, by key, and the place for what is done now."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, Result] = {}
        self.transcripts = path.with_suffix(".transcripts.jsonl")
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
            self._mend_transcripts()
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    def add(self, result: Result) -> None:
        if isinstance(result, Played) and result.said:
            self._keep_transcript(result)
            result = msgspec.structs.replace(result, said={})
        self._stream.write(msgspec.json.encode(result) + b"\n")
        self._flush()
        self.done[result.key] = result

    def merge(self, path: Path) -> int:
        """Take over what somebody else's file has and this one lacks; how many results it was."""
        new = self.lacking(path)
        for result in new.values():
            self.add(judged(result) if isinstance(result, Played) else result)
        return len(new)

    def lacking(self, path: Path) -> dict[str, Result]:
        """What somebody else's file has and this one lacks.

        Keys name a match by all that decides it, so equal keys are one match: ours stays. Every
        match must be what its record says, so those of games that are not known here are left out.
        """
        try:
            with path.open("rb") as theirs:
                whole = (line for line in theirs if line.endswith(b"\n"))  # a kill tears the last
                found = [
                    _decode(line, number, path, "leave that file out")
                    for number, line in enumerate(whole, 1)
                ]
        except OSError as error:
            raise TraplineError(f"{path} cannot be read: {error.strerror or error}.") from None
        lacked = {
            number: result
            for number, result in enumerate(found, 1)
            if not isinstance(result, Outdated) and result.key not in self.done
            if is_known(result.game, result.options)
        }
        for number, result in lacked.items():
            if isinstance(result, Played) and (why := contradiction(result)):
                raise TraplineError(
                    f"Line {number} of {path} cannot be believed, {why.rstrip('.')}; take it out, "
                    "or leave that file out."
                )
        return {result.key: result for result in lacked.values()}

    def _mend_transcripts(self) -> None:
        """The last line is cut off if its match did not count: that is played again."""
        if self.transcripts.exists():
            with self.transcripts.open("rb+") as stream:
                data = stream.read()
                end = data.rfind(b"\n") + 1
                last = data.rfind(b"\n", 0, max(0, end - 1)) + 1
                with contextlib.suppress(msgspec.MsgspecError):  # no line of ours stays
                    if msgspec.json.decode(data[last:end], type=_Kept).key not in self.done:
                        end = last
                stream.truncate(end)

    def _keep_transcript(self, played: Played) -> None:
        line = msgspec.json.encode({"key": played.key, "said": played.said}) + b"\n"
        with self.transcripts.open("ab") as stream:
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())

    def _flush(self) -> None:
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def _read(self) -> None:
        self._stream.seek(0)
        whole = 0
        for number, line in enumerate(self._stream, 1):
            if not line.endswith(b"\n"):
                self._stream.truncate(whole)
                self._flush()
                return
            whole += len(line)
            result = _decode(line, number, self.path, "name another file as out")
            if not isinstance(result, Outdated):
                self.done[result.key] = result


class _Kept(msgspec.Struct):
    """What tells whose words a transcript holds."""

    key: str


def _decode(line: bytes, number: int, path: Path, otherwise: str) -> Result | Outdated:
    try:
        result: Result | Outdated = _DECODER.decode(line)
    except msgspec.MsgspecError:
        raise TraplineError(
            f"Line {number} of {path} is no result of a tournament; take it out, or {otherwise}."
        ) from None
    return result
