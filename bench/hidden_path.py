"""Hidden Path: the bounds, the strategies behind them, and matches played with them.

python bench/hidden_path.py                         the rulebook's game
python bench/hidden_path.py --set length=7          another size
python bench/hidden_path.py --table                 many sizes, bounds only
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.core import SECRET, Form, OptionsError, Seat, View
from trapline.games import make_game
from trapline.games.hidden_path.solving.race.exactly import prove_exactly
from trapline.games.hidden_path.solving.race.responses import at_least, respond
from trapline.games.hidden_path.solving.race.training import bound_hidden_path
from trapline.players import casual, uniform
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.race.races import RaceBounds, Strategy

    Chooser = Callable[[View, Random], Form]


def solved(bounds: RaceBounds) -> Chooser:
    def choose(view: View, rng: Random) -> Form:
        if view.asks == SECRET:
            secrets = bounds.secret_chances(view)
            return rng.choices(list(secrets), list(secrets.values()))[0]
        moves = bounds.move_chances(view)
        return rng.choices(list(moves), list(moves.values()))[0]

    return choose


def wins(game: HiddenPath, players: dict[Seat, Chooser], matches: int, seed: int) -> float:
    """How often Player 1, who moves first, wins."""
    rng, won = Random(seed), 0
    for _ in range(matches):
        match = Match(game, first=1)
        while match.outcome is None:
            seat = match.asked[0]
            match.play(seat, players[seat](match.view(seat), rng))
        won += match.outcome.winner == 1
    return won / matches


def show_secrets(bounds: RaceBounds, strategy: Strategy, name: str) -> None:
    print(f"\n{name}: secrets")
    for i in np.argsort(-strategy.mixture, kind="stable"):
        if strategy.mixture[i] > 0:
            secret = bounds.journeys.secrets[i]
            steps = [str(step) for step in range(1, 100) if secret >> step & 1]
            print(f"  {' '.join(steps):12}{strategy.mixture[i]:8.4f}")


def show_running(bounds: RaceBounds, mine: Strategy, theirs: Strategy, name: str) -> None:
    journeys = bounds.journeys
    times = theirs.mixture @ journeys.times(mine.policy)
    arrives = ", ".join(f"{t}: {p:.4f}" for t, p in enumerate(times) if p > 5e-5)
    print(f"\n{name}: moves needed against the other's secrets\n  {arrives}")
    print(f"  mean {times @ np.arange(len(times)):.3f}")
    reach = journeys.reach(mine.policy)
    print(f"{name}: routes before the first trap")
    routes: list[tuple[float, str]] = []
    changes: dict[int, str] = {}

    def walk(node: int, chance: float, route: tuple[int, ...]) -> None:
        for m in np.flatnonzero(mine.policy[node]):
            part = chance * float(mine.policy[node, m])
            where, safe = (*route, int(m) + 1), int(journeys.safe[node, m])
            trap = int(journeys.trap[node, m])
            if trap >= 0 and sum(where) not in changes:
                again = " ".join(f"{m + 1}: {p:.4f}" for m, p in enumerate(mine.policy[trap]) if p)
                changes[sum(where)] = f"{' '.join(map(str, np.cumsum(where))):12} then {again}"
            if safe >= 0:
                walk(safe, part, where)
            else:
                steps = np.cumsum(where)
                routes.append((part, " ".join(map(str, steps))))

    walk(0, 1.0, ())
    for chance, route in sorted(routes, reverse=True)[:15]:
        print(f"  {route:24}{chance:8.4f}")
    print(f"{name}: the first move after a first trap, which ends the route shown")
    for _, change in sorted(changes.items()):
        print(f"  {change}")
    print(f"  ({len(routes)} routes in all; {np.count_nonzero(reach)} nodes in use)")


def report(game: HiddenPath, matches: int, save: str | None) -> None:
    began = time.monotonic()

    def progress(iteration: int, lower: float, upper: float) -> None:
        spent = time.monotonic() - began
        print(f"  iteration {iteration:5}: [{lower:.12f}, {upper:.12f}]  {spent:.1f} s", flush=True)

    bounds = bound_hidden_path(game, progress=progress)
    result = {
        "value": bounds.value,
        "bounds": [bounds.lower, bounds.upper],
        "exploitability": bounds.exploitability,
        "seconds": round(bounds.seconds, 1),
    }
    print(json.dumps(result))
    if save:
        Path(save).write_bytes(bounds.to_bytes())
    first, second = bounds.first, bounds.second
    for name, mine, theirs in (("first", first, second), ("second", second, first)):
        show_secrets(bounds, mine, name)
        show_running(bounds, mine, theirs, name)
    for name, theirs, moves_first in (("first", second, True), ("second", first, False)):
        began = time.monotonic()
        chances = respond(bounds.journeys, theirs, responder_first=moves_first)
        spent = time.monotonic() - began
        print(f"\nthe {name} mover's best response, all secrets: {spent:.2f} s")
        hold = np.count_nonzero(chances > chances.max() - 1e-9)
        print(f"  secrets that hold the value: {hold} of {len(chances)}")
        goal = np.array([secret >> game.length & 1 for secret in bounds.journeys.secrets])
        for what, held in (("with", goal == 1), ("without", goal == 0)):
            if held.any():
                low, high = chances[held].min(), chances[held].max()
                print(f"  chance to win {what} the last step trapped: {low:.4f} to {high:.4f}")
    for name, mine in (("first", first), ("second", second)):
        began = time.monotonic()
        bound = prove_exactly(bounds.journeys, mine, moves_first=mine is first)
        spent = time.monotonic() - began
        print(f"proven in fractions by the {name} mover's strategy: {bound}  ({spent:.1f} s)")
    tail = at_least(first.mixture @ bounds.journeys.times(second.policy))
    shown = ", ".join(f"{t}: {p:.4f}" for t, p in enumerate(tail) if 0 < p < 1 - 1e-12)
    print(f"chance that the second mover needs so many moves or more: {shown}")
    me = solved(bounds)
    print(f"\n{matches} matches each before the referee, the first mover's share of wins")
    rivals: dict[str, Chooser] = {"random": uniform.choose, "casual": casual.choose}
    pairs: list[tuple[str, Chooser, Chooser]] = [("solved - solved", me, me)]
    pairs += [(f"solved - {name}", me, rival) for name, rival in rivals.items()]
    pairs += [(f"{name} - solved", rival, me) for name, rival in rivals.items()]
    for seed, (name, one, two) in enumerate(pairs):
        share = wins(game, {1: one, 2: two}, matches, seed)
        error = 1.96 * (share * (1 - share) / matches) ** 0.5
        print(f"  {name:18}{share:.4f} ± {error:.4f}", flush=True)
    print(f"  expected of solved - solved: {(bounds.value + 1) / 2:.4f}")


def table(seconds: float) -> None:
    print("length traps goal_traps      lower      upper    width  seconds")
    for goal_traps in (True, False):
        for traps in (1, 2, 3):
            for length in range(2, 11):
                options = {"length": length, "traps": traps, "goal_traps": goal_traps}
                try:
                    game: Any = make_game("hidden-path", options)
                except OptionsError:
                    continue
                bounds = bound_hidden_path(game, seconds=seconds)
                width = bounds.upper - bounds.lower
                print(
                    f"{length:6}{traps:6} {goal_traps!s:10} {bounds.lower:10.6f} "
                    f"{bounds.upper:10.6f} {width:8.5f} {bounds.seconds:8.1f}",
                    flush=True,
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--save", metavar="FILE")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each row of the table")
    given = parser.parse_args()
    if given.table:
        table(given.seconds)
        return
    options = {name: json.loads(text) for name, text in (each.split("=") for each in given.set)}
    game: Any = make_game("hidden-path", options)
    report(game, given.matches, given.save)


if __name__ == "__main__":
    main()
