"""What only a database shared by several processes can meet: news, restarts, lost answers."""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
import tempfile
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg
import httpx
import pytest

from tests.server.rooms import KEYS
from tests.server.rooms import opened as opening_of
from tests.server.stores import Ears, in_loop, opened, put
from trapline.server.app import create
from trapline.server.messages import NewMatch, Request, Resign
from trapline.server.settings import Settings
from trapline.server.store import Conflict, Store, StoreError
from trapline.server.store.migrations import POSTGRES
from trapline.server.store.postgres import PostgresStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.applications import Starlette

    from tests.server.postgres import Server

SCHEMAS = (f"p{number}" for number in itertools.count())


@pytest.fixture
def url(postgres: Server) -> str:
    return postgres.new_database(next(SCHEMAS))


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.01)


@in_loop
async def test_others_hear_what_was_written_and_oneself_does_not(url: str) -> None:
    mine, theirs = Ears(), Ears()
    async with opened(url, mine) as store, opened(url, theirs):
        names = [f"{number:064}" for number in range(250)]
        await asyncio.gather(*(put(store, name, 1) for name in names))
        await put(store, names[0], 2)
        with pytest.raises(Conflict):
            await put(store, names[1], 1)
        await until(lambda: len(theirs.notices) == 251)
        assert sorted(theirs.notices) == sorted([(name, 1) for name in names] + [(names[0], 2)])
        assert mine.notices == []


@in_loop
async def test_notifications_carry_no_content(url: str) -> None:
    payloads: list[str] = []
    connection = await asyncpg.connect(url)
    await connection.add_listener("trapline_versions", lambda *heard: payloads.append(heard[3]))
    async with opened(url) as store:
        await put(store, "m:1", 1, b"the goal is 5,2", game="secret-paths")
        await until(lambda: bool(payloads))
    await connection.close()
    (payload,) = payloads
    sender, pair = payload.split(" ")
    assert (len(sender), pair) == (16, "m:1:1")


@in_loop
async def test_words_reach_all_others(url: str) -> None:
    ears = [Ears(), Ears(), Ears()]
    words = bytes(range(250)) * 8
    async with opened(url, ears[0]) as store, opened(url, ears[1]), opened(url, ears[2]):
        await store.say(words)
        await store.say(b"")
        await until(lambda: len(ears[1].whispers) == len(ears[2].whispers) == 2)
        assert [ear.whispers for ear in ears] == [[], [words, b""], [words, b""]]
        with pytest.raises(StoreError, match="at most 2000 bytes"):
            await store.say(b"x" * 2001)


@in_loop
async def test_a_crash_under_load_loses_nothing_and_doubles_nothing(
    url: str, postgres: Server
) -> None:
    ears = Ears()
    acknowledged: dict[str, int] = {}
    running = True

    async def go_on(store: Store, match: str) -> None:
        version = 0
        while running:
            version += 1
            await put(store, match, version, b"%s %d" % (match.encode(), version))
            acknowledged[match] = version

    async with opened(url, ears) as store, opened(url, ears) as another:
        players = [
            asyncio.ensure_future(go_on([store, another][number % 2], f"m{number}"))
            for number in range(40)
        ]
        for crashes in (1, 2, 3):
            await until(lambda: len(acknowledged) == 40)
            await asyncio.to_thread(postgres.crash)
            acknowledged.clear()
            await until(lambda told=2 * crashes: ears.notices.count(("", 0)) == told)  # type: ignore[misc]
        await until(lambda: len(acknowledged) == 40)
        running = False
        await asyncio.gather(*players)
        for match, version in acknowledged.items():
            entries = [b"%s %d" % (match.encode(), number) for number in range(1, version + 1)]
            assert await store.read(match) == entries
        await put(store, "news", 1)
        await until(lambda: ("news", 1) in ears.notices)


