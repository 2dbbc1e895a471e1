"""The wire itself: how long a request may take to come, and how much a socket may send.

Uvicorn reads HTTP and WebSocket, and bounds neither time nor numbers. A head or a body that
does not come is given up, and an answer that is not read; where many are waited for, the one that
was waited for longest goes first, so that whoever sends at once is always heard. A socket has an
allowance of bytes and of frames, control frames and fragments included, and is closed when it is
used up.
"""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING, Any

import h11
import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import OPEN

from trapline.server.frames import framed, is_whole, whole_text
from trapline.server.guard import HEADERS
from trapline.server.heads import Handshake, Requests
from trapline.server.limits import Bucket, plain
from trapline.server.logs import Seldom
from trapline.server.messages import LARGEST_FRAME, Reason, Refused
from trapline.server.turns import Turns

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from trapline.server.settings import Settings

logger = logging.getLogger("trapline.server")

LARGEST_BUFFERED_FRAME = 16 * LARGEST_FRAME
"""A frame above LARGEST_FRAME is refused in words; one above this, by the protocol alone."""
SLICE = 1024
"""Bytes that are read between two looks at the allowance: the smallest frame has six."""
LINGER = 5.0
"""Seconds in which a client may still read why it is sent away."""
NO_TEXT, POLICY = 1007, 1008
ANSWER = "an answer"
"""What is waited for while somebody does not read one."""
SLOWEST = 10_000
"""Bytes of an answer that are read in a second at least."""
UNREAD = 4
"""Messages that wait to be read before no more are taken from the network."""
EXTENSION = "trapline"
"""Under this name a conversation finds the wire that it goes over."""
TOO_MUCH = "Too many messages: slow down, and connect again."


