"""The outlines of shapes that have corners, within a square from −1 to 1.

The page draws the same (server/static/js/shapes.js); a test holds them together.
"""

from __future__ import annotations

from math import cos, pi, sin

Points = tuple[tuple[float, float], ...]


def _spikes(count: int, inner: float) -> Points:
    turns = [(i * pi / count, inner if i % 2 else 1.0) for i in range(2 * count)]
    return tuple((sin(angle) * reach, -cos(angle) * reach) for angle, reach in turns)


OUTLINES: dict[str, Points] = {
    "diamond": ((0, -1), (1, 0), (0, 1), (-1, 0)),
    "triangle": ((-1, 1), (0, -1), (1, 1)),
    "wedge": ((-1, -1), (0, 1), (1, -1)),
    "star": _spikes(8, 0.765),
    "rose": _spikes(4, 0.377),
    "flag": ((-0.6, 1), (-0.6, -1), (1, -1), (0.7, -0.45), (1, 0.1), (-0.4, 0.1), (-0.4, 1)),
}
LETTERS = {"triangle": (0.0, 0.32), "wedge": (0.0, -0.26), "flag": (0.15, -0.42)}
"""Where letters stand in a shape whose middle is not where it is widest."""