class Proxy:
    """Stands between a store and its server, and loses an answer when it is told to."""

    def __init__(self, target: Path) -> None:
        self._target = str(target / ".s.PGSQL.5432")
        self.lose_answer_to = b"\0never"
        self.lost = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_unix_connection(self._target)
        losing = False

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            nonlocal losing
            while data := await source.read(65536):
                if sink is forth and self.lose_answer_to in data:
                    losing, self.lose_answer_to = True, b"\0never"
                elif sink is writer and losing:
                    self.lost += 1
                    break
                sink.write(data)
                await sink.drain()
            forth.close()
            writer.close()

        await asyncio.gather(pump(reader, forth), pump(back, writer), return_exceptions=True)


@asynccontextmanager
async def proxy(server: Server, url: str) -> AsyncIterator[tuple[Proxy, str]]:
    between = Proxy(server.folder)
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / ".s.PGSQL.5432"
        async with await asyncio.start_unix_server(between.serve, socket):
            yield between, url.replace(str(server.folder), folder)


@in_loop
async def test_an_answer_that_was_lost_is_no_conflict(url: str, postgres: Server) -> None:
    async with (
        proxy(postgres, url) as (between, address),
        opened(address) as store,
        opened(url) as direct,
    ):
        await put(direct, "theirs", 1, b"by another process")
        await put(store, "warm", 1)
        between.lose_answer_to = b"precious"
        answers = await asyncio.gather(
            put(store, "mine", 1, b"precious"),
            put(store, "theirs", 1, b"by us"),
            return_exceptions=True,
        )
        assert between.lost == 1, "it was committed, and nobody was told"
        assert answers[0] is None
        assert isinstance(answers[1], Conflict)
        assert await direct.read("mine") == [b"precious"]
        await put(store, "mine", 2)
        with pytest.raises(Conflict):
            await put(store, "mine", 1, b"precious")


@in_loop
async def test_a_deletion_that_was_cut_off_is_done_whole(url: str, postgres: Server) -> None:
    async with (
        proxy(postgres, url) as (between, address),
        opened(address) as store,
        opened(url) as direct,
    ):
        await put(direct, "doomed", 1)
        between.lose_answer_to = b"doomed"
        assert await store.delete(["doomed"]) == 1
        assert between.lost == 1
        assert await direct.read("doomed") == []


@in_loop
async def test_a_database_that_stays_away_is_said_to(url: str, postgres: Server) -> None:
    store = PostgresStore(url, patience=0.3)
    async with opened(store):
        await put(store, "m", 1)
        await asyncio.to_thread(postgres.stop)
        try:
            answers = await asyncio.gather(
                put(store, "m", 2), put(store, "n", 1), store.read("m"), return_exceptions=True
            )
        finally:
            await asyncio.to_thread(postgres.start)
        assert all(type(answer) is StoreError for answer in answers)
        assert "The database cannot be reached (" in str(answers[0])
        await put(store, "m", 2)
        assert len(await store.read("m")) == 2


@in_loop
async def test_what_cannot_be_opened_is_refused_with_a_sentence(
    url: str, postgres: Server, tmp_path: Path
) -> None:
    async def refused(address: str) -> str:
        with pytest.raises(StoreError) as error:
            await PostgresStore(address, patience=0.1).open(Ears().notice, Ears().whispers.append)
        return str(error.value)

    host = f"?host={postgres.folder}"
    assert "cannot be reached" in await refused(f"postgresql://postgres@/x?host={tmp_path}")
    nowhere = await refused(f"postgresql://postgres:hush@/nowhere{host}")
    assert nowhere == 'The database refuses: database "nowhere" does not exist.'
    assert "no address of a database" in await refused("postgresql://host:port/x")
    async with opened(url):
        connection = await asyncpg.connect(url)
        await connection.execute("INSERT INTO schema_version VALUES (99)")
        await connection.close()
    assert "made by a newer Trapline (its tables are version 99" in await refused(url)


@in_loop
async def test_stores_that_open_in_the_same_moment_make_the_tables_once(url: str) -> None:
    stores = [PostgresStore(url) for _ in range(10)]
    await asyncio.gather(*(store.open(Ears().notice, Ears().whispers.append) for store in stores))
    made = await stores[0]._fetch("SELECT version FROM schema_version ORDER BY version")
    assert [row[0] for row in made] == [*range(1, len(POSTGRES) + 1)]
    await asyncio.gather(*(store.close() for store in stores))


