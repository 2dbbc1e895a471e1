"""What simple strategies prove of Hidden Path, in seconds of one core.

python -m bench.routes                                     the rows of docs/hidden-path-bounds.md
python -m bench.routes --length 16 --traps 3 --max-step 3  one row
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from trapline.games import make_game
from trapline.games.hidden_path.solving.routes.method import RouteMethod
from trapline.solve.interface import Request, TooLarge

ROWS: tuple[tuple[int, int, bool], ...] = (
    (8, 2, True),
    (9, 2, True),
    (9, 2, False),
    (10, 3, True),
    (11, 2, True),
    (12, 2, True),
    (12, 2, False),
    (12, 3, True),
    (13, 3, True),
    (14, 2, True),
    (30, 3, True),
    (99, 3, True),
    (40, 6, True),
)


def row(options: dict[str, Any]) -> str:
    game: Any = make_game("hidden-path", options)
    began = time.process_time()
    try:
        lower, upper = RouteMethod(game).solve(Request()).bounds
    except TooLarge as error:
        lower, upper = error.proven or (-1.0, 1.0)
    told = " | ".join(str(value).lower() for value in options.values())
    return f"| {told} | {lower:+.5f} … {upper:+.5f} | {time.process_time() - began:.1f} s |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--length", type=int)
    parser.add_argument("--traps", type=int, default=3)
    parser.add_argument("--max-step", type=int, default=3)
    parser.add_argument("--goal-traps", action=argparse.BooleanOptionalAction, default=True)
    given = parser.parse_args()
    print("| length | traps | `goal_traps` | bounds | one core |")
    print("| --- | --- | --- | --- | --- |")
    if given.length is not None:
        names = ("length", "traps", "max_step", "goal_traps")
        print(row({name: getattr(given, name) for name in names}))
        return
    for length, traps, goal_traps in ROWS:
        print(row({"length": length, "traps": traps, "goal_traps": goal_traps}), flush=True)


if __name__ == "__main__":
    main()
