"""What a link to a match looks like where it is sent: a title and a sentence that all may read.

Such a page is not the same for everybody, so unlike the others it is never compressed.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from starlette.responses import Response

from trapline.core import BY_SEAT, SEATS, TraplineError
from trapline.server import page
from trapline.server.requests import context, find_match

if TYPE_CHECKING:
    from starlette.requests import Request

    from trapline.server.live import Live

PICTURE = "/static/icon-512.png"


async def show(request: Request, address: str) -> Response:
    """The page of one match, with its card in the head; without one where there is no match."""
    try:
        live = await find_match(request)
        title, sentence = _card(request, live, joining=address.startswith("/join/"))
    except TraplineError:
        return page.send(request, page.html(address))
    base = (context(request).settings.public_url or str(request.base_url)).rstrip("/")
    facts = {
        "og:type": "website",
        "og:site_name": "Trapline",
        "og:title": title,
        "og:description": sentence,
        "og:image": base + PICTURE,
        "og:url": base + request.url.path,
    }
    tags = "\n".join(
        f'  <meta property="{name}" content="{escape(text)}">' for name, text in facts.items()
    )
    body = page.html(address).body.replace(page.CARD, tags.encode())
    return Response(body, headers={"cache-control": "no-store"}, media_type=page.MEDIA[".html"])


def _card(request: Request, live: Live, *, joining: bool) -> tuple[str, str]:
    room = live.room
    game = context(request).hub.offers.find(room.opening.game).info.title
    names = [
        sitter.name if sitter and not sitter.bot else "the computer" if sitter else BY_SEAT[seat]
        for seat, sitter in zip(SEATS, room.seating.sitters, strict=True)
    ]
    if room.seating.is_open:
        host = next((sitter.name for sitter in room.seating.sitters if sitter), "")
        title = f"{host} challenges you to {game}" if host and joining else f"A match of {game}"
        return title, "A game of hidden traps for two, in the browser."
    title = f"{game}: {names[0]} and {names[1]}"
    words = room.state(None).words
    if room.over and words is not None:
        return title, f"{' '.join(words.ending)} Replay and analysis, move by move."
    return title, "The match is being played. Whoever watches sees nothing that is hidden."