@in_loop
async def test_a_database_that_answers_before_it_writes_is_told_not_to(
    url: str, postgres: Server
) -> None:
    postgres.psql("ALTER ROLE postgres SET synchronous_commit = off")
    try:
        store = PostgresStore(url)
        async with opened(store):
            assert [row[0] for row in await store._fetch("SHOW synchronous_commit")] == ["on"]
    finally:
        postgres.psql("ALTER ROLE postgres RESET synchronous_commit")


def test_without_asyncpg_the_extra_is_named() -> None:
    program = """
import sys
sys.modules["asyncpg"] = None
from trapline.server.store import StoreError, open_store
try:
    open_store("postgresql://host/name")
except StoreError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    sentence = "A PostgreSQL database needs asyncpg: pip install 'trapline[postgres]'."
    assert done.stdout.strip() == sentence


@in_loop
async def test_a_connection_that_breaks_in_the_middle_is_a_lost_one(url: str) -> None:
    """Whatever the library calls it."""
    for kind in (asyncpg.InternalClientError, asyncpg.ProtocolError, asyncpg.InterfaceError):
        faults = [kind("got result for unknown protocol state 3") for _ in range(3)]

        async def work(faults: list[Exception] = faults) -> str:
            if faults:
                raise faults.pop()
            return "done"

        assert await PostgresStore(url).patiently(work) == "done"
        with pytest.raises(StoreError, match="cannot be reached"):
            await PostgresStore(url, patience=0.01).patiently(partial(fail, kind))


async def fail(kind: type[Exception]) -> None:
    raise kind("again")


@in_loop
async def test_what_ended_on_another_server_has_its_record_here(url: str) -> None:
    """Also before this one has been told of the end."""
    one, two = (create(Settings(database=url, thinkers=1)) for _ in range(2))
    hubs = [app.state.context.hub for app in (one, two)]
    for hub in hubs:
        await hub.store.open(lambda *_: None, lambda _: None)  # no news reaches anybody
    try:
        room = await hubs[0].open_match(opening_of(NewMatch("numeric-maze", "link", {}, 1)))
        await hubs[0].join(room.id, room.opening.code or "", "Ben", KEYS[2])
        other = await hubs[1].live(room.id)
        await hubs[0].act(room.id, 1, Request("k", room.version(1), Resign()))
        assert not other.room.over
        transport = httpx.ASGITransport(two)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            answer = await http.get(f"/api/matches/{room.id}/record")
            assert answer.status_code == 200
    finally:
        for hub in hubs:
            await hub.store.close()


@in_loop
async def test_the_lobbies_of_two_servers_agree_on_who_is_here(url: str) -> None:
    """Also where the other has never had the match in memory."""
    settings = Settings(database=url, thinkers=1, asks_per_minute=1e9)
    apps = [create(settings) for _ in range(2)]
    hubs = [app.state.context.hub for app in apps]
    for hub in hubs:
        await hub.store.open(hub._notice, hub.presences.hear)
    try:
        wanted = NewMatch("numeric-maze", "link", {}, 1, listed=True)
        room = await hubs[0].open_match(opening_of(wanted))
        assert [await here_now(app, room.id) for app in apps] == [False, False]
        connection = hubs[0].places.connect(await hubs[0].live(room.id), 1, 0)
        for here in (True, False):
            async with asyncio.timeout(60):
                while [await here_now(app, room.id) for app in apps] != [here, here]:
                    await asyncio.sleep(0.02)
            assert hubs[1].find(room.id) is None
            if here:
                hubs[0].places.disconnect(connection)
    finally:
        for hub in hubs:
            await hub.store.close()


async def here_now(app: Starlette, match: str) -> bool:
    """What a lobby says of a challenge."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        lobby = (await http.get("/api/lobby")).json()
    found: bool = next(line["here"] for line in lobby["challenges"] if line["match"] == match)
    return found
