"""`python -m bench.planted`: how long the simulated worlds take to find each planted bug.

Each is a mistake in the server's own source (`tests/seeded/planted.py`). Worlds are run from the
first seed on until one ends as it must not; times are of this process's processor.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time

from tests.seeded import plan as plans
from tests.seeded.planted import BUGS, planted
from tests.seeded.stage import staged
from tests.seeded.world import run


def search(seconds: float) -> tuple[int, float, str]:
    """Worlds and seconds until something was found, and what; nothing if time was up."""
    begun = time.process_time()
    for seed in itertools.count():
        fault = run(plans.make(seed)).fault
        passed = time.process_time() - begun
        if fault or passed > seconds:
            return seed + 1, passed, fault.partition("\n")[0]
    raise AssertionError("seeds do not end")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.planted", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each bug, at most")
    parser.add_argument("--last", type=int, default=len(BUGS), help="so many of the list alone")
    options = parser.parse_args()
    bugs = BUGS[-options.last :]
    found = 0
    with staged():
        for bug in bugs:
            with planted(bug):
                worlds, seconds, fault = search(options.seconds)
            found += bool(fault)
            what = fault or "NOT FOUND"
            print(f"{seconds:6.1f} s {worlds:4} worlds  {bug.name}: {what[:100]}", flush=True)
    print(f"{found} of {len(bugs)} were found")
    return 0 if found == len(bugs) else 1


if __name__ == "__main__":
    sys.exit(main())
