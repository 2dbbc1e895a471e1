"""What a link to a match looks like where it is sent: a title, a sentence and the board, as a
spectator is shown them.

Such a page is not the same for everybody, so what it says of its match is never compressed.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from trapline.core import BY_SEAT, SEATS, Picture, TraplineError
from trapline.games import GAMES
from trapline.server import cards, page
from trapline.server.limits import address_of
from trapline.server.refusals import Refusal
from trapline.server.requests import context, find_match, refused

if TYPE_CHECKING:
    from starlette.requests import Request

    from trapline.server.live import Live

ICON = "/static/icon-512.png"
LONGEST = 18
"""Letters of a name that a card has room for."""
MATCH = "/m/{match}"
CARD = "/m/{match}/card.png"
"""Where the board of a match is, as a picture."""


async def show(request: Request, address: str) -> Response:
    """The page of one match, with its card in the head; without one where there is no match."""
    try:
        live = await find_match(request)
        title, sentence = _card(request, live, joining=address.startswith("/join/"))
    except TraplineError:
        return page.send(request, page.html(address))
    board = live.room.state(None).picture
    base = (context(request).settings.public_url or str(request.base_url)).rstrip("/")
    facts = {
        "og:type": "website",
        "og:site_name": "Trapline",
        "og:title": title,
        "og:description": sentence,
        "og:image": base + (ICON if board is None else CARD.format(match=live.room.id)),
        "og:url": base + request.url.path,
    }
    if board is not None:
        facts |= {"og:image:width": str(cards.WIDTH), "og:image:height": str(cards.HEIGHT)}
    tags = "\n".join(
        f'  <meta property="{name}" content="{escape(text)}">' for name, text in facts.items()
    )
    if address == MATCH:
        if live.room.opening.game in GAMES:
            tags += f'\n  <meta name="game" content="{live.room.opening.game}">'
        tags += (
            f'\n  <link rel="preload" href="/api/matches/{live.room.id}" as="fetch" crossorigin>'
        )
    return page.send_with(request, page.html(address), page.CARD, tags.encode())


async def show_board(request: Request) -> Response:
    """The board as whoever watches sees it now."""
    here = context(request)
    try:
        here.asks.check(address_of(request), "Too many questions at once: wait a minute.")
        live = await find_match(request)
        board = live.room.state(None).picture
        head = _head(request, live)
    except Refusal as refusal:
        return refused(refusal)
    if board is None:
        return refused(Refusal("unknown", "This match has no board to be drawn."))
    drawn = await run_in_threadpool(_drawn, msgspec.json.encode(board), head)
    return Response(drawn, headers={"cache-control": "no-store"}, media_type=page.MEDIA[".png"])


@lru_cache(maxsize=64)
def _drawn(board: bytes, head: tuple[str, ...]) -> bytes:
    return cards.draw_card(msgspec.json.decode(board, type=Picture), head)


def _names(live: Live) -> list[str]:
    return [
        sitter.name if sitter and not sitter.bot else "the computer" if sitter else BY_SEAT[seat]
        for seat, sitter in zip(SEATS, live.room.seating.sitters, strict=True)
    ]


def _head(request: Request, live: Live) -> tuple[str, ...]:
    """What stands above the board: the game, who plays, and how it ended if it has."""
    room = live.room
    game = context(request).hub.offers.find(room.opening.game).info.title
    one, two = (name if len(name) <= LONGEST else f"{name[:LONGEST]}..." for name in _names(live))
    words = room.state(None).words
    if room.seating.is_open:
        return game, "A game of hidden traps for two"
    return game, f"{one} and {two}", words.ending[-1] if room.over and words else "Being played"


def _card(request: Request, live: Live, *, joining: bool) -> tuple[str, str]:
    room, names = live.room, _names(live)
    game = context(request).hub.offers.find(room.opening.game).info.title
    if room.seating.is_open:
        host = next((sitter.name for sitter in room.seating.sitters if sitter), "")
        title = f"{host} challenges you to {game}" if host and joining else f"A match of {game}"
        return title, "A game of hidden traps for two, in the browser."
    title = f"{game}: {names[0]} and {names[1]}"
    words = room.state(None).words
    if room.over and words is not None:
        return title, f"{' '.join(words.ending)} Replay and analysis, move by move."
    return title, "The match is being played. Whoever watches sees nothing that is hidden."
