"""Frames of a WebSocket that came whole: the short way in and out, past all general parsing.

Nearly every message of a client is one short text in one frame in one piece, and nearly all that
it hears is one text. Whatever is anything else goes the long way.
"""

from __future__ import annotations

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # compiled, where it can be

FINAL_TEXT = 0x81
CONTROL = 0x88
"""The first byte of a control frame has both of these bits, and may be in one piece only."""
MASKED = 0x80
LONGER, LONGEST = 126, 127
"""In the place of a size: it follows in two bytes, or in eight."""
LONG_TEXT = bytes((FINAL_TEXT, LONGER))
MASK = 4


_last: tuple[bytes, bytes] = b"", b""
"""What a crowd is told is the same for each of it."""


def framed(text: bytes) -> bytes:
    """The frame of a message; of the very same one as the last time, the very same frame."""
    global _last  # one for all connections is the point of it
    if _last[0] is not text:
        _last = text, text_frame(text)
    return _last[1]


def text_frame(text: bytes) -> bytes:
    """A message as a server sends it."""
    size = len(text)
    if size < LONGER:
        return bytes((FINAL_TEXT, size)) + text
    if size < 65536:
        return b"".join((LONG_TEXT, size.to_bytes(2, "big"), text))
    return bytes((FINAL_TEXT, LONGEST)) + size.to_bytes(8, "big") + text


def whole_text(data: bytes) -> bytes | None:
    """The text of a client, if this is exactly one frame of it and plain enough to need no care."""
    if data[0] != FINAL_TEXT:
        return None
    start = _start(data)
    if start is None:
        return None
    text = apply_mask(data[start:], data[start - MASK : start])
    return text if text.isascii() else None


def is_whole(data: bytes) -> bool:
    """Whether this is exactly one frame that is no part of a longer message."""
    return (data[0] == FINAL_TEXT or data[0] & CONTROL == CONTROL) and _start(data) is not None


def _start(data: bytes) -> int | None:
    """Where the payload of the only frame in here begins; None if it is not the only one."""
    if len(data) < 2 or not data[1] & MASKED:
        return None
    size, start = data[1] & 127, 2 + MASK
    if size == LONGEST:
        return None
    if size == LONGER:
        size, start = int.from_bytes(data[2:4], "big"), start + 2
    return start if len(data) == start + size else None
