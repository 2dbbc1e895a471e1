"""Places: players have theirs, one spectator's haste is not another's, crowds cost little."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.server.running import Game, Seat, Server
from tests.server.stores import in_loop
from tests.server.tables import table
from trapline.server import places
from trapline.server.connection import Elsewhere
from trapline.server.messages import Play
from trapline.server.refusals import Refusal
from trapline.server.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


@in_loop
async def test_spectators_never_take_the_places_of_players(tmp_path: Path) -> None:
    settings = Settings(watchers=5, connections=20, thinkers=1)
    async with table(tmp_path, settings) as at:
        crowds = [await at.open() for _ in range(5)]
        for live in crowds:
            for _ in range(8):
                with contextlib.suppress(Refusal):
                    at.hub.places.connect(live, None, 0)
            assert len(live.connections[None]) <= 5
        assert at.hub.places.watchers == 15  # three quarters of all, however many matches there are
        for seat in (1, 2):
            assert await at.hub.places.connect(crowds[0], seat, 0).next()


@in_loop
async def test_one_address_takes_only_so_many_places(tmp_path: Path) -> None:
    async with table(tmp_path, Settings(per_address=3, thinkers=1)) as at:
        live = await at.open()
        mine = [at.hub.places.connect(live, None, 0, address="192.0.2.1") for _ in range(3)]
        with pytest.raises(Refusal, match="Your address"):
            at.hub.places.connect(live, None, 0, address="192.0.2.1")
        at.hub.places.connect(live, None, 0, address="192.0.2.2")
        at.hub.places.disconnect(mine[0])
        at.hub.places.connect(live, None, 0, address="192.0.2.1")


@in_loop
async def test_a_player_who_comes_too_often_loses_the_oldest_connection(tmp_path: Path) -> None:
    async with table(tmp_path, Settings(thinkers=1)) as at:
        live = await at.open()
        lines = [at.hub.places.connect(live, 1, 0) for _ in range(places.FOR_A_SEAT)]
        newest = at.hub.places.connect(live, 1, 0)
        with pytest.raises(Elsewhere):
            await lines[0].next()
        assert await lines[1].next()
        assert await newest.next()


def test_one_spectators_haste_is_not_anothers(tmp_path: Path) -> None:
    with Server(tmp_path, commands_per_second="1") as server:
        game = Game(server.address, "numeric-maze")
        hasty, calm = (Seat(server.address, game.match, 0, None) for _ in range(2))
        calm.hear()
        for _ in range(5):
            hasty.open().send("{}")
        while (heard := hasty.hear())["type"] != "refused" or heard["reason"] != "too fast":
            pass
        calm.open().send("{}")
        while (heard := calm.hear())["type"] != "refused":
            pass
        assert heard["reason"] == "unreadable"
        for seat in (hasty, calm):
            seat.close()
        game.close()


@in_loop
async def test_a_crowd_that_gathers_is_told_of_itself_less_often(tmp_path: Path) -> None:
    """What everybody is told would cost the square of how many there are."""
    async with table(tmp_path, Settings(watchers=2000, per_address=2000, thinkers=1)) as at:
        live = await at.open()
        pauses: list[float] = []
        loop = asyncio.get_running_loop()
        later = loop.call_later

        def note(delay: float, *rest: object) -> asyncio.TimerHandle:
            pauses.append(delay)
            return later(delay, *rest)  # type: ignore[arg-type]

        loop.call_later = note  # type: ignore[method-assign, assignment]
        for _ in range(2000):
            at.hub.places.connect(live, None, 0)
            live.presence_due = False  # as if it had been told each time
        assert pauses[0] < 0.2
        assert pauses[-1] >= 2.0


@in_loop
async def test_a_crowd_is_told_a_few_at_a_time_and_players_first(tmp_path: Path) -> None:
    """What happens in one match must not keep all others waiting."""
    async with table(tmp_path, Settings(watchers=1000, per_address=2000, thinkers=1)) as at:
        live = await at.open()
        crowd = [at.hub.places.connect(live, None, 0) for _ in range(500)]
        player = at.hub.places.connect(live, 1, 0)
        woken: list[object] = []
        for connection in (*crowd, player):
            connection.wake = connection.speak = partial(woken.append, connection)
        live.wake()
        assert woken[0] is player
        assert len(woken) <= 20
        live.wake()  # before all have heard of the first
        for _ in range(100):
            before = len(woken)
            await asyncio.sleep(0)
            assert len(woken) <= before + 21
        last = {connection: number for number, connection in enumerate(woken)}
        assert len(last) == 501
        second = max(number for number, connection in enumerate(woken) if connection is player)
        assert all(last[connection] > second for connection in crowd), "all look after the second"


@in_loop
async def test_a_slow_reader_is_sent_the_newest_and_not_what_others_were_sent(
    tmp_path: Path,
) -> None:
    async with table(tmp_path, Settings(thinkers=1)) as at:
        live = await at.open()
        quick, slow = (at.hub.places.connect(live, None, 0) for _ in range(2))
        assert await quick.next() == await slow.next()
        await at.act(live, 1, Play("1"))
        assert b'"turn":1' in await quick.next()
        await at.act(live, 2, Play("2"))
        newest = await slow.next()
        assert b'"turn":2' in newest
        assert newest.count(b'"moved"') == 2
        assert (await quick.next()).count(b'"moved"') == 1


@in_loop
async def test_a_refusal_carries_only_what_is_new(tmp_path: Path) -> None:
    async with table(tmp_path, Settings(thinkers=1)) as at:
        live = await at.open()
        player = at.hub.places.connect(live, 1, 0)
        first = await player.next()
        for _ in range(6):
            mover = live.room.state(None).view.to_move
            assert mover is not None
            await at.act(live, mover, Play("1"))
        await player.next()
        player.refuse(Refusal("illegal", "No."))
        refused = await player.next()
        assert b'"events":[]' in refused
        assert b'"since":0' in first
        assert b'"since":0' not in refused
