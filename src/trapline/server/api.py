"""The HTTP side: opening and joining matches, playing over plain requests, records.

Each operation is declared once, with the types it takes and gives; the routes and the
OpenAPI description are both made from that list.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec
from starlette.responses import Response, StreamingResponse

from trapline import __version__
from trapline.core import OptionsError, Seat, TraplineError, Unavailable
from trapline.players import PLAYERS
from trapline.server import guard, messages, page
from trapline.server.connection import Gone, ServerStops
from trapline.server.offers import settled
from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request

    from trapline.core import Viewer
    from trapline.server.hub import Hub, Live
    from trapline.server.settings import Settings
    from trapline.server.thinking import Thinkers

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
KEEP_ALIVE = 15.0


class Context(NamedTuple):
    """What the handlers share."""

    hub: Hub
    settings: Settings
    openings: guard.Openings


def context(connection: HTTPConnection) -> Context:
    held: Context = connection.app.state.context
    return held


Handler = Callable[["Request"], Awaitable[Response]]


class Operation(NamedTuple):
    method: str
    path: str
    handler: Handler
    answer: Any
    """The type of the answer, or its media type where it is no JSON of ours."""
    body: Any = None
    status: int = 200
    refusals: tuple[messages.Reason, ...] = ()
    query: tuple[str, ...] = ()


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


async def find_match(connection: HTTPConnection) -> Live:
    return await context(connection).hub.look(connection.path_params["match"])


async def find_viewer(connection: HTTPConnection, live: Live) -> Viewer:
    """The seat that a request speaks for, which must be its own; 0 or none is a spectator."""
    wanted = connection.query_params.get("seat", "0")
    if wanted not in ("0", "1", "2"):
        raise Refusal("unreadable", "seat must be 1, 2, or 0 to watch.")
    if wanted == "0":
        return None
    seat: Seat = 1 if wanted == "1" else 2
    key = guard.key_of(connection)
    if key is not None and seat not in live.room.seating.seats_of(key):
        await context(connection).hub.refresh(live)  # joined a moment ago, in another process
    if seat not in live.room.seating.seats_of(key):
        raise Refusal("not yours", f"Seat {seat} of this match is not yours; you can watch.")
    return seat


def find_version(connection: HTTPConnection) -> int:
    text = connection.query_params.get("after", "0")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refusal("unreadable", "after must be the last version seen, or 0.")
    return int(text)


def is_plain(connection: HTTPConnection) -> bool:
    """Whether a program asks, which needs neither words nor pictures."""
    return connection.query_params.get("plain") == "1"


def _player(viewer: Viewer) -> Seat:
    if viewer is None:
        raise Refusal("not yours", "Say which seat you play: add ?seat=1 or ?seat=2.")
    return viewer


# --- operations -------------------------------------------------------------------------


async def health(request: Request) -> Response:
    """Whether the server and its database answer."""
    await context(request).hub.store.summaries(limit=1)
    return answer(messages.Health(True, __version__))


async def list_games(request: Request) -> Response:
    """The games, their options, and the computer's levels."""
    return public(request, context(request).hub.offers.catalogue())


async def show_rules(request: Request) -> Response:
    """How to play a game, how unclear points are decided, and the rulebook's errata."""
    try:
        offer = context(request).hub.offers.find(request.path_params["game"])
    except OptionsError as error:
        raise Refusal("unknown", str(error)) from None
    return public(request, messages.Rules(offer.rules))


async def make_key(request: Request) -> Response:
    """A new player's key, for a program that plays."""
    guard.check_origin(request, context(request).settings.public_url)
    context(request).openings.check(request)
    return answer(messages.NewKey(guard.new_key()), 201)


