"""Heads of requests: those that are taken, and how a socket's is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES
from websockets.server import ServerProtocol

from trapline.server.guard import HEADERS

if TYPE_CHECKING:
    from websockets.http11 import Response

LARGEST_HEAD = 32 * 1024


class Requests(h11.Connection):
    """Takes no request of which a proxy before us could believe that it ends elsewhere."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, LARGEST_HEAD)
        self._method = b""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._method = event.method
            names = {name for name, _ in event.headers}
            chunked = b"transfer-encoding" in names
            if chunked and (b"content-length" in names or event.http_version < b"1.1"):
                raise h11.RemoteProtocolError("It says in two ways where it ends.")
        return event

    def answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> bytes:
        """A whole answer, where one can still be given."""
        if self.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return b""
        if self.our_state is h11.SEND_RESPONSE and self._method == b"HEAD":
            body = b""  # who asks for a head alone is sent none, whatever its length
        head = h11.Response(status_code=status, headers=headers, reason=STATUS_PHRASES[status])
        events = (head, h11.Data(data=body), h11.EndOfMessage())
        return b"".join(self.send(event) or b"" for event in events)


class Handshake(ServerProtocol):
    """Whoever answers that a socket is not opened, and why: that too keeps browsers safe."""

    def send_response(self, response: Response) -> None:
        if response.status_code != 101:
            response.headers.update(HEADERS)
        super().send_response(response)

    def refused(self) -> bytes:
        """The answer to a head that could not be read, which has words for some of them."""
        if said := b"".join(self.data_to_send()):
            return said
        response = self.reject(400, "This request opens no socket.\n")
        response.headers.update(HEADERS)
        return response.serialize()
