"""The fairness report: sentences and tables for the terminal, and a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from rich.table import Table

from trapline.fairness.changes import FAIR
from trapline.games import make_game, options_text
from trapline.report import svg
from trapline.solve.sentences import worth

if TYPE_CHECKING:
    from trapline.fairness import Report, Score, Variant
    from trapline.fairness.best_play import BestPlay
    from trapline.fairness.changes import Change
    from trapline.fairness.figures import Estimate, Ladder, Pair

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


def measures(report: Report) -> list[str]:
    """What only a solved game has, each figure in a sentence that says what it means."""
    if report.best_play is None:
        return ["It is not solved, so there is nothing exact to say about best play."]
    return [
        _fairer(report),
        *_best_play(report.best_play),
        _sight(report.sight),
        *(_habit(name, costs) for name, costs in report.habits.items()),
        *(_restraint(name, costs) for name, costs in report.restraints.items()),
        _ladder(report.ladder),
    ]


def _fairer(report: Report) -> str:
    own = make_game(report.game, report.options)
    if report.value is not None and abs(report.value) <= FAIR:
        return "It is fair as it is: best play gives both an even chance, or nearly."
    if report.fairer is None:
        return f"None of {report.changes} variants that change one rule is proven to be fair."
    changed = type(own)(msgspec.structs.replace(own.options, **_as_options(report.fairer)))
    chance = (1 + report.fairer.worth) / 2
    return (
        f"The smallest change that makes it fair is {options_text(changed)}: then whoever moves "
        f"first wins {chance:.0%} with best play."
    )


def _as_options(change: Change) -> dict[str, Any]:
    value = tuple(change.value) if isinstance(change.value, list) else change.value
    return {change.option: value}


def _best_play(found: BestPlay) -> list[str]:
    def told(name: str, form: str) -> str:
        played, margin = getattr(found.played, name), getattr(found.margins, name)
        estimate = f"{form.format(played)} ± {form.format(margin)} in {found.matches} matches"
        if found.exact is None:
            return estimate
        return f"{form.format(getattr(found.exact, name))} exactly, {estimate}"

    return [
        f"A match of best play takes so many turns: {told('turns', '{:.1f}')}.",
        (
            "Decisions in which it matters what is answered, of those with a choice: "
            f"{told('matter', '{:.0%}')}."
        ),
        (
            "Chance that best play needs, so as not to be found out, in bits a match (tosses of a "
            f"coin): {told('bits', '{:.1f}')}."
        ),
        f"How often the lead changes hands in a match: {told('lead_changes', '{:.2f}')}.",
        (
            "How far below even the winner had been, as a chance of winning: "
            f"{told('drama', '{:.0%}')}."
        ),
    ]


def _sight(sight: Pair | None) -> str:
    if sight is None:
        return "What seeing the other's secret is worth is not worked out: the tree is too large."
    if not sight.first and not sight.second:
        return "Seeing what the other hides is worth nothing against best play."
    return (
        "Seeing the other's secret, once both are chosen, adds to the chance of winning against "
        f"best play: {_moving(sight)}."
    )


def _moving(pair: Pair) -> str:
    """Both chances of a pair, each beside what came out in matches."""
    tried = ["", ""]
    if pair.played is not None:
        tried = [f" ({_tried(found, '{:.0%}')})" for found in pair.played]
    return f"{pair.first:.0%}{tried[0]} moving first and {pair.second:.0%}{tried[1]} moving second"


def _tried(found: Estimate, form: str) -> str:
    return f"{form.format(found.mean)} ± {form.format(found.margin)} in {found.matches} matches"


def _habit(name: str, costs: Pair) -> str:
    return (
        f"Whoever plays the solution but {name} loses, to somebody who knows it, so much of the "
        f"chance of winning: {_moving(costs)}."
    )


def _restraint(name: str, costs: Pair | None) -> str:
    if costs is None:
        return f"What it costs who {name} is not worked out: the tree is too large."
    if costs.at_least:
        return (
            f"Whoever {name}, and plays as well as that can be done, gives away to somebody who "
            f"plays the solution at least so much of the chance of winning: {_moving(costs)}."
        )
    if costs.played is None and not costs.first and not costs.second:
        return f"Whoever {name} loses nothing by it: the solution itself does without."
    return (
        f"Whoever {name}, and plays as well as that can be done, gives away, to somebody who knows "
        f"it, so much of the chance of winning: {_moving(costs)}."
    )


def _ladder(ladder: Ladder | None) -> str:
    if ladder is None:
        return "The ladder of best replies is not worked out: the tree is too large."
    tried = [f" ({_tried(found, '{:+.2f}')})" for found in ladder.played]
    tried += [""] * (len(ladder.results) - len(tried))
    rungs = ", ".join(f"{r:+.2f}{told}" for r, told in zip(ladder.results, tried, strict=True))
    end = "they run in circles: there is no best way that may be known"
    if ladder.settles is not None:
        end = f"from reply {ladder.settles} on that is best play"
    return (
        "The first mover's best reply to random play, the other's best reply to that, and so on, "
        f"get the first mover (+1 is a win, −1 a loss) {rungs}; {end}."
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
