"""The puzzle of the day: the same for everybody, made once by the coach."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from trapline.core import BY_SEAT, Unavailable
from trapline.games import make_game
from trapline.server import page
from trapline.server.catalogue import drawn
from trapline.server.limits import address_of
from trapline.server.refusals import Refusal
from trapline.server.requests import context
from trapline.server.shelf import DailyPuzzle

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from trapline.coach.puzzles import Posed

KEPT = timedelta(days=30)
AHEAD = timedelta(days=1)
"""Somewhere it is tomorrow already."""


async def show_puzzle(request: Request) -> Response:
    """The puzzle of a day, with its solution."""
    here = context(request)
    here.asks.check(address_of(request), "Too many questions at once: wait a minute.")
    day = _day(request.path_params["date"])
    try:
        puzzle = await here.hub.offers.thinkers.puzzle(day.isoformat(), address_of(request))
    except Unavailable as error:
        raise Refusal("unavailable", str(error)) from None
    return page.send(request, page.hold(puzzle, "application/json"))


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else "")
    except ValueError:
        raise Refusal("unreadable", "A day is written as 2026-01-31.") from None
    today = datetime.now(UTC).date()
    if not today - KEPT <= day <= today + AHEAD:
        raise Refusal("unknown", "There are puzzles of the last thirty days.")
    return day


def shown(day: str, posed: Posed) -> DailyPuzzle:
    """A puzzle with what its player sees."""
    puzzle, view = posed
    game = make_game(puzzle.game, puzzle.options)
    assert view.question is not None  # a puzzle asks something
    return DailyPuzzle(
        date=day,
        title=game.title,
        game=puzzle.game,
        seat=puzzle.seat,
        grade=puzzle.grade,
        sentence=puzzle.sentence,
        question=view.question,
        picture=drawn(type(game), view.board, BY_SEAT, puzzle.seat),
        board=view.board.words(BY_SEAT, game.place),
        events=view.events,
        best=puzzle.best,
        chances=puzzle.chances,
        reason=puzzle.reason,
    )
