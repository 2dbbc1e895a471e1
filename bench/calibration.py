"""Are the coach's chances true? `python -m bench.calibration` lets levels play, and counts.

At every choice of every match the coach tells what its player can expect. Of all moments that were
told as 60 to 70 %, 60 to 70 % should have been won, a draw counting half. Matches are of the
rulebooks and their presets, between levels drawn by chance; of each match up to so many moments
are counted. `--fit` finds, from matches with other seeds, the `expectations` in the games'
folders, and writes them there (`bench/fitting.py`). `--write` writes the tables of docs/coach.md.
The last line says how often the levels gave something away: that is what the model's error rate
(`solve/trembling.py`) stands for.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from bench.fitting import fit, write_expectations
from bench.pages import write_part
from trapline.cluster import executor
from trapline.coach.weighing import bucket, counted, weigh
from trapline.contest import next_asked
from trapline.core import SEATS
from trapline.games import GAMES, make_game, preset_of
from trapline.players import PLAYERS, perfect
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from trapline.core import Game

LEVELS = {"random": 20, "casual": 30, "keen": 25, "expert": 15, "perfect": 15, "sharp": 2}
"""How often each level plays; `sharp` thinks long, so it plays seldom."""
MATCHES = {
    "hidden-path": 1_500,
    "trap-builder": 4_000,
    "trap-runner": 7_000,
    "secret-paths": 1_500,
    "numeric-maze": 6_000,
}
"""How many are played, unless a number is given: more of what is cheap."""
BANDS = 10
A_MATCH = 12
"""So many moments of a match are counted; which, is drawn."""
A_TASK = 25
FEW = 100
"""Bands with fewer matches than this are left out of what is told of a single game."""


class Moment(NamedTuple):
    match: str
    variant: str
    """The preset."""
    guesses: tuple[tuple[str, float], ...]
    """Of the best answer, and of the one that was given if it is worse: what best play makes of
    it, and whether a secret was chosen; and the chance between two who err, before it is set
    right."""
    told: float
    """What the coach says of it: by what was counted until now, not when it was played."""
    won: float
    slipped: bool
    """Whether the answer gave away something of what could be forced."""

    @property
    def kind(self) -> str:
        return self.guesses[-1][0]

    @property
    def raw(self) -> float:
        return min(raw for _, raw in self.guesses)

    def told_by(self, expectations: Mapping[str, Sequence[float]]) -> Moment:
        """The same moment, told by other counts."""
        told = min(counted(expectations, self.variant, *guess) for guess in self.guesses)
        return self._replace(told=told)


def play(name: str, seed: str, matches: int) -> tuple[list[Moment], float]:
    """Moments of some matches between levels drawn by chance, and the CPU seconds they took."""
    begun = time.process_time()
    rng = Random(f"calibration {name} {seed}")
    kind = type(make_game(name))
    variants: list[dict[str, Any]] = [{}, *(preset.options for preset in kind.presets)]
    found: list[Moment] = []
    for number in range(matches):
        found += moments(make_game(kind, rng.choice(variants)), rng, f"{seed} {number}")
    return found, time.process_time() - begun


def moments(game: Game[Any], rng: Random, name: str) -> list[Moment]:
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
        weighed = weigh(solution, view)
        won = (1 + match.outcome.result(seat)) / 2
        found.append(
            Moment(
                name,
                preset_of(game),
                weighed.guesses(answer),
                weighed.expects(answer),
                won,
                slipped=weighed.lost(answer) > 0,
            )
        )
    return found


def gather(
    name: str, seed: str, matches: int, workers: int | None, folder: Path | None
) -> list[Moment]:
    """A game's moments; what a folder holds of an earlier run is not played again."""
    begins = range(0, matches, A_TASK)
    found = {begin: kept(folder, name, f"{seed} {begin}") for begin in begins}
    missing = [begin for begin in begins if found[begin] is None]
    seeds = [f"{seed} {begin}" for begin in missing]
    counts = [min(A_TASK, matches - begin) for begin in missing]
    spent = 0.0
    with executor(None, workers) as pool:
        parts = pool.map(play, [name] * len(seeds), seeds, counts)
        for begin, part, (played, seconds) in zip(missing, seeds, parts, strict=True):
            found[begin] = played
            spent += seconds
            keep(folder, name, part, played)
    print(f"{name}: {matches} matches, {spent:.0f} s of CPU for what was new", flush=True)
    expectations = make_game(name).expectations
    return [moment.told_by(expectations) for part in found.values() for moment in part or []]


