"""A crowd in step is told with the same bytes; whoever is not in step is told alone."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.stores import in_loop
from tests.server.tables import Table, table
from trapline.server import crowd, presence, socket
from trapline.server.frames import text_frame
from trapline.server.messages import Play, Presence
from trapline.server.refusals import Refusal
from trapline.server.settings import Settings
from trapline.server.viewing import Viewing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from trapline.server.connection import Connection
    from trapline.server.live import Live

ALONE = Settings(thinkers=1)


@pytest.fixture(autouse=True)
def who_is_there_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes a little later, which may be in the middle of what is looked at here."""
    monkeypatch.setattr(presence, "SOON", 3_600.0)


class Wire:
    """A wire that keeps what it is given, and whose client reads when the test says so."""

    def __init__(self) -> None:
        self.takes_more = True
        self.transport = self
        self.written: list[bytes] = []
        self.room = 10**6
        self._fell_behind: Callable[[], None] | None = None
        self._caught_up: Callable[[], None] | None = None

    def follow(self, fell_behind: Callable[[], None], caught_up: Callable[[], None]) -> None:
        self._fell_behind, self._caught_up = fell_behind, caught_up

    def is_closing(self) -> bool:
        return False

    def say(self, text: bytes) -> None:
        self.write(text_frame(text))

    def write(self, data: bytes) -> None:
        assert self.takes_more, "nobody writes to who does not read"
        self.written.append(data)
        self.room -= len(data)
        if self.room < 0 and self._fell_behind is not None:
            self.takes_more = False
            self._fell_behind()

    def read(self) -> None:
        self.takes_more, self.room = True, 10**6
        if self._caught_up is not None:
            self._caught_up()


def watch(at: Table, live: Live, *, plain: bool) -> tuple[Wire, Connection, socket.Speaker]:
    wire: Any = Wire()
    connection = at.hub.places.connect(live, None, 0, plain=plain)
    return wire, connection, socket.Speaker(wire, connection)


async def play(at: Table, live: Live, moves: int) -> None:
    for _ in range(moves):
        mover = live.room.state(None).view.to_move
        assert mover is not None
        await at.act(live, mover, Play("1"))
        await drained(live)


@in_loop
async def test_what_a_crowd_is_told_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[Any, ...]] = []
    real = Viewing._encoded

    def counted(*how: Any) -> bytes:
        made.append(how[1:])
        return real(*how)

    monkeypatch.setattr(Viewing, "_encoded", counted)
    async with table(tmp_path, ALONE) as at:
        live = await at.open()
        wires = [watch(at, live, plain=number % 2 == 0)[0] for number in range(20)]
        made.clear()
        await play(at, live, 1)
        newest = live.room.version(None)
        assert sorted(made) == [(None, newest - 1, False), (None, newest - 1, True)]
        for plain in (True, False):
            frame = text_frame(live.room.frame(None, newest - 1, plain=plain))
            written = [wire.written[-1] for wire in wires[not plain :: 2]]
            assert set(written) == {frame}
            assert len(set(map(id, written))) == 1, "one object for all of them"


@in_loop
async def test_who_does_not_read_leaves_the_step_and_comes_back(tmp_path: Path) -> None:
    async with table(tmp_path, ALONE) as at:
        live = await at.open()
        slow, quick = (watch(at, live, plain=True)[0] for _ in range(2))
        slow.room = 0
        await play(at, live, 4)
        assert len(slow.written) == 2, "the first state, and the one that was too much"
        assert len(quick.written) == 5
        slow.read()
        await drained(live)
        assert slow.written[-1].count(b'"moved"') == 3
        await play(at, live, 1)
        assert slow.written[-1] is quick.written[-1]


@in_loop
async def test_who_never_reads_is_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "PATIENCE", 0.0)
    async with table(tmp_path, ALONE) as at:
        live = await at.open()
        wire, connection, speaker = watch(at, live, plain=True)
        wire.room = 0
        await play(at, live, 1)
        with pytest.raises(socket.Closed, match="You did not read"):
            await speaker.ended
        assert connection.line is None


@in_loop
async def test_who_reads_again_in_time_stays(tmp_path: Path) -> None:
    async with table(tmp_path, ALONE) as at:
        live = await at.open()
        wire, _, speaker = watch(at, live, plain=True)
        wire.room = 0
        await play(at, live, 1)
        running_out = speaker._too_late
        assert running_out is not None
        wire.read()
        assert running_out.cancelled()
        assert speaker._too_late is None


