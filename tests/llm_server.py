"""A chat-completions endpoint on this machine, for tests: real HTTP, scripted replies."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Callable


class Answer(NamedTuple):
    """What the server sends back."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = {}  # noqa: RUF012 (never changed)
    raw: bytes | None = None
    delay: float = 0.0
    trickle: float = 0.0
    """Seconds between the bytes of the body."""

    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        choice = {"message": {"role": "assistant", "content": self.text}}
        usage = {"prompt_tokens": 1000, "completion_tokens": 10}
        return json.dumps({"choices": [choice], "usage": usage}).encode()


class Server:
    """Answers each request by asking `script`, which is given the request and its number."""

    def __init__(self, script: Callable[[dict[str, Any], int], Answer]) -> None:
        self.bodies: list[bytes] = []
        self.keys: list[str | None] = []
        self.script = script
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with server._lock:
                    number = len(server.bodies)
                    server.bodies.append(body)
                    server.keys.append(self.headers["Authorization"])
                self.respond(server.script(json.loads(body), number))

            def respond(self, answer: Answer) -> None:
                time.sleep(answer.delay)
                body = answer.body()
                try:
                    self.send_response(answer.status)
                    for name, value in answer.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    for start in range(0, len(body), 1 if answer.trickle else len(body) or 1):
                        size = 1 if answer.trickle else len(body)
                        self.wfile.write(body[start : start + size])
                        time.sleep(answer.trickle)
                except OSError:
                    pass  # the client has given up, as it should

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def first_legal(request: dict[str, Any], _number: int = 0) -> Answer:
    """A model that thinks aloud and then takes the first legal answer it is told of."""
    asked = request["messages"][1]["content"].rpartition("# Your question")[2]
    _, _, legal = asked.partition("Answer one of: ")
    choice = legal.strip().removesuffix(".").split(" ")[0]
    return Answer(f"Let me think.\n\nANSWER: {choice}")
