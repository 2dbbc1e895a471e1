"""`python -m tests.seeded`: worlds of matches with faults, one after another, until time is up.

A world that ends as it must not is made as small as possible and written to a file, from which
`--replay` runs it again, byte for byte.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import multiprocessing
import os
import sys
import time
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

import msgspec

from tests.seeded import plan as plans
from tests.seeded.shrink import shrink
from tests.seeded.stage import staged
from tests.seeded.world import Outcome, run

AT_ONCE = 10
"""Worlds that a worker runs before it says how they ended, and ends with all that is left of them:
to take them apart would be a twelfth of the work."""

WARM = (0, 2)
"""Worlds with either store that are run before any worker begins: what Python has learnt in them of
the code it runs, and what is made once, all workers then have from the beginning."""


class Share(NamedTuple):
    """What came of some worlds."""

    worlds: int
    matches: int
    frames: int
    steps: int
    simulated: float
    processor: float
    broken: tuple[int, str] | None
    """The first seed whose world ended as it must not, and how."""


def run_share(seeds: range, matches: int) -> Share:
    total, begun = Share(0, 0, 0, 0, 0.0, 0.0, None), time.process_time()
    for seed in seeds:
        ended = run(plans.make(seed, matches))
        total = Share(
            total.worlds + 1,
            total.matches + ended.matches,
            total.frames + ended.frames,
            total.steps + ended.steps,
            total.simulated + ended.seconds,
            time.process_time() - begun,
            (seed, ended.fault) if ended.fault else None,
        )
        if ended.fault:
            break
    return total


class Worker:
    """A process that begins with all that is loaded here."""

    def __init__(self, first: int, matches: int) -> None:
        forked = multiprocessing.get_context("fork")
        self.told, telling = forked.Pipe(duplex=False)
        self._process = forked.Process(
            target=_work, args=(telling, range(first, first + AT_ONCE), matches), daemon=True
        )
        self._process.start()
        telling.close()

    def end(self) -> Share:
        """What it has found; EOFError if it has died."""
        share: Share = self.told.recv()
        self._process.join()
        return share


def _work(telling: Connection, seeds: range, matches: int) -> None:
    gc.disable()
    telling.send(run_share(seeds, matches))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.seeded", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for how long")
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--matches", type=int, default=60, help="opened in each world")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="at once")
    parser.add_argument("--replay", type=Path, help="a file that an earlier run has written")
    parser.add_argument("--trace", action="store_true", help="with --replay: all that is sent")
    options = parser.parse_args()
    if options.replay is not None:
        return replay(options.replay, trace=options.trace)
    return search(options.seconds, options.seed, options.matches, options.workers)


def search(seconds: float, first: int, matches: int, workers: int) -> int:
    begun = time.monotonic()
    shares: list[Share] = []
    starts = itertools.count(first, AT_ONCE)
    with staged():
        for seed in WARM:  # else everybody would load and remember what these need
            run(plans.make(seed, matches))
        running = [Worker(next(starts), matches) for _ in range(workers)]
        while running:
            wait([worker.told for worker in running])
            done = [worker for worker in running if worker.told.poll()]
            running = [worker for worker in running if worker not in done]
            shares += [worker.end() for worker in done]
            broken = next((share.broken for share in shares if share.broken), None)
            if broken is None and time.monotonic() - begun < seconds:
                running += [Worker(next(starts), matches) for _ in done]
    passed = time.monotonic() - begun
    worlds, played = sum(s.worlds for s in shares), sum(s.matches for s in shares)
    print(
        f"{worlds:,} worlds, {played:,} matches, {sum(s.frames for s in shares):,} messages, "
        f"{sum(s.simulated for s in shares) / 3600:,.0f} simulated hours in {passed:.0f} s with "
        f"{workers} workers: {3600 * played / passed:,.0f} matches an hour, "
        f"{1000 * sum(s.processor for s in shares) / played:.1f} ms of a processor for each"
    )
    return report(*broken, matches) if broken is not None else 0


def report(seed: int, fault: str, matches: int) -> int:
    print(f"seed {seed}: {fault}")
    with staged():
        plan, ended, tried = shrink(plans.make(seed, matches), run)
    path = Path(f"seeded-{seed}.json")
    path.write_bytes(msgspec.json.encode(plan))
    print(
        f"{tried} smaller worlds were tried; {path} has {len(plan.stories)} matches and "
        f"{len(plan.faults)} faults: {[fault.kind for fault in plan.faults]}\n{ended.fault}"
    )
    return 1


def replay(path: Path, *, trace: bool) -> int:
    plan = msgspec.json.decode(path.read_bytes(), type=plans.Plan)

    def show(when: float, to: str, text: bytes) -> None:
        print(f"{when:10.4f} {to} {text.decode()}")

    with staged():
        ended: Outcome = run(plan, show if trace else None)
    print(f"{ended.digest} {ended.fault or 'nothing is wrong'}")
    return 1 if ended.fault else 0


if __name__ == "__main__":
    sys.exit(main())
