"""A match as text for everybody's eyes: what a spectator may see of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trapline.core import Seat, View

WIDTH = 80


def spectator_text(view: View) -> str:
    """The board, and who is to move or how it ended."""
    # Drawing loads Rich, which an environment that shows nothing does not need.
    from trapline.terminal.boards import UNICODE, draw
    from trapline.words.phrases import phrases

    names: dict[Seat, str] = {1: "Player 1", 2: "Player 2"}
    lines = [line.plain.rstrip() for line in draw(view, names, WIDTH, UNICODE)]
    said = phrases(view, names)
    if view.outcome is not None:
        lines += said.ending(view.outcome)
    elif view.to_move is not None:
        lines += said.heading(view.to_move)
    else:
        lines.append("The players are choosing their secrets.")
    return "\n".join(lines)


def render(view: View, mode: str | None) -> str | None:
    """What an environment's `render` does in a mode: return the text, print it, or nothing."""
    if mode is None:
        return None
    text = spectator_text(view)
    if mode == "ansi":
        return text
    sys.stdout.write(text + "\n")
    return None
