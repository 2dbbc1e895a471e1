"""Computer players and the coach: one long thought, or a killed process, stops nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from trapline.match import Match

from tests.server.running import Server
from tests.server.stores import in_loop
from trapline.core import Unavailable
from trapline.games import make_game
from trapline.server import thinking
from trapline.server.messages import Play
from trapline.server.thinking import Thinkers

if TYPE_CHECKING:
    from collections.abc import Iterator

VIEW = Match(make_game("numeric-maze"), 1).view(1)


@pytest.fixture
def thinkers() -> Iterator[Thinkers]:
    thinking_processes = Thinkers(2)
    yield thinking_processes
    thinking_processes.stop()


def dawdle() -> None:
    time.sleep(60)


@in_loop
async def test_many_long_thoughts_leave_room_for_quick_ones(thinkers: Thinkers) -> None:
    slow = [asyncio.create_task(thinkers._ask_coach(dawdle)) for _ in range(thinking.QUEUE)]
    await asyncio.sleep(0)
    async with asyncio.timeout(20):
        assert isinstance(await thinkers.command("random", VIEW), Play)
    with pytest.raises(Unavailable, match="too many questions"):
        await thinkers.hint(VIEW)
    assert not any(task.done() for task in slow)
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)


@in_loop
async def test_when_a_process_is_killed_everybody_gets_an_answer(thinkers: Thinkers) -> None:
    pid = await thinkers._run(os.getpid)
    async with asyncio.timeout(30):
        choices = [asyncio.create_task(thinkers.command("casual", VIEW)) for _ in range(8)]
        await asyncio.sleep(0)
        os.kill(pid, signal.SIGKILL)
        assert len(await asyncio.gather(*choices)) == 8


def test_a_thought_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "LONGEST", 1)
    before = signal.getsignal(signal.SIGALRM)
    try:
        with pytest.raises(Unavailable, match="in good time"):
            thinking._in_time(dawdle)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_thinking_processes_do_not_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        children = _children(server.process.pid)
        deadline = time.monotonic() + 20
        while not children and time.monotonic() < deadline:
            time.sleep(0.1)
            children = _children(server.process.pid)
        assert children
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(20)
        while any(Path(f"/proc/{child}").exists() for child in children):
            assert time.monotonic() < deadline + 20, "somebody is left behind"
            time.sleep(0.1)


def _children(parent: int) -> list[str]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if stat.read_text().rsplit(") ", 1)[1].split()[1] == str(parent):
                found.append(stat.parent.name)
    return found
