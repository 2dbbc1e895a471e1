"""The board of a match as a PNG, for the card that a link to it becomes: what a spectator sees."""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Any

from trapline.boards.outlines import LETTERS, OUTLINES
from trapline.server.alphabet import ALPHABET, COLUMNS, ROWS, dots, spelled
from trapline.server.icons import as_png

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Picture, Shape

WIDTH, HEIGHT, MARGIN = 1200, 630, 40
FINER = 2
"""Each pixel is drawn so many times finer in both directions, and then averaged."""
Colour = tuple[int, int, int]
PAPER, EDGE, INK, TRAIL = (241, 231, 210), (138, 114, 80), (38, 36, 28), (226, 208, 170)
SEATS: dict[int | None, Colour] = {1: (11, 92, 99), 2: (160, 50, 28), None: (70, 66, 54)}
STATION = (252, 248, 238)
GOLD = (240, 190, 74)
MOST_ROWS = 3
"""How often a strip is folded at most, so that its figures can be read."""


RECTANGLE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
HEAD = 190
"""Rows above the board, where the card says what it shows."""
LINES = ((54, 8, INK), (118, 5, INK), (164, 4, SEATS[None]))
"""How far down each line of the head stands, how large its dots are, and its colour."""
SMALLEST = 2
TWO_FIGURES = 2 * COLUMNS + 1
"""Dots across that a place has room for."""


def draw_card(picture: Picture, head: Sequence[str] = ()) -> bytes:
    """The board, and above it at most three lines that say what it shows."""
    return as_png(_Canvas(picture, head).drawn())


class _Canvas:
    def __init__(self, picture: Picture, head: Sequence[str]) -> None:
        import numpy as np  # a server that nobody sends links of need not load it

        self._np = np
        self._picture = picture
        self._head = head
        above = HEAD if head else MARGIN
        room = (WIDTH - 2 * MARGIN, HEIGHT - above - MARGIN)
        rows = range(1, MOST_ROWS + 1) if picture.fold else range(1, 2)
        sizes = [self._folded(count) for count in rows]
        self._size = max(sizes, key=lambda size: min(room[0] / size[0], room[1] / size[1]))
        self._scale = FINER * min(room[0] / self._size[0], room[1] / self._size[1])
        self._left = (WIDTH * FINER - self._size[0] * self._scale) / 2
        self._top = ((HEIGHT + above - MARGIN) * FINER - self._size[1] * self._scale) / 2
        self._pixels = np.empty((HEIGHT * FINER, WIDTH * FINER, 3), np.uint8)
        self._pixels[:] = PAPER

    def drawn(self) -> Any:
        for shape in self._picture.shapes:
            if "hidden" not in shape.look:
                self._draw(shape)
        for text, (y, dot, colour) in zip(self._head, LINES, strict=False):
            written = spelled(text)
            fits = (WIDTH - 2 * MARGIN) // ((COLUMNS + 1) * max(1, len(written)))
            size = max(SMALLEST, min(dot, fits)) * FINER
            self._write(WIDTH * FINER / 2, y * FINER, size, written, colour)
        blocks = self._pixels.reshape(HEIGHT, FINER, WIDTH, FINER, 3)
        return blocks.mean(axis=(1, 3)).round().astype(self._np.uint8)

    def _folded(self, rows: int) -> tuple[float, float]:
        """The width and height of the board in so many rows."""
        picture = self._picture
        if rows == 1:
            return picture.width, picture.height
        columns = ceil(picture.width / picture.fold / rows)
        return columns * picture.fold, rows * picture.height

    def _at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the board lies on the card; rows run to and fro."""
        wide = self._size[0]
        row, x = divmod(x, wide)
        if row % 2:
            x = wide - x
        y += row * self._picture.height
        return self._left + x * self._scale, self._top + y * self._scale

    def _draw(self, shape: Shape) -> None:
        if shape.kind == "line":
            points = [self._at(x, y) for x, y in shape.points]
            for (ax, ay), (bx, by) in pairwise(points):
                steps = max(2, int(abs(bx - ax) + abs(by - ay)) // 4)
                for step in range(steps + 1):
                    part = step / steps
                    self._disc(ax + (bx - ax) * part, ay + (by - ay) * part, 9 * FINER, TRAIL)
            return
        x, y = self._at(shape.x, shape.y)
        wide, high = (size / 2 * self._scale for size in (shape.width, shape.height))
        place = shape.place is not None
        fill = STATION if place else SEATS[shape.owner]
        if "spent" in shape.look or "faint" in shape.look:
            fill = EDGE
        if shape.kind == "rose":
            fill = GOLD
        if shape.kind == "circle":
            self._disc(x, y, wide, EDGE if place else STATION)
            self._disc(x, y, wide - 3 * FINER, fill)
        elif corners := (RECTANGLE if shape.kind == "rect" else OUTLINES.get(shape.kind)):
            self._polygon(x, y, wide, high, corners, EDGE if place else STATION)
            self._polygon(x, y, wide - 3 * FINER, high - 3 * FINER, corners, fill)
        if set(shape.text) <= ALPHABET.keys() and wide:
            below = LETTERS.get(shape.kind, (0.0, 0.0))[1] * high
            dot = max(1, int(wide / TWO_FIGURES))
            self._write(x, y + below, dot, shape.text, INK if place else STATION)

    def _box(self, x: float, y: float, wide: float, high: float) -> tuple[slice, slice, Any, Any]:
        """The pixels around a point, and how far each is from it."""
        rows = slice(max(0, int(y - high)), max(0, int(y + high) + 2))
        columns = slice(max(0, int(x - wide)), max(0, int(x + wide) + 2))
        height, width = self._pixels[rows, columns].shape[:2]
        across = self._np.arange(columns.start, columns.start + width)[None, :] + 0.5 - x
        down = self._np.arange(rows.start, rows.start + height)[:, None] + 0.5 - y
        return rows, columns, across, down

    def _disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        rows, columns, across, down = self._box(x, y, radius, radius)
        self._pixels[rows, columns][across**2 + down**2 < radius**2] = colour

    def _polygon(
        self, x: float, y: float, wide: float, high: float, corners: Any, colour: Colour
    ) -> None:
        """A point is inside if a line from it crosses the outline an odd number of times."""
        if wide <= 0 or high <= 0:
            return
        rows, columns, across, down = self._box(x, y, wide, high)
        inside = self._np.zeros((down.shape[0], across.shape[1]), bool)
        scaled = [(a * wide, b * high) for a, b in corners]
        for (ax, ay), (bx, by) in zip(scaled, (*scaled[1:], scaled[0]), strict=True):
            if ay == by:
                continue
            crosses = (down < ay) != (down < by)
            inside ^= crosses & (across < ax + (down - ay) * (bx - ax) / (by - ay))
        self._pixels[rows, columns][inside] = colour

    def _write(self, x: float, y: float, dot: int, text: str, colour: Colour) -> None:
        """A text of the alphabet around a point; what is too long for the card is cut."""
        left = max(0, int(x - dot * ((COLUMNS + 1) * len(text) - 1) / 2))
        top = int(y - dot * ROWS / 2)
        for index, letter in enumerate(text):
            for row, column in dots(letter):
                down, across = top + row * dot, left + ((COLUMNS + 1) * index + column) * dot
                self._pixels[down : down + dot, across : across + dot] = colour
