"""Heads of requests that two readers could take for different things, or that open nothing."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import TYPE_CHECKING

import pytest

from tests.server.running import Server
from tests.server.test_unread import deaf
from tests.server.test_wire import KEY, UPGRADE, VERSION, read_all, wire
from trapline.server.guard import HEADERS

if TYPE_CHECKING:
    from pathlib import Path

SOCKET = b"%b /api/matches/0/socket HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE + VERSION + KEY


def told(plain: socket.socket, request: bytes) -> bytes:
    """The only answer, after which the other side hangs up."""
    plain.sendall(request)
    heard = read_all(plain)
    assert heard.count(b"HTTP/1.1 ") == 1
    assert all(f"{name}: {value}".encode() in heard for name, value in HEADERS.items())
    return heard


@pytest.mark.parametrize(
    ("method", "more", "status"),
    [
        (b"POST", b"Content-Length: 3\r\n\r\nabc", 400),
        (b"GET", b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"GET", b"X-Long: " + 9000 * b"a" + b"\r\n\r\n", 431),
        (b"GET", 200 * b"X-Many: a\r\n" + b"\r\n", 431),
    ],
    ids=["a body", "pieces", "a long line", "many lines"],
)
def test_a_head_that_opens_no_socket_is_answered(
    server: Server, method: bytes, more: bytes, status: int
) -> None:
    """Nothing came back, and the connection was held without end."""
    with wire(server) as plain:
        assert told(plain, SOCKET % method + more).startswith(b"HTTP/1.1 %d " % status)


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n",
        b"HTTP/1.0\r\nTransfer-Encoding: chunked\r\n",
    ],
    ids=["length first", "pieces first", "an old one in pieces"],
)
def test_a_request_that_ends_in_two_ways_is_refused_with_all_that_follows(
    server: Server, head: bytes
) -> None:
    """A proxy that reads it in the other way would take what follows for somebody else's."""
    hidden = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with wire(server) as plain:
        request = b"POST /api/keys " + head + b"Host: localhost\r\n\r\n0\r\n\r\n" + hidden
        assert told(plain, request).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("method", [b"GET", b"HEAD", b"POST"])
def test_a_request_that_breaks_off_in_its_body_leaves_no_error(
    tmp_path: Path, method: bytes
) -> None:
    """It was answered twice over, and each such request left a traceback in the log."""
    both_ways = b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
    for_now = b"Transfer-Encoding: chunked\r\n\r\n"
    with Server(tmp_path, request_seconds="1") as running:
        for target in (b"/api/games", b"/api/keys", b"/nowhere"):
            head = method + b" " + target + b" HTTP/1.1\r\nHost: localhost\r\n"
            for more in (for_now + b"no number\r\n", both_ways + b"0\r\n\r\n"):
                with wire(running) as plain:
                    said = told(plain, head + more)
                assert said.startswith(b"HTTP/1.1 400 ")
                assert said.endswith(b"\r\n\r\n") == (method == b"HEAD")
        lines = [json.loads(line) for line in running.log.splitlines()]
    assert not [line for line in lines if line["level"] == "error"]


def test_a_request_in_pieces_is_taken(server: Server) -> None:
    with wire(server) as plain:
        plain.sendall(
            b"POST /api/keys HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
        )
        assert read_all(plain).startswith(b"HTTP/1.1 201 ")


def test_a_proxy_of_the_old_kind_is_believed_where_both_kinds_are_taken(tmp_path: Path) -> None:
    """To a listener of both kinds 127.0.0.1 is ::ffff:127.0.0.1, and so is everybody else."""
    try:
        socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True).close()
    except (OSError, ValueError):
        pytest.skip("This machine has no listeners of both kinds.")
    with Server(tmp_path, host="::", metrics="local") as running, running.client() as http:
        assert http.get("/metrics").status_code == 200
        elsewhere = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"}
        body = {"game": "numeric-maze", "against": "here"}
        answer = http.post("/api/matches", json=body, headers=elsewhere)
        assert answer.headers["set-cookie"].startswith("__Host-")


def test_a_socket_that_is_open_when_the_server_stops_is_closed_and_not_answered(
    tmp_path: Path,
) -> None:
    """Also where nobody said goodbye to it."""

    async def stop() -> bytes:
        async with deaf(tmp_path) as client:
            client.wire.shutdown()
            await client.is_let_go()
            return await client.hears()

    said = asyncio.run(stop())
    assert said.count(b"HTTP/1.1 ") == 1
    assert said.endswith(b"\x88\x02" + (1012).to_bytes(2, "big"))
