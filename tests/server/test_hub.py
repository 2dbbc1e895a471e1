"""The hub over a store that fails, waits or forgets: nobody sees what is not kept."""

from __future__ import annotations

import asyncio
import gc
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.rooms import KEYS
from tests.server.rooms import opened as opening_of
from tests.server.stores import in_loop, opened
from tests.server.tables import Faulty, Table, table
from trapline.core import SEATS, Outcome, Reason, Unavailable
from trapline.server import bots
from trapline.server.hub import Hub
from trapline.server.live import Lock
from trapline.server.messages import NewMatch, OfferDraw, Play, Rematch, Resign
from trapline.server.offers import Offers, bot_to_act
from trapline.server.processes import Died
from trapline.server.refusals import Refusal
from trapline.server.room import Room
from trapline.server.settings import Settings
from trapline.server.viewing import VIEWERS

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.server.live import Live
    from trapline.server.solving import Variant
    from trapline.server.thinking import Known, Thinkers, Thought


@in_loop
async def test_asking_for_what_is_not_there_leaves_nothing_in_memory(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        for number in range(20):
            with pytest.raises(Refusal, match="no such match"):
                await at.hub.live(f"{number:016x}")
        held = [value for value in vars(at.hub).values() if isinstance(value, dict | set)]
        assert held
        assert not any(held)


@in_loop
async def test_all_who_ask_at_once_get_the_same_room(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        live = await at.open()
        another = Table(at.store).hub
        lives = await asyncio.gather(*(another.live(live.room.id) for _ in range(10)))
        assert len(set(map(id, lives))) == 1


async def until_entries(hub: Hub, match: str, number: int) -> None:
    async with asyncio.timeout(10):
        while (live := hub.find(match)) is None or live.room.entries < number:
            await asyncio.sleep(0.001)


@in_loop
async def test_news_that_overtake_a_match_on_its_way_into_memory_are_not_lost(
    tmp_path: Path,
) -> None:
    """Another process wrote after we had asked for the log, and we heard of that first."""
    async with table(tmp_path) as at:
        at.store.shared = True
        live = await at.open()
        for match, version in ((live.room.id, 3), ("", 0)):  # news of it, or that some were missed
            another = Table(at.store).hub
            at.store.late = asyncio.Event()
            asked = asyncio.create_task(another.live(live.room.id))
            while not another._loading:
                await asyncio.sleep(0)
            await asyncio.sleep(0.05)  # the log was read, and its answer is on its way
            before = live.room.entries
            await at.act(live, 1 if before == 2 else 2, Play("2"))
            another._notice(match, version)
            at.store.late.set()
            at.store.late = None
            assert (await asked).room.entries >= before
            await until_entries(another, live.room.id, before + 1)


@in_loop
async def test_news_that_overtake_a_match_that_is_being_opened_are_not_lost(tmp_path: Path) -> None:
    """Whoever finds it in the lobby of another process may be there before its opener knows."""
    async with table(tmp_path) as at:
        at.store.shared = True
        another = Table(at.store)
        answered = at.store.wait = asyncio.Event()
        opening = asyncio.create_task(
            at.hub.open_match(opening_of(NewMatch("numeric-maze", "link", {}, 1)))
        )
        async with asyncio.timeout(10):
            while not (found := await at.store.summaries()):
                await asyncio.sleep(0.001)
        match, at.store.wait = found[0].match, None
        code = (await another.hub.live(match)).room.opening.code or ""
        await another.hub.join(match, code, "Ben", KEYS[2])
        at.hub._notice(match, 2)
        answered.set()
        await opening
        await until_entries(at.hub, match, 2)


@in_loop
async def test_nobody_sees_a_move_before_it_is_written(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        live = await at.open()
        watchers = [at.hub.places.connect(live, viewer, 0) for viewer in VIEWERS]
        for watcher in watchers:
            await watcher.next()
        at.store.hold = asyncio.Event()
        moving = asyncio.create_task(at.act(live, 1, Play("2")))
        news = [asyncio.create_task(watcher.next()) for watcher in watchers]
        news.append(asyncio.create_task(at.hub.look(live.room.id)))  # type: ignore[arg-type]
        for _ in range(20):  # whatever could run before the store answers, has run
            live.wake()
            await asyncio.sleep(0)
        assert not moving.done()
        assert not any(task.done() for task in news)
        at.store.hold.set()
        async with asyncio.timeout(10):
            await moving
            for message in (await asyncio.gather(*news))[:-1]:
                assert b'"turn":1' in message


@in_loop
async def test_a_rematch_that_cannot_be_kept_is_not_seen(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        live = await at.open()
        await at.act(live, 1, Resign())
        await at.act(live, 1, Rematch())
        before = live.room.state(2)
        at.store.full = True
        with pytest.raises(Refusal, match="Nothing has changed") as caught:
            await at.act(live, 2, Rematch())
        assert caught.value.reason == "unavailable"
        assert (await at.hub.look(live.room.id)).room.state(2) == before
        at.store.full = False
        await at.act(live, 2, Rematch())
        following = live.room.state(None).table.next
        assert following is not None
        assert (await at.hub.live(following)).room.state(None).view.turn == 0


@in_loop
async def test_a_move_is_shown_although_its_mover_hung_up_while_it_was_written(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as at:
        live = await at.open()
        waiting = at.hub.places.connect(live, 2, 0)
        await waiting.next()
        at.store.wait = asyncio.Event()
        moving = asyncio.create_task(at.act(live, 1, Play("2")))
        async with asyncio.timeout(10):
            while len(await at.store.read(live.room.id)) < 3:
                await asyncio.sleep(0.01)
            moving.cancel()
            at.store.wait.set()
            while b'"turn":1' not in await waiting.next():
                pass


async def leave_a_move(at: Table, live: Live) -> None:
    """A player hangs up while the store has their move."""
    moving = asyncio.create_task(at.act(live, 1, Play("2")))
    while live.certain:
        await asyncio.sleep(0)
    moving.cancel()
    await asyncio.wait([moving])


@in_loop
async def test_a_move_is_shown_although_it_was_written_long_after_its_mover_hung_up(
    tmp_path: Path,
) -> None:
    """The store was asked what it holds before the move was there, and nobody asked again."""
    async with table(tmp_path) as at:
        live = await at.open()
        waiting = at.hub.places.connect(live, 2, 0)
        await waiting.next()
        at.store.hold = asyncio.Event()
        await leave_a_move(at, live)
        looking = asyncio.create_task(at.hub.look(live.room.id))
        await asyncio.wait([looking], timeout=0.5)
        at.store.hold.set()
        async with asyncio.timeout(10):
            assert (await looking).room.state(None).view.turn == 1
            while b'"turn":1' not in await waiting.next():
                pass


@in_loop
async def test_what_nobody_waits_for_any_more_may_fail_without_a_word(tmp_path: Path) -> None:
    """Whoever hung up hears nothing of it, and the log is not told of what may happen any time."""
    said: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: said.append(context))
    async with table(tmp_path) as at:
        live = await at.open()
        at.store.wait, at.store.mute = asyncio.Event(), True
        await leave_a_move(at, live)
        at.store.wait.set()
        assert (await at.hub.look(live.room.id)).room.state(None).view.turn == 1
        live.keeping = None
    gc.collect()
    assert said == []


@in_loop
async def test_a_match_whose_log_is_damaged_is_refused_in_words(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        for number, entry in enumerate([b"{", b'{"entry":"later","at":""}', b'{"entry":"join"}']):
            name = f"{number:016x}"
            await at.store.append(name, 1, entry, game="", over=False, at="")
            with pytest.raises(Refusal, match="cannot be read") as caught:
                await at.hub.live(name)
            assert caught.value.reason == "unavailable"


@in_loop
async def test_the_computer_waits_its_pace_however_quickly_it_thinks(tmp_path: Path) -> None:
    store = Faulty(str(tmp_path / "hub.db"))
    for pace, moved in ((3600.0, False), (0.0, True)):
        async with opened(store):
            settings = Settings(pace=pace, thinkers=1)
            hub = Hub(store, Offers(settings), settings)
            wanted = NewMatch("numeric-maze", "random", {}, 2)
            room = await hub.open_match(opening_of(wanted, bot=True))
            assert isinstance(room, Room)
            asked = bot_to_act(room)
            assert asked is not None
            for _ in range(2):  # the second is behind its own thought in the queue
                await hub.offers.thinkers.command("random", asked[2])
            async with asyncio.timeout(10):
                while moved and room.view(1).turn == 0:
                    await asyncio.sleep(0.01)
            for _ in range(20):
                await asyncio.sleep(0)
            assert (room.view(1).turn == 1) == moved
            await hub.stop()


# --- computers --------------------------------------------------------------------------


class Unlucky:
    """Thinks as the real one does, after it has failed so many times."""

    def __init__(self, real: Thinkers, failures: list[Exception]) -> None:
        self._real = real
        self._failures = failures

    async def thought(self, level: str, known: Known, variant: Variant | None) -> Thought:
        if self._failures:
            raise self._failures.pop()
        return await self._real.thought(level, known, variant)

    def stop(self) -> None:
        self._real.stop()


@in_loop
async def test_a_computer_that_failed_is_asked_again_until_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "FIRST_PAUSE", 0.01)
    settings = Settings(pace=0, thinkers=1)
    async with table(tmp_path, settings) as at:
        failures = [Unavailable("It is tired."), BrokenProcessPool("gone"), Died("It has ended.")]
        offer = at.hub.offers.find("numeric-maze")
        offer.thinkers = Unlucky(offer.thinkers, failures)  # type: ignore[assignment]
        wanted = NewMatch("numeric-maze", "random", {}, 1)
        room = await at.hub.open_match(opening_of(wanted, bot=True))
        assert isinstance(room, Room)
        live = await at.hub.live(room.id)
        player = at.hub.places.connect(live, 1, 0)
        await at.act(live, 1, Play("1"))
        told = []
        async with asyncio.timeout(60):
            while room.view(1).turn < 2:
                told.append(await player.next())
        assert sum(b"The computer could not answer" in message for message in told) == 3
        assert not any(b"gone" in message for message in told), "what it was is for the operator"
        assert failures == []
        await at.hub.stop()


@in_loop
async def test_a_computer_that_failed_unseen_is_asked_by_whoever_comes(tmp_path: Path) -> None:
    async with table(tmp_path, Settings(pace=0, thinkers=1)) as at:
        offer = at.hub.offers.find("numeric-maze")
        offer.thinkers = Unlucky(offer.thinkers, [Died("It has ended.")])  # type: ignore[assignment]
        wanted = NewMatch("numeric-maze", "random", {}, 2)
        room = await at.hub.open_match(opening_of(wanted, bot=True))
        live = await at.hub.live(room.id)
        async with asyncio.timeout(60):
            while live.thinking:
                await asyncio.sleep(0)
            player = at.hub.places.connect(live, 1, 0)
            while b'"turn":1' not in await player.next():
                pass
        await at.hub.stop()


@in_loop
async def test_a_computer_takes_a_draw_where_the_game_is_drawn(tmp_path: Path) -> None:
    async with table(tmp_path, Settings(pace=0, thinkers=1)) as at:
        wanted = NewMatch("secret-paths", "casual", {}, 1)
        room = await at.hub.open_match(opening_of(wanted, bot=True))
        assert isinstance(room, Room)
        live = await at.hub.live(room.id)
        player = at.hub.places.connect(live, 1, 0)
        await at.act(live, 1, Play("5,3"))
        async with asyncio.timeout(60):
            while room.view(1).to_move != 1:
                await player.next()
            await at.act(live, 1, OfferDraw())
            await at.act(live, 1, Play("3,2"))
            while not room.over:
                await player.next()
        assert room.view(1).outcome == Outcome(None, Reason.AGREED_DRAW)
        await at.hub.stop()


# --- turns that hold something ----------------------------------------------------------


@pytest.mark.parametrize("turn", [["2t"], ["2n"], ["2", "y"], ["2", "n"]])
@in_loop
async def test_a_turn_takes_the_same_time_however_it_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turn: list[str]
) -> None:
    """Of what a turn of Trap Runner held, its duration tells nothing."""
    async with table(tmp_path, Settings(turn_seconds=60, thinkers=1)) as at:
        live = await at.open("trap-runner")
        for seat in SEATS:
            await at.act(live, seat, Play("2"))
        pauses: list[float] = []
        now = 1000.0
        monkeypatch.setattr("trapline.server.live.time.monotonic", lambda: now)

        async def pause(seconds: float) -> None:
            nonlocal now
            pauses.append(seconds)
            now += seconds

        monkeypatch.setattr("trapline.server.hub.asyncio.sleep", pause)
        begun = now
        for text in turn:
            await at.act(live, 1, Play(text))
            now += 0.125
        assert live.room.state(2).view.turn == 3
        assert now - begun == 60.125
        assert len(pauses) == 1


@in_loop
async def test_a_lock_is_not_taken_past_somebody_who_waits_for_it() -> None:
    lock = Lock()
    assert lock.take()
    assert not lock.take()
    waiting = asyncio.ensure_future(lock.acquire())
    await asyncio.sleep(0)
    lock.release()
    assert not lock.take(), "it is on its way to who came first"
    assert await waiting
    assert not lock.take()
    lock.release()
    assert lock.take()
