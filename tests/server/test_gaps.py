"""Gaps: times in which no server was there, or the clock was set. What servers on one store know
of each other's, and what they keep of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from tests.server.rooms import opened
from tests.server.stores import in_loop
from tests.server.stores import opened as open_store
from tests.server.tables import hub_in
from tests.server.walls import NOON, SUDDEN, Wall
from trapline.server import clocks
from trapline.server.clocks import ALIVE
from trapline.server.hours import HOURS
from trapline.server.messages import NewMatch, Play, Request
from trapline.server.store import StoreError
from trapline.server.store.sqlite import SQLiteStore
from trapline.server.timing import as_time, in_milliseconds

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


@in_loop
async def test_what_another_server_has_added_meanwhile_bears_the_time_before_a_jump(
    tmp_path: Path, wall: Wall
) -> None:
    """The clock of both was set ahead by an hour, and only one has looked since. Both players of a
    match hide something, one at each server: the second learns of the first only by trying."""
    here, there = hub_in(tmp_path), hub_in(tmp_path)
    async with open_store(here.store), open_store(there.store):
        here.clocks._gaps = [(NOON, NOON + 3_600_000)]
        wall.seconds = 3600
        wanted = NewMatch("hidden-path", "here", {}, 1, clock=SUDDEN)
        match = (await here.open_match(opened(wanted))).id
        live = await there.live(match)
        wall.seconds = 10
        await there.act(match, 1, Request("k1", live.room.version(1), Play("4 7 10")))
        wall.seconds = 3610
        live = await here.live(match)
        await here.act(match, 2, Request("k2", live.room.version(2), Play("4 7 10")))
        assert live.room.clock
        assert live.room.clock.left == (60_000, 50_000)


@in_loop
async def test_what_one_server_has_noticed_is_known_to_all(
    tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of them reads a match next, or starts next, has to give the time back."""
    monkeypatch.setattr(SQLiteStore, "shared", True)
    here, there = hub_in(tmp_path), hub_in(tmp_path)
    first, second = (NOON, NOON + 3_600_000), (NOON + 4_000_000, NOON + 4_060_000)
    async with open_store(here.store), open_store(there.store):
        wall.seconds = 7200
        await here.clocks._note(first)
        await there.clocks._note(second)
        await here.clocks.say_alive()
        assert here.clocks._gaps == there.clocks._gaps == [first, second]
        again = hub_in(tmp_path)
        await again.start()
        try:
            assert again.clocks._gaps == [first, second]
        finally:
            await again.stop()


@in_loop
async def test_a_server_that_has_not_looked_cuts_off_no_gap_of_anothers(
    tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database has failed over to one that is an hour ahead, and one of them knows it."""
    monkeypatch.setattr(SQLiteStore, "shared", True)
    here, there = hub_in(tmp_path), hub_in(tmp_path)
    gap = (NOON, NOON + 3_600_000)
    async with open_store(here.store), open_store(there.store):
        wall.seconds = 3600
        await here.clocks._note(gap)
        wall.seconds = 1

        async def looks(*_: object) -> int:
            wall.seconds += 3600
            return 3_600_000

        monkeypatch.setattr(HOURS, "agree", looks)
        await there.clocks.say_alive()
        await here.clocks.say_alive()
        assert gap in here.clocks._gaps
        assert here.clocks._gaps == there.clocks._gaps


@in_loop
async def test_nobody_says_to_be_there_by_a_clock_that_could_not_be_compared(
    tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = hub_in(tmp_path)
    async with open_store(here.store):
        await here.clocks.say_alive()
        looked, wall.seconds = asyncio.Event(), 3600

        async def cannot() -> float:
            looked.set()
            raise StoreError("It is away.")

        monkeypatch.setattr(here.store, "time", cannot)
        alive = asyncio.create_task(here.clocks._stay_alive())
        await looked.wait()
        await here.store.check()  # whatever was said after it looked is kept by now
        alive.cancel()
        assert await here.store.fact(ALIVE) == as_time(NOON).encode()


@in_loop
async def test_nobody_says_to_be_there_before_a_gap_is_kept(
    tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next to start would neither find the gap nor see that there was one."""
    here = hub_in(tmp_path)
    async with open_store(here.store):
        await here.clocks.say_alive()
        keep = here.store.keep_fact

        async def fails(name: str, value: bytes) -> None:
            if name == clocks.GAPS:
                raise StoreError("There is no room left.")
            await keep(name, value)

        monkeypatch.setattr(here.store, "keep_fact", fails)
        wall.seconds = 3600
        await here.clocks._note((NOON, NOON + 3_600_000))
        await here.clocks.say_alive()
        said = await here.store.fact(ALIVE)
        assert said is not None
        assert in_milliseconds(said.decode()) == NOON
        monkeypatch.setattr(here.store, "keep_fact", keep)
        await here.clocks.say_alive()
        assert await here.store.fact(ALIVE) == wall().encode()
        kept = await here.store.fact(clocks.GAPS)
        assert kept == msgspec.json.encode(here.clocks._gaps)
