"""Run the tests of each mistake in a copy of the tree, and say which nobody noticed."""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from bench.mutants import __doc__ as about
from bench.mutants.choosing import chosen, read
from bench.mutants.making import mutants

if TYPE_CHECKING:
    from bench.mutants.choosing import Test
    from bench.mutants.making import Mutant

ROOT = Path(__file__).parents[2]
SOURCES = "src/trapline"
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
PASSED, FAILED, BROKEN_OFF = 0, 1, 2
PYTEST = ("-x", "-q", "--tb=no", "-o", f"cache_dir={ROOT / '.pytest_cache'}")
HANGS = 180.0
"""Seconds after which a mistake has been noticed: something waits for ever."""


def known() -> set[str]:
    """Mistakes that are none: each line after one says why."""
    lines = EQUIVALENT.read_text("utf-8").splitlines()
    return {line for line in lines if line and not line.startswith((" ", "#"))}


def made(modules: list[str], each: int, seed: int) -> list[Mutant]:
    """So many of each module, by chance."""
    found: list[Mutant] = []
    without = known()
    for module in modules:
        all_of_it = [one for one in _all_of(module) if one.name not in without]
        found += random.Random(f"{seed} {module}").sample(all_of_it, min(each, len(all_of_it)))
    return found


def named(names: list[str]) -> list[Mutant]:
    """Those of an earlier run; what no longer fits the source is left out."""
    modules = dict.fromkeys(name.partition(" ")[0] for name in names)
    return [one for module in modules for one in _all_of(module) if one.name in names]


def _all_of(module: str) -> list[Mutant]:
    return mutants(module, (ROOT / SOURCES / module).read_bytes())


def copied(folder: Path) -> Path:
    """The tree as it is now, with what is not committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],  # noqa: S607 (whichever git is there)
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for name in listed.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def noticed(mutant: Mutant, tree: Path, tests: list[str], worlds: float) -> str:
    """The test that fails with it, or the worlds that do; nothing if none does."""
    file = tree / SOURCES / mutant.path
    source = file.read_bytes()
    file.write_bytes(mutant.applied(source))
    try:
        found = _failure(tree, "pytest", *PYTEST, *tests) if tests else ""
        if not found and worlds:
            found = _failure(tree, "bench.mutants.worlds", str(worlds))
    finally:
        file.write_bytes(source)
    return found


def _failure(tree: Path, *command: str) -> str:
    """What fails first; nothing if all is well."""
    # What Python compiled is found by the second and the size of a file, which may not change.
    environment = {
        **os.environ, "PYTHONPATH": f"{tree / 'src'}", "PYTHONDONTWRITEBYTECODE": "1",
        "CI": "1",
    }  # fmt: skip
    running = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=tree, env=environment, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        told, _ = running.communicate(timeout=HANGS)
    except subprocess.TimeoutExpired:
        return "it hangs"
    finally:
        _sweep(running)
    if running.returncode == PASSED:
        return ""
    if running.returncode not in (FAILED, BROKEN_OFF):
        raise SystemExit(f"The tests could not be run:\n{told}")
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", told, re.MULTILINE)
    return found[1] if found else told.strip().rpartition("\n")[2]


def _sweep(running: subprocess.Popen[str]) -> None:
    """With the servers that its tests have started."""
    try:
        os.killpg(running.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    running.wait()


def run(
    found: list[Mutant], tests: dict[str, Test], seconds: float, worlds: float, workers: int
) -> list[Mutant]:
    """Those that nobody noticed."""
    unnoticed: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(workers):
            trees.put(copied(Path(folder, str(number))))

        def look(mutant: Mutant) -> None:
            tree, begun = trees.get(), time.monotonic()
            names = chosen(mutant, tests, seconds)
            try:
                by = noticed(mutant, tree, names, worlds)
            finally:
                trees.put(tree)
            if not by:
                unnoticed.append(mutant)
            said = f"by {by}" if by else f"NOT NOTICED by {len(names)} tests"
            print(f"{time.monotonic() - begun:5.1f} s  {mutant.name}  {said}", flush=True)

        list(pool.map(look, found))
    return unnoticed


def modules() -> list[str]:
    folder = ROOT / SOURCES
    files = [*folder.glob("server/**/*.py"), *folder.glob("referee/**/*.py")]
    return sorted(str(file.relative_to(folder)) for file in files)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=about)
    parser.add_argument("modules", nargs="*", help="such as server/guard.py; all, if none is named")
    parser.add_argument("--reach", type=Path, action="append", required=True,
                        help="what `pytest -p bench.mutants.reach` wrote")  # fmt: skip
    parser.add_argument("--each", type=int, default=5, help="mistakes in each module, at most")
    parser.add_argument("--seed", type=int, default=0, help="which of them")
    parser.add_argument("--seconds", type=float, default=60.0, help="of tests for each, at most")
    parser.add_argument("--worlds", type=float, default=0.0,
                        help="seconds of simulated worlds, where no test notices it")  # fmt: skip
    parser.add_argument("--again", type=Path, help="a file with those to try, a name a line")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    tests = read(options.reach)
    if options.again:
        found = named(options.again.read_text("utf-8").splitlines())
    else:
        found = made(options.modules or modules(), options.each, options.seed)
    unnoticed = run(found, tests, options.seconds, options.worlds, options.workers)
    print(f"{len(found) - len(unnoticed)} of {len(found)} were noticed; not these:")
    for mutant in unnoticed:
        print(mutant.name)
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
