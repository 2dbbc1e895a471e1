"""The solutions that are shipped: `python -m bench.solutions` loads and proves each of them.

`--rebuild` solves every rulebook and preset anew and writes what is shipped; `--compare` solves
them anew and says where a value differs from what is shipped. Each takes minutes, but no variant
more than ten; a comparison that was ended goes on where it was.

Some variants take so long, or so much luck, that their solutions are shipped too: those stay as
they are, and `python -m bench.box --more` goes on with them.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from trapline.games import GAMES, RULEBOOKS, make_game, options_text
from trapline.solve import methods, solve, storage
from trapline.solve.checkpoints import Checkpoints

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from trapline.core import Game
    from trapline.solve import Solution

LARGEST = 20_000_000
"""Bytes that all solutions together may take."""


def shipped_games() -> Iterator[Game[Any]]:
    """Every rulebook as it stands, and its presets; one under several names comes once."""
    for kind in RULEBOOKS:
        variants = [{}, *(preset.options for preset in kind.presets)]
        yield from dict.fromkeys(make_game(kind, options) for options in variants)


def hard_games() -> Iterator[Game[Any]]:
    """Variants whose solutions are shipped because nobody should have to search for them again."""
    known = {storage.shipped(game) for game in shipped_games()}
    for kind in RULEBOOKS:
        folder = storage.shipped(make_game(kind)).parent
        for file in sorted({*folder.glob("*.solution")} - known):
            found = storage.unpack(file)
            if found is not None:
                yield make_game(kind, found[0].options)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rebuild", action="store_true")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--game", choices=list(GAMES), help="compare this one alone")
    given = parser.parse_args()
    if given.rebuild:
        rebuild()
    if given.compare and given.game:
        return compare(given.game)
    return max(report(), compare() if given.compare else 0)


def rebuild() -> None:
    """Solve rulebooks and presets anew, and remove what is not shipped any more."""
    folders, kept = set(), {storage.shipped(game) for game in hard_games()}
    for game in shipped_games():
        file = storage.shipped(game)
        storage.save(solve(game, target=1e-6, time_limit=600), file)
        folders.add(file.parent)
        kept.add(file)
        print(f"{_name(game)}: {file.stat().st_size} bytes", flush=True)
    for old in (file for folder in folders for file in folder.glob("*.solution")):
        if old not in kept:
            old.unlink()


def report() -> int:
    """Load each one as a fresh install does; 1 if one does not hold, or all are too large."""
    total, bad = 0, 0
    for game in (*shipped_games(), *hard_games()):
        file = storage.shipped(game)
        begin = time.process_time()
        found = storage.read(file, game, 1, methods) if file.is_file() else None
        spent = time.process_time() - begin
        size = file.stat().st_size if file.is_file() else 0
        total += size
        bad |= found is None
        value = "does not hold" if found is None else f"{found.value:+.6f}"
        print(f"{_name(game):60} {value:>14} {size:>9} bytes {spent:6.2f} s")
    print(f"{total} bytes in all, of {LARGEST}")
    return int(bad or total > LARGEST)


def compare(only: str = "") -> int:
    """Solve each one anew, or those of one game; 1 if a value is not what is shipped."""
    bad, compared = 0, []
    for game in shipped_games():
        if only and game.name != only:
            continue
        begun = time.process_time()
        kept = storage.read(storage.shipped(game), game, 1, methods)
        file = storage.path(game).with_name(f"compared-{storage.name(game)}")
        compared.append(file)
        found = _anew(game, file)
        same = kept is not None and abs(found.value - kept.value) <= max(
            1e-6, found.exploitability + kept.exploitability
        )
        bad |= not same
        spent = time.process_time() - begun
        print(f"{_name(game)}: {'the same' if same else 'differs'}, {spent:.0f} s", flush=True)
    for file in compared:  # the next comparison begins anew
        file.unlink(missing_ok=True)
    return int(bad)


def _anew(game: Game[Any], file: Path) -> Solution:
    """A solution that owes nothing to what is shipped, from this comparison alone."""
    found = storage.read(file, game, 1, methods)
    if found is None:
        unfinished = Checkpoints(file)
        found = solve(game, target=1e-6, time_limit=600, checkpoints=unfinished)
        storage.save(found, file)
        unfinished.drop()
    return found


def _name(game: Game[Any]) -> str:
    return f"{game.name} {options_text(game)}".strip()


if __name__ == "__main__":
    sys.exit(main())
