"""A server of tools and pages in the Model Context Protocol, one JSON text a line.

It says what a server on standard input and output has to say, in both ways of the protocol: after
the handshake of `initialize`, and without one, where each request names its version. The
protocol's own package takes a second to load, and an assistant would wait for it; the tests play
its client against this.
"""

from __future__ import annotations

import sys
import time
import traceback
from contextlib import redirect_stdout, suppress
from inspect import getdoc, signature
from threading import Lock, Thread, current_thread
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_type_hints

from msgspec import UNSET, Struct, UnsetType, ValidationError, convert
from msgspec.json import decode, encode, schema, schema_components

from trapline.core import OptionsError, TraplineError, brief

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Json = dict[str, Any]
    Key = str | int
    Tell = Callable[[bytes], None]

WITH_HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
WITHOUT = ("2026-07-28",)
META = "io.modelcontextprotocol/"

UNREADABLE, NO_REQUEST, NO_METHOD, NO_PARAMETERS = -32700, -32600, -32601, -32602
OTHER_VERSION = -32022

GRACE = 1.0
"""Seconds for tools that are still at work when the other side has hung up."""


class Fault(Exception):
    """A request that cannot be answered, with the code that the protocol has for it."""

    def __init__(self, code: int, sentence: str, data: object = None) -> None:
        self.key: Key | None = None
        self.error: Json = {"code": code, "message": sentence}
        if data is not None:
            self.error["data"] = data


class Request(Struct):
    """A request, or without an id a notification."""

    jsonrpc: Literal["2.0"]
    method: str
    id: str | int | UnsetType = UNSET
    params: dict[str, Any] | None = None


# --- tools ------------------------------------------------------------------------------


class Told(NamedTuple):
    """What a tool says: in words, and in fields for programs."""

    text: str
    fields: Mapping[str, Any] | None = None
    refused: bool = False


class Tool:
    """A function for assistants: its name, docstring and annotations are what they read of it."""

    def __init__(
        self, function: Callable[..., Told | str], *, acts: bool = False, fields: type | None = None
    ) -> None:
        self.name = function.__name__
        self._function = function
        self._types = get_type_hints(function, include_extras=True)
        del self._types["return"]
        given = {name: one.default for name, one in signature(function).parameters.items()}
        self._needed = [name for name, usual in given.items() if usual is signature(function).empty]
        hints = {"readOnlyHint": not acts, **({"destructiveHint": False} if acts else {})}
        properties = {name: schema(kind) for name, kind in self._types.items()}
        for name in given.keys() - self._needed:
            properties[name]["default"] = given[name]
        self.described: Json = {
            "name": self.name,
            "description": getdoc(function),
            "annotations": hints,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": self._needed,
                "additionalProperties": False,
            },
        }
        if fields is not None:
            _, parts = schema_components((fields,))
            self.described["outputSchema"] = parts[fields.__name__]

    def call(self, arguments: Json) -> Json:
        told = self._told(arguments)
        result: Json = {"content": [{"type": "text", "text": told.text}], "isError": told.refused}
        return result if told.fields is None else {**result, "structuredContent": told.fields}

    def _told(self, arguments: Json) -> Told:
        try:
            told = self._function(**self._read(arguments))
        except TraplineError as error:
            return Told(str(error), refused=True)
        except Exception as error:  # noqa: BLE001 (a game from outside may break in any way)
            # No words of it to the assistant, since they may hold what its seat must not know.
            traceback.print_exc()
            return Told(f"The tool {self.name} failed: {type(error).__name__}.", refused=True)
        return Told(told) if isinstance(told, str) else told

    def _read(self, arguments: Json) -> Json:
        """The arguments as the function takes them: nothing is silently left out or bent."""
        strange = ", ".join(sorted(arguments.keys() - self._types.keys()))
        if strange:
            takes = f"it takes {', '.join(self._types)}" if self._types else "it takes none"
            raise OptionsError(f"The tool {self.name} has no argument {brief(strange)}; {takes}.")
        wrong = set(self._needed) - arguments.keys()
        read = {}
        for name, value in arguments.items():
            try:
                read[name] = _converted(value, self._types[name])
            except ValidationError:
                wrong.add(name)
        if wrong:
            names = " and ".join(sorted(wrong))
            raise OptionsError(f"The tool {self.name} needs {names} as its description says.")
        return read


def _converted(value: object, kind: Any) -> Any:
    """An argument; some assistants write numbers and objects as a text of JSON."""
    try:
        return convert(value, kind)
    except ValidationError:
        if not isinstance(value, str):
            raise
    try:
        return decode(value, type=kind)
    except ValueError as error:  # a text that is no JSON at all
        raise ValidationError(str(error)) from error


class Page(NamedTuple):
    """A text that an assistant can read at an address."""

    name: str
    title: str
    text: str


# --- the server -------------------------------------------------------------------------


