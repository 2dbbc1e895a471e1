"""Which variants are worth a name: `python -m bench.presets GAME` prints the figures of many.

For each combination of options: the proven value and its bounds, how many turns a match takes,
what there is to gain by thinking (`perfect` against `casual`, from −1 to 1), and how narrow the
path is (in how many decisions a single answer keeps what best play makes of the position). The
presets in the games' folders were chosen from these figures:

- fair: the value is within 0.05 of even;
- deep: most to gain by thinking;
- quick: the fewest turns, as long as there is something to decide;
- brutal: the narrowest path, or a game that is decided before it begins.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

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
    "secret-paths": {"size": [3, 5, 7, 9]},
    "numeric-maze": {
        "length": [8, 12, 20, 30],
        "traps": [[], [3, 6], [5, 10, 15], [3, 4, 8, 9], [2, 4, 6, 8, 10], [4, 8, 12, 16]],
        "max_step": [2, 3, 4],
    },
}


def variants(name: str) -> Iterator[Game[Any]]:
    """Every combination that makes a game."""
    options = SEARCHED[name]
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=30.0, help="for each variant")
    given = parser.parse_args()
    for game in variants(given.game):
        try:
            found = figures(game, given.matches, given.seconds)
        except TooLarge as error:
            found = {"too large": str(error)}
        options = {name: getattr(game.options, name) for name in SEARCHED[given.game]}
        print(json.dumps({**options, **found}), flush=True)


if __name__ == "__main__":
    main()
