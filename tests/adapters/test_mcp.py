"""Assistants as players: the real client, the real process, and what it is never told."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import anyio
import msgspec
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import TextResourceContents
from msgspec.structs import replace

from tests.adapters.in_process import linked
from tests.adapters.outside import OUTSIDE
from tests.adapters.transcripts import Transcripts
from trapline.adapters.mcp import make_server
from trapline.adapters.session import AgainstComputer, Session
from trapline.core import SECRET
from trapline.games import GAMES, find_game, make_game
from trapline.players import PLAYERS, Opponent
from trapline.referee import parse_record, verify

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp_types import CallToolResult

    from trapline.adapters.tool_server import ToolServer
    from trapline.core import Form, View

    Task = Callable[[Client], Awaitable[None]]


WITH_OUTSIDE = [part for path in OUTSIDE for part in ("--game", path)]
"""Options of commands that offer the games from outside."""


def with_process(task: Task, *options: str, **how: Any) -> None:
    """Run a task with the SDK's client at the other end of a real `trapline mcp`."""
    process = StdioServerParameters(
        command=sys.executable, args=["-m", "trapline", "mcp", *options], env=dict(os.environ)
    )
    with_client(process, task, **how)


def with_client(server: ToolServer | StdioServerParameters, task: Task, **how: Any) -> None:
    async def session() -> None:
        link = server if isinstance(server, StdioServerParameters) else linked(server)
        async with Client(link, **how) as client:
            await task(client)

    anyio.run(session)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert content.type == "text"
    return content.text


