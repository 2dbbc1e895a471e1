"""Boards as SVG text, for what is not played on: cards, and how to play in pictures.

The page draws boards that are played on itself (static/js/picture.js); both draw the same, and a
test holds them together.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from trapline.boards.outlines import LETTERS, OUTLINES
from trapline.server.scenery import scenery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Picture, Shape

LARGEST = 2.4
STRETCH = 1.75
OVERLAP = 20
"""The edges of a strip are nearly empty, so its rows may lie closer."""
NOTICEABLE = 0.02


class Room(NamedTuple):
    """The space that a picture is laid out for; the land around the board fills all of it."""

    width: float
    height: float


CARD = Room(760, 270)
SCENE = Room(520, 230)


class Spot(NamedTuple):
    x: float
    y: float
    row: int


class Plan(NamedTuple):
    """Where the points of a picture lie: as they are, or in rows that run to and fro."""

    width: float
    height: float
    fold: float = 0
    per_row: int = 1
    last_column: int = 0
    pitch: float = 0
    left: float = 0
    above: float = 0
    step: float = 0

    def at(self, x: float, y: float) -> Spot:
        if not self.fold:
            return Spot(x, y, 0)
        column = max(0, min(int(x // self.fold), self.last_column))
        row, place = divmod(column, self.per_row)
        if row % 2:
            place = self.per_row - 1 - place
        across = self.left + (place + 0.5) * self.pitch + x - (column + 0.5) * self.fold
        return Spot(across, self.above + y + row * self.step, row)


def still(picture: Picture, room: Room) -> str:
    """A picture that says nothing and does nothing: the words beside it do."""
    plan = _folded(picture, room) if picture.fold else Plan(picture.width, picture.height)
    parts = "".join(
        _line(shape, plan) if shape.kind == "line" else _shape(shape, plan)
        for shape in picture.shapes
    )
    box = f"0 0 {short(plan.width)} {short(plan.height)}"
    return (
        f'<svg class="board" viewBox="{box}" aria-hidden="true" focusable="false">'
        f"{scenery(picture, plan)}{parts}</svg>"
    )


def short(number: float) -> str:
    return f"{round(number, 1):g}"


def _folded(picture: Picture, room: Room) -> Plan:
    columns = round(picture.width / picture.fold)
    rows, per_row, scale = _best_fold(picture, columns, room)
    step = picture.height - OVERLAP
    width = room.width / scale
    pitch = max(picture.fold, min(picture.fold * STRETCH, width / per_row))
    high = (rows - 1) * step + picture.height
    above = max(0.0, room.height / scale - high) / 2
    left = max(0.0, (width - pitch * per_row) / 2)
    full = (max(width, pitch * per_row), high + 2 * above)
    return Plan(*full, picture.fold, per_row, columns - 1, pitch, left, above, step)


def _best_fold(picture: Picture, columns: int, room: Room) -> tuple[int, int, float]:
    """As many rows as make it largest; of those that do, the ones that fill most."""
    best: tuple[list[float], tuple[int, int, float]] | None = None
    for rows in range(1, columns + 1):
        per_row = ceil(columns / rows)
        high = (rows - 1) * (picture.height - OVERLAP) + picture.height
        across, down = room.width / (per_row * picture.fold), room.height / high
        scale = min(LARGEST, across, max(1.0, down))
        wide = min(room.width, per_row * picture.fold * STRETCH * scale)
        filled = wide / room.width * min(1.0, high * scale / room.height)
        rank = [min(1.0, scale), float(down >= 1 or across < 1), scale, filled]
        if best is None or _is_more(rank, best[0]):
            best = rank, (rows, per_row, scale)
    assert best is not None  # a strip has columns
    return best[1]


def _is_more(one: list[float], two: list[float]) -> bool:
    """Compared by the first figure that differs noticeably."""
    differ = (a > b for a, b in zip(one, two, strict=True) if abs(a - b) > NOTICEABLE)
    return next(differ, False)


def _line(shape: Shape, plan: Plan) -> str:
    """Soft curves, and a wide bend where a row ends."""
    spots = [plan.at(x, y) for x, y in shape.points]
    path = f"M{short(spots[0].x)} {short(spots[0].y)}"
    for start, end in pairwise(spots):
        if start.row == end.row:
            middle = (start.x + end.x) / 2
            curve = (middle, start.y, middle, end.y, end.x, end.y)
        else:
            out = -30 if start.row % 2 else 30
            curve = (start.x + out, start.y + 16, end.x + out, end.y - 16, end.x, end.y)
        path += f"C{' '.join(map(short, curve))}"
    ways = "".join(f'<path class="{name}" d="{path}"/>' for name in ("bed", "body"))
    return f'<g class="line {escape(shape.look)}">{ways}</g>'


def _shape(shape: Shape, plan: Plan) -> str:
    spot = plan.at(shape.x, shape.y)
    names = f"shape {shape.kind} {shape.look} seat-{shape.owner or 'both'}"
    at = f"translate({short(spot.x)} {short(spot.y)})"
    parts = _outline(shape) + "".join(_letters(shape))
    return f'<g class="{escape(names)}" transform="{at}">{parts}</g>'


def _outline(shape: Shape) -> str:
    wide, high = shape.width / 2, shape.height / 2
    if shape.kind == "circle":
        return f'<circle class="body" r="{wide:g}"/>'
    if shape.kind == "rect":
        corner = f'x="{-wide:g}" y="{-high:g}" width="{2 * wide:g}" height="{2 * high:g}"'
        return f'<rect class="body" {corner} rx="5"/>'
    points = [f"{short(x * wide)},{short(y * high)}" for x, y in OUTLINES.get(shape.kind, ())]
    return f'<polygon class="body" points="{" ".join(points)}"/>' if points else ""


def _letters(shape: Shape) -> Iterator[str]:
    if shape.text:
        dx, dy = LETTERS.get(shape.kind, (0.0, 0.0))
        x, y = short(dx * shape.width / 2), short(dy * shape.height / 2)
        yield f'<text class="letters" x="{x}" y="{y}">{escape(shape.text)}</text>'
