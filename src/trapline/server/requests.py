"""What every request is about: the match, the seat, the version; and how it is answered."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.responses import Response

from trapline.server import guard, messages, page
from trapline.server.limits import address_of
from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request

    from trapline.core import Seat, Viewer
    from trapline.server.connection import Connection
    from trapline.server.hub import Hub
    from trapline.server.limits import Rates
    from trapline.server.live import Live
    from trapline.server.metrics import Metrics
    from trapline.server.names import Names
    from trapline.server.settings import Settings

T = TypeVar("T")

STATUS: dict[messages.Reason, int] = {
    "unreadable": 400,
    "not yours": 403,
    "unknown": 404,
    "not now": 409,
    "stale": 409,
    "over": 409,
    "full": 409,
    "too large": 413,
    "invalid": 422,
    "illegal": 422,
    "secret": 422,
    "too fast": 429,
    "broken": 500,
    "unavailable": 503,
}


class Context(NamedTuple):
    """What the handlers share."""

    hub: Hub
    settings: Settings
    openings: Rates
    """New matches and keys, by address and by key."""
    asks: Rates
    """What takes longer to answer than to ask, by address."""
    names: Names
    metrics: Metrics

    @property
    def keys(self) -> guard.Keys:
        return guard.Keys(self.hub.secret)


def context(connection: HTTPConnection) -> Context:
    held: Context = connection.app.state.context
    return held


# --- answers ----------------------------------------------------------------------------


def answer(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def public(request: Request, value: object) -> Response:
    """An answer that is the same for everybody, which may therefore be compressed."""
    return page.send(request, page.hold(msgspec.json.encode(value), "application/json"))


def refused(refusal: Refusal, state: messages.State | None = None) -> Response:
    message = messages.Refused(refusal.reason, str(refusal), refusal.key, state)
    response = answer(message, STATUS[refusal.reason])
    if refusal.reason in ("too fast", "unavailable"):
        response.headers["retry-after"] = "5"
    return response


async def read(request: Request, kind: type[T]) -> T:
    guard.check_origin(request, context(request).settings.public_url)
    try:
        return msgspec.json.decode(await guard.read_body(request), type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise Refusal("unreadable", messages.explain(error)) from None


# --- what a request is about ------------------------------------------------------------


def _query(connection: HTTPConnection) -> dict[str, str]:
    return _parsed(connection.scope["query_string"])


@lru_cache(maxsize=256)
def _parsed(query: bytes) -> dict[str, str]:
    """As Starlette reads it: of a name that is there twice, the last counts.

    Whoever connects asks for a seat and a version, and many ask for the same.
    """
    return dict(parse_qsl(query.decode("latin-1"), keep_blank_values=True))


async def find_match(connection: HTTPConnection) -> Live:
    return await context(connection).hub.look(connection.path_params["match"])


async def find_viewer(connection: HTTPConnection, live: Live) -> Viewer:
    """The seat that a request speaks for, which must be its own; 0 or none is a spectator."""
    wanted = _query(connection).get("seat", "0")
    if wanted not in ("0", "1", "2"):
        raise Refusal("unreadable", "seat must be 1, 2, or 0 to watch.")
    if wanted == "0":
        return None
    seat: Seat = 1 if wanted == "1" else 2
    mine = guard.seats_of(connection, live.room.seating)
    if seat not in mine and guard.keys_of(connection):
        await context(connection).hub.refresh(live)  # joined a moment ago, in another process
        mine = guard.seats_of(connection, live.room.seating)
    if seat not in mine:
        raise Refusal("not yours", f"Seat {seat} of this match is not yours; you can watch.")
    return seat


async def listen(asked: HTTPConnection) -> Connection:
    """A place for whoever wants to hear of a match, over a socket or by a stream."""
    live = await find_match(asked)
    viewer, after = await find_viewer(asked, live), _find_version(asked)
    hub = context(asked).hub
    if after > live.room.version(viewer):  # another process has told them more
        await hub.refresh(live)
    return hub.places.connect(live, viewer, after, plain=is_plain(asked), address=address_of(asked))


def _find_version(connection: HTTPConnection) -> int:
    text = _query(connection).get("after", "0")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refusal("unreadable", "after must be the last version seen, or 0.")
    return int(text)


def is_plain(connection: HTTPConnection) -> bool:
    """Whether a program asks, which needs neither words nor pictures."""
    return _query(connection).get("plain") == "1"


def player(viewer: Viewer) -> Seat:
    if viewer is None:
        raise Refusal("not yours", "Say which seat you play: add ?seat=1 or ?seat=2.")
    return viewer
