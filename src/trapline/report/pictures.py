"""Boards as SVG text: any picture, painted by the looks of its shapes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from trapline.boards.outlines import LETTERS, OUTLINES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trapline.core import Picture, Seat, Shape

SIZES = {"trap": 10, "flag": 11, "faint": 13, "big": 22, "place": 17}
MARGIN = 8
"""Room for letters that are wider than what they stand under."""
FILLED = {"piece", "trap", "flag", "goal", "rose"}


def board(picture: Picture, title: str) -> str:
    """A picture as SVG, with a title for those who cannot see it."""
    parts = "".join(part for shape in picture.shapes for part in _drawn(shape))
    width = picture.width + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" '
        f'viewBox="{-MARGIN} 0 {width:g} {picture.height:g}" role="img">'
        f"<title>{escape(title)}</title>{parts}</svg>"
    )


def _drawn(shape: Shape) -> Iterable[str]:
    looks = shape.look.split()
    if shape.kind == "line":
        path = "L".join(f"{x} {y}" for x, y in shape.points)
        yield f'<path d="M{path}" fill="none" stroke="var(--line)" stroke-width="2.5"/>'
        return
    full = bool(FILLED.intersection(looks)) and "spent" not in looks
    seat = _seat_colour(shape.owner)
    fill, edge = (seat, "paper") if full else ("paper", seat if shape.owner else "line")
    paint = f'fill="var(--{fill})" stroke="var(--{edge})" stroke-width="1.5"'
    if outline := _outline(shape):
        yield f"<{outline} {paint}/>"
    if shape.text:
        dx, dy = LETTERS.get(shape.kind, (0.0, 0.0))
        size = next((SIZES[look] for look in looks if look in SIZES), 14)
        x, y = shape.x + dx * shape.width / 2, shape.y + dy * shape.height / 2
        anchor = "start" if "start" in looks else "middle"
        colour = "paper" if full else "soft" if "faint" in looks else seat
        yield (
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" '
            f'dominant-baseline="central" fill="var(--{colour})">{escape(shape.text)}</text>'
        )


def _seat_colour(owner: Seat | None) -> str:
    return {1: "one", 2: "two", None: "ink"}[owner]


def _outline(shape: Shape) -> str:
    width, height = shape.width, shape.height
    if shape.kind == "circle":
        return f'circle cx="{shape.x:g}" cy="{shape.y:g}" r="{width / 2:g}"'
    if shape.kind == "rect":
        corner = f'x="{shape.x - width / 2:g}" y="{shape.y - height / 2:g}"'
        return f'rect {corner} width="{width:g}" height="{height:g}" rx="5"'
    points = OUTLINES.get(shape.kind, ())
    corners = (f"{shape.x + x * width / 2:.1f},{shape.y + y * height / 2:.1f}" for x, y in points)
    return f'polygon points="{" ".join(corners)}"' if points else ""
