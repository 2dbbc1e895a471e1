"""What docs/running.md tells an operator to do, done."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.server.running import Game, Seat, Server, finish
from tests.server.stores import in_loop, opened, put
from tests.server.test_old_logs import KEPT
from tests.test_cli import trapline
from trapline.referee import parse_record, verify
from trapline.server import personal
from trapline.server.admin import records
from trapline.server.backup import back_up, restore
from trapline.server.doctor import examine
from trapline.server.settings import Settings
from trapline.server.store import StoreError
from trapline.server.store.migrations import POSTGRES, RECORD, SQLITE

if TYPE_CHECKING:
    from tests.server import postgres as databases

PAGE = (Path(__file__).parents[2] / "docs" / "running.md").read_text("utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    text: str = found
    return text


def test_every_setting_is_on_the_page_with_its_default() -> None:
    table = re.findall(r"^\| (`[A-Z`, _]+`) \|([^|]*)\|", PAGE, re.MULTILINE)
    said: dict[str, str] = {}
    for names, values in table:
        words = re.findall(r"[A-Z_]+", names)
        defaults = [value.strip(" `") for value in values.split(",")] if words[1:] else [values]
        said |= dict(zip(words, (value.strip(" `") for value in defaults), strict=True))
    fields = {field.name.upper(): field for field in msgspec.structs.fields(Settings)}
    assert set(said) == set(fields)
    for name, field in fields.items():
        default = field.default
        shown = "" if default in ("", ()) else default
        assert said[name] == (str(shown) if isinstance(shown, str) else f"{shown:g}"), name


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_the_service_can_be_loaded(tmp_path: Path) -> None:
    unit = tmp_path / "trapline.service"
    unit.write_text(block("ini").replace("/opt/trapline/bin/trapline", sys.executable))
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    complaints = [line for line in run.stderr.splitlines() if "trapline.service" in line]
    assert complaints == []


# --- backups ----------------------------------------------------------------------------


def test_a_backup_made_in_the_middle_of_play_holds_every_answered_move(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    with Server(tmp_path / "home", commands_per_second="10000") as server:
        game = Game(server.address, "secret-paths", turn_limit=0)
        for seat in game.seats():
            seat.choose("3")
        stop, answered = threading.Event(), [0]

        def play() -> None:
            rng = Random(1)
            while not stop.is_set():
                for seat in game.seats():
                    seat.glance()
                    if seat.view["asks"] == "move":
                        row, column = rng.choice([c for c in seat.view["legal"] if 1 < c[0] < 5])
                        seat.play(f"{row},{column}")
                        answered[0] = seat.view["turn"]

        playing = threading.Thread(target=play)
        playing.start()
        url = f"sqlite:{tmp_path / 'home' / 'server.sqlite3'}"
        while answered[0] < 10:
            stop.wait(0.01)
        before = answered[0]
        assert back_up(url, tmp_path / "copy.db") == 1
        stop.set()
        playing.join(60)
        with pytest.raises(StoreError, match="is there already"):
            back_up(url, tmp_path / "copy.db")
        with pytest.raises(StoreError, match="Another server is using"):
            restore(tmp_path / "copy.db", url, replace=True)
        server.stop()
        with pytest.raises(StoreError, match="--replace"):
            restore(tmp_path / "copy.db", url)
        assert restore(tmp_path / "copy.db", url, replace=True) == 1
        server.start()
        again = Seat(server.address, game.match, 1, game.keys[0])
        again.wait_until(lambda _: True)
        assert before <= again.view["turn"] <= answered[0]
        again.close()
        game.close()
    put_aside = [*(tmp_path / "home").glob("server.sqlite3.2*")]
    assert len(put_aside) == 1
    with closing(sqlite3.connect(put_aside[0])) as log:
        (entries,) = log.execute("SELECT entries FROM matches").fetchone()
        assert entries >= answered[0]


@in_loop
async def test_what_is_no_backup_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    url = f"sqlite:{tmp_path / 'm.db'}"
    async with opened(url) as store:
        await put(store, "m", 1)
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann, " * 1000)
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as log:
        log.execute("CREATE TABLE bookmarks (address TEXT)")
    torn = tmp_path / "torn.db"
    back_up(url, torn)
    with closing(sqlite3.connect(torn)) as log:
        log.execute("DELETE FROM entries")
        log.commit()
    for bad in (letter, other, torn, tmp_path / "none.db"):
        with pytest.raises(StoreError):
            restore(bad, url, replace=True)
    async with opened(url) as store:
        assert await store.read("m") == [b"{}"]
    assert not [*tmp_path.glob("*.restoring*"), *tmp_path.glob("*.part")]
    with pytest.raises(StoreError, match="pg_dump"):
        back_up("postgresql://x@y/z", tmp_path / "z")


# --- upgrades ---------------------------------------------------------------------------


def first_release(log: sqlite3.Connection) -> None:
    """A database as the first version made it, with matches that it kept."""
    for statement in (RECORD, *SQLITE[0], "INSERT INTO schema_version VALUES (1)"):
        log.execute(statement)
    for number, kept in enumerate(KEPT):
        name, entries = f"{number:016x}", [json.dumps(entry) for entry in kept["log"]]
        for version, entry in enumerate(entries, 1):
            row = (name, version, entry.encode())
            log.execute("INSERT INTO entries VALUES (?, ?, ?)", row)
        over = kept["record"] is not None
        at = "2026-01-01T00:00:00.000+00:00"
        line = (name, kept["log"][0]["game"], at, at, len(entries), over)
        log.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?)", line)
    log.commit()


def test_a_database_of_the_first_version_is_played_on(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "server.sqlite3")) as log:
        first_release(log)
    (unfinished,) = (i for i, kept in enumerate(KEPT) if kept["record"] is None)
    with Server(tmp_path, expire_days="0") as server, server.client() as http:
        for number, kept in enumerate(KEPT):
            answer = http.get(f"/api/matches/{number:016x}/record")
            if number == unfinished:
                assert answer.status_code == 409
            else:
                moves = [kept["record"][name] for name in ("game", "moves", "result")]
                assert [answer.json()[name] for name in ("game", "moves", "result")] == moves
        watcher = Seat(server.address, f"{unfinished:016x}", 0, None)
        watcher.wait_until(lambda _: True)
        watcher.close()
        assert http.get("/api/health").status_code == 200
        game = Game(server.address, "numeric-maze")
        finish(game, Random(1))
        game.close()


def test_a_postgresql_database_of_the_first_version_is_brought_up_to_date(
    postgres: databases.Server,
) -> None:
    import asyncpg

    url = postgres.new_database("first_version")

    async def run() -> None:
        connection = await asyncpg.connect(url)
        for statement in (RECORD, *POSTGRES[0], "INSERT INTO schema_version VALUES (1)"):
            await connection.execute(statement)
        await connection.execute("INSERT INTO entries VALUES ('old', 1, '{}')")
        at = "2026-01-01T00:00:00.000+00:00"
        await connection.execute(
            "INSERT INTO matches VALUES ('old', 'hidden-path', $1, $1, 1, false)", at
        )
        await connection.close()
        async with opened(url) as store:
            assert await store.read("old") == [b"{}"]
            assert await store.newest() == at
            await store.keep_fact("a", b"1", once=True)
            await store.keep_fact("a", b"2", once=True)
            assert await store.fact("a") == b"1"
            assert await store.missing(["old", "new"]) == ["new"]
            await store.check()

    asyncio.run(run())


# --- numbers ----------------------------------------------------------------------------


def test_numbers_are_for_whom_the_operator_says(tmp_path: Path, server: Server) -> None:
    with server.client() as http:
        assert http.get("/metrics").status_code == 404
    with Server(tmp_path, metrics="local") as own, own.client() as http:
        game = Game(own.address, "numeric-maze")
        game.one.wait_until(lambda _: True)
        answer = http.get("/metrics")
        families = {family.name: family for family in text_string_to_metric_families(answer.text)}
        values = {
            (sample.name, *sample.labels.values()): sample.value
            for family in families.values()
            for sample in family.samples
        }
        assert values["trapline_connections", "player"] == 1
        assert values["trapline_matches",] == 1
        assert values["trapline_requests_total", "/api/matches", "201"] == 1
        assert families["trapline_request_seconds"].type == "histogram"
        assert values["trapline_request_seconds_bucket", "+Inf"] == 2
        assert answer.headers["content-type"].startswith("text/plain")
        for somebody in ("192.0.2.7", "127.0.0.1"):  # whoever asks a proxy may say anything
            outside = {"X-Forwarded-For": somebody}
            assert http.get("/metrics", headers=outside).status_code == 404
        assert game.match not in answer.text
        game.close()


# --- doctor -----------------------------------------------------------------------------


async def found(settings: Settings) -> dict[str, list[str]]:
    findings: dict[str, list[str]] = {"fine": [], "note": [], "wrong": []}
    async for level, sentence in examine(settings):
        findings[level].append(sentence)
    return findings


@in_loop
async def test_the_doctor_finds_what_is_amiss(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    settings = Settings(database=f"sqlite:{path}")
    assert (await found(settings))["wrong"] == []
    assert not path.exists(), "looking makes nothing"
    async with opened(settings.store_url()) as store:
        await put(store, "m", 1)
    healthy = await found(settings)
    assert healthy["wrong"] == []
    assert any("whole; matches in it: 1." in sentence for sentence in healthy["fine"])
    path.chmod(0o644)
    (tmp_path / "words.txt").touch()
    bad = Settings(
        database=f"sqlite:{path}",
        public_url="http://games.example/",
        names=str(tmp_path / "none.txt"),
        metrics="all",
        hosts=("*",),
    )
    amiss = await found(bad)
    assert len(amiss["wrong"]) == 3, amiss
    for word in ("chmod 600", "not encrypted", "There is no file"):
        assert any(word in sentence for sentence in amiss["wrong"])
    assert len(amiss["note"]) >= 3
    path.chmod(0o600)
    async with opened(settings.store_url()) as store:
        await put(store, "later", 1, at="2999-01-01T00:00:00.000+00:00")
    assert any("future" in sentence for sentence in (await found(settings))["wrong"])
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)
    assert (await found(settings))["wrong"]


def test_the_doctors_command_says_so_by_its_status(tmp_path: Path) -> None:
    done = trapline("admin", "doctor", "--database", f"sqlite:{tmp_path}/m.db")
    assert done.returncode == 0
    assert re.search(r"^fine ", done.stdout, re.MULTILINE)
    (tmp_path / "m.db").write_text("Dear Ann")
    assert trapline("admin", "doctor", "--database", f"sqlite:{tmp_path}/m.db").returncode == 1


# --- what one player has done -----------------------------------------------------------


def test_a_player_gets_everything_of_their_own_and_can_have_it_forgotten(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        with server.client() as ann:
            body = {"game": "hidden-path", "against": "link", "name": "Ann Hathaway"}
            shared = ann.post("/api/matches", json=body).json()
            alone = ann.post("/api/matches", json={**body, "against": "random"}).json()
            key = ann.cookies["trapline"]
        with server.client() as ben:
            code = shared["link"].partition("#")[2]
            path = f"/api/matches/{shared['match']}/join"
            ben.post(path, json={"code": code, "name": "Ben Jonson"})
            other = ben.cookies["trapline"]
            kept = ben.post("/api/matches", json={**body, "name": "Ben Jonson"}).json()
        one, two = (
            Seat(server.address, shared["match"], seat, owner)
            for seat, owner in ((1, key), (2, other))
        )
        one.choose("2 4 6")
        two.choose("1 3 5")
        one.wait_until(lambda seat: seat.view["turn"] == 0 and seat.view["to_move"])
        one.do("resign")
        one.close()
        two.close()
        server.stop()
    database = ("--database", f"sqlite:{tmp_path / 'server.sqlite3'}")
    done = trapline("admin", "player", *database, given=key + "\n")
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert {line["match"] for line in lines} == {shared["match"], alone["match"]}
    assert "2 4 6" in done.stdout
    for secret in ("1 3 5", "Ben Jonson", key):
        assert secret not in done.stdout

    done = trapline("admin", "forget", *database, given=key + "\n")
    assert "Deleted 1 match; took the name out of 1 more." in done.stdout
    assert trapline("admin", "player", *database, given=key + "\n").stdout == ""

    async def look() -> list[Any]:
        async with opened(database[1]) as store:
            left = {line.match for line in await store.summaries()}
            assert left == {shared["match"], kept["match"]}
            assert [match async for match in personal.played(store, other)]
            return [record async for _, record in records(store)]

    (record,) = asyncio.run(look())
    assert [check for check in verify(parse_record(record.to_json().encode())) if check.fault] == []
    assert {player.name for player in record.players.values()} == {"Player 1", "Ben Jonson"}
    with closing(sqlite3.connect(tmp_path / "server.sqlite3")) as log:
        everything = str(log.execute("SELECT entry FROM entries").fetchall())
        assert "Hathaway" not in everything
