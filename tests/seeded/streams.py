"""Event streams: a seat that listens by plain HTTP, a line for each message, as programs do."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.seeded.network import ABNORMAL, Link

FATAL = {401: 4401, 403: 4401, 404: 4404}
"""How a socket would have been closed where a stream is refused with this status."""
OK = 200


class StreamLink(Link):
    """One response that does not end, as the application sees it, and whoever reads it."""

    _asked = False
    _resumed: asyncio.Future[None] | None = None
    _unfinished = b""

    def _begin(self) -> None:
        assert self.process is not None
        scope = {**self._scope, "extensions": {}}
        self.process.serve(self.process.app(scope, self.receive, self.send))

    # --- the server's end: ASGI ---------------------------------------------------------

    async def receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        while not self._ended:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        if self._ended:
            return
        if message["type"] == "http.response.start":
            if message["status"] != OK:
                self._finish(FATAL.get(message["status"], ABNORMAL))
            return
        *lines, self._unfinished = (self._unfinished + message.get("body", b"")).split(b"\n")
        for line in filter(None, lines):  # an empty one says that the server is still there
            self.say(line)
        if not message.get("more_body"):
            self._finish(ABNORMAL)
        while not self.takes_more and not self._ended:
            self._resumed = asyncio.get_running_loop().create_future()
            await self._resumed

    def _finish(self, code: int) -> None:
        self._ended = True
        self._later(self._close_client, code)

    def _take(self, message: dict[str, Any]) -> None:
        super()._take(message)
        self._catch_up()

    def _catch_up(self) -> None:
        if self._resumed is not None and not self._resumed.done():
            self._resumed.set_result(None)

    def stop(self) -> None:
        """A server that ends waits for its answers, and this one ends by itself."""
