"""Are the coach's chances true? `python -m bench.calibration` lets levels play, and counts.

At every choice of every match the coach tells what its player can expect. Of all moments that were
told as 60 to 70 %, 60 to 70 % should have been won, a draw counting half. Matches are of the
rulebooks and their presets, between levels drawn by chance; of each match up to so many moments
are counted. `--fit` finds, from matches with other seeds, the `expectations` that the games'
folders hold: how often each chance between two who err has really come true, by what best play
makes of the position. The last line says how often the levels gave something away: that is what
the model's error rate (`solve/trembling.py`) stands for.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import nnls

from trapline.cluster import executor
from trapline.coach.weighing import Weighed, bucket, settles, weigh
from trapline.contest import next_asked
from trapline.core import SEATS
from trapline.games import GAMES, make_game
from trapline.players import PLAYERS, perfect
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.core import Form, Game

LEVELS = {"random": 20, "casual": 30, "keen": 25, "expert": 15, "perfect": 15, "sharp": 2}
"""How often each level plays; `sharp` thinks long, so it plays seldom."""
KNOTS = 13
BANDS = 10
A_MATCH = 12
"""So many moments of a match are counted; which, is drawn."""
A_TASK = 25
SMOOTH = 3.0
"""How many moments it takes to outweigh that the line would rather stay as it is."""


class Moment(NamedTuple):
    settled: str
    raw: float
    """The chance between two who err, before it is set right."""
    told: float
    won: float
    slipped: bool
    """Whether the answer gave away something of what could be forced."""


def play(name: str, seed: str, matches: int) -> tuple[list[Moment], float]:
    """Moments of some matches between levels drawn by chance, and the CPU seconds they took."""
    begun = time.process_time()
    rng = Random(f"calibration {name} {seed}")
    kind = type(make_game(name))
    variants: list[dict[str, Any]] = [{}, *(preset.options for preset in kind.presets)]
    found: list[Moment] = []
    for _ in range(matches):
        found += moments(make_game(kind, rng.choice(variants)), rng)
    return found, time.process_time() - begun


def moments(game: Game[Any], rng: Random) -> list[Moment]:
    """The moments of one match that are counted."""
    solution = perfect.solution_of(game)
    if solution is None:
        return []
    levels = dict(zip(SEATS, rng.choices(list(LEVELS), list(LEVELS.values()), k=2), strict=True))
    match = Match(game, rng.choice(SEATS), rng=rng)
    seen = []
    while (seat := next_asked(match)) is not None:
        view = match.view(seat)
        answer = PLAYERS[levels[seat]].choose(view, rng)
        if view.question is not None and not view.question.forced:
            seen.append((seat, view, answer))
        match.play(seat, answer)
    if match.outcome is None:
        return []
    found = []
    for seat, view, answer in rng.sample(seen, min(A_MATCH, len(seen))):
        weighed = weigh(solution, solution.policy.look(view))
        won = (1 + match.outcome.result(seat)) / 2
        slipped = weighed.lost(answer) > 0
        found.append(
            Moment(*uncalibrated(weighed, answer), weighed.expects(answer), won, slipped=slipped)
        )
    return found


def uncalibrated(weighed: Weighed, answer: Form) -> tuple[str, float]:
    """What would be told of an answer, as if nothing had ever been counted, and of what kind."""
    kind = settles(weighed.outlook.values[answer], weighed.game.stake, forced=weighed.forced)
    return kind.value, weighed._replace(game=bare(weighed.game)).expects(answer)


@lru_cache
def bare(game: Game[Any]) -> Game[Any]:
    """The same game without what was counted."""
    kind: type[Game[Any]] = type("Uncalibrated", (type(game),), {"expectations": {}})
    return kind(game.options)


def gather(
    names: Sequence[str], seed: str, matches: int, workers: int | None
) -> Iterator[tuple[str, list[Moment], float]]:
    """For each game its moments, and what they cost."""
    tasks = [(name, f"{seed} {part}") for name in names for part in range(-(-matches // A_TASK))]
    with executor(None, workers) as pool:
        found: dict[str, list[Moment]] = defaultdict(list)
        spent: dict[str, float] = defaultdict(float)
        done = pool.map(play, *zip(*tasks, strict=True), [min(A_TASK, matches)] * len(tasks))
        for (name, _), (part, seconds) in zip(tasks, done, strict=True):
            found[name] += part
            spent[name] += seconds
    for name in names:
        yield name, found[name], spent[name]


# --- setting chances right ------------------------------------------------------------------


def fit(found: list[Moment]) -> dict[str, tuple[float, ...]]:
    """For each kind of position, how often a raw chance came true: rising, at even knots."""
    kinds = defaultdict(list)
    for moment in found:
        kinds[moment.settled].append(moment)
    return {kind: knots(of_kind) for kind, of_kind in sorted(kinds.items())}


def knots(found: list[Moment]) -> tuple[float, ...]:
    """The rising line between even knots that comes nearest to what happened.

    Least squares over what the line gains at each knot, none of which may be a loss. Where no
    moments lie, it gains nothing.
    """
    raw = np.array([moment.raw for moment in found])
    won = np.array([moment.won for moment in found])
    place = raw[:, None] * (KNOTS - 1) - np.arange(KNOTS)
    hats = np.clip(1 - np.abs(place), 0, 1)
    gains = np.tril(np.ones((KNOTS, KNOTS)))
    steps = SMOOTH**0.5 * np.eye(KNOTS)[1:]
    system = np.vstack([hats @ gains, steps])
    answer, _ = nnls(system, np.concatenate([won, np.zeros(len(steps))]))
    return tuple(round(float(min(1.0, level)), 3) for level in np.cumsum(answer))


# --- the tables -----------------------------------------------------------------------------


def table(found: list[Moment]) -> Iterator[str]:
    """Moments by what was told, and how many of them were won."""
    bands = defaultdict(list)
    for moment in found:
        bands[bucket(moment.told, BANDS)].append(moment)
    for band, inside in sorted(bands.items()):
        told = sum(moment.told for moment in inside) / len(inside)
        won = sum(moment.won for moment in inside) / len(inside)
        low, high = 100 * band // BANDS, 100 * (band + 1) // BANDS
        yield f"| {low}–{high} % | {len(inside)} | {told:.1%} | {won:.1%} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--matches", type=int, default=4_000, help="for each game")
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    everything: list[Moment] = []
    names, seed = given.games.split(","), "fit" if given.fit else "test"
    for name, found, spent in gather(names, seed, given.matches, given.workers):
        everything += found
        print(f"\n{name}: {given.matches} matches, {spent:.0f} s of CPU", flush=True)
        print(fit(found) if given.fit else "\n".join(table(found)), flush=True)
    if not given.fit:
        print("\nall games", *table(everything), sep="\n")
    slipped = sum(moment.slipped for moment in everything) / len(everything)
    print(f"\nof {len(everything)} answers {slipped:.1%} gave something away")


if __name__ == "__main__":
    main()
