"""Computer players and the coach: one long thought, or a killed process, stops nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.server.running import Server
from tests.server.stores import in_loop
from trapline.core import RecordError, TraplineError, Unavailable
from trapline.games import make_game
from trapline.referee import Match
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


def count_for_ever() -> None:
    sum(itertools.count())


def fail_once(mark: str) -> str:
    if not Path(mark).exists():
        Path(mark).touch()
        raise ZeroDivisionError
    return "the second time"


def fail_always() -> None:
    raise RecordError("always", 3)


class Awkward(TraplineError):
    """Can be sent, but not received."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)


def end_badly(kind: str) -> object:
    if kind == "exit":
        sys.exit(3)
    if kind == "unreadable":
        raise Awkward("a", "b")
    return lambda: None


@in_loop
async def test_many_long_thoughts_leave_room_for_quick_ones(thinkers: Thinkers) -> None:
    slow = [
        asyncio.create_task(thinkers._ask_coach(str(asker), dawdle))
        for asker in range(thinking.QUEUE)
    ]
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
    pid = await thinkers.players.think(60, os.getpid)
    async with asyncio.timeout(30):
        choices = [asyncio.create_task(thinkers.command("casual", VIEW)) for _ in range(8)]
        await asyncio.sleep(0)
        os.kill(pid, signal.SIGKILL)
        assert len(await asyncio.gather(*choices)) == 8


@in_loop
async def test_a_thought_that_takes_too_long_is_given_up(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even one that hears no signal: its process is ended, and the next one answers."""
    await thinkers.players.think(60, os.getpid)
    monkeypatch.setattr(thinking, "LONGEST", 1)
    with pytest.raises(Unavailable, match="in good time"):
        await thinkers._ask_coach("", count_for_ever)
    assert isinstance(await thinkers.command("random", VIEW), Play)


@in_loop
async def test_a_thought_that_fails_is_tried_once_more(thinkers: Thinkers, tmp_path: Path) -> None:
    assert await thinkers.players.think(60, fail_once, str(tmp_path / "mark")) == "the second time"
    with pytest.raises(TraplineError, match="always"):
        await thinkers.players.think(60, fail_always)


@pytest.mark.parametrize("kind", ["exit", "unreadable", "unsendable"])
@in_loop
async def test_every_failure_comes_back_as_one(thinkers: Thinkers, kind: str) -> None:
    """Whatever a thought ends with, the process answers, or is replaced."""
    with pytest.raises(TraplineError):
        await thinkers.players.think(60, end_badly, kind)
    assert isinstance(await thinkers.command("random", VIEW), Play)


@in_loop
async def test_the_coach_keeps_no_player_waiting(thinkers: Thinkers) -> None:
    """Whatever he is asked, players have processes of their own."""
    asked = [asyncio.create_task(thinkers._ask_coach(str(asker), dawdle)) for asker in range(5)]
    await asyncio.sleep(0)
    async with asyncio.timeout(60), thinkers._long_thoughts:  # as many as there may be
        both = [thinkers.players.think(60, os.getpid) for _ in range(2)]
        assert len(await asyncio.gather(*both)) == 2
    assert not any(task.done() for task in asked)
    for task in asked:
        task.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


@in_loop
async def test_one_address_does_not_take_the_coach_from_all_others(thinkers: Thinkers) -> None:
    mine = [asyncio.create_task(thinkers._ask_coach("192.0.2.1", dawdle)) for _ in range(25)]
    await asyncio.sleep(0)
    refused = [task for task in mine if task.done()]
    assert len(refused) == 25 - thinking.FOR_AN_ADDRESS
    assert all(isinstance(task.exception(), Unavailable) for task in refused)
    other = asyncio.create_task(thinkers._ask_coach("192.0.2.2", dawdle))
    await asyncio.sleep(0)
    assert not other.done(), "there is a place for others"
    for task in (*mine, other):
        task.cancel()
    await asyncio.gather(*mine, other, return_exceptions=True)


def judge(mark: str, record: bytes) -> bytes:
    with Path(mark).open("a") as asked:
        asked.write("once\n")
    if record == b"bad":
        raise ZeroDivisionError
    return record


@in_loop
async def test_a_match_is_analysed_once(
    thinkers: Thinkers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "mark"
    monkeypatch.setattr(thinking, "_analyse", judge)
    monkeypatch.setattr(thinkers, "_game", str(mark))
    async with asyncio.timeout(60):
        both = await asyncio.gather(*(thinkers.analysis(b"good", str(asker)) for asker in range(9)))
        assert both == [b"good"] * 9
        assert await thinkers.analysis(b"good") == b"good"
        assert mark.read_text().count("once") == 1
        for _ in range(2):  # what failed is not remembered
            with pytest.raises(TraplineError):
                await thinkers.analysis(b"bad")
    assert mark.read_text().count("once") == 5


@in_loop
async def test_a_question_with_one_answer_takes_as_long_as_one_with_several(
    thinkers: Thinkers,
) -> None:
    runner = make_game("trap-runner")
    match = Match(runner, 1)
    for turn in ("2", "2", "2t", "1"):
        seat = match.to_move
        assert seat is not None
        match.play(seat, *match.read(seat, turn))
        question = match.question(seat)
        if question is not None:
            match.play(seat, "n")
    free = match.view(1)
    assert free.question is not None
    assert not free.question.forced
    forced = replace(free, question=replace(free.question, answers=free.question.answers[:1]))
    about = thinking._about(free, "sharp")
    thought = thinking.Thought("", free.question.asks, 0.5, free=True)
    await thinkers.command("sharp", free)  # the process is there
    thinkers._durations._known[about][free.question.asks].clear()
    thinkers._durations.note(about, thought)
    begun = time.perf_counter()
    await thinkers.command("sharp", forced)
    assert time.perf_counter() - begun >= 0.5
    assert [*thinkers._durations._known[about][free.question.asks]] == [0.5], "it is no example"


def fill_the_memory() -> int:
    return len(bytearray(3 * 2**30))


@in_loop
async def test_a_thought_fills_no_more_than_its_memory() -> None:
    small = Thinkers(1, 1, megabytes=1024)
    try:
        with pytest.raises(TraplineError, match="MemoryError"):
            await small.players.think(60, fill_the_memory)
        assert isinstance(await small.command("random", VIEW), Play)
    finally:
        small.stop()


def test_thinking_processes_do_not_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        children = children_of(server.process.pid)
        deadline = time.monotonic() + 20
        while not children and time.monotonic() < deadline:
            time.sleep(0.1)
            children = children_of(server.process.pid)
        assert children
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(20)
        while any(Path(f"/proc/{child}").exists() for child in children):
            assert time.monotonic() < deadline + 20, "somebody is left behind"
            time.sleep(0.1)


def children_of(parent: int) -> list[str]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if stat.read_text().rsplit(") ", 1)[1].split()[1] == str(parent):
                found.append(stat.parent.name)
    return found
