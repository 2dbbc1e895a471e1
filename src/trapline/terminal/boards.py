"""Drawings of boards on a terminal: lines in colour, and what their signs mean."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from trapline.core import Board, Drawing, Names, Viewer


def draw(board: Board, names: Names, viewer: Viewer, *, ascii_only: bool, width: int) -> list[Text]:
    """A board and its legend, no line longer than `width`."""
    drawing = board.drawing(names, viewer, plain=ascii_only, width=width)
    return [*_lines(drawing), *legend(drawing, width)]


def draw_within(
    board: Board,
    names: Names,
    viewer: Viewer,
    *,
    ascii_only: bool,
    place: str,
    size: tuple[int, int],
) -> list[Text]:
    """A board in so many columns and lines: without its legend, or in words, where it must be.

    Nothing where not even the words have room.
    """
    width, height = size
    drawing = board.drawing(names, viewer, plain=ascii_only, width=width)
    lines = _lines(drawing)
    whole = [*lines, *legend(drawing, width)]
    if any(len(line) > width for line in lines) or len(lines) > height:
        told = board.words(names, place)
        whole = lines = [Text(part) for line in told for part in textwrap.wrap(line, width)]
    return next((form for form in (whole, lines) if len(form) <= height), [])


def _lines(drawing: Drawing) -> list[Text]:
    return [Text.assemble(*line) for line in drawing.lines]


def legend(drawing: Drawing, width: int) -> list[Text]:
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
