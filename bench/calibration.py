"""Are the coach's chances true? `python -m bench.calibration` lets levels play, and counts.

At every choice of every match the coach tells what its player can expect. Of all moments that were
told as 60 to 70 %, 60 to 70 % should have been won, a draw counting half. `--fit` finds, from
matches with other seeds, the `expectations` that the games' folders hold: how often each chance
against one who errs has really come true, by what best play makes of the position.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.cluster import executor
from trapline.coach.weighing import bucket, expectation, settles, weigh
from trapline.contest import next_asked
from trapline.core import SEATS
from trapline.games import GAMES, make_game
from trapline.players import PLAYERS, perfect
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game

LEVELS = ("random", "casual", "sharp", "perfect")
OFTEN = (3, 3, 1, 3)
"""`sharp` thinks long, so it plays less often."""
KNOTS = 9
BANDS = 10


class Moment(NamedTuple):
    settled: str
    raw: float
    """The chance against one who errs, before it is set right."""
    told: float
    won: float


def play(name: str, seed: str, matches: int) -> list[Moment]:
    """Every moment of some matches between levels drawn by chance."""
    rng = Random(f"calibration {name} {seed}")
    game = make_game(name)
    bare = uncalibrated(game)
    solution = perfect.solution_of(game)
    if solution is None:
        return []
    found: list[Moment] = []
    for _ in range(matches):
        levels = dict(zip(SEATS, rng.choices(LEVELS, OFTEN, k=2), strict=True))
        match = Match(game, rng.choice(SEATS), rng=rng)
        told = []
        while (seat := next_asked(match)) is not None:
            view = match.view(seat)
            answer = PLAYERS[levels[seat]].choose(view, rng)
            if view.question is not None and not view.question.forced:
                outlook = solution.policy.look(view)
                weighed = weigh(solution, outlook)
                raw = expectation(bare, outlook, answer, forced=solution.forced)
                kind = settles(outlook.values[answer], game.stake, forced=solution.forced)
                told.append((seat, kind.value, raw, weighed.expects(answer)))
            match.play(seat, answer)
        if match.outcome is None:
            continue
        for seat, kind_of, raw, expects in told:
            won = (1 + match.outcome.result(seat)) / 2
            found.append(Moment(kind_of, raw, expects, won))
    return found


def uncalibrated(game: Game[Any]) -> Game[Any]:
    """The same game, as if nothing had ever been counted."""
    kind: type[Game[Any]] = type("Uncalibrated", (type(game),), {"expectations": {}})
    return kind(game.options)


def gather(name: str, seed: str, matches: int, workers: int | None) -> list[Moment]:
    parts = [f"{seed} {part}" for part in range(max(1, matches // 20))]
    with executor(None, workers) as pool:
        done = pool.map(play, [name] * len(parts), parts, [min(20, matches)] * len(parts))
        return [moment for part in done for moment in part]


def fit(moments: list[Moment]) -> dict[str, tuple[float, ...]]:
    """For each kind of position, how often a raw chance came true: rising, at even knots."""
    kinds = defaultdict(list)
    for moment in moments:
        kinds[moment.settled].append(moment)
    return {kind: tuple(_knots(found)) for kind, found in sorted(kinds.items())}


def _knots(moments: list[Moment]) -> Iterator[float]:
    """Local means around each knot, where the raw chance itself weighs a little, made to rise."""
    means, weights = [], []
    for number in range(KNOTS):
        knot = number / (KNOTS - 1)
        near = [
            (max(0.0, 1 - abs(moment.raw - knot) * (KNOTS - 1)), moment.won) for moment in moments
        ]
        weight = 5.0 + sum(share for share, _ in near)
        overall = sum(moment.won for moment in moments) / len(moments)
        means.append((5.0 * overall + sum(share * won for share, won in near)) / weight)
        weights.append(weight)
    blocks = [[mean, weight, 1.0] for mean, weight in zip(means, weights, strict=True)]
    at = 0
    while at + 1 < len(blocks):  # pool adjacent violators
        (one, w1, n1), (two, w2, n2) = blocks[at], blocks[at + 1]
        if one <= two:
            at += 1
            continue
        blocks[at : at + 2] = [[(one * w1 + two * w2) / (w1 + w2), w1 + w2, n1 + n2]]
        at = max(0, at - 1)
    for mean, _, count in blocks:
        yield from [round(mean, 3)] * int(count)


def table(moments: list[Moment]) -> Iterator[str]:
    """Moments by what was told, and how many of them were won."""
    bands = defaultdict(list)
    for moment in moments:
        bands[bucket(moment.told, BANDS)].append(moment)
    for band, found in sorted(bands.items()):
        told = sum(moment.told for moment in found) / len(found)
        won = sum(moment.won for moment in found) / len(found)
        low, high = 100 * band // BANDS, 100 * (band + 1) // BANDS
        yield f"| {low}–{high} % | {len(found)} | {told:.1%} | {won:.1%} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--matches", type=int, default=4_000, help="for each game")
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    everything = []
    for name in given.games.split(","):
        moments = gather(name, "fit" if given.fit else "test", given.matches, given.workers)
        everything += moments
        if given.fit:
            print(name, fit(moments), flush=True)
        else:
            print(f"\n{name}: {given.matches} matches", *table(moments), sep="\n", flush=True)
    if not given.fit:
        print("\nall games", *table(everything), sep="\n")


if __name__ == "__main__":
    main()
