"""The HTTP side: the games, opening and joining matches, playing over plain requests."""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from trapline import __version__
from trapline.core import SEATS, OptionsError, TraplineError
from trapline.players import PLAYERS
from trapline.referee import parse_record
from trapline.server import answers, guard, messages
from trapline.server.connection import Ending
from trapline.server.limits import address_of
from trapline.server.offers import settled
from trapline.server.refusals import Refusal
from trapline.server.requests import (
    answer,
    context,
    find_match,
    find_viewer,
    is_plain,
    listen,
    player,
    public,
    read,
    refused,
)
from trapline.server.seating import hash_key, opening_from
from trapline.server.solving import Variant
from trapline.server.timing import waited_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from trapline.core import Seat
    from trapline.server.connection import Connection
    from trapline.server.live import Live
    from trapline.server.log import Open
    from trapline.server.messages import NewMatch
    from trapline.server.offers import FromOutside, Rulebook

KEEP_ALIVE = 15.0
STREAMED = "application/x-ndjson"


# --- operations -------------------------------------------------------------------------


async def health(request: Request) -> Response:
    """Whether the server answers, and could keep a move."""
    await context(request).hub.trouble.check()
    return answer(answers.Health(True, __version__))


async def list_games(request: Request) -> Response:
    """The games, their options, and the computer's levels."""
    return public(request, context(request).hub.offers.catalogue())


def _offer(request: Request) -> Rulebook | FromOutside:
    try:
        return context(request).hub.offers.find(request.path_params["game"])
    except OptionsError as error:
        raise Refusal("unknown", str(error)) from None


async def show_rules(request: Request) -> Response:
    """How to play a game, how unclear points are decided, and the rulebook's errata."""
    offer = _offer(request)
    return public(request, await run_in_threadpool(lambda: offer.rules))


async def show_lesson(request: Request) -> Response:
    """A guided first match, with all that its learner sees."""
    offer = _offer(request)
    lesson = await run_in_threadpool(lambda: offer.lesson)
    if lesson is None:
        raise Refusal("unknown", "This game has no lesson.")
    return public(request, lesson)


async def check_variant(request: Request) -> Response:
    """Whether options make a game, and if not, why."""
    wanted = await read(request, messages.Variant)
    here, name = context(request), request.path_params["game"]
    here.asks.check(address_of(request), "Too many questions at once: wait a minute.")
    try:
        tried = messages.NewMatch(name, "here", wanted.options)
        offer = here.hub.offers.find(name)
        opening = await offer.opening(tried, "", bot=False)
    except TraplineError as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal("invalid", str(error)) from None
    variant = Variant(name, opening.options, opening.first)
    return answer(answers.Playable(True, await offer.thinkers.solving.beforehand(variant)))


async def make_key(request: Request) -> Response:
    """A new player's key, for a program that plays."""
    here = context(request)
    guard.check_origin(request, here.settings.public_url)
    _count_opening(request)
    return answer(answers.NewKey(here.keys.new()), 201)


def _count_opening(request: Request, key: str | None = None) -> None:
    for name in filter(None, (address_of(request), key and f"key {hash_key(key)}")):
        context(request).openings.check(name, "Too many new matches or keys: wait a minute.")


async def open_match(request: Request) -> Response:
    """Open a match: with the computer, a friend by link, two people here, or two phones."""
    wanted = await read(request, messages.NewMatch)
    here = context(request)
    known_key = guard.key_for_new_seats(request, here.keys)
    _count_opening(request, known_key)
    name, mate = here.names.clean(wanted.name), here.names.clean(wanted.mate)
    wanted = msgspec.structs.replace(wanted, name=name, mate=mate)
    bot = wanted.against in PLAYERS
    if not bot and wanted.against not in ("link", "here", "table"):
        known = ", ".join(("link", "here", "table", *PLAYERS))
        raise Refusal("invalid", f"against must be one of {known}.")
    if wanted.listed and wanted.against != "link":
        raise Refusal("invalid", "Only a challenge by link can be listed in the lobby.")
    key = known_key or here.keys.new()
    try:
        opening = await _opening(request, wanted, key, bot=bot)
    except Refusal:
        raise
    except TraplineError as error:
        raise Refusal("invalid", str(error)) from None
    room = await here.hub.open_match(opening)
    link = room.seating.link(over=room.over)
    opened = answers.Opened(room.id, room.seating.seats_of(key), link)
    return _seated(request, opened, "" if known_key else key, 201)


async def _opening(request: Request, wanted: NewMatch, key: str, *, bot: bool) -> Open:
    hub, again = context(request).hub, wanted.again
    offer = hub.offers.find(wanted.game)
    if again is None:
        return await offer.opening(wanted, key, bot=bot)
    live = await hub.look(again.match)
    record = parse_record(await settled(live.room.record()))
    if record.game != wanted.game or not bot:
        raise OptionsError("A match is tried again in its own game, against the computer.")
    if offer.info.origin != "rulebook" or record.chance:
        raise OptionsError("Only a match of a rulebook can be tried again from the middle.")
    return opening_from(record, wanted, again, key)


