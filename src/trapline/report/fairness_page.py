"""The fairness report: sentences and tables for the terminal, and a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from trapline.games import make_game, options_text
from trapline.report import svg
from trapline.solve.sentences import worth

if TYPE_CHECKING:
    from trapline.fairness import Report, Score, Variant

EVEN = 0.2
"""A game whose value is nearer to 0 than this is close to even."""
SKILFUL = 0.2
"""A game in which thinking gains more than this rewards skill."""


def percent(score: Score) -> str:
    share = score.won / score.matches
    drawn = f", {score.drawn / score.matches:.0%} drawn" if score.drawn else ""
    return f"{share:.0%} won{drawn} (score {score.mean:+.2f} ± {score.margin:.2f})"


def levels_table(report: Report) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("both play", "who moves first"):
        table.add_column(column)
    for level, score in report.first_mover.items():
        table.add_row(level, percent(score))
    return table


def variants_table(report: Report) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("variant", "value", "thinking gains", ""):
        table.add_column(column)
    for variant in report.variants:
        table.add_row(
            label(report.game, variant.options),
            _value(variant),
            f"{variant.skill.mean:+.2f} ± {variant.skill.margin:.2f}",
            "even, and rewards skill" if good(variant) else "",
        )
    return table


def _value(variant: Variant) -> str:
    return "not solved" if variant.bounds is None else worth(variant.bounds, 3)


def good(variant: Variant) -> bool:
    return variant.unevenness < EVEN and variant.skill.mean > SKILFUL


def label(name: str, options: dict[str, Any]) -> str:
    return options_text(make_game(name, options)) or "the rulebook's"


def advice(report: Report) -> str:
    best = [variant for variant in report.variants if good(variant)]
    if best:
        names = "; ".join(label(report.game, variant.options) for variant in best[:3])
        return f"Closest to even and still a game of skill: {names}."
    solved = [variant for variant in report.variants if variant.value is not None]
    if not solved:
        return "No variant of the grid was solved."
    closest = solved[0]
    return (
        "No variant of the grid is both close to even and a game of skill; the closest is "
        f"{label(report.game, closest.options)}, worth {_value(closest)} to who moves first."
    )


def plot(report: Report) -> str:
    """Unevenness against what thinking gains, one point a variant: good ones are top left."""
    solved = [variant for variant in report.variants if variant.value is not None]
    points = [(variant.unevenness, variant.skill.mean) for variant in solved]
    far = max(1.0, *(x for x, _ in points), *(y for _, y in points)) if points else 1.0
    # Names of all would cover each other; those worth naming stand where they can be read.
    labels = [label(report.game, variant.options) if good(variant) else "" for variant in solved]
    marks = [(share * far, f"{share * far:g}") for share in (0.0, 0.5, 1.0)]
    drawing = svg.plot(
        f"Variants of {report.game}: how uneven, and what thinking gains",
        [svg.Series("", points, "one", labels)],
        svg.Frame((0.0, far), (-0.25, far), 760, 420),
        x_title="how far from even (0 is even, 1 is a win for one side)",
        y_title="what thinking gains",
        y_marks=marks,
        x_marks=marks,
        lines=False,
    )
    return drawing.replace("<title>", f"<style>{svg.STYLE}</style><title>", 1)
