"""Who is connected to a match, as processes tell each other."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING

import msgspec
import pytest

from tests.server.rooms import opened
from tests.server.stores import in_loop
from tests.server.tables import Table, table
from trapline.server import presence
from trapline.server.messages import NewMatch, Presence
from trapline.server.presence import FORGET, Word

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from trapline.server.live import Live


class Clock:
    now = 1000.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time that goes by while processes are silent; what is due soon is due at once."""
    clock = Clock()
    monkeypatch.setattr(presence, "time", SimpleNamespace(monotonic=lambda: clock.now))
    for pause in ("SOON", "A_CONNECTION", "REPEAT"):
        monkeypatch.setattr(presence, pause, 0.0)
    return clock


class Processes:
    """Two servers on one database. What one says both hear, as from PostgreSQL."""

    def __init__(self, one: Table, two: Table) -> None:
        self.tables = [one, two]
        self.said: list[Word] = []
        for at in self.tables:
            at.hub.spread = self._spread  # type: ignore[method-assign]

    def _spread(self, words: bytes) -> None:
        self.said += msgspec.json.decode(words, type=list[Word])
        for at in self.tables:
            at.hub.presences.hear(words)

    async def open(self) -> tuple[Live, Live]:
        one, two = self.tables
        live = await one.open()
        return live, await two.hub.live(live.room.id)


@asynccontextmanager
async def processes(folder: Path) -> AsyncIterator[Processes]:
    async with AsyncExitStack() as stack:
        yield Processes(*[await stack.enter_async_context(table(folder)) for _ in range(2)])


async def a_while() -> None:
    """Until all that is due has happened."""
    for _ in range(20):
        await asyncio.sleep(0)


async def repeated(at: Table) -> None:
    """A process has said again who is here."""
    repeating = asyncio.create_task(at.hub.presences.repeat())
    await a_while()
    repeating.cancel()
    await asyncio.wait((repeating,))


@in_loop
async def test_processes_agree_on_who_is_here(tmp_path: Path) -> None:
    async with processes(tmp_path) as both:
        (one, two), (here, there) = both.tables, await both.open()
        places = one.hub.places, two.hub.places
        ann = places[0].connect(here, 1, 0)
        places[1].connect(there, 2, 0)
        for at, live in ((places[0], here), (places[0], here), (places[1], there)):
            at.connect(live, None, 0)
        await a_while()
        assert here.presence == there.presence == Presence((True, True), 3)
        assert all(at.hub.presences.is_here(here.room.id, 1) for at in both.tables)
        places[0].disconnect(ann)
        await a_while()
        assert here.presence == there.presence == Presence((False, True), 3)
        assert not any(at.hub.presences.is_here(here.room.id, 1) for at in both.tables)
        assert all(at.hub.presences.is_here(here.room.id, 2) for at in both.tables)


@in_loop
async def test_all_who_come_at_once_are_told_of_at_once(tmp_path: Path) -> None:
    async with processes(tmp_path) as both:
        here, there = await both.open()
        for _ in range(3):
            both.tables[0].hub.places.connect(here, None, 0)
        await a_while()
        assert [word.watching for word in both.said] == [3], "where nobody is, nothing is said"
        assert here.presence == there.presence == Presence((False, False), 3)


@in_loop
async def test_a_process_that_comes_later_is_told_who_is_here_and_that_once(tmp_path: Path) -> None:
    async with processes(tmp_path) as both:
        here, there = await both.open()
        late = both.tables.pop()
        both.tables[0].hub.places.connect(here, 1, 0)
        await a_while()
        both.tables.append(late)
        both.said.clear()
        late.hub.places.connect(there, 2, 0)
        await a_while()
        assert here.presence == there.presence == Presence((True, True), 0)
        first, second = (True, False), (False, True)
        assert [word.here for word in both.said] == [second, first, second], "each is new to one"


@in_loop
async def test_nobody_is_woken_where_nobody_came_or_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(tmp_path) as at:
        live = await at.open()
        woken: list[int] = []
        monkeypatch.setattr(live, "wake", lambda: woken.append(1))
        for watching in (2, 2, 3, 3):
            at.hub.presences.hear(msgspec.json.encode([word(live, watching)]))
        assert len(woken) == 2


def word(live: Live, watching: int) -> Word:
    return Word("another", live.room.id, (True, False), watching)


@in_loop
async def test_what_is_not_said_again_is_forgotten(tmp_path: Path, clock: Clock) -> None:
    async with table(tmp_path) as at:
        live, presences = await at.open(), at.hub.presences
        at.hub.places.connect(live, None, 0)
        presences.hear(msgspec.json.encode([word(live, 2)]))
        for seconds, here, watching in ((FORGET - 1, True, 3), (1, False, 1)):
            clock.now += seconds
            await repeated(at)
            assert live.presence == Presence((here, False), watching)
            assert presences.is_here(live.room.id, 1) is here
            assert [*presences._heard] == [live.room.id] * here, "memory is given back"


@in_loop
async def test_what_is_said_again_is_not_forgotten(tmp_path: Path, clock: Clock) -> None:
    async with processes(tmp_path) as both:
        here, there = await both.open()
        one, two = both.tables
        one.hub.places.connect(here, 1, 0)
        for _ in range(3):
            await repeated(one)
            clock.now += FORGET - 1
            assert two.hub.presences.is_here(there.room.id, 1)
        clock.now += 1
        assert not two.hub.presences.is_here(there.room.id, 1)


@in_loop
async def test_a_computer_is_always_here_and_which_one_plays_is_told_everywhere(
    tmp_path: Path,
) -> None:
    async with processes(tmp_path) as both:
        one, two = both.tables
        wanted = NewMatch("numeric-maze", "perfect", {}, 1)
        room = await one.hub.open_match(opened(wanted, bot=True))
        here, there = [await at.hub.live(room.id) for at in both.tables]
        here.instead = {2: ("sharp", "It is being solved.")}
        two.hub.places.connect(there, 1, 0)
        one.hub.places.connect(here, None, 0)
        await a_while()
        told = Presence((True, True), 1, ("", "sharp"), why=("", "It is being solved."))
        assert here.presence == there.presence == told
        there.instead = {2: ("casual", "")}
        two.hub.presences.changed(there)
        await a_while()
        assert here.presence == told, "what plays here comes first"
