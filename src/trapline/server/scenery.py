"""The land that a board lies in, as static/js/scenery.js draws it: signs as on an old map."""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Picture
    from trapline.server.stills import Plan

SIGNS = {
    "fir": "M0-13L7 0H3L9 9H1V13H-1V9H-9L-3 0H-7Z",
    "oak": "M-1 12V4C-9 5-11-3-6-6C-6-13 6-13 6-6C11-3 9 5 1 4V12Z",
    "rock": "M-10 8L-6-4L-1-8L4-2L7-5L11 8Z",
    "cliff": "M-14-3H14M-11-3V4M-6-3V8M-1-3V5M4-3V9M9-3V4",
    "dune": "M-16 5Q-6-9 3 3Q8-3 16 5M-9 9Q-3 4 3 9",
    "cactus": "M-2 11V-10H2V11ZM-8-3V3H-2M8-6V0H2",
    "wall": "M-13-7H13V7H-13ZM-13 0H13M-4-7V0M5 0V7M-7 0V7M8-7V0",
    "pillar": "M-6 11H6M-4 11V-8M4 11V-8M-7-8H7M-7-11H7",
    "wave": "M-15 0Q-11-6-7 0T1 0T9 0T17 0",
    "reed": "M0 11Q-1 0-6-8M1 11V-11M2 11Q3 1 8-6",
    "tuft": "M-6 5Q-5-2-8-6M-1 5V-8M4 5Q3-1 7-5",
    "hill": "M-14 6C-8-8 8-8 14 6M-5-1L-7 5M1-3V5M6-1L8 5",
}
"""Signs around (0, 0), about 20 units across."""
LANDS = {
    "forest": ("fir", "fir", "oak", "fir", "tuft"),
    "gorge": ("cliff", "rock", "cliff", "hill"),
    "desert": ("dune", "cactus", "dune", "dune", "rock"),
    "ruins": ("wall", "pillar", "wall", "tuft"),
    "marsh": ("wave", "reed", "wave"),
    "country": ("tuft", "hill", "tuft", "oak"),
}
EVERY = 40
"""Units between two signs, about."""
CLEAR = 38
"""Units around a place that stay free."""
APART = 33
"""Units between two signs, however they fall."""
EDGE = 16
Point = tuple[float, float]


def scenery(picture: Picture, plan: Plan) -> str:
    land = picture.land if picture.land in LANDS else "country"
    # A board of cells has no room between them.
    signs = "".join(_scattered(LANDS[land], picture, plan)) if picture.fold else ""
    return f'<g class="scenery {land}" aria-hidden="true">{signs}</g>'


def _scattered(kinds: tuple[str, ...], picture: Picture, plan: Plan) -> Iterator[str]:
    taken = _occupied(picture, plan)
    put: list[Point] = []
    chance = _chances()
    top = float(EDGE)
    while top < plan.height:
        left = EDGE
        while left < plan.width:
            kind, dx, dy = next(chance), next(chance), next(chance)
            x, y = left + (dx - 0.5) * EVERY * 0.7, top + (dy - 0.5) * EVERY * 0.5
            inside = EDGE < x < plan.width - EDGE and EDGE < y < plan.height - EDGE
            free = all(hypot(a - x, b - y) > CLEAR for a, b in taken)
            if inside and free and all(hypot(a - x, b - y) > APART for a, b in put):
                put.append((x, y))
                name = kinds[int(kind * len(kinds))]
                at = f"translate({x:.1f} {y:.1f})"
                yield f'<path class="{name}" d="{SIGNS[name]}" transform="{at}"/>'
            left += EVERY
        top += EVERY * 0.8


def _chances() -> Iterator[float]:
    """Always the same land."""
    seed = 7
    while True:
        seed = seed * 16807 % 2147483647
        yield seed / 2147483647


def _occupied(picture: Picture, plan: Plan) -> list[Point]:
    """Places, what stands above and lies below them, points on the trail, and words."""
    spots = [plan.at(shape.x, shape.y) for shape in picture.shapes if shape.place is not None]
    around = [(spot.x, spot.y + off) for spot in spots for off in (-22, 4, 34)]
    between = [((one.x + two.x) / 2, (one.y + two.y) / 2) for one, two in pairwise(spots)]
    words = [plan.at(shape.x, shape.y) for shape in picture.shapes if shape.kind == "text"]
    return around + between + [(spot.x, spot.y) for spot in words]
