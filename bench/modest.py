"""What a modest seat proves on Hidden Path, and how long that takes one core.

python -m bench.modest                                      the rows of docs/hidden-path-bounds.md
python -m bench.modest --length 9 --traps 2 --modesty 1,0   one row: wasted with the first step of a
                                                            journey, later, in all; and luck
python -m bench.modest ... --secrets 4,6,8 6,7,8            the same for who keeps to these secrets

Seconds are those of a core, and each seat may have so many of them (`--seconds`): however busy the
machine is, the rows are the same.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from trapline.core import SEATS
from trapline.games import make_game
from trapline.games.hidden_path.solving.duel.training import train
from trapline.games.hidden_path.solving.duel.tree import build, measure
from trapline.games.hidden_path.solving.modest.method import ModestMethod
from trapline.games.hidden_path.solving.modest.pool import Modesty
from trapline.games.hidden_path.solving.modest.search import SETTLED, bound_of

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.modest.pool import Support
    from trapline.solve.interface import Certificate

MOST = 12_000_000
ROWS: tuple[tuple[int, int, bool, Modesty], ...] = (
    (8, 2, False, Modesty(1, 0)),
    (8, 2, True, Modesty(1, 0)),
    (10, 2, False, Modesty(1, 0)),
    (9, 2, False, Modesty(1, 0)),
    (9, 2, False, Modesty(1, 1, 1)),
    (11, 2, True, Modesty(0, 0)),
    (11, 2, True, Modesty(1, 0, luck=1)),
)


def row(
    options: dict[str, Any], modesty: Modesty, seconds: float, support: Support | None = None
) -> str:
    game: Any = make_game("hidden-path", options)
    way = ModestMethod(game)
    told = [" ".join(f"{name}={value}" for name, value in options.items()), str(tuple(modesty))]
    for seat in SEATS:
        size = measure(way.pair(seat, modesty, support), MOST)
        if size is None:
            told.append(f"more than {MOST:,} nodes")
            continue
        tree, began = build(way.pair(seat, modesty, support), size), time.process_time()

        def enough(proven: Certificate, began: float = began) -> bool:
            late = time.process_time() - began > seconds
            return late or proven.upper - proven.lower <= SETTLED

        _, proven = train(tree, enough)
        spent = time.process_time() - began
        told.append(f"{size.nodes:,} nodes {spent:.1f} s {bound_of(seat, proven):+.5f}")
    return " | ".join(told)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--length", type=int)
    parser.add_argument("--traps", type=int, default=2)
    parser.add_argument("--max-step", type=int, default=3)
    parser.add_argument("--goal-traps", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--modesty", default="1,0", help="up to four numbers")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--secrets", nargs="+", help="steps, such as 4,6,8; else all worth hiding")
    given = parser.parse_args()
    if given.length is None:
        for length, traps, goal_traps, modesty in ROWS:
            options = {"length": length, "traps": traps, "goal_traps": goal_traps}
            print(row(options, modesty, given.seconds), flush=True)
        return
    options = {name: getattr(given, name) for name in ("length", "traps", "max_step", "goal_traps")}
    modesty = Modesty(*map(int, given.modesty.split(",")))
    secrets = [sum(1 << int(step) for step in one.split(",")) for one in given.secrets or ()]
    print(row(options, modesty, given.seconds, tuple(sorted(secrets)) or None))


if __name__ == "__main__":
    main()
