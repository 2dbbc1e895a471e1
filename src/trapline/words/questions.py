"""What a player who reads nothing but text has to be told: the rules, and what is asked."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from trapline.core import SEATS, Moved, Seat
from trapline.games import make_game
from trapline.notation import format_turn
from trapline.words import rulebook

if TYPE_CHECKING:
    from trapline.core import View

NAMES: dict[Seat, str] = {seat: f"Player {seat}" for seat in SEATS}
"""Programs are called by their seats, as the rulebooks do."""
LEFT_OUT = ("Errata", "First tips")
"""Sections of the rules that decide nothing: slips of the rulebook, and advice."""


@cache
def rules(name: str) -> str:
    """All that decides the game of this name, in Markdown."""
    title, *sections = rulebook.page(name).split("\n## ")
    kept = [text for text in sections if text.partition("\n")[0] not in LEFT_OUT]
    return "\n## ".join([title, *kept]).strip()


def question(view: View) -> str:
    """What the viewer is asked now, with every legal answer; or whom everybody waits for."""
    game = make_game(view.game, view.options)
    if view.asks == "secret" and view.seat is not None:
        return f"Choose your secret: {game.secret_hint(view.seat)}."
    if view.asks == "trap":
        return f"Set a trap on {game.place} {left(view)}, which you just left? Answer y or n."
    if view.asks == "move":
        more = ", each also with a t behind it to trap the square you leave" * game.hides_turns
        return f"Your turn. Legal moves: {listed(view)}{more}."
    if view.outcome is not None:
        return "The match is over."
    waiting = f"It is {NAMES[view.to_move]}'s turn" if view.to_move else "Your opponent is choosing"
    return f"{waiting}; you are not asked anything now."


def listed(view: View) -> str:
    """The legal moves, in the notation that reads them back."""
    return " ".join(format_turn((move,)) for move in view.legal)


def left(view: View) -> object:
    """The square that the viewer's last move began on."""
    own = (event for event in view.events if isinstance(event, Moved) and event.by == view.seat)
    *_, last = own
    return last.start
