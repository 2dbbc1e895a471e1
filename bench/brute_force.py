"""Values and bounds against brute force over the real referee, on small options drawn at random.

python -m bench.brute_force              200 option sets
python -m bench.brute_force --draws 1000 --seed 7
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from random import Random

from tests.solve import brute
from tests.solve.against import compare


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=6_000, help="positions of one game")
    given = parser.parse_args()
    rng, counted = Random(given.seed), Counter[str]()
    seen: set[tuple[str, str]] = set()
    begin = time.process_time()
    while len(seen) < given.draws:
        name, options = brute.small_game(rng)
        key = (name, repr(sorted(options.items())))
        if key in seen:
            continue
        try:
            method = compare(name, options, given.most)
        except brute.TooLong:
            continue
        seen.add(key)
        counted[f"{name.rpartition('/')[2]}, by {method}"] += 1
        if len(seen) % 20 == 0:
            print(f"{len(seen)} agree, {time.process_time() - begin:.0f} s", flush=True)
    for label, count in sorted(counted.items()):
        print(f"  {count:4} {label}")
    print(f"{len(seen)} different option sets, all in agreement")


if __name__ == "__main__":
    main()
