"""Draws the plots of docs/solving.md from solutions: `python -m bench.plots`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trapline.core import SEATS, Form
from trapline.games import make_game
from trapline.referee import Match
from trapline.report import svg
from trapline.solve import solved

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "plots"
COLOURS = ("one", "two", "good")


def write(name: str, drawing: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    styled = drawing.replace("<title>", f"<style>{svg.STYLE}</style><title>", 1)
    (FOLDER / name).write_text(styled + "\n", "utf-8")
    print(f"docs/plots/{name}")


def holds(secret: Form, place: int) -> bool:
    return isinstance(secret, tuple) and place in secret


def trap_frequencies(name: str, options: dict[str, Any], places: range, file: str) -> None:
    """How often best play traps each place, for both seats."""
    game = make_game(name, options)
    policy = solved(game).policy
    series = []
    for seat, label in zip(SEATS, ("first mover", "second mover"), strict=True):
        chances = policy.look(Match(game, 1).view(seat)).chances
        points = [(float(p), sum(c for s, c in chances.items() if holds(s, p))) for p in places]
        series.append(svg.Series(label, points, COLOURS[seat - 1], [f"{y:.0%}" for _, y in points]))
    write(
        file,
        svg.plot(
            f"How often best play traps each place in {name}",
            series,
            svg.Frame((float(places[0]), float(places[-1])), (0.0, 1.0)),
            x_title="place",
            y_title="trapped",
            y_marks=[(0.0, "0%"), (0.5, "50%"), (1.0, "100%")],
            x_marks=[(float(place), str(place)) for place in places],
            lines=True,
        ),
    )


def values_by_length(lengths: range, file: str) -> None:
    """The value of Trap Builder without walls, for one, two and three traps."""
    series = []
    for traps in (1, 2, 3):
        points = []
        for length in lengths:
            if length > traps + 1:
                options = {"length": length, "traps": traps, "walls": False}
                points.append((float(length), solved(make_game("trap-builder", options)).value))
        noun = "trap" if traps == 1 else "traps"
        series.append(svg.Series(f"{traps} {noun}", points, COLOURS[traps - 1]))
    write(
        file,
        svg.plot(
            "The value of Trap Builder without walls, by length and number of traps",
            series,
            svg.Frame((float(lengths[0]), float(lengths[-1])), (-1.0, 1.0)),
            x_title="length",
            y_title="value for the first mover",
            y_marks=[(-1.0, "−1"), (0.0, "0"), (1.0, "1")],
            x_marks=[(float(length), str(length)) for length in lengths],
            lines=True,
        ),
    )


def main() -> None:
    trap_frequencies("trap-builder", {"walls": False}, range(1, 10), "trap-builder-traps.svg")
    trap_frequencies("hidden-path", {}, range(1, 11), "hidden-path-traps.svg")
    values_by_length(range(4, 11), "trap-builder-values.svg")


if __name__ == "__main__":
    main()
