"""Findings of `bench.audit FOLDER COUNT KEPT`, looked at again by plain Python, without the audit.

`python -m bench.by_hand FOLDER KEPT` loads each file by itself, takes the play that a finding
names, and says whether what the finding says can be seen there. Where an environment draws from
Python's or NumPy's own generator, a play is another one each time: then it is taken again, and
random plays on many seeds are searched for the same. What cannot be told so, a leak, is left to be
read.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import random
import re
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

PLAYS = 3_000
LONGEST = 1_000
AGAIN = 8
"""So often a play is taken again, to see whether the same comes of it."""
DEALS = 200
"""So often, if the play is possible only in some deals that no seed decides."""
FIVE = 5


class Seen(Exception):
    """What the finding says was seen."""


class Plain:
    """One environment, played by nothing but its own methods."""

    def __init__(self, made: Any, seed: int) -> None:
        self.env = made()
        self.observation, _ = self.env.reset(seed=seed)
        self.reward, self.done, self.moves = 0.0, False, 0
        self.before: Any = None
        self.was_listed = True

    def listed(self) -> list[int]:
        moves = self.env.valid_moves()
        if isinstance(moves, np.ndarray) and moves.dtype == bool:
            moves = np.flatnonzero(moves)
        return [int(move) for move in moves]

    def step(self, action: int) -> None:
        self.was_listed, self.before = action in self.listed(), self.held()
        given = self.env.step(action)
        if len(given) != FIVE:
            raise ValueError(f"step returns {len(given)}")
        self.observation, self.reward, done, truncated, _ = given
        self.done = bool(done or truncated)
        self.moves += 1

    def held(self) -> str:
        """All that the environment holds, but for generators and spaces."""
        names = sorted(name for name in vars(self.env) if not re.search("random|rng|space", name))
        return repr([(name, _plain(vars(self.env)[name])) for name in names])

    # --- is it so, in this position? ------------------------------------------------------

    def deadlock(self) -> bool:
        return not self.done and not self.listed()

    def space(self) -> bool:
        listed = [] if self.done else self.listed()
        allowed = self.env.action_space.contains
        outside = not self.env.observation_space.contains(self.observation)
        return outside or any(not allowed(action) for action in listed)

    def rewards(self) -> bool:
        if not self.moves or not self.was_listed:
            return False
        return self.reward not in (-1, 0, 1) if self.done else self.reward < 0

    def refused(self) -> bool:
        ends = re.compile(r"\('[^']*(done|over|terminated|winner|reward)[^']*', [^()]*\)")
        same = ends.sub("", self.held()) == ends.sub("", self.before or "")
        return bool(self.moves and self.was_listed and self.reward < 0 and same)

    def accepted(self) -> bool:
        if self.done:
            return False
        listed = self.listed()
        others = [action for action in range(int(self.env.action_space.n)) if action not in listed]
        for action in others[:1] + others[-1:] + others[len(others) // 2 :][:1]:
            twin = Plain.__new__(Plain)
            twin.__dict__.update(_copy(self.__dict__))
            with contextlib.suppress(Exception):
                twin.step(action)
                if twin.reward >= 0 and twin.held() != self.held():
                    return True
        return False


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _copy(held: dict[str, Any]) -> dict[str, Any]:
    from copy import deepcopy

    return deepcopy(held)


# --- one finding ------------------------------------------------------------------------


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None  # it is a file of Python
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CustomEnv


def taken(made: Any, seed: int, play: list[int]) -> Plain:
    plain = Plain(made, seed)
    for action in play:
        plain.step(action)
    return plain


def shows(path: Path, check: str, seed: int, play: list[int]) -> bool | None:
    """Whether it can be seen in this play, or in another; None if nobody can tell so."""
    if check == "crash":
        return _fails(path, seed, play) or _somewhere(load(path), check)
    made = load(path)
    if check == "chance":
        return len({_story(made, 7, play) for _ in range(AGAIN)}) > 1
    if check == "reset":
        return _left_over(made, seed, play)
    if check == "endless":
        return any(_comes_back(made, seed, play) for _ in range(DEALS))
    if not hasattr(Plain, check):
        return None
    try:
        if getattr(taken(made, seed, play), check)():
            return True
    except Exception as error:  # noqa: BLE001 - another deal, in which the play is not possible
        print(f"  {path.name} {check}: {type(error).__name__}: {error}"[:160])
    return _somewhere(made, check)


def _fails(path: Path, seed: int, play: list[int]) -> bool:
    try:
        plain = taken(load(path), seed, play)
        if not plain.done:
            plain.listed()
    except Exception:  # noqa: BLE001 - it is what was said
        return True
    return False


def _story(made: Any, seed: int, play: list[int]) -> str:
    plain = Plain(made, seed)
    told = [repr(_plain(plain.observation)), repr(plain.listed())]
    for action in play:
        try:
            plain.step(action)
        except Exception as error:  # noqa: BLE001 - that is a story, too
            return repr([*told, type(error).__name__])
        told += [repr(_plain(plain.observation)), repr((plain.reward, plain.done))]
        if plain.done:
            break
    return repr([*told, plain.held()])


def _pin(seed: int) -> None:
    """Python's and NumPy's own generators, from which some draw, at one place of their sequence."""
    random.seed(seed)
    np.random.seed(seed)


def _left_over(made: Any, seed: int, play: list[int]) -> bool:
    plain = taken(made, seed, play)
    fresh = Plain(made, seed)
    _pin(seed)
    fresh.observation, _ = fresh.env.reset(seed=seed)
    _pin(seed)
    observation, _ = plain.env.reset(seed=seed)
    same = _plain(observation) == _plain(fresh.observation) and plain.listed() == fresh.listed()
    return not same or plain.held() != fresh.held()


def _comes_back(made: Any, seed: int, play: list[int]) -> bool:
    plain = Plain(made, seed)
    seen = [plain.held()]
    for action in play:
        if plain.done or action not in plain.listed():
            return False
        plain.step(action)
        seen.append(plain.held())
    return not plain.done and (seen[-1] in seen[:-1] or len(play) > LONGEST)


def _somewhere(made: Any, check: str) -> bool:
    """Random plays, until one of them shows it."""
    rng = random.Random(1)
    for _ in range(PLAYS):
        seed = rng.randrange(1 << 20)
        try:
            plain = Plain(made, seed)
            while check == "crash" or not getattr(plain, check)():
                listed = [] if plain.done else plain.listed()
                if not listed or plain.moves > LONGEST:
                    break
                plain.step(rng.choice(listed))
            else:
                return True
        except Exception:  # noqa: BLE001 - it is a crash
            if check == "crash":
                return True
    return False


# --- all of them ------------------------------------------------------------------------


def main(folder: Path, kept: Path) -> None:
    warnings.simplefilter("ignore")
    shown: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for line in kept.read_text("utf-8").splitlines():
        told = json.loads(line)
        for check, finding in told["findings"].items():
            if check == "decided":
                continue
            seed = re.search(r", seed=(\d+)", finding["reproduce"])
            path = folder / told["file"]
            with contextlib.redirect_stdout(io.StringIO()) as said:
                is_so = shows(path, check, int(seed[1]) if seed else 0, finding["play"])
            found[check] += 1
            shown[check] += bool(is_so)
            if not is_so:
                what = "is to be read" if is_so is None else "DOES NOT SHOW"
                print(f"{told['file']} {check} {what}: {finding['sentence']}", flush=True)
                print(said.getvalue(), end="")
    for check, count in found.most_common():
        print(f"  {check}: {shown[check]} of {count}")
    print(f"{shown.total()} of {found.total()} findings show again")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
