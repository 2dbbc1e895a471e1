"""The lines of the Model Context Protocol: requests, notes, what is no request, and cancelling."""

from __future__ import annotations

import json
import subprocess
import sys
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import methods, version
from msgspec import Meta

from tests.adapters.in_process import linked
from trapline.adapters.tool_server import (
    WITH_HANDSHAKE,
    WITHOUT,
    Page,
    Told,
    Tool,
    ToolServer,
)
from trapline.core import NotNow

if TYPE_CHECKING:
    from collections.abc import Callable

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": WITHOUT[-1],
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Sum(TypedDict):
    total: int


def add(first: int, second: Annotated[int, Meta(description="The other.")] = 2) -> Told:
    """Add two numbers."""
    return Told(f"{first + second}", Sum(total=first + second))


def refuse() -> str:
    """Say no."""
    raise NotNow("Not today.")


def fail() -> str:
    """Break."""
    raise ValueError("the trap is on 7")


def tell(options: dict[str, int] | None = None) -> str:
    """Say what came."""
    return repr(options)


def make(*more: Callable[..., Told | str]) -> ToolServer:
    plain = [Tool(function) for function in (refuse, fail, tell, *more)]
    pages = {"rules://x": Page("x", "The rules of X", "Be nice.")}
    return ToolServer("test", "1", "Help.", [Tool(add, acts=True, fields=Sum), *plain], pages)


def ask(server: ToolServer, *lines: object) -> list[Any]:
    """What is said to lines: texts as they are, other things as JSON."""
    said: list[bytes] = []
    for line in lines:
        server.hear(
            line.encode() if isinstance(line, str) else json.dumps(line).encode(), said.append
        )
    server.finish(60)
    return [json.loads(line) for line in said]


