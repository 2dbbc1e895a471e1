"""The short way of frames, beside the library that takes the long one."""

from __future__ import annotations

import msgspec
import pytest
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from tests.server.running import PATIENCE, Game, Server
from trapline.server.frames import is_whole, text_frame, whole_text

SIZES = (0, 1, 125, 126, 300, 65535)


def framed(text: bytes, opcode: Opcode = Opcode.TEXT, *, final: bool = True) -> bytes:
    """As a client sends it, with a mask that changes every byte."""
    return Frame(opcode, text, final).serialize(mask=True)


@pytest.mark.parametrize("size", [*SIZES, 65536])
def test_a_message_goes_out_as_the_library_would_send_it(size: int) -> None:
    text = b"x" * size
    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


@pytest.mark.parametrize("size", SIZES)
def test_a_whole_frame_is_read(size: int) -> None:
    text = bytes(32 + number % 90 for number in range(size))
    assert whole_text(framed(text)) == text
    assert is_whole(framed(text))


def test_what_is_not_exactly_one_frame_goes_the_long_way() -> None:
    for text in (b"{}", b"x" * 200):
        one = framed(text)
        for cut in range(1, len(one)):
            assert whole_text(one[:cut]) is None
            assert not is_whole(one[:cut])
        assert whole_text(one + one[:3]) is None
        assert not is_whole(one + one)


def test_what_needs_care_goes_the_long_way() -> None:
    assert whole_text(framed("é".encode())) is None
    assert whole_text(framed(b"\xff")) is None
    assert is_whole(framed("é".encode()))
    assert whole_text(framed(b"{", final=False)) is None
    assert not is_whole(framed(b"{", final=False))
    assert not is_whole(framed(b"}", Opcode.CONT))
    for opcode in (Opcode.PING, Opcode.PONG, Opcode.CLOSE):
        assert whole_text(framed(b"", opcode)) is None
        assert is_whole(framed(b"", opcode))
    assert whole_text(Frame(Opcode.TEXT, b"{}").serialize(mask=False)) is None
    assert whole_text(bytes([0xC1]) + framed(b"{}")[1:]) is None  # compressed, which was not agreed


def test_a_command_in_fragments_is_carried_out(server: Server) -> None:
    """They go the long way, which is as good."""
    game = Game(server.address, "numeric-maze")
    with connect(
        f"{server.address.replace('http', 'ws', 1)}/api/matches/{game.match}/socket?seat=1&plain=1",
        additional_headers={"Authorization": f"Bearer {game.keys[0]}"},
        compression=None,
    ) as socket:
        version = msgspec.json.decode(socket.recv(PATIENCE))["version"]
        play = {"do": "play", "turn": "2"}
        text = msgspec.json.encode({"key": "in pieces", "version": version, "command": play})
        socket.send([text[:10].decode(), text[10:].decode()])
        while b'"answers":["in pieces"]' not in (heard := bytes(socket.recv(PATIENCE, False))):
            assert b'"refused"' not in heard
    game.close()
