"""What text players are told of a View, and how their typed answers are played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from trapline.core import NotNow
from trapline.games import make_game
from trapline.notation import parse_secret, parse_trap_answer, parse_turn
from trapline.words.boards import describe
from trapline.words.phrases import phrases
from trapline.words.questions import NAMES, question

if TYPE_CHECKING:
    from trapline.core import View
    from trapline.match import Match


def heard(view: View, since: int = 0) -> list[str]:
    """What has happened after the first `since` events."""
    return phrases(replace(view, events=view.events[since:]), NAMES).account({})


def position(view: View) -> list[str]:
    """The board, and what stands between the players: a draw offer, a game to claim."""
    lines = describe(view, NAMES, make_game(view.game, view.options).place)
    if view.draw_offer is not None:
        lines.append(f"{NAMES[view.draw_offer]} offers a draw; to move is to decline it.")
    if view.seat is not None and view.may_claim == view.seat:
        lines.append("You may claim the game: too many of the other player's moves were refused.")
    return lines


def ending(view: View) -> list[str]:
    """How the match ended; nothing while it goes on."""
    return [] if view.outcome is None else phrases(view, NAMES).ending(view.outcome)


def answer(match: Match, view: View, text: str) -> None:
    """Play a typed answer to what `view` asks its seat, or refuse it with a TraplineError."""
    game, seat = match.game, view.seat
    if seat is None or view.asks is None:
        raise NotNow(question(view))
    if view.asks == "secret":
        match.choose_secret(seat, parse_secret(game, seat, text))
    elif view.asks == "trap":
        match.play(seat, *parse_trap_answer(text))
    else:
        match.play(seat, *parse_turn(game, text))