async def open_match(request: Request) -> Response:
    """Open a match: against the computer, a friend by link, or two people here."""
    wanted = await read(request, messages.NewMatch)
    here = context(request)
    here.openings.check(request)
    bot = wanted.against in PLAYERS
    if not bot and wanted.against not in ("link", "here"):
        known = ", ".join(("link", "here", *PLAYERS))
        raise Refusal("invalid", f"against must be one of {known}.")
    known_key = guard.key_of(request)
    key = known_key or guard.new_key()
    try:
        opening = await here.hub.offers.find(wanted.game).opening(wanted, key, bot=bot)
    except Refusal:
        raise
    except TraplineError as error:
        raise Refusal("invalid", str(error)) from None
    room = await here.hub.open_match(opening)
    link = room.seating.link(over=room.over)
    return _seated(request, messages.Opened(room.id, room.seating.seats_of(key), link), key, 201)


async def join_match(request: Request) -> Response:
    """Take the free seat of a match, with the code of its link."""
    wanted = await read(request, messages.Joining)
    here = context(request)
    here.openings.check(request)
    key = guard.key_of(request) or guard.new_key()
    room = await here.hub.join(request.path_params["match"], wanted.code, wanted.name, key)
    return _seated(request, messages.Opened(room.id, room.seating.seats_of(key), None), key, 200)


def _seated(request: Request, opened: messages.Opened, key: str, status: int) -> Response:
    response = answer(opened, status)
    if guard.key_of(request) is None:
        response.headers["set-cookie"] = guard.cookie(request, key)
    return response


async def show_match(request: Request) -> Response:
    """What everybody may know of a match, and which seats of it are yours."""
    live = await find_match(request)
    await context(request).hub.refresh(live)
    room, opening = live.room, live.room.opening
    info = messages.MatchInfo(
        match=room.id,
        game=opening.game,
        title=context(request).hub.offers.find(opening.game).info.title,
        options=opening.options,
        first=opening.first,
        players=room.seating.sitters,
        open=room.seating.is_open,
        over=room.over,
        seats=room.seating.seats_of(guard.key_of(request)),
    )
    return answer(info)


async def show_qr(request: Request) -> Response:
    """The link of an open match as a picture, for the one who opened it."""
    import segno

    live = await find_match(request)
    link = live.room.seating.link(over=live.room.over)
    if 1 not in live.room.seating.seats_of(guard.key_of(request)):
        raise Refusal("not yours", "Only the one who opened the match can hand out its link.")
    if link is None:
        raise Refusal("full", "Both seats are taken.")
    base = context(request).settings.public_url or str(request.base_url)
    picture = io.BytesIO()
    code = segno.make(base.rstrip("/") + link, error="m")
    code.save(picture, kind="svg", border=2, light="white", xmldecl=False, omitsize=True)
    return Response(picture.getvalue(), media_type="image/svg+xml")


async def show_record(request: Request) -> Response:
    """The complete record of a finished match."""
    live = await find_match(request)
    return Response(await settled(live.room.record()), media_type="application/json")


async def show_frames(request: Request) -> Response:
    """A finished match before its first turn and after each, with everything shown."""
    live = await find_match(request)
    live.hurry(None)
    return answer(await settled(live.room.frames()))


async def show_analysis(request: Request) -> Response:
    """The coach's judgement on every choice of a finished match."""
    live = await find_match(request)
    record = await settled(live.room.record())
    judged = await _coached(_thinkers(request, live).analysis(record))
    return Response(judged, media_type="application/json")


def _thinkers(request: Request, live: Live) -> Thinkers:
    return context(request).hub.offers.find(live.room.opening.game).thinkers


async def _coached(thought: Awaitable[T]) -> T:
    try:
        return await thought
    except Unavailable as error:
        raise Refusal("unavailable", str(error)) from None
    except TraplineError as error:
        raise Refusal("invalid", str(error)) from None