@in_loop
async def test_a_refusal_that_has_to_wait_is_said(tmp_path: Path) -> None:
    """Nobody is shown anything while it is uncertain what is kept, and nobody is forgotten."""
    async with table(tmp_path, ALONE) as at:
        live = await at.open()
        wire, connection, _ = watch(at, live, plain=True)
        live.certain = False
        connection.refuse(Refusal("not yours", "You are watching; only players can act."))
        await drained(live)
        assert len(wire.written) == 1
        live.certain = True
        live.wake()
        await drained(live)
        assert b"only players can act" in wire.written[-1]


@in_loop
async def test_a_crowd_is_told_once_who_is_there(tmp_path: Path) -> None:
    async with table(tmp_path, ALONE) as at:
        live = await at.open()
        wires = [watch(at, live, plain=number % 2 == 0)[0] for number in range(4)]
        greet(live)
        for _ in range(3):
            await drained(live)
            assert told(wires) == 4
            assert {len(wire.written) for wire in wires} == {2}, "the first state, and this"
            live.wake()


@in_loop
async def test_a_crowd_in_step_is_told_nothing_while_it_is_uncertain_what_is_kept(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, ALONE) as at:
        live = await at.open()
        wires = [watch(at, live, plain=True)[0] for _ in range(3)]
        live.certain = False
        greet(live)
        await drained(live)
        assert told(wires) == 0
        live.certain = True
        live.wake()
        await drained(live)
        assert told(wires) == 3


@pytest.mark.parametrize(
    ("ending", "sentence"), [("stop", "The server stops"), ("gone", "expired")]
)
@in_loop
async def test_a_crowd_in_step_is_sent_away(tmp_path: Path, ending: str, sentence: str) -> None:
    async with table(tmp_path, ALONE) as at:
        live = await at.open()
        speakers = [watch(at, live, plain=True)[2] for _ in range(3)]
        if ending == "gone":
            at.hub.forget(live.room.id)
        else:
            at.hub.stopping = True
            live.wake()
        await drained(live)
        for speaker in speakers:
            assert speaker.ended.done()
            with pytest.raises(socket.Closed, match=sentence):
                await speaker.ended


@in_loop
async def test_nothing_is_written_to_whoever_hangs_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(tmp_path, ALONE) as at:
        live = await at.open()
        leaving, staying = (watch(at, live, plain=True)[0] for _ in range(2))
        monkeypatch.setattr(leaving, "is_closing", lambda: True)
        await play(at, live, 1)
        assert [len(wire.written) for wire in (leaving, staying)] == [1, 2]


async def drained(live: Live) -> None:
    """Until everybody has been told."""
    for _ in range(5 + len(live.connections[None])):
        await asyncio.sleep(0)


@in_loop
async def test_a_crowd_lets_a_move_be_written_between_those_who_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread that writes gets Python from a busy event loop only after a while, each time."""
    async with table(tmp_path, ALONE) as at:
        store, beside = at.store, await at.open()
        first, second = await at.open(), await at.open()
        crowds = {
            live: [watch(at, live, plain=True)[0] for _ in range(90)] for live in (first, second)
        }
        with held(store.path):
            moving = asyncio.create_task(at.act(beside, 1, Play("1")))
            while not store.writing:
                await asyncio.sleep(0)
            rests: list[int] = []

            def rest(_seconds: float) -> None:
                rests.append(told(crowds[first]))

            monkeypatch.setattr(crowd, "time", SimpleNamespace(sleep=rest))
            greet(first)
            while told(crowds[first]) < 90:  # however long it takes to write
                await asyncio.sleep(0)
            assert store.writing
            assert rests == [20, 40, 60, 80], "the thread that writes has its turn"
        await moving
        greet(second)
        await drained(second)
        assert told(crowds[second]) == 90
        assert len(rests) == 4, "nobody writes any more"
        assert not store.writing


def greet(live: Live) -> None:
    live.presence = Presence((True, True), 90)
    live.wake()


def told(wires: list[Wire]) -> int:
    """How many have heard who is there."""
    return sum(b'"presence"' in wire.written[-1] for wire in wires)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """A file that another program is writing to."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
