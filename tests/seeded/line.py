"""What the page's connection.js does, in Python: one seat's line to the server.

It reconnects by itself, asks only for what it has not seen, and sends what was not answered again
under its old key. Names and order are those of that file, so that the two can be read side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.seeded.loop import Call
    from tests.seeded.network import Link, Network

FIRST_WAIT = 0.4
LONGEST_WAIT = 15.0
TRY_AGAIN = 1.0
AGAIN = ("unavailable", "too fast")
FATAL = (4401, 4404)
POLICY = 1008
OK = 200
NOT_YET = (0, 429, 503)
"""No answer, too fast, unavailable."""


class Listener(Protocol):
    def state(self, state: dict[str, Any]) -> None: ...

    def refused(self, refusal: dict[str, Any]) -> None: ...

    def lost(self, code: int) -> None: ...


class Line:
    def __init__(
        self,
        network: Network,
        match: str,
        seat: int,
        key: str,
        address: str,
        listener: Listener,
        chance: Random,
        *,
        plain: bool,
        post: Callable[[dict[str, Any]], None] | None = None,
        streams: bool = False,
    ) -> None:
        """`post`: how commands are sent, if not over the socket; needed where it `streams`."""
        self.network = network
        self.match = match
        self.seat = seat
        self.version = 0
        self.events: list[Any] = []
        self.unanswered: dict[str, dict[str, Any]] = {}
        self.closed = False
        self.ready = False
        self.deaf_until = 0.0
        self.presence: dict[str, Any] | None = None
        self.newest: dict[str, Any] | None = None
        self.lost_for_good = 0
        self._key = key
        self._address = address
        self._listener = listener
        self._chance = chance
        self._plain = plain
        self._post = post
        self._streams = streams
        self._loop = network.world.outside
        self._wait = FIRST_WAIT
        self._timer: Call | None = None
        self._soon = False
        self._socket: Link | None = None
        self._open()

    def _open(self) -> None:
        self._stop_timer()
        self.ready = False
        query = f"seat={self.seat}&after={self.version}" + ("&plain=1" if self._plain else "")
        self._socket = self.network.connect(
            self,
            f"/api/matches/{self.match}",
            query,
            self._key,
            self._address,
            streams=self._streams,
        )
        self._socket.shown = self.version

    def send(self, command: dict[str, Any], version: int) -> str:
        """Sends a command, or keeps it until there is a connection.

        The page always gives the version that it shows; players here are not always so quick.
        """
        key = self._chance.randbytes(12).hex()
        frame = {"key": key, "version": version, "command": command}
        self.network.world.model.decided[key] = version
        self.unanswered[key] = frame
        if self.ready:
            self._put(frame)
        return key

    def close(self) -> None:
        self.closed = True
        self._stop_timer()
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.close()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _put(self, frame: dict[str, Any]) -> None:
        if self._post is not None:
            self._post(frame)
        elif self._socket is not None and self._socket.open:
            self._socket.put(frame)

    # --- what comes ---------------------------------------------------------------------

    def on_message(self, link: Link, message: dict[str, Any]) -> None:
        if link is self._socket:
            self._hear(message)

    def on_close(self, link: Link, code: int) -> None:
        if link is self._socket:
            self._drop(code)

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "presence":
            self.presence = message
        elif message["type"] == "refused":
            self._refuse(message)
        elif message["type"] == "state":
            socket = self._socket
            self._take(message)
            if not self.ready and socket is self._socket:  # else we have just started over
                self._resume()

    def _resume(self) -> None:
        self.ready = True
        self._wait = FIRST_WAIT
        self._send_unanswered()

    def _send_unanswered(self) -> None:
        for frame in list(self.unanswered.values()):
            self._put(frame)

    def _take(self, state: dict[str, Any]) -> None:
        for key in state["answers"]:
            self.unanswered.pop(key, None)
        if state["since"] not in (0, self.version):
            self._start_over()
            return
        events = state["view"]["events"]
        self.events = [*self.events, *events] if state["since"] else events
        self.version = state["version"]
        self.newest = state
        self.network.world.model.heard(self)
        self._listener.state(state)

    def _start_over(self) -> None:
        """What came does not continue what we have: ask for everything."""
        self.version = 0
        self.events = []
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.close()
        self._open()

    def _refuse(self, refusal: dict[str, Any]) -> None:
        again = refusal["reason"] in AGAIN
        if again:
            self._try_again_soon()
        elif refusal["key"]:
            self.unanswered.pop(refusal["key"], None)
        else:
            self.unanswered.clear()
        if refusal["state"]:
            self._take(refusal["state"])
        self._listener.refused(refusal)

    def posted(self, key: str, status: int, answer: Any) -> None:
        """What came of a command that was sent by plain HTTP."""
        if self.closed:
            return
        if status in NOT_YET:
            self._try_again_soon()
            return
        self.unanswered.pop(key, None)
        if status != OK:
            self._listener.refused(answer)
        elif self.newest is not None and not self.awaits(answer):
            self._listener.state(self.newest)

    def awaits(self, state: dict[str, Any] | None) -> bool:
        """Whether this is news that will be heard: nothing need be decided before."""
        return state is not None and state["version"] > self.version

    def _try_again_soon(self) -> None:
        if not self._soon:
            self._soon = True
            self._loop.call_later(TRY_AGAIN, self._try_again)

    def _try_again(self) -> None:
        self._soon = False
        if self.ready and not self.closed:
            self._send_unanswered()

    def _drop(self, code: int) -> None:
        self.ready = False
        self._stop_timer()
        if self.closed:
            return
        if code in FATAL:
            self.lost_for_good = code
            self._listener.lost(code)
            return
        wait = LONGEST_WAIT / 3 if code == POLICY else self._wait
        self._wait = min(self._wait * 2, LONGEST_WAIT)
        pause = wait * (0.75 + self._chance.random() / 2)
        self._timer = self._loop.call_later(pause, self._open)

    def go_offline(self) -> None:
        """A network that is gone may leave the socket open for minutes: do not trust it."""
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.close()
        self._drop(0)

    def retry_now(self) -> None:
        down = self._socket is None or not self._socket.open
        if not self.closed and not self.lost_for_good and down:
            self._open()