def request(method: str, key: object = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": key, "method": method, "params": params}


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return request("tools/call", name=name, arguments=arguments)


# --- versions ---------------------------------------------------------------------------


def test_it_speaks_the_versions_of_the_protocols_own_package() -> None:
    assert WITH_HANDSHAKE == version.HANDSHAKE_PROTOCOL_VERSIONS
    assert WITHOUT == version.MODERN_PROTOCOL_VERSIONS


@pytest.mark.parametrize(
    ("asked", "agreed"),
    [
        *((known, known) for known in WITH_HANDSHAKE),
        ("1999-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ],
)
def test_the_handshake_agrees_on_a_version(asked: str, agreed: str) -> None:
    (said,) = ask(make(), request("initialize", protocolVersion=asked))
    assert said["result"]["protocolVersion"] == agreed
    assert said["result"]["serverInfo"] == {"name": "test", "version": "1"}


def test_requests_of_a_version_to_come_are_told_which_are_known() -> None:
    meta = {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2999-01-01"}
    (said,) = ask(make(), request("tools/list", _meta=meta))
    assert said["error"]["code"] == -32022
    assert said["error"]["data"] == {"supported": [*WITHOUT], "requested": "2999-01-01"}


@pytest.mark.parametrize("agreed", [*WITH_HANDSHAKE, *WITHOUT])
def test_every_answer_is_what_the_protocols_own_package_expects(agreed: str) -> None:
    modern = agreed in WITHOUT
    asked: dict[str, dict[str, Any]] = {
        "server/discover" if modern else "initialize": {}
        if modern
        else {"protocolVersion": agreed},
        **({} if modern else {"ping": {}}),
        "tools/list": {},
        "tools/call": {"name": "add", "arguments": {"first": 1}},
        "resources/list": {},
        "resources/templates/list": {},
        "resources/read": {"uri": "rules://x"},
    }
    for method, params in asked.items():
        if modern:
            params["_meta"] = ENVELOPE
        (said,) = ask(make(), request(method, **params))
        methods.validate_server_result(method, agreed, said["result"])


# --- requests ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "key", "code"),
    [
        ("{bad", None, -32700),
        ("[" * 100_000, None, -32700),
        ("[]", None, -32600),
        ("7", None, -32600),
        ({"jsonrpc": "2.0", "id": 3}, 3, -32600),
        ({"jsonrpc": "1.0", "id": "a", "method": "ping"}, "a", -32600),
        ({"id": 4, "method": "ping"}, 4, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None, -32600),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, None, -32600),
        ({"jsonrpc": "2.0", "id": 5, "method": "ping", "params": [1]}, 5, -32600),
        (request("nonsense", "k"), "k", -32601),
        (request("prompts/list"), 1, -32601),
        (request("initialize"), 1, -32602),
        (request("tools/call"), 1, -32602),
        (request("tools/call", name="add", arguments=[1]), 1, -32602),
        (request("resources/read"), 1, -32602),
        (request("resources/read", uri="rules://y"), 1, -32602),
    ],
)
def test_what_cannot_be_answered_has_its_code(line: object, key: object, code: int) -> None:
    (said,) = ask(make(), line)
    assert (said["jsonrpc"], said["id"], said["error"]["code"]) == ("2.0", key, code)


@pytest.mark.parametrize(
    "line",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of", "params": {"a": 1}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [1]}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "fail"}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}},
    ],
)
def test_notes_and_answers_are_not_answered(line: object) -> None:
    assert ask(make(), line) == []


def test_a_request_may_say_that_it_has_no_parameters() -> None:
    (said,) = ask(make(), {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": None})
    assert said["result"] == {}


# --- tools ------------------------------------------------------------------------------


def test_a_tool_is_described_by_its_function() -> None:
    (said,) = ask(make(), request("tools/list"))
    (described,) = [tool for tool in said["result"]["tools"] if tool["name"] == "add"]
    assert described["description"] == "Add two numbers."
    assert described["annotations"] == {"readOnlyHint": False, "destructiveHint": False}
    assert described["inputSchema"] == {
        "type": "object",
        "properties": {
            "first": {"type": "integer"},
            "second": {"type": "integer", "description": "The other.", "default": 2},
        },
        "required": ["first"],
        "additionalProperties": False,
    }
    assert described["outputSchema"]["properties"] == {"total": {"type": "integer"}}


@pytest.mark.parametrize(
    ("asked", "text", "refused"),
    [
        (call("add", first=1), "3", False),
        (call("add", first="1", second="5"), "6", False),
        (call("tell", options='{"length": 12}'), "{'length': 12}", False),
        (call("tell", options="null"), "None", False),
        (call("tell", options="{"), "The tool tell needs options as its description says.", True),
        (call("add"), "The tool add needs first as its description says.", True),
        (
            call("add", second=1.5),
            "The tool add needs first and second as its description says.",
            True,
        ),
        (
            call("add", first=1, third=1),
            "The tool add has no argument 'third'; it takes first, second.",
            True,
        ),
        (call("refuse"), "Not today.", True),
        (call("a b\n"), "Unknown tool: 'a b\\n'", True),
    ],
)
def test_a_tool_takes_what_it_describes(asked: object, text: str, refused: bool) -> None:
    (said,) = ask(make(), asked)
    assert said["result"]["content"] == [{"type": "text", "text": text}]
    assert said["result"]["isError"] is refused


def test_a_tool_that_breaks_tells_no_more_than_that(capsys: pytest.CaptureFixture[str]) -> None:
    (said,) = ask(make(), call("fail"))
    assert said["result"]["content"][0]["text"] == "The tool fail failed: ValueError."
    assert said["result"]["isError"]
    assert "ValueError: the trap is on 7" in capsys.readouterr().err


def test_others_are_answered_while_a_tool_is_at_work() -> None:
    begun, go_on = Event(), Event()

    def wait() -> str:
        """Wait."""
        begun.set()
        assert go_on.wait(60)
        return "done"

    server, said = make(wait), list[bytes]()
    server.hear(json.dumps(call("wait")).encode(), said.append)
    assert begun.wait(60)
    server.hear(json.dumps(request("ping", 2)).encode(), said.append)
    assert [json.loads(line)["id"] for line in said] == [2]
    go_on.set()
    server.finish(60)
    assert [json.loads(line)["id"] for line in said] == [2, 1]


def test_what_was_called_off_is_not_answered() -> None:
    go_on, done = Event(), Event()

    def wait() -> str:
        """Wait."""
        assert go_on.wait(60)
        done.set()
        return "done"

    async def task() -> None:
        async with Client(linked(make(wait))) as client:
            with anyio.move_on_after(0.05):
                await client.call_tool("wait")
            go_on.set()
            assert await anyio.to_thread.run_sync(done.wait, 60)
            told = await client.call_tool("add", {"first": 4})
            assert told.structured_content == {"total": 6}

    anyio.run(task)

    go_on.clear()
    server, said = make(wait), list[bytes]()
    server.hear(json.dumps(call("wait")).encode(), said.append)
    (thread,) = server._at_work.values()
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    server.hear(json.dumps(note).encode(), said.append)
    go_on.set()
    thread.join(60)
    assert said == []


def test_the_client_hears_of_what_is_not_there() -> None:
    async def task() -> None:
        async with Client(linked(make()), mode="legacy") as client:
            with pytest.raises(MCPError, match="Unknown resource"):
                await client.read_resource("rules://y")
            with pytest.raises(MCPError, match="Method not found"):
                await client.list_prompts()

    anyio.run(task)


# --- standard input and output ----------------------------------------------------------

PRINTING = """
from trapline.adapters.tool_server import Tool, ToolServer, serve

def shout() -> str:
    '''Shout.'''
    print("out of turn")
    return "said"

serve(ToolServer("test", "1", "", [Tool(shout)], {}))
"""


def test_what_a_tool_prints_does_not_come_between_the_answers() -> None:
    lines = "\n".join(["", json.dumps(call("shout")), " ", ""])
    done = subprocess.run(
        [sys.executable, "-c", PRINTING], input=lines, capture_output=True, text=True, check=False
    )
    assert json.loads(done.stdout)["result"]["content"][0]["text"] == "said"
    assert (done.returncode, done.stderr) == (0, "out of turn\n")


def test_nobody_is_told_off_for_reading_no_longer() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PRINTING],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(json.dumps(request("ping")) + "\n")
        process.stdin.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0
