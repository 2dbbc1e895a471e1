"""Small drawings as SVG text: line and scatter plots.

Colours are CSS variables of the page around them, so that one drawing serves light and dark.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STYLE = """
:root { --ink: #1d2733; --soft: #66717f; --line: #c9d1da; --paper: #ffffff; --one: #0b7285;
  --two: #a61e6e; --good: #2b8a3e; --bad: #c92a2a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa7b4; --line: #3d4752;
  --paper: #151b22; --one: #4dc4d6; --two: #f08bc4; --good: #69db7c; --bad: #ff8787; } }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink); }
"""


class Series(NamedTuple):
    name: str
    points: Sequence[tuple[float, float]]
    colour: str
    labels: Sequence[str] = ()


class Frame(NamedTuple):
    """Where data coordinates lie on the drawing."""

    x: tuple[float, float]
    y: tuple[float, float]
    width: int = 640
    height: int = 260
    left: int = 52
    bottom: int = 40
    top: int = 28

    def at(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.x[0]) / ((self.x[1] - self.x[0]) or 1)
        up = (y - self.y[0]) / ((self.y[1] - self.y[0]) or 1)
        inner_width = self.width - self.left - 12
        inner_height = self.height - self.bottom - self.top
        x_place = self.left + across * inner_width
        return round(x_place, 1), round(self.top + (1 - up) * inner_height, 1)


def plot(
    title: str,
    series: Sequence[Series],
    frame: Frame,
    *,
    x_title: str,
    y_title: str,
    y_marks: Sequence[tuple[float, str]],
    x_marks: Sequence[tuple[float, str]],
    lines: bool,
) -> str:
    """A plot with a title for those who cannot see it; lines, or points with labels."""
    parts = [_text((frame.left + frame.width) / 2, frame.height - 4, x_title, "middle", "soft")]
    parts.append(_text(4, 12, y_title, "start", "soft"))
    for value, label in y_marks:
        left, y = frame.at(frame.x[0], value)
        right, _ = frame.at(frame.x[1], value)
        parts.append(f'<path d="M{left} {y}H{right}" stroke="var(--line)"/>')
        parts.append(_text(left - 6, y + 4, label, "end", "soft"))
    for value, label in x_marks:
        x, y = frame.at(value, frame.y[0])
        parts.append(_text(x, y + 16, label, "middle", "soft"))
    for number, one in enumerate(series, 1):
        # Names stand at different places along the lines, so as not to cover each other.
        named_at = number * len(one.points) // (len(series) + 1)
        parts += _draw_series(one, frame, named_at if lines else None)
    return _svg(title, frame.width, frame.height, parts)


def _draw_series(one: Series, frame: Frame, named_at: int | None) -> Iterable[str]:
    """A line that is named at one of its points, or points with labels."""
    places = [frame.at(x, y) for x, y in one.points]
    if named_at is not None and places:
        path = "L".join(f"{x} {y}" for x, y in places)
        yield f'<path d="M{path}" fill="none" stroke="var(--{one.colour})" stroke-width="2"/>'
        x, y = places[named_at]
        anchor = "end" if x > frame.width * 0.8 else "middle"  # a name must not leave the page
        yield _text(x, y - 8, one.name, anchor, one.colour)
    for index, (x, y) in enumerate(places):
        label = one.labels[index] if index < len(one.labels) else ""
        yield (
            f'<circle cx="{x}" cy="{y}" r="3.5" fill="var(--{one.colour})">'
            f"<title>{escape(f'{one.name} {label}'.strip())}</title></circle>"
        )
        if label and named_at is None:
            right = x > frame.width * 0.7
            yield _text(x - 7 if right else x + 7, y + 4, label, "end" if right else "start", "ink")


def _text(x: float, y: float, text: str, anchor: str, colour: str) -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="var(--{colour})">{escape(text)}</text>'
    )


def _svg(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" role="img">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