def keep(folder: Path | None, name: str, part: str, played: list[Moment]) -> None:
    if folder is not None:
        (folder / f"{name} {part}.json").write_bytes(msgspec.json.encode(played))


def kept(folder: Path | None, name: str, part: str) -> list[Moment] | None:
    file = folder / f"{name} {part}.json" if folder is not None else None
    if file is None or not file.is_file():
        return None
    return msgspec.json.decode(file.read_bytes(), type=list[Moment])


# --- the tables -----------------------------------------------------------------------------


class Band(NamedTuple):
    """The moments of one band of what was told."""

    moments: int
    matches: int
    told: float
    won: float


def bands(found: list[Moment]) -> dict[int, Band]:
    """Moments by what was told, and how many of them were won."""
    inside = defaultdict(list)
    for moment in found:
        inside[bucket(moment.told, BANDS)].append(moment)
    return {band: _band(inside[band]) for band in sorted(inside)}


def _band(inside: list[Moment]) -> Band:
    count = len(inside)
    told = sum(moment.told for moment in inside) / count
    won = sum(moment.won for moment in inside) / count
    return Band(count, len({moment.match for moment in inside}), told, won)


def name_of(band: int) -> str:
    return f"{100 * band // BANDS}–{100 * (band + 1) // BANDS}%"


def overall(found: list[Moment]) -> Iterator[str]:
    yield "| told | moments | told on average | won |"
    yield "| --- | --- | --- | --- |"
    for band, (count, _, told, won) in bands(found).items():
        yield f"| {name_of(band)} | {count:,} | {told:.1%} | {won:.1%} |"


def game_by_game(found: dict[str, list[Moment]]) -> Iterator[str]:
    """What was told and what was won, a column for each game; thin bands are left out."""
    counted = {name: bands(moments) for name, moments in found.items()}
    titles = [make_game(name).title for name in counted]
    yield f"| told → won | {' | '.join(titles)} |"
    yield f"| --- {'| --- ' * len(titles)}|"
    for band in range(BANDS):
        cells = [
            f"{at.told:.1%} → {at.won:.1%}" if at is not None and at.matches >= FEW else "–"
            for at in (part.get(band) for part in counted.values())
        ]
        yield f"| {name_of(band)} | {' | '.join(cells)} |"


def summary(found: dict[str, list[Moment]]) -> str:
    every = [moment for part in found.values() for moment in part]
    matches = sum(len({moment.match for moment in part}) for part in found.values())
    slipped = sum(moment.slipped for moment in every) / len(every)
    off = {
        (abs(at.told - at.won), name, band)
        for name, part in found.items()
        for band, at in bands(part).items()
        if at.matches >= FEW
    }
    told = f"{matches:,} matches. "
    if off:
        most, name, band = max(off)
        told += (
            f"Of bands with {FEW} matches of one game or more, the one told farthest from what was "
            f"won is {name_of(band)} of {make_game(name).title}, by {most:.1%}. "
        )
    return told + (
        f"Of all answers that the levels gave, {slipped:.1%} gave something away of what could be "
        "forced."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    help_games = "which, and how many matches of each: hidden-path:400,trap-runner"
    parser.add_argument("--games", default=",".join(GAMES), help=help_games)
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--folder", type=Path, help="keep what was played, and go on from there")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--seed", default="test", help="which matches, where nothing is fitted")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    found: dict[str, list[Moment]] = {}
    seed = "fit" if given.fit else given.seed
    for wanted in given.games.split(","):
        name, _, count = wanted.partition(":")
        matches = int(count or MATCHES[name])
        found[name] = gather(name, seed, matches, given.workers, given.folder)
        if given.fit:
            write_expectations(name, fit(found[name]))
    every = [moment for part in found.values() for moment in part]
    lines = [*overall(every), "", *game_by_game(found), "", summary(found)]
    print("\n".join(lines))
    if given.write and not given.fit:
        write_part("coach.md", "calibration", ["", *lines, ""])


if __name__ == "__main__":
    main()
