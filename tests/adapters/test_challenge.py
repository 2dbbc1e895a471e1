"""An assistant against a person: the real client, the real `trapline mcp`, the real server."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from random import Random
from threading import Thread
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import pytest

from tests.adapters.outside import OUTSIDE
from tests.adapters.test_mcp import (
    WITH_OUTSIDE,
    fields_of,
    next_answer,
    text_of,
    with_client,
    with_process,
)
from trapline.adapters.mcp import make_server
from trapline.adapters.remote import AgainstPerson, Server
from trapline.core import OptionsError, TraplineError, Unavailable
from trapline.games import GAMES, find_game
from trapline.referee import parse_record, verify
from trapline.server import answers, messages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp import Client

WEB = "http:" + "//"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("server")
    command = [sys.executable, "-m", "trapline", "serve", "--port", "0"]
    command += ["--database", f"sqlite:{folder / 'matches.db'}", *WITH_OUTSIDE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(rf"({WEB}\S+?)/ ", process.stdout.readline())
        assert found
        yield found[1]
        process.terminate()


class Person(AgainstPerson):
    """Whoever follows the link, playing by the same requests as the page and other bots do."""

    seat = 2

    def __init__(self, told: str) -> None:
        found = re.search(rf"({WEB}\S+)/join/(\w+)#(\S+)", told)
        assert found
        self._server = Server(found[1])
        self._path = f"/api/matches/{found[2]}"
        joining = messages.Joining(found[3], "Ann")
        self._server.ask(f"{self._path}/join", answers.Opened, joining)
        self._look()

    def act(self, rng: Random) -> None:
        """Answer whatever is asked."""
        self.wait(0)
        while (question := self.view().question) is not None:
            self.answer(question.text(question.random(rng)))


async def play_on(client: Client, told: Any, person: Person, rng: Random) -> Any:
    """Both play at random until it is over."""
    while not fields_of(told)["over"]:
        if fields_of(told)["asks"]:
            told = await client.call_tool("play", {"answer": next_answer(fields_of(told), rng)})
        else:
            await anyio.to_thread.run_sync(lambda: person.act(rng))
            told = await client.call_tool("look", {"wait": 20})
    return told


@pytest.mark.slow
def test_whole_matches_against_a_person(address: str) -> None:
    async def task(client: Client) -> None:
        for name in [*GAMES, *(find_game(path).name for path in OUTSIDE)]:
            rng = Random(name)
            told = await client.call_tool("challenge", {"game": name, "server": address})
            assert "The link for the other player: http://127.0.0.1:" in text_of(told)
            person = await anyio.to_thread.run_sync(Person, text_of(told))
            told = await play_on(client, told, person, rng)
            assert "/join/" not in text_of(told)
            record = parse_record(text_of(await client.call_tool("record")).encode())
            assert [check for check in verify(record) if check.fault] == []
            assert {player.name for player in record.players.values()} == {"Assistant", "Ann"}

    with_process(task, *WITH_OUTSIDE)


def test_the_assistant_waits_until_the_person_has_moved(address: str) -> None:
    async def task(client: Client) -> None:
        told = await client.call_tool("challenge", {"game": "numeric-maze", "first": 2})
        assert "It is Player 2's turn" in text_of(told)
        person = await anyio.to_thread.run_sync(Person, text_of(told))
        await client.call_tool("look")
        looks: list[Any] = []

        async def look() -> None:
            looks.append(await client.call_tool("look", {"wait": 30}))

        async with anyio.create_task_group() as group:
            group.start_soon(look)
            await anyio.sleep(0.3)
            assert looks == []
            await anyio.to_thread.run_sync(person.answer, "2")
        assert "Player 2 moves to position 2." in text_of(looks[0])
        assert fields_of(looks[0])["asks"] == "move"

    with_client(make_server(server_address=address), task)


def test_draws_and_refusals_come_from_the_server(address: str) -> None:
    async def task(client: Client) -> None:
        told = await client.call_tool("challenge", {"game": "hidden-path", "first": 1})
        person = await anyio.to_thread.run_sync(Person, text_of(told))
        await client.call_tool("look")
        refused = await client.call_tool("play", {"answer": "1 1 1"})
        assert refused.is_error
        assert "different" in text_of(refused) or "distinct" in text_of(refused)
        assert "over" in text_of(await client.call_tool("record"))
        await anyio.to_thread.run_sync(lambda: person.act(Random(1)))
        await client.call_tool("look")
        await anyio.to_thread.run_sync(person.draw)
        stale = await client.call_tool("play", {"answer": "1 2 3"})
        assert text_of(stale) == "The match has gone on since: look again, and then decide."
        assert "offers a draw" in text_of(await client.call_tool("look"))
        assert fields_of(await client.call_tool("draw"))["winner"] is None
        told = await client.call_tool("challenge", {"game": "numeric-maze", "first": 2})
        person = await anyio.to_thread.run_sync(Person, text_of(told))
        await anyio.to_thread.run_sync(person.answer, "1")
        assert fields_of(await client.call_tool("resign"))["winner"] == 2

    with_client(make_server(server_address=address), task)


def test_three_refused_moves_can_cost_the_person_the_game(address: str) -> None:
    def stray(person: Person) -> None:
        person.wait(0)
        for _ in range(3):
            with pytest.raises(TraplineError):
                person.answer("9,9")

    async def task(client: Client) -> None:
        told = await client.call_tool("challenge", {"game": "secret-paths", "first": 2})
        person = await anyio.to_thread.run_sync(Person, text_of(told))
        await anyio.to_thread.run_sync(person.answer, "3")
        await client.call_tool("play", {"answer": "5,1"})
        early = await client.call_tool("claim")
        assert text_of(early).startswith("There is nothing to claim")
        await anyio.to_thread.run_sync(stray, person)
        assert "You may claim the game" in text_of(await client.call_tool("look"))
        assert fields_of(await client.call_tool("claim"))["winner"] == 1

    with_client(make_server(server_address=address), task)


def test_no_tool_tells_what_the_person_hides(address: str) -> None:
    stories: set[str] = set()

    async def task(client: Client, secret: str) -> None:
        told = await client.call_tool("challenge", {"game": "trap-builder"})
        story = [text_of(told)]
        person = await anyio.to_thread.run_sync(Person, story[0])
        await anyio.to_thread.run_sync(person.answer, secret)
        for tool, arguments in (
            ("look", {}), ("play", {"answer": "1 2 3"}), ("play", {"answer": 2}),
            ("play", {"answer": 9}), ("matches", {}), ("record", {}), ("analyse", {}),
        ):  # fmt: skip
            story.append((await client.call_tool(tool, arguments)).model_dump_json())
        stories.add(re.sub(r"/join/\S+", "", "\n".join(story)))

    for secret in ("3 5 7", "4 5 6", "1 8 9"):
        with_client(make_server(server_address=address), partial(task, secret=secret))
    assert len(stories) == 1


def test_a_question_with_one_answer_is_put_like_any_other(address: str) -> None:
    """The assistant leaves its own trap a second time: the person must not notice."""

    async def task(client: Client) -> None:
        told = await client.call_tool("challenge", {"game": "trap-runner", "first": 1})
        person = await anyio.to_thread.run_sync(Person, text_of(told))
        rounds = ["1", "3"], ["2t", "3 n"], ["2 n", "1t"], ["1 n", "1 n"], ["1", "1 n"]
        for mine, theirs in rounds:
            await client.call_tool("look")
            for answer in mine.split():
                told = await client.call_tool("play", {"answer": answer})
                assert not told.is_error, text_of(told)
            await anyio.to_thread.run_sync(person.wait, 0)
            for answer in theirs.split():
                await anyio.to_thread.run_sync(person.answer, answer)
        await client.call_tool("look")
        told = await client.call_tool("play", {"answer": "1"})
        assert (fields_of(told)["asks"], fields_of(told)["legal"]) == ("trap", ["n"])
        told = await client.call_tool("play", {"answer": "n"})
        assert "It is Player 2's turn" in text_of(told)

    with_client(make_server(server_address=address), task)


BAD = ["", "me:pw@host", "h/ä b", "h/?q", "[bad", "host:port"]


@pytest.mark.parametrize("bad", ["ftp://x", "127.0.0.1:8000", "", *(WEB + bad for bad in BAD)])
def test_what_is_no_address_is_refused(bad: str) -> None:
    with pytest.raises(OptionsError, match="server must be an address such as"):
        Server(bad)


@pytest.mark.parametrize("bad", ["127.0.0.1:99999", "[::1]:1", "a..b"])
def test_an_address_that_leads_nowhere_is_a_sentence(bad: str) -> None:
    with pytest.raises(Unavailable, match="cannot be reached"):
        Server(WEB + bad)


def test_a_server_that_is_not_there_is_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(Unavailable, match=rf"127.0.0.1:{port} cannot be reached"):
        Server(f"http://127.0.0.1:{port}")


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, b"<html>"), (200, b"{}"), (404, b"no"), (302, b""), (500, b'{"type": "state"}')],
)
def test_what_is_no_trapline_server_is_a_sentence(status: int, body: bytes) -> None:
    class Stranger(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(status)
            self.send_header("location", "/elsewhere")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Stranger) as stranger:
        thread = Thread(target=stranger.handle_request)
        thread.start()
        with pytest.raises(Unavailable, match="is no Trapline server"):
            Server(f"http://127.0.0.1:{stranger.server_port}")
        thread.join()
