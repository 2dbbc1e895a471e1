"""The characters that boards are drawn with."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Seat

STYLES: dict[Seat, str] = {1: "bold cyan", 2: "bold magenta"}
"""Colour only repeats what a character already says."""
FAINT = "dim"

Piece = tuple[str, str]
"""Some text, and its style."""
Line = tuple[Piece, ...]


class Glyphs(NamedTuple):
    traps: tuple[str, str]
    spent: tuple[str, str]
    public: str
    goal: str
    across: str
    down: str
    corners: str
    """Nine characters: top, middle and bottom line, each with its left, inner and right one."""


UNICODE = Glyphs(("▲", "▼"), ("△", "▽"), "◆", "★", "─", "│", "┌┬┐├┼┤└┴┘")
ASCII = Glyphs(("^", "v"), ("x", "x"), "#", "*", "-", "|", "+++++++++")


def glyphs(plain: bool) -> Glyphs:
    return ASCII if plain else UNICODE


def border(edges: Sequence[str], corners: str) -> Piece:
    return corners[0] + corners[1].join(edges) + corners[2], FAINT


def cells(row: Sequence[Line], signs: Glyphs) -> Line:
    """Cells side by side, with bars between them."""
    bar = (signs.down, FAINT)
    pieces: list[Piece] = [bar]
    for cell in row:
        pieces += [*cell, bar]
    return tuple(pieces)
