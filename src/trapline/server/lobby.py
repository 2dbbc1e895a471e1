"""Over HTTP: the matches that their players want everybody to see.

A line of the lobby is told from the opening of a match and from who has come, never from its moves.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from trapline.core import OptionsError
from trapline.server import guard, log
from trapline.server.answers import Listed, Lobby
from trapline.server.hours import now
from trapline.server.limits import address_of
from trapline.server.requests import answer, context
from trapline.server.seating import Seating

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response

    from trapline.server.hub import Hub
    from trapline.server.store import Listing

MOST = 50
"""Lines of each kind."""
WAITS = timedelta(hours=1)
"""For so long a challenge is shown whose opener wants to play at once."""
DAY = 24 * 3600


async def show_lobby(request: Request) -> Response:
    """Open challenges for anybody to take, and matches for anybody to watch."""
    here = context(request)
    here.asks.check(address_of(request), "Too many questions at once: wait a minute.")
    challenges = [line async for line in _lines(request, here.hub, "challenge")]
    watched = [line async for line in _lines(request, here.hub, "watch")]
    return answer(Lobby(challenges, watched))


async def _lines(request: Request, hub: Hub, listing: Listing) -> AsyncIterator[Listed]:
    for match in await hub.store.listed(listing, MOST):
        seating = await _seating(hub, match)
        if seating is None or (listing == "challenge" and _has_waited_long(seating.opening)):
            continue
        opening = seating.opening
        try:
            title = hub.offers.find(opening.game).info.title
        except OptionsError:  # the operator does not offer it any more
            continue
        yield Listed(
            match=match,
            title=title,
            game=opening.game,
            options=opening.options,
            players=seating.sitters,
            opened=opening.at,
            clock=opening.clock,
            best_of=opening.series.best_of if opening.series else 1,
            here=hub.presences.is_here(match, 1),
            yours=bool(guard.seats_of(request, seating)),
        )


async def _seating(hub: Hub, match: str) -> Seating | None:
    """Who sits in a match; none where it cannot be read, or is gone by now."""
    try:
        opening, more = log.read(await hub.store.read(match))
    except (msgspec.MsgspecError, ValueError):
        return None
    seating = Seating(match, opening)
    for entry in more:
        if isinstance(entry, log.Join):
            seating.sit(entry)
    return seating


def _has_waited_long(opening: log.Open) -> bool:
    """Whoever takes days for a move also takes them for an answer."""
    clock = opening.clock
    if clock is not None and clock.kind == "per move" and clock.seconds >= DAY:
        return False
    return datetime.fromisoformat(now()) - datetime.fromisoformat(opening.at) > WAITS
