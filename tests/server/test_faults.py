"""What goes wrong on purpose: kills, cuts, restarts, full disks, races. Nothing is lost or doubled.

Every client checks each message as it comes (no gap, nothing twice, no version going back);
at the end all that anybody heard is compared with the record of the referee.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
import time
from random import Random
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

from tests.server.running import PATIENCE, Game, Refused, Seat, Server, finish, step
from trapline.games import GAMES
from trapline.referee import Match, parse_record, verify

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server import postgres as databases


def compare_with_record(address: str, game: Game) -> None:
    """What every client heard is what the referee's log makes of the match."""
    for seat in (*game.seats(), game.watcher):
        seat.cut()
        seat.wait_until(lambda seat: seat.view["outcome"] is not None)
    with httpx.Client(base_url=address, timeout=PATIENCE) as http:
        record = parse_record(http.get(f"/api/matches/{game.match}/record").content)
    assert [check for check in verify(record) if check.fault] == []
    replayed = Match.restore(record)
    for seat, viewer in ((game.one, 1), (game.two, 2), (game.watcher, None)):
        told = msgspec.to_builtins(replayed.view(viewer).events)  # type: ignore[arg-type]
        assert msgspec.json.encode(told) == msgspec.json.encode(seat.events)
    game.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_kill_between_any_two_steps_loses_nothing(name: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        options: dict[str, dict[str, Any]] = {
            "secret-paths": {"size": 3},
            "numeric-maze": {"length": 9, "traps": [4]},
        }
        game = Game(server.address, name, **options.get(name, {"length": 5}))
        game.watcher.wait_until(lambda _: True)
        rng = Random(3)
        strikes = 4

        def strike() -> None:
            nonlocal strikes
            if strikes and rng.random() < 0.4:
                strikes -= 1
                server.kill()
                server.start()

        finish(game, rng, strike)
        assert strikes < 4
        compare_with_record(server.address, game)


@pytest.mark.slow
def test_cut_connections_come_back_without_gaps(server: Server) -> None:
    for seed in range(6):
        rng = Random(seed)
        game = Game(server.address, rng.choice(list(GAMES)))
        game.watcher.wait_until(lambda _: True)

        def cut(rng: Random = rng, game: Game = game) -> None:
            if rng.random() < 0.3:
                rng.choice([game.one, game.two, game.watcher]).cut()
            if rng.random() < 0.3:
                game.watcher.glance()

        finish(game, rng, cut)
        compare_with_record(server.address, game)


def test_a_kill_in_the_middle_of_many_moves_keeps_what_was_answered(tmp_path: Path) -> None:
    """Moves are sent without a pause while the server dies, again and again when some were answered
    in every match; what was answered is there."""
    settings = {"opens_per_minute": "10000", "commands_per_second": "10000"}
    with Server(tmp_path, **settings) as server:
        games = [Game(server.address, "secret-paths", turn_limit=0) for _ in range(6)]
        done = threading.Event()
        answered: dict[str, int] = {}

        def rush(game: Game, rng: Random) -> None:
            for seat in game.seats():
                seat.choose("3")
            while not done.is_set() and game.one.view["outcome"] is None:
                for seat in game.seats():
                    seat.glance()
                    if seat.view["asks"] == "move":
                        row, column = rng.choice([c for c in seat.view["legal"] if 1 < c[0] < 5])
                        seat.play(f"{row},{column}")
                        answered[game.match] = seat.view["turn"]

        threads = [
            threading.Thread(target=rush, args=(game, Random(number)))
            for number, game in enumerate(games)
        ]
        for thread in threads:
            thread.start()
        for kill in range(1, 4):
            patience = time.monotonic() + 4 * PATIENCE
            while any(answered.get(game.match, 0) < 4 * kill for game in games):
                assert time.monotonic() < patience
                done.wait(0.05)
            server.kill()
            server.start()
        done.set()
        for thread in threads:
            thread.join(PATIENCE)
        for game in games:
            again = Seat(server.address, game.match, 1, game.keys[0])
            again.wait_until(lambda _: True)
            assert again.view["turn"] >= answered[game.match] > 5
            moves = [event for event in again.events if event["event"] == "moved"]
            assert len(moves) == again.view["turn"]
            assert (
                moves[: len(game.one.events)]
                == [event for event in game.one.events if event["event"] == "moved"][: len(moves)]
            )
            again.close()
            game.close()


def test_the_same_command_twice_and_two_at_once(server: Server) -> None:
    game = Game(server.address, "numeric-maze")
    game.one.do({"do": "play", "turn": "2"}, key="same")
    game.one.do({"do": "play", "turn": "2"}, key="same")
    game.one.cut()
    game.one.do({"do": "play", "turn": "3"}, key="same")
    assert game.one.view["board"]["positions"] == [2, 0]
    game.two.listen()
    twin = Seat(server.address, game.match, 2, game.keys[1])
    twin.listen()
    results: list[str] = []

    def race(seat: Seat, turn: str) -> None:
        try:
            seat.play(turn)
            results.append("done")
        except Refused as refused:
            results.append(refused.message["reason"])

    threads = [
        threading.Thread(target=race, args=arguments)
        for arguments in ((game.two, "1"), (twin, "2"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(results) == ["done", "stale"]
    game.one.listen()
    assert game.one.view["turn"] == 2
    twin.close()
    game.close()


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path) -> None:
    """The file may not grow any more, as on a full disk; then there is room again."""
    with Server(tmp_path) as server:
        game = Game(server.address, "secret-paths", turn_limit=0)
        for seat in game.seats():
            seat.choose("3")
        pid = server.process.pid
        # The log is longer than what is in it: room behind that would be used first.
        files = [path.read_bytes() for path in tmp_path.glob("server.sqlite3*")]
        size = max(len(file.rstrip(b"\0")) for file in files)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        path = f"/api/matches/{game.match}/commands"
        statuses = set()
        moves = 0
        rng = Random(1)
        with server.client() as http:
            for number in range(400):
                for seat in game.seats():
                    seat.listen(0.001)
                movers = [seat for seat in game.seats() if seat.view["asks"] == "move"]
                if not movers:
                    continue
                seat = movers[0]
                row, column = rng.choice([c for c in seat.view["legal"] if 1 < c[0] < 5])
                command = {"do": "play", "turn": f"{row},{column}"}
                body = {"key": f"n{number}", "version": seat.version, "command": command}
                headers = {"Authorization": f"Bearer {game.keys[seat.seat - 1]}"}
                answer = http.post(f"{path}?seat={seat.seat}", json=body, headers=headers)
                statuses.add(answer.status_code)
                moves += answer.status_code == 200
                if answer.status_code == 503:
                    assert "Nothing has changed" in answer.json()["sentence"]
                    break
        assert 503 in statuses, "the disk never got full"
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        for _ in range(4):
            for seat in game.seats():
                seat.listen(0.05)
            seat = next(s for s in game.seats() if s.view["asks"] == "move")
            row, column = next(c for c in seat.view["legal"] if 1 < c[0] < 5)
            seat.play(f"{row},{column}")
        assert seat.view["turn"] == moves + 4
        server.kill()
        server.start()
        again = Seat(server.address, game.match, 0, None)
        again.wait_until(lambda _: True)
        assert again.view["turn"] == moves + 4
        again.close()
        game.close()


def test_it_stops_when_asked_and_says_so(tmp_path: Path) -> None:
    from websockets.exceptions import ConnectionClosed

    with Server(tmp_path) as server:
        game = Game(server.address, "numeric-maze")
        game.one.listen()
        assert server.stop() == 0
        with pytest.raises(ConnectionClosed) as closed:
            game.one.wait_until(lambda _: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
        server.start()
        game.one.cut()
        game.one.play("2")
        game.close()


# --- several processes ------------------------------------------------------------------


def test_players_on_different_processes_see_each_other(
    tmp_path: Path, postgres: databases.Server
) -> None:
    url = postgres.new_database("two_processes")
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir()
    second.mkdir()
    with (
        Server(first, "--database", url) as one,
        Server(second, "--database", url) as two,
    ):
        game = Game(one.address, "hidden-path")
        game.two.address = two.address
        game.watcher.address = two.address
        game.watcher.wait_until(lambda _: True)
        for seat in game.seats():
            seat.wait_until(lambda _: True)
        rng = Random(5)
        for _ in range(400):
            for seat in game.seats():
                step(seat, rng)
            if all(seat.view["outcome"] for seat in game.seats()):
                break
        game.one.wait_until(lambda seat: seat.presence.get("here") == [True, True])
        compare_with_record(one.address, game)


def test_a_database_that_restarts_under_load_loses_nothing(
    tmp_path: Path, postgres: databases.Server
) -> None:
    url = postgres.new_database("restarted")
    with Server(tmp_path, "--database", url) as server:
        game = Game(server.address, "secret-paths", turn_limit=0)
        for seat in game.seats():
            seat.choose("3")
        rng = Random(2)
        moves = 0
        for number in range(60):
            if number in (15, 35):
                postgres.crash()
            for seat in game.seats():
                seat.listen(0.005)
            for mover in [seat for seat in game.seats() if seat.view["asks"] == "move"]:
                row, column = rng.choice([c for c in mover.view["legal"] if 1 < c[0] < 5])
                mover.play(f"{row},{column}")
                moves += 1
        assert moves > 30
        game.one.wait_until(lambda seat: seat.view["turn"] == moves)
        game.one.do("resign")
        compare_with_record(server.address, game)


@pytest.mark.slow
def test_several_workers_serve_one_address(tmp_path: Path, postgres: databases.Server) -> None:
    url = postgres.new_database("workers")
    with Server(tmp_path, "--database", url, "--workers", "2") as server:
        _until_healthy(server)
        for _ in range(4):
            game = Game(server.address, "numeric-maze")
            finish(game, Random(1))
            compare_with_record(server.address, game)
        assert server.stop() == 0


def _until_healthy(server: Server) -> None:
    with server.client() as http:
        for _ in range(100):
            try:
                if http.get("/api/health").status_code == 200:
                    return
            except httpx.TransportError:
                threading.Event().wait(0.1)
    raise AssertionError("the workers never came up")


def test_workers_need_a_database_they_can_share(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "trapline", "serve", "--workers", "2"],
        env={**os.environ, "TRAPLINE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "postgresql://" in run.stderr


def test_a_match_that_is_deleted_while_it_is_played_ends_in_words(tmp_path: Path) -> None:
    from websockets.exceptions import ConnectionClosed

    with Server(tmp_path) as server:
        game = Game(server.address, "numeric-maze")
        game.one.listen()
        other = Game(server.address, "numeric-maze")
        database = f"sqlite:{tmp_path / 'server.sqlite3'}"
        _run("admin", "delete", game.match, "--database", database)
        command = {"key": "k", "version": game.one.version, "command": {"do": "resign"}}
        # The server may have noticed before the command comes, or notices because of it.
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012 (listens until then)
            game.one.open().send(json.dumps(command))
            while True:
                game.one.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404
        other.one.play("2")
        other.close()
        game.close()


def test_unfinished_matches_expire(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        old = Game(server.address, "numeric-maze")
        done = Game(server.address, "numeric-maze")
        done.one.do("resign")
        done.close()
        server.stop()
    time.sleep(0.2)
    with Server(tmp_path, expire_days="0.000001") as server, server.client() as http:
        deadline = time.monotonic() + PATIENCE
        while http.get(f"/api/matches/{old.match}").status_code != 404:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert http.get(f"/api/matches/{done.match}").status_code == 200


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "trapline", *arguments], check=True, capture_output=True)
