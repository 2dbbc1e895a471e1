"""The clock of a match on a server: time in which no server was there, or nothing could be kept, is
nobody's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.rooms import opened
from tests.server.stores import in_loop
from tests.server.stores import opened as open_store
from tests.server.tables import hub_in
from tests.server.walls import EACH, NOON, SUDDEN, Wall
from trapline.core import Outcome, Reason
from trapline.server import clocks, log
from trapline.server.clocks import ALIVE
from trapline.server.messages import NewMatch, Play, Request, TimeLimit
from trapline.server.refusals import Refusal
from trapline.server.room import Room
from trapline.server.store import StoreError
from trapline.server.timing import deadline, in_milliseconds

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from trapline.core import Seat
    from trapline.server.hub import Hub


async def _open(here: Hub, limit: TimeLimit) -> str:
    made = await here.open_match(opened(NewMatch("numeric-maze", "here", {}, 1, clock=limit)))
    return made.id


async def _begun_and_left(folder: Path, wall: Wall) -> str:
    """A match that begins on a server that is killed after 20 seconds."""
    first = hub_in(folder)
    async with open_store(first.store):
        match = await _open(first, SUDDEN)
        wall.seconds = 20
        await first.clocks.say_alive()
        assert await first.store.fact(ALIVE) == wall().encode()
    return match


async def _until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.005)


@in_loop
async def test_the_server_ends_a_match_whose_time_is_up(tmp_path: Path) -> None:
    """By itself, while everybody only looks, with the real time."""
    here = hub_in(tmp_path)
    async with open_store(here.store):
        live = await here.live(await _open(here, TimeLimit("sudden death", 1)))
        watcher = here.places.connect(live, None, 0)
        await watcher.next()
        await _until(lambda: live.room.over)
        assert isinstance(live.room, Room)
        assert live.room.match.outcome == Outcome(2, Reason.TIME)
        assert b'"reason":"time"' in await watcher.next()
        entries = [log.decode(entry) for entry in await here.store.read(live.room.id)]
        assert isinstance(entries[-1], log.Late)
        begun, ended = (in_milliseconds(entry.at) for entry in entries)
        assert ended - begun >= 1000


@in_loop
async def test_who_comes_too_late_has_lost(tmp_path: Path, wall: Wall) -> None:
    here = hub_in(tmp_path)
    async with open_store(here.store):
        match = await _open(here, SUDDEN)
        live = await here.live(match)
        wall.seconds = 60
        with pytest.raises(Refusal, match="gone on"):
            await here.act(match, 1, Request("k", live.room.version(1), Play("2")))
        assert live.room.over
        assert len(await here.store.read(match)) == 2


@in_loop
async def test_a_store_in_trouble_is_not_asked_again_at_once(
    tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock was set ahead, which is given back, and the disk is full."""
    monkeypatch.setattr(clocks, "AGAIN", 600.0)
    here, loop, pauses = hub_in(tmp_path), asyncio.get_running_loop(), list[float]()
    call_later = loop.call_later

    def note(delay: float, callback: Any, *arguments: Any, context: Any = None) -> Any:
        if callback == here.clocks._ring:
            pauses.append(delay)
        return call_later(delay, callback, *arguments, context=context)

    def refuse(*_: Any, **__: Any) -> asyncio.Future[None]:
        refused = loop.create_future()
        refused.set_exception(StoreError("the disk is full"))
        return refused

    async with open_store(here.store):
        live = await here.live(await _open(here, SUDDEN))
        append = here.store.append
        monkeypatch.setattr(here.store, "append", refuse)
        monkeypatch.setattr(loop, "call_later", note)
        wall.seconds = 120
        here.clocks._gaps = [(NOON, NOON + 60_000), (NOON + 60_000, NOON + 120_000)]
        for _ in range(2):
            pauses.clear()
            here.clocks._ring(live)
            await _until(lambda: pauses)
            assert min(pauses) > clocks.AGAIN / 2
        monkeypatch.setattr(here.store, "append", append)
        here.clocks._ring(live)
        await _until(lambda: live.room.entries == 3)
        assert not live.room.over


@in_loop
async def test_a_match_that_nobody_looked_at_is_over_when_somebody_does(
    tmp_path: Path, wall: Wall
) -> None:
    here = hub_in(tmp_path)
    async with open_store(here.store):
        match = await _open(here, EACH)
        here.let_go(float("inf"))
        assert here.find(match) is None
        wall.seconds = 3600
        assert (await here.look(match)).room.over


@in_loop
async def test_time_without_a_server_is_nobodys(tmp_path: Path, wall: Wall) -> None:
    """A server is killed after 20 seconds and starts again an hour later."""
    match = await _begun_and_left(tmp_path, wall)
    wall.seconds = 3620
    again = hub_in(tmp_path)
    await again.start()
    try:
        wall.seconds = 3630
        live = await again.live(match)
        assert live.room.clock
        assert deadline(live.room.clock) == NOON + 3_660_000
        again.let_go(float("inf"))
        live = await again.live(match)  # it is given back once
        assert deadline(live.room.clock) == NOON + 3_660_000
        assert len(await again.store.read(match)) == 2
    finally:
        await again.stop()


