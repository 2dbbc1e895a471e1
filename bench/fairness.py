"""What only solved games have, in a table: `python -m bench.fairness` measures games with secrets.

Each figure stands beside the same from matches, with half the width of its 95% interval. `--write`
puts the table into docs/coach.md.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bench.pages import write_part
from trapline.fairness.replies import habits, sight
from trapline.fairness.restraints import restraints
from trapline.games import make_game
from trapline.solve import solved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.fairness.figures import Pair

VARIANTS = {
    "hidden-path": ("rulebook", "fair", "brutal"),
    "trap-builder": ("fair", "quick"),
}


def lines() -> Iterator[str]:
    yield "| variant | what | moving first | in matches | moving second | in matches |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, presets in VARIANTS.items():
        for preset in presets:
            options = next(p.options for p in make_game(name).presets if p.name == preset)
            solution = solved(make_game(name, options))
            found: dict[str, Pair | None] = {}
            if not solution.forced:
                found["sees the other's secret, gains"] = sight(solution)
            found |= {f"{habit}, loses": cost for habit, cost in habits(solution).items()}
            found |= {f"{never}, loses": cost for never, cost in restraints(solution).items()}
            title = f"{solution.game.title}, {preset}"
            yield from (row(title, what, pair) for what, pair in found.items() if pair is not None)


def row(title: str, what: str, pair: Pair) -> str:
    least = "at least " if pair.at_least else ""
    cells = [title, what]
    for number, exact in enumerate((pair.first, pair.second)):
        cells.append(f"{least}{exact:.1%}")
        tried = pair.played[number] if pair.played is not None else None
        cells.append("by the proof" if tried is None else f"{tried.mean:.0%} ± {tried.margin:.0%}")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    told = []
    for line in lines():
        print(line, flush=True)
        told.append(line)
    if given.write:
        write_part("coach.md", "fairness", ["", *told, ""])


if __name__ == "__main__":
    main()
