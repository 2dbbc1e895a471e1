"""An operator sees what goes wrong, and strangers do not; nothing is lost by how it is run."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.server.rooms import opened as opening_of
from tests.server.running import PATIENCE, Game, Seat, Server
from tests.server.stores import Ears, in_loop, opened, put
from tests.server.tables import table
from tests.server.test_thinking import children_of
from trapline.server import clocks, log, upkeep
from trapline.server.backup import back_up
from trapline.server.connection import Gone
from trapline.server.doctor import Finding, examine
from trapline.server.hours import HOURS
from trapline.server.messages import NewMatch, Play
from trapline.server.offers import Offers
from trapline.server.room import Room
from trapline.server.settings import Settings
from trapline.server.store import Damaged, StoreError
from trapline.server.store.sqlite import SQLiteStore
from trapline.server.upkeep import DOUBT, Clock, Upkeep

if TYPE_CHECKING:
    from tests.server import postgres as databases


def move(http: httpx.Client, game: Game, seat: int, number: int) -> httpx.Response:
    body = {"key": f"n{number}", "version": 0, "command": {"do": "resign"}}
    headers = {"Authorization": f"Bearer {game.keys[seat - 1]}"}
    state = httpx.Response(200)
    with http.stream("GET", f"/api/matches/{game.match}/stream?seat={seat}", headers=headers) as s:
        state = httpx.Response(200, content=next(s.iter_lines()))
    body["version"] = state.json()["version"]
    return http.post(f"/api/matches/{game.match}/commands?seat={seat}", json=body, headers=headers)


def test_a_full_disk_is_seen_by_the_operator_and_its_place_by_nobody_else(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.client() as http:
        game = Game(server.address, "numeric-maze")
        assert http.get("/api/health").status_code == 200
        size = max(path.stat().st_size for path in tmp_path.glob("server.sqlite3*"))
        pid = server.process.pid
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        answers = [http.get("/api/health")]
        deadline = time.monotonic() + PATIENCE
        while answers[-1].status_code == 200:  # what was found to be well holds for a moment
            assert time.monotonic() < deadline
            time.sleep(0.1)
            answers.append(http.get("/api/health"))
        answers.append(move(http, game, 1, 1))
        assert answers[-1].json()["key"]
        for number, command in enumerate(({"do": "play", "turn": "1"}, {"do": "resign"})):
            told = _first_answer(game.one, f"socket {number}", command)
            assert (told["reason"], told["key"]) == ("unavailable", f"socket {number}")
        answers.append(http.post("/api/matches", json={"game": "numeric-maze", "against": "here"}))
        for answer in answers[-3:]:
            assert answer.status_code == 503
            assert str(tmp_path) not in answer.text
            assert "sqlite" not in answer.text
        logged = [json.loads(line) for line in server.log.splitlines() if "store failed" in line]
        assert logged
        assert str(tmp_path / "server.sqlite3") in logged[0]["error"]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        while http.get("/api/health").status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        game.close()


def _first_answer(seat: Seat, key: str, command: dict[str, Any]) -> dict[str, Any]:
    """What a program hears that waits for the answer to its own command."""
    if not seat.state:
        seat.wait_until(lambda _: True)
    request = {"key": key, "version": seat.version, "command": command}
    seat.open().send(json.dumps(request))
    while (heard := seat.hear())["type"] != "refused":
        pass
    return heard


@in_loop
async def test_a_damaged_database_is_not_well_again_by_itself(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        await at.hub.trouble.check()
        at.hub.trouble.note(Damaged("The file is damaged."))
        for _ in range(2):
            with pytest.raises(Exception, match="cannot keep matches"):
                await at.hub.trouble.check()


@in_loop
async def test_asking_for_health_costs_no_look_at_every_match(tmp_path: Path) -> None:
    """It is asked often, and by anybody: the plan touches one row, and is not made each time."""
    async with table(tmp_path) as at:
        asked = 0
        check = at.store.check

        async def counted() -> None:
            nonlocal asked
            asked += 1
            await check()

        at.store.check = counted  # type: ignore[method-assign]
        for _ in range(50):
            await at.hub.trouble.check()
        assert asked == 1
    with sqlite3.connect(tmp_path / "hub.db") as log:
        plan = log.execute("EXPLAIN QUERY PLAN SELECT 1 FROM matches LIMIT 1").fetchall()
        assert "SORT" not in str(plan).upper()
    log.close()


def test_sockets_are_in_the_log_with_the_request_they_came_by(server: Server) -> None:
    game = Game(server.address, "numeric-maze")
    game.one.headers["X-Request-ID"] = "one-of-the-proxy"
    game.one.wait_until(lambda _: True)
    game.one.close()
    wanted = {"socket opened", "socket closed"}
    deadline = time.monotonic() + PATIENCE
    while True:
        lines = [json.loads(line) for line in server.log.splitlines()]
        mine = {line["event"] for line in lines if line.get("request") == "one-of-the-proxy"}
        if wanted <= mine:
            break
        assert time.monotonic() < deadline, mine
        time.sleep(0.05)
    with server.client() as http:
        answer = http.get("/api/games")
        named = answer.headers["x-request-id"]
        assert http.get("/api/games", headers={"X-Request-ID": "a b\x7f"}).headers[
            "x-request-id"
        ] not in ("a b\x7f", named)
    assert f'"request": "{named}"' in server.log
    assert game.keys[0] not in server.log
    game.close()


# --- data -------------------------------------------------------------------------------


@in_loop
async def test_a_clock_that_is_ahead_deletes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(tmp_path) as at:
        live = await at.open()
        store = at.store
        await store.keep_fact(upkeep.BELIEVED, datetime.now(UTC).isoformat().encode())
        ahead = timedelta(days=31)

        async def wrong() -> float:
            return time.time() + ahead.total_seconds()

        async def doubt_at_the_start() -> float:
            await at.hub.clocks.look()
            return await Upkeep(at.hub)._doubt(Clock())

        monkeypatch.setattr(store, "time", wrong)
        assert await doubt_at_the_start() > 3600
        # A match that is opened meanwhile does not make the wrong time right.
        await put(store, "new", 1, at=(datetime.now(UTC) + ahead).isoformat())
        assert await doubt_at_the_start() > 3600
        ahead = timedelta(0)
        assert await doubt_at_the_start() == 0
        assert len(await store.read(live.room.id)) == 2


def test_a_clock_is_believed_when_a_day_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = 1000.0
    monkeypatch.setattr("trapline.server.upkeep.time.monotonic", lambda: ran)
    monkeypatch.setattr(HOURS, "ahead", 1_000_000_000)
    clock = Clock()
    long_ago = "2020-01-01T00:00:00.000+00:00"
    assert clock.doubt(long_ago) == DOUBT
    assert clock.doubt(None) == 0
    ran += DOUBT
    assert clock.doubt(long_ago) == 0
    HOURS.ahead += round(31_000 * DOUBT)
    assert clock.doubt(None) == DOUBT, "it has jumped"
    ran += DOUBT / 2
    assert clock.doubt(None) == DOUBT / 2
    ran += DOUBT / 2
    assert clock.doubt(None) == 0


@pytest.mark.parametrize("file", ["m.db", "m.db-wal"])
@in_loop
async def test_nothing_is_acknowledged_in_files_that_are_gone(tmp_path: Path, file: str) -> None:
    path = tmp_path / "m.db"
    async with opened(SQLiteStore(str(path))) as store:
        await put(store, "m", 1)
        (tmp_path / file).unlink()
        for attempt in (put(store, "m", 2), store.read("m"), store.check()):
            with pytest.raises(Damaged, match="deleted or replaced"):
                await attempt


@in_loop
async def test_the_doctor_tells_of_a_clock_that_may_be_ahead(tmp_path: Path) -> None:
    url = f"sqlite:{tmp_path}/m.db"
    for days, level in ((31, "note"), (2, "note"), (0.5, "fine"), (-1, "wrong")):
        last = datetime.now(UTC) - timedelta(days=days)
        async with opened(url) as store:
            await store.keep_fact(upkeep.BELIEVED, last.isoformat().encode())
        found = [finding async for finding in examine(Settings(database=url))]
        assert [told.level for told in found if "clock" in told.sentence] == [level]


@in_loop
async def test_the_doctor_tells_no_more_of_the_clock_than_is_known(tmp_path: Path) -> None:
    """Before the first move there is none; and where nothing expires, nobody keeps a time to go by
    but that at which a server was last there."""
    url = f"sqlite:{tmp_path}/m.db"
    some_days_ago = (datetime.now(UTC) - timedelta(days=3)).isoformat()
    async with opened(url) as store:
        await store.keep_fact(upkeep.BELIEVED, datetime.now(UTC).isoformat().encode())
    assert await _of_the_clock(Settings(database=url)) == [
        ("fine", "No move was made yet; the clock fits what is kept.")
    ]
    async with opened(url) as store:
        await store.keep_fact(clocks.ALIVE, datetime.now(UTC).isoformat().encode())
        await store.keep_fact(upkeep.BELIEVED, some_days_ago.encode())
        await put(store, "m", 1, at=some_days_ago)
    ((level, _),) = await _of_the_clock(Settings(database=url, expire_days=0))
    assert level == "fine"
    ((level, sentence),) = await _of_the_clock(Settings(database=url))
    assert level == "note"
    assert sentence.endswith("For a day after the start nothing expires.")
    async with opened(url) as store:
        await store.keep_fact(clocks.ALIVE, some_days_ago.encode())
    ((level, sentence),) = await _of_the_clock(Settings(database=url, expire_days=0))
    assert level == "note"
    assert "expires" not in sentence


async def _of_the_clock(settings: Settings) -> list[Finding]:
    return [told async for told in examine(settings) if "clock" in told.sentence]


@in_loop
async def test_two_servers_do_not_share_a_file_by_two_names(tmp_path: Path) -> None:
    file, link, copy = (tmp_path / name for name in ("a.db", "b.db", "c.db"))
    link.symlink_to(file)
    async with opened(SQLiteStore(str(file), serving=True)):
        with pytest.raises(StoreError, match=r"Another server is using .*a\.db"):
            await SQLiteStore(str(link), serving=True).open(Ears().notice, Ears().whispers.append)
        copy.hardlink_to(file)
        with pytest.raises(StoreError, match="has another name"):
            await SQLiteStore(str(copy), serving=True).open(Ears().notice, Ears().whispers.append)
    found = [finding async for finding in examine(Settings(database=f"sqlite:{copy}"))]
    assert ["has another name" in told for level, told in found if level == "wrong"] == [True]
    with pytest.raises(StoreError, match="has another name"):
        back_up(f"sqlite:{copy}", tmp_path / "d.db")


def test_two_servers_do_not_share_a_file(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        run = subprocess.run(
            [sys.executable, "-m", "trapline", "serve", "--port", "0"],
            env={**os.environ, "TRAPLINE_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert run.returncode == 2
        assert "Another server is using" in run.stderr
        assert "Traceback" not in run.stderr
        server.kill()
        server.start()  # whoever is killed holds nothing back


def test_workers_do_not_outlive_their_supervisor(
    tmp_path: Path, postgres: databases.Server
) -> None:
    url = postgres.new_database("orphans")
    with Server(tmp_path, "--database", url, "--workers", "2") as server:
        deadline = time.monotonic() + PATIENCE
        with server.client() as http:
            while True:
                try:
                    if http.get("/api/health").status_code == 200:
                        break
                except httpx.TransportError:
                    assert time.monotonic() < deadline
                    time.sleep(0.1)
        children = children_of(server.process.pid)
        assert len(children) >= 2
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while any(_alive(child) for child in children):
            assert time.monotonic() < deadline, "somebody is left behind"
            time.sleep(0.1)


def _alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except OSError:
        return False


@in_loop
async def test_a_match_that_was_deleted_is_not_shown_to_those_who_watch(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        gone, stays = await at.open(), await at.open()
        watcher, other = (at.hub.places.connect(live, None, 0) for live in (gone, stays))
        await watcher.next()
        await other.next()
        await at.store.delete([gone.room.id])
        await Upkeep(at.hub).drop_deleted()
        with pytest.raises(Gone):
            await watcher.next()
        assert at.hub.find(gone.room.id) is None
        assert at.hub.find(stays.room.id) is stays


@in_loop
async def test_others_are_served_while_a_long_match_is_read() -> None:
    round_and_round = ("2,2", "3,2", "2,3", "3,3")
    commands = [(1, "3"), (2, "3")]
    commands += [(1 + turn % 2, round_and_round[turn % 4]) for turn in range(150)]
    entries: list[log.AnyEntry] = [
        opening_of(NewMatch("secret-paths", "link", {}, 1)),
        log.Join("", 2, log.Holder("Ben", "b" * 64)),
        *(
            log.Act("", seat, f"k{number}", Play(text), "00")  # type: ignore[arg-type]
            for number, (seat, text) in enumerate(commands)
        ),
    ]
    offer = Offers(Settings(thinkers=1)).find("secret-paths")
    reading = asyncio.create_task(offer.read("long", [log.encode(entry) for entry in entries]))
    turns_of_others = 0
    while not reading.done():
        await asyncio.sleep(0)
        turns_of_others += 1
    room = reading.result()
    assert isinstance(room, Room)
    assert room.entries == len(entries)
    assert turns_of_others > len(entries) / 50
