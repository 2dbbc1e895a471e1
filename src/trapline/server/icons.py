"""The icons that a phone or a desktop shows for the installed page, drawn here as PNG."""

from __future__ import annotations

import itertools
import struct
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

Point = tuple[float, float]

ICONS = {"icon-192.png": (192, 1.0), "icon-512.png": (512, 1.0), "icon-mask-512.png": (512, 0.68)}
"""Pixels across, and how much of it the sign fills: a system may cut a masked icon to any shape."""

PALETTE = ((245, 237, 220, 0), (245, 237, 220, 255), (154, 123, 79, 255), (11, 92, 99, 255))
"""Nothing, paper, trail and sign: red, green, blue, and how opaque."""
TRIANGLE: Sequence[Point] = ((16, 8), (25, 23), (7, 23))
WAY: Sequence[Sequence[Point]] = (
    ((4, 27), (11, 27), (8, 17), (15, 17)),
    ((15, 17), (22, 17), (21, 5), (28, 5)),
)
"""Two curves, each by its four points: those of favicon.svg, in a square of 32."""
DOT = 1.25
FINER = 3
"""Each pixel is drawn so many times finer in both directions, and then averaged."""


def draw_icon(name: str) -> bytes:
    import numpy as np

    size, part = ICONS[name]
    spots = 16 + ((np.arange(size * FINER) + 0.5) * 32 / (size * FINER) - 16) / part
    x, y = spots[None, :], spots[:, None]
    paint = np.ones((len(spots), len(spots)), np.uint8)  # a number of PALETTE
    if part == 1:
        paint[~_rounded(x, y, 7)] = 0
    for spot in _dots():
        paint[(x - spot[0]) ** 2 + (y - spot[1]) ** 2 < DOT**2] = 2
    paint[_inside(x, y, TRIANGLE)] = 3
    blocks = paint.reshape(size, FINER, size, FINER)
    shares = [(blocks == index).mean(axis=(1, 3)) for index in range(len(PALETTE))]
    pixels = sum(
        share[..., None] * np.array(colour) for share, colour in zip(shares, PALETTE, strict=True)
    )
    return as_png(np.asarray(pixels).round().astype(np.uint8))


def _rounded(x: Any, y: Any, radius: float) -> Any:
    """Within a square of 32 whose corners are round."""
    aside = abs(x - 16).clip(16 - radius) - (16 - radius)
    above = abs(y - 16).clip(16 - radius) - (16 - radius)
    return aside**2 + above**2 < radius**2


def _inside(x: Any, y: Any, corners: Sequence[Point]) -> Any:
    """Within a figure whose corners go round clockwise."""
    inside = True
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        inside = inside & ((bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0)
    return inside


def _dots() -> list[Point]:
    """Dots along the way, one every six units."""
    points = [_on_curve(curve, step / 40) for curve in WAY for step in range(41)]
    dots, walked = [points[0]], 0.0
    for before, here in itertools.pairwise(points):
        walked += ((here[0] - before[0]) ** 2 + (here[1] - before[1]) ** 2) ** 0.5
        if walked >= 6:
            dots.append(here)
            walked = 0.0
    return dots


def _on_curve(curve: Sequence[Point], t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    x, y = (sum(w * p[axis] for w, p in zip(weights, curve, strict=True)) for axis in (0, 1))
    return x, y


def as_png(pixels: Any) -> bytes:
    """Rows of red, green, blue and, if it varies, how opaque, as a PNG file."""
    height, width, parts_of_one = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 6 if parts_of_one == 4 else 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )
