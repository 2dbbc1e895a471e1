"""What an operator reads: one JSON object a line, with the request that it belongs to."""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from trapline.core import OptionsError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger("trapline.server")

PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
ID_HEADER = b"x-request-id"
_ID = re.compile(rb"[A-Za-z0-9_-]{8,64}")
_request: ContextVar[str] = ContextVar("request", default="")


class RequestIds:
    """Gives every request a name, which its answer and every line about it carry.

    A proxy may have named it already; then its own log and ours can be read side by side.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = dict(scope["headers"]).get(ID_HEADER, b"")
        name = given if _ID.fullmatch(given) else secrets.token_hex(8).encode()
        _request.set(name.decode())

        async def send_named(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message["headers"] = [*message.get("headers", []), (ID_HEADER, name)]
            await send(message)

        await self._app(scope, receive, send_named)


class Lines(logging.Formatter):
    """One JSON object a line. Only what the program itself says; no address, key or secret."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        if name := _request.get():
            line["request"] = name
        line |= {name: value for name, value in vars(record).items() if name not in PLAIN}
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class Once(logging.Filter):
    """Lets a warning through once in a while: each is something that a stranger has sent."""

    def __init__(self, seldom: Seldom) -> None:
        super().__init__()
        self._seldom = seldom

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.ERROR:
            self._seldom.say(record.levelno, record.getMessage())
            return False
        return True


class Seldom:
    """Says the same thing at most once in a while, and then how often it has happened since."""

    def __init__(self, seconds: float = 10.0) -> None:
        self._seconds = seconds
        self._said: dict[str, tuple[float, int]] = {}

    def say(self, level: int, event: str, **facts: Any) -> None:
        now = time.monotonic()
        about = f"{event} {facts}"
        last, unsaid = self._said.get(about, (0.0, 0))
        if last and now - last < self._seconds:
            self._said[about] = last, unsaid + 1
            return
        if len(self._said) > 100:  # whatever varies in the facts must not fill the memory
            self._said.clear()
        self._said[about] = now, 0
        logger.log(level, event, extra={**facts, "times": unsaid + 1})


def log_to_stderr(level: str) -> None:
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise OptionsError("The log level is debug, info, warning or error.")
    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    logging.basicConfig(level=number, handlers=[handler], force=True)
    wire = logging.getLogger("uvicorn.error")
    wire.setLevel(max(number, logging.WARNING))
    wire.addFilter(Once(Seldom()))
