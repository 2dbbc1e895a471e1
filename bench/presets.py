"""Which variants are worth a name: `python -m bench.presets GAME` prints the figures of many.

For each combination of options: the proven value and its bounds, how many turns a match takes,
what there is to gain by thinking (`perfect` against `casual`, from −1 to 1), and how narrow the
path is (in how many decisions a single answer keeps what best play makes of the position). The
presets in the games' folders were chosen from these figures:

- fair: the value is within 0.05 of even;
- deep: most to gain by thinking;
- quick: the fewest turns, as long as there is something to decide;
- brutal: the narrowest path, or a game that is decided before it begins.

`--fair FILE` asks of a whole box of options only whether any of them is fair, keeps a row for each
in a file, and goes on where it was stopped; rows of `python -m bench.box` may be in it.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from bench.box import judge, keep, kept_in, label_of, told
from trapline.coach.weighing import Settled, weigh
from trapline.contest import next_asked
from trapline.core import OptionsError, other
from trapline.games import GAMES, make_game
from trapline.players import PLAYERS
from trapline.referee import Match
from trapline.solve import TooLarge, solve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game, Seat
    from trapline.solve import Solution

SEARCHED: dict[str, dict[str, list[Any]]] = {
    "hidden-path": {
        "length": [4, 5, 6, 7, 8],
        "traps": [1, 2, 3],
        "max_step": [2, 3],
        "goal_traps": [True, False],
    },
    "trap-builder": {
        "length": [5, 6, 8, 9, 10],
        "traps": [1, 2, 3],
        "max_step": [2, 3],
        "trigger": ["landing", "passing"],
        "walls": [True, False],
    },
    "trap-runner": {"length": [5, 6, 8, 10, 14, 20], "max_step": [2, 3, 4, 5]},
    "secret-paths": {"size": [3, 5, 7, 9], "turn_limit": [20, 60, 200, 400]},
    "numeric-maze": {
        "length": [8, 12, 20, 30],
        "traps": [[], [3, 6], [5, 10, 15], [3, 4, 8, 9], [2, 4, 6, 8, 10], [4, 8, 12, 16]],
        "max_step": [2, 3, 4],
    },
}

EVEN = 0.05
"""A value no farther from 0 than this is fair."""
BOX: dict[str, list[Any]] = {
    "length": list(range(3, 13)),
    "traps": [1, 2, 3, 4],
    "max_step": [1, 2, 3, 4],
    "goal_traps": [True, False],
    "walls": [True, False],
}
"""Where a fair Hidden Path is looked for."""


def variants(name: str, options: dict[str, list[Any]]) -> Iterator[Game[Any]]:
    """Every combination that makes a game."""
    for values in product(*options.values()):
        try:
            yield make_game(name, dict(zip(options, values, strict=True)))
        except OptionsError:
            continue


def figures(game: Game[Any], matches: int, seconds: float) -> dict[str, Any]:
    solution = solve(game, target=1e-6, time_limit=seconds)
    played = [_play(solution, number) for number in range(matches)]
    decisions = sum(len(narrow) for _, _, narrow in played)
    return {
        "value": round(solution.value, 4),
        "bounds": [round(bound, 6) for bound in solution.bounds],
        "exact": solution.exact,
        "seconds": solution.facts.seconds,
        "turns": round(sum(turns for turns, _, _ in played) / matches, 1),
        "gain": round(sum(result for _, result, _ in played) / matches, 2),
        "narrow": round(sum(sum(narrow) for _, _, narrow in played) / max(1, decisions), 2),
        "sentence": solution.facts.sentence,
    }


def _play(solution: Solution, number: int) -> tuple[int, float, list[bool]]:
    """The solution against `casual`: turns, result, and where one answer alone was good."""
    rng = Random(f"presets {number}")
    seat: Seat = 1 if number % 2 else 2
    match = Match(solution.game, 1 if number % 4 < 2 else 2, rng=rng)
    narrow = []
    while (asked := next_asked(match)) is not None:
        view = match.view(asked)
        if asked == other(seat):
            match.play(asked, PLAYERS["casual"].choose(view, rng))
            continue
        weighed = weigh(solution, view)
        outlook = weighed.outlook
        if len(outlook.values) > 1 and weighed.settled is not Settled.LOST:
            narrow.append(len(weighed.keepers()) == 1)
        drawn = outlook.chances
        match.play(asked, rng.choices(list(drawn), list(drawn.values()))[0])
    result = 0.0 if match.outcome is None else match.outcome.result(seat)
    return match.view(None).turn, result, narrow


def look_for_fair(name: str, file: Path, seconds: float, most: int) -> None:
    """Judge what of the box is not in the file, and tell what is known of all of it."""
    wanted = list(dict.fromkeys(_rules(game) for game in variants(name, BOX)))
    rows = {_rules(make_game(name, row["options"])): row for row in kept_in(file)}
    for rules in [rules for rules in wanted if rules not in rows][:most]:
        options = dict(zip(BOX, rules, strict=True))
        rows[rules] = {"game": name, "options": options, **judge(name, options, seconds)}
        keep(file, rows[rules])
        print(f"{label_of(options)}: {told(rows[rules])}", flush=True)
    print("\n".join(fairness_of([rows[at] for at in wanted if at in rows], len(wanted))))


def _rules(game: Game[Any]) -> tuple[Any, ...]:
    """The options of a game, without one that forbids nothing: a wall that nobody could build."""
    options = {key: getattr(game.options, key) for key in BOX}
    options["walls"] |= options["traps"] < options["max_step"]
    return tuple(options.values())


def fairness_of(rows: list[dict[str, Any]], wanted: int) -> Iterator[str]:
    """How many are fair, how many are proven not to be, and what is left open."""
    fair = [row for row in rows if max(map(abs, row["bounds"])) <= EVEN]
    unfair = [row for row in rows if row["bounds"][0] > EVEN or row["bounds"][1] < -EVEN]
    left = [row for row in rows if row not in fair and row not in unfair]
    yield (
        f"{len(rows)} of {wanted} variants: {len(fair)} fair, {len(unfair)} proven to be farther "
        f"than {EVEN} from even, {len(left)} open."
    )
    least = min(unfair, key=lambda row: min(map(abs, row["bounds"])), default=None)
    if least is not None:
        lower, upper = least["bounds"]
        yield f"The least that is proven: {label_of(least['options'])}, {lower:.4f} … {upper:.4f}."
    for row in fair + left:
        lower, upper = row["bounds"]
        yield f"{label_of(row['options'])}: {lower:.4f} … {upper:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=30.0, help="for each variant")
    parser.add_argument("--fair", type=Path, metavar="FILE")
    parser.add_argument("--most", type=int, default=10_000, help="rows to judge now, for --fair")
    given = parser.parse_args()
    if given.fair is not None:
        look_for_fair(given.game, given.fair, given.seconds, given.most)
        return
    for game in variants(given.game, SEARCHED[given.game]):
        try:
            found = figures(game, given.matches, given.seconds)
        except TooLarge as error:
            found = {"too large": str(error)}
        options = {name: getattr(game.options, name) for name in SEARCHED[given.game]}
        print(json.dumps({**options, **found}), flush=True)


if __name__ == "__main__":
    main()