class Door:
    """What all connections of a process share."""

    def __init__(self, settings: Settings, files: int, writing: Callable[[], bool]) -> None:
        """`writing`: whether a thread is about to keep something."""
        self.seconds = settings.request_seconds
        self.most = max(8, files - 64)
        """Connections of all kinds; some files are needed for other things."""
        self.most_waiting = max(4, self.most // 4)
        """Connections whose request has not come yet."""
        rate = settings.commands_per_second
        self.frames = (2 * rate + 10, 6 * rate + 100)
        """A second, and at once: twice what commands are allowed, and room for control frames."""
        bytes_a_second = LARGEST_FRAME * (rate + 10)
        self.bytes = (bytes_a_second, max(3 * bytes_a_second, 4 * LARGEST_BUFFERED_FRAME))
        self.waiting: dict[Http, None] = {}
        self.turns = Turns(writing)
        self.cut = 0
        """Sockets that were closed because they sent too much."""
        self.given_up = 0
        """Requests that did not come in time, or for which there was no room."""
        self._seldom = Seldom()

    def protocols(self) -> tuple[type[Http], type[Socket]]:
        """The classes that uvicorn makes connections of."""
        door = {"door": self}
        return type("BoundHttp", (Http,), door), type("BoundSocket", (Socket,), door)

    def wait_for(self, connection: Http) -> None:
        self.waiting[connection] = None
        if len(self.waiting) > self.most_waiting:
            next(iter(self.waiting)).give_up("so many others are waited for")

    def warn(self, why: str) -> None:
        self.given_up += 1
        self._seldom.say(logging.WARNING, "a request was given up", reason=why)

    def warn_of_socket(self) -> None:
        self.cut += 1
        self._seldom.say(logging.WARNING, "a socket sent too much and was closed")


class Http(H11Protocol):
    """One HTTP connection. What it waits for is the state of the client's side of it."""

    door: Door
    conn: Requests

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = Requests()
        self._upgraded = False
        self._waits_for: Any = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn's own narrowing
        super().connection_made(transport)
        self.client = plain(self.client)
        transport.set_write_buffer_limits(0)  # so that we hear of whatever is not taken at once
        if len(self.connections) > self.door.most:
            self.door.warn("there are as many connections as files allow")
            self._say(503, "unavailable", "This server has as many connections as it can take.")
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def handle_events(self) -> None:
        self.door.turns.ask(self)

    def begin(self) -> None:
        """It is this one's turn: deal with what has come."""
        if not self.transport.is_closing():
            self.flow.resume_reading()
            super().handle_events()
            self._watch()

    def wait(self) -> None:
        self.flow.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.door.turns.leave(self)
        self._settle()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._upgraded = True
        self.transport.set_write_buffer_limits()
        super().handle_websocket_upgrade(event)

    def _watch(self) -> None:
        """Time runs while a head or a body is to come, or an answer to be read; it does not begin
        anew with each byte."""
        wanted = self._wanted()
        if wanted is not None and wanted is self._waits_for:
            return
        self._settle()
        if wanted is not None:
            self._waits_for = wanted
            seconds, why = self.door.seconds, "it was too slow"
            if wanted is ANSWER:
                seconds += self.transport.get_write_buffer_size() / SLOWEST
                why = "its answer was not read"
            self._timer = self.loop.call_later(seconds, self.give_up, why)
            self.door.wait_for(self)

    def _wanted(self) -> Any:
        """What the client is to do, if anything."""
        if self._upgraded:
            return None
        if self.flow.write_paused:
            return ANSWER
        state = self.conn.their_state
        comes = state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()
        return state if comes else None

    def _settle(self) -> None:
        self._waits_for = None
        self.door.waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def give_up(self, why: str) -> None:
        self._settle()
        self.door.warn(why)
        if self.flow.write_paused:  # what is left would never be taken, nor a word of ours
            self.transport.abort()
        elif self.cycle is not None and self.cycle.response_started:
            self.transport.close()
        else:
            self._say(408, "too fast", "The request did not come in time: send it again.")

    def send_400_response(self, msg: str) -> None:
        self._say(400, "unreadable", f"This request cannot be read: {msg.rstrip('.')}.")

    def _say(self, status: int, reason: Reason, sentence: str) -> None:
        """An answer without the application, which like all others keeps browsers safe."""
        body = msgspec.json.encode(Refused(reason, sentence))
        headers = [
            ("content-type", "application/json"),
            ("content-length", str(len(body))),
            ("connection", "close"),
            *HEADERS.items(),
        ]
        if self.cycle is not None:  # whatever the application says would be a second answer
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if not self.transport.is_closing():
            self.transport.write(self.conn.answer(status, headers, body))
        self.transport.close()
        self.loop.call_later(LINGER, self.transport.abort)


class Inbox:
    """What has come and was not read yet: the few names of asyncio's queue that uvicorn uses."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._messages: deque[Any] = deque()
        self._reader: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._messages)

    def empty(self) -> bool:
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def filled(self) -> asyncio.Future[None]:
        """Is there when there is a message, for the only one who reads."""
        self._reader = self._loop.create_future()
        return self._reader

    def take(self) -> Any:
        """The next message, where there is one."""
        return self._messages.popleft()


class Socket(WebSocketsSansIOProtocol):
    """One WebSocket connection, with its allowance."""

    door: Door
    conn: Handshake

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = Handshake(max_size=self.config.ws_max_size, logger=self.conn.logger)
        self._bytes = Bucket(*self.door.bytes)
        self._frames = Bucket(*self.door.frames)
        self._fell_behind: Callable[[], None] = lambda: None
        self._caught_up: Callable[[], None] = lambda: None
        self._ear: Callable[[bytes], bool] = lambda _text: False
        self.takes_more = True
        """Whether the client has read nearly all that it was sent."""
        self._in_step = True
        """Whether all that came so far were whole frames, so that the next begins a new one."""
        self.queue: Inbox = Inbox(self.loop)  # type: ignore[assignment]  # all that is used of one

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.client = plain(self.client)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:  # the head, which has been read and bounded before
            super().data_received(data)
            if not self.handshake_initiated:
                self._refuse_head()
            return
        if not self._bytes.take(min(len(data), LARGEST_BUFFERED_FRAME)):
            self._hang_up_on_flood()
        elif self._in_step and self.conn.state is OPEN and (text := whole_text(data)) is not None:
            self._hear(text)
            return
        self._in_step = self._in_step and is_whole(data)
        for start in range(0, len(data), SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE])

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._hang_up(NO_TEXT, "A message is text in UTF-8.")
                return
        super().send_receive_event_to_app()

    def handle_events(self) -> None:
        # What is in the list was read from one slice, so there is little of it.
        if self.handshake_initiated and not self._frames.take(len(self.conn.events)):
            self._hang_up_on_flood()
            return
        super().handle_events()

    def _hear(self, text: bytes) -> None:
        if not self._frames.take():
            self._hang_up_on_flood()
        elif not self.close_sent and (len(self.queue) or not self._ear(text)):
            self.queue.put_nowait({"type": "websocket.receive", "bytes": text})
            if len(self.queue) >= UNREAD and not self.read_paused:
                self.read_paused = True
                self.transport.pause_reading()

    def listen(self, ear: Callable[[bytes], bool]) -> None:
        """Let somebody hear what comes at once; what they do not take is there to receive."""
        self._ear = ear

    async def receive(self) -> Any:
        while self.queue.empty():
            await self.queue.filled()
        message = self.queue.take()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        return message

    def shutdown(self) -> None:
        if self.handshake_complete:
            super().shutdown()
            return
        # Its match is still being read, say: that is nobody's fault.
        response = self.conn.reject(503, "The server stops; connect again in a moment.\n")
        response.headers["Retry-After"] = "5"
        self.conn.send_response(response)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def send_500_response(self) -> None:
        if not self.transport.is_closing():  # else it has been answered
            super().send_500_response()

    async def run_asgi(self) -> None:
        self.scope["extensions"][EXTENSION] = {"wire": self}
        await super().run_asgi()
        if not self.disconnected:  # nor is it ever, where what was said last is not read
            self.loop.call_later(self.close_timeout + LINGER, self.transport.abort)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.loop.call_later(LINGER, self.transport.abort)

    # --- the short way out ------------------------------------------------------------------

    def follow(self, fell_behind: Callable[[], None], caught_up: Callable[[], None]) -> None:
        """Call these each time the client has too much to read, and each time it has read it."""
        self._fell_behind, self._caught_up = fell_behind, caught_up

    def pause_writing(self) -> None:
        super().pause_writing()
        self.takes_more = False
        self._fell_behind()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.takes_more = True
        self._caught_up()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.takes_more = True  # what is said now goes nowhere, and keeps nobody waiting

    def say(self, text: bytes) -> None:
        """Send a message at once, past all the layers that would look at it again."""
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(framed(text))

    def drop(self) -> None:
        """Let go of a client that reads nothing: it would never hear why."""
        self.transport.abort()

    def _refuse_head(self) -> None:
        """It was HTTP, and yet it opens no socket: there is a body, say, or a line is too long."""
        self.handshake_complete = self.close_sent = True
        self.transport.write(self.conn.refused())
        self.transport.close()
        self.loop.call_later(LINGER, self.transport.abort)

    def _hang_up_on_flood(self) -> None:
        self.door.warn_of_socket()
        self._hang_up(POLICY, TOO_MUCH)

    def _hang_up(self, code: int, sentence: str) -> None:
        self.conn.fail(code, sentence)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
        self.loop.call_later(LINGER, self.transport.abort)
