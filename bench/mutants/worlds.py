"""`python -m bench.mutants.worlds SECONDS`: fails with the first simulated world that does."""

from __future__ import annotations

import sys

from tests.seeded.stage import staged

from bench.planted import search


def main() -> int:
    with staged():
        worlds, _, fault = search(float(sys.argv[1]))
    if fault:
        print(f"ERROR world-{worlds - 1} {fault}")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
