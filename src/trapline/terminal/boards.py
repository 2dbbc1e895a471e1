"""Drawings of boards on a terminal: lines in colour, and what their signs mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from trapline.core import Board, Drawing, Names, Viewer


def draw(board: Board, names: Names, viewer: Viewer, *, ascii_only: bool, width: int) -> list[Text]:
    """A board and its legend, no line longer than `width`."""
    drawing = board.drawing(names, viewer, plain=ascii_only, width=width)
    lines = [Text.assemble(*line) for line in drawing.lines]
    return [*lines, *_legend(drawing, width)]


def _legend(drawing: Drawing, width: int) -> list[Text]:
    """Signs side by side, on as many lines as they need."""
    lines: list[Text] = []
    for sign, meaning, style in drawing.legend:
        entry = Text.assemble((sign, style), f" {meaning}")
        if lines and len(lines[-1]) + 3 + len(entry) <= width:
            lines[-1].append("   ").append_text(entry)
        else:
            lines.append(entry)
    for line in lines:
        line.truncate(width)
    return lines