async def show_hint(request: Request) -> Response:
    """The coach's advice to the player who is asked something, from what that seat knows."""
    live = await find_match(request)
    seat = _player(await find_viewer(request, live))
    known = live.room.thought(seat)
    if known is None:
        raise Refusal("not now", "A hint is for a player who has something to decide.")
    if all(sitter is None or sitter.bot is None for sitter in live.room.seating.sitters):
        raise Refusal("not now", "Hints are for matches against the computer.")
    return answer(messages.Hint(await _coached(_thinkers(request, live).hint(known))))


async def command(request: Request) -> Response:
    """Carry out one command of a seat, and answer with the state after it."""
    live = await find_match(request)
    seat = _player(await find_viewer(request, live))
    wanted = await read(request, messages.Request)
    hub = context(request).hub
    live.hurry(seat)
    try:
        await hub.act(live.room.id, seat, wanted)
    except Refusal as refusal:
        state = live.room.state(seat, plain=is_plain(request)) if live.certain else None
        return refused(refusal, state)
    live = await hub.look(live.room.id)
    return answer(live.room.state(seat, answers=(wanted.key,), plain=is_plain(request)))


async def stream(request: Request) -> Response:
    """What a seat hears, a line of JSON for each message, as it comes."""
    live = await find_match(request)
    viewer, after = await find_viewer(request, live), find_version(request)
    hub = context(request).hub
    connection = hub.connect(live, viewer, after, plain=is_plain(request))

    async def lines() -> AsyncIterator[bytes]:
        try:
            while True:
                try:
                    yield await asyncio.wait_for(connection.next(), KEEP_ALIVE) + b"\n"
                except TimeoutError:
                    yield b"\n"
        except (ServerStops, Gone):
            return
        finally:
            hub.disconnect(connection)

    return StreamingResponse(lines(), media_type="application/x-ndjson")


MATCH = "/api/matches/{match}"
SEATED: tuple[messages.Reason, ...] = ("unreadable", "not yours", "unknown", "unavailable")

OPERATIONS = [
    Operation("GET", "/api/health", health, messages.Health, refusals=("unavailable",)),
    Operation("GET", "/api/games", list_games, messages.Catalogue),
    Operation("GET", "/api/games/{game}/rules", show_rules, messages.Rules, refusals=("unknown",)),
    Operation(
        "POST", "/api/keys", make_key, messages.NewKey,
        status=201, refusals=("not yours", "too fast"),
    ),
    Operation(
        "POST", "/api/matches", open_match, messages.Opened, messages.NewMatch, 201,
        ("unreadable", "not yours", "too large", "invalid", "too fast", "broken", "unavailable"),
    ),
    Operation("GET", MATCH, show_match, messages.MatchInfo, refusals=("unknown", "unavailable")),
    Operation(
        "POST", MATCH + "/join", join_match, messages.Opened, messages.Joining, 200,
        (*SEATED, "full", "too large", "too fast", "broken"),
    ),
    Operation(
        "GET", MATCH + "/qr", show_qr, "image/svg+xml",
        refusals=("not yours", "full", "unknown", "unavailable"),
    ),
    Operation(
        "GET", MATCH + "/record", show_record, "application/json",
        refusals=("over", "unknown", "unavailable"),
    ),
    Operation(
        "GET", MATCH + "/frames", show_frames, messages.Frames,
        refusals=("over", "too fast", "broken", "unknown", "unavailable"),
    ),
    Operation(
        "GET", MATCH + "/analysis", show_analysis, "application/json",
        refusals=("over", "invalid", "unknown", "unavailable"),
    ),
    Operation(
        "GET", MATCH + "/hint", show_hint, messages.Hint,
        refusals=(*SEATED, "not now", "invalid"), query=("seat",),
    ),
    Operation(
        "POST", MATCH + "/commands", command, messages.State, messages.Request, 200,
        (*SEATED, "stale", "full", "too large", "illegal", "too fast", "broken"), ("seat", "plain"),
    ),
    Operation(
        "GET", MATCH + "/stream", stream, "application/x-ndjson",
        refusals=(*SEATED, "full"), query=("seat", "after", "plain"),
    ),
]  # fmt: skip
