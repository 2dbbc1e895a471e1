"""Which option sets are judged, and how closely: every variant in a box, one row each.

python -m bench.box --into box.jsonl         all of Hidden Path's box: many hours; the same command
                                             goes on where it was stopped
python -m bench.box --table box.jsonl        what is in that file, as Markdown
python -m bench.box --length 8 --traps 2     part of the box
python -m bench.box --game trap-builder      Trap Builder's
python -m bench.box --sizes                  only how large each tree is
python -m bench.box --here --seconds 6       a first map: all rows in one process, a row's seconds
                                             being those of the processor, however busy it is
python -m bench.box --rows 8/3/2/false ...   these rows alone, by their values in the box's order
python -m bench.box --into FILE --again      also the rows of the file that are still open; of a row
                                             that was run twice the closer one counts
python -m bench.box --more --rows ...        go on from what is shipped, and ship what comes closer
python -m bench.box --scheduler ADDRESS      rows on a Dask cluster, by the same code

A row has the bounds, their width, the way they were found, seconds, those of the processor, and the
peak of memory. Rows run in processes of their own, one after the other unless more workers are
asked for, so that one that is killed costs only itself.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from typing import Any

from trapline.cluster import executor
from trapline.core import OptionsError
from trapline.games import make_game

ROOT = Path(__file__).resolve().parents[1]
CLOSED = 0.01
Task = tuple[str, dict[str, Any], float, float, bool]
"""A game, its options, seconds, how close is close enough, and whether to go on with what is
shipped."""
BOXES: dict[str, dict[str, list[Any]]] = {
    "hidden-path": {
        "length": list(range(1, 13)),
        "traps": [1, 2, 3, 4],
        "max_step": [1, 2, 3, 4],
        "goal_traps": [True, False],
    },
    "trap-builder": {
        "length": list(range(2, 15)),
        "traps": [1, 2, 3, 4],
        "trigger": ["landing", "passing"],
        "walls": [True, False],
    },
}


def option_sets(name: str, wanted: dict[str, int]) -> list[dict[str, Any]]:
    """What of a box makes a game, the smaller first."""
    found = []
    box = BOXES[name]
    for values in product(*box.values()):
        options = dict(zip(box, values, strict=True))
        if any(options.get(key) != value for key, value in wanted.items()):
            continue
        try:
            make_game(name, options)
        except OptionsError:
            continue
        found.append(options)
    return sorted(found, key=lambda options: (options["length"], options["traps"]))


def named_so(options: dict[str, Any]) -> str:
    """What a row is called on the command line: its values, in the box's order."""
    return "/".join(str(value).lower() for value in options.values())


def judge(
    name: str, options: dict[str, Any], seconds: float, target: float = 1e-4, more: bool = False
) -> dict[str, Any]:
    """One row, in this process."""
    from trapline.solve import TooLarge, methods, solve, storage

    begin, cpu = time.monotonic(), time.process_time()
    game: Any = make_game(name, options)
    known = storage.read(storage.shipped(game), game, 1, methods) if more else None
    try:
        found = solve(game, time_limit=seconds, target=target, known=known)
        if more and (known is None or found.exploitability < known.exploitability):
            storage.save(found, storage.shipped(game))
        row = {"bounds": found.bounds, "method": found.facts.method, "exact": found.exact}
    except TooLarge as error:
        row = {"bounds": error.proven or (-1.0, 1.0), "method": str(error), "exact": False}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    spent = {"seconds": time.monotonic() - begin, "cpu": time.process_time() - cpu}
    return {**row, **spent, "megabytes": peak}


def measure_tree(options: dict[str, Any], most: int) -> str:
    from trapline.games.hidden_path.solving.doubts import explore
    from trapline.games.hidden_path.solving.duel.tree import measure
    from trapline.games.hidden_path.solving.race.races import secrets_of

    game: Any = make_game("hidden-path", options)
    hidden = explore(game.length, game.options.max_step, secrets_of(game))
    size = measure((hidden, hidden), most)
    return f"more than {most:,}" if size is None else f"{size.nodes:,} {size.memory / 1e6:.0f} MB"


def in_own_process(task: Task) -> dict[str, Any]:
    """The same, wherever this runs."""
    name, options, seconds, target, more = task
    command = [sys.executable, "-m", "bench.box", "--one", json.dumps(options)]
    command += ["--game", name, "--seconds", str(seconds), "--target", str(target)]
    command += ["--more"] if more else []
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        return {"died": done.returncode}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def label_of(options: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())


def told(row: dict[str, Any]) -> str:
    if "died" in row:
        return f"died with {row['died']}"
    lower, upper = row["bounds"]
    return (
        f"{lower:+.6f} {upper:+.6f} width {upper - lower:.6f} {row['method'][:40]} "
        f"{row['seconds']:.1f} s {row['cpu']:.1f} s of CPU {row['megabytes']} MB"
    )


def kept_in(path: Path) -> list[dict[str, Any]]:
    """The rows of a file; one that was cut off in the middle does not count."""
    if not path.exists():
        return []
    found = []
    for line in path.read_text().splitlines():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return closest(found)


