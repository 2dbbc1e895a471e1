"""The reference: a server that knows no game and keeps nothing.

It answers each message of a connection with two of the size that a real state has, one to
each connection of the pair, and asks for the next move. What it costs is the cost of the
network and of its Python library; the rest is ours.
"""

from __future__ import annotations

import json
import secrets
import socket
from typing import Any

import uvicorn

FILLER = "x" * 700
LEGAL = [[2, 2], [2, 3], [2, 4], [3, 2], [3, 4], [4, 2], [4, 3], [4, 4]]


class Pair:
    def __init__(self) -> None:
        self.sends: dict[str, Any] = {}
        self.version = 1
        self.mover = "1"

    async def tell(self, key: str | None) -> None:
        for seat, send in self.sends.items():
            asks = "move" if seat == self.mover else None
            view = {"asks": asks, "legal": LEGAL if asks else [], "outcome": None, "more": FILLER}
            answers = [key] if key and seat != self.mover else []
            state = {"type": "state", "version": self.version, "view": view, "answers": answers}
            await send({"type": "websocket.send", "text": json.dumps(state)})


pairs: dict[str, Pair] = {}


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        match = secrets.token_hex(8)
        pairs[match] = Pair()
        headers = [(b"set-cookie", b"trapline=bare"), (b"content-type", b"application/json")]
        await receive()
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps({"match": match}).encode()})
    elif scope["type"] == "websocket":
        pair = pairs[scope["path"].split("/")[3]]
        seat = scope["query_string"].decode()[-1]
        await receive()
        await send({"type": "websocket.accept"})
        pair.sends[seat] = send
        if len(pair.sends) == 2:
            await pair.tell(None)
        while (message := await receive())["type"] == "websocket.receive":
            pair.version += 1
            pair.mover = "2" if seat == "1" else "1"
            await pair.tell(json.loads(message["text"])["key"])


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"Listening at 127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, log_level="warning", lifespan="off", ws_per_message_deflate=False)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
