"""Makes the certificates in `proofs/`, of every rulebook and its presets: `python -m bench.proofs`.

They certify the solutions that are shipped, which is what `perfect` plays: make those first.
`python -m bench.proofs --small` makes those of small games with which the tests try the checkers.
"""

from __future__ import annotations

import itertools
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trapline.core import OptionsError
from trapline.games import RULEBOOKS, changed_options, make_game
from trapline.home import proofs_folder
from trapline.solve import Uncertified, certificates, solve, solved

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALL = Path(__file__).resolve().parent.parent / "tests" / "proofs" / "small.jsonl"
BOTH = (True, False)
FAMILIES: dict[str, dict[str, tuple[Any, ...]]] = {
    "hidden-path": {
        "length": (1, 2, 3, 4), "traps": (1, 2), "max_step": (1, 2, 3),
        "goal_traps": BOTH, "walls": BOTH,
    },
    "trap-builder": {
        "length": (2, 3, 4, 5), "traps": (1, 2), "max_step": (2, 3),
        "trigger": ("landing", "passing"), "walls": BOTH,
    },
    "trap-runner": {"length": (4, 6, 10), "max_step": (2, 3), "turn_limit": (0, 5, 200)},
    "secret-paths": {"size": (3, 5), "turn_limit": (0, 1, 3, 200)},
    "numeric-maze": {
        "length": (4, 6, 20), "traps": ([], [3], [5, 10, 15]), "max_step": (2, 3),
        "turn_limit": (0, 5, 200),
    },
}  # fmt: skip
"""All combinations of these that make a game."""


def family(name: str) -> Iterator[dict[str, Any]]:
    for values in itertools.product(*FAMILIES[name].values()):
        options = dict(zip(FAMILIES[name], values, strict=True))
        try:
            yield changed_options(make_game(name, options))
        except OptionsError:
            continue


def make_small() -> None:
    lines = []
    for name in FAMILIES:
        for options in family(name):
            found = solve(make_game(name, options), target=1e-9, time_limit=60)
            try:
                lines.append(certificates.encoded(certificates.certificate(found)))
            except Uncertified as error:
                print(f"{name} {options}: {error}")
                continue
            print(f"{name} {options}: {found.bounds}", flush=True)
    SMALL.write_bytes(b"".join(line.replace(b"\n", b"") + b"\n" for line in lines))


def main() -> None:
    for kind in RULEBOOKS:
        variants: dict[str, dict[str, Any]] = {f"{kind.name}.cert": {}}
        for preset in (preset for preset in kind.presets if preset.options):
            slug = re.sub(r"\W+", "-", preset.name.lower()).strip("-")
            variants[f"{kind.name}.{slug}.cert"] = preset.options
        for file, options in variants.items():
            begin = time.perf_counter()
            try:
                found = certificates.certificate(solved(make_game(kind, options)))
            except Uncertified as error:
                print(f"{file}: {error}")
                continue
            (proofs_folder() / file).write_bytes(certificates.encoded(found))
            low, high = found["bounds"]
            print(f"{file}: {low} to {high}, {time.perf_counter() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    if "--small" in sys.argv:
        make_small()
    else:
        main()