def width_of(row: dict[str, Any]) -> float:
    lower, upper = row["bounds"]
    return float(upper - lower)


def closest(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each option set, of several that with the narrowest bounds."""
    best: dict[str, dict[str, Any]] = {}
    for row in rows:
        key = row["game"] + named_so(row["options"])
        if key not in best or width_of(row) < width_of(best[key]):
            best[key] = row
    return list(best.values())


def keep(path: Path, row: dict[str, Any]) -> None:
    with path.open("a") as file:
        if file.tell() and not path.read_bytes().endswith(b"\n"):
            file.write("\n")
        file.write(json.dumps(row) + "\n")


def counts(judged: list[dict[str, Any]]) -> list[str]:
    """How many lengths are exact, closed and open, for all that belongs to one line."""
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in judged:
        options = {name: value for name, value in row["options"].items() if name != "length"}
        groups.setdefault(tuple(options.values()), []).append(row)
    names = [name for name in judged[0]["options"] if name != "length"] if judged else []
    lines = [
        f"| {' | '.join(names)} | exact | within {CLOSED} | open lengths: how wide |",
        f"|{' --- |' * (len(names) + 3)}",
    ]
    for key in sorted(groups, key=str):
        widths = {row["options"]["length"]: width_of(row) for row in groups[key]}
        exact = sum(row["exact"] for row in groups[key])
        wide = {length: width for length, width in sorted(widths.items()) if width > CLOSED}
        told = ", ".join(f"{length}: {width:.3f}" for length, width in wide.items()) or "–"
        shown = [str(value).lower() for value in key]
        near = len(widths) - exact - len(wide)
        lines.append(f"| {' | '.join(shown)} | {exact} | {near} | {told} |")
    return lines


def table(rows: list[dict[str, Any]]) -> str:
    """How many option sets are exact, closed and open, and the open ones one by one."""
    judged = [row for row in rows if "bounds" in row]
    exact = sum(row["exact"] for row in judged)
    wide = [row for row in judged if width_of(row) > CLOSED]
    near = len(judged) - exact - len(wide)
    lines = [
        f"{len(judged)} option sets: {exact} exact, {near} within {CLOSED}, {len(wide)} open.",
        "",
        *counts(judged),
        "",
        "| open | bounds | by | seconds of CPU |",
        "| --- | --- | --- | --- |",
    ]
    for row in wide:
        lower, upper = row["bounds"]
        by = row["method"] if " " not in row["method"] else "–"
        label = label_of(row["options"]).lower()
        lines.append(f"| {label} | {lower:.4f} … {upper:.4f} | {by} | {row['cpu']:.0f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=list(BOXES), default="hidden-path")
    parser.add_argument("--seconds", type=float, default=600.0, help="for each row")
    parser.add_argument("--target", type=float, default=1e-4, help="half the width that is enough")
    parser.add_argument("--into", type=Path, help="a file for the rows, to go on from")
    parser.add_argument("--table", type=Path, help="a file of rows, to be told as Markdown")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--here", action="store_true", help="all rows in one process")
    parser.add_argument("--rows", nargs="+", help="these alone, such as 8/3/2/false")
    parser.add_argument("--again", action="store_true", help="also rows kept that are open")
    parser.add_argument("--more", action="store_true", help="go on from what is shipped")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--scheduler", help="the address of a Dask scheduler")
    parser.add_argument("--one", help="one row, as JSON, in this process")
    for name in ("length", "traps", "max-step"):
        parser.add_argument(f"--{name}", type=int)
    given = parser.parse_args()
    if given.one:
        how = (given.seconds, given.target, given.more)
        print(json.dumps(judge(given.game, json.loads(given.one), *how)))
        return
    if given.table:
        print(table(kept_in(given.table)))
        return
    names = {"length": given.length, "traps": given.traps, "max_step": given.max_step}
    wanted = {name: value for name, value in names.items() if value is not None}
    sets = option_sets(given.game, wanted)
    if given.rows:
        sets = [options for options in sets if named_so(options) in given.rows]
    if given.sizes:
        for options in sets:
            print(label_of(options), measure_tree(options, 30_000_000), flush=True)
        return
    into: Path | None = given.into
    kept = [] if into is None else [row for row in kept_in(into) if row["game"] == given.game]
    done = [r["options"] for r in kept if not (given.again and width_of(r) > CLOSED)]
    sets = [options for options in sets if options not in done]
    closed = 0
    tasks = [(given.game, options, given.seconds, given.target, given.more) for options in sets]
    if given.here:
        time.monotonic = time.process_time  # by which all searches know how late it is
    with nullcontext() if given.here else executor(given.scheduler, given.workers) as pool:
        rows = (judge(*task) for task in tasks) if pool is None else pool.map(in_own_process, tasks)
        for options, row in zip(sets, rows, strict=True):
            print(f"{label_of(options)}: {told(row)}", flush=True)
            if into is not None and "bounds" in row:
                keep(into, {"game": given.game, "options": options, **row})
            closed += "bounds" in row and row["bounds"][1] - row["bounds"][0] <= CLOSED
    print(f"{closed} of {len(sets)} no wider than {CLOSED}")


if __name__ == "__main__":
    main()