@in_loop
async def test_time_without_a_server_is_nobodys_however_often_it_starts(
    tmp_path: Path, wall: Wall
) -> None:
    """It was away for an hour, came up for a moment in which nobody looked, and was away again."""
    match = await _begun_and_left(tmp_path, wall)
    for began in (3620, 3640):
        wall.seconds = began
        again = hub_in(tmp_path)
        await again.start()
        wall.seconds = began + 10
        if began == 3620:
            await again.stop()
    try:
        live = await again.live(match)
        assert not live.room.over
        # 20 seconds before, 10 while the second one ran, 10 of the third
        assert deadline(live.room.clock) == NOON + 1000 * (3650 + 60 - 40)
    finally:
        await again.stop()


@in_loop
async def test_who_could_not_say_that_they_were_there_hides_no_time_without_a_server(
    tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One came up after an hour and noted that, and was killed before anything more was kept. The
    time without a server begins for the next one where it began for that one, and ends later."""
    match = await _begun_and_left(tmp_path, wall)
    second = hub_in(tmp_path)
    keep = second.store.keep_fact

    async def does_not_say_so(name: str, value: bytes, **how: bool) -> None:
        if name == ALIVE:
            raise StoreError("There is no room left.")
        await keep(name, value, **how)

    monkeypatch.setattr(second.store, "keep_fact", does_not_say_so)
    wall.seconds = 3620
    await second.start()
    await second.stop()
    wall.seconds = 7220
    third = hub_in(tmp_path)
    await third.start()
    try:
        wall.seconds = 7230
        live = await third.live(match)
        assert not live.room.over
        assert deadline(live.room.clock) == NOON + 1000 * (7230 + 60 - 30)
    finally:
        await third.stop()


@in_loop
async def test_a_clock_set_back_makes_no_gap_of_one_that_was(tmp_path: Path, wall: Wall) -> None:
    """No server was there from 20 to 3,620 by a clock that is then set back to 30. Whoever thought
    before gets that back once; to whoever begins to think now it is still to come."""
    old = await _begun_and_left(tmp_path, wall)
    for began in (3620, 30):
        wall.seconds = began
        again = hub_in(tmp_path)
        await again.start()
        if began == 3620:
            await again.stop()
    try:
        match = await _open(again, SUDDEN)
        wall.seconds = 40
        again.let_go(float("inf"))
        live = await again.live(match)
        assert live.room.clock
        assert deadline(live.room.clock) == NOON + 90_000
        assert len(await again.store.read(match)) == 1
        for _ in range(2):
            again.let_go(float("inf"))
            live = await again.live(old)
            assert deadline(live.room.clock) == NOON + 70_000
            assert len(await again.store.read(old)) == 2
            wall.seconds += 10
    finally:
        await again.stop()


class Slow:
    """A store that takes twenty seconds for everything that is added, once it is told to."""

    def __init__(self, here: Hub, wall: Wall, patch: pytest.MonkeyPatch) -> None:
        self.slow, self._wall, self._append = False, wall, here.store.append
        patch.setattr(here.store, "append", self._add)

    def _add(self, *entry: Any, **facts: Any) -> asyncio.Future[int]:
        self._wall.seconds += 20 * self.slow
        return self._append(*entry, **facts)


@in_loop
async def test_time_in_which_nothing_could_be_kept_is_nobodys(
    tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move is on its way to the disk for twenty seconds; until then nobody sees it."""
    here = hub_in(tmp_path)
    async with open_store(here.store):
        live = await here.live(await _open(here, EACH))
        store, wall.seconds = Slow(here, wall, monkeypatch), 5
        store.slow = True
        await here.act(live.room.id, 1, Request("k1", live.room.version(1), Play("2")))
        store.slow = False
        await _until(lambda: live.room.entries == 3)
        assert deadline(live.room.clock) == NOON + 55_000
        assert await here.store.fact(clocks.GAPS)


@in_loop
async def test_what_is_given_back_tells_nothing_of_an_answer_in_the_middle_of_a_turn(
    tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, wanted = (
        hub_in(tmp_path),
        NewMatch("trap-runner", "here", {"length": 6, "max_step": 2}, 1, clock=SUDDEN),
    )
    async with open_store(here.store):
        live = await here.live((await here.open_match(opened(wanted))).id)
        store, versions = Slow(here, wall, monkeypatch), list[int]()
        turns: list[tuple[Seat, str, bool]] = [
            (1, "1", False), (2, "1", True), (1, "1", True), (1, "t", False)
        ]  # fmt: skip
        for number, (seat, text, slow) in enumerate(turns):
            store.slow = slow
            request = Request(f"k{number}", live.room.version(seat), Play(text))
            await here.act(live.room.id, seat, request)
            if number == 1:
                await _until(lambda: live.room.entries == 4)  # given back before anybody answers
            versions.append(live.room.version(2))
        assert versions[2] == versions[1]
        assert versions[3] == versions[2] + 1
        kept = [log.decode(entry) for entry in await here.store.read(live.room.id)]
        assert [isinstance(entry, log.Away) for entry in kept] == [False] * 3 + [True] + [False] * 2
