"""A match against a person, who plays in a browser on a Trapline server.

Plain HTTP, as docs/protocol.md has it. The standard library's client is enough; it follows no
redirects, so that the player's key goes nowhere but to the server that was named.
"""

from __future__ import annotations

import http.client
import re
import time
from secrets import token_hex
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec
from msgspec.structs import replace

from trapline.core import OptionsError, TraplineError, Unavailable, brief, other
from trapline.games import changed_options
from trapline.referee import parse_record
from trapline.referee.record import printable
from trapline.server import answers, messages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import First, Game, Seat, View
    from trapline.referee import Record

T = TypeVar("T")

_ADDRESS = re.compile(r"https?://([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?(/[\w./-]*)?", re.ASCII)
TIMEOUT = 10.0
LARGEST_ANSWER = 4_000_000
NO_SERVER = (OSError, ValueError, http.client.HTTPException)
"""ValueError: a port or a host that only looks like one."""


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class RemoteRefusal(TraplineError):
    """The server's own sentence, and what it shows of the match after it."""

    def __init__(self, refused: messages.Refused) -> None:
        super().__init__(printable(refused.sentence))
        # What has gone on since is for a new look; nobody has decided on it yet.
        self.state = refused.state if refused.reason != "stale" else None


class Server:
    """A server and one player's key there."""

    def __init__(self, address: str) -> None:
        if not _ADDRESS.fullmatch(address):
            raise OptionsError(
                f"server must be an address such as http://127.0.0.1:8000, not {brief(address)}."
            )
        self.address = address.rstrip("/")
        self._opener = build_opener(_NoRedirects)
        self._key = ""
        self._key = self.ask("/api/keys", answers.NewKey, {}).key

    def ask(self, path: str, kind: type[T], body: object = None) -> T:
        """The answer to one request; RemoteRefusal if the server does not allow it."""
        with self.open(path, body, TIMEOUT) as response:
            try:
                return self.decode(response.read(LARGEST_ANSWER), kind)
            except NO_SERVER as error:
                raise self._gone(error) from None

    def lines(self, path: str, seconds: float) -> Iterator[bytes]:
        """The lines of a stream, for so many seconds at most."""
        deadline = time.monotonic() + seconds
        with self.open(path, None, max(seconds, 1.0)) as response:
            try:
                while line := response.readline(LARGEST_ANSWER):
                    yield line
                    if time.monotonic() > deadline:
                        return
            except TimeoutError:
                return
            except NO_SERVER as error:
                raise self._gone(error) from None

    def open(self, path: str, body: object, timeout: float) -> Any:
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        data = None if body is None else msgspec.json.encode(body)
        request = Request(self.address + path, data, headers)  # noqa: S310 (checked to be HTTP)
        try:
            return self._opener.open(request, timeout=timeout)
        except HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except NO_SERVER as error:
            raise self._gone(error) from None

    def decode(self, data: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            raise Unavailable(f"What answers at {self.address} is no Trapline server.") from None

    def _refusal(self, error: HTTPError) -> RemoteRefusal:
        return RemoteRefusal(self.decode(error.read(LARGEST_ANSWER), messages.Refused))

    def _gone(self, error: Exception) -> Unavailable:
        why = getattr(error, "reason", error)
        said = printable(str(why) or type(why).__name__)
        return Unavailable(f"The server at {self.address} cannot be reached: {said}.")


class AgainstPerson:
    """A side of a match on a server, opened here, with a link for the other player."""

    seat: Seat = 1  # who opens a match sits there

    def __init__(self, server: Server, game: Game[Any], first: First | None) -> None:
        wanted = messages.NewMatch(game.name, "link", changed_options(game), first, "Assistant")
        opened = server.ask("/api/matches", answers.Opened, wanted)
        self._server = server
        self._path = f"/api/matches/{opened.match}"
        self.game = game
        self.title = f"{game.title} on {server.address}"
        self._state: messages.State
        self._look()

    def view(self) -> View:
        return self._state.view

    def notes(self) -> list[str]:
        """The link, as long as nobody has followed it."""
        link = self._state.table.link
        if link is None:
            return []
        return [
            f"Nobody has joined yet. The link for the other player: {self._server.address}{link}"
        ]

    def wait(self, seconds: float) -> None:
        """Look again, and while there is nothing to answer wait so long for something new."""
        self._look()
        if seconds <= 0 or self._state.view.asks or self._state.view.outcome:
            return
        for message in self._stream(self._state.version, seconds):
            if isinstance(message, messages.State) and message.version > self._state.version:
                break
        self._look()

    def answer(self, text: str) -> None:
        self._send({"do": "play", "turn": text})

    def resign(self) -> None:
        self._look()  # giving up needs no second look at what has gone on since
        self._send({"do": "resign"})

    def draw(self) -> None:
        offered = self._state.view.draw_offer == other(self.seat)
        self._send({"do": "accept draw" if offered else "offer draw"})

    def claim(self) -> None:
        self._send({"do": "claim"})

    def record(self) -> Record:
        raw = self._server.ask(f"{self._path}/record", msgspec.Raw)
        return parse_record(bytes(raw))

    def _send(self, command: dict[str, str]) -> None:
        """Act on the state that was last shown, or on one that differs in nothing to decide on."""
        shown = self._state
        self._look()
        if not _same_decision(shown.view, self._state.view):
            self._state = shown
        request = {"key": token_hex(16), "version": self._state.version, "command": command}
        path = f"{self._path}/commands?seat={self.seat}"
        try:
            self._state = self._server.ask(path, messages.State, request)
        except RemoteRefusal as refusal:
            if refusal.state is not None:  # it holds only what is new
                self._look()
            raise

    def _look(self) -> None:
        """Take the whole state, with which every stream begins."""
        for message in self._stream(0, TIMEOUT):
            if isinstance(message, messages.State):
                self._state = message
                return
        raise Unavailable(f"The server at {self._server.address} does not show the match.")

    def _stream(self, after: int, seconds: float) -> Iterator[object]:
        path = f"{self._path}/stream?seat={self.seat}&after={after}"
        kinds: Any = messages.State | messages.Presence | messages.Refused
        for line in self._server.lines(path, seconds):
            if line.strip():  # empty ones keep the connection alive
                yield self._server.decode(line, kinds)


def _same_decision(one: View, two: View) -> bool:
    """Whether nothing has happened between two views but that the other sat down and got ready."""
    return replace(one, ready=two.ready) == two