def fields_of(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def next_answer(position: dict[str, Any], rng: Random) -> str:
    if position["legal"]:
        return str(rng.choice(position["legal"]))
    game = make_game(position["game"])
    question = game.question(game.start(1), position["seat"])
    assert question is not None  # a set of places, asked for in secret
    return question.text(question.random(rng))


# --- over standard input and output -----------------------------------------------------


def test_whole_matches_of_every_game_are_played_through_the_process() -> None:
    async def task(client: Client) -> None:
        rng = Random(5)
        for name, (seat, level) in itertools.product(GAMES, ((1, "random"), (2, "casual"))):
            told = await client.call_tool("start", {"game": name, "level": level, "seat": seat})
            while not fields_of(told)["over"]:
                answer = next_answer(fields_of(told), rng)
                told = await client.call_tool("play", {"answer": answer})
            record = parse_record(text_of(await client.call_tool("record")).encode())
            assert [check for check in verify(record) if check.fault] == []
            assert record.result is not None
            assert record.result.winner == fields_of(told)["winner"]
            assert record.players[str(3 - seat)].bot == level
        assert "Match 10: Numeric Maze against casual, over." in text_of(
            await client.call_tool("matches")
        )

    with_process(task)


def test_games_from_outside_are_offered_if_they_were_named_at_the_start() -> None:
    async def task(client: Client) -> None:
        rng = Random(6)
        listed = text_of(await client.call_tool("games"))
        for path in OUTSIDE:
            refused = await client.call_tool("start", {"game": path})
            assert text_of(refused).startswith("There is no game called")
            name = find_game(path).name
            assert f"- {name}: " in listed
            assert f"# {find_game(path).title}" in text_of(
                await client.call_tool("rules", {"game": name})
            )
            told = await client.call_tool("start", {"game": name, "level": "random"})
            while not fields_of(told)["over"]:
                answer = next_answer(fields_of(told), rng)
                told = await client.call_tool("play", {"answer": answer})
            record = parse_record(text_of(await client.call_tool("record")).encode())
            assert [check for check in verify(record) if check.fault] == []

    with_process(task, *WITH_OUTSIDE)


def test_a_client_of_the_older_handshake_is_served_too() -> None:
    async def task(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            "games", "rules", "start", "challenge", "look", "play", "draw", "resign", "claim",
            "matches", "record", "analyse",
        }  # fmt: skip
        assert all(tool.description for tool in tools.values())
        told = await client.call_tool("start", {"game": "numeric-maze", "first": 1})
        assert fields_of(told)["legal"] == ["1", "2", "3"]

    with_process(task, mode="legacy")


def test_the_process_ends_when_the_assistant_hangs_up() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "trapline", "mcp"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_protocols_package_is_not_needed() -> None:
    code = (
        "import sys; sys.modules.update(mcp=None, pydantic=None); sys.argv = ['trapline', 'mcp'];"
        "from trapline.cli import run; run()"
    )
    ask = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    done = subprocess.run(
        [sys.executable, "-c", code], input=ask, capture_output=True, text=True, check=False
    )
    answer = '{"jsonrpc":"2.0","id":1,"result":{}}\n'
    assert (done.returncode, done.stdout, done.stderr) == (0, answer, "")


# --- what the tools say -----------------------------------------------------------------


def test_rules_are_a_tool_and_a_resource() -> None:
    async def task(client: Client) -> None:
        listed = {str(resource.uri) for resource in (await client.list_resources()).resources}
        assert listed == {f"rules://{name}" for name in GAMES}
        for name in GAMES:
            (content,) = (await client.read_resource(f"rules://{name}")).contents
            assert isinstance(content, TextResourceContents)
            assert content.text == GAMES[name].rules()
            assert text_of(await client.call_tool("rules", {"game": name})) == GAMES[name].rules()

    with_client(make_server(), task)


def test_games_and_levels_are_listed_with_options() -> None:
    async def task(client: Client) -> None:
        text = text_of(await client.call_tool("games"))
        for word in [*GAMES, *PLAYERS, "max_step=3", "traps=[5,10,15]"]:
            assert word in text

    with_client(make_server(), task)


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("look", {}, "There is no match yet; the tool start begins one."),
        ("rules", {"game": "chess"}, "There is no game called 'chess'; the games are"),
        ("start", {"game": "chess"}, "There is no game called 'chess'; the games are"),
        ("start", {"game": "hidden-path", "level": "god"}, "There is no computer level 'god'"),
        ("start", {"game": "hidden-path", "seat": 3}, "seat must be 1 or 2, not 3."),
        ("start", {"game": "hidden-path", "first": "me"}, "first must be 1, 2 or toss, not 'me'."),
        ("start", {"game": "hidden-path", "options": {"length": -1}}, "length must be"),
        ("start", {"game": "secret-paths", "options": {"size": 4}}, "size must be"),
        ("start", {}, "The tool start needs game as its description says."),
        ("games", {"colour": 1}, "The tool games has no argument 'colour'; it takes none."),
        (
            "start",
            {"game": "hidden-path", "oponent": "casual"},
            "The tool start has no argument 'oponent'; it takes game,",
        ),
        ("play", {"answer": {"a": 1}}, "The tool play needs answer as its description says."),
        ("nonsense", {}, "Unknown tool: nonsense"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(
    tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    async def task(client: Client) -> None:
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert text_of(result).startswith(sentence)
        assert "\n" not in text_of(result)

    with_client(make_server(), task)


def test_refusals_during_a_match_leave_it_as_it_was() -> None:
    async def task(client: Client) -> None:
        await client.call_tool("start", {"game": "hidden-path", "first": 1})
        before = await client.call_tool("look")
        for answer in ("2", "1 2", "1 2 2", "11 12 13", "resign", "", "\x00", "9" * 5000):
            assert (await client.call_tool("play", {"answer": answer})).is_error
        assert (await client.call_tool("look")) == before
        for early in ("record", "analyse"):
            assert "over" in text_of(await client.call_tool(early))
        assert fields_of(await client.call_tool("play", {"answer": [8, 9, 10]}))["asks"] == "move"
        for answer in ("4", "-1", "2t", "y", "2 or 3"):
            assert (await client.call_tool("play", {"answer": answer})).is_error
        result = await client.call_tool("play", {"answer": 2, "match": 7})
        assert text_of(result) == "There is no match 7; there are 1."
        assert fields_of(await client.call_tool("play", {"answer": 2, "match": 1}))["turn"] >= 1

    with_client(make_server(), task)


def test_draws_and_resignations() -> None:
    async def task(client: Client) -> None:
        await client.call_tool("start", {"game": "numeric-maze", "first": 1, "seat": 1})
        told = await client.call_tool("draw")
        assert "Player 2 declines the draw." in text_of(told)
        assert fields_of(told)["asks"] == "move"
        told = await client.call_tool("resign")
        assert text_of(told).endswith("Player 1 resigns. Player 2 wins the game!")
        assert fields_of(told)["winner"] == 2
        for tool in ("resign", "draw", "claim"):
            assert text_of(await client.call_tool(tool)) == "The match is over."
        assert text_of(await client.call_tool("play", {"answer": 1})) == "The match is over."

    with_client(make_server(), task)


def test_the_coach_judges_a_finished_match() -> None:
    async def task(client: Client) -> None:
        options = {"length": 4, "max_step": 2}
        await client.call_tool("start", {"game": "trap-runner", "first": 1, "options": options})
        await client.call_tool("play", {"answer": "1"})
        await client.call_tool("resign")
        text = text_of(await client.call_tool("analyse"))
        assert text.startswith("casual won (resigned).")
        assert "Turn 1, assistant: 1 step, " in text

    with_client(make_server(), task)


def test_answers_at_the_same_time_are_taken_one_after_the_other() -> None:
    def choose(view: View, _rng: Random) -> Form:
        time.sleep(0.02)  # long enough for the next answer to come while the bot thinks
        return view.legal[0]

    async def task(client: Client) -> None:
        await client.call_tool("start", {"game": "numeric-maze", "level": "slow", "first": 1})
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(partial(client.call_tool, "play", {"answer": 1}))
        assert fields_of(await client.call_tool("look"))["turn"] == 8

    with_client(make_server(Session({"slow": Opponent(choose, "")})), task)


# --- what an assistant may not know -----------------------------------------------------


def fixed_bot(secret: tuple[int, ...]) -> Opponent:
    """A bot whose moves depend on what everybody sees alone; hidden choices are its secret's."""

    def choose(view: View, _rng: Random) -> Form:
        if view.asks == SECRET:
            return secret
        if view.asks == "trap":
            return "t" if view.turn in secret else "n"
        return view.legal[view.turn % len(view.legal)]

    return Opponent(choose, "")


HIDING: dict[str, tuple[dict[str, Any], list[tuple[int, ...]]]] = {
    "hidden-path": ({"length": 6, "traps": 1, "max_step": 2}, [(2,), (3,), (5,), (6,)]),
    "trap-builder": ({"length": 7, "traps": 1, "max_step": 2}, [(1,), (3,), (4,), (6,)]),
    "trap-runner": ({"length": 10}, [(), (3,), (5,), (3, 5)]),
    "secret-paths": ({"turn_limit": 9}, [(1, 1), (1, 2), (1, 4), (1, 5)]),
}
"""Games short enough to play often, and what the bot may hide: a secret, or when it sets traps."""


async def follow(name: str, secret: tuple[int, ...], seed: int, watch: Transcripts) -> None:
    """Play one match against a bot with this secret, and compare all that every tool said."""
    session = Session({"fixed": fixed_bot(secret)})
    rng = Random(seed)
    story: list[bytes] = []
    async with Client(linked(make_server(session))) as client:

        async def call(tool: str, **arguments: Any) -> CallToolResult:
            result = await client.call_tool(tool, arguments)
            story.append(msgspec.json.encode(result.model_dump(mode="json")))
            return result

        options = HIDING[name][0]
        told = await call("start", game=name, level="fixed", first=1, options=options)
        side = session.find(1).side
        assert isinstance(side, AgainstComputer)
        while not fields_of(told)["over"]:
            for tool in ("look", "matches", "record", "analyse"):
                await call(tool)
            await call("play", answer="77")
            watch.look(side._seat.match, 1, b"\n".join(story))
            position = fields_of(told)
            told = await call(
                "play", answer="1" if position["asks"] == "secret" else next_answer(position, rng)
            )


def follow_all(name: str, seeds: int = 3) -> Transcripts:
    watch = Transcripts()

    async def matches() -> None:
        for secret in HIDING[name][1]:
            for seed in range(seeds):
                await follow(name, secret, seed, watch)

    anyio.run(matches)
    return watch


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDING)
def test_no_tool_tells_what_the_bot_hides(name: str) -> None:
    watch = follow_all(name)
    assert watch.leaks == []
    assert watch.pairs > 5


def test_a_side_that_leaks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(side: AgainstComputer) -> View:
        return replace(side._seat.match.view(1), board=side._seat.match.view(2).board)

    monkeypatch.setattr(AgainstComputer, "view", view)
    assert follow_all("trap-builder", seeds=1).leaks
