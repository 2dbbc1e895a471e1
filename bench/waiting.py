"""How long a fresh install makes people wait: `python -m bench.waiting`, in CPU seconds.

For every game and preset, each in a process of its own with an empty home: the first hint, the
first answer of `perfect`, and the first analysis, what is loaded for it included. Then variants
that are not shipped: how long until a named level has answered, and which one. `--write` puts the
tables into docs/coach.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from bench.pages import write_part
from trapline.games import RULEBOOKS, make_game, options_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GOAL, UNKNOWN_GOAL = 1.0, 2.0
UNKNOWN: list[tuple[str, dict[str, Any]]] = [
    ("hidden-path", {"length": 9, "traps": 2}),
    ("hidden-path", {"length": 30}),
    ("trap-builder", {"length": 12, "walls": False}),
    ("trap-runner", {"length": 17}),
    ("secret-paths", {"size": 7, "turn_limit": 31}),
    ("numeric-maze", {"length": 99, "max_step": 9}),
]

FIRST = """
import json, sys, time
begun = time.process_time()
from random import Random
from trapline.games import make_game
from trapline.referee import Match
what, name, options = json.loads(sys.argv[1])
game = make_game(name, options)
match = Match(game, 1, rng=Random(1))
seat = match.asked[0]
told = ""
if what == "hint":
    from trapline.coach import hint
    hint(match.view(seat))
elif what == "perfect":
    from trapline.players import PLAYERS
    PLAYERS["perfect"].choose(match.view(seat), Random(1))
elif what == "analysis":
    from trapline.coach import analyse
    from trapline.players import PLAYERS
    while (asked := match.asked):
        match.play(asked[0], PLAYERS["casual"].choose(match.view(asked[0]), Random(1)))
        if len(match.sealed_record().moves) >= 12 and match.outcome is None:
            match.resign(1)
    analyse(match.record())
else:
    from trapline.players import PLAYERS
    from trapline.terminal.thinking import Thinking
    thinking = Thinking(match)
    thinking.begin()
    choose, said = thinking.chooser("perfect", PLAYERS["perfect"])
    choose(match.view(seat), Random(1))
    thinking.stop()
    told = "sharp" if choose is PLAYERS["sharp"].choose else "perfect"
print(json.dumps([time.process_time() - begun, told]))
"""


def first(what: str, name: str, options: dict[str, Any]) -> tuple[float, str]:
    """CPU seconds of one first thing in a fresh process, and who answered where that is asked."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, "-c", FIRST, json.dumps([what, name, options])],
            env={**os.environ, "TRAPLINE_HOME": home},
            capture_output=True,
            text=True,
            check=True,
        )
    seconds, told = json.loads(done.stdout)
    return float(seconds), str(told)


ASKED = ("hint", "perfect", "analysis")


def shipped(game: str | None) -> Iterator[tuple[list[str], bool]]:
    """A row for each game and preset, and whether somebody had to wait."""
    for kind in RULEBOOKS:
        for preset in kind.presets:
            if game in (None, kind.name):
                took = [first(what, kind.name, preset.options)[0] for what in ASKED]
                row = [f"{kind.title}, {preset.name}", *(f"{t:.2f} s" for t in took)]
                yield row, max(took) > GOAL


def unknown(game: str | None) -> Iterator[tuple[list[str], bool]]:
    for name, options in UNKNOWN:
        if game in (None, name):
            took, who = first("unknown", name, options)
            variant = f"{name} {options_text(make_game(name, options))}"
            yield [variant, who, f"{took:.2f} s"], took > UNKNOWN_GOAL


def table(heads: Sequence[str], rows: Iterator[tuple[list[str], bool]]) -> tuple[list[str], int]:
    """The lines of a table, told as they are found, and how many of them took too long."""
    lines, slow = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"], 0
    for row, late in rows:
        lines.append(f"| {' | '.join(row)} |")
        print(lines[-1], flush=True)
        slow += late
    return lines, slow


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", help="this one alone")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    known, slow = table(("first", *ASKED), shipped(given.game))
    others, slower = table(("not shipped", "who answers", "after"), unknown(given.game))
    print(
        f"{slow + slower} slower than {GOAL:.0f} s, or {UNKNOWN_GOAL:.0f} s for what is not shipped"
    )
    if given.write:
        write_part("coach.md", "waiting", ["", *known, "", *others, ""])
    return int(slow + slower > 0)


if __name__ == "__main__":
    sys.exit(main())
