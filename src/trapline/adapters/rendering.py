"""A match as text for everybody's eyes: what a spectator may see of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from trapline.core import BY_SEAT

if TYPE_CHECKING:
    from trapline.core import Game, View

WIDTH = 80


def spectator_text(game: Game[Any], view: View) -> str:
    """The board, and who is to move or how it ended."""
    drawing = view.board.drawing(BY_SEAT, view.seat, plain=False, width=WIDTH)
    lines = ["".join(text for text, _ in line).rstrip() for line in drawing.lines]
    if drawing.legend:
        lines.append("   ".join(f"{sign.sign} {sign.meaning}" for sign in drawing.legend))
    words = game.words(game, view)
    if view.outcome is not None:
        lines += words.ending(view.outcome)
    elif view.to_move is not None:
        lines += words.heading(view.to_move)
    else:
        lines.append("The players are choosing.")
    return "\n".join(lines)


def render(game: Game[Any], view: View, mode: str | None) -> str | None:
    """What an environment's `render` does in a mode: return the text, print it, or nothing."""
    if mode is None:
        return None
    text = spectator_text(game, view)
    if mode == "ansi":
        return text
    sys.stdout.write(text + "\n")
    return None