class ToolServer:
    """What is said to each line that comes in."""

    def __init__(
        self,
        name: str,
        version: str,
        instructions: str,
        tools: Iterable[Tool],
        pages: Mapping[str, Page],
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._pages = pages
        self._info = {"name": name, "version": version}
        self._about = {"capabilities": {"tools": {}, "resources": {}}, "instructions": instructions}
        self._methods: dict[str, Callable[[Json], Json]] = {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "ping": lambda _: {},
            "tools/list": lambda _: {"tools": [tool.described for tool in self._tools.values()]},
            "tools/call": self._call,
            "resources/list": self._list,
            "resources/templates/list": lambda _: {"resourceTemplates": []},
            "resources/read": self._page,
        }
        self._at_work: dict[Key, Thread] = {}

    def hear(self, line: bytes, tell: Tell) -> None:
        """Answer a line: at once, or from a thread of its own where a tool may take its time."""
        try:
            request = _request(line)
        except Fault as fault:
            tell(_line(fault.key, error=fault.error))
            return
        if request is None:
            return
        params = request.params or {}
        if isinstance(request.id, UnsetType):
            if request.method == "notifications/cancelled":
                self._call_off(params.get("requestId"))
        elif request.method == "tools/call":
            work = Thread(target=self._work, args=(request.id, params, tell), daemon=True)
            self._at_work[request.id] = work
            work.start()
        else:
            tell(self._answer(request.id, request.method, params))

    def finish(self, seconds: float) -> None:
        """Wait for the tools that are at work, but no longer than this."""
        deadline = time.monotonic() + seconds
        for thread in list(self._at_work.values()):
            thread.join(max(0.0, deadline - time.monotonic()))

    def _call_off(self, key: object) -> None:
        """A tool cannot be stopped, but what it says is no longer wanted."""
        if isinstance(key, str | int):
            self._at_work.pop(key, None)

    def _work(self, key: Key, params: Json, tell: Tell) -> None:
        answer = self._answer(key, "tools/call", params)
        if self._at_work.get(key) is current_thread():  # else it was called off
            tell(answer)
            self._at_work.pop(key, None)

    def _answer(self, key: Key, method: str, params: Json) -> bytes:
        try:
            return _line(key, result=self._result(method, params))
        except Fault as fault:
            return _line(key, error=fault.error)

    def _result(self, name: str, params: Json) -> Json:
        meta = params.get("_meta")
        version = meta.get(f"{META}protocolVersion") if isinstance(meta, dict) else None
        if version is not None and version not in WITHOUT:
            known = {"supported": WITHOUT, "requested": version}
            raise Fault(OTHER_VERSION, "Unsupported protocol version", known)
        method = self._methods.get(name)
        if method is None:
            raise Fault(NO_METHOD, "Method not found", name)
        result = method(params)
        if version is None:
            return result
        about = {"resultType": "complete", "_meta": {f"{META}serverInfo": self._info}}
        fresh = {} if name == "tools/call" else {"ttlMs": 0, "cacheScope": "private"}
        return {**result, **about, **fresh}

    # --- methods ------------------------------------------------------------------------

    def _initialize(self, params: Json) -> Json:
        """Agree on the version that is asked for, or else on the newest with a handshake."""
        asked = params.get("protocolVersion")
        if not isinstance(asked, str):
            raise Fault(NO_PARAMETERS, "initialize needs protocolVersion.")
        version = asked if asked in WITH_HANDSHAKE else WITH_HANDSHAKE[-1]
        return {"protocolVersion": version, "serverInfo": self._info, **self._about}

    def _discover(self, _params: Json) -> Json:
        return {"supportedVersions": WITHOUT, **self._about}

    def _call(self, params: Json) -> Json:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict | None):
            raise Fault(NO_PARAMETERS, "tools/call needs the name of a tool, and its arguments.")
        if name not in self._tools:
            text = f"Unknown tool: {name if name.isidentifier() else brief(name)}"
            return {"content": [{"type": "text", "text": text}], "isError": True}
        return self._tools[name].call(arguments or {})

    def _list(self, _params: Json) -> Json:
        described = [
            {"uri": uri, "name": page.name, "title": page.title, "mimeType": "text/markdown"}
            for uri, page in self._pages.items()
        ]
        return {"resources": described}

    def _page(self, params: Json) -> Json:
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise Fault(NO_PARAMETERS, "resources/read needs the uri of a resource.")
        if uri not in self._pages:
            raise Fault(NO_PARAMETERS, "Unknown resource", {"uri": uri})
        text = self._pages[uri].text
        return {"contents": [{"uri": uri, "mimeType": "text/markdown", "text": text}]}


def _request(line: bytes) -> Request | None:
    """What a line asks or notes; nothing for an answer, since nothing was asked from here."""
    try:
        heard = decode(line)
    except (ValueError, RecursionError) as error:
        raise Fault(UNREADABLE, "Parse error") from error
    if isinstance(heard, dict) and "method" not in heard and heard.keys() & {"result", "error"}:
        return None
    try:
        return convert(heard, Request)
    except ValidationError as error:
        key = heard.get("id") if isinstance(heard, dict) else None
        known = isinstance(key, str | int) and not isinstance(key, bool)
        fault = Fault(NO_REQUEST, "Invalid Request")
        fault.key = key if known else None
        raise fault from error


def _line(key: Key | None, **answer: object) -> bytes:
    return encode({"jsonrpc": "2.0", "id": key, **answer}) + b"\n"


def serve(server: ToolServer) -> None:
    """Speak on standard input and output until the other side hangs up."""
    wire, lock = sys.stdout.buffer, Lock()

    def tell(line: bytes) -> None:
        with lock, suppress(BrokenPipeError):  # who reads no longer soon writes no longer
            wire.write(line)
            wire.flush()

    with redirect_stdout(sys.stderr):  # what a game prints must not come between the answers
        for line in sys.stdin.buffer:
            if not line.isspace():
                server.hear(line, tell)
        server.finish(GRACE)
