"""What somebody has been told of a match so far, and what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.server.hours import now
from trapline.server.messages import Presence

if TYPE_CHECKING:
    from trapline.core import Viewer
    from trapline.server.live import Live

encode = msgspec.json.Encoder().encode


class Told(msgspec.Struct, eq=False):
    """How far somebody has been told. All of a crowd who have been told the same share one."""

    version: int
    presence: Presence | None
    plain: bool


def news(
    live: Live, viewer: Viewer, told: Told, *, again: bool = False
) -> tuple[bytes | None, Told]:
    """The next message, if there is one, and how far whoever hears it has been told then.

    `again`: also if nothing is new, as for whoever has just come.
    """
    room, presence = live.room, live.presence
    version = room.version(viewer)
    if again or version > told.version:
        frame = room.frame(viewer, told.version, plain=told.plain)
        return frame, Told(version, told.presence, told.plain)
    if presence is told.presence:
        return None, told
    heard = Told(told.version, presence, told.plain)
    if presence is None or presence == told.presence:
        return None, heard
    if room.clock is not None:
        presence = msgspec.structs.replace(presence, time=now())
    return encode(presence), heard
