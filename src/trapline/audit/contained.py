"""The target in a process of its own: what it does to that process, it does to nothing else."""

from __future__ import annotations

import json
import mmap
import os
import selectors
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.audit.faults import Heard
from trapline.audit.report import Figures, Finding, Report, merged
from trapline.core import TraplineError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TRAIL = 1 << 16
"""Bytes for the play that is being tried."""
COUNT = 8
"""Bytes for the number of calls."""
PATIENCE = 10.0
"""Seconds that one call may take beyond the end of the audit."""
OVERTIME = 120.0
"""Seconds that a busy machine is given beyond that, when nothing is asleep."""


class Trail(Heard):
    """What a process is trying at this moment, for whoever finds it dead or asleep."""

    def __init__(self, path: str) -> None:
        with Path(path).open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), TRAIL)
        self._calls = 0

    def in_call(self, now: bool) -> None:
        """Calls are counted: an odd number is a call that has not come back."""
        self._calls += self._calls % 2 != now
        self._map[:COUNT] = self._calls.to_bytes(COUNT, "little")

    def calls(self) -> int:
        return int.from_bytes(self._map[:COUNT], "little")

    def write(self, start: int, play: list[Any]) -> None:
        data = json.dumps([start, play], default=str).encode()[: TRAIL - COUNT - 1]
        self._map[COUNT : COUNT + len(data) + 1] = data + b"\0"

    def read(self) -> tuple[int, list[Any]] | None:
        with suppress(ValueError):
            start, play = json.loads(self._map[COUNT:].split(b"\0", 1)[0])
            return start, play
        return None


class Message(msgspec.Struct, omit_defaults=True):
    """One line from the process."""

    step: str = ""
    spent: float = 0.0
    finding: Finding | None = None
    report: Report | None = None
    refused: str = ""
    """Why the target could not be looked at at all."""


def audit(
    target: str,
    seconds: float = 20,
    *,
    options: Mapping[str, object] | None = None,
    jobs: int = 1,
    told: Callable[[str, float], None] = lambda _step, _spent: None,
) -> Report:
    """Look at a target for about so long; TraplineError if it cannot be looked at.

    `told` hears what is being done, and how much of the time is spent.
    """
    watched = [_Watched(target, seconds, dict(options or {}), part) for part in range(jobs)]
    try:
        reports = _gather(watched, told)
    finally:
        for each in watched:
            each.close()
    return merged(reports)


def _gather(watched: list[_Watched], told: Callable[[str, float], None]) -> list[Report]:
    with selectors.DefaultSelector() as selector:
        for each in watched:
            selector.register(each.output, selectors.EVENT_READ, each)
        while any(each.running for each in watched):
            for key, _ in selector.select(timeout=0.2):
                each = key.data
                if not each.hear():
                    selector.unregister(each.output)
            for each in watched:
                each.look_after()
            told(watched[0].step, watched[0].spent)
    return [each.result() for each in watched]


class _Watched:
    """One process that looks at the target."""

    def __init__(self, target: str, seconds: float, options: dict[str, object], part: int) -> None:
        self.target, self.seconds = target, seconds
        self.findings: list[Finding] = []
        self.report: Report | None = None
        self.step, self.spent = "loading", 0.0
        self.running = True
        handle, self._path = tempfile.mkstemp(prefix="trapline-audit-")
        os.ftruncate(handle, TRAIL)
        os.close(handle)
        self._trail = Trail(self._path)
        self._calls = 0
        self._since = self._begun = time.monotonic()
        self._refused = ""
        self._rest = b""
        asked = json.dumps([target, seconds, options, part, self._path])
        command = [sys.executable, "-m", "trapline.audit.worker", asked]
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self._process.stdout is not None
        self.output = self._process.stdout

    def hear(self) -> bool:
        """Read what the process says; False when it says nothing any more."""
        data = os.read(self.output.fileno(), 1 << 16)
        if not data:
            self._gone()
            return False
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._understand(msgspec.json.decode(line, type=Message))
        return True

    def _understand(self, message: Message) -> None:
        self._since = time.monotonic()
        if self.step == "loading" and message.step:
            self._begun = self._since  # what took long until now was not the looking
        self.step, self.spent = message.step or self.step, message.spent
        if message.refused:
            self._refused = message.refused
        if message.finding is not None:
            self.findings.append(message.finding)
        if message.report is not None:
            self.report = message.report

    def look_after(self) -> None:
        """Stop a process that has been in one and the same call for too long."""
        if not self.running:
            return
        now, calls = time.monotonic(), self._trail.calls()
        if calls != self._calls:
            self._calls, self._since = calls, now
        over = now - self._begun - self.seconds
        asleep = calls % 2 == 1 and now - self._since > PATIENCE
        if over > 0 and (asleep or over > OVERTIME + 4 * self.seconds):
            self._process.kill()
            self._process.wait()
            self.running = False
            if self.report is None and asleep:
                said = f"has not come back for {PATIENCE:g} seconds, and was stopped."
                self._blame("endless", said)

    def _gone(self) -> None:
        self.running = False
        code = self._process.wait()
        if self.report is None and not self._refused:
            what = f"signal {-code}" if code < 0 else f"code {code}"
            self._blame("crash", f"ended the process that looked at it ({what}).")

    def _blame(self, check: str, what: str) -> None:
        start, play = self._trail.read() or (0, [])
        more = f", seed={start}" if start else ""
        line = f"reproduce({self.target!r}, {check!r}, {play!r}{more})"
        doing = f"step({play[-1]!r})" if play else "reset()"
        sentence = f"{doing} {what}"
        reproduce = f"from trapline.audit import reproduce; {line}"
        self.findings.append(Finding(check, sentence, tuple(play), reproduce))

    def result(self) -> Report:
        if self._refused:
            raise TraplineError(self._refused)
        if self.report is not None:
            return self.report
        figures = Figures(seconds=round(time.monotonic() - self._begun, 2))
        return merged([Report(self.target, tuple(self.findings), False, figures)])

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self.output.close()
        with suppress(OSError):
            Path(self._path).unlink()