async def join_match(request: Request) -> Response:
    """Take the free seat of a match, with the code of its link."""
    wanted = await read(request, messages.Joining)
    here = context(request)
    known_key = guard.key_for_new_seats(request, here.keys)
    _count_opening(request, known_key)
    live = await find_match(request)
    if guard.seats_of(request, live.room.seating):  # also by a key that takes no new seats
        raise Refusal("not now", "You play in this match already; the link is for your friend.")
    key, name = known_key or here.keys.new(), here.names.clean(wanted.name)
    room = await here.hub.join(live.room.id, wanted.code, name, key)
    opened = answers.Opened(room.id, room.seating.seats_of(key), None)
    return _seated(request, opened, "" if known_key else key, 200)


def _seated(request: Request, opened: answers.Opened, new_key: str, status: int) -> Response:
    response = answer(opened, status)
    for cookie in guard.cookies(request, new_key) if new_key else ():
        response.headers.append("set-cookie", cookie)
    return response


async def show_match(request: Request) -> Response:
    """What everybody may know of a match, and which seats of it are yours."""
    live = await find_match(request)
    await context(request).hub.refresh(live)
    room, opening = live.room, live.room.opening
    game = context(request).hub.offers.find(opening.game).info
    info = answers.MatchInfo(
        match=room.id,
        game=opening.game,
        title=game.title,
        options=opening.options,
        first=opening.first,
        players=room.seating.sitters,
        open=room.seating.is_open,
        over=room.over,
        seats=guard.seats_of(request, room.seating),
        clock=room.clock,
        best_of=opening.series.best_of if opening.series else 1,
        watched=opening.watched,
        listed=opening.listed,
        locked=opening.locked,
        trails=opening.locked and room.hides_turns,
        waits=waited_for(room.state(None, plain=True).view, room.seating),
        origin=game.origin,
    )
    return answer(info)


async def delete_match(request: Request) -> Response:
    """Delete a match that is nobody else's: with the computer, on one device, or never joined."""
    here = context(request)
    guard.check_origin(request, here.settings.public_url)
    live = await find_match(request)
    await here.hub.refresh(live)
    seating = live.room.seating
    mine = guard.seats_of(request, seating)
    if not mine:
        raise Refusal("not yours", "Only who plays a match can delete it.")
    people = [seat for seat, holder in seating.holders.items() if holder and not holder.bot]
    if set(people) - set(mine):
        raise Refusal("not yours", "The match is the other player's as well, so it stays.")
    await here.hub.store.delete([live.room.id])
    here.hub.forget(live.room.id)
    return answer(answers.Deleted(live.room.id))


def _hands_out_links(request: Request, live: Live) -> bool:
    """Whether a request comes from the one at seat 1, or from the shared screen."""
    seating = live.room.seating
    if seating.opening.host:
        return any(map(seating.is_host, guard.keys_of(request)))
    return 1 in guard.seats_of(request, seating)


async def show_links(request: Request) -> Response:
    """The links to the free seats of a match, for the shared screen that has opened it."""
    live = await find_match(request)
    await context(request).hub.refresh(live)
    if not _hands_out_links(request, live):
        raise Refusal("not yours", "Only the one who opened the match can hand out its link.")
    one, two = (live.room.seating.link_to(seat, over=live.room.over) for seat in SEATS)
    return answer(answers.Links((one, two)))


async def show_qr(request: Request) -> Response:
    """The link of an open match as a picture, for the one who opened it."""
    import segno

    here = context(request)
    here.asks.check(address_of(request), "Too many questions at once: wait a minute.")
    live = await find_match(request)
    seat: Seat = 1 if request.query_params.get("seat") == "1" else 2
    link = live.room.seating.link_to(seat, over=live.room.over)
    if not _hands_out_links(request, live):
        raise Refusal("not yours", "Only the one who opened the match can hand out its link.")
    if link is None:
        raise Refusal("full", "This seat is taken.")
    base = here.settings.public_url or str(request.base_url)
    picture = io.BytesIO()
    code = segno.make(base.rstrip("/") + link, error="m")
    code.save(picture, kind="svg", border=2, light="white", xmldecl=False, omitsize=True)
    return Response(picture.getvalue(), media_type="image/svg+xml")


async def command(request: Request) -> Response:
    """Carry out one command of a seat, and answer with the state after it."""
    wanted = await read(request, messages.Request)
    try:
        return await _carry_out(request, wanted)
    except Refusal as refusal:
        refusal.answering(wanted.key)
        raise


async def _carry_out(request: Request, wanted: messages.Request) -> Response:
    live = await find_match(request)
    seat = player(await find_viewer(request, live))
    hub = context(request).hub
    live.hurry(seat)
    try:
        await hub.act(live.room.id, seat, wanted)
    except Refusal as refusal:
        state = None
        if live.certain:  # whoever sent it has seen what came before
            state = live.room.state(seat, wanted.version, plain=is_plain(request))
        return refused(refusal, state)
    live = await hub.look(live.room.id)
    return answer(live.room.state(seat, answers=(wanted.key,), plain=is_plain(request)))


async def stream(request: Request) -> Response:
    """What a seat hears, a line of JSON for each message, as it comes."""
    if request.method == "HEAD":  # asks for the head alone, so it needs no place
        return Response(media_type=STREAMED)
    return Stream(await listen(request))


class Stream(StreamingResponse):
    """Lines for as long as somebody reads them; then the place is free again."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(_lines(connection), media_type=STREAMED)
        self._connection = connection

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._connection.hub.places.disconnect(self._connection)


async def _lines(connection: Connection) -> AsyncIterator[bytes]:
    try:
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE):
                    message = await connection.next()
                yield message + b"\n"
            except TimeoutError:
                yield b"\n"
    except Ending:
        return
