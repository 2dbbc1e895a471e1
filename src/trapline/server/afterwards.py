"""Over HTTP: what a match leaves behind when it is over, and what the coach says."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from starlette.responses import Response

from trapline.core import TraplineError, Unavailable
from trapline.server import answers
from trapline.server.limits import address_of
from trapline.server.offers import settled, variant_of
from trapline.server.refusals import Refusal
from trapline.server.requests import answer, context, find_match, find_viewer, player

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.requests import Request

    from trapline.server.live import Live
    from trapline.server.thinking import Thinkers

T = TypeVar("T")


async def _find_finished(request: Request) -> Live:
    """A match that should be over, asked for by somebody who may ask for so much."""
    here = context(request)
    here.asks.check(address_of(request), "Too many questions at once: wait a minute.")
    live = await find_match(request)
    if not live.room.over:
        await here.hub.refresh(live)  # it may have ended a moment ago, in another process
    return live


async def show_record(request: Request) -> Response:
    """The complete record of a finished match."""
    live = await _find_finished(request)
    return Response(await settled(live.room.record()), media_type="application/json")


async def show_frames(request: Request) -> Response:
    """A finished match before its first turn and after each, with everything shown."""
    live = await _find_finished(request)
    return answer(await settled(live.room.frames()))


async def show_analysis(request: Request) -> Response:
    """The coach's judgement on every choice of a finished match.

    Where the variant has to be solved first, how far that is, with status 202.
    """
    live = await _find_finished(request)
    record = await settled(live.room.record())
    stands = await _thinkers(request, live).solving.stands(variant_of(live))
    if stands.hopeless:
        raise Refusal("invalid", stands.sentence)
    if not stands.ready:
        return answer(answers.Waiting(stands.sentence, stands.share), 202)
    judged = await _coached(_thinkers(request, live).analysis(record, address_of(request)))
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
    here = context(request)
    here.asks.check(address_of(request), "Too many questions at once: wait a minute.")
    live = await find_match(request)
    seat = player(await find_viewer(request, live))
    known = live.room.thought(seat)
    if known is None:
        raise Refusal("not now", "A hint is for a player who has something to decide.")
    if all(sitter is None or sitter.bot is None for sitter in live.room.seating.sitters):
        raise Refusal("not now", "Hints are for matches against the computer.")
    asked = _thinkers(request, live).hint(known, address_of(request), variant_of(live))
    return answer(await _coached(asked))
